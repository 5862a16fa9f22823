/* SPDX-License-Identifier: GPL-3.0-or-later
 * Listing, removing, copying and linking the files of a run. */
#include "reports/runs/run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "corpora/json.h"

/* ---- Listing ---- */

typedef struct listing {
    fp_run_entry *at;
    size_t count, capacity;
    fp_arena *arena;
} listing;

static void add_entry(listing *list, fp_run_entry entry) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 64;
        fp_run_entry *larger = fp_arena_raw(list->arena, capacity, sizeof *larger);
        if (list->count) memcpy(larger, list->at, list->count * sizeof *larger);
        list->at = larger;
        list->capacity = capacity;
    }
    list->at[list->count++] = entry;
}

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
        add_entry(list, (fp_run_entry){fp_format(list->arena, "%s%s", within, name), S_ISREG(facts.st_mode), inner});
    }
    closedir(stream);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const fp_run_entry *)a)->name, ((const fp_run_entry *)b)->name);
}

fp_status fp_run_list(const char *directory, fp_arena *arena, fp_run_entry **entries, size_t *count, fp_error *error) {
    listing list = {.arena = arena};
    FP_TRY(list_within(directory, "", &list, error));
    FP_TRY(list_within(directory, FP_RUN_PLOTS "/", &list, error));
    if (list.count) qsort(list.at, list.count, sizeof *list.at, by_name);
    *entries = list.at;
    *count = list.count;
    return FP_OK;
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

/* run.json without the member "files", which fp_run_manifest_write adds at the end. */
static fp_status copy_description(const char *from, const char *to, fp_arena *arena, fp_error *error) {
    const char *source = fp_format(arena, "%s/" FP_RUN_FILE, from), *target = fp_format(arena, "%s/" FP_RUN_FILE, to);
    fp_string content;
    const fp_json *run;
    fp_output output;
    FP_TRY(fp_json_read(source, arena, &content, &run, error));
    const fp_json *files = fp_json_member(run, "files");
    size_t begin = content.length, end = content.length;
    if (files) {
        begin = files->name_byte;
        end = files->byte + files->text.length;
        while (begin && content.data[begin - 1] != ',') begin--;
        if (begin) begin--;
    }
    FP_TRY(fp_output_open(&output, target, error));
    fwrite(content.data, 1, begin, output.stream);
    fwrite(content.data + end, 1, content.length - end, output.stream);
    return fp_output_close(&output, error);
}

static fp_status link_one(const char *from, const char *name, const char *to, fp_arena *arena, fp_error *error) {
    const char *source = fp_format(arena, "%s/%s", from, name), *target = fp_format(arena, "%s/%s", to, name);
    return symlink(source, target) == 0 ? FP_OK : fp_file_error(error, target, "write");
}

/* `from` is absolute, so that links hold wherever `to` is. */
static fp_status link_all(const char *from, const fp_run_manifest *manifest, const char *to, bool plots,
                          fp_arena *arena, fp_error *error) {
    static const char PLOTS[] = FP_RUN_PLOTS "/";
    const char *inner = fp_format(arena, "%s/%s", to, PLOTS);
    for (size_t i = 0; i < manifest->count; i++) {
        const fp_run_manifest_file *file = manifest->files + i;
        bool picture = strncmp(file->name, PLOTS, sizeof PLOTS - 1) == 0, same;
        if (picture && !plots) continue;
        FP_TRY(fp_run_manifest_matches(from, file, arena, &same, error));
        if (same && picture) FP_TRY(fp_make_directory(inner, error));
        if (same) FP_TRY(link_one(from, file->name, to, arena, error));
    }
    return copy_description(from, to, arena, error);
}

fp_status fp_run_link(const char *from, const fp_run_manifest *manifest, const char *to, bool plots, fp_arena *arena,
                      fp_error *error) {
    char *real = realpath(from, NULL);
    if (!real) return fp_file_error(error, from, "find");
    fp_status status = link_all(real, manifest, to, plots, arena, error);
    free(real);
    return status;
}
