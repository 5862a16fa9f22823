/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions for all rows of measures. */
#include "eval/measures/measure.h"

#include <math.h>
#include <string.h>

/* ---- Names ---- */

enum { MOST_ROWS = 128 };

const fp_measure_row *fp_measure_listed(size_t position) {
    size_t counts = 0;
    while (fp_count_measures[counts]) counts++;
    return position < counts ? fp_count_measures[position] : fp_ranking_measures[position - counts];
}

bool fp_measure_same(const fp_measure *one, const fp_measure *other) {
    return one->row == other->row && (!one->row->parameter.name || one->parameter == other->parameter);
}

const char *fp_measure_name(const fp_measure *measure, fp_arena *arena) {
    const char *name = measure->row->name;
    return measure->named ? fp_format(arena, "%s:%.6g", name, measure->parameter) : name;
}

const char *fp_measure_label(const fp_measure *measure, fp_arena *arena) {
    const fp_measure_row *row = measure->row;
    return measure->named ? fp_format(arena, "%s (%s %.6g)", row->label, row->parameter.name, measure->parameter)
                          : row->label;
}

/* ---- Reading ---- */

static fp_status unknown(const char *name, fp_error *error) {
    const char *names[MOST_ROWS + 1] = {NULL};
    const fp_measure_row *row;
    for (size_t i = 0; i < MOST_ROWS && (row = fp_measure_listed(i)); i++) names[i] = row->name;
    const char *nearest = fp_nearest(name, names);
    return nearest ? fp_fail(error, FP_ERROR_UNKNOWN, "there is no measure %s; did you mean %s?", name, nearest)
                   : fp_fail(error, FP_ERROR_UNKNOWN, "there is no measure %s; fplab measures lists them", name);
}

/* The text behind ":", or NULL. */
static fp_status read_parameter(const char *text, double prevalence, fp_measure *measure, fp_error *error) {
    const char *name = measure->row->name;
    const fp_measure_parameter *parameter = &measure->row->parameter;
    if (!parameter->name)
        return text ? fp_fail(error, FP_ERROR_RANGE, "%s has no parameter: write it without :%s", name, text) : FP_OK;
    measure->parameter = parameter->is_prevalence ? prevalence : 0;
    measure->named = text != NULL;
    if (!text && measure->parameter > 0) return FP_OK;
    if (!text)
        return fp_fail(error, FP_ERROR_RANGE, "%s needs a %s: write %s:%g", name, parameter->name, name,
                       parameter->example);
    if (fp_parse_real(text, &measure->parameter) && measure->parameter > parameter->above &&
        measure->parameter < parameter->below)
        return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%s:%s: the %s lies between %g and %g, both excluded", name, text,
                   parameter->name, parameter->above, parameter->below);
}

fp_status fp_measure_find(const char *text, double prevalence, fp_measure *measure, fp_error *error) {
    char name[64];
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    *measure = (fp_measure){0};
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    const fp_measure_row *row;
    for (size_t i = 0; (row = fp_measure_listed(i)); i++)
        if (strcmp(row->name, name) == 0) measure->row = row;
    return measure->row ? read_parameter(colon ? colon + 1 : NULL, prevalence, measure, error) : unknown(name, error);
}

/* The text behind "@" as the position of a listed threshold. */
static fp_status find_threshold(const char *name, const char *text, const double *thresholds, size_t count,
                                size_t *position, fp_error *error) {
    double h;
    if (!text) return fp_fail(error, FP_ERROR_RANGE, "%s is a measure at a threshold: write %s@5", name, name);
    for (size_t t = 0; fp_parse_real(text, &h) && t < count; t++) {
        *position = t;
        if (thresholds[t] == h) return FP_OK;
    }
    return fp_fail(error, FP_ERROR_RANGE, "%s@%s: %s is not among the thresholds", name, text, text);
}

fp_status fp_measure_parse(const char *text, const double *thresholds, size_t threshold_count, double prevalence,
                           fp_measure *measure, fp_error *error) {
    char name[96];
    const char *at = strchr(text, '@');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    FP_TRY(fp_measure_find(name, prevalence, measure, error));
    if (fp_measure_at_threshold(measure->row))
        return find_threshold(name, at ? at + 1 : NULL, thresholds, threshold_count, &measure->threshold, error);
    return at ? fp_fail(error, FP_ERROR_RANGE, "%s is over all thresholds: write it without %s", name, at) : FP_OK;
}

/* ---- Values ---- */

static fp_cells cells_of(fp_confusion c) { return (fp_cells){(double)c.tp, (double)c.fp, (double)c.fn, (double)c.tn}; }

double fp_measure_of(fp_measure measure, fp_confusion counts, fp_empty empty) {
    const fp_measure_row *row = measure.row;
    if (!row->value) return NAN;
    fp_cells cells = cells_of(counts);
    double value = row->value(cells, measure.parameter);
    if (!isnan(value) || empty == FP_EMPTY_NA || !row->by_rule) return value;
    return row->by_rule(cells, empty == FP_EMPTY_ONE);
}

/* Five points (Abramowitz, Stegun 1964, 25.3.6). A measure varies with a count on the scale of the margins that hold
 * it; a step of a thousandth of the smaller one keeps all margins positive. */
static double by_count(const fp_measure *measure, fp_cells *cells, double *count, double margin, double other) {
    static const double PLACE[] = {-2, -1, 1, 2}, FACTOR[] = {1, -8, 8, -1};
    double here = *count, step = fmin(margin, other) / 1024, sum = 0;
    for (size_t i = 0; i < 4; i++) {
        *count = here + PLACE[i] * step;
        sum += FACTOR[i] * measure->row->value(*cells, measure->parameter);
    }
    *count = here;
    return step > 0 ? sum / (12 * step) : 0;
}

fp_cells fp_measure_gradient(fp_measure measure, fp_confusion counts) {
    fp_cells c = cells_of(counts);
    if (isnan(fp_measure_of(measure, counts, FP_EMPTY_NA))) return (fp_cells){0};
    if (measure.row->gradient) return measure.row->gradient(c, measure.parameter);
    double called = c.tp + c.fp, left = c.fn + c.tn, positives = c.tp + c.fn, negatives = c.fp + c.tn;
    double tp = by_count(&measure, &c, &c.tp, called, positives), fp = by_count(&measure, &c, &c.fp, called, negatives),
           fn = by_count(&measure, &c, &c.fn, left, positives), tn = by_count(&measure, &c, &c.tn, left, negatives);
    return (fp_cells){tp, fp, fn, tn};
}

fp_status fp_measure_of_histogram(fp_measure measure, const fp_histogram *histogram, double *value, fp_error *error) {
    *value = NAN;
    if (!measure.row->over_range) return FP_OK;
    FP_SCRATCH(scratch, histogram->like, error);
    fp_ranked of;
    FP_TRY(fp_ranked_of_histogram(histogram, scratch, &of, error));
    if (2 * (double)of.positives * (double)(of.positives + of.negatives) >= 0x1p64)
        return fp_fail(error, FP_ERROR_RANGE, "%s: too many pairs to count exactly", measure.row->name);
    *value = measure.row->over_range(&of);
    return FP_OK;
}
