/* SPDX-License-Identifier: GPL-3.0-or-later
 * Designs of block tables: bounds, keys, text, cost, and the choice of the cheapest. */
#include "pairs/block_design.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pairs/lsh_tables.h"

/* ---- Bounds ---- */

/* The widest key of a level over `bits` bits: it takes as many of the wider blocks as possible. */
static unsigned widest_key(unsigned bits, fp_block_level level) {
    unsigned wider = bits % level.blocks;
    return level.agree * (bits / level.blocks) + (level.agree < wider ? level.agree : wider);
}

static fp_status check_level(fp_block_level level, unsigned bits, unsigned distance, fp_error *error) {
    if (level.blocks <= distance)
        return fp_fail(error, FP_ERROR_RANGE,
                       "a distance of %u needs more than %u block%s, since %u bit%s can differ in all of them",
                       distance, level.blocks, level.blocks == 1 ? "" : "s", distance, distance == 1 ? "" : "s");
    if (level.agree < 1) return fp_fail(error, FP_ERROR_RANGE, "a key is of at least one block, not agree=0");
    if (level.agree > level.blocks - distance)
        return fp_fail(error, FP_ERROR_RANGE,
                       "at a distance of %u only %u of %u blocks are sure to agree, which agree=%u is more than",
                       distance, level.blocks - distance, level.blocks, level.agree);
    if (level.blocks > bits)
        return fp_fail(error, FP_ERROR_RANGE, "%u bits cannot be cut into %u blocks", bits, level.blocks);
    return FP_OK;
}

static double choices(fp_block_level level) { return gsl_sf_choose(level.blocks, level.agree); }

fp_status fp_block_design_check(const fp_block_design *design, fp_error *error) {
    unsigned bits = design->bits;
    double tables = 1;
    if (bits < 1 || bits > FP_BLOCK_BITS)
        return fp_fail(error, FP_ERROR_RANGE, "fingerprints have 1 to %d bits, not %u", FP_BLOCK_BITS, bits);
    if (design->distance >= bits)
        return fp_fail(error, FP_ERROR_RANGE, "the distance must be less than the %u bits, not %u", bits,
                       design->distance);
    if (design->level_count > FP_BLOCK_LEVELS)
        return fp_fail(error, FP_ERROR_RANGE, "a design has at most %d levels, not %u", FP_BLOCK_LEVELS,
                       design->level_count);
    for (unsigned l = 0; l < design->level_count; l++) {
        FP_TRY(check_level(design->level[l], bits, design->distance, error));
        bits -= widest_key(bits, design->level[l]);
        tables *= choices(design->level[l]);
    }
    if (tables > FP_BLOCK_TABLES)
        return fp_fail(error, FP_ERROR_RANGE, "that would be %.0f tables; at most %d are kept", tables,
                       FP_BLOCK_TABLES);
    return FP_OK;
}

size_t fp_block_design_tables(const fp_block_design *design) {
    double tables = 1;
    for (unsigned l = 0; l < design->level_count; l++) tables *= choices(design->level[l]);
    return design->level_count ? (size_t)(tables + 0.5) : 0;
}

/* ---- Keys ---- */

/* Sets in mask[] the chosen blocks of `level`, cut from the bits that are not set in taken[]. */
static void mark_blocks(fp_block_level level, const unsigned *chosen, unsigned bits, const uint64_t *taken,
                        uint64_t *mask) {
    unsigned left = 0, at = 0, next = 0;
    for (unsigned i = 0; i < bits; i++) left += ~taken[i / 64] >> i % 64 & 1;
    unsigned width = left / level.blocks, wider = left % level.blocks;
    for (unsigned i = 0; i < bits && next < level.agree; i++) {
        if (taken[i / 64] >> i % 64 & 1) continue;
        unsigned b = chosen[next], first = b * width + (b < wider ? b : wider), end = first + width + (b < wider);
        if (at >= first) mask[i / 64] |= UINT64_C(1) << i % 64;
        if (++at == end) next++;
    }
}

/* Lists the masks from level l on, given the bits that earlier levels have taken. Writes to *to and advances it. */
static void list_masks(const fp_block_design *design, unsigned l, const uint64_t *taken, unsigned *chosen,
                       uint64_t **to) {
    size_t words = fp_block_words(design->bits);
    if (l == design->level_count || l == FP_BLOCK_LEVELS) {
        memcpy(*to, taken, words * sizeof **to);
        *to += words;
        return;
    }
    fp_block_level level = design->level[l];
    for (unsigned i = 0; i < level.agree; i++) chosen[i] = i;
    do {
        uint64_t mask[FP_BLOCK_WORDS];
        memcpy(mask, taken, words * sizeof *mask);
        mark_blocks(level, chosen, design->bits, taken, mask);
        list_masks(design, l + 1, mask, chosen + level.agree, to);
    } while (fp_next_choice(chosen, level.agree, level.blocks));
}

fp_status fp_block_design_masks(const fp_block_design *design, fp_arena *arena, uint64_t **masks, fp_error *error) {
    const uint64_t none[FP_BLOCK_WORDS] = {0};
    size_t tables = fp_block_design_tables(design);
    unsigned chosen[FP_BLOCK_LEVELS * FP_BLOCK_BITS];
    uint64_t *next = FP_NEED(fp_arena_raw(arena, tables * fp_block_words(design->bits), sizeof *next), error);
    *masks = next;
    if (tables) list_masks(design, 0, none, chosen, &next);
    return FP_OK;
}

/* ---- Text ---- */

const char *fp_block_design_text(const fp_block_design *design, fp_arena *arena) {
    const fp_block_level *level = design->level;
    switch (design->level_count) {
    case 0: return "scan";
    case 1:
        return level[0].agree == 1 ? fp_format(arena, "blocks=%u", level[0].blocks)
                                   : fp_format(arena, "blocks=%u,agree=%u", level[0].blocks, level[0].agree);
    }
    return level[0].agree == 1 && level[1].agree == 1
               ? fp_format(arena, "blocks=%u+%u", level[0].blocks, level[1].blocks)
               : fp_format(arena, "blocks=%u+%u,agree=%u+%u", level[0].blocks, level[1].blocks, level[0].agree,
                           level[1].agree);
}

/* Reads "NAME=4" or "NAME=4+6", numbers of at most four digits. Returns how many; 0: something else. */
static size_t read_numbers(fp_string text, const char *name, unsigned number[FP_BLOCK_LEVELS]) {
    enum { DIGITS = 4 };
    fp_string before = fp_string_of(name), field;
    size_t count = 0;
    if (!fp_string_begins(text, before)) return 0;
    fp_string rest = {text.data + before.length, text.length - before.length};
    for (uint64_t value; fp_next_field(&rest, '+', &field); number[count++] = (unsigned)value)
        if (count == FP_BLOCK_LEVELS || field.length > DIGITS || !fp_string_count(field, &value)) return 0;
    return count;
}

static bool parse_levels(const char *text, fp_block_design *design) {
    unsigned blocks[FP_BLOCK_LEVELS], agree[FP_BLOCK_LEVELS] = {1, 1};
    fp_string rest = fp_string_of(text), first, second;
    fp_next_field(&rest, ',', &first);
    size_t levels = read_numbers(first, "blocks=", blocks);
    if (fp_next_field(&rest, ',', &second) && (rest.data || read_numbers(second, "agree=", agree) != levels))
        return false;
    for (size_t l = 0; l < levels; l++) design->level[l] = (fp_block_level){blocks[l], agree[l]};
    design->level_count = (unsigned)levels;
    return levels > 0;
}

fp_status fp_block_design_parse(const char *text, unsigned bits, unsigned distance, fp_block_design *design,
                                fp_error *error) {
    *design = (fp_block_design){.bits = bits, .distance = distance};
    if (strcmp(text, "scan") != 0 && !parse_levels(text, design))
        return fp_fail(
            error, FP_ERROR_SYNTAX,
            "'%.64s' is not a design of blocks; write 'scan', 'blocks=4', 'blocks=6,agree=3' or 'blocks=4+4'", text);
    return fp_block_design_check(design, error);
}

/* ---- Cost of a design ---- */

/* Nanoseconds for fingerprints of 64 bits, measured on one thread. A look-up takes LOOKUP, and WAIT for two memory
 * accesses while others are in flight, unless these hit the CACHED bytes of all tables. Comparisons in a group read the
 * memory that follows. A scan keeps a piece of the fingerprints in the first-level cache for many queries. */
static const double LOOKUP = 25, WAIT = 80, CACHED = 24e6, COMPARED_WORD = 0.3, SCANNED_WORD = 0.06;

unsigned fp_block_prefix_bits(unsigned key_bits, double documents, unsigned least) {
    double most = documents / least;
    unsigned bits = 0;
    while (bits < key_bits && bits < 31 && ldexp(1, (int)bits + 1) <= most) bits++;
    return bits;
}

/* Adds the cost of tables whose key has `bits` bits. */
static void add_tables(double tables, unsigned bits, double documents, fp_block_cost *cost) {
    unsigned prefix = fp_block_prefix_bits(bits, documents, fp_block_group(documents));
    cost->tables += tables;
    cost->candidates += tables * ldexp(documents, -(int)bits);
    if (!cost->key_bits || bits < cost->key_bits) cost->key_bits = bits;
    if (bits > cost->key_most) cost->key_most = bits;
    cost->compared += tables * ldexp(documents, -(int)prefix);
    cost->bytes += tables * 4 * (ldexp(1, (int)prefix) + 1);
}

/* Adds the tables of level l and later levels, `tables` times, with `left` bits not in the key yet. Groups the choices
 * by the number of wider blocks that they take. */
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

/* ---- Choice of the cheapest ---- */

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

/* Considers every level l after the levels that are set, and every level after it. With agree ≥ 2 of many blocks there
 * are far more choices than FP_BLOCK_TABLES, so that few levels remain. */
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
