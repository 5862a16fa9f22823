/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus merge: several corpora as one. */
#include <string.h>

#include "cli/commands/corpus/making.h"
#include "corpora/importing/import.h"
#include "cli/out.h"

enum { MOST_CORPORA = 1000, SHOWN = 10 };

typedef struct options {
    const char *name, *out;
    fp_cli_making making;
    bool prefix, skip_bad;
    fp_table_format as;
    fp_corpus *corpora;
    size_t count, conflicts;
    fp_merged made;
    fp_run_fact facts[8];
} options;

static void report_conflict(void *context, fp_string a, fp_string b, bool kept, const char *corpus) {
    options *with = context;
    if (with->conflicts++ >= SHOWN) return;
    fprintf(stderr, "fplab: %s: %.*s and %.*s are labelled %d here and %d before; %d stays\n", corpus, (int)a.length,
            a.data, (int)b.length, b.data, !kept, kept, kept);
}

/* ---- Values of the manifests ---- */

/* "A; B": the distinct values of the manifests; NULL if no manifest has one. */
typedef struct manifests {
    const char *languages, *licences, *sources;
} manifests;

static void add_stated(fp_arena *arena, const char *text, const char **all) {
    if (text && !(*all && strstr(*all, text))) *all = *all ? fp_format(arena, "%s; %s", *all, text) : text;
}

static fp_status collect(const options *with, manifests *all, fp_error *error) {
    fp_arena *arena = with->making.arena;
    *all = (manifests){0};
    for (size_t c = 0; c < with->count; c++) {
        const fp_corpus *corpus = &with->corpora[c];
        fp_manifest_check of;
        FP_TRY(fp_manifest_compare(corpus, arena, &of, error));
        add_stated(arena, fp_format(arena, "%s (sha256 %s)", corpus->name, corpus->documents_sha256), &all->sources);
        add_stated(arena, of.language, &all->languages);
        add_stated(arena, of.licence, &all->licences);
    }
    return FP_OK;
}

/* ---- Making it ---- */

static fp_status write_merged(void *context, size_t number, const char *place, fp_error *error) {
    (void)number;
    options *with = context;
    fp_arena *arena = with->making.arena;
    const fp_merge merge = {with->corpora, with->count, with->prefix, report_conflict, with};
    fp_corpus_writer *writer;
    manifests all;
    FP_TRY(collect(with, &all, error));
    const fp_corpus_described described = {.name = with->name,
                                           .language = all.languages,
                                           .licence = all.licences,
                                           .source =
                                               fp_format(arena, "merged by fplab %s: %s", fp_version(), all.sources)};
    FP_TRY(fp_corpus_writer_open(place, arena, &writer, error));
    fp_status status = fp_merge_run(&merge, writer, arena, &with->made, error);
    if (status == FP_OK) status = fp_corpus_writer_finish(writer, &described, error);
    fp_corpus_writer_discard(writer);
    with->facts[0] = (fp_run_fact){"corpora", NULL, (double)with->count};
    with->facts[1] = (fp_run_fact){"documents", NULL, (double)with->made.documents};
    with->facts[2] = (fp_run_fact){"pairs", NULL, (double)with->made.pairs};
    with->facts[3] = (fp_run_fact){"conflicts", NULL, (double)with->made.conflicts};
    return status;
}

static int print_result(const options *with) {
    const fp_merged *made = &with->made;
    const fp_cli_count counts[] = {{"documents", made->documents},
                                   {"left out: the same document was there", made->same},
                                   {"ids with a prefix", made->renamed},
                                   {"groups with a prefix", made->groups_renamed},
                                   {"pairs", made->pairs},
                                   {"positive", made->positives},
                                   {"left out: the pair was there", made->repeated},
                                   {"left out: the pair was there, with the other label", made->conflicts}};
    if (with->conflicts > SHOWN)
        fprintf(stderr, "fplab: … and %zu more %s with two labels\n", with->conflicts - SHOWN,
                fp_cli_word(with->conflicts - SHOWN, "pair", "pairs"));
    return fp_cli_write_counts(counts, sizeof counts / sizeof *counts, with->making.arena, with->as);
}

/* If one corpus has pairs, groups of another only connect and label nothing. */
static void warn_of_groups(const options *with) {
    bool pairs = false;
    for (size_t c = 0; c < with->count; c++) pairs |= with->corpora[c].truth == FP_TRUTH_PAIRS;
    for (size_t c = 0; pairs && c < with->count; c++)
        if (with->corpora[c].truth == FP_TRUTH_GROUPS)
            fprintf(stderr,
                    "fplab: %s has groups and no pairs; other corpora have pairs, so these groups label nothing\n",
                    with->corpora[c].path);
}

static int read_corpora(const fp_command *command, options *with, const char *const *paths) {
    while (paths[with->count]) with->count++;
    if (with->count < 2 || with->count > MOST_CORPORA)
        return fp_cli_usage(command, "corpus merge takes 2 to %d directories", MOST_CORPORA);
    with->corpora = fp_arena_alloc(with->making.arena, with->count, sizeof *with->corpora);
    for (size_t c = 0; c < with->count; c++)
        FP_CLI_TRY(fp_cli_corpus_fields(paths[c], with->skip_bad, (const char *const[]){"group", NULL},
                                        with->making.arena, &with->corpora[c]));
    return FP_EXIT_SUCCESS;
}

static int merge(const fp_command *command, options *with, const char *const *paths) {
    if (!with->out) return fp_cli_usage(command, "no output directory given; name one with --out");
    FP_CLI_TRY(read_corpora(command, with, paths));
    if (!with->name) with->name = fp_cli_making_name(with->out);
    with->making.outs = &with->out;
    with->making.count = 1;
    with->making.facts = with->facts;
    FP_CLI_TRY(fp_cli_make(&with->making, write_merged, with));
    warn_of_groups(with);
    return print_result(with);
}

static int run(const fp_command *command, int argc, const char **argv) {
    options with = {.making = {.argument_count = argc, .arguments = argv}};
    fp_option rows[] = {
        {"prefix", 0, FP_TAKES_FLAG(&with.prefix),
         "ids and groups that clash get the name of their corpus in front (default: a clash ends the run)", NULL},
        {"name", 0, FP_TAKES_TEXT(&with.name), "of the new corpus (default: the directory's)", "NAME"},
        {"out", 'o', FP_TAKES_TEXT(&with.out), "the new corpus", "DIR"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_FORMAT_OPTION(with.as, "of the counts", "table"),
        {"skip-bad", 0, FP_TAKES_FLAG(&with.skip_bad), "skip bad rows, and report how many", NULL},
        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    with.making.arena = arena;
    return merge(command, &with, arguments);
}

const fp_command fp_command_corpus_merge = {
    .name = "corpus merge",
    .arguments = "DIR DIR… --out DIR [OPTION…]",
    .summary = "join several corpora into one",
    .details = "Writes the documents and pairs of all corpora in their order. A document with the same id, text and\n"
               "group as an earlier one is written once; so is a pair with the same label. For a pair with\n"
               "contradictory labels, the first one stays and the other is reported. An id with two texts, or a\n"
               "group name without a common document, is a clash; --prefix resolves it by the name NAME:ID. If one\n"
               "corpus has pairs, pairs label the result: groups of the others stay and connect documents, but give\n"
               "no labels.",
    .examples = "  fplab corpus merge parts/train parts/dev --out both\n"
                "  fplab corpus merge news magazines --prefix --name print --out print",
    .run = run,
};
