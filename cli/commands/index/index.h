/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index.h - the parts of `fplab index`, and functions shared with query, track and cluster.
 */
#ifndef FP_CLI_INDEX_H
#define FP_CLI_INDEX_H

#include "cli/audit.h"
#include "index/collection/collection.h"

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
#define FP_CLI_EXISTING_OPTION(existing)                                                                                             \
    {                                                                                                                                \
        "on-existing", 0, FP_TAKES_TEXT(&(existing).word),                                                                           \
            "for an id already in the collection: skip, replace or fail (default: skip where the text is the same, fail where not)", \
            "WHAT"                                                                                                                   \
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

/* An entry as a record; its text is kept where the collection keeps texts. */
fp_record fp_cli_record(const fp_entry *entry, bool empty);

#endif
