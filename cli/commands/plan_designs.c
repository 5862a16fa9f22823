/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan: designs of an index over fingerprints, side by side. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "cli/commands/plan.h"
#include "cli/terminal.h"
#include "pairs/banding.h"
#include "reports/runs/run.h"
#include "reports/tables/schemas.h"

/* ---- Reading ---- */

/* A count: 1000000, 1e6 or 2^20. */
static bool parse_count(const char *text, double *count) {
    double base, exponent;
    if (!strchr(text, '^')) return fp_parse_real(text, count);
    if (!fp_cli_plan_numbers(text, '^', &base, &exponent)) return false;
    *count = pow(base, exponent);
    return isfinite(*count);
}

/* Resolves the options that need no sample. Returns the exit status after reporting the mistake. */
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
               ? FP_EXIT_SUCCESS
               : fp_cli_usage(command, "%s", error.message);
}

/* "4", "6,agree=3", "4+4"; where only a similarity was named, one block more than the distance. */
static int parse_blocks(const fp_command *command, const fp_plan_designs *options, const fp_plan_request *request,
                        fp_arena *arena, fp_block_design *design) {
    fp_error error = {0};
    const char *text = options->blocks ? fp_format(arena, "blocks=%s", options->blocks)
                                       : fp_format(arena, "blocks=%u", request->distance + 1);
    if (fp_block_design_parse(text, request->bits, request->distance, design, &error) == FP_OK) return FP_EXIT_SUCCESS;
    if (error.code == FP_ERROR_SYNTAX)
        return fp_cli_usage(command, "--blocks takes a number of blocks, as in 4, 6,agree=3 or 4+4, not %s",
                            options->blocks);
    return fp_cli_usage(command, "%s", error.message);
}

static int parse_cosine(const fp_command *command, const char *text, double *cosine) {
    *cosine = NAN;
    if (!text || (fp_parse_real(text, cosine) && *cosine >= -1 && *cosine <= 1)) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--similarity without --slots takes a cosine, not %s", text);
}

/* ---- Rows ---- */

/* Whole numbers, two decimals, or the first digits of very small or very large values. */
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
    for (size_t i = 0; i < plans->count; i++) {
        const fp_index_plan *row = plans->rows + i;
        fp_table_text(table, fp_index_plan_text(row, arena));
        fp_table_real(table, row->tables, 0);
        fp_table_text(table, key_text(row, arena));
        add_number(table, row->lookups, arena);
        add_number(table, row->candidates, arena);
        add_number(table, row->comparisons, arena);
        if (request->sample) fp_table_real(table, row->skew, 2);
        FP_TABLE_TEXTS(table, fp_bytes_text(row->bytes, arena), fp_nanoseconds_text(row->nanoseconds, arena),
                       row->recommended ? "recommended"
                       : !row->fits     ? "too large"
                       : row->front     ? "front"
                                        : "");
    }
    return table;
}

static fp_table *full_table(const fp_index_plans *plans, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_DESIGNS, arena);
    for (size_t i = 0; i < plans->count; i++) {
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
                          fp_arena *arena, fp_error *error) {
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
    fp_plan_out *out = options->out;
    return fp_run_save_facts(&(fp_run_facts){.facts = facts}, out->argument_count, out->arguments, &out->run.content,
                             error);
}

static fp_status save(const fp_plan_designs *options, const fp_plan_request *request, const fp_index_plans *plans,
                      fp_arena *arena, fp_error *error) {
    FP_TRY(fp_run_put_table(&options->out->run.content, "designs", full_table(plans, arena), error));
    return save_run(options, request, plans, arena, error);
}

static int write_out(const fp_plan_designs *options, const fp_plan_request *request, const fp_index_plans *plans,
                     fp_arena *arena) {
    fp_error error = {0};
    if (!options->out->target) return FP_EXIT_SUCCESS;
    FP_CLI_TRY(fp_cli_out_open(options->out->target, arena, &options->out->run));
    return fp_cli_plan_out_close(options->out, save(options, request, plans, arena, &error), &error);
}

/* ---- On the terminal ---- */

/* Pairs of the sample that must agree before a ratio is worth its decimals. */
enum { FEW_PAIRS = 10 };

static void print_sample(const fp_plan_request *request, const fp_index_plans *plans) {
    const fp_key_sample *sample = request->sample;
    size_t doubtful = 0;
    for (size_t i = 0; i < plans->count; i++) doubtful += plans->rows[i].agreeing < FEW_PAIRS;
    printf("Skew: candidates of fingerprints like those of the sample (%zu", sample->seen);
    if (sample->count < sample->seen) printf(", of which %zu were sampled", sample->count);
    printf(
        "), by those of an even\nspread, the least there can be. Pairs within distance %u are left out: they are answers, not candidates to reject.\n",
        request->distance);
    if (doubtful)
        printf("In %zu designs fewer than %d pairs of the sample share a key: use a larger sample.\n", doubtful,
               FEW_PAIRS);
}

/* Document numbers in tables have 32 bits, and the last value is reserved. */
static void print_shards(const fp_plan_request *request) {
    double most = UINT32_MAX - 1.0;
    if (request->fingerprints > most)
        printf(
            "One index numbers fewer than 2^32 fingerprints: these take %.0f shards at least, and a query asks each of them.\n",
            ceil(request->fingerprints / most));
}

static void print_why_three(const fp_plan_request *request) {
    if (request->distance != 3 || request->bits != 64) return;
    printf(
        "\nWhy 3: among 8 billion web pages with fingerprints of 64 bits, the distances from 1 to 10 were tried on pairs\n"
        "that people had judged; up to 3, about three of four pairs found were near-duplicates, and about three of four\n"
        "near-duplicates were found; a smaller distance loses more of them, a larger one adds more false ones\n"
        "(Manku, Jain, Das Sarma, WWW 2007). And three bits that differ leave one of 4 blocks of 16 as it is.\n");
}

static void show(const fp_plan_request *request, const fp_index_plans *plans, fp_table_format format, fp_arena *arena) {
    if (format != FP_FORMAT_TABLE) {
        fp_cli_write(full_table(plans, arena), format);
        return;
    }
    printf("%.0f fingerprints of %u bits; every one within distance %u of a query is found.\n\n", request->fingerprints,
           request->bits, request->distance);
    fp_cli_show_begin();
    fp_cli_write(short_table(request, plans, arena), format);
    printf("\nRecommended: %s.\n", plans->reason);
    if (request->sample) print_sample(request, plans);
    print_shards(request);
    printf(
        "Candidates, comparisons and times are expected values for one query; times are by constants measured on one\n"
        "machine with many queries at once, and good for comparing designs.\n");
    print_why_three(request);
}

/* ---- One design, figure by figure; with a cosine (else NaN) how probable it is that texts are found ---- */

/* What each way costs; `shared` where keys are single blocks, which could be stored without their numbers. */
static fp_status collect(const fp_plan_request *request, const fp_block_design *design, bool shared, fp_index_plan *all,
                         fp_error *error) {
    double count = request->fingerprints;
    fp_progress progress = fp_cli_progress();
    for (fp_plan_method m = FP_PLAN_SCAN; m <= FP_PLAN_BLOCKS; m++) {
        if (m == FP_PLAN_SHARED && !shared) continue;
        FP_TRY(fp_index_plan_make(m, design, count, all + m, error));
        if (request->sample) FP_TRY(fp_index_plan_correct(all + m, count, request->sample, &progress, error));
    }
    return FP_OK;
}

static void add_fact(fp_table *table, const char *name, double value, const char *meaning) {
    fp_table_text(table, name);
    fp_table_real(table, value, value == floor(value) ? 0 : 3);
    fp_table_text(table, meaning);
}

static void show_figures(const fp_index_plan *all, bool shared, bool sampled, fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("figure|>value|meaning", arena);
    const fp_index_plan *blocks = all + FP_PLAN_BLOCKS;
    add_fact(table, "brute_force", all[FP_PLAN_SCAN].comparisons, "comparisons of a full scan, for each query");
    add_fact(table, "block_bits", blocks->key_bits, "bits of the narrowest key");
    add_fact(table, "lookups", blocks->lookups, "look-ups for each query, one a table");
    add_fact(table, "candidates", blocks->candidates, "expected under the keys of a query, a table a key");
    if (shared)
        add_fact(table, "candidates_shared", all[FP_PLAN_SHARED].candidates,
                 "the same when all blocks share one key space");
    add_fact(table, "storage", blocks->copies, "copies of each fingerprint");
    add_fact(table, "variants", all[FP_PLAN_VARIANTS].lookups,
             "look-ups or copies if every near fingerprint is enumerated");
    add_fact(table, "comparisons", blocks->comparisons,
             "expected for each query: candidates, and what is grouped with them");
    add_fact(table, "bytes", blocks->bytes, "of all tables, without records");
    add_fact(table, "nanoseconds", blocks->nanoseconds, "expected for each query, as measured on one machine");
    if (sampled)
        add_fact(table, "skew", blocks->skew, "candidates of fingerprints like the sample, by those spread evenly");
    fp_cli_write(table, format);
}

/* ---- Fingerprints at an angle ---- */

/* With two levels the keys are not those of any number of agreeing blocks, and no law is stated for them. */
static double found_by(const fp_block_design *design, double differs) {
    if (design->level_count != 1) return NAN;
    return fp_blocks_agreeing(design->bits, design->level[0].blocks, design->level[0].agree, differs);
}

/* How probable it is that two fingerprints whose texts have a cosine are found, and that they lie within the distance.
 */
static int show_cosines(const fp_block_design *design, double target, fp_table_format format, fp_arena *arena) {
    double cosines[] = {0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.999, target};
    size_t count = sizeof cosines / sizeof *cosines;
    fp_table *table = fp_table_new(">cosine|>mean_distance|>found|>within_distance|", arena);
    gsl_sort(cosines, 1, count);
    for (size_t i = 0; i < count; i++) {
        if (i && cosines[i] == cosines[i - 1]) continue;
        double differs = fp_law_angle(cosines[i]);
        fp_table_real(table, cosines[i], 3);
        fp_table_real(table, differs * design->bits, 2);
        fp_table_real(table, found_by(design, differs), 4);
        fp_table_real(table, fp_law_binomial(design->distance, differs, design->bits), 4);
        fp_table_text(table, cosines[i] == target ? "target" : "");
    }
    return fp_cli_write(table, format);
}

static int show_design(const fp_plan_request *request, const fp_block_design *design, double cosine,
                       fp_table_format format, fp_arena *arena) {
    fp_index_plan all[FP_PLAN_BLOCKS + 1];
    fp_error error = {0};
    bool asked = !isnan(cosine), shared = design->level_count == 1 && design->level[0].agree == 1;
    if (asked && format != FP_FORMAT_TABLE) return show_cosines(design, cosine, format, arena);
    fp_status collected = collect(request, design, shared, all, &error);
    fp_cli_progress_end();
    if (collected != FP_OK) return fp_cli_fail(&error);
    show_figures(all, shared, request->sample, format, arena);
    if (!asked) return FP_EXIT_SUCCESS;
    printf("\nTexts with a cosine differ in angle/pi of their bits: found, some key equal; and within distance %u\n\n",
           design->distance);
    return show_cosines(design, cosine, format, arena);
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
    int status = write_out(options, request, &plans, arena);
    if (print) show(request, &plans, format, arena);
    return status;
}

int fp_cli_plan_designs(const fp_command *command, const fp_plan_designs *options, fp_table_format format,
                        fp_arena *arena) {
    fp_plan_request request;
    fp_block_design design;
    fp_key_sample sample;
    double cosine;
    fp_error error = {0};
    bool one = options->blocks || options->similarity;
    FP_CLI_TRY(parse_request(command, options, &request));
    FP_CLI_TRY(parse_cosine(command, options->similarity, &cosine));
    if (one) FP_CLI_TRY(parse_blocks(command, options, &request, arena, &design));
    if (options->sample) {
        if (fp_key_sample_read(options->sample, request.bits, arena, &sample, &error) != FP_OK)
            return fp_cli_fail(&error);
        request.sample = &sample;
    }
    if (!one) return compare(options, &request, true, format, arena);
    int status = options->out->target ? compare(options, &request, false, format, arena) : FP_EXIT_SUCCESS;
    int shown = show_design(&request, &design, cosine, format, arena);
    return status == FP_EXIT_SUCCESS ? shown : status;
}
