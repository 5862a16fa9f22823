/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * forest.h - the k nearest sketches of slots, by an LSH forest (Bawa, Condie, Ganesan, WWW 2005): no similarity need be
 * stated before, as bands ask for.
 *
 * The slots are cut into `trees` labels of ⌊slots/trees⌋ slots each, the rest is of no label. A tree is a prefix tree
 * of the labels, kept as the documents in the order of their labels: what agrees in a prefix stands together, around
 * the place of the query. A query descends in all trees and then ascends in all at once (SyncAscend, section 4.2): its
 * candidates are the documents that agree with it in the first r slots of some label, for the largest r ≥ 1 for which
 * there are as many as were asked for. The k nearest of these are found by their distances.
 */
#ifndef FP_FOREST_H
#define FP_FOREST_H

#include "base/parallel.h"

enum { FP_FOREST_TREES = 1024, FP_FOREST_DEPTH = 4096 };

typedef struct fp_forest fp_forest; /* read-only; any number of threads may query it */

/* Of all sketches of `instance`, whose distance counts slots that differ; keeps `instance` and the sketches' data, and
 * 12 bytes a document and tree, in memory from where `like` has its own. The same bytes for any number of threads.
 * FP_ERROR_RANGE: a layout without slots, no tree, more trees than slots or than FP_FOREST_TREES, labels of more than
 * FP_FOREST_DEPTH slots, sketches of another size, 2^32 − 1 or more. */
fp_status fp_forest_build(const fp_instance *instance, unsigned trees, const fp_sketches *sketches,
                          const fp_progress *progress, const fp_arena *like, fp_forest **forest, fp_error *error);
void fp_forest_close(fp_forest *forest); /* takes NULL */

/* Slots of a label. */
size_t fp_forest_depth(const fp_forest *forest);
/* Bytes that the trees take, the sketches apart. */
size_t fp_forest_bytes(const fp_forest *forest);

/* What queries cost, added up. */
typedef struct fp_forest_work {
    uint64_t queries;
    uint64_t levels;     /* r, at which the ascent ended; 0: not one document agrees in a first slot */
    uint64_t candidates; /* distinct ones, all of which were compared */
} fp_forest_work;

/* The distinct candidates of a sketch: `wanted` ≥ 1 or more, but no more than agree in a first slot, in no particular
 * order, in `arena`. `work` (may be NULL) is added to. FP_ERROR_RANGE: a sketch of another size, 0 wanted. */
fp_status fp_forest_candidates(const fp_forest *forest, fp_sketch query, size_t wanted, fp_arena *arena,
                               const uint32_t **documents, size_t *count, fp_forest_work *work, fp_error *error);

typedef struct fp_forest_found {
    double distance;
    uint32_t document;
} fp_forest_found;

/* The k nearest of at least `wanted` candidates (k of them where that is more), by ascending distance, then document:
 * fewer where there are fewer candidates. The more are wanted, the more of the true k nearest are among them. */
fp_status fp_forest_nearest(const fp_forest *forest, fp_sketch query, size_t k, size_t wanted, fp_arena *arena,
                            const fp_forest_found **found, size_t *count, fp_forest_work *work, fp_error *error);

#endif
