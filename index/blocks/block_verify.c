/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is damaged in a file of block tables. */
#include "index/blocks/block_table.h"

typedef struct verification {
    const fp_block_tables *in;
    fp_section_damage *damages; /* [count], of room for `room`, in the arena */
    size_t count, room;
    fp_arena *arena;
    bool failed; /* no memory */
} verification;

static void note_damage(void *context, const fp_section_damage *damage) {
    verification *of = context;
    if (of->count == of->room) {
        size_t room = of->room ? of->room * 2 : 64;
        fp_section_damage *larger = fp_arena_grow(of->arena, of->damages, room * sizeof *larger);
        if (!larger) {
            of->failed = true;
            return;
        }
        of->damages = larger;
        of->room = room;
    }
    of->damages[of->count++] = *damage;
}

/* What the bytes first … end − 1 of a part are. */
static const char *what_is_lost(const verification *of, const fp_section_damage *damage) {
    const fp_block_tables *in = of->in;
    size_t part = (damage->section - FP_BLOCK_SECTIONS_BEFORE) % FP_BLOCK_PARTS,
           entries[FP_BLOCK_PARTS] = {4, in->words * 8, in->number_bytes};
    size_t first = damage->first / entries[part], count = (damage->end - 1) / entries[part] + 1 - first;
    if (part == 0) return fp_format(of->arena, "the places of %zu groups are lost", count);
    return fp_format(of->arena, "%zu of %zu %s are lost", count, in->count, fp_block_part[part]);
}

static fp_status tell_damage(const verification *of, const fp_section_damage *damage,
                             void (*tell)(void *context, const char *line), void *context, fp_error *error) {
    fp_section section = fp_section_at(of->in->file, damage->section);
    const char *line;
    if (damage->section < FP_BLOCK_SECTIONS_BEFORE) {
        line = fp_format(of->arena, "%s: the section %s is damaged", fp_section_file_path(of->in->file), section.name);
    } else {
        const char *lost = what_is_lost(of, damage);
        if (!lost) return fp_no_memory(error);
        line = fp_format(
            of->arena,
            "%s: table %zu: bytes %zu to %zu of the section %s are damaged: %s; `fplab index merge` makes the tables again",
            fp_section_file_path(of->in->file), (damage->section - FP_BLOCK_SECTIONS_BEFORE) / FP_BLOCK_PARTS,
            damage->first, damage->end - 1, section.name, lost);
    }
    if (!line) return fp_no_memory(error);
    tell(context, line);
    return FP_OK;
}

static fp_status verify(verification *of, void (*tell)(void *context, const char *line), void *context,
                        const fp_progress *progress, fp_error *error) {
    FP_TRY(fp_section_file_verify(of->in->file, note_damage, of, progress, error));
    if (of->failed) return fp_no_memory(error);
    for (size_t i = 0; i < of->count; i++) FP_TRY(tell_damage(of, of->damages + i, tell, context, error));
    return FP_OK;
}

fp_status fp_block_tables_verify(const fp_block_tables *tables, void (*tell)(void *context, const char *line),
                                 void *context, uint64_t *problems, const fp_progress *progress, fp_error *error) {
    verification of = {.in = tables, .arena = fp_arena_new_like(tables->like)};
    if (problems) *problems = 0;
    if (!of.arena) return fp_no_memory(error);
    fp_status status = tables->file ? verify(&of, tell, context, progress, error) : FP_OK;
    if (status == FP_OK && problems) *problems = of.count;
    fp_arena_free(of.arena);
    return status;
}
