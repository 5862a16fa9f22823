/* SPDX-License-Identifier: GPL-3.0-or-later
 * The passages of two texts as rows. */
#include "reports/tables/alignment_table.h"

#include <stdlib.h>
#include <string.h>

/* What encloses that which one text alone has. */
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

/* What lies between two common runs: white space stays outside of the marks, since it is not compared. */
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

/* The passage as it stands in one of the texts, with its differences marked; data NULL when there is no memory. */
static fp_string marked(const fp_passage *passage, fp_string text, int which, fp_arena *arena) {
    piece_writer to = {fp_arena_raw(arena, passage->end[which] - passage->begin[which] + 4 * passage->run_count, 1), 0};
    size_t at = passage->begin[which];
    if (!to.data) return (fp_string){NULL, 0};
    for (size_t i = 0; i < passage->run_count; i++) {
        const fp_common_run *run = passage->runs + i;
        put_difference(&to, (fp_string){text.data + at, run->begin[which] - at}, which);
        put(&to, text.data + run->begin[which], run->end[which] - run->begin[which]);
        at = run->end[which];
    }
    return (fp_string){to.data, to.length};
}

static void add_marked(fp_table *table, const fp_passage *passage, fp_string text, int which, fp_arena *arena) {
    fp_string shown = marked(passage, text, which, arena);
    if (shown.data) fp_table_string(table, shown);
    else fp_table_text(table, NULL);
}

/* ---- Tables ---- */

static double share_of(const fp_alignment *alignment, const fp_passage *passage, int which) {
    return (double)passage->same / (double)alignment->characters[which];
}

fp_table *fp_alignment_view(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena) {
    static const char *const NAMES[] = {"A", "B"};
    fp_table *table = fp_table_new(">passage|text|>same|>share|>from|>to|what stands there", arena);
    for (size_t i = 0; table && i < alignment->count; i++) {
        for (int which = 0; which < 2; which++) {
            const fp_passage *passage = alignment->passages + i;
            fp_table_count(table, i + 1);
            fp_table_text(table, NAMES[which]);
            fp_table_count(table, passage->same);
            fp_table_real(table, share_of(alignment, passage, which), 3);
            fp_table_count(table, passage->from[which]);
            fp_table_count(table, passage->to[which]);
            add_marked(table, passage, texts[which], which, arena);
        }
    }
    return table;
}

static void add_all(fp_table *table, const fp_alignment *alignment) {
    fp_table_text(table, "all");
    fp_table_count(table, alignment->same);
    for (int which = 0; which < 2; which++) {
        fp_table_count(table, alignment->characters[which]);
        fp_table_real(table, alignment->share[which], 3);
        for (int undefined = 0; undefined < 5; undefined++) fp_table_undefined(table);
    }
}

fp_table *fp_alignment_rows(const fp_alignment *alignment, const fp_string texts[2], fp_arena *arena) {
    fp_table *table = fp_table_new("passage|>same"
                                   "|>A characters|>A share|>A from|>A to|>A first byte|>A end byte|A text"
                                   "|>B characters|>B share|>B from|>B to|>B first byte|>B end byte|B text",
                                   arena);
    if (table) add_all(table, alignment);
    for (size_t i = 0; table && i < alignment->count; i++) {
        const fp_passage *passage = alignment->passages + i;
        fp_table_text(table, fp_format(arena, "%zu", i + 1));
        fp_table_count(table, passage->same);
        for (int which = 0; which < 2; which++) {
            fp_table_count(table, passage->characters[which]);
            fp_table_real(table, share_of(alignment, passage, which), 3);
            fp_table_count(table, passage->from[which]);
            fp_table_count(table, passage->to[which]);
            fp_table_count(table, passage->begin[which]);
            fp_table_count(table, passage->end[which]);
            add_marked(table, passage, texts[which], which, arena);
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
