/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of two ids and a number. */
#include "base/score_rows.h"

fp_status fp_score_number(fp_string text, const char *what, double *number, fp_error *error) {
    if (fp_string_real(text, number)) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the %s \"%.*s\" is not a finite number", what,
                   text.length < 100 ? (int)text.length : 100, text.data);
}

static bool is_header(const fp_string *field) {
    double distance;
    if (field[2].length && fp_string_real(field[2], &distance)) return false;
    return (fp_string_equal(field[0], fp_string_of("a")) && fp_string_equal(field[1], fp_string_of("b"))) ||
           (fp_string_equal(field[0], fp_string_of("id_a")) && fp_string_equal(field[1], fp_string_of("id_b")));
}

static fp_status read_row(fp_string text, size_t line, bool pairs, fp_score_take take, void *context,
                          const char **place, fp_error *error) {
    fp_string field[3] = {{"", 0}, {"", 0}, {"", 0}}, rest = text;
    size_t count = 0;
    *place = text.data;
    if (line == 1 && fp_string_begins(text, fp_string_of(FP_BYTE_ORDER_MARK)))
        return fp_fail(error, FP_ERROR_SYNTAX, "a byte order mark (EF BB BF) precedes the first id");
    while (count < 3 && fp_next_field(&rest, '\t', &field[count])) count++;
    if (pairs && (count < 2 || !field[0].length || !field[1].length))
        return fp_fail(error, FP_ERROR_SYNTAX, "expected id_a and id_b, separated by a tab");
    if (!pairs && (count < 3 || rest.data))
        return fp_fail(error, FP_ERROR_SYNTAX, "expected id_a, id_b and distance, separated by tabs");
    if (pairs && line == 1 && is_header(field)) return FP_OK;
    fp_score_row row = {field[0], field[1], field[2], line};
    return take(context, &row, place, error);
}

fp_status fp_score_rows(fp_string content, const char *path, bool pairs, fp_score_take take, void *context,
                        size_t *rows, fp_error *error) {
    fp_string rest = content, text;
    *rows = 0;
    for (size_t line = 1; fp_next_line(&rest, &text); line++) {
        const char *place;
        if (text.length == 0) continue;
        ++*rows;
        fp_status status = read_row(text, line, pairs, take, context, &place, error);
        if (status != FP_OK) return fp_at(error, status, path, line, (size_t)(place - content.data));
    }
    if (*rows || pairs) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_EMPTY, path, "the file has no distances");
}
