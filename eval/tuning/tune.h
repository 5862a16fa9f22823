/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune.h - which arm and which threshold, chosen on some groups of documents and tried on others (nested
 * cross-validation; Stone 1974; Varma, Simon, BMC Bioinformatics 7, 2006).
 *
 * Folds are those of split.h. A pair has one distance under an arm, by a model that has not seen its documents:
 * whatever the arm learns (IDF, centring, a reference) it learns from the folds that the pair does not touch,
 * so that a pair across two folds has the model without these two. What is recommended is chosen on all pairs
 * so measured.
 *
 * F-beta has its best value by chance, too. So each pair is also called by the arm and the threshold that are best on
 * the pairs that share no fold with it: as many choices as there are sets of one fold and two. The calls of all sets
 * together give the held-out measures: they are those of the whole procedure, the choice included. The models behind
 * such a choice may have learned from texts of the folds that are held out (not the model that measures the held-out
 * pair): leaving out four folds at a time would learn from too little.
 *
 * A precision that is asked for is tested on all pairs at once (objective.h): the tests of all arms and thresholds hold
 * together, and nothing is held out for them. Then the measures of an arm are those at its threshold, and the interval
 * of its precision is the promise: from the precision asked for to 1.
 *
 * Intervals of other measures take the choices as given; how the choice itself would vary with other groups is not in
 * them (Bengio, Grandvalet, JMLR 5, 2004).
 */
#ifndef FP_TUNE_H
#define FP_TUNE_H

#include "eval/experiment/experiment.h"
#include "eval/statistics/difference.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/tuning/objective.h"
#include "eval/units/split.h"

typedef struct fp_tune_options {
    fp_split_options split;
    fp_objective objective;
    double confidence;      /* of intervals, in (0, 1) */
    size_t replicates;      /* of the paired bootstrap, ≥ 1; seeded by split.seed */
    size_t most_replicates; /* doubled up to so many while a verdict is not settled (bootstrap.h); 0: never */
    double margin;          /* differences up to it make no difference in practice; 0: FP_EQUIVALENCE_MARGIN */
} fp_tune_options;

#define FP_TUNE_NONE UINT32_MAX /* no arm shows the precision */

/* An arm with a threshold. */
typedef struct fp_tune_choice {
    uint32_t arm; /* or FP_TUNE_NONE */
    double threshold;
    double score; /* of the objective, on the pairs on which it was chosen; NaN without an arm */
} fp_tune_choice;

/* Counts of pairs, and measures made of them. */
typedef struct fp_tune_proportions {
    fp_called_pairs called;
    fp_proportion precision, recall,
        objective; /* objective: F-beta with its interval; recall again where that is looked for */
} fp_tune_proportions;

/* What an arm shows of a precision that is asked for. */
typedef struct fp_tune_promise {
    double precision;     /* the one asked for; else the largest below it, in hundredths, that the arm shows; 0: none */
    double threshold;     /* where; NaN: none */
    fp_evidence evidence; /* there */
} fp_tune_promise;

typedef struct fp_tune_arm {
    double bytes, microseconds;   /* of a document, raw text to sketch, with all threads; shared stages are charged to
                                     every arm that uses them; the least of its measurements */
    double microseconds_most;     /* the most of them */
    size_t silent;                /* documents of which it reads nothing (fp_sketch.empty) */
    fp_tune_choice chosen;        /* on all pairs, each measured by a model that has not seen it */
    fp_tune_choice naive;         /* learned, chosen and measured on everything; a precision taken as it looks */
    const fp_tune_choice *outer;  /* [set_count] chosen without the folds of a set; `chosen` where a precision is asked
                                     for */
    fp_tune_promise promise;      /* where a precision is asked for */
    fp_tune_proportions held_out; /* the arm held fixed: each pair called by the choice without its folds */
    double difference; /* held-out objective minus that of the recommended arm; NaN for an arm without a choice */
    fp_interval difference_interval;
    double p; /* that the two are equal: two-sided, as in difference.h; NaN for the recommended arm and where nothing
                 can be compared */
    double
        p_adjusted; /* after Holm (Scandinavian Journal of Statistics 6, 1979) over all arms but the recommended one */
    bool apart;     /* p_adjusted < 1 − confidence */
    /* Standard errors of both limits and of p for want of more replicates. */
    fp_interval monte_carlo;
    double p_error;
    fp_equivalence equivalence; /* of the difference */
    bool front; /* its held-out objective is above 0, and no arm is as good in that, bytes and microseconds and better
                   in one of them */
} fp_tune_arm;

typedef struct fp_tuned {
    const fp_tune_options *options;
    fp_split split;
    fp_resample resample; /* units and dependence of the kept pairs */
    size_t arm_count;
    fp_arm *const *arms;
    const fp_tune_arm *results; /* [arm_count] */
    size_t replicates;          /* that were drawn */
    size_t unsettled;           /* verdicts that more of them might turn */
    const uint32_t *order;      /* [arm_count] best first, by `chosen`; ties: fewer bytes, then the order of the grid */
    fp_tune_choice best;        /* the recommendation */
    fp_tune_choice naive;       /* what a reader of one table would choose */
    fp_tune_proportions naive_values;               /* in sample; without intervals */
    size_t set_count;                               /* sets of one fold or two (fp_fold_set) */
    fp_tune_choice outer[FP_SPLIT_MOST_SETS];       /* chosen without the folds of a set */
    fp_called_pairs set_called[FP_SPLIT_MOST_SETS]; /* by that choice, of the pairs of the set */
    fp_tune_proportions held_out;                   /* of the procedure */
    double optimism;                                /* objective of the naive choice in sample minus the held-out one */
    double level;                                   /* of the test of each arm: (1 − confidence)/arm_count */
    uint32_t nearest; /* where no arm shows the precision: the one that shows the largest; or FP_TUNE_NONE */
} fp_tuned;

/* Tunes `count` arms, parsed and with names of their own. Everything lives in `arena`; the arms are not fitted
 * afterwards. Same measures for any number of threads; only microseconds, and what is on the front because of them, are
 * measured anew. */
fp_status fp_tune(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                  const fp_progress *progress, fp_arena *arena, fp_tuned *tuned, fp_error *error);

/* Up to what differences make no difference. */
double fp_tune_margin(const fp_tune_options *options);

/* About how long fp_tune will take, in seconds: within a factor of one and a half on a machine that does nothing else.
 * One arm of each algorithm and feature specification is timed on a sample of documents, as many as two seconds allow.
 * Nobody is told how far it is. */
fp_status fp_tune_estimate(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                           const fp_progress *progress, double *seconds, fp_error *error);

#endif
