/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which texts to keep: near pairs are gathered, and then the texts are gone through in the order of preference. */
#include "index/collection/keep.h"

#include <math.h>
#include <string.h>

/* Of each the positions of its neighbours. */
typedef struct neighbours {
    const fp_near_gathering *keeping;
    size_t *first; /* [sketches + 1] into `other` */
    uint32_t *other;
} neighbours;

/* Counting sort of both directions. */
static fp_status list_neighbours(neighbours *to, const fp_gathered_pairs *found, size_t sketches, fp_arena *arena,
                                 fp_error *error) {
    to->first = fp_arena_alloc(arena, sketches + 2, sizeof *to->first);
    to->other = fp_arena_raw(arena, 2 * found->count, sizeof *to->other);
    if (!to->first || !to->other) return fp_no_memory(error);
    size_t *next = to->first + 1; /* next[i] is where the list of i goes on, and in the end where it ends */
    for (size_t p = 0; p < found->count; p++) next[found->pairs[p].a + 1]++, next[found->pairs[p].b + 1]++;
    for (size_t i = 0; i < sketches; i++) next[i + 1] += next[i];
    for (size_t p = 0; p < found->count; p++) {
        to->other[next[found->pairs[p].a]++] = found->pairs[p].b;
        to->other[next[found->pairs[p].b]++] = found->pairs[p].a;
    }
    return FP_OK;
}

static uint32_t rank_of(const fp_near_gathering *keeping, uint32_t i) { return keeping->rank ? keeping->rank[i] : i; }

static double distance_of(const fp_near_join *join, uint32_t a, uint32_t b) {
    bool exact = join->verify && join->verify->arm;
    const fp_sketches *sketches = exact ? join->verify->sketches : join->sketches;
    return fp_arm_distance(exact ? join->verify->arm : join->arm, fp_sketches_at(sketches, a),
                           fp_sketches_at(sketches, b));
}

static bool has_preferred(const neighbours *in, const fp_kept *kept, uint32_t one) {
    for (size_t k = in->first[one]; k < in->first[one + 1]; k++) {
        uint32_t other = in->other[k];
        if (kept->because[other] == FP_KEPT && rank_of(in->keeping, other) < rank_of(in->keeping, one)) return true;
    }
    return false;
}

/* Of a dropped one, the kept neighbour that is nearest, whatever its rank. */
static uint32_t nearest_kept(const neighbours *in, const fp_kept *kept, uint32_t one, double *distance) {
    uint32_t best = FP_KEPT;
    for (size_t k = in->first[one]; k < in->first[one + 1]; k++) {
        uint32_t other = in->other[k];
        if (kept->because[other] != FP_KEPT) continue;
        double apart = distance_of(&in->keeping->join, one, other);
        bool nearer = best == FP_KEPT || apart < *distance ||
                      (apart <= *distance && rank_of(in->keeping, other) < rank_of(in->keeping, best));
        if (!nearer) continue;
        best = other;
        *distance = apart;
    }
    return best;
}

/* order[place]: who has that place in the order of preference. */
static fp_status order_of(const fp_near_gathering *keeping, size_t count, fp_arena *arena, uint32_t **order,
                          fp_error *error) {
    *order = fp_arena_raw(arena, count, sizeof **order);
    if (!*order) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) (*order)[rank_of(keeping, (uint32_t)i)] = (uint32_t)i;
    return FP_OK;
}

/* Who is dropped is known before for whom. Those that are not the first of their class wait for its verdict. */
static void decide(const neighbours *in, const uint32_t *order, const uint32_t *first, fp_kept *kept) {
    for (size_t place = 0; place < kept->count; place++) {
        uint32_t one = order[place];
        if (first[one] == one && has_preferred(in, kept, one)) kept->because[one] = one;
    }
    for (uint32_t one = 0; one < kept->count; one++)
        if (kept->because[one] != FP_KEPT) kept->because[one] = nearest_kept(in, kept, one, kept->distance + one);
    for (size_t i = 0; i < kept->count; i++) {
        uint32_t lead = first[i];
        if (lead == i) continue;
        kept->because[i] = kept->because[lead] == FP_KEPT ? lead : kept->because[lead];
        kept->distance[i] = kept->distance[lead];
    }
}

fp_status fp_keep(const fp_near_gathering *keeping, const fp_progress *progress, fp_arena *arena, fp_kept *kept,
                  fp_error *error) {
    neighbours of = {.keeping = keeping};
    fp_gathered_pairs found;
    uint32_t *order;
    *kept = (fp_kept){.count = keeping->join.sketches->count};
    kept->because = fp_arena_raw(arena, kept->count, sizeof *kept->because);
    kept->distance = fp_arena_alloc(arena, kept->count, sizeof *kept->distance);
    if (!kept->because || !kept->distance) return fp_no_memory(error);
    memset(kept->because, 0xff, kept->count * sizeof *kept->because);
    FP_TRY(fp_near_gather(keeping, progress, arena, &found, error));
    kept->joined = found.joined;
    FP_TRY(list_neighbours(&of, &found, kept->count, arena, error));
    FP_TRY(order_of(keeping, kept->count, arena, &order, error));
    decide(&of, order, found.equal.first, kept);
    for (size_t i = 0; i < kept->count; i++) {
        kept->kept += kept->because[i] == FP_KEPT;
        kept->silent += keeping->join.left_out && keeping->join.left_out[i];
    }
    return FP_OK;
}
