/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation.h - the internals of an explanation, which algorithms write through fp_explain_* and renderers read.
 */
#ifndef FP_EXPLANATION_H
#define FP_EXPLANATION_H

#include "base/base.h"

typedef struct fp_explain_text {
    const char *text;
    bool number; /* for a column: its cells are numbers */
} fp_explain_text;

/* A list that grows in the arena of the explanation. */
typedef struct fp_explain_list {
    fp_explain_text *at; /* [count] */
    size_t count, room;
} fp_explain_list;

typedef struct fp_explain_step_data {
    const char *title;
    fp_explain_list lines;
    fp_explain_list columns; /* empty: no table */
    fp_explain_list cells;   /* row by row */
    struct fp_explain_step_data *next;
} fp_explain_step_data;

struct fp_explanation {
    fp_arena *arena;
    fp_explain_step_data *first, *last;
    size_t count; /* of steps */
    bool failed;  /* an allocation failed */
};

/* The cell in that row and column of a step's table, or NULL. */
const char *fp_explain_at(const fp_explain_step_data *step, size_t row, size_t column);

#endif
