/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where there are no files: whatever would be read of one says so. In the place of base/reader.c. */
#include "base/reader.h"

fp_status fp_reader_open(const char *path, const fp_arena *like, fp_reader **reader, fp_error *error) {
    (void)like;
    *reader = NULL;
    return fp_at(error, fp_fail(error, FP_ERROR_IO, "there are no files in the page"), path, SIZE_MAX, SIZE_MAX);
}

void fp_reader_close(fp_reader *reader) { (void)reader; }

/* Of no reader, since none was ever opened. */
static fp_status none(fp_error *error) { return fp_fail(error, FP_ERROR_IO, "there are no files in the page"); }

fp_status fp_reader_read(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error) {
    (void)reader, (void)to, (void)room;
    *got = 0;
    return none(error);
}
const char *fp_reader_name(const fp_reader *reader) { return (void)reader, ""; }
bool fp_reader_unpacks(const fp_reader *reader) { return (void)reader, false; }
size_t fp_reader_expected(const fp_reader *reader) { return (void)reader, SIZE_MAX; }
bool fp_reader_can_rewind(const fp_reader *reader) { return (void)reader, false; }
fp_status fp_reader_rewind(fp_reader *reader, fp_error *error) { return (void)reader, none(error); }
