/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lines.h - reads the lines of a file, or of a text in memory, in batches: as many as are available without waiting,
 * at most about a megabyte, so that memory does not grow with the file.
 */
#ifndef FP_CLI_LINES_H
#define FP_CLI_LINES_H

#include "base/reader.h"
#include "base/score_rows.h"
#include "base/text_source.h"

/* One source of lines. Read from `reader`, or, if that is NULL, from `content`. */
typedef struct fp_lines {
    fp_reader *reader;
    fp_string content;
    const char *name; /* in messages */
    size_t longest;   /* bytes of a line of `reader` */
    bool unchecked;   /* the consumer of the texts detects invalid UTF-8, as fp_normalise does */
    /* The batch: */
    fp_string *text; /* [count] UTF-8, without line ends; valid, unless they are unchecked */
    size_t count;
    size_t first; /* number of its first line, from 1 */
    /* Private: */
    size_t capacity; /* of `text` */
    char *buffer;    /* bytes of `reader` that are not yet lines are those from `begin` to `filled` */
    size_t begin, filled, room;
    fp_string rest;    /* of `content` */
    fp_string block;   /* the bytes of the batch */
    size_t offset;     /* of the block in the source */
    fp_status failure; /* the state after the batch */
    fp_error error;
} fp_lines;

/* The lines as a source, which lives as long as `lines`; from a pipe (fp_reader_can_rewind is false) they can be
 * read once. A line that is too long or not UTF-8, and a read error, are reported with file and line after all
 * earlier lines. */
fp_text_source fp_lines_source(fp_lines *lines);

/* Call when bytes that are not UTF-8 were found in an unchecked text of the last batch, or of an earlier one if
 * lines can be read again. FP_ERROR_ENCODING, with file, line and byte of the first. If there are none any more, as
 * in a changed file, *error is unchanged. Nothing can be read afterwards. */
fp_status fp_lines_refuse(fp_lines *lines, fp_error *error);

/* The rows of a table of pairs: id_a, id_b, and optionally a distance (empty: no distance), then anything;
 * tab-separated, "-" is standard input. Skips the header of `fplab cluster --pairs` and `fplab distances`. Errors
 * name file, line and byte. */
fp_status fp_cli_pair_rows(const char *path, fp_score_take take, void *context, fp_arena *arena, fp_error *error);

/* Frees the memory of the batches; the caller owns reader and content. */
void fp_lines_close(fp_lines *lines);

#endif
