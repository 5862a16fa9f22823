/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus split: a corpus divided, so that connected documents stay together. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/corpus/making.h"
#include "eval/units/shape.h"
#include "cli/out.h"

typedef struct options {
    const char *parts, *by, *out;
    fp_cli_making making;
    long long seed;
    bool skip_bad;
    /* The resolved values. */
    fp_table_format as;
    const char *names[FP_SPLIT_PARTS], *outs[FP_SPLIT_PARTS];
    double shares[FP_SPLIT_PARTS];
    fp_shape_split_options split;
    fp_corpus corpus;
    fp_shape shape;
    size_t pairs[FP_SPLIT_PARTS][2];
    fp_run_fact facts[8];
} options;

/* ---- Options ---- */

static bool is_name(const char *text) {
    static const char SIGNS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    return *text && !text[strspn(text, SIGNS)];
}

static int parse_part(const fp_command *command, options *with, const char *text) {
    size_t count = with->split.part_count;
    char *name = fp_string_copy(with->making.arena, fp_string_of(text)), *colon = strchr(name, ':');
    if (colon) *colon = '\0';
    if (!colon || !is_name(name) || !fp_parse_real(colon + 1, &with->shares[count]) || !(with->shares[count] > 0) ||
        isinf(with->shares[count]))
        return fp_cli_usage(command, "--parts takes NAME:SHARE,…, as in train:0.8,test:0.2, not \"%s\"", text);
    for (size_t i = 0; i < count; i++)
        if (strcmp(with->names[i], name) == 0) return fp_cli_usage(command, "two parts are called %s", name);
    with->names[count] = name;
    with->split.part_count++;
    return FP_EXIT_SUCCESS;
}

static int parse_parts(const fp_command *command, options *with) {
    with->split.shares = with->shares;
    for (fp_string rest = fp_string_of(with->parts), field; fp_next_field(&rest, ',', &field);) {
        const char *text = fp_string_copy(with->making.arena, field);
        if (with->split.part_count == FP_SPLIT_PARTS)
            return fp_cli_usage(command, "--parts takes at most %d parts", FP_SPLIT_PARTS);
        FP_CLI_TRY(parse_part(command, with, text));
    }
    if (with->split.part_count < 2) return fp_cli_usage(command, "--parts takes two parts or more");
    return FP_EXIT_SUCCESS;
}

static int parse(const fp_command *command, options *with) {
    if (!with->out) return fp_cli_usage(command, "no output directory given; name one with --out");
    with->split.seed = (uint64_t)with->seed;
    if (with->by)
        with->split.by = strcmp(with->by, "kind") == 0     ? FP_STRATUM_KIND
                         : strcmp(with->by, "length") == 0 ? FP_STRATUM_LENGTH
                                                           : FP_STRATUM_FIELD;
    return parse_parts(command, with);
}

/* ---- Making them ---- */

static fp_status write_part(void *context, size_t part, const char *place, fp_error *error) {
    options *with = context;
    return fp_shape_write(&with->corpus, &with->shape, part, with->names[part], place, with->making.arena,
                          with->pairs[part], error);
}

static int write_out(options *with) {
    for (size_t p = 0; p < with->split.part_count; p++)
        with->outs[p] = fp_format(with->making.arena, "%s/%s", with->out, with->names[p]);
    with->making.outs = with->outs;
    with->making.count = with->split.part_count;
    bool there = access(with->out, F_OK) == 0;
    int status = fp_cli_make(&with->making, write_part, with);
    if (status != FP_EXIT_SUCCESS && !there) rmdir(with->out); /* it was made for parts that did not come */
    return status;
}

static int print_result(const options *with) {
    fp_table *table =
        fp_table_new("part|>share asked|>share|>documents|>units|>positive pairs|>negative pairs", with->making.arena);
    double shares = 0;
    for (size_t p = 0; p < with->split.part_count; p++) shares += with->shares[p];
    for (size_t p = 0; p < with->split.part_count; p++) {
        fp_table_text(table, with->names[p]);
        fp_table_real(table, with->shares[p] / shares, 4);
        fp_table_real(table, (double)with->shape.documents[p] / (double)with->corpus.document_count, 4);
        fp_table_count(table, with->shape.documents[p]);
        fp_table_count(table, with->shape.units[p]);
        fp_table_count(table, with->pairs[p][1]);
        fp_table_count(table, with->pairs[p][0]);
    }
    int status = fp_cli_write(table, with->as);
    if (with->shape.crossing)
        fp_cli_note("%zu negative pair%s of documents in two parts %s in none.\n", with->shape.crossing,
                    with->shape.crossing == 1 ? "" : "s", with->shape.crossing == 1 ? "is" : "are");
    return status;
}

static int split(const fp_command *command, options *with, const char *const *arguments) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(parse(command, with));
    const char *field = with->split.by == FP_STRATUM_FIELD ? with->by : NULL;
    FP_CLI_TRY(fp_cli_one_corpus(command, arguments, with->skip_bad, (const char *const[]){field, NULL},
                                 with->making.arena, &with->corpus));
    with->split.field = field ? fp_corpus_field_find(&with->corpus, field) : NULL;
    if (field && !with->split.field->any)
        return fp_cli_usage(command, "no document has a member \"%s\"; --by takes kind, length, or such a member",
                            field);
    if (with->split.by == FP_STRATUM_KIND && !with->corpus.pair_count)
        return fp_cli_usage(command, "%s has no pairs, and so no kinds", with->corpus.name);
    if (fp_shape_split(&with->corpus, &with->split, with->making.arena, &with->shape, &error) != FP_OK)
        return fp_cli_fail(&error);
    with->facts[0] = (fp_run_fact){"parts", with->parts, 0};
    with->facts[1] = (fp_run_fact){"by", with->by ? with->by : "none", 0};
    with->facts[2] = (fp_run_fact){"seed", NULL, (double)with->seed};
    with->facts[3] = (fp_run_fact){"units", NULL, (double)with->shape.unit_count};
    with->facts[4] = (fp_run_fact){"crossing_pairs", NULL, (double)with->shape.crossing};
    with->making.corpus = &with->corpus;
    with->making.facts = with->facts;
    FP_CLI_TRY(write_out(with));
    return print_result(with);
}

static int run(const fp_command *command, int argc, const char **argv) {
    options with = {.parts = "train:0.6,dev:0.2,test:0.2", .making = {.argument_count = argc, .arguments = argv}};
    fp_option rows[] = {{"parts", 'p', FP_TAKES_TEXT(&with.parts),
                         "names and shares (default: train:0.6,dev:0.2,test:0.2)", "NAME:SHARE,…"},
                        {"by", 0, FP_TAKES_HINT(&with.by, "kind lang length"),
                         "each part gets its share of each: kind, length, lang, or another member of documents",
                         "FIELD"},
                        {"seed", 0, FP_TAKES_SEED(&with.seed), "of the sample, from 0 on (default: 0)", "N"},
                        {"out", 'o', FP_TAKES_TEXT(&with.out), "the directory of the parts", "DIR"},
                        FP_CLI_FORCE_OPTION,
                        FP_CLI_FORMAT_OPTION(with.as, "of the counts", "table"),
                        {"skip-bad", 0, FP_TAKES_FLAG(&with.skip_bad), "skip bad rows, and report how many", NULL},
                        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    with.making.arena = arena;
    return split(command, &with, arguments);
}

const fp_command fp_command_corpus_split = {
    .name = "corpus split",
    .arguments = "DIR --out DIR [OPTION…]",
    .summary = "divide a corpus into parts to learn, choose and test on",
    .details = "Writes a corpus for each part. Documents that groups or positive pairs connect are one unit, which\n"
               "never crosses parts; negative pairs whose documents go to two parts are left out and counted.\n"
               "\n"
               "Without --by, the seed and the smallest id of a unit decide its part: adding or removing other\n"
               "documents does not move it, and the shares are met on average. With --by, units are dealt kind by\n"
               "kind (language by language, …), the largest first, so that each part gets its share of each; then\n"
               "the part depends on the other units, but not on their order. The kind of a unit is that of most of\n"
               "its pairs, its language that of most of its documents; lengths are classes of the mean number of\n"
               "characters, each twice as long as the one before. The same seed gives the same bytes.",
    .examples = "  fplab corpus split my-texts --out my-parts\n"
                "  fplab corpus split my-texts --parts tune:1,test:1 --by kind --seed 7 --out halves\n"
                "  fplab tune --corpus halves/tune --grid simhash --save choice.json\n"
                "  fplab eval --corpus halves/test --arm @choice.json",
    .run = run,
};
