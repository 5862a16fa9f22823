/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * han_fold: Han folding as a filter, for comparisons with other programs. No line is left alone for its script. */
#include <stdio.h>

#include "base/reader.h"
#include "text/unicode/han.h"

int main(void) {
    fp_arena *arena = fp_arena_new();
    fp_reader *reader = NULL;
    fp_string text, folded;
    fp_error error = {0};
    fp_status status = fp_reader_open("-", arena, &reader, &error);
    if (status == FP_OK) status = fp_read_all(reader, SIZE_MAX, arena, &text, &error);
    if (status == FP_OK) status = fp_han_fold(text, false, arena, &folded, &error);
    if (status == FP_OK) fwrite(folded.data, 1, folded.length, stdout);
    else fprintf(stderr, "han_fold: %s\n", error.message);
    fp_reader_close(reader);
    fp_arena_free(arena);
    return status == FP_OK && fflush(stdout) == 0 ? 0 : 1;
}
