/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus check: what a corpus holds, before an experiment relies on it. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "cli/cli.h"

/* ---- Facts ---- */

static void add_fact(fp_table *table, const char *name, const char *value) {
    fp_table_text(table, name);
    fp_table_text(table, value);
}

static void add_count(fp_table *table, const char *name, size_t count) {
    fp_table_text(table, name);
    fp_table_count(table, count);
}

/* Shortest, median and longest text in characters; also how many are empty. */
static void add_lengths(fp_table *table, const fp_corpus *corpus, fp_arena *arena) {
    size_t count = corpus->document_count, empty = 0;
    size_t *length = fp_arena_raw(arena, count, sizeof *length);
    if (!length) {
        add_fact(table, "characters", NULL);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        length[i] = corpus->documents[i].characters;
        empty += length[i] == 0;
    }
    qsort(length, count, sizeof *length, fp_ascending_size);
    add_fact(table, "characters",
             fp_format(arena, "%zu to %zu, median %zu", length[0], length[count - 1], length[count / 2]));
    if (empty) add_count(table, "empty texts", empty);
}

typedef struct kind_count {
    fp_string kind;
    size_t pairs;
    uint8_t label;
} kind_count;

/* Pairs by label and kind, in order of first appearance. */
static void add_kinds(fp_table *table, const fp_corpus *corpus, fp_arena *arena) {
    enum { MOST = 100 };
    kind_count seen[MOST];
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        size_t k = 0;
        while (k < count &&
               (seen[k].label != corpus->pairs[i].label || !fp_string_equal(seen[k].kind, corpus->kinds[i])))
            k++;
        if (k == MOST) continue;
        if (k == count) seen[count++] = (kind_count){corpus->kinds[i], 0, corpus->pairs[i].label};
        seen[k].pairs++;
    }
    for (size_t k = 0; k < count; k++)
        add_count(table,
                  fp_format(arena, "  %s %.*s", seen[k].label ? "positive" : "negative", (int)seen[k].kind.length,
                            seen[k].kind.data),
                  seen[k].pairs);
}

static void add_truth(fp_table *table, const fp_corpus *corpus, fp_arena *arena) {
    static const char *const TRUTHS[] = {"none: unlabelled", "labelled pairs", "groups: all pairs"};
    size_t positives = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) positives += corpus->pairs[i].label;
    add_fact(table, "truth", TRUTHS[corpus->truth]);
    if (corpus->group_count) add_count(table, "groups", corpus->group_count);
    if (!corpus->pair_count) return;
    add_count(table, "labelled pairs", corpus->pair_count);
    add_fact(table, "positive",
             fp_format(arena, "%zu (%.1f%%)", positives, 100 * (double)positives / (double)corpus->pair_count));
    add_kinds(table, corpus, arena);
}

static void add_manifest(fp_table *table, const fp_manifest_check *manifest, fp_arena *arena) {
    if (!manifest->present) {
        add_fact(table, "manifest", "none");
        return;
    }
    add_fact(table, "language", fp_string_copy(arena, manifest->language));
    add_fact(table, "licence", fp_string_copy(arena, manifest->licence));
    add_fact(table, "source", fp_string_copy(arena, manifest->source));
    add_fact(table, "manifest", manifest->problem_count ? "does not fit the files" : "fits the files");
}

/* ---- All ---- */

typedef struct options {
    const char *format;
    bool skip_bad;
} options;

static int check(const fp_command *command, const options *chosen, const char *const *rest, fp_arena *arena) {
    const char *path = rest[0];
    fp_table_format format;
    if (!path || rest[1]) return fp_cli_usage(command, "corpus check takes one directory");
    if (!fp_cli_format(command, chosen->format, FP_FORMAT_TABLE, &format)) return FP_EXIT_USAGE;
    fp_corpus corpus;
    fp_manifest_check manifest;
    fp_error error = {0};
    int status = fp_cli_corpus(path, chosen->skip_bad, arena, &corpus);
    if (status >= 0) return status;
    if (fp_manifest_compare(&corpus, arena, &manifest, &error) != FP_OK) return fp_cli_fail(&error);
    fp_table *table = fp_table_new("fact|value", arena);
    if (table) {
        add_fact(table, "corpus", corpus.name);
        add_count(table, "documents", corpus.document_count);
        add_lengths(table, &corpus, arena);
        add_truth(table, &corpus, arena);
        add_manifest(table, &manifest, arena);
        add_fact(table, "sha256 docs.jsonl", corpus.documents_sha256);
        if (corpus.pairs_sha256[0]) add_fact(table, "sha256 pairs.tsv", corpus.pairs_sha256);
    }
    status = fp_cli_write(table, format);
    for (size_t i = 0; i < manifest.problem_count; i++)
        fprintf(stderr, "fplab: %s/MANIFEST.json: %s\n", path, manifest.problems[i]);
    return manifest.problem_count || corpus.skipped ? FP_EXIT_FAILURE : status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {0};
    fp_option rows[] = {
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "go on after a bad row, and tell them all", NULL},
        FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
        {0}};
    const char **arguments;
    fp_arena *arena;
    int status = fp_cli_begin(command, argc, argv, rows, &arguments, &arena);
    if (status >= 0) return status;
    status = check(command, &chosen, arguments, arena);
    fp_cli_end(rows, arena);
    return status;
}

const fp_command fp_command_corpus_check = {
    .name = "corpus check",
    .arguments = "DIR [OPTION…]",
    .summary = "read all of a corpus, and tell what is wrong with it",
    .details = "Reads all of it, tells what is there, and compares counts and checksums with the manifest. The\n"
               "first bad row ends it with file, line, byte and reason; --skip-bad tells them all. Exit status 1\n"
               "when anything is wrong.",
    .examples = "  fplab corpus check corpora/data/newswire-zh\n"
                "  fplab corpus check --skip-bad my-texts",
    .run = run,
};
