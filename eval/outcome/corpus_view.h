/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_view.h - a corpus read in another way: groups as the pairs that they mean, pairs at the level of documents.
 * The same structs, so that every measure, interval and table of pairs serves it.
 */
#ifndef FP_CORPUS_VIEW_H
#define FP_CORPUS_VIEW_H

#include "eval/experiment/experiment.h"
#include "eval/outcome/levels.h"

/* So many pairs are listed, to be treated as labelled pairs; of more, all pairs of groups are counted only. */
enum { FP_CORPUS_VIEW_PAIRS = 250000 };

/* The corpus as it is evaluated: with all pairs of its groups listed where they are few, so that all that is done with
 * labelled pairs can be done with them; otherwise as it is. FP_ERROR_EMPTY where groups make no pair. */
fp_status fp_corpus_view_evaluated(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_error *error);
/* The same where `negatives` are to be drawn: a corpus of groups that has more is as it is. */
fp_status fp_corpus_view_drawn(const fp_corpus *corpus, uint64_t negatives, fp_arena *arena, fp_corpus *view,
                               fp_error *error);
/* How many negatives are to be drawn of the corpus as it is evaluated: as many as were asked for, or 0 where all are
 * counted, because there are no more, or because the truth is a list. */
fp_status fp_corpus_view_draws(const fp_corpus *corpus, uint64_t asked, uint64_t *negatives, fp_error *error);
/* Whether the truth is groups, and few enough documents to list all pairs. */
bool fp_corpus_view_can_list(const fp_corpus *corpus);
/* The corpus with all pairs of documents listed, row by row, labelled by their groups, which they keep. Shares all else
 * with `corpus`. */
fp_status fp_corpus_view_pairs(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_error *error);

/* The corpus as a list of documents, each "paired" with itself and labelled 1 when one of its labelled pairs is a
 * duplicate. *members is what fp_members_make gives. Shares the documents of `corpus`. FP_ERROR_EMPTY without labelled
 * pairs. */
fp_status fp_corpus_view_documents(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_members *members,
                                   fp_error *error);

/* The measurement with distances[i] = the distance of document i's nearest labelled pair, and a histogram of its own,
 * which the caller releases with fp_measurement_free. */
fp_status fp_corpus_view_measurement(const fp_corpus *corpus, const fp_members *members,
                                     const fp_measurement *measurement, fp_arena *arena, fp_measurement *view,
                                     fp_error *error);

#endif
