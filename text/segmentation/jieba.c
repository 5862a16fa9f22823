/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jieba segmenter: jieba.Tokenizer.cut and cut_for_search (Sun Junyi, "jieba" 0.42.1) over the compiled table.
 *
 * The text is cut into blocks (text/segmentation/jieba.h); each block's working memory is small and used again. Between
 * blocks stand foreign words, which are one token each, and characters, of which each is one, as jieba has it: its
 * pattern for white space matters only for \r\n, which is one token.
 */
#include <math.h>
#include <string.h>

#include "text/segmentation/jieba.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

/* ---- Working memory ---- */

/* Doubles the arrays of the block; the first `length` characters are kept. */
static fp_status grow(fp_jieba_cut *cut, fp_error *error) {
    enum { FIRST = 1024 };
    size_t capacity = cut->capacity ? cut->capacity * 2 : FIRST;
    uint32_t *symbol = fp_arena_raw(cut->scratch, capacity + 1, sizeof *symbol);
    uint32_t *offset = fp_arena_raw(cut->scratch, capacity + 1, sizeof *offset);
    cut->route = fp_arena_raw(cut->scratch, capacity + 1, sizeof *cut->route);
    cut->reach = fp_arena_raw(cut->scratch, capacity, sizeof *cut->reach);
    cut->choice = fp_arena_raw(cut->scratch, capacity, 1);
    if (!symbol || !offset || !cut->route || !cut->reach || !cut->choice) return fp_no_memory(error);
    if (cut->length) {
        memcpy(symbol, cut->symbol, cut->length * sizeof *symbol);
        memcpy(offset, cut->offset, cut->length * sizeof *offset);
    }
    cut->symbol = symbol;
    cut->offset = offset;
    cut->capacity = capacity;
    return FP_OK;
}

/* ---- Blocks ---- */

/* Whether a word of Annex 29 may reach over the end of the block, at byte `end`: a filter. */
static bool may_reach(const fp_jieba_cut *cut, size_t end) {
    const unsigned char *text = (const unsigned char *)cut->text.data;
    uint32_t code;
    if (end == cut->text.length || text[end] <= ' ' || text[end] == '"') return false;
    if (!cut->length || !fp_jieba_may_join(cut, cut->length - 1)) return false;
    if (text[end] < 0x80) return end + 1 < cut->text.length && (text[end + 1] >= 0x80 || fp_is_wordy(text[end + 1]));
    fp_utf8_decode(cut->text.data + end, &code);
    return fp_may_join(code);
}

/* `end`, where the block ends; or before it the begin of a foreign word that reaches over that end: the block then ends
 * there. */
static size_t leave_word(fp_jieba_cut *cut, size_t end) {
    if (!may_reach(cut, end)) return end;
    size_t length = cut->length;
    while (length && fp_jieba_may_join(cut, length - 1)) length--;
    fp_word word = {.end = cut->offset[length] > cut->plain ? cut->offset[length] : cut->plain};
    size_t begin = word.end;
    while (word.end < end) {
        begin = word.end;
        word = fp_word_at(cut->text, begin);
    }
    if (word.end <= end || !word.foreign) {
        cut->plain = word.end;
        return end;
    }
    while (cut->length && cut->offset[cut->length - 1] >= begin) cut->length--;
    return begin;
}

/* Reads the block that begins at byte `at` and returns the byte behind it. Characters of blocks take 1 or 3 bytes. */
static fp_status read_block(fp_jieba_cut *cut, size_t at, size_t *behind, fp_error *error) {
    const unsigned char *byte = (const unsigned char *)cut->text.data;
    const uint16_t *number_of = cut->jieba->number;
    uint32_t class_count = cut->jieba->table->class_count;
    size_t end = cut->text.length;
    cut->length = 0;
    while (at < end) {
        size_t size = 1;
        uint32_t number = number_of[byte[at] & 0x7f];
        if (byte[at] >= 0x80) {
            if ((byte[at] & 0xf0) != 0xe0) break;
            number = number_of[(byte[at] & 0x0fu) << 12 | (byte[at + 1] & 0x3fu) << 6 | (byte[at + 2] & 0x3fu)];
            size = 3;
        }
        if (number - 1 >= class_count) break;
        if (cut->length == cut->capacity) FP_TRY(grow(cut, error));
        cut->symbol[cut->length] = number;
        cut->offset[cut->length++] = (uint32_t)at;
        at += size;
    }
    cut->offset[cut->length] = (uint32_t)at;
    at = leave_word(cut, at);
    cut->symbol[cut->length] = 0;
    cut->offset[cut->length] = (uint32_t)at;
    *behind = at;
    return FP_OK;
}

/* A run of characters that the route left single. A run that is itself a word (a rare one, which lost to its
 * characters) stays as it is cut. */
static void flush_run(fp_jieba_cut *cut, size_t begin, size_t end) {
    if (end - begin == 1) {
        fp_jieba_emit(cut, begin, end);
    } else if (fp_jieba_is_word(cut->jieba, cut->symbol + begin, end - begin)) {
        for (size_t i = begin; i < end; i++) fp_jieba_emit(cut, i, i + 1);
    } else {
        fp_jieba_guess(cut, begin, end);
    }
}

/* Tokenizer.__cut_DAG */
static void cut_guessing(fp_jieba_cut *cut) {
    const uint32_t *reach = cut->reach;
    for (size_t at = 0; at < cut->length;) {
        size_t begin = at;
        while (at < cut->length && reach[at] == at + 1) at++;
        if (at > begin) flush_run(cut, begin, at);
        if (at == cut->length) break;
        fp_jieba_emit(cut, at, reach[at]);
        at = reach[at];
    }
}

/* Tokenizer.__cut_DAG_NO_HMM: single letters and digits in a row are one token. */
static void cut_plain(fp_jieba_cut *cut) {
    const uint32_t *reach = cut->reach;
    for (size_t at = 0; at < cut->length;) {
        size_t begin = at;
        while (at < cut->length && reach[at] == at + 1 && fp_jieba_is_alphanumeric(cut, at)) at++;
        if (at == begin) at = reach[at];
        fp_jieba_emit(cut, begin, at);
    }
}

/* One token: the foreign word or the character at byte `at`, which is not of a block, or \r\n. */
static size_t cut_other(fp_jieba_cut *cut, size_t at) {
    const char *text = cut->text.data;
    uint32_t code = (unsigned char)text[at];
    size_t end = at + 1;
    if (code >= 0x80) {
        end = at + fp_utf8_decode(text + at, &code);
        fp_word word = {0};
        if (fp_is_wordy(code)) word = fp_word_at(cut->text, at);
        if (word.foreign) end = word.end;
    } else if (code == '\r' && end < cut->text.length && text[end] == '\n') end++;
    cut->token[cut->count++] = (fp_token){(uint32_t)at, (uint32_t)end};
    return end;
}

fp_status fp_jieba_words_of(const fp_jieba *jieba, bool hmm, fp_string text, fp_arena *scratch, fp_token **tokens,
                            size_t *count, fp_error *error) {
    fp_jieba_cut cut = {.jieba = jieba, .text = text, .scratch = scratch};
    cut.token = fp_arena_raw(scratch, fp_utf8_count(text), sizeof *cut.token);
    if (!cut.token) return fp_no_memory(error);
    FP_TRY(grow(&cut, error));
    for (size_t at = 0; at < text.length;) {
        FP_TRY(read_block(&cut, at, &at, error));
        if (cut.length) {
            fp_jieba_route(&cut);
            if (hmm) cut_guessing(&cut);
            else cut_plain(&cut);
        }
        if (at < text.length) at = cut_other(&cut, at);
    }
    *tokens = cut.token;
    *count = cut.count;
    return FP_OK;
}

/* ---- Search mode ---- */

/* Emits the words of `size` characters inside a token, by begin. */
static void emit_grams(fp_jieba_cut *cut, size_t size) {
    for (size_t i = 0; i + size <= cut->length; i++)
        if (fp_jieba_is_word(cut->jieba, cut->symbol + i, size)) fp_jieba_emit(cut, i, i + size);
}

/* cut_for_search: before each token of over 2 characters its 2-character words, and of over 3 its 3-character words. */
static fp_status cut_finer(const fp_jieba *jieba, fp_string text, fp_arena *scratch, fp_tokens *tokens,
                           fp_error *error) {
    fp_jieba_cut cut = {.jieba = jieba, .text = text, .scratch = scratch};
    size_t most = 2 * fp_utf8_count(text); /* a token of n characters gives at most (n − 1) + (n − 2) + 1 */
    cut.token = fp_arena_raw(scratch, most, sizeof *cut.token);
    if (!cut.token) return fp_no_memory(error);
    FP_TRY(grow(&cut, error));
    for (size_t t = 0; t < tokens->count; t++) {
        fp_token token = tokens->token[t];
        cut.length = 0;
        for (size_t at = token.begin; at < token.end;) {
            uint32_t code;
            if (cut.length == cut.capacity) FP_TRY(grow(&cut, error));
            cut.offset[cut.length] = (uint32_t)at;
            at += fp_utf8_decode(text.data + at, &code);
            cut.symbol[cut.length++] = fp_jieba_symbol(jieba, code);
        }
        cut.offset[cut.length] = token.end;
        if (cut.length > 2) emit_grams(&cut, 2);
        if (cut.length > 3) emit_grams(&cut, 3);
        cut.token[cut.count++] = token;
    }
    *tokens = (fp_tokens){cut.token, cut.count};
    return FP_OK;
}

/* ---- The segmenter ---- */

/* Binds the compiled table, without a user dictionary. */
static fp_status bind_table(fp_jieba *jieba, fp_error *error) {
    const fp_jieba_table *table = fp_jieba_builtin();
    if (memcmp(table->magic, FP_JIEBA_MAGIC, sizeof table->magic) != 0)
        return fp_fail(error, FP_ERROR_ABI, "the compiled dictionary is of another version");
    *jieba = (fp_jieba){
        .table = table,
        .number = fp_jieba_section(table, table->numbers),
        .units = fp_jieba_section(table, table->units),
        .log = fp_jieba_section(table, table->logs),
        .emission = fp_jieba_section(table, table->emissions),
        .total = table->total,
        .log_total = log((double)table->total),
    };
    return FP_OK;
}

static fp_status jieba_open(const fp_segment_options *options, fp_arena *arena, const void **state, fp_error *error) {
    fp_jieba *jieba = fp_arena_alloc(arena, 1, sizeof *jieba);
    if (!jieba) return fp_no_memory(error);
    FP_TRY(bind_table(jieba, error));
    jieba->options = *options;
    FP_TRY(fp_jieba_load_words(jieba, arena, error));
    *state = jieba;
    return FP_OK;
}

static fp_status jieba_cut(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    const fp_jieba *jieba = state;
    if (text.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text of over 4 GiB cannot be cut");
    fp_token *token;
    size_t count;
    FP_TRY(fp_jieba_words_of(jieba, jieba->options.hmm, text, scratch, &token, &count, error));
    if (jieba->options.join_numbers) count = fp_join_numbers(text, token, count);
    *tokens = (fp_tokens){token, count};
    return jieba->options.search ? cut_finer(jieba, text, scratch, tokens, error) : FP_OK;
}

const fp_segmenter fp_segmenter_jieba = {
    .name = "jieba",
    .summary = "dictionary, maximum probability, hidden Markov model for unknown words (jieba 0.42.1)",
    .open = jieba_open,
    .cut = jieba_cut,
};
