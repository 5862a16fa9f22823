/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * query_answers.h - how `fplab query` answers: texts and fingerprints, some hundred at once, each with a row for every
 * text of the collection that is near it.
 */
#ifndef FP_QUERY_ANSWERS_H
#define FP_QUERY_ANSWERS_H

#include "cli/commands/index/index.h"
#include "cli/audit.h"

typedef struct fp_cli_question {
    fp_entry entry; /* its id; its time and its text, where there is a window or a second round */
    fp_sketch sketch;
} fp_cli_question;

typedef struct fp_cli_answers {
    fp_collection *collection;
    const fp_arm *arm;
    bool real; /* the sketches have two sides: the second puts what is found in order */
    double within;
    size_t top;          /* 0: all */
    int64_t window;      /* 0: none */
    double verified;     /* least share of the text in common passages; 0: not asked for */
    fp_table *table;     /* streamed to standard output */
    fp_cli_audit *audit; /* NULL: none */
    fp_arena *scratch, *each;
    size_t texts, answered, found, silent, skipped;
    bool full; /* standard output is closed or full, which is told */
} fp_cli_answers;

/* Of how many by fingerprint the nearest `top` by the second side are taken. */
#define FP_CLI_REAL_MOST(top) ((top) < 10 ? 100 : 10 * (top))

/* Rows for all of them, in their order; who waits for an answer gets it before this returns. */
fp_status fp_cli_answer(fp_cli_answers *to, const fp_cli_question *questions, size_t count, fp_error *error);

/* The questions are the fingerprints that the inputs hold (index/fingerprint_lines.h), or standard input where there
 * are none. */
fp_status fp_cli_answer_fingerprints(fp_cli_answers *to, const fp_entries_options *options, const char *const *inputs,
                                     fp_arena *arena, fp_error *error);

#endif
