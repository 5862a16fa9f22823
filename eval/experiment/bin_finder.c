/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances to bars: by a table of whole distances; or the stretch at once, and inside it by halving. */
#include "eval/experiment/bin_finder.h"

/* ---- Whole distances ---- */

static bool is_whole(double distance) {
    return distance >= 0 && distance < FP_BIN_WHOLES && (double)(uint32_t)distance == distance;
}

static fp_status make_wholes(fp_arena *arena, fp_bin_finder *finder, fp_error *error) {
    size_t bar = 0;
    for (size_t i = 0; i < finder->count; i++)
        if (!is_whole(finder->bars[i].distance)) return FP_OK;
    finder->whole_count = finder->count ? (size_t)finder->bars[finder->count - 1].distance + 1 : 0;
    uint32_t *whole = fp_arena_raw(arena, finder->whole_count, sizeof *whole);
    if (!whole) return fp_no_memory(error);
    for (size_t i = 0; i < finder->whole_count; i++) {
        while (finder->bars[bar].distance < (double)i) bar++;
        whole[i] = (uint32_t)bar;
    }
    finder->whole = whole;
    return FP_OK;
}

/* The bar of a distance is that of the next whole one. */
static void find_wholes(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins) {
    double last = (double)finder->whole_count - 1;
    for (size_t i = 0; i < count; i++) {
        double within = distances[i] < last ? distances[i] : last;
        uint32_t below = (uint32_t)within;
        bins[i] = finder->whole[below + ((double)below < within)];
    }
}

/* ---- Stretches ---- */

static size_t stretch_of(const fp_bin_finder *finder, double distance) {
    double place = distance * finder->by_length;
    return place < (double)finder->stretch_count ? (size_t)place : finder->stretch_count - 1;
}

fp_status fp_bin_finder_open(const fp_histogram *histogram, fp_arena *arena, fp_bin_finder *finder, fp_error *error) {
    enum { MOST = 1 << 18, TO_A_BAR = 4 };
    size_t count = histogram->count, bar = 0, last = count ? count - 1 : 0;
    *finder = (fp_bin_finder){.bars = histogram->bars,
                              .count = count,
                              .stretch_count = TO_A_BAR * count < MOST ? TO_A_BAR * count + 1 : MOST};
    FP_TRY(make_wholes(arena, finder, error));
    if (finder->whole) return FP_OK;
    double most = count ? histogram->bars[last].distance : 0;
    finder->by_length = most > 0 ? (double)(finder->stretch_count - 1) / most : 0;
    uint32_t *first = fp_arena_raw(arena, finder->stretch_count + 1, sizeof *first);
    if (!first) return fp_no_memory(error);
    for (size_t i = 0; i <= finder->stretch_count; i++) {
        while (bar < last && stretch_of(finder, histogram->bars[bar].distance) < i) bar++;
        first[i] = (uint32_t)bar;
    }
    finder->first = first;
    return FP_OK;
}

void fp_bin_finder_find(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins) {
    if (finder->whole) {
        find_wholes(finder, distances, count, bins);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t stretch = stretch_of(finder, distances[i]);
        uint32_t low = finder->first[stretch], high = finder->first[stretch + 1];
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (finder->bars[middle].distance < distances[i]) low = middle + 1;
            else high = middle;
        }
        bins[i] = low;
    }
}
