/* SPDX-License-Identifier: GPL-3.0-or-later
 * Directions given by hand. They are read anew for each term: examples are small. */
#include "algorithms/families/given.h"

#include <math.h>
#include <string.h>

/* Takes the next "term:numbers" from *rest; false at the end. */
static bool next_term(fp_string *rest, fp_string *term, fp_string *numbers) {
    fp_string item;
    if (!fp_next_field(rest, ';', &item)) return false;
    *numbers = item;
    fp_next_field(numbers, ':', term);
    return true;
}

/* The number at the begin of `text`, behind spaces; moves `text` behind it. */
static bool next_number(fp_string *text, double *number) {
    char digits[64];
    size_t length = 0;
    while (text->length && *text->data == ' ') text->data++, text->length--;
    while (length < text->length && text->data[length] != ' ') length++;
    if (!length || length >= sizeof digits) return false;
    memcpy(digits, text->data, length);
    digits[length] = '\0';
    if (!fp_parse_real(digits, number) || !isfinite(*number)) return false;
    text->data += length;
    text->length -= length;
    return true;
}

static fp_status check_numbers(fp_string term, fp_string numbers, size_t count, fp_error *error) {
    double number;
    size_t found = 0;
    if (!numbers.data || !term.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "directions: expected term:number, not \"%.*s\"", (int)term.length,
                       term.data);
    while (next_number(&numbers, &number)) found++;
    if (numbers.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "directions: \"%.*s\" is not a number", (int)numbers.length,
                       numbers.data);
    if (found != count)
        return fp_fail(error, FP_ERROR_RANGE, "directions: %.*s has %zu numbers, but coordinates=%zu", (int)term.length,
                       term.data, found, count);
    return FP_OK;
}

fp_status fp_given_check(const char *text, size_t count, fp_error *error) {
    fp_string rest = fp_string_of(text), term, numbers;
    while (next_term(&rest, &term, &numbers)) {
        fp_string later = rest, other, ignored;
        FP_TRY(check_numbers(term, numbers, count, error));
        while (later.data && next_term(&later, &other, &ignored)) {
            if (fp_string_equal(term, other))
                return fp_fail(error, FP_ERROR_DUPLICATE, "directions: %.*s is named twice", (int)term.length,
                               term.data);
        }
    }
    return FP_OK;
}

void fp_given_of(const char *text, uint64_t hash, size_t count, double *coordinate) {
    fp_string rest = fp_string_of(text), term, numbers;
    for (size_t j = 0; j < count; j++) coordinate[j] = 0;
    while (next_term(&rest, &term, &numbers)) {
        if (fp_xxh3(term.data, term.length, 0) != hash) continue;
        for (size_t j = 0; j < count && next_number(&numbers, coordinate + j);) j++;
    }
}
