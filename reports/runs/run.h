/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run.h - run.json: all that is needed to repeat an evaluation.
 */
#ifndef FP_RUN_H
#define FP_RUN_H

#include "corpora/json_writer.h"
#include "reports/runs/run_table.h"
#include "reports/tables/results.h"
#include "reports/tables/tuning_tables.h"

/* Writes TO/run.json: version and commit, date, directory, command line, arms in full, corpora and files that arms name
 * with checksums, definitions, processor, kernel, libraries and data tables. The date is that of SOURCE_DATE_EPOCH
 * where it is set. A name that is not UTF-8 is written as {"percent": "…"}. */
fp_status fp_run_save(const fp_results *results, int argument_count, const char *const *arguments, fp_run_content *to,
                      fp_error *error);

/* A choice of a run: a text, or a number where `text` is NULL. */
typedef struct fp_run_fact {
    const char *name;
    const char *text;
    double number; /* NaN is written as null */
} fp_run_fact;

/* A run whose definitions are others. */
typedef struct fp_run_facts {
    const fp_corpus *corpus; /* NULL: over none, and without arms */
    fp_arm *const *arms;
    size_t arm_count;
    const fp_run_fact *facts; /* ends with a NULL name */
    const char *file;         /* that was read beside those that arms name, in a run without arms; NULL: none */
    size_t corpus_count;      /* where `corpus` is the first of several; 0: one */
} fp_run_facts;

/* As fp_run_save. */
fp_status fp_run_save_facts(const fp_run_facts *of, int argument_count, const char *const *arguments,
                            fp_run_content *to, fp_error *error);

/* ---- run.json of a tuning. ---- */

/* As fp_run_save, with what the tuning asked for, drew and left out. */
fp_status fp_tuning_run_save(const fp_tuning *tuning, int argument_count, const char *const *arguments,
                             fp_run_content *to, fp_error *error);

#endif
