/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * base.h - common functions of all directories: strings in arenas, files, parameter tables, term hashes. Thread-safety:
 * functions touch only their arguments.
 */
#ifndef FP_BASE_H
#define FP_BASE_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fplab.h"

/* Returns from the calling function with the status of `call` when it failed. */
#define FP_TRY(call)                                        \
    do {                                                    \
        fp_status fp_try_status_ = (call);                  \
        if (fp_try_status_ != FP_OK) return fp_try_status_; \
    } while (0)

/* Writes "out of memory" to *error. */
fp_status fp_no_memory(fp_error *error);
/* The pointer that `call` returns; if it is NULL, returns from the calling function with "out of memory". */
#define FP_NEED(call, error)                \
    __extension__({                         \
        __typeof__(call) fp_made_ = (call); \
        if (!fp_made_) {                    \
            fp_no_memory(error);            \
            return FP_ERROR_MEMORY;         \
        }                                   \
        fp_made_;                           \
    })

/* fp_fail of a file as a whole; the message is printf-style. */
#define FP_FAIL_AT(error, code, file, ...) fp_at(error, fp_fail(error, code, __VA_ARGS__), file, SIZE_MAX, SIZE_MAX)
/* Adds the byte alone to *error, which may be NULL, and returns `code`; as fp_at. */
static inline fp_status fp_at_byte(fp_error *error, fp_status code, size_t byte) {
    if (error) error->byte = byte;
    return code;
}

/* ---- Memory (base/arena.c) ---- */

/* Makes or resizes a growing piece of the arena, aligned to 16: `place` NULL makes it, with `size` bytes; otherwise it
 * is resized like realloc, so large pieces are not copied. Not zeroed; released with the arena. NULL when there is no
 * memory; the piece is then unchanged. */
void *fp_arena_grow(fp_arena *arena, void *place, size_t size);

/* A parameter or member called `like` selects the memory source: that of this arena, or malloc if NULL. The arena is
 * only read, by any thread, and must still exist when the memory is released.
 *
 * Memory from that source, released by fp_memory_release. fp_memory_take zeroes `count` × `size` bytes;
 * fp_memory_resize is like realloc. NULL when out of memory. */
void *fp_memory_take(const fp_arena *like, size_t count, size_t size);
void *fp_memory_resize(const fp_arena *like, void *place, size_t size);
void fp_memory_release(const fp_arena *like, void *place);

/* close(&variable) when the block of the variable ends, however it is left; the variable declared last is closed first:
 * fp_text_source source FP_CLOSED_BY(fp_text_source_close) = {0}; */
#define FP_CLOSED_BY(close) __attribute__((cleanup(close)))

/* Declares an arena that is freed when its block is left, with the memory source of `like`; returns from the function
 * if there is no memory. */
#define FP_SCRATCH(name, like, error) \
    fp_arena *name FP_CLOSED_BY(fp_scratch_end) = FP_NEED(fp_arena_new_like(like), error)
static inline void fp_scratch_end(fp_arena **arena) { fp_arena_free(*arena); }

/* Makes room in `list`, a pointer to elements, for one more than `count`. `room` is the capacity; a list starts as NULL
 * with room 0. FP_ERROR_MEMORY: nothing has changed. */
#define FP_ROOM(arena, list, count, room, error) fp_arena_room(arena, &(list), &(room), count, sizeof *(list), error)
fp_status fp_arena_room(fp_arena *arena, void *list, size_t *room, size_t count, size_t size, fp_error *error);
/* The same outside the arena, released by fp_memory_release. */
#define FP_MEMORY_ROOM(like, list, count, room, error) \
    fp_memory_room(like, &(list), &(room), count, sizeof *(list), error)
fp_status fp_memory_room(const fp_arena *like, void *list, size_t *room, size_t count, size_t size, fp_error *error);

/* ---- Strings (base/string.c) ---- */

/* A string constant or NUL-terminated text as fp_string. */
fp_string fp_string_of(const char *text);
bool fp_string_equal(fp_string a, fp_string b);
bool fp_string_begins(fp_string text, fp_string with);
bool fp_string_ends(fp_string text, fp_string with);
/* Without the bytes in `of` at both ends. */
fp_string fp_string_trim(fp_string text, const char *of);
/* UTF-8's byte-order mark; and a text without a leading one. */
#define FP_BYTE_ORDER_MARK "\xef\xbb\xbf"
fp_string fp_string_skip_mark(fp_string text);
/* Byte order, as memcmp; for sorting. */
int fp_string_compare(fp_string a, fp_string b);
/* A NUL-terminated copy in the arena; NULL when out of memory. */
char *fp_string_copy(fp_arena *arena, fp_string text);
/* printf and vprintf into the arena; NULL when out of memory. */
char *fp_format(fp_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *fp_format_list(fp_arena *arena, const char *format, va_list arguments);
/* The candidate with the smallest edit distance to `name` (if one begins with the other, at most 1), or NULL if that
 * exceeds 1 + a third of the length of `name`. `candidates` is terminated by NULL. */
const char *fp_nearest(const char *name, const char *const *candidates);
/* The value of a hexadecimal digit of either case; −1 for other characters. */
static inline int fp_hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    char lower = (char)(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}
/* Numbers; false when `text` is not exactly one, or a real number is not finite. A count has only decimal digits. */
bool fp_parse_integer(const char *text, int64_t *value);
bool fp_parse_real(const char *text, double *value);
bool fp_string_count(fp_string text, uint64_t *value);
bool fp_string_real(fp_string text, double *value);
/* Writes the shortest of 15 or 17 digits that reads back as the same number. */
enum { FP_REAL_TEXT = 32 };
void fp_real_text(double value, char text[FP_REAL_TEXT]);

/* ---- Files (base/file.c) ---- */

/* The default limit for the bytes read from one file, unpacked: 4 GiB. Packed data can be a thousand times as large as
 * its file, or more. */
#define FP_MOST_BYTES ((size_t)4 << 30)

/* Reads a whole file ("-": standard input; gzip and Zstandard are unpacked) into the arena and appends a NUL that
 * `length` does not count. Errors name the file; FP_ERROR_RANGE for more than `most` bytes. */
fp_status fp_read_file_within(const char *path, size_t most, fp_arena *arena, fp_string *content, fp_error *error);
/* The same, of at most FP_MOST_BYTES. */
fp_status fp_read_file(const char *path, fp_arena *arena, fp_string *content, fp_error *error);

/* FP_ERROR_IO with "cannot DOING: " and the text of errno, at `path`. */
fp_status fp_file_error(fp_error *error, const char *path, const char *doing);

/* ---- Atomic output files (base/output.c) ---- */

/* A file that appears under its name only when it is complete: written as PATH.partPROCESS (never through a symbolic
 * link), synced, and renamed by fp_output_close. Leftovers of dead processes are removed. A NULL path is standard
 * output; a device or a pipe is written directly. */
typedef struct fp_output {
    FILE *stream;
    char path[4096];
    char temporary[4128]; /* empty: no temporary file */
} fp_output;
fp_status fp_output_open(fp_output *output, const char *path, fp_error *error);
/* Flushes, checks, renames. On failure removes the temporary file. */
fp_status fp_output_close(fp_output *output, fp_error *error);
/* Removes the temporary file: nothing appears. */
void fp_output_discard(fp_output *output);
/* Closes the output if `status` is FP_OK; otherwise discards it and returns `status`. */
fp_status fp_output_end(fp_output *output, fp_status status, fp_error *error);
/* The process id in the name of an unfinished file, and in *length the length of the final name; 0: another name. */
long fp_output_owner(const char *name, size_t *length);
/* Makes the directory with its parents; succeeds for an existing, writable directory. */
fp_status fp_make_directory(const char *path, fp_error *error);
/* fsync; false with errno if written data may be lost. */
bool fp_synchronise(int file);
bool fp_synchronise_directory(const char *path);
/* Whether this machine has no process with that id. */
bool fp_process_is_gone(long process);

/* ---- Lines and fields (base/file.c) ---- */

/* The next line of *rest without its \n or \r\n; false at the end. Advances *rest. */
bool fp_next_line(fp_string *rest, fp_string *line);
/* The text before the next `separator`; false at the end (rest->data NULL). An empty last field counts. */
bool fp_next_field(fp_string *rest, char separator, fp_string *field);

/* ---- Parameter tables (base/parameter.c) ---- */

/* Sets every parameter of `table` to its default in the struct at `target`. Texts point into the table. */
fp_status fp_parameters_initialise(const fp_parameter *table, void *target, fp_error *error);
/* The row of a hash seed, with the same default everywhere. `member` is an int64_t of `type`. */
#define FP_SEED_PARAMETER(help, type, member) \
    { "seed", FP_INTEGER, "", help, "0", 0, 9e15, NULL, offsetof(type, member) }

/* The row of that name, or NULL. `table` may be NULL. */
const fp_parameter *fp_parameter_find(const fp_parameter *table, fp_string name);
/* Parses `value` into *target; texts are copied into the arena. Errors name parameter, value and bounds. */
fp_status fp_parameter_set(const fp_parameter *row, fp_string value, void *target, fp_arena *arena, fp_error *error);
/* Sets every parameter: those in "key=value,…" to their value, the others to their default. Messages call the list
 * `of`; FP_ERROR_UNKNOWN with the nearest name among the first 8 rows. */
fp_status fp_parameters_parse(const fp_parameter *table, const char *of, fp_string list, void *target, fp_arena *arena,
                              fp_error *error);
/* The value as a user would write it; NULL when out of memory. */
const char *fp_parameter_text(const fp_parameter *row, const void *source, fp_arena *arena);

/* ---- Libraries loaded at first use (base/libraries.c) ---- */

/* The name of a library function, and where to store its address; a list ends with name NULL. */
typedef struct fp_library_function {
    const char *name;
    void *place;
} fp_library_function;
/* The library stays loaded. FP_ERROR_UNKNOWN: it is missing; FP_ERROR_ABI: it lacks a function. */
fp_status fp_library_open(const char *file, const fp_library_function *functions, fp_error *error);

/* Libraries that libfplab.so loads at run time; the archive and the program link them. */
typedef enum fp_library { FP_SQLITE, FP_HIREDIS } fp_library;
/* Call before any function of the library is used, by any thread. FP_ERROR_UNKNOWN: it is missing; the error names the
 * Debian package. */
fp_status fp_library_load(fp_library library, fp_error *error);

/* ---- Hashes (base/hash.c) ---- */

/* FNV-1a, 64 bits (Fowler, Noll, Vo): offset basis 0xcbf29ce484222325 xor `seed`, prime 0x100000001b3. */
uint64_t fp_fnv1a(const void *data, size_t length, uint64_t seed);
/* XXH3-64 with a seed. */
uint64_t fp_xxh3(const void *data, size_t length, uint64_t seed);
/* The same without a seed, for data in pieces; the sum lives in `arena`. NULL when out of memory. */
typedef struct fp_xxh3_sum fp_xxh3_sum;
fp_xxh3_sum *fp_xxh3_begin(fp_arena *arena);
void fp_xxh3_again(fp_xxh3_sum *sum);
void fp_xxh3_add(fp_xxh3_sum *sum, fp_string piece);
uint64_t fp_xxh3_end(const fp_xxh3_sum *sum);
/* SHA-256 (FIPS 180-4) as 64 hexadecimal digits and a NUL. */
void fp_sha256_hex(fp_string content, char hex[65]);
/* The same for a text in pieces: the sum lives in `arena`; fp_sha256_end resets it. NULL when out of memory. */
typedef struct fp_sha256 fp_sha256;
fp_sha256 *fp_sha256_begin(fp_arena *arena);
void fp_sha256_add(fp_sha256 *sum, fp_string piece);
void fp_sha256_end(fp_sha256 *sum, char hex[65]);
/* A 64-bit value mixed with a stream number into an independent-looking 64-bit value: the finaliser of SplitMix64
 * (Steele, Lea, Flood 2014) over value + stream · golden ratio. */
static inline uint64_t fp_mix(uint64_t value, uint64_t stream) {
    uint64_t z = value + (stream + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* fp_mix(value + n·FP_MIX_STEP, i) is fp_mix(value, i + n). */
#define FP_MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* ---- Numbers as bytes of a file: eight bytes a number, little-endian on every machine (base/bytes.c) ---- */

/* `to` and `from` need no alignment. */
void fp_bytes_put(uint64_t value, unsigned char *to);
uint64_t fp_bytes_get(const void *from);

/* Arrays of uint64_t, and of doubles bit by bit; fp_bytes_of takes both. When reading, FP_ERROR_SYNTAX for a length
 * that is not a multiple of 8, or a double that is not finite. */
fp_status fp_bytes_of(const void *values, size_t count, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_integers_of_bytes(fp_string bytes, fp_arena *arena, uint64_t **values, size_t *count, fp_error *error);
fp_status fp_reals_of_bytes(fp_string bytes, fp_arena *arena, double **values, size_t *count, fp_error *error);

/* ---- Comparison functions for qsort ---- */

/* −1, 0 or 1 if `a` sorts before, with or after `b`, ascending. Evaluates both twice. */
#define FP_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Defines a comparison of two objects, *a and *b, by the first key that differs: FP_COMPARES(largest_first, group,
 * FP_ORDER(b->size, a->size) ?: FP_ORDER(a->number, b->number)); */
#define FP_COMPARES(name, type, order)                     \
    static int name(const void *left, const void *right) { \
        const type *a = left, *b = right;                  \
        return __extension__(order);                       \
    }                                                      \
    _Static_assert(sizeof(type) > 0, "takes a semicolon")

/* The first i below `count` for which the condition holds, or `count`. Binary search: it must hold for all later i. */
#define FP_FIRST(i, count, condition)                            \
    __extension__({                                              \
        size_t fp_low_ = 0, fp_high_ = (count);                  \
        while (fp_low_ < fp_high_) {                             \
            const size_t i = fp_low_ + (fp_high_ - fp_low_) / 2; \
            if (condition) fp_high_ = i;                         \
            else fp_low_ = i + 1;                                \
        }                                                        \
        fp_low_;                                                 \
    })

/* Ascending numbers, for qsort. For doubles use gsl_sort. */
int fp_ascending_u32(const void *left, const void *right);
int fp_ascending_u64(const void *left, const void *right);
int fp_ascending_size(const void *left, const void *right);
/* A number and the place of its owner; for qsort by numbers, then by places. */
typedef struct fp_placed_key {
    uint64_t key;
    uint32_t place;
} fp_placed_key;
int fp_by_placed_key(const void *left, const void *right);

/* ---- Public structs that may grow: `size`, the first member, is the sizeof of the caller's compilation ---- */

/* Copies the caller's struct into one of `known` bytes and zeroes the members that it lacks; `from` NULL: all zeros.
 * Members of a later version must be zero, since this version ignores them: FP_ERROR_ABI, as for a `size` that is too
 * small. */
static inline fp_status fp_sized_copy(void *to, size_t known, const void *from, const char *name, fp_error *error) {
    size_t size;
    memset(to, 0, known);
    if (!from) return FP_OK;
    memcpy(&size, from, sizeof size);
    if (size < sizeof size) return fp_fail(error, FP_ERROR_ABI, "%s.size is %zu; set it to sizeof", name, size);
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i])
            return fp_fail(error, FP_ERROR_ABI, "%s is of a later version, and sets what this one does not have", name);
    memcpy(to, from, size < known ? size : known);
    return FP_OK;
}

#endif
