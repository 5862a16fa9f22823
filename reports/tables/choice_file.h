/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice_file.h - an arm and a threshold in a small JSON file, written by `fplab tune --save` and read by other
 * commands.
 */
#ifndef FP_CHOICE_FILE_H
#define FP_CHOICE_FILE_H

#include "eval/evaluation/outcome.h"
#include "eval/tuning/tune.h"
#include "reports/tables/results.h"

typedef struct fp_choice {
    const char *arm;   /* specification with every value written out, for fp_arm_parse */
    const char *name;  /* label */
    const char *scale; /* of the threshold: "bits of 64" */
    double threshold;  /* pairs with distance ≤ threshold are called duplicates */
    const char *objective;
    double min_precision;                        /* NaN: not requested */
    const char *corpus;                          /* name of the corpus */
    const char *documents_sha256, *pairs_sha256; /* "" for a corpus without pairs.tsv */
    double confidence;
    /* The objective and its parts (fp_tuned.held_out); NaN (null in the file): undefined. The file omits the numbers of
     * trials. */
    fp_proportion held_out, precision, recall;
} fp_choice;

/* The recommended choice; tuned->best must have an arm. Texts are not copied; the objective's name lives in `arena`.
 * FP_ERROR_MEMORY. */
fp_status fp_choice_of(const fp_tuned *tuned, const fp_corpus *corpus, fp_arena *arena, fp_choice *choice,
                       fp_error *error);

/* Whether the lower limit of precision reaches the requested precision ("min_precision_reached" of the file); true if
 * none was requested. Files of earlier versions may hold choices below it. */
bool fp_choice_reached(const fp_choice *choice);

/* The file appears complete or not at all. */
fp_status fp_choice_save(const fp_choice *choice, const char *path, fp_error *error);

/* Reads the file into `arena`. Errors name the file: FP_ERROR_IO, FP_ERROR_SYNTAX (not JSON, a missing member or one of
 * another type), FP_ERROR_RANGE (a threshold below 0, a number outside the range of double), and those of
 * fp_json_parse, with line and byte. Only fp_arm_parse checks that the arm exists. */
fp_status fp_choice_read(const char *path, fp_arena *arena, fp_choice *choice, fp_error *error);
/* The same for the content of such a file; errors call it `name`. */
fp_status fp_choice_parse(fp_string content, const char *name, fp_arena *arena, fp_choice *choice, fp_error *error);

/* ---- Choices in an evaluation: results at their own thresholds, and those of tuning ---- */

/* choices[c] sets the threshold of arms[c] of every outcome. */

/* choices.tsv: corpus arm scale threshold tp fp fn tn, then precision, recall and F1 with their intervals, then the
 * choice's precision and recall on held-out groups. Intervals as in results.tsv. */
fp_table *fp_choice_results(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices, fp_arena *arena);
/* The same, in readable form. */
fp_table *fp_choice_results_short(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                                  fp_arena *arena);

#endif
