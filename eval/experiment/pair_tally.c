/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs, by kernels that count whole distances without writing them: once for all documents, and once for each
 * group. The methods differ in sketch layout and kernel. Near pairs are reported during the count, within a limit
 * from the counts so far. */

#include <math.h>
#include <string.h>

#include "algorithms/arms/arm.h"
#include "algorithms/kernels/bit_counts.h"
#include "algorithms/kernels/hamming.h"
#include "algorithms/kernels/tally/tally.h"
#include "eval/experiment/pair_counter.h"
#include "eval/experiment/slot_numbers.h"

/* Sketches whose pairs are all counted. */
typedef struct tally_set {
    uint32_t *document; /* [count] owners of the sketches, in memory order */
    size_t count;
    size_t parted; /* the rows of one work item are all before this place, or all after it */
    bool group;    /* of one group; otherwise of all documents */
    void *sketches;
} tally_set;

/* Receives near pairs from a kernel: places among rows that begin at `row`, and among others that begin at `other`. */
typedef struct pair_watch {
    fp_tally_watch watch;
    const fp_all_pairs *all;
    const tally_set *set;
    size_t row, other, thread;
    fp_status status;
    fp_error *error;
} pair_watch;

/* Common first member of the methods. */
typedef struct tally_way {
    const fp_all_pairs *all;
    size_t distances; /* 0 … distances − 1 */
    size_t tally;     /* counts that a kernel fills: tables of `distances`, one after the other */
    size_t rows;      /* in one work item */
    /* Puts the sketches of set->document[set->count] into the set, and may reorder these. Called for the set of all
     * documents first. */
    fp_status (*fill)(struct tally_way *way, fp_arena *arena, tally_set *set, fp_error *error);
    /* Every pair of rows begin … end − 1 and others from … to − 1 of the set; `from` is `begin`, `end` or, for all
     * rows, `to`. `watch` may be NULL. */
    fp_status (*count)(const struct tally_way *way, const tally_set *set, size_t begin, size_t end, size_t from,
                       size_t to, pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error);
    /* The distance that `count` gives a row and itself. */
    uint32_t (*own)(const struct tally_way *way, const tally_set *set, size_t row);
    /* The distance of two documents. */
    uint32_t (*distance)(const struct tally_way *way, size_t a, size_t b);
} tally_way;

/* For smaller groups the kernel does not pay off. */
enum { LARGE = 64 };

/* Rows of a set. */
typedef struct set_rows {
    const tally_set *set;
    size_t begin, end;
} set_rows;

typedef struct tally_job {
    tally_way *way;
    size_t set_count, rows_count;
    tally_set *sets;
    set_rows *rows;
    uint64_t *tallies; /* two a thread: of all documents, of the groups */
    uint64_t *inside;  /* [distances] upper limit of the pairs within a distance that are in groups */
} tally_job;

/* ---- Sets ---- */

/* The documents member[0 … count), or 0 … count where `member` is NULL; without empty sketches. */
static fp_status make_set(const tally_job *job, const uint32_t *member, size_t count, tally_set *set, fp_error *error) {
    const fp_all_pairs *all = job->way->all;
    *set = (tally_set){.document = FP_NEED(fp_arena_raw(all->arena, count, sizeof *set->document), error),
                       .group = member != NULL};
    for (size_t i = 0; i < count; i++) {
        uint32_t document = member ? member[i] : (uint32_t)i;
        if (fp_all_pairs_counts(all, document)) set->document[set->count++] = document;
    }
    set->parted = set->count;
    return job->way->fill(job->way, all->arena, set, error);
}

/* All documents, then every large group. */
static fp_status make_sets(tally_job *job, fp_error *error) {
    const fp_all_pairs *all = job->way->all;
    const fp_unit_list *groups = all->groups;
    size_t large = 0;
    for (size_t g = 0; g < groups->count; g++) large += fp_unit_size(groups, g) >= LARGE;
    job->sets = FP_NEED(fp_arena_alloc(all->arena, large + 1, sizeof *job->sets), error);
    FP_TRY(make_set(job, NULL, all->stage->corpus->document_count, job->sets + job->set_count++, error));
    for (size_t g = 0; g < groups->count; g++) {
        if (fp_unit_size(groups, g) < LARGE) continue;
        FP_TRY(make_set(job, groups->document + groups->begin[g], fp_unit_size(groups, g), job->sets + job->set_count++,
                        error));
    }
    return FP_OK;
}

static void add_rows(tally_job *job, const tally_set *set, size_t begin, size_t end) {
    size_t rows = job->way->rows;
    for (size_t row = begin; row < end; row += rows)
        job->rows[job->rows_count++] = (set_rows){set, row, end - row < rows ? end : row + rows};
}

static fp_status make_rows(tally_job *job, fp_error *error) {
    size_t most = 0;
    for (size_t s = 0; s < job->set_count; s++) most += job->sets[s].count / job->way->rows + 2;
    job->rows = FP_NEED(fp_arena_raw(job->way->all->arena, most, sizeof *job->rows), error);
    for (size_t s = 0; s < job->set_count; s++) {
        add_rows(job, job->sets + s, 0, job->sets[s].parted);
        add_rows(job, job->sets + s, job->sets[s].parted, job->sets[s].count);
    }
    return FP_OK;
}

/* ---- Near pairs ---- */

static void report_near(fp_tally_watch *of, const fp_tally_pair *pairs, size_t count) {
    pair_watch *watch = (pair_watch *)(void *)of;
    fp_near_finder *near = watch->all->near;
    const uint32_t *document = watch->set->document;
    for (size_t i = 0; i < count && watch->status == FP_OK; i++) {
        size_t a = watch->row + pairs[i].query, b = watch->other + pairs[i].other;
        if (a >= b) continue; /* pairs among the rows occur twice */
        watch->status =
            fp_near_finder_add(near, watch->thread, document[a], document[b], pairs[i].distance, watch->error);
    }
    double limit = watch->status == FP_OK ? fp_near_finder_limit(near, watch->thread) : -1;
    if (limit < (double)of->limit) of->limit = (int64_t)floor(limit);
}

/* Lower limit, from this thread's counts, of the pairs of different groups within a distance: if they exceed the
 * size of the list, no pair beyond it is listed. Returns the largest useful distance. */
static int64_t useful_limit(const tally_job *job, const uint64_t *tally, size_t thread) {
    const tally_way *way = job->way;
    double most = fp_near_finder_limit(way->all->near, thread);
    int64_t limit = most < (double)way->distances ? (int64_t)floor(most) : (int64_t)way->distances - 1;
    uint64_t pairs = 0;
    for (int64_t d = 0; d <= limit; d++) {
        for (size_t at = (size_t)d; at < way->tally; at += way->distances) pairs += tally[at];
        if (pairs > job->inside[d] + way->all->near->most) limit = d - 1;
    }
    fp_near_finder_lower(way->all->near, thread, (double)limit);
    return limit;
}

/* For each distance the counted pairs within it in small groups, plus all pairs in large ones. */
static fp_status count_inside_groups(tally_job *job, fp_error *error) {
    const tally_way *way = job->way;
    uint64_t inside = 0;
    for (size_t s = 1; s < job->set_count; s++) inside += fp_pairs_of(job->sets[s].count);
    job->inside = FP_NEED(fp_arena_raw(way->all->arena, way->distances, sizeof *job->inside), error);
    for (size_t d = 0; d < way->distances; d++) job->inside[d] = inside += job->tallies[way->tally + d];
    return FP_OK;
}

/* ---- Work items ---- */

/* Pairs among the rows: comparing all with all counts each pair twice, and each row with itself once. */
static fp_status count_inside(const tally_job *job, set_rows rows, pair_watch *watch, fp_arena *arena, uint64_t *tally,
                              fp_error *error) {
    const tally_way *way = job->way;
    uint64_t *twice = FP_NEED(fp_arena_alloc(arena, way->tally, sizeof *twice), error);
    FP_TRY(way->count(way, rows.set, rows.begin, rows.end, rows.begin, rows.end, watch, arena, twice, error));
    for (size_t d = 0; d < way->distances; d++)
        for (size_t at = d + way->distances; at < way->tally; at += way->distances) twice[d] += twice[at];
    for (size_t row = rows.begin; row < rows.end; row++) twice[way->own(way, rows.set, row)]--;
    for (size_t d = 0; d < way->distances; d++) tally[d] += twice[d] / 2;
    return FP_OK;
}

/* Rows against themselves and all later ones in their set. */
static fp_status count_pairs(const tally_job *job, set_rows rows, pair_watch *watch, fp_arena *arena, uint64_t *tally,
                             fp_error *error) {
    const tally_way *way = job->way;
    FP_TRY(way->count(way, rows.set, rows.begin, rows.end, rows.end, rows.set->count, watch, arena, tally, error));
    FP_TRY(count_inside(job, rows, watch, arena, tally, error));
    return watch ? watch->status : FP_OK;
}

/* Whether a thread has counted too few pairs to give a useful limit. */
static bool knows_little(const tally_job *job, const uint64_t *tally) {
    const tally_way *way = job->way;
    uint64_t pairs = 0;
    for (size_t at = 0; at < way->tally; at++) pairs += tally[at];
    return pairs <= job->inside[way->distances - 1] + way->all->near->most;
}

/* With near pairs. While a thread has counted little, it first counts its rows and then searches them for near
 * pairs. */
static fp_status count_and_find(const tally_job *job, set_rows rows, size_t thread, fp_arena *arena, uint64_t *tally,
                                fp_error *error) {
    const tally_way *way = job->way;
    pair_watch watch = {
        .watch = {.report = report_near}, .all = way->all, .set = rows.set, .thread = thread, .error = error};
    uint64_t *spare = NULL;
    if (knows_little(job, tally)) {
        FP_TRY(count_pairs(job, rows, NULL, arena, tally, error));
        spare = FP_NEED(fp_arena_alloc(arena, way->tally, sizeof *spare), error);
    }
    watch.watch.limit = useful_limit(job, tally, thread);
    if (watch.watch.limit < 0 && spare) return FP_OK;
    return count_pairs(job, rows, &watch, arena, spare ? spare : tally, error);
}

static fp_status count_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const tally_job *job = context;
    const fp_all_pairs *all = job->way->all;
    set_rows rows = job->rows[index];
    size_t thread = fp_thread_of(all->arenas, arena);
    uint64_t *tally = job->tallies + (2 * thread + rows.set->group) * job->way->tally;
    if (!rows.set->group && fp_near_finder_limit(all->near, thread) >= 0)
        return count_and_find(job, rows, thread, arena, tally, error);
    return count_pairs(job, rows, NULL, arena, tally, error);
}

/* ---- All ---- */

/* Pairs in a small group, pair by pair. */
static void count_small_group(const tally_job *job, size_t g, uint64_t *tally) {
    const fp_all_pairs *all = job->way->all;
    const uint32_t *member = all->groups->document + all->groups->begin[g];
    for (size_t i = 0; i < fp_unit_size(all->groups, g); i++)
        for (size_t j = i + 1; j < fp_unit_size(all->groups, g); j++)
            if (!fp_measurement_empty(all->measurement, member[i], member[j]))
                tally[job->way->distance(job->way, member[i], member[j])]++;
}

static fp_status add_tallies(const tally_job *job, fp_error *error) {
    const tally_way *way = job->way;
    for (size_t d = 0; d < way->distances; d++) {
        uint64_t sum[2] = {0};
        for (size_t t = 0; t < 2 * way->all->arenas->count; t++)
            for (size_t at = d; at < way->tally; at += way->distances) sum[t % 2] += job->tallies[t * way->tally + at];
        FP_TRY(fp_histogram_add_many(&way->all->measurement->histogram, (double)d, sum[1], sum[0] - sum[1], error));
    }
    return FP_OK;
}

/* Leaves out the empty sketches, and reports the near pairs of the others. */
static fp_status count_tallies(tally_way *way, fp_error *error) {
    const fp_all_pairs *all = way->all;
    tally_job job = {.way = way};
    job.tallies = FP_NEED(fp_arena_alloc(all->arena, 2 * all->arenas->count * way->tally, sizeof *job.tallies), error);
    FP_TRY(make_sets(&job, error));
    FP_TRY(make_rows(&job, error));
    for (size_t g = 0; g < all->groups->count; g++)
        if (fp_unit_size(all->groups, g) < LARGE) count_small_group(&job, g, job.tallies + way->tally);
    FP_TRY(count_inside_groups(&job, error));
    FP_TRY(fp_parallel(job.rows_count, all->arenas, true, count_rows, &job, "distances", all->stage->progress, error));
    return add_tallies(&job, error);
}

/* ---- All pairs of bit fingerprints ---- */

/* Rows of one work item; a multiple of the block size of the kernels. */
enum { BIT_ROWS = 240 };

static size_t words_of(const tally_way *way) { return way->all->measurement->sketches.stride / 8; }

/* Even popcounts first, so that the parity of every bit_distance is known. */
static fp_status fill_bits(tally_way *way, fp_arena *arena, tally_set *set, fp_error *error) {
    const fp_sketches *sketches = &way->all->measurement->sketches;
    size_t words = words_of(way), at = 0;
    uint64_t *to = FP_NEED(fp_arena_raw(arena, set->count, words * sizeof *to), error);
    uint32_t *document = FP_NEED(fp_arena_raw(arena, set->count, sizeof *document), error);
    set->sketches = to;
    for (int odd = 0; odd < 2; odd++) {
        for (size_t i = 0; i < set->count; i++) {
            const uint64_t *from = fp_hamming_words(sketches, set->document[i]);
            if (fp_tally_odd(from, words) != odd) continue;
            memcpy(to + at * words, from, words * sizeof *to);
            document[at++] = set->document[i];
        }
        if (!odd) set->parted = at;
    }
    set->document = document;
    return FP_OK;
}

static void count_parity(const tally_way *way, const tally_set *set, size_t begin, size_t end, size_t from, size_t to,
                         pair_watch *watch, uint64_t *tally) {
    size_t words = words_of(way);
    const uint64_t *all = set->sketches;
    if (watch) watch->row = begin, watch->other = from;
    fp_tally_kernels[fp_cpu_counting(fp_cpu_chosen())](all + begin * words, end - begin, all + from * words, to - from,
                                                       words, (begin < set->parted) != (from < set->parted),
                                                       watch ? &watch->watch : NULL, tally);
}

static fp_status count_bits(const tally_way *way, const tally_set *set, size_t begin, size_t end, size_t from,
                            size_t to, pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error) {
    (void)arena, (void)error;
    size_t even = to < set->parted ? to : set->parted, odd = from > set->parted ? from : set->parted;
    if (from < even) count_parity(way, set, begin, end, from, even, watch, tally);
    if (odd < to) count_parity(way, set, begin, end, odd, to, watch, tally);
    return FP_OK;
}

static uint32_t own_bits(const tally_way *way, const tally_set *set, size_t row) {
    (void)way, (void)set, (void)row;
    return 0;
}

static uint32_t bit_distance(const tally_way *way, size_t a, size_t b) {
    const fp_sketches *sketches = &way->all->measurement->sketches;
    const uint64_t *one = fp_hamming_words(sketches, a), *other = fp_hamming_words(sketches, b);
    uint32_t bits = 0;
    for (size_t w = 0; w < words_of(way); w++) bits += fp_bits_portable(one[w] ^ other[w]);
    return bits;
}

fp_status fp_all_pairs_bits(const fp_all_pairs *all, fp_error *error) {
    size_t distances = all->measurement->sketches.stride * 8 + 1;
    tally_way way = {.all = all,
                     .distances = distances,
                     .tally = FP_TALLY_LANES * distances,
                     .rows = BIT_ROWS,
                     .fill = fill_bits,
                     .count = count_bits,
                     .own = own_bits,
                     .distance = bit_distance};
    return count_tallies(&way, error);
}

/* ---- All pairs of signatures ---- */

/* Rows of one work item: whole tiles. */
enum { SLOT_ROWS = FP_SLOT_TILE_BYTES };

typedef struct slot_way {
    tally_way way;
    fp_slot_tiles all;  /* of the set of all documents */
    uint32_t *position; /* [document_count] there, of each document that is counted */
} slot_way;

static fp_status fill_all(slot_way *slots, fp_arena *arena, tally_set *set, fp_error *error) {
    const fp_all_pairs *all = slots->way.all;
    const fp_measurement *measurement = all->measurement;
    fp_signatures signatures = {&measurement->arm->instance.layout, &measurement->sketches, set->document, set->count};
    slots->position = FP_NEED(fp_arena_raw(arena, all->stage->corpus->document_count, sizeof *slots->position), error);
    for (size_t i = 0; i < set->count; i++) slots->position[set->document[i]] = (uint32_t)i;
    set->sketches = &slots->all;
    return fp_slot_numbers(&signatures, all->arenas, all->stage->progress, arena, &slots->all, error);
}

static fp_status fill_slots(tally_way *way, fp_arena *arena, tally_set *set, fp_error *error) {
    slot_way *slots = (slot_way *)(void *)way;
    if (!set->group) return fill_all(slots, arena, set, error);
    fp_slot_tiles *tiles = FP_NEED(fp_arena_alloc(arena, 1, sizeof *tiles), error);
    uint32_t *which = FP_NEED(fp_arena_raw(arena, set->count, sizeof *which), error);
    for (size_t i = 0; i < set->count; i++) which[i] = slots->position[set->document[i]];
    set->sketches = tiles;
    return fp_slot_tiles_pick(&slots->all, which, set->count, arena, tiles, error);
}

static fp_status count_slots(const tally_way *way, const tally_set *set, size_t begin, size_t end, size_t from,
                             size_t to, pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error) {
    const fp_slot_tiles *tiles = set->sketches;
    void *queries;
    (void)way;
    if (from == to) return FP_OK;
    FP_TRY(fp_slot_queries(tiles, begin, end, arena, &queries, error));
    if (watch) watch->row = begin, watch->other = from;
    fp_slot_tally_kernels[fp_cpu_counting(fp_cpu_chosen())](tiles, queries, end - begin, from, to,
                                                            watch ? &watch->watch : NULL, tally);
    return FP_OK;
}

/* As a query, a row does not agree with itself in slots whose value no other row holds. */
static uint32_t own_slots(const tally_way *way, const tally_set *set, size_t row) {
    const fp_slot_tiles *tiles = set->sketches;
    uint32_t alone = 0;
    (void)way;
    for (size_t s = 0; s < tiles->slots; s++) alone += fp_slot_number(tiles, row, s) == FP_SLOT_ALONE;
    return alone;
}

static uint32_t slot_distance(const tally_way *way, size_t a, size_t b) {
    const slot_way *slots = (const slot_way *)(const void *)way;
    uint32_t differing = 0;
    for (size_t s = 0; s < slots->all.slots; s++) {
        uint32_t number = fp_slot_number(&slots->all, slots->position[a], s);
        differing += number == FP_SLOT_ALONE || number != fp_slot_number(&slots->all, slots->position[b], s);
    }
    return differing;
}

fp_status fp_all_pairs_slots(const fp_all_pairs *all, fp_error *error) {
    size_t distances = all->measurement->arm->instance.layout.slots + 1;
    slot_way slots = {.way = {.all = all,
                              .distances = distances,
                              .tally = distances,
                              .rows = SLOT_ROWS,
                              .fill = fill_slots,
                              .count = count_slots,
                              .own = own_slots,
                              .distance = slot_distance}};
    return count_tallies(&slots.way, error);
}
