/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of bands: made, and asked. */
#include "pairs/tables/band_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* ---- Making ---- */

typedef struct making {
    const fp_band_tables *to;
    const uint32_t *numbers; /* NULL: positions */
    uint64_t *keys;          /* [count·bands] */
} making;

static fp_status make_table(void *context, size_t band, fp_arena *arena, fp_error *error) {
    const making *it = context;
    const fp_band_tables *to = it->to;
    const fp_band_table *table = to->tables + band;
    size_t count = to->form.count;
    fp_band_entry *entries = fp_arena_raw(arena, count + 1, sizeof *entries);
    if (!entries) return fp_no_memory(error);
    fp_band_sort(it->keys + band, to->form.banding.bands, count, to->prefix, entries,
                 (uint32_t *)(uintptr_t)table->directory);
    uint64_t *key = (uint64_t *)(uintptr_t)table->keys;
    uint32_t *document = (uint32_t *)(uintptr_t)table->documents;
    for (size_t i = 0; i < count; i++) {
        key[i] = entries[i].key;
        document[i] = it->numbers ? it->numbers[entries[i].document] : entries[i].document;
    }
    return FP_OK;
}

static fp_status open_tables(fp_band_tables *made, fp_error *error) {
    size_t count = made->form.count, groups = (size_t)1 << made->prefix;
    made->tables = fp_arena_alloc(made->arena, made->form.banding.bands, sizeof *made->tables);
    if (!made->tables) return fp_no_memory(error);
    for (size_t b = 0; b < made->form.banding.bands; b++) {
        fp_band_table *table = made->tables + b;
        table->directory = fp_arena_raw(made->arena, groups + 1, sizeof *table->directory);
        table->keys = fp_arena_raw(made->arena, count + 1, sizeof *table->keys);
        table->documents = fp_arena_raw(made->arena, count + 1, sizeof *table->documents);
        if (!table->directory || !table->keys || !table->documents) return fp_no_memory(error);
    }
    return FP_OK;
}

static fp_status fill_tables(const fp_layout *layout, const fp_sketches *sketches, const uint32_t *numbers,
                             const fp_band_tables *to, const fp_arenas *arenas, const fp_progress *progress,
                             fp_error *error) {
    fp_banding banding = to->form.banding;
    making it = {to, numbers, fp_memory_take(to->like, sketches->count * banding.bands + 1, sizeof *it.keys)};
    if (!it.keys) return fp_no_memory(error);
    fp_status status = fp_band_keys_each(layout, banding, sketches, it.keys, arenas, progress, error);
    if (status == FP_OK) status = fp_parallel(banding.bands, arenas, true, make_table, &it, "bands", progress, error);
    fp_memory_release(to->like, it.keys);
    return status;
}

static fp_status make_tables(const fp_layout *layout, const fp_sketches *sketches, const uint32_t *numbers,
                             const fp_progress *progress, fp_band_tables *made, fp_error *error) {
    fp_arenas arenas = {0};
    if (!made->arena) return fp_no_memory(error);
    FP_TRY(open_tables(made, error));
    FP_TRY(fp_arenas_open(&arenas, progress, made->arena, error));
    fp_status status = fill_tables(layout, sketches, numbers, made, &arenas, progress, error);
    fp_arenas_free(&arenas);
    return status;
}

/* One above the largest. */
static uint64_t end_of(const uint32_t *numbers, size_t count) {
    return numbers && count ? (uint64_t)numbers[count - 1] + 1 : count;
}

fp_status fp_band_tables_build(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                               const uint32_t *numbers, const fp_progress *progress, const fp_arena *like,
                               fp_band_tables **out, fp_error *error) {
    FP_TRY(fp_band_check(layout, banding, sketches, error));
    fp_band_tables *made = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    *made = (fp_band_tables){
        .like = like,
        .arena = fp_arena_new_like(like),
        .form = {banding, layout->slots, layout->slot_bits, sketches->count, end_of(numbers, sketches->count)},
        .prefix = fp_band_prefix(sketches->count)};
    fp_status status = make_tables(layout, sketches, numbers, progress, made, error);
    *out = made;
    if (status == FP_OK) return FP_OK;
    fp_band_tables_close(made);
    return status;
}

void fp_band_tables_close(fp_band_tables *tables) {
    if (!tables) return;
    fp_section_file_close(tables->file);
    fp_arena_free(tables->arena);
    fp_memory_release(tables->like, tables);
}

/* ---- What it is ---- */

fp_band_form fp_band_tables_form(const fp_band_tables *tables) { return tables->form; }

const fp_section_file *fp_band_tables_file(const fp_band_tables *tables) { return tables->file; }

size_t fp_band_tables_bytes(const fp_band_tables *tables) {
    size_t directory = (((size_t)1 << tables->prefix) + 1) * sizeof(uint32_t);
    return tables->form.banding.bands * (directory + tables->form.count * (sizeof(uint64_t) + sizeof(uint32_t)));
}

/* Slots of many bits agree by accident too seldom to count. */
double fp_band_tables_recall(const fp_band_tables *tables, double jaccard) {
    enum { MANY = 32 };
    unsigned bits = tables->form.slot_bits < MANY ? (unsigned)tables->form.slot_bits : 0;
    return fp_banding_probability(tables->form.banding, fp_banding_slot(jaccard, bits));
}

/* ---- Queries ---- */

static fp_status damaged(const fp_band_tables *in, const char *part, unsigned band, fp_error *error) {
    char name[FP_SECTION_NAME + 1];
    snprintf(name, sizeof name, "%s.%u", part, band);
    return fp_section_damaged(in->file, name, "it leads outside of the table", error);
}

/* Entries first … end − 1 of a part: its pages are right, where it is a file. */
static fp_status touch(const fp_band_tables *in, const fp_band_table *table, size_t part, size_t first, size_t end,
                       fp_error *error) {
    static const size_t SIZE[] = {sizeof(uint32_t), sizeof(uint64_t), sizeof(uint32_t)};
    if (first >= end) return FP_OK;
    return fp_section_touch(in->file, table->right[part], first * SIZE[part], end * SIZE[part], error);
}

/* The documents of the key, from *first to *end − 1. FP_ERROR_SYNTAX: the file is damaged. */
static fp_status find(const fp_band_tables *in, unsigned band, uint64_t key, size_t *first, size_t *end,
                      fp_error *error) {
    const fp_band_table *table = in->tables + band;
    size_t group = in->prefix ? key >> (64 - in->prefix) : 0;
    FP_TRY(touch(in, table, 0, group, group + 2, error));
    size_t at = table->directory[group], last = table->directory[group + 1];
    if (at > last || last > in->form.count) return damaged(in, "directory", band, error);
    FP_TRY(touch(in, table, 1, at, last, error));
    while (at < last && table->keys[at] < key) at++;
    *first = at;
    while (at < last && table->keys[at] == key) at++;
    *end = at;
    return touch(in, table, 2, *first, *end, error);
}

typedef struct list {
    uint32_t *document;
    size_t count, room;
} list;

static fp_status add(list *to, const uint32_t *documents, size_t count, fp_arena *arena, fp_error *error) {
    if (to->count + count > to->room) {
        size_t room = 2 * (to->count + count) + 64;
        uint32_t *larger = fp_arena_grow(arena, to->document, room * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        to->document = larger;
        to->room = room;
    }
    if (count) memcpy(to->document + to->count, documents, count * sizeof *documents);
    to->count += count;
    return FP_OK;
}

static size_t keep_distinct(uint32_t *found, size_t count) {
    size_t kept = 0;
    if (count) qsort(found, count, sizeof *found, fp_ascending_u32);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || found[i] != found[kept - 1]) found[kept++] = found[i];
    return kept;
}

fp_status fp_band_candidates(const fp_band_tables *in, const fp_layout *layout, fp_sketch query, fp_arena *arena,
                             const uint32_t **documents, size_t *count, fp_band_work *work, fp_error *error) {
    const fp_band_form *form = &in->form;
    uint64_t keys[FP_BANDS_MOST];
    list found = {0};
    if (layout->slots != form->slots || layout->slot_bits != form->slot_bits || query.size != layout->bytes)
        return fp_fail(error, FP_ERROR_RANGE, "a query of %zu slots of %zu bits, where the index has %zu of %zu",
                       layout->slots, layout->slot_bits, form->slots, form->slot_bits);
    fp_band_keys(layout, form->banding, query.data, keys);
    for (unsigned b = 0; b < form->banding.bands; b++) {
        const fp_band_table *table = in->tables + b;
        size_t first = 0, end = 0;
        FP_TRY(find(in, b, keys[b], &first, &end, error));
        for (size_t i = first; i < end; i++)
            if (table->documents[i] >= form->end) return damaged(in, "documents", b, error);
        FP_TRY(add(&found, table->documents + first, end - first, arena, error));
    }
    *documents = found.document;
    *count = keep_distinct(found.document, found.count);
    if (!work) return FP_OK;
    work->queries++;
    work->lookups += form->banding.bands;
    work->entries += found.count;
    work->candidates += *count;
    return FP_OK;
}

bool fp_band_tables_hold(const fp_band_tables *in, const fp_layout *layout, fp_sketch sketch, uint32_t document) {
    const fp_band_form *form = &in->form;
    uint64_t keys[FP_BANDS_MOST];
    if (layout->slots != form->slots || layout->slot_bits != form->slot_bits || sketch.size != layout->bytes)
        return false;
    fp_band_keys(layout, form->banding, sketch.data, keys);
    for (unsigned b = 0; b < form->banding.bands; b++) {
        const fp_band_table *table = in->tables + b;
        size_t first, end;
        if (find(in, b, keys[b], &first, &end, NULL) != FP_OK) return false;
        if (!bsearch(&document, table->documents + first, end - first, sizeof document, fp_ascending_u32)) return false;
    }
    return true;
}
