/* SPDX-License-Identifier: GPL-3.0-or-later
 * A part of a corpus, written as a corpus. */
#include "corpora/importing/corpus_writer.h"
#include "corpora/shaping/corpus_lines.h"
#include "eval/shaping/shape.h"

typedef struct writing {
    const fp_shape *shape;
    size_t part;
    fp_corpus_writer *writer;
} writing;

static fp_status write_line(void *context, size_t document, fp_string line, fp_error *error) {
    const writing *to = context;
    if (to->shape->part[document] != to->part) return FP_OK;
    return fp_corpus_writer_line(to->writer, line, error);
}

static fp_status write_pairs(const fp_corpus *corpus, const writing *to, size_t pairs[2], fp_error *error) {
    const fp_shape *shape = to->shape;
    pairs[0] = pairs[1] = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        if (shape->part[pair.a] != to->part || shape->part[pair.b] != to->part) continue;
        if (shape->pairs && !shape->pairs[i]) continue;
        pairs[pair.label]++;
        FP_TRY(fp_corpus_writer_pair(to->writer, corpus->documents[pair.a].id, corpus->documents[pair.b].id, pair.label,
                                     corpus->kinds[i], error));
    }
    return FP_OK;
}

static fp_status finish(const fp_corpus *corpus, const writing *to, const char *called, fp_arena *arena,
                        fp_error *error) {
    fp_manifest_check of;
    FP_TRY(fp_manifest_compare(corpus, arena, &of, error));
    fp_corpus_described described = {.name = fp_format(arena, "%s, %s", corpus->name, called),
                                     .source = fp_format(arena, "%s of %s (sha256 %s), by fplab %s", called,
                                                         corpus->name, corpus->documents_sha256, fp_version())};
    if (!described.name || !described.source) return fp_no_memory(error);
    FP_TRY(fp_manifest_text(of.language, arena, &described.language, error));
    FP_TRY(fp_manifest_text(of.licence, arena, &described.licence, error));
    return fp_corpus_writer_finish(to->writer, &described, error);
}

fp_status fp_shape_write(const fp_corpus *corpus, const fp_shape *shape, size_t part, const char *called,
                         const char *directory, fp_arena *arena, size_t pairs[2], fp_error *error) {
    writing to = {.shape = shape, .part = part};
    FP_TRY(fp_corpus_writer_open(directory, arena, &to.writer, error));
    fp_status status = fp_corpus_each_line(corpus, write_line, &to, error);
    if (status == FP_OK) status = write_pairs(corpus, &to, pairs, error);
    if (status == FP_OK) status = finish(corpus, &to, called, arena, error);
    fp_corpus_writer_discard(to.writer);
    return status;
}
