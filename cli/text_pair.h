/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_pair.h - two texts, one below the other, with their differences marked.
 */
#ifndef FP_CLI_TEXT_PAIR_H
#define FP_CLI_TEXT_PAIR_H

#include "eval/judging/text_diff.h"

typedef struct fp_cli_pair_view {
    bool colours;     /* else [-what only A has-] and {+what only B has+} */
    bool close;       /* names beside their texts, no empty lines, no line wider than the terminal */
    size_t whole;     /* texts of at most so many characters are shown whole */
    size_t context;   /* of longer ones, so many characters around each difference */
    size_t columns;   /* of the terminal */
    size_t rows;      /* that each text may take; SIZE_MAX: any number */
    const char *more; /* what shows the whole texts: "w shows the whole texts" */
} fp_cli_pair_view;

/* Writes both texts with their differences marked. Control characters are shown as a middle dot, so that no text can
 * command the terminal. */
fp_status fp_cli_pair_write(FILE *stream, const fp_cli_pair_view *view, fp_string a, fp_string b, fp_arena *scratch,
                            fp_error *error);

#endif
