/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which texts to keep, and clusters, from near pairs of sketches or from edges of callers. */
#include "index/collection/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/disjoint_sets.h"

/* The neighbours of each place that come before it in rank. */
typedef struct neighbours {
    size_t *first;    /* [places + 1] indices of `before` */
    uint32_t *before; /* [edges] */
} neighbours;

static uint32_t rank_of(const uint32_t *rank, uint32_t i) { return rank ? rank[i] : i; }

/* Whether the end a of the edge comes after the end b. */
static bool is_after(const uint32_t *rank, const fp_neighbours *edge) {
    return rank_of(rank, edge->a) > rank_of(rank, edge->b);
}

/* Counting sort by the end of larger rank. */
static fp_status list_neighbours(const fp_neighbours *edges, size_t count, const uint32_t *rank, size_t places,
                                 fp_arena *arena, neighbours *to, fp_error *error) {
    to->first = FP_NEED(fp_arena_alloc(arena, places + 2, sizeof *to->first), error);
    to->before = FP_NEED(fp_arena_raw(arena, count, sizeof *to->before), error);
    size_t *next = to->first + 1; /* next[i] is the next position in the list of i, and finally its end */
    for (size_t e = 0; e < count; e++) next[(is_after(rank, edges + e) ? edges[e].a : edges[e].b) + 1]++;
    for (size_t i = 0; i < places; i++) next[i + 1] += next[i];
    for (size_t e = 0; e < count; e++) {
        const fp_neighbours *edge = edges + e;
        bool after = is_after(rank, edge);
        to->before[next[after ? edge->a : edge->b]++] = after ? edge->b : edge->a;
    }
    return FP_OK;
}

static bool has_preferred(const neighbours *in, const uint32_t *because, uint32_t one) {
    for (size_t k = in->first[one]; k < in->first[one + 1]; k++)
        if (because[in->before[k]] == FP_KEPT) return true;
    return false;
}

/* Takes a neighbour as the nearest kept one of a dropped text if it is kept and nearer, or as near and of smaller rank.
 * because[i] = i: dropped, and no kept neighbour so far. */
static void offer(const uint32_t *rank, uint32_t one, uint32_t other, double between, uint32_t *because,
                  double *distance) {
    if (because[one] == FP_KEPT || because[other] != FP_KEPT) return;
    bool nearer = because[one] == one || between < distance[one] ||
                  (between <= distance[one] && rank_of(rank, other) < rank_of(rank, because[one]));
    if (!nearer) return;
    because[one] = other;
    distance[one] = between;
}

/* order[rank[i]] = i. FP_ERROR_RANGE: ranks are not a permutation. */
static fp_status order_of(const uint32_t *rank, size_t count, fp_arena *arena, uint32_t **order, fp_error *error) {
    *order = FP_NEED(fp_arena_raw(arena, count, sizeof **order), error);
    memset(*order, 0xff, count * sizeof **order);
    for (size_t i = 0; i < count; i++) {
        size_t at = rank ? rank[i] : i;
        if (at >= count || (*order)[at] != UINT32_MAX)
            return fp_fail(error, FP_ERROR_RANGE, "rank[%zu] is %zu: ranks are a permutation of 0 to %zu", i, at,
                           count - 1);
        (*order)[at] = (uint32_t)i;
    }
    return FP_OK;
}

/* Finds the dropped texts, then the nearest kept neighbour of each. No edge joins a text with itself. `first`: the
 * first text of each class of equal sketches (NULL: none are equal). Only the first one has edges; the decision for it
 * holds for the whole class. */
static fp_status decide(const fp_neighbours *edges, size_t edge_count, const uint32_t *rank, const uint32_t *first,
                        size_t count, uint32_t *because, double *distance, fp_arena *arena, fp_error *error) {
    neighbours in;
    uint32_t *order;
    FP_TRY(list_neighbours(edges, edge_count, rank, count, arena, &in, error));
    FP_TRY(order_of(rank, count, arena, &order, error));
    if (count) memset(because, 0xff, count * sizeof *because);
    for (size_t i = 0; i < count; i++) distance[i] = 0;
    for (size_t place = 0; place < count; place++) {
        uint32_t one = order[place];
        if ((!first || first[one] == one) && has_preferred(&in, because, one)) because[one] = one;
    }
    for (size_t e = 0; e < edge_count; e++) {
        offer(rank, edges[e].a, edges[e].b, edges[e].distance, because, distance);
        offer(rank, edges[e].b, edges[e].a, edges[e].distance, because, distance);
    }
    for (size_t i = 0; first && i < count; i++) {
        uint32_t lead = first[i];
        if (lead == i) continue;
        because[i] = because[lead] == FP_KEPT ? lead : because[lead];
        distance[i] = distance[lead];
    }
    return FP_OK;
}

fp_status fp_keep(const fp_near_join *join, const fp_progress *progress, fp_arena *arena, fp_kept *kept,
                  fp_error *error) {
    fp_gathered_pairs found;
    *kept = (fp_kept){.count = join->sketches->count};
    kept->because = FP_NEED(fp_arena_raw(arena, kept->count, sizeof *kept->because), error);
    kept->distance = FP_NEED(fp_arena_raw(arena, kept->count, sizeof *kept->distance), error);
    FP_TRY(fp_near_gather(join, progress, arena, &found, error));
    kept->joined = found.joined;
    FP_TRY(decide(found.pairs, found.count, join->rank, found.equal.first, kept->count, kept->because, kept->distance,
                  arena, error));
    for (size_t i = 0; i < kept->count; i++) {
        kept->kept += kept->because[i] == FP_KEPT;
        kept->empty += join->left_out && join->left_out[i];
    }
    return FP_OK;
}

/* ---- Clusters: pairs join in ascending order of distance (Kruskal), so the last pair that joins two parts of a
 * cluster is its weakest link ---- */

FP_COMPARES(by_distance, fp_neighbours,
            FP_ORDER(a->distance, b->distance) ?: FP_ORDER(a->a, b->a) ?: FP_ORDER(a->b, b->b));

FP_COMPARES(by_size, fp_cluster, FP_ORDER(b->size, a->size) ?: FP_ORDER(a->first, b->first));

/* Data of the set of a root. */
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
    to->clusters = FP_NEED(fp_arena_raw(arena, to->cluster_count, sizeof *to->clusters), error);
    fp_cluster *next = to->clusters;
    for (uint32_t i = 0; i < to->count; i++)
        if (to->of[i] == i && parts[i].size > 1)
            *next++ = (fp_cluster){i, parts[i].size, parts[i].distinct, parts[i].a, parts[i].b, parts[i].distance};
    if (to->cluster_count) qsort(to->clusters, to->cluster_count, sizeof *to->clusters, by_size);
    return FP_OK;
}

static fp_status open_parts(fp_clustered *to, size_t count, fp_arena *arena, fp_disjoint_sets *sets, part **parts,
                            fp_error *error) {
    *to = (fp_clustered){.count = count};
    *parts = FP_NEED(fp_arena_raw(arena, count, sizeof **parts), error);
    to->of = FP_NEED(fp_arena_raw(arena, count, sizeof *to->of), error);
    for (uint32_t i = 0; i < count; i++) (*parts)[i] = (part){1, 1, i, i, 0};
    return fp_disjoint_sets_make(count, arena, sets, error);
}

static fp_status join_all(fp_disjoint_sets *sets, part *parts, fp_neighbours *pairs, size_t count, fp_arena *arena,
                          fp_clustered *to, fp_error *error) {
    if (count) qsort(pairs, count, sizeof *pairs, by_distance);
    for (size_t i = 0; i < count; i++) join_parts(sets, parts, pairs + i);
    return list_clusters(sets, parts, arena, to, error);
}

fp_status fp_cluster_pairs(fp_neighbours *pairs, size_t pair_count, size_t count, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error) {
    fp_disjoint_sets sets;
    part *parts;
    FP_TRY(open_parts(clustered, count, arena, &sets, &parts, error));
    return join_all(&sets, parts, pairs, pair_count, arena, clustered, error);
}

fp_status fp_cluster_texts(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                           fp_clustered *clustered, fp_error *error) {
    size_t count = join->sketches->count;
    fp_gathered_pairs found;
    fp_disjoint_sets sets;
    part *parts;
    FP_TRY(open_parts(clustered, count, arena, &sets, &parts, error));
    FP_TRY(fp_near_gather(join, progress, arena, &found, error));
    clustered->joined = found.joined;
    FP_TRY(join_equal(join, &sets, parts, found.equal.first, count, error));
    return join_all(&sets, parts, found.pairs, found.count, arena, clustered, error);
}

/* ---- Columns (fplab/columns.h) ---- */

static fp_status check_edges(size_t count, const uint32_t *a, const uint32_t *b, size_t edges, fp_error *error) {
    if (count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu places: at most %u", count, UINT32_MAX - 1);
    for (size_t e = 0; e < edges; e++)
        if (a[e] >= count || b[e] >= count)
            return fp_fail(error, FP_ERROR_RANGE, "edge %zu joins %u and %u, and there are %zu places", e, a[e], b[e],
                           count);
    return FP_OK;
}

fp_status fp_cluster_edges(size_t count, const uint32_t *a, const uint32_t *b, size_t edges, uint32_t *of,
                           fp_error *error) {
    fp_disjoint_sets sets;
    FP_TRY(check_edges(count, a, b, edges, error));
    FP_SCRATCH(arena, NULL, error);
    FP_TRY(fp_disjoint_sets_make(count, arena, &sets, error));
    for (size_t e = 0; e < edges; e++) fp_disjoint_sets_join(&sets, a[e], b[e]);
    for (uint32_t i = 0; i < count; i++) of[i] = fp_disjoint_sets_find(&sets, i);
    return FP_OK;
}

fp_status fp_keep_edges(size_t count, const uint32_t *a, const uint32_t *b, const double *distances, size_t edges,
                        const uint32_t *rank, uint32_t *because, double *distance, fp_error *error) {
    FP_TRY(check_edges(count, a, b, edges, error));
    FP_SCRATCH(arena, NULL, error);
    fp_neighbours *list = FP_NEED(fp_arena_raw(arena, edges, sizeof *list), error);
    size_t listed = 0;
    for (size_t e = 0; e < edges; e++)
        if (a[e] != b[e]) list[listed++] = (fp_neighbours){a[e], b[e], distances[e]};
    return decide(list, listed, rank, NULL, count, because, distance, arena, error);
}

/* The search of a caller as a join. */
typedef struct asked {
    fp_near_search search;
    fp_near_verify verify;
    fp_near_join join;
} asked;

static fp_status ask(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, asked *to,
                     fp_error *error) {
    FP_TRY(fp_sized_copy(&to->search, sizeof to->search, search, "fp_near_search", error));
    const fp_near_search *of = &to->search;
    FP_TRY(fp_sketches_check(arm, sketches, true, error));
    if (sketches->count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "%zu sketches: at most %u", sketches->count, UINT32_MAX - 1);
    if (!(of->recall >= 0 && of->recall <= 1))
        return fp_fail(error, FP_ERROR_RANGE, "recall must be above 0 and at most 1, not %g", of->recall);
    if (of->window && !of->time) return fp_fail(error, FP_ERROR_RANGE, "a window needs the times of the texts");
    if (of->exact_arm) FP_TRY(fp_sketches_check(of->exact_arm, of->exact, false, error));
    if (of->exact_arm && of->exact->count != sketches->count)
        return fp_fail(error, FP_ERROR_RANGE, "%zu sketches, and %zu to verify by", sketches->count, of->exact->count);
    to->verify = (fp_near_verify){of->exact_arm, of->exact, of->similarity};
    to->join = (fp_near_join){.arm = arm,
                              .sketches = sketches,
                              .left_out = sketches->empty,
                              .within = of->within,
                              .recall = of->recall > 0 ? of->recall : 0.99,
                              .verify = of->exact_arm ? &to->verify : NULL,
                              .time = of->time,
                              .window = of->window,
                              .rank = of->rank};
    return FP_OK;
}

static void report(const fp_near_joined *of, fp_near_report *found) {
    if (!found) return;
    *found = (fp_near_report){.recall = of->recall, .pairs = of->pairs, .found = of->found};
    snprintf(found->how, sizeof found->how, "%s", of->how);
}

fp_status fp_near_keep(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, uint32_t *because,
                       double *distance, fp_near_report *found, const fp_progress *progress, fp_error *error) {
    asked with;
    fp_kept kept;
    FP_TRY(ask(arm, sketches, search, &with, error));
    FP_SCRATCH(arena, arm->arena, error);
    FP_TRY(fp_keep(&with.join, progress, arena, &kept, error));
    if (kept.count) memcpy(because, kept.because, kept.count * sizeof *because);
    if (kept.count) memcpy(distance, kept.distance, kept.count * sizeof *distance);
    report(&kept.joined, found);
    return FP_OK;
}

fp_status fp_near_clusters(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, uint32_t *of,
                           fp_arena *out, const fp_cluster **clusters, size_t *cluster_count, fp_near_report *found,
                           const fp_progress *progress, fp_error *error) {
    asked with;
    fp_clustered made;
    *clusters = NULL;
    *cluster_count = 0;
    FP_TRY(ask(arm, sketches, search, &with, error));
    FP_SCRATCH(arena, arm->arena, error);
    FP_TRY(fp_cluster_texts(&with.join, progress, arena, &made, error));
    fp_cluster *list = FP_NEED(fp_arena_raw(out, made.cluster_count, sizeof *list), error);
    if (made.count) memcpy(of, made.of, made.count * sizeof *of);
    if (made.cluster_count) memcpy(list, made.clusters, made.cluster_count * sizeof *list);
    *clusters = list;
    *cluster_count = made.cluster_count;
    report(&made.joined, found);
    return FP_OK;
}

/* Counting sort of pairs by one end; stable. */
static fp_status sort_by(bool second, const fp_neighbours *from, size_t count, size_t places, fp_neighbours *to,
                         const fp_progress *progress, fp_arena *scratch, fp_error *error) {
    size_t *next = FP_NEED(fp_arena_alloc(scratch, places + 1, sizeof *next), error);
    for (size_t i = 0; i < count; i++) next[(second ? from[i].b : from[i].a) + 1]++;
    for (size_t p = 0; p < places; p++) next[p + 1] += next[p];
    for (size_t i = 0; i < count; i++) to[next[second ? from[i].b : from[i].a]++] = from[i];
    return fp_progress_check(progress, error);
}

/* By a, then b. */
static fp_status sort_pairs(fp_neighbours *pairs, size_t count, size_t places, const fp_progress *progress,
                            fp_arena *scratch, fp_error *error) {
    fp_neighbours *other = FP_NEED(fp_arena_raw(scratch, count, sizeof *other), error);
    FP_TRY(sort_by(true, pairs, count, places, other, progress, scratch, error));
    return sort_by(false, other, count, places, pairs, progress, scratch, error);
}

/* Pairs gathered so far. */
typedef struct listing {
    fp_neighbours *pairs;
    size_t count, room;
    fp_arena *arena;
} listing;

static fp_status list_pairs(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    listing *to = context;
    FP_TRY(FP_ROOM(to->arena, to->pairs, to->count + count, to->room, error));
    if (count) memcpy(to->pairs + to->count, pairs, count * sizeof *pairs);
    to->count += count;
    return FP_OK;
}

fp_status fp_near_edges(const fp_arm *arm, const fp_sketches *sketches, const fp_near_search *search, fp_arena *out,
                        const fp_neighbours **pairs, size_t *count, fp_near_report *found, const fp_progress *progress,
                        fp_error *error) {
    asked with;
    listing to = {.arena = out};
    fp_near_joined joined;
    *pairs = NULL;
    *count = 0;
    FP_TRY(ask(arm, sketches, search, &with, error));
    FP_SCRATCH(scratch, arm->arena, error);
    with.join.take = list_pairs;
    with.join.context = &to;
    FP_TRY(fp_near_join_run(&with.join, progress, scratch, &joined, error));
    FP_TRY(fp_progress_check(progress, error));
    FP_TRY(sort_pairs(to.pairs, to.count, sketches->count, progress, scratch, error));
    *pairs = to.pairs;
    *count = to.count;
    report(&joined, found);
    return FP_OK;
}
