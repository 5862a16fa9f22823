/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reader.h - the bytes of a file from the first to the last, unpacked on the way where it is a gzip or Zstandard file.
 */
#ifndef FP_READER_H
#define FP_READER_H

#include "base/base.h"

typedef struct fp_reader fp_reader;

/* A path as a person knows it: "standard input" for "-". */
const char *fp_path_shown(const char *path);

/* Opens `path` ("-": standard input), which is not copied. What begins with the magic number of gzip (RFC 1952) or
 * Zstandard (RFC 8878), or ends in .gz or .zst, is unpacked. The caller ends it with fp_reader_close, which takes NULL
 * too. FP_ERROR_IO for a file that cannot be opened or read, a directory, a .gz that is none. */
fp_status fp_reader_open(const char *path, const fp_arena *like, fp_reader **reader, fp_error *error);
void fp_reader_close(fp_reader *reader);

/* Up to `room` > 0 bytes to `to`, as many as can be had without waiting for more; *got is 0 at the end alone.
 * FP_ERROR_IO, with the name of the file: reading failed, or what is packed is damaged, cut short, or has bytes behind
 * its end; what was read before that has been handed out. */
fp_status fp_reader_read(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error);

/* All that is left, as fp_read_file_within. */
fp_status fp_read_all(fp_reader *reader, size_t most, fp_arena *arena, fp_string *content, fp_error *error);

/* FP_ERROR_RANGE: the file holds more than `most` bytes, unpacked. */
fp_status fp_reader_too_large(const fp_reader *reader, size_t most, fp_error *error);

/* The name of the file in messages. */
const char *fp_reader_name(const fp_reader *reader);

/* Whether the bytes are unpacked on the way. */
bool fp_reader_unpacks(const fp_reader *reader);

/* The bytes that are to be expected: the size of a regular file, or what a Zstandard file says of itself; SIZE_MAX
 * where nothing is known. */
size_t fp_reader_expected(const fp_reader *reader);

/* Whether the file can be read again, and from its begin on once more. */
bool fp_reader_can_rewind(const fp_reader *reader);
fp_status fp_reader_rewind(fp_reader *reader, fp_error *error);

#endif
