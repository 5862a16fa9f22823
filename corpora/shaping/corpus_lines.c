/* SPDX-License-Identifier: GPL-3.0-or-later
 * A pass over the lines of a corpus. */
#include "corpora/shaping/corpus_lines.h"

#include "corpora/line_blocks.h"

static fp_status changed(const fp_corpus *corpus, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, "the file has changed since the corpus was read");
    return fp_at(error, FP_ERROR_IO, corpus->file.path, SIZE_MAX, SIZE_MAX);
}

typedef struct walk {
    const fp_corpus *corpus;
    fp_line_blocks *blocks;
    size_t document, left_out; /* passed */
} walk;

static bool is_left_out(walk *at, size_t row) {
    const fp_corpus_file *file = &at->corpus->file;
    if (at->left_out == file->left_out_count || file->left_out[at->left_out] != row) return false;
    at->left_out++;
    return true;
}

static fp_status each(walk *at, fp_corpus_line_visit *visit, void *context, fp_error *error) {
    const fp_line *lines;
    size_t count = 1;
    while (count) {
        FP_TRY(fp_line_blocks_next(at->blocks, &lines, &count, error));
        for (size_t i = 0; i < count; i++) {
            if (is_left_out(at, lines[i].row)) continue;
            if (at->document == at->corpus->document_count) return changed(at->corpus, error);
            FP_TRY(visit(context, at->document++, lines[i].text, error));
        }
    }
    fp_file_sum sum = fp_line_blocks_sum(at->blocks);
    if (sum.bytes == at->corpus->file.bytes && sum.hash == at->corpus->file.hash) return FP_OK;
    return changed(at->corpus, error);
}

fp_status fp_corpus_each_line(const fp_corpus *corpus, fp_corpus_line_visit *visit, void *context, fp_error *error) {
    walk at = {.corpus = corpus};
    const fp_progress silent = {.threads = corpus->file.threads};
    if (corpus->texts) {
        fp_fail(error, FP_ERROR_IO, "the documents cannot be read a second time");
        return fp_at(error, FP_ERROR_IO, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    FP_TRY(fp_line_blocks_open(corpus->file.path, corpus->memory, SIZE_MAX, false, &silent, &at.blocks, error));
    fp_status status = each(&at, visit, context, error);
    fp_line_blocks_close(at.blocks);
    return status;
}
