/* SPDX-License-Identifier: GPL-3.0-or-later
 * Clusters: near pairs join by ascending distance (Kruskal), so that the last pair that joins two parts of a cluster is
 * its weakest link. */
#include "index/collection/text_clusters.h"

#include <stdlib.h>

#include "base/disjoint_sets.h"
#include "base/bytes.h"
#include "base/time_text.h"
#include "index/collection/sketch_list.h"

typedef struct links {
    const fp_clustering *clustering;
    fp_arena *arena;
    fp_neighbours *pairs; /* grows in the arena */
    size_t count, room;
} links;

static bool in_window(const fp_clustering *clustering, const fp_neighbours *pair) {
    if (!clustering->window) return true;
    int64_t a = clustering->time[pair->a], b = clustering->time[pair->b];
    return fp_times_within(a, b, clustering->window);
}

static fp_status tell(const fp_clustering *clustering, const fp_neighbours *link, fp_error *error) {
    return clustering->tell ? clustering->tell(clustering->context, link, 1, error) : FP_OK;
}

static fp_status gather(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    links *to = context;
    if (to->count + count > to->room) {
        size_t room = to->room ? 2 * to->room : 1 << 16;
        while (room < to->count + count) room *= 2;
        fp_neighbours *larger = fp_arena_grow(to->arena, to->pairs, room * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        to->pairs = larger;
        to->room = room;
    }
    for (size_t i = 0; i < count; i++)
        if (in_window(to->clustering, pairs + i)) {
            to->pairs[to->count++] = pairs[i];
            FP_TRY(tell(to->clustering, pairs + i, error));
        }
    return FP_OK;
}

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

/* Equal sketches hang together at distance 0. */
static fp_status join_equal(const fp_clustering *clustering, fp_disjoint_sets *sets, part *parts, const uint32_t *first,
                            size_t count, fp_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        if (first[i] == i) continue;
        const fp_neighbours link = {first[i], i, 0};
        join_parts(sets, parts, &link);
        FP_TRY(tell(clustering, &link, error));
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

fp_status fp_cluster_texts(const fp_clustering *clustering, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error) {
    links found = {.clustering = clustering, .arena = arena};
    fp_near_join join = clustering->join;
    fp_disjoint_sets sets;
    fp_equals equal;
    *clustered = (fp_clustered){.count = join.sketches->count};
    part *parts = fp_arena_raw(arena, clustered->count, sizeof *parts);
    clustered->of = fp_arena_raw(arena, clustered->count, sizeof *clustered->of);
    if (!parts || !clustered->of) return fp_no_memory(error);
    for (uint32_t i = 0; i < clustered->count; i++) parts[i] = (part){1, 1, i, i, 0};
    FP_TRY(fp_equal_sketches(join.sketches, join.left_out, NULL, !clustering->window, arena, &equal, error));
    join.left_out = equal.left_out;
    join.take = gather;
    join.context = &found;
    FP_TRY(fp_near_join_run(&join, progress, arena, &clustered->joined, error));
    FP_TRY(fp_disjoint_sets_make(clustered->count, arena, &sets, error));
    FP_TRY(join_equal(clustering, &sets, parts, equal.first, clustered->count, error));
    if (found.count) qsort(found.pairs, found.count, sizeof *found.pairs, by_distance);
    for (size_t i = 0; i < found.count; i++) join_parts(&sets, parts, found.pairs + i);
    return list_clusters(&sets, parts, arena, clustered, error);
}
