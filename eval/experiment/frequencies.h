/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * frequencies.h - the terms of a corpus with the number of documents that hold them: what an IDF file is made of.
 */
#ifndef FP_FREQUENCIES_H
#define FP_FREQUENCIES_H

#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"

typedef struct fp_term_frequency {
    fp_string term;
    size_t documents;
} fp_term_frequency;

/* Every distinct term of the corpus under the arm's text and feature specification; the most frequent first, equals by
 * bytes. *terms lives in `arena`. */
fp_status fp_corpus_frequencies(const fp_corpus *corpus, const fp_arm *arm, fp_arena *arena, fp_term_frequency **terms,
                                size_t *count, fp_error *error);

#endif
