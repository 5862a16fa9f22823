/* SPDX-License-Identifier: GPL-3.0-or-later
 * Blocks of a page, and which of them are the article. */
#include "corpora/markup/html_blocks.h"

#include <string.h>

#include "text/unicode/utf8.h"

/* ---- Text ---- */

/* Written without blanks between words. */
static bool is_wide(unsigned code) {
    return (code >= 0x2e80 && code < 0xac00) || (code >= 0xf900 && code < 0xfb00) ||
           (code >= 0xff00 && code < 0xffe0) || (code >= 0x20000 && code < 0x40000);
}

/* Marks of Chinese and of other texts: dashes, quotation marks, dots. */
static bool is_mark(unsigned code) { return code >= 0x2010 && code <= 0x2027; }

/* Whether a line end of the source between the two is no blank. */
static bool joins(unsigned a, unsigned b) {
    return (is_wide(a) && (is_wide(b) || is_mark(b))) || (is_mark(a) && is_wide(b));
}

/* A blank to HTML; U+00A0 is none, but is shown as one. */
static bool is_space(unsigned code) {
    return code == ' ' || code == '\t' || code == '\n' || code == '\f' || code == '\r' || code == 0xa0;
}

static bool put(fp_html_text *to, fp_arena *arena, const char *bytes, size_t count) {
    if (to->room - to->length < count + 1) {
        size_t room = 2 * (to->room + count) + 256;
        char *larger = fp_arena_grow(arena, to->bytes, room);
        if (!larger) return false;
        to->bytes = larger;
        to->room = room;
    }
    memcpy(to->bytes + to->length, bytes, count);
    to->length += count;
    return true;
}

/* White space that came before, as far as it shows. */
static bool put_gap(fp_html_text *to, fp_arena *arena, unsigned next) {
    bool done = true;
    if (to->line_end && to->last) done = put(to, arena, "\n", 1);
    else if (to->gap && to->last && !(to->gap_ends_line && joins(to->last, next))) done = put(to, arena, " ", 1);
    to->gap = to->gap_ends_line = to->line_end = false;
    return done;
}

static bool put_character(fp_html_text *to, fp_arena *arena, const char *bytes, size_t length, unsigned code) {
    if (is_space(code)) {
        to->gap = true;
        to->gap_ends_line |= code == '\n' || code == '\r';
        return true;
    }
    if (!put_gap(to, arena, code) || !put(to, arena, bytes, length)) return false;
    to->last = code;
    return true;
}

/* ---- Blocks ---- */

static bool open_block(fp_html_blocks *blocks, bool around) {
    if (blocks->count == blocks->room) {
        size_t room = blocks->room ? 2 * blocks->room : 64;
        fp_html_block *larger = fp_arena_grow(blocks->arena, blocks->at, room * sizeof *larger);
        if (!larger) return false;
        blocks->at = larger;
        blocks->room = room;
    }
    blocks->at[blocks->count++] = (fp_html_block){.begin = blocks->text.length, .around = around};
    blocks->text.last = 0;
    blocks->text.gap = blocks->text.gap_ends_line = blocks->text.line_end = blocks->in_word = false;
    return blocks->open = true;
}

/* Half a word for a Chinese or Japanese character, one for a run of others. */
static double count_words(fp_html_blocks *blocks, unsigned code) {
    bool wide = is_wide(code), begins = !wide && !is_space(code) && !blocks->in_word;
    blocks->in_word = !wide && !is_space(code);
    return wide ? 0.5 : begins ? 1 : 0;
}

bool fp_html_blocks_add(fp_html_blocks *blocks, fp_string piece, bool link, bool around) {
    /* Inline elements that stand around the article are blocks of their own. */
    if (blocks->open && blocks->at[blocks->count - 1].around != around) fp_html_blocks_end(blocks);
    for (size_t at = 0; at < piece.length;) {
        uint32_t code;
        size_t length = fp_utf8_decode(piece.data + at, &code);
        if (!blocks->open && !is_space(code) && !open_block(blocks, around)) return false;
        if (blocks->open) {
            fp_html_block *block = blocks->at + blocks->count - 1;
            double words = count_words(blocks, code);
            if (!put_character(&blocks->text, blocks->arena, piece.data + at, length, code)) return false;
            block->words += words;
            if (link) block->link_words += words;
            block->end = blocks->text.length;
        }
        at += length;
    }
    return true;
}

bool fp_html_blocks_title(fp_html_blocks *blocks, fp_string piece) {
    for (size_t at = 0; at < piece.length;) {
        uint32_t code;
        size_t length = fp_utf8_decode(piece.data + at, &code);
        if (!put_character(&blocks->title, blocks->arena, piece.data + at, length, code)) return false;
        at += length;
    }
    return true;
}

void fp_html_blocks_end(fp_html_blocks *blocks) { blocks->open = false; }

void fp_html_blocks_line_end(fp_html_blocks *blocks) {
    blocks->text.line_end = true;
    blocks->in_word = false;
}

/* ---- Which are the article ---- */

static double density(const fp_html_block *block) {
    return block && block->words > 0 ? block->link_words / block->words : 0;
}

static double words_of(const fp_html_block *block) { return block ? block->words : 0; }

/* Algorithm 2 of Kohlschütter, Fankhauser and Nejdl, to the letter. */
bool fp_html_blocks_rule(const fp_html_block *before, const fp_html_block *block, const fp_html_block *after) {
    if (density(block) > 0.333333) return true;
    if (density(before) <= 0.555556) return words_of(block) <= 16 && words_of(after) <= 15 && words_of(before) <= 4;
    return words_of(block) <= 40 && words_of(after) <= 17;
}

typedef enum strictness { BOTH, ELEMENTS, NONE } strictness;

static bool keeps(const fp_html_blocks *blocks, size_t i, strictness by) {
    const fp_html_block *block = blocks->at + i;
    if (by == NONE) return true;
    if (block->around) return false;
    return by == ELEMENTS ||
           !fp_html_blocks_rule(i ? block - 1 : NULL, block, i + 1 < blocks->count ? block + 1 : NULL);
}

/* The blocks that are kept, moved together in their place. */
static void join(const fp_html_blocks *blocks, strictness by, char *to, size_t *length) {
    *length = 0;
    for (size_t i = 0; i < blocks->count; i++) {
        const fp_html_block *block = blocks->at + i;
        if (!keeps(blocks, i, by)) continue;
        if (*length) to[(*length)++] = '\n';
        memcpy(to + *length, blocks->text.bytes + block->begin, block->end - block->begin);
        *length += block->end - block->begin;
    }
    to[*length] = '\0';
}

bool fp_html_blocks_join(fp_html_blocks *blocks, fp_html_keep keep, fp_html_page *page) {
    if (blocks->title.length) page->title = (fp_string){blocks->title.bytes, blocks->title.length};
    if (blocks->count == 0) return true;
    char *text = fp_arena_raw(blocks->arena, blocks->text.length + blocks->count + 1, 1);
    if (!text) return false;
    page->text.data = text;
    page->text.length = 0;
    for (strictness by = keep == FP_HTML_KEEP_ALL ? NONE : BOTH; by <= NONE && page->text.length == 0; by++)
        join(blocks, by, text, &page->text.length);
    return true;
}
