/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * results.h - the tables of an evaluation: measures at thresholds, summaries, curves, histograms. Columns: schemas.c.
 *
 * Except in the lab, arenas passed to reports/ never return NULL: the program's arenas end it when memory runs out
 * (fp_cli_arena). So pointers allocated in them are not NULL.
 */
#ifndef FP_RESULTS_H
#define FP_RESULTS_H

#include "eval/analyses/edits.h"
#include "eval/analyses/ranks.h"
#include "eval/analyses/robustness.h"
#include "eval/analyses/stratum.h"
#include "eval/evaluation/outcome.h"
#include "reports/tables/schemas.h"

/* All evaluated corpora. */
typedef struct fp_results {
    size_t count;               /* corpora */
    const fp_outcome *outcomes; /* [count] */
    int64_t first_threshold, last_threshold;
    double confidence;
    fp_level level;
    const fp_inference_options *inference; /* options of the intervals */
    bool whole_curves;                     /* curves.tsv keeps every distance */
    int64_t last_shown;                    /* last threshold on a terminal; 0: all */
} fp_results;

/* Whether a terminal shows the threshold at this position; it shows the first ones. */
bool fp_results_is_shown(const fp_results *results, size_t position);

/* The counted units, in words: "pairs", or "documents" at document level. */
const char *fp_results_counted(fp_level level);

/* ---- Tables with rows of every arm (fp_schema.rows), and what `found` is of each corpus ---- */

/* All rows of a table; found[results->count], NULL if its rows read none. */
fp_table *fp_results_rows(const fp_schema *of, const fp_results *results, const void *const *found, fp_arena *arena);

/* results.tsv; bands are simultaneous. If negatives were sampled, the last column is negative_weight: the largest
 * number of pairs that one sampled pair represents, 1 for an arm or corpus whose pairs were all counted. */
fp_rows fp_thresholds_rows;
fp_rows fp_summary_rows; /* summary.tsv */
/* curves.tsv. A curve of more than FP_CURVE_WHOLE distances is thinned unless results->whole_curves: each figure of an
 * omitted row is within FP_CURVE_CLOSENESS of the last kept row before it. The last row at or below any whole distance,
 * and that of the best F1, are as in the whole table. */
enum { FP_CURVE_WHOLE = 1000 };
#define FP_CURVE_CLOSENESS 0.0005
fp_rows fp_curve_rows;
fp_rows fp_histogram_rows; /* histograms.tsv */
/* intervals.tsv: every measure of the inference, at each threshold, then over the range. */
fp_rows fp_interval_rows;
/* differences.tsv, in the rows of the first arm: threshold_a … chosen_b are the thresholds of McNemar's test and their
 * sources (stated, choice, cross-fitted). mcnemar … mcnemar_by: its p, p after Holm over all comparisons, and whether
 * it is exact or by units (difference.h). narrow_low … sample_size_high: as in difference.h; sample sizes are NA if the
 * arms differ. …_monte_carlo: errors due to finite replicates; NA without replicates. */
fp_rows fp_difference_rows;
/* answer.tsv: the arm at the threshold of its best F1. Place 1, by average precision, is the answer, 2 the runner-up;
 * with a description of the difference. Found: fp_chosen_outcome. */
fp_rows fp_answer_rows;
/* strata.tsv: strata that have pairs: pairs, positives and negatives of the stratum itself, measures with their
 * intervals, the number of pairs that join a stratum of one label; a note marks strata that are too small.
 * strata-thresholds.tsv: the same strata at each threshold. Found: fp_strata_outcome. */
fp_rows fp_strata_rows, fp_strata_threshold_rows;
/* edits.tsv: lengths and shares of edited characters that have duplicates; `lengths` numbers the strata from 1, for the
 * figure. Found: fp_edits_outcome. */
fp_rows fp_edit_rows;

/* A sentence on the rows of curves.tsv. */
const char *fp_results_curves_describe(const fp_results *results, fp_arena *arena);

/* ---- Differences ---- */

/* Cells narrow_low … units of a difference. */
void fp_table_equivalence(fp_table *table, const fp_equivalence *equivalence);
/* The threshold at which arms are compared; NaN: a figure over the whole range. */
double fp_results_compared_at(const fp_results *results);
/* Whether the first of two arms is better, by the sign of the difference. */
bool fp_results_first_is_better(const fp_results *results, const fp_comparison *pair);
/* The verdict of a comparison; the level of the test is 1 − results->confidence. */
typedef enum fp_verdict {
    FP_VERDICT_NOT_DEFINED,
    FP_VERDICT_EQUAL,  /* no pair contributes to the difference */
    FP_VERDICT_DIFFER, /* significant after Holm; possibly smaller than the margin */
    FP_VERDICT_WITHIN, /* equivalent within the margin */
    FP_VERDICT_OPEN    /* not significant, not equivalent */
} fp_verdict;
fp_verdict fp_results_verdict(const fp_results *results, const fp_comparison *pair);

/* The share of duplicates among what the arm counts. */
double fp_results_prevalence(const fp_outcome *outcome, size_t arm);
/* The name of an arm. */
static inline const char *fp_results_name(const fp_outcome *outcome, size_t arm) {
    return fp_arm_name(outcome->measurements[arm].arm);
}
/* Cells of corpus and arm, the first of most tables; with `scale` also the scale. */
void fp_results_add_names(fp_table *table, const fp_outcome *outcome, size_t arm, bool scale);
/* Cells tp fp fn tn. */
void fp_results_add_counts(fp_table *table, fp_confusion counts);
/* Cells of precision, recall and F1, after those of the counts if asked for. */
void fp_results_add_chosen(fp_table *table, const fp_chosen_arm *chosen, bool counts);

/* ---- The answer (answer.c) ---- */

/* One arm at one threshold, in readable form. */
typedef struct fp_card {
    const char *name; /* of the arm */
    const fp_arm *arm;
    const char *counted; /* "pairs" */
    double threshold, precision, recall;
    fp_interval precision_interval, recall_interval;
    const fp_confusion *counts;                  /* NULL: omitted */
    const char *promised, *measured, *runner_up; /* sentences; NULL: none */
    double duplicates;                           /* share of the counted units */
    double bytes, per_second;                    /* of documents; NaN: unknown */
} fp_card;

/* "h ≤ 22 of 64 bits (cosine ≥ 0.471)", or for an exact measure "Jaccard ≥ 0.42 (h ≤ 37.1 of 64)". */
const char *fp_rule_text(const fp_arm *arm, double threshold, fp_arena *arena);
/* Rounds a measured rate to two significant digits, the precision of such measurements. */
double fp_rate_rounded(double rate);
/* Lines that end with \n. */
const char *fp_card_text(const fp_card *card, fp_arena *arena);

/* One corpus, in readable form: a table of the arms, and the card of the first or why there is none. */
fp_table *fp_results_answer_short(const fp_chosen_outcome *best, fp_arena *arena);
const char *fp_results_card(const fp_results *results, const fp_chosen_outcome *best, fp_arena *arena);

/* Readable table of one corpus: one column for each threshold, then the threshold of the arm's best F1 and the measure
 * there (between two listed thresholds NA except for precision, recall and F1). Each arm has a row of the measure and
 * rows of its limits. `position`: that of a measure at a threshold in the inference's measures. */
fp_table *fp_results_grid(const fp_results *results, const fp_chosen_outcome *best, size_t position, fp_arena *arena);
/* Readable table of the further measures over the range with their intervals. */
fp_table *fp_results_further(const fp_results *results, const fp_outcome *outcome, fp_arena *arena);

bool fp_further_is(const fp_measure *measure, fp_further_kind kind);

/* summary.tsv in readable form, with a measure and its interval in one cell. */
fp_table *fp_results_summary_short(const fp_results *results, fp_arena *arena);

/* ---- Sources of variance: documents, or hash seeds (eval/statistics/dyadic_variance.h) ---- */

/* Whether any arm was measured under several seeds. */
bool fp_sources_any(const fp_results *results);

/* sources.tsv: first all measures of the arms with several seeds, then differences that involve such an arm: arm_b is
 * the other arm, NA for measures. `documents` and `hash` are shares of the variance; NA if it is 0 or unknown. */
fp_table *fp_sources_table(const fp_results *results, fp_arena *arena);
/* Readable table of one outcome and the compared measure: each arm with several seeds, and its differences. */
fp_table *fp_sources_short(const fp_results *results, const fp_outcome *outcome, fp_arena *arena);

/* ---- The arms over all corpora (ranks_table.c) ---- */

/* ranks.tsv; best rank first. The last six columns are the same in every row: χ² and F of ranks.h with their p. */
fp_table *fp_results_ranks(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* The same in readable form, without the last six columns. */
fp_table *fp_results_ranks_short(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);
/* The results of the tests, in lines that end with \n. */
const char *fp_results_ranks_describe(const fp_results *results, const fp_ranks *ranks, fp_arena *arena);

/* signed-ranks.tsv; the first arm of each pair has the better mean rank. */
fp_table *fp_results_rank_pairs(const fp_results *results, const fp_ranks *ranks, const fp_rank_pairs *pairs,
                                fp_arena *arena);
/* The same in readable form, and its notes: lines that end with \n. */
fp_table *fp_results_rank_pairs_short(const fp_results *results, const fp_rank_pairs *pairs, fp_arena *arena);
const char *fp_results_rank_pairs_describe(const fp_ranks *ranks, const fp_rank_pairs *pairs, fp_arena *arena);

/* Readable table of one corpus: the best threshold of each stratum. */
fp_table *fp_strata_short(const fp_results *results, const fp_strata_outcome *outcome, fp_arena *arena);

/* ---- Arms against corruptions (robustness_tables.c) ---- */

/* robustness.tsv: one row for each arm, kind and rate, grouped by arm, then by kind. */
fp_table *fp_robustness_table(const fp_robustness *of, fp_arena *arena);
/* robustness-parts.tsv: the same for each corpus and hash seed. */
fp_table *fp_robustness_parts_table(const fp_robustness *of, fp_arena *arena);
/* robustness-thresholds.tsv: one row for each arm, corpus, hash seed and fold. */
fp_table *fp_robustness_thresholds_table(const fp_robustness *of, fp_arena *arena);
/* Readable table: F1 of each arm at each rate, averaged over kinds, and its worst kind at the largest rate. */
fp_table *fp_robustness_short(const fp_robustness *of, fp_arena *arena);

#endif
