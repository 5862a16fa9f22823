/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pairs behind a count of the last evaluation: {arm (its place), cell ("tp", "fp", "fn", "tn"), threshold, most
 * (100)}. The answer: "count", and of so many the "pairs", as columns a, b (places of documents) and distance. */
#include <stdlib.h>

#include "reports/lab/lab_parts.h"

enum { MOST = 10000 };

typedef struct found {
    double distance;
    uint32_t pair;
} found;

static int nearest_first(const void *a, const void *b) {
    const found *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

static int furthest_first(const void *a, const void *b) {
    const found *x = a, *y = b;
    if (x->distance != y->distance) return x->distance > y->distance ? -1 : 1;
    return x->pair < y->pair ? -1 : x->pair > y->pair;
}

/* Mistakes come worst first: the nearest of what is no duplicate, the furthest of what is one. */
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
    *list = fp_arena_raw(call->scratch, pair_count, sizeof **list);
    *count = 0;
    if (!*list) return fp_no_memory(error);
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].label == cell->positive && (distances[i] <= threshold) == cell->called)
            (*list)[(*count)++] = (found){distances[i], (uint32_t)i};
    if (*count) qsort(*list, *count, sizeof **list, cell->order);
    return FP_OK;
}

static void tell(const fp_lab_call_data *call, const found *list, size_t count) {
    static const char *const COLUMNS[] = {"a", "b", "distance"};
    size_t pair_count;
    const fp_pair *pairs = fp_evaluation_pairs(call->lab->evaluation, &pair_count);
    fp_json_begin_object(call->to, "pairs");
    for (int column = 0; column < 3; column++) {
        fp_json_begin_array(call->to, COLUMNS[column]);
        for (size_t i = 0; i < count; i++) {
            const fp_pair *pair = pairs + list[i].pair;
            if (column == 2) fp_json_put_real(call->to, NULL, list[i].distance);
            else fp_json_put_count(call->to, NULL, column == 0 ? pair->a : pair->b);
        }
        fp_json_end_array(call->to);
    }
    fp_json_end_object(call->to);
}

fp_status fp_lab_pairs(const fp_lab_call_data *call, fp_error *error) {
    const struct cell *cell = NULL;
    double arm, threshold, most;
    found *list;
    size_t count;
    const fp_evaluation *evaluation = call->lab->evaluation;
    if (!evaluation) return fp_fail(error, FP_ERROR_EMPTY, "nothing was evaluated yet");
    FP_TRY(read_cell(call, &cell, error));
    FP_TRY(fp_lab_number(call, "arm", 0, 0, (double)fp_evaluation_arm_count(evaluation) - 1, &arm, error));
    FP_TRY(fp_lab_number(call, "threshold", 3, 0, 1e300, &threshold, error));
    FP_TRY(fp_lab_number(call, "most", 100, 0, MOST, &most, error));
    FP_TRY(collect(call, cell, (size_t)arm, threshold, &list, &count, error));
    fp_json_put_count(call->to, "count", count);
    tell(call, list, count < (size_t)most ? count : (size_t)most);
    return FP_OK;
}
