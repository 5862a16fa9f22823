/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of bit fingerprints, counted by the tally kernel: once for all documents, and once for each group. */
#include <math.h>
#include <string.h>

#include "algorithms/kernels/hamming.h"
#include "algorithms/kernels/tally.h"
#include "eval/experiment/all_pairs.h"

/* Rows of one piece of work; a multiple of what the kernels take at once. A group of fewer than LARGE documents is
 * not worth the kernel. */
enum { ROWS = 240, LARGE = 64 };
/* Fingerprints that rows are compared with at once for near pairs. */
enum { BLOCK = 512 };

/* Fingerprints of which all pairs are counted: even ones first, so that the parity of every distance is known. */
typedef struct bit_set {
    uint64_t *words;
    uint32_t *document; /* whose fingerprint it is; NULL where near pairs are not wanted */
    size_t count, odd;  /* where the odd ones begin */
    bool group;         /* of one group, otherwise of all documents */
} bit_set;

/* Rows of a set, all of one parity. */
typedef struct bit_rows {
    const bit_set *set;
    size_t begin, end;
} bit_rows;

typedef struct bit_job {
    const fp_all_pairs *all;
    size_t words, places; /* of a fingerprint; of a table */
    size_t set_count, rows_count;
    bit_set *sets;
    bit_rows *rows;
    uint64_t *tallies; /* two a thread: of all documents, of the groups */
} bit_job;

static size_t tally_size(const bit_job *job) { return FP_TALLY_LANES * job->places; }

/* ---- Sets ---- */

/* The fingerprints of documents member[0 … count), or 0 … count where `member` is NULL; without those that say nothing.
 */
static fp_status make_set(const bit_job *job, const uint32_t *member, size_t count, bit_set *set, fp_error *error) {
    const fp_sketches *sketches = &job->all->measurement->sketches;
    bool near = !member && fp_near_finder_limit(job->all->near, 0) >= 0;
    *set = (bit_set){.words = fp_arena_raw(job->all->arena, count, job->words * sizeof *set->words),
                     .document = near ? fp_arena_raw(job->all->arena, count, sizeof *set->document) : NULL,
                     .group = member != NULL};
    if (!set->words || (near && !set->document)) return fp_no_memory(error);
    uint64_t *to = set->words;
    for (int odd = 0; odd < 2; odd++) {
        for (size_t i = 0; i < count; i++) {
            size_t document = member ? member[i] : i;
            const uint64_t *from = fp_hamming_words(sketches, document);
            if (fp_tally_odd(from, job->words) != odd || !fp_all_pairs_counts(job->all, document)) continue;
            memcpy(to, from, job->words * sizeof *to);
            to += job->words;
            if (near) set->document[set->count] = (uint32_t)document;
            set->count++;
            set->odd += !odd;
        }
    }
    return FP_OK;
}

static size_t group_size(const fp_groups *groups, size_t g) { return groups->begin[g + 1] - groups->begin[g]; }

/* All documents, then every large group. */
static fp_status make_sets(bit_job *job, fp_error *error) {
    size_t large = 0;
    for (size_t g = 0; g < job->all->groups->count; g++) large += group_size(job->all->groups, g) >= LARGE;
    job->sets = fp_arena_alloc(job->all->arena, large + 1, sizeof *job->sets);
    if (!job->sets) return fp_no_memory(error);
    FP_TRY(make_set(job, NULL, job->all->stage->corpus->document_count, job->sets + job->set_count++, error));
    for (size_t g = 0; g < job->all->groups->count; g++) {
        if (group_size(job->all->groups, g) < LARGE) continue;
        FP_TRY(make_set(job, job->all->groups->member + job->all->groups->begin[g], group_size(job->all->groups, g),
                        job->sets + job->set_count++, error));
    }
    return FP_OK;
}

static void add_rows(bit_job *job, const bit_set *set, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row += ROWS)
        job->rows[job->rows_count++] = (bit_rows){set, row, end - row < ROWS ? end : row + ROWS};
}

static fp_status make_rows(bit_job *job, fp_error *error) {
    size_t most = 0;
    for (size_t s = 0; s < job->set_count; s++) most += job->sets[s].count / ROWS + 2;
    job->rows = fp_arena_raw(job->all->arena, most, sizeof *job->rows);
    if (!job->rows) return fp_no_memory(error);
    for (size_t s = 0; s < job->set_count; s++) {
        add_rows(job, job->sets + s, 0, job->sets[s].odd);
        add_rows(job, job->sets + s, job->sets[s].odd, job->sets[s].count);
    }
    return FP_OK;
}

/* ---- Counting ---- */

/* Pairs among the rows: all with all count each pair twice, and each row with itself once, at distance 0. */
static fp_status count_inside(const bit_job *job, const uint64_t *rows, size_t count, fp_arena *arena, uint64_t *tally,
                              fp_error *error) {
    uint64_t *twice = fp_arena_alloc(arena, tally_size(job), sizeof *twice);
    if (!twice) return fp_no_memory(error);
    fp_tally_chosen()->kernel(rows, count, rows, count, job->words, false, twice);
    for (size_t d = 0; d < job->places; d++) {
        uint64_t sum = 0;
        for (size_t lane = 0; lane < FP_TALLY_LANES; lane++) sum += twice[lane * job->places + d];
        tally[d] += (d ? sum : sum - count) / 2;
    }
    return FP_OK;
}

/* ---- Near pairs ---- */

/* One row against others[begin … begin + count) of its set, which are few: seldom is one of them near. */
static fp_status find_near_some(const bit_job *job, const bit_set *set, size_t row, size_t begin, size_t count,
                                size_t thread, fp_error *error) {
    fp_near_finder *near = job->all->near;
    uint32_t bits[BLOCK], limit = (uint32_t)fmin(fp_near_finder_limit(near, thread), (double)job->places);
    const fp_hamming_variant *hamming = fp_hamming_chosen();
    const uint64_t *query = set->words + row * job->words, *many = set->words + begin * job->words;
    if (hamming->least(query, many, job->words, count) > limit) return FP_OK;
    hamming->kernel(query, many, job->words, count, bits);
    for (size_t i = 0; i < count; i++)
        if (bits[i] <= limit)
            FP_TRY(fp_near_finder_add(near, thread, set->document[row], set->document[begin + i], bits[i], error));
    return FP_OK;
}

/* Rows against all that comes after each, block by block, which stays in the nearest cache. */
static fp_status find_near(const bit_job *job, bit_rows rows, size_t thread, fp_error *error) {
    const fp_near_finder *near = job->all->near;
    for (size_t block = rows.begin + 1; block < rows.set->count; block += BLOCK) {
        size_t end = rows.set->count - block < BLOCK ? rows.set->count : block + BLOCK;
        for (size_t row = rows.begin; row < rows.end && row + 1 < end; row++) {
            if (fp_near_finder_limit(near, thread) < 0) return FP_OK;
            size_t begin = row + 1 > block ? row + 1 : block;
            FP_TRY(find_near_some(job, rows.set, row, begin, end - begin, thread, error));
        }
    }
    return FP_OK;
}

/* ---- A piece of work ---- */

/* Rows against themselves and all that comes after them in their set. */
static fp_status count_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const bit_job *job = context;
    bit_rows rows = job->rows[index];
    const bit_set *set = rows.set;
    bool even = rows.begin < set->odd;
    size_t words = job->words, count = rows.end - rows.begin, alike = even ? set->odd : set->count;
    const uint64_t *first = set->words + rows.begin * words;
    size_t thread = fp_thread_of(job->all->arenas, arena);
    uint64_t *tally = job->tallies + (2 * thread + set->group) * tally_size(job);
    fp_tally_kernel kernel = fp_tally_chosen()->kernel;
    kernel(first, count, set->words + rows.end * words, alike - rows.end, words, false, tally);
    if (even) kernel(first, count, set->words + set->odd * words, set->count - set->odd, words, true, tally);
    FP_TRY(count_inside(job, first, count, arena, tally, error));
    return set->document ? find_near(job, rows, thread, error) : FP_OK;
}

/* Pairs in a group that is not large, one by one. */
static void count_small_group(const bit_job *job, size_t g, uint64_t *tally) {
    const fp_sketches *sketches = &job->all->measurement->sketches;
    const uint32_t *member = job->all->groups->member + job->all->groups->begin[g];
    fp_hamming_kernel kernel = fp_hamming_chosen()->kernel;
    uint32_t bits;
    for (size_t i = 0; i < group_size(job->all->groups, g); i++) {
        for (size_t j = i + 1; j < group_size(job->all->groups, g); j++) {
            if (fp_measurement_silent(job->all->measurement, member[i], member[j])) continue;
            kernel(fp_hamming_words(sketches, member[i]), fp_hamming_words(sketches, member[j]), job->words, 1, &bits);
            tally[bits]++;
        }
    }
}

static fp_status add_tallies(const bit_job *job, fp_error *error) {
    size_t lanes = job->all->arenas->count * FP_TALLY_LANES;
    for (size_t d = 0; d < job->places; d++) {
        uint64_t sum[2] = {0};
        for (size_t lane = 0; lane < lanes; lane++)
            for (size_t kind = 0; kind < 2; kind++)
                sum[kind] += job->tallies[(lane / FP_TALLY_LANES * 2 + kind) * tally_size(job) +
                                          lane % FP_TALLY_LANES * job->places + d];
        FP_TRY(fp_histogram_add_many(&job->all->measurement->histogram, (double)d, sum[1], sum[0] - sum[1], error));
    }
    return FP_OK;
}

fp_status fp_all_pairs_bits(const fp_all_pairs *all, fp_error *error) {
    size_t words = all->measurement->sketches.stride / 8;
    bit_job job = {.all = all, .words = words, .places = words * 64 + 1};
    job.tallies = fp_arena_alloc(all->arena, all->arenas->count * 2, tally_size(&job) * sizeof *job.tallies);
    if (!job.tallies) return fp_no_memory(error);
    FP_TRY(make_sets(&job, error));
    FP_TRY(make_rows(&job, error));
    for (size_t g = 0; g < all->groups->count; g++)
        if (group_size(all->groups, g) < LARGE) count_small_group(&job, g, job.tallies + tally_size(&job));
    FP_TRY(fp_parallel(job.rows_count, all->arenas, true, count_rows, &job, "distances", all->stage->progress, error));
    return add_tallies(&job, error);
}
