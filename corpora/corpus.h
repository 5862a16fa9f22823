/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus.h - a corpus: documents and ground truth. Texts stay in their file; passes read them from there.
 *
 * On disk a corpus is a directory: docs.jsonl (or .jsonl.gz, .jsonl.zst), one JSON object a line with "id", "text" and
 * optional "lang", "group" and other fields; pairs.tsv (id_a, id_b, label 0 or 1, optional kind; tab-separated, no
 * header) and/or groups; MANIFEST.json with name, language, source, licence, counts and checksums.
 */
#ifndef FP_CORPUS_H
#define FP_CORPUS_H

#include "base/parallel.h"
#include "base/text_source.h"

typedef struct fp_corpus_document {
    fp_string id;
    size_t characters; /* code points of its text */
} fp_corpus_document;

/* A field of the documents, stored by its distinct values. */
typedef struct fp_corpus_field {
    const char *name;
    bool any; /* some document has a value */
    size_t value_count;
    const fp_string *values; /* [value_count] in order of first appearance; empty: documents without a value */
    const uint32_t *of;      /* [document_count] index of each document's value */
} fp_corpus_field;

/* The state of the documents' file when it was read. */
typedef struct fp_corpus_file {
    const char *path;
    size_t bytes; /* unpacked */
    uint64_t hash;
    size_t left_out_count;
    const size_t *left_out; /* [left_out_count] rows that were skipped, ascending */
    int threads;            /* threads of a pass, as in fp_progress */
} fp_corpus_file;

struct fp_corpus { /* declared in fplab/corpus.h */
    const char *path;
    const char *name;
    fp_truth truth;
    size_t document_count;
    const fp_corpus_document *documents;
    const uint32_t *group; /* [document_count] group number, or UINT32_MAX for a document without one */
    size_t group_count;
    size_t field_count; /* the requested fields */
    const fp_corpus_field *fields;
    /* [document_count] if texts are in memory: for a corpus made in memory, or a docs.jsonl that cannot be read twice,
     * such as a pipe. NULL: they are in `file`. */
    const fp_string *texts;
    fp_corpus_file file;
    /* [document_count] for a part whose texts are in `file`: the position of each document in the whole, ascending.
     * NULL: the corpus is whole. */
    const uint32_t *origin;
    size_t pair_count; /* pairs of pairs.tsv */
    const fp_pair *pairs;
    const fp_string *kinds; /* [pair_count], empty when not stated */
    bool from_groups;       /* the pairs are generated from groups, not read from a file */
    size_t skipped;         /* bad rows skipped because of skip_bad */
    const fp_arena *memory; /* the arena that it lives in; temporary memory comes from the same allocator */
    char documents_sha256[65];
    char pairs_sha256[65]; /* empty if there is no pairs.tsv */
    char table_sha256[65]; /* of the table at `path` that the corpus was made from; empty if `path` is a directory */
};

/* Reads the corpus in directory `path` into `arena`, except the texts; of `opening`, which may be NULL, the size and
 * the allocator are not used. Errors name file, line and byte (an offset in the unpacked file): FP_ERROR_IO (missing),
 * _ENCODING, _SYNTAX (JSON, id, label, columns), _DUPLICATE (id, key, pair), _UNKNOWN (a pair's id), _EMPTY (no
 * document), _RANGE (a file of too many bytes). For any number of threads it returns the first error of a file. */
fp_status fp_corpus_read(const char *path, const fp_corpus_opening *opening, fp_arena *arena, fp_corpus *corpus,
                         fp_error *error);

/* False if the corpus was made of pairs only (fp_corpus_of_pairs). */
static inline bool fp_corpus_has_texts(const fp_corpus *corpus) { return corpus->texts || corpus->file.path; }

/* A source of all texts in corpus order, read again from their file with each pass. *source lives in `arena` and needs
 * the corpus; several sources may be read at once. The caller closes it with fp_text_source_close. FP_ERROR_IO if the
 * file has changed since the corpus was read, which only the end of a pass can exclude. */
fp_status fp_corpus_source(const fp_corpus *corpus, fp_arena *arena, fp_text_source *source, fp_error *error);
/* Calls `visit` for all texts, batch by batch; fp_corpus_read_texts does the same text by text. */
typedef fp_status (*fp_visit_batch)(void *context, const fp_text_batch *batch, fp_error *error);
fp_status fp_corpus_read_batches(const fp_corpus *corpus, fp_visit_batch visit, void *context, fp_error *error);

/* Reads the texts of some documents (NULL: all), in any order, in one pass: texts[i] is that of documents[i], in
 * `arena`. Errors as for fp_corpus_source. */
fp_status fp_corpus_fetch(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                          fp_string *texts, fp_error *error);

/* Makes a corpus of some documents (ascending, unique), with their groups and fields but without pairs, which the
 * caller may set. Shares everything else with `corpus`; lives in `arena`. */
fp_status fp_corpus_part(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                         fp_corpus *part, fp_error *error);

/* The field of that name; NULL if it was not requested. */
const fp_corpus_field *fp_corpus_field_find(const fp_corpus *corpus, const char *name);

/* Calls `visit` for the line of every document in order, without its line end, valid until `visit` returns, in one pass
 * over the file. The corpus must be whole (no part), and its file readable twice: FP_ERROR_IO for a pipe, or for a file
 * that has changed. Stops at the first status other than FP_OK, and returns it. */
typedef fp_status fp_corpus_line_visit(void *context, size_t document, fp_string line, fp_error *error);
fp_status fp_corpus_each_line(const fp_corpus *corpus, fp_corpus_line_visit *visit, void *context, fp_error *error);

/* Content of MANIFEST.json, NULL where it is missing, and its disagreements with the files. */
typedef struct fp_manifest_check {
    bool present;
    const char *name, *language, *licence, *source;
    size_t problem_count;
    const char *problems[16];
} fp_manifest_check;
/* Compares MANIFEST.json with the corpus that was read. Lives in `arena`. */
fp_status fp_manifest_compare(const fp_corpus *corpus, fp_arena *arena, fp_manifest_check *check, fp_error *error);

#endif
