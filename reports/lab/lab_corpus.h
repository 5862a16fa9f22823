/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_corpus.h - the corpus of a request: its documents are in memory.
 */
#ifndef FP_LAB_CORPUS_H
#define FP_LAB_CORPUS_H

#include "corpora/corpus.h"
#include "corpora/json.h"

/* documents: objects with "id", "text" and, where the truth is groups, "group", texts all. pairs: lists of two ids and
 * a label, 0 or 1; NULL, or empty: the truth is groups. Lives in `arena`, with copies of all that it needs. Errors say
 * which document or pair, from 1: FP_ERROR_SYNTAX, _DUPLICATE (an id, a pair in either order), _UNKNOWN (a pair's id),
 * _RANGE (a document and itself), _EMPTY (no document, neither pairs nor groups). */
fp_status fp_lab_corpus_make(const fp_json *documents, const fp_json *pairs, fp_arena *arena, fp_corpus *corpus,
                             fp_error *error);

#endif
