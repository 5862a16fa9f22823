/* SPDX-License-Identifier: GPL-3.0-or-later
 * A corpus from the page, evaluated as by fplab/eval.h. The request, besides documents and pairs (lab_parts.h):
 *
 *   thresholds   ascending (1 … 10)          confidence, replicates, hash_seeds   as fp_evaluation_options
 *
 * The answer: documents, positives, negatives; "arms", each with "rows" (a row per threshold: counts, which are means
 * over the hash seeds; precision, recall, f1 as [value, low, high]), the three measures over the whole range in the
 * same form, histogram and curve as columns, of about 2,000 rows at most; and "failed", the arms that could not be
 * added. */
#include <math.h>
#include <stdlib.h>

#include "eval/evaluation/outcome.h"
#include "reports/lab/lab_parts.h"

enum { MOST_THRESHOLDS = 1000, MOST_POINTS = 2000 };

void fp_lab_evaluation_close(fp_lab *lab) {
    fp_evaluation_close(lab->evaluation);
    fp_corpus_close(lab->corpus);
    lab->evaluation = NULL;
    lab->corpus = NULL;
}

/* ---- The request ---- */

static fp_status read_thresholds(const fp_lab_call_data *call, fp_evaluation_options *options, fp_error *error) {
    const fp_json *list;
    size_t count;
    if (!fp_json_member(call->request, "thresholds")) return FP_OK;
    FP_TRY(fp_lab_list(call, "thresholds", &list, &count, error));
    if (count == 0 || count > MOST_THRESHOLDS)
        return fp_fail(error, FP_ERROR_RANGE, "the request takes 1 to %d thresholds", MOST_THRESHOLDS);
    double *thresholds = FP_NEED(fp_arena_alloc(call->scratch, count, sizeof *thresholds), error);
    size_t i = 0;
    for (const fp_json *at = list->first; at; at = at->next)
        FP_TRY(fp_json_real(at, "thresholds", thresholds + i++, error));
    options->thresholds = thresholds;
    options->threshold_count = count;
    return FP_OK;
}

static fp_status read_options(const fp_lab_call_data *call, fp_evaluation_options *options, fp_error *error) {
    double replicates, hash_seeds;
    FP_TRY(read_thresholds(call, options, error));
    FP_TRY(fp_lab_number(call, "confidence", 0.95, 0.5, 0.9999, &options->confidence, error));
    FP_TRY(fp_lab_number(call, "replicates", 0, 0, 1000000, &replicates, error));
    FP_TRY(fp_lab_number(call, "hash_seeds", 0, 0, 1000, &hash_seeds, error));
    options->progress = call->lab->progress;
    options->replicates = (size_t)replicates;
    options->hash_seeds = (size_t)hash_seeds;
    return FP_OK;
}

/* An arm that cannot be added does not stop the others. */
static fp_status add_arms(const fp_lab_call_data *call, fp_evaluation *evaluation, fp_error *error) {
    const fp_json *list;
    size_t count;
    FP_TRY(fp_lab_list(call, "arms", &list, &count, error));
    fp_json_begin_array(call->to, "failed");
    for (const fp_json *at = list->first; at; at = at->next) {
        fp_error own = {0};
        char *spec = FP_NEED(fp_string_copy(call->scratch, at->text), error);
        fp_status status = fp_evaluation_add_arm(evaluation, spec, NULL, &own);
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        if (status != FP_OK) fp_lab_put_failed(call, at->text, &own);
    }
    fp_json_end_array(call->to);
    return FP_OK;
}

static fp_status run(const fp_lab_call_data *call, fp_error *error) {
    fp_lab *lab = call->lab;
    const fp_json *documents;
    size_t count;
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    FP_TRY(fp_lab_list(call, "documents", &documents, &count, error));
    FP_TRY(read_options(call, &options, error));
    FP_TRY(fp_lab_corpus_make(documents, fp_json_member(call->request, "pairs"), call->scratch, &lab->corpus, error));
    FP_TRY(fp_evaluation_open(lab->corpus, &options, &lab->evaluation, error));
    FP_TRY(add_arms(call, lab->evaluation, error));
    return fp_evaluation_run(lab->evaluation, error);
}

/* ---- The answer ---- */

/* A measure by its name, as `shown`: [value, low, high]. */
static fp_status put_measure(const fp_lab_call_data *call, size_t arm, const char *name, const char *shown,
                             fp_error *error) {
    fp_result result;
    FP_TRY(fp_evaluation_measure(call->lab->evaluation, arm, name, &result, error));
    const double parts[] = {result.value, result.low, result.high};
    FP_JSON_LIST(call->to, shown, i, 3, fp_json_put_real(call->to, NULL, parts[i]));
    return FP_OK;
}

static fp_status put_row(const fp_lab_call_data *call, size_t arm, double threshold, fp_error *error) {
    static const char *const MEASURES[] = {"precision", "recall", "f1"};
    fp_confusion counts = fp_evaluation_counts(call->lab->evaluation, arm, threshold);
    fp_json_begin_object(call->to, NULL);
    fp_json_put_real(call->to, "threshold", threshold);
    fp_json_put_count(call->to, "tp", counts.tp);
    fp_json_put_count(call->to, "fp", counts.fp);
    fp_json_put_count(call->to, "fn", counts.fn);
    fp_json_put_count(call->to, "tn", counts.tn);
    for (size_t i = 0; i < sizeof MEASURES / sizeof *MEASURES; i++) {
        const char *name = FP_NEED(fp_format(call->scratch, "%s@%.17g", MEASURES[i], threshold), error);
        FP_TRY(put_measure(call, arm, name, MEASURES[i], error));
    }
    fp_json_end_object(call->to);
    return FP_OK;
}

/* The cell of a bar when there are too many bars: cells divide the scale, and each is shown at its upper end. */
static double cell_of(const fp_bar *bar, double maximum) { return ceil(bar->distance / maximum * MOST_POINTS); }

static void put_bars(fp_json_writer *to, const fp_histogram *histogram, double maximum, int column) {
    bool many = histogram->count > MOST_POINTS;
    for (size_t i = 0; i < histogram->count;) {
        fp_bar sum = histogram->bars[i];
        double cell = cell_of(&sum, maximum);
        for (i++; many && i < histogram->count && cell_of(histogram->bars + i, maximum) == cell; i++) {
            sum.positives += histogram->bars[i].positives;
            sum.negatives += histogram->bars[i].negatives;
        }
        if (column == 0) fp_json_put_real(to, NULL, many ? cell / MOST_POINTS * maximum : sum.distance);
        else fp_json_put_count(to, NULL, column == 1 ? sum.positives : sum.negatives);
    }
}

static void put_histogram(fp_json_writer *to, const fp_histogram *histogram, double maximum) {
    static const char *const COLUMNS[] = {"distance", "positives", "negatives"};
    fp_json_begin_object(to, "histogram");
    for (int column = 0; column < 3; column++) {
        fp_json_begin_array(to, COLUMNS[column]);
        put_bars(to, histogram, maximum, column);
        fp_json_end_array(to);
    }
    fp_json_end_object(to);
}

/* Of too many points it writes an even selection with the last. */
static void put_curve(fp_json_writer *to, const fp_point *points, size_t count) {
    size_t shown = count < MOST_POINTS ? count : MOST_POINTS;
#define POINT(i) points[shown > 1 ? (i) * (count - 1) / (shown - 1) : 0].confusion
    fp_json_begin_object(to, "curve");
    FP_JSON_LIST(to, "tp", i, shown, fp_json_put_count(to, NULL, POINT(i).tp));
    FP_JSON_LIST(to, "fp", i, shown, fp_json_put_count(to, NULL, POINT(i).fp));
    fp_json_end_object(to);
#undef POINT
}

static fp_status put_arm(const fp_lab_call_data *call, size_t arm, fp_error *error) {
    static const char *const MEASURES[] = {"average_precision", "roc_area", "best_f1"};
    const fp_evaluation *evaluation = call->lab->evaluation;
    const fp_measurement *measurement = evaluation->outcome.measurements + arm;
    size_t count, point_count;
    const double *thresholds = fp_evaluation_thresholds(evaluation, &count);
    const fp_point *points = fp_evaluation_curve(evaluation, arm, &point_count);
    fp_json_begin_object(call->to, NULL);
    fp_lab_put_arm(call, evaluation->entrants[arm].arm);
    fp_json_put_count(call->to, "empty", fp_evaluation_empty(evaluation, arm));
    for (size_t i = 0; i < sizeof MEASURES / sizeof *MEASURES; i++)
        FP_TRY(put_measure(call, arm, MEASURES[i], MEASURES[i], error));
    fp_json_put_real(call->to, "best_threshold", fp_evaluation_best_threshold(evaluation, arm));
    FP_JSON_LIST(call->to, "rows", i, count, FP_TRY(put_row(call, arm, thresholds[i], error)));
    put_histogram(call->to, &measurement->histogram, measurement->arm->instance.layout.maximum);
    put_curve(call->to, points, point_count);
    fp_json_end_object(call->to);
    return FP_OK;
}

static fp_status put_answer(const fp_lab_call_data *call, fp_error *error) {
    const fp_evaluation *evaluation = call->lab->evaluation;
    const fp_curve *curve = evaluation->outcome.curves;
    fp_json_put_count(call->to, "documents", call->lab->corpus->document_count);
    fp_json_put_count(call->to, "positives", curve->positives);
    fp_json_put_count(call->to, "negatives", curve->negatives);
    FP_JSON_LIST(call->to, "arms", i, fp_evaluation_arm_count(evaluation), FP_TRY(put_arm(call, i, error)));
    return FP_OK;
}

fp_status fp_lab_evaluate(const fp_lab_call_data *call, fp_error *error) {
    fp_lab_evaluation_close(call->lab);
    fp_status status = run(call, error);
    if (status == FP_OK) status = put_answer(call, error);
    if (status != FP_OK) fp_lab_evaluation_close(call->lab);
    return status;
}

/* ----
 * The pairs behind a count of the last evaluation: {arm (its index), cell ("tp", "fp", "fn", "tn"), threshold, most
 * (100)}. The answer: "count", and at most `most` "pairs", as columns a, b (indices of documents) and distance.
 */

enum { MOST_FOUND = 10000 };

typedef struct found {
    double distance;
    uint32_t pair;
} found;

FP_COMPARES(nearest_first, found, FP_ORDER(a->distance, b->distance) ?: FP_ORDER(a->pair, b->pair));
FP_COMPARES(furthest_first, found, FP_ORDER(b->distance, a->distance) ?: FP_ORDER(a->pair, b->pair));

/* Errors come worst first: the nearest negatives, the furthest positives. */
static const struct cell {
    const char *name;
    bool positive, called;
    int (*order)(const void *a, const void *b);
} CELLS[] = {{"tp", true, true, furthest_first},
             {"fp", false, true, nearest_first},
             {"fn", true, false, furthest_first},
             {"tn", false, false, nearest_first}};

static fp_status read_cell(const fp_lab_call_data *call, const struct cell **cell, fp_error *error) {
    fp_string name;
    FP_TRY(fp_lab_text(call, "cell", &name, error));
    for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++)
        if (fp_string_equal(name, fp_string_of(CELLS[i].name))) return *cell = CELLS + i, FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "the request's \"cell\" is none of tp, fp, fn, tn");
}

static fp_status collect(const fp_lab_call_data *call, const struct cell *cell, size_t arm, double threshold,
                         found **list, size_t *count, fp_error *error) {
    const fp_evaluation *evaluation = call->lab->evaluation;
    size_t pair_count;
    const fp_pair *pairs = fp_evaluation_pairs(evaluation, &pair_count);
    const double *distances = evaluation->outcome.measurements[arm].distances;
    if (!pairs || !distances)
        return fp_fail(error, FP_ERROR_EMPTY, "with so many documents pairs are counted, and not listed");
    *list = FP_NEED(fp_arena_raw(call->scratch, pair_count, sizeof **list), error);
    *count = 0;
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].label == cell->positive && (distances[i] <= threshold) == cell->called)
            (*list)[(*count)++] = (found){distances[i], (uint32_t)i};
    if (*count) qsort(*list, *count, sizeof **list, cell->order);
    return FP_OK;
}

static void put_found(fp_json_writer *to, const fp_pair *pairs, const found *list, size_t count) {
    fp_json_begin_object(to, "pairs");
    FP_JSON_LIST(to, "a", i, count, fp_json_put_count(to, NULL, pairs[list[i].pair].a));
    FP_JSON_LIST(to, "b", i, count, fp_json_put_count(to, NULL, pairs[list[i].pair].b));
    FP_JSON_LIST(to, "distance", i, count, fp_json_put_real(to, NULL, list[i].distance));
    fp_json_end_object(to);
}

fp_status fp_lab_pairs(const fp_lab_call_data *call, fp_error *error) {
    const struct cell *cell = NULL;
    double arm, threshold, most;
    found *list = NULL;
    size_t count = 0, pair_count;
    const fp_evaluation *evaluation = call->lab->evaluation;
    if (!evaluation) return fp_fail(error, FP_ERROR_EMPTY, "nothing was evaluated yet");
    FP_TRY(read_cell(call, &cell, error));
    FP_TRY(fp_lab_number(call, "arm", 0, 0, (double)fp_evaluation_arm_count(evaluation) - 1, &arm, error));
    FP_TRY(fp_lab_number(call, "threshold", 3, 0, 1e300, &threshold, error));
    FP_TRY(fp_lab_number(call, "most", 100, 0, MOST_FOUND, &most, error));
    FP_TRY(collect(call, cell, (size_t)arm, threshold, &list, &count, error));
    fp_json_put_count(call->to, "count", count);
    put_found(call->to, fp_evaluation_pairs(evaluation, &pair_count), list,
              count < (size_t)most ? count : (size_t)most);
    return FP_OK;
}
