/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan: what a pigeonhole index would cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
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

static int show(const fp_plan *plan, fp_format_kind format, fp_arena *arena) {
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

static int run(const fp_command *command, int argc, const char **argv) {
    int bits = 64, blocks = 4, distance = 3;
    char *count_text = NULL, *format_name = NULL;
    struct poptOption options[] = {
        {"bits", 'b', POPT_ARG_INT, &bits, 0, "width of a fingerprint (default: 64)", "N"},
        {"blocks", 'k', POPT_ARG_INT, &blocks, 0, "blocks that it is cut into (default: 4)", "N"},
        {"distance", 'd', POPT_ARG_INT, &distance, 0, "largest Hamming distance to find (default: 3)", "N"},
        {"fingerprints", 'n', POPT_ARG_STRING, &count_text, 0, "fingerprints stored: 1000000, 1e6 or 2^30 (default: 2^30)", "N"},
        {"format", 'f', POPT_ARG_STRING, &format_name, 0, "how to print: table (default), tsv or json", "FORMAT"},
        POPT_TABLEEND};
    poptContext context;
    const char **arguments;
    int status = fp_cli_parse(command, argc, argv, options, &context, &arguments);
    if (status >= 0) return status;
    fp_format_kind format;
    fp_plan plan;
    fp_error error = {0};
    double count = ldexp(1, 30);
    fp_arena *arena = fp_arena_new();
    if (arguments[0]) status = fp_cli_usage(command, "unexpected argument %s", arguments[0]);
    else if (count_text && !parse_count(count_text, &count)) status = fp_cli_usage(command, "--fingerprints takes a count, not %s", count_text);
    else if (bits < 1 || blocks < 1 || distance < 0) status = fp_cli_usage(command, "bits, blocks and distance are not negative");
    else if (fp_plan_make((unsigned)bits, (unsigned)blocks, (unsigned)distance, count, &plan, &error) != FP_OK)
        status = fp_cli_usage(command, "%s", error.message);
    else if (!arena || !fp_cli_format(command, format_name, FP_FORMAT_TABLE, &format)) status = FP_EXIT_USAGE;
    else status = show(&plan, format, arena);
    fp_arena_free(arena);
    fp_cli_end(context, options);
    return status;
}

const fp_command fp_command_plan = {
    .name = "plan",
    .arguments = "[OPTION…]",
    .summary = "count what a pigeonhole index costs",
    .details = "Fingerprints within distance k agree in at least one of k + 1 blocks, so that a fingerprint stored under each of its\n"
               "blocks is found by exact look-ups, and only the candidates are compared. Candidates are expected values for\n"
               "fingerprints that are spread evenly.",
    .examples = "  fplab plan\n"
                "  fplab plan --bits 64 --blocks 6 --distance 5 --fingerprints 8e9",
    .run = run,
};
