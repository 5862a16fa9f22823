/* SPDX-License-Identifier: GPL-3.0-or-later
 * A run's files in a second directory. */
#include "reports/runs/run_adopt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpora/json.h"

fp_status fp_run_copy(const char *from, const char *to, fp_error *error) {
    enum { PIECE = 1 << 16 };
    fp_output output;
    FILE *stream = fopen(from, "rbe");
    if (!stream) {
        fp_fail(error, FP_ERROR_IO, "cannot read: %s", strerror(errno));
        return fp_at(error, FP_ERROR_IO, from, SIZE_MAX, SIZE_MAX);
    }
    char *piece = malloc(PIECE);
    fp_status status = piece ? fp_output_open(&output, to, error) : fp_no_memory(error);
    bool open = status == FP_OK;
    for (size_t got; status == FP_OK && (got = fread(piece, 1, PIECE, stream)) > 0;)
        fwrite(piece, 1, got, output.stream);
    if (status == FP_OK && ferror(stream)) {
        fp_fail(error, FP_ERROR_IO, "cannot read: %s", strerror(errno));
        status = fp_at(error, FP_ERROR_IO, from, SIZE_MAX, SIZE_MAX);
    }
    fclose(stream);
    if (status == FP_OK) status = fp_output_close(&output, error);
    else if (open) fp_output_discard(&output);
    free(piece);
    return status;
}

/* run.json without the member "files", which fp_run_manifest_write adds at the end. */
static fp_status copy_description(const char *from, const char *to, fp_arena *arena, fp_error *error) {
    const char *source = fp_format(arena, "%s/run.json", from), *target = fp_format(arena, "%s/run.json", to);
    fp_string content;
    const fp_json *run;
    fp_output output;
    if (!source || !target) return fp_no_memory(error);
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

static fp_status adopt(const char *from, const char *name, const char *to, fp_arena *arena, fp_error *error) {
    const char *source = fp_format(arena, "%s/%s", from, name), *target = fp_format(arena, "%s/%s", to, name);
    if (!source || !target) return fp_no_memory(error);
    if (linkat(AT_FDCWD, source, AT_FDCWD, target, 0) == 0) return FP_OK;
    return fp_run_copy(source, target, error);
}

fp_status fp_run_adopt(const char *from, const fp_run_manifest *manifest, const char *to, bool plots, fp_arena *arena,
                       fp_error *error) {
    static const char PLOTS[] = "plots/";
    bool made = false;
    for (size_t i = 0; i < manifest->count; i++) {
        const fp_run_manifest_file *file = manifest->files + i;
        bool picture = strncmp(file->name, PLOTS, sizeof PLOTS - 1) == 0, same;
        if (picture && !plots) continue;
        fp_arena *scratch = fp_arena_new();
        fp_status status = scratch ? fp_run_manifest_matches(from, file, scratch, &same, error) : fp_no_memory(error);
        fp_arena_free(scratch);
        FP_TRY(status);
        if (!same) continue;
        const char *inner = fp_format(arena, "%s/%s", to, PLOTS);
        if (!inner) return fp_no_memory(error);
        if (picture && !made) FP_TRY(fp_make_directory(inner, error));
        made |= picture;
        FP_TRY(adopt(from, file->name, to, arena, error));
    }
    return copy_description(from, to, arena, error);
}
