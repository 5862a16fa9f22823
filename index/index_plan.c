/* SPDX-License-Identifier: GPL-3.0-or-later
 * One way to find fingerprints within a distance, and what it costs. */
#include "index/index_plan.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "pairs/lsh_tables.h"

/* Fingerprints within 1 … k bits of a given one. */
static double count_variants(unsigned bits, unsigned distance) {
    double sum = 0;
    for (unsigned i = 1; i <= distance; i++) sum += round(gsl_sf_choose(bits, i));
    return sum;
}

static void take_cost(fp_index_plan *plan, fp_block_cost cost, double times) {
    plan->comparisons = cost.compared * times;
    plan->bytes = cost.bytes;
    plan->nanoseconds = cost.nanoseconds * times;
}

static void fill_scan(fp_index_plan *plan, double fingerprints) {
    plan->copies = 1;
    plan->candidates = fingerprints;
    take_cost(plan, fp_block_design_cost(&plan->design, fingerprints), 1);
}

/* A table whose key is the whole fingerprint. What lies under a key is within the distance already. */
static void fill_variants(fp_index_plan *plan, double fingerprints) {
    unsigned bits = plan->design.bits;
    double variants = count_variants(bits, plan->design.distance);
    bool stored = plan->method == FP_PLAN_STORED_VARIANTS;
    fp_block_design whole = {.bits = bits, .level_count = 1, .level = {{1, 1}}};
    plan->tables = 1;
    plan->copies = stored ? variants + 1 : 1;
    plan->lookups = stored ? 1 : variants;
    plan->key_bits = plan->key_most = bits;
    plan->lookup_most = ldexp(fingerprints * plan->copies, -(int)bits);
    plan->candidates = ldexp(fingerprints * (variants + 1), -(int)bits);
    take_cost(plan, fp_block_design_cost(&whole, fingerprints * plan->copies), stored ? 1 : variants + 1);
}

/* Two blocks of v and w bits have the same value with probability 1/2^max(v, w). */
static void fill_shared(fp_index_plan *plan, double fingerprints) {
    unsigned bits = plan->design.bits, blocks = plan->design.level[0].blocks, width = bits / blocks;
    double wider = bits % blocks, narrow = blocks - wider, all = blocks,
           under_narrow = ldexp(fingerprints, -(int)width);
    plan->tables = 1;
    plan->copies = plan->lookups = blocks;
    plan->key_bits = width;
    plan->key_most = width + (wider > 0);
    plan->lookup_most = under_narrow * (narrow + wider / 2);
    plan->candidates = plan->comparisons = under_narrow * (narrow * narrow + (all * all - narrow * narrow) / 2);
    plan->bytes = fp_block_design_cost(&plan->design, fingerprints).bytes;
    plan->nanoseconds = fp_block_nanoseconds(bits, plan->bytes, plan->lookups, plan->comparisons);
}

static void fill_blocks(fp_index_plan *plan, double fingerprints) {
    fp_block_cost cost = fp_block_design_cost(&plan->design, fingerprints);
    plan->tables = plan->copies = plan->lookups = cost.tables;
    plan->key_bits = cost.key_bits;
    plan->key_most = cost.key_most;
    plan->candidates = cost.candidates;
    plan->lookup_most = cost.tables > 0 ? ldexp(fingerprints, -(int)cost.key_bits) : fingerprints;
    take_cost(plan, cost, 1);
}

fp_status fp_index_plan_make(fp_plan_method method, const fp_block_design *design, double fingerprints,
                             fp_index_plan *plan, fp_error *error) {
    *plan = (fp_index_plan){.method = method, .design = *design, .skew = NAN, .agreeing = NAN};
    if (method < FP_PLAN_SHARED) plan->design.level_count = 0;
    FP_TRY(fp_block_design_check(&plan->design, error));
    if (!(fingerprints >= 1 && fingerprints <= 0x1p63))
        return fp_fail(error, FP_ERROR_RANGE, "an index is planned for 1 to 2^63 fingerprints, not %g", fingerprints);
    switch (method) {
    case FP_PLAN_SCAN: fill_scan(plan, fingerprints); break;
    case FP_PLAN_VARIANTS:
    case FP_PLAN_STORED_VARIANTS: fill_variants(plan, fingerprints); break;
    case FP_PLAN_SHARED: fill_shared(plan, fingerprints); break;
    case FP_PLAN_BLOCKS: fill_blocks(plan, fingerprints); break;
    }
    return FP_OK;
}

/* ---- Fingerprints like a sample ---- */

/* What N fingerprints like those of the sample have under keys in which so many pairs agree, but no fewer than those of
 * an even spread. */
static double expect(double fingerprints, double agreeing, const fp_key_sample *sample, double even) {
    return fmax(even, fingerprints * (agreeing / ((double)sample->count * ((double)sample->count - 1) / 2)));
}

/* By the whole keys, and by the groups of a table, whose keys are their lowest bits. */
static fp_status correct_blocks(fp_index_plan *plan, double fingerprints, const fp_key_sample *sample,
                                const fp_progress *progress, fp_arena *arena, fp_error *error) {
    unsigned distance = plan->design.distance;
    size_t tables = fp_block_design_tables(&plan->design), words = fp_block_words(plan->design.bits);
    uint64_t *masks;
    fp_key_pairs *pairs = FP_NEED(fp_arena_raw(arena, tables, sizeof *pairs), error);
    double grouped = 0;
    FP_TRY(fp_block_design_masks(&plan->design, arena, &masks, error));
    FP_TRY(fp_key_pairs_count(sample, distance, masks, tables, progress, arena, pairs, error));
    plan->agreeing = 0;
    for (size_t t = 0; t < tables; t++) {
        plan->agreeing += pairs[t].beyond;
        uint64_t *mask = masks + t * words;
        fp_mask_keep_lowest(
            mask, words, fp_block_prefix_bits(fp_mask_bits(mask, words), fingerprints, fp_block_group(fingerprints)));
    }
    FP_TRY(fp_key_pairs_count(sample, distance, masks, tables, progress, arena, pairs, error));
    for (size_t t = 0; t < tables; t++) grouped += pairs[t].beyond;
    plan->candidates = expect(fingerprints, plan->agreeing, sample, plan->candidates);
    plan->comparisons = expect(fingerprints, grouped, sample, plan->comparisons);
    return FP_OK;
}

static fp_status correct_shared(fp_index_plan *plan, double fingerprints, const fp_key_sample *sample, fp_arena *arena,
                                fp_error *error) {
    fp_key_pairs pairs;
    FP_TRY(fp_key_pairs_shared(sample, plan->design.distance, plan->design.level[0].blocks, arena, &pairs, error));
    plan->agreeing = pairs.beyond;
    plan->candidates = expect(fingerprints, pairs.beyond, sample, plan->candidates);
    plan->comparisons = plan->candidates;
    return FP_OK;
}

fp_status fp_index_plan_correct(fp_index_plan *plan, double fingerprints, const fp_key_sample *sample,
                                const fp_progress *progress, fp_error *error) {
    if (sample->bits != plan->design.bits)
        return fp_fail(error, FP_ERROR_RANGE, "a sample of %u bits says nothing of fingerprints of %u", sample->bits,
                       plan->design.bits);
    if (plan->method < FP_PLAN_SHARED) return FP_OK;
    FP_SCRATCH(scratch, NULL, error);
    double even = plan->candidates;
    FP_TRY(plan->method == FP_PLAN_SHARED ? correct_shared(plan, fingerprints, sample, scratch, error)
                                          : correct_blocks(plan, fingerprints, sample, progress, scratch, error));
    plan->skew = plan->candidates / even;
    plan->nanoseconds = fp_block_nanoseconds(plan->design.bits, plan->bytes, plan->lookups, plan->comparisons);
    return FP_OK;
}

/* ---- Text ---- */

const char *fp_index_plan_text(const fp_index_plan *plan, fp_arena *arena) {
    switch (plan->method) {
    case FP_PLAN_SCAN: return "scan";
    case FP_PLAN_VARIANTS: return "variants";
    case FP_PLAN_STORED_VARIANTS: return "variants,stored";
    case FP_PLAN_SHARED: return fp_format(arena, "blocks=%u,shared", plan->design.level[0].blocks);
    case FP_PLAN_BLOCKS: return fp_block_design_text(&plan->design, arena);
    }
    return NULL;
}
