/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune.h - which arm and which threshold, chosen on some groups of documents and tried on others (nested
 * cross-validation; Stone 1974; Varma, Simon, BMC Bioinformatics 7, 2006).
 *
 * Folds are those of split.h. A pair is measured by a model that has not seen its documents: whatever an arm learns
 * (IDF, centring, a reference) is learned on the documents of the training folds alone. For each outer fold o,
 *
 * - every other fold i is measured by models that have seen neither o nor i; the arm and threshold that are best on all
 * these folds together are chosen;
 * - fold o is measured by a model that has seen all folds but o, with that arm and threshold.
 *
 * The pairs of all outer folds together give the held-out measures: they are those of the whole procedure, the choice
 * included. The arm and threshold that are recommended are chosen in the same way on all folds: each fold measured by a
 * model that has not seen it.
 *
 * Where a precision is asked for, a threshold is taken whose lower limit of precision is high enough on the pairs on
 * which it is chosen, by the interval of the report (proportion_interval.h). The best of many limits is too high by
 * chance: that of m arms is taken at the confidence 1 − α/m (Bonferroni), where one of them is high enough so, and else
 * as it is. The held-out limit is the one that tells whether the precision is reached. Without a fold there are
 * fewer pairs, and every limit is lower: a fold for which no threshold reaches the precision has no pair called.
 *
 * Held-out measures have intervals given the choices that were made; how the choice itself would vary with other groups
 * is not in them (Bengio, Grandvalet, JMLR 5, 2004).
 */
#ifndef FP_TUNE_H
#define FP_TUNE_H

#include "eval/experiment/experiment.h"
#include "eval/statistics/equivalence.h"
#include "eval/tuning/objective.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/splits/split.h"

typedef struct fp_tune_options {
    fp_split_options split;
    fp_objective objective;
    double confidence;      /* of intervals, in (0, 1) */
    size_t replicates;      /* of the paired bootstrap, ≥ 1; seeded by split.seed */
    size_t most_replicates; /* doubled up to so many while a verdict is not settled (monte_carlo.h); 0: never */
    double margin;          /* differences up to it make no difference in practice; 0: FP_EQUIVALENCE_MARGIN */
} fp_tune_options;

#define FP_TUNE_NONE UINT32_MAX /* no arm keeps to the precision */

/* An arm with a threshold. */
typedef struct fp_tune_choice {
    uint32_t arm; /* or FP_TUNE_NONE */
    double threshold;
    double score; /* of the objective, on the pairs on which it was chosen; NaN without an arm */
    bool bare;    /* the limit of a precision keeps to it by itself alone, not as one of as many as there are arms */
} fp_tune_choice;

/* Counts of pairs, and measures made of them. */
typedef struct fp_tune_proportions {
    fp_called_pairs called;
    fp_proportion precision, recall,
        objective; /* objective: F-beta with its interval; recall again where that is looked for */
} fp_tune_proportions;

typedef struct fp_tune_arm {
    double bytes, microseconds; /* of a document, raw text to sketch, with all threads; shared stages are charged to
                                   every arm that uses them; the least of its measurements */
    double microseconds_most;   /* the most of them */
    size_t silent;              /* documents of which it reads nothing (fp_arm_sketch_says) */
    fp_tune_choice chosen;      /* over all folds, each measured by a model that has not seen it */
    fp_tune_choice naive;       /* learned, chosen and measured on everything */
    fp_tune_choice outer[FP_SPLIT_MOST_FOLDS]; /* chosen without the outer fold */
    fp_tune_proportions held_out;              /* the arm held fixed: its threshold chosen on the other folds */
    double difference;                         /* held-out objective minus that of the recommended arm */
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
    fp_tune_proportions naive_values;                 /* in sample; without intervals */
    fp_tune_choice outer[FP_SPLIT_MOST_FOLDS];        /* chosen without the outer fold */
    fp_called_pairs fold_called[FP_SPLIT_MOST_FOLDS]; /* by that choice, on the outer fold */
    fp_tune_proportions held_out;                     /* of the procedure */
    bool reached;    /* the lower limit of the held-out precision is at least the one asked for; true where none is */
    double optimism; /* objective of the naive choice in sample minus the held-out one */
    double nearest_precision; /* when best.arm is FP_TUNE_NONE: the largest lower limit of precision, who reaches it,
                                 and where */
    fp_tune_choice nearest;
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
