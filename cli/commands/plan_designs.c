/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan: designs of an index over fingerprints, side by side. */
#include <math.h>
#include <string.h>

#include "cli/commands/plan.h"
#include "cli/terminal.h"
#include "reports/runs/run.h"
#include "reports/tables/schemas.h"

/* ---- Reading ---- */

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

/* What is asked, without a sample. Returns −1, or the exit status after telling the mistake. */
static int parse_request(const fp_command *command, const fp_plan_designs *options, fp_plan_request *request) {
    size_t memory = 0;
    fp_error error = {0};
    *request = (fp_plan_request){.fingerprints = ldexp(1, 30)};
    if (options->fingerprints && !parse_count(options->fingerprints, &request->fingerprints))
        return fp_cli_usage(command, "--docs takes a count, not %s", options->fingerprints);
    if (options->memory && !fp_cli_parse_size(options->memory, &memory))
        return fp_cli_usage(command, "--memory takes a number of bytes such as 500M or 16G, not %s", options->memory);
    if (options->bits < 1 || options->distance < 0)
        return fp_cli_usage(command, "--bits is at least 1, and --distance not negative");
    request->bits = (unsigned)options->bits;
    request->distance = (unsigned)options->distance;
    request->most_bytes = (double)memory;
    fp_block_design design = {.bits = request->bits, .distance = request->distance};
    fp_index_plan scan;
    return fp_index_plan_make(FP_PLAN_SCAN, &design, request->fingerprints, &scan, &error) == FP_OK
               ? -1
               : fp_cli_usage(command, "%s", error.message);
}

/* "4", "6,agree=3", "4+4"; where only a similarity was named, one block more than the distance. */
static int parse_blocks(const fp_command *command, const fp_plan_designs *options, const fp_plan_request *request,
                        fp_arena *arena, fp_block_design *design) {
    fp_error error = {0};
    const char *text = options->blocks ? fp_format(arena, "blocks=%s", options->blocks)
                                       : fp_format(arena, "blocks=%u", request->distance + 1);
    if (fp_block_design_parse(text, request->bits, request->distance, design, &error) == FP_OK) return -1;
    if (error.code == FP_ERROR_SYNTAX)
        return fp_cli_usage(command, "--blocks takes a number of blocks, as in 4, 6,agree=3 or 4+4, not %s",
                            options->blocks);
    return fp_cli_usage(command, "%s", error.message);
}

static int parse_cosine(const fp_command *command, const char *text, double *cosine) {
    *cosine = NAN;
    if (!text || (fp_parse_real(text, cosine) && *cosine >= -1 && *cosine <= 1)) return -1;
    return fp_cli_usage(command, "--similarity without --slots takes a cosine, not %s", text);
}

/* ---- Rows ---- */

/* Whole numbers, two decimals, or the first digits of what is next to nothing, or of astronomical size. */
static void add_number(fp_table *table, double value, fp_arena *arena) {
    if ((value > 0 && value < 0.01) || value >= 1e15) fp_table_written(table, fp_format(arena, "%.2g", value));
    else fp_table_real(table, value, value >= 100 || value == floor(value) ? 0 : 2);
}

static const char *key_text(const fp_index_plan *row, fp_arena *arena) {
    if (row->key_most == 0) return "";
    return row->key_bits == row->key_most ? fp_format(arena, "%u", row->key_bits)
                                          : fp_format(arena, "%u-%u", row->key_bits, row->key_most);
}

/* For a person. */
static fp_table *short_table(const fp_plan_request *request, const fp_index_plans *plans, fp_arena *arena) {
    fp_table *table = fp_table_new(
        request->sample ? "design|>tables|>key bits|>look-ups|>candidates|>comparisons|>skew|>memory|>time|"
                        : "design|>tables|>key bits|>look-ups|>candidates|>comparisons|>memory|>time|",
        arena);
    for (size_t i = 0; table && i < plans->count; i++) {
        const fp_index_plan *row = plans->rows + i;
        fp_table_text(table, fp_index_plan_text(row, arena));
        fp_table_real(table, row->tables, 0);
        fp_table_text(table, key_text(row, arena));
        add_number(table, row->lookups, arena);
        add_number(table, row->candidates, arena);
        add_number(table, row->comparisons, arena);
        if (request->sample) fp_table_real(table, row->skew, 2);
        fp_table_text(table, fp_bytes_text(row->bytes, arena));
        fp_table_text(table, fp_nanoseconds_text(row->nanoseconds, arena));
        fp_table_text(table, row->recommended ? "recommended" : !row->fits ? "too large" : row->front ? "front" : "");
    }
    return table;
}

static fp_table *full_table(const fp_index_plans *plans, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_DESIGNS, arena);
    for (size_t i = 0; table && i < plans->count; i++) {
        const fp_index_plan *row = plans->rows + i;
        fp_table_text(table, fp_index_plan_text(row, arena));
        FP_TABLE_PUT(table, row->tables, row->copies, row->lookups, row->key_bits, row->key_most, row->lookup_most,
                     row->candidates, row->comparisons, row->skew, row->agreeing, row->bytes, row->nanoseconds,
                     row->fits, row->front, row->recommended);
    }
    return table;
}

/* ---- Files ---- */

static fp_status save_run(const fp_plan_designs *options, const fp_plan_request *request, const fp_index_plans *plans,
                          const char *path, fp_arena *arena, fp_error *error) {
    const char *design = fp_index_plan_text(plans->recommended, arena);
    const fp_run_fact facts[] = {{"choice", design, 0},
                                 {"reason", plans->reason, 0},
                                 {"bits", NULL, request->bits},
                                 {"distance", NULL, request->distance},
                                 {"fingerprints", NULL, request->fingerprints},
                                 {"most_bytes", NULL, request->most_bytes > 0 ? request->most_bytes : NAN},
                                 {"sample", options->sample ? options->sample : "", 0},
                                 {"sampled_of", NULL, request->sample ? (double)request->sample->seen : 0},
                                 {"sampled", NULL, request->sample ? (double)request->sample->count : 0},
                                 {NULL, NULL, 0}};
    const fp_run_facts of = {.facts = facts};
    return fp_run_save_facts(&of, options->out->argument_count, options->out->arguments, path, error);
}

static fp_status save(const fp_plan_designs *options, const fp_plan_request *request, const fp_index_plans *plans,
                      fp_arena *arena, fp_error *error) {
    const char *directory = options->out->run.place;
    FP_TRY(fp_cli_out_save(directory, "designs", full_table(plans, arena), arena, error));
    return save_run(options, request, plans, fp_format(arena, "%s/run.json", directory), arena, error);
}

/* A picture that fails is told when the tables are in place. */
static int write_out(const fp_plan_designs *options, const fp_plan_request *request, const fp_index_plans *plans,
                     fp_arena *arena) {
    fp_error error = {0};
    fp_plan_out *out = options->out;
    fp_cli_plots *plots = &out->plots;
    if (!out->target) return FP_EXIT_SUCCESS;
    int status = fp_cli_out_open(out->target, arena, &out->run);
    if (status >= 0) return status;
    status = FP_EXIT_SUCCESS;
    if (save(options, request, plans, arena, &error) != FP_OK) status = fp_cli_out_fail(&out->run, &error);
    else plots->failed = fp_cli_plots_draw(out->run.place, plots) != FP_OK;
    return fp_cli_plots_commit(plots, &out->run, status);
}

/* ---- On the terminal ---- */

/* Pairs of the sample that must agree before a ratio is worth its decimals. */
enum { FEW_PAIRS = 10 };

static void tell_sample(const fp_plan_request *request, const fp_index_plans *plans) {
    const fp_key_sample *sample = request->sample;
    size_t doubtful = 0;
    for (size_t i = 0; i < plans->count; i++) doubtful += plans->rows[i].agreeing < FEW_PAIRS;
    printf("Skew: candidates of fingerprints like those of the sample (%zu", sample->seen);
    if (sample->count < sample->seen) printf(", of which %zu were drawn", sample->count);
    printf(
        "), by those of an even\nspread, the least there can be. Pairs within distance %u are left out: they are what is asked for.\n",
        request->distance);
    if (doubtful)
        printf("In %zu designs fewer than %d pairs of the sample share a key: a larger sample would tell more.\n",
               doubtful, FEW_PAIRS);
}

/* Numbers of documents in tables have 32 bits, and the last is none. */
static void tell_shards(const fp_plan_request *request) {
    double most = UINT32_MAX - 1.0;
    if (request->fingerprints > most)
        printf(
            "One index numbers fewer than 2^32 fingerprints: these take %.0f shards at least, and a query asks each of them.\n",
            ceil(request->fingerprints / most));
}

static void tell_why_three(const fp_plan_request *request) {
    if (request->distance != 3 || request->bits != 64) return;
    printf(
        "\nWhy 3: among 8 billion web pages with fingerprints of 64 bits, the distances from 1 to 10 were tried on pairs\n"
        "that people had judged; up to 3, about three of four pairs found were near-duplicates, and about three of four\n"
        "near-duplicates were found; a smaller distance loses more of them, a larger one brings more that are none\n"
        "(Manku, Jain, Das Sarma, WWW 2007). And three bits that differ leave one of 4 blocks of 16 as it is.\n");
}

static int show(const fp_plan_request *request, const fp_index_plans *plans, fp_table_format format, fp_arena *arena) {
    if (format != FP_FORMAT_TABLE) return fp_cli_write(full_table(plans, arena), format);
    printf("%.0f fingerprints of %u bits; every one within distance %u of a query is found.\n\n", request->fingerprints,
           request->bits, request->distance);
    fp_cli_show_begin();
    int status = fp_cli_write(short_table(request, plans, arena), format);
    if (status != FP_EXIT_SUCCESS) return status;
    printf("\nRecommended: %s.\n", plans->reason);
    if (request->sample) tell_sample(request, plans);
    tell_shards(request);
    printf(
        "Candidates, comparisons and times are expected values for one query; times are by constants measured on one\n"
        "machine with many queries at once, and good for comparing designs.\n");
    tell_why_three(request);
    return FP_EXIT_SUCCESS;
}

/* ---- The command ---- */

static int compare(const fp_plan_designs *options, const fp_plan_request *request, bool print, fp_table_format format,
                   fp_arena *arena) {
    fp_index_plans plans;
    fp_error error = {0};
    fp_progress progress = fp_cli_progress();
    fp_status made = fp_index_plans_make(request, &progress, arena, &plans, &error);
    fp_cli_progress_end();
    if (made != FP_OK) return fp_cli_fail(&error);
    int status = write_out(options, request, &plans, arena),
        shown = print ? show(request, &plans, format, arena) : FP_EXIT_SUCCESS;
    return status == FP_EXIT_SUCCESS ? shown : status;
}

int fp_cli_plan_designs(const fp_command *command, const fp_plan_designs *options, fp_table_format format,
                        fp_arena *arena) {
    fp_plan_request request;
    fp_block_design design;
    fp_key_sample sample;
    double cosine;
    fp_error error = {0};
    bool one = options->blocks || options->similarity;
    int status = parse_request(command, options, &request);
    if (status < 0) status = parse_cosine(command, options->similarity, &cosine);
    if (status < 0 && one) status = parse_blocks(command, options, &request, arena, &design);
    if (status >= 0) return status;
    if (options->sample) {
        if (fp_key_sample_read(options->sample, request.bits, arena, &sample, &error) != FP_OK)
            return fp_cli_fail(&error);
        request.sample = &sample;
    }
    if (!one) return compare(options, &request, true, format, arena);
    status = options->out->target ? compare(options, &request, false, format, arena) : FP_EXIT_SUCCESS;
    int shown = fp_cli_plan_blocks(&request, &design, cosine, format, arena);
    return status == FP_EXIT_SUCCESS ? shown : status;
}
