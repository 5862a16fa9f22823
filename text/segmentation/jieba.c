/* SPDX-License-Identifier: GPL-3.0-or-later
 * The jieba segmenter: jieba.Tokenizer.cut and cut_for_search (Sun Junyi, "jieba" 0.42.1) over the compiled table.
 *
 * The text is split into blocks (text/segmentation/jieba.h); each block's working memory is small and reused. Between
 * blocks are foreign words, one token each, and other characters, one token each as in jieba: its pattern for white
 * space matters only for \r\n, which is one token. */
#include "text/segmentation/jieba.h"

#include <math.h>
#include <string.h>

#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

/* ---- The block and its working memory ---- */

/* The current block with its working memory, in parallel arrays; and the tokens so far. */
typedef struct block_cut {
    const fp_jieba *jieba;
    fp_string text;
    fp_arena *scratch;
    fp_token *token;
    size_t count; /* tokens */
    size_t plain; /* no foreign word that begins before this byte crosses the end of a block */

    size_t length;    /* characters of the block */
    size_t capacity;  /* of the arrays, plus one entry for the end */
    uint32_t *symbol; /* [length + 1] ends with 0 */
    uint32_t *offset; /* [length + 1] byte offset in the text */
    double *route;    /* [length + 1] log probability of the best route from here to the end */
    uint32_t *reach;  /* [length] end of the best word that begins here */
    uint8_t *choice;  /* [length] for the model: the predecessor of each state; then, where words end */
} block_cut;

static void emit(block_cut *cut, size_t begin, size_t end) {
    cut->token[cut->count++] = (fp_token){cut->offset[begin], cut->offset[end]};
}

static bool is_han(const block_cut *cut, size_t at) { return cut->offset[at + 1] - cut->offset[at] == 3; }

/* re_eng, for one character. */
static bool is_alphanumeric(const block_cut *cut, size_t at) {
    unsigned char byte = (unsigned char)cut->text.data[cut->offset[at]];
    unsigned char letter = byte | 0x20;
    return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9');
}

/* Whether an ASCII character of a block can be in a word of Annex 29. */
static bool may_join(const block_cut *cut, size_t at) {
    char byte = cut->text.data[cut->offset[at]];
    return is_alphanumeric(cut, at) || byte == '.' || byte == '_';
}

static void emit_characters(block_cut *cut, size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) emit(cut, i, i + 1);
}

/* Whether a user word may begin with `first` and continue with `second`; a filter. */
static bool may_begin(const fp_jieba_words *words, uint32_t first, uint32_t second) {
    return words->begins[first] >> second % 8 & 1;
}

static bool is_word(const fp_jieba *jieba, const uint32_t *symbols, size_t count) {
    uint64_t frequency;
    return fp_jieba_frequency(jieba, symbols, count, &frequency) && frequency > 0;
}

/* Doubles the arrays of the block; keeps the first `length` characters. */
static fp_status grow(block_cut *cut, fp_error *error) {
    enum { FIRST = 1024 };
    size_t capacity = cut->capacity ? cut->capacity * 2 : FIRST;
    uint32_t *symbol = FP_NEED(fp_arena_raw(cut->scratch, capacity + 1, sizeof *symbol), error);
    uint32_t *offset = FP_NEED(fp_arena_raw(cut->scratch, capacity + 1, sizeof *offset), error);
    cut->route = FP_NEED(fp_arena_raw(cut->scratch, capacity + 1, sizeof *cut->route), error);
    cut->reach = FP_NEED(fp_arena_raw(cut->scratch, capacity, sizeof *cut->reach), error);
    cut->choice = FP_NEED(fp_arena_raw(cut->scratch, capacity, 1), error);
    if (cut->length) {
        memcpy(symbol, cut->symbol, cut->length * sizeof *symbol);
        memcpy(offset, cut->offset, cut->length * sizeof *offset);
    }
    cut->symbol = symbol;
    cut->offset = offset;
    cut->capacity = capacity;
    return FP_OK;
}

/* ---- The most probable route through a block. From right to left, each character takes the word that maximises
 *
 *     route[k] = max over words k … x of  (log frequency − log total) + route[x + 1],
 *
 * where the words are found by walking the trie from k, and the last of equals wins (Python's max over (probability,
 * x)). If no word begins there, the single character counts with log 1. Prefixes that are not words weigh −∞ and are
 * never chosen. ---- */

/* The characters first … last − 1, with only the compiled dictionary. */
static void route_plain(block_cut *cut, size_t first, size_t last) {
    const uint64_t *units = cut->jieba->units;
    const double *log_of = cut->jieba->log, log_total = cut->jieba->log_total;
    const uint32_t *symbol = cut->symbol;
    double *route = cut->route;
    for (size_t k = last; k-- > first;) {
        uint64_t unit = units[symbol[k]];
        double best = log_of[fp_trie_value(unit)] - log_total + route[k + 1];
        size_t end = k + 1, reach = end;
        for (;; end++) {
            unit = units[fp_trie_base(unit) + symbol[end]];
            if (fp_trie_character(unit) != symbol[end]) break; /* the 0 after the block is never a child */
            double score = log_of[fp_trie_value(unit)] - log_total + route[end + 1];
            if (score < best) continue;
            best = score;
            reach = end + 1;
        }
        if (best == -INFINITY) {
            best = 0.0 - log_total + route[k + 1];
            reach = k + 1;
        }
        route[k] = best;
        cut->reach[k] = (uint32_t)reach;
    }
}

/* One character, walking both tries at once; user rows take precedence over the table. */
static void route_over(block_cut *cut, size_t k) {
    const fp_jieba *jieba = cut->jieba;
    const fp_jieba_words *words = jieba->words;
    bool below = true, above = true;
    uint64_t unit = fp_trie_unit(0, 0, 0); /* the root: base 0 */
    uint32_t node = 0;
    double best = -INFINITY;
    size_t reach = k + 1;
    for (size_t end = k; end < cut->length; end++) {
        uint32_t symbol = cut->symbol[end];
        if (below) {
            unit = jieba->units[fp_trie_base(unit) + symbol];
            below = fp_trie_character(unit) == symbol;
        }
        if (above) {
            node = fp_growing_trie_child(&words->trie, node, symbol);
            above = node != 0;
        }
        if (!below && !above) break;
        double log_frequency = below ? jieba->log[fp_trie_value(unit)] : -INFINITY;
        if (above && words->word[node].set) log_frequency = words->word[node].log;
        double score = log_frequency - jieba->log_total + cut->route[end + 1];
        if (score < best || score == -INFINITY) continue;
        best = score;
        reach = end + 1;
    }
    if (best == -INFINITY) best = 0.0 - jieba->log_total + cut->route[k + 1];
    cut->route[k] = best;
    cut->reach[k] = (uint32_t)reach;
}

/* Fills `reach` and `route` of the block: get_DAG and calc. */
static void find_route(block_cut *cut) {
    const fp_jieba_words *words = cut->jieba->words;
    size_t last = cut->length;
    cut->route[last] = 0;
    while (words && last > 0) {
        size_t first = last;
        while (first > 0 && !may_begin(words, cut->symbol[first - 1], cut->symbol[first])) first--;
        route_plain(cut, first, last);
        last = first;
        if (last > 0) route_over(cut, --last);
    }
    route_plain(cut, 0, last);
}

/* ---- Words that are not in the dictionary: jieba.finalseg. For runs of Han characters the Viterbi algorithm finds the
 * best state sequence of a hidden Markov model of four states (begin, middle, end of a word; single); everything else
 * is cut by the pattern [a-zA-Z0-9]+(\.\d+)?%? ---- */

/* The predecessor of each state, out of two possible ones. Python's max over (probability, letter) resolves ties to the
 * larger letter, which a set bit represents. */
enum {
    B_AFTER_S = 1, /* else after E */
    M_AFTER_M = 2, /* else after B */
    E_AFTER_M = 4, /* else after B */
    S_AFTER_S = 8  /* else after E */
};

typedef struct scores {
    double b, m, e, s;
} scores;

static scores first_scores(const fp_jieba_table *table, const double *emission) {
    const double *start = table->start;
    return (scores){start[FP_JIEBA_B] + emission[FP_JIEBA_B], start[FP_JIEBA_M] + emission[FP_JIEBA_M],
                    start[FP_JIEBA_E] + emission[FP_JIEBA_E], start[FP_JIEBA_S] + emission[FP_JIEBA_S]};
}

/* Sets cut->choice[i] to whether a word ends with character i, for begin ≤ i < end. */
static void viterbi(block_cut *cut, size_t begin, size_t end) {
    const fp_jieba *jieba = cut->jieba;
    const double(*to)[FP_JIEBA_STATES] = jieba->table->transition;
    const double eb = to[FP_JIEBA_E][FP_JIEBA_B], sb = to[FP_JIEBA_S][FP_JIEBA_B];
    const double bm = to[FP_JIEBA_B][FP_JIEBA_M], mm = to[FP_JIEBA_M][FP_JIEBA_M];
    const double be = to[FP_JIEBA_B][FP_JIEBA_E], me = to[FP_JIEBA_M][FP_JIEBA_E];
    const double es = to[FP_JIEBA_E][FP_JIEBA_S], ss = to[FP_JIEBA_S][FP_JIEBA_S];
    uint8_t *choice = cut->choice;
    scores v = first_scores(jieba->table, jieba->emission + cut->symbol[begin] * (size_t)FP_JIEBA_STATES);
    for (size_t i = begin + 1; i < end; i++) {
        const double *emission = jieba->emission + cut->symbol[i] * (size_t)FP_JIEBA_STATES;
        double b0 = v.e + eb + emission[FP_JIEBA_B], b1 = v.s + sb + emission[FP_JIEBA_B];
        double m0 = v.b + bm + emission[FP_JIEBA_M], m1 = v.m + mm + emission[FP_JIEBA_M];
        double e0 = v.b + be + emission[FP_JIEBA_E], e1 = v.m + me + emission[FP_JIEBA_E];
        double s0 = v.e + es + emission[FP_JIEBA_S], s1 = v.s + ss + emission[FP_JIEBA_S];
        choice[i] = (uint8_t)((b1 >= b0) * B_AFTER_S | (m1 >= m0) * M_AFTER_M | (e1 >= e0) * E_AFTER_M |
                              (s1 >= s0) * S_AFTER_S);
        v = (scores){b1 >= b0 ? b1 : b0, m1 >= m0 ? m1 : m0, e1 >= e0 ? e1 : e0, s1 >= s0 ? s1 : s0};
    }
    static const uint8_t bit[FP_JIEBA_STATES] = {B_AFTER_S, M_AFTER_M, E_AFTER_M, S_AFTER_S};
    static const uint8_t before[FP_JIEBA_STATES][2] = {[FP_JIEBA_B] = {FP_JIEBA_E, FP_JIEBA_S},
                                                       [FP_JIEBA_M] = {FP_JIEBA_B, FP_JIEBA_M},
                                                       [FP_JIEBA_E] = {FP_JIEBA_B, FP_JIEBA_M},
                                                       [FP_JIEBA_S] = {FP_JIEBA_E, FP_JIEBA_S}};
    size_t state = v.s >= v.e ? FP_JIEBA_S : FP_JIEBA_E;
    choice[begin] = 0;
    for (size_t i = end; i-- > begin;) {
        size_t previous = before[state][(choice[i] & bit[state]) != 0];
        choice[i] = state >= FP_JIEBA_E;
        state = previous;
    }
}

/* Whether the user deleted the word, so that the model must not produce it. */
static bool is_split(const block_cut *cut, size_t begin, size_t end) {
    const fp_jieba_words *words = cut->jieba->words;
    if (!may_begin(words, cut->symbol[begin], cut->symbol[end - begin > 1 ? begin + 1 : begin])) return false;
    uint32_t node = fp_growing_trie_find(&words->trie, cut->symbol + begin, end - begin);
    return node && words->word[node].split;
}

static void guess_han(block_cut *cut, size_t begin, size_t end) {
    if (end - begin == 1) {
        emit(cut, begin, end);
        return;
    }
    viterbi(cut, begin, end);
    bool splits = cut->jieba->words && cut->jieba->words->splits;
    for (size_t i = begin; i < end; i++) {
        if (!cut->choice[i]) continue;
        if (splits && is_split(cut, begin, i + 1)) emit_characters(cut, begin, i + 1);
        else emit(cut, begin, i + 1);
        begin = i + 1;
    }
}

static bool is_byte(const block_cut *cut, size_t at, char byte) { return cut->text.data[cut->offset[at]] == byte; }

static bool is_digit(const block_cut *cut, size_t at) {
    char byte = cut->text.data[cut->offset[at]];
    return byte >= '0' && byte <= '9';
}

/* The end of the number or name that begins at `at`, an ASCII letter or digit. */
static size_t name_end(const block_cut *cut, size_t at, size_t end) {
    while (at < end && is_alphanumeric(cut, at)) at++;
    if (end - at >= 2 && is_byte(cut, at, '.') && is_digit(cut, at + 1))
        for (at += 2; at < end && is_digit(cut, at);) at++;
    return at < end && is_byte(cut, at, '%') ? at + 1 : at;
}

/* Cuts names and numbers, and the stretches between them. */
static void guess_rest(block_cut *cut, size_t begin, size_t end) {
    while (begin < end) {
        size_t at = begin;
        if (is_alphanumeric(cut, at)) at = name_end(cut, at, end);
        else
            while (at < end && !is_alphanumeric(cut, at)) at++;
        emit(cut, begin, at);
        begin = at;
    }
}

/* Cuts the characters begin … end − 1 of the block with the model: finalseg.cut. */
static void guess(block_cut *cut, size_t begin, size_t end) {
    while (begin < end) {
        bool han = is_han(cut, begin);
        size_t at = begin + 1;
        while (at < end && is_han(cut, at) == han) at++;
        if (han) guess_han(cut, begin, at);
        else guess_rest(cut, begin, at);
        begin = at;
    }
}

/* ---- Blocks ---- */

/* Whether a word of Annex 29 may cross the end of the block, at byte `end`: a filter. */
static bool may_reach(const block_cut *cut, size_t end) {
    const unsigned char *text = (const unsigned char *)cut->text.data;
    uint32_t code;
    if (end == cut->text.length || text[end] <= ' ' || text[end] == '"') return false;
    if (!cut->length || !may_join(cut, cut->length - 1)) return false;
    if (text[end] < 0x80) return end + 1 < cut->text.length && (text[end + 1] >= 0x80 || fp_is_wordy(text[end + 1]));
    fp_utf8_decode(cut->text.data + end, &code);
    return fp_may_join(code);
}

/* Returns the end of the block: `end`, or the begin of a foreign word that crosses it. */
static size_t leave_word(block_cut *cut, size_t end) {
    if (!may_reach(cut, end)) return end;
    size_t length = cut->length;
    while (length && may_join(cut, length - 1)) length--;
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

/* Reads the block that begins at byte `at`; *behind is its end. Characters of blocks take 1 or 3 bytes. */
static fp_status read_block(block_cut *cut, size_t at, size_t *behind, fp_error *error) {
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

/* Cuts a run of characters that the route left single. A run that is itself a word (a rare one, which lost to its
 * characters) stays cut. */
static void flush_run(block_cut *cut, size_t begin, size_t end) {
    if (end - begin == 1) {
        emit(cut, begin, end);
    } else if (is_word(cut->jieba, cut->symbol + begin, end - begin)) {
        emit_characters(cut, begin, end);
    } else {
        guess(cut, begin, end);
    }
}

/* Tokenizer.__cut_DAG */
static void cut_guessing(block_cut *cut) {
    const uint32_t *reach = cut->reach;
    for (size_t at = 0; at < cut->length;) {
        size_t begin = at;
        while (at < cut->length && reach[at] == at + 1) at++;
        if (at > begin) flush_run(cut, begin, at);
        if (at == cut->length) break;
        emit(cut, at, reach[at]);
        at = reach[at];
    }
}

/* Tokenizer.__cut_DAG_NO_HMM: consecutive single letters and digits are one token. */
static void cut_plain(block_cut *cut) {
    const uint32_t *reach = cut->reach;
    for (size_t at = 0; at < cut->length;) {
        size_t begin = at;
        while (at < cut->length && reach[at] == at + 1 && is_alphanumeric(cut, at)) at++;
        if (at == begin) at = reach[at];
        emit(cut, begin, at);
    }
}

/* Cuts one token outside blocks: a foreign word or a character at byte `at`, or \r\n. An ASCII letter, digit or _
 * occurs here only at the begin of a foreign word, where the block ended. */
static size_t cut_other(block_cut *cut, size_t at) {
    const char *text = cut->text.data;
    uint32_t code;
    size_t end = at + fp_utf8_decode(text + at, &code);
    if (code == '_' || fp_is_wordy(code)) {
        fp_word word = fp_word_at(cut->text, at);
        if (word.foreign) end = word.end;
    } else if (code == '\r' && end < cut->text.length && text[end] == '\n') end++;
    cut->token[cut->count++] = (fp_token){(uint32_t)at, (uint32_t)end};
    return end;
}

fp_status fp_jieba_words_of(const fp_jieba *jieba, bool hmm, fp_string text, fp_arena *scratch, fp_token **tokens,
                            size_t *count, fp_error *error) {
    block_cut cut = {.jieba = jieba, .text = text, .scratch = scratch};
    cut.token = FP_NEED(fp_arena_raw(scratch, fp_utf8_count(text), sizeof *cut.token), error);
    FP_TRY(grow(&cut, error));
    for (size_t at = 0; at < text.length;) {
        FP_TRY(read_block(&cut, at, &at, error));
        if (cut.length) {
            find_route(&cut);
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

/* Emits the words of `size` characters inside a token, ordered by begin. */
static void emit_grams(block_cut *cut, size_t size) {
    for (size_t i = 0; i + size <= cut->length; i++)
        if (is_word(cut->jieba, cut->symbol + i, size)) emit(cut, i, i + size);
}

/* cut_for_search: before each token of over 2 characters its 2-character words, and of over 3 its 3-character words. */
static fp_status cut_finer(const fp_jieba *jieba, fp_string text, fp_arena *scratch, fp_tokens *tokens,
                           fp_error *error) {
    block_cut cut = {.jieba = jieba, .text = text, .scratch = scratch};
    size_t most = 2 * fp_utf8_count(text); /* a token of n characters gives at most (n − 1) + (n − 2) + 1 */
    cut.token = FP_NEED(fp_arena_raw(scratch, most, sizeof *cut.token), error);
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
    fp_jieba *jieba = FP_NEED(fp_arena_alloc(arena, 1, sizeof *jieba), error);
    FP_TRY(bind_table(jieba, error));
    jieba->options = *options;
    FP_TRY(fp_jieba_load_words(jieba, arena, error));
    *state = jieba;
    return FP_OK;
}

static fp_status jieba_cut(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    const fp_jieba *jieba = state;
    if (text.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text of over 4 GiB cannot be segmented");
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
