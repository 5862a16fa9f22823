/* SPDX-License-Identifier: GPL-3.0-or-later
 * The law of every arm's distance compared with its measurement: --theory. */
#include <math.h>

#include "reports/analyses/analyses.h"
#include "eval/analyses/theory.h"
#include "eval/evaluation/outcome.h"

/* Why an arm has no theory. */
static const char NO_LAW[] = "the distance has no stated law",
                  NO_COUNTERPART[] = "nothing measures exactly what it estimates",
                  GROUPS[] = "the truth is groups; the law is compared with labelled pairs (pairs.tsv)";

/* The law at one similarity. */
typedef struct law_point {
    double similarity, mean, deviation;
} law_point;

typedef struct theory_arm {
    const char *lack;          /* why there is no theory; NULL: there is */
    const fp_arm *counterpart; /* NULL: incomplete */
    fp_theory theory;          /* empty: incomplete */
    size_t point_count;        /* points of the law over the occurring similarities, evenly spaced on the scale of the
                                * exact arm, be it angle or cosine */
    const law_point *points;
} theory_arm;

static fp_status trace_law(const fp_instance *instance, const fp_instance *exact, fp_arena *arena, theory_arm *out,
                           fp_error *error) {
    enum { POINTS = 60 };
    const fp_theory *theory = &out->theory;
    double low = theory->bins[0].low, high = theory->bins[theory->bin_count - 1].high;
    law_point *points = FP_NEED(fp_arena_raw(arena, POINTS + 1, sizeof *points), error);
    for (int i = 0; i <= POINTS; i++) {
        double similarity = exact->algorithm->similarity(exact, exact->layout.maximum * (POINTS - i) / POINTS);
        if (similarity < low - 1e-9 || similarity > high + 1e-9) continue;
        fp_moments law = fp_theory_moments(instance, fmax(-1, fmin(1, similarity)));
        points[out->point_count++] = (law_point){similarity, law.mean, sqrt(law.variance)};
    }
    out->points = points;
    return FP_OK;
}

static fp_status make_arm(const fp_outcome *outcome, const fp_inference_options *options, size_t index,
                          const fp_progress *progress, fp_arena *arena, theory_arm *out, fp_error *error) {
    const fp_corpus *corpus = outcome->corpus;
    const fp_measurement *measurement = outcome->measurements + index, *exact = outcome->counterparts->of_arm[index];
    const fp_instance *instance = &measurement->arm->instance;
    out->lack = corpus->truth != FP_TRUTH_PAIRS ? GROUPS
                : !instance->algorithm->law     ? NO_LAW
                : !exact                        ? NO_COUNTERPART
                                                : NULL;
    if (out->lack) return FP_OK;
    out->counterpart = exact->arm;
    double *similarity = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof *similarity), error);
    for (size_t i = 0; i < corpus->pair_count; i++)
        similarity[i] = fp_measurement_similarity(exact, exact->distances[i]);
    fp_theory_pairs pairs = {corpus->pair_count, corpus->pairs, measurement->distances, similarity,
                             &measurement->sketches};
    fp_theory_options testing = {options->confidence, options->replicates, options->seed};
    FP_TRY(fp_theory_make(instance, &pairs, &testing, progress, arena, &out->theory, error));
    return trace_law(instance, &exact->arm->instance, arena, out, error);
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    theory_arm *arms = FP_NEED(fp_arena_alloc(of->arena, of->outcome->count, sizeof *arms), error);
    *found = arms;
    for (size_t i = 0; i < of->outcome->count; i++)
        FP_TRY(make_arm(of->outcome, &of->questions->inference, i, of->progress, of->arena, arms + i, error));
    return FP_OK;
}

/* ---- Tables; arms without theory have no rows ---- */

static const theory_arm *arm_of(const fp_found_arm *of) { return (const theory_arm *)of->found + of->arm; }

static const fp_arm *measured(const fp_found_arm *of) { return of->outcome->measurements[of->arm].arm; }

/* The verdict in words; the test with the smaller p gives the reason. */
static const char *verdict(const fp_theory *theory, double confidence) {
    const fp_fit *fit = &theory->fit;
    if (isnan(fit->p)) return "not tested";
    if (fit->p >= 1 - confidence) return "fits";
    if (!(fit->spread_p <= fit->shift.p))
        return fit->shift.value > 0 ? "no: distances too large" : "no: distances too small";
    return fit->spread > 1 ? "no: distances too scattered" : "no: distances too regular";
}

/* The tests of eval/analyses/theory.h with a verdict. */
static void add_fit(fp_table *table, const fp_found_arm *of) {
    const fp_theory *theory = &arm_of(of)->theory;
    const fp_fit *fit = &theory->fit;
    if (arm_of(of)->lack) return;
    fp_results_add_names(table, of->outcome, of->arm, true);
    FP_TABLE_TEXTS(table, fp_arm_measure(measured(of)), fp_arm_spec(arm_of(of)->counterpart));
    FP_TABLE_PUT(table, (double)theory->pair_count, (double)theory->place_count);
    fp_table_put_figure(table, theory->shift, fit->shift.interval);
    FP_TABLE_PUT(table, fit->shift.p, theory->spread, fit->spread_by_law.low, fit->spread_by_law.high, fit->spread_p,
                 fit->p);
    fp_table_text(table, verdict(theory, of->results->confidence));
}

static const char FIT[] = "corpus|arm|scale|measure;s|counterpart|>pairs;es|>places;e|>shift;ls|>shift_p;s%|>spread;s|"
                          ">spread_law_low|>spread_law_high|>spread_p;s%|>p;s%|fit;s";

static void add_thresholds(fp_table *table, const fp_found_arm *of) {
    const fp_theory *theory = &arm_of(of)->theory;
    const fp_inference *inference = of->outcome->inference;
    for (size_t t = 0; t < inference->threshold_count && !arm_of(of)->lack; t++) {
        double h = of->results->inference->thresholds[t];
        const fp_estimate *recall = fp_inference_of(inference, &fp_measure_recall, of->arm) + t,
                          *precision = fp_inference_of(inference, &fp_measure_precision, of->arm) + t;
        fp_theory_counts counts = fp_theory_counts_at(theory, h);
        fp_confusion own = fp_confusion_at(&of->outcome->measurements[of->arm].histogram, h);
        fp_results_add_names(table, of->outcome, of->arm, true);
        fp_table_put(table, h);
        FP_TABLE_FIGURE(table, *recall);
        fp_table_put(table, counts.recall_expected);
        FP_TABLE_FIGURE(table, *precision);
        FP_TABLE_PUT(table, counts.precision_expected, (double)own.tp, counts.tp_expected, (double)own.fp,
                     counts.fp_expected);
    }
}

static const char THRESHOLDS[] = "corpus|arm|scale;d|>threshold;sd|>recall;lsdD%|>recall_expected;sd%|>precision;lsdD%|"
                                 ">precision_expected;sd%|>tp|>tp_expected|>fp|>fp_expected";

static void add_distances(fp_table *table, const fp_found_arm *of) {
    const fp_theory *theory = &arm_of(of)->theory;
    for (size_t h = 0; h < theory->step_count; h++) {
        const fp_theory_step *step = theory->steps + h;
        fp_results_add_names(table, of->outcome, of->arm, true);
        FP_TABLE_PUT(table, (double)h, step->positives, step->positives_expected, step->negatives,
                     step->negatives_expected);
    }
}

static const char DISTANCES[] =
    "corpus|arm|scale|>distance|>positives|>positives_expected|>negatives|>negatives_expected";

/* One row for each tenth of similarity. */
static void add_bins(fp_table *table, const fp_found_arm *of) {
    const fp_theory *theory = &arm_of(of)->theory;
    for (size_t b = 0; b < theory->bin_count; b++) {
        const fp_theory_bin *bin = theory->bins + b;
        double spread = bin->variance_by_law > 0 ? bin->variance / bin->variance_by_law : NAN;
        fp_results_add_names(table, of->outcome, of->arm, true);
        fp_table_text(table, fp_arm_measure(measured(of)));
        FP_TABLE_PUT(table, bin->low, bin->high, (double)bin->pairs, (double)bin->positives, bin->similarity, bin->mean,
                     bin->expected, bin->shift.interval.low, bin->shift.interval.high, bin->deviation,
                     bin->expected_deviation, bin->variance, bin->variance_by_law, spread);
    }
}

static const char BINS[] = "corpus|arm|scale;d|measure;d|>low;d|>high;d|>pairs|>positives|>similarity;d|>mean;d|"
                           ">mean_expected;d|>shift_low|>shift_high|>deviation|>deviation_expected|>variance;d|"
                           ">variance_expected|>spread";

/* The law over the occurring similarities, for a curve. */
static void add_law(fp_table *table, const fp_found_arm *of) {
    for (size_t i = 0; i < arm_of(of)->point_count; i++) {
        const law_point *point = arm_of(of)->points + i;
        fp_results_add_names(table, of->outcome, of->arm, false);
        FP_TABLE_PUT(table, point->similarity, point->mean, point->deviation);
    }
}

static const char LAW[] = "corpus|arm|>similarity;d|>mean;d|>deviation;d";

/* ---- Terminal output ---- */

/* The difference of measured and expected recall at the listed threshold where it is largest. */
static double widest_gap(const fp_results *results, const fp_theory *theory) {
    double widest = NAN;
    for (size_t t = 0; t < results->inference->threshold_count; t++) {
        fp_theory_counts counts = fp_theory_counts_at(theory, results->inference->thresholds[t]);
        double gap = counts.tp / theory->positives - counts.recall_expected;
        if (isnan(widest) || fabs(gap) > fabs(widest)) widest = gap;
    }
    return widest;
}

/* The verdicts of one corpus; no rows if no arm has a theory. */
static fp_table *summarise(const fp_results *results, const fp_outcome *outcome, const theory_arm *arms,
                           fp_arena *arena) {
    fp_table *table = fp_table_of("arm|measure|>recall off by;3|>shift;2|>spread;2|law's range|>p|fit", arena);
    for (size_t i = 0; i < outcome->count; i++) {
        const fp_theory *theory = &arms[i].theory;
        const fp_arm *arm = outcome->measurements[i].arm;
        fp_interval range = theory->fit.spread_by_law;
        if (arms[i].lack) continue;
        FP_TABLE_TEXTS(table, fp_arm_name(arm), fp_arm_measure(arm));
        FP_TABLE_PUT(table, widest_gap(results, theory), theory->shift, theory->spread);
        fp_table_text(table, isnan(range.low) ? "NA" : fp_format(arena, "%.2f–%.2f", range.low, range.high));
        fp_table_p(table, theory->fit.p);
        fp_table_text(table, verdict(theory, results->confidence));
    }
    return table;
}

/* Names the arms without theory and the reason. */
static void print_lacks(fp_brief *to, const fp_outcome *outcome, const theory_arm *arms) {
    static const char *const WHY[] = {NO_LAW, NO_COUNTERPART, GROUPS};
    for (size_t why = 0; why < sizeof WHY / sizeof *WHY; why++) {
        const char *names = "";
        for (size_t i = 0; i < outcome->count; i++)
            if (arms[i].lack == WHY[why])
                names = fp_format(to->arena, "%s%s%s", names, *names ? ", " : "", fp_results_name(outcome, i));
        if (*names) to->print(fp_format(to->arena, "Without theory, since %s: %s\n", WHY[why], names));
    }
}

static const char LEGEND[] =
    "\nrecall off by: the largest difference, over the thresholds, of measured and expected recall. shift: mean of the distances less\n"
    "that of the law. spread: their mean square about the law's mean over its variance, with the range that one draw of hash\n"
    "functions gives. p: of both, over bits or slots, so that pairs may depend on one another; places that are not known: not tested.\n";

static void brief(fp_brief *to) {
    for (size_t i = 0; i < to->results->count; i++) {
        const fp_outcome *outcome = to->results->outcomes + i;
        to->print(fp_format(to->arena, "\n%s: the law of each distance beside the measurement%s\n",
                            outcome->corpus->name, fp_brief_first_seed(to)));
        to->show(summarise(to->results, outcome, to->found[i], to->arena));
        print_lacks(to, outcome, to->found[i]);
    }
    to->print(LEGEND);
}

const fp_analysis fp_analysis_theory = {
    .name = "theory",
    .example = "--theory",
    .title = {"Theory", "理论"},
    .text = {"The law of each arm's distance, given the exact similarity of every pair, beside the measurement.",
             "已知每对文本的真实相似度时，各方案距离的理论分布与实测的对照。"},
    .options = {{.name = "theory",
                 .help = "also what each arm's law expects, beside what was measured, and whether it fits"}},
    .needs = FP_NEEDS_EXACT | FP_NEEDS_ALL_PAIRS | FP_NEEDS_PAIR_LEVEL,
    .run = run,
    .brief = brief,
    .tables = {{.name = "theory-fit", .columns = FIT, .rows = add_fit},
               {.name = "theory",
                .columns = THRESHOLDS,
                .rows = add_thresholds,
                .by_threshold = true,
                .title = {"Measured and expected, at each threshold", "各阈值的实测与理论"}},
               {.name = "theory-distances", .columns = DISTANCES, .rows = add_distances},
               {.name = "theory-bins", .columns = BINS, .rows = add_bins},
               {.name = "theory-law", .columns = LAW, .rows = add_law}},
    .figures = {{"theory", "theory", "precision and recall beside their law (eval --theory)"},
                {"theory_distance", "theory-bins, theory-law",
                 "distance against the exact similarity, beside its law (eval --theory)"}}};
