/* SPDX-License-Identifier: GPL-3.0-or-later
 * Clusters: near pairs join by ascending distance (Kruskal), so that the last pair that joins two parts of a cluster is
 * its weakest link. */
#include "index/collection/text_clusters.h"

#include <stdlib.h>

#include "base/disjoint_sets.h"
#include "base/bytes.h"

static int by_distance(const void *left, const void *right) {
    const fp_neighbours *x = left, *y = right;
    int order = FP_ORDER(x->distance, y->distance);
    if (order == 0) order = FP_ORDER(x->a, y->a);
    return order ? order : FP_ORDER(x->b, y->b);
}

static int by_size(const void *left, const void *right) {
    const fp_cluster *x = left, *y = right;
    return x->size != y->size ? FP_ORDER(y->size, x->size) : FP_ORDER(x->first, y->first);
}

/* What is known of the set that a root names. */
typedef struct part {
    uint32_t size, distinct, a, b;
    double distance;
} part;

static void join_parts(fp_disjoint_sets *sets, part *parts, const fp_neighbours *link) {
    uint32_t a = fp_disjoint_sets_find(sets, link->a), b = fp_disjoint_sets_find(sets, link->b);
    if (a == b) return;
    uint32_t root = a < b ? a : b, other = a < b ? b : a;
    fp_disjoint_sets_join(sets, a, b);
    parts[root] = (part){parts[root].size + parts[other].size, parts[root].distinct + parts[other].distinct, link->a,
                         link->b, link->distance};
}

/* Equal sketches are connected at distance 0. */
static fp_status join_equal(const fp_near_join *join, fp_disjoint_sets *sets, part *parts, const uint32_t *first,
                            size_t count, fp_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        if (first[i] == i) continue;
        const fp_neighbours link = {first[i], i, 0};
        join_parts(sets, parts, &link);
        if (join->take) FP_TRY(join->take(join->context, &link, 1, error));
        parts[fp_disjoint_sets_find(sets, i)].distinct--;
    }
    return FP_OK;
}

static fp_status list_clusters(fp_disjoint_sets *sets, const part *parts, fp_arena *arena, fp_clustered *to,
                               fp_error *error) {
    for (uint32_t i = 0; i < to->count; i++) {
        to->of[i] = fp_disjoint_sets_find(sets, i);
        to->cluster_count += to->of[i] == i && parts[i].size > 1;
    }
    to->clusters = fp_arena_raw(arena, to->cluster_count, sizeof *to->clusters);
    if (!to->clusters) return fp_no_memory(error);
    fp_cluster *next = to->clusters;
    for (uint32_t i = 0; i < to->count; i++)
        if (to->of[i] == i && parts[i].size > 1)
            *next++ = (fp_cluster){i, parts[i].size, parts[i].distinct, parts[i].a, parts[i].b, parts[i].distance};
    if (to->cluster_count) qsort(to->clusters, to->cluster_count, sizeof *to->clusters, by_size);
    return FP_OK;
}

fp_status fp_cluster_texts(const fp_near_gathering *clustering, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error) {
    fp_gathered_pairs found;
    fp_disjoint_sets sets;
    *clustered = (fp_clustered){.count = clustering->join.sketches->count};
    part *parts = fp_arena_raw(arena, clustered->count, sizeof *parts);
    clustered->of = fp_arena_raw(arena, clustered->count, sizeof *clustered->of);
    if (!parts || !clustered->of) return fp_no_memory(error);
    for (uint32_t i = 0; i < clustered->count; i++) parts[i] = (part){1, 1, i, i, 0};
    FP_TRY(fp_near_gather(clustering, progress, arena, &found, error));
    clustered->joined = found.joined;
    FP_TRY(fp_disjoint_sets_make(clustered->count, arena, &sets, error));
    FP_TRY(join_equal(&clustering->join, &sets, parts, found.equal.first, clustered->count, error));
    if (found.count) qsort(found.pairs, found.count, sizeof *found.pairs, by_distance);
    for (size_t i = 0; i < found.count; i++) join_parts(&sets, parts, found.pairs + i);
    return list_clusters(&sets, parts, arena, clustered, error);
}
