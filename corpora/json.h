/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json.h - strict JSON reading (RFC 8259): exactly one value, and every error with its byte.
 *
 * Beyond the grammar it refuses input that is ambiguous or would be lost: a duplicate key in an object, half of a
 * surrogate pair (\ud800), NaN and Infinity, invalid UTF-8, a byte order mark, nesting over 100 levels. Every failed
 * allocation is reported as FP_ERROR_MEMORY.
 */
#ifndef FP_CORPORA_JSON_H
#define FP_CORPORA_JSON_H

#include "base/base.h"

typedef enum fp_json_type {
    FP_JSON_NULL,
    FP_JSON_BOOLEAN,
    FP_JSON_NUMBER,
    FP_JSON_STRING,
    FP_JSON_ARRAY,
    FP_JSON_OBJECT
} fp_json_type;

/* A value. Lives in the arena that it was parsed into, and points into the parsed text. */
typedef struct fp_json {
    fp_json_type type;
    size_t byte;                 /* its start: an offset in the parsed text */
    size_t name_byte;            /* the same for its name */
    fp_string name;              /* for a member of an object; may hold NUL */
    fp_string text;              /* a string's characters, which may hold NUL; for other values the source text */
    const struct fp_json *first; /* first value of an array or object, in source order; NULL if empty */
    const struct fp_json *next;  /* next value in the same array or object */
} fp_json;

/* Parses one whole value. Errors have a message and a byte, the offset in `text`: FP_ERROR_SYNTAX, _ENCODING (UTF-8,
 * surrogates), _DUPLICATE (keys), _MEMORY (without a byte). */
fp_status fp_json_parse(fp_string text, fp_arena *arena, const fp_json **value, fp_error *error);

/* Adds the file and line to an error whose byte is an offset in `content`, the file. Returns `code`. */
fp_status fp_json_at(fp_error *error, fp_status code, const char *file, fp_string content);
/* Reads and parses a whole file (fp_read_file). `content` is for fp_json_at. Errors have file, line and byte. */
fp_status fp_json_read(const char *path, fp_arena *arena, fp_string *content, const fp_json **value, fp_error *error);

/* The number of values in an array or members of an object; 0 if `value` is NULL. */
size_t fp_json_count(const fp_json *value);
/* The member of that name; NULL if it is missing, or `object` is NULL or not an object. */
const fp_json *fp_json_member(const fp_json *object, const char *name);
/* A string member, copied into the arena and NUL-terminated; empty if the member is missing or null. FP_ERROR_SYNTAX,
 * with the value's byte, for any other type. */
fp_status fp_json_string(const fp_json *object, const char *name, fp_arena *arena, fp_string *value, fp_error *error);
/* The number; `name` is for the error. FP_ERROR_SYNTAX if it is not a number, FP_ERROR_RANGE if it is too large for a
 * double. */
fp_status fp_json_real(const fp_json *value, const char *name, double *number, fp_error *error);

#endif
