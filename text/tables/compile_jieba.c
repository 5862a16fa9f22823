/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_jieba DIRECTORY OUTPUT: jieba's dictionary, hidden Markov model and IDF list → one table
 * (text/segmentation/jieba_table.h). DIRECTORY is where the Debian package python3-jieba puts them. Runs at build time;
 * prints one line when something is wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "text/tables/compile_jieba.h"
#include "text/tables/trie_builder.h"
#include "text/unicode/utf8.h"

/* One line of a word list: a word and its number, as text. */
typedef struct row {
    fp_string word, number;
    size_t line;
} row;

typedef struct rows {
    source from;
    row *row;
    size_t count;
    size_t characters; /* of all words */
} rows;

typedef struct compiler {
    fp_arena *arena;
    rows words, idf;
    numbering numbers;
    fp_growing_trie trie;
    uint64_t *frequency; /* [trie.count] of each node */
    uint16_t *value;     /* [trie.count] */
    fp_jieba_table table;
    const uint64_t *units;
    uint64_t *frequencies;
    double *logs, *emissions, *idf_values;
    uint16_t *idf_index;
} compiler;

/* ---- Files ---- */

fp_status source_open(const char *directory, const char *name, fp_arena *arena, source *made, fp_error *error) {
    made->path = fp_format(arena, "%s/%s", directory, name);
    if (!made->path) return fp_no_memory(error);
    fp_status status = fp_read_file(made->path, arena, &made->text, error);
    if (status != FP_OK) fp_fail(error, status, "cannot be read: install the Debian package python3-jieba");
    return status != FP_OK ? fp_at(error, status, made->path, SIZE_MAX, SIZE_MAX) : FP_OK;
}

fp_status source_fail(const source *where, size_t line, fp_error *error, const char *reason) {
    fp_fail(error, FP_ERROR_SYNTAX, "%s", reason);
    return fp_at(error, FP_ERROR_SYNTAX, where->path, line, SIZE_MAX);
}

/* Reads the rows "word number …" of a list. */
static fp_status read_rows(const char *directory, const char *name, fp_arena *arena, rows *list, fp_error *error) {
    FP_TRY(source_open(directory, name, arena, &list->from, error));
    fp_string rest = list->from.text, line;
    size_t lines = 1;
    for (size_t i = 0; i < rest.length; i++) lines += rest.data[i] == '\n';
    list->row = fp_arena_raw(arena, lines, sizeof *list->row);
    if (!list->row) return fp_no_memory(error);
    for (size_t number = 1; fp_next_line(&rest, &line); number++) {
        row *it = list->row + list->count;
        it->line = number;
        if (!fp_next_field(&line, ' ', &it->word) || it->word.length == 0)
            return source_fail(&list->from, number, error, "no word");
        if (!fp_next_field(&line, ' ', &it->number) || it->number.length == 0)
            return source_fail(&list->from, number, error, "no number behind the word");
        if (fp_utf8_check(it->word) < it->word.length) return source_fail(&list->from, number, error, "not UTF-8");
        list->characters += fp_utf8_count(it->word);
        list->count++;
    }
    return list->count ? FP_OK : source_fail(&list->from, 1, error, "an empty list");
}

static fp_status row_integer(const rows *list, const row *it, uint64_t *value, fp_error *error) {
    *value = 0;
    for (size_t i = 0; i < it->number.length; i++) {
        unsigned digit = (unsigned)(it->number.data[i] - '0');
        if (digit > 9 || *value > UINT32_MAX)
            return source_fail(&list->from, it->line, error, "the frequency is not a number under 2^32");
        *value = *value * 10 + digit;
    }
    return FP_OK;
}

/* The file has a NUL behind it and white space behind the number, so that strtod ends there. */
static fp_status row_real(const rows *list, const row *it, double *value, fp_error *error) {
    char *end;
    *value = strtod(it->number.data, &end);
    bool whole = end == it->number.data + it->number.length && isfinite(*value) && *value > 0;
    return whole ? FP_OK : source_fail(&list->from, it->line, error, "the weight is not a number above 0");
}

/* ---- Numbering the characters ---- */

typedef struct weighted {
    double weight;
    uint32_t code;
    bool class;
} weighted;

/* What jieba.re_han_default matches. */
static bool in_class(uint32_t code) {
    if (code >= FP_JIEBA_FIRST_HAN && code <= FP_JIEBA_LAST_HAN) return true;
    bool letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    return letter || (code >= '0' && code <= '9') || (code && code < 0x80 && strchr("+#&._%-", (int)code));
}

static int by_use(const void *left, const void *right) {
    const weighted *a = left, *b = right;
    if (a->class != b->class) return a->class ? -1 : 1;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return FP_ORDER(a->code, b->code);
}

static fp_status weigh_rows(const rows *list, bool frequencies, double *weight, fp_error *error) {
    for (const row *it = list->row; it < list->row + list->count; it++) {
        uint64_t frequency = 1;
        if (frequencies) FP_TRY(row_integer(list, it, &frequency, error));
        for (size_t at = 0; at < it->word.length;) {
            uint32_t code;
            at += fp_utf8_decode(it->word.data + at, &code);
            if (code >= FP_JIEBA_CODES || code == 0)
                return source_fail(&list->from, it->line, error, "a character that is NUL or beyond U+FFFF");
            weight[code] += (double)frequency;
        }
    }
    return FP_OK;
}

static fp_status number_characters(compiler *c, fp_error *error) {
    double *weight = fp_arena_alloc(c->arena, FP_JIEBA_CODES, sizeof *weight);
    weighted *all = fp_arena_raw(c->arena, FP_JIEBA_CODES, sizeof *all);
    if (!weight || !all) return fp_no_memory(error);
    FP_TRY(weigh_rows(&c->words, true, weight, error));
    FP_TRY(weigh_rows(&c->idf, false, weight, error));
    size_t count = 0;
    for (uint32_t code = 0; code < FP_JIEBA_CODES; code++)
        if (weight[code] > 0 || in_class(code)) all[count++] = (weighted){weight[code], code, in_class(code)};
    if (count >= FP_TRIE_EMPTY) return fp_fail(error, FP_ERROR_RANGE, "too many different characters");
    qsort(all, count, sizeof *all, by_use);
    for (size_t i = 0; i < count; i++) {
        c->numbers.number[all[i].code] = (uint16_t)(i + 1);
        c->numbers.class_count += all[i].class;
    }
    c->numbers.count = (uint32_t)count + 1;
    c->table.class_count = c->numbers.class_count;
    return FP_OK;
}

/* ---- Words ---- */

/* The longest words of the lists are of 16 characters; a word that does not fit is an error of the row. */
enum { LONGEST = 64 };

static size_t numbers_of(const compiler *c, fp_string word, uint32_t *number) {
    size_t count = 0;
    for (size_t at = 0; at < word.length && count < LONGEST; count++) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        number[count] = c->numbers.number[code];
    }
    return count;
}

static fp_status add_word(compiler *c, const rows *list, const row *it, uint32_t *node, fp_error *error) {
    if (fp_utf8_count(it->word) > LONGEST)
        return source_fail(&list->from, it->line, error, "a word of over 64 characters");
    uint32_t number[LONGEST];
    size_t count = numbers_of(c, it->word, number);
    *node = 0;
    for (size_t i = 0; i < count; i++) *node = fp_growing_trie_add(&c->trie, *node, number[i]);
    return FP_OK;
}

/* As jieba does: a word that comes twice keeps its last frequency, and the total counts both. */
static fp_status grow(compiler *c, fp_error *error) {
    size_t limit = c->words.characters + c->idf.characters;
    FP_TRY(fp_growing_trie_open(&c->trie, limit, c->arena, error));
    c->frequency = fp_arena_alloc(c->arena, limit + 1, sizeof *c->frequency);
    c->value = fp_arena_alloc(c->arena, limit + 1, sizeof *c->value);
    if (!c->frequency || !c->value) return fp_no_memory(error);
    uint32_t node;
    for (const row *it = c->words.row; it < c->words.row + c->words.count; it++) {
        uint64_t frequency;
        FP_TRY(row_integer(&c->words, it, &frequency, error));
        FP_TRY(add_word(c, &c->words, it, &node, error));
        c->frequency[node] = frequency;
        c->table.total += frequency;
    }
    for (const row *it = c->idf.row; it < c->idf.row + c->idf.count; it++)
        FP_TRY(add_word(c, &c->idf, it, &node, error));
    return FP_OK;
}

static int falling(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a < b) - (a > b);
}

/* The distinct frequencies, the high ones first so that the common words share cache lines. */
static fp_status share_frequencies(compiler *c, fp_error *error) {
    uint64_t *sorted = fp_arena_raw(c->arena, c->trie.count, sizeof *sorted);
    c->frequencies = fp_arena_alloc(c->arena, c->trie.count + 2, sizeof *c->frequencies);
    c->logs = fp_arena_raw(c->arena, c->trie.count + 2, sizeof *c->logs);
    if (!sorted || !c->frequencies || !c->logs) return fp_no_memory(error);
    memcpy(sorted, c->frequency, c->trie.count * sizeof *sorted);
    qsort(sorted, c->trie.count, sizeof *sorted, falling);
    size_t count = FP_TRIE_PREFIX + 1;
    for (size_t i = 0; i < c->trie.count && sorted[i]; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) c->frequencies[count++] = sorted[i];
    if (count > UINT16_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than 65533 different frequencies");
    c->logs[0] = c->logs[FP_TRIE_PREFIX] = -INFINITY;
    for (size_t i = FP_TRIE_PREFIX + 1; i < count; i++) c->logs[i] = log((double)c->frequencies[i]);
    c->table.frequency_count = (uint32_t)count;
    for (size_t node = 0; node < c->trie.count; node++) {
        if (!c->frequency[node]) continue;
        const uint64_t *first = c->frequencies + FP_TRIE_PREFIX + 1;
        const uint64_t *found = bsearch(&c->frequency[node], first, count - FP_TRIE_PREFIX - 1, sizeof *first, falling);
        c->value[node] = (uint16_t)(found - c->frequencies);
    }
    return FP_OK;
}

/* ---- IDF ---- */

static int rising(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return FP_ORDER(a, b);
}

/* Mean over the list in its order; median as jieba takes it, the upper one of two. */
static fp_status summarise_idf(compiler *c, fp_error *error) {
    size_t count = c->idf.count;
    double *sorted = fp_arena_raw(c->arena, count, sizeof *sorted), sum = 0;
    c->idf_values = fp_arena_alloc(c->arena, count + 1, sizeof *c->idf_values);
    if (!sorted || !c->idf_values) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        FP_TRY(row_real(&c->idf, c->idf.row + i, sorted + i, error));
        sum += sorted[i];
    }
    qsort(sorted, count, sizeof *sorted, rising);
    c->table.idf_mean = sum / (double)count;
    c->table.idf_median = sorted[count / 2];
    c->table.idf_count = 1;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[i - 1]) c->idf_values[c->table.idf_count++] = sorted[i];
    if (c->table.idf_count <= UINT16_MAX) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "more than 65534 different IDF values");
}

static fp_status index_idf(compiler *c, fp_error *error) {
    FP_TRY(summarise_idf(c, error));
    c->idf_index = fp_arena_alloc(c->arena, c->table.unit_count, sizeof *c->idf_index);
    if (!c->idf_index) return fp_no_memory(error);
    for (const row *it = c->idf.row; it < c->idf.row + c->idf.count; it++) {
        uint32_t number[LONGEST];
        double value = 0;
        FP_TRY(row_real(&c->idf, it, &value, error));
        size_t unit = fp_trie_find(c->units, number, numbers_of(c, it->word, number));
        if (unit == 0) return source_fail(&c->idf.from, it->line, error, "a word was lost");
        const double *found = bsearch(&value, c->idf_values + 1, c->table.idf_count - 1, sizeof value, rising);
        c->idf_index[unit] = (uint16_t)(found - c->idf_values);
    }
    return FP_OK;
}

/* ---- Writing ---- */

/* Appends a section at the next multiple of 64. */
static void put(fp_output *output, uint64_t *at, const void *data, size_t size) {
    static const char zeros[64];
    fwrite(zeros, 1, (64 - *at % 64) % 64, output->stream);
    *at = (*at + 63) / 64 * 64;
    fwrite(data, 1, size, output->stream);
    *at += size;
}

static fp_status write_table(compiler *c, const char *path, fp_error *error) {
    fp_jieba_table *table = &c->table;
    const struct {
        uint64_t *offset;
        const void *data;
        size_t size;
    } sections[] = {
        {&table->numbers, c->numbers.number, sizeof c->numbers.number},
        {&table->units, c->units, table->unit_count * sizeof *c->units},
        {&table->frequencies, c->frequencies, table->frequency_count * sizeof *c->frequencies},
        {&table->logs, c->logs, table->frequency_count * sizeof *c->logs},
        {&table->emissions, c->emissions, ((size_t)table->class_count + 1) * FP_JIEBA_STATES * sizeof(double)},
        {&table->idf_index, c->idf_index, table->unit_count * sizeof *c->idf_index},
        {&table->idf, c->idf_values, table->idf_count * sizeof *c->idf_values},
    };
    uint64_t at = sizeof *table;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        *sections[i].offset = (at + 63) / 64 * 64;
        at = *sections[i].offset + sections[i].size;
    }
    table->size = at;
    memcpy(table->magic, FP_JIEBA_MAGIC, sizeof table->magic);
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    at = 0;
    put(&output, &at, table, sizeof *table);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        put(&output, &at, sections[i].data, sections[i].size);
    return fp_output_close(&output, error);
}

static fp_status compile(compiler *c, const char *directory, const char *path, fp_error *error) {
    FP_TRY(read_rows(directory, "dict.txt", c->arena, &c->words, error));
    FP_TRY(read_rows(directory, "analyse/idf.txt", c->arena, &c->idf, error));
    FP_TRY(number_characters(c, error));
    c->emissions = fp_arena_raw(c->arena, ((size_t)c->numbers.class_count + 1) * FP_JIEBA_STATES, sizeof *c->emissions);
    if (!c->emissions) return fp_no_memory(error);
    FP_TRY(model_read(directory, &c->numbers, c->arena, &c->table, c->emissions, error));
    FP_TRY(grow(c, error));
    FP_TRY(share_frequencies(c, error));
    size_t unit_count;
    FP_TRY(fp_trie_build(&c->trie, c->value, c->numbers.count, c->arena, &c->units, &unit_count, error));
    if (unit_count > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "the trie is too large");
    c->table.unit_count = (uint32_t)unit_count;
    FP_TRY(index_idf(c, error));
    return write_table(c, path, error);
}

static void complain(const fp_error *error) {
    fputs("compile_jieba: ", stderr);
    if (error->file[0]) fprintf(stderr, "%s: ", error->file);
    if (error->line != SIZE_MAX) fprintf(stderr, "line %zu: ", error->line);
    fprintf(stderr, "%s\n", error->message);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fputs("usage: compile_jieba DIRECTORY OUTPUT\n", stderr);
        return 2;
    }
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    compiler *c = calloc(1, sizeof *c);
    fp_arena *arena = fp_arena_new();
    fp_status status = c && arena ? FP_OK : fp_no_memory(&error);
    if (status == FP_OK) {
        c->arena = arena;
        status = compile(c, arguments[1], arguments[2], &error);
    }
    if (status != FP_OK) complain(&error);
    fp_arena_free(arena);
    free(c);
    return status == FP_OK ? 0 : 1;
}
