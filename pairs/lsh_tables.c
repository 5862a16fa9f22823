/* SPDX-License-Identifier: GPL-3.0-or-later
 * Masks as runs, and choices. */
#include "pairs/lsh_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pairs/banding.h"
#include "pairs/posting_terms.h"

fp_status fp_key_bits_cut(const uint64_t *mask, size_t words, fp_arena *arena, fp_key_bits *key, fp_error *error) {
    size_t count = 0;
    for (size_t w = 0; w < words; w++) count += (size_t)__builtin_popcountll(mask[w] & ~(mask[w] << 1));
    fp_bit_run *runs = fp_arena_raw(arena, count, sizeof *runs);
    if (!runs) return fp_no_memory(error);
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

/* ---- Tables of documents by parts of their sketches ---- */

/* Bucket b holds document[begin[b]] … document[begin[b + 1] − 1], ascending. Keys of no more than `directory` bits are
 * their own bucket; wider ones are mixed into one, and a bucket then holds documents of other keys too: these are told
 * by their sketches, which must be read anyhow. */
typedef struct table {
    fp_key_bits key;
    unsigned directory; /* bits of a bucket's number, ≥ 1 */
    bool direct;
    uint32_t *begin;
    uint32_t *document;
} table;

struct fp_lsh {
    fp_lsh_form form;
    const fp_instance *instance;
    fp_sketches sketches;
    table *tables; /* [form.tables] */
    size_t bytes;
};

/* ---- Keys ---- */

static const uint64_t *words_of(const fp_lsh *tables, size_t i) {
    return (const uint64_t *)(const void *)(tables->sketches.data + i * tables->sketches.stride);
}

static uint64_t bucket_of(const table *in, const uint64_t *sketch) {
    if (in->direct) return fp_key_bits_of(&in->key, sketch);
    uint64_t key = 0;
    for (size_t i = 0; i < in->key.run_count; i++)
        key = fp_mix(key ^ (sketch[in->key.runs[i].word] & in->key.runs[i].mask), i);
    return key >> (64 - in->directory);
}

/* ---- Places ---- */

/* Sets the bits of place `i` in mask[words]. */
static void mark_place(const fp_layout *layout, size_t i, uint64_t *mask) {
    size_t width = layout->slots ? layout->slot_bits : 1;
    if (layout->slots && layout->planar) {
        for (size_t p = 0; p < width; p++) mask[i / 64 * width + p] |= UINT64_C(1) << i % 64;
    } else if (width == 32) { /* an integer of its own, whatever the order of its bytes */
        memset((unsigned char *)mask + i * 4, 0xff, 4);
    } else {
        for (size_t bit = i * width; bit < (i + 1) * width; bit++) mask[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static void mark_places(const fp_layout *layout, size_t first, size_t count, uint64_t *mask) {
    for (size_t i = first; i < first + count; i++) mark_place(layout, i, mask);
}

/* Block b of n places: the first n % blocks are a place wider, as in pairs/tables/block_design.h. */
static void mark_block(const fp_lsh_form *form, const fp_layout *layout, unsigned b, uint64_t *mask) {
    unsigned width = form->places / form->parts, wider = form->places % form->parts;
    mark_places(layout, (size_t)b * width + (b < wider ? b : wider), width + (b < wider), mask);
}

/* ---- Building ---- */

/* Buckets about as many as documents. */
static unsigned directory_bits(size_t documents, unsigned key_bits) {
    unsigned bits = 1;
    while (bits < 32 && (size_t)1 << bits < documents) bits++;
    return key_bits < bits ? key_bits : bits;
}

static fp_status open_table(fp_lsh *in, table *made, const uint64_t *mask, fp_arena *arena, fp_error *error) {
    size_t words = in->instance->layout.bytes / 8, documents = in->sketches.count;
    FP_TRY(fp_key_bits_cut(mask, words, arena, &made->key, error));
    made->directory = directory_bits(documents, made->key.bits);
    made->direct = made->key.bits <= made->directory;
    size_t buckets = (size_t)1 << made->directory;
    made->begin = fp_arena_alloc(arena, buckets + 1, sizeof *made->begin);
    made->document = fp_arena_raw(arena, documents, sizeof *made->document);
    if (!made->begin || !made->document) return fp_no_memory(error);
    in->bytes += (buckets + 1 + documents) * sizeof(uint32_t) + made->key.run_count * sizeof(fp_bit_run);
    return FP_OK;
}

static fp_status open_tables(fp_lsh *in, fp_arena *arena, fp_error *error) {
    const fp_lsh_form *form = &in->form;
    const fp_layout *layout = &in->instance->layout;
    uint64_t *mask = fp_arena_raw(arena, layout->bytes / 8, sizeof *mask);
    unsigned *chosen = fp_arena_raw(arena, form->agree, sizeof *chosen);
    in->tables = fp_arena_alloc(arena, form->tables, sizeof *in->tables);
    if (!mask || !chosen || !in->tables) return fp_no_memory(error);
    for (unsigned i = 0; i < form->agree; i++) chosen[i] = i;
    for (unsigned t = 0; t < form->tables; t++) {
        memset(mask, 0, layout->bytes);
        if (form->kind == FP_LSH_BANDING) mark_places(layout, (size_t)t * form->rows, form->rows, mask);
        for (unsigned i = 0; form->kind == FP_LSH_PIGEONHOLE && i < form->agree; i++)
            mark_block(form, layout, chosen[i], mask);
        FP_TRY(open_table(in, in->tables + t, mask, arena, error));
        fp_next_choice(chosen, form->agree, form->parts);
    }
    return FP_OK;
}

/* Counting sort by bucket: documents stay ascending. begin[b] first is where bucket b goes on, and in the end where it
 * ends. */
static fp_status fill_table(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_lsh *in = context;
    table *made = in->tables + index;
    size_t documents = in->sketches.count, buckets = (size_t)1 << made->directory;
    uint32_t *bucket = fp_arena_raw(arena, documents, sizeof *bucket);
    if (!bucket) return fp_no_memory(error);
    for (size_t i = 0; i < documents; i++) made->begin[bucket[i] = (uint32_t)bucket_of(made, words_of(in, i))]++;
    uint32_t before = 0;
    for (size_t b = 0; b <= buckets; b++) {
        uint32_t here = made->begin[b];
        made->begin[b] = before;
        before += here;
    }
    for (size_t i = 0; i < documents; i++) made->document[made->begin[bucket[i]]++] = (uint32_t)i;
    memmove(made->begin + 1, made->begin, buckets * sizeof *made->begin);
    made->begin[0] = 0;
    return FP_OK;
}

fp_status fp_lsh_build(const fp_lsh_form *form, const fp_instance *instance, const fp_sketches *sketches,
                       const fp_progress *progress, fp_arena *arena, const fp_lsh **out, fp_error *error) {
    if (sketches->count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "%zu documents are too many for one index", sketches->count);
    if (fp_lsh_places(&instance->layout) != form->places ||
        (sketches->count && sketches->stride != instance->layout.bytes))
        return fp_fail(error, FP_ERROR_RANGE, "an index over %u places does not fit these sketches", form->places);
    fp_lsh *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    *made = (fp_lsh){.form = *form, .instance = instance, .sketches = *sketches};
    FP_TRY(open_tables(made, arena, error));
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = fp_parallel(form->tables, &arenas, true, fill_table, made, "index", progress, error);
    fp_arenas_free(&arenas);
    *out = made;
    return status;
}

const fp_lsh_form *fp_lsh_form_of(const fp_lsh *tables) { return &tables->form; }

size_t fp_lsh_bytes(const fp_lsh *tables) { return tables->bytes; }

/* ---- Queries ---- */

typedef struct list {
    uint32_t *document;
    size_t count, capacity;
} list;

static fp_status make_room(list *to, fp_arena *arena, fp_error *error) {
    size_t capacity = to->capacity ? to->capacity * 2 : 64;
    uint32_t *larger = fp_arena_raw(arena, capacity, sizeof *larger);
    if (!larger) return fp_no_memory(error);
    if (to->count) memcpy(larger, to->document, to->count * sizeof *larger);
    to->document = larger;
    to->capacity = capacity;
    return FP_OK;
}

/* A table before this one has brought the document already. */
static bool known(const fp_lsh *in, size_t before, const uint64_t *query, const uint64_t *other) {
    for (size_t t = 0; t < before; t++)
        if (fp_key_bits_agree(&in->tables[t].key, query, other)) return true;
    return false;
}

enum { AHEAD = 8 }; /* sketches on their way from memory */

static fp_status look_up(const fp_lsh *in, size_t index, const uint64_t *query, fp_arena *arena, list *found,
                         uint64_t *entries, fp_error *error) {
    const table *from = in->tables + index;
    uint64_t bucket = bucket_of(from, query);
    uint32_t end = from->begin[bucket + 1];
    for (uint32_t i = from->begin[bucket]; i < end; i++) {
        if (i + AHEAD < end) __builtin_prefetch(words_of(in, from->document[i + AHEAD]));
        const uint64_t *other = words_of(in, from->document[i]);
        if (!from->direct && !fp_key_bits_agree(&from->key, query, other)) continue;
        (*entries)++;
        if (known(in, index, query, other)) continue;
        if (found->count == found->capacity) FP_TRY(make_room(found, arena, error));
        found->document[found->count++] = from->document[i];
    }
    return FP_OK;
}

fp_status fp_lsh_candidates(const fp_lsh *in, fp_sketch query, fp_arena *arena, const uint32_t **documents,
                            size_t *count, fp_lsh_work *work, fp_error *error) {
    list found = {0};
    uint64_t entries = 0;
    for (size_t t = 0; t < in->form.tables; t++) FP_TRY(look_up(in, t, query.data, arena, &found, &entries, error));
    *documents = found.document;
    *count = found.count;
    if (!work) return FP_OK;
    work->queries++;
    work->lookups += in->form.tables;
    work->entries += entries;
    work->candidates += found.count;
    return FP_OK;
}

bool fp_lsh_meet(const fp_lsh *in, fp_sketch a, fp_sketch b) { return known(in, in->form.tables, a.data, b.data); }

/* ---- Specifications of an index: parsed, settled for a layout, written ---- */

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

static fp_status unknown_key(fp_lsh_kind kind, fp_string key, fp_error *error) {
    enum { MOST = 8 };
    const char *names[MOST + 1] = {NULL};
    size_t count = 0;
    for (const fp_parameter *row = TABLES[kind]; row->name && count < MOST; row++) names[count++] = row->name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)key.length, key.data);
    const char *nearest = fp_nearest(name, names);
    if (nearest)
        return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s; did you mean %s?", KINDS[kind], name, nearest);
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s", KINDS[kind], name);
}

fp_status fp_lsh_parse(const char *text, fp_arena *arena, fp_lsh_spec *spec, fp_error *error) {
    fp_string rest = fp_string_of(text), head, item;
    fp_next_field(&rest, ':', &head);
    const char *name = fp_string_copy(arena, head);
    if (!name) return fp_no_memory(error);
    *spec = (fp_lsh_spec){0};
    FP_TRY(find_kind(name, &spec->kind, error));
    FP_TRY(fp_parameters_initialise(TABLES[spec->kind], spec, error));
    while (rest.length && fp_next_field(&rest, ',', &item)) {
        fp_string value = item, key;
        fp_next_field(&value, '=', &key);
        if (!value.data)
            return fp_fail(error, FP_ERROR_SYNTAX, "expected key=value in an index, not \"%.*s\"", (int)item.length,
                           item.data);
        const fp_parameter *row = fp_parameter_find(TABLES[spec->kind], key);
        if (!row) return unknown_key(spec->kind, key, error);
        FP_TRY(fp_parameter_set(row, value, spec, arena, error));
    }
    return FP_OK;
}

/* ---- Settling ---- */

size_t fp_lsh_places(const fp_layout *layout) {
    if (layout->bytes == 0 || layout->bytes % 8) return 0;
    return layout->slots ? layout->slots : layout->bits;
}

fp_status fp_lsh_default(const fp_layout *layout, fp_lsh_spec *spec, fp_error *error) {
    *spec = (fp_lsh_spec){.kind = layout->slots ? FP_LSH_BANDING : FP_LSH_PIGEONHOLE};
    return fp_parameters_initialise(TABLES[spec->kind], spec, error);
}

bool fp_lsh_within_distance(const fp_layout *layout, double distance, fp_lsh_spec *spec) {
    size_t places = fp_lsh_places(layout);
    if (!(distance + 1 <= (double)places && distance + 1 <= FP_LSH_MOST)) return false;
    *spec = (fp_lsh_spec){.kind = FP_LSH_PIGEONHOLE, .blocks = (int64_t)distance + 1, .agree = 1};
    return true;
}

/* C(n, k), or more than FP_LSH_MOST. */
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

/* Slots of many bits agree by accident too seldom to count. */
static fp_status choose_bands(const fp_lsh_spec *spec, const fp_layout *layout, unsigned places, fp_banding *banding,
                              fp_error *error) {
    enum { MANY = 32 };
    unsigned bits = layout->slots ? (unsigned)layout->slot_bits : 1;
    fp_banding_goal goal = {
        .slots = places, .slot_bits = bits < MANY ? bits : 0, .similarity = spec->similarity, .recall = spec->recall};
    FP_TRY(fp_banding_check(&goal, error));
    fp_arena *scratch = fp_arena_new();
    fp_banding_choice *choices;
    size_t count;
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_banding_list(&goal, scratch, &choices, &count, error);
    *banding = status == FP_OK && count ? choices[0].banding : (fp_banding){places, 1};
    fp_arena_free(scratch);
    return status == FP_ERROR_RANGE ? FP_OK : status;
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
        return fp_fail(error, FP_ERROR_RANGE, "an index needs sketches of bits or slots that are counted one by one");
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

/* ----
 * Whole numbers back from what was divided by their norm. The norm is tried from the smallest value v: its whole number
 * is 1, or 2, …, and the sum of all squares (1/v)², (2/v)², …; whether that was right is seen at every value.
 */

static double smallest(const fp_vector *vector) {
    double least = INFINITY;
    for (size_t i = 0; i < vector->count; i++) least = fmin(least, fp_vector_value(vector, i));
    return least;
}

static bool is_norm(const fp_vector *vector, double norm, double squares) {
    double sum = 0;
    for (size_t i = 0; i < vector->count; i++) {
        double value = fp_vector_value(vector, i), whole = nearbyint(value * norm);
        if (!(whole >= 1 && whole <= FP_WHOLE_MOST) || whole / norm != value) return false;
        sum += whole * whole;
    }
    return sum == squares;
}

double fp_whole_norm(const fp_vector *vector) {
    enum { LARGEST_SMALLEST = 16 };
    if (vector->count == 0) return 1;
    double least = smallest(vector);
    for (double whole = 1; whole <= LARGEST_SMALLEST; whole++) {
        double squares = nearbyint(whole / least * (whole / least)), norm = sqrt(squares);
        if (!(squares <= FP_WHOLE_SQUARES)) return 0;
        if (is_norm(vector, norm, squares)) return norm;
    }
    return 0;
}
