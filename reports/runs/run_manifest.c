/* SPDX-License-Identifier: GPL-3.0-or-later
 * The files of a run: lists them in run.json, copies and links them. */
#include "reports/runs/run_manifest.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/directory.h"
#include "corpora/json_writer.h"

/* ---- Listing ---- */

typedef struct listing {
    fp_run_entry *at;
    size_t count, room;
    fp_arena *arena;
} listing;

static fp_status list_within(const char *directory, const char *within, listing *list, fp_error *error) {
    const char *path = fp_format(list->arena, "%s/%s", directory, within);
    DIR *stream;
    fp_status status = FP_OK;
    FP_TRY(fp_directory_open(path, &stream, error));
    if (!stream) return FP_OK;
    for (const struct dirent *entry; status == FP_OK && (entry = fp_directory_next(stream, path, &status, error));) {
        const char *name = entry->d_name;
        struct stat facts;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            fstatat(dirfd(stream), name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bool inner = S_ISDIR(facts.st_mode);
        if (inner && !*within && strcmp(name, FP_RUN_PLOTS) == 0) continue;
        fp_run_entry made = {fp_format(list->arena, "%s%s", within, name), S_ISREG(facts.st_mode), inner};
        status = FP_ROOM(list->arena, list->at, list->count, list->room, error);
        if (status == FP_OK) list->at[list->count++] = made;
    }
    closedir(stream);
    return status;
}

FP_COMPARES(entries_by_name, fp_run_entry, strcmp(a->name, b->name));

fp_status fp_run_list(const char *directory, fp_arena *arena, fp_run_entry **entries, size_t *count, fp_error *error) {
    listing list = {.arena = arena};
    FP_TRY(list_within(directory, "", &list, error));
    FP_TRY(list_within(directory, FP_RUN_PLOTS "/", &list, error));
    if (list.count) qsort(list.at, list.count, sizeof *list.at, entries_by_name);
    *entries = list.at;
    *count = list.count;
    return FP_OK;
}

/* ---- Reading ---- */

/* Rejects names that lead out of the directory. */
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
    fp_run_manifest_file *files = fp_arena_alloc(arena, fp_json_count(list) + 1, sizeof *files);
    manifest->files = files;
    manifest->complete = true;
    for (const fp_json *at = list->first; at; at = at->next) {
        bool good;
        FP_TRY(read_file(at, arena, files + manifest->count, &good, error));
        if (good) manifest->count++;
    }
    return FP_OK;
}

fp_status fp_run_manifest_of(const fp_json *run, fp_arena *arena, fp_run_manifest *manifest, fp_error *error) {
    const fp_json *program = fp_json_member(run, "program"), *list = fp_json_member(run, "files");
    *manifest = (fp_run_manifest){0};
    manifest->ours =
        program && program->type == FP_JSON_STRING && fp_string_equal(program->text, fp_string_of("fplab"));
    if (!manifest->ours || !list || list->type != FP_JSON_ARRAY) return FP_OK;
    fp_status status = read_files(list, arena, manifest, error);
    if (status == FP_OK || status == FP_ERROR_MEMORY) return status;
    *manifest = (fp_run_manifest){.ours = true};
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
    return fp_run_manifest_of(run, arena, manifest, error);
}

const fp_run_manifest_file *fp_run_manifest_find(const fp_run_manifest *manifest, const char *name) {
    for (size_t i = 0; i < manifest->count; i++)
        if (strcmp(manifest->files[i].name, name) == 0) return manifest->files + i;
    return NULL;
}

/* ---- Checking ---- */

/* Reads in pieces because tables may be large. fp_read_file would unpack names ending in .gz. */
static fp_status describe(const char *directory, const char *name, fp_run_manifest_file *to, fp_arena *arena,
                          fp_error *error) {
    char piece[1 << 16];
    const char *path = fp_format(arena, "%s/%s", directory, name);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
    if (!stream) {
        fp_status failed = fp_file_error(error, path, "read");
        if (file >= 0) close(file);
        return failed;
    }
    fp_sha256 *sum = fp_sha256_begin(arena);
    *to = (fp_run_manifest_file){.name = name};
    for (size_t got; (got = fread(piece, 1, sizeof piece, stream)); to->size += got)
        fp_sha256_add(sum, (fp_string){piece, got});
    fp_sha256_end(sum, to->sha256);
    fp_status status = ferror(stream) ? fp_file_error(error, path, "read") : FP_OK;
    fclose(stream);
    return status;
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

bool fp_run_is_table(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tsv") == 0;
}

static fp_status refuse_other(const char *directory, const char *name, fp_arena *arena, fp_error *error) {
    const char *path = fp_format(arena, "%s/%s", directory, name);
    if (access(path, F_OK) != 0)
        return fp_fail(error, FP_ERROR_IO, "not the files of one run: %s is missing, which run.json names", name);
    return fp_fail(error, FP_ERROR_IO,
                   "not the files of one run: %s is not the one that run.json names (changed, or of another run)",
                   name);
}

fp_status fp_run_manifest_check(const char *directory, const fp_run_manifest *manifest, const fp_arena *like,
                                fp_error *error) {
    FP_SCRATCH(arena, like, error);
    fp_status status = FP_OK;
    if (!manifest->complete)
        status = fp_fail(error, FP_ERROR_IO, "%s",
                         manifest->ours ? "run.json does not name its files: the run is of an earlier version"
                                        : "there is no run of fplab");
    for (size_t i = 0; i < manifest->count && status == FP_OK; i++) {
        const fp_run_manifest_file *file = manifest->files + i;
        bool matches = true;
        if (fp_run_is_table(file->name)) status = fp_run_manifest_matches(directory, file, arena, &matches, error);
        if (!matches && status == FP_OK) status = refuse_other(directory, file->name, arena, error);
    }
    return status == FP_OK || status == FP_ERROR_MEMORY ? status : fp_at(error, status, directory, SIZE_MAX, SIZE_MAX);
}

/* ---- Writing ---- */

FP_COMPARES(files_by_name, fp_run_manifest_file, strcmp(a->name, b->name));

/* The regular files of `directory`, plus those of `old` with other names. */
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
    qsort(files, all->count, sizeof *files, files_by_name);
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

/* Writes the existing object, reopened at its end to append the list, or before the list that it has. */
static fp_status append_files(FILE *stream, fp_string run, const fp_json *list, const fp_run_manifest *all,
                              fp_error *error) {
    if (list) run.length = list->name_byte;
    while (run.length && run.data[run.length - 1] != (list ? ',' : '}')) run.length--;
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
    return fp_output_end(&output, append_files(output.stream, content, fp_json_member(run, "files"), &all, error),
                         error);
}

/* ---- Copying ---- */

fp_status fp_run_copy(const char *from, const char *to, fp_error *error) {
    char piece[1 << 14];
    fp_output output;
    FILE *stream = fopen(from, "rbe");
    if (!stream) return fp_file_error(error, from, "read");
    fp_status status = fp_output_open(&output, to, error);
    bool open = status == FP_OK;
    for (size_t got; open && (got = fread(piece, 1, sizeof piece, stream)) > 0;) fwrite(piece, 1, got, output.stream);
    if (open && ferror(stream)) status = fp_file_error(error, from, "read");
    fclose(stream);
    if (status == FP_OK) return fp_output_close(&output, error);
    if (open) fp_output_discard(&output);
    return status;
}

/* ---- Linking ---- */

fp_status fp_run_link(const char *from, const fp_run_manifest *manifest, const char *to, bool plots, fp_arena *arena,
                      fp_error *error) {
    static const char PLOTS[] = FP_RUN_PLOTS "/";
    char real[PATH_MAX]; /* absolute, so that the links do not depend on `to` */
    const char *inner = fp_format(arena, "%s/%s", to, PLOTS);
    if (!realpath(from, real)) return fp_file_error(error, from, "find");
    for (size_t i = 0; i < manifest->count; i++) {
        const fp_run_manifest_file *file = manifest->files + i;
        bool picture = strncmp(file->name, PLOTS, sizeof PLOTS - 1) == 0, same;
        if (picture && !plots) continue;
        FP_TRY(fp_run_manifest_matches(real, file, arena, &same, error));
        if (!same) continue;
        if (picture) FP_TRY(fp_make_directory(inner, error));
        const char *target = fp_format(arena, "%s/%s", to, file->name);
        if (symlink(fp_format(arena, "%s/%s", real, file->name), target) != 0)
            return fp_file_error(error, target, "write");
    }
    const char *target = fp_format(arena, "%s/" FP_RUN_FILE, to);
    return symlink(fp_format(arena, "%s/" FP_RUN_FILE, real), target) == 0 ? FP_OK
                                                                           : fp_file_error(error, target, "write");
}
