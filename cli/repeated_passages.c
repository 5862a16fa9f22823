/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab dedup --passages: sentences that occurred before are removed, in whichever text they stand. */
#include "cli/read_entries.h"

#include <string.h>

#include "corpora/json_writer.h"
#include "corpora/json.h"
#include "index/repeated.h"
#include "text/unicode/utf8.h"

typedef struct read_text {
    fp_string id, text, line;
} read_text;

typedef struct passages {
    read_text *texts; /* [count] */
    size_t count, room, characters;
    const char *text_field;
    bool objects;
    fp_table *table;                          /* of what is removed; NULL: what is left is printed */
    size_t touched, emptied, sentences, gone; /* texts, texts, sentences, characters */
    fp_arena *arena;
} passages;

static fp_status read_all(fp_entries *entries, passages *to, fp_error *error) {
    fp_text_source source = fp_entries_source(entries);
    fp_text_batch batch;
    for (;;) {
        FP_TRY(source.next(source.context, &batch, error));
        if (!batch.count) return FP_OK;
        for (size_t i = 0; i < batch.count; i++) {
            const fp_entry *entry = fp_entries_at(entries, batch.first + i);
            FP_TRY(FP_ROOM(to->arena, to->texts, to->count, to->room, error));
            to->texts[to->count++] = (read_text){{fp_string_copy(to->arena, entry->id), entry->id.length},
                                                 {fp_string_copy(to->arena, entry->text), entry->text.length},
                                                 {fp_string_copy(to->arena, entry->line), entry->line.length}};
            to->characters += entry->characters;
        }
    }
}

/* The object with another text; its other members stay as they are written. */
static fp_status put_object(const passages *of, fp_string line, fp_string left, fp_arena *scratch, fp_error *error) {
    const fp_json *object;
    FP_TRY(fp_json_parse(line, scratch, &object, error));
    const fp_json *text = fp_json_member(object, of->text_field);
    const fp_json *next = text ? text->next : NULL;
    if (!text) return fp_fail(error, FP_ERROR_SYNTAX, "a line without its \"%s\"", of->text_field);
    /* From the value to its end: the next member, or the end of the object. */
    size_t end = next ? next->name_byte : line.length;
    while (line.data[end - 1] != (next ? ',' : '}')) end--;
    end--;
    fwrite(line.data, 1, text->byte, stdout);
    fp_json_writer to = fp_json_to(stdout, 0);
    to.compact = true;
    fp_json_put_string(&to, NULL, left);
    fwrite(line.data + end, 1, line.length - end, stdout);
    putchar('\n');
    return FP_OK;
}

static fp_status put_left(passages *of, const read_text *text, fp_string left, fp_arena *scratch, fp_error *error) {
    if (left.data == text->text.data || !of->objects) {
        fp_string whole = left.data == text->text.data ? text->line : left;
        fwrite(whole.data, 1, whole.length, stdout);
        putchar('\n');
        return FP_OK;
    }
    return put_object(of, text->line, left, scratch, error);
}

static void tell_spans(passages *of, const read_text *text, const fp_repeated_span *spans, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const read_text *first = of->texts + spans[i].text;
        size_t begin = fp_utf8_count((fp_string){text->text.data, spans[i].begin});
        fp_table_string(of->table, text->id);
        fp_table_count(of->table, begin + 1);
        fp_table_count(of->table, begin + fp_utf8_count((fp_string){text->text.data + spans[i].begin,
                                                                    spans[i].end - spans[i].begin}));
        fp_table_string(of->table, first->id);
        fp_table_count(of->table, fp_utf8_count((fp_string){first->text.data, spans[i].at}) + 1);
    }
}

static fp_status look_at(passages *of, fp_repeated *repeated, size_t number, fp_arena *scratch, fp_error *error) {
    const read_text *text = of->texts + number;
    const fp_repeated_span *spans;
    size_t count, removed;
    fp_string left;
    FP_TRY(fp_repeated_next(repeated, text->text, scratch, &spans, &count, error));
    FP_TRY(fp_repeated_without(text->text, spans, count, scratch, &left, &removed, error));
    of->touched += removed > 0;
    of->sentences += removed;
    of->emptied += removed && !left.length;
    if (removed) of->gone += fp_utf8_count(text->text) - fp_utf8_count(left);
    if (of->table) tell_spans(of, text, spans, count);
    else if (left.length || !removed) return put_left(of, text, left, scratch, error);
    return FP_OK;
}

static fp_status look_at_all(passages *of, size_t window, fp_error *error) {
    fp_repeated *repeated;
    FP_SCRATCH(scratch, NULL, error);
    FP_TRY(fp_repeated_open(window, of->characters, of->arena, &repeated, error));
    for (size_t i = 0; i < of->count; i++) {
        fp_arena_reset(scratch);
        FP_TRY(look_at(of, repeated, i, scratch, error));
    }
    return FP_OK;
}

int fp_cli_passages(fp_entries *entries, const char *text_field, size_t window, const fp_table_format *listed,
                    fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    passages of = {.text_field = text_field ? text_field : "text", .arena = arena};
    if (listed) of.table = fp_table_new("id|>from|>to|first|>first_from", arena);
    if (read_all(entries, &of, &error) != FP_OK) return fp_cli_fail(&error);
    if (!fp_entries_alike(entries, &of.objects)) {
        fp_fail(&error, FP_ERROR_RANGE, "lines of text and JSON do not go into one file: --from says what they are");
        return fp_cli_fail(&error);
    }
    if (look_at_all(&of, window, &error) != FP_OK) return fp_cli_fail(&error);
    int status = listed ? fp_cli_write(of.table, *listed) : fp_cli_flush();
    if (status >= 0 && (!listed || status != FP_EXIT_SUCCESS)) return status;
    fp_cli_note(
        "Of %zu %s, %zu %s %zu %s (%.1f%% of the characters), and %zu of these %s nothing left and %s not printed. A sentence is "
        "removed where all of it lies in spans of %zu characters or more that occurred before.\n",
        of.count, fp_cli_word(of.count, "text", "texts"), of.touched, fp_cli_word(of.touched, "loses", "lose"),
        of.sentences, fp_cli_word(of.sentences, "sentence", "sentences"),
        of.characters ? 100 * (double)of.gone / (double)of.characters : 0, of.emptied,
        fp_cli_word(of.emptied, "has", "have"), fp_cli_word(of.emptied, "is", "are"), window);
    fp_cli_note_left_out(fp_entries_skipped(entries));
    return FP_EXIT_SUCCESS;
}
