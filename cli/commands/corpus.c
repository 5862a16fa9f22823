/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab corpus: check a corpus before an experiment relies on it. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "cli/cli.h"
#include "eval/experiment/frequencies.h"

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

/* ---- Check ---- */

static int check(const char *path, bool skip_bad, fp_table_format format, fp_arena *arena) {
    fp_corpus corpus;
    fp_manifest_check manifest;
    fp_error error = {0};
    int status = fp_cli_corpus(path, skip_bad, arena, &corpus);
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

/* ---- IDF ---- */

static fp_status write_frequencies(const fp_term_frequency *terms, size_t count, size_t documents, const char *path,
                                   fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fprintf(output.stream, "documents\t%zu\n", documents);
    for (size_t i = 0; i < count; i++)
        fprintf(output.stream, "%.*s\t%zu\n", (int)terms[i].term.length, terms[i].term.data, terms[i].documents);
    return fp_output_close(&output, error);
}

static int idf(const char *path, const char *spec, const char *out, bool skip_bad, fp_arena *arena) {
    fp_corpus corpus;
    fp_arm **arms;
    size_t arm_count, count;
    fp_term_frequency *terms;
    fp_error error = {0};
    const char *whole = fp_format(arena, "cosine:%s", spec);
    if (!whole) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = fp_cli_arms((const char *const[]){whole, NULL}, arena, &arms, &arm_count);
    if (status < 0) status = fp_cli_corpus(path, skip_bad, arena, &corpus);
    if (status >= 0) return status;
    if (fp_corpus_frequencies(&corpus, arms[0], arena, &terms, &count, &error) != FP_OK ||
        write_frequencies(terms, count, corpus.document_count, out, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (corpus.document_count < FP_LEAST_FOR_IDF)
        fprintf(
            stderr,
            "fplab: %s: document frequencies of %zu document%s; fewer than %d tell what these texts share, not what "
            "is common\n",
            corpus.name, corpus.document_count, corpus.document_count == 1 ? "" : "s", FP_LEAST_FOR_IDF);
    return FP_EXIT_SUCCESS;
}

/* ---- Command ---- */

typedef struct corpus_options {
    const char *format, *spec, *out;
    bool skip_bad;
} corpus_options;

static int dispatch(const fp_command *command, const corpus_options *chosen, const char **arguments, fp_arena *arena) {
    fp_table_format format;
    if (!fp_cli_format(command, chosen->format, FP_FORMAT_TABLE, &format)) return FP_EXIT_USAGE;
    const char *action = arguments[0] ? arguments[0] : "";
    bool one = arguments[0] && arguments[1] && !arguments[2];
    if (strcmp(action, "check") == 0)
        return one ? check(arguments[1], chosen->skip_bad, format, arena)
                   : fp_cli_usage(command, "corpus check takes one directory");
    if (strcmp(action, "idf") == 0 && one)
        return idf(arguments[1], chosen->spec ? chosen->spec : "features=words", chosen->out, chosen->skip_bad, arena);
    return fp_cli_usage(command, "corpus takes: check DIR, or idf DIR");
}

static int run(const fp_command *command, int argc, const char **argv) {
    corpus_options chosen = {0};
    fp_option options[] = {
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "go on after a bad row, and tell them all", NULL},
        FP_CLI_FORMAT_OPTION(chosen.format, "check", "table"),
        {"spec", 's', FP_TAKES_TEXT(&chosen.spec), "idf: text and feature parameters (default: features=words)",
         "KEY=VALUE,…"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "idf: write here (default: standard output)", "FILE"},
        {0}};
    const char **arguments;
    fp_arena *arena;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &arena);
    if (status >= 0) return status;
    status = dispatch(command, &chosen, arguments, arena);
    fp_cli_end(options, arena);
    return status;
}

const fp_command fp_command_corpus = {
    .name = "corpus",
    .arguments = "check DIR | idf DIR [OPTION…]",
    .summary = "check a corpus, or count its terms for an IDF file",
    .details = "A corpus is a directory with docs.jsonl (one {\"id\",\"text\",…} a line; also .gz and .zst),\n"
               "pairs.tsv (id_a, id_b, label 0 or 1, optional kind; tab-separated, no header) and/or a \"group\"\n"
               "in each document, and MANIFEST.json.\n"
               "\n"
               "check reads all of it, tells what is there, and compares counts and checksums with the manifest.\n"
               "The first bad row ends it with file, line, byte and reason; --skip-bad tells them all. Exit\n"
               "status 1 when anything is wrong.\n"
               "\n"
               "idf counts in how many documents each term stands and writes a line \"documents TAB N\", then\n"
               "\"term TAB df\", the most frequent first. An arm reads it as idf=FILE: idf(t) = ln((N + 1)/(df +\n"
               "0.5)), and a term that the file does not know gets the mean.",
    .examples = "  fplab corpus check corpora/data/newswire-zh\n"
                "  fplab corpus check --skip-bad my-texts\n"
                "  fplab corpus idf corpora/data/newswire-zh --spec features=words --out words.idf\n"
                "  fplab eval --corpus my-texts --arm cosine:weight=tfidf,idf=words.idf",
    .run = run,
};
