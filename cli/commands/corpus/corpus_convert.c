/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus convert: a corpus in one table. */
#include "cli/commands/corpus/making.h"
#include "corpora/importing/import.h"

typedef struct options {
    enum { PAIRS, DOCUMENTS } to;
    const char *out;
    fp_convert_form form;
    bool ids, skip_bad;
} options;

static const char FORMS[] = "tsv csv jsonl"; /* fp_convert_form */

static int convert(const fp_command *command, const options *chosen, const char *const *arguments, fp_arena *arena) {
    fp_corpus corpus;
    fp_output output;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_converting with = {.corpus = &corpus, .ids = chosen->ids, .form = chosen->form};
    if (chosen->to == DOCUMENTS && chosen->ids)
        return fp_cli_usage(command, "--ids goes with pairs; documents have theirs");
    FP_CLI_TRY(fp_cli_one_corpus(command, arguments, chosen->skip_bad, (const char *const[]){"lang", "group", NULL},
                                 arena, &corpus));
    if (fp_output_open(&output, chosen->out, &error) != FP_OK) return fp_cli_fail(&error);
    with.stream = output.stream;
    fp_status done =
        chosen->to == DOCUMENTS ? fp_convert_documents(&with, &error) : fp_convert_pairs(&with, arena, &error);
    if (fp_output_end(&output, done, &error) != FP_OK) return fp_cli_fail(&error);
    if (with.changed)
        fp_cli_note("In %zu cell%s tabs or line ends became blanks; csv and jsonl keep them.\n", with.changed,
                    with.changed == 1 ? "" : "s");
    return FP_EXIT_SUCCESS;
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {0};
    fp_option rows[] = {{"to", 0, FP_TAKES_CHOICE(&chosen.to, "pairs documents"),
                         "a row is one of the pairs (default), or of the documents", "WHAT"},
                        {"format", 'f', FP_TAKES_CHOICE(&chosen.form, FORMS),
                         "of the file: tsv (default), csv or jsonl", "FILE-FORMAT"},
                        {"ids", 0, FP_TAKES_FLAG(&chosen.ids), "pairs: id_a and id_b in front", NULL},
                        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write here (default: standard output)", "FILE"},
                        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
                        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    return convert(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_convert = {
    .name = "corpus convert",
    .arguments = "DIR [OPTION…]",
    .summary = "write a corpus as one table, for other programs",
    .details = "Writes text_a, text_b, label and kind of each labelled pair, or id, text, lang and group of each\n"
               "document. In tsv tabs and line ends inside a text become blanks; csv (RFC 4180) and jsonl keep\n"
               "every text as it is. The file appears when it is complete. `fplab import` reads all three.",
    .examples = "  fplab corpus convert corpora/data/newswire-zh --out pairs.tsv\n"
                "  fplab corpus convert corpora/data/newswire-zh --ids --format csv --out pairs.csv\n"
                "  fplab import pairs.csv --pair text_a,text_b --pair-ids id_a,id_b --kind kind --out again",
    .run = run,
};
