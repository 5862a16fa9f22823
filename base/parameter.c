/* SPDX-License-Identifier: GPL-3.0-or-later
 * Parameter tables: each row fully describes a parameter; these functions interpret the rows. */
#include <string.h>

#include "base/base.h"

static void *member(const fp_parameter *row, void *target) { return (char *)target + row->offset; }

const fp_parameter *fp_parameter_find(const fp_parameter *table, fp_string name) {
    for (const fp_parameter *row = table; row && row->name; row++)
        if (fp_string_equal(fp_string_of(row->name), name)) return row;
    return NULL;
}

static fp_status out_of_bounds(const fp_parameter *row, const char *value, fp_error *error) {
    const char *space = *row->unit ? " " : "";
    return fp_fail(error, FP_ERROR_RANGE, "%s=%s is out of bounds: %s takes %.15g to %.15g%s%s", row->name, value,
                   row->name, row->minimum, row->maximum, space, row->unit);
}

static fp_status unknown_choice(const fp_parameter *row, const char *value, fp_error *error) {
    char list[256] = "";
    for (const char *const *choice = row->choices; *choice; choice++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *choice);
    }
    const char *nearest = fp_nearest(value, row->choices);
    if (nearest)
        return fp_fail(error, FP_ERROR_RANGE, "%s=%s is not a choice; did you mean %s? (%s takes %s)", row->name, value,
                       nearest, row->name, list);
    return fp_fail(error, FP_ERROR_RANGE, "%s=%s is not a choice: %s takes %s", row->name, value, row->name, list);
}

static fp_status set_integer(const fp_parameter *row, const char *value, int64_t *target, fp_error *error) {
    int64_t number;
    if (!fp_parse_integer(value, &number))
        return fp_fail(error, FP_ERROR_SYNTAX, "%s=%s is not a whole number", row->name, value);
    if ((double)number < row->minimum || (double)number > row->maximum) return out_of_bounds(row, value, error);
    *target = number;
    return FP_OK;
}

static fp_status set_real(const fp_parameter *row, const char *value, double *target, fp_error *error) {
    double number;
    if (!fp_parse_real(value, &number))
        return fp_fail(error, FP_ERROR_SYNTAX, "%s=%s is not a number", row->name, value);
    if (number < row->minimum || number > row->maximum) return out_of_bounds(row, value, error);
    *target = number;
    return FP_OK;
}

static fp_status set_choice(const fp_parameter *row, const char *value, int64_t *target, fp_error *error) {
    for (int64_t i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], value) != 0) continue;
        *target = i;
        return FP_OK;
    }
    return unknown_choice(row, value, error);
}

/* `value` is NUL-terminated and lives as long as the target. */
static fp_status set_text(const fp_parameter *row, const char *value, void *target, fp_error *error) {
    void *place = member(row, target);
    switch (row->type) {
    case FP_INTEGER: return set_integer(row, value, place, error);
    case FP_REAL: return set_real(row, value, place, error);
    case FP_CHOICE: return set_choice(row, value, place, error);
    case FP_TEXT:
    case FP_FILE: memcpy(place, &value, sizeof value); return FP_OK;
    }
    return fp_fail(error, FP_ERROR_ABI, "parameter %s has an unknown type", row->name);
}

fp_status fp_parameters_initialise(const fp_parameter *table, void *target, fp_error *error) {
    for (const fp_parameter *row = table; row && row->name; row++) FP_TRY(set_text(row, row->initial, target, error));
    return FP_OK;
}

fp_status fp_parameter_set(const fp_parameter *row, fp_string value, void *target, fp_arena *arena, fp_error *error) {
    const char *copy = FP_NEED(fp_string_copy(arena, value), error);
    return set_text(row, copy, target, error);
}

static fp_status unknown_key(const fp_parameter *table, const char *of, fp_string key, fp_error *error) {
    enum { MOST = 8 };
    const char *names[MOST + 1] = {NULL};
    size_t count = 0;
    for (const fp_parameter *row = table; row->name && count < MOST; row++) names[count++] = row->name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)key.length, key.data);
    const char *nearest = fp_nearest(name, names);
    if (nearest) return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s; did you mean %s?", of, name, nearest);
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s", of, name);
}

fp_status fp_parameters_parse(const fp_parameter *table, const char *of, fp_string list, void *target, fp_arena *arena,
                              fp_error *error) {
    fp_string item;
    FP_TRY(fp_parameters_initialise(table, target, error));
    while (list.length && fp_next_field(&list, ',', &item)) {
        fp_string value = item, key;
        fp_next_field(&value, '=', &key);
        if (!value.data)
            return fp_fail(error, FP_ERROR_SYNTAX, "expected key=value in %s, not \"%.*s\"", of, (int)item.length,
                           item.data);
        const fp_parameter *row = fp_parameter_find(table, key);
        if (!row) return unknown_key(table, of, key, error);
        FP_TRY(fp_parameter_set(row, value, target, arena, error));
    }
    return FP_OK;
}

const char *fp_parameter_text(const fp_parameter *row, const void *source, fp_arena *arena) {
    const char *place = (const char *)source + row->offset;
    int64_t number;
    double real;
    const char *text;
    switch (row->type) {
    case FP_INTEGER: memcpy(&number, place, sizeof number); return fp_format(arena, "%lld", (long long)number);
    case FP_REAL: memcpy(&real, place, sizeof real); return fp_format(arena, "%.15g", real);
    case FP_CHOICE: memcpy(&number, place, sizeof number); return row->choices[number];
    case FP_TEXT:
    case FP_FILE: memcpy(&text, place, sizeof text); return text;
    }
    return NULL;
}
