/* SPDX-License-Identifier: GPL-3.0-or-later
 * Term tables for textbook examples: a file gives each term its hash, and perhaps its weight. One term a line: term,
 * bits (the highest first), weight; separated by tabs. Empty lines and lines that begin with # say nothing. A table of
 * two columns whose first row has no bits there, that is fewer than four digits or a point, gives weights; the hash
 * function gives the bits. */
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "text/features/extractor.h"
#include "text/unicode/normalise.h"

enum { NARROWEST = 4, WIDEST = 64, FORMS = 2 };

typedef struct row {
    uint64_t bits;
    double weight;
    size_t line;
} row;

struct fp_terms {
    fp_map rows; /* fp_term_hash of a term -> its row */
    row *row;
    uint32_t count;
    unsigned width; /* 0: weights alone */
    bool weights_alone;
};

/* ---- One row ---- */

static fp_status read_bits(fp_terms *terms, fp_string digits, uint64_t *bits, fp_error *error) {
    *bits = 0;
    for (size_t i = 0; i < digits.length; i++) {
        if (digits.data[i] != '0' && digits.data[i] != '1')
            return fp_fail(error, FP_ERROR_SYNTAX, "the bits \"%.*s\" hold something else than 0 and 1",
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
        return fp_fail(error, FP_ERROR_SYNTAX, "no weight, and weight=table wants one in each row");
    if (!field.data) return FP_OK;
    char *text = fp_string_copy(arena, field);
    if (!text) return fp_no_memory(error);
    if (!fp_parse_real(text, weight)) return fp_fail(error, FP_ERROR_SYNTAX, "the weight \"%s\" is not a number", text);
    if (!(*weight > 0 && isfinite(*weight)))
        return fp_fail(error, FP_ERROR_RANGE, "the weight %s is not above 0", text);
    return FP_OK;
}

/* Terms are normalised as texts are, so that a table may be in either script and case; it may name a term in one of
 * them only. */
static fp_status add_term(fp_terms *terms, const fp_feature_spec *spec, fp_string term, fp_arena *arena,
                          fp_error *error) {
    for (int han = FP_HAN_KEEP; han <= FP_HAN_SIMPLIFIED; han++) {
        fp_string form;
        FP_TRY(fp_normalise(term, (fp_han)han, arena, &form, error));
        size_t place = fp_map_place(&terms->rows, fp_term_hash(spec, form));
        uint32_t there = terms->rows.value[place];
        if (there != FP_MAP_NONE && there != terms->count)
            return fp_fail(error, FP_ERROR_DUPLICATE, "the term %.*s is repeated: line %zu has it", (int)term.length,
                           term.data, terms->row[there].line);
        fp_map_put(&terms->rows, fp_term_hash(spec, form), terms->count);
    }
    return FP_OK;
}

/* Four digits or more are meant as bits, also those that are none: a slip is told, not taken for a weight. */
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
    char *text = fp_string_copy(arena, bits);
    if (!text) return fp_no_memory(error);
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
    terms->row = fp_arena_alloc(arena, most, sizeof *terms->row);
    if (!terms->row) return fp_no_memory(error);
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
    fp_terms *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
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
