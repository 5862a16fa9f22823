/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The user dictionary, read like jieba.load_userdict: rows "word frequency tag", the last two optional. Later rows take
 * precedence over earlier ones and over the dictionary. A row without a frequency gets the smallest that keeps its word
 * whole (suggest_freq); frequency 0 deletes the word. The total of all frequencies counts every row.
 *
 * Stricter than jieba in two respects: white space inside a word, which jieba accepts but never finds, is an error (it
 * indicates a broken row), and so is a total of over 63 bits.
 */
#include <math.h>
#include <string.h>
#include <unicode/uchar.h>

#include "text/segmentation/jieba.h"
#include "text/unicode/utf8.h"

extern const char fp_table_userdict[], fp_table_userdict_end[];

/* ---- Looking up a word ---- */

bool fp_jieba_frequency(const fp_jieba *jieba, const uint32_t *symbols, size_t count, uint64_t *frequency) {
    size_t unit = fp_trie_find(jieba->units, symbols, count);
    uint32_t value = unit ? fp_trie_value(jieba->units[unit]) : 0;
    const uint64_t *frequencies = fp_jieba_section(jieba->table, jieba->table->frequencies);
    *frequency = frequencies[value];
    if (!jieba->words) return value != 0;
    uint32_t node = fp_growing_trie_find(&jieba->words->trie, symbols, count);
    if (node == 0) return value != 0;
    if (jieba->words->word[node].set) *frequency = jieba->words->word[node].frequency;
    return true;
}

/* ---- Rows ---- */

typedef struct loader {
    fp_jieba *jieba;
    fp_jieba_words *words;
    fp_arena *scratch; /* reset for each row */
    const char *file;
    size_t line;
    fp_error *error;
} loader;

static fp_status broken(const loader *from, const char *reason) {
    fp_fail(from->error, FP_ERROR_SYNTAX, "user dictionary: %s", reason);
    return fp_at(from->error, FP_ERROR_SYNTAX, from->file, from->line, SIZE_MAX);
}

static fp_string strip(fp_string line) { return fp_string_trim(line, " \t\n\v\f\r"); }

static fp_string skip_marks(fp_string line) {
    while (fp_string_begins(line, fp_string_of(FP_BYTE_ORDER_MARK))) line = fp_string_skip_mark(line);
    return line;
}

static bool is_all(fp_string field, char first, char last) {
    for (size_t i = 0; i < field.length; i++)
        if (field.data[i] < first || field.data[i] > last) return false;
    return field.length > 0;
}

/* Takes the last field, after a single space, if all its bytes are in first … last. */
static bool take_field(fp_string *row, char first, char last, fp_string *field) {
    size_t space = row->length;
    while (space > 0 && row->data[space - 1] != ' ') space--;
    if (space < 2) return false; /* no space, or no word before it */
    *field = (fp_string){row->data + space, row->length - space};
    if (!is_all(*field, first, last)) return false;
    row->length = space - 1;
    return true;
}

/* White space as in Python's str.isspace: no token contains any. */
static bool holds_space(fp_string word) {
    for (size_t at = 0; at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        if (u_isUWhiteSpace((UChar32)code) || (code >= 0x1c && code <= 0x1f)) return true;
    }
    return false;
}

static fp_status parse_frequency(const loader *from, fp_string digits, uint64_t *frequency) {
    *frequency = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (*frequency > INT64_MAX / 10 - 1) return broken(from, "the frequency is too large");
        *frequency = *frequency * 10 + (uint64_t)(digits.data[i] - '0');
    }
    return FP_OK;
}

/* ---- Words ---- */

static fp_status symbols_of(const loader *from, fp_string word, uint32_t **symbols, size_t *count) {
    *count = 0;
    *symbols = FP_NEED(fp_arena_raw(from->scratch, fp_utf8_count(word), sizeof **symbols), from->error);
    for (size_t at = 0; at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        (*symbols)[(*count)++] = fp_jieba_symbol(from->jieba, code);
    }
    return FP_OK;
}

/* Tokenizer.suggest_freq for a word: one more than the frequency that the product of its parts' probabilities gives. */
static fp_status suggest(const loader *from, fp_string word, uint64_t *frequency) {
    const fp_jieba *jieba = from->jieba;
    fp_token *tokens;
    uint32_t *symbols;
    size_t count, length;
    double total = (double)jieba->total, share = 1;
    uint64_t known;
    FP_TRY(fp_jieba_words_of(jieba, false, word, from->scratch, &tokens, &count, from->error));
    for (size_t i = 0; i < count; i++) {
        fp_string part = {word.data + tokens[i].begin, tokens[i].end - tokens[i].begin};
        FP_TRY(symbols_of(from, part, &symbols, &length));
        if (!fp_jieba_frequency(jieba, symbols, length, &known)) known = 1;
        share *= (double)known / total;
    }
    FP_TRY(symbols_of(from, word, &symbols, &length));
    if (!fp_jieba_frequency(jieba, symbols, length, &known)) known = 1;
    *frequency = (uint64_t)(share * total) + 1;
    if (*frequency < known) *frequency = known;
    return FP_OK;
}

/* Tokenizer.add_word. */
static fp_status add_word(loader *to, fp_string word, uint64_t frequency) {
    uint32_t *symbols;
    size_t count;
    FP_TRY(symbols_of(to, word, &symbols, &count));
    if (frequency > INT64_MAX - to->jieba->total) return broken(to, "the frequencies add up to too much");
    to->jieba->total += frequency;
    to->jieba->log_total = log((double)to->jieba->total);
    uint32_t node = 0;
    for (size_t i = 0; i < count; i++) node = fp_growing_trie_add(&to->words->trie, node, symbols[i]);
    fp_jieba_word *entry = to->words->word + node;
    entry->set = true;
    entry->frequency = frequency;
    entry->log = frequency ? log((double)frequency) : -INFINITY;
    if (frequency == 0) entry->split = to->words->splits = true;
    if (symbols[0] <= to->jieba->table->class_count)
        to->words->begins[symbols[0]] |= (uint8_t)(count > 1 ? 1u << symbols[1] % 8 : 0xff);
    return FP_OK;
}

static fp_status add_row(loader *to, fp_string line) {
    fp_string row = strip(line);
    if (fp_utf8_check(row) < row.length) return broken(to, "not UTF-8");
    row = skip_marks(row);
    if (row.length == 0) return FP_OK;
    fp_string field;
    uint64_t frequency = 0;
    bool given = false;
    take_field(&row, 'a', 'z', &field);
    if (take_field(&row, '0', '9', &field)) {
        FP_TRY(parse_frequency(to, field, &frequency));
        given = true;
    }
    if (holds_space(row))
        return broken(to, "a row is a word without white space, then a frequency and a tag (a-z), if any, behind one "
                          "space each");
    if (!given) FP_TRY(suggest(to, row, &frequency));
    return add_word(to, row, frequency);
}

static fp_status add_rows(loader *to, fp_string content) {
    fp_string line;
    for (to->line = 1; fp_next_line(&content, &line); to->line++) {
        FP_TRY(add_row(to, line));
        fp_arena_reset(to->scratch);
    }
    return FP_OK;
}

/* ---- Loading ---- */

static fp_status words_open(fp_jieba *jieba, size_t characters, fp_arena *arena, fp_jieba_words **words,
                            fp_error *error) {
    *words = FP_NEED(fp_arena_alloc(arena, 1, sizeof **words), error);
    FP_TRY(fp_growing_trie_open(&(*words)->trie, characters, arena, error));
    (*words)->word = fp_arena_alloc(arena, (*words)->trie.limit, sizeof *(*words)->word);
    (*words)->begins = fp_arena_alloc(arena, (size_t)jieba->table->class_count + 1, sizeof *(*words)->begins);
    return (*words)->word && (*words)->begins ? FP_OK : fp_no_memory(error);
}

/* Bytes that begin a character: an upper bound for the characters of all words, valid or not. */
static size_t count_leads(fp_string content) {
    size_t count = 0;
    for (size_t i = 0; i < content.length; i++) count += (content.data[i] & 0xc0) != 0x80;
    return count;
}

fp_status fp_jieba_load_words(fp_jieba *jieba, fp_arena *arena, fp_error *error) {
    const char *source = jieba->options.userdict;
    fp_string content = {fp_table_userdict, (size_t)(fp_table_userdict_end - fp_table_userdict)};
    if (!source || strcmp(source, "none") == 0) return FP_OK;
    FP_SCRATCH(scratch, arena, error);
    FP_SCRATCH(file_arena, arena, error);
    loader to = {.jieba = jieba, .scratch = scratch, .file = "user.dict (shipped)", .error = error};
    if (strcmp(source, "shipped") != 0) {
        to.file = source;
        FP_TRY(fp_read_file(source, file_arena, &content, error));
    }
    FP_TRY(words_open(jieba, count_leads(content), arena, &to.words, error));
    jieba->words = to.words;
    return add_rows(&to, content);
}
