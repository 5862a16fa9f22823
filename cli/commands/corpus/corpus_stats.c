/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus stats: what a corpus is made of. */
#include "cli/commands/corpus/making.h"
#include "eval/inspection/inspection.h"

enum { EIGHTHS = 8, BAR = 16, PICTURE = 3 * BAR + 1 };

/* One to eight eighths of a cell: U+2581 to U+2588 from below, U+258F to U+2588 from the left. */
static size_t put_block(char *to, uint32_t code) {
    to[0] = (char)0xe2;
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

/* A column for each bin; the highest is eight eighths, and what is not empty is seen. */
static void draw_bins(const fp_stat *stat, char picture[PICTURE]) {
    size_t most = 1, at = 0;
    for (size_t b = 0; b < FP_STATS_BINS; b++)
        if (stat->bins[b] > most) most = stat->bins[b];
    for (size_t b = 0; b < FP_STATS_BINS; b++) {
        size_t height = (stat->bins[b] * EIGHTHS + most - 1) / most;
        if (height) at += put_block(picture + at, 0x2580 + (uint32_t)height);
        else picture[at++] = ' ';
    }
    picture[at] = '\0';
}

static void draw_share(double share, char picture[PICTURE]) {
    size_t eighths = (size_t)(share * BAR * EIGHTHS + 0.5), at = 0;
    if (eighths == 0) eighths = 1;
    for (; eighths >= EIGHTHS; eighths -= EIGHTHS) at += put_block(picture + at, 0x2588);
    if (eighths) at += put_block(picture + at, 0x2590 - (uint32_t)eighths);
    picture[at] = '\0';
}

static void add_row(fp_table *table, const fp_stat *stat, bool picture) {
    char drawn[PICTURE];
    fp_table_text(table, stat->of);
    fp_table_string(table, stat->value);
    fp_table_count(table, stat->count);
    fp_table_real(table, stat->share, 3);
    for (size_t q = 0; q < FP_STATS_QUANTILES; q++) {
        if (stat->lengths) fp_table_count(table, stat->characters[q]);
        else if (picture) fp_table_text(table, "");
        else fp_table_undefined(table);
    }
    if (!picture) return;
    if (stat->lengths) draw_bins(stat, drawn);
    else draw_share(stat->share, drawn);
    fp_table_text(table, drawn);
}

static int print_result(const fp_corpus *corpus, const fp_stats *made, fp_table_format format, fp_arena *arena) {
    bool picture = format == FP_FORMAT_TABLE;
    fp_table *table =
        fp_table_new(picture ? "of|value|>count|>share|>least|>quarter|>median|>3 quarters|>most|picture"
                             : "of|value|>count|>share|>characters_least|>characters_quarter|>characters_median|"
                               ">characters_three_quarters|>characters_most",
                     arena);
    for (size_t i = 0; i < made->count; i++) add_row(table, &made->stats[i], picture);
    int status = fp_cli_write(table, format);
    if (picture && made->count)
        fp_cli_note(
            "Lengths are in characters; their pictures have a logarithmic axis from %zu to %zu. Other bars show "
            "shares.\n",
            made->stats[0].characters[0], made->stats[0].characters[FP_STATS_QUANTILES - 1]);
    if (made->more_groups)
        fp_cli_note("%s has %zu more %s.\n", corpus->name, made->more_groups,
                    fp_cli_word(made->more_groups, "group", "groups"));
    return status;
}

typedef struct options {
    fp_table_format format;
    bool skip_bad;
} options;

static int stats(const fp_command *command, const options *chosen, const char *const *arguments, fp_arena *arena) {
    fp_corpus corpus;
    fp_stats made;
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_one_corpus(command, arguments, chosen->skip_bad, (const char *const[]){"lang", "group", NULL},
                                 arena, &corpus));
    if (fp_stats_make(&corpus, arena, &made, &error) != FP_OK) return fp_cli_fail(&error);
    return print_result(&corpus, &made, chosen->format, arena);
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {0};
    fp_option rows[] = {FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
                        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
                        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    return stats(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_stats = {
    .name = "corpus stats",
    .arguments = "DIR [OPTION…]",
    .summary = "show lengths of texts by language, kind and group, and the labels",
    .details = "Counts documents and prints minimum, quartiles and maximum of their length in characters: of all\n"
               "documents, by language, of the documents in pairs of each kind, and of the ten largest groups; then\n"
               "labelled pairs by label and kind, and groups by size. Shares are of all documents, all pairs or all\n"
               "groups.",
    .examples = "  fplab corpus stats corpora/data/newswire-zh\n"
                "  fplab corpus stats my-texts --format tsv",
    .run = run,
};
