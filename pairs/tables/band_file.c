/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of bands in a file of sections (docs/index-format.md). */
#include <string.h>

#include "pairs/tables/band_tables.h"

#define KIND "bands"
enum { VERSION = 2, PARTS = 3 };
static const char *const PART_NAMES[PARTS] = {"directory", "keys", "documents"};

/* The section "design". */
typedef struct design_section {
    uint64_t bands, rows, slots, slot_bits, count, end;
} design_section;

static void part_name(size_t part, size_t band, char *name) {
    snprintf(name, FP_SECTION_NAME + 1, "%s.%zu", PART_NAMES[part], band);
}

static size_t part_bytes(const fp_band_tables *in, size_t part) {
    const size_t bytes[PARTS] = {(((size_t)1 << in->prefix) + 1) * sizeof(uint32_t), in->form.count * sizeof(uint64_t),
                                 in->form.count * sizeof(uint32_t)};
    return bytes[part];
}

/* ---- Out ---- */

static fp_status write_section(fp_section_writer *writer, const char *name, const void *data, size_t bytes,
                               fp_error *error) {
    FP_TRY(fp_section_begin(writer, name, error));
    return fp_section_add(writer, data, bytes, error);
}

static fp_status write_all(const fp_band_tables *in, fp_section_writer *writer, fp_error *error) {
    const fp_band_form *form = &in->form;
    design_section design = {form->banding.bands, form->banding.rows, form->slots,
                             form->slot_bits,     form->count,        form->end};
    FP_TRY(write_section(writer, "design", &design, sizeof design, error));
    for (size_t b = 0; b < form->banding.bands; b++) {
        const fp_band_table *table = in->tables + b;
        const void *const data[PARTS] = {table->directory, table->keys, table->documents};
        for (size_t part = 0; part < PARTS; part++) {
            char name[FP_SECTION_NAME + 1];
            part_name(part, b, name);
            FP_TRY(write_section(writer, name, data[part], part_bytes(in, part), error));
        }
    }
    return FP_OK;
}

fp_status fp_band_tables_write(const fp_band_tables *tables, const char *path, const fp_arena *like, fp_error *error) {
    fp_section_writer *writer;
    FP_TRY(fp_section_writer_open(path, KIND, VERSION, like, &writer, error));
    fp_status status = write_all(tables, writer, error);
    if (status == FP_OK) return fp_section_writer_close(writer, error);
    fp_section_writer_discard(writer);
    return status;
}

/* ---- In ---- */

static fp_status read_design(fp_band_tables *made, fp_error *error) {
    fp_section section;
    design_section design;
    FP_TRY(fp_section_find_good(made->file, "design", &section, error));
    if (section.bytes != sizeof design) return fp_section_damaged(made->file, "design", "its size is another", error);
    memcpy(&design, section.data, sizeof design);
    if (design.bands < 1 || design.bands > FP_BANDS_MOST || design.rows < 1 || design.rows > FP_BANDING_SLOTS ||
        design.slots < design.bands * design.rows || design.slot_bits < 1 || design.slot_bits > 64 ||
        design.count >= UINT32_MAX || design.end < design.count || design.end > UINT32_MAX)
        return fp_section_damaged(made->file, "design", "its numbers do not go together", error);
    made->form = (fp_band_form){
        {(unsigned)design.bands, (unsigned)design.rows}, design.slots, design.slot_bits, design.count, design.end};
    made->prefix = fp_band_prefix(design.count);
    return FP_OK;
}

static fp_status find_part(const fp_band_tables *in, size_t part, size_t band, fp_section *section, fp_error *error) {
    char name[FP_SECTION_NAME + 1];
    part_name(part, band, name);
    if (!fp_section_find(in->file, name, section)) return fp_section_damaged(in->file, name, "it is missing", error);
    if (section->bytes != part_bytes(in, part)) return fp_section_damaged(in->file, name, "its size is another", error);
    return FP_OK;
}

static fp_status open_file(const char *path, fp_band_tables *made, fp_error *error) {
    if (!made->arena) return fp_no_memory(error);
    FP_TRY(fp_section_file_open(path, KIND, VERSION, made->like, &made->file, error));
    FP_TRY(read_design(made, error));
    made->tables = fp_arena_alloc(made->arena, made->form.banding.bands, sizeof *made->tables);
    if (!made->tables) return fp_no_memory(error);
    for (size_t b = 0; b < made->form.banding.bands; b++) {
        fp_section in[PARTS] = {{0}};
        for (size_t part = 0; part < PARTS; part++) FP_TRY(find_part(made, part, b, in + part, error));
        made->tables[b] = (fp_band_table){in[0].data, in[1].data, in[2].data, {in[0].right, in[1].right, in[2].right}};
    }
    return FP_OK;
}

fp_status fp_band_tables_open(const char *path, const fp_arena *like, fp_band_tables **tables, fp_error *error) {
    fp_band_tables *made = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    *made = (fp_band_tables){.like = like, .arena = fp_arena_new_like(like)};
    fp_status status = open_file(path, made, error);
    *tables = made;
    if (status == FP_OK) return FP_OK;
    fp_band_tables_close(made);
    return status;
}
