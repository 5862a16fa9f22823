/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text added around a document, and changes to its end. Amounts are exact, in characters: what does not fit is cut off;
 * lines around a text are cut between words. */
#include <string.h>

#include "corpora/corruption/rewrite.h"
#include "text/unicode/utf8.h"
#include "text/unicode/conversion.h"

extern const char fp_table_boilerplate[], fp_table_boilerplate_end[];

/* The first `amount` characters, or all if there are fewer; *found is their number. */
static fp_string first_characters(fp_string text, size_t amount, size_t *found) {
    size_t at = 0;
    for (*found = 0; *found < amount && at < text.length; ++*found)
        at += fp_character_size((fp_string){text.data + at, text.length - at});
    return (fp_string){text.data, at};
}

typedef struct patchwork {
    char *data; /* grows in the arena */
    size_t length, characters;
} patchwork;

static fp_status add_piece(patchwork *to, fp_string piece, size_t most, fp_arena *arena, fp_error *error) {
    size_t found;
    fp_string part = first_characters(piece, most - to->characters, &found);
    char *larger = FP_NEED(fp_arena_grow(arena, to->data, to->length + part.length + 1), error);
    memcpy(larger + to->length, part.data, part.length);
    to->data = larger;
    to->length += part.length;
    to->characters += found;
    return FP_OK;
}

/* ---- Boilerplate ---- */

/* Selects lines of text/data/boilerplate.txt: place, language, text, separated by tabs. */
typedef struct frame {
    const char *place, *language;
} frame;

static bool next_line_of(fp_string *rest, frame of, fp_string *text) {
    for (fp_string line, field; fp_next_line(rest, &line);) {
        if (!line.length || *line.data == '#' || !fp_next_field(&line, '\t', &field)) continue;
        if (!fp_string_equal(field, fp_string_of(of.place)) || !fp_next_field(&line, '\t', &field)) continue;
        if (!fp_string_equal(field, fp_string_of(of.language))) continue;
        *text = line;
        return true;
    }
    return false;
}

/* White space separates the words of a line, or this mark, which is not part of the text. */
enum { WORD_BORDER = '/' };

static size_t characters_of(fp_string words) {
    size_t count = fp_utf8_count(words);
    for (size_t i = 0; i < words.length; i++) count -= words.data[i] == WORD_BORDER;
    return count;
}

/* The leading words with exactly `amount` characters together; empty if there are none. */
static fp_string leading_words(fp_string line, size_t amount) {
    size_t count = 0;
    bool blank = true; /* whether the previous character is */
    for (size_t at = 0; at < line.length;) {
        uint32_t code;
        size_t size = fp_utf8_decode(line.data + at, &code);
        bool border = code == WORD_BORDER || fp_is_blank(code);
        if (count == amount) return (fp_string){line.data, border && !blank ? at : 0};
        count += code != WORD_BORDER;
        blank = border;
        at += size;
    }
    return (fp_string){line.data, count == amount ? line.length : 0};
}

/* The number of word sequences of a line with exactly `amount` characters; *words is the one with index `number`. */
static size_t stretches(fp_string line, size_t amount, size_t number, fp_string *words) {
    size_t count = 0;
    bool border = true; /* whether the previous character is */
    for (size_t at = 0; at < line.length;) {
        uint32_t code;
        size_t size = fp_utf8_decode(line.data + at, &code);
        bool begins = border;
        border = code == WORD_BORDER || fp_is_blank(code);
        fp_string found = leading_words((fp_string){line.data + at, line.length - at}, begins && !border ? amount : 0);
        if (found.length && count++ == number) *words = found;
        at += size;
    }
    return count;
}

/* The candidates of a frame: its whole lines, or with an amount the word sequences of that many characters. Returns
 * their number. */
static size_t offers(frame of, size_t amount, size_t number, fp_string *words) {
    fp_string rest = {fp_table_boilerplate, (size_t)(fp_table_boilerplate_end - fp_table_boilerplate)}, line;
    size_t count = 0;
    while (next_line_of(&rest, of, &line)) {
        if (amount) count += stretches(line, amount, number - count, words);
        else if (count++ == number) *words = line;
    }
    return count;
}

/* A random line that fits into `room` characters; if it does not, a sequence of words that does. */
static fp_string draw_words(fp_rewrite *work, frame of, size_t room) {
    fp_string words = {"", 0};
    offers(of, 0, fp_rewrite_below(work, offers(of, 0, SIZE_MAX, &words)), &words);
    if (characters_of(words) <= room) return words;
    size_t count = 0;
    while (room && !(count = offers(of, room, SIZE_MAX, &words))) room--;
    words.length = 0;
    if (count) offers(of, room, fp_rewrite_below(work, count), &words);
    return words;
}

/* The text without word borders. */
static fp_status text_of(fp_rewrite *work, fp_string words, fp_string *text, fp_error *error) {
    char *to = FP_NEED(fp_arena_raw(work->arena, words.length + 1, 1), error);
    *text = (fp_string){to, 0};
    for (size_t i = 0; i < words.length; i++)
        if (words.data[i] != WORD_BORDER) to[text->length++] = words.data[i];
    return FP_OK;
}

static bool is_chinese(fp_string text) {
    size_t han = 0, latin = 0;
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        fp_letter_class of = fp_letter_class_of(code);
        han += of == FP_LETTER_HAN;
        latin += of == FP_LETTER_UPPER || of == FP_LETTER_LOWER;
    }
    return han * 4 >= latin; /* an English word has four letters or more */
}

static fp_status in_script(fp_rewrite *work, fp_string *line, fp_error *error) {
    const fp_conversion_piece *pieces;
    size_t count, length = 0;
    if (work->script != FP_SCRIPT_TRADITIONAL) return FP_OK;
    FP_TRY(fp_convert(*line, FP_TO_TAIWAN, work->arena, &pieces, &count, error));
    for (size_t i = 0; i < count; i++) length += pieces[i].to.length;
    char *to = FP_NEED(fp_arena_raw(work->arena, length + 1, 1), error);
    *line = (fp_string){to, length};
    for (size_t i = 0; i < count; i++) to = mempcpy(to, pieces[i].to.data, pieces[i].to.length);
    return FP_OK;
}

/* Inserts exactly `amount` characters of lines for this place, one a line. */
static fp_status put_lines(fp_rewrite *work, const char *place, size_t at, size_t amount, fp_error *error) {
    patchwork made = {0};
    frame of = {place, is_chinese(work->text) ? "zh" : "en"};
    bool behind = at > 0;
    while (made.characters < amount) {
        fp_string line;
        FP_TRY(text_of(work, draw_words(work, of, amount - made.characters - 1), &line, error));
        FP_TRY(in_script(work, &line, error));
        if (behind) FP_TRY(add_piece(&made, fp_string_of("\n"), amount, work->arena, error));
        FP_TRY(add_piece(&made, line, amount, work->arena, error));
        if (!behind) FP_TRY(add_piece(&made, fp_string_of("\n"), amount, work->arena, error));
    }
    if (amount) fp_rewrite_put(work, at, at, (fp_string){made.data, made.length});
    return FP_OK;
}

enum { TWO_LINES = 4 }; /* the fewest characters for a word and a line end on each side */

fp_status fp_corrupt_boilerplate(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    size_t amount = fp_rewrite_share(work, all.count), drawn = fp_rewrite_below(work, 2);
    size_t before = amount < TWO_LINES ? drawn * amount : (amount + drawn) / 2;
    FP_TRY(put_lines(work, "before", 0, before, error));
    return put_lines(work, "after", work->text.length, amount - before, error);
}

/* ---- The end ---- */

fp_status fp_corrupt_truncate(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    size_t amount = fp_rewrite_share(work, all.count);
    if (!amount) return FP_OK;
    size_t begin = fp_rewrite_place(work, all.part[all.count - amount].text);
    fp_rewrite_put(work, begin, work->text.length, (fp_string){"", 0});
    return FP_OK;
}

/* Replaces the end of the text with another text, then further ones, repeated if there are too few. */
fp_status fp_corrupt_splice(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    patchwork made = {0};
    size_t foreign = 0, count = work->of->donor_count;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < count; i++) foreign += work->of->donors[i].length;
    if (!foreign) return FP_OK;
    size_t amount = fp_rewrite_share(work, all.count);
    for (size_t i = 0; made.characters < amount; i++)
        FP_TRY(add_piece(&made, work->of->donors[i % count], amount, work->arena, error));
    if (!amount) return FP_OK;
    size_t begin = fp_rewrite_place(work, all.part[all.count - amount].text);
    fp_rewrite_put(work, begin, work->text.length, (fp_string){made.data, made.length});
    return FP_OK;
}
