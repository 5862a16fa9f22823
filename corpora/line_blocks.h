/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * line_blocks.h - the lines of a large file, block by block: while threads process the lines of one block, the next is
 * read, unpacked and hashed. Memory is that of two blocks. For a pipe, where reading may block, a block is what is
 * available, and nothing is read ahead.
 */
#ifndef FP_LINE_BLOCKS_H
#define FP_LINE_BLOCKS_H

#include "base/parallel.h"

/* A line without its line end. */
typedef struct fp_line {
    fp_string text;
    size_t row;    /* from 1, the first line of a record of several; empty lines count */
    size_t byte;   /* its offset in the unpacked file */
    bool too_long; /* its text is omitted: fp_line_blocks_bound_lines */
} fp_line;

/* How a file is split into records that are not lines. Both functions get bytes that begin with a record. */
typedef struct fp_record_cut {
    /* The length of the complete records in `bytes`, 0 if there is none. */
    size_t (*whole)(fp_string bytes);
    /* The next record, without its end; false if there is none. *rows is its number of lines, or 1. `rest` holds
     * complete records; at the end of a file the last may lack its end. */
    bool (*next)(fp_string *rest, fp_string *record, size_t *rows);
} fp_record_cut;
extern const fp_record_cut fp_line_cut; /* lines, the default */

/* Sums of what was read so far: equal for equal files. */
typedef struct fp_file_sum {
    size_t bytes;  /* unpacked */
    uint64_t hash; /* XXH3 */
} fp_file_sum;

typedef struct fp_line_blocks fp_line_blocks;

/* Opens `path`, which is not copied, as fp_reader_open does. More than `most` bytes, unpacked, are FP_ERROR_RANGE.
 * `sha256`: computes that sum, too. Uses fp_threads(progress) threads; reports progress by block if the size of the
 * file is known. The caller closes it with fp_line_blocks_close, which accepts NULL. */
fp_status fp_line_blocks_open(const char *path, const fp_arena *like, size_t most, bool sha256,
                              const fp_progress *progress, fp_line_blocks **blocks, fp_error *error);
void fp_line_blocks_close(fp_line_blocks *blocks);
/* Makes `most` the limit for one line instead of the file, which may have any length: a longer line that does not fit
 * into a block is FP_ERROR_RANGE, with its number. With `skip` it is returned without its text, and reading continues
 * after its line end; a record of several lines loses the first of them. Call before the first block. */
void fp_line_blocks_bound_lines(fp_line_blocks *blocks, bool skip);
/* The error for such a line: FP_ERROR_RANGE. */
fp_status fp_line_too_long(const fp_line_blocks *blocks, const fp_line *line, fp_error *error);

/* Splits the file into records instead of lines; `cut` must outlive the blocks. Call before the first block. */
void fp_line_blocks_cut(fp_line_blocks *blocks, const fp_record_cut *cut);

/* Declares that the file is in `encoding`, which is not copied, as in fp_decoder_open: lines are UTF-8, and byte counts
 * and sums are those of the UTF-8. Call before the first block. */
void fp_line_blocks_decode(fp_line_blocks *blocks, const char *encoding);
/* The detected encoding, after the first block; NULL: fp_line_blocks_decode was not called. *converted: the bytes
 * differ from the file's. */
const char *fp_line_blocks_encoding(const fp_line_blocks *blocks, bool *converted);

/* Whether the file can be read again; and going back to its start. */
bool fp_line_blocks_can_rewind(const fp_line_blocks *blocks);
fp_status fp_line_blocks_rewind(fp_line_blocks *blocks, fp_error *error);

/* The non-empty lines of the next block; *count is 0 only at the end of the file. They are valid until the next call.
 * Lines before a failure have been returned. */
fp_status fp_line_blocks_next(fp_line_blocks *blocks, const fp_line **lines, size_t *count, fp_error *error);
/* Runs `work` for 0 … count − 1 (fp_batch_run) while the next block is read. Call once between two calls of
 * fp_line_blocks_next; the kept memory of `work` lives as long as the lines. */
fp_status fp_line_blocks_work(fp_line_blocks *blocks, size_t count, fp_batch_work work, void *context, size_t *done,
                              fp_error *error);

/* Sums of the whole file, valid at its end. */
fp_file_sum fp_line_blocks_sum(const fp_line_blocks *blocks);
void fp_line_blocks_sha256(fp_line_blocks *blocks, char hex[65]);

#endif
