/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile.h - shared functions of the table compilers: one-line errors, numbered lines of a file, rows of several
 * sources, deduplicated blocks of values, and writing the result. They run during the build and are not shipped.
 */
#ifndef FP_COMPILE_H
#define FP_COMPILE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "text/unicode/code_blocks.h"
#include "text/unicode/utf8.h"

/* Prints "file:line: reason" and exits; line 0 is omitted. */
__attribute__((noreturn, format(printf, 3, 4))) static inline void die(const char *file, size_t line,
                                                                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (line) fprintf(stderr, "%s:%zu: ", file, line);
    else fprintf(stderr, "%s: ", file);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* Zeroed; freed at the end of the program. */
static inline void *take_memory(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made) die("memory", 0, "%zu times %zu bytes are not there", count, size);
    return made;
}

/* ---- Lines ---- */

typedef struct reader {
    const char *file;
    FILE *stream;
    size_t line;
    char *text; /* the current line without its end */
    size_t room;
} reader;

/* `package` is the Debian package that holds the file, or NULL. */
static inline reader open_reader(const char *file, const char *package) {
    FILE *stream = fopen(file, "r");
    if (!stream && package) die(file, 0, "cannot be read: install the Debian package %s", package);
    if (!stream) die(file, 0, "cannot be read");
    return (reader){.file = file, .stream = stream};
}

static inline bool next_line(reader *from) {
    ssize_t length = getline(&from->text, &from->room, from->stream);
    if (length < 0) {
        if (ferror(from->stream)) die(from->file, from->line, "cannot be read on");
        if (!from->line) die(from->file, 0, "is empty");
        fclose(from->stream);
        free(from->text);
        return false;
    }
    from->line++;
    while (length && (from->text[length - 1] == '\n' || from->text[length - 1] == '\r')) from->text[--length] = '\0';
    return true;
}

/* The next line that is not empty and no comment. */
static inline bool next_row(reader *from) {
    while (next_line(from))
        if (*from->text && *from->text != '#') return true;
    return false;
}

/* Splits the line at tabs into at most `room` fields and returns their number. */
static inline size_t cut_fields(char *line, char **field, size_t room) {
    size_t count = 0;
    for (char *at = line; count < room;) {
        field[count++] = at;
        at = strchr(at, '\t');
        if (!at) break;
        *at++ = '\0';
    }
    return count;
}

/* ---- Characters ---- */

enum { CODES = 0x110000 };

/* The next code point of valid, NUL-terminated UTF-8; advances *at. */
static inline uint32_t next_code(const char **at) {
    uint32_t code;
    *at += fp_utf8_decode(*at, &code);
    return code;
}

static inline uint32_t first_code(const char *text) { return next_code(&text); }

/* The text, if it is valid UTF-8; the program ends otherwise. */
static inline fp_string check_utf8(const reader *from, const char *text) {
    fp_string string = fp_string_of(text);
    if (fp_utf8_check(string) != string.length) die(from->file, from->line, "not valid UTF-8");
    return string;
}

static inline size_t count_characters(const reader *from, const char *text) {
    return fp_utf8_count(check_utf8(from, text));
}

/* ---- Sources of several programs ---- */

/* A row "from TAB first second …" of an OpenCC dictionary: from and first. */
typedef struct pair {
    char *from, *to;
} pair;

static inline pair cut_pair(const reader *from) {
    char *field[2];
    if (cut_fields(from->text, field, 2) != 2 || !*field[0] || !*field[1])
        die(from->file, from->line, "no TAB between two columns");
    field[1][strcspn(field[1], " ")] = '\0';
    return (pair){field[0], field[1]};
}

/* Cuts the row "word frequency tag" of jieba's dictionary behind its word, and returns the frequency. */
static inline double cut_frequency(const reader *from) {
    char *end, *space = strchr(from->text, ' ');
    double frequency = space ? strtod(space + 1, &end) : -1;
    if (frequency < 0 || end == space + 1) die(from->file, from->line, "not a word, a frequency and a tag");
    *space = '\0';
    return frequency;
}

/* ---- Blocks ---- */

/* Fills `index` and `blocks` from one value of `size` bytes for every code point; equal blocks are stored once. */
static inline void store_blocks(const char *name, const void *values, size_t size, uint16_t *index, void *blocks,
                                size_t capacity) {
    const char *from = values;
    char *to = blocks;
    size_t bytes = size * FP_CODE_BLOCK, used = 0;
    for (size_t i = 0; i < FP_CODE_BLOCKS; i++, from += bytes) {
        size_t found = 0;
        while (found < used && memcmp(to + found * bytes, from, bytes) != 0) found++;
        if (found == used) {
            if (used == capacity) die(name, 0, "more than %zu different blocks; raise the capacity", capacity);
            memcpy(to + used++ * bytes, from, bytes);
        }
        index[i] = (uint16_t)found;
    }
}

/* ---- Writing ---- */

static inline void write_table(const char *file, const void *table, size_t size) {
    FILE *stream = fopen(file, "wb");
    if (!stream || fwrite(table, 1, size, stream) != size || fclose(stream) != 0) die(file, 0, "cannot be written");
}

#endif
