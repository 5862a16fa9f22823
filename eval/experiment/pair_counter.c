/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts distances row by row. Nearly all pairs are distant negatives, so rows are first tested as a whole for other
 * pairs. */
#include "eval/experiment/pair_counter.h"

#include <math.h>
#include <string.h>

#include "algorithms/arms/arm.h"
#include "algorithms/kernels/distance_kernels.h"
#include "eval/measures/histogram.h"
#include "pairs/postings.h"

fp_status fp_pair_counters_open(const fp_all_pairs *all, fp_pair_counters *counters, fp_error *error) {
    const fp_layout *layout = &all->measurement->arm->instance.layout;
    bool exact = fp_pairs_of(all->stage->corpus->document_count) <= FP_HISTOGRAM_EXACT;
    size_t threads = all->arenas->count;
    *counters = (fp_pair_counters){.all = all,
                                   .each = FP_NEED(fp_arena_alloc(all->arena, threads, sizeof *counters->each), error)};
    all->measurement->histogram.limit = exact ? 0 : FP_HISTOGRAM_LIMIT;
    if (!exact && layout->maximum / FP_HISTOGRAM_STEP < (double)FP_HISTOGRAM_LIMIT)
        counters->steps = (size_t)ceil(layout->maximum / FP_HISTOGRAM_STEP) + 1;
    for (size_t t = 0; t < threads; t++)
        counters->each[t].histogram =
            (fp_histogram){.limit = all->measurement->histogram.limit, .like = all->measurement->histogram.like};
    return FP_OK;
}

static size_t other_of(const fp_pair_row *row, size_t i) { return row->other ? row->other[i] : row->first + i; }

/* ---- Distances that are off by a little ---- */

/* Whether a distance is so close to a multiple of the step that an error of `off` could move it to another grid
 * place. */
static bool any_on_edge(const double *distance, size_t count, double off) {
    static const double SHIFT = 0x1.8p52, BY_STEP = 1 / FP_HISTOGRAM_STEP;
    double reach = off * BY_STEP;
    uint64_t edges = 0;
    for (size_t i = 0; i < count; i++) {
        double scaled = distance[i] * BY_STEP, whole = (scaled + SHIFT) - SHIFT;
        edges += fabs(scaled - whole) <= reach;
    }
    return edges > 0;
}

/* Recomputes those distances exactly. Then every distance has its correct place on the grid and lies on its correct
 * side of any limit on the grid, which is all that matters. */
static void settle(const fp_all_pairs *all, const fp_pair_row *row) {
    enum { BLOCK = 128 };
    for (size_t begin = 0; begin < row->count; begin += BLOCK) {
        size_t end = row->count - begin < BLOCK ? row->count : begin + BLOCK;
        if (!any_on_edge(row->distance + begin, end - begin, row->off)) continue;
        for (size_t i = begin; i < end; i++)
            if (any_on_edge(row->distance + i, 1, row->off))
                row->distance[i] = fp_measurement_distance(all->measurement, row->row, other_of(row, i));
    }
}

/* ---- Near pairs ---- */

static bool any_within(const double *distance, size_t count, double limit) {
    uint64_t within = 0;
    for (size_t i = 0; i < count; i++) within += distance[i] <= limit;
    return within > 0;
}

static fp_status find_near(fp_near_finder *finder, size_t thread, const fp_pair_row *row, fp_error *error) {
    enum { BLOCK = 128 };
    for (size_t begin = 0; begin < row->count; begin += BLOCK) {
        size_t end = row->count - begin < BLOCK ? row->count : begin + BLOCK;
        double limit = fp_near_finder_limit(finder, thread);
        if (!any_within(row->distance + begin, end - begin, limit)) continue;
        for (size_t i = begin; i < end; i++)
            if (row->distance[i] <= limit)
                FP_TRY(fp_near_finder_add(finder, thread, row->row, other_of(row, i), row->distance[i], error));
    }
    return FP_OK;
}

/* ---- Positives ---- */

static bool any_same_group(const uint32_t *group, uint32_t wanted, const fp_pair_row *row) {
    size_t same = 0;
    if (wanted == UINT32_MAX) return false;
    if (row->other)
        for (size_t i = 0; i < row->count; i++) same += group[row->other[i]] == wanted;
    else
        for (size_t i = 0; i < row->count; i++) same += group[row->first + i] == wanted;
    return same > 0;
}

/* Counts the positives, and moves the distances of the negatives to the beginning of the row: *negatives of them. */
static fp_status take_out(const fp_all_pairs *all, fp_histogram *to, const fp_pair_row *row, size_t *negatives,
                          fp_error *error) {
    const fp_corpus *corpus = all->stage->corpus;
    size_t kept = 0;
    *negatives = row->count;
    if (!all->measurement->empty && !any_same_group(corpus->group, corpus->group[row->row], row)) return FP_OK;
    for (size_t i = 0; i < row->count; i++) {
        size_t other = other_of(row, i);
        if (!fp_all_pairs_counts(all, other)) continue;
        if (fp_same_group(corpus, row->row, other)) FP_TRY(fp_histogram_add(to, row->distance[i], true, error));
        else row->distance[kept++] = row->distance[i];
    }
    *negatives = kept;
    return FP_OK;
}

/* ---- All ---- */

bool fp_pair_counters_on_grid(const fp_pair_counters *counters) {
    for (size_t t = 0; t < counters->all->arenas->count; t++)
        if (counters->each[t].grid) return true;
    return false;
}

/* Once a histogram is on its finest grid with room for all distances, an array counts them. If distances are
 * inexact, another thread's array counts them too, since all histograms together will then be on the grid. */
static fp_status open_grid(const fp_pair_counters *counters, fp_pair_counter *to, bool off, fp_error *error) {
    if (to->grid || !counters->steps || (to->histogram.step != FP_HISTOGRAM_STEP && !off)) return FP_OK;
    to->grid = fp_memory_take(to->histogram.like, counters->steps, sizeof *to->grid);
    return to->grid ? FP_OK : fp_no_memory(error);
}

/* Adds the counts of the array to a histogram. */
static fp_status empty_grid(fp_histogram *to, const fp_pair_counter *from, size_t steps, fp_error *error) {
    for (size_t i = 0; from->grid && i < steps; i++)
        FP_TRY(fp_histogram_add_many(to, (double)i * FP_HISTOGRAM_STEP, 0, from->grid[i], error));
    return FP_OK;
}

static void add_on_grid(const fp_pair_counter *to, size_t steps, const double *distance, size_t count) {
    enum { BLOCK = 512 };
    uint32_t place[BLOCK];
    for (size_t begin = 0; begin < count; begin += BLOCK) {
        size_t some = count - begin < BLOCK ? count - begin : BLOCK;
        fp_grid_kernels[fp_cpu_chosen()](distance + begin, some, 1 / FP_HISTOGRAM_STEP, (uint32_t)(steps - 1), place);
        for (size_t i = 0; i < some; i++) to->grid[place[i]]++;
    }
}

fp_status fp_pair_counters_take(const fp_pair_counters *counters, size_t thread, const fp_pair_row *row,
                                fp_error *error) {
    const fp_all_pairs *all = counters->all;
    fp_pair_counter *to = counters->each + thread;
    size_t negatives;
    if (row->off > 0) settle(all, row);
    if (fp_near_finder_limit(all->near, thread) >= 0) FP_TRY(find_near(all->near, thread, row, error));
    FP_TRY(take_out(all, &to->histogram, row, &negatives, error));
    FP_TRY(open_grid(counters, to, row->off > 0, error));
    if (!to->grid) return fp_histogram_add_negatives(&to->histogram, row->distance, negatives, error);
    add_on_grid(to, counters->steps, row->distance, negatives);
    return FP_OK;
}

static fp_status merge(const fp_pair_counters *counters, const fp_pair_counter *from, fp_error *error) {
    fp_histogram *to = &counters->all->measurement->histogram;
    FP_TRY(fp_histogram_merge(to, &from->histogram, error));
    return empty_grid(to, from, counters->steps, error);
}

fp_status fp_pair_counters_close(fp_pair_counters *counters, fp_status status, fp_error *error) {
    for (size_t t = 0; t < counters->all->arenas->count; t++) {
        if (status == FP_OK) status = merge(counters, counters->each + t, error);
        fp_memory_release(counters->each[t].histogram.like, counters->each[t].grid);
        fp_histogram_free(&counters->each[t].histogram);
    }
    return status;
}

/* ---- Row by row ---- */

/* Distances of document `index` to all later ones, in blocks that fit into the L1 cache. */
static fp_status measure_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    enum { SOME = 1024 };
    const fp_pair_counters *counters = context;
    const fp_all_pairs *all = counters->all;
    const fp_arm *arm = all->measurement->arm;
    const fp_sketches *sketches = &all->measurement->sketches;
    double distance[SOME];
    size_t end = all->stage->corpus->document_count, thread = fp_thread_of(all->arenas, arena);
    if (!fp_all_pairs_counts(all, index)) return FP_OK;
    for (size_t first = index + 1; first < end; first += SOME) {
        fp_pair_row row = {index, end - first < SOME ? end - first : SOME, first, NULL, distance, 0};
        fp_arm_distances(arm, fp_sketches_at(sketches, index), sketches, first, row.count, distance);
        FP_TRY(fp_pair_counters_take(counters, thread, &row, error));
    }
    return FP_OK;
}

/* Any algorithm: row by row through `distances`, or `distance`. */
static fp_status measure_row_by_row(const fp_all_pairs *all, fp_error *error) {
    fp_pair_counters counters;
    FP_TRY(fp_pair_counters_open(all, &counters, error));
    size_t rows = all->stage->corpus->document_count;
    fp_status status =
        fp_parallel(rows, all->arenas, true, measure_row, &counters, "distances", all->stage->progress, error);
    return fp_pair_counters_close(&counters, status, error);
}

/* ----
 * All pairs of sparse vectors: those that share a key come from the postings; all others have one distance, and
 * their number follows by subtraction.
 */

typedef struct shared_job {
    const fp_all_pairs *all;
    fp_vector *vectors; /* [document_count] */
    fp_pair_counters counters;
} shared_job;

static fp_status count_joined_pairs(void *context, const fp_joined_pairs *pairs, fp_arena *arena, fp_error *error) {
    const shared_job *job = context;
    const fp_measurement *measurement = job->all->measurement;
    fp_join_sums(&measurement->arm->instance, job->vectors + pairs->row, job->vectors, pairs->other, pairs->count,
                 pairs->sum);
    for (size_t i = 0; i < pairs->count; i++)
        if (isnan(pairs->sum[i])) pairs->sum[i] = fp_measurement_distance(measurement, pairs->row, pairs->other[i]);
    double off = pairs->off > 0 ? fp_cosine_moves(&measurement->arm->instance, pairs->off) : 0;
    fp_pair_row row = {pairs->row, pairs->count, 0, pairs->other, pairs->sum, off};
    return fp_pair_counters_take(&job->counters, fp_thread_of(job->all->arenas, arena), &row, error);
}

/* When distances are counted on a grid, slightly inexact ones suffice for nearly all pairs. */
static bool may_be_off(void *context) {
    const shared_job *job = context;
    job->all->near->off = isfinite(fp_cosine_moves(&job->all->measurement->arm->instance, FP_POSTINGS_OFF)) &&
                          fp_pair_counters_on_grid(&job->counters);
    return job->all->near->off;
}

/* Pairs by whether they are in one group. */
typedef struct pair_count {
    uint64_t positives, all;
} pair_count;

static pair_count counted(const fp_histogram *histogram) {
    pair_count sum = {0};
    for (size_t i = 0; i < histogram->count; i++) {
        sum.positives += histogram->bars[i].positives;
        sum.all += histogram->bars[i].positives + histogram->bars[i].negatives;
    }
    return sum;
}

/* Whether a document is counted here: all those without an empty sketch, or only the empty vectors among them. */
static bool is_among(const shared_job *job, bool empty, size_t document) {
    return fp_all_pairs_counts(job->all, document) && (!empty || job->vectors[document].count == 0);
}

/* Pairs of the documents that are empty, or of all documents. */
static pair_count pairs_among(const shared_job *job, bool empty) {
    const fp_unit_list *groups = job->all->groups;
    pair_count pairs = {0};
    uint64_t documents = 0;
    for (size_t i = 0; i < job->all->stage->corpus->document_count; i++) documents += is_among(job, empty, i);
    pairs.all = fp_pairs_of(documents);
    for (size_t g = 0; g < groups->count; g++) {
        uint64_t members = 0;
        for (size_t m = groups->begin[g]; m < groups->begin[g + 1]; m++)
            members += is_among(job, empty, groups->document[m]);
        pairs.positives += fp_pairs_of(members);
    }
    return pairs;
}

/* The first document that is counted and empty, or counted and not empty; there is one. */
static size_t first_of(const shared_job *job, bool empty) {
    size_t i = 0;
    while (!is_among(job, false, i) || (job->vectors[i].count == 0) != empty) i++;
    return i;
}

/* Two empty documents are equal sketches. All other pairs that share nothing have the distance of the sum 0. */
static fp_status add_others(const shared_job *job, fp_error *error) {
    fp_histogram *to = &job->all->measurement->histogram;
    const fp_instance *instance = &job->all->measurement->arm->instance;
    fp_histogram_finish(to);
    pair_count counts = counted(to), empty = pairs_among(job, true), all = pairs_among(job, false);
    if (empty.all) {
        double distance = fp_measurement_distance(job->all->measurement, first_of(job, true), first_of(job, true));
        FP_TRY(fp_histogram_add_many(to, distance, empty.positives, empty.all - empty.positives, error));
    }
    pair_count apart = {all.positives - counts.positives - empty.positives, all.all - counts.all - empty.all};
    if (apart.all == 0) return FP_OK;
    size_t one = first_of(job, false), other = 0;
    while (other == one || !is_among(job, false, other)) other++;
    double distance =
        fp_acceleration_of(instance->algorithm)->joined(instance, job->vectors + one, job->vectors + other, 0);
    return fp_histogram_add_many(to, distance, apart.positives, apart.all - apart.positives, error);
}

/* The postings report no pair that shares nothing. */
static double reported_below(const shared_job *job) {
    const fp_instance *instance = &job->all->measurement->arm->instance;
    size_t count = job->all->stage->corpus->document_count, one = 0;
    if (pairs_among(job, true).all) return 0;
    while (one < count && job->vectors[one].count == 0) one++;
    return one < count
               ? fp_acceleration_of(instance->algorithm)->joined(instance, job->vectors + one, job->vectors + one, 0)
               : 0;
}

/* Sparse vectors (fp_acceleration.vector): through postings (pairs/postings.h). */
static fp_status measure_shared(const fp_all_pairs *all, fp_error *error) {
    const fp_instance *instance = &all->measurement->arm->instance;
    size_t count = all->stage->corpus->document_count;
    shared_job job = {.all = all, .vectors = FP_NEED(fp_arena_alloc(all->arena, count, sizeof *job.vectors), error)};
    fp_postings postings = {job.vectors, count, FP_JOIN_COUNT, count_joined_pairs, &job, "distances", may_be_off};
    for (size_t i = 0; i < count; i++)
        postings.join = fp_acceleration_of(instance->algorithm)
                            ->vector(instance, fp_sketches_at(&all->measurement->sketches, i), job.vectors + i);
    fp_near_finder_cut(all->near, reported_below(&job));
    FP_TRY(fp_pair_counters_open(all, &job.counters, error));
    fp_status status = fp_postings_pairs(&postings, all->arenas, all->stage->progress, error);
    FP_TRY(fp_pair_counters_close(&job.counters, status, error));
    return add_others(&job, error);
}

/* ---- Empty sketches ---- */

/* Pairs with one or two of them: all pairs less those of the others. */
static uint64_t pairs_with_empty(uint64_t documents, uint64_t empty) {
    return fp_pairs_of(documents) - fp_pairs_of(documents - empty);
}

static fp_status add_empty(const fp_all_pairs *all, fp_error *error) {
    const fp_measurement *measurement = all->measurement;
    const fp_corpus *corpus = all->stage->corpus;
    uint64_t pairs = pairs_with_empty(corpus->document_count, measurement->empty_count), positives = 0;
    const fp_unit_list *groups = all->groups;
    if (!measurement->empty) return FP_OK;
    for (size_t g = 0; g < groups->count; g++) {
        uint64_t empty = 0;
        for (size_t m = groups->begin[g]; m < groups->begin[g + 1]; m++)
            empty += measurement->empty[groups->document[m]];
        positives += pairs_with_empty(fp_unit_size(groups, g), empty);
    }
    if (pairs == 0) return FP_OK;
    return fp_histogram_add_many(&all->measurement->histogram, measurement->arm->instance.layout.maximum, positives,
                                 pairs - positives, error);
}

static fp_status measure_others(const fp_all_pairs *all, fp_error *error) {
    const fp_instance *instance = &all->measurement->arm->instance;
    if (instance->layout.bits) return fp_all_pairs_bits(all, error);
    if (instance->layout.slots) return fp_all_pairs_slots(all, error);
    if (fp_acceleration_of(instance->algorithm)->vector) return measure_shared(all, error);
    return measure_row_by_row(all, error);
}

fp_status fp_all_pairs_measure(const fp_all_pairs *all, fp_error *error) {
    FP_TRY(measure_others(all, error));
    return add_empty(all, error);
}
