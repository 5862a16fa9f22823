/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/eval.h - evaluation of arms and of user-supplied distances on a corpus: precision, recall and curves, with
 * confidence intervals and differences. The results equal those of `fplab eval`.
 *
 *     fp_corpus *corpus;
 *     fp_evaluation *evaluation;
 *     fp_corpus_open("corpora/data/newswire-zh", NULL, &corpus, &error);
 *     fp_evaluation_open(corpus, NULL, &evaluation, &error);
 *     fp_evaluation_add_arm(evaluation, "simhash", NULL, &error);
 *     fp_evaluation_add_scores(evaluation, "mine", "mine.tsv", NULL, &error);
 *     fp_evaluation_run(evaluation, &error);
 *     fp_evaluation_measure(evaluation, 1, "recall@10", &recall, &error);
 *
 * A pair is predicted positive when its distance is ≤ the threshold. Undefined values (precision without predicted
 * positives, recall without positives) are NaN, never 0 or 1.
 */
#ifndef FPLAB_EVAL_H
#define FPLAB_EVAL_H 1

#include <fplab/arm.h>
#include <fplab/corpus.h>

FP_BEGIN

/* Opaque. One thread at a time until fp_evaluation_run returns; then constant, for any number of threads. */
typedef struct fp_evaluation fp_evaluation;

/* The unit that is counted: labelled pairs; documents, positive if they have a duplicate; or clusters (only in fplab
 * eval). */
typedef enum fp_level { FP_LEVEL_PAIR, FP_LEVEL_DOCUMENT, FP_LEVEL_CLUSTER, FP_LEVELS } fp_level;

/* Interval methods (docs/evaluation-intervals.md). */
typedef enum fp_method {
    FP_METHOD_MID_P,           /* from the variance over units; mean of the distributions with and without one more
                                  unit */
    FP_METHOD_CLOPPER_PEARSON, /* the same with all weight on the more distant distribution: conservative, longer */
    FP_METHOD_PERCENTILE,      /* from bootstrap replicates */
    FP_METHOD_BCA
} fp_method;

/* Value of precision without predicted positives (0/0). Recall without positives is always undefined. */
typedef enum fp_empty { FP_EMPTY_NA, FP_EMPTY_ZERO, FP_EMPTY_ONE } fp_empty;

/* Options of an evaluation. May grow at the end. Zero or NULL is the default, as in `fplab eval`; FP_EVALUATION_OPTIONS
 * sets the size. After fp_evaluation_open only the pointers in `progress` must stay valid. */
typedef struct fp_evaluation_options {
    size_t size;              /* sizeof(fp_evaluation_options) */
    const double *thresholds; /* strictly ascending, 0 or more; NULL: 1, 2, … 10 */
    size_t threshold_count;
    double confidence;    /* of intervals, in (0, 1); 0: 0.95 */
    double prevalence;    /* in (0, 1): adds precision at this share of duplicates to the measures; 0: not added */
    size_t replicates;    /* of the bootstrap, 200 to 1000000; 0: 1000 */
    const uint64_t *seed; /* of the bootstrap and of sampled negatives; NULL: 0 */
    fp_level level;       /* FP_LEVEL_PAIR or FP_LEVEL_DOCUMENT */
    fp_method interval;
    fp_empty empty;
    const char *compared;        /* what arms are compared by: "average_precision" (default), "recall@5", … */
    fp_progress progress;        /* progress of fp_evaluation_run; threads */
    const char *const *measures; /* [measure_count] additional measures that get intervals, without a threshold:
                                    "matthews_correlation", "f_beta:2", … as `fplab measures` lists them */
    size_t measure_count;
    size_t hash_seeds;  /* for arms whose spec sets no seed, up to 1000: measures are means over this many hash seeds;
                           0: 10, and 1 with more than 50000 documents or if all pairs of groups are counted */
    uint64_t negatives; /* sample size if a corpus of groups has more negatives; each sampled pair is weighted. For bits
                           and slots all are counted where that is cheap; 0: all are counted */
} fp_evaluation_options;
#define FP_EVALUATION_OPTIONS \
    { sizeof(fp_evaluation_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0}, 0, 0, 0, 0 }

/* Begins an evaluation on a labelled corpus, which must stay open until the caller calls fp_evaluation_close. `options`
 * may be NULL. FP_ERROR_EMPTY for a corpus without labels; FP_ERROR_RANGE for a value outside its bounds,
 * FP_LEVEL_DOCUMENT where more than 707 documents are in groups, an invalid level or method, negatives sampled from
 * labelled pairs; FP_ERROR_UNKNOWN: unknown name; FP_ERROR_ABI: invalid size. */
fp_status fp_evaluation_open(const fp_corpus *corpus, const fp_evaluation_options *options, fp_evaluation **evaluation,
                             fp_error *error);
/* `evaluation` may be NULL. */
void fp_evaluation_close(fp_evaluation *evaluation);

/* The evaluated pairs: those of the corpus, or all pairs of the documents in groups, up to 707 documents. With more
 * documents all pairs are counted but not listed: only arms can be evaluated, and there are no bootstrap replicates. */
const fp_pair *fp_evaluation_pairs(const fp_evaluation *evaluation, size_t *count);

/* ---- Arms and distances to evaluate, numbered from 0 in the order of adding. Names are unique (FP_ERROR_DUPLICATE),
 * and nothing can be added after fp_evaluation_run (FP_ERROR_RANGE). On failure nothing is added. ---- */

/* Adds an arm, fitted to the corpus if it learns. `extensions`, which may be NULL, and errors as for fp_arm_parse; the
 * extensions must stay valid until fp_evaluation_close. FP_ERROR_EMPTY for a corpus without texts. */
fp_status fp_evaluation_add_arm(fp_evaluation *evaluation, const char *spec, const fp_extensions *extensions,
                                fp_error *error);
/* Adds user-supplied distances: distances[i] belongs to fp_evaluation_pairs[i], is 0 or more, and smaller means nearer;
 * copied. FP_ERROR_RANGE, with the pair, for a negative, infinite or NaN distance; FP_ERROR_EMPTY if no pairs are
 * listed. */
fp_status fp_evaluation_add_distances(fp_evaluation *evaluation, const char *name, const double *distances,
                                      fp_error *error);

/* Options for reading a file of distances, and the counts it returns. May grow at the end. */
typedef struct fp_score_reading {
    size_t size;       /* sizeof(fp_score_reading) */
    double missing;    /* > 0: the distance of pairs that the file lacks; 0: such pairs are an error */
    size_t most_bytes; /* of the file, unpacked; 0: 4 GiB */
    /* Output: */
    size_t rows;            /* in the file */
    size_t without;         /* pairs without a distance in the file */
    size_t first_without;   /* the position of the first such pair */
    size_t unlabelled;      /* skipped rows whose pair is not in fp_evaluation_pairs */
    size_t unlabelled_line; /* line of the first such row, from 1; 0: none */
} fp_score_reading;

/* Adds the distances of a file with rows id_a, id_b, distance: tab-separated, without a header, in any order; gzip and
 * Zstandard are unpacked. `reading` may be NULL. Errors name file, line and byte: FP_ERROR_IO, _ENCODING, _SYNTAX
 * (columns, a distance that is not a finite number, an id with itself), _UNKNOWN (an id), _RANGE (a negative distance),
 * _DUPLICATE (a pair in two rows), _EMPTY (no row; no pairs listed; pairs without a distance: their number, and the
 * first by name). */
fp_status fp_evaluation_add_scores(fp_evaluation *evaluation, const char *name, const char *file,
                                   fp_score_reading *reading, fp_error *error);

/* Computes measures and intervals, the same for any number of threads. FP_ERROR_EMPTY if nothing was added;
 * FP_ERROR_CANCELLED. After a failure only fp_evaluation_close may be called. */
fp_status fp_evaluation_run(fp_evaluation *evaluation, fp_error *error);

/* ---- Results, after fp_evaluation_run. `arm` is a valid number. Pointers live as long as the evaluation. ---- */

size_t fp_evaluation_arm_count(const fp_evaluation *evaluation);
const char *fp_evaluation_arm_name(const fp_evaluation *evaluation, size_t arm);
/* The thresholds that have intervals. */
const double *fp_evaluation_thresholds(const fp_evaluation *evaluation, size_t *count);

typedef struct fp_confusion {
    uint64_t tp, fp, fn, tn;
} fp_confusion;

/* Counts at any threshold. For an arm with several hash seeds they are those of its own seed, here and in the curve. */
fp_confusion fp_evaluation_counts(const fp_evaluation *evaluation, size_t arm, double threshold);

/* One point for each distinct distance, ascending. */
typedef struct fp_point {
    double distance;
    fp_confusion confusion;
} fp_point;

const fp_point *fp_evaluation_curve(const fp_evaluation *evaluation, size_t arm, size_t *count);
/* The smallest distance with the largest F1 under the arm's own seed; NaN without positives. It is chosen on the data
 * that it is measured on, hence optimistic. */
double fp_evaluation_best_threshold(const fp_evaluation *evaluation, size_t arm);

/* A measure and its interval at the chosen confidence; NaN where undefined. */
typedef struct fp_result {
    double value, low, high;
    double standard_error;
} fp_result;

/* A measure at a threshold is that of the arm's own hash seed; a measure over all thresholds is the mean over all
 * seeds. "average_precision", "roc_area", "best_f1"; "precision@5", "recall@5", "f1@5", "specificity@5" at one of the
 * thresholds; "precision_at_prevalence@5" at the prevalence of the options; any other of `fplab measures`, which has an
 * interval if fp_evaluation_options.measures names it. FP_ERROR_UNKNOWN with the names, or the nearest; FP_ERROR_RANGE
 * for a threshold that is not in the list. */
fp_status fp_evaluation_measure(const fp_evaluation *evaluation, size_t arm, const char *measure, fp_result *result,
                                fp_error *error);

/* Difference of two arms in fp_evaluation_options.compared: the first minus the second. */
typedef struct fp_compared {
    double difference, low, high;
    double p;        /* two-sided; 1 if the two are equal and do not vary, NaN where undefined */
    double adjusted; /* p after Holm correction over all comparisons of the evaluation */
} fp_compared;

/* All NaN for an arm with itself. */
fp_compared fp_evaluation_difference(const fp_evaluation *evaluation, size_t first, size_t second);

/* One to three sentences: whether pairs are independent, and how the intervals are computed. */
const char *fp_evaluation_describe(const fp_evaluation *evaluation);
/* A one-line warning that an arm learned from too little (fp_arm_caution), so that its results are doubtful. NULL if
 * there is no warning. */
const char *fp_evaluation_caution(const fp_evaluation *evaluation, size_t arm);
/* The number of documents with an empty sketch (fp_sketch.empty): they are at the largest distance from every other. */
size_t fp_evaluation_empty(const fp_evaluation *evaluation, size_t arm);

FP_END

#endif
