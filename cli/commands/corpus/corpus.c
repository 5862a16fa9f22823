/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab corpus: what a corpus holds, and corpora made of it. */
#include "cli/commands/corpus/corpus.h"

#include <string.h>

static const struct {
    const char *name;
    fp_corpus_part_run *run;
} PARTS[] = {{"check", fp_corpus_check}, {"idf", fp_corpus_idf}, {"corrupt", fp_corpus_corrupt}};

static int dispatch(const fp_command *command, const fp_corpus_chosen *chosen, const char *const *arguments,
                    fp_arena *arena) {
    for (size_t i = 0; arguments[0] && i < sizeof PARTS / sizeof *PARTS; i++)
        if (strcmp(arguments[0], PARTS[i].name) == 0) return PARTS[i].run(command, chosen, arguments + 1, arena);
    return fp_cli_usage(command, "corpus takes: check DIR, idf DIR, or corrupt --corpus DIR");
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_corpus_chosen chosen = {
        .spec = "features=words", .copies = 1, .negatives = 1, .seed = 1, .argument_count = argc};
    fp_option options[] = {
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "go on after a bad row, and tell them all", NULL},
        FP_CLI_FORMAT_OPTION(chosen.format, "check, corrupt --kind list", "table"),
        {"spec", 's', FP_TAKES_TEXT(&chosen.spec), "idf: text and feature parameters (default: features=words)",
         "KEY=VALUE,…"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "idf: write here (default: standard output); corrupt: the new corpus",
         "FILE|DIR"},
        {"corpus", 'c', FP_TAKES_TEXT(&chosen.corpus), "corrupt: the corpus whose documents are copied", "DIR"},
        {"kind", 'k', FP_TAKES_TEXT(&chosen.kinds),
         "corrupt: kinds of corruption, each by itself, or several at once (KIND+KIND), or all; list says what each "
         "does, and what its rate is a share of:"
#define CORRUPTION(name) " " #name
#include "corpora/corruption/corruptions.def"
#undef CORRUPTION
         ,
         "KIND,…"},
        {"rate", 'r', FP_TAKES_TEXT(&chosen.rates), "corrupt: shares of the places that are changed, from 0 to 1",
         "RATE,…"},
        {"copies", 'n', FP_TAKES_LONG(&chosen.copies), "corrupt: of each document for each kind and rate (default: 1)",
         "N"},
        {"negatives", 0, FP_TAKES_LONG(&chosen.negatives),
         "corrupt: negative pairs for each copy, drawn from documents of other groups (default: 1)", "N"},
        {"hard", 0, FP_TAKES_LIST(&chosen.hard),
         "corrupt: hard negatives as well: template, facts, or nearest=ARM; may be repeated", "WHAT"},
        {"synonyms", 0, FP_TAKES_TEXT(&chosen.synonyms),
         "corrupt: groups of words that mean the same, one a line (default: a short list that ships)", "FILE"},
        {"edits", 0, FP_TAKES_FLAG(&chosen.edits), "corrupt: write every edit with its place", NULL},
        {"seed", 0, FP_TAKES_LONG(&chosen.seed), "corrupt: of all draws, from 0 on (default: 1)", "N"},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    const char **arguments;
    fp_arena *arena;
    chosen.arguments = argv;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &arena);
    if (status >= 0) return status;
    status = dispatch(command, &chosen, arguments, arena);
    fp_cli_end(options, arena);
    return status;
}

const fp_command fp_command_corpus = {
    .name = "corpus",
    .arguments = "check DIR | idf DIR | corrupt --corpus DIR [OPTION…]",
    .summary = "check a corpus, count its terms, make one of corrupted copies",
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
               "0.5)), and a term that the file does not know gets the mean.\n"
               "\n"
               "corrupt copies every document once for each kind and rate, and changes the copies: each place\n"
               "where the kind can act is changed with the probability RATE. It writes a corpus: the documents,\n"
               "the copies with kind, rate asked and measured, and the number of places and changes; document\n"
               "and copy as positive pairs of kind KIND@RATE; and negative pairs. Same seed, same bytes.",
    .examples = "  fplab corpus check corpora/data/newswire-zh\n"
                "  fplab corpus check --skip-bad my-texts\n"
                "  fplab corpus idf corpora/data/newswire-zh --spec features=words --out words.idf\n"
                "  fplab eval --corpus my-texts --arm cosine:weight=tfidf,idf=words.idf\n"
                "  fplab corpus corrupt --kind list\n"
                "  fplab corpus corrupt -c my-texts -k homophone,digits+delete -r 0.05,0.2 -o corrupted\n"
                "  fplab eval --corpus corrupted --by kind",
    .run = run,
};
