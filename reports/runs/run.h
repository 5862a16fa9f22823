/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run.h - writes run.json, which records everything needed to repeat an evaluation.
 */
#ifndef FP_RUN_H
#define FP_RUN_H

#include "corpora/json_writer.h"
#include "reports/runs/run_table.h"
#include "reports/tables/results.h"
#include "reports/tables/tuning_tables.h"

/* Writes TO/run.json: version and commit, date, directory, command line, arms in full, corpora and files named by arms
 * with checksums, definitions, processor, kernel, libraries and data tables. SOURCE_DATE_EPOCH, if set, replaces the
 * date. A name that is not UTF-8 is written as {"percent": "…"}. */
fp_status fp_run_save(const fp_results *results, int argument_count, const char *const *arguments, fp_run_content *to,
                      fp_error *error);

/* A setting of a run: a text, or a number if `text` is NULL. */
typedef struct fp_run_fact {
    const char *name;
    const char *text;
    double number; /* NaN is written as null */
} fp_run_fact;

/* A run with its own definitions. */
typedef struct fp_run_facts {
    const fp_corpus *corpus; /* NULL: no corpus and no arms */
    fp_arm *const *arms;
    size_t arm_count;
    const fp_run_fact *facts; /* ends with a NULL name */
    const char *file;         /* a file read in a run without arms; NULL: none */
    size_t corpus_count;      /* length of `corpus`; 0: one */
} fp_run_facts;

/* Otherwise as fp_run_save. */
fp_status fp_run_save_facts(const fp_run_facts *of, int argument_count, const char *const *arguments,
                            fp_run_content *to, fp_error *error);

/* ---- run.json of tuning ---- */

/* As fp_run_save, plus the options, the sample and the omissions of the tuning. */
fp_status fp_tuning_run_save(const fp_tuning *tuning, int argument_count, const char *const *arguments,
                             fp_run_content *to, fp_error *error);

#endif
