/* SPDX-License-Identifier: GPL-3.0-or-later
 * Masks as runs of bits, choices of parts, and indexes by keys. */
#include "pairs/lsh_tables.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "pairs/banding.h"
#include "pairs/block_pairs.h"

fp_status fp_key_bits_cut(const uint64_t *mask, size_t words, fp_arena *arena, fp_key_bits *key, fp_error *error) {
    size_t count = 0;
    for (size_t w = 0; w < words; w++) count += (size_t)__builtin_popcountll(mask[w] & ~(mask[w] << 1));
    fp_bit_run *runs = FP_NEED(fp_arena_raw(arena, count, sizeof *runs), error);
    *key = (fp_key_bits){.runs = runs};
    for (size_t w = 0; w < words; w++) {
        for (uint64_t rest = mask[w]; rest;) {
            unsigned shift = (unsigned)__builtin_ctzll(rest);
            uint64_t from = rest >> shift;
            unsigned width = ~from ? (unsigned)__builtin_ctzll(~from) : 64;
            uint64_t of = (width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1) << shift;
            runs[key->run_count++] = (fp_bit_run){of, (uint32_t)w, (uint8_t)shift, (uint8_t)width};
            rest &= ~of;
            key->bits += width;
        }
    }
    return FP_OK;
}

unsigned fp_mask_bits(const uint64_t *mask, size_t words) {
    unsigned bits = 0;
    for (size_t w = 0; w < words; w++) bits += (unsigned)__builtin_popcountll(mask[w]);
    return bits;
}

void fp_mask_keep_lowest(uint64_t *mask, size_t words, unsigned bits) {
    for (size_t w = 0; w < words; w++) {
        unsigned here = (unsigned)__builtin_popcountll(mask[w]);
        for (; here > bits; here--) mask[w] &= ~(UINT64_C(1) << (63 - __builtin_clzll(mask[w])));
        bits -= here;
    }
}

bool fp_next_choice(unsigned *chosen, unsigned count, unsigned of) {
    unsigned at = count;
    while (at > 0 && chosen[at - 1] == of - count + at - 1) at--;
    if (at == 0) return false;
    chosen[at - 1]++;
    for (; at < count; at++) chosen[at] = chosen[at - 1] + 1;
    return true;
}

/* ---- Keys by parts of sketches ---- */

struct fp_lsh {
    fp_lsh_form form;
    size_t words;
    fp_key_bits *keys; /* [form.tables] */
};

/* ---- Places ---- */

/* Sets the bits of place `i` in mask[words]. */
static void mark_place(const fp_layout *layout, size_t i, uint64_t *mask) {
    size_t width = layout->slots ? layout->slot_bits : 1;
    if (layout->slots && layout->planar) {
        for (size_t p = 0; p < width; p++) mask[i / 64 * width + p] |= UINT64_C(1) << i % 64;
    } else if (width == 32) { /* a native integer, in either byte order */
        memset((unsigned char *)mask + i * 4, 0xff, 4);
    } else {
        for (size_t bit = i * width; bit < (i + 1) * width; bit++) mask[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static void mark_places(const fp_layout *layout, size_t first, size_t count, uint64_t *mask) {
    for (size_t i = first; i < first + count; i++) mark_place(layout, i, mask);
}

/* Marks block b of n places: the first n % blocks blocks are one place wider, as in pairs/block_design.h. */
static void mark_block(const fp_lsh_form *form, const fp_layout *layout, unsigned b, uint64_t *mask) {
    unsigned width = form->places / form->parts, wider = form->places % form->parts;
    mark_places(layout, (size_t)b * width + (b < wider ? b : wider), width + (b < wider), mask);
}

fp_status fp_lsh_open(const fp_lsh_form *form, const fp_layout *layout, fp_arena *arena, const fp_lsh **out,
                      fp_error *error) {
    if (fp_lsh_places(layout) != form->places)
        return fp_fail(error, FP_ERROR_RANGE, "an index over %u places does not fit these sketches", form->places);
    fp_lsh *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    uint64_t *mask = FP_NEED(fp_arena_raw(arena, layout->bytes / 8, sizeof *mask), error);
    unsigned *chosen = FP_NEED(fp_arena_raw(arena, form->agree, sizeof *chosen), error);
    fp_key_bits *keys = FP_NEED(fp_arena_alloc(arena, form->tables, sizeof *keys), error);
    *made = (fp_lsh){*form, layout->bytes / 8, keys};
    for (unsigned i = 0; i < form->agree; i++) chosen[i] = i;
    for (unsigned t = 0; t < form->tables; t++) {
        memset(mask, 0, layout->bytes);
        if (form->kind == FP_LSH_BANDING) mark_places(layout, (size_t)t * form->rows, form->rows, mask);
        for (unsigned i = 0; form->kind == FP_LSH_PIGEONHOLE && i < form->agree; i++)
            mark_block(form, layout, chosen[i], mask);
        FP_TRY(fp_key_bits_cut(mask, made->words, arena, keys + t, error));
        fp_next_choice(chosen, form->agree, form->parts);
    }
    *out = made;
    return FP_OK;
}

const fp_lsh_form *fp_lsh_form_of(const fp_lsh *index) { return &index->form; }

/* Whether a table before number `before` has both under one key. */
static bool share_key(const fp_lsh *in, size_t before, const uint64_t *a, const uint64_t *b) {
    for (size_t t = 0; t < before; t++)
        if (fp_key_bits_agree(in->keys + t, a, b)) return true;
    return false;
}

bool fp_lsh_meet(const fp_lsh *in, fp_sketch a, fp_sketch b) { return share_key(in, in->form.tables, a.data, b.data); }

/* ---- Counting: keys as fingerprints of 64 bits at distance 0 ---- */

typedef struct counting {
    const fp_lsh *in;
    const fp_sketches *sketches;
    size_t table;
    atomic_uint_fast64_t pairs;
} counting;

static const uint64_t *words_of(const counting *of, size_t i) {
    return (const uint64_t *)(const void *)(of->sketches->data + i * of->sketches->stride);
}

static uint64_t key_of(const fp_key_bits *key, const uint64_t *sketch) {
    uint64_t made = 0;
    for (size_t i = 0; i < key->run_count; i++)
        made = fp_mix(made ^ (sketch[key->runs[i].word] & key->runs[i].mask), i);
    return made;
}

static fp_status count_fresh(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    counting *to = context;
    size_t fresh = 0;
    (void)error;
    for (size_t i = 0; i < count; i++)
        fresh += !share_key(to->in, to->table, words_of(to, pairs[i].a), words_of(to, pairs[i].b));
    atomic_fetch_add_explicit(&to->pairs, fresh, memory_order_relaxed);
    return FP_OK;
}

fp_status fp_lsh_count_pairs(const fp_lsh *index, const fp_sketches *sketches, const fp_arenas *arenas,
                             const fp_progress *progress, uint64_t *pairs, fp_error *error) {
    static const fp_block_design SAME = {.bits = 64, .level_count = 1, .level = {{1, 1}}};
    const fp_progress quiet = fp_progress_quiet(progress);
    counting to = {.in = index, .sketches = sketches};
    if (sketches->count && sketches->stride != index->words * 8)
        return fp_fail(error, FP_ERROR_RANGE, "an index over %u places does not fit these sketches",
                       index->form.places);
    FP_SCRATCH(scratch, arenas->each[0], error);
    uint64_t *keys = FP_NEED(fp_arena_raw(scratch, sketches->count, sizeof *keys), error);
    const fp_block_source source = {keys, NULL, sketches->count};
    for (; to.table < index->form.tables; to.table++) {
        for (size_t i = 0; i < sketches->count; i++) keys[i] = key_of(index->keys + to.table, words_of(&to, i));
        FP_TRY(fp_block_pairs(&SAME, &source, count_fresh, &to, arenas, &quiet, error));
        if (progress && progress->report)
            progress->report(progress->context, "index", to.table + 1, index->form.tables);
    }
    *pairs = to.pairs;
    return FP_OK;
}

/* ---- Specifications of an index ---- */

static const fp_parameter PIGEONHOLE[] = {
    {"blocks", FP_INTEGER, "blocks", "blocks that the places are cut into; distances below this number are found", "4",
     1, FP_LSH_MOST, NULL, offsetof(fp_lsh_spec, blocks)},
    {"agree", FP_INTEGER, "blocks",
     "blocks that make a key; each more takes 1 from the distances found, and leaves fewer candidates", "1", 1,
     FP_LSH_MOST, NULL, offsetof(fp_lsh_spec, agree)},
    {0},
};

static const fp_parameter BANDING[] = {
    {"bands", FP_INTEGER, "bands", "tables; 0 with rows=0: chosen for similarity and recall", "0", 0, FP_LSH_MOST, NULL,
     offsetof(fp_lsh_spec, bands)},
    {"rows", FP_INTEGER, "slots", "slots of a band, all of which must agree", "0", 0, FP_LSH_MOST, NULL,
     offsetof(fp_lsh_spec, rows)},
    {"similarity", FP_REAL, "", "texts as similar as this are to be found", "0.8", 0.001, 0.999, NULL,
     offsetof(fp_lsh_spec, similarity)},
    {"recall", FP_REAL, "", "with this probability", "0.95", 0.001, 0.999999, NULL, offsetof(fp_lsh_spec, recall)},
    {0},
};

static const char *const KINDS[] = {"pigeonhole", "banding", NULL};
static const fp_parameter *const TABLES[] = {PIGEONHOLE, BANDING};

/* ---- Parsing ---- */

static fp_status find_kind(const char *name, fp_lsh_kind *kind, fp_error *error) {
    for (int i = 0; KINDS[i]; i++) {
        if (strcmp(KINDS[i], name) != 0) continue;
        *kind = (fp_lsh_kind)i;
        return FP_OK;
    }
    const char *nearest = fp_nearest(name, KINDS);
    if (nearest) return fp_fail(error, FP_ERROR_UNKNOWN, "no index is called %s; did you mean %s?", name, nearest);
    return fp_fail(error, FP_ERROR_UNKNOWN, "no index is called %s: there are pigeonhole and banding", name);
}

fp_status fp_lsh_parse(const char *text, fp_arena *arena, fp_lsh_spec *spec, fp_error *error) {
    fp_string rest = fp_string_of(text), head;
    fp_next_field(&rest, ':', &head);
    const char *name = FP_NEED(fp_string_copy(arena, head), error);
    *spec = (fp_lsh_spec){0};
    FP_TRY(find_kind(name, &spec->kind, error));
    return fp_parameters_parse(TABLES[spec->kind], name, rest, spec, arena, error);
}

/* ---- Settling ---- */

size_t fp_lsh_places(const fp_layout *layout) {
    if (layout->bytes == 0 || layout->bytes % 8) return 0;
    return layout->slots ? layout->slots : layout->bits;
}

bool fp_lsh_within_distance(const fp_layout *layout, double distance, fp_lsh_spec *spec) {
    size_t places = fp_lsh_places(layout);
    if (!(distance + 1 <= (double)places && distance + 1 <= FP_LSH_MOST)) return false;
    *spec = (fp_lsh_spec){.kind = FP_LSH_PIGEONHOLE, .blocks = (int64_t)distance + 1, .agree = 1};
    return true;
}

/* C(n, k), or FP_LSH_MOST + 1 if it is above FP_LSH_MOST. */
static unsigned choose(unsigned n, unsigned k) {
    uint64_t count = 1;
    if (k > n - k) k = n - k;
    for (unsigned i = 1; i <= k && count <= FP_LSH_MOST; i++) count = count * (n - k + i) / i;
    return count > FP_LSH_MOST ? FP_LSH_MOST + 1 : (unsigned)count;
}

static fp_status settle_blocks(const fp_lsh_spec *spec, fp_lsh_form *form, fp_error *error) {
    if (spec->blocks < 1 || spec->blocks > form->places)
        return fp_fail(error, FP_ERROR_RANGE, "blocks=%lld: a sketch of %u places is cut into 1 to %u blocks",
                       (long long)spec->blocks, form->places, form->places);
    if (spec->agree < 1 || spec->agree > spec->blocks)
        return fp_fail(error, FP_ERROR_RANGE, "agree=%lld: 1 to %lld of %lld blocks can agree", (long long)spec->agree,
                       (long long)spec->blocks, (long long)spec->blocks);
    form->parts = (unsigned)spec->blocks;
    form->agree = (unsigned)spec->agree;
    form->tables = choose(form->parts, form->agree);
    form->reach = form->parts - form->agree;
    if (form->tables <= FP_LSH_MOST) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "blocks=%u,agree=%u needs more than %d tables", form->parts, form->agree,
                   FP_LSH_MOST);
}

/* Slots of many bits agree by chance too rarely to matter. */
static fp_status choose_bands(const fp_lsh_spec *spec, const fp_layout *layout, unsigned places, fp_banding *banding,
                              fp_error *error) {
    enum { MANY = 32 };
    unsigned bits = layout->slots ? (unsigned)layout->slot_bits : 1;
    fp_banding_goal goal = {
        .slots = places, .slot_bits = bits < MANY ? bits : 0, .similarity = spec->similarity, .recall = spec->recall};
    FP_TRY(fp_banding_best(&goal, NULL, banding, error));
    if (banding->bands == 0) *banding = (fp_banding){places, 1};
    return FP_OK;
}

static fp_status settle_bands(const fp_lsh_spec *spec, const fp_layout *layout, fp_lsh_form *form, fp_error *error) {
    fp_banding banding = {(unsigned)spec->bands, (unsigned)spec->rows};
    if (spec->bands == 0 && spec->rows == 0) FP_TRY(choose_bands(spec, layout, form->places, &banding, error));
    else if (spec->bands < 1 || spec->rows < 1)
        return fp_fail(error, FP_ERROR_RANGE, "bands=%lld,rows=%lld: give both, or neither", (long long)spec->bands,
                       (long long)spec->rows);
    if ((uint64_t)banding.bands * banding.rows > form->places)
        return fp_fail(error, FP_ERROR_RANGE, "bands=%u,rows=%u needs %llu places, and the sketch has %u",
                       banding.bands, banding.rows, (unsigned long long)banding.bands * banding.rows, form->places);
    form->parts = form->tables = banding.bands;
    form->rows = banding.rows;
    form->agree = 1;
    form->reach = banding.bands - 1;
    return FP_OK;
}

fp_status fp_lsh_settle(const fp_lsh_spec *spec, const fp_layout *layout, fp_lsh_form *form, fp_error *error) {
    size_t places = fp_lsh_places(layout);
    *form = (fp_lsh_form){.kind = spec->kind, .places = (unsigned)places};
    if (places == 0 || places > UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "an index needs sketches of bits or slots whose distance is a count");
    return spec->kind == FP_LSH_BANDING ? settle_bands(spec, layout, form, error) : settle_blocks(spec, form, error);
}

double fp_lsh_probability(const fp_lsh_form *form, double differs) {
    if (form->kind == FP_LSH_BANDING) return fp_banding_probability((fp_banding){form->parts, form->rows}, 1 - differs);
    return fp_blocks_agreeing(form->places, form->parts, form->agree, differs);
}

const char *fp_lsh_text(const fp_lsh_form *form, fp_arena *arena) {
    if (form->kind == FP_LSH_BANDING) return fp_format(arena, "banding:bands=%u,rows=%u", form->parts, form->rows);
    if (form->agree == 1) return fp_format(arena, "pigeonhole:blocks=%u", form->parts);
    return fp_format(arena, "pigeonhole:blocks=%u,agree=%u", form->parts, form->agree);
}
