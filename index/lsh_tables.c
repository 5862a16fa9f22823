/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of documents by parts of their sketches. */
#include "index/lsh_tables.h"

#include <string.h>

#include "index/key_bits.h"

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

/* Block b of n places: the first n % blocks are a place wider, as in index/blocks/block_design.h. */
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
