/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reader.h - sequential reading of a file, which is unpacked if it is gzip or Zstandard.
 */
#ifndef FP_READER_H
#define FP_READER_H

#include "base/base.h"

typedef struct fp_reader fp_reader;

/* A path for messages: "standard input" for "-". */
const char *fp_path_shown(const char *path);
/* The first of PATH, PATH.gz and PATH.zst that exists, else PATH; NULL when out of memory. */
const char *fp_packed_path(const char *path, fp_arena *arena);

/* Opens `path` ("-": standard input), which is not copied. A file is unpacked if it begins with the magic number of
 * gzip (RFC 1952) or Zstandard (RFC 8878), or its name ends in .gz or .zst. The caller closes it with fp_reader_close,
 * which accepts NULL. FP_ERROR_IO for a file that cannot be opened or read, a directory, a .gz that is not gzip. */
fp_status fp_reader_open(const char *path, const fp_arena *like, fp_reader **reader, fp_error *error);
void fp_reader_close(fp_reader *reader);

/* Reads up to `room` > 0 bytes to `to`, as many as are available without waiting for more; *got is 0 only at the end.
 * FP_ERROR_IO, with the name of the file: reading failed, or packed data is damaged, truncated, or followed by other
 * bytes; everything before the fault has been returned. */
fp_status fp_reader_read(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error);

/* Reads the rest, like fp_read_file_within. */
fp_status fp_read_all(fp_reader *reader, size_t most, fp_arena *arena, fp_string *content, fp_error *error);

/* FP_ERROR_RANGE: the file holds more than `most` bytes, unpacked. */
fp_status fp_reader_too_large(const fp_reader *reader, size_t most, fp_error *error);

/* The name of the file in messages. */
const char *fp_reader_name(const fp_reader *reader);

/* Whether the file is unpacked. */
bool fp_reader_unpacks(const fp_reader *reader);

/* The expected number of bytes: the size of a regular file, or that stated in a Zstandard file; SIZE_MAX if unknown. */
size_t fp_reader_expected(const fp_reader *reader);

/* Whether the file can be read again; and going back to its start. */
bool fp_reader_can_rewind(const fp_reader *reader);
fp_status fp_reader_rewind(fp_reader *reader, fp_error *error);

#endif
