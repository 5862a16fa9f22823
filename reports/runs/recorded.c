/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads run.json, and compares tables of two runs. */
#include "reports/runs/recorded.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/analyses/analyses.h"

/* ---- run.json ---- */

/* Decodes a string, or {"percent": "…"} for bytes that are not UTF-8 (run.c). FP_ERROR_SYNTAX: neither. */
static fp_status read_bytes(const fp_json *value, fp_arena *arena, const char **bytes, fp_error *error) {
    const fp_json *percent = fp_json_member(value, "percent"), *text = percent ? percent : value;
    if (!text || text->type != FP_JSON_STRING)
        return fp_fail(error, FP_ERROR_SYNTAX, "a name in run.json is missing or not a string");
    char *made = fp_string_copy(arena, text->text);
    char *to = made;
    for (const char *at = made; *at; at++) {
        bool coded = percent && *at == '%' && fp_hex_digit(at[1]) >= 0 && fp_hex_digit(at[2]) >= 0;
        *to++ = coded ? (char)(fp_hex_digit(at[1]) * 16 + fp_hex_digit(at[2])) : *at;
        if (coded) at += 2;
    }
    *to = '\0';
    *bytes = made;
    return FP_OK;
}

static fp_status read_text(const fp_json *object, const char *name, fp_arena *arena, const char **to, fp_error *error) {
    fp_string value;
    FP_TRY(fp_json_string(object, name, arena, &value, error));
    *to = value.data ? value.data : "";
    return FP_OK;
}

static fp_status read_arguments(const fp_json *list, fp_arena *arena, fp_recorded *run, fp_error *error) {
    size_t count = fp_json_count(list);
    const char **made = fp_arena_alloc(arena, count + 1, sizeof *made);
    for (const fp_json *at = list ? list->first : NULL; at; at = at->next)
        FP_TRY(read_bytes(at, arena, made + run->argument_count++, error));
    run->arguments = made;
    return count ? FP_OK : fp_fail(error, FP_ERROR_SYNTAX, "run.json has no command");
}

/* Missing in runs of older versions. */
static fp_status read_counted(const fp_json *list, fp_arena *arena, fp_recorded_draw *to, fp_error *error) {
    for (const fp_json *at = list ? list->first : NULL; at; at = at->next) {
        const char *name;
        FP_TRY(read_bytes(at, arena, &name, error));
        to->counted = fp_format(arena, "%s%s%s", to->counted, *to->counted ? ", " : "", name);
    }
    return FP_OK;
}

static fp_status read_draw(const fp_json *object, fp_arena *arena, fp_recorded_draw *to, fp_error *error) {
    static const char *const NAMES[] = {"all", "near", "drawn", "weight", "seed"};
    double *const numbers[] = {&to->all, &to->near, &to->drawn, &to->weight, &to->seed};
    to->counted = "";
    if (!object) return FP_OK;
    FP_TRY(read_counted(fp_json_member(object, "counted"), arena, to, error));
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        FP_TRY(fp_json_real(fp_json_member(object, NAMES[i]), NAMES[i], numbers[i], error));
    return FP_OK;
}

static fp_status read_corpora(const fp_json *list, fp_arena *arena, fp_recorded *run, fp_error *error) {
    fp_recorded_corpus *made = fp_arena_alloc(arena, fp_json_count(list) + 1, sizeof *made);
    for (const fp_json *at = list ? list->first : NULL; at; at = at->next) {
        fp_recorded_corpus *to = made + run->corpus_count++;
        const fp_json *sums = fp_json_member(at, "sha256");
        FP_TRY(read_bytes(fp_json_member(at, "name"), arena, &to->name, error));
        FP_TRY(read_bytes(fp_json_member(at, "path"), arena, &to->path, error));
        FP_TRY(read_text(sums, "documents", arena, &to->documents_sha256, error));
        FP_TRY(read_text(sums, "pairs", arena, &to->pairs_sha256, error));
        FP_TRY(read_draw(fp_json_member(at, "negatives"), arena, &to->negatives, error));
    }
    run->corpora = made;
    return FP_OK;
}

static fp_status read_inputs(const fp_json *list, fp_arena *arena, fp_recorded *run, fp_error *error) {
    fp_recorded_input *made = fp_arena_alloc(arena, fp_json_count(list) + 1, sizeof *made);
    for (const fp_json *at = list ? list->first : NULL; at; at = at->next) {
        fp_recorded_input *to = made + run->input_count++;
        FP_TRY(read_bytes(fp_json_member(at, "path"), arena, &to->path, error));
        FP_TRY(read_text(at, "sha256", arena, &to->sha256, error));
    }
    run->inputs = made;
    return FP_OK;
}

fp_status fp_recorded_checksum(const char *path, fp_arena *scratch, char sha256[65], bool *known, fp_error *error) {
    struct stat facts;
    fp_string content;
    *known = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    if (!*known) return FP_OK;
    FP_TRY(fp_read_file(path, scratch, &content, error));
    fp_sha256_hex(content, sha256);
    return FP_OK;
}

static fp_status read_arms(const fp_json *list, fp_arena *arena, fp_recorded *run, fp_error *error) {
    fp_recorded_arm *made = fp_arena_alloc(arena, fp_json_count(list) + 1, sizeof *made);
    for (const fp_json *at = list ? list->first : NULL; at; at = at->next) {
        fp_recorded_arm *to = made + run->arm_count++;
        const fp_json *seeds = fp_json_member(at, "seeds");
        double first = 0;
        FP_TRY(read_text(at, "spec", arena, &to->spec, error));
        FP_TRY(read_text(at, "name", arena, &to->name, error));
        to->seed_count = seeds && seeds->type == FP_JSON_ARRAY ? fp_json_count(seeds) : 0;
        if (to->seed_count) FP_TRY(fp_json_real(seeds->first, "seeds", &first, error));
        to->first_seed = first >= 0 && first < 0x1p53 ? (uint64_t)first : 0;
    }
    run->arms = made;
    return FP_OK;
}

/* Runs of eval store the seed with the intervals. */
static fp_status read_definitions(const fp_json *from, fp_arena *arena, fp_recorded *run, fp_error *error) {
    const fp_json *own = fp_json_member(from, "seed"), *level = fp_json_member(from, "level"),
                  *seed = own ? own : fp_json_member(fp_json_member(from, "interval"), "seed"),
                  *confidence = fp_json_member(from, "confidence");
    double value;
    run->documents = level && level->type == FP_JSON_STRING && fp_string_equal(level->text, fp_string_of("document"));
    if (confidence && confidence->type != FP_JSON_NULL)
        FP_TRY(fp_json_real(confidence, "confidence", &run->confidence, error));
    if (!seed) return FP_OK;
    FP_TRY(fp_json_real(seed, "seed", &value, error));
    run->seed = fp_format(arena, "%.0f", value);
    return FP_OK;
}

static fp_status read_run(const fp_json *json, fp_arena *arena, fp_recorded *run, fp_error *error) {
    const fp_json *tables = fp_json_member(fp_json_member(json, "tables"), "sha256");
    FP_TRY(fp_run_manifest_of(json, arena, &run->manifest, error));
    if (!run->manifest.ours) return fp_fail(error, FP_ERROR_IO, "not a run of fplab");
    FP_TRY(read_text(json, "version", arena, &run->version, error));
    FP_TRY(read_text(json, "commit", arena, &run->commit, error));
    FP_TRY(read_text(json, "date", arena, &run->date, error));
    FP_TRY(read_bytes(fp_json_member(json, "directory"), arena, &run->here, error));
    FP_TRY(read_arguments(fp_json_member(json, "command"), arena, run, error));
    FP_TRY(read_corpora(fp_json_member(json, "corpora"), arena, run, error));
    FP_TRY(read_arms(fp_json_member(json, "arms"), arena, run, error));
    FP_TRY(read_inputs(fp_json_member(json, "inputs"), arena, run, error));
    FP_TRY(read_definitions(fp_json_member(json, "definitions"), arena, run, error));
    run->tables = tables ? fp_string_copy(arena, tables->text) : "";
    run->json = json;
    return FP_OK;
}

/* The directory of PATH/run.json, or PATH itself. */
static const char *directory_of(const char *path, fp_arena *arena) {
    const char *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, "run.json") != 0) return fp_format(arena, "%s", path);
    return slash ? fp_format(arena, "%.*s", slash == path ? 1 : (int)(slash - path), path) : fp_format(arena, ".");
}

fp_status fp_recorded_describe(const char *path, fp_arena *arena, fp_recorded *run, fp_error *error) {
    *run = (fp_recorded){.directory = directory_of(path, arena)};
    const char *file = fp_format(arena, "%s/run.json", run->directory);
    fp_string content;
    const fp_json *json;
    fp_status read = fp_json_read(file, arena, &content, &json, error);
    size_t length = strlen(error->message);
    if (read == FP_ERROR_IO && access(file, F_OK) != 0)
        snprintf(error->message + length, sizeof error->message - length, "; --out DIR of eval or tune writes a run");
    FP_TRY(read);
    fp_status status = read_run(json, arena, run, error);
    return status == FP_OK ? FP_OK : fp_at(error, status, file, SIZE_MAX, SIZE_MAX);
}

fp_status fp_recorded_of(const fp_run_content *written, fp_arena *arena, fp_recorded *run, fp_error *error) {
    const fp_json *json;
    *run = (fp_recorded){.directory = written->directory};
    FP_TRY(fp_json_parse(written->json, arena, &json, error));
    return read_run(json, arena, run, error);
}

fp_status fp_recorded_read(const char *path, fp_arena *arena, fp_recorded *run, fp_error *error) {
    FP_TRY(fp_recorded_describe(path, arena, run, error));
    return fp_run_manifest_check(run->directory, &run->manifest, arena, error);
}

/* ---- Tables ---- */

/* `table`: such as "summary.tsv". */
static bool is_timing(const char *table, fp_string column) {
    fp_column found;
    const fp_schema *schema = fp_schema_find((fp_string){table, strcspn(table, ".")});
    return schema && fp_column_find(schema->columns, column, &found) && found.is & FP_TIMING;
}

static void differ(fp_recorded_difference *to, size_t row, fp_string column, fp_string before, fp_string after,
                   fp_arena *arena) {
    enum { SHOWN = 40 };
    if (to->differ++) return;
    to->first = fp_format(arena, "row %zu, %.*s: %.*s, now %.*s", row, (int)column.length, column.data,
                          (int)(before.length < SHOWN ? before.length : SHOWN), before.data ? before.data : "",
                          (int)(after.length < SHOWN ? after.length : SHOWN), after.data ? after.data : "");
}

static void compare_rows(const fp_run_table *before, const fp_run_table *after, size_t row, fp_arena *arena,
                         fp_recorded_difference *to) {
    fp_string header = before->header, column;
    for (size_t at = 0; fp_next_field(&header, '\t', &column); at++) {
        fp_string was = fp_run_table_field(before, row, at), is = fp_run_table_field(after, row, at);
        bool timing = is_timing(to->table, column);
        ++*(timing ? &to->timings : &to->cells);
        if (!timing && !fp_string_equal(was, is)) differ(to, row + 1, column, was, is, arena);
    }
}

fp_status fp_recorded_compare(const char *before, const char *after, const char *table, fp_arena *arena,
                              fp_recorded_difference *difference, fp_error *error) {
    fp_run_table was, is;
    const char *path = fp_format(arena, "%s/%s", after, table);
    *difference = (fp_recorded_difference){.table = table, .differ = 1};
    FP_TRY(fp_run_table_read(fp_format(arena, "%s/%s", before, table), arena, &was, error));
    if (access(path, F_OK) != 0) return difference->first = "it is not written now", FP_OK;
    FP_TRY(fp_run_table_read(path, arena, &is, error));
    if (!fp_string_equal(was.header, is.header)) return difference->first = "its columns differ", FP_OK;
    difference->differ = 0;
    for (size_t row = 0; row < was.row_count && row < is.row_count; row++)
        compare_rows(&was, &is, row, arena, difference);
    if (was.row_count == is.row_count) return FP_OK;
    difference->differ++;
    if (!difference->first)
        difference->first = was.row_count > is.row_count ? "rows are missing now" : "there are more rows now";
    return FP_OK;
}
