/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * levels.h - labelled pairs read at the level of documents and of clusters.
 *
 * Document level: a document is positive when one of its labelled pairs is a duplicate, and predicted positive when one
 * of its labelled pairs lies at a distance ≤ h. That is a list of pairs again: each document paired with itself, at the
 * distance of its nearest labelled pair; its groups are the true clusters.
 *
 * Cluster level: the true clusters are the connected components of the duplicates, the found ones those of the pairs at
 * a distance ≤ h (single linkage, Sneath 1957). clusters.h compares them.
 */
#ifndef FP_LEVELS_H
#define FP_LEVELS_H

#include "eval/statistics/clusters.h"
#include "eval/experiment/experiment.h"

/* Name ("pair", "document", "cluster"), and one sentence on what is counted. Static storage. */
const fp_definition *fp_level_describe(fp_level level);

/* The documents that occur in the pairs. */
typedef struct fp_members {
    size_t count;
    const uint32_t *document; /* [count] position in the corpus, ascending */
    const uint32_t *member;   /* [document_count] position in this list, or UINT32_MAX */
    const uint32_t *cluster;  /* [count] true cluster: the smallest member in it */
    const fp_pair *items;     /* [count] (i, i, 1 when it has a duplicate) */
} fp_members;

/* Everything lives in `arena`. FP_ERROR_EMPTY without pairs. */
fp_status fp_members_make(const fp_pair *pairs, size_t count, size_t document_count, fp_arena *arena,
                          fp_members *members, fp_error *error);

/* The distance of each member's nearest labelled pair; nearest[members->count]. */
void fp_members_nearest(const fp_members *members, const fp_pair *pairs, const double *distances, size_t count,
                        double *nearest);

/* Single linkage of the members over the pairs at a distance ≤ h; found[members->count], labelled by the smallest
 * member. `scratch` is not reset. */
fp_status fp_members_link(const fp_members *members, const fp_pair *pairs, const double *distances, size_t count,
                          double h, fp_arena *scratch, uint32_t *found, fp_error *error);

/* Writes the definitions of a level and of its measures. */
void fp_level_define(fp_level level, FILE *stream);

/* ---- Views of a corpus, as corpora: groups as the pairs that they imply, pairs at the level of documents ---- */

/* Up to this many pairs of groups are listed and treated as labelled pairs; more are only counted. */
enum { FP_CORPUS_VIEW_PAIRS = 250000 };

/* The corpus as it is evaluated: with all pairs of its groups listed where they are few, so that everything that
 * applies to labelled pairs applies to them; otherwise, and if `negatives` (0: all) are to be sampled from more,
 * unchanged. FP_ERROR_EMPTY where groups make no pair. */
fp_status fp_corpus_view_evaluated(const fp_corpus *corpus, uint64_t negatives, fp_arena *arena, fp_corpus *view,
                                   fp_error *error);
/* The number of negatives to sample: `asked`, or 0 where all are counted, because there are no more or the truth is a
 * list of pairs. */
fp_status fp_corpus_view_draws(const fp_corpus *corpus, uint64_t asked, uint64_t *negatives, fp_error *error);
/* Whether the truth is groups, and few enough documents to list all pairs. */
bool fp_corpus_view_can_list(const fp_corpus *corpus);
/* The corpus with all pairs of documents listed, row by row, labelled by their groups, which they keep. Shares all else
 * with `corpus`. */
fp_status fp_corpus_view_pairs(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_error *error);

/* The corpus as a list of documents, each paired with itself and labelled 1 when one of its labelled pairs is a
 * duplicate. *members: as of fp_members_make. Shares the documents of `corpus`. FP_ERROR_EMPTY without labelled pairs.
 */
fp_status fp_corpus_view_documents(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_members *members,
                                   fp_error *error);

/* The measurement with the distance of each document's nearest labelled pair, and a histogram of its own, which the
 * caller releases with fp_measurement_free. */
fp_status fp_corpus_view_measurement(const fp_corpus *corpus, const fp_members *members,
                                     const fp_measurement *measurement, fp_arena *arena, fp_measurement *view,
                                     fp_error *error);

#endif
