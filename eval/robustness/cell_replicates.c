/* SPDX-License-Identifier: GPL-3.0-or-later
 * Figures of a cell in one pass over its pairs. */
#include "eval/robustness/cell_replicates.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "eval/measures/curve.h"

static int by_distance(const void *left, const void *right) {
    const fp_cell_pair *one = left, *other = right;
    int order = FP_ORDER(one->distance, other->distance);
    if (!order) order = FP_ORDER(one->unit, other->unit);
    return order ? order : FP_ORDER(one->label, other->label);
}

void fp_cell_pairs_sort(fp_cell_pair *pairs, size_t count) {
    if (count) qsort(pairs, count, sizeof *pairs, by_distance);
}

fp_cell_figures fp_cell_figures_of(const fp_cell_pair *pairs, size_t count, const uint8_t *weight, double precision) {
    fp_confusion called = {0};
    uint64_t positives = 0, reached = 0, tp = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t times = weight ? weight[pairs[i].unit] : 1;
        uint64_t duplicate = pairs[i].label ? times : 0;
        positives += duplicate;
        if (pairs[i].called) {
            called.tp += duplicate;
            called.fp += times - duplicate;
        } else {
            called.fn += duplicate;
            called.tn += times - duplicate;
        }
        tp += duplicate;
        all += times;
        bool last = i + 1 == count || pairs[i + 1].distance > pairs[i].distance; /* pairs of one distance go together */
        if (last && all && (double)tp >= precision * (double)all) reached = tp;
    }
    if (!positives) return (fp_cell_figures){NAN, NAN};
    return (fp_cell_figures){fp_f1(called), (double)reached / (double)positives};
}
