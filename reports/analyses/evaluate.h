/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * evaluate.h - `fplab eval` and `fplab tune` from what is written in their options to their tables: for the program and
 * for fplab/tables.h.
 */
#ifndef FP_EVALUATE_H
#define FP_EVALUATE_H

#include <limits.h>

#include "eval/tuning/tune.h"
#include "reports/analyses/analyses.h"
#include "reports/tables/choice_file.h"

enum { FP_EVAL_BUCKETS = 100, FP_EVAL_THRESHOLDS = 4097, FP_EVAL_MEASURES = 32, FP_EVAL_ANALYSES = 32 };
enum { FP_NOT_GIVEN = INT_MIN }; /* replicates */

/* The words of --level (fp_level), --empty (fp_empty) and --interval. */
#define FP_EVAL_LEVELS "pair document cluster"
#define FP_EVAL_EMPTY "na zero one"
#define FP_EVAL_METHODS "mid-p clopper-pearson percentile bca"

typedef struct fp_eval_request {
    /* As the options are written; NULL where they are not given. */
    const char *thresholds, *by, *buckets, *level, *empty, *interval, *compare, *compare_at, *equivalence, *detect,
        *hash_seeds, *negatives;
    const char **measures; /* ended by NULL */
    int replicates;        /* FP_NOT_GIVEN */
    long long seed;
    bool every_table;                           /* those that no terminal shows, too */
    fp_analysis_values given[FP_EVAL_ANALYSES]; /* by fp_analyses */
    size_t choice_count;
    const fp_choice *choices; /* [choice_count] whose arms are the last */
    /* May be NULL: `note` is told a line that is no failure; `measured` is called before what is measured of a corpus
     * is analysed. */
    void (*note)(void *context, const char *line);
    void (*measured)(void *context, const fp_outcome *outcome, fp_arm *const *arms);
    void *context;
    /* What they mean, from fp_eval_read on. */
    size_t bounds[FP_EVAL_BUCKETS], bound_count;
    double *stated; /* [stated_count] of `compare_at` */
    size_t stated_count;
    double threshold_list[FP_EVAL_THRESHOLDS];
    fp_measure further[FP_EVAL_MEASURES];
    fp_strata_choice divided;
    fp_asked asked[FP_EVAL_ANALYSES]; /* the analyses among the questions */
    fp_questions questions;
    fp_results results;
    fp_findings findings; /* to be freed in any case (fp_findings_free) */
} fp_eval_request;
/* What is not written there: the seed, thresholds 1 to 10, 95% intervals. */
#define FP_EVAL_REQUEST                                                                                          \
    {                                                                                                            \
        .replicates = FP_NOT_GIVEN, .results = {.first_threshold = 1, .last_threshold = 10, .confidence = 0.95 } \
    }

/* Reads the options. A failure but FP_ERROR_MEMORY is a mistake in them, whose message names it. The request stays
 * where it is from here on. */
fp_status fp_eval_read(fp_eval_request *request, fp_arena *arena, fp_error *error);
/* The option of the first analysis that was asked for and needs this (FP_NEEDS_…); NULL: none does. */
const char *fp_eval_needing(const fp_eval_request *request, unsigned need);
/* The thresholds of these arms, parsed and not fitted, and whether the analyses fit them. Then room for `corpora`.
 * Errors as of fp_eval_read. */
fp_status fp_eval_settle(fp_eval_request *request, fp_arm *const *arms, size_t count, size_t corpora, fp_arena *arena,
                         fp_error *error);
/* Measures and analyses a labelled corpus; the arms are the corpus's own. FP_ERROR_DUPLICATE for the name of an earlier
 * one. Everything lives in `arena` but what fp_findings_free releases. */
fp_status fp_eval_corpus(fp_eval_request *request, const fp_corpus *read, fp_arm *const *arms, size_t count,
                         const fp_progress *progress, fp_arena *arena, fp_error *error);
/* After the last corpus: ranks, and request->results. */
fp_status fp_eval_end(fp_eval_request *request, fp_arena *arena, fp_error *error);

typedef fp_status (*fp_visit_table)(void *context, const char *name, const fp_table *table, fp_error *error);
/* Every table, under the name of its file. The arena is one of reports (results.h). */
fp_status fp_eval_tables(const fp_eval_request *request, fp_visit_table visit, void *context, fp_arena *arena,
                         fp_error *error);

/* ---- Tuning ---- */

/* The grid where none is named; ended by NULL. */
extern const char *const fp_tune_usual_grid[];

/* As the options are written; NULL where they are not given. */
typedef struct fp_tune_request {
    const char *precision, *beta, *equivalence;
    int folds, replicates, negatives;
    long long seed;
} fp_tune_request;
#define FP_TUNE_REQUEST \
    { .folds = 5, .replicates = FP_NOT_GIVEN, .negatives = 200000 }

/* Reads the options; errors as of fp_eval_read. */
fp_status fp_tune_read(const fp_tune_request *request, fp_tune_options *how, fp_error *error);

#endif
