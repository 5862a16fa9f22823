/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index.h - the parts of `fplab index`, and functions shared with query, track and cluster.
 */
#ifndef FP_CLI_INDEX_H
#define FP_CLI_INDEX_H

#include "cli/audit.h"
#include "index/collection/containment.h"

/* Opens the collection, and reports what the user must know about it. Returns the exit status. */
int fp_cli_collection(const char *address, bool writes, fp_arena *arena, fp_collection **collection);
/* The collection's arm, threshold and choice, as the options of a command would give them. Returns the exit
 * status. */
int fp_cli_collection_near(fp_collection *collection, fp_arena *arena, fp_cli_near *near);

/* Checks that the collection keeps its texts, if --verify or --audit requires them. Returns the exit status. */
int fp_cli_need_texts(const fp_command *command, const char *verify, const fp_cli_audit_options *audited,
                      const fp_collection *collection);
/* Reports the method and recall of look-ups within a distance (fp_cli_near_expect). Returns the exit status. */
int fp_cli_collection_expect(fp_collection *collection, const fp_cli_near *near, double within, fp_arena *arena);

/* Prints a summary of the collection as a table. Returns the exit status. */
int fp_cli_collection_stats(fp_collection *collection, fp_table_format format, fp_arena *arena);

/* --on-existing, for texts whose id already exists. */
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
/* Returns the exit status. */
int fp_cli_existing_check(const fp_command *command, const fp_cli_existing *existing);
/* Inside a transaction: whether to add the record; deletes the one that it replaces. FP_ERROR_DUPLICATE: when the id
 * exists and must not; with `skip_bad` this is reported and the record skipped. */
fp_status fp_cli_existing_meet(fp_cli_existing *existing, fp_collection *collection, const fp_record *record,
                               fp_sketch sketch, bool skip_bad, bool *adds, fp_error *error);
void fp_cli_existing_note(const fp_cli_existing *existing, const char *address);

/* Options of `index build` and `index add`. */
typedef struct fp_cli_adding {
    const fp_command *command;
    const char *address;
    fp_cli_near near;
    const char *shard; /* "2/8", or NULL */
    fp_cli_existing existing;
    const char *recall; /* build: of tables that may miss some; NULL: the default */
    /* The resolved values: */
    uint64_t part, parts; /* of 1 … parts; 0: all texts are taken */
    double sure;
    bool keeps_texts, acknowledges;
    fp_arena *arena;
    fp_collection *collection; /* NULL: made when the arm has learned */
} fp_cli_adding;

/* Resolves the options, before anything is opened. Returns the exit status. */
int fp_cli_adding_check(fp_cli_adding *with);
/* Adds the texts of the inputs; the options must have been checked. Returns the exit status. */
int fp_cli_add(fp_cli_adding *adding, const char *const *inputs);

/* ---- Answers of `fplab query` (query_answers.c): texts and fingerprints, in batches of some hundred, each with a
 * row for every near text of the collection ---- */

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

/* An entry as a record; its text is kept where the collection keeps texts. */
fp_record fp_cli_record(const fp_entry *entry, bool empty);

#endif
