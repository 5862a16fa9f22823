/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * levels.h - labelled pairs read at the level of documents and of clusters.
 *
 * Document level: a document is positive when one of its labelled pairs is a duplicate, and predicted positive when one
 * of its labelled pairs lies at a distance ≤ h. That is a pair list again, each document paired with itself at the
 * distance of its nearest labelled pair, and everything in resample.h and bootstrap.h serves it; true clusters are its
 * groups.
 *
 * Cluster level: the true clusters are the connected components of the duplicates, the found ones those of the pairs at
 * a distance ≤ h (single linkage, Sneath 1957). clusters.h compares them.
 */
#ifndef FP_LEVELS_H
#define FP_LEVELS_H

#include "eval/clusters/clusters.h"

typedef enum fp_level { FP_LEVEL_PAIR, FP_LEVEL_DOCUMENT, FP_LEVEL_CLUSTER, FP_LEVELS } fp_level;

/* Name ("pair", "document", "cluster") and, as the definition, one sentence that says what is counted. Static storage.
 */
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

/* Writes the definitions of a level and of its measures: one sentence each with its formula. */
void fp_level_define(fp_level level, FILE *stream);

#endif
