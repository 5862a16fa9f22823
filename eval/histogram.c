/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances counted in a sorted run and an unsorted tail that is merged into it when room runs out. */
#include "eval/histogram.h"

#include <stdlib.h>

static int by_distance(const void *left, const void *right) {
    const fp_bar *a = left, *b = right;
    return (a->distance > b->distance) - (a->distance < b->distance);
}

void fp_histogram_finish(fp_histogram *histogram) {
    if (histogram->sorted == histogram->count) return;
    qsort(histogram->bars, histogram->count, sizeof *histogram->bars, by_distance);
    size_t last = 0;
    for (size_t i = 1; i < histogram->count; i++) {
        fp_bar *to = histogram->bars + last, *from = histogram->bars + i;
        if (from->distance == to->distance) {
            to->positives += from->positives;
            to->negatives += from->negatives;
        } else {
            histogram->bars[++last] = *from;
        }
    }
    histogram->count = histogram->sorted = last + 1;
}

/* Merges; grows when more than half of the bars are distinct, so that merging stays rare. */
static fp_status make_room(fp_histogram *histogram, fp_error *error) {
    enum { FIRST = 4096 };
    fp_histogram_finish(histogram);
    if (histogram->capacity && histogram->count <= histogram->capacity / 2) return FP_OK;
    size_t capacity = histogram->capacity ? histogram->capacity * 2 : FIRST;
    if (capacity > SIZE_MAX / sizeof(fp_bar)) return fp_no_memory(error);
    fp_bar *larger = realloc(histogram->bars, capacity * sizeof *larger);
    if (!larger) return fp_no_memory(error);
    histogram->bars = larger;
    histogram->capacity = capacity;
    return FP_OK;
}

fp_status fp_histogram_add_many(fp_histogram *histogram, double distance, uint64_t positives, uint64_t negatives, fp_error *error) {
    if (histogram->count == histogram->capacity) FP_TRY(make_room(histogram, error));
    histogram->bars[histogram->count++] = (fp_bar){distance, positives, negatives};
    return FP_OK;
}

fp_status fp_histogram_add(fp_histogram *histogram, double distance, bool positive, fp_error *error) {
    return fp_histogram_add_many(histogram, distance, positive, !positive, error);
}

void fp_histogram_free(fp_histogram *histogram) {
    free(histogram->bars);
    *histogram = (fp_histogram){0};
}
