/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorting and quantiles under GSL's names, for builds without GSL. All callers use stride 1. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

#include "base/base.h"

FP_COMPARES(ascending, double, FP_ORDER(*a, *b));

void gsl_sort(double *data, size_t stride, size_t count) {
    (void)stride;
    if (count) qsort(data, count, sizeof *data, ascending);
}

/* ---- Heap sort of indices: needs no memory ---- */

/* Equal values are ordered by index, so that the order is unique. */
static int before(const double *data, size_t a, size_t b) { return data[a] < data[b] || (data[a] == data[b] && a < b); }

static void sink(size_t *heap, const double *data, size_t from, size_t count) {
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && before(data, heap[child], heap[child + 1])) child++;
        if (!before(data, heap[from], heap[child])) return;
        size_t kept = heap[from];
        heap[from] = heap[child];
        heap[child] = kept;
    }
}

void gsl_sort_index(size_t *order, const double *data, size_t stride, size_t count) {
    (void)stride;
    for (size_t i = 0; i < count; i++) order[i] = i;
    for (size_t i = count / 2; i-- > 0;) sink(order, data, i, count);
    for (size_t end = count; end > 1;) {
        size_t largest = order[0];
        order[0] = order[--end];
        order[end] = largest;
        sink(order, data, 0, end);
    }
}

/* ---- Quantiles ---- */

/* Linear interpolation between the two nearest (Hyndman, Fan 1996, definition 7). */
double gsl_stats_quantile_from_sorted_data(const double data[], size_t stride, size_t count, double share) {
    (void)stride;
    if (count == 0) return 0;
    double at = share * (double)(count - 1);
    size_t left = (size_t)at;
    double part = at - (double)left;
    return left + 1 == count ? data[left] : (1 - part) * data[left] + part * data[left + 1];
}

double gsl_stats_select(double data[], size_t stride, size_t count, size_t k) {
    gsl_sort(data, stride, count);
    return data[k];
}
