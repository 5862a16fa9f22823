/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index.h - the parts of `fplab index`, and what query, track and cluster share with it.
 */
#ifndef FP_CLI_INDEX_H
#define FP_CLI_INDEX_H

#include "cli/audit.h"
#include "index/collection/containment.h"

/* Opens the collection, and says what the user must know of it. Returns −1, or the exit status. */
int fp_cli_collection(const char *address, bool writes, fp_arena *arena, fp_collection **collection);
/* What a collection says of itself as the options of a command would: its arm, its threshold, its choice. Returns −1,
 * or the exit status. */
int fp_cli_collection_near(fp_collection *collection, fp_arena *arena, fp_cli_near *near);

/* Whether the collection keeps its texts, where --verify or --audit asks for them. Returns −1, or the exit status. */
int fp_cli_need_texts(const fp_command *command, const char *verify, const fp_cli_audit_options *audited,
                      const fp_collection *collection);
/* Says what to expect of look-ups within a distance (fp_cli_near_expect). Returns the exit status. */
int fp_cli_collection_expect(fp_collection *collection, const fp_cli_near *near, double within, fp_arena *arena);

/* Prints what is in it, as a table. Returns the exit status. */
int fp_cli_collection_stats(fp_collection *collection, fp_table_format format, fp_arena *arena);

/* --on-existing, of texts whose id is there already. */
#define FP_CLI_EXISTING_OPTION(existing)                                                                                \
    {                                                                                                                   \
        "on-existing", 0, FP_TAKES_TEXT(&(existing).word),                                                              \
            "of an id that is there: skip, replace or fail (default: skip where the text is the same, fail where not)", \
            "WHAT"                                                                                                      \
    }
typedef struct fp_cli_existing {
    const char *word;
    size_t skipped, replaced, left_out;
} fp_cli_existing;
/* Returns −1, or the exit status. */
int fp_cli_existing_check(const fp_command *command, const fp_cli_existing *existing);
/* Inside of a transaction: whether the record is to be added; one that it replaces is deleted. FP_ERROR_DUPLICATE: it
 * fails; with `skip_bad` it is reported and left out instead. */
fp_status fp_cli_existing_meet(fp_cli_existing *existing, fp_collection *collection, const fp_record *record,
                               fp_sketch sketch, bool skip_bad, bool *adds, fp_error *error);
void fp_cli_existing_note(const fp_cli_existing *existing, const char *address);

/* What `index build` and `index add` do with the texts. */
typedef struct fp_cli_adding {
    const fp_command *command;
    const char *address;
    fp_cli_near near;
    const char *shard; /* "2/8", or NULL */
    fp_cli_existing existing;
    const char *recall; /* build: of tables that may miss some; NULL: the default */
    /* What they come to: */
    uint64_t part, parts; /* of 1 … parts; 0: all texts are taken */
    double sure;
    bool keeps_texts, acknowledges;
    fp_arena *arena;
    fp_collection *collection; /* NULL: made when the arm has learned */
} fp_cli_adding;

/* Takes what the options say, before anything is opened. Returns −1, or the exit status. */
int fp_cli_adding_check(fp_cli_adding *with);
/* Adds the texts of the inputs, as options say that were checked. Returns the exit status. */
int fp_cli_add(fp_cli_adding *adding, const char *const *inputs);

/* ---- How `fplab query` answers (query_answers.c): texts and fingerprints, some hundred at once, each with a row for
 * every text of the collection that is near it ---- */

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

/* Which texts are asked for, and how the texts that they were copied from, or that contain them, are told. */
typedef struct fp_cli_asking {
    fp_collection *collection;
    fp_entries *entries; /* NULL: `text` */
    fp_string text;
    size_t top;                           /* of each text; 0: one source, all that contain it */
    double least;                         /* share of the text that a source has */
    const fp_containment_spec *contained; /* NULL: sources are asked for */
    fp_table_format as;
    fp_arena *arena;
} fp_cli_asking;
/* Returns the exit status. */
int fp_cli_ask(const fp_cli_asking *asking);

/* An entry as a record; its text is kept where the collection keeps texts. */
fp_record fp_cli_record(const fp_entry *entry, bool says);

#endif
