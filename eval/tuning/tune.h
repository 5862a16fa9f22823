/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune.h - chooses an arm and a threshold on some groups of documents and tests them on others (nested
 * cross-validation; Stone 1974; Varma, Simon, BMC Bioinformatics 7, 2006).
 *
 * Folds are those of split.h. A pair has one distance under an arm, from a model trained without its documents: all
 * that the arm learns (IDF, centring, a reference) comes from the folds that the pair does not touch, for a pair across
 * two folds without both. The recommendation is chosen on all pairs measured this way.
 *
 * The best F-beta is partly chance. So each pair is also called by the arm and the threshold that are best on the pairs
 * that share no fold with it: one choice for each set of one fold or two. The calls of all sets give the held-out
 * measures of the whole procedure, including the choice. The models behind such a choice may have learned from texts of
 * the held-out folds (but not the model that measures the held-out pair): leaving out four folds would leave too little
 * training data.
 *
 * A requested precision is tested on all pairs (promise.h): the tests are valid for all arms and thresholds jointly,
 * so nothing is held out. Then the measures of an arm are those at its threshold, and the interval of its precision is
 * the promise: from the requested precision to 1.
 *
 * Intervals of other measures take the choices as given and exclude the variance of the choice itself (Bengio,
 * Grandvalet, JMLR 5, 2004).
 */
#ifndef FP_TUNE_H
#define FP_TUNE_H

#include "eval/experiment/experiment.h"
#include "eval/statistics/difference.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/tuning/objective.h"
#include "eval/tuning/promise.h"
#include "eval/units/split.h"

typedef struct fp_tune_options {
    fp_split_options split;
    fp_objective objective;
    double confidence;      /* of intervals, in (0, 1) */
    size_t replicates;      /* of the paired bootstrap, ≥ 1; seeded by split.seed */
    size_t most_replicates; /* replicates are doubled up to this number while a verdict is not settled (bootstrap.h);
                               0: never */
    double margin;          /* differences up to this are practically equivalent; 0: FP_EQUIVALENCE_MARGIN */
    bool once;              /* do not repeat the timing of short runs */
} fp_tune_options;

#define FP_TUNE_NONE UINT32_MAX /* no arm shows the precision */

/* An arm with a threshold. */
typedef struct fp_tune_choice {
    uint32_t arm; /* or FP_TUNE_NONE */
    double threshold;
    double score; /* of the objective, on the pairs used for the choice; NaN without an arm */
} fp_tune_choice;

/* Counts of pairs, and measures made of them. */
typedef struct fp_tune_proportions {
    fp_called_pairs called;
    fp_proportion precision, recall;
    fp_proportion objective; /* F-beta, or recall if that is the objective */
} fp_tune_proportions;

/* The result of an arm for a requested precision. */
typedef struct fp_tune_promise {
    double precision;     /* the requested one; else the largest below it, in hundredths, that the arm shows; 0: none */
    double threshold;     /* at which the precision is shown; NaN: none */
    fp_evidence evidence; /* at that threshold */
} fp_tune_promise;

typedef struct fp_tune_arm {
    double bytes, microseconds;   /* of a document, raw text to sketch, with all threads; shared stages are charged to
                                     every arm that uses them; the least of its measurements */
    double microseconds_most;     /* the largest of its measurements */
    size_t empty;                 /* documents with empty sketches (fp_sketch.empty) */
    fp_tune_choice chosen;        /* on all pairs, each measured by a model that has not seen it */
    fp_tune_choice naive;         /* learned, chosen and measured on everything; precision as observed */
    const fp_tune_choice *outer;  /* [set_count] chosen without the folds of a set; `chosen` if a precision is
                                     requested */
    fp_tune_promise promise;      /* if a precision is requested */
    fp_tune_proportions held_out; /* the arm held fixed: each pair called by the choice made without its folds */
    double difference; /* held-out objective minus that of the recommended arm; NaN for an arm without a choice */
    fp_interval difference_interval;
    double p;          /* two-sided, as in difference.h; NaN for the recommended arm and without a comparison */
    double p_adjusted; /* by Holm over all arms but the recommended one */
    bool apart;        /* p_adjusted < 1 − confidence */
    /* Standard errors of both limits and of p due to the finite number of replicates. */
    fp_interval monte_carlo;
    double p_error;
    fp_equivalence equivalence; /* of the difference */
    bool front; /* held-out objective above 0, and no arm is as good in that, bytes and microseconds and better in
                   one of them */
} fp_tune_arm;

typedef struct fp_tuned {
    const fp_tune_options *options;
    fp_split split;
    fp_resample resample; /* units and dependence of the kept pairs */
    size_t arm_count;
    fp_arm *const *arms;
    const fp_tune_arm *results; /* [arm_count] */
    size_t replicates;          /* computed */
    size_t unsettled;           /* verdicts that more replicates might change */
    const uint32_t *order;      /* [arm_count] best first, by `chosen`; ties: fewer bytes, then the order of the grid */
    fp_tune_choice best;        /* the recommendation */
    fp_tune_choice naive;       /* the choice of a reader of one table of results */
    fp_tune_proportions naive_values;               /* in sample; without intervals */
    size_t set_count;                               /* sets of one fold or two (fp_fold_set) */
    fp_tune_choice outer[FP_SPLIT_MOST_SETS];       /* chosen without the folds of a set */
    fp_called_pairs set_called[FP_SPLIT_MOST_SETS]; /* called by that choice among the pairs of the set */
    fp_tune_proportions held_out;                   /* of the procedure */
    double optimism;                                /* objective of the naive choice in sample minus the held-out one */
    double level;                                   /* of the test of each arm: (1 − confidence)/arm_count */
    uint32_t nearest; /* if no arm shows the precision: the arm that shows the largest; or FP_TUNE_NONE */
} fp_tuned;

/* Tunes `count` arms, which must be parsed and have distinct names. Everything lives in `arena`; the arms are not
 * fitted afterwards. Same measures for any number of threads; only microseconds, and the front, which depends on
 * them, vary between runs. */
fp_status fp_tune(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                  const fp_progress *progress, fp_arena *arena, fp_tuned *tuned, fp_error *error);

/* The largest difference that counts as equivalent. */
double fp_tune_margin(const fp_tune_options *options);

/* Estimated duration of fp_tune in seconds: tunes a sample of the documents, some arms after others for two seconds,
 * and multiplies. Within a factor of three on an otherwise idle machine. Reports no progress. */
fp_status fp_tune_estimate(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                           const fp_progress *progress, double *seconds, fp_error *error);

#endif
