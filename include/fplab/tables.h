/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/tables.h - complete evaluations and tunings as tables: all results of `fplab eval` and `fplab tune`, under the
 * names of their options and files.
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

/* An option of the command line, without its dashes: {"level", "cluster"}. `value` is NULL for one without a value.
 * Options that may be repeated there may be repeated here. */
typedef struct fp_setting {
    const char *name, *value;
} fp_setting;

/* Opaque and constant: any number of threads. Results read from it live until fp_tables_free, which accepts NULL. */
typedef struct fp_tables fp_tables;
void fp_tables_free(fp_tables *tables);

/* Evaluates arms on one or more labelled corpora with different names; arms that learn are fitted to each corpus.
 * Returns all tables that `fplab eval --format json` prints. Settings are the options of `fplab eval` that select what
 * is computed: thresholds, by, buckets, level, interval, compare, … and those of the analyses (retrieval, theory, lost,
 * …). The result is the same for any number of threads. The corpora must stay open during the call. FP_ERROR_UNKNOWN
 * for an unknown setting, FP_ERROR_RANGE for an invalid value, both with the name of the option; FP_ERROR_EMPTY without
 * labels or arms; FP_ERROR_DUPLICATE: two arms or corpora of one name; FP_ERROR_CANCELLED; those of fp_arm_parse. */
fp_status fp_evaluate(const fp_corpus *const *corpora, size_t corpus_count, const char *const *arms, size_t arm_count,
                      const fp_extensions *extensions, const fp_setting *settings, size_t setting_count,
                      fp_tables **tables, const fp_progress *progress, fp_error *error);

/* Tunes the arms of a grid ("simhash:bits=64|128,features=words|chars:3") on a labelled corpus. Returns the tables
 * leaderboard, pareto and folds of `fplab tune`; its advice and remarks are notes. grid[grid_count]; 0: the default
 * grid. Settings: beta, min-precision, folds, seed, replicates, equivalence, negatives; save FILE writes the
 * recommended arm, if there is one. Errors as for fp_evaluate. */
fp_status fp_tune_grid(const fp_corpus *corpus, const char *const *grid, size_t grid_count,
                       const fp_extensions *extensions, const fp_setting *settings, size_t setting_count,
                       fp_tables **tables, const fp_progress *progress, fp_error *error);

/* ---- Reading. Tables, columns and rows count from 0 and must exist. ---- */

size_t fp_tables_count(const fp_tables *tables);
const char *fp_tables_name(const fp_tables *tables, size_t table);
/* The number of the table with that name; SIZE_MAX: no such table. */
size_t fp_tables_find(const fp_tables *tables, const char *name);
size_t fp_tables_rows(const fp_tables *tables, size_t table);
size_t fp_tables_columns(const fp_tables *tables, size_t table);
const char *fp_tables_column(const fp_tables *tables, size_t table, size_t column);
/* A column of numbers, [rows]: NaN for NA. NULL: the column holds texts. Numbers have 12 significant digits; distances
 * and thresholds have all. */
const double *fp_tables_numbers(const fp_tables *tables, size_t table, size_t column);
/* A cell as a file would contain it: NA is "NA". */
const char *fp_tables_text(const fp_tables *tables, size_t table, size_t column, size_t row);
/* Additional notes, one line each: cautions, and the advice of a tuning; NULL after the last. */
const char *fp_tables_note(const fp_tables *tables, size_t note);

/* ---- The parameters of arms ---- */

typedef enum fp_parameter_group {
    FP_PARAMETERS_OF_ALGORITHM, /* bits, slots, seed, … */
    FP_PARAMETERS_OF_FEATURES,  /* features, weight, top, … : only of algorithms that read features */
    FP_PARAMETERS_OF_TEXT       /* segmenter, han, stop, … */
} fp_parameter_group;

/* All parameters of an arm of the algorithm, terminated by a row whose name is NULL. Static. fp_algorithm.features
 * contains the defaults of features and text that differ. fp_arm_spec has the values of an arm. */
const fp_parameter *fp_parameters_of(const fp_algorithm *algorithm, fp_parameter_group group);

FP_END

#endif
