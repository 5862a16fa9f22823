/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of an earlier run. */
#include "cli/earlier.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "corpora/json.h"

/* A run.json that cannot be read is not ours. */
static fp_status was_written_by_us(const char *directory, fp_arena *arena, bool *ours, fp_error *error) {
    const char *path = fp_format(arena, "%s/run.json", directory);
    fp_string content;
    const fp_json *run;
    *ours = false;
    if (!path) return fp_no_memory(error);
    if (access(path, R_OK) != 0) return FP_OK;
    fp_status status = fp_json_read(path, arena, &content, &run, error);
    if (status != FP_OK) return status == FP_ERROR_MEMORY ? status : FP_OK;
    const fp_json *program = fp_json_member(run, "program");
    *ours = program && program->type == FP_JSON_STRING && fp_string_equal(program->text, fp_string_of("fplab"));
    return FP_OK;
}

static bool begins_like_a_table(const char *path) {
    static const char FIRST[] = "corpus\t";
    char start[sizeof FIRST] = "";
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    size_t read = fread(start, 1, sizeof FIRST - 1, stream);
    fclose(stream);
    return read == sizeof FIRST - 1 && memcmp(start, FIRST, read) == 0;
}

fp_status fp_cli_remove_earlier(const char *directory, const char *const *names, fp_arena *arena, fp_error *error) {
    bool ours;
    FP_TRY(was_written_by_us(directory, arena, &ours, error));
    if (!ours) return FP_OK;
    for (; *names; names++) {
        const char *path = fp_format(arena, "%s/%s", directory, *names);
        if (!path) return fp_no_memory(error);
        if (!begins_like_a_table(path)) continue;
        if (unlink(path) != 0) {
            fp_fail(error, FP_ERROR_IO, "cannot be removed: %s", strerror(errno));
            return fp_at(error, path, SIZE_MAX, SIZE_MAX);
        }
        fprintf(stderr, "fplab: removed %s, which an earlier run has left and this one does not write\n", path);
    }
    return FP_OK;
}
