/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lines.h - the lines of a file, or of a text in memory, in batches: as many as can be had without waiting, and about a
 * megabyte at most, so that memory does not grow with the file.
 */
#ifndef FP_CLI_LINES_H
#define FP_CLI_LINES_H

#include "base/reader.h"
#include "base/score_rows.h"
#include "base/text_source.h"

/* One source of lines. Read from `reader`, or, where that is NULL, from `content`. */
typedef struct fp_lines {
    fp_reader *reader;
    fp_string content;
    const char *name; /* in messages */
    size_t longest;   /* bytes of a line of `reader` */
    bool unchecked;   /* whoever takes the texts finds what is not UTF-8 in them, as fp_normalise does */
    /* The batch: */
    fp_string *text; /* [count] UTF-8, without line ends; valid, unless they are unchecked */
    size_t count;
    size_t first; /* number of its first line, from 1 */
    /* Inside: */
    size_t capacity; /* of `text` */
    char *buffer;    /* bytes of `reader` that are not yet lines are those from `begin` to `filled` */
    size_t begin, filled, room;
    fp_string rest;    /* of `content` */
    fp_string block;   /* the bytes of the batch */
    size_t offset;     /* of the block in the source */
    fp_status failure; /* what stands behind the batch */
    fp_error error;
} fp_lines;

/* They as a source, which lives as long as `lines`; in a pipe (a reader that fp_reader_can_rewind denies) they come
 * once. A line that is not UTF-8 or too long, and an error of reading, are told with file and line after the lines
 * before them have been handed out. */
fp_text_source fp_lines_source(fp_lines *lines);

/* Somebody found bytes that are not UTF-8 in an unchecked text of the last batch handed out, or of one before where
 * lines can be read again: FP_ERROR_ENCODING with file, line and byte of the first. Where none is found any more, as in
 * a file that has changed, *error stays as it is. Nothing can be read afterwards. */
fp_status fp_lines_refuse(fp_lines *lines, fp_error *error);

/* The rows of a table of pairs: id_a, id_b, and perhaps a distance (an empty number: none), then anything;
 * tab-separated, "-" is standard input. The header of `fplab cluster --pairs` and `fplab distances` is passed over.
 * Errors name file, line and byte. */
fp_status fp_cli_pair_rows(const char *path, fp_score_take take, void *context, fp_arena *arena, fp_error *error);

/* Frees what batches are made of; reader and content are the caller's. */
void fp_lines_close(fp_lines *lines);

#endif
