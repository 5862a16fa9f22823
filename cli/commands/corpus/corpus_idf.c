/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus idf: document frequency of each term. */
#include <stdlib.h>

#include "cli/cli.h"
#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "corpora/row.h"

typedef struct term_frequency {
    fp_string term;
    size_t documents;
} term_frequency;

typedef struct tally {
    const fp_arm *arm;
    fp_numbering seen;
    term_frequency *terms; /* [seen.count] */
    size_t room;
    fp_arena *arena, *scratch;
} tally;

static fp_status add_term(tally *to, fp_string term, fp_error *error) {
    bool fresh;
    uint32_t at;
    FP_TRY(fp_numbering_of(&to->seen, term, &at, &fresh, error));
    if (fresh) {
        FP_TRY(FP_ROOM(to->arena, to->terms, at, to->room, error));
        to->terms[at] = (term_frequency){{fp_string_copy(to->arena, term), term.length}, 0};
    }
    to->terms[at].documents++;
    return FP_OK;
}

static fp_status add_document(void *context, size_t document, fp_string raw, fp_error *error) {
    tally *to = context;
    fp_text text;
    fp_counted counted;
    (void)document;
    fp_arena_reset(to->scratch);
    FP_TRY(fp_arm_preprocess(to->arm, raw, fp_arm_wants(to->arm), to->scratch, &text, error));
    FP_TRY(fp_arm_count(to->arm, &text, to->scratch, &counted, error));
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
    FP_SCRATCH(scratch, arena, error);
    tally found = {.arm = arm, .seen = {.like = arena}, .arena = arena, .scratch = scratch};
    fp_status status = fp_corpus_read_texts(corpus, add_document, &found, error);
    *terms = found.terms;
    *count = found.seen.count;
    fp_numbering_free(&found.seen);
    if (*count) qsort(*terms, *count, sizeof **terms, most_frequent_first);
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
    fp_arm *arm;
    size_t count;
    term_frequency *terms;
    fp_error error = {0};
    if (!rest[0] || rest[1]) return fp_cli_usage(command, "corpus idf takes one directory");
    FP_CLI_TRY(fp_cli_arm(fp_format(arena, "cosine:%s", chosen->spec), arena, &arm, NULL));
    FP_CLI_TRY(fp_cli_corpus(rest[0], chosen->skip_bad, arena, &corpus));
    if (corpus_frequencies(&corpus, arm, arena, &terms, &count, &error) != FP_OK ||
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
                        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
                        FP_CLI_PLUGIN_OPTIONS,
                        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    return count(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_idf = {
    .name = "corpus idf",
    .arguments = "DIR [OPTION…]",
    .summary = "count the documents that contain each term",
    .details = "Writes a line \"documents TAB N\", then \"term TAB df\", the most frequent first. An arm reads it as\n"
               "idf=FILE: idf(t) = ln((N + 1)/(df + 0.5)), and a term missing from the file gets the mean.",
    .examples = "  fplab corpus idf corpora/data/newswire-zh --spec features=words --out words.idf\n"
                "  fplab eval --corpus my-texts --arm cosine:weight=tfidf,idf=words.idf",
    .run = run,
};
