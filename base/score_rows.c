/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of two ids and a number. */
#include "base/score_rows.h"

fp_status fp_score_number(fp_string text, const char *what, double *number, fp_error *error) {
    if (fp_string_real(text, number)) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the %s \"%.*s\" is not a finite number", what,
                   text.length < 100 ? (int)text.length : 100, text.data);
}

/* The names of columns as `fplab cluster --pairs` and `fplab distances` write them. */
static bool is_header(const fp_score_row *row) {
    double distance;
    if (row->number.length && fp_string_real(row->number, &distance)) return false;
    return (fp_string_equal(row->id_a, fp_string_of("a")) && fp_string_equal(row->id_b, fp_string_of("b"))) ||
           (fp_string_equal(row->id_a, fp_string_of("id_a")) && fp_string_equal(row->id_b, fp_string_of("id_b")));
}

/* The receiver of the rows, and their number. */
typedef struct reading {
    fp_score_take take;
    void *context;
    size_t rows;
} reading;

/* Takes a row of `count` fields, at most three; missing fields are empty. `more`: text follows the third. */
typedef fp_status (*take_fields)(reading *to, const fp_score_row *row, size_t count, bool more, const char **place,
                                 fp_error *error);

static fp_status take_score(reading *to, const fp_score_row *row, size_t count, bool more, const char **place,
                            fp_error *error) {
    if (count < 3 || more)
        return fp_fail(error, FP_ERROR_SYNTAX, "expected id_a, id_b and distance, separated by tabs");
    to->rows++;
    return to->take(to->context, row, place, error);
}

static fp_status take_pair(reading *to, const fp_score_row *row, size_t count, bool more, const char **place,
                           fp_error *error) {
    (void)more;
    if (count < 2 || !row->id_a.length || !row->id_b.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "expected id_a and id_b, separated by a tab");
    return row->line == 1 && is_header(row) ? FP_OK : to->take(to->context, row, place, error);
}

static fp_status read_row(fp_string text, size_t line, take_fields fields, reading *to, const char **place,
                          fp_error *error) {
    fp_string field[3] = {{"", 0}, {"", 0}, {"", 0}}, rest = text;
    size_t count = 0;
    *place = text.data;
    if (line == 1 && fp_string_begins(text, fp_string_of(FP_BYTE_ORDER_MARK)))
        return fp_fail(error, FP_ERROR_SYNTAX, "a byte order mark (EF BB BF) precedes the first id");
    while (count < 3 && fp_next_field(&rest, '\t', &field[count])) count++;
    return fields(to, &(fp_score_row){field[0], field[1], field[2], line}, count, rest.data, place, error);
}

static fp_status read_rows(fp_string content, const char *path, take_fields fields, reading *to, fp_error *error) {
    fp_string rest = content, text;
    for (size_t line = 1; fp_next_line(&rest, &text); line++) {
        const char *place;
        if (text.length == 0) continue;
        fp_status status = read_row(text, line, fields, to, &place, error);
        if (status != FP_OK) return fp_at(error, status, path, line, (size_t)(place - content.data));
    }
    return FP_OK;
}

fp_status fp_score_rows(fp_string content, const char *path, fp_score_take take, void *context, size_t *rows,
                        fp_error *error) {
    reading to = {take, context, 0};
    fp_status status = read_rows(content, path, take_score, &to, error);
    *rows = to.rows;
    if (status != FP_OK || to.rows) return status;
    return FP_FAIL_AT(error, FP_ERROR_EMPTY, path, "the file has no distances");
}

fp_status fp_pair_rows(fp_string content, const char *path, fp_score_take take, void *context, fp_error *error) {
    return read_rows(content, path, take_pair, &(reading){take, context, 0}, error);
}
