/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shared by `fplab index`, query, track and cluster: opens a collection, takes its arm and threshold, and reports
 * its content and the expected recall. */

#include "cli/commands/index/index.h"

int fp_cli_collection(const char *address, bool writes, fp_arena *arena, fp_collection **collection) {
    const fp_algorithm *const *plugins;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    const fp_extensions extensions = {.size = sizeof extensions, .algorithms = plugins};
    if (fp_collection_open(address, writes, &extensions, arena, collection, &error) != FP_OK)
        return fp_cli_fail(&error);
    const char *caution = fp_records_caution(fp_collection_records(*collection));
    if (caution) fprintf(stderr, "fplab: %s\n", caution);
    return FP_EXIT_SUCCESS;
}

int fp_cli_collection_near(fp_collection *collection, fp_arena *arena, fp_cli_near *near) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_string choice = fp_collection_choice(collection);
    near->made = fp_collection_arm(collection);
    near->within = fp_collection_threshold(collection);
    near->learned = true;
    if (choice.length == 0) return FP_EXIT_SUCCESS;
    near->chosen = true;
    return fp_choice_parse(choice, "the choice of the collection", arena, &near->saved, &error) == FP_OK
               ? FP_EXIT_SUCCESS
               : fp_cli_fail(&error);
}

int fp_cli_need_texts(const fp_command *command, const char *verify, const fp_cli_audit_options *audited,
                      const fp_collection *collection) {
    const char *option = verify ? "verify" : audited->pairs ? "audit" : NULL;
    if (!option || fp_collection_keeps_texts(collection)) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--%s needs the texts: build the collection with --keep-texts", option);
}

int fp_cli_collection_expect(fp_collection *collection, const fp_cli_near *near, double within, fp_arena *arena) {
    fp_cli_near at = *near;
    fp_records_count counted;
    fp_error none;
    at.within = within;
    if (fp_records_counted(fp_collection_records(collection), &counted, &none) == FP_OK && counted.cut) {
        fprintf(stderr, "Found by key lists; full lists have lost %llu entries, which are missed.\n",
                (unsigned long long)counted.cut);
        return FP_EXIT_SUCCESS;
    }
    return fp_cli_near_expect(&at, "the index", fp_collection_recall(collection, within), arena);
}

/* ---- What is in it ---- */

static void add_count(fp_table *table, const char *name, uint64_t count, const char *meaning) {
    fp_table_text(table, name);
    fp_table_count(table, count);
    fp_table_text(table, meaning);
}

static void add_real(fp_table *table, const char *name, double value, const char *meaning) {
    fp_table_text(table, name);
    fp_table_real(table, value, 4);
    fp_table_text(table, meaning);
}

static void add_text(fp_table *table, const char *name, const char *text, const char *meaning) {
    FP_TABLE_TEXTS(table, name, text, meaning);
}

int fp_cli_collection_stats(fp_collection *collection, fp_table_format format, fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_collection_state state;
    if (fp_collection_state_of(collection, &state, &error) != FP_OK) return fp_cli_fail(&error);
    fp_arm *arm = fp_collection_arm(collection);
    const char *within = fp_cli_near_text(arm, fp_collection_threshold(collection), arena);
    fp_table *table = fp_table_new("fact|>value|meaning", arena);
    add_text(table, "arm", fp_arm_name(arm), "what makes the fingerprints");
    add_text(table, "threshold", within, "near-duplicates are at most so far from each other");
    add_count(table, "records", state.records.records, "texts that are there");
    add_count(table, "deleted", state.records.deleted, "texts that were there");
    add_count(table, "matches", state.records.matches, "near-duplicates that `fplab track` has noted");
    add_text(table, "texts", fp_collection_keeps_texts(collection) ? "kept" : "not kept",
             "whether texts are kept, for common passages");
    add_text(table, "tables", *state.design ? state.design : "none", "how look-ups find fingerprints");
    add_real(table, "recall", state.recall, "probability that a text at exactly the threshold is found");
    add_count(table, "in_tables", state.in_tables, "fingerprints in the tables");
    add_count(table, "table_bytes", state.table_bytes, "bytes of all tables");
    add_count(table, "recent", state.recent, "fingerprints that are scanned linearly");
    if (state.records.cut)
        add_count(table, "cut", state.records.cut, "entries that full lists have lost: look-ups miss them");
    return fp_cli_write(table, format);
}
