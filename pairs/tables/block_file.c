/* SPDX-License-Identifier: GPL-3.0-or-later
 * Block tables in a file of sections (docs/index-format.md): written table after table, opened at once. */
#include <string.h>

#include "pairs/tables/block_pairs.h"

#define KIND "blocks"
enum { VERSION = 1, PARTS = FP_BLOCK_PARTS };

const char *const fp_block_part[PARTS] = {"directory", "fingerprints", "numbers"};

/* The section "design". The key of each table, as the mask of its prefix, is in the section "prefixes". */
typedef struct design_section {
    uint64_t bits, distance, level_count, blocks[FP_BLOCK_LEVELS], agree[FP_BLOCK_LEVELS];
    uint64_t count, number_bytes, table_count;
} design_section;

static void name_part(size_t table, size_t part, char name[FP_SECTION_NAME + 1]) {
    snprintf(name, FP_SECTION_NAME + 1, "%s.%zu", fp_block_part[part], table);
}

static size_t part_bytes(const fp_block_tables *in, const fp_block_table *table, size_t part) {
    size_t of_part[PARTS] = {(fp_block_groups(table) + 1) * sizeof(uint32_t), in->count * in->words * sizeof(uint64_t),
                             in->count * in->number_bytes};
    return of_part[part];
}

static void mask_of(const fp_key_bits *prefix, size_t words, uint64_t *mask) {
    memset(mask, 0, words * sizeof *mask);
    for (size_t i = 0; i < prefix->run_count; i++) mask[prefix->runs[i].word] |= prefix->runs[i].mask;
}

/* ---- Writing ---- */

static fp_status write_section(fp_section_writer *writer, const char *name, const void *data, size_t bytes,
                               fp_error *error) {
    FP_TRY(fp_section_begin(writer, name, error));
    return fp_section_add(writer, data, bytes, error);
}

static fp_status write_design(const fp_block_tables *in, fp_section_writer *writer, fp_error *error) {
    const fp_block_design *design = &in->design;
    design_section section = {.bits = design->bits,
                              .distance = design->distance,
                              .level_count = design->level_count,
                              .count = in->count,
                              .number_bytes = in->number_bytes,
                              .table_count = in->table_count};
    for (unsigned l = 0; l < design->level_count; l++) {
        section.blocks[l] = design->level[l].blocks;
        section.agree[l] = design->level[l].agree;
    }
    FP_TRY(write_section(writer, "design", &section, sizeof section, error));
    FP_TRY(fp_section_begin(writer, "prefixes", error));
    for (size_t t = 0; t < in->table_count; t++) {
        uint64_t mask[FP_BLOCK_WORDS];
        mask_of(&in->tables[t].prefix, in->words, mask);
        FP_TRY(fp_section_add(writer, mask, in->words * sizeof *mask, error));
    }
    return FP_OK;
}

/* The same room for every table. */
static fp_status write_tables(fp_block_tables *in, const fp_block_source *source, fp_section_writer *writer,
                              const fp_arenas *arenas, const fp_progress *progress, fp_error *error) {
    fp_block_grouping *grouping = NULL;
    void *room[PARTS] = {0};
    size_t most = 0;
    fp_status status = write_design(in, writer, error);
    for (size_t t = 0; t < in->table_count; t++)
        most = part_bytes(in, in->tables + t, 0) > most ? part_bytes(in, in->tables + t, 0) : most;
    for (size_t part = 0; part < PARTS && status == FP_OK; part++) {
        room[part] = fp_block_room(in->like, part ? part_bytes(in, in->tables, part) : most, 1);
        if (!room[part]) status = fp_no_memory(error);
    }
    if (status == FP_OK) status = fp_block_grouping_open(source, in->words, arenas, in->like, &grouping, error);
    for (size_t t = 0; t < in->table_count && status == FP_OK; t++) {
        status = fp_block_group(grouping, &in->tables[t].prefix, in->number_bytes, room[0], room[1], room[2], error);
        for (size_t part = 0; part < PARTS && status == FP_OK; part++) {
            char name[FP_SECTION_NAME + 1];
            name_part(t, part, name);
            status = write_section(writer, name, room[part], part_bytes(in, in->tables + t, part), error);
        }
        if (progress && progress->report) progress->report(progress->context, "index", t + 1, in->table_count);
    }
    fp_block_grouping_close(grouping);
    for (size_t part = 0; part < PARTS; part++) fp_memory_release(in->like, room[part]);
    return status;
}

static fp_status write_file(fp_block_tables *in, const fp_block_source *source, const char *path,
                            const fp_progress *progress, fp_error *error) {
    fp_section_writer *writer;
    fp_arenas arenas;
    FP_TRY(
        fp_block_prefixes(&in->design, in->count, in->number_bytes, in->arena, &in->tables, &in->table_count, error));
    FP_TRY(fp_arenas_open(&arenas, progress, in->arena, error));
    fp_status status = fp_section_writer_open(path, KIND, VERSION, in->like, &writer, error);
    if (status == FP_OK) {
        status = write_tables(in, source, writer, &arenas, progress, error);
        if (status == FP_OK) status = fp_section_writer_close(writer, error);
        else fp_section_writer_discard(writer);
    }
    fp_arenas_free(&arenas);
    return status;
}

fp_status fp_block_tables_write(const fp_block_design *design, const fp_block_source *source, const char *path,
                                const fp_progress *progress, const fp_arena *like, fp_error *error) {
    fp_block_tables in = {.design = *design, .count = source->count, .like = like};
    FP_TRY(fp_block_source_check(design, source, &in.number_bytes, error));
    in.words = fp_block_words(design->bits);
    in.arena = fp_arena_new_like(like);
    if (!in.arena) return fp_no_memory(error);
    fp_status status = write_file(&in, source, path, progress, error);
    fp_arena_free(in.arena);
    return status;
}

/* ---- Opening: a file with the right checksum may still have been made by somebody ---- */

static fp_status read_design(fp_block_tables *made, fp_error *error) {
    fp_section section;
    design_section from;
    FP_TRY(fp_section_find_good(made->file, "design", &section, error));
    if (section.bytes != sizeof from) return fp_section_damaged(made->file, "design", "its length is another", error);
    memcpy(&from, section.data, sizeof from);
    bool good = from.bits <= FP_BLOCK_BITS && from.distance < FP_BLOCK_BITS && from.level_count <= FP_BLOCK_LEVELS &&
                from.count < UINT32_MAX && (from.number_bytes == 3 || from.number_bytes == 4);
    fp_block_design design = {
        .bits = (unsigned)from.bits, .distance = (unsigned)from.distance, .level_count = (unsigned)from.level_count};
    for (unsigned l = 0; good && l < design.level_count; l++) {
        good = from.blocks[l] <= FP_BLOCK_BITS && from.agree[l] <= FP_BLOCK_BITS;
        design.level[l] = (fp_block_level){(unsigned)from.blocks[l], (unsigned)from.agree[l]};
    }
    fp_error why = {0};
    if (!good || fp_block_design_check(&design, &why) != FP_OK)
        return fp_section_damaged(made->file, "design", good ? why.message : "a number is out of its bounds", error);
    made->design = design;
    made->words = fp_block_words(design.bits);
    made->count = from.count;
    made->number_bytes = (unsigned)from.number_bytes;
    return FP_OK;
}

static fp_status map_table(fp_block_tables *made, size_t t, fp_error *error) {
    const void *data[PARTS];
    for (size_t part = 0; part < PARTS; part++) {
        char name[FP_SECTION_NAME + 1];
        name_part(t, part, name);
        size_t index = FP_BLOCK_SECTIONS_BEFORE + t * PARTS + part;
        fp_section section = {0};
        if (index < fp_section_count(made->file)) section = fp_section_at(made->file, index);
        if (!section.name || strcmp(section.name, name) != 0 ||
            section.bytes != part_bytes(made, made->tables + t, part))
            return fp_section_damaged(made->file, name, "it is missing, or of another length", error);
        data[part] = section.data;
        made->tables[t].right[part] = section.right;
    }
    made->tables[t].begin = data[0];
    made->tables[t].fingerprints = data[1];
    made->tables[t].numbers = data[2];
    return FP_OK;
}

static fp_status map_tables(fp_block_tables *made, fp_error *error) {
    fp_section prefixes;
    FP_TRY(read_design(made, error));
    FP_TRY(fp_block_prefixes(&made->design, made->count, made->number_bytes, made->arena, &made->tables,
                             &made->table_count, error));
    FP_TRY(fp_section_find_good(made->file, "prefixes", &prefixes, error));
    if (prefixes.bytes != made->table_count * made->words * sizeof(uint64_t))
        return fp_section_damaged(made->file, "prefixes", "its length is another", error);
    for (size_t t = 0; t < made->table_count; t++) {
        uint64_t mask[FP_BLOCK_WORDS];
        mask_of(&made->tables[t].prefix, made->words, mask);
        if (memcmp(mask, (const uint64_t *)prefixes.data + t * made->words, made->words * sizeof *mask) != 0)
            return fp_section_damaged(made->file, "prefixes", "they are not those of the design", error);
        FP_TRY(map_table(made, t, error));
    }
    return FP_OK;
}

fp_status fp_block_tables_open(const char *path, const fp_arena *like, fp_block_tables **tables, fp_error *error) {
    fp_block_tables *made = *tables = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->like = like;
    made->arena = fp_arena_new_like(like);
    fp_status status = made->arena ? FP_OK : fp_no_memory(error);
    if (status == FP_OK) status = fp_section_file_open(path, KIND, VERSION, like, &made->file, error);
    if (status == FP_OK) status = map_tables(made, error);
    if (status == FP_OK) return FP_OK;
    fp_block_tables_close(made);
    *tables = NULL;
    return status;
}
