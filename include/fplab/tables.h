/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/tables.h - whole evaluations and tunings, as tables: all that `fplab eval` and `fplab tune` find, by the names
 * of their options and of their files.
 *
 *     const fp_setting settings[] = {{"by", "kind"}, {"retrieval", NULL}};
 *     const char *const arms[] = {"simhash", "minhash"};
 *     fp_evaluate(&corpus, 1, arms, 2, settings, 2, &tables, NULL, &error);
 *     size_t answer = fp_tables_find(tables, "answer");
 *
 * docs/evaluation.md and docs/formats.md describe the tables and their columns.
 */
#ifndef FPLAB_TABLES_H
#define FPLAB_TABLES_H 1

#include <fplab/arm.h>
#include <fplab/corpus.h>

FP_BEGIN

/* An option as on the command line, without its dashes: {"level", "cluster"}. `value` is NULL for one that takes none.
 * What may be repeated there may be here. */
typedef struct fp_setting {
    const char *name, *value;
} fp_setting;

/* Opaque and constant: any number of threads. What is read of it lives until fp_tables_free, which takes NULL. */
typedef struct fp_tables fp_tables;
void fp_tables_free(fp_tables *tables);

/* Evaluates arms, each fitted to the corpus where it learns, on one labelled corpus or several, whose names differ; all
 * tables that `fplab eval --format json` prints. Settings are the options of `fplab eval` that say what is computed:
 * thresholds, by, buckets, level, interval, compare, … and those of the analyses (retrieval, theory, lost, …). The same
 * for any number of threads. The corpora stay open while it runs. FP_ERROR_UNKNOWN for a setting that there is not,
 * FP_ERROR_RANGE for one with a wrong value, both with the name of the option; FP_ERROR_EMPTY without labels or arms;
 * FP_ERROR_DUPLICATE: two arms or corpora of one name; FP_ERROR_CANCELLED; those of fp_arm_parse. */
fp_status fp_evaluate(const fp_corpus *const *corpora, size_t corpus_count, const char *const *arms, size_t arm_count,
                      const fp_extensions *extensions, const fp_setting *settings, size_t setting_count,
                      fp_tables **tables, const fp_progress *progress, fp_error *error);

/* Tunes the arms of a grid ("simhash:bits=64|128,features=words|chars:3") on a labelled corpus: the tables leaderboard,
 * pareto and folds of `fplab tune`, and its advice and remarks as notes. grid[grid_count]; 0: the usual one. Settings:
 * beta, min-precision, folds, seed, replicates, equivalence, negatives; save FILE writes the choice, where an arm is
 * recommended. Errors as of fp_evaluate. */
fp_status fp_tune_grid(const fp_corpus *corpus, const char *const *grid, size_t grid_count,
                       const fp_extensions *extensions, const fp_setting *settings, size_t setting_count,
                       fp_tables **tables, const fp_progress *progress, fp_error *error);

/* ---- Reading. Tables, columns and rows count from 0 and must be there. ---- */

size_t fp_tables_count(const fp_tables *tables);
const char *fp_tables_name(const fp_tables *tables, size_t table);
/* The place of the table of that name; SIZE_MAX: there is none. */
size_t fp_tables_find(const fp_tables *tables, const char *name);
size_t fp_tables_rows(const fp_tables *tables, size_t table);
size_t fp_tables_columns(const fp_tables *tables, size_t table);
const char *fp_tables_column(const fp_tables *tables, size_t table, size_t column);
/* A column of numbers, [rows]: NaN where the table has NA. NULL: it is one of texts. Numbers have 12 significant
 * digits, distances and thresholds all. */
const double *fp_tables_numbers(const fp_tables *tables, size_t table, size_t column);
/* A cell as it is written in a file: NA is "NA". */
const char *fp_tables_text(const fp_tables *tables, size_t table, size_t column, size_t row);
/* What there is to say besides: cautions, and of a tuning its advice; a line each, NULL behind the last. */
const char *fp_tables_note(const fp_tables *tables, size_t note);

/* ---- The parameters of arms ---- */

typedef enum fp_parameter_group {
    FP_PARAMETERS_OF_ALGORITHM, /* bits, slots, seed, … */
    FP_PARAMETERS_OF_FEATURES,  /* features, weight, top, … : of algorithms that read features */
    FP_PARAMETERS_OF_TEXT       /* segmenter, han, stop, … */
} fp_parameter_group;

/* All that an arm of the algorithm can set, ended by a row whose name is NULL. Static. fp_algorithm.features says where
 * its defaults of features and text differ. fp_arm_spec has the values of an arm. */
const fp_parameter *fp_parameters_of(const fp_algorithm *algorithm, fp_parameter_group group);

FP_END

#endif
