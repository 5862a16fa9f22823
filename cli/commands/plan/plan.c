/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan: what a pigeonhole index would cost, and which bands and rows serve a similarity. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "cli/commands/plan/plan.h"
#include "index/banding.h"
#include "index/plan.h"

/* A count: 1000000, 1e6 or 2^20. */
static bool parse_count(const char *text, double *count) {
    const char *hat = strchr(text, '^');
    if (!hat) return fp_parse_real(text, count);
    char base_text[24];
    double base, exponent;
    if ((size_t)(hat - text) >= sizeof base_text) return false;
    snprintf(base_text, sizeof base_text, "%.*s", (int)(hat - text), text);
    if (!fp_parse_real(base_text, &base) || !fp_parse_real(hat + 1, &exponent)) return false;
    *count = pow(base, exponent);
    return isfinite(*count);
}

static void add_fact(fp_table *table, const char *name, double value, const char *meaning) {
    fp_table_text(table, name);
    fp_table_real(table, value, value == floor(value) ? 0 : 3);
    fp_table_text(table, meaning);
}

static int show(const fp_plan *plan, fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("figure|>value|meaning", arena);
    if (table) {
        add_fact(table, "brute_force", plan->brute_force, "comparisons of a full scan, for each query");
        add_fact(table, "block_bits", plan->smallest_block, "bits of the narrowest block");
        add_fact(table, "lookups", plan->lookups, "look-ups for each query, one a block");
        add_fact(table, "candidates", plan->candidates, "expected comparisons for each query, a table a block");
        add_fact(table, "candidates_shared", plan->candidates_shared, "the same when all blocks share one key space");
        add_fact(table, "storage", plan->storage, "copies of each fingerprint");
        add_fact(table, "variants", plan->variants, "look-ups or copies if every near fingerprint is enumerated");
    }
    return fp_cli_write(table, format);
}

/* ---- Blocks of fingerprints at an angle ---- */

/* How probable it is that two fingerprints whose texts have a cosine are found, and that they lie within the distance.
 */
static int show_cosines(const fp_plan *plan, double target, fp_table_format format, fp_arena *arena) {
    static const double COSINES[] = {0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.999};
    fp_table *table = fp_table_new(">cosine|>mean_distance|>found|>within_distance|", arena);
    bool told = false;
    for (size_t i = 0; table && i <= sizeof COSINES / sizeof *COSINES; i++) {
        bool end = i == sizeof COSINES / sizeof *COSINES;
        for (int row = 0; row < 2; row++) {
            bool here = row == 0;
            double cosine = here ? target : end ? NAN : COSINES[i];
            if (here ? told || (!end && target > COSINES[i]) : end || COSINES[i] == target) continue;
            told |= here;
            double differs = fp_law_angle(cosine);
            fp_table_real(table, cosine, 3);
            fp_table_real(table, differs * plan->bits, 2);
            fp_table_real(table, fp_blocks_probability(plan->bits, plan->blocks, differs), 4);
            fp_table_real(table, fp_law_binomial(plan->distance, differs, plan->bits), 4);
            fp_table_text(table, here ? "target" : "");
        }
    }
    return fp_cli_write(table, format);
}

static int show_blocks(const fp_command *command, const fp_plan *plan, const char *similarity, fp_table_format format,
                       fp_arena *arena) {
    double cosine = 0;
    if (similarity && (!fp_parse_real(similarity, &cosine) || cosine < -1 || cosine > 1))
        return fp_cli_usage(command, "--similarity without --slots takes a cosine, not %s", similarity);
    if (similarity && format != FP_FORMAT_TABLE) return show_cosines(plan, cosine, format, arena);
    int status = show(plan, format, arena);
    if (status != FP_EXIT_SUCCESS || !similarity) return status;
    printf(
        "\nTexts with a cosine differ in angle/pi of their bits: found, some block equal; and within distance %u\n\n",
        plan->distance);
    return show_cosines(plan, cosine, format, arena);
}

/* ---- The command ---- */

static int run(const fp_command *command, int argc, const char **argv) {
    int bits = 64, blocks = 4, distance = 3;
    const char *count_text = NULL, *format_name = NULL;
    fp_plan_bands bands = {.slots = -1, .argument_count = argc, .arguments = argv};
    fp_option options[] = {
        {"bits", 'b', FP_TAKES_INT(&bits), "width of a fingerprint (default: 64)", "N"},
        {"blocks", 'k', FP_TAKES_INT(&blocks), "blocks that it is cut into (default: 4)", "N"},
        {"distance", 'd', FP_TAKES_INT(&distance), "largest Hamming distance to find (default: 3)", "N"},
        {"fingerprints", 'n', FP_TAKES_TEXT(&count_text), "fingerprints stored: 1000000, 1e6 or 2^30 (default: 2^30)",
         "N"},
        {"slots", 's', FP_TAKES_INT(&bands.slots), "instead: choose bands and rows for signatures of this many slots",
         "N"},
        {"similarity", 'S', FP_TAKES_TEXT(&bands.similarity),
         "target: a Jaccard similarity of the slots; without --slots, a cosine", "S"},
        {"recall", 'r', FP_TAKES_TEXT(&bands.recall), "with --slots: least probability of a candidate at the target",
         "P"},
        {"weights", 'w', FP_TAKES_TEXT(&bands.weights),
         "with --slots: weights of false positives and negatives (default: 1:1)", "A:B"},
        {"slot-bits", 0, FP_TAKES_INT(&bands.slot_bits), "with --slots: bits kept of each slot (default: all)", "N"},
        {"out", 'o', FP_TAKES_TEXT(&bands.out), "with --slots: write tables and the curve as a picture here", "DIR"},
        FP_CLI_PLOT_OPTIONS,
        {"format", 'f', FP_TAKES_TEXT(&format_name), "how to print: table (default), tsv or json", "FORMAT"},
        {0}};
    const char **arguments;
    fp_arena *arena;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &arena);
    if (status >= 0) return status;
    fp_table_format format;
    fp_plan plan;
    fp_error error = {0};
    double count = ldexp(1, 30);
    status = fp_cli_plots_read(command, arena, &bands.plots);
    bool only_bands = bands.recall || bands.weights || bands.slot_bits || bands.out;
    if (status >= 0) format = FP_FORMAT_TABLE; /* told */
    else if (arguments[0]) status = fp_cli_usage(command, "unexpected argument %s", arguments[0]);
    else if (!fp_cli_format(command, format_name, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    else if (bands.slots != -1) status = fp_cli_plan_bands(command, &bands, format, arena);
    else if (only_bands) status = fp_cli_usage(command, "--recall, --weights, --slot-bits and --out go with --slots N");
    else if (count_text && !parse_count(count_text, &count))
        status = fp_cli_usage(command, "--fingerprints takes a count, not %s", count_text);
    else if (bits < 1 || blocks < 1 || distance < 0)
        status = fp_cli_usage(command, "bits, blocks and distance are not negative");
    else if (fp_plan_make((unsigned)bits, (unsigned)blocks, (unsigned)distance, count, &plan, &error) != FP_OK)
        status = fp_cli_usage(command, "%s", error.message);
    else status = show_blocks(command, &plan, bands.similarity, format, arena);
    fp_cli_end(options, arena);
    return status;
}

const fp_command fp_command_plan = {
    .name = "plan",
    .arguments = "[OPTION…]",
    .summary = "count what a pigeonhole index costs; choose bands and rows",
    .details = "Fingerprints within distance k agree in at least one of k + 1 blocks, so that a fingerprint\n"
               "stored under each of its blocks is found by exact look-ups, and only the candidates are\n"
               "compared. Candidates are expected values for fingerprints that are spread evenly. --similarity\n"
               "adds how probable it is that texts with a cosine are found.\n"
               "\n"
               "--slots plans for signatures (minhash): cut into b bands of r rows, two of them become\n"
               "candidates when all rows of a band agree, with probability 1 - (1 - s^r)^b where slots agree\n"
               "with probability s. Chosen are the b and r with the least area under that curve below the target\n"
               "and above it beyond the target, weighted by --weights; or, with --recall P, those that find\n"
               "pairs at the target with that probability and have the least area below it: the fewest\n"
               "candidates, if all similarities were equally frequent. --out DIR receives banding.tsv,\n"
               "banding-curve.tsv and plots/plan-banding.png and .svg.",
    .examples = "  fplab plan\n"
                "  fplab plan --bits 64 --blocks 6 --distance 5 --fingerprints 8e9\n"
                "  fplab plan --bits 64 --blocks 8 --distance 7 --similarity 0.95\n"
                "  fplab plan --slots 128 --similarity 0.8\n"
                "  fplab plan --slots 128 --similarity 0.8 --recall 0.95 --out plan\n"
                "  fplab plan --slots 256 --slot-bits 2 --similarity 0.7 --weights 1:4",
    .run = run,
};
