/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampling_units.h - the sampling units: documents connected by groups and positive pairs. Such documents are
 * dependent, so they are resampled, assigned to folds and summed as one unit.
 */
#ifndef FP_SAMPLING_UNITS_H
#define FP_SAMPLING_UNITS_H

#include "base/base.h"

/* Labelled pairs of documents, and the group of each. */
typedef struct fp_labelled_documents {
    size_t document_count;
    const uint32_t *group; /* [document_count] UINT32_MAX for none; NULL: there are no groups */
    size_t pair_count;
    const fp_pair *pairs;
} fp_labelled_documents;

/* For each document the next one of its group, or UINT32_MAX; (*next)[document_count] in `arena`. */
fp_status fp_group_chain(const uint32_t *group, size_t document_count, fp_arena *arena, uint32_t **next,
                         fp_error *error);

/* Connected components of groups and positive pairs. */
typedef struct fp_components {
    size_t document_count, count;
    const uint32_t *of; /* [document_count] component of each document, numbered in the order of their first ones */
} fp_components;

/* In `arena`; `scratch` is not reset. */
fp_status fp_components_make(const fp_labelled_documents *documents, fp_arena *arena, fp_arena *scratch,
                             fp_components *components, fp_error *error);

typedef enum fp_sampling_unit {
    FP_SAMPLING_AUTO, /* chosen from the pairs */
    FP_SAMPLING_PAIR, /* independent pairs */
    FP_SAMPLING_PART, /* connected parts of the graph of pairs */
    FP_SAMPLING_DOCUMENT,
    FP_SAMPLING_GROUP,
    FP_SAMPLING_COMPONENT /* of groups and positive pairs, where these connect more than groups do */
} fp_sampling_unit;

/* The components, if the variance between them can be estimated. A component of more than half of the paired documents
 * leaves one value and a remainder that mirrors it, so no variance, nor does one group of all documents. Then groups
 * alone are the units, or documents; these are not independent, and a report must state that. */
typedef struct fp_sampling_units {
    fp_sampling_unit kind; /* FP_SAMPLING_DOCUMENT, _GROUP or _COMPONENT */
    fp_components units;
    bool grouped;     /* groups connect documents in pairs */
    size_t documents; /* in pairs; the counts below are of these */
    size_t connected; /* in units of several */
    size_t several;   /* units of several */
    size_t refused;   /* in the component or group that is too large to be a unit; 0: none is */
} fp_sampling_units;

/* A pair of a document with itself represents the document (levels.h), whose group is what duplicates connect. In
 * `arena`; `scratch` is not reset. */
fp_status fp_sampling_units_make(const fp_labelled_documents *documents, fp_arena *arena, fp_arena *scratch,
                                 fp_sampling_units *units, fp_error *error);
/* Every document is its own unit, whatever connects it. */
fp_status fp_sampling_units_apart(const fp_labelled_documents *documents, fp_arena *arena, fp_arena *scratch,
                                  fp_sampling_units *units, fp_error *error);

/* ---- Assignment of units to folds of about equal weight ---- */

/* What a unit adds to its fold. */
typedef struct fp_unit_load {
    size_t positives; /* pairs */
    size_t size;      /* documents, or pairs if pairs are assigned */
    uint64_t key;     /* with the seed, decides the order of units with equally many positives */
} fp_unit_load;

/* fold[count], each below `folds` (1 … 255): units of most positives first, each into the fold that has the fewest (the
 * longest-processing-time rule; Graham 1969), then units without positives into the fold of the least size. `scratch`
 * is not reset. */
fp_status fp_folds_deal(const fp_unit_load *units, size_t count, size_t folds, uint64_t seed, fp_arena *scratch,
                        uint8_t *fold, fp_error *error);

#endif
