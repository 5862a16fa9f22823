/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_parts.h - internals of the lab behind a page, for the files of its operations.
 */
#ifndef FP_LAB_PARTS_H
#define FP_LAB_PARTS_H

#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "corpora/json.h"
#include "corpora/json_writer.h"
#include "eval/evaluation/evaluation.h"
#include "reports/lab/lab.h"

struct fp_lab {
    fp_progress progress;      /* of an evaluation */
    fp_arena *scratch;         /* of one call */
    fp_corpus *corpus;         /* of the evaluation */
    fp_evaluation *evaluation; /* the last; NULL if none */
    char *answer;
};

/* The arguments of an operation, which writes the members of its answer. */
typedef struct fp_lab_call_data {
    fp_lab *lab;
    const fp_json *request;
    fp_json_writer *to;
    fp_arena *scratch;
} fp_lab_call_data;

fp_status fp_lab_algorithms(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_features(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_fingerprint(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_compare(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_explain(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_corrupt(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_evaluate(const fp_lab_call_data *call, fp_error *error);
fp_status fp_lab_pairs(const fp_lab_call_data *call, fp_error *error);

/* ---- Requests (lab.c) ---- */

/* Read a member that is a string, an array or a number. FP_ERROR_SYNTAX: it is missing or of another type. A missing
 * number is `otherwise`. */
fp_status fp_lab_text(const fp_lab_call_data *call, const char *name, fp_string *text, fp_error *error);
fp_status fp_lab_list(const fp_lab_call_data *call, const char *name, const fp_json **list, size_t *count,
                      fp_error *error);
fp_status fp_lab_number(const fp_lab_call_data *call, const char *name, double otherwise, double least, double most,
                        double *number, fp_error *error);

/* ---- Arms (lab_arms.c) ---- */

/* The arm, fitted to these texts if it learns. Valid until the call ends. */
fp_status fp_lab_arm_of(const fp_lab_call_data *call, fp_string spec, const fp_string *texts, size_t count,
                        fp_arm **arm, fp_error *error);

/* Writes the array "arms": for each arm of the request an object that `write` writes with the given texts; for an arm
 * that fails, its error. `write` writes nothing before it can no longer fail. */
typedef fp_status (*fp_lab_write_arm)(const fp_lab_call_data *call, fp_arm *arm, const fp_string *texts, size_t count,
                                      fp_error *error);
fp_status fp_lab_each_arm(const fp_lab_call_data *call, const fp_string *texts, size_t count, fp_lab_write_arm write,
                          fp_error *error);
/* Name, spec, algorithm, what is compared, the scale and the usual threshold of an arm. */
void fp_lab_put_arm(const fp_lab_call_data *call, const fp_arm *arm);

/* ---- Values (lab_arms.c) ---- */

/* The members "error", the one line as the program prints it, and "status"; `scratch` is for the line. */
void fp_lab_put_error(fp_json_writer *to, const fp_error *error, fp_arena *scratch);
/* An object of an arm that failed. */
void fp_lab_put_failed(const fp_lab_call_data *call, fp_string spec, const fp_error *error);

/* Closes the evaluation that is kept. */
void fp_lab_evaluation_close(fp_lab *lab);

/* The corpus of a request (lab_corpus.c). documents: objects with the strings "id", "text" and, if the ground truth is
 * groups, "group". pairs: lists of two ids and a label, 0 or 1; NULL or empty if the ground truth is groups. The caller
 * closes *corpus with fp_corpus_close, also after an error. Errors of documents and pairs, numbered from 1:
 * FP_ERROR_SYNTAX, _UNKNOWN (a pair's id); FP_ERROR_EMPTY (neither pairs nor groups); those of fp_corpus_of_columns. */
fp_status fp_lab_corpus_make(const fp_json *documents, const fp_json *pairs, fp_arena *scratch, fp_corpus **corpus,
                             fp_error *error);

#endif
