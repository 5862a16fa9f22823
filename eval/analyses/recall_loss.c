/* SPDX-License-Identifier: GPL-3.0-or-later
 * Positive pairs by the stage at which they are lost. */
#include "eval/analyses/recall_loss.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/experiment/groups.h"
#include "eval/statistics/proportion_interval.h"

/* ---- Positives ---- */

/* Allocates arrays for `count` positives. */
static fp_status open_positives(size_t count, fp_arena *arena, fp_recall_loss *to, fp_pair **positives,
                                uint32_t **labelled, fp_error *error) {
    to->positives = *positives = FP_NEED(fp_arena_raw(arena, count, sizeof **positives), error);
    to->labelled = *labelled = FP_NEED(fp_arena_raw(arena, count, sizeof **labelled), error);
    return FP_OK;
}

static fp_status list_labelled(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    size_t count = 0;
    fp_pair *positives;
    uint32_t *labelled;
    for (size_t i = 0; i < corpus->pair_count; i++) count += corpus->pairs[i].label == 1;
    FP_TRY(open_positives(count, arena, to, &positives, &labelled, error));
    for (size_t i = 0; i < corpus->pair_count; i++) {
        if (corpus->pairs[i].label != 1) continue;
        labelled[to->positive_count] = (uint32_t)i;
        positives[to->positive_count++] = corpus->pairs[i];
    }
    return FP_OK;
}

static fp_status list_grouped(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    fp_unit_list by;
    double count = 0;
    fp_pair *positives;
    uint32_t *labelled;
    FP_TRY(fp_groups_make(corpus, arena, &by, error));
    for (size_t g = 0; g < by.count; g++) count += (double)fp_pairs_of(by.begin[g + 1] - by.begin[g]);
    if (count > FP_RECALL_LOSS_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "the groups of %s hold %.0f pairs; --lost takes at most %d", corpus->name,
                       count, FP_RECALL_LOSS_MOST);
    FP_TRY(open_positives((size_t)count, arena, to, &positives, &labelled, error));
    for (size_t g = 0; g < by.count; g++) {
        for (size_t i = by.begin[g]; i < by.begin[g + 1]; i++) {
            for (size_t j = i + 1; j < by.begin[g + 1]; j++) {
                labelled[to->positive_count] = (uint32_t)to->positive_count;
                positives[to->positive_count++] = (fp_pair){by.document[i], by.document[j], 1};
            }
        }
    }
    return FP_OK;
}

static fp_status list_positives(const fp_corpus *corpus, fp_arena *arena, fp_recall_loss *to, fp_error *error) {
    bool listed = corpus->truth == FP_TRUTH_PAIRS;
    FP_TRY((listed ? list_labelled : list_grouped)(corpus, arena, to, error));
    size_t count = listed ? corpus->pair_count : to->positive_count;
    if (count == 0) return FP_OK;
    return fp_resample_make(listed ? corpus->pairs : to->positives, count, corpus->group, corpus->document_count,
                            FP_SAMPLING_AUTO, arena, &to->resample, error);
}

/* ---- Distances ---- */

/* Shared by the measurements and look-ups of all arms. */
typedef struct making {
    const fp_recall_loss *lost;
    fp_arenas arenas; /* of the threads */
    const fp_progress *progress;
    fp_arena *arena; /* for results */
} making;

/* If `similarity`: the similarity instead of the distance. */
static fp_status measure(const making *with, const fp_measurement *of, bool similarity, const double **out,
                         fp_error *error) {
    const fp_recall_loss *lost = with->lost;
    const fp_instance *instance = &of->arm->instance;
    double *value = FP_NEED(fp_arena_raw(with->arena, lost->positive_count, sizeof *value), error);
    *out = value;
    FP_TRY(fp_pairs_measure(lost->corpus, of, FP_PAIR_LIST(lost->positives, lost->positive_count), &with->arenas,
                            "positive pairs", with->progress, value, error));
    for (size_t i = 0; similarity && i < lost->positive_count; i++)
        value[i] = instance->algorithm->similarity(instance, value[i]);
    return FP_OK;
}

/* ---- Look-ups ---- */

/* A look-up by one document finds the other if they have a key in common. */
static fp_status query_all(const making *with, fp_recall_loss_arm *arm, fp_error *error) {
    const fp_sketches *sketches = &arm->measurement->sketches;
    bool *brought = FP_NEED(fp_arena_alloc(with->arena, with->lost->positive_count, sizeof *brought), error);
    for (size_t i = 0; i < with->lost->positive_count; i++) {
        fp_pair pair = with->lost->positives[i];
        brought[i] = fp_lsh_meet(arm->tables, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
    }
    arm->brought = brought;
    return fp_lsh_count_pairs(arm->tables, sketches, &with->arenas, with->progress, &arm->candidate_pairs, error);
}

static fp_status index_arm(const making *with, const fp_lsh_spec *spec, fp_recall_loss_arm *arm, fp_error *error) {
    const fp_instance *instance = &arm->measurement->arm->instance;
    fp_lsh_form form;
    fp_error own = {0};
    fp_status status = fp_lsh_settle(spec, &instance->layout, &form, &own);
    if (status != FP_OK) return fp_fail(error, status, "%s: %s", fp_arm_name(arm->measurement->arm), own.message);
    FP_TRY(fp_lsh_open(&form, &instance->layout, with->arena, &arm->tables, error));
    arm->reach = form.reach;
    arm->index = fp_lsh_text(&form, with->arena);
    return arm->index ? FP_OK : fp_no_memory(error);
}

/* ---- Arms ---- */

/* Whether some algorithm names this one as its counterpart: alone, or followed by a colon and parameters. */
static bool is_exact(const fp_arm *arm) {
    const char *name = arm->instance.algorithm->name;
    size_t length = strlen(name);
    const fp_algorithm *other;
    for (size_t i = 0; (other = fp_algorithm_at(i)); i++)
        if (other->counterpart && strncmp(other->counterpart, name, length) == 0 &&
            strchr(":", other->counterpart[length]))
            return true;
    return false;
}

/* How to choose the index: see fp_recall_loss_make. */
typedef struct asked {
    const fp_lsh_spec *spec;
    const double *within;
} asked;

/* *any is false if only a full scan loses nothing within the distance. */
static fp_status choose_index(asked by, const fp_layout *layout, size_t arm, fp_lsh_spec *spec, bool *any,
                              fp_error *error) {
    *any = fp_lsh_places(layout) > 0;
    if (!*any) return FP_OK;
    if (by.spec) *spec = *by.spec;
    else if (by.within) *any = fp_lsh_within_distance(layout, by.within[arm], spec);
    else return fp_lsh_default(layout, spec, error);
    return FP_OK;
}

/* `spec` NULL: by a full scan. */
static fp_status make_arm(const making *with, const fp_lsh_spec *spec, fp_recall_loss_arm *arm, fp_error *error) {
    arm->index = "";
    arm->reach = NAN;
    arm->exact = !arm->counterpart && is_exact(arm->measurement->arm);
    FP_TRY(measure(with, arm->measurement, false, &arm->distance, error));
    if (arm->counterpart) FP_TRY(measure(with, arm->counterpart, true, &arm->similarity, error));
    if (!spec) return FP_OK;
    FP_TRY(index_arm(with, spec, arm, error));
    return query_all(with, arm, error);
}

fp_status fp_recall_loss_make(const fp_outcome *outcome, const fp_lsh_spec *spec, const double *within,
                              const fp_progress *progress, fp_arena *arena, fp_recall_loss *lost, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    *lost = (fp_recall_loss){.corpus = corpus, .arm_count = outcome->count};
    fp_recall_loss_arm *arms = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *arms), error);
    making with = {.lost = lost, .progress = progress, .arena = arena};
    FP_TRY(list_positives(corpus, arena, lost, error));
    FP_ARENAS(arenas, progress, arena, error);
    with.arenas = arenas;
    lost->arms = arms;
    for (size_t i = 0; i < outcome->count; i++) {
        arms[i].measurement = outcome->measurements + i;
        arms[i].counterpart = outcome->counterparts ? outcome->counterparts->of_arm[i] : NULL;
        fp_lsh_spec own;
        bool any;
        FP_TRY(choose_index((asked){spec, within}, fp_arm_layout(arms[i].measurement->arm), i, &own, &any, error));
        FP_TRY(make_arm(&with, any ? &own : NULL, arms + i, error));
    }
    return FP_OK;
}

/* ---- Class of a pair at a threshold, and counts of the classes ---- */

bool fp_recall_loss_applies(const fp_recall_loss_arm *arm, fp_loss loss) {
    switch (loss) {
    case FP_LOSS_INDEX: return arm->tables != NULL;
    case FP_LOSS_SKETCH: return arm->similarity != NULL;
    case FP_LOSS_SIMILARITY: return arm->similarity || arm->exact;
    case FP_LOSS_MEASURE: return !arm->similarity && !arm->exact;
    case FP_LOSS_LUCK: return arm->similarity != NULL;
    default: return true;
    }
}

/* The slack keeps a similarity exactly at the limit for h within it, whatever its rounding error. */
static bool exact_is_within(const fp_recall_loss_arm *arm, size_t positive, double threshold) {
    static const double SLACK = 1e-9;
    const fp_instance *instance = &arm->measurement->arm->instance;
    if (threshold >= instance->layout.maximum) return true;
    return arm->similarity[positive] >= instance->algorithm->similarity(instance, threshold) - SLACK;
}

/* The class of one positive pair at a threshold; *luck: found although the exact measure is beyond the threshold. */
static fp_loss loss_of(const fp_recall_loss_arm *arm, size_t positive, double threshold, bool *luck) {
    bool near = arm->distance[positive] <= threshold,
         exact = arm->similarity && exact_is_within(arm, positive, threshold);
    *luck = false;
    if (near && arm->brought && !arm->brought[positive]) return FP_LOSS_INDEX;
    *luck = near && arm->similarity && !exact;
    if (near) return FP_LOSS_NONE;
    if (arm->exact) return FP_LOSS_SIMILARITY;
    return !arm->similarity ? FP_LOSS_MEASURE : exact ? FP_LOSS_SKETCH : FP_LOSS_SIMILARITY;
}

typedef struct fill_job {
    const fp_recall_loss *lost;
    double confidence;
    fp_recall_loss_row *rows;
} fill_job;

static fp_status fill_row(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    fill_job *job = context;
    const fp_recall_loss *lost = job->lost;
    fp_recall_loss_row *row = job->rows + index;
    size_t pairs = lost->resample.pair_count;
    double *weight = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *weight), error);
    bool *success = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *success), error);
    unsigned char *class_of = FP_NEED(fp_arena_raw(scratch, lost->positive_count, 2), error);
    memset(row->count, 0, sizeof row->count);
    for (size_t i = 0; i < lost->positive_count; i++) {
        bool luck;
        fp_loss loss = loss_of(lost->arms + row->arm, i, row->threshold, &luck);
        class_of[2 * i] = (unsigned char)loss;
        class_of[2 * i + 1] = luck;
        row->count[loss]++;
        row->count[FP_LOSS_LUCK] += luck;
        weight[lost->labelled[i]] = 1;
    }
    for (int c = 0; c < FP_LOSS_COLUMNS; c++) {
        row->share[c] = (fp_proportion){NAN, {NAN, NAN}, 0};
        if (pairs == 0 || !fp_recall_loss_applies(lost->arms + row->arm, (fp_loss)c)) continue;
        for (size_t i = 0; i < lost->positive_count; i++)
            success[lost->labelled[i]] = c == FP_LOSS_LUCK ? class_of[2 * i + 1] : class_of[2 * i] == c;
        FP_TRY(fp_proportion_of(&lost->resample, weight, success, job->confidence, scratch, row->share + c, error));
    }
    return FP_OK;
}

fp_status fp_recall_loss_fill(const fp_recall_loss *lost, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_recall_loss_row *rows, size_t count, fp_error *error) {
    fill_job job = {lost, confidence, rows};
    return fp_parallel_in(arena, count, fill_row, &job, "shares", progress, error);
}

bool fp_recall_loss_needs_scan(const fp_recall_loss_arm *arm) {
    return !arm->tables && fp_lsh_places(fp_arm_layout(arm->measurement->arm)) > 0;
}

double fp_recall_loss_candidates(const fp_recall_loss_arm *arm) {
    double documents = (double)arm->measurement->sketches.count;
    if (!arm->tables || documents == 0) return NAN;
    return (documents + 2 * (double)arm->candidate_pairs) / documents - 1;
}

/* ---- How often an index finds a pair of a given similarity ---- */

bool fp_index_curve_applies(const fp_recall_loss_arm *arm) {
    return arm->tables && arm->counterpart && arm->measurement->arm->instance.algorithm->similarity;
}

typedef struct likeness {
    const fp_instance *instance;
    double similarity;
} likeness;

static bool more_alike(void *context, double distance) {
    const likeness *than = context;
    return than->instance->algorithm->similarity(than->instance, distance) > than->similarity;
}

/* The expected share of places that differ: the inverse of a decreasing function. */
static double differing(const fp_instance *instance, double similarity) {
    likeness at = {instance, similarity};
    double far = instance->layout.maximum;
    if (!more_alike(&at, 0)) return 0;
    if (similarity <= instance->algorithm->similarity(instance, far)) return 1;
    return fp_bisect(more_alike, &at, 0, far) / far;
}

double fp_index_curve_similarity(const fp_recall_loss_arm *arm, size_t i) {
    double share = (double)i / (FP_INDEX_POINTS - 1);
    return i && strcmp(fp_arm_measure(arm->measurement->arm), "cosine") == 0 ? cos(M_PI / 2 * (1 - share)) : share;
}

double fp_index_curve_at(const fp_recall_loss_arm *arm, const fp_lsh_form *form, double similarity) {
    return fp_lsh_probability(form ? form : fp_lsh_form_of(arm->tables),
                              differing(&arm->measurement->arm->instance, similarity));
}

/* ---- Pairs ---- */

enum { BATCH = 256 }; /* pairs in one piece of work */

/* Values of each pair of the resample. */
typedef struct known {
    size_t count;
    const fp_pair *pairs;
    double *similarity, *expected;
    bool *brought;
    unsigned char *bin;
} known;

typedef struct pair_job {
    const fp_recall_loss_arm *arm;
    const known *of;
} pair_job;

static fp_status know_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    const pair_job *job = context;
    const known *of = job->of;
    const fp_sketches *sketches = &job->arm->measurement->sketches;
    size_t end = (index + 1) * BATCH < of->count ? (index + 1) * BATCH : of->count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = of->pairs[i];
        double distance = fp_measurement_distance(job->arm->counterpart, pair.a, pair.b);
        of->similarity[i] = fp_measurement_similarity(job->arm->counterpart, distance);
        of->expected[i] = fp_index_curve_at(job->arm, NULL, of->similarity[i]);
        of->brought[i] =
            !fp_measurement_empty(job->arm->measurement, pair.a, pair.b) &&
            fp_lsh_meet(job->arm->tables, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
        of->bin[i] = (unsigned char)fp_similarity_bin_of(of->similarity[i]);
    }
    return FP_OK;
}

static fp_status know_pairs(const making *with, const fp_recall_loss_arm *arm, known *of, fp_error *error) {
    const fp_recall_loss *lost = with->lost;
    fp_arena *arena = with->arena;
    size_t count = lost->resample.pair_count;
    *of = (known){.count = count,
                  .pairs = lost->corpus->truth == FP_TRUTH_PAIRS ? lost->corpus->pairs : lost->positives,
                  .similarity = FP_NEED(fp_arena_raw(arena, count, sizeof(double)), error),
                  .expected = FP_NEED(fp_arena_raw(arena, count, sizeof(double)), error),
                  .brought = FP_NEED(fp_arena_raw(arena, count, sizeof(bool)), error),
                  .bin = FP_NEED(fp_arena_raw(arena, count, 1), error)};
    pair_job job = {arm, of};
    return fp_parallel((count + BATCH - 1) / BATCH, &with->arenas, true, know_batch, &job, "pairs of the index",
                       with->progress, error);
}

/* ---- Bins ---- */

typedef struct bin_job {
    const fp_resample *resample;
    const known *of;
    double confidence;
    fp_index_bin *bins;
    size_t number[FP_SIMILARITY_BINS]; /* the tenth of each bin */
} bin_job;

static fp_status fill_bin(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    bin_job *job = context;
    const known *of = job->of;
    fp_index_bin *bin = job->bins + index;
    double *weight = FP_NEED(fp_arena_alloc(scratch, of->count, sizeof *weight), error);
    *bin = (fp_index_bin){.low = fp_similarity_bin_low(job->number[index]),
                          .high = fp_similarity_bin_low(job->number[index] + 1)};
    for (size_t i = 0; i < of->count; i++) {
        if (of->bin[i] != job->number[index]) continue;
        weight[i] = 1;
        bin->pairs++;
        bin->similarity += of->similarity[i];
        bin->expected += of->expected[i];
    }
    bin->similarity /= (double)bin->pairs;
    bin->expected /= (double)bin->pairs;
    return fp_proportion_of(job->resample, weight, of->brought, job->confidence, scratch, &bin->brought, error);
}

static fp_status fill_bins(const making *with, const known *of, double confidence, fp_index_curve *curve,
                           fp_error *error) {
    size_t held[FP_SIMILARITY_BINS] = {0};
    bin_job job = {&with->lost->resample,
                   of,
                   confidence,
                   FP_NEED(fp_arena_alloc(with->arena, FP_SIMILARITY_BINS, sizeof(fp_index_bin)), error),
                   {0}};
    for (size_t i = 0; i < of->count; i++) held[of->bin[i]]++;
    for (size_t b = 0; b < FP_SIMILARITY_BINS; b++)
        if (held[b]) job.number[curve->bin_count++] = b;
    curve->bins = job.bins;
    return fp_parallel(curve->bin_count, &with->arenas, true, fill_bin, &job, "shares of the index", with->progress,
                       error);
}

fp_status fp_index_curve_make(const fp_recall_loss *lost, size_t arm, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_index_curve *curve, fp_error *error) {
    *curve = (fp_index_curve){0};
    if (!fp_index_curve_applies(lost->arms + arm) || lost->resample.pair_count == 0) return FP_OK;
    FP_ARENAS(arenas, progress, arena, error);
    making with = {.lost = lost, .arenas = arenas, .progress = progress, .arena = arena};
    known of;
    FP_TRY(know_pairs(&with, lost->arms + arm, &of, error));
    return fill_bins(&with, &of, confidence, curve, error);
}
