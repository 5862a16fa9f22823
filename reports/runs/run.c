/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes run.json. */
#include "reports/runs/run.h"

#include <fcntl.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unicode/uvernum.h>
#include <unistd.h>
#include <xxhash.h>

#include "algorithms/kernels/hamming.h"
#include "base/parallel.h"
#include "corpora/json_writer.h"
#include "eval/evaluation/outcome.h"
#include "reports/runs/build.h"
#include "reports/runs/recorded.h"
#include "text/unicode/utf8.h"

/* ---- Program and machine ---- */

/* Writes a file name as a string. If it is not UTF-8, writes {"percent": "…"}: % and two hexadecimal digits for the
 * percent sign and every byte other than printing ASCII (RFC 3986). */
static void put_bytes(fp_json_writer *json, const char *name, const char *bytes, fp_arena *arena) {
    fp_string text = fp_string_of(bytes);
    if (fp_utf8_check(text) == text.length) {
        fp_json_put_text(json, name, bytes);
        return;
    }
    char *written = fp_arena_raw(arena, text.length * 3 + 1, 1);
    size_t used = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        bool plain = byte > ' ' && byte < 0x7f && byte != '%';
        used += (size_t)sprintf(written + used, plain ? "%c" : "%%%02X", byte);
    }
    fp_json_begin_object(json, name);
    fp_json_put_text(json, "percent", written);
    fp_json_end_object(json);
}

/* "model name" near the start of /proc/cpuinfo, or else `kind`. Allocates nothing, so the result cannot depend on
 * memory. */
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

static void put_machine(fp_json_writer *json) {
    struct utsname facts;
    char name[512], version[32];
    uname(&facts);
    read_processor(facts.machine, name, sizeof name);
    fp_json_begin_object(json, "machine");
    fp_json_put_text(json, "processor", name);
    fp_json_put_text(json, "architecture", facts.machine);
    fp_json_put_text(json, "system", facts.sysname);
    fp_json_put_count(json, "threads", (uint64_t)fp_threads(NULL));
    fp_cpu counting = fp_cpu_counting(fp_cpu_chosen());
    fp_json_put_text(json, "hamming_kernel", counting == FP_CPU_AVX512 ? "avx512-vpopcntdq" : fp_cpu_name(counting));
    fp_json_end_object(json);
    fp_json_begin_object(json, "libraries");
    fp_json_put_text(json, "gsl", gsl_version);
    fp_json_put_text(json, "icu", U_ICU_VERSION);
    unsigned number = XXH_versionNumber();
    snprintf(version, sizeof version, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
    fp_json_put_text(json, "xxhash", version);
    fp_json_end_object(json);
}

/* Coordinated Universal Time, ISO 8601; SOURCE_DATE_EPOCH replaces the time if set (reproducible-builds.org). */
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

/* State while run.json is written. */
typedef struct run_file {
    fp_run_content *to;
    fp_memory_stream memory;
    fp_json_writer json;
    fp_arena *arena;
} run_file;

/* Writes parameters as an object, driven by `table` alone, except the row `without` (may be NULL). */
static void put_parameters(fp_json_writer *json, const char *name, const fp_parameter *table, const void *values,
                           const fp_parameter *without, fp_arena *arena) {
    fp_json_begin_object(json, name);
    for (const fp_parameter *row = table; row && row->name; row++) {
        if (row == without) continue;
        const char *text = fp_parameter_text(row, values, arena);
        double number;
        bool numeric = (row->type == FP_INTEGER || row->type == FP_REAL) && text && fp_parse_real(text, &number);
        if (numeric) fp_json_put_written(json, row->name, text);
        else fp_json_put_text(json, row->name, text);
    }
    fp_json_end_object(json);
}

/* The hash seeds of an arm whose spec leaves the seed open. */
static void put_seeds(fp_json_writer *json, const fp_outcome *outcome, size_t arm) {
    FP_JSON_LIST(json, "seeds", k, fp_seed_count(outcome->further, arm),
                 fp_json_put_count(json, NULL,
                                   fp_arm_own_seed(outcome->measurements[fp_seed_lane(outcome->further, arm, k)].arm)));
}

/* `place`: number of the arm in `outcome`. `outcome` may be NULL. */
static void put_arm(fp_json_writer *json, const fp_arm *arm, const fp_outcome *outcome, size_t place, fp_arena *arena) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    const fp_parameter *open = outcome ? arm->seed : NULL;
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "name", arm->name);
    fp_json_put_text(json, "spec", open ? arm->any_seed : arm->spec);
    if (open) put_seeds(json, outcome, place);
    fp_json_put_text(json, "algorithm", algorithm->name);
    fp_json_put_text(json, "scale", arm->instance.layout.scale);
    put_parameters(json, "parameters", algorithm->parameters, arm->parameters, open, arena);
    if (arm->preprocessor) put_parameters(json, "text", arm->text_parameters, &arm->text, NULL, arena);
    if (arm->extractor) put_parameters(json, "features", fp_feature_parameters, &arm->features, NULL, arena);
    fp_json_end_object(json);
}

/* Writes the path and checksum of a file that arms read; that of other than regular files (a pipe) is unknown. */
static fp_status put_input(run_file *run, const char *path, fp_error *error) {
    FP_SCRATCH(scratch, run->arena, error); /* holds the whole file */
    char sum[65];
    bool known;
    FP_TRY(fp_recorded_checksum(path, scratch, sum, &known, error));
    fp_json_begin_object(&run->json, NULL);
    put_bytes(&run->json, "path", path, scratch);
    fp_json_put_text(&run->json, "sha256", known ? sum : "");
    fp_json_end_object(&run->json);
    return FP_OK;
}

static bool is_listed(const char *path, const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(paths[i], path) == 0) return true;
    return false;
}

/* Writes each file that arms name once. */
static fp_status put_inputs(run_file *run, fp_arm *const *arms, size_t count, fp_error *error) {
    const char **paths = NULL;
    size_t listed = 0, room = 0;
    fp_json_begin_array(&run->json, "inputs");
    for (size_t i = 0; i < count; i++)
        for (const char *const *file = fp_arm_files(arms[i], run->arena); *file; file++) {
            if (is_listed(*file, paths, listed)) continue;
            FP_TRY(FP_ROOM(run->arena, paths, listed, room, error));
            paths[listed++] = *file;
            FP_TRY(put_input(run, *file, error));
        }
    fp_json_end_array(&run->json);
    return FP_OK;
}

static fp_status put_arms(run_file *run, fp_arm *const *arms, size_t count, const fp_outcome *outcome,
                          fp_error *error) {
    FP_JSON_LIST(&run->json, "arms", i, count, put_arm(&run->json, arms[i], outcome, i, run->arena));
    return put_inputs(run, arms, count, error);
}

static void put_intervals(fp_json_writer *json, const fp_inference_options *options) {
    static const char *const EMPTY[] = {"na", "zero", "one"};
    fp_json_begin_object(json, "interval");
    fp_json_put_text(json, "method", fp_method_name(options->method));
    fp_json_put_text(json, "empty", EMPTY[options->empty]);
    fp_json_put_count(json, "replicates", options->replicates);
    if (options->most_replicates) fp_json_put_count(json, "most_replicates", options->most_replicates);
    fp_json_put_count(json, "seed", options->seed);
    fp_json_put_real(json, "equivalence_margin", fp_inference_margin(options));
    fp_json_put_real(json, "detect", fp_inference_detect(options));
    fp_json_end_object(json);
}

/* Writes the nonzero figures by arm; no object if all are 0. */
static void put_each(fp_json_writer *json, const char *name, const fp_outcome *outcome,
                     double (*figure)(const fp_measurement *of)) {
    bool open = false;
    for (size_t i = 0; i < outcome->count; i++) {
        double value = figure(outcome->measurements + i);
        if (value == 0) continue;
        if (!open) fp_json_begin_object(json, name);
        open = true;
        fp_json_put_real(json, fp_results_name(outcome, i), value);
    }
    if (open) fp_json_end_object(json);
}

/* The grid step to which distances were rounded up (histogram.h). */
static double step_of(const fp_measurement *of) { return of->histogram.step; }

/* Number of documents with an empty sketch. */
static double empty_of(const fp_measurement *of) { return (double)of->empty_count; }

/* The sample of non-duplicate pairs, and the arms whose pairs were all counted. */
static void put_drawn(fp_json_writer *json, const fp_outcome *outcome) {
    const fp_drawn_sample *of = outcome->inference->drawn;
    fp_json_begin_object(json, "negatives");
    fp_json_put_count(json, "all", of->all);
    fp_json_put_count(json, "near", of->near);
    fp_json_put_count(json, "drawn", of->drawn);
    fp_json_put_real(json, "weight", of->weight);
    fp_json_put_count(json, "seed", of->seed);
    fp_json_begin_array(json, "counted");
    for (size_t i = 0; i < outcome->count; i++)
        if (of->whole[i]) fp_json_put_text(json, NULL, fp_results_name(outcome, i));
    fp_json_end_array(json);
    fp_json_end_object(json);
}

static void put_corpus(fp_json_writer *json, const fp_outcome *outcome, fp_arena *arena) {
    const fp_corpus *corpus = outcome->corpus;
    fp_json_begin_object(json, NULL);
    put_bytes(json, "name", corpus->name, arena);
    put_bytes(json, "path", corpus->path, arena);
    fp_json_put_text(json, "truth",
                     corpus->truth == FP_TRUTH_PAIRS && !corpus->from_groups ? "labelled pairs" : "groups: all pairs");
    fp_json_put_count(json, "documents", corpus->document_count);
    fp_json_put_count(json, "groups", corpus->group_count);
    fp_json_put_count(json, "labelled_pairs", corpus->pair_count);
    fp_json_put_count(json, "rows_skipped", corpus->skipped);
    if (outcome->inference && outcome->inference->drawn) put_drawn(json, outcome);
    put_each(json, "distance_steps", outcome, step_of);
    put_each(json, "documents_without_evidence", outcome, empty_of);
    fp_json_begin_object(json, "sha256");
    fp_json_put_text(json, "documents", corpus->documents_sha256);
    if (corpus->pairs_sha256[0]) fp_json_put_text(json, "pairs", corpus->pairs_sha256);
    if (corpus->table_sha256[0]) fp_json_put_text(json, "table", corpus->table_sha256);
    fp_json_end_object(json);
    if (outcome->hash_seeds) fp_json_put_count(json, "hash_seeds", outcome->hash_seeds);
    /* A description of the dependence of the corpus's pairs. */
    fp_json_put_text(json, "resampling", outcome->inference ? fp_inference_describe(outcome->inference, arena) : "");
    fp_json_end_object(json);
}

static void put_definitions(fp_json_writer *json, const fp_results *results, fp_arena *arena) {
    fp_json_begin_object(json, "definitions");
    fp_json_put_text(
        json, "prediction",
        results->level == FP_LEVEL_DOCUMENT
            ? "a document is predicted positive when one of its labelled pairs is at a distance <= threshold"
            : "a pair is predicted positive when its distance is <= threshold");
    fp_json_put_text(
        json, "hash_seeds",
        "counts and figures of an arm are means over its seeds, of those under which they are defined; "
        "McNemar's counts, laws, edits, lost pairs, costs, probabilities and curves of gains are of the first");
    fp_json_put_text(json, "level", fp_level_describe(results->level)->name);
    fp_json_put_text(json, "level_definition", fp_level_describe(results->level)->definition);
    const fp_measure_row *row;
    for (size_t i = 0; (row = fp_measure_listed(i)); i++) fp_json_put_text(json, row->name, row->definition);
    if (results->inference) put_intervals(json, results->inference);
    fp_json_put_text(json, "curves", fp_results_curves_describe(results, arena));
    fp_json_put_real(json, "confidence", results->confidence);
    fp_json_put_count(json, "first_threshold", (uint64_t)results->first_threshold);
    fp_json_put_count(json, "last_threshold", (uint64_t)results->last_threshold);
    fp_json_end_object(json);
}

static fp_status begin(run_file *run, fp_run_content *to, int argument_count, const char *const *arguments,
                       fp_error *error) {
    *run = (run_file){.to = to};
    FP_TRY(fp_memory_stream_open(&run->memory, error));
    run->arena = fp_arena_new_like(to->arena);
    run->json = fp_json_to(run->memory.stream, 0);
    fp_json_begin_object(&run->json, NULL);
    fp_json_put_text(&run->json, "program", "fplab");
    put_origin(&run->json, run->arena);
    FP_JSON_LIST(&run->json, "command", i, argument_count, put_bytes(&run->json, NULL, arguments[i], run->arena));
    return FP_OK;
}

/* `status`: result of writing the members. */
static fp_status end(run_file *run, fp_status status, fp_error *error) {
    put_machine(&run->json);
    fp_json_end_object(&run->json);
    fputc('\n', run->memory.stream);
    fp_arena_free(run->arena);
    if (status == FP_OK) status = fp_json_done(&run->json, error);
    return fp_run_put_json(run->to, &run->memory, status, error);
}

fp_status fp_run_save(const fp_results *results, int argument_count, const char *const *arguments, fp_run_content *to,
                      fp_error *error) {
    run_file run;
    FP_TRY(begin(&run, to, argument_count, arguments, error));
    size_t count = results->count ? results->outcomes[0].count : 0;
    fp_arm **arms = fp_arena_alloc(run.arena, count + 1, sizeof *arms);
    for (size_t i = 0; i < count; i++) arms[i] = results->outcomes[0].measurements[i].arm;
    FP_JSON_LIST(&run.json, "corpora", i, results->count, put_corpus(&run.json, results->outcomes + i, run.arena));
    fp_status status = put_arms(&run, arms, count, results->outcomes, error);
    if (status == FP_OK) put_definitions(&run.json, results, run.arena);
    return end(&run, status, error);
}

static void put_fact(fp_json_writer *json, const fp_run_fact *fact) {
    if (fact->text) fp_json_put_text(json, fact->name, fact->text);
    else fp_json_put_real(json, fact->name, fact->number);
}

fp_status fp_run_save_facts(const fp_run_facts *of, int argument_count, const char *const *arguments,
                            fp_run_content *to, fp_error *error) {
    run_file run;
    FP_TRY(begin(&run, to, argument_count, arguments, error));
    fp_status status = FP_OK;
    if (of->corpus) {
        FP_JSON_LIST(&run.json, "corpora", i, (of->corpus_count ? of->corpus_count : 1),
                     put_corpus(&run.json, &(fp_outcome){.corpus = of->corpus + i}, run.arena));
        if (of->arm_count) status = put_arms(&run, of->arms, of->arm_count, NULL, error);
    }
    if (of->file) {
        fp_json_begin_array(&run.json, "inputs");
        status = put_input(&run, of->file, error);
        fp_json_end_array(&run.json);
    }
    fp_json_begin_object(&run.json, "definitions");
    for (const fp_run_fact *fact = of->facts; fact->name; fact++) put_fact(&run.json, fact);
    fp_json_end_object(&run.json);
    return end(&run, status, error);
}

/* ---- run.json of tuning ---- */

fp_status fp_tuning_run_save(const fp_tuning *tuning, int argument_count, const char *const *arguments,
                             fp_run_content *to, fp_error *error) {
    const fp_tuned *tuned = tuning->tuned;
    const fp_tune_options *options = tuned->options;
    bool recall = !isnan(options->objective.min_precision);
    const fp_run_fact facts[] = {
        {"objective",
         recall ? "most recall at a precision that is shown to be at least min_precision"
                : "F-beta: (1 + beta^2)tp/((1 + beta^2)tp + beta^2 fn + fp), false positives weighted",
         0},
        {"beta", NULL, recall ? NAN : options->objective.beta},
        {"min_precision", NULL, options->objective.min_precision},
        {"test",
         recall ? "Clopper-Pearson limit at the effective number of units of Korn and Graubard, thresholds in fixed "
                  "sequence, Bonferroni over arms"
                : NULL,
         NAN},
        {"level", NULL, recall ? tuned->level : NAN},
        {"min_precision_reached",
         !recall                           ? NULL
         : tuned->best.arm != FP_TUNE_NONE ? "yes"
                                           : "no",
         NAN},
        {"folds", NULL, (double)options->split.folds},
        {"seed", NULL, (double)options->split.seed},
        {"most_negatives", NULL, (double)options->split.most_negatives},
        {"units", NULL, (double)tuned->split.unit_count},
        {"pairs", NULL, (double)tuned->split.pair_count},
        {"positives", NULL, (double)tuned->split.positives},
        {"negatives", NULL, (double)tuned->split.negatives},
        {"negative_weight", NULL, tuned->split.weight},
        {"interval", "mid-p interval from the spread over units, of choices taken as given", 0},
        {"difference",
         "paired bootstrap over units (percentiles); p from the same replicates, by Student's t where few lie beyond 0, corrected after Holm",
         0},
        {"confidence", NULL, options->confidence},
        {"replicates", NULL, (double)tuned->replicates},
        {"equivalence_margin", NULL, fp_tune_margin(options)},
        {NULL, NULL, 0},
    };
    const fp_run_facts of = {
        .corpus = tuning->corpus, .arms = tuned->arms, .arm_count = tuned->arm_count, .facts = facts};
    return fp_run_save_facts(&of, argument_count, arguments, to, error);
}
