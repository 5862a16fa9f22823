/* SPDX-License-Identifier: GPL-3.0-or-later
 * run.json. */
#include "reports/run.h"

#include <fcntl.h>
#include <gsl/gsl_version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unicode/uvernum.h>
#include <unistd.h>
#include <xxhash.h>

#include "algorithms/kernels/hamming.h"
#include "corpora/json_writer.h"
#include "reports/build.h"
#include "text/utf8.h"

/* A name of the file system, which may be no UTF-8: then it is written as {"percent": "…"}, every byte that is not
 * printing ASCII, and the percent sign, as % and two hexadecimal digits (RFC 3986). */
static void put_bytes(fp_json_writer *json, const char *name, const char *bytes, fp_arena *arena) {
    fp_string text = fp_string_of(bytes);
    if (fp_utf8_check(text) == text.length) {
        fp_json_put_text(json, name, bytes);
        return;
    }
    char *written = fp_arena_raw(arena, text.length * 3 + 1, 1);
    size_t used = 0;
    for (size_t i = 0; written && i < text.length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool plain = byte > ' ' && byte < 0x7f && byte != '%';
        used += (size_t)sprintf(written + used, plain ? "%c" : "%%%02X", byte);
    }
    fp_json_begin_object(json, name);
    fp_json_put_text(json, "percent", written);
    fp_json_end_object(json);
}

/* "model name" of /proc/cpuinfo, which stands near its beginning; the machine's kind where there is none. Without
 * allocations: what the processor is called must not depend on them. */
static void read_processor(const char *kind, char *name, size_t room) {
    char text[4096];
    int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, "model name"), *colon = line ? strchr(line, ':') : NULL;
    const char *value = colon ? colon + 1 + strspn(colon + 1, " ") : kind;
    snprintf(name, room, "%.*s", (int)strcspn(value, "\n"), value);
}

static void put_processor(fp_json_writer *json) {
    struct utsname facts;
    uname(&facts);
    char name[512];
    read_processor(facts.machine, name, sizeof name);
    fp_json_put_text(json, "processor", name);
    fp_json_put_text(json, "architecture", facts.machine);
    fp_json_put_text(json, "system", facts.sysname);
}

static void put_machine(fp_json_writer *json) {
    fp_json_begin_object(json, "machine");
    put_processor(json);
    fp_json_put_count(json, "threads", (uint64_t)fp_threads());
    fp_json_put_text(json, "hamming_kernel", fp_hamming_chosen()->name);
    fp_json_end_object(json);
    fp_json_begin_object(json, "libraries");
    fp_json_put_text(json, "gsl", gsl_version);
    fp_json_put_text(json, "icu", U_ICU_VERSION);
    char version[32];
    unsigned number = XXH_versionNumber();
    snprintf(version, sizeof version, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
    fp_json_put_text(json, "xxhash", version);
    fp_json_end_object(json);
}

/* The arm's parameters as an object: the table alone drives it. */
static void put_parameters(fp_json_writer *json, const char *name, const fp_parameter *table, const void *values,
                           fp_arena *arena) {
    fp_json_begin_object(json, name);
    for (const fp_parameter *row = table; row && row->name; row++) {
        const char *text = fp_parameter_text(row, values, arena);
        double number;
        bool numeric = (row->type == FP_INTEGER || row->type == FP_REAL) && text && fp_parse_real(text, &number);
        if (numeric) fp_json_put_written(json, row->name, text);
        else fp_json_put_text(json, row->name, text);
    }
    fp_json_end_object(json);
}

static void put_arm(fp_json_writer *json, const fp_arm *arm, fp_arena *arena) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "name", arm->name);
    fp_json_put_text(json, "spec", arm->spec);
    fp_json_put_text(json, "algorithm", algorithm->name);
    fp_json_put_text(json, "scale", arm->instance.layout.scale);
    put_parameters(json, "parameters", algorithm->parameters, arm->parameters, arena);
    if (arm->treatment) put_parameters(json, "text", fp_text_parameters, &arm->text, arena);
    if (arm->extractor) put_parameters(json, "features", fp_feature_parameters, &arm->features, arena);
    fp_json_end_object(json);
}

static void put_intervals(fp_json_writer *json, const fp_inference_options *options) {
    static const char *const EMPTY[] = {"na", "zero", "one"};
    fp_json_begin_object(json, "interval");
    fp_json_put_text(json, "method", fp_method_name(options->method));
    fp_json_put_text(json, "empty", EMPTY[options->empty]);
    fp_json_put_count(json, "replicates", options->replicates);
    fp_json_put_count(json, "seed", options->seed);
    fp_json_end_object(json);
}

/* The arms whose distances were rounded up to a grid (histogram.h), and to multiples of what. */
static void put_grids(fp_json_writer *json, const fp_outcome *outcome) {
    bool open = false;
    for (size_t i = 0; i < outcome->count; i++) {
        double step = outcome->measurements[i].histogram.step;
        if (step == 0) continue;
        if (!open) fp_json_begin_object(json, "distance_steps");
        open = true;
        fp_json_put_real(json, fp_arm_name(outcome->measurements[i].arm), step);
    }
    if (open) fp_json_end_object(json);
}

/* How many documents have nothing of what an arm reads (fp_arm_sketch_says); the arms that read something of all are
 * left out. */
static void put_silent(fp_json_writer *json, const fp_outcome *outcome) {
    bool open = false;
    for (size_t i = 0; i < outcome->count; i++) {
        size_t silent = outcome->measurements[i].silent_count;
        if (silent == 0) continue;
        if (!open) fp_json_begin_object(json, "documents_without_evidence");
        open = true;
        fp_json_put_count(json, fp_arm_name(outcome->measurements[i].arm), silent);
    }
    if (open) fp_json_end_object(json);
}

static void put_corpus(fp_json_writer *json, const fp_outcome *outcome, fp_arena *arena) {
    const fp_corpus *corpus = outcome->corpus;
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "name", corpus->name);
    put_bytes(json, "path", corpus->path, arena);
    fp_json_put_text(json, "truth",
                     corpus->truth == FP_TRUTH_PAIRS && !corpus->from_groups ? "labelled pairs" : "groups: all pairs");
    fp_json_put_count(json, "documents", corpus->document_count);
    fp_json_put_count(json, "groups", corpus->group_count);
    fp_json_put_count(json, "labelled_pairs", corpus->pair_count);
    fp_json_put_count(json, "rows_skipped", corpus->skipped);
    put_grids(json, outcome);
    put_silent(json, outcome);
    fp_json_begin_object(json, "sha256");
    fp_json_put_text(json, "documents", corpus->documents_sha256);
    if (corpus->pairs_sha256[0]) fp_json_put_text(json, "pairs", corpus->pairs_sha256);
    fp_json_end_object(json);
    /* What was found out about the pairs of each corpus. */
    fp_json_put_text(json, "resampling", outcome->inference ? fp_inference_describe(outcome->inference, arena) : "");
    fp_json_end_object(json);
}

static void put_definitions(fp_json_writer *json, const fp_results *results) {
    fp_json_begin_object(json, "definitions");
    fp_json_put_text(
        json, "prediction",
        results->level == FP_LEVEL_DOCUMENT
            ? "a document is predicted positive when one of its labelled pairs is at a distance <= threshold"
            : "a pair is predicted positive when its distance is <= threshold");
    fp_json_put_text(json, "level", fp_level_describe(results->level)->name);
    fp_json_put_text(json, "level_definition", fp_level_describe(results->level)->definition);
    for (int kind = 0; kind < FP_FIGURE_KINDS; kind++) {
        const fp_figure_row *row = fp_figure_describe((fp_figure_kind)kind);
        fp_json_put_text(json, row->name, row->definition);
    }
    if (results->inference) put_intervals(json, results->inference);
    fp_json_put_real(json, "confidence", results->confidence);
    fp_json_put_count(json, "first_threshold", (uint64_t)results->first_threshold);
    fp_json_put_count(json, "last_threshold", (uint64_t)results->last_threshold);
    fp_json_end_object(json);
}

/* Coordinated Universal Time, ISO 8601; that of SOURCE_DATE_EPOCH where it is set (reproducible-builds.org). */
static void put_date(fp_json_writer *json) {
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds;
    time_t now = epoch && fp_parse_integer(epoch, &seconds) && seconds >= 0 ? (time_t)seconds : time(NULL);
    struct tm parts;
    char date[40] = "";
    if (gmtime_r(&now, &parts)) strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    fp_json_put_text(json, "date", date);
}

static void put_built(fp_json_writer *json, const char *name, const fp_build_fact *facts) {
    fp_json_begin_object(json, name);
    for (; facts->name; facts++) fp_json_put_text(json, facts->name, facts->value);
    fp_json_end_object(json);
}

/* Version, commit, date, the directory the program ran in, and what it was built from. */
static void put_origin(fp_json_writer *json, fp_arena *arena) {
    fp_json_put_text(json, "version", FP_VERSION);
    fp_json_put_text(json, "commit", fp_build_commit);
    put_date(json);
    char here[4096];
    put_bytes(json, "directory", getcwd(here, sizeof here) ? here : "", arena);
    fp_json_begin_object(json, "tables");
    put_built(json, "packages", fp_build_packages);
    put_built(json, "sha256", fp_build_tables);
    fp_json_end_object(json);
}

/* A run.json that is being written. */
typedef struct run_file {
    fp_output output;
    fp_json_writer json;
    fp_arena *arena;
} run_file;

static fp_status begin(run_file *run, const char *path, int argument_count, const char *const *arguments,
                       fp_error *error) {
    run->arena = fp_arena_new();
    if (!run->arena) return fp_no_memory(error);
    fp_status status = fp_output_open(&run->output, path, error);
    if (status != FP_OK) {
        fp_arena_free(run->arena);
        return status;
    }
    run->json = fp_json_to(run->output.stream, 0);
    fp_json_begin_object(&run->json, NULL);
    fp_json_put_text(&run->json, "program", "fplab");
    put_origin(&run->json, run->arena);
    fp_json_begin_array(&run->json, "command");
    for (int i = 0; i < argument_count; i++) put_bytes(&run->json, NULL, arguments[i], run->arena);
    fp_json_end_array(&run->json);
    return FP_OK;
}

static fp_status end(run_file *run, fp_error *error) {
    put_machine(&run->json);
    fp_json_end_object(&run->json);
    fputc('\n', run->output.stream);
    fp_arena_free(run->arena);
    fp_status status = fp_json_done(&run->json, error);
    if (status == FP_OK) return fp_output_close(&run->output, error);
    fp_output_discard(&run->output);
    return status;
}

fp_status fp_run_save(const fp_results *results, int argument_count, const char *const *arguments, const char *path,
                      fp_error *error) {
    run_file run;
    FP_TRY(begin(&run, path, argument_count, arguments, error));
    fp_json_begin_array(&run.json, "corpora");
    for (size_t i = 0; i < results->count; i++) put_corpus(&run.json, results->outcomes + i, run.arena);
    fp_json_end_array(&run.json);
    fp_json_begin_array(&run.json, "arms");
    for (size_t i = 0; results->count && i < results->outcomes[0].count; i++)
        put_arm(&run.json, results->outcomes[0].measurements[i].arm, run.arena);
    fp_json_end_array(&run.json);
    put_definitions(&run.json, results);
    return end(&run, error);
}

static void put_fact(fp_json_writer *json, const fp_run_fact *fact) {
    if (fact->text) fp_json_put_text(json, fact->name, fact->text);
    else fp_json_put_real(json, fact->name, fact->number);
}

fp_status fp_run_save_facts(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_run_fact *facts,
                            int argument_count, const char *const *arguments, const char *path, fp_error *error) {
    run_file run;
    FP_TRY(begin(&run, path, argument_count, arguments, error));
    if (corpus) {
        fp_json_begin_array(&run.json, "corpora");
        put_corpus(&run.json, &(fp_outcome){.corpus = corpus}, run.arena);
        fp_json_end_array(&run.json);
        fp_json_begin_array(&run.json, "arms");
        for (size_t i = 0; i < count; i++) put_arm(&run.json, arms[i], run.arena);
        fp_json_end_array(&run.json);
    }
    fp_json_begin_object(&run.json, "definitions");
    for (; facts->name; facts++) put_fact(&run.json, facts);
    fp_json_end_object(&run.json);
    return end(&run, error);
}
