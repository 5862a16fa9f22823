/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_measure.h - the pairs of a run, measured once more: its tables have counts alone.
 */
#ifndef FP_CLI_RUN_MEASURE_H
#define FP_CLI_RUN_MEASURE_H

#include "reports/page/page.h"

/* What the page needs of one corpus; `outcome` is what page.corpora points to. */
typedef struct fp_cli_run_part {
    fp_outcome outcome;
    fp_pair_digest digest;
} fp_cli_run_part;

/* Measures the arms of the run, as run.json has them, on its corpora, which are at paths[corpus_count] seen from where
 * the run was made. corpora[i] says what came of it: a corpus that has gone or changed, or arms that cannot be made
 * again, are no failure of this. `texts`: of the pairs that are listed. parts[corpus_count] are to be ended with
 * fp_cli_run_measure_free in any case. Returns −1, or the exit status (out of memory). */
int fp_cli_run_measure(const fp_recorded *run, const char *const *paths, bool texts, fp_arena *arena,
                       fp_cli_run_part *parts, fp_page_corpus *corpora);
void fp_cli_run_measure_free(fp_cli_run_part *parts, size_t count);

/* The digest of an outcome that is there, as the page takes it. FP_ERROR_MEMORY, or an error of reading texts. */
fp_status fp_cli_run_digest(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                            fp_pair_digest *digest, fp_page_corpus *to, fp_error *error);

#endif
