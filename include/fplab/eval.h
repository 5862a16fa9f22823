/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/eval.h - evaluation: arms and distances of one's own on a corpus, to precision, recall and curves, with
 * intervals and differences. The figures are those of `fplab eval`.
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
 * A pair is predicted positive when its distance is ≤ the threshold. What is not defined (precision when nothing is
 * predicted positive, recall when there are no positives) is NaN, never 0 or 1.
 */
#ifndef FPLAB_EVAL_H
#define FPLAB_EVAL_H 1

#include <fplab/arm.h>
#include <fplab/corpus.h>

FP_BEGIN

/* Opaque. One thread at a time until it has run; then constant, for any number of threads. */
typedef struct fp_evaluation fp_evaluation;

/* What is counted: labelled pairs; documents, positive when they have a duplicate; or clusters (fplab eval alone). */
typedef enum fp_level { FP_LEVEL_PAIR, FP_LEVEL_DOCUMENT, FP_LEVEL_CLUSTER, FP_LEVELS } fp_level;

/* How intervals are made (docs/evaluation-intervals.md). */
typedef enum fp_method {
    FP_METHOD_MID_P,           /* from the spread over units, with half of each binomial law */
    FP_METHOD_CLOPPER_PEARSON, /* the same with all of the law that is further out: longer */
    FP_METHOD_PERCENTILE,      /* from bootstrap replicates */
    FP_METHOD_BCA
} fp_method;

/* Precision where nothing is predicted, so that it is 0/0. Recall without positives stays undefined under every rule.
 */
typedef enum fp_empty { FP_EMPTY_NA, FP_EMPTY_ZERO, FP_EMPTY_ONE } fp_empty;

/* Options of an evaluation. May grow at the end. Zero or NULL is the default, which is also that of
 * `fplab eval`; FP_EVALUATION_OPTIONS sets the size. Nothing that is pointed to is needed after fp_evaluation_open but
 * what progress points to. */
typedef struct fp_evaluation_options {
    size_t size;              /* sizeof(fp_evaluation_options) */
    const double *thresholds; /* ascending strictly, 0 or more; NULL: 1, 2, … 10 */
    size_t threshold_count;
    double confidence;    /* of intervals, in (0, 1); 0: 0.95 */
    double prevalence;    /* in (0, 1): precision at this share of duplicates is among the measures; 0: it is not */
    size_t replicates;    /* of the bootstrap, 200 to 1000000; 0: 1000 */
    const uint64_t *seed; /* of the bootstrap, and of sampled negatives; NULL: 0 */
    fp_level level;       /* FP_LEVEL_PAIR or FP_LEVEL_DOCUMENT */
    fp_method interval;
    fp_empty empty;
    const char *compared;        /* what arms are compared by: "average_precision" (default), "recall@5", … */
    fp_progress progress;        /* told how far the work is, by fp_evaluation_run; threads */
    const char *const *measures; /* [measure_count] further ones that are to have intervals, without a threshold:
                                    "matthews_correlation", "f_beta:2", … as `fplab measures` lists them */
    size_t measure_count;
    size_t hash_seeds;  /* of the arms that leave their seed open, up to 1000: their measures are means over so many;
                           0: 10, and 1 with more than 50000 documents or where all pairs of groups are counted */
    uint64_t negatives; /* sample size of the negatives of a corpus of groups that has more; each sampled pair is
                           weighted. Of bits and slots all are counted where that is cheap; 0: all are counted */
} fp_evaluation_options;
#define FP_EVALUATION_OPTIONS \
    { sizeof(fp_evaluation_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0}, 0, 0, 0, 0 }

/* Begins an evaluation on a corpus that has labels, and that must stay open until fp_evaluation_close, which the caller
 * ends it with. `options` may be NULL. FP_ERROR_EMPTY for a corpus without labels; FP_ERROR_RANGE for a value outside
 * its bounds, documents counted where groups are of more than 707 documents, a level or method that there is not,
 * negatives sampled from labelled pairs; FP_ERROR_UNKNOWN: unknown name; FP_ERROR_ABI: invalid size. */
fp_status fp_evaluation_open(const fp_corpus *corpus, const fp_evaluation_options *options, fp_evaluation **evaluation,
                             fp_error *error);
/* `evaluation` may be NULL. */
void fp_evaluation_close(fp_evaluation *evaluation);

/* The pairs that are evaluated: those of the corpus, or all pairs of the documents in groups, up to 707 documents. With
 * more, all pairs are counted and none is listed: arms alone can be evaluated, and no replicates are drawn. */
const fp_pair *fp_evaluation_pairs(const fp_evaluation *evaluation, size_t *count);

/* ---- What is evaluated. Arms are numbered from 0 in the order of adding. Names are unique (FP_ERROR_DUPLICATE), and
 * nothing can be added after fp_evaluation_run (FP_ERROR_RANGE). On failure nothing was added. ---- */

/* An arm, which learns from the corpus where it learns. `extensions`, which may be NULL, and errors as of
 * fp_arm_parse; what they point to is needed until fp_evaluation_close. FP_ERROR_EMPTY for a corpus without
 * texts. */
fp_status fp_evaluation_add_arm(fp_evaluation *evaluation, const char *spec, const fp_extensions *extensions,
                                fp_error *error);
/* Distances of one's own: distances[i] of fp_evaluation_pairs[i], 0 or more, the smaller the nearer; copied.
 * FP_ERROR_RANGE, with the pair, for one that is negative, infinite or NaN; FP_ERROR_EMPTY where no pairs are listed.
 */
fp_status fp_evaluation_add_distances(fp_evaluation *evaluation, const char *name, const double *distances,
                                      fp_error *error);

/* How the distances of a file are read, and what was found. May grow at the end. */
typedef struct fp_score_reading {
    size_t size;       /* sizeof(fp_score_reading) */
    double missing;    /* > 0: the distance of pairs that have none in the file; 0: such pairs are refused */
    size_t most_bytes; /* of the file, unpacked; 0: 4 GiB */
    /* Filled: */
    size_t rows;            /* in the file */
    size_t without;         /* pairs that have no distance in the file */
    size_t first_without;   /* the place of their first */
    size_t unlabelled;      /* rows whose pair is not one of fp_evaluation_pairs; they are left out */
    size_t unlabelled_line; /* the first of them, from 1; 0: none */
} fp_score_reading;

/* The distances in a file of rows id_a, id_b, distance: tab-separated, without a header, in any order; gzip and
 * Zstandard are unpacked. `reading` may be NULL. Errors name file, line and byte: FP_ERROR_IO, _ENCODING, _SYNTAX
 * (columns, a distance that is no finite number, an id with itself), _UNKNOWN (an id), _RANGE (a negative distance),
 * _DUPLICATE (a pair in two rows), _EMPTY (no row; no pairs listed; pairs without a distance, counted, the first
 * named). */
fp_status fp_evaluation_add_scores(fp_evaluation *evaluation, const char *name, const char *file,
                                   fp_score_reading *reading, fp_error *error);

/* Computes figures and intervals, the same for any number of threads. FP_ERROR_EMPTY when nothing was added.
 * After a failure the evaluation is only good for fp_evaluation_close. */
fp_status fp_evaluation_run(fp_evaluation *evaluation, fp_error *error);

/* ---- What was found: after fp_evaluation_run. `arm` is a place, and must be there. Pointers live as long as the
 * evaluation. ---- */

size_t fp_evaluation_arm_count(const fp_evaluation *evaluation);
const char *fp_evaluation_arm_name(const fp_evaluation *evaluation, size_t arm);
/* The thresholds at which there are intervals. */
const double *fp_evaluation_thresholds(const fp_evaluation *evaluation, size_t *count);

typedef struct fp_confusion {
    uint64_t tp, fp, fn, tn;
} fp_confusion;

/* Counts at any threshold; of an arm under several seeds, here and in the curve, under its own. */
fp_confusion fp_evaluation_counts(const fp_evaluation *evaluation, size_t arm, double threshold);

/* One point for each distinct distance, ascending. */
typedef struct fp_point {
    double distance;
    fp_confusion confusion;
} fp_point;

const fp_point *fp_evaluation_curve(const fp_evaluation *evaluation, size_t arm, size_t *count);
/* The smallest distance with the largest F1 under the arm's own seed; NaN without positives. It is chosen where it is
 * measured, hence optimistic. */
double fp_evaluation_best_threshold(const fp_evaluation *evaluation, size_t arm);

/* A measure, and its interval at the confidence that was asked for; NaN where there is none. */
typedef struct fp_result {
    double value, low, high;
    double standard_error;
} fp_result;

/* At a threshold a measure is that of the arm's own hash seed, over the range the mean over all seeds.
 * "average_precision", "roc_area", "best_f1"; "precision@5", "recall@5", "f1@5", "specificity@5" at one of the
 * thresholds; "precision_at_prevalence@5" at the prevalence that was stated; any other of `fplab measures`, which has
 * an interval where fp_evaluation_options.measures names it. FP_ERROR_UNKNOWN with the names, or the nearest;
 * FP_ERROR_RANGE for a threshold that is not there. */
fp_status fp_evaluation_measure(const fp_evaluation *evaluation, size_t arm, const char *measure, fp_result *result,
                                fp_error *error);

/* Two arms by fp_evaluation_options.compared: the first less the second. */
typedef struct fp_compared {
    double difference, low, high;
    double p;        /* two-sided; 1 where the two are equal and do not vary, NaN where it is not defined */
    double adjusted; /* the same by Holm, over all comparisons of the evaluation */
} fp_compared;

/* All NaN of an arm with itself. */
fp_compared fp_evaluation_difference(const fp_evaluation *evaluation, size_t first, size_t second);

/* One to three sentences: whether pairs are independent, and where the intervals come from. */
const char *fp_evaluation_describe(const fp_evaluation *evaluation);
/* What makes the figures of an arm doubtful, in one line: that it learned from too little (fp_arm_caution). NULL when
 * there is nothing to say. */
const char *fp_evaluation_caution(const fp_evaluation *evaluation, size_t arm);
/* Documents whose sketch is empty (fp_sketch.empty): they are at the largest distance from every other. */
size_t fp_evaluation_silent(const fp_evaluation *evaluation, size_t arm);

FP_END

#endif
