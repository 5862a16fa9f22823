/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice_file.h - an arm and a threshold in a small JSON file: what `fplab tune --save` writes, and other commands
 * accept.
 */
#ifndef FP_CHOICE_FILE_H
#define FP_CHOICE_FILE_H

#include "eval/evaluation/outcome.h"
#include "eval/tuning/tune.h"
#include "reports/tables/results.h"

typedef struct fp_choice {
    const char *arm;   /* specification with every value written out: fp_arm_parse makes it again */
    const char *name;  /* label */
    const char *scale; /* of the threshold: "bits of 64" */
    double threshold;  /* a pair at a distance of at most this is called a duplicate */
    const char *objective;
    double min_precision;                        /* NaN: none was asked for */
    const char *corpus;                          /* its name */
    const char *documents_sha256, *pairs_sha256; /* "" for a corpus without pairs.tsv */
    double confidence;
    /* Of the objective, and of what it is made of (fp_tuned.held_out); NaN (null in the file) where not defined. The
     * file does not have the numbers of trials. */
    fp_proportion held_out, precision, recall;
} fp_choice;

/* What was recommended; tuned->best has an arm. Texts are not copied, but the objective's name lives in `arena`.
 * FP_ERROR_MEMORY. */
fp_status fp_choice_of(const fp_tuned *tuned, const fp_corpus *corpus, fp_arena *arena, fp_choice *choice,
                       fp_error *error);

/* Whether the limit of precision is the one that was asked for, as the file says in "min_precision_reached"; true where
 * none was. Files of earlier versions may hold choices that are below it. */
bool fp_choice_reached(const fp_choice *choice);

/* The file appears complete or not at all. */
fp_status fp_choice_save(const fp_choice *choice, const char *path, fp_error *error);

/* Reads the file into `arena`. Errors name it: FP_ERROR_IO, FP_ERROR_SYNTAX (not JSON, a member that is missing or of
 * another type), FP_ERROR_RANGE (a threshold below 0, a number that no double holds), and what fp_json_parse says, with
 * line and byte. That the arm exists is for fp_arm_parse to say. */
fp_status fp_choice_read(const char *path, fp_arena *arena, fp_choice *choice, fp_error *error);
/* The same of the bytes of such a file, kept elsewhere: errors call it `name`. */
fp_status fp_choice_parse(fp_string content, const char *name, fp_arena *arena, fp_choice *choice, fp_error *error);

/* ---- choices as an evaluation finds them: each at its own threshold, beside what tuning promised. ---- */

/* choices[c] gave the arms[c] of every outcome its threshold. */

/* choices.tsv: corpus arm scale threshold tp fp fn tn, then precision, recall and F1 with their intervals, then the
 * precision and recall on held-out groups that the choice came with. Intervals as in results.tsv. */
fp_table *fp_choice_results(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices, fp_arena *arena);
/* The same for a person. */
fp_table *fp_choice_results_short(const fp_chosen_outcome *outcomes, size_t count, const fp_choice *choices,
                                  fp_arena *arena);

#endif
