/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus.h - a corpus: documents and ground truth. Texts stay in their file, and are read from it in passes.
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

/* A field of the documents by its distinct values. */
typedef struct fp_corpus_field {
    const char *name;
    bool any; /* some document has a value */
    size_t value_count;
    const fp_string *values; /* [value_count] in order of first appearance; empty: of documents without one */
    const uint32_t *of;      /* [document_count] the value of each document */
} fp_corpus_field;

/* The file that the documents came from, as it was when they were read. */
typedef struct fp_corpus_file {
    const char *path;
    size_t bytes; /* unpacked */
    uint64_t hash;
    size_t left_out_count;
    const size_t *left_out; /* [left_out_count] rows that were skipped, ascending */
    int threads;            /* that a pass takes, as fp_progress has them */
} fp_corpus_file;

struct fp_corpus { /* fplab/corpus.h */
    const char *path;
    const char *name;
    fp_truth truth;
    size_t document_count;
    const fp_corpus_document *documents;
    const uint32_t *group; /* [document_count] group number, or UINT32_MAX for a document without one */
    size_t group_count;
    size_t field_count; /* those that were asked for */
    const fp_corpus_field *fields;
    /* [document_count] where texts are in memory: of a corpus that was made there, and of a docs.jsonl that cannot be
     * read twice, such as a pipe. NULL: they are in `file`. */
    const fp_string *texts;
    fp_corpus_file file;
    /* [document_count] of a part whose texts are in `file`: the place of each document in the whole, ascending. NULL:
     * the whole. */
    const uint32_t *origin;
    size_t pair_count; /* of pairs.tsv */
    const fp_pair *pairs;
    const fp_string *kinds; /* [pair_count], empty when not stated */
    bool from_groups;       /* the pairs are not of a file: groups, written out */
    size_t skipped;         /* bad rows left out because of skip_bad */
    const fp_arena *memory; /* that it lives in; what is needed for a while comes from the same allocator */
    char documents_sha256[65];
    char pairs_sha256[65]; /* empty when there is no pairs.tsv */
    char table_sha256[65]; /* of the table, `path`, that the corpus was made of; empty: it is a directory */
};

typedef struct fp_corpus_options {
    bool skip_bad;               /* leave bad rows out and count them, instead of failing at the first */
    size_t most_bytes;           /* of each file, unpacked; 0: FP_MOST_BYTES */
    const char *const *fields;   /* names of the fields wanted, the last NULL; or NULL */
    const fp_progress *progress; /* of reading, by bytes; its threads are those of passes, too. May be NULL */
    /* Called for every row left out, with its error; may be NULL. */
    void (*skipped)(void *context, const fp_error *error);
    void *context;
} fp_corpus_options;

/* Reads the corpus in directory `path` into `arena`: all but the texts. Errors name file, line and byte (an offset in
 * the file, unpacked): FP_ERROR_IO (missing), _ENCODING, _SYNTAX (JSON, id, label, columns), _DUPLICATE (id, key,
 * pair), _UNKNOWN (a pair's id), _EMPTY (no document), _RANGE (a file of too many bytes). The first error of a file is
 * told, for any number of threads. */
fp_status fp_corpus_read(const char *path, const fp_corpus_options *options, fp_arena *arena, fp_corpus *corpus,
                         fp_error *error);

/* Whether there are texts: not where pairs were given alone (fp_corpus_of_pairs). */
static inline bool fp_corpus_has_texts(const fp_corpus *corpus) { return corpus->texts || corpus->file.path; }

/* The texts of all documents, in corpus order, read again from their file with each pass. *source lives in `arena`, and
 * as long as the corpus; several may be read side by side. The caller ends it with fp_text_source_close. Batches fail
 * with FP_ERROR_IO where the file is no longer the one that the corpus was read from; that nothing has changed is known
 * at the end of a pass. */
fp_status fp_corpus_source(const fp_corpus *corpus, fp_arena *arena, fp_text_source *source, fp_error *error);
/* Calls `visit` for all texts, a batch after the other; the same text by text: fp_corpus_read_texts. */
typedef fp_status (*fp_visit_batch)(void *context, const fp_text_batch *batch, fp_error *error);
fp_status fp_corpus_read_batches(const fp_corpus *corpus, fp_visit_batch visit, void *context, fp_error *error);

/* The texts of some documents, in any order, from one pass over the file: texts[i] is that of documents[i], in `arena`.
 * NULL: of all, and `count` is their number. Errors as of fp_corpus_source. */
fp_status fp_corpus_fetch(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                          fp_string *texts, fp_error *error);

/* The corpus of these documents alone (ascending, none twice), with their groups and fields; `pairs` are left to the
 * caller: the part has none. Shares all else with `corpus`; lives in `arena`. */
fp_status fp_corpus_part(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                         fp_corpus *part, fp_error *error);

/* The field of that name, NULL where it was not asked for. */
const fp_corpus_field *fp_corpus_field_find(const fp_corpus *corpus, const char *name);

/* One disagreement between a MANIFEST and the files. */
typedef struct fp_manifest_check {
    bool present;
    fp_string name, language, licence, source;
    size_t problem_count;
    const char *problems[16];
} fp_manifest_check;
/* Compares MANIFEST.json with the corpus that was read. */
fp_status fp_manifest_compare(const fp_corpus *corpus, fp_arena *arena, fp_manifest_check *check, fp_error *error);
/* One of its texts, in the arena; NULL where the manifest states none. FP_ERROR_MEMORY. */
fp_status fp_manifest_text(fp_string stated, fp_arena *arena, const char **text, fp_error *error);

#endif
