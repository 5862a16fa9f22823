/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading a corpus directory: documents, groups, pairs. */
#include <string.h>

#include "corpora/reading.h"

fp_status fp_corpus_bad_row(fp_corpus_reading *in, const char *path, size_t row) {
    if (in->error->code == FP_ERROR_MEMORY) return FP_ERROR_MEMORY;
    fp_at(in->error, in->error->code, path, row, in->error->byte);
    if (!in->options->skip_bad) return in->error->code;
    in->corpus->skipped++;
    if (in->options->skipped) in->options->skipped(in->options->context, in->error);
    return FP_OK;
}

/* The last component of the path. */
static const char *directory_name(const char *path, fp_arena *arena) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    return fp_string_copy(arena, (fp_string){path + begin, length - begin});
}

fp_status fp_corpus_read(const char *path, const fp_corpus_options *options, fp_arena *arena, fp_corpus *corpus,
                         fp_error *error) {
    static const fp_corpus_options STRICT = {0};
    fp_error ignored;
    fp_corpus_reading in = {.options = options ? options : &STRICT,
                            .arena = arena,
                            .ids = {.like = arena},
                            .corpus = corpus,
                            .error = error ? error : &ignored};
    *corpus = (fp_corpus){
        .path = fp_string_copy(arena, fp_string_of(path)), .name = directory_name(path, arena), .memory = arena};
    if (!corpus->path || !corpus->name) return fp_no_memory(error);
    fp_status status = fp_corpus_read_documents(&in);
    if (status == FP_OK) status = fp_corpus_read_pairs(&in);
    fp_numbering_free(&in.ids);
    corpus->truth = corpus->pairs ? FP_TRUTH_PAIRS : corpus->group_count ? FP_TRUTH_GROUPS : FP_TRUTH_NONE;
    return status;
}
