/* SPDX-License-Identifier: GPL-3.0-or-later
 * Block tables in memory: what they are made of, and how they end. */
#include "pairs/tables/block_tables.h"

#include <string.h>
#include <sys/mman.h>

#include "pairs/tables/block_pairs.h"

/* ---- What goes in ---- */

static fp_status check_numbers(const fp_block_source *source, unsigned *number_bytes, fp_error *error) {
    const uint32_t *numbers = source->numbers;
    size_t count = source->count;
    for (size_t i = 1; numbers && i < count; i++)
        if (numbers[i] <= numbers[i - 1])
            return fp_fail(error, FP_ERROR_RANGE, "the numbers of fingerprints must ascend: %u is followed by %u",
                           numbers[i - 1], numbers[i]);
    size_t last = count == 0 ? 0 : numbers ? numbers[count - 1] : count - 1;
    *number_bytes = last < 1 << 24 ? 3 : 4;
    return FP_OK;
}

fp_status fp_block_source_check(const fp_block_design *design, const fp_block_source *source, unsigned *number_bytes,
                                fp_error *error) {
    FP_TRY(fp_block_design_check(design, error));
    if (source->count >= UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "%zu fingerprints are too many for one index", source->count);
    size_t words = fp_block_words(design->bits);
    uint64_t beyond = design->bits % 64 ? UINT64_MAX << design->bits % 64 : 0;
    for (size_t i = 0; beyond && i < source->count; i++)
        if (source->fingerprints[(i + 1) * words - 1] & beyond)
            return fp_fail(error, FP_ERROR_RANGE, "fingerprint %zu has bits beyond its %u", i, design->bits);
    return check_numbers(source, number_bytes, error);
}

fp_status fp_block_prefixes(const fp_block_design *design, size_t count, unsigned number_bytes, fp_arena *arena,
                            fp_block_table **tables, size_t *table_count, fp_error *error) {
    const uint64_t none[FP_BLOCK_WORDS] = {0};
    size_t words = fp_block_words(design->bits), keys = fp_block_design_tables(design);
    uint64_t *mask;
    FP_TRY(fp_block_design_masks(design, arena, &mask, error));
    *table_count = keys ? keys : 1;
    *tables = fp_arena_alloc(arena, *table_count, sizeof **tables);
    if (!*tables) return fp_no_memory(error);
    if (!keys) return fp_key_bits_cut(none, words, arena, &(*tables)->prefix, error);
    for (size_t t = 0; t < keys; t++, mask += words) {
        unsigned bits = fp_mask_bits(mask, words);
        fp_mask_keep_lowest(mask, words, fp_block_prefix_bits(bits, (double)count, number_bytes));
        FP_TRY(fp_key_bits_cut(mask, words, arena, &(*tables)[t].prefix, error));
    }
    return FP_OK;
}

void *fp_block_room(const fp_arena *like, size_t count, size_t size) {
    enum { LARGE = 2 << 20 };
    if (size && count > SIZE_MAX / size) return NULL;
    size_t bytes = count && size ? count * size : 1;
    char *place = fp_memory_resize(like, NULL, bytes);
    if (!place || bytes < 2 * LARGE) return place;
    size_t before = (size_t)(-(uintptr_t)place & (LARGE - 1));
    madvise(place + before, (bytes - before) & ~(size_t)(LARGE - 1), MADV_HUGEPAGE); /* or not, where it cannot be */
    return place;
}

/* ---- In memory ---- */

static void *own(fp_block_tables *made, size_t count, size_t size) {
    void *place = fp_block_room(made->like, count, size);
    if (place) made->owned[made->owned_count++] = place;
    return place;
}

static fp_status fill_table(fp_block_tables *made, fp_block_table *table, fp_block_grouping *grouping,
                            fp_error *error) {
    uint32_t *begin = own(made, fp_block_groups(table) + 1, sizeof *begin);
    uint64_t *fingerprints = own(made, made->count, made->words * sizeof *fingerprints);
    unsigned char *numbers = own(made, made->count, made->number_bytes);
    if (!begin || !fingerprints || !numbers) return fp_no_memory(error);
    table->begin = begin;
    table->fingerprints = fingerprints;
    table->numbers = numbers;
    return fp_block_group(grouping, &table->prefix, made->number_bytes, begin, fingerprints, numbers, error);
}

static fp_status fill_tables(fp_block_tables *made, const fp_block_source *source, const fp_progress *progress,
                             fp_error *error) {
    fp_arenas arenas = {0};
    fp_block_grouping *grouping;
    FP_TRY(fp_arenas_open(&arenas, progress, made->arena, error));
    fp_status status = fp_block_grouping_open(source, made->words, &arenas, made->like, &grouping, error);
    for (size_t t = 0; status == FP_OK && t < made->table_count; t++) {
        status = fill_table(made, made->tables + t, grouping, error);
        if (progress && progress->report) progress->report(progress->context, "index", t + 1, made->table_count);
    }
    fp_block_grouping_close(grouping);
    fp_arenas_free(&arenas);
    return status;
}

static fp_status build(fp_block_tables *made, const fp_block_source *source, const fp_progress *progress,
                       fp_error *error) {
    FP_TRY(fp_block_source_check(&made->design, source, &made->number_bytes, error));
    made->words = fp_block_words(made->design.bits);
    made->count = source->count;
    made->arena = fp_arena_new_like(made->like);
    if (!made->arena) return fp_no_memory(error);
    FP_TRY(fp_block_prefixes(&made->design, made->count, made->number_bytes, made->arena, &made->tables,
                             &made->table_count, error));
    made->owned = fp_arena_alloc(made->arena, 3 * made->table_count, sizeof *made->owned);
    if (!made->owned) return fp_no_memory(error);
    return fill_tables(made, source, progress, error);
}

fp_status fp_block_tables_build(const fp_block_design *design, const fp_block_source *source,
                                const fp_progress *progress, const fp_arena *like, fp_block_tables **tables,
                                fp_error *error) {
    *tables = fp_memory_take(like, 1, sizeof **tables);
    if (!*tables) return fp_no_memory(error);
    (*tables)->design = *design;
    (*tables)->like = like;
    fp_status status = build(*tables, source, progress, error);
    if (status == FP_OK) return FP_OK;
    fp_block_tables_close(*tables);
    *tables = NULL;
    return status;
}

void fp_block_tables_close(fp_block_tables *tables) {
    if (!tables) return;
    const fp_arena *like = tables->like;
    for (size_t i = 0; i < tables->owned_count; i++) fp_memory_release(like, tables->owned[i]);
    fp_section_file_close(tables->file);
    if (tables->arena) fp_arena_free(tables->arena);
    fp_memory_release(like, tables);
}

/* ---- What is there ---- */

const fp_block_design *fp_block_tables_design(const fp_block_tables *tables) { return &tables->design; }

size_t fp_block_tables_count(const fp_block_tables *tables) { return tables->count; }

uint64_t fp_block_tables_sum(const fp_block_tables *tables) {
    return tables->file ? fp_section_file_sum(tables->file) : 0;
}

size_t fp_block_tables_bytes(const fp_block_tables *tables) {
    size_t bytes = tables->table_count * tables->count * (8 * tables->words + tables->number_bytes);
    for (size_t t = 0; t < tables->table_count; t++)
        bytes += (fp_block_groups(tables->tables + t) + 1) * sizeof(uint32_t);
    return bytes;
}

const uint64_t *fp_block_tables_entry(const fp_block_tables *tables, size_t i, uint32_t *number) {
    *number = fp_block_number(tables, tables->tables, i);
    return tables->tables->fingerprints + i * tables->words;
}

fp_status fp_block_tables_touch(const fp_block_tables *tables, size_t first, size_t count, fp_error *error) {
    return fp_block_touch(tables, tables->tables, first, first + count, error);
}
