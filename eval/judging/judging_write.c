/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes a judged sample as a sheet. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "algorithms/arms/arm.h"
#include "eval/judging/judging.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

static void put_byte(FILE *stream, char byte) {
    bool control = (unsigned char)byte < 0x20 || byte == 0x7f;
    if (byte == '"') fputc('"', stream);
    fputc(control ? ' ' : byte, stream);
}

/* Writes at most `width` characters (0: all), quoted if there is a quotation mark. `guard`: prevents a spreadsheet
 * from reading the text as a formula. */
static void put_cut(FILE *stream, fp_string text, size_t width, bool guard) {
    bool quote = text.length && memchr(text.data, '"', text.length);
    size_t at = 0;
    if (quote) fputc('"', stream);
    if (guard && fp_begins_formula(text)) fputc(' ', stream);
    for (size_t characters = 0; at < text.length && (width == 0 || characters < width); characters++)
        for (size_t end = at + fp_utf8_size(text.data[at]); at < end; at++) put_byte(stream, text.data[at]);
    if (at < text.length) fputs("…", stream);
    if (quote) fputc('"', stream);
}

static void put_cell(FILE *stream, fp_string text) { put_cut(stream, text, 0, false); }

static void put_header(FILE *stream, const fp_judged_sample *sample, const fp_corpus *corpus, const fp_arm *arm) {
    uint64_t documents = corpus->document_count;
    fprintf(stream, "# fplab judged sample\t1\n# version\t" FP_VERSION "\n# corpus\t");
    put_cell(stream, fp_string_of(corpus->name));
    fprintf(stream, "\n# sha256\t%s\n# arm\t", corpus->documents_sha256);
    put_cell(stream, fp_string_of(arm->spec));
    fprintf(stream, "\n# scale\t%s\n# documents\t%" PRIu64 "\n# pairs\t%" PRIu64 "\n", arm->instance.layout.scale,
            documents, documents * (documents - 1) / 2);
    fprintf(stream, "# per_distance\t%zu\n# seed\t%" PRIu64 "\n", sample->options.per_stratum, sample->options.seed);
    if (sample->of) fprintf(stream, "# sampled\t%s\n", sample->of);
    for (size_t s = 0; s < sample->stratum_count; s++)
        fprintf(stream, "# stratum\t%zu\tpairs\t%" PRIu64 "\tdrawn\t%zu\n", sample->strata[s].distance,
                sample->strata[s].population, sample->strata[s].drawn);
    fprintf(stream, "# judgement\tduplicate, not, unsure, or empty\n");
}

/* texts[2·i] and texts[2·i + 1] are those of pair i. */
static void put_pairs(FILE *stream, const fp_judged_sample *sample, const fp_corpus *corpus, const fp_string *texts,
                      size_t width) {
    fprintf(stream, "pair\tid_a\tid_b\tdistance\tstratum\tjudgement\ttext_a\ttext_b\n");
    for (size_t i = 0; i < sample->pair_count; i++) {
        const fp_judged_drawn *pair = sample->pairs + i;
        const fp_corpus_document *a = corpus->documents + pair->a, *b = corpus->documents + pair->b;
        char distance[FP_REAL_TEXT];
        fprintf(stream, "%zu\t", i + 1);
        put_cell(stream, a->id);
        fputc('\t', stream);
        put_cell(stream, b->id);
        fp_real_text(pair->distance, distance);
        fprintf(stream, "\t%s\t%zu\t\t", distance, sample->strata[pair->stratum].distance);
        put_cut(stream, texts[2 * i], width, true);
        fputc('\t', stream);
        put_cut(stream, texts[2 * i + 1], width, true);
        fputc('\n', stream);
    }
}

/* Ids are looked up when the sheet is read, so they must be written unchanged. */
static fp_status check_ids(const fp_judged_sample *sample, const fp_corpus *corpus, fp_error *error) {
    for (size_t i = 0; i < 2 * sample->pair_count; i++) {
        const fp_judged_drawn *pair = sample->pairs + i / 2;
        fp_string id = corpus->documents[i % 2 ? pair->b : pair->a].id;
        for (size_t at = 0; at < id.length; at++)
            if ((unsigned char)id.data[at] < 0x20 || id.data[at] == 0x7f)
                return fp_fail(error, FP_ERROR_SYNTAX,
                               "the id of document %" PRIu32 " holds a control character, which a sheet cannot hold",
                               (i % 2 ? pair->b : pair->a) + 1);
    }
    return FP_OK;
}

static fp_status fetch_texts(const fp_judged_sample *sample, const fp_corpus *corpus, fp_arena *arena,
                             fp_string **texts, fp_error *error) {
    size_t count = 2 * sample->pair_count;
    uint32_t *documents = FP_NEED(fp_arena_raw(arena, count, sizeof *documents), error);
    *texts = FP_NEED(fp_arena_raw(arena, count, sizeof **texts), error);
    for (size_t i = 0; i < count; i++) documents[i] = i % 2 ? sample->pairs[i / 2].b : sample->pairs[i / 2].a;
    return fp_corpus_fetch(corpus, documents, count, arena, *texts, error);
}

fp_status fp_judged_write(const fp_judged_sample *sample, const fp_corpus *corpus, const fp_arm *arm, size_t width,
                          const char *path, fp_error *error) {
    fp_output output;
    fp_string *texts = NULL;
    FP_TRY(check_ids(sample, corpus, error));
    FP_SCRATCH(arena, corpus->memory, error);
    FP_TRY(fetch_texts(sample, corpus, arena, &texts, error));
    FP_TRY(fp_output_open(&output, path, error));
    put_header(output.stream, sample, corpus, arm);
    put_pairs(output.stream, sample, corpus, texts, width);
    return fp_output_close(&output, error);
}

/* ---- Saving judgements into a sheet that others may judge at the same time ---- */

/* Whether the open file still has that name: the previous owner of the lock may have replaced the file. */
static bool is_there(int file, const char *path) {
    struct stat mine, there;
    return fstat(file, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
}

/* Waits for the lock on the file of that name. The lock ends with its process, so no stale lock remains. */
static fp_status lock(const char *path, int *locked, fp_error *error) {
    for (;;) {
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return fp_file_error(error, path, "lock");
        if (TEMP_FAILURE_RETRY(flock(file, LOCK_EX)) != 0) {
            fp_status status = fp_file_error(error, path, "lock");
            close(file);
            return status;
        }
        *locked = file;
        if (is_there(file, path)) return FP_OK;
        close(file);
    }
}

static void merge(fp_judged_sheet *sheet, fp_judged_sheet *now) {
    for (size_t i = 0; i < sheet->pair_count; i++) {
        fp_judged_pair *mine = sheet->pairs + i, *theirs = now->pairs + i;
        if (mine->judgement == mine->saved) mine->judgement = theirs->judgement;
        theirs->judgement = mine->judgement;
    }
}

/* The file as read, with new judgements. */
static fp_status write_sheet(const fp_judged_sheet *sheet, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, sheet->path, error));
    const char *from = sheet->content.data, *end = from + sheet->content.length;
    for (size_t i = 0; i < sheet->pair_count; i++) {
        const fp_judged_pair *pair = sheet->pairs + sheet->rows[i];
        if (pair->judgement == pair->saved) continue;
        fwrite(from, 1, (size_t)(pair->cell.data - from), output.stream);
        fputs(fp_judgement_name(pair->judgement), output.stream);
        from = pair->cell.data + pair->cell.length;
    }
    fwrite(from, 1, (size_t)(end - from), output.stream);
    return fp_output_close(&output, error);
}

static fp_status save_locked(fp_judged_sheet *sheet, fp_error *error) {
    fp_judged_sheet now;
    FP_SCRATCH(scratch, NULL, error);
    FP_TRY(fp_judged_read(sheet->path, scratch, &now, error));
    FP_TRY(fp_judged_same(&now, sheet, error));
    merge(sheet, &now);
    FP_TRY(write_sheet(&now, error));
    for (size_t i = 0; i < sheet->pair_count; i++) sheet->pairs[i].saved = sheet->pairs[i].judgement;
    return FP_OK;
}

fp_status fp_judged_save(fp_judged_sheet *sheet, fp_error *error) {
    int locked = -1;
    FP_TRY(lock(sheet->path, &locked, error));
    fp_status status = save_locked(sheet, error);
    close(locked);
    return status;
}
