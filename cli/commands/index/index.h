/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index.h - the parts of `fplab index`, and what query, track and cluster share with it.
 */
#ifndef FP_CLI_INDEX_H
#define FP_CLI_INDEX_H

#include "cli/audit.h"
#include "index/collection/collection.h"

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

/* Which texts are asked for, and how sources are told (query_answers.c). */
typedef struct fp_cli_asking {
    fp_collection *collection;
    fp_entries *entries; /* NULL: `text` */
    fp_string text;
    size_t top;   /* sources of each text; 0: one */
    double least; /* share of the text that a source has */
    fp_table_format as;
    fp_arena *arena;
} fp_cli_asking;
/* Returns the exit status. */
int fp_cli_ask_sources(const fp_cli_asking *asking);

/* An entry as a record; its text is kept where the collection keeps texts. */
fp_record fp_cli_record(const fp_entry *entry, bool says);

#endif
