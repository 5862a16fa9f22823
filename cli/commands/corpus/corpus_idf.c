/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus idf: in how many documents each term stands. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/cli.h"
#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "base/map.h"

typedef struct term_frequency {
    fp_string term;
    size_t documents;
} term_frequency;

typedef struct tally {
    fp_map seen;
    size_t room; /* keys that the map was opened for */
    term_frequency *terms;
    size_t count;
    fp_arena *arena;
} tally;

/* Makes the map and the list twice as large. */
static fp_status grow(tally *to, fp_error *error) {
    size_t room = to->room ? to->room * 2 : 1 << 14;
    term_frequency *larger = FP_NEED(fp_arena_raw(to->arena, room, sizeof *larger), error);
    if (to->count) memcpy(larger, to->terms, to->count * sizeof *larger);
    to->terms = larger;
    to->room = room;
    FP_TRY(fp_map_open(&to->seen, room, to->arena, error));
    for (size_t i = 0; i < to->count; i++)
        fp_map_put(&to->seen, fp_xxh3(larger[i].term.data, larger[i].term.length, 0), (uint32_t)i);
    return FP_OK;
}

static fp_status add_term(tally *to, fp_string term, fp_error *error) {
    uint64_t key = fp_xxh3(term.data, term.length, 0);
    if (to->count == to->room) FP_TRY(grow(to, error));
    uint32_t at = fp_map_get(&to->seen, key);
    if (at == FP_MAP_NONE) {
        const char *copy = FP_NEED(fp_string_copy(to->arena, term), error);
        at = (uint32_t)to->count++;
        to->terms[at] = (term_frequency){{copy, term.length}, 0};
        fp_map_put(&to->seen, key, at);
    }
    to->terms[at].documents++;
    return FP_OK;
}

static fp_status add_document(tally *to, const fp_arm *arm, fp_string raw, fp_arena *scratch, fp_error *error) {
    fp_text text;
    fp_counted counted;
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), scratch, &text, error));
    FP_TRY(fp_arm_count(arm, &text, scratch, &counted, error));
    for (size_t i = 0; i < counted.counts.count; i++)
        FP_TRY(add_term(to, fp_units_term(&counted.units, counted.counts.first[i]), error));
    return FP_OK;
}

FP_COMPARES(most_frequent_first, term_frequency,
            FP_ORDER(b->documents, a->documents) ?: fp_string_compare(a->term, b->term));

/* Every distinct term of the corpus under the arm's text and feature specification; the most frequent first, equals by
 * bytes. *terms lives in `arena`. */
static fp_status corpus_frequencies(const fp_corpus *corpus, const fp_arm *arm, fp_arena *arena, term_frequency **terms,
                                    size_t *count, fp_error *error) {
    tally found = {.arena = arena};
    fp_text_source source;
    fp_status status = FP_OK;
    FP_SCRATCH(scratch, arena, error);
    FP_TRY(fp_corpus_source(corpus, arena, &source, error));
    fp_text_batch batch = {.count = 1};
    while (batch.count && status == FP_OK) {
        status = source.next(source.context, &batch, error);
        for (size_t i = 0; i < batch.count && status == FP_OK; i++) {
            fp_arena_reset(scratch);
            status = add_document(&found, arm, batch.text[i], scratch, error);
        }
    }
    fp_text_source_close(&source);
    if (found.count) qsort(found.terms, found.count, sizeof *found.terms, most_frequent_first);
    *terms = found.terms;
    *count = found.count;
    return status;
}

static fp_status write_frequencies(const term_frequency *terms, size_t count, size_t documents, const char *path,
                                   fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fprintf(output.stream, "documents\t%zu\n", documents);
    for (size_t i = 0; i < count; i++)
        fprintf(output.stream, "%.*s\t%zu\n", (int)terms[i].term.length, terms[i].term.data, terms[i].documents);
    return fp_output_close(&output, error);
}

typedef struct options {
    const char *spec, *out;
    bool skip_bad;
} options;

static int count(const fp_command *command, const options *chosen, const char *const *rest, fp_arena *arena) {
    fp_corpus corpus;
    fp_arm **arms;
    size_t arm_count, count;
    term_frequency *terms;
    fp_error error = {0};
    if (!rest[0] || rest[1]) return fp_cli_usage(command, "corpus idf takes one directory");
    const char *whole = fp_format(arena, "cosine:%s", chosen->spec);
    FP_CLI_TRY(fp_cli_arms((const char *const[]){whole, NULL}, arena, &arms, &arm_count));
    FP_CLI_TRY(fp_cli_corpus(rest[0], chosen->skip_bad, arena, &corpus));
    if (corpus_frequencies(&corpus, arms[0], arena, &terms, &count, &error) != FP_OK ||
        write_frequencies(terms, count, corpus.document_count, chosen->out, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (corpus.document_count < FP_LEAST_FOR_IDF)
        fprintf(
            stderr,
            "fplab: %s: document frequencies of %zu document%s; with fewer than %d they describe these texts rather "
            "than the language\n",
            corpus.name, corpus.document_count, corpus.document_count == 1 ? "" : "s", FP_LEAST_FOR_IDF);
    return FP_EXIT_SUCCESS;
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {.spec = "features=words"};
    fp_option rows[] = {{"spec", 's', FP_TAKES_TEXT(&chosen.spec),
                         "text and feature parameters (default: features=words)", "KEY=VALUE,…"},
                        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write here (default: standard output)", "FILE"},
                        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "leave bad rows out, and count them", NULL},
                        FP_CLI_PLUGIN_OPTIONS,
                        {0}};
    const char **arguments;
    fp_arena *arena;
    FP_CLI_BEGIN(command, argc, argv, rows, &arguments, &arena);
    return count(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_idf = {
    .name = "corpus idf",
    .arguments = "DIR [OPTION…]",
    .summary = "count in how many documents each term stands",
    .details = "Writes a line \"documents TAB N\", then \"term TAB df\", the most frequent first. An arm reads it as\n"
               "idf=FILE: idf(t) = ln((N + 1)/(df + 0.5)), and a term that the file does not know gets the mean.",
    .examples = "  fplab corpus idf corpora/data/newswire-zh --spec features=words --out words.idf\n"
                "  fplab eval --corpus my-texts --arm cosine:weight=tfidf,idf=words.idf",
    .run = run,
};
