/* SPDX-License-Identifier: GPL-3.0-or-later
 * What stands around a text, and where it ends. Amounts are in characters, and exact: what does not fit is cut. */
#include <string.h>

#include "corpora/corruption/rewrite.h"
#include "corpora/corruption/text_parts.h"
#include "text/unicode/utf8.h"
#include "text/variants/conversion.h"

extern const char fp_table_boilerplate[], fp_table_boilerplate_end[];

/* The first `amount` characters, or all that there are; *found is their number. */
static fp_string first_characters(fp_string text, size_t amount, size_t *found) {
    size_t at = 0;
    for (*found = 0; *found < amount && at < text.length; ++*found)
        at += fp_character_size((fp_string){text.data + at, text.length - at});
    return (fp_string){text.data, at};
}

/* A text that is put together from pieces. */
typedef struct patchwork {
    char *data; /* grows in the arena */
    size_t length, characters;
} patchwork;

static fp_status add_piece(patchwork *to, fp_string piece, size_t most, fp_arena *arena, fp_error *error) {
    size_t found;
    fp_string part = first_characters(piece, most - to->characters, &found);
    char *larger = fp_arena_grow(arena, to->data, to->length + part.length + 1);
    if (!larger) return fp_no_memory(error);
    memcpy(larger + to->length, part.data, part.length);
    to->data = larger;
    to->length += part.length;
    to->characters += found;
    return FP_OK;
}

/* ---- Boilerplate ---- */

/* Lines of text/data/boilerplate.txt: place, language, text, parted by tabs. */
static bool next_line_of(fp_string *rest, const char *place, const char *language, fp_string *text) {
    for (fp_string line, field; fp_next_line(rest, &line);) {
        if (!line.length || *line.data == '#' || !fp_next_field(&line, '\t', &field)) continue;
        if (!fp_string_equal(field, fp_string_of(place)) || !fp_next_field(&line, '\t', &field)) continue;
        if (!fp_string_equal(field, fp_string_of(language))) continue;
        *text = line;
        return true;
    }
    return false;
}

static fp_string draw_line(fp_rewrite *work, const char *place, const char *language) {
    fp_string all = {fp_table_boilerplate, (size_t)(fp_table_boilerplate_end - fp_table_boilerplate)};
    fp_string text = {"", 0}, rest = all;
    size_t count = 0;
    while (next_line_of(&rest, place, language, &text)) count++;
    size_t chosen = fp_rewrite_below(work, count);
    rest = all;
    for (size_t i = 0; i <= chosen; i++) next_line_of(&rest, place, language, &text);
    return text;
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
    return han * 4 >= latin; /* a word has four letters and more */
}

static fp_status in_script(fp_rewrite *work, fp_string *line, fp_error *error) {
    const fp_conversion_piece *pieces;
    size_t count, length = 0;
    if (work->script != FP_SCRIPT_TRADITIONAL) return FP_OK;
    FP_TRY(fp_convert(*line, FP_TO_TAIWAN, work->arena, &pieces, &count, error));
    for (size_t i = 0; i < count; i++) length += pieces[i].to.length;
    char *to = fp_arena_raw(work->arena, length + 1, 1);
    if (!to) return fp_no_memory(error);
    *line = (fp_string){to, length};
    for (size_t i = 0; i < count; i++) to = mempcpy(to, pieces[i].to.data, pieces[i].to.length);
    return FP_OK;
}

/* So many characters of lines that belong in that place, each on a line of its own. */
static fp_status put_lines(fp_rewrite *work, const char *place, size_t at, size_t amount, fp_error *error) {
    patchwork made = {0};
    const char *language = is_chinese(work->text) ? "zh" : "en";
    bool behind = at > 0;
    while (made.characters < amount) {
        fp_string line = draw_line(work, place, language);
        FP_TRY(in_script(work, &line, error));
        if (behind) FP_TRY(add_piece(&made, fp_string_of("\n"), amount, work->arena, error));
        FP_TRY(add_piece(&made, line, amount, work->arena, error));
        if (!behind) FP_TRY(add_piece(&made, fp_string_of("\n"), amount, work->arena, error));
    }
    if (amount) fp_rewrite_put(work, at, at, (fp_string){made.data, made.length});
    return FP_OK;
}

static fp_status boilerplate(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    size_t amount = fp_rewrite_share(work, all.count), before = (amount + fp_rewrite_below(work, 2)) / 2;
    FP_TRY(put_lines(work, "before", 0, before, error));
    return put_lines(work, "after", work->text.length, amount - before, error);
}

/* ---- The end ---- */

static fp_status truncate_text(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    size_t amount = fp_rewrite_share(work, all.count);
    if (!amount) return FP_OK;
    size_t begin = fp_rewrite_place(work, all.part[all.count - amount].text);
    fp_rewrite_put(work, begin, work->text.length, (fp_string){"", 0});
    return FP_OK;
}

/* The end of the text goes; another text begins there, then further ones, and when all are used up they come again. */
static fp_status splice(fp_rewrite *work, fp_error *error) {
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

const fp_corruption_kind fp_corruption_boilerplate = {
    .name = "boilerplate",
    .label = "boilerplate",
    .label_zh = "前后套话",
    .help = "puts lines before and behind the text, as sites and agencies do, half of them on each side; the last one "
            "is cut to fit",
    .unit = "characters of the text, in place of which so many are added",
    .source = "text/data/boilerplate.txt, written for this project, in Chinese and English",
    .apply = boilerplate,
};

const fp_corruption_kind fp_corruption_truncate = {
    .name = "truncate",
    .label = "truncated",
    .label_zh = "截断",
    .help = "cuts the end off",
    .unit = "characters of the text",
    .apply = truncate_text,
};

const fp_corruption_kind fp_corruption_splice = {
    .name = "splice",
    .label = "spliced",
    .label_zh = "拼接他文",
    .help = "puts the beginning of another document in the place of the end, character for character",
    .unit = "characters of the text",
    .source = "other documents of the corpus, of another group",
    .needs = FP_NEEDS_DONORS,
    .apply = splice,
};
