/* SPDX-License-Identifier: GPL-3.0-or-later
 * LSH Ensemble: partitions by size, chains of sketches by band, and the test of a candidate. */
#include "pairs/ensemble.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pairs/band_keys.h"

double fp_contained_jaccard(double containment, double ratio) { return containment / (ratio + 1 - containment); }

typedef struct band_entry {
    uint32_t key, next; /* lower half of the band's key; previous entry of the chain, from 1 */
} band_entry;

/* All bands for one number of rows: a chain for each value of the uppermost bits of a key. */
typedef struct band_chains {
    uint32_t *head;      /* [bands << bits] */
    band_entry *entries; /* [bands·count] */
} band_chains;

typedef struct size_part {
    const uint32_t *at; /* [count] sketches, by size */
    size_t count;
    unsigned bits;
    band_chains *by_rows; /* [slots + 1]; head NULL: not built yet */
} size_part;

struct fp_ensemble {
    const fp_arm *arm;
    const fp_sketches *sketches;
    const uint32_t *sizes;
    size_t part_count;
    size_part *parts;
    fp_arena *arena;
    bool *seen;      /* [sketches->count] places of a partition */
    uint32_t *found; /* [sketches->count] */
};

/* The state of a query. */
typedef struct asking {
    fp_ensemble *in;
    const fp_ensemble_question *of;
    double lost; /* upper bound of P[the test of a candidate drops a set that it should keep] */
    fp_ensemble_answer *answer;
} asking;

fp_status fp_ensemble_open(const fp_arm *arm, const fp_sketches *sketches, const uint32_t *sizes, size_t partitions,
                           fp_arena *arena, fp_ensemble **ensemble, fp_error *error) {
    size_t count = sketches->count;
    if (!fp_layout_takes_bands(fp_arm_layout(arm)) || count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "an ensemble is of signatures of slots, fewer than 2^32 - 1");
    fp_ensemble *made = *ensemble = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    *made = (fp_ensemble){arm, sketches, sizes, partitions < count ? partitions : count, .arena = arena};
    made->parts = FP_NEED(fp_arena_alloc(arena, made->part_count, sizeof *made->parts), error);
    made->seen = FP_NEED(fp_arena_raw(arena, count, sizeof *made->seen), error);
    made->found = FP_NEED(fp_arena_raw(arena, count, sizeof *made->found), error);
    uint32_t *order = FP_NEED(fp_arena_raw(arena, count, sizeof *order), error);
    uint64_t *keyed = FP_NEED(fp_arena_raw(arena, count, sizeof *keyed), error);
    for (size_t i = 0; i < count; i++) keyed[i] = (uint64_t)sizes[i] << 32 | i;
    if (count) qsort(keyed, count, sizeof *keyed, fp_ascending_u64);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)keyed[i];
    for (size_t p = 0, first = 0, end; p < made->part_count; p++, first = end) {
        size_part *part = made->parts + p;
        end = (p + 1) * count / made->part_count;
        *part = (size_part){.at = order + first, .count = end - first};
        while (part->count >> part->bits > 1) part->bits++;
        part->by_rows = FP_NEED(fp_arena_alloc(arena, fp_arm_layout(arm)->slots + 1, sizeof *part->by_rows), error);
    }
    return FP_OK;
}

static uint32_t *chain_of(const band_chains *of, const size_part *part, size_t band, uint64_t key) {
    return of->head + (band << part->bits) + (part->bits ? key >> (64 - part->bits) : 0);
}

static fp_status make_chains(const fp_ensemble *in, const size_part *part, unsigned rows, fp_error *error) {
    const fp_banding all = {(unsigned)fp_arm_layout(in->arm)->slots / rows, rows};
    uint64_t keys[FP_BANDS_MOST];
    band_chains *made = part->by_rows + rows;
    if (made->head) return FP_OK;
    made->entries = FP_NEED(fp_arena_raw(in->arena, all.bands * part->count, sizeof *made->entries), error);
    made->head = FP_NEED(fp_arena_alloc(in->arena, (size_t)all.bands << part->bits, sizeof *made->head), error);
    for (size_t i = 0; i < part->count; i++) {
        fp_band_keys(fp_arm_layout(in->arm), all, fp_sketches_at(in->sketches, part->at[i]).data, keys);
        for (size_t b = 0; b < all.bands; b++) {
            uint32_t *head = chain_of(made, part, b, keys[b]);
            made->entries[b * part->count + i] = (band_entry){(uint32_t)keys[b], *head};
            *head = (uint32_t)i + 1;
        }
    }
    return FP_OK;
}

static void look_at(const asking *to, uint32_t sketch) {
    const fp_layout *layout = fp_arm_layout(to->in->arm);
    double ratio = (double)to->in->sizes[sketch] / (double)to->of->size, slots = (double)layout->slots;
    if (ratio < to->of->containment) return;
    double agree = fp_banding_slot(fp_contained_jaccard(to->of->containment, ratio), (unsigned)layout->slot_bits),
           equal = slots - fp_arm_distance(to->in->arm, to->of->sketch, fp_sketches_at(to->in->sketches, sketch));
    if (equal == slots || gsl_cdf_binomial_P((unsigned)equal, agree, (unsigned)slots) > to->lost)
        to->in->found[to->answer->count++] = sketch;
}

static void ask_chains(const asking *to, const size_part *part, fp_banding banding) {
    const band_chains *of = part->by_rows + banding.rows;
    uint64_t keys[FP_BANDS_MOST];
    memset(to->in->seen, 0, part->count);
    fp_band_keys(fp_arm_layout(to->in->arm), banding, to->of->sketch.data, keys);
    for (size_t b = 0; b < banding.bands; b++) {
        const band_entry *entries = of->entries + b * part->count;
        for (uint32_t i = *chain_of(of, part, b, keys[b]); i; i = entries[i - 1].next) {
            if (to->in->seen[i - 1] || entries[i - 1].key != (uint32_t)keys[b]) continue;
            to->in->seen[i - 1] = true;
            to->answer->candidates++;
            look_at(to, part->at[i - 1]);
        }
    }
}

static fp_status ask_part(const asking *to, const size_part *part, fp_error *error) {
    static const double BELOW_ONE = 1 - 1e-9;
    const fp_layout *layout = fp_arm_layout(to->in->arm);
    double ratio = (double)to->in->sizes[part->at[part->count - 1]] / (double)to->of->size, found = 1;
    if (ratio < to->of->containment) return FP_OK; /* all sets are too small */
    fp_banding_goal goal = {.slots = (unsigned)layout->slots,
                            .slot_bits = (unsigned)layout->slot_bits,
                            .similarity = fmin(fp_contained_jaccard(to->of->containment, ratio), BELOW_ONE),
                            .recall = to->of->recall + to->lost};
    fp_banding banding;
    FP_TRY(fp_banding_best(&goal, to->in->arena, &banding, error));
    if (banding.bands) {
        found = fp_banding_probability(banding, fp_banding_slot(goal.similarity, goal.slot_bits));
        FP_TRY(make_chains(to->in, part, banding.rows, error));
        ask_chains(to, part, banding);
    } else {
        to->answer->scanned += part->count;
        for (size_t i = 0; i < part->count; i++) look_at(to, part->at[i]);
    }
    to->answer->recall = fmin(to->answer->recall, found - to->lost);
    return FP_OK;
}

fp_status fp_ensemble_find(fp_ensemble *in, const fp_ensemble_question *question, fp_ensemble_answer *answer,
                           fp_error *error) {
    const asking to = {in, question, (1 - question->recall) / 10, answer};
    *answer = (fp_ensemble_answer){.found = in->found, .recall = 1};
    for (size_t p = 0; p < in->part_count; p++) FP_TRY(ask_part(&to, in->parts + p, error));
    return FP_OK;
}
