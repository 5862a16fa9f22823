/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan: what an index over fingerprints costs, and which bands and rows serve a similarity. */
#include <string.h>

#include "cli/commands/plan.h"

bool fp_cli_plan_numbers(const char *text, char mark, double *first, double *second) {
    char before[24];
    const char *at = strchr(text, mark);
    if (!at || (size_t)(at - text) >= sizeof before) return false;
    snprintf(before, sizeof before, "%.*s", (int)(at - text), text);
    return fp_parse_real(before, first) && fp_parse_real(at + 1, second);
}

int fp_cli_plan_out_close(fp_plan_out *out, fp_status saved, const fp_error *error) {
    if (saved == FP_OK) fp_cli_plots_draw(&out->plots, &out->run);
    return fp_cli_plots_commit(&out->plots, &out->run,
                               saved == FP_OK ? FP_EXIT_SUCCESS : fp_cli_out_fail(&out->run, error));
}

/* What goes with --slots, and what does not. Returns the exit status after reporting the mistake. */
static int check(const fp_command *command, const fp_plan_bands *bands, const fp_plan_designs *designs) {
    bool slots = bands->slots != -1;
    if (!slots && (bands->recall || bands->weights || bands->slot_bits))
        return fp_cli_usage(command, "--recall, --weights and --slot-bits go with --slots N");
    if (slots && (designs->fingerprints || designs->blocks || designs->memory || designs->sample))
        return fp_cli_usage(command,
                            "--docs, --blocks, --memory and --sample are about fingerprints of bits, not slots");
    return FP_EXIT_SUCCESS;
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_table_format format = FP_FORMAT_TABLE;
    fp_plan_out out = {.argument_count = argc, .arguments = argv};
    fp_plan_bands bands = {.slots = -1, .out = &out};
    fp_plan_designs designs = {.bits = 64, .distance = 3, .out = &out};
    fp_option options[] = {
        {"docs", 'n', FP_TAKES_TEXT(&designs.fingerprints), "fingerprints stored: 1000000, 1e6 or 2^30 (default: 2^30)",
         "N"},
        {"bits", 'b', FP_TAKES_INT(&designs.bits), "width of a fingerprint (default: 64)", "N"},
        {"distance", 'd', FP_TAKES_INT(&designs.distance), "largest Hamming distance to find (default: 3)", "N"},
        {"memory", 'm', FP_TAKES_TEXT(&designs.memory), "most bytes of all tables: 500M, 16G (default: any)", "SIZE"},
        {"sample", 0, FP_TAKES_TEXT(&designs.sample),
         "fingerprints as `fplab fingerprint` prints them: expected candidates are computed for these", "FILE"},
        {"blocks", 'k', FP_TAKES_TEXT(&designs.blocks),
         "instead of all designs, one, figure by figure: 4; 6,agree=3; 4+4", "DESIGN"},
        {"slots", 's', FP_TAKES_INT(&bands.slots), "instead: choose bands and rows for signatures of this many slots",
         "N"},
        {"similarity", 'S', FP_TAKES_TEXT(&bands.similarity),
         "target: a Jaccard similarity of the slots; without --slots, a cosine", "S"},
        {"recall", 'r', FP_TAKES_TEXT(&bands.recall), "with --slots: least probability of a candidate at the target",
         "P"},
        {"weights", 'w', FP_TAKES_TEXT(&bands.weights),
         "with --slots: weights of false positives and negatives (default: 1:1)", "A:B"},
        {"slot-bits", 0, FP_TAKES_INT(&bands.slot_bits), "with --slots: bits kept of each slot (default: all)", "N"},
        {"out", 'o', FP_TAKES_TEXT(&out.target), "write tables and a picture here", "DIR"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_PLOT_OPTIONS,
        FP_CLI_FORMAT_OPTION(format, "how to print", "table"),
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    designs.similarity = bands.similarity;
    FP_CLI_TRY(fp_cli_plots_read(command, arena, &out.plots));
    if (arguments[0]) return fp_cli_usage(command, "unexpected argument %s", arguments[0]);
    FP_CLI_TRY(check(command, &bands, &designs));
    return bands.slots != -1 ? fp_cli_plan_bands(command, &bands, format, arena)
                             : fp_cli_plan_designs(command, &designs, format, arena);
}

const fp_command fp_command_plan = {
    .name = "plan",
    .arguments = "[OPTION…]",
    .summary = "compare designs of an index by cost; choose bands and rows",
    .summary_zh = "按开销比较索引方案；选取带数与行数",
    .details = "Compares ways to find every fingerprint within a distance of a query: a linear scan; variants, where\n"
               "every fingerprint within the distance is looked up (or stored); and tables of blocks. K differing\n"
               "bits touch at most K blocks, so at least b - K of b blocks agree: there is a table for each choice\n"
               "of `agree` blocks, and only fingerprints with equal bits there are compared. With 4+4 the remaining\n"
               "bits are cut in 4 again. \"shared\" is the cost if all blocks share one key space. The front has the\n"
               "designs that no other one beats in both memory and time; the recommended design is the fastest\n"
               "within --memory that can be built (`fplab index`: up to 16 tables).\n"
               "\n"
               "Candidates are expected values for uniformly distributed fingerprints. Real ones are not uniform:\n"
               "--sample measures how often they share a key, and corrects every row. --blocks shows one design;\n"
               "with --similarity, also the probability that texts of a given cosine are found.\n"
               "\n"
               "--slots plans for signatures (minhash): cut into b bands of r rows, two of them become candidates\n"
               "when all rows of a band agree, with probability 1 - (1 - s^r)^b where slots agree with probability\n"
               "s. The default choice of b and r has the least area under that curve below the target plus above it\n"
               "beyond the target, weighted by --weights; at the target itself it may find fewer than half of the\n"
               "pairs. --recall P finds pairs at the target with probability P, with the least area below it: the\n"
               "fewest candidates, if all similarities were equally frequent.\n"
               "\n"
               "--out DIR receives designs.tsv and plots/plan-designs.png and .svg, or banding.tsv,\n"
               "banding-curve.tsv and plots/plan-banding.png and .svg.",
    .examples = "  fplab plan --docs 2^30\n"
                "  fplab plan --docs 8e9 --bits 64 --distance 3 --memory 512G --out plan\n"
                "  fplab fingerprint texts.txt > sample.tsv && fplab plan --docs 1e9 --sample sample.tsv\n"
                "  fplab plan --bits 64 --blocks 8 --distance 7 --similarity 0.95\n"
                "  fplab plan --slots 128 --similarity 0.8\n"
                "  fplab plan --slots 128 --similarity 0.8 --recall 0.95 --out plan\n"
                "  fplab plan --slots 256 --slot-bits 2 --similarity 0.7 --weights 1:4",
    .run = run,
};
