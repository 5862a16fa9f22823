/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is true of a population: the expected counts of population.h, and the figures made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/deep/intervals/worlds/default_method.h"
#include "tests/deep/intervals/worlds/population.h"

/* ---- Expected counts ---- */

static void count_units(cell *of, size_t arm) {
    const set *from = of->set;
    double each = (double)of->draws / (double)from->unit_count;
    for (size_t u = 0; u < from->unit_count; u++) {
        for (uint32_t k = from->units[u].pair_start; k < from->units[u].pair_end; k++) {
            bool positive = from->pairs[k].label;
            if (of->of->design == SINGLE_PAIRS)
                each = (double)of->draws * (positive
                                                ? of->positive / (double)of->positive_count
                                                : (1 - of->positive) / (double)(from->unit_count - of->positive_count));
            (positive ? of->expected[arm].positives : of->expected[arm].negatives)[from->inside[arm][k]] += each;
        }
    }
}

static void count_across(cell *of, size_t arm) {
    const set *from = of->set;
    double units = (double)from->unit_count, draws = (double)of->draws, *negatives = of->expected[arm].negatives;
    double each = draws * (draws - 1) / (units * units);
    for (size_t u = 0; u < from->unit_count; u++) {
        double size = (double)(from->units[u].end - from->units[u].start);
        if (of->of->design == COUNTED) negatives[BINS - 1] += each / 2 * size * size;
        for (size_t a = from->units[u].start; a < from->units[u].end; a++) {
            const uint16_t *row = from->across[arm] + a * (a - 1) / 2;
            for (size_t b = 0; b < from->units[u].start; b++) negatives[row[b]] += each;
        }
    }
}

static double sum(const double *bins) {
    double total = 0;
    for (size_t i = 0; i < BINS; i++) total += bins[i];
    return total;
}

static void expect(cell *of, size_t arm, fp_arena *arena) {
    class_counts *to = of->expected + arm;
    to->positives = fp_arena_alloc(arena, BINS, sizeof(double));
    to->negatives = fp_arena_alloc(arena, BINS, sizeof(double));
    count_units(of, arm);
    if (of->of->design == SINGLE_PAIRS) return;
    count_across(of, arm);
    if (of->of->design != LISTED) return;
    double prevalence = of->of->prevalence, wanted = sum(to->positives) * (1 - prevalence) / prevalence;
    of->listed = fmin(1, wanted / sum(to->negatives));
    for (size_t i = 0; i < BINS; i++) to->negatives[i] *= of->listed;
}

/* Arms that take turns have the mean of their counts. */
static void level(cell *of) {
    size_t arms = of->set->arm_count;
    for (size_t i = 0; i < BINS; i++) {
        double positives = 0, negatives = 0;
        for (size_t arm = 0; arm < arms; arm++) {
            positives += of->expected[arm].positives[i] / (double)arms;
            negatives += of->expected[arm].negatives[i] / (double)arms;
        }
        for (size_t arm = 0; arm < arms; arm++) {
            of->expected[arm].positives[i] = positives;
            of->expected[arm].negatives[i] = negatives;
        }
    }
}

/* ---- Figures ---- */

static fp_cells cells_within(const class_counts *of, double threshold) {
    fp_cells made = {0};
    for (size_t i = 0; i < BINS; i++) {
        bool called = (double)i <= threshold * STEPS;
        *(called ? &made.tp : &made.fn) += of->positives[i];
        *(called ? &made.fp : &made.tn) += of->negatives[i];
    }
    return made;
}

fp_cells cell_expected(const cell *of, size_t arm, size_t threshold) {
    return cells_within(of->expected + arm, of->thresholds[arm][threshold]);
}

/* Expected counts as whole numbers: of 2³¹ pairs or so, which a ranking can hold. */
static fp_ranked rank(const class_counts *of, fp_arena *scratch) {
    uint64_t *whole = fp_arena_alloc(scratch, 2 * BINS, sizeof *whole);
    double *distance = fp_arena_raw(scratch, BINS, sizeof *distance),
           scale = 0x1p31 / (sum(of->positives) + sum(of->negatives));
    size_t bins = 0;
    for (size_t i = 0; i < BINS; i++) {
        whole[2 * bins] = (uint64_t)llrint(of->negatives[i] * scale);
        whole[2 * bins + 1] = (uint64_t)llrint(of->positives[i] * scale);
        distance[bins] = (double)i / STEPS;
        bins += whole[2 * bins] + whole[2 * bins + 1] > 0;
    }
    return fp_ranked_of(bins, distance, whole, fp_arena_raw(scratch, BINS, sizeof(fp_ranked_step)));
}

double cell_truth(const cell *of, size_t arm, fp_measure measure, fp_arena *scratch) {
    if (fp_measure_at_threshold(measure.row))
        return measure.row->value(cell_expected(of, arm, measure.threshold), measure.parameter);
    fp_ranked ranked = rank(of->expected + arm, scratch);
    return measure.row->over_range(&ranked);
}

/* ---- What is asked for ---- */

static fp_cells at_best(const class_counts *of) {
    fp_cells at = {.fn = sum(of->positives), .tn = sum(of->negatives)}, best = at;
    double largest = 0;
    for (size_t i = 0; i < BINS; i++) {
        at.tp += of->positives[i];
        at.fn -= of->positives[i];
        at.fp += of->negatives[i];
        at.tn -= of->negatives[i];
        double f1 = 2 * at.tp / (2 * at.tp + at.fp + at.fn);
        if (f1 > largest) largest = f1, best = at;
    }
    return best;
}

/* A sum of parts that are weighed: to how many it comes down (Kish 1965). */
typedef struct weighed {
    double sum, squares;
} weighed;

static void weigh(weighed *to, double count, double weight) {
    to->sum += count * weight;
    to->squares += count * weight * weight;
}

static double effective(weighed of) { return of.squares > 0 ? of.sum * of.sum / of.squares : 0; }

/* Over the range of distances each duplicate adds to a figure, and what it lacks is its error: 1 − precision at its
 * distance for average precision, (1 − precision)/precision for the precision–recall–gain curve, the false positive
 * rate for the ROC area, to which each other pair adds as well. One far duplicate may be all that the ROC area lacks,
 * and then the errors are one. */
static double fewest_over_range(const class_counts *of, const fp_measure_row *row) {
    double positives = sum(of->positives), negatives = sum(of->negatives), tp = 0, fp = 0;
    bool roc = row == &fp_measure_roc_area, gain = !roc && row != &fp_measure_average_precision;
    weighed good = {0}, bad = {0}, good_negative = {0}, bad_negative = {0};
    for (size_t i = 0; i < BINS; i++) {
        double p = of->positives[i], n = of->negatives[i], far = (fp + n / 2) / negatives,
               near = (tp + p / 2) / positives;
        tp += p;
        fp += n;
        double lacks = roc ? far : tp > 0 ? fp / (tp + fp) : 0;
        weigh(&good, p, 1 - lacks);
        weigh(&bad, p, gain && lacks < 1 ? lacks / (1 - lacks) : lacks);
        if (roc) weigh(&good_negative, n, near), weigh(&bad_negative, n, 1 - near);
    }
    double fewest = fmin(effective(good), effective(bad));
    return roc ? fmin(fewest, fmin(effective(good_negative), effective(bad_negative))) : fewest;
}

fp_cells cell_successes(const fp_measure_row *row, fp_cells c) {
    if (row == &fp_measure_precision || row == &fp_measure_precision_at) return (fp_cells){.tp = c.tp, .fp = c.fp};
    if (row == &fp_measure_recall) return (fp_cells){.tp = c.tp, .fp = c.fn};
    if (row == &fp_measure_specificity) return (fp_cells){.tp = c.tn, .fp = c.fp};
    if (row == &fp_measure_none_precision) return (fp_cells){.tp = c.tn, .fp = c.fn};
    return (fp_cells){.tp = c.tp, .fp = c.fp + c.fn};
}

bool cell_asks(const cell *of, size_t arm, fp_measure measure) {
    const fp_measure_row *row = measure.row;
    bool over_range = !fp_measure_at_threshold(row);
    if (over_range && row != &fp_measure_best_f1) return fewest_over_range(of->expected + arm, row) >= FEWEST_ASKED;
    fp_cells c = over_range ? at_best(of->expected + arm) : cell_expected(of, arm, measure.threshold);
    c = cell_successes(row, c);
    return c.tp >= FEWEST_ASKED && c.fp >= FEWEST_ASKED;
}

/* ---- Thresholds ---- */

/* From the first that calls a pair to the first that misses none, or calls most: so many, at equal distances. */
static void choose_thresholds(cell *of, size_t arm) {
    enum { MOST_NEAR = 20000 };
    size_t low = 64, high = 0, count = 0;
    for (size_t h = 0; h < 64; h++) {
        fp_cells c = cells_within(of->expected + arm, (double)h);
        if (of->of->design == COUNTED && h > low && c.fp > MOST_NEAR) break;
        if (c.tp + c.fp >= 1 && low == 64) low = h;
        high = h;
        if (low < 64 && (c.fn < 1 || c.fp > 9 * c.tn)) break;
    }
    if (low > high) low = high;
    size_t wanted = high - low + 1 < of->most_thresholds ? high - low + 1 : of->most_thresholds;
    for (size_t k = 0; k < wanted; k++)
        of->thresholds[arm][count++] = (double)(low + (wanted > 1 ? k * (high - low) / (wanted - 1) : 0));
    of->threshold_count[arm] = count;
}

/* Differences are those at one threshold, that of the first arm with the best F1. */
static void choose_one(cell *of) {
    size_t best = 0;
    double largest = -1;
    for (size_t t = 0; t < of->threshold_count[0]; t++) {
        fp_cells c = cell_expected(of, 0, t);
        double f1 = 2 * c.tp / (2 * c.tp + c.fp + c.fn);
        if (f1 > largest) largest = f1, best = t;
    }
    of->thresholds[0][0] = of->thresholds[0][best];
    of->threshold_count[0] = 1;
}

static void share_thresholds(cell *of) {
    for (size_t arm = 1; arm < of->set->arm_count; arm++) {
        memcpy(of->thresholds[arm], of->thresholds[0], sizeof of->thresholds[0]);
        of->threshold_count[arm] = of->threshold_count[0];
    }
}

/* ---- All ---- */

static const char *const FIGURES[] = {"precision",
                                      "recall",
                                      "f1",
                                      "specificity",
                                      "precision_at_prevalence",
                                      "matthews_correlation",
                                      "f_beta:2",
                                      "average_precision",
                                      "roc_area",
                                      "best_f1",
                                      "precision_recall_gain_area"};

static const char *const OF_DOCUMENTS[] = {"precision",      "recall",      "f1",
                                           "none_precision", "specificity", "average_precision"};

static void add_figure(cell *of, const char *name, fp_measure measure) {
    snprintf(of->names[of->figure_count], sizeof *of->names, "%s", name);
    of->figures[of->figure_count++] = measure;
}

static void choose_figures(cell *of, const char *only) {
    bool documents = of->of->level == FP_LEVEL_DOCUMENT;
    const char *const *names = documents ? OF_DOCUMENTS : FIGURES;
    size_t count = documents ? sizeof OF_DOCUMENTS / sizeof *OF_DOCUMENTS : sizeof FIGURES / sizeof *FIGURES;
    if (of->of->level == FP_LEVEL_CLUSTER) {
        for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
            add_figure(of, fp_agreement_describe((fp_agreement_kind)kind)->name, (fp_measure){0});
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fp_error error = {0};
        fp_measure measure;
        if (only && strcmp(only, names[i]) != 0) continue;
        check(fp_measure_find(names[i], STATED_PREVALENCE, &measure, &error), &error);
        add_figure(of, names[i], measure);
    }
    if (of->of->contest == EQUAL && (!only || strcmp(only, "mcnemar") == 0)) add_figure(of, "mcnemar", (fp_measure){0});
}

static void divide(cell *of, fp_arena *arena) {
    const set *from = of->set;
    uint32_t *order = fp_arena_raw(arena, from->unit_count, sizeof *order);
    size_t filled = 0;
    for (int label = 1; label >= 0; label--) {
        for (uint32_t u = 0; u < from->unit_count; u++)
            if (from->pairs[from->units[u].pair_start].label == label) order[filled++] = u;
        if (label == 1) of->positive_count = filled;
    }
    of->order = order;
    of->positive = of->of->prevalence;
}

void cell_open(const world *of, const set *from, size_t draws, size_t most_thresholds, const char *only,
               fp_arena *arena, cell *to) {
    *to = (cell){.of = of, .set = from, .draws = draws, .most_thresholds = most_thresholds, .listed = 1};
    to->arm_count = of->contest == SEEDS ? 1 : of->contest == SEEDS_EQUAL ? 2 : from->arm_count;
    to->lane_count = of->contest == SEEDS || of->contest == SEEDS_EQUAL ? to->arm_count * SEEDS_DRAWN : from->arm_count;
    if (of->design == SINGLE_PAIRS) divide(to, arena);
    for (size_t arm = 0; arm < from->arm_count; arm++) expect(to, arm, arena);
    if (of->contest == EQUAL) level(to);
    for (size_t arm = 0; arm < from->arm_count; arm++) choose_thresholds(to, arm);
    if (of->contest != NONE && of->contest != SEEDS) choose_one(to);
    if (of->contest != NONE) share_thresholds(to);
    choose_figures(to, only);
}
