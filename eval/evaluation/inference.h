/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * inference.h - intervals of every measure of every arm on one corpus, and which differences between arms are
 * significant.
 */
#ifndef FP_INFERENCE_H
#define FP_INFERENCE_H

#include "corpora/corpus.h"
#include "eval/experiment/experiment.h"
#include "eval/experiment/arm_list.h"
#include "eval/evaluation/judgements.h"
#include "eval/statistics/difference.h"

typedef struct fp_inference_options {
    fp_method method;
    fp_empty empty;
    double confidence;      /* in (0, 1) */
    size_t replicates;      /* of a method that resamples */
    size_t most_replicates; /* doubling limit while a verdict on a difference is not settled; 0: no doubling */
    uint64_t seed;
    double prevalence;        /* in (0, 1), or 0: no measure at a stated prevalence */
    const double *thresholds; /* ascending strictly */
    size_t threshold_count;
    fp_measure compared;       /* the measure of differences between arms; zeroed: average precision */
    double margin;             /* differences up to it are equivalent in practice; 0: FP_EQUIVALENCE_MARGIN */
    double detect;             /* the difference that sample sizes are for; 0: the margin */
    const fp_measure *further; /* measures estimated besides the usual ones; their thresholds are not read */
    size_t further_count;
    const fp_threshold_at *judged; /* [arm_count] thresholds of McNemar's test; NULL: cross-fitted */
    fp_hash_seeds hash_seeds;
    bool without_bands;                    /* no table needs simultaneous intervals */
    const fp_further_seeds *further_seeds; /* as in fp_bootstrap_options; set by the outcome */
} fp_inference_options;

/* Options of the bootstrap, measure, margin and detectable difference, with defaults in place; keeps `ranked`. */
fp_bootstrap_options fp_inference_drawing(const fp_inference_options *options, const fp_measure *ranked, size_t count);
fp_measure fp_inference_compared(const fp_inference_options *options);
double fp_inference_margin(const fp_inference_options *options);
double fp_inference_detect(const fp_inference_options *options);

/* One comparison of two arms by fp_inference_options.compared, and by their judgements (fp_inference.judgements). */
typedef struct fp_comparison {
    size_t first, second;
    fp_difference difference;
    double adjusted; /* p by Holm over all comparisons of the corpus */
    fp_equivalence equivalence;
    fp_sample_size sample_size;
    fp_mcnemar mcnemar;      /* p is NaN where an arm has no judgements */
    double mcnemar_adjusted; /* that p by Holm, over all comparisons that have one */
} fp_comparison;

/* A measure of every arm. */
typedef struct fp_measured {
    fp_measure measure;    /* `threshold` is not read */
    fp_estimate *estimate; /* at a threshold [arm_count·threshold_count], arm by arm; over the range [arm_count] */
    fp_interval *band; /* of a measure at a threshold, in the same order: intervals that hold at all thresholds of an
                          arm at once (simultaneous.h); else NULL */
} fp_measured;

/* A sample of the negatives (eval/experiment/sampled_pairs.h): its counts. */
typedef struct fp_drawn_sample {
    uint64_t all, near, drawn; /* negatives: of the corpus; found near; sampled from the rest */
    double weight;             /* the largest number of pairs that a sampled one represents */
    uint64_t seed;
    const bool *whole;   /* [arm_count] arms whose pairs were all counted */
    const char *counted; /* their names, separated by commas; may be empty */
} fp_drawn_sample;

typedef struct fp_inference {
    bool counted;                 /* all pairs of groups: no replicates and no McNemar's test */
    bool wanted_draws;            /* although a method that resamples was requested */
    bool beyond;                  /* too many duplicates for 64 bits: measures over the range have no interval */
    size_t sampled_units;         /* pairs that are not near were taken with this many units; 0: with all */
    const fp_drawn_sample *drawn; /* NULL: all were counted */
    size_t hash_seeds;            /* of arms whose specification gives no seed; set by the outcome, as the next */
    size_t hashed_count;          /* number of these arms */
    fp_resample resample;
    size_t arm_count, threshold_count;
    size_t replicates; /* number of replicates, may be 0 */
    size_t unsettled;  /* verdicts on differences that more replicates might change (bootstrap.h) */
    size_t measure_count;
    const fp_measured *measures; /* [measure_count] the usual ones in the order of measure.h, then the further ones */
    size_t comparison_count;
    const fp_comparison *comparisons; /* every two arms */
    const fp_judgements *judgements;  /* [arm_count]; NULL where arms are not compared */
} fp_inference;

/* From measurements[arm_count], and behind them those of options->further_seeds. Everything lives in `arena`. Same
 * measures for any number of threads.
 *
 * For labelled pairs the distances are enough. For groups, of too many documents to list all pairs, from sums over the
 * groups (eval/statistics/counted.h) in a second pass over all pairs; in corpora of more than FP_COUNTING_DOCUMENTS a
 * group is paired with those that it has near pairs with and a sample of the others. Then the measurements have their
 * sketches, and in such corpora a list of near pairs (fp_counting_near). */
fp_status fp_inference_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error);

/* The estimates of an arm: [threshold_count] of a measure at a threshold, one of a measure over the range. NULL: not
 * estimated. */
const fp_estimate *fp_inference_of(const fp_inference *inference, const fp_measure_row *row, size_t arm);
/* The same of inference->measures[position]. */
const fp_estimate *fp_inference_at(const fp_inference *inference, size_t position, size_t arm);

/* The simultaneous intervals of an arm, [threshold_count]; NULL: unknown. */
const fp_interval *fp_inference_band(const fp_inference *inference, size_t position, size_t arm);

/* The number of negatives that a sampled one represents under an arm; 1 if all were counted. */
double fp_inference_weight(const fp_inference *inference, size_t arm);

/* One to three sentences for a report: whether pairs are independent, and where the intervals come from. NULL: out of
 * memory. */
const char *fp_inference_describe(const fp_inference *inference, fp_arena *arena);

#endif
