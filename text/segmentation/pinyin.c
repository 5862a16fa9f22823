/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pinyin initials of segmented text: selects the words to look up.
 */
#include "text/segmentation/pinyin.h"
#include "text/segmentation/pinyin_table.h"
#include "text/unicode/utf8.h"

extern const fp_pinyin_table fp_table_pinyin;

const double *fp_pinyin_reference(void) { return fp_table_pinyin.reference; }
const char *fp_pinyin_symbol(size_t symbol) { return fp_table_pinyin.name[symbol]; }
bool fp_pinyin_has_reading(uint32_t code) { return FP_CODE_VALUE(&fp_table_pinyin, code) & FP_PINYIN_LETTER; }

const fp_pinyin_reading *fp_pinyin_readings(fp_string text, fp_string initials, fp_arena *arena) {
    fp_pinyin_reading *made = fp_arena_raw(arena, initials.length + 1, sizeof *made);
    if (made) fp_pinyin_read(&fp_table_pinyin, text, initials, made);
    return made;
}

static bool is_single(fp_string text, fp_token token) {
    size_t length = token.end - token.begin;
    return length >= 3 && length == fp_utf8_size(text.data[token.begin]);
}

/* Search mode emits the parts of a word before the word. Keeps the words that are not inside a later one, in order. */
static fp_status drop_parts(fp_tokens *tokens, fp_arena *arena, fp_error *error) {
    bool overlap = false;
    for (size_t i = 1; i < tokens->count && !overlap; i++) overlap = tokens->token[i].begin < tokens->token[i - 1].end;
    if (!overlap) return FP_OK;
    fp_token *kept = FP_NEED(fp_arena_raw(arena, tokens->count, sizeof *kept), error);
    size_t first = tokens->count;
    for (size_t i = tokens->count; i-- > 0;) {
        if (first == tokens->count || tokens->token[i].end <= kept[first].begin) kept[--first] = tokens->token[i];
    }
    *tokens = (fp_tokens){kept + first, tokens->count - first};
    return FP_OK;
}

/* The ends of the contiguous words that follow, as the bit mask of fp_pinyin_word. */
static uint32_t ends_behind(fp_tokens tokens, size_t next, uint32_t begin) {
    uint32_t ends = 0, at = begin;
    for (; next < tokens.count && tokens.token[next].begin == at && tokens.token[next].end - begin <= 32; next++) {
        at = tokens.token[next].end;
        ends |= UINT32_C(1) << (at - begin - 1);
    }
    return ends;
}

fp_status fp_pinyin_initials(fp_string text, fp_tokens tokens, fp_arena *arena, fp_string *initials, fp_error *error) {
    FP_TRY(drop_parts(&tokens, arena, error));
    char *made = FP_NEED(fp_arena_raw(arena, text.length / 3 + 1, 1), error);
    size_t length = 0, read = 0;
    for (size_t i = 0, count, over; i < tokens.count; i++) {
        fp_token word = tokens.token[i];
        bool singles = is_single(text, word);
        while (i + 1 < tokens.count && tokens.token[i + 1].begin == word.end && is_single(text, tokens.token[i]) &&
               is_single(text, tokens.token[i + 1]))
            word.end = tokens.token[++i].end;
        if (word.begin < read) word.begin = (uint32_t)read; /* an earlier phrase has already read this part */
        if (word.begin >= word.end) continue;
        fp_string part = {text.data + word.begin, word.end - word.begin};
        bool joined = i + 1 < tokens.count && tokens.token[i + 1].begin == word.end;
        if (!fp_pinyin_plain(&fp_table_pinyin, part, joined, made + length, &count)) {
            uint32_t ends = joined ? ends_behind(tokens, i + 1, word.end) : 0;
            count = fp_pinyin_word(&fp_table_pinyin, part, singles, ends, made + length, &over);
            read = word.end + over;
        }
        length += count;
    }
    *initials = (fp_string){made, length};
    return FP_OK;
}
