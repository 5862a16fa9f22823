/* SPDX-License-Identifier: GPL-3.0-or-later
 * The passages of two texts as rows. */
#include "reports/tables/found_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time_text.h"
#include "corpora/row.h"
#include "reports/tables/schemas.h"

/* Marks around text that only one side has. */
static const char *const OPEN[] = {"[-", "{+"}, *const CLOSE[] = {"-]", "+}"};

/* ---- Marks ---- */

typedef struct piece_writer {
    char *data;
    size_t length;
} piece_writer;

static void put(piece_writer *to, const char *data, size_t length) {
    memcpy(to->data + to->length, data, length);
    to->length += length;
}

/* Text between two common runs. White space stays outside the marks because it is not compared. */
static void put_difference(piece_writer *to, fp_string text, int which) {
    while (text.length && strchr(" \t\r\n", text.data[0])) put(to, text.data++, 1), text.length--;
    size_t end = text.length;
    while (end && strchr(" \t\r\n", text.data[end - 1])) end--;
    if (end) {
        put(to, OPEN[which], 2);
        put(to, text.data, end);
        put(to, CLOSE[which], 2);
    }
    put(to, text.data + end, text.length - end);
}

/* The passage in one of the texts, with its differences marked. */
static fp_string marked(const fp_passage *passage, fp_string text, int which, fp_arena *arena) {
    piece_writer to = {fp_arena_raw(arena, passage->end[which] - passage->begin[which] + 4 * passage->run_count, 1), 0};
    size_t at = passage->begin[which];
    for (size_t i = 0; i < passage->run_count; i++) {
        const fp_common_run *run = passage->runs + i;
        put_difference(&to, (fp_string){text.data + at, run->begin[which] - at}, which);
        put(&to, text.data + run->begin[which], run->end[which] - run->begin[which]);
        at = run->end[which];
    }
    return (fp_string){to.data, to.length};
}

/* ---- Tables ---- */

static double share_of(const fp_alignment *alignment, const fp_passage *passage, int which) {
    return (double)passage->same / (double)alignment->characters[which];
}

fp_table *fp_alignment_view(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena) {
    static const char *const NAMES[] = {"A", "B"};
    fp_table *table = fp_table_of(">passage;e|text|>same;e|>share;3|>from;e|>to;e|matched text", arena);
    for (size_t i = 0; i < alignment->count; i++) {
        for (int which = 0; which < 2; which++) {
            const fp_passage *passage = alignment->passages + i;
            fp_table_put(table, (double)(i + 1));
            fp_table_text(table, NAMES[which]);
            FP_TABLE_PUT(table, (double)passage->same, share_of(alignment, passage, which),
                         (double)passage->from[which], (double)passage->to[which]);
            fp_table_string(table, marked(passage, texts[which], which, arena));
        }
    }
    return table;
}

static void add_all(fp_table *table, const fp_alignment *alignment) {
    fp_table_text(table, "all");
    fp_table_put(table, (double)alignment->same);
    for (int which = 0; which < 2; which++)
        FP_TABLE_PUT(table, (double)alignment->characters[which], alignment->share[which], NAN, NAN, NAN, NAN, NAN);
}

fp_table *fp_alignment_rows(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena) {
    fp_table *table = fp_table_of("passage|>same;e"
                                  "|>A characters;e|>A share;3|>A from;e|>A to;e|>A first byte;e|>A end byte;e|A text"
                                  "|>B characters;e|>B share;3|>B from;e|>B to;e|>B first byte;e|>B end byte;e|B text",
                                  arena);
    add_all(table, alignment);
    for (size_t i = 0; i < alignment->count; i++) {
        const fp_passage *passage = alignment->passages + i;
        fp_table_text(table, fp_format(arena, "%zu", i + 1));
        fp_table_put(table, (double)passage->same);
        for (int which = 0; which < 2; which++) {
            FP_TABLE_PUT(table, (double)passage->characters[which], share_of(alignment, passage, which),
                         (double)passage->from[which], (double)passage->to[which], (double)passage->begin[which],
                         (double)passage->end[which]);
            fp_table_string(table, marked(passage, texts[which], which, arena));
        }
    }
    return table;
}

/* ---- Colours ---- */

static void write_coloured(const char *text, FILE *stream) {
    static const char *const COLOURS[] = {"\033[31m", "\033[32m"};
    for (const char *at = text; *at; at++) {
        for (int which = 0; which < 2; which++)
            if (strncmp(at, OPEN[which], 2) == 0) fputs(COLOURS[which], stream);
        fputc(*at, stream);
        for (int which = 0; which < 2; which++)
            if (at > text && strncmp(at - 1, CLOSE[which], 2) == 0) fputs("\033[0m", stream);
    }
}

fp_status fp_alignment_write_coloured(const fp_table *table, FILE *stream, fp_error *error) {
    char *text;
    FP_TRY(fp_table_view(table, &text, error));
    write_coloured(text, stream);
    free(text);
    return FP_OK;
}

/* ---- Tables of tracking ---- */

/* ---- Rows of texts ---- */

fp_table *fp_tracking_table(bool for_person, fp_arena *arena) {
    const char *columns = "text|verdict|of|>distance;e|>similarity;4|>shared;3|>near;e|>cluster;e|source|time";
    return fp_table_of(for_person ? columns : fp_format(arena, "%s|passages", columns), arena);
}

void fp_tracking_add_row(fp_table *table, bool for_person, const fp_record *record, const fp_tracked *tracked) {
    char time[FP_TIME_TEXT];
    fp_time_write(record->time, time);
    fp_table_string(table, record->id);
    fp_table_text(table, tracked->earlier ? "duplicate" : record->empty ? "empty" : "new");
    fp_table_string(table, tracked->earlier ? tracked->original.id : (fp_string){"", 0});
    FP_TABLE_PUT(table, tracked->earlier ? tracked->distance : NAN, tracked->similarity, tracked->shared,
                 (double)tracked->near, (double)tracked->cluster);
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
    made->arena = arena;
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
    FP_TRY(FP_ROOM(counts->arena, in->at, *number, in->room, error));
    const char *copy = fp_string_copy(counts->arena, name);
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

FP_COMPARES(by_texts, tallied, FP_ORDER(b->texts, a->texts) ?: fp_string_compare(a->name, b->name));

FP_COMPARES(by_day, tallied, FP_ORDER(!a->name.length, !b->name.length) ?: fp_string_compare(a->name, b->name));

static const tallied *sorted(const list *from, fp_arena *arena, int (*order)(const void *, const void *)) {
    tallied *copy = fp_arena_raw(arena, from->names.count, sizeof *copy);
    if (from->names.count) memcpy(copy, from->at, from->names.count * sizeof *copy);
    if (from->names.count) qsort(copy, from->names.count, sizeof *copy, order);
    return copy;
}

static void put_counts(fp_table *table, const tallied *of) {
    fp_table_string(table, of->name);
    FP_TABLE_PUT(table, (double)of->texts, (double)of->duplicates,
                 of->texts ? (double)of->duplicates / (double)of->texts : 0);
}

fp_table *fp_tracking_by_source_table(const fp_tracking_counts *counts, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_BY_SOURCE, arena);
    const tallied *each = sorted(&counts->sources, arena, by_texts);
    for (size_t i = 0; i < counts->sources.names.count; i++) {
        put_counts(table, each + i);
        FP_TABLE_PUT(table, (double)each[i].taken, (double)each[i].given);
    }
    return table;
}

fp_table *fp_tracking_by_day_table(const fp_tracking_counts *counts, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_BY_DAY, arena);
    const tallied *each = sorted(&counts->days, arena, by_day);
    for (size_t i = 0; i < counts->days.names.count; i++) put_counts(table, each + i);
    return table;
}
