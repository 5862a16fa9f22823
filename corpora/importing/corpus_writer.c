/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writing a corpus. */
#include "corpora/importing/corpus_writer.h"

struct fp_corpus_writer {
    fp_arena *arena;
    const char *directory;
    fp_output documents, pairs;
    bool open_documents, open_pairs;
};

static const char *path_of(const fp_corpus_writer *writer, const char *name) {
    return fp_format(writer->arena, "%s/%s", writer->directory, name);
}

fp_status fp_corpus_writer_open(const char *directory, fp_arena *arena, fp_corpus_writer **writer, fp_error *error) {
    fp_corpus_writer *made = *writer = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->arena = arena;
    made->directory = directory;
    const char *path = FP_NEED(path_of(made, "docs.jsonl"), error);
    FP_TRY(fp_output_open(&made->documents, path, error));
    made->open_documents = true;
    return FP_OK;
}

void fp_corpus_writer_discard(fp_corpus_writer *writer) {
    if (!writer) return;
    if (writer->open_documents) fp_output_discard(&writer->documents);
    if (writer->open_pairs) fp_output_discard(&writer->pairs);
    writer->open_documents = writer->open_pairs = false;
}

static fp_status cannot_write(const fp_output *output, fp_error *error) {
    return fp_file_error(error, output->path, "write");
}

fp_status fp_corpus_writer_document(fp_corpus_writer *writer, const fp_corpus_written *document, fp_error *error) {
    fp_json_writer json = fp_json_to(writer->documents.stream, 0);
    json.compact = true;
    fp_json_begin_object(&json, NULL);
    fp_json_put_string(&json, "id", document->id);
    fp_json_put_string(&json, "text", document->text);
    if (document->group.length) fp_json_put_string(&json, "group", document->group);
    if (document->language.length) fp_json_put_string(&json, "lang", document->language);
    for (size_t i = 0; i < document->member_count; i++)
        if (document->members[i].value.length)
            fp_json_put_string(&json, document->members[i].name, document->members[i].value);
    if (document->more) document->more(document->context, &json);
    fp_json_end_object(&json);
    if (fputc('\n', writer->documents.stream) == EOF) return cannot_write(&writer->documents, error);
    return fp_json_done(&json, error);
}

fp_status fp_corpus_writer_line(fp_corpus_writer *writer, fp_string line, fp_error *error) {
    if (fwrite(line.data, 1, line.length, writer->documents.stream) < line.length ||
        fputc('\n', writer->documents.stream) == EOF)
        return cannot_write(&writer->documents, error);
    return FP_OK;
}

fp_status fp_corpus_writer_pair(fp_corpus_writer *writer, fp_string a, fp_string b, bool label, fp_string kind,
                                fp_error *error) {
    if (!writer->open_pairs) {
        const char *path = FP_NEED(path_of(writer, "pairs.tsv"), error);
        FP_TRY(fp_output_open(&writer->pairs, path, error));
        writer->open_pairs = true;
    }
    int length = fprintf(writer->pairs.stream, "%.*s\t%.*s\t%d%s%.*s\n", (int)a.length, a.data, (int)b.length, b.data,
                         label, kind.length ? "\t" : "", (int)kind.length, kind.data);
    return length < 0 ? cannot_write(&writer->pairs, error) : FP_OK;
}

/* ---- Finishing ---- */

static void put_counts(fp_json_writer *json, const fp_corpus *corpus) {
    size_t positives = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) positives += corpus->pairs[i].label;
    fp_json_begin_object(json, "counts");
    fp_json_put_count(json, "documents", corpus->document_count);
    fp_json_put_count(json, "groups", corpus->group_count);
    fp_json_put_count(json, "pairs", corpus->pair_count);
    fp_json_put_count(json, "positives", positives);
    fp_json_end_object(json);
}

static void put_manifest(fp_json_writer *json, const fp_corpus *corpus, const fp_corpus_described *described) {
    const struct {
        const char *name, *text;
    } TEXTS[] = {{"name", described->name},
                 {"language", described->language},
                 {"source", described->source},
                 {"licence", described->licence},
                 {"description", described->description}};
    fp_json_begin_object(json, NULL);
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        if (TEXTS[i].text) fp_json_put_text(json, TEXTS[i].name, TEXTS[i].text);
    put_counts(json, corpus);
    fp_json_begin_object(json, "sha256");
    fp_json_put_text(json, "docs.jsonl", corpus->documents_sha256);
    if (corpus->pairs_sha256[0]) fp_json_put_text(json, "pairs.tsv", corpus->pairs_sha256);
    fp_json_end_object(json);
    fp_json_end_object(json);
}

static fp_status write_manifest(fp_corpus_writer *writer, const fp_corpus_described *described, fp_error *error) {
    fp_corpus made;
    fp_output output;
    const char *path = FP_NEED(path_of(writer, "MANIFEST.json"), error);
    FP_TRY(fp_corpus_read(writer->directory, NULL, writer->arena, &made, error));
    FP_TRY(fp_output_open(&output, path, error));
    fp_json_writer json = fp_json_to(output.stream, 0);
    put_manifest(&json, &made, described);
    fputc('\n', output.stream);
    return fp_output_end(&output, fp_json_done(&json, error), error);
}

fp_status fp_corpus_writer_finish(fp_corpus_writer *writer, const fp_corpus_described *described, fp_error *error) {
    writer->open_documents = false;
    fp_status status = fp_output_close(&writer->documents, error);
    if (status == FP_OK && writer->open_pairs) {
        writer->open_pairs = false;
        status = fp_output_close(&writer->pairs, error);
    }
    fp_corpus_writer_discard(writer);
    return status == FP_OK ? write_manifest(writer, described, error) : status;
}
