/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corpora, packed files, and the tables that arms are given. */
#include <unistd.h>

#include "base/npy.h"
#include "base/reader.h"
#include "base/time_text.h"
#include "corpora/corpus.h"
#include "corpora/scores.h"
#include "index/fingerprint_lines.h"
#include "tests/fuzz/fuzz.h"
#include "text/unicode/utf8.h"

/* ---- A corpus: docs.jsonl, pairs.tsv and MANIFEST.json, parted by bytes 0xff ---- */

static void check_corpus(const fp_corpus *corpus, fp_arena *arena) {
    fp_manifest_check manifest;
    fp_error error;
    fp_string *texts = fp_arena_alloc(arena, corpus->document_count + 1, sizeof *texts);
    FUZZ_DEMAND(corpus->document_count > 0);
    for (size_t p = 0; p < corpus->pair_count; p++) {
        FUZZ_DEMAND(corpus->pairs[p].a < corpus->document_count && corpus->pairs[p].b < corpus->document_count);
        FUZZ_DEMAND(corpus->pairs[p].a != corpus->pairs[p].b);
    }
    for (size_t d = 0; d < corpus->document_count; d++)
        FUZZ_DEMAND(corpus->group[d] == UINT32_MAX || corpus->group[d] < corpus->group_count);
    fp_manifest_compare(corpus, arena, &manifest, &error);
    FUZZ_DEMAND(fp_corpus_fetch(corpus, NULL, corpus->document_count, arena, texts, &error) == FP_OK);
    for (size_t d = 0; d < corpus->document_count; d++)
        FUZZ_DEMAND(fp_utf8_count(texts[d]) == corpus->documents[d].characters);
}

static void skipped(void *context, const fp_error *error) {
    (void)context;
    FUZZ_DEMAND(error->message[0]);
}

void fuzz_corpus(fp_string input, fp_arena *arena) {
    static const char *const FIELDS[] = {"lang", "group", "kind", NULL};
    unsigned choice = fuzz_choice(&input);
    fp_progress progress = {.threads = 1};
    fp_corpus_opening options = {.skip_bad = choice & 1,
                                 .fields = choice & 2 ? FIELDS : NULL,
                                 .progress = &progress,
                                 .skipped = skipped,
                                 .most_bytes = 1 << 20};
    fp_corpus corpus;
    fp_error error;
    const char *pairs = fuzz_path("pairs.tsv", arena), *manifest = fuzz_path("MANIFEST.json", arena);
    const char *documents = fuzz_file("docs.jsonl", fuzz_part(&input), arena);
    unlink(pairs);
    unlink(manifest);
    if (input.data) fuzz_file("pairs.tsv", fuzz_part(&input), arena);
    if (input.data) fuzz_file("MANIFEST.json", fuzz_part(&input), arena);
    const char *directory =
        fp_string_copy(arena, (fp_string){documents, (size_t)(strrchr(documents, '/') - documents)});
    if (fp_corpus_read(directory, &options, arena, &corpus, &error) == FP_OK) check_corpus(&corpus, arena);
    else FUZZ_DEMAND(error.message[0]);
}

/* ---- Packed files ---- */

/* No more than was allowed comes of it, in pieces as in one. */
void fuzz_packed(fp_string input, fp_arena *arena) {
    enum { MOST = 1 << 18 };
    static const char *const NAMES[] = {"packed", "packed.gz", "packed.zst"};
    const char *path = fuzz_file(NAMES[fuzz_choice(&input) % 3], input, arena);
    fp_string content, again;
    fp_error error;
    fp_reader *reader;
    fp_status status = fp_read_file_within(path, MOST, arena, &content, &error);
    FUZZ_DEMAND(status != FP_OK || content.length <= MOST);
    if (fp_reader_open(path, arena, &reader, &error) != FP_OK) {
        FUZZ_DEMAND(status != FP_OK);
        return;
    }
    char piece[7];
    size_t got = 1, total = 0;
    while (got && total <= MOST && fp_reader_read(reader, piece, sizeof piece, &got, &error) == FP_OK) {
        FUZZ_DEMAND(status != FP_OK || memcmp(piece, content.data + total, got) == 0);
        total += got;
    }
    FUZZ_DEMAND(status != FP_OK || total == content.length);
    if (fp_reader_rewind(reader, &error) == FP_OK)
        FUZZ_DEMAND(fp_read_all(reader, MOST, arena, &again, &error) == status);
    fp_reader_close(reader);
}

/* ---- Tables ---- */

static const fp_corpus *small_corpus(void) {
    static fp_corpus *corpus;
    fp_error error;
    fp_pair pairs[] = {{0, 1, true}, {0, 2, false}};
    if (!corpus) FUZZ_DEMAND(fp_corpus_of_pairs("small", 3, pairs, 2, NULL, &corpus, &error) == FP_OK);
    return corpus;
}

static fp_status take_line(void *context, const fp_fingerprint_line *line, fp_error *error) {
    (void)error;
    ++*(size_t *)context;
    FUZZ_DEMAND(line->words && line->line > 0);
    return FP_OK;
}

/* Scores, matrices of NumPy, fingerprints a line each, times. */
void fuzz_tables(fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    const char *path = fuzz_file("table", input, arena);
    fp_score_reading reading = {.size = sizeof reading, .most_bytes = 1 << 20};
    double *distances;
    fp_npy matrix;
    fp_error error;
    size_t lines = 0;
    int64_t time;
    switch (choice % 4) {
    case 0: fp_scores_read(path, small_corpus(), &reading, arena, &distances, &error); break;
    case 1:
        if (fp_npy_read(path, arena, &matrix, &error) != FP_OK) break;
        for (size_t i = 0; i < matrix.rows * matrix.columns; i++) FUZZ_DEMAND(matrix.values[i] - matrix.values[i] == 0);
        break;
    case 2: {
        fp_fingerprint_lines how = {.bits = choice & 4 ? 64 : 70, .take = take_line, .context = &lines};
        fp_fingerprint_lines_read(path, &how, arena, &error);
        break;
    }
    default:
        if (fp_time_parse(input, &time, &error) == FP_OK) {
            char text[FP_TIME_TEXT];
            int64_t again;
            fp_time_write(time, text);
            FUZZ_DEMAND(fp_time_parse(fp_string_of(text), &again, &error) == FP_OK && again == time);
        }
        fp_span_parse(fp_string_copy(arena, input), &time);
    }
}
