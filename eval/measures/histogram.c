/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distances are counted in a hash table, at most half full, then packed and sorted. A place without pairs is free. */
#include "eval/measures/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_free(const fp_bar *bar) { return bar->positives + bar->negatives == 0; }

/* Neighbours on the grid are neighbours in the table, which keeps it in the cache; other distances are spread. */
static size_t hash(const fp_histogram *histogram, double distance) {
    uint64_t bits;
    if (histogram->step > 0 && distance < 0x1p32 * histogram->step) return (size_t)(distance / histogram->step);
    memcpy(&bits, &distance, sizeof bits);
    return (size_t)((bits ^ bits >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The place of a distance, or the free place for it. */
static fp_bar *place_of(const fp_histogram *histogram, double distance) {
    size_t mask = histogram->capacity - 1, at = hash(histogram, distance) & mask;
    while (!is_free(histogram->bars + at) && histogram->bars[at].distance != distance) at = (at + 1) & mask;
    return histogram->bars + at;
}

/* Rounded up to the grid; −0 becomes 0, which has other bits. A power of two divides without rounding. */
static double on_grid(const fp_histogram *histogram, double distance) {
    return (histogram->step > 0 ? ceil(distance / histogram->step) * histogram->step : distance) + 0.0;
}

static void put(fp_histogram *histogram, const fp_bar *bar) {
    double distance = on_grid(histogram, bar->distance);
    fp_bar *to = place_of(histogram, distance);
    if (is_free(to)) {
        to->distance = distance;
        histogram->count++;
    }
    to->positives += bar->positives;
    to->negatives += bar->negatives;
}

/* The same pairs on the current grid, in a table of `capacity` places. */
static fp_status rebuild(fp_histogram *histogram, size_t capacity, fp_error *error) {
    fp_histogram made = {.capacity = capacity,
                         .limit = histogram->limit,
                         .step = histogram->step,
                         .hashed = true,
                         .like = histogram->like};
    made.bars = FP_NEED(fp_memory_take(made.like, capacity, sizeof *made.bars), error);
    for (size_t i = 0; i < histogram->capacity; i++)
        if (!is_free(histogram->bars + i)) put(&made, histogram->bars + i);
    fp_memory_release(histogram->like, histogram->bars);
    *histogram = made;
    return FP_OK;
}

/* A hash table that is at most half full. */
static fp_status make_room(fp_histogram *histogram, fp_error *error) {
    enum { FIRST = 1024 };
    size_t capacity = histogram->capacity ? histogram->capacity : FIRST;
    if (histogram->count > capacity / 2) capacity *= 2;
    if (capacity > SIZE_MAX / 2 / sizeof(fp_bar)) return fp_no_memory(error);
    return rebuild(histogram, capacity, error);
}

/* Switches to a coarser grid, and to a smaller table if fewer distances remain. */
static fp_status coarsen(fp_histogram *histogram, double step, fp_error *error) {
    histogram->step = step;
    FP_TRY(rebuild(histogram, histogram->capacity, error));
    size_t capacity = histogram->capacity;
    while (capacity > 1024 && histogram->count <= capacity / 8) capacity /= 2;
    return capacity < histogram->capacity ? rebuild(histogram, capacity, error) : FP_OK;
}

static bool is_new(const fp_histogram *histogram, double distance) {
    return is_free(place_of(histogram, on_grid(histogram, distance)));
}

static fp_status add_bar(fp_histogram *histogram, const fp_bar *bar, fp_error *error) {
    if (!histogram->hashed || histogram->count > histogram->capacity / 2) FP_TRY(make_room(histogram, error));
    while (histogram->limit && histogram->count == histogram->limit && is_new(histogram, bar->distance))
        FP_TRY(coarsen(histogram, histogram->step > 0 ? 2 * histogram->step : FP_HISTOGRAM_STEP, error));
    put(histogram, bar);
    return FP_OK;
}

fp_status fp_histogram_add_many(fp_histogram *histogram, double distance, uint64_t positives, uint64_t negatives,
                                fp_error *error) {
    fp_bar bar = {distance, positives, negatives};
    return is_free(&bar) ? FP_OK : add_bar(histogram, &bar, error);
}

fp_status fp_histogram_add(fp_histogram *histogram, double distance, bool positive, fp_error *error) {
    return fp_histogram_add_many(histogram, distance, positive, !positive, error);
}

/* The bar of a distance if it is found directly; otherwise a free one, or NULL. */
static fp_bar *known(const fp_histogram *histogram, double distance, double inverse) {
    double up = ceil(distance * inverse);
    if (histogram->step == 0) return place_of(histogram, distance + 0.0);
    if (!(up >= 0 && up < 0x1p32)) return NULL;
    fp_bar *bar = histogram->bars + ((size_t)up & (histogram->capacity - 1));
    return bar->distance == up * histogram->step ? bar : NULL;
}

fp_status fp_histogram_add_negatives(fp_histogram *histogram, const double *distances, size_t count, fp_error *error) {
    double inverse = histogram->step > 0 ? 1 / histogram->step : 0;
    for (size_t i = 0; i < count; i++) {
        fp_bar *bar = histogram->hashed ? known(histogram, distances[i], inverse) : NULL;
        if (bar && !is_free(bar)) {
            bar->negatives++;
            continue;
        }
        FP_TRY(fp_histogram_add_many(histogram, distances[i], 0, 1, error));
        inverse = histogram->step > 0 ? 1 / histogram->step : 0;
    }
    return FP_OK;
}

fp_status fp_histogram_merge(fp_histogram *histogram, const fp_histogram *from, fp_error *error) {
    if (from->step > histogram->step) {
        if (!histogram->capacity) FP_TRY(make_room(histogram, error));
        FP_TRY(coarsen(histogram, from->step, error));
    }
    for (size_t i = 0; i < from->capacity; i++)
        if (!is_free(from->bars + i)) FP_TRY(add_bar(histogram, from->bars + i, error));
    return FP_OK;
}

FP_COMPARES(by_distance, fp_bar, FP_ORDER(a->distance, b->distance));

void fp_histogram_finish(fp_histogram *histogram) {
    size_t kept = 0;
    for (size_t i = 0; i < histogram->capacity; i++)
        if (!is_free(histogram->bars + i)) histogram->bars[kept++] = histogram->bars[i];
    if (kept) {
        memset(histogram->bars + kept, 0, (histogram->capacity - kept) * sizeof *histogram->bars);
        qsort(histogram->bars, kept, sizeof *histogram->bars, by_distance);
    }
    histogram->hashed = false;
}

void fp_histogram_free(fp_histogram *histogram) {
    fp_memory_release(histogram->like, histogram->bars);
    *histogram = (fp_histogram){.limit = histogram->limit, .like = histogram->like};
}

/* ---- Bars of integer distances: a table ---- */

static bool is_whole(double distance) {
    return distance >= 0 && distance < FP_BIN_WHOLES && (double)(uint32_t)distance == distance;
}

static fp_status make_wholes(fp_arena *arena, fp_bin_finder *finder, fp_error *error) {
    size_t bar = 0;
    for (size_t i = 0; i < finder->count; i++)
        if (!is_whole(finder->bars[i].distance)) return FP_OK;
    finder->whole_count = finder->count ? (size_t)finder->bars[finder->count - 1].distance + 1 : 0;
    uint32_t *whole = FP_NEED(fp_arena_raw(arena, finder->whole_count, sizeof *whole), error);
    for (size_t i = 0; i < finder->whole_count; i++) {
        while (finder->bars[bar].distance < (double)i) bar++;
        whole[i] = (uint32_t)bar;
    }
    finder->whole = whole;
    return FP_OK;
}

/* The bar of a distance is that of the next integer. */
static void find_wholes(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins) {
    double last = (double)finder->whole_count - 1;
    for (size_t i = 0; i < count; i++) {
        double within = distances[i] < last ? distances[i] : last;
        uint32_t below = (uint32_t)within;
        bins[i] = finder->whole[below + ((double)below < within)];
    }
}

/* ---- Bars of other distances: the stretch directly, inside it by bisection ---- */

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
    uint32_t *first = FP_NEED(fp_arena_raw(arena, finder->stretch_count + 1, sizeof *first), error);
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

/* ---- Curves: prefix sums over the bars ---- */

static double ratio(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : NAN; }

double fp_precision(fp_confusion c) { return ratio(c.tp, c.tp + c.fp); }
double fp_recall(fp_confusion c) { return ratio(c.tp, c.tp + c.fn); }
double fp_specificity(fp_confusion c) { return ratio(c.tn, c.tn + c.fp); }

double fp_f1(fp_confusion c) { return ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn); }

fp_confusion fp_confusion_at(const fp_histogram *histogram, double h) {
    fp_confusion c = {0};
    for (size_t i = 0; i < histogram->count; i++) {
        const fp_bar *bar = histogram->bars + i;
        if (bar->distance <= h) {
            c.tp += bar->positives;
            c.fp += bar->negatives;
        } else {
            c.fn += bar->positives;
            c.tn += bar->negatives;
        }
    }
    return c;
}

static void fill_points(const fp_histogram *histogram, fp_point *points, const fp_curve *curve) {
    uint64_t tp = 0, fp = 0;
    for (size_t i = 0; i < histogram->count; i++) {
        tp += histogram->bars[i].positives;
        fp += histogram->bars[i].negatives;
        points[i] = (fp_point){histogram->bars[i].distance, {tp, fp, curve->positives - tp, curve->negatives - fp}};
    }
}

static double average_precision(const fp_curve *curve) {
    double sum = 0, before = 0;
    if (curve->positives == 0) return NAN;
    for (size_t i = 0; i < curve->count; i++) {
        double recall = fp_recall(curve->points[i].confusion);
        sum += (recall - before) * fp_precision(curve->points[i].confusion);
        before = recall;
    }
    return sum;
}

static double roc_area(const fp_histogram *histogram, const fp_curve *curve) {
    if (curve->positives == 0 || curve->negatives == 0) return NAN;
    double wins = 0, below = 0; /* positives at smaller distances */
    for (size_t i = 0; i < histogram->count; i++) {
        double positives = (double)histogram->bars[i].positives;
        wins += (double)histogram->bars[i].negatives * (below + positives / 2);
        below += positives;
    }
    return wins / ((double)curve->positives * (double)curve->negatives);
}

static void find_best(fp_curve *curve) {
    curve->best_f1 = curve->best_threshold = NAN;
    for (size_t i = 0; i < curve->count && curve->positives; i++) {
        double f1 = fp_f1(curve->points[i].confusion);
        if (f1 <= curve->best_f1) continue;
        curve->best_f1 = f1;
        curve->best_threshold = curve->points[i].distance;
    }
}

fp_status fp_curve_make(const fp_histogram *histogram, fp_arena *arena, fp_curve *curve, fp_error *error) {
    fp_point *points = FP_NEED(fp_arena_raw(arena, histogram->count, sizeof *points), error);
    *curve = (fp_curve){.count = histogram->count, .points = points};
    for (size_t i = 0; i < histogram->count; i++) {
        curve->positives += histogram->bars[i].positives;
        curve->negatives += histogram->bars[i].negatives;
    }
    fill_points(histogram, points, curve);
    curve->average_precision = average_precision(curve);
    curve->roc_area = roc_area(histogram, curve);
    find_best(curve);
    return FP_OK;
}
