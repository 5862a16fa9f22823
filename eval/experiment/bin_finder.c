/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances to bars: at once on a grid, otherwise by halving. */
#include "eval/experiment/bin_finder.h"

#include <math.h>

static bool all_whole(const fp_histogram *histogram) {
    for (size_t i = 0; i < histogram->count; i++)
        if (histogram->bars[i].distance != floor(histogram->bars[i].distance)) return false;
    return true;
}

fp_status fp_bin_finder_open(const fp_histogram *histogram, fp_arena *arena, fp_bin_finder *finder, fp_error *error) {
    enum { MOST = 1 << 22 };
    *finder = (fp_bin_finder){.bars = histogram->bars, .count = histogram->count, .step = histogram->step};
    if (finder->step == 0 && all_whole(histogram)) finder->step = 1;
    double last = histogram->count ? histogram->bars[histogram->count - 1].distance : 0;
    if (finder->step == 0 || last / finder->step >= MOST) return FP_OK;
    size_t count = (size_t)(last / finder->step) + 1;
    uint32_t *direct = fp_arena_raw(arena, count, sizeof *direct), bar = 0;
    if (!direct) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        while (finder->bars[bar].distance < (double)i * finder->step) bar++;
        direct[i] = bar;
    }
    finder->direct = direct;
    finder->direct_count = count;
    return FP_OK;
}

/* The first bar at a distance ≥ `distance`, or the last. */
static uint32_t halve(const fp_bin_finder *finder, double distance) {
    size_t low = 0, high = finder->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (finder->bars[middle].distance < distance) low = middle + 1;
        else high = middle;
    }
    return (uint32_t)low;
}

void fp_bin_finder_find(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins) {
    double inverse = finder->direct ? 1 / finder->step : 0, limit = (double)finder->direct_count;
    for (size_t i = 0; i < count; i++) {
        double place = ceil(distances[i] * inverse);
        bins[i] = place < limit ? finder->direct[(size_t)place] : halve(finder, distances[i]);
    }
}
