/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * measure.h - the measures of an evaluation at pair level. Each is one row: name, definition, value from the counts at
 * a threshold or from the whole ranking, derivative, and kind of interval. To add a measure, add a row to
 * count_measures.c (at a threshold) or ranking_measures.c (over the range of distances): intervals, differences,
 * tables, strata and `fplab measures` iterate over these. An undefined value is NaN, and NA in outputs.
 */
#ifndef FP_MEASURE_H
#define FP_MEASURE_H

#include "eval/measures/ranking.h"

/* A name, and one sentence that defines it. */
typedef struct fp_definition {
    const char *name, *definition;
} fp_definition;

/* A number for each cell of the table of counts: counts, weights, or derivatives by the counts. */
typedef struct fp_cells {
    double tp, fp, fn, tn;
} fp_cells;

/* Sets of cells. */
enum { FP_CELL_TP = 1, FP_CELL_FP = 2, FP_CELL_FN = 4, FP_CELL_TN = 8, FP_CELL_ALL = 15 };

/* What an interval is made from: measure_interval.c has the one switch over these. */
typedef enum fp_interval_rule {
    /* The variance of the influence values: the interval of a proportion on the measure's own range with that variance.
     * Good for every measure. */
    FP_INTERVAL_OF_RANGE,
    FP_INTERVAL_OF_SHARE,    /* a proportion `success` of `counted`, or what `of_share` makes of it */
    FP_INTERVAL_OF_TWO_RATES /* precision at a prevalence, from recall and the false positive rate */
} fp_interval_rule;

/* A parameter of a measure, such as β of F-beta. */
typedef struct fp_measure_parameter {
    const char *name;    /* NULL: none */
    double above, below; /* it lies between these, both excluded */
    double example;
    bool is_prevalence; /* if omitted, the prevalence of the evaluation is used */
} fp_measure_parameter;

/* Fields that do not apply are left out. The functions get counts of at least one pair. */
typedef struct fp_measure_row {
    const char *name;       /* as a column is called, without a parameter */
    const char *label;      /* as a person reads it */
    const char *label_zh;   /* the same in Chinese */
    const char *definition; /* one sentence with the formula */
    const char *source;     /* paper, and the equation or section there */
    double least, most; /* the values it can take; `least` may be −∞ where good rankings lie between 0 and `most` */
    bool lower_is_better;
    bool usual;  /* estimated in every evaluation; others on request */
    double lost; /* over the range: the part of it that losing all positives of one of U units costs, times U; 0: 1 */
    fp_measure_parameter parameter;
    fp_interval_rule interval;

    /* ---- At a threshold ---- */

    double (*value)(fp_cells counts, double parameter); /* NaN for 0/0. Depends only on the shares of the counts */
    /* Its derivative by each count, where the value is defined. NULL: computed numerically from `value`. */
    fp_cells (*gradient)(fp_cells counts, double parameter);
    /* The value instead of NaN if precision without predictions is set to `worth` (0 or 1). NULL: NaN. */
    double (*by_rule)(fp_cells counts, double worth);
    unsigned counted;                      /* the cells that it rests on */
    unsigned success;                      /* of a proportion: those of `counted` that are successes */
    fp_cells (*weights)(double parameter); /* of a weighted proportion: what a pair of each cell weighs; NULL: 1 */
    double (*of_share)(double share);      /* the measure as a rising function of the proportion; NULL: it is one */
    double (*to_share)(double value, double *slope); /* the inverse, and its derivative; with `of_share` */

    /* ---- Over the range of distances ---- */

    double (*over_range)(const fp_ranked *pairs); /* NaN where not defined */
    /* The derivative by the weight of a pair in each cell, influence[2·bin_count], where the value is defined; those of
     * empty cells are not read. */
    void (*influence)(const fp_ranked *pairs, double value, double *influence);
} fp_measure_row;

/* Every row, the measures at a threshold first; ends with NULL. Static storage. */
const fp_measure_row *fp_measure_listed(size_t position);

/* The measures used by name in the code. */
extern const fp_measure_row fp_measure_precision, fp_measure_recall, fp_measure_f1, fp_measure_specificity,
    fp_measure_none_precision, /* of the class of those that are no duplicates; its recall is specificity */
    fp_measure_none_f1, fp_measure_precision_at, /* precision at a stated prevalence */
    fp_measure_average_precision, fp_measure_best_f1, fp_measure_roc_area;
/* Where best F1 is reached: the smallest such distance. A place rather than a measure, and in no list. */
extern const fp_measure_row fp_measure_best_threshold;

/* The rows of either kind; each list ends with NULL. */
extern const fp_measure_row *const fp_count_measures[], *const fp_ranking_measures[];

/* A row with its threshold and parameter. */
typedef struct fp_measure {
    const fp_measure_row *row;
    size_t threshold; /* position in the list of thresholds; for measures at a threshold */
    double parameter;
    bool named; /* the parameter is part of its name: f_beta:2 */
} fp_measure;

static inline bool fp_measure_at_threshold(const fp_measure_row *row) { return row->value != NULL; }
/* Whether both are equal except for the threshold. */
bool fp_measure_same(const fp_measure *one, const fp_measure *other);
/* "recall", "f_beta:2". Static or in `arena`; NULL when out of memory. */
const char *fp_measure_name(const fp_measure *measure, fp_arena *arena);
/* The same for a person: "recall", "F-beta (beta 2)". */
const char *fp_measure_label(const fp_measure *measure, fp_arena *arena);

/* The measure called NAME or NAME:PARAMETER, without a threshold; `prevalence` is that of the evaluation, 0 for none.
 * FP_ERROR_UNKNOWN with the nearest name, or all; FP_ERROR_RANGE when the parameter is missing, or out of range, or
 * there is none. */
fp_status fp_measure_find(const char *text, double prevalence, fp_measure *measure, fp_error *error);
/* "average_precision", or, at one of the listed thresholds, "precision@5", "f_beta:2@5". Errors as above, and
 * FP_ERROR_RANGE for a threshold that is not listed, or that the measure does not have, or lacks. */
fp_status fp_measure_parse(const char *text, const double *thresholds, size_t threshold_count, double prevalence,
                           fp_measure *measure, fp_error *error);

/* A measure at a threshold from its counts; NaN for one over the range of distances. */
double fp_measure_of(fp_measure measure, fp_confusion counts, fp_empty empty);
/* Its derivative by each count; all 0 where the value is one by rule. The value must be defined. */
fp_cells fp_measure_gradient(fp_measure measure, fp_confusion counts);
/* A measure over the range, from a finished histogram; NaN for one at a threshold. FP_ERROR_RANGE when twice the
 * positives times all pairs are 2⁶⁴ or more. */
fp_status fp_measure_of_histogram(fp_measure measure, const fp_histogram *histogram, double *value, fp_error *error);

/* TPR·π/(TPR·π + FPR·(1 − π)); NaN when both rates are 0 or π is outside (0, 1). */
double fp_precision_at(double tpr, double fpr, double prevalence);

#endif
