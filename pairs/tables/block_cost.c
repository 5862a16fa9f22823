/* SPDX-License-Identifier: GPL-3.0-or-later
 * What designs of block tables cost, and the cheapest one. */
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "pairs/tables/block_design.h"

/* Nanoseconds on one thread for fingerprints of 64 bits, as bench/stages/index.c measures them. A look-up is so much
 * work, and waits for two places of memory, with others on their way, unless these are among the CACHED bytes of all
 * tables; what is compared in a group comes from memory behind them; a scan keeps a piece of the fingerprints in the
 * nearest cache for many queries. */
static const double LOOKUP = 25, WAIT = 80, CACHED = 24e6, COMPARED_WORD = 0.3, SCANNED_WORD = 0.06;

unsigned fp_block_prefix_bits(unsigned key_bits, double documents, unsigned least) {
    double most = documents / least;
    unsigned bits = 0;
    while (bits < key_bits && bits < 31 && ldexp(1, (int)bits + 1) <= most) bits++;
    return bits;
}

/* Groups of the cost of tables whose key takes `bits` bits. */
static void add_tables(double tables, unsigned bits, double documents, fp_block_cost *cost) {
    unsigned prefix = fp_block_prefix_bits(bits, documents, fp_block_group(documents));
    cost->tables += tables;
    cost->candidates += tables * ldexp(documents, -(int)bits);
    if (!cost->key_bits || bits < cost->key_bits) cost->key_bits = bits;
    if (bits > cost->key_most) cost->key_most = bits;
    cost->compared += tables * ldexp(documents, -(int)prefix);
    cost->bytes += tables * 4 * (ldexp(1, (int)prefix) + 1);
}

/* Tables of level l and those behind it, `tables` times, where `left` bits are not in the key yet: by how many of the
 * blocks that are a bit wider a choice takes. */
static void add_level(const fp_block_design *design, unsigned l, double tables, unsigned left, double documents,
                      fp_block_cost *cost) {
    if (l == design->level_count || l == FP_BLOCK_LEVELS) {
        add_tables(tables, design->bits - left, documents, cost);
        return;
    }
    fp_block_level level = design->level[l];
    unsigned width = left / level.blocks, wider = left % level.blocks, narrow = level.blocks - wider;
    for (unsigned w = level.agree > narrow ? level.agree - narrow : 0; w <= level.agree && w <= wider; w++) {
        double times = gsl_sf_choose(wider, w) * gsl_sf_choose(narrow, level.agree - w);
        add_level(design, l + 1, tables * times, left - level.agree * width - w, documents, cost);
    }
}

double fp_block_nanoseconds(unsigned bits, double bytes, double lookups, double compared) {
    double waiting = bytes > CACHED ? 1 - CACHED / bytes : 0;
    return lookups * (LOOKUP + WAIT * waiting) + compared * (double)fp_block_words(bits) * COMPARED_WORD;
}

fp_block_cost fp_block_design_cost(const fp_block_design *design, double documents) {
    double words = (double)fp_block_words(design->bits), entry = 8 * words + fp_block_number_bytes(documents);
    fp_block_cost cost = {0};
    if (design->level_count == 0)
        return (fp_block_cost){
            .bytes = documents * entry, .compared = documents, .nanoseconds = documents * words * SCANNED_WORD};
    add_level(design, 0, 1, design->bits, documents, &cost);
    cost.bytes += cost.tables * documents * entry;
    cost.lookups = cost.tables;
    cost.nanoseconds = fp_block_nanoseconds(design->bits, cost.bytes, cost.lookups, cost.compared);
    return cost;
}

/* ---- The cheapest ---- */

typedef struct search {
    double documents, most_bytes;
    fp_block_design best;
    fp_block_cost cost;
} search;

static void consider(const fp_block_design *design, search *in) {
    if (fp_block_design_check(design, NULL) != FP_OK) return;
    fp_block_cost cost = fp_block_design_cost(design, in->documents);
    if (in->most_bytes > 0 && cost.bytes > in->most_bytes) return;
    if (cost.nanoseconds > in->cost.nanoseconds ||
        (cost.nanoseconds == in->cost.nanoseconds && cost.bytes >= in->cost.bytes))
        return;
    in->best = *design;
    in->cost = cost;
}

/* Every level l behind those that are set, and every one behind it. With agree ≥ 2 of many blocks the choices are far
 * more than FP_BLOCK_TABLES, so that few levels are left. */
static void consider_levels(fp_block_design *design, unsigned l, double tables, search *in) {
    enum { MOST_BLOCKS = 128 };
    unsigned distance = design->distance;
    for (unsigned blocks = distance + 1; blocks <= MOST_BLOCKS && blocks <= design->bits; blocks++)
        for (unsigned agree = 1; agree <= blocks - distance; agree++) {
            double more = tables * gsl_sf_choose(blocks, agree);
            if (more > FP_BLOCK_TABLES) continue;
            design->level[l] = (fp_block_level){blocks, agree};
            design->level_count = l + 1;
            consider(design, in);
            if (l + 1 < FP_BLOCK_LEVELS) consider_levels(design, l + 1, more, in);
        }
}

fp_status fp_block_design_choose(unsigned bits, unsigned distance, double documents, double most_bytes,
                                 fp_block_design *design, fp_error *error) {
    fp_block_design any = {.bits = bits, .distance = distance};
    FP_TRY(fp_block_design_check(&any, error));
    if (!(documents >= 1)) documents = 1;
    search in = {.documents = documents, .most_bytes = most_bytes, .best = any};
    in.cost = fp_block_design_cost(&any, documents);
    if (most_bytes > 0 && in.cost.bytes > most_bytes)
        return fp_fail(error, FP_ERROR_RANGE, "%.0f fingerprints of %u bits take %.0f bytes, more than the %.0f given",
                       documents, bits, in.cost.bytes, most_bytes);
    consider_levels(&any, 0, 1, &in);
    *design = in.best;
    return FP_OK;
}
