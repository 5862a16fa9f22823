/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of files in run.json. */
#include "reports/runs/run_manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corpora/json.h"
#include "corpora/json_writer.h"
#include "reports/runs/run_files.h"

/* ---- Reading ---- */

/* A name that leads out of the directory is none. */
static bool is_name(fp_string name) {
    static const char PLOTS[] = FP_RUN_PLOTS "/";
    if (name.length > sizeof PLOTS - 1 && memcmp(name.data, PLOTS, sizeof PLOTS - 1) == 0)
        name = (fp_string){name.data + sizeof PLOTS - 1, name.length - (sizeof PLOTS - 1)};
    return name.length && *name.data != '.' && !memchr(name.data, '/', name.length) &&
           !memchr(name.data, '\0', name.length);
}

static fp_status read_file(const fp_json *from, fp_arena *arena, fp_run_manifest_file *to, bool *good,
                           fp_error *error) {
    fp_string name, sum;
    double size = -1;
    const fp_json *number = fp_json_member(from, "size");
    FP_TRY(fp_json_string(from, "name", arena, &name, error));
    FP_TRY(fp_json_string(from, "sha256", arena, &sum, error));
    if (number) FP_TRY(fp_json_real(number, "size", &size, error));
    *good = is_name(name) && sum.length == 64 && size >= 0;
    *to = (fp_run_manifest_file){.name = name.data, .size = *good ? (uint64_t)size : 0};
    if (*good) memcpy(to->sha256, sum.data, 65);
    return FP_OK;
}

static fp_status read_files(const fp_json *list, fp_arena *arena, fp_run_manifest *manifest, fp_error *error) {
    size_t count = 0;
    for (const fp_json *at = list->first; at; at = at->next) count++;
    fp_run_manifest_file *files = fp_arena_alloc(arena, count + 1, sizeof *files);
    manifest->files = files;
    manifest->complete = true;
    for (const fp_json *at = list->first; at; at = at->next) {
        bool good;
        FP_TRY(read_file(at, arena, files + manifest->count, &good, error));
        if (good) manifest->count++;
    }
    return FP_OK;
}

fp_status fp_run_manifest_read(const char *directory, fp_arena *arena, fp_run_manifest *manifest, fp_error *error) {
    const char *path = fp_format(arena, "%s/" FP_RUN_FILE, directory);
    fp_string content;
    const fp_json *run;
    *manifest = (fp_run_manifest){0};
    struct stat facts;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || access(path, R_OK) != 0) return FP_OK;
    fp_status status = fp_json_read(path, arena, &content, &run, error);
    if (status != FP_OK) return status == FP_ERROR_MEMORY || status == FP_ERROR_IO ? status : FP_OK;
    const fp_json *program = fp_json_member(run, "program"), *list = fp_json_member(run, "files");
    manifest->ours =
        program && program->type == FP_JSON_STRING && fp_string_equal(program->text, fp_string_of("fplab"));
    if (!manifest->ours || !list || list->type != FP_JSON_ARRAY) return FP_OK;
    status = read_files(list, arena, manifest, error);
    if (status == FP_OK || status == FP_ERROR_MEMORY) return status;
    *manifest = (fp_run_manifest){.ours = true};
    return FP_OK;
}

const fp_run_manifest_file *fp_run_manifest_find(const fp_run_manifest *manifest, const char *name) {
    for (size_t i = 0; i < manifest->count; i++)
        if (strcmp(manifest->files[i].name, name) == 0) return manifest->files + i;
    return NULL;
}

/* ---- Checking ---- */

/* The sum of a file's bytes, read in pieces: tables are as long as what they tell of, and not fp_read_file, which
 * unpacks what ends in .gz. False, and why in errno, where it cannot be read as long as it says it is. */
static bool sum_file(int file, uint64_t size, fp_sha256 *sum) {
    char piece[1 << 16];
    while (size) {
        ssize_t got = read(file, piece, size < sizeof piece ? (size_t)size : sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got == 0) errno = EIO; /* it has become shorter meanwhile */
        if (got <= 0) return false;
        fp_sha256_add(sum, (fp_string){piece, (size_t)got});
        size -= (uint64_t)got;
    }
    return true;
}

static fp_status describe(const char *directory, const char *name, fp_run_manifest_file *to, fp_arena *arena,
                          fp_error *error) {
    struct stat facts;
    const char *path = fp_format(arena, "%s/%s", directory, name);
    fp_sha256 *sum = fp_sha256_begin(arena);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool known = file >= 0 && fstat(file, &facts) == 0, regular = known && S_ISREG(facts.st_mode);
    *to = (fp_run_manifest_file){.name = name, .size = regular ? (uint64_t)facts.st_size : 0};
    bool whole = regular && sum_file(file, to->size, sum);
    int reason = known && !regular ? EIO : errno;
    if (file >= 0) close(file);
    fp_sha256_end(sum, to->sha256);
    errno = reason;
    return whole ? FP_OK : fp_file_error(error, path, "read");
}

fp_status fp_run_manifest_matches(const char *directory, const fp_run_manifest_file *file, fp_arena *scratch,
                                  bool *matches, fp_error *error) {
    fp_run_manifest_file found;
    struct stat facts;
    const char *path = fp_format(scratch, "%s/%s", directory, file->name);
    *matches = false;
    if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || (uint64_t)facts.st_size != file->size) return FP_OK;
    fp_status status = describe(directory, file->name, &found, scratch, error);
    *matches = status == FP_OK && strcmp(found.sha256, file->sha256) == 0;
    return status;
}

static bool is_table(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tsv") == 0;
}

static fp_status tell_other(const char *directory, const char *name, fp_arena *arena, fp_error *error) {
    const char *path = fp_format(arena, "%s/%s", directory, name);
    if (access(path, F_OK) != 0)
        return fp_fail(error, FP_ERROR_IO, "not the files of one run: %s is missing, which run.json names", name);
    return fp_fail(error, FP_ERROR_IO,
                   "not the files of one run: %s is not the one that run.json names (changed, or of another run)",
                   name);
}

fp_status fp_run_manifest_check(const char *directory, const fp_run_manifest *manifest, const fp_arena *like,
                                fp_error *error) {
    fp_arena *arena = FP_NEED(fp_arena_new_like(like), error);
    fp_status status = FP_OK;
    if (!manifest->complete)
        status = fp_fail(error, FP_ERROR_IO, "%s",
                         manifest->ours ? "run.json does not name its files: the run is of an earlier version"
                                        : "there is no run of fplab");
    for (size_t i = 0; i < manifest->count && status == FP_OK; i++) {
        const fp_run_manifest_file *file = manifest->files + i;
        bool matches = true;
        if (is_table(file->name)) status = fp_run_manifest_matches(directory, file, arena, &matches, error);
        if (!matches && status == FP_OK) status = tell_other(directory, file->name, arena, error);
    }
    fp_arena_free(arena);
    return status == FP_OK || status == FP_ERROR_MEMORY ? status : fp_at(error, status, directory, SIZE_MAX, SIZE_MAX);
}

/* ---- Writing ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(((const fp_run_manifest_file *)a)->name, ((const fp_run_manifest_file *)b)->name);
}

/* The regular files of `directory`, and what `old` has beside them. */
static fp_status gather(const char *directory, const fp_run_manifest *old, fp_arena *arena, fp_run_manifest *all,
                        fp_error *error) {
    fp_run_entry *entries;
    size_t count, kept = old ? old->count : 0;
    FP_TRY(fp_run_list(directory, arena, &entries, &count, error));
    fp_run_manifest_file *files = fp_arena_raw(arena, count + kept + 1, sizeof *files);
    *all = (fp_run_manifest){.files = files};
    for (size_t i = 0; i < count; i++)
        if (entries[i].regular && is_name(fp_string_of(entries[i].name)) && strcmp(entries[i].name, FP_RUN_FILE) != 0)
            FP_TRY(describe(directory, entries[i].name, files + all->count++, arena, error));
    count = all->count;
    for (size_t i = 0; i < kept; i++)
        if (!fp_run_manifest_find(&(fp_run_manifest){.count = count, .files = files}, old->files[i].name))
            files[all->count++] = old->files[i];
    qsort(files, all->count, sizeof *files, by_name);
    return FP_OK;
}

static void put_files(fp_json_writer *json, const fp_run_manifest *all) {
    fp_json_begin_array(json, "files");
    for (size_t i = 0; i < all->count; i++) {
        fp_json_begin_object(json, NULL);
        fp_json_put_text(json, "name", all->files[i].name);
        fp_json_put_count(json, "size", all->files[i].size);
        fp_json_put_text(json, "sha256", all->files[i].sha256);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

/* The object that is there, opened again at its end. */
static fp_status append_files(FILE *stream, fp_string run, const fp_run_manifest *all, fp_error *error) {
    while (run.length && run.data[run.length - 1] != '}') run.length--;
    if (run.length) run.length--;
    while (run.length && strchr(" \n", run.data[run.length - 1])) run.length--;
    fwrite(run.data, 1, run.length, stream);
    fp_json_writer json = fp_json_to(stream, 1);
    json.inside = 1;
    json.filled = true;
    put_files(&json, all);
    fputs("\n}\n", stream);
    return fp_json_done(&json, error);
}

fp_status fp_run_manifest_write(const char *directory, const fp_run_manifest *old, fp_arena *arena, fp_error *error) {
    fp_run_manifest all = {0};
    fp_string content;
    const fp_json *run;
    fp_output output;
    const char *path = fp_format(arena, "%s/" FP_RUN_FILE, directory);
    FP_TRY(fp_json_read(path, arena, &content, &run, error));
    FP_TRY(gather(directory, old, arena, &all, error));
    FP_TRY(fp_output_open(&output, path, error));
    return fp_output_end(&output, append_files(output.stream, content, &all, error), error);
}

/* ---- Tables of a run, read again ---- */

/* ---- Fields ---- */

/* Starts and ends with a quotation mark, and all within are doubled: the writer does so, and only where there is one
 * within. */
static bool is_quoted(fp_string field) {
    if (field.length < 4 || field.data[0] != '"' || field.data[field.length - 1] != '"') return false;
    bool any = false;
    for (size_t i = 1; i + 1 < field.length; i++) {
        if (field.data[i] != '"') continue;
        if (i + 2 >= field.length || field.data[i + 1] != '"') return false;
        any = true;
        i++;
    }
    return any;
}

fp_string fp_run_table_field(const fp_run_table *table, size_t row, size_t column) {
    fp_string rest = table->rows[row], field = {"", 0};
    for (size_t i = 0; i <= column; i++) fp_next_field(&rest, '\t', &field);
    return field;
}

fp_string fp_run_table_cell(const fp_run_table *table, size_t row, size_t column, fp_arena *arena) {
    fp_string field = fp_run_table_field(table, row, column);
    if (!is_quoted(field)) return field;
    char *text = fp_arena_raw(arena, field.length, 1);
    size_t used = 0;
    for (size_t i = 1; text && i + 1 < field.length; i++) {
        text[used++] = field.data[i];
        if (field.data[i] == '"') i++;
    }
    return (fp_string){text, used};
}

/* ---- Columns ---- */

size_t fp_run_table_column(const fp_run_table *table, const char *name) {
    fp_string rest = table->header, field;
    for (size_t at = 0; fp_next_field(&rest, '\t', &field); at++)
        if (fp_string_equal(field, fp_string_of(name))) return at;
    return SIZE_MAX;
}

fp_status fp_run_table_expect(const fp_run_table *table, const char *column, fp_error *error) {
    if (fp_run_table_column(table, column) != SIZE_MAX) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "the header lacks %s", column);
    return fp_at(error, FP_ERROR_SYNTAX, table->path, 1, SIZE_MAX);
}

fp_status fp_run_table_at(const fp_run_table *table, size_t row, fp_status code, fp_error *error) {
    return fp_at(error, code, table->path, row + 2, SIZE_MAX);
}

/* ---- Reading ---- */

static size_t count_lines(fp_string text) {
    size_t lines = 0;
    for (fp_string line; fp_next_line(&text, &line);) lines++;
    return lines;
}

/* gnuplot, R and pandas take a field that begins with a quotation mark to the next one, over tabs. */
static bool is_readable(fp_string field) {
    return field.length == 0 || field.data[0] != '"' || memchr(field.data + 1, '"', field.length - 1);
}

/* `start` is where the file begins, for the byte of an error. */
static fp_status check_row(const fp_run_table *table, fp_string row, const char *start, fp_error *error) {
    size_t count = 0, byte = (size_t)(row.data - start);
    fp_status status = FP_OK;
    for (fp_string rest = row, field; fp_next_field(&rest, '\t', &field); count++) {
        if (is_readable(field)) continue;
        byte = (size_t)(field.data - start);
        status = fp_fail(error, FP_ERROR_SYNTAX, "a field begins with a quotation mark and has no second one");
        break;
    }
    if (status == FP_OK && count == table->column_count) return FP_OK;
    if (status == FP_OK)
        status = fp_fail(error, FP_ERROR_SYNTAX, "a row of %zu field%s, where the header has %zu", count,
                         count == 1 ? "" : "s", table->column_count);
    return fp_at(error, status, table->path, table->row_count + 2, byte);
}

fp_status fp_run_table_read(const char *path, fp_arena *arena, fp_run_table *table, fp_error *error) {
    fp_string rest, line, field;
    *table = (fp_run_table){.path = path, .header = {"", 0}};
    FP_TRY(fp_read_file(path, arena, &rest, error));
    const char *start = rest.data;
    fp_string *rows = fp_arena_raw(arena, count_lines(rest) + 1, sizeof *rows);
    table->rows = rows;
    fp_next_line(&rest, &table->header);
    for (fp_string names = table->header; fp_next_field(&names, '\t', &field);) table->column_count++;
    while (fp_next_line(&rest, &line)) {
        FP_TRY(check_row(table, line, start, error));
        rows[table->row_count++] = line;
    }
    return FP_OK;
}
