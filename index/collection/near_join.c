/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds all near pairs. Each thread collects its pairs in batches and passes them to `take`. */
#include "index/collection/near_join.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/time_text.h"
#include "text/alignment/alignment.h"
#include "index/collection/collection_inside.h"
#include "pairs/postings.h"
#include "pairs/band_keys.h"
#include "pairs/block_pairs.h"

enum { BATCH = 256 };

typedef struct joining {
    const fp_near_join *join;
    const fp_instance *instance;
    fp_sketches kept;      /* sketches that take part */
    const uint32_t *place; /* [kept.count] index in join->sketches; NULL: all take part */
    const fp_vector *vectors;
    const fp_arenas *arenas;
    pthread_mutex_t lock;
    uint64_t pairs, found;
    fp_near_joined *joined;
} joining;

/* Pairs that were not yet passed on. */
typedef struct batch {
    size_t count;
    fp_neighbours pairs[BATCH];
} batch;

/* Whether the exact measure, or the common passages of the texts, confirm the pair. */
static fp_status agrees(const fp_near_verify *verify, fp_neighbours *pair, fp_arena *scratch, bool *kept,
                        fp_error *error) {
    fp_sketch a = fp_sketches_at(verify->sketches, pair->a), b = fp_sketches_at(verify->sketches, pair->b);
    const double rounding = 1e-12;
    if (verify->arm) {
        pair->distance = fp_arm_distance(verify->arm, a, b);
        *kept = fp_arm_similarity(verify->arm, pair->distance) >= verify->similarity - rounding;
        return FP_OK;
    }
    fp_alignment made;
    fp_arena_reset(scratch);
    FP_TRY(fp_align((fp_string){(const char *)a.data, a.size}, (fp_string){(const char *)b.data, b.size}, 0, scratch,
                    &made, error));
    *kept = made.share[0] >= verify->similarity - rounding && made.share[1] >= verify->similarity - rounding;
    return FP_OK;
}

/* Keeps the verified pairs, in order. */
static fp_status verify_pairs(const fp_near_join *join, fp_neighbours *pairs, size_t *count, fp_error *error) {
    size_t all = *count;
    FP_SCRATCH(scratch, join->arm->arena, error);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        bool kept = false;
        FP_TRY(agrees(join->verify, pairs + i, scratch, &kept, error));
        if (kept) pairs[(*count)++] = pairs[i];
    }
    return FP_OK;
}

/* Keeps the pairs close in time. */
static size_t keep_close(const fp_near_join *join, fp_neighbours *pairs, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (fp_times_within(join->time[pairs[i].a], join->time[pairs[i].b], join->window)) pairs[kept++] = pairs[i];
    return kept;
}

static fp_status hand_over(joining *to, batch *from, fp_error *error) {
    size_t found = from->count, count = found;
    const fp_near_join *join = to->join;
    from->count = 0;
    if (!found) return FP_OK;
    if (join->verify) FP_TRY(verify_pairs(join, from->pairs, &count, error));
    size_t close = join->window ? keep_close(join, from->pairs, count) : count;
    pthread_mutex_lock(&to->lock);
    to->found += found;
    to->pairs += count;
    fp_status status = join->take(join->context, from->pairs, close, error);
    pthread_mutex_unlock(&to->lock);
    return status;
}

/* Adds a pair of indices of `kept`. */
static fp_status put(joining *in, batch *to, size_t a, size_t b, double distance, fp_error *error) {
    uint32_t first = in->place ? in->place[a] : (uint32_t)a, second = in->place ? in->place[b] : (uint32_t)b;
    to->pairs[to->count++] =
        (fp_neighbours){first < second ? first : second, first < second ? second : first, distance};
    return to->count == BATCH ? hand_over(in, to, error) : FP_OK;
}

/* ---- Sketches that take part ---- */

/* Excludes the sketches of `left_out`, such as empty ones, which match nothing. */
static fp_status choose(joining *to, fp_arena *arena, fp_error *error) {
    const fp_sketches *all = to->join->sketches;
    const bool *left_out = to->join->left_out;
    size_t count = 0;
    to->kept = *all;
    for (size_t i = 0; left_out && i < all->count; i++) count += !left_out[i];
    if (!left_out || count == all->count) return FP_OK;
    uint32_t *place = FP_NEED(fp_arena_raw(arena, count, sizeof *place), error);
    count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (!left_out[i]) place[count++] = (uint32_t)i;
    to->place = place;
    to->kept.count = count;
    return FP_OK;
}

static fp_sketch sketch_at(const joining *in, size_t i) {
    return fp_sketches_at(in->join->sketches, in->place ? in->place[i] : i);
}

/* Copies sketches that must be contiguous, if some are excluded. */
static fp_status pack(joining *to, fp_arena *arena, fp_error *error) {
    if (!to->place) return FP_OK;
    size_t stride = to->kept.stride;
    unsigned char *data = FP_NEED(fp_arena_raw(arena, to->kept.count, stride), error);
    for (size_t i = 0; i < to->kept.count; i++) memcpy(data + i * stride, sketch_at(to, i).data, stride);
    to->kept = (fp_sketches){.count = to->kept.count, .stride = stride, .data = data};
    return FP_OK;
}

/* ---- Bits ---- */

static fp_status take_found(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    batch out;
    out.count = 0;
    for (size_t i = 0; i < count; i++) FP_TRY(put(context, &out, pairs[i].a, pairs[i].b, pairs[i].distance, error));
    return hand_over(context, &out, error);
}

static fp_status join_blocks(joining *in, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_layout *layout = &in->instance->layout;
    fp_block_design design;
    FP_TRY(pack(in, arena, error));
    const fp_block_source source = {(const uint64_t *)(const void *)in->kept.data, NULL, in->kept.count};
    double documents = in->kept.count ? (double)in->kept.count : 1;
    FP_TRY(fp_block_design_choose((unsigned)layout->bits, (unsigned)in->join->within, documents, 0, &design, error));
    size_t tables = fp_block_design_tables(&design);
    in->joined->how = tables ? fp_format(arena, "%zu tables of blocks", tables) : "comparing all pairs";
    return fp_block_pairs(&design, &source, take_found, in, in->arenas, progress, error);
}

/* ---- Slots: candidates of bands are measured ---- */

static fp_status look_at_candidates(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    joining *in = context;
    batch near;
    near.count = 0;
    for (size_t i = 0; i < count; i++) {
        fp_sketch a = fp_sketches_at(&in->kept, pairs[i].a), b = fp_sketches_at(&in->kept, pairs[i].b);
        double distance = fp_arm_distance(in->join->arm, a, b);
        if (distance <= in->join->within) FP_TRY(put(in, &near, pairs[i].a, pairs[i].b, distance, error));
    }
    return hand_over(in, &near, error);
}

static fp_status join_bands(joining *in, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_arm *arm = in->join->arm;
    fp_banding banding;
    FP_TRY(pack(in, arena, error));
    FP_TRY(fp_arm_bands(arm, in->join->within, in->join->recall, &banding, error));
    in->joined->recall = fp_arm_bands_recall(arm, banding, in->join->within);
    in->joined->how = fp_format(arena, "%u bands of %u slots", banding.bands, banding.rows);
    return fp_band_pairs(&in->instance->layout, banding, &in->kept, look_at_candidates, in, in->arenas, progress, NULL,
                         error);
}

/* ---- Sparse vectors ---- */

static fp_status take_joined(void *context, const fp_joined_pairs *pairs, fp_arena *arena, fp_error *error) {
    joining *in = context;
    const fp_acceleration *fast = fp_acceleration_of(in->instance->algorithm);
    batch near;
    near.count = 0;
    (void)arena;
    for (size_t i = 0; i < pairs->count; i++) {
        size_t other = pairs->other[i];
        double distance = fast->joined(in->instance, in->vectors + pairs->row, in->vectors + other, pairs->sum[i]);
        if (isnan(distance)) distance = fp_arm_distance(in->join->arm, sketch_at(in, pairs->row), sketch_at(in, other));
        if (distance <= in->join->within) FP_TRY(put(in, &near, pairs->row, other, distance, error));
    }
    return hand_over(in, &near, error);
}

/* The index does not find pairs without a common key, so they must be beyond the threshold. All have the same distance.
 */
static fp_status check_apart(const joining *in, fp_error *error) {
    size_t one = 0;
    while (one < in->kept.count && in->vectors[one].count == 0) one++;
    if (in->kept.count < 2 || one == in->kept.count) return FP_OK;
    double apart = fp_acceleration_of(in->instance->algorithm)
                       ->joined(in->instance, in->vectors + one, in->vectors + (one ? 0 : 1), 0);
    if (in->join->within < apart) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE,
                   "a threshold of %g: texts without common features are already at distance %g; use a smaller one",
                   in->join->within, apart);
}

static fp_status join_postings(joining *in, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_algorithm *algorithm = in->instance->algorithm;
    fp_vector *vectors = FP_NEED(fp_arena_raw(arena, in->kept.count, sizeof *vectors), error);
    fp_join join = FP_JOIN_COUNT;
    for (size_t i = 0; i < in->kept.count; i++)
        join = fp_acceleration_of(algorithm)->vector(in->instance, sketch_at(in, i), vectors + i);
    in->vectors = vectors;
    in->joined->how = "an inverted index";
    FP_TRY(check_apart(in, error));
    const fp_postings postings = {.vectors = vectors,
                                  .count = in->kept.count,
                                  .join = join,
                                  .take = take_joined,
                                  .context = in,
                                  .stage = "pairs"};
    return fp_postings_pairs(&postings, in->arenas, progress, error);
}

/* ---- All pairs ---- */

static fp_status look_at_row(void *context, size_t index, fp_arena *arena, fp_error *error) {
    joining *in = context;
    batch near;
    near.count = 0;
    (void)arena;
    for (size_t other = index + 1; other < in->kept.count; other++) {
        double distance = fp_arm_distance(in->join->arm, sketch_at(in, index), sketch_at(in, other));
        if (distance <= in->join->within) FP_TRY(put(in, &near, index, other, distance, error));
    }
    return hand_over(in, &near, error);
}

static fp_status join_all(joining *in, const fp_progress *progress, fp_error *error) {
    in->joined->how = "comparing all pairs";
    return fp_parallel(in->kept.count, in->arenas, true, look_at_row, in, "pairs", progress, error);
}

/* ---- Choice of the method ---- */

static fp_status run_way(joining *in, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_layout *layout = &in->instance->layout;
    if (layout->bits) return join_blocks(in, progress, arena, error);
    if (fp_acceleration_of(in->instance->algorithm)->vector) return join_postings(in, progress, arena, error);
    return fp_layout_takes_bands(layout) ? join_bands(in, progress, arena, error) : join_all(in, progress, error);
}

fp_status fp_near_join_run(const fp_near_join *join, const fp_progress *progress, fp_arena *arena,
                           fp_near_joined *joined, fp_error *error) {
    const fp_instance *instance = &join->arm->instance;
    joining in = {.join = join, .instance = instance, .joined = joined, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!(join->within >= 0) || join->within >= instance->layout.maximum)
        return fp_fail(error, FP_ERROR_RANGE,
                       "a threshold of %g; it must be at least 0 and less than %g, where every pair matches",
                       join->within, instance->layout.maximum);
    *joined = (fp_near_joined){.recall = 1};
    FP_ARENAS(arenas, progress, arena, error);
    in.arenas = &arenas;
    FP_TRY(choose(&in, arena, error));
    fp_status status = run_way(&in, progress, arena, error);
    joined->pairs = in.pairs;
    joined->found = in.found;
    return status == FP_OK && !joined->how ? fp_no_memory(error) : status;
}

/* ---- Gathering ---- */

typedef struct gathering {
    const fp_near_join *of;
    fp_arena *arena;
    fp_gathered_pairs *to; /* pairs grow in the arena */
    size_t room;
} gathering;

static fp_status gather(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    gathering *in = context;
    FP_TRY(FP_ROOM(in->arena, in->to->pairs, in->to->count + count, in->room, error));
    if (count) memcpy(in->to->pairs + in->to->count, pairs, count * sizeof *pairs);
    in->to->count += count;
    return in->of->take ? in->of->take(in->of->context, pairs, count, error) : FP_OK;
}

fp_status fp_near_gather(const fp_near_join *of, const fp_progress *progress, fp_arena *arena,
                         fp_gathered_pairs *gathered, fp_error *error) {
    gathering in = {.of = of, .arena = arena, .to = gathered};
    fp_near_join join = *of;
    *gathered = (fp_gathered_pairs){0};
    const fp_sketches *compared = join.verify ? join.verify->sketches : join.sketches;
    FP_TRY(fp_equal_sketches(compared, join.left_out, join.rank, !join.window, arena, &gathered->equal, error));
    join.left_out = gathered->equal.left_out;
    join.take = gather;
    join.context = &in;
    return fp_near_join_run(&join, progress, arena, &gathered->joined, error);
}
