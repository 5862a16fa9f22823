/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab dedup --passages: removes sentences that occurred before, in the same or another text. */
#include <string.h>

#include "cli/read_entries.h"
#include "corpora/json_writer.h"
#include "corpora/json.h"
#include "text/unicode/utf8.h"
#include "text/features/sentences.h"

/* ---- Exact substring duplicates: spans of at least a number of characters that occurred before, in an earlier text or
 * earlier in the same (Lee et al., Deduplicating training data makes language models better, ACL 2022, section 4.1,
 * which finds them by a suffix array). Here every window of that many characters is looked up among those before it, by
 * a rolling hash (Karp, Rabin 1987) and then byte for byte: the same spans, in one pass over the texts and 12 to 24
 * bytes a character. ---- */

/* A span that occurred before, as far as the text before goes on in the same way. */
typedef struct repeated_span {
    size_t begin, end; /* bytes of the text */
    uint32_t text;     /* first text that contained it, in processing order */
    size_t at;         /* byte of that text */
} repeated_span;

/* Where a window was first: its text, from 1, and its byte there. */
typedef struct place {
    uint32_t text, byte;
} place;

typedef struct seen_windows {
    size_t window, mask;
    place *places; /* [mask + 1] open addressing; text 0: free */
    fp_string *texts;
    size_t count, room; /* of texts */
    uint64_t last;      /* BASE^(window − 1) */
    fp_arena *arena;
} seen_windows;

static const uint64_t BASE = UINT64_C(0x9E3779B97F4A7C15);

/* `window`: characters, 1 or more; `characters`: of all texts to be processed. In `arena`. */
static fp_status repeated_open(size_t window, size_t characters, fp_arena *arena, seen_windows **repeated,
                               fp_error *error) {
    seen_windows *made = *repeated = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    size_t room = 2;
    while (room / 3 * 2 < characters) room *= 2;
    *made = (seen_windows){.window = window, .mask = room - 1, .last = 1, .arena = arena};
    made->places = FP_NEED(fp_arena_alloc(arena, room, sizeof *made->places), error);
    for (size_t i = 1; i < window; i++) made->last *= BASE;
    return FP_OK;
}

static fp_status keep_text(seen_windows *to, fp_string text, fp_error *error) {
    if (text.length >= UINT32_MAX || to->count >= UINT32_MAX - 1)
        return fp_fail(error, FP_ERROR_RANGE, "a text of 4 GiB, or 2^32 texts");
    FP_TRY(FP_ROOM(to->arena, to->texts, to->count, to->room, error));
    to->texts[to->count++] = text;
    return FP_OK;
}

/* The place of a window: where it was first, or free. */
static place *find(const seen_windows *in, uint64_t hash, const char *window, size_t bytes) {
    for (size_t at = fp_mix(hash, 0) & in->mask;; at = (at + 1) & in->mask) {
        place *there = in->places + at;
        if (!there->text) return there;
        fp_string text = in->texts[there->text - 1];
        if (text.length - there->byte >= bytes && !memcmp(text.data + there->byte, window, bytes)) return there;
    }
}

/* A window that was there: the last span goes on, or a new one begins. */
static void put(repeated_span *spans, size_t *count, size_t begin, size_t end, const place *first) {
    repeated_span *last = *count ? spans + *count - 1 : NULL;
    if (last && begin < last->end && last->text == first->text - 1 && last->at + (begin - last->begin) == first->byte)
        last->end = end;
    else spans[(*count)++] = (repeated_span){begin, end, first->text - 1, first->byte};
}

/* The spans of the next text, ascending by their ends, in `scratch`; they may overlap. The text, valid UTF-8 below 4
 * GiB, must stay where it is. */
static fp_status repeated_next(seen_windows *repeated, fp_string text, fp_arena *scratch, const repeated_span **spans,
                               size_t *count, fp_error *error) {
    size_t characters = fp_utf8_count(text), window = repeated->window, begin = 0, end = 0;
    size_t windows = characters >= window ? characters - window + 1 : 0;
    repeated_span *made = FP_NEED(fp_arena_raw(scratch, windows, sizeof *made), error);
    FP_TRY(keep_text(repeated, text, error));
    *spans = made;
    *count = 0;
    uint64_t hash = 0;
    for (size_t i = 0; windows && i < characters; i++) {
        uint32_t code;
        end += fp_utf8_decode(text.data + end, &code);
        hash = hash * BASE + code + 1;
        if (i + 1 < window) continue;
        place *there = find(repeated, hash, text.data + begin, end - begin);
        if (there->text) put(made, count, begin, end, there);
        else *there = (place){(uint32_t)repeated->count, (uint32_t)begin};
        begin += fp_utf8_decode(text.data + begin, &code);
        hash -= (code + 1) * repeated->last;
    }
    return FP_OK;
}

/* ---- What is left ---- */

static bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* Whether the spans from *next on cover begin … end. Spans are left behind that end before it. */
static bool covered(const repeated_span *spans, size_t count, size_t *next, size_t begin, size_t end) {
    while (*next < count && spans[*next].end <= begin) ++*next;
    for (size_t i = *next; i < count && begin < end && spans[i].begin <= begin; i++)
        if (spans[i].end > begin) begin = spans[i].end;
    return begin >= end;
}

/* The text without the sentences that lie completely in spans, in `arena`. Removes only whole sentences
 * (text/features/sentences.h), with the white space after them. *removed receives their number. */
static fp_status repeated_without(fp_string text, const repeated_span *spans, size_t count, fp_arena *arena,
                                  fp_string *left, size_t *removed, fp_error *error) {
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    fp_string sentence;
    size_t next = 0, length = 0;
    char *kept = FP_NEED(fp_arena_raw(arena, text.length, 1), error);
    *removed = 0;
    while (fp_sentence_next(&scan, &sentence)) {
        size_t begin = (size_t)(sentence.data - text.data), end = begin + sentence.length;
        while (begin < end && is_space(text.data[begin])) begin++;
        while (end > begin && is_space(text.data[end - 1])) end--;
        if (begin < end && covered(spans, count, &next, begin, end)) {
            ++*removed;
            continue;
        }
        memcpy(kept + length, sentence.data, sentence.length);
        length += sentence.length;
    }
    *left = *removed ? fp_string_trim((fp_string){kept, length}, " \t\r\n") : text;
    return FP_OK;
}

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

static void add_spans(passages *of, const read_text *text, const repeated_span *spans, size_t count) {
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

static fp_status look_at(passages *of, seen_windows *repeated, size_t number, fp_arena *scratch, fp_error *error) {
    const read_text *text = of->texts + number;
    const repeated_span *spans;
    size_t count, removed;
    fp_string left;
    FP_TRY(repeated_next(repeated, text->text, scratch, &spans, &count, error));
    FP_TRY(repeated_without(text->text, spans, count, scratch, &left, &removed, error));
    of->touched += removed > 0;
    of->sentences += removed;
    of->emptied += removed && !left.length;
    if (removed) of->gone += fp_utf8_count(text->text) - fp_utf8_count(left);
    if (of->table) add_spans(of, text, spans, count);
    else if (left.length || !removed) return put_left(of, text, left, scratch, error);
    return FP_OK;
}

static fp_status look_at_all(passages *of, size_t window, fp_error *error) {
    seen_windows *repeated;
    FP_SCRATCH(scratch, NULL, error);
    FP_TRY(repeated_open(window, of->characters, of->arena, &repeated, error));
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
        fp_fail(&error, FP_ERROR_RANGE, "lines of text and JSON cannot be mixed in one output; --from sets their form");
        return fp_cli_fail(&error);
    }
    if (look_at_all(&of, window, &error) != FP_OK) return fp_cli_fail(&error);
    int status = listed ? fp_cli_write(of.table, *listed) : fp_cli_flush();
    if (status != FP_EXIT_SUCCESS) return status;
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
