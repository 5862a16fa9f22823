/* SPDX-License-Identifier: GPL-3.0-or-later
 * Strings with a length, numbers in text, and suggestions for misspelt names. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

fp_status fp_no_memory(fp_error *error) { return fp_fail(error, FP_ERROR_MEMORY, "out of memory"); }

/* `list` is the address of a pointer to any type. */
static void *read_pointer(const void *list) {
    void *place;
    memcpy(&place, list, sizeof place);
    return place;
}

static fp_status take_grown(void *grown, size_t wanted, void *list, size_t *room, fp_error *error) {
    if (!grown) return fp_no_memory(error);
    memcpy(list, &grown, sizeof grown);
    *room = wanted;
    return FP_OK;
}

static size_t more(size_t room, size_t count) {
    do room = room ? 2 * room : 64;
    while (room <= count);
    return room;
}

fp_status fp_arena_room(fp_arena *arena, void *list, size_t *room, size_t count, size_t size, fp_error *error) {
    if (count < *room) return FP_OK;
    size_t wanted = more(*room, count);
    return take_grown(fp_arena_grow(arena, read_pointer(list), wanted * size), wanted, list, room, error);
}

fp_status fp_memory_room(const fp_arena *like, void *list, size_t *room, size_t count, size_t size, fp_error *error) {
    if (count < *room) return FP_OK;
    size_t wanted = more(*room, count);
    return take_grown(fp_memory_resize(like, read_pointer(list), wanted * size), wanted, list, room, error);
}

fp_string fp_string_of(const char *text) { return (fp_string){text, strlen(text)}; }

bool fp_string_equal(fp_string a, fp_string b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

bool fp_string_begins(fp_string text, fp_string with) {
    return text.length >= with.length && fp_string_equal((fp_string){text.data, with.length}, with);
}

bool fp_string_ends(fp_string text, fp_string with) {
    return text.length >= with.length &&
           fp_string_equal((fp_string){text.data + text.length - with.length, with.length}, with);
}

fp_string fp_string_trim(fp_string text, const char *of) {
    size_t count = strlen(of);
    while (text.length && memchr(of, *text.data, count)) text.data++, text.length--;
    while (text.length && memchr(of, text.data[text.length - 1], count)) text.length--;
    return text;
}

fp_string fp_string_skip_mark(fp_string text) {
    size_t length = strlen(FP_BYTE_ORDER_MARK);
    return fp_string_begins(text, fp_string_of(FP_BYTE_ORDER_MARK))
               ? (fp_string){text.data + length, text.length - length}
               : text;
}

int fp_string_compare(fp_string a, fp_string b) {
    size_t common = a.length < b.length ? a.length : b.length;
    int order = common ? memcmp(a.data, b.data, common) : 0;
    return order ? order : FP_ORDER(a.length, b.length);
}

char *fp_string_copy(fp_arena *arena, fp_string text) {
    if (text.length == SIZE_MAX) return NULL;
    char *copy = fp_arena_raw(arena, text.length + 1, 1);
    if (!copy) return NULL;
    if (text.length) memcpy(copy, text.data, text.length);
    copy[text.length] = '\0';
    return copy;
}

char *fp_format_list(fp_arena *arena, const char *format, va_list arguments) {
    va_list again;
    char brief[256]; /* only a longer text is formatted twice */
    va_copy(again, arguments);
    int length = vsnprintf(brief, sizeof brief, format, arguments);
    size_t size = (size_t)length + 1;
    char *text = length < 0 ? NULL : fp_arena_raw(arena, size, 1);
    if (text && size <= sizeof brief) memcpy(text, brief, size);
    else if (text) vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

char *fp_format(fp_arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = fp_format_list(arena, format, arguments);
    va_end(arguments);
    return text;
}

/* Restricted Damerau-Levenshtein distance (a swap of neighbours is one edit); SIZE_MAX for names over 31 bytes. */
static size_t edit_distance(const char *a, const char *b) {
    enum { LONGEST = 31 };
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST || columns > LONGEST) return SIZE_MAX;
    size_t cost[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++) cost[i][0] = i;
    for (size_t j = 0; j <= columns; j++) cost[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        for (size_t j = 1; j <= columns; j++) {
            size_t best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best) best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best) best = cost[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && cost[i - 2][j - 2] + 1 < best) best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[rows][columns];
}

const char *fp_nearest(const char *name, const char *const *candidates) {
    const char *nearest = NULL;
    size_t smallest = SIZE_MAX, length = strlen(name);
    for (; *candidates; candidates++) {
        size_t distance = edit_distance(name, *candidates);
        bool begins = length >= 3 && strncmp(name, *candidates, length) == 0;
        size_t own = strlen(*candidates);
        begins |= own >= 4 && strncmp(name, *candidates, own) == 0; /* evaluate suggests eval */
        if (begins && distance > 1) distance = 1;
        if (distance < smallest) {
            smallest = distance;
            nearest = *candidates;
        }
    }
    return smallest <= 1 + length / 3 ? nearest : NULL;
}

bool fp_parse_integer(const char *text, int64_t *value) {
    if (!*text || *text == ' ') return false;
    char *end;
    errno = 0;
    long long parsed = strtoll(text, &end, 10);
    if (*end || errno) return false;
    *value = parsed;
    return true;
}

bool fp_parse_real(const char *text, double *value) {
    if (!*text || *text == ' ') return false;
    char *end;
    double parsed = strtod(text, &end);
    if (*end || !isfinite(parsed)) return false;
    *value = parsed + 0.0; /* −0 becomes 0 */
    return true;
}

bool fp_string_count(fp_string text, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned digit = (unsigned)text.data[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, digit, value))
            return false;
    }
    return text.length > 0;
}

bool fp_string_real(fp_string text, double *value) {
    char copy[400];
    if (!text.length || text.length >= sizeof copy || memchr(text.data, '\0', text.length)) return false;
    memcpy(copy, text.data, text.length);
    copy[text.length] = '\0';
    return fp_parse_real(copy, value);
}

void fp_real_text(double value, char text[FP_REAL_TEXT]) {
    snprintf(text, FP_REAL_TEXT, "%.15g", value);
    if (strtod(text, NULL) != value) snprintf(text, FP_REAL_TEXT, "%.17g", value);
}
