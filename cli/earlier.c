/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of an earlier run. */
#include "cli/earlier.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>
#include <unistd.h>

static bool was_written_by_us(const char *directory, fp_arena *arena) {
    const char *path = fp_format(arena, "%s/run.json", directory);
    json_object *run = path && access(path, R_OK) == 0 ? json_object_from_file(path) : NULL, *program = NULL;
    bool ours = run && json_object_object_get_ex(run, "program", &program) &&
                json_object_is_type(program, json_type_string) && strcmp(json_object_get_string(program), "fplab") == 0;
    json_object_put(run);
    return ours;
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
    if (!was_written_by_us(directory, arena)) return FP_OK;
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
