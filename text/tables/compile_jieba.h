/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_jieba.h - the parts of the program that compiles jieba's data.
 */
#ifndef FP_COMPILE_JIEBA_H
#define FP_COMPILE_JIEBA_H

#include "text/segmentation/jieba_table.h"

/* A numbering of characters (text/segmentation/jieba_table.h). */
typedef struct numbering {
    uint16_t number[FP_JIEBA_CODES];
    uint32_t class_count;
    uint32_t count; /* one more than the largest number */
} numbering;

/* A whole file and where in it we are, for errors. */
typedef struct source {
    const char *path;
    fp_string text;
} source;

/* Reads DIRECTORY/NAME; the error for a file that is not there names the Debian package. */
fp_status source_open(const char *directory, const char *name, fp_arena *arena, source *made, fp_error *error);
/* An error at a line of the source. */
fp_status source_fail(const source *where, size_t line, fp_error *error, const char *reason);

/* Reads finalseg/prob_start.py, prob_trans.py and prob_emit.py: Python literals of nested dictionaries of numbers.
 * Fills table->start and table->transition, and the emission rows that the caller has allocated, FP_JIEBA_STATES for
 * each of class_count + 1 characters. */
fp_status model_read(const char *directory, const numbering *numbers, fp_arena *arena, fp_jieba_table *table,
                     double *emissions, fp_error *error);

#endif
