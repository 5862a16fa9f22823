/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * results.h - the tables of an evaluation: measures at thresholds, summaries, curves, histograms. Their columns are in
 * schemas.c.
 *
 * Arenas that reports/ is given, but for the lab, never say that there is no memory: the program's end it
 * (fp_cli_arena). What is made in them is not NULL.
 */
#ifndef FP_RESULTS_H
#define FP_RESULTS_H

#include "eval/analyses/edits.h"
#include "eval/analyses/ranks.h"
#include "eval/analyses/robustness.h"
#include "eval/analyses/stratum.h"
#include "eval/evaluation/outcome.h"
#include "reports/tables/schemas.h"

/* All that was evaluated, corpus by corpus. */
typedef struct fp_results {
    size_t count;               /* corpora */
    const fp_outcome *outcomes; /* [count] */
    int64_t first_threshold, last_threshold;
    double confidence;
    fp_level level;
    const fp_inference_options *inference; /* how intervals were made */
    bool whole_curves;                     /* curves.tsv has every distance */
    int64_t last_shown;                    /* a terminal has the thresholds up to it; 0: all */
} fp_results;

/* What measures are of: "pairs", or "documents" at document level; for a person. */
const char *fp_results_counted(fp_level level);

/* results.tsv; bands are simultaneous. Where negatives were drawn its last column is negative_weight: for how many
 * pairs one stands at the most, 1 for an arm or a corpus whose pairs were all counted. */
fp_table *fp_results_thresholds(const fp_results *results, fp_arena *arena);
fp_table *fp_results_summary(const fp_results *results, fp_arena *arena); /* summary.tsv */
/* curves.tsv. A curve of more than FP_CURVE_WHOLE distances is thinned, unless
 * results->whole_curves: what is left out is within FP_CURVE_CLOSENESS, in each figure, of the row before it that is
 * kept. The last row at or below any whole distance, and that of the best F1, are as in the whole table. */
enum { FP_CURVE_WHOLE = 1000 };
#define FP_CURVE_CLOSENESS 0.0005
fp_table *fp_results_curves(const fp_results *results, fp_arena *arena);
/* Which rows curves.tsv has, in a sentence. */
const char *fp_results_curves_describe(const fp_results *results, fp_arena *arena);
fp_table *fp_results_histograms(const fp_results *results, fp_arena *arena); /* histograms.tsv */

/* intervals.tsv: precision, recall, F1, specificity and, where one is stated, precision at the prevalence at each
 * threshold; then average precision, ROC area and best F1. */
fp_table *fp_results_intervals(const fp_results *results, fp_arena *arena);
/* differences.tsv: threshold_a … chosen_b are the thresholds of McNemar's test and where they come from (stated,
 * choice, cross-fitted), mcnemar … mcnemar_by its p, the same by Holm over all comparisons, and whether it is exact or
 * of units (difference.h); narrow_low … sample_size_high as in difference.h, sample sizes NA where the arms differ;
 * …_monte_carlo errors for want of replicates, NA where none are drawn. */
fp_table *fp_results_differences(const fp_results *results, fp_arena *arena);
/* Cells narrow_low … units of a difference. */
void fp_table_equivalence(fp_table *table, const fp_equivalence *equivalence);
/* The threshold that arms are compared at; NaN: by a figure of the whole range. */
double fp_results_compared_at(const fp_results *results);
/* Whether the first of two arms is better, as far as the difference goes. */
bool fp_results_first_is_better(const fp_results *results, const fp_comparison *pair);
/* What a comparison says; the level of the test is 1 − results->confidence. */
typedef enum fp_verdict {
    FP_VERDICT_NOT_DEFINED,
    FP_VERDICT_EQUAL,  /* no pair makes a difference */
    FP_VERDICT_DIFFER, /* by p after Holm; perhaps by less than the margin */
    FP_VERDICT_WITHIN, /* the margin: equivalent */
    FP_VERDICT_OPEN    /* neither is shown */
} fp_verdict;
fp_verdict fp_results_verdict(const fp_results *results, const fp_comparison *pair);

/* The name of an arm. */
static inline const char *fp_results_name(const fp_outcome *outcome, size_t arm) {
    return fp_arm_name(outcome->measurements[arm].arm);
}
/* The cells of corpus and arm, which most tables have in front, and with `scale` that of the scale. */
void fp_results_add_names(fp_table *table, const fp_outcome *outcome, size_t arm, bool scale);
/* Cells tp fp fn tn. */
void fp_results_add_counts(fp_table *table, fp_confusion counts);

/* ---- The answer (answer.c) ---- */

/* One arm at one threshold, as a person reads it. */
typedef struct fp_card {
    const char *name; /* of the arm */
    const fp_arm *arm;
    const char *counted; /* "pairs" */
    double threshold, precision, recall;
    fp_interval precision_interval, recall_interval;
    const fp_confusion *counts;                  /* NULL: not stated */
    const char *promised, *measured, *runner_up; /* sentences; NULL: none */
    double duplicates;                           /* their share of what is counted */
    double bytes, per_second;                    /* of documents; NaN: not known */
} fp_card;

/* "h ≤ 22 of 64 bits (cosine ≥ 0.471)", "Jaccard ≥ 0.42 (h ≤ 37.1 of 64)" of an exact measure. */
const char *fp_rule_text(const fp_arm *arm, double threshold, fp_arena *arena);
/* A measured rate to two significant digits, which are all that a measurement knows. */
double fp_rate_rounded(double rate);
/* Lines that end with \n. */
const char *fp_card_text(const fp_card *card, fp_arena *arena);

/* answer.tsv: every arm at the threshold of its best F1; place 1, by average precision, is the answer, 2 the runner-up,
 * with what is known of the difference. best[results->count]. */
fp_table *fp_results_answer(const fp_results *results, const fp_chosen_outcome *best, fp_arena *arena);
/* Of one corpus: the arms for a person, and the card of the first; "" where no arm has a threshold. */
fp_table *fp_results_answer_short(const fp_chosen_outcome *best, fp_arena *arena);
const char *fp_results_card(const fp_results *results, const fp_chosen_outcome *best, fp_arena *arena);

/* The next cell or three. */
void fp_results_put(fp_table *table, const fp_estimate *estimate);

/* For a person: of one corpus, one column a threshold, then the threshold of the arm's best F1 and the measure there
 * (NA of other measures than precision, recall and F1 between two thresholds of the list); for each arm the measure,
 * and under it the limits of its interval. `position` is one in the inference's measures, of a measure at a threshold.
 */
fp_table *fp_results_grid(const fp_results *results, const fp_chosen_outcome *best, size_t position, fp_arena *arena);
/* For a person: the further measures over the range with their intervals. */
fp_table *fp_results_further(const fp_results *results, const fp_outcome *outcome, fp_arena *arena);

/* ---- Measures that were asked for with --measure: columns behind the others ---- */

typedef enum fp_further_kind { FP_FURTHER_AT_THRESHOLD, FP_FURTHER_OVER_RANGE, FP_FURTHER_ALL } fp_further_kind;
/* The columns of the file, and those of each further measure of the kind. */
const char *fp_results_columns(fp_file file, const fp_inference_options *options, fp_further_kind kind,
                               fp_arena *arena);
bool fp_further_is(const fp_measure *measure, fp_further_kind kind);

/* For a person: summary.tsv with a measure and its interval in one cell. */
fp_table *fp_results_summary_short(const fp_results *results, fp_arena *arena);

/* ---- Which source of chance the uncertainty comes from: the documents, or the draw of the hash functions
 * (eval/statistics/dyadic_variance.h) ---- */

/* Whether any arm was measured under several seeds. */
bool fp_sources_any(const fp_results *results);

/* sources.tsv: first all
 * measures of the arms with several seeds, then the differences in which one has part: arm_b is the other, and NA for
 * measures. `documents` and `hash` are shares of the variance, and NA where it is 0 or not known. */
fp_table *fp_sources_table(const fp_results *results, fp_arena *arena);
/* For a person: of one outcome, what arms are compared by: each arm with several seeds, and its differences. */
fp_table *fp_sources_short(const fp_results *results, const fp_outcome *outcome, fp_arena *arena);

/* ---- The arms over all corpora (ranks_table.c) ---- */

/* ranks.tsv; best rank first. The last six columns are the same in every row: χ² and F of ranks.h with their p. */
fp_table *fp_results_ranks(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* For a person: the same without the last six. */
fp_table *fp_results_ranks_short(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* What the tests say, in lines that end with \n. */
const char *fp_results_ranks_describe(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);

/* signed-ranks.tsv; the first of each two has the better mean rank. */
fp_table *fp_results_rank_pairs(const fp_results *results, const fp_ranks *ranks, const fp_rank_pairs *pairs,
                                fp_arena *arena);
/* For a person, and what stands under it: lines that end with \n. */
fp_table *fp_results_rank_pairs_short(const fp_results *results, const fp_rank_pairs *pairs, fp_arena *arena);
const char *fp_results_rank_pairs_describe(const fp_ranks *ranks, const fp_rank_pairs *pairs, fp_arena *arena);

/* ---- Parts of the pairs (strata_table.c) ---- */

/* strata.tsv: one row for each arm and stratum that has pairs, the rows of an arm together: pairs, positives and
 * negatives of its own, average precision, the best threshold, and F1, precision and recall there, each
 * with its interval; how many pairs join a stratum of one label; a note marks strata that are too small. */
fp_table *fp_strata_summary(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena);
/* strata-thresholds.tsv: one row for each arm, stratum and threshold, in the columns of results.tsv with `by` and
 * `stratum` behind `arm`, and the interval of F1 behind it. */
fp_table *fp_strata_thresholds(const fp_results *results, const fp_strata_outcome *outcomes, fp_arena *arena);
/* For a person: the best threshold of each stratum of one corpus. */
fp_table *fp_strata_short(const fp_results *results, const fp_strata_outcome *outcome, fp_arena *arena);

/* ---- the table of distances against length and share of edited characters. ---- */

/* edits.tsv: one row for each arm, length and share of edited characters that has duplicates. `lengths` numbers the
 * strata from 1, for the picture. A corpus of groups has no rows. */
fp_table *fp_edits_table(const fp_edits_outcome *outcomes, size_t count, fp_arena *arena);

/* ---- Arms against corruptions (robustness_tables.c) ---- */

/* robustness.tsv: a row for each arm, kind and rate, the rates of a kind together, as the kinds of an arm. */
fp_table *fp_robustness_table(const fp_robustness *of, fp_arena *arena);
/* robustness-parts.tsv: the same for each corpus and hash seed. */
fp_table *fp_robustness_parts_table(const fp_robustness *of, fp_arena *arena);
/* robustness-thresholds.tsv: a row for each arm, corpus, hash seed and fold. */
fp_table *fp_robustness_thresholds_table(const fp_robustness *of, fp_arena *arena);
/* For a person: F1 of each arm at each rate as a mean over kinds, and the kind that it stands worst at the largest. */
fp_table *fp_robustness_short(const fp_robustness *of, fp_arena *arena);

#endif
