/* SPDX-License-Identifier: GPL-3.0-or-later
 * The S-curve of banding, the choice of bands and rows, and LSH Ensemble. With u = x^r the area under 1 − P is an
 * incomplete beta function, without numerical integration: ∫ (1 − x^r)^b dx = (1/r) ∫ (1 − u)^b u^(1/r − 1) du.
 */
#include "pairs/banding.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pairs/band_keys.h"

/* ---- One curve ---- */

double fp_banding_probability(fp_banding banding, double similarity) {
    return -expm1(banding.bands * log1p(-pow(similarity, banding.rows)));
}

double fp_banding_threshold(fp_banding banding) { return pow(1.0 / banding.bands, 1.0 / banding.rows); }

double fp_banding_similarity(fp_banding banding, double probability) {
    return pow(-expm1(log1p(-probability) / banding.bands), 1.0 / banding.rows);
}

double fp_banding_slot(double jaccard, unsigned slot_bits) {
    return slot_bits ? jaccard + (1 - jaccard) * ldexp(1, -(int)slot_bits) : jaccard;
}

double fp_blocks_probability(unsigned bits, unsigned blocks, double differs) {
    double log_none = 0;
    for (unsigned i = 0; i < blocks; i++) {
        unsigned width = bits / blocks + (i < bits % blocks);
        log_none += log1p(-pow(1 - differs, width));
    }
    return -expm1(log_none);
}

/* P[a binomial number of n trials is at least `least`]. */
static double at_least(unsigned least, double p, unsigned n) {
    if (least == 0) return 1;
    return least > n ? 0 : gsl_cdf_binomial_Q(least - 1, p, n);
}

double fp_blocks_agreeing(unsigned bits, unsigned blocks, unsigned agree, double differs) {
    if (agree == 1) return fp_blocks_probability(bits, blocks, differs);
    unsigned wider = bits % blocks, width = bits / blocks;
    double p_wider = pow(1 - differs, width + 1), p = pow(1 - differs, width), sum = 0;
    for (unsigned i = 0; i <= wider; i++)
        sum += gsl_ran_binomial_pdf(i, p_wider, wider) * at_least(agree > i ? agree - i : 0, p, blocks - wider);
    return fmin(1, sum);
}

/* ∫ (1 − x^r)^b dx from x to 1. */
static double area_above(fp_banding banding, double x) {
    double a = 1.0 / banding.rows, b = banding.bands + 1.0;
    return exp(gsl_sf_lnbeta(a, b)) / banding.rows * gsl_cdf_beta_Q(pow(x, banding.rows), a, b);
}

/* ---- A goal ---- */

fp_status fp_banding_check(const fp_banding_goal *goal, fp_error *error) {
    if (goal->slots < 1 || goal->slots > FP_BANDING_SLOTS)
        return fp_fail(error, FP_ERROR_RANGE, "slots takes 1 to %d, not %u", FP_BANDING_SLOTS, goal->slots);
    if (goal->slot_bits > 64)
        return fp_fail(error, FP_ERROR_RANGE, "bits of a slot takes 0 to 64, not %u", goal->slot_bits);
    if (!(goal->similarity > 0 && goal->similarity < 1))
        return fp_fail(error, FP_ERROR_RANGE, "the target similarity must be above 0 and below 1, not %g",
                       goal->similarity);
    if (!(goal->recall >= 0 && goal->recall < 1))
        return fp_fail(error, FP_ERROR_RANGE, "recall must be at least 0 and below 1, not %g", goal->recall);
    double positives = goal->false_positives, negatives = goal->false_negatives;
    bool weights = positives >= 0 && negatives >= 0 && isfinite(positives + negatives) && positives + negatives > 0;
    if (goal->recall == 0 && !weights) return fp_fail(error, FP_ERROR_RANGE, "weights are not negative and not both 0");
    return FP_OK;
}

/* Slots of w kept bits agree with s = c + (1 − c)J, c = 2^−w (0 if all bits are kept): areas over J are areas over s ≥
 * c, divided by 1 − c. */
fp_banding_choice fp_banding_rate(const fp_banding_goal *goal, fp_banding banding) {
    double least = fp_banding_slot(0, goal->slot_bits), target = fp_banding_slot(goal->similarity, goal->slot_bits);
    double above_least = area_above(banding, least), above_target = area_above(banding, target), width = 1 - least;
    fp_banding_choice choice = {.banding = banding, .found = fp_banding_probability(banding, target)};
    choice.false_positives = fmax(0, (target - least - (above_least - above_target)) / width);
    choice.false_negatives = above_target / width;
    choice.cost = goal->recall > 0
                      ? choice.false_positives
                      : goal->false_positives * choice.false_positives + goal->false_negatives * choice.false_negatives;
    return choice;
}

/* ---- List of choices ---- */

/* The fewest bands of `rows` rows that reach the recall; 0 if `most` bands do not. */
static unsigned fewest_bands(const fp_banding_goal *goal, unsigned rows, unsigned most) {
    double target = fp_banding_slot(goal->similarity, goal->slot_bits);
    double wanted = log1p(-goal->recall) / log1p(-pow(target, rows)); /* as a real number */
    if (!(wanted <= most + 1.0)) return 0;
    unsigned bands = wanted > 1 ? (unsigned)wanted : 1;
    while (bands > 1 && fp_banding_probability((fp_banding){bands - 1, rows}, target) >= goal->recall) bands--;
    while (bands <= most && fp_banding_probability((fp_banding){bands, rows}, target) < goal->recall) bands++;
    return bands <= most ? bands : 0;
}

static int by_cost(const void *left, const void *right) {
    const fp_banding_choice *a = left, *b = right;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    unsigned slots_a = a->banding.bands * a->banding.rows, slots_b = b->banding.bands * b->banding.rows;
    if (slots_a != slots_b) return slots_a < slots_b ? -1 : 1;
    return FP_ORDER(a->banding.rows, b->banding.rows);
}

static size_t count_possible(const fp_banding_goal *goal) {
    size_t count = 0;
    for (unsigned rows = 1; rows <= goal->slots; rows++) count += goal->recall > 0 ? 1 : goal->slots / rows;
    return count;
}

fp_status fp_banding_list(const fp_banding_goal *goal, fp_arena *arena, fp_banding_choice **choices, size_t *count,
                          fp_error *error) {
    FP_TRY(fp_banding_check(goal, error));
    fp_banding_choice *list = FP_NEED(fp_arena_alloc(arena, count_possible(goal), sizeof *list), error);
    size_t used = 0;
    for (unsigned rows = 1; rows <= goal->slots; rows++) {
        unsigned most = goal->slots / rows, fewest = goal->recall > 0 ? fewest_bands(goal, rows, most) : 1;
        unsigned last = goal->recall > 0 ? fewest : most;
        for (unsigned bands = fewest; bands && bands <= last; bands++)
            list[used++] = fp_banding_rate(goal, (fp_banding){bands, rows});
    }
    qsort(list, used, sizeof *list, by_cost);
    *choices = list;
    *count = used;
    if (used) return FP_OK;
    double reached =
        fp_banding_probability((fp_banding){goal->slots, 1}, fp_banding_slot(goal->similarity, goal->slot_bits));
    return fp_fail(error, FP_ERROR_RANGE, "%u slots reach a recall of %g at similarity %g and no more, not %g",
                   goal->slots, reached, goal->similarity, goal->recall);
}

fp_status fp_banding_best(const fp_banding_goal *goal, fp_banding *best, fp_error *error) {
    fp_banding_choice *choices;
    size_t count = 0;
    *best = (fp_banding){0};
    FP_TRY(fp_banding_check(goal, error));
    FP_SCRATCH(scratch, NULL, error);
    fp_status status = fp_banding_list(goal, scratch, &choices, &count, error);
    if (status == FP_OK) *best = choices->banding;
    return status == FP_ERROR_RANGE ? FP_OK : status;
}

/* ---- LSH Ensemble ---- */

double fp_banding_contained(double containment, double ratio) { return containment / (ratio + 1 - containment); }

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

/* A query under way. */
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
    double agree = fp_banding_slot(fp_banding_contained(to->of->containment, ratio), (unsigned)layout->slot_bits),
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
                            .similarity = fmin(fp_banding_contained(to->of->containment, ratio), BELOW_ONE),
                            .recall = to->of->recall + to->lost};
    fp_banding banding;
    FP_TRY(fp_banding_best(&goal, &banding, error));
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
