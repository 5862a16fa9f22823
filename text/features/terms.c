/* SPDX-License-Identifier: GPL-3.0-or-later
 * Term tables for textbook examples: a file assigns each term its hash, and optionally its weight. One term a line:
 * term, bits (the highest first), weight; tab-separated. Empty lines and lines that begin with # are skipped. A table
 * of two columns whose first row has a weight in the second (fewer than four digits, or a decimal point) assigns only
 * weights; the hash function gives the bits. */
#include <math.h>
#include <nettle/md5.h>
#include <string.h>

#include "base/map.h"
#include "text/features/extract.h"
#include "text/unicode/han.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf16.h"
#include "text/unicode/utf8.h"

enum { NARROWEST = 4, WIDEST = 64, FORMS = 2 };

typedef struct row {
    uint64_t bits;
    double weight;
    size_t line;
} row;

struct fp_terms {
    fp_map rows; /* fp_term_hash of a term to its row */
    row *row;
    uint32_t count;
    unsigned width; /* 0: only weights */
    bool weights_alone;
};

/* ---- One row ---- */

static fp_status read_bits(fp_terms *terms, fp_string digits, uint64_t *bits, fp_error *error) {
    *bits = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.data[i] != '0' && digits.data[i] != '1')
            return fp_fail(error, FP_ERROR_SYNTAX, "the bits \"%.*s\" contain characters other than 0 and 1",
                           (int)digits.length, digits.data);
        *bits = *bits << 1 | (uint64_t)(digits.data[i] == '1');
    }
    if (digits.length < NARROWEST || digits.length > WIDEST)
        return fp_fail(error, FP_ERROR_RANGE, "%zu bits; a row takes %d to %d", digits.length, NARROWEST, WIDEST);
    if (terms->count && digits.length != terms->width)
        return fp_fail(error, FP_ERROR_RANGE, "%zu bits, but line %zu has %u", digits.length, terms->row[0].line,
                       terms->width);
    terms->width = (unsigned)digits.length;
    return FP_OK;
}

static fp_status read_weight(const fp_feature_spec *spec, fp_string field, fp_arena *arena, double *weight,
                             fp_error *error) {
    *weight = 1;
    if (!field.data && spec->weight == FP_WEIGHT_TABLE)
        return fp_fail(error, FP_ERROR_SYNTAX, "no weight; weight=table needs one in each row");
    if (!field.data) return FP_OK;
    char *text = FP_NEED(fp_string_copy(arena, field), error);
    if (!fp_parse_real(text, weight)) return fp_fail(error, FP_ERROR_SYNTAX, "the weight \"%s\" is not a number", text);
    if (!(*weight > 0 && isfinite(*weight)))
        return fp_fail(error, FP_ERROR_RANGE, "the weight %s is not above 0", text);
    return FP_OK;
}

/* Terms are normalised like texts, so that a table may be in either script and case; a term may appear in only one of
 * them. */
static fp_status add_term(fp_terms *terms, const fp_feature_spec *spec, fp_string term, fp_arena *arena,
                          fp_error *error) {
    for (int han = FP_HAN_KEEP; han <= FP_HAN_SIMPLIFIED; han++) {
        fp_string form;
        FP_TRY(fp_normalise(term, (fp_han)han, arena, &form, error));
        size_t place = fp_map_place(&terms->rows, fp_term_hash(spec, form));
        uint32_t there = terms->rows.value[place];
        if (there != FP_MAP_NONE && there != terms->count)
            return fp_fail(error, FP_ERROR_DUPLICATE, "the term %.*s is repeated; it is also in line %zu",
                           (int)term.length, term.data, terms->row[there].line);
        fp_map_put(&terms->rows, fp_term_hash(spec, form), terms->count);
    }
    return FP_OK;
}

/* A field of four digits or more counts as bits, even with digits above 1: a typing error is reported, not read as a
 * weight. */
static bool is_bits(fp_string field) {
    for (size_t i = 0; i < field.length; i++)
        if (field.data[i] < '0' || field.data[i] > '9') return false;
    return field.length >= NARROWEST;
}

static fp_status read_row(fp_terms *terms, const fp_feature_spec *spec, fp_string line, size_t number, fp_arena *arena,
                          fp_error *error) {
    fp_string term, bits = {0}, weight = {0}, rest;
    row *made = terms->row + terms->count;
    fp_next_field(&line, '\t', &term);
    if (!fp_next_field(&line, '\t', &bits))
        return fp_fail(error, FP_ERROR_SYNTAX, "expected term, tab, bits or weight");
    fp_next_field(&line, '\t', &weight);
    double value;
    char *text = FP_NEED(fp_string_copy(arena, bits), error);
    if (!terms->count) terms->weights_alone = !weight.data && !is_bits(bits) && fp_parse_real(text, &value);
    if (terms->weights_alone && weight.data)
        return fp_fail(error, FP_ERROR_SYNTAX, "three fields, but line %zu has a weight in its second",
                       terms->row[0].line);
    if (fp_next_field(&line, '\t', &rest)) return fp_fail(error, FP_ERROR_SYNTAX, "more than three fields");
    if (term.length == 0) return fp_fail(error, FP_ERROR_SYNTAX, "the term is empty");
    made->line = number;
    if (!terms->weights_alone) FP_TRY(read_bits(terms, bits, &made->bits, error));
    FP_TRY(read_weight(spec, terms->weights_alone ? bits : weight, arena, &made->weight, error));
    FP_TRY(add_term(terms, spec, term, arena, error));
    terms->count++;
    return FP_OK;
}

/* ---- The table ---- */

static fp_status read_rows(fp_terms *terms, const fp_feature_spec *spec, fp_string content, fp_arena *arena,
                           fp_error *error) {
    size_t most = 1;
    for (size_t i = 0; i < content.length; i++) most += content.data[i] == '\n';
    terms->row = FP_NEED(fp_arena_alloc(arena, most, sizeof *terms->row), error);
    FP_TRY(fp_map_open(&terms->rows, most * FORMS, arena, error));
    fp_string line;
    for (size_t number = 1; fp_next_line(&content, &line); number++) {
        if (line.length == 0 || *line.data == '#') continue;
        fp_status status = read_row(terms, spec, line, number, arena, error);
        if (status != FP_OK) return fp_at(error, status, spec->terms, number, SIZE_MAX);
    }
    if (terms->count) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "no terms in the table");
    return fp_at(error, FP_ERROR_EMPTY, spec->terms, SIZE_MAX, SIZE_MAX);
}

fp_status fp_terms_open(const fp_feature_spec *spec, fp_arena *arena, const fp_terms **terms, fp_error *error) {
    fp_error ignored;
    if (!error) error = &ignored;
    *terms = NULL;
    bool none = strcmp(spec->terms, "none") == 0;
    if (none && spec->weight == FP_WEIGHT_TABLE)
        return fp_fail(error, FP_ERROR_RANGE, "weight=table needs a table: terms=FILE");
    if (none) return FP_OK;
    fp_string content;
    fp_terms *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    FP_TRY(fp_read_file(spec->terms, arena, &content, error));
    FP_TRY(read_rows(made, spec, content, arena, error));
    *terms = made;
    return FP_OK;
}

bool fp_terms_find(const fp_terms *terms, uint64_t *hash, double *weight) {
    uint32_t at = fp_map_get(&terms->rows, *hash);
    if (at == FP_MAP_NONE) return false;
    if (terms->width) *hash = (terms->width < 64 ? *hash << terms->width : 0) | terms->row[at].bits;
    *weight = terms->row[at].weight;
    return true;
}

unsigned fp_terms_width(const fp_terms *terms) { return terms->width; }

/* ---- The hash of a term (spec.h) ---- */

/* FNV-1a (Fowler, Noll, Vo) with 64 bits, over units instead of bytes; the seed is used as in fp_fnv1a. */
static uint64_t fnv1a_utf16(fp_string term, uint64_t seed) {
    uint64_t hash = fp_fnv1a("", 0, seed);
    for (size_t at = 0; at < term.length;) {
        uint32_t code;
        uint16_t unit[2];
        at += fp_utf8_decode(term.data + at, &code);
        size_t count = fp_utf16_encode(code, unit);
        for (size_t i = 0; i < count; i++) hash = (hash ^ unit[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t md5(fp_string term, bool utf16) {
    struct md5_ctx state;
    uint8_t digest[MD5_DIGEST_SIZE];
    md5_init(&state);
    if (!utf16) md5_update(&state, term.length, (const uint8_t *)term.data);
    for (size_t at = 0; utf16 && at < term.length;) {
        uint32_t code;
        uint16_t unit[2];
        at += fp_utf8_decode(term.data + at, &code);
        size_t count = fp_utf16_encode(code, unit);
        for (size_t i = 0; i < count; i++)
            md5_update(&state, 2, (const uint8_t[]){(uint8_t)unit[i], (uint8_t)(unit[i] >> 8)});
    }
    md5_digest(&state, sizeof digest, digest);
    uint64_t hash = 0;
    for (size_t i = MD5_DIGEST_SIZE - 8; i < MD5_DIGEST_SIZE; i++) hash = hash << 8 | digest[i];
    return hash;
}

uint64_t fp_term_hash(const fp_feature_spec *spec, fp_string term) {
    uint64_t seed = (uint64_t)spec->hash_seed;
    switch ((fp_hash)spec->hash) {
    case FP_HASH_XXH3: break;
    case FP_HASH_FNV1A: return fp_fnv1a(term.data, term.length, seed);
    case FP_HASH_FNV1A_UTF16: return fnv1a_utf16(term, seed);
    case FP_HASH_MD5: return md5(term, false);
    case FP_HASH_MD5_UTF16: return md5(term, true);
    }
    return fp_xxh3(term.data, term.length, seed);
}

/* ---- Stop words: the shipped list, a user's file, or none ---- */

extern const char fp_table_stopwords[], fp_table_stopwords_end[];

struct fp_stopwords {
    fp_map words; /* XXH3 of a word */
};

/* Words are normalised like texts, so that a list may be in either script and case; both unchanged and folded, since a
 * word alone may fold differently than in context. */
static fp_status fill(fp_stopwords *stop, fp_string list, const char *path, fp_arena *arena, fp_error *error) {
    size_t most = 1;
    for (size_t i = 0; i < list.length; i++) most += list.data[i] == '\n';
    FP_TRY(fp_map_open(&stop->words, most * 2, arena, error));
    uint32_t count = 0;
    fp_string line;
    for (size_t number = 1; fp_next_line(&list, &line); number++) {
        line = fp_string_trim(line, " \t");
        if (line.length == 0 || *line.data == '#') continue;
        for (int han = FP_HAN_KEEP; han <= FP_HAN_SIMPLIFIED; han++) {
            fp_string word;
            fp_status status = fp_normalise(line, (fp_han)han, arena, &word, error);
            if (status != FP_OK) return fp_at(error, status, path, number, SIZE_MAX);
            fp_map_put(&stop->words, fp_xxh3(word.data, word.length, 0), count++);
        }
    }
    return FP_OK;
}

fp_status fp_stopwords_open(const char *source, fp_arena *arena, const fp_stopwords **stop, fp_error *error) {
    *stop = NULL;
    if (strcmp(source, "none") == 0) return FP_OK;
    fp_string list = {fp_table_stopwords, (size_t)(fp_table_stopwords_end - fp_table_stopwords)};
    if (strcmp(source, "shipped") != 0) FP_TRY(fp_read_file(source, arena, &list, error));
    fp_stopwords *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    FP_TRY(fill(made, list, source, arena, error));
    *stop = made;
    return FP_OK;
}

static bool has(const fp_stopwords *stop, fp_string word) {
    return fp_map_get(&stop->words, fp_xxh3(word.data, word.length, 0)) != FP_MAP_NONE;
}

fp_status fp_stopwords_hold(const fp_stopwords *stop, fp_string word, fp_arena *arena, bool *held, fp_error *error) {
    *held = stop && has(stop, word);
    if (!stop || *held) return FP_OK;
    fp_string folded;
    FP_TRY(fp_han_fold(word, false, arena, &folded, error));
    if (folded.data != word.data) *held = has(stop, folded);
    return FP_OK;
}
