/* SPDX-License-Identifier: GPL-3.0-or-later
 * run.json. */
#include "reports/run.h"

#include <gsl/gsl_version.h>
#include <json-c/json.h>
#include <math.h>
#include <omp.h>
#include <string.h>
#include <sys/utsname.h>
#include <unicode/uvernum.h>
#include <xxhash.h>

#include "algorithms/kernels/hamming.h"

static void put_text(json_object *object, const char *name, const char *value) {
    json_object_object_add(object, name, json_object_new_string(value));
}

static void put_count(json_object *object, const char *name, uint64_t value) {
    json_object_object_add(object, name, json_object_new_uint64(value));
}

static json_object *put_object(json_object *object, const char *name) {
    json_object *made = json_object_new_object();
    json_object_object_add(object, name, made);
    return made;
}

static json_object *put_array(json_object *object, const char *name) {
    json_object *made = json_object_new_array();
    json_object_object_add(object, name, made);
    return made;
}

/* "model name" of /proc/cpuinfo; the machine's kind where there is none. */
static void put_processor(json_object *machine) {
    struct utsname facts;
    uname(&facts);
    char line[512], name[512];
    snprintf(name, sizeof name, "%s", facts.machine);
    FILE *stream = fopen("/proc/cpuinfo", "r");
    while (stream && fgets(line, sizeof line, stream)) {
        if (strncmp(line, "model name", 10) != 0 || !strchr(line, ':')) continue;
        snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
        name[strcspn(name, "\n")] = '\0';
        break;
    }
    if (stream) fclose(stream);
    put_text(machine, "processor", name);
    put_text(machine, "architecture", facts.machine);
    put_text(machine, "system", facts.sysname);
}

static void put_machine(json_object *run) {
    json_object *machine = put_object(run, "machine");
    put_processor(machine);
    put_count(machine, "threads", (uint64_t)omp_get_max_threads());
    put_text(machine, "hamming_kernel", fp_hamming_chosen()->name);
    json_object *libraries = put_object(run, "libraries");
    put_text(libraries, "gsl", gsl_version);
    put_text(libraries, "icu", U_ICU_VERSION);
    char version[32];
    unsigned number = XXH_versionNumber();
    snprintf(version, sizeof version, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
    put_text(libraries, "xxhash", version);
}

/* The arm's parameters as members: the table alone drives it. */
static void put_parameters(json_object *object, const fp_parameter *table, const void *values, fp_arena *arena) {
    for (const fp_parameter *row = table; row && row->name; row++) {
        const char *text = fp_parameter_text(row, values, arena);
        double number;
        bool numeric = (row->type == FP_INTEGER || row->type == FP_REAL) && fp_parse_real(text, &number);
        json_object_object_add(object, row->name,
                               numeric ? json_object_new_double_s(number, text) : json_object_new_string(text));
    }
}

static void put_arm(json_object *arms, const fp_arm *arm, fp_arena *arena) {
    json_object *object = json_object_new_object();
    const fp_algorithm *algorithm = arm->instance.algorithm;
    put_text(object, "name", arm->name);
    put_text(object, "spec", arm->spec);
    put_text(object, "algorithm", algorithm->name);
    put_text(object, "scale", arm->instance.layout.scale);
    put_parameters(put_object(object, "parameters"), algorithm->parameters, arm->parameters, arena);
    if (arm->treatment) put_parameters(put_object(object, "text"), fp_text_parameters, &arm->text, arena);
    if (arm->extractor) put_parameters(put_object(object, "features"), fp_feature_parameters, &arm->features, arena);
    json_object_array_add(arms, object);
}

static void put_intervals(json_object *definitions, const fp_inference_options *options) {
    static const char *const EMPTY[] = {"na", "zero", "one"};
    json_object *interval = put_object(definitions, "interval");
    put_text(interval, "method", fp_method_name(options->method));
    put_text(interval, "empty", EMPTY[options->empty]);
    put_count(interval, "replicates", options->replicates);
    put_count(interval, "seed", options->seed);
}

/* What was found out about the pairs of each corpus. */
static void put_resampling(json_object *object, const fp_outcome *outcome, fp_arena *arena) {
    const char *text = outcome->inference ? fp_inference_describe(outcome->inference, arena) : NULL;
    put_text(object, "resampling", text ? text : "");
}

/* The arms whose distances were rounded up to a grid (histogram.h), and to multiples of what. */
static void put_grids(json_object *object, const fp_outcome *outcome) {
    json_object *steps = NULL;
    for (size_t i = 0; i < outcome->count; i++) {
        double step = outcome->measurements[i].histogram.step;
        if (step == 0) continue;
        if (!steps) steps = put_object(object, "distance_steps");
        json_object_object_add(steps, fp_arm_name(outcome->measurements[i].arm), json_object_new_double(step));
    }
}

static void put_corpus(json_object *corpora, const fp_outcome *outcome, fp_arena *arena) {
    const fp_corpus *corpus = outcome->corpus;
    json_object *object = json_object_new_object();
    put_text(object, "name", corpus->name);
    put_text(object, "path", corpus->path);
    put_text(object, "truth",
             corpus->truth == FP_TRUTH_PAIRS && !corpus->from_groups ? "labelled pairs" : "groups: all pairs");
    put_count(object, "documents", corpus->document_count);
    put_count(object, "groups", corpus->group_count);
    put_count(object, "labelled_pairs", corpus->pair_count);
    put_count(object, "rows_skipped", corpus->skipped);
    put_grids(object, outcome);
    json_object *sums = put_object(object, "sha256");
    put_text(sums, "documents", corpus->documents_sha256);
    if (corpus->pairs_sha256[0]) put_text(sums, "pairs", corpus->pairs_sha256);
    put_resampling(object, outcome, arena);
    json_object_array_add(corpora, object);
}

static void put_definitions(json_object *run, const fp_results *results) {
    json_object *definitions = put_object(run, "definitions");
    put_text(definitions, "prediction", "a pair is predicted positive when its distance is <= threshold");
    put_text(definitions, "level", fp_level_describe(results->level)->name);
    put_text(definitions, "level_definition", fp_level_describe(results->level)->definition);
    for (int kind = 0; kind < FP_FIGURE_KINDS; kind++) {
        const fp_figure_row *row = fp_figure_describe((fp_figure_kind)kind);
        put_text(definitions, row->name, row->definition);
    }
    if (results->inference) put_intervals(definitions, results->inference);
    json_object_object_add(definitions, "confidence", json_object_new_double(results->confidence));
    put_count(definitions, "first_threshold", (uint64_t)results->first_threshold);
    put_count(definitions, "last_threshold", (uint64_t)results->last_threshold);
}

static json_object *begin(int argument_count, const char *const *arguments) {
    json_object *run = json_object_new_object();
    put_text(run, "program", "fplab");
    put_text(run, "version", FP_VERSION);
    json_object *command = put_array(run, "command");
    for (int i = 0; i < argument_count; i++) json_object_array_add(command, json_object_new_string(arguments[i]));
    return run;
}

static json_object *describe(const fp_results *results, int argument_count, const char *const *arguments,
                             fp_arena *arena) {
    json_object *run = begin(argument_count, arguments);
    json_object *corpora = put_array(run, "corpora");
    for (size_t i = 0; i < results->count; i++) put_corpus(corpora, results->outcomes + i, arena);
    json_object *arms = put_array(run, "arms");
    for (size_t i = 0; results->count && i < results->outcomes[0].count; i++)
        put_arm(arms, results->outcomes[0].measurements[i].arm, arena);
    put_definitions(run, results);
    put_machine(run);
    return run;
}

/* Releases `run`. */
static fp_status write_run(json_object *run, const char *path, fp_error *error) {
    fp_output output;
    fp_status status = fp_output_open(&output, path, error);
    if (status == FP_OK) {
        fprintf(output.stream, "%s\n",
                json_object_to_json_string_ext(run, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
        status = fp_output_close(&output, error);
    }
    json_object_put(run);
    return status;
}

fp_status fp_run_save(const fp_results *results, int argument_count, const char *const *arguments, const char *path,
                      fp_error *error) {
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(error);
    fp_status status = write_run(describe(results, argument_count, arguments, arena), path, error);
    fp_arena_free(arena);
    return status;
}

static void put_fact(json_object *object, const fp_run_fact *fact) {
    char digits[40];
    snprintf(digits, sizeof digits, "%.15g", fact->number);
    if (fact->text) put_text(object, fact->name, fact->text);
    else
        json_object_object_add(object, fact->name,
                               isnan(fact->number) ? NULL : json_object_new_double_s(fact->number, digits));
}

fp_status fp_run_save_facts(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_run_fact *facts,
                            int argument_count, const char *const *arguments, const char *path, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(error);
    json_object *run = begin(argument_count, arguments);
    put_corpus(put_array(run, "corpora"), &(fp_outcome){.corpus = corpus}, arena);
    json_object *list = put_array(run, "arms"), *definitions = put_object(run, "definitions");
    for (size_t i = 0; i < count; i++) put_arm(list, arms[i], arena);
    for (; facts->name; facts++) put_fact(definitions, facts);
    put_machine(run);
    fp_status status = write_run(run, path, error);
    fp_arena_free(arena);
    return status;
}
