/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * query_answers.h - answers of `fplab query`: texts and fingerprints, in batches of some hundred, each with a row for
 * every near text of the collection.
 */
#ifndef FP_CLI_QUERY_ANSWERS_H
#define FP_CLI_QUERY_ANSWERS_H

#include "cli/audit.h"
#include "index/collection/containment.h"

typedef struct fp_cli_question {
    fp_entry entry; /* its id; its time and its text, where there is a window or a second round */
    fp_sketch sketch;
} fp_cli_question;

typedef struct fp_cli_answers {
    fp_collection *collection;
    const fp_arm *arm;
    bool real; /* the sketches have two sides: the second ranks the matches */
    double within;
    size_t top;          /* 0: all */
    int64_t window;      /* 0: no window */
    double verified;     /* smallest share of the text in common passages; 0: not requested */
    fp_table *table;     /* streamed to standard output */
    fp_cli_audit *audit; /* NULL: none */
    fp_arena *scratch, *each;
    size_t texts, answered, found, empty, skipped;
    bool full; /* standard output is closed or full, which was reported */
} fp_cli_answers;

/* The `top` nearest by the second side are selected from this many by fingerprint. */
#define FP_CLI_REAL_MOST(top) ((top) < 10 ? 100 : 10 * (top))

/* Writes the rows of all queries, in their order; flushes before it returns if someone waits for an answer. */
fp_status fp_cli_answer(fp_cli_answers *to, const fp_cli_question *questions, size_t count, fp_error *error);

/* Queries are the fingerprints in the inputs (index/fingerprint_lines.h), or in standard input without inputs. */
fp_status fp_cli_answer_fingerprints(fp_cli_answers *to, const fp_entries_options *options, const char *const *inputs,
                                     fp_arena *arena, fp_error *error);

/* The texts to query, and how to report the texts that they were copied from, or that contain them. */
typedef struct fp_cli_asking {
    fp_collection *collection;
    fp_entries *entries; /* NULL: `text` */
    fp_string text;
    size_t top;                           /* of each text; 0: one source, all that contain it */
    double least;                         /* share of the text that a source has */
    const fp_containment_spec *contained; /* NULL: sources are searched */
    fp_table_format as;
    fp_arena *arena;
} fp_cli_asking;
/* Returns the exit status. */
int fp_cli_ask(const fp_cli_asking *asking);

#endif
