/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads jieba's hidden Markov model. Each file is one Python assignment of a dictionary of dictionaries, such as
 * P={'B': {'E': -0.5, 'M': -0.9}, …}; keys are one character or one \uXXXX escape. */
#include <stdlib.h>
#include <string.h>

#include "text/tables/compile_jieba.h"
#include "text/unicode/utf8.h"

typedef struct parser {
    const source *from;
    const char *at, *end;
    size_t line;
    fp_error *error;
} parser;

/* Skips white space and commas, which tell nothing that braces do not. */
static void skip_space(parser *p) {
    for (; p->at < p->end && strchr(" \t\r\n,", *p->at); p->at++) p->line += *p->at == '\n';
}

static bool take(parser *p, char wanted) {
    skip_space(p);
    if (p->at == p->end || *p->at != wanted) return false;
    p->at++;
    return true;
}

static fp_status failed(const parser *p, const char *reason) { return source_fail(p->from, p->line, p->error, reason); }

static fp_status read_key(parser *p, uint32_t *code) {
    if (!take(p, '\'')) return failed(p, "a quoted key is missing");
    if (p->end - p->at > 6 && p->at[0] == '\\' && p->at[1] == 'u') {
        char digits[5] = {p->at[2], p->at[3], p->at[4], p->at[5], '\0'};
        char *behind;
        *code = (uint32_t)strtoul(digits, &behind, 16);
        if (*behind) return failed(p, "not four hexadecimal digits behind \\u");
        p->at += 6;
    } else if (p->at < p->end) {
        p->at += fp_utf8_decode(p->at, code);
    }
    if (p->at >= p->end || *p->at != '\'') return failed(p, "a key is not one character");
    p->at++;
    return take(p, ':') ? FP_OK : failed(p, "no colon behind a key");
}

static fp_status read_number(parser *p, double *value) {
    skip_space(p);
    char *behind;
    *value = strtod(p->at, &behind);
    if (behind == p->at) return failed(p, "a number is missing");
    p->at = behind;
    return FP_OK;
}

static fp_status read_state(parser *p, size_t *state) {
    static const char names[FP_JIEBA_STATES] = {'B', 'M', 'E', 'S'};
    uint32_t code = 0;
    FP_TRY(read_key(p, &code));
    for (*state = 0; *state < FP_JIEBA_STATES; ++*state)
        if ((uint32_t)names[*state] == code) return FP_OK;
    return failed(p, "a state other than B, M, E, S");
}

/* Opens the file and goes to the outermost brace. */
static fp_status parser_open(parser *p, source *from, const char *directory, const char *name, fp_arena *arena,
                             fp_error *error) {
    FP_TRY(source_open(directory, name, arena, from, error));
    if (fp_utf8_check(from->text) < from->text.length) return source_fail(from, 1, error, "not UTF-8");
    *p = (parser){from, from->text.data, from->text.data + from->text.length, 1, error};
    for (; p->at < p->end && *p->at != '{'; p->at++) p->line += *p->at == '\n';
    return take(p, '{') ? FP_OK : failed(p, "no dictionary");
}

static fp_status read_start(const char *directory, fp_arena *arena, double *start, fp_error *error) {
    source from;
    parser p;
    FP_TRY(parser_open(&p, &from, directory, "finalseg/prob_start.py", arena, error));
    while (!take(&p, '}')) {
        size_t state;
        FP_TRY(read_state(&p, &state));
        FP_TRY(read_number(&p, &start[state]));
    }
    return FP_OK;
}

static fp_status read_transitions(const char *directory, fp_arena *arena, double (*transition)[FP_JIEBA_STATES],
                                  fp_error *error) {
    source from;
    parser p;
    FP_TRY(parser_open(&p, &from, directory, "finalseg/prob_trans.py", arena, error));
    while (!take(&p, '}')) {
        size_t state, next;
        FP_TRY(read_state(&p, &state));
        if (!take(&p, '{')) return failed(&p, "no dictionary behind a state");
        while (!take(&p, '}')) {
            FP_TRY(read_state(&p, &next));
            FP_TRY(read_number(&p, &transition[state][next]));
        }
    }
    return FP_OK;
}

/* The model is asked about Han characters only (finalseg's re_han); other rows are never used. */
static fp_status read_emissions(const char *directory, const numbering *numbers, fp_arena *arena, double *emissions,
                                fp_error *error) {
    source from;
    parser p;
    FP_TRY(parser_open(&p, &from, directory, "finalseg/prob_emit.py", arena, error));
    while (!take(&p, '}')) {
        size_t state;
        FP_TRY(read_state(&p, &state));
        if (!take(&p, '{')) return failed(&p, "no dictionary behind a state");
        while (!take(&p, '}')) {
            uint32_t code = 0;
            double value;
            FP_TRY(read_key(&p, &code));
            FP_TRY(read_number(&p, &value));
            if (code < FP_JIEBA_FIRST_HAN || code > FP_JIEBA_LAST_HAN) continue;
            emissions[(size_t)numbers->number[code] * FP_JIEBA_STATES + state] = value;
        }
    }
    return FP_OK;
}

fp_status model_read(const char *directory, const numbering *numbers, fp_arena *arena, fp_jieba_table *table,
                     double *emissions, fp_error *error) {
    for (size_t i = 0; i < FP_JIEBA_STATES; i++) {
        table->start[i] = FP_JIEBA_LOG_ZERO;
        for (size_t j = 0; j < FP_JIEBA_STATES; j++) table->transition[i][j] = FP_JIEBA_LOG_ZERO;
    }
    for (size_t i = 0; i < ((size_t)numbers->class_count + 1) * FP_JIEBA_STATES; i++) emissions[i] = FP_JIEBA_LOG_ZERO;
    FP_TRY(read_start(directory, arena, table->start, error));
    FP_TRY(read_transitions(directory, arena, table->transition, error));
    return read_emissions(directory, numbers, arena, emissions, error);
}
