/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * line_blocks.h - the lines of a large file, block by block: while threads process the lines of one block, the next is
 * read, unpacked and hashed. Memory is that of two blocks. For a pipe, where reading may block, a block is the data
 * that is available, and nothing is read ahead.
 */
#ifndef FP_LINE_BLOCKS_H
#define FP_LINE_BLOCKS_H

#include "base/parallel.h"

/* A line without its line end. */
typedef struct fp_line {
    fp_string text;
    size_t row;    /* from 1, the first line of a record of several; empty lines count */
    size_t byte;   /* its offset in the unpacked file */
    bool too_long; /* its text is omitted: fp_line_options.skips */
} fp_line;

/* How a file is split into records. Both functions get `separator` and bytes that begin with a record. */
typedef struct fp_record_cut {
    /* The length of the complete records in `bytes`, 0 if there is none. */
    size_t (*whole)(char separator, fp_string bytes);
    /* The next record, without its end; false if there is none. *rows is its number of lines, or 1. `rest` holds
     * complete records; at the end of a file the last may lack its end. */
    bool (*next)(char separator, fp_string *rest, fp_string *record, size_t *rows);
    char separator; /* of the fields of a record, if it matters */
} fp_record_cut;
extern const fp_record_cut fp_line_cut;

typedef struct fp_line_options {
    size_t most;       /* bytes of the file, unpacked; more are FP_ERROR_RANGE */
    bool bounds_lines; /* `most` limits each line instead: a longer line that does not fit into a block is
                          FP_ERROR_RANGE, with its number */
    bool skips;  /* such a line is returned without its text, and reading continues after its line end; of a record of
                    several lines the first is lost */
    bool sha256; /* computes that sum, too */
    bool empty;  /* empty lines are returned, too */
    fp_record_cut cut;           /* zeros: lines */
    const char *encoding;        /* of the file, as in fp_decoder_open: lines are UTF-8, and byte counts and sums are
                                    those of the UTF-8. NULL: not converted */
    const fp_progress *progress; /* of reading, by block, if the size of the file is known. May be NULL */
} fp_line_options;

/* Sums of what was read so far: equal for equal files. */
typedef struct fp_file_sum {
    size_t bytes;  /* unpacked */
    uint64_t hash; /* XXH3 */
} fp_file_sum;

typedef struct fp_line_blocks fp_line_blocks;

/* Opens `path` as fp_reader_open does. Uses fp_threads(options->progress) threads. `path` and the encoding are not
 * copied. The caller closes it with fp_line_blocks_close, which accepts NULL. */
fp_status fp_line_blocks_open(const char *path, const fp_line_options *options, const fp_arena *like,
                              fp_line_blocks **blocks, fp_error *error);
void fp_line_blocks_close(fp_line_blocks *blocks);
/* The error for a line that is too long, by its row: FP_ERROR_RANGE. */
fp_status fp_line_too_long(const fp_line_blocks *blocks, size_t row, fp_error *error);

/* The detected encoding; NULL before the first block, or without options->encoding. *converted: the bytes differ from
 * the file's. */
const char *fp_line_blocks_encoding(const fp_line_blocks *blocks, bool *converted);

/* Whether the file can be read again; and going back to its start. */
bool fp_line_blocks_can_rewind(const fp_line_blocks *blocks);
fp_status fp_line_blocks_rewind(fp_line_blocks *blocks, fp_error *error);

/* The lines of the next block; *count is 0 only at the end of the file. They are valid until the next call.
 * Lines before a failure have been returned. */
fp_status fp_line_blocks_next(fp_line_blocks *blocks, const fp_line **lines, size_t *count, fp_error *error);
/* After fp_line_blocks_next: its next call returns the same block or failure again. */
void fp_line_blocks_again(fp_line_blocks *blocks);
/* Runs `work` for 0 … count − 1 (fp_batch_run) while the next block is read. Call once between two calls of
 * fp_line_blocks_next; the kept memory of `work` lives as long as the lines. */
fp_status fp_line_blocks_work(fp_line_blocks *blocks, size_t count, fp_batch_work work, void *context, size_t *done,
                              fp_error *error);

/* Sums of the whole file, valid at its end. */
fp_file_sum fp_line_blocks_sum(const fp_line_blocks *blocks);
void fp_line_blocks_sha256(fp_line_blocks *blocks, char hex[65]);

#endif
