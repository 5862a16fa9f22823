/* SPDX-License-Identifier: GPL-3.0-or-later
 * Queries of block tables. A look-up waits for memory twice, for the directory and for the group; with many queries at
 * once, the waits of later look-ups overlap with the comparisons of earlier ones. */
#include <stdlib.h>

#include "algorithms/kernels/near.h"
#include "base/bytes.h"
#include "pairs/tables/block_tables.h"

enum { TILE = 2048 }; /* fingerprints that are compared at a time: of one word, 16 KiB */

/* What a query has found. */
typedef struct list {
    fp_found *found;
    size_t count, room;
} list;

static fp_status add_found(list *to, fp_found found, fp_arena *arena, fp_error *error) {
    if (to->count == to->room) {
        size_t room = to->room ? to->room * 2 : 16;
        fp_found *larger = fp_arena_raw(arena, room, sizeof *larger);
        if (!larger) return fp_no_memory(error);
        for (size_t i = 0; i < to->count; i++) larger[i] = to->found[i];
        to->found = larger;
        to->room = room;
    }
    to->found[to->count++] = found;
    return FP_OK;
}

/* By distance, then number. */
static int compare_found(const void *left, const void *right) {
    const fp_found *a = left, *b = right;
    return a->distance != b->distance ? FP_ORDER(a->distance, b->distance) : FP_ORDER(a->number, b->number);
}

static void sort_found(list *of) {
    if (of->count > 1) qsort(of->found, of->count, sizeof *of->found, compare_found);
}

/* One question, of all its queries. */
typedef struct question {
    const fp_block_tables *in;
    unsigned distance;
    fp_near_kernel kernel;
} question;

static fp_status ask(const fp_block_tables *in, unsigned distance, question *made, fp_error *error) {
    *made = (question){in, distance, fp_near_chosen()->kernel};
    if (distance <= in->design.distance) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "the index finds what is within a distance of %u, not of %u",
                   in->design.distance, distance);
}

/* Entries first … end − 1 of a table, fewer than TILE of them at a time. */
static fp_status compare_entries(const question *of, size_t t, size_t first, size_t end, const uint64_t *query,
                                 list *to, fp_arena *arena, fp_error *error) {
    const fp_block_tables *in = of->in;
    const fp_block_table *table = in->tables + t;
    uint32_t at[TILE];
    FP_TRY(fp_block_touch(in, table, first, end, error));
    for (; first < end; first += TILE) {
        size_t some = end - first < TILE ? end - first : TILE;
        size_t near = of->kernel(query, table->fingerprints + first * in->words, in->words, some, of->distance, at);
        for (size_t i = 0; i < near; i++) {
            const uint64_t *other = table->fingerprints + (first + at[i]) * in->words;
            if (fp_block_told(in->tables, t, query, other)) continue;
            fp_found found = {fp_block_number(in, table, first + at[i]), fp_block_distance(query, other, in->words)};
            FP_TRY(add_found(to, found, arena, error));
        }
    }
    return FP_OK;
}

fp_status fp_block_tables_near(const fp_block_tables *in, const uint64_t *query, unsigned distance, fp_arena *arena,
                               const fp_found **found, size_t *count, fp_block_work *work, fp_error *error) {
    question of;
    list to = {0};
    uint64_t compared = 0;
    FP_TRY(ask(in, distance, &of, error));
    for (size_t t = 0; t < in->table_count; t++) {
        size_t first, end;
        FP_TRY(fp_block_range(in, in->tables + t, fp_key_bits_of(&in->tables[t].prefix, query), &first, &end, error));
        compared += end - first;
        FP_TRY(compare_entries(&of, t, first, end, query, &to, arena, error));
    }
    sort_found(&to);
    *found = to.found;
    *count = to.count;
    if (!work) return FP_OK;
    work->queries++;
    work->lookups += in->table_count;
    work->compared += compared;
    work->found += to.count;
    return FP_OK;
}

/* ---- Many queries ---- */

enum { MOST_AT_ONCE = 256, AHEAD = 12, RING = 32, LINES = 24, LINE = 64 };

typedef struct batch {
    question of;
    const uint64_t *queries;
    size_t query_count, at_once;
    fp_tell_found tell;
    void *context;
    _Atomic uint64_t compared, found;
} batch;

/* A look-up on its way: query by query, and for each table by table. */
typedef struct lookup {
    uint64_t group;
    size_t first, end;
} lookup;

static void fetch_directory(const fp_block_table *table, const uint64_t *query, lookup *to) {
    to->group = fp_key_bits_of(&table->prefix, query);
    __builtin_prefetch(table->begin + to->group);
}

/* As much of the group as does not wait for itself: the processor fetches on by itself once it is read. */
static fp_status fetch_group(const fp_block_tables *in, const fp_block_table *table, lookup *to, fp_error *error) {
    FP_TRY(fp_block_range(in, table, to->group, &to->first, &to->end, error));
    const char *from = (const char *)(table->fingerprints + to->first * in->words);
    const char *end = (const char *)(table->fingerprints + to->end * in->words);
    for (size_t line = 0; line < LINES && from < end; line++, from += LINE) __builtin_prefetch(from);
    return FP_OK;
}

/* Each step asks for the directory of a look-up 2 · AHEAD later, for the group of one AHEAD later, and compares. */
static fp_status look_up_some(const question *of, const uint64_t *queries, size_t count, list *lists,
                              uint64_t *compared, fp_arena *arena, fp_error *error) {
    const fp_block_tables *in = of->in;
    size_t tables = in->table_count, steps = count * tables, query[3] = {0}, table[3] = {0};
    lookup ring[RING];
    for (size_t step = 0; step < steps + 2 * AHEAD; step++) {
        if (step < steps) {
            fetch_directory(in->tables + table[0], queries + query[0] * in->words, ring + step % RING);
            if (++table[0] == tables) table[0] = 0, query[0]++;
        }
        if (step >= AHEAD && step - AHEAD < steps) {
            FP_TRY(fetch_group(in, in->tables + table[1], ring + (step - AHEAD) % RING, error));
            if (++table[1] == tables) table[1] = 0;
        }
        if (step < 2 * AHEAD) continue;
        const lookup *now = ring + (step - 2 * AHEAD) % RING;
        *compared += now->end - now->first;
        FP_TRY(compare_entries(of, table[2], now->first, now->end, queries + query[2] * in->words, lists + query[2],
                               arena, error));
        if (++table[2] == tables) table[2] = 0, query[2]++;
    }
    return FP_OK;
}

/* A piece of the fingerprints stays in the nearest cache for all queries. */
static fp_status scan_some(const question *of, const uint64_t *queries, size_t count, list *lists, uint64_t *compared,
                           fp_arena *arena, fp_error *error) {
    const fp_block_tables *in = of->in;
    size_t tile = TILE / in->words;
    for (size_t first = 0; first < in->count; first += tile) {
        size_t end = in->count - first < tile ? in->count : first + tile;
        for (size_t q = 0; q < count; q++)
            FP_TRY(compare_entries(of, 0, first, end, queries + q * in->words, lists + q, arena, error));
    }
    *compared += count * in->count;
    return FP_OK;
}

static fp_status ask_some(void *context, size_t index, fp_arena *arena, fp_error *error) {
    batch *in = context;
    const question *of = &in->of;
    size_t first = index * in->at_once, rest = in->query_count - first;
    size_t count = rest < in->at_once ? rest : in->at_once;
    const uint64_t *queries = in->queries + first * of->in->words;
    list lists[MOST_AT_ONCE] = {0};
    uint64_t compared = 0, found = 0;
    FP_TRY((of->in->design.level_count ? look_up_some : scan_some)(of, queries, count, lists, &compared, arena, error));
    for (size_t q = 0; q < count; q++) {
        sort_found(lists + q);
        found += lists[q].count;
        FP_TRY(in->tell(in->context, first + q, lists[q].found, lists[q].count, arena, error));
    }
    in->compared += compared;
    in->found += found;
    return FP_OK;
}

fp_status fp_block_tables_near_each(const fp_block_tables *tables, const uint64_t *queries, size_t query_count,
                                    unsigned distance, fp_tell_found tell, void *context, const fp_arenas *arenas,
                                    const fp_progress *progress, fp_block_work *work, fp_error *error) {
    batch in = {.queries = queries, .query_count = query_count, .tell = tell, .context = context};
    FP_TRY(ask(tables, distance, &in.of, error));
    /* Every thread some, and none too many. */
    in.at_once = query_count / (arenas->count * 4) + 1;
    if (in.at_once > MOST_AT_ONCE) in.at_once = MOST_AT_ONCE;
    FP_TRY(fp_parallel((query_count + in.at_once - 1) / in.at_once, arenas, true, ask_some, &in, "query", progress,
                       error));
    if (!work) return FP_OK;
    work->queries += query_count;
    work->lookups += query_count * tables->table_count;
    work->compared += in.compared;
    work->found += in.found;
    return FP_OK;
}

/* ---- What is damaged in a file of block tables ---- */

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
