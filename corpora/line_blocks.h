/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * line_blocks.h - the lines of a large file, a block after the other: while the lines of one block are worked on over
 * threads, the next is read, unpacked and summed. Memory is that of two blocks. Of a pipe, which may make wait, a block
 * is what is there, and nothing is read ahead.
 */
#ifndef FP_LINE_BLOCKS_H
#define FP_LINE_BLOCKS_H

#include "base/parallel.h"

/* Without its line end. */
typedef struct fp_line {
    fp_string text;
    size_t row;    /* from 1, the first of a record of several; empty lines count */
    size_t byte;   /* where it begins in the file, unpacked */
    bool too_long; /* it has no text here: fp_line_blocks_bound_lines */
} fp_line;

/* How a file is cut into records that are not lines. Both see bytes that begin with a record. */
typedef struct fp_record_cut {
    /* The bytes of the whole records among `bytes`, 0 where there is not one. */
    size_t (*whole)(fp_string bytes);
    /* The next record, without its end; false where there is none. *rows is what it counts: its lines, or 1. `rest` is
     * of whole records; at the end of a file the last may lack its end. */
    bool (*next)(fp_string *rest, fp_string *record, size_t *rows);
} fp_record_cut;
extern const fp_record_cut fp_line_cut; /* lines, as every file is cut that is told nothing else */

/* What was read so far: equal of equal files. */
typedef struct fp_file_sum {
    size_t bytes;  /* unpacked */
    uint64_t hash; /* XXH3 */
} fp_file_sum;

typedef struct fp_line_blocks fp_line_blocks;

/* Opens `path`, which is not copied, as fp_reader_open. More than `most` bytes, unpacked, are FP_ERROR_RANGE. `sha256`:
 * that sum is made, too. Over as many threads as fp_threads(progress) says; blocks are told where the size of the file
 * is known. The caller ends it with fp_line_blocks_close, which takes NULL too. */
fp_status fp_line_blocks_open(const char *path, const fp_arena *like, size_t most, bool sha256,
                              const fp_progress *progress, fp_line_blocks **blocks, fp_error *error);
void fp_line_blocks_close(fp_line_blocks *blocks);
/* `most` bounds what is held of one line, and the file may be as long as it likes: a line that a block has no room for
 * is FP_ERROR_RANGE, with its number, where it is longer. With `skip` it is handed out without its text, and reading
 * goes on behind its line end; a record of several lines loses the first of them. Before the first block. */
void fp_line_blocks_bound_lines(fp_line_blocks *blocks, bool skip);
/* What is to be said of such a line: FP_ERROR_RANGE. */
fp_status fp_line_too_long(const fp_line_blocks *blocks, const fp_line *line, fp_error *error);

/* The file is of records, not of lines; `cut` stays where it is. Before the first block. */
void fp_line_blocks_cut(fp_line_blocks *blocks, const fp_record_cut *cut);

/* The file is in `encoding`, which is not copied, as fp_decoder_open takes it: its lines are UTF-8, and their bytes and
 * sums those of UTF-8. Before the first block. */
void fp_line_blocks_decode(fp_line_blocks *blocks, const char *encoding);
/* What it is read as, once a block was read; NULL: nothing was asked. *converted: its bytes are others than the file's.
 */
const char *fp_line_blocks_encoding(const fp_line_blocks *blocks, bool *converted);

/* Whether the file can be read again; and from its begin on once more. */
bool fp_line_blocks_can_rewind(const fp_line_blocks *blocks);
fp_status fp_line_blocks_rewind(fp_line_blocks *blocks, fp_error *error);

/* The lines of the next block that are not empty; *count is 0 at the end of the file alone. They stay until the next
 * call. What comes before a failure has been handed out. */
fp_status fp_line_blocks_next(fp_line_blocks *blocks, const fp_line **lines, size_t *count, fp_error *error);
/* Runs `work` for 0 … count − 1 (fp_batch_run) while the next block is read. Once between two calls of
 * fp_line_blocks_next; what `work` has kept goes with the lines. */
fp_status fp_line_blocks_work(fp_line_blocks *blocks, size_t count, fp_batch_work work, void *context, size_t *done,
                              fp_error *error);

/* At the end: of the whole file. */
fp_file_sum fp_line_blocks_sum(const fp_line_blocks *blocks);
void fp_line_blocks_sha256(fp_line_blocks *blocks, char hex[65]);

#endif
