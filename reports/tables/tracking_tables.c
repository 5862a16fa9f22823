/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of what tracking found. */
#include "reports/tables/tracking_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/time_text.h"
#include "corpora/row.h"

/* ---- Text by text ---- */

fp_table *fp_tracking_table(bool for_person, fp_arena *arena) {
    return fp_table_new(for_person
                            ? "text|verdict|of|>distance|>similarity|>shared|>near|>cluster|source|time"
                            : "text|verdict|of|>distance|>similarity|>shared|>near|>cluster|source|time|passages",
                        arena);
}

void fp_tracking_add_row(fp_table *table, bool for_person, const fp_record *record, const fp_tracked *tracked) {
    char time[FP_TIME_TEXT];
    fp_string original = {"", 0};
    fp_time_write(record->time, time);
    if (tracked->earlier) original = tracked->original.id;
    fp_table_string(table, record->id);
    fp_table_text(table, tracked->earlier ? "duplicate" : record->says ? "new" : "silent");
    fp_table_string(table, original);
    if (tracked->earlier) fp_table_exact(table, tracked->distance);
    else fp_table_undefined(table);
    fp_table_real(table, tracked->similarity, 4);
    fp_table_real(table, tracked->shared, 3);
    fp_table_count(table, tracked->near);
    fp_table_count(table, tracked->cluster);
    fp_table_string(table, record->source);
    fp_table_text(table, time);
    if (!for_person) fp_table_string(table, tracked->passages);
}

/* ---- Counts ---- */

typedef struct tallied {
    fp_string name; /* of a source or a day */
    uint64_t texts, duplicates;
    uint64_t taken, given; /* sources: duplicates of other sources' texts; other sources' duplicates of its texts */
} tallied;

typedef struct list {
    fp_numbering names;
    tallied *at; /* [names.count], grows in the arena */
    size_t room;
} list;

struct fp_tracking_counts {
    fp_arena *arena;
    list sources, days;
};

fp_tracking_counts *fp_tracking_counts_open(fp_arena *arena) {
    fp_tracking_counts *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (made) made->arena = arena;
    return made;
}

void fp_tracking_counts_close(fp_tracking_counts *counts) {
    if (!counts) return;
    fp_numbering_free(&counts->sources.names);
    fp_numbering_free(&counts->days.names);
}

static fp_status find(fp_tracking_counts *counts, list *in, fp_string name, uint32_t *number, fp_error *error) {
    bool fresh;
    FP_TRY(fp_numbering_of(&in->names, name, number, &fresh, error));
    if (!fresh) return FP_OK;
    if (*number == in->room) {
        size_t room = in->room ? 2 * in->room : 64;
        tallied *larger = fp_arena_grow(counts->arena, in->at, room * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        in->at = larger;
        in->room = room;
    }
    const char *copy = fp_string_copy(counts->arena, name);
    if (!copy) return fp_no_memory(error);
    in->at[*number] = (tallied){.name = {copy, name.length}};
    return FP_OK;
}

fp_status fp_tracking_count(fp_tracking_counts *counts, const fp_record *record, const fp_tracked *tracked,
                            fp_error *error) {
    char day[FP_TIME_TEXT];
    uint32_t source, other, today;
    bool duplicate = tracked->earlier != 0;
    fp_time_write_day(record->time, day);
    FP_TRY(find(counts, &counts->sources, record->source, &source, error));
    FP_TRY(find(counts, &counts->days, fp_string_of(day), &today, error));
    counts->sources.at[source].texts++;
    counts->sources.at[source].duplicates += duplicate;
    counts->days.at[today].texts++;
    counts->days.at[today].duplicates += duplicate;
    if (!duplicate) return FP_OK;
    FP_TRY(find(counts, &counts->sources, tracked->original.source, &other, error));
    if (other == source) return FP_OK;
    counts->sources.at[source].taken++;
    counts->sources.at[other].given++;
    return FP_OK;
}

/* ---- Tables of counts ---- */

static int by_texts(const void *left, const void *right) {
    const tallied *a = left, *b = right;
    return a->texts != b->texts ? FP_ORDER(b->texts, a->texts) : fp_string_compare(a->name, b->name);
}

static int by_day(const void *left, const void *right) {
    const tallied *a = left, *b = right;
    if (!a->name.length || !b->name.length) return FP_ORDER(b->name.length, a->name.length);
    return fp_string_compare(a->name, b->name);
}

static const tallied *sorted(const list *from, fp_arena *arena, int (*order)(const void *, const void *)) {
    tallied *copy = fp_arena_raw(arena, from->names.count, sizeof *copy);
    if (!copy || from->names.count == 0) return copy;
    memcpy(copy, from->at, from->names.count * sizeof *copy);
    qsort(copy, from->names.count, sizeof *copy, order);
    return copy;
}

static void put_counts(fp_table *table, const tallied *of) {
    fp_table_string(table, of->name);
    fp_table_count(table, of->texts);
    fp_table_count(table, of->duplicates);
    fp_table_real(table, of->texts ? (double)of->duplicates / (double)of->texts : 0, 3);
}

fp_table *fp_tracking_by_source_table(const fp_tracking_counts *counts, fp_arena *arena) {
    fp_table *table = fp_table_new("source|>texts|>duplicates|>share|>from_others|>taken_up", arena);
    const tallied *each = sorted(&counts->sources, arena, by_texts);
    if (!each) return NULL;
    for (size_t i = 0; table && i < counts->sources.names.count; i++) {
        put_counts(table, each + i);
        fp_table_count(table, each[i].taken);
        fp_table_count(table, each[i].given);
    }
    return table;
}

fp_table *fp_tracking_by_day_table(const fp_tracking_counts *counts, fp_arena *arena) {
    fp_table *table = fp_table_new("day|>texts|>duplicates|>share", arena);
    const tallied *each = sorted(&counts->days, arena, by_day);
    if (!each) return NULL;
    for (size_t i = 0; table && i < counts->days.names.count; i++) put_counts(table, each + i);
    return table;
}
