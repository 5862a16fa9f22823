/* SPDX-License-Identifier: GPL-3.0-or-later
 * The cost of one method of finding fingerprints within a distance. */
#include "index/index_plan.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/reader.h"
#include "index/fingerprint_lines.h"
#include "pairs/block_pairs.h"

/* ---- Pairs of a sample that agree in a key ---- */

static size_t words_of(const fp_key_sample *sample) { return fp_block_words(sample->bits); }

/* ---- Entries grouped by key, each compared with earlier ones ---- */

/* An entry is compared with up to COMPARED earlier entries under its key, a random sample if there are more, which is
 * weighted to represent all of them. */
enum { COMPARED = 512 };

typedef struct grouping {
    const fp_key_sample *sample;
    unsigned distance;
    unsigned a_document; /* entries of a document */
    size_t entries, groups;
    fp_map seen;     /* key to group */
    uint32_t *group; /* [entries] */
    uint32_t *begin; /* [groups] first the size of a group, then its start in member */
    uint32_t *count; /* [groups] entries compared so far */
    uint32_t *member;
} grouping;

static fp_status open_grouping(grouping *it, fp_arena *arena, fp_error *error) {
    it->entries = it->sample->count * it->a_document;
    it->group = FP_NEED(fp_arena_raw(arena, it->entries, sizeof *it->group), error);
    it->begin = FP_NEED(fp_arena_alloc(arena, it->entries, sizeof *it->begin), error);
    it->count = FP_NEED(fp_arena_alloc(arena, it->entries, sizeof *it->count), error);
    it->member = FP_NEED(fp_arena_raw(arena, it->entries, sizeof *it->member), error);
    return fp_map_open(&it->seen, it->entries, arena, error);
}

static void add_entry(grouping *it, size_t entry, uint64_t key) {
    size_t place = fp_map_place(&it->seen, key);
    if (it->seen.value[place] == FP_MAP_NONE) fp_map_put(&it->seen, key, (uint32_t)it->groups++);
    it->group[entry] = it->seen.value[place];
    it->begin[it->group[entry]]++;
}

/* A fingerprint is not compared with itself. */
static void compare(const grouping *it, size_t document, uint32_t other, double weight, fp_key_pairs *pairs) {
    size_t words = words_of(it->sample), of = other / it->a_document;
    if (of == document) return;
    const uint64_t *all = it->sample->words;
    bool within = fp_block_distance(all + document * words, all + of * words, words) <= it->distance;
    *(within ? &pairs->within : &pairs->beyond) += weight;
}

static void count_pairs(grouping *it, fp_key_pairs *pairs) {
    uint32_t before = 0;
    *pairs = (fp_key_pairs){0};
    for (size_t g = 0; g < it->groups; g++) {
        uint32_t here = it->begin[g];
        it->begin[g] = before;
        before += here;
    }
    for (size_t entry = 0; entry < it->entries; entry++) {
        uint32_t g = it->group[entry], *members = it->member + it->begin[g], count = it->count[g]++;
        size_t compared = count < COMPARED ? count : COMPARED;
        for (size_t i = 0; i < compared; i++) {
            size_t at = count <= COMPARED ? i : fp_mix(entry, i) % count;
            compare(it, entry / it->a_document, members[at], (double)count / (double)compared, pairs);
        }
        members[count] = (uint32_t)entry;
    }
}

/* ---- Keys by a mask ---- */

typedef struct counting {
    const fp_key_sample *sample;
    unsigned distance;
    const uint64_t *masks;
    fp_key_pairs *pairs;
} counting;

static fp_status count_mask(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const counting *of = context;
    size_t words = words_of(of->sample);
    const uint64_t *mask = of->masks + index * words;
    grouping it = {.sample = of->sample, .distance = of->distance, .a_document = 1};
    FP_TRY(open_grouping(&it, arena, error));
    for (size_t i = 0; i < of->sample->count; i++) {
        const uint64_t *own = of->sample->words + i * words;
        uint64_t key = 0;
        for (size_t w = 0; w < words; w++)
            if (mask[w]) key = fp_mix(key ^ (own[w] & mask[w]), w);
        add_entry(&it, i, key);
    }
    count_pairs(&it, of->pairs + index);
    return FP_OK;
}

fp_status fp_key_pairs_count(const fp_key_sample *sample, unsigned distance, const uint64_t *masks, size_t count,
                             const fp_progress *progress, fp_arena *arena, fp_key_pairs *pairs, fp_error *error) {
    counting it = {sample, distance, masks, pairs};
    return fp_parallel_in(arena, count, count_mask, &it, "skew", progress, error);
}

/* ---- Blocks that share a key space ---- */

/* The hash of the bits first … first + width − 1 of a fingerprint. */
static uint64_t block_value(const uint64_t *of, unsigned first, unsigned width) {
    uint64_t value[FP_BLOCK_WORDS] = {0};
    for (unsigned i = 0; i < width; i++) value[i / 64] |= (of[(first + i) / 64] >> (first + i) % 64 & 1) << i % 64;
    return fp_xxh3(value, sizeof value, 0);
}

fp_status fp_key_pairs_shared(const fp_key_sample *sample, unsigned distance, unsigned blocks, fp_arena *arena,
                              fp_key_pairs *pairs, fp_error *error) {
    size_t words = words_of(sample);
    unsigned width = sample->bits / blocks, wider = sample->bits % blocks;
    grouping it = {.sample = sample, .distance = distance, .a_document = blocks};
    FP_TRY(open_grouping(&it, arena, error));
    for (size_t i = 0; i < sample->count; i++)
        for (unsigned b = 0; b < blocks; b++) {
            unsigned first = b * width + (b < wider ? b : wider);
            add_entry(&it, i * blocks + b, block_value(sample->words + i * words, first, width + (b < wider)));
        }
    count_pairs(&it, pairs);
    return FP_OK;
}

/* ---- A sample of the fingerprints of a file ---- */

enum { DRAW = 7 };

typedef struct sampling {
    size_t words; /* of a fingerprint */
    size_t seen, kept, capacity;
    uint64_t *kept_words;
    fp_arena *arena;
} sampling;

/* Keeps each with the same probability (Vitter, Random sampling with a reservoir, ACM TOMS 11(1), 1985, algorithm R).
 */
static fp_status keep(void *context, const fp_fingerprint_line *line, fp_error *error) {
    sampling *it = context;
    size_t place = it->kept;
    if (it->kept == FP_KEY_SAMPLE_MOST) place = (size_t)(fp_mix(it->seen, DRAW) % (it->seen + 1));
    it->seen++;
    if (place >= FP_KEY_SAMPLE_MOST) return FP_OK;
    FP_TRY(fp_arena_room(it->arena, &it->kept_words, &it->capacity, place, it->words * sizeof *it->kept_words, error));
    memcpy(it->kept_words + place * it->words, line->words, it->words * sizeof *line->words);
    it->kept += place == it->kept;
    return FP_OK;
}

fp_status fp_key_sample_read(const char *path, unsigned bits, fp_arena *arena, fp_key_sample *sample, fp_error *error) {
    sampling it = {.words = (bits + 63) / 64, .arena = arena};
    const fp_fingerprint_lines how = {.bits = bits, .take = keep, .context = &it};
    FP_TRY(fp_fingerprint_lines_read(path, &how, arena, error));
    *sample = (fp_key_sample){bits, it.seen, it.kept, it.kept_words};
    if (it.seen >= 2) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_EMPTY, fp_path_shown(path), "%zu fingerprint%s: a sample needs at least two",
                      it.seen, it.seen == 1 ? "" : "s");
}

/* The number of fingerprints within 1 … k bits of a given one. */
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

/* A table whose key is the whole fingerprint. Every match is already within the distance. */
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

/* Expected candidates among N fingerprints like the sample, for keys in which `agreeing` pairs agree; at least those of
 * a uniform distribution. */
static double expect(double fingerprints, double agreeing, const fp_key_sample *sample, double even) {
    return fmax(even, fingerprints * (agreeing / ((double)sample->count * ((double)sample->count - 1) / 2)));
}

/* Corrects candidates by the whole keys, and comparisons by the groups of a table, whose keys are their lowest bits. */
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
        return fp_fail(error, FP_ERROR_RANGE, "a sample of %u bits cannot be used for fingerprints of %u", sample->bits,
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
