/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * evaluate.h - `fplab eval` and `fplab tune`, from option texts to tables: for the program and fplab/tables.h.
 */
#ifndef FP_EVALUATE_H
#define FP_EVALUATE_H

#include <limits.h>

#include "eval/tuning/tune.h"
#include "reports/analyses/analyses.h"
#include "reports/tables/choice_file.h"

enum { FP_EVAL_BUCKETS = 100, FP_EVAL_THRESHOLDS = 4097, FP_EVAL_MEASURES = 32, FP_EVAL_ANALYSES = 32 };
enum { FP_NOT_GIVEN = INT_MIN }; /* of replicates */

/* The values of --level (fp_level), --empty (fp_empty) and --interval. */
#define FP_EVAL_LEVELS "pair document cluster"
#define FP_EVAL_EMPTY "na zero one"
#define FP_EVAL_METHODS "mid-p clopper-pearson percentile bca"

typedef struct fp_eval_request {
    /* Option texts; NULL: not given. */
    const char *thresholds, *by, *buckets, *level, *empty, *interval, *compare, *compare_at, *equivalence, *detect,
        *hash_seeds, *negatives;
    const char **measures; /* ended by NULL */
    int replicates;        /* or FP_NOT_GIVEN */
    long long seed;
    bool every_table;                           /* also tables that no terminal shows */
    bool without_bands;                         /* no table has simultaneous intervals */
    fp_analysis_values given[FP_EVAL_ANALYSES]; /* in the order of fp_analyses */
    size_t choice_count;
    const fp_choice *choices; /* [choice_count]; their arms are the last */
    /* Callbacks, may be NULL. `note` receives a line that is not an error. `measured` is called after a corpus is
     * measured and before it is analysed. */
    void (*note)(void *context, const char *line);
    void (*measured)(void *context, const fp_outcome *outcome, fp_arm *const *arms);
    void *context;
    /* Parsed values, set by fp_eval_read. */
    size_t bounds[FP_EVAL_BUCKETS], bound_count;
    double *stated; /* [stated_count] of `compare_at` */
    size_t stated_count;
    double threshold_list[FP_EVAL_THRESHOLDS];
    fp_measure further[FP_EVAL_MEASURES];
    fp_strata_choice divided;
    fp_asked asked[FP_EVAL_ANALYSES]; /* the requested analyses */
    fp_questions questions;
    fp_results results;
    fp_findings findings; /* always free with fp_findings_free */
} fp_eval_request;
/* Defaults: the seed, thresholds 1 to 10, 95% intervals. */
#define FP_EVAL_REQUEST                                                                                          \
    {                                                                                                            \
        .replicates = FP_NOT_GIVEN, .results = {.first_threshold = 1, .last_threshold = 10, .confidence = 0.95 } \
    }

/* Parses the options. Every error except FP_ERROR_MEMORY is an invalid option, which the message names. Do not move the
 * request after this call. */
fp_status fp_eval_read(fp_eval_request *request, fp_arena *arena, fp_error *error);
/* Sets the thresholds for these arms (parsed, not fitted), checks that the analyses fit them, and makes room for
 * `corpora` corpora. Errors as for fp_eval_read. */
fp_status fp_eval_settle(fp_eval_request *request, fp_arm *const *arms, size_t count, size_t corpora, fp_arena *arena,
                         fp_error *error);
/* Measures and analyses a labelled corpus; the arms belong to this corpus. FP_ERROR_DUPLICATE: an earlier corpus has
 * the same name. Results live in `arena`, except what fp_findings_free releases. */
fp_status fp_eval_corpus(fp_eval_request *request, const fp_corpus *read, fp_arm *const *arms, size_t count,
                         const fp_progress *progress, fp_arena *arena, fp_error *error);
/* Call after the last corpus: ranks the arms and sets request->results. */
fp_status fp_eval_end(fp_eval_request *request, fp_arena *arena, fp_error *error);

typedef fp_status (*fp_visit_table)(void *context, const char *name, const fp_table *table, fp_error *error);
/* Visits every table, with the name of its file. The arena is one of reports (results.h). */
fp_status fp_eval_tables(const fp_eval_request *request, fp_visit_table visit, void *context, fp_arena *arena,
                         fp_error *error);

/* ---- Tuning ---- */

/* The default grid; ended by NULL. */
extern const char *const fp_tune_usual_grid[];

/* Option texts; NULL: not given. */
typedef struct fp_tune_request {
    const char *precision, *beta, *equivalence;
    int folds, replicates, negatives;
    long long seed;
} fp_tune_request;
#define FP_TUNE_REQUEST \
    { .folds = 5, .replicates = FP_NOT_GIVEN, .negatives = 200000 }

/* Parses the options; errors as for fp_eval_read. */
fp_status fp_tune_read(const fp_tune_request *request, fp_tune_options *how, fp_error *error);

#endif
