/* SPDX-License-Identifier: GPL-3.0-or-later
 * Costs of thresholds, and which thresholds differ significantly: --costs, --ratio. */
#include "reports/analyses/analysis_outcomes.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "reports/analyses/analyses.h"

/* ---- Ratios ---- */

/* 1/20, 1/10, 1/5, 1/2, 1, 2, 5, 10, 20 and stated[count] (each > 0), ascending without repeats. */
static fp_status list_ratios(const double *stated, size_t count, fp_arena *arena, fp_cost_ratios *to, fp_error *error) {
    static const double USUAL[] = {1.0 / 20, 1.0 / 10, 1.0 / 5, 1.0 / 2, 1, 2, 5, 10, 20};
    enum { USUAL_COUNT = sizeof USUAL / sizeof *USUAL };
    double *all = FP_NEED(fp_arena_raw(arena, count + USUAL_COUNT, sizeof *all), error);
    for (size_t i = 0; i < USUAL_COUNT; i++) all[i] = USUAL[i];
    for (size_t i = 0; i < count; i++) all[USUAL_COUNT + i] = stated[i];
    gsl_sort(all, 1, count + USUAL_COUNT);
    *to = (fp_cost_ratios){1, all};
    for (size_t i = 1; i < count + USUAL_COUNT; i++)
        if (all[i] > all[to->count - 1]) all[to->count++] = all[i];
    return FP_OK;
}

/* "30", "0.2", "1/3" */
static bool parse_ratio(const char *text, double *ratio) {
    const char *bar = strchr(text, '/');
    double under = 1;
    fp_string over = {text, bar ? (size_t)(bar - text) : strlen(text)};
    if (!fp_string_real(over, ratio) || (bar && !fp_parse_real(bar + 1, &under))) return false;
    *ratio /= under;
    return under > 0 && *ratio >= 1e-9 && *ratio <= 1e9;
}

static fp_status check(const fp_analysis_values *given, fp_questions *questions, fp_arena *arena, const void **settings,
                       fp_error *error) {
    enum { MOST_RATIOS = 32, RATIO = 1 };
    double stated[MOST_RATIOS];
    size_t count = 0;
    fp_cost_ratios *list = FP_NEED(fp_arena_alloc(arena, 1, sizeof *list), error);
    (void)questions;
    *settings = list;
    for (const char **text = given->list[RATIO]; text && *text; text++) {
        if (count == MOST_RATIOS) return fp_fail(error, FP_ERROR_RANGE, "--ratio: no more than %d ratios", MOST_RATIOS);
        if (!parse_ratio(*text, stated + count++))
            return fp_fail(error, FP_ERROR_SYNTAX,
                           "--ratio takes what a missed duplicate costs, such as 30 or 1/3, not %s", *text);
    }
    return list_ratios(stated, count, arena, list, error);
}

/* ---- Candidate thresholds ---- */

/* A threshold with its error rates. */
typedef struct candidate {
    double threshold, fnr, fpr;
} candidate;

typedef struct candidates {
    size_t count;
    candidate *each; /* ascending threshold; the first calls nothing */
} candidates;

/* All distances if there are at most MOST. Otherwise those that pass another 1/64 of the pairs, where duplicates
 * together weigh as much as the others, and the corners of the envelope. */
enum { MOST = 65 };

static fp_status list_candidates(const fp_histogram *histogram, const fp_curve *curve, const fp_cost_arm *arm,
                                 fp_arena *arena, candidates *to, fp_error *error) {
    const fp_cost_corner *corner = arm->corners, *end = arm->corners + arm->corner_count;
    size_t room = histogram->count < MOST ? histogram->count : MOST; /* levels 0 … 64 */
    to->each = FP_NEED(fp_arena_raw(arena, room + arm->corner_count + 1, sizeof *to->each), error);
    to->count = 0;
    double tp = 0, fp = 0, level = 0, positives = (double)curve->positives, negatives = (double)curve->negatives;
    to->each[to->count++] = (candidate){FP_CALL_NOTHING, 1, 0};
    for (size_t i = 0; i < histogram->count; i++) {
        const fp_bar *bar = histogram->bars + i;
        tp += (double)bar->positives;
        fp += (double)bar->negatives;
        double passed = floor(64 * (tp / positives + fp / negatives) / 2);
        while (corner < end && corner->threshold < bar->distance) corner++;
        bool wanted = corner < end && corner->threshold == bar->distance;
        if (!wanted && histogram->count > MOST && passed == level) continue;
        level = passed;
        to->each[to->count++] = (candidate){bar->distance, 1 - tp / positives, fp / negatives};
    }
    return FP_OK;
}

/* ---- Significant differences of cost ---- */

typedef struct work {
    const fp_analysed *of;
    const fp_cost_ratios *ratios;
    double prevalence;
    const double *const *distances; /* [arms]; NULL: no listed pairs */
    fp_classes classes;
    fp_cost_arm *arms;
    fp_cost_choice *choices;
    const candidates *thresholds; /* [arms] */
} work;

/* Shares of the pairs with distance in (from, to]. */
static fp_status find_shares(const work *job, size_t arm, double from, double to, fp_arena *scratch,
                             fp_class_shares *shares, fp_error *error) {
    size_t count = job->classes.resample->pair_count;
    bool *member = FP_NEED(fp_arena_raw(scratch, count, sizeof *member), error);
    for (size_t i = 0; i < count; i++) member[i] = job->distances[arm][i] > from && job->distances[arm][i] <= to;
    return fp_class_shares_of(&job->classes, member, job->of->questions->inference.confidence, scratch, shares, error);
}

/* Whether the cost at `other` is significantly larger than at the chosen threshold. */
static fp_status compare_costs(const work *job, size_t arm, const fp_cost_choice *choice, double other,
                               fp_arena *scratch, bool *larger, fp_error *error) {
    bool more = other > choice->threshold;
    fp_class_shares between;
    fp_arena_reset(scratch);
    FP_TRY(find_shares(job, arm, more ? choice->threshold : other, more ? other : choice->threshold, scratch, &between,
                       error));
    double sign = more ? 1 : -1;
    *larger = fp_class_shares_sum(&between, -sign * choice->probability, sign * (1 - choice->probability)).low > 0;
    return FP_OK;
}

/* The smallest and the largest threshold whose cost is not significantly larger. One between them may differ
 * significantly: if few pairs are called, a single false positive separates two thresholds, and stopping there would
 * miss the best threshold in 8 of 100 samples (tests/deep/intervals/cost_range.c). */
static fp_status find_range(const work *job, size_t arm, size_t at, fp_cost_choice *choice, fp_arena *scratch,
                            fp_error *error) {
    const candidates *of = job->thresholds + arm;
    bool larger;
    choice->low = choice->high = choice->threshold;
    for (size_t i = at; i-- > 0;) {
        FP_TRY(compare_costs(job, arm, choice, of->each[i].threshold, scratch, &larger, error));
        if (!larger) choice->low = of->each[i].threshold;
    }
    for (size_t i = at + 1; i < of->count; i++) {
        FP_TRY(compare_costs(job, arm, choice, of->each[i].threshold, scratch, &larger, error));
        if (!larger) choice->high = of->each[i].threshold;
    }
    return FP_OK;
}

/* ---- Choices ---- */

static size_t position_of(const candidates *of, double threshold) {
    size_t at = 0;
    while (of->each[at].threshold < threshold) at++;
    return at;
}

static void compare_neighbours(const candidates *of, size_t at, fp_cost_choice *choice) {
    const candidate NONE = {NAN, NAN, NAN}, nearer = at > 0 ? of->each[at - 1] : NONE,
                    farther = at + 1 < of->count ? of->each[at + 1] : NONE;
    choice->nearer = nearer.threshold;
    choice->nearer_cost = fp_cost_of(nearer.fnr, nearer.fpr, choice->probability);
    choice->farther = farther.threshold;
    choice->farther_cost = fp_cost_of(farther.fnr, farther.fpr, choice->probability);
}

static fp_status find_limits(const work *job, size_t arm, size_t at, fp_cost_choice *choice, fp_arena *scratch,
                             fp_error *error) {
    fp_class_shares called;
    double probability = choice->probability;
    FP_TRY(find_shares(job, arm, FP_CALL_NOTHING, choice->threshold, scratch, &called, error));
    fp_interval moved = fp_class_shares_sum(&called, -probability, 1 - probability);
    choice->interval = (fp_interval){fmax(0, probability + moved.low), fmin(1, probability + moved.high)};
    return find_range(job, arm, at, choice, scratch, error);
}

/* Piece `index` is one arm at one ratio. */
static fp_status choose(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    size_t arm = index / job->ratios->count;
    const fp_cost_arm *of = job->arms + arm;
    fp_cost_choice *choice = job->choices + index;
    double ratio = job->ratios->each[index % job->ratios->count];
    *choice = (fp_cost_choice){ratio, NAN, NAN, 0, 0, NAN, {NAN, NAN}, NAN, NAN, NAN, NAN, NAN, NAN};
    if (of->corner_count == 0) return FP_OK;
    choice->probability = fp_cost_probability(job->prevalence, ratio);
    const fp_cost_corner *least = fp_cost_least(of->corners, of->corner_count, choice->probability);
    choice->threshold = least->threshold;
    choice->tp = least->tp;
    choice->fp = least->fp;
    choice->cost = fp_cost_of(least->fnr, least->fpr, choice->probability);
    size_t at = position_of(job->thresholds + arm, choice->threshold);
    compare_neighbours(job->thresholds + arm, at, choice);
    return job->distances ? find_limits(job, arm, at, choice, scratch, error) : FP_OK;
}

/* ---- One corpus ---- */

static fp_status open_arm(work *job, size_t index, candidates *thresholds, fp_error *error) {
    const fp_outcome *outcome = job->of->outcome;
    const fp_histogram *histogram = &outcome->measurements[index].histogram;
    fp_arena *arena = job->of->arena;
    fp_cost_arm *arm = job->arms + index;
    fp_pool *pools = FP_NEED(fp_arena_raw(arena, histogram->count, sizeof *pools), error);
    size_t count = fp_pools_make(histogram->bars, histogram->count, pools);
    fp_cost_corner *corners = FP_NEED(fp_arena_raw(arena, count + 1, sizeof *corners), error);
    *arm = (fp_cost_arm){fp_cost_envelope(pools, count, corners), corners, job->choices + index * job->ratios->count};
    if (!arm->corner_count) return FP_OK;
    return list_candidates(histogram, outcome->curves + index, arm, arena, thresholds, error);
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    const fp_outcome *outcome = of->outcome;
    const fp_cost_ratios *ratios = of->settings;
    size_t cells = outcome->count * ratios->count;
    fp_cost_outcome *out = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *out), error);
    candidates *thresholds = FP_NEED(fp_arena_alloc(of->arena, outcome->count, sizeof *thresholds), error);
    work job = {.of = of,
                .ratios = ratios,
                .prevalence = fp_assumed_prevalence(outcome, &of->questions->inference),
                .arms = FP_NEED(fp_arena_alloc(of->arena, outcome->count, sizeof *job.arms), error),
                .choices = FP_NEED(fp_arena_alloc(of->arena, cells, sizeof *job.choices), error),
                .thresholds = thresholds};
    *out = (fp_cost_outcome){ratios, job.arms};
    *found = out;
    for (size_t i = 0; i < outcome->count; i++) FP_TRY(open_arm(&job, i, thresholds + i, error));
    if (outcome->corpus->truth == FP_TRUTH_PAIRS) { /* their dependence is known */
        job.distances = FP_NEED(fp_distances_of(outcome->measurements, outcome->lane_count, of->arena), error);
        FP_TRY(fp_classes_make(&outcome->inference->resample, outcome->corpus->pairs, of->arena, &job.classes, error));
    }
    return fp_parallel_in(of->arena, cells, choose, &job, "costs", of->progress, error);
}

/* ---- Tables ---- */

/* One row for each ratio. */
static void add_choices(fp_table *table, const fp_found_arm *of) {
    const fp_cost_outcome *found = of->found;
    double prevalence = fp_assumed_prevalence(of->outcome, of->results->inference);
    for (size_t r = 0; r < found->ratios->count; r++) {
        const fp_cost_choice *choice = found->arms[of->arm].choices + r;
        fp_results_add_names(table, of->outcome, of->arm, true);
        FP_TABLE_PUT(table, prevalence, choice->ratio, choice->probability);
        fp_table_put_figure(table, choice->threshold, (fp_interval){choice->low, choice->high});
        FP_TABLE_PUT(table, (double)choice->tp, (double)choice->fp);
        fp_table_put_figure(table, choice->cost, choice->interval);
        FP_TABLE_PUT(table, choice->nearer, choice->nearer_cost, choice->farther, choice->farther_cost,
                     choice->probability, 1 - choice->probability, 1 / (1 + choice->ratio));
    }
}

static const char CHOICES[] =
    "corpus|arm|scale|>prevalence;esd|>ratio;es|>pc|>threshold;els|>tp;es|>fp;es|>cost;ls%|"
    ">nearer;e|>nearer_cost|>farther;e|>farther_cost|>call_nothing;s%|>call_everything;s%|>cut";

/* The lower envelope; threshold −1 calls nothing. */
static void add_corners(fp_table *table, const fp_found_arm *of) {
    const fp_cost_arm *arm = ((const fp_cost_outcome *)of->found)->arms + of->arm;
    for (const fp_cost_corner *at = arm->corners; at < arm->corners + arm->corner_count; at++) {
        fp_results_add_names(table, of->outcome, of->arm, true);
        FP_TABLE_PUT(table, at->threshold, (double)at->tp, (double)at->fp, at->fnr, at->fpr, at->from, at->to,
                     fp_cost_of(at->fnr, at->fpr, at->from), fp_cost_of(at->fnr, at->fpr, at->to));
    }
}

static const char CORNERS[] =
    "corpus|arm|scale|>threshold;ed|>tp;e|>fp;e|>fnr|>fpr|>pc_from;d|>pc_to;d|>cost_from;d|>cost_to;d";

/* ---- Terminal output ---- */

/* "5", "1/20" */
static const char *ratio_text(double ratio, fp_arena *arena) {
    double inverse = 1 / ratio;
    bool fraction = ratio < 1 && fabs(inverse - round(inverse)) < 1e-9 * inverse;
    return fraction ? fp_format(arena, "1/%.0f", round(inverse)) : fp_format(arena, "%g", ratio);
}

static const char *threshold_text(double threshold, bool whole, fp_arena *arena) {
    if (isnan(threshold)) return "NA";
    return threshold < 0 ? "none" : fp_format(arena, "%.*f", whole ? 0 : 2, threshold);
}

static const char *range_text(const fp_cost_choice *choice, bool whole, fp_arena *arena) {
    if (isnan(choice->low)) return "(NA)";
    const char *low = threshold_text(choice->low, whole, arena), *high = threshold_text(choice->high, whole, arena);
    return fp_format(arena, "(%s–%s)", low, high);
}

static void add_arm(fp_table *table, const fp_outcome *outcome, const fp_cost_outcome *of, size_t arm,
                    fp_arena *arena) {
    const fp_cost_choice *choices = of->arms[arm].choices;
    bool whole = fp_arm_layout(outcome->measurements[arm].arm)->integral;
    fp_table_text(table, fp_results_name(outcome, arm));
    for (size_t r = 0; r < of->ratios->count; r++)
        fp_table_text(table, threshold_text(choices[r].threshold, whole, arena));
    fp_table_text(table, "");
    for (size_t r = 0; r < of->ratios->count; r++) fp_table_text(table, range_text(choices + r, whole, arena));
    fp_table_text(table, "  at a cost of");
    for (size_t r = 0; r < of->ratios->count; r++)
        fp_table_text(table, isnan(choices[r].cost) ? "NA" : fp_format(arena, "%.3g", choices[r].cost));
}

/* One column for each ratio; for each arm the threshold, the range not significantly worse, and the cost. */
static fp_table *summarise(const fp_results *results, const fp_outcome *outcome, const fp_cost_outcome *of,
                           fp_arena *arena) {
    static const char *const TRIVIAL[] = {"cost of calling nothing", "… everything"};
    double prevalence = fp_assumed_prevalence(outcome, results->inference);
    const char *columns = "call at h ≤";
    for (size_t r = 0; r < of->ratios->count; r++)
        columns = fp_format(arena, "%s|>%s", columns, ratio_text(of->ratios->each[r], arena));
    fp_table *table = fp_table_new(columns, arena);
    for (size_t arm = 0; arm < outcome->count; arm++) add_arm(table, outcome, of, arm, arena);
    for (int everything = 0; everything < 2; everything++) {
        fp_table_text(table, TRIVIAL[everything]);
        for (size_t r = 0; r < of->ratios->count; r++) {
            double probability = fp_cost_probability(prevalence, of->ratios->each[r]);
            fp_table_text(table, fp_format(arena, "%.3g", everything ? 1 - probability : probability));
        }
    }
    return table;
}

static void brief(fp_brief *to) {
    for (size_t i = 0; i < to->results->count; i++) {
        const fp_outcome *outcome = to->results->outcomes + i;
        to->print(fp_format(
            to->arena, "\n%s: the best threshold for each cost of a missed duplicate, in false positives, when %s%s\n",
            outcome->corpus->name, fp_brief_share(to, outcome), fp_brief_first_seed(to)));
        to->show(summarise(to->results, outcome, to->found[i], to->arena));
    }
    to->print(fp_format(
        to->arena,
        "\nIn brackets: thresholds whose cost is not significantly above the least, each taken alone at %.0f%%. Cost: the expected cost as a share of\n"
        "the most that can be lost (Drummond, Holte 2006); none: nothing is called. Chosen in-sample, hence optimistic.\n",
        to->results->confidence * 100));
}

const fp_analysis fp_analysis_costs = {
    .name = "costs",
    .example = "--costs",
    .title = {"Costs", "代价"},
    .text = {"The threshold with the lowest cost, for each cost of a missed duplicate in false positives.",
             "一个漏判抵若干误判时，代价最小的阈值。"},
    .options = {{.name = "costs",
                 .help =
                     "also which threshold costs least when a missed duplicate costs more, or less, than a wrong call"},
                {.name = "ratio",
                 .takes = FP_TAKES_SEVERAL,
                 .help =
                     "with --costs: what a missed duplicate costs, in wrong calls, such as 30 or 1/3; may be repeated",
                 .argument = "RATIO",
                 .does = "sets the costs of --costs"}},
    .check = check,
    .run = run,
    .brief = brief,
    .tables = {{.name = "costs", .columns = CHOICES, .rows = add_choices, .every_arm = true},
               {.name = "cost-curve", .columns = CORNERS, .rows = add_corners}},
    .figures = {{"cost", "summary, costs, cost-curve",
                 "what thresholds cost, by what a missed duplicate costs (eval --costs)"}}};
