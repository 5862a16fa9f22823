/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs, by kernels that count whole distances without writing them. The methods differ in sketch layout and
 * kernel. Near pairs are reported during the count, within a limit from the counts so far. */

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
    /* Puts the sketches of set->document[set->count] into the set, and may reorder these. */
    fp_status (*fill)(struct tally_way *way, fp_arena *arena, tally_set *set, fp_error *error);
    /* Every pair of rows begin … end − 1 and others from … to − 1 of the set; `from` is `begin`, `end` or, for all
     * rows, `to`. `watch` may be NULL. */
    fp_status (*count)(const struct tally_way *way, const tally_set *set, size_t begin, size_t end, size_t from,
                       size_t to, pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error);
    /* The distance that `count` gives a row and itself. */
    uint32_t (*own)(const struct tally_way *way, const tally_set *set, size_t row);
} tally_way;

/* Rows of the set. */
typedef struct set_rows {
    size_t begin, end;
} set_rows;

typedef struct tally_job {
    tally_way *way;
    tally_set set;
    uint64_t *tallies; /* one a thread */
    uint64_t *inside;  /* [distances] pairs inside groups; [threads · distances] while they are counted */
} tally_job;

/* ---- The set ---- */

/* All documents but those with empty sketches. */
static fp_status make_set(tally_job *job, fp_error *error) {
    const fp_all_pairs *all = job->way->all;
    size_t documents = all->stage->corpus->document_count;
    tally_set *set = &job->set;
    set->document = FP_NEED(fp_arena_raw(all->arena, documents, sizeof *set->document), error);
    for (size_t i = 0; i < documents; i++)
        if (fp_all_pairs_counts(all, i)) set->document[set->count++] = (uint32_t)i;
    set->parted = set->count;
    return job->way->fill(job->way, all->arena, set, error);
}

/* Work items of `count` rows. */
static size_t items_of(const tally_job *job, size_t count) { return (count + job->way->rows - 1) / job->way->rows; }

static set_rows rows_of(const tally_job *job, size_t item) {
    size_t first = items_of(job, job->set.parted), end = item < first ? job->set.parted : job->set.count,
           begin = item < first ? item * job->way->rows : job->set.parted + (item - first) * job->way->rows;
    return (set_rows){begin, end - begin < job->way->rows ? end : begin + job->way->rows};
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
    uint64_t pairs = 0, inside = 0;
    for (int64_t d = 0; d <= limit; d++) {
        inside += job->inside[d];
        for (size_t at = (size_t)d; at < way->tally; at += way->distances) pairs += tally[at];
        if (pairs > inside + way->all->near->most) limit = d - 1;
    }
    fp_near_finder_lower(way->all->near, thread, (double)limit);
    return limit;
}

/* ---- Work items ---- */

/* Pairs among the rows: comparing all with all counts each pair twice, and each row with itself once. */
static fp_status count_inside(const tally_job *job, set_rows rows, pair_watch *watch, fp_arena *arena, uint64_t *tally,
                              fp_error *error) {
    const tally_way *way = job->way;
    uint64_t *twice = FP_NEED(fp_arena_alloc(arena, way->tally, sizeof *twice), error);
    FP_TRY(way->count(way, &job->set, rows.begin, rows.end, rows.begin, rows.end, watch, arena, twice, error));
    for (size_t d = 0; d < way->distances; d++)
        for (size_t at = d + way->distances; at < way->tally; at += way->distances) twice[d] += twice[at];
    for (size_t row = rows.begin; row < rows.end; row++) twice[way->own(way, &job->set, row)]--;
    for (size_t d = 0; d < way->distances; d++) tally[d] += twice[d] / 2;
    return FP_OK;
}

/* Rows against themselves and all later ones. */
static fp_status count_pairs(const tally_job *job, set_rows rows, pair_watch *watch, fp_arena *arena, uint64_t *tally,
                             fp_error *error) {
    const tally_way *way = job->way;
    FP_TRY(way->count(way, &job->set, rows.begin, rows.end, rows.end, job->set.count, watch, arena, tally, error));
    FP_TRY(count_inside(job, rows, watch, arena, tally, error));
    return watch ? watch->status : FP_OK;
}

/* Whether a thread has counted too few pairs to give a useful limit. */
static bool knows_little(const tally_job *job, const uint64_t *tally) {
    const tally_way *way = job->way;
    uint64_t pairs = 0, inside = 0;
    for (size_t at = 0; at < way->tally; at++) pairs += tally[at];
    for (size_t d = 0; d < way->distances; d++) inside += job->inside[d];
    return pairs <= inside + way->all->near->most;
}

/* With near pairs. While a thread has counted little, it first counts its rows and then searches them for near
 * pairs. */
static fp_status count_and_find(const tally_job *job, set_rows rows, size_t thread, fp_arena *arena, uint64_t *tally,
                                fp_error *error) {
    const tally_way *way = job->way;
    pair_watch watch = {
        .watch = {.report = report_near}, .all = way->all, .set = &job->set, .thread = thread, .error = error};
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
    set_rows rows = rows_of(job, index);
    size_t thread = fp_thread_of(all->arenas, arena);
    uint64_t *tally = job->tallies + thread * job->way->tally;
    if (fp_near_finder_limit(all->near, thread) >= 0) return count_and_find(job, rows, thread, arena, tally, error);
    return count_pairs(job, rows, NULL, arena, tally, error);
}

/* ---- Pairs inside groups, pair by pair ---- */

/* Bits without a call: the kernel takes so little time for the other pairs that calls would be noticed. */
static double distance_of(const fp_measurement *of, uint32_t a, uint32_t b) {
    if (!of->arm->instance.layout.bits) return fp_measurement_distance(of, a, b);
    const uint64_t *one = fp_hamming_words(&of->sketches, a), *other = fp_hamming_words(&of->sketches, b);
    uint32_t bits = 0;
    for (size_t w = 0; w < of->sketches.stride / sizeof *one; w++) bits += fp_bits_portable(one[w] ^ other[w]);
    return bits;
}

enum { DOCUMENTS = 256 }; /* of a work item */

static fp_status count_pair(const tally_job *job, uint32_t a, uint32_t b, uint64_t *inside, fp_error *error) {
    const fp_measurement *of = job->way->all->measurement;
    const fp_corpus_document *documents = job->way->all->stage->corpus->documents;
    if (fp_measurement_empty(of, a, b)) return FP_OK;
    double distance = distance_of(of, a, b);
    if (!(distance >= 0 && distance < (double)job->way->distances))
        return fp_arm_distance_refuse(of->arm, distance, documents[a].id, documents[b].id, error);
    inside[(size_t)distance]++;
    return FP_OK;
}

static fp_status count_some(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const tally_job *job = context;
    const fp_all_pairs *all = job->way->all;
    const uint32_t *document = all->groups->document;
    size_t count = all->groups->begin[all->groups->count];
    uint64_t *inside = job->inside + fp_thread_of(all->arenas, arena) * job->way->distances;
    for (size_t i = index * DOCUMENTS; i < count && i < (index + 1) * DOCUMENTS; i++)
        for (size_t j = i + 1; j < count && fp_same_group(all->stage->corpus, document[i], document[j]); j++)
            FP_TRY(count_pair(job, document[i], document[j], inside, error));
    return FP_OK;
}

static fp_status count_groups(tally_job *job, fp_error *error) {
    const fp_all_pairs *all = job->way->all;
    size_t distances = job->way->distances, count = all->groups->begin[all->groups->count];
    job->inside = FP_NEED(fp_arena_alloc(all->arena, all->arenas->count, distances * sizeof *job->inside), error);
    FP_TRY(fp_parallel((count + DOCUMENTS - 1) / DOCUMENTS, all->arenas, true, count_some, job, "distances",
                       all->stage->progress, error));
    for (size_t i = distances; i < all->arenas->count * distances; i++) job->inside[i % distances] += job->inside[i];
    return FP_OK;
}

/* ---- All ---- */

static fp_status add_tallies(const tally_job *job, fp_error *error) {
    const tally_way *way = job->way;
    for (size_t d = 0; d < way->distances; d++) {
        uint64_t sum = 0;
        for (size_t at = d; at < way->all->arenas->count * way->tally; at += way->distances) sum += job->tallies[at];
        FP_TRY(fp_histogram_add_many(&way->all->measurement->histogram, (double)d, job->inside[d], sum - job->inside[d],
                                     error));
    }
    return FP_OK;
}

/* Leaves out the empty sketches, and reports the near pairs of the others. */
static fp_status count_tallies(tally_way *way, fp_error *error) {
    const fp_all_pairs *all = way->all;
    tally_job job = {.way = way};
    job.tallies = FP_NEED(fp_arena_alloc(all->arena, all->arenas->count * way->tally, sizeof *job.tallies), error);
    FP_TRY(make_set(&job, error));
    FP_TRY(count_groups(&job, error));
    size_t items = items_of(&job, job.set.parted) + items_of(&job, job.set.count - job.set.parted);
    FP_TRY(fp_parallel(items, all->arenas, true, count_rows, &job, "distances", all->stage->progress, error));
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

fp_status fp_all_pairs_bits(const fp_all_pairs *all, fp_error *error) {
    size_t distances = all->measurement->sketches.stride * 8 + 1;
    tally_way way = {.all = all,
                     .distances = distances,
                     .tally = FP_TALLY_LANES * distances,
                     .rows = BIT_ROWS,
                     .fill = fill_bits,
                     .count = count_bits,
                     .own = own_bits};
    return count_tallies(&way, error);
}

/* ---- All pairs of signatures ---- */

/* Rows of one work item: whole tiles. */
enum { SLOT_ROWS = FP_SLOT_TILE_BYTES };

static fp_status fill_slots(tally_way *way, fp_arena *arena, tally_set *set, fp_error *error) {
    const fp_all_pairs *all = way->all;
    const fp_measurement *measurement = all->measurement;
    fp_signatures signatures = {&measurement->arm->instance.layout, &measurement->sketches, set->document, set->count};
    fp_slot_tiles *tiles = set->sketches = FP_NEED(fp_arena_alloc(arena, 1, sizeof *tiles), error);
    return fp_slot_numbers(&signatures, all->arenas, all->stage->progress, arena, tiles, error);
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

fp_status fp_all_pairs_slots(const fp_all_pairs *all, fp_error *error) {
    size_t distances = all->measurement->arm->instance.layout.slots + 1;
    tally_way way = {.all = all,
                     .distances = distances,
                     .tally = distances,
                     .rows = SLOT_ROWS,
                     .fill = fill_slots,
                     .count = count_slots,
                     .own = own_slots};
    return count_tallies(&way, error);
}
