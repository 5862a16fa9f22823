/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus sample: some of a corpus. */
#include <limits.h>

#include "cli/commands/corpus/making.h"
#include "eval/units/shape.h"
#include "cli/out.h"

enum { NOT_GIVEN = INT_MIN }; /* --documents, --groups, --pairs */

typedef struct options {
    const char *out;
    fp_cli_making making;
    long long documents, groups, pairs, seed;
    bool skip_bad;
    /* The resolved values. */
    fp_table_format as;
    fp_sampled what;
    size_t count;
    fp_corpus corpus;
    fp_shape shape;
    size_t made[2]; /* pairs by label */
} options;

static int parse(const fp_command *command, options *with) {
    const struct {
        const char *name;
        long long *count;
        fp_sampled what;
    } WHAT[] = {{"documents", &with->documents, FP_SAMPLED_DOCUMENTS},
                {"groups", &with->groups, FP_SAMPLED_UNITS},
                {"pairs", &with->pairs, FP_SAMPLED_PAIRS}};
    size_t asked = 0;
    for (size_t i = 0; i < sizeof WHAT / sizeof *WHAT; i++) {
        long long count = *WHAT[i].count;
        if (count == NOT_GIVEN) *WHAT[i].count = 0;
        else if (count < 1) return fp_cli_usage(command, "--%s takes 1 or more, not %lld", WHAT[i].name, count);
        else {
            with->what = WHAT[i].what;
            with->count = (size_t)count;
            asked++;
        }
    }
    if (asked != 1) return fp_cli_usage(command, "give one of --documents, --groups and --pairs");
    if (!with->out) return fp_cli_usage(command, "no output directory given; name one with --out");
    return FP_EXIT_SUCCESS;
}

static fp_status write_sample(void *context, size_t number, const char *place, fp_error *error) {
    (void)number;
    options *with = context;
    return fp_shape_write(&with->corpus, &with->shape, 0, "sample", place, with->making.arena, with->made, error);
}

static int print_result(const options *with) {
    const fp_cli_count counts[] = {{"documents", with->shape.documents[0]},
                                   {"units", with->shape.units[0]},
                                   {"positive pairs", with->made[1]},
                                   {"negative pairs", with->made[0]}};
    return fp_cli_write_counts(counts, sizeof counts / sizeof *counts, with->making.arena, with->as);
}

static int sample(const fp_command *command, options *with, const char *const *arguments) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(parse(command, with));
    FP_CLI_TRY(fp_cli_one_corpus(command, arguments, with->skip_bad, NULL, with->making.arena, &with->corpus));
    if (with->what == FP_SAMPLED_PAIRS && !with->corpus.pair_count)
        return fp_cli_usage(command, "%s has no pairs.tsv to sample pairs from", with->corpus.name);
    if (fp_shape_sample(&with->corpus, with->what, with->count, (uint64_t)with->seed, with->making.arena, &with->shape,
                        &error) != FP_OK)
        return fp_cli_fail(&error);
    const fp_run_fact facts[] = {{"documents", NULL, (double)with->documents},
                                 {"groups", NULL, (double)with->groups},
                                 {"pairs", NULL, (double)with->pairs},
                                 {"seed", NULL, (double)with->seed},
                                 {NULL, NULL, 0}};
    with->making.corpus = &with->corpus;
    with->making.outs = &with->out;
    with->making.count = 1;
    with->making.facts = facts;
    FP_CLI_TRY(fp_cli_make(&with->making, write_sample, with));
    return print_result(with);
}

static int run(const fp_command *command, int argc, const char **argv) {
    options with = {.documents = NOT_GIVEN,
                    .groups = NOT_GIVEN,
                    .pairs = NOT_GIVEN,
                    .making = {.argument_count = argc, .arguments = argv}};
    fp_option rows[] = {
        {"documents", 'n', FP_TAKES_LONG(&with.documents), "number of documents, with the pairs among them", "N"},
        {"groups", 0, FP_TAKES_LONG(&with.groups),
         "number of sets of documents connected by groups and positive pairs; a document by itself is one", "N"},
        {"pairs", 0, FP_TAKES_LONG(&with.pairs), "number of labelled pairs, with their documents", "N"},
        {"seed", 0, FP_TAKES_SEED(&with.seed), "of the sample, from 0 on (default: 0)", "N"},
        {"out", 'o', FP_TAKES_TEXT(&with.out), "the new corpus", "DIR"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_FORMAT_OPTION(with.as, "of the counts", "table"),
        {"skip-bad", 0, FP_TAKES_FLAG(&with.skip_bad), "skip bad rows, and report how many", NULL},
        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    with.making.arena = arena;
    return sample(command, &with, arguments);
}

const fp_command fp_command_corpus_sample = {
    .name = "corpus sample",
    .arguments = "DIR (--documents | --groups | --pairs) N --out DIR [OPTION…]",
    .summary = "take some documents, groups or pairs of a corpus",
    .details = "The sample depends only on the seed and the ids, not on the order of the corpus, and a smaller\n"
               "sample is part of a larger one of the same seed. If the corpus has fewer, all are taken.",
    .examples = "  fplab corpus sample my-texts --groups 500 --out few\n"
                "  fplab corpus sample my-texts --pairs 10000 --seed 2 --out pairs",
    .run = run,
};
