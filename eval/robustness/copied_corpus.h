/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copied_corpus.h - documents, their copies in all cells, and pairs of both, as a corpus in memory.
 */
#ifndef FP_COPIED_CORPUS_H
#define FP_COPIED_CORPUS_H

#include "base/parallel.h"
#include "eval/experiment/experiment.h"
#include "eval/robustness/copies.h"

typedef struct fp_copied_corpus {
    fp_corpus corpus;        /* the documents, then copy by copy the cells of each; its pairs as below */
    size_t count;            /* documents that were taken */
    const uint32_t *taken;   /* [count] which, ascending */
    size_t unit_count;       /* of these */
    const uint32_t *unit;    /* [count] from 0 */
    const uint8_t *fold;     /* [unit_count] 0 or 1 */
    const size_t *first;     /* [count] the first pair of a document */
    const size_t *negatives; /* [count] for each copy of it */
    size_t *sites, *changes; /* [cell_count] */
    fp_arenas texts;         /* of the copies; released by fp_copied_corpus_close */
} fp_copied_corpus;

/* The pairs of document i in cell c: from here on a positive one and its negatives. */
static inline size_t fp_copied_pair(const fp_copied_corpus *of, size_t i, size_t cell) {
    return of->first[i] + cell * (1 + of->negatives[i]);
}

/* Takes at most `most` documents (0: all) and for each copy at most `negatives` others of its fold, both drawn by their
 * ids; where `near` has the sketches of the corpus, the others are the nearest under its arm instead. Lives in `arena`
 * but for the texts. FP_ERROR_EMPTY for fewer than four units; nothing is left to release then.
 */
fp_status fp_copied_corpus_make(const fp_copies *copies, size_t most, size_t negatives, const fp_measurement *near,
                                const fp_progress *progress, fp_arena *arena, fp_copied_corpus *made, fp_error *error);
void fp_copied_corpus_close(fp_copied_corpus *of);

#endif
