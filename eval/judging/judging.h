/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * judging.h - judged samples: precision and relative recall of a corpus without labels (Manku, Jain, Das Sarma, WWW
 * 2007, section 4.1). All pairs of a corpus are counted at each distance, some are sampled from each, a person
 * judges those, and each distance is weighted by its number of pairs in the corpus.
 *
 * Stratum k holds the pairs at a distance in (k − 1, k], stratum 0 those at exactly 0. The figures are about the
 * pairs of this corpus: the only uncertainty is the sampling, so it does not matter that pairs share documents.
 */
#ifndef FP_JUDGING_H
#define FP_JUDGING_H

#include "base/parallel.h"
#include "corpora/corpus.h"
#include "eval/experiment/experiment.h"
#include "eval/statistics/interval.h"

typedef enum fp_judgement {
    FP_JUDGED_DUPLICATE,
    FP_JUDGED_NOT,
    FP_JUDGED_UNSURE,
    FP_JUDGED_OPEN, /* not judged yet */
    FP_JUDGEMENTS
} fp_judgement;

/* "duplicate", "not", "unsure", "". */
const char *fp_judgement_name(fp_judgement judgement);

/* ---- Sampling (judging_sample.c) ---- */

typedef struct fp_judged_options {
    size_t first, last; /* strata first … last; at most FP_JUDGED_STRATA of them */
    size_t per_stratum; /* pairs to sample from each, ≥ 1 */
    uint64_t seed;
} fp_judged_options;

enum { FP_JUDGED_STRATA = 1024 };

typedef struct fp_judged_stratum {
    size_t distance;
    uint64_t population; /* pairs of the corpus */
    size_t drawn;        /* min(per_stratum, population) */
} fp_judged_stratum;

typedef struct fp_judged_drawn {
    uint32_t a, b; /* documents, a < b */
    double distance;
    size_t stratum; /* position in `strata` */
} fp_judged_drawn;

typedef struct fp_judged_sample {
    fp_judged_options options;
    size_t stratum_count;
    fp_judged_stratum *strata; /* [stratum_count] */
    const char *of;            /* which pairs were sampled; NULL: all pairs of the corpus */
    size_t pair_count;
    fp_judged_drawn *pairs; /* [pair_count] in the order for judging, all strata mixed */
} fp_judged_sample;

/* Samples pairs of the sketches of a measurement without replacement; all pairs of a stratum are equally likely. A
 * first scan counts the pairs of each document in each stratum, ranks are sampled from the counts (Floyd's method:
 * Bentley, Floyd, CACM 30, 1987), and a second scan finds them. Memory grows with documents × strata. Same pairs for
 * any number of threads. Lives in `arena`. FP_ERROR_EMPTY: no stratum holds a pair. */
fp_status fp_judged_draw(const fp_measurement *measurement, const fp_judged_options *options,
                         const fp_progress *progress, fp_arena *arena, fp_judged_sample *sample, fp_error *error);

/* ---- Sheets (judging_write.c, sheet.c) ---- */

/* Writes a sheet (NULL: standard output): lines that begin with # and describe the sample, a line of column names, and
 * one line a pair, all tab-separated: pair id_a id_b distance stratum judgement text_a text_b. Texts are cut to `width`
 * characters and "…" (0: whole); control characters become spaces, and a text that a spreadsheet would read as a
 * formula gets a space before it. A cell with a quotation mark is quoted as in RFC 4180. */
fp_status fp_judged_write(const fp_judged_sample *sample, const fp_corpus *corpus, const fp_arm *arm, size_t width,
                          const char *path, fp_error *error);

typedef struct fp_judged_pair {
    fp_string id_a, id_b;
    double distance;
    size_t stratum; /* position in `strata` */
    fp_judgement judgement;
    fp_judgement saved;       /* last known judgement in the file */
    fp_string text_a, text_b; /* empty when the sheet has lost these columns */
    fp_string cell;           /* position of the judgement in the content */
} fp_judged_pair;

typedef struct fp_judged_sheet {
    const char *path;
    fp_string content; /* the file as it was read */
    fp_string corpus, sha256, arm, scale, documents, seed;
    fp_string of; /* which pairs were sampled; empty: all pairs of the corpus */
    size_t stratum_count;
    fp_judged_stratum *strata;
    bool texts; /* the sheet has text_a and text_b */
    size_t pair_count;
    fp_judged_pair *pairs; /* by pair number, from 1; the caller may change judgements */
    size_t *rows;          /* [pair_count] positions in `pairs` in the order of the file */
} fp_judged_sheet;

/* Reads a sheet, also one that a spreadsheet saved: columns in any order, extra columns, quoted cells, padded header
 * lines, a byte-order mark, CRLF. Errors name file and line: missing header line, broken row, invalid judgement,
 * repeated pair, missing rows. */
fp_status fp_judged_read(const char *path, fp_arena *arena, fp_judged_sheet *sheet, fp_error *error);
/* Writes the judgements that the caller has changed since the sheet was read or saved into the file, and reads those
 * that others have written meanwhile: several judges can work on one sheet, and of two answers to one pair the later is
 * kept. Locks the file (flock); replaces it completely or not at all, and changes nothing else in it. FP_ERROR_UNKNOWN:
 * the file now holds another sample; other errors as fp_judged_read. */
fp_status fp_judged_save(fp_judged_sheet *sheet, fp_error *error);
/* FP_ERROR_UNKNOWN, with both checksums: the sheet was sampled from other documents. */
fp_status fp_judged_belongs(const fp_judged_sheet *sheet, const fp_corpus *corpus, fp_error *error);
/* FP_ERROR_UNKNOWN, with the difference: unless both sheets hold the same sample. */
fp_status fp_judged_same(const fp_judged_sheet *a, const fp_judged_sheet *b, fp_error *error);

/* ---- Estimates (judging_estimate.c) ---- */

/* How an unsure pair is counted. */
typedef enum fp_unsure { FP_UNSURE_LEAVE_OUT, FP_UNSURE_NEGATIVE, FP_UNSURE_POSITIVE } fp_unsure;

/* The judgements of one stratum. */
typedef struct fp_judged_counts {
    size_t of[FP_JUDGEMENTS];
} fp_judged_counts;

typedef struct fp_judged_value {
    size_t threshold;
    uint64_t within;          /* pairs of the corpus in the strata up to the threshold */
    double duplicates;        /* estimated number of duplicates among them */
    double precision, recall; /* recall: relative to the duplicates in all strata; bias corrected */
    double recall_ratio;      /* recall without bias correction: the quotient of the two estimates */
    fp_interval precision_interval, recall_interval;
} fp_judged_value;

/* Counts the judgements of each stratum; counts[stratum_count]. */
void fp_judged_count(const fp_judged_sheet *sheet, fp_judged_counts *counts);

/* Merges the judgements of sheets of one sample: open where one has not judged, unsure where the judges disagree. */
void fp_judged_consensus(const fp_judged_sheet *const *sheets, size_t count, fp_judgement *judgements);

/* With N_k pairs in stratum k, of which the share p_k of those that were judged are duplicates (Cochran 1977, section
 * 5.10):
 *
 *     precision(h) = Σ_{k ≤ h} N_k p_k / Σ_{k ≤ h} N_k      relative recall(h) = Σ_{k ≤ h} N_k p_k / Σ_k N_k p_k
 *
 * The quotient of two unbiased sums x and t is biased by (R·V(t) − V(x))/t², V their variances and R the true recall
 * (Cochran 1977, section 6.8): where far strata hold many pairs and few duplicates, recall looks too high. This
 * estimate is Beale's (Industrielle Organisation 31, 1962; Tin, JASA 60, 1965), (xt + V(x))/(t² + V(t)), whose bias is
 * of the next order.
 *
 * Open pairs count as not sampled. Where unsure pairs are left out, N_k shrinks by their share of the judged pairs; the
 * uncertainty of that share is not counted. Intervals are those of the sums and parts below, limited to the values that
 * the judged pairs allow. NaN: a stratum that holds pairs has no judgement, or the denominator is 0.
 * figures[stratum_count]; `scratch` is not reset. */
fp_status fp_judged_estimate(const fp_judged_stratum *strata, const fp_judged_counts *counts, size_t stratum_count,
                             fp_unsure unsure, double confidence, fp_arena *scratch, fp_judged_value *figures,
                             fp_error *error);

/* ---- Two judges ---- */

enum { FP_KAPPA_CLASSES = 3 }; /* duplicate, not, unsure */

typedef struct fp_kappa_table {
    uint64_t of[FP_KAPPA_CLASSES][FP_KAPPA_CLASSES]; /* [first judge][second judge] */
} fp_kappa_table;

typedef struct fp_kappa {
    fp_kappa_table table;
    uint64_t pairs; /* judged by both */
    double agreement, expected, kappa, error;
    fp_interval interval;
} fp_kappa;

/* Cohen's kappa (Educational and Psychological Measurement 20, 1960), with the standard error of Fleiss, Cohen and
 * Everitt (Psychological Bulletin 72, 1969) and the normal interval from it, cut to [−1, 1]. NaN without pairs, and
 * when both judges gave one answer to all; error and interval also when they agree on every pair, where that error is
 * 0. */
void fp_kappa_make(const fp_kappa_table *table, double confidence, fp_kappa *kappa);
/* The same, from two sheets of one sample. */
void fp_kappa_of(const fp_judged_sheet *a, const fp_judged_sheet *b, double confidence, fp_kappa *kappa);

/* ---- Score intervals of weighted sums of proportions that were observed in independent strata ----
 *
 * A value θ of Σ c_k p_k is inside when (Σ c_k p̂_k − θ)² ≤ z² Σ c_k² p̃_k(1 − p̃_k)/m_k, where p̃ is the
 * maximum-likelihood p under Σ c_k p_k = θ and m_k the trials of stratum k (Martín Andrés, Herranz Tejedor, Álvarez
 * Hernández, Journal of Statistical Computation and Simulation 82, 2012, method S0): with one stratum Wilson's
 * interval, with two and the weights 1 and −1 Mee's (Biometrics 40, 1984). The variance does not become 0 where a
 * stratum showed only successes or only failures.
 *
 * With few trials and a rare answer among them the sum is skewed: of 15 trials with a failure rate of 1%, one failure
 * rejects 0.99. FP_JUDGED_SCORE_OR_UNSKEWED adds the values that the score allows after removing the third moment
 * (Laud, Pharmaceutical Statistics 16, 2017), which alone would be too short on the other side. */

typedef struct fp_judged_share {
    double share;  /* of successes, in [0, 1] */
    double trials; /* > 0; INFINITY: the share is known */
} fp_judged_share;

typedef enum fp_judged_rule { FP_JUDGED_SCORE, FP_JUDGED_SCORE_OR_UNSKEWED } fp_judged_rule;

/* n trials without replacement from a population of N equal n(N − 1)/(N − n) trials with replacement (Cochran 1977,
 * section 3.2). INFINITY when n = N. 0 < n ≤ N; N may be an estimate. */
double fp_judged_trials(double trials, double population);

/* Interval of Σ weight[k]·p_k; weights of any sign, not all 0. */
fp_interval fp_judged_sum_interval(const double *weight, const fp_judged_share *shares, size_t count,
                                   fp_judged_rule rule, double confidence);

/* Interval of the quotient of Σ weight[k]·p_k over the first `part` strata and over all of them; weights ≥ 0. A
 * quotient R is inside when 0 is inside the interval of (1 − R) times the first sum − R times the rest (for two strata
 * of equal weights: Koopman, Biometrics 40, 1984). NaN when the sum over all is 0. */
fp_interval fp_judged_part_interval(const double *weight, const fp_judged_share *shares, size_t part, size_t count,
                                    fp_judged_rule rule, double confidence);

#endif
