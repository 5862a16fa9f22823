/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus.h - a corpus in memory: documents and ground truth.
 *
 * On disk a corpus is a directory: docs.jsonl (or .jsonl.gz, .jsonl.zst), one JSON object a line with "id", "text" and
 * optional "lang", "group" and other fields; pairs.tsv (id_a, id_b, label 0 or 1, optional kind; tab-separated, no
 * header) and/or groups; MANIFEST.json with name, language, source, licence, counts and checksums.
 */
#ifndef FP_CORPUS_H
#define FP_CORPUS_H

#include "base/text_source.h"

typedef enum fp_truth {
    FP_TRUTH_NONE,  /* unlabelled */
    FP_TRUTH_PAIRS, /* labelled pairs: pairs.tsv */
    FP_TRUTH_GROUPS /* same group: positive; all other pairs: negative */
} fp_truth;

typedef struct fp_corpus_document {
    fp_string id;
    fp_string text;     /* raw, valid UTF-8 */
    fp_string language; /* empty when not stated */
    fp_string group;    /* empty when not stated */
    fp_string json;     /* the line it came from */
} fp_corpus_document;

typedef struct fp_corpus {
    const char *path;
    const char *name;
    fp_truth truth;
    size_t document_count;
    const fp_corpus_document *documents;
    const uint32_t *group; /* [document_count] group number, or UINT32_MAX for a document without one */
    size_t group_count;
    size_t pair_count; /* of pairs.tsv */
    const fp_pair *pairs;
    const fp_string *kinds; /* [pair_count], empty when not stated */
    bool from_groups;       /* the pairs are not of a file: groups, written out */
    size_t skipped;         /* bad rows left out because of skip_bad */
    char documents_sha256[65];
    char pairs_sha256[65]; /* empty when there is no pairs.tsv */
} fp_corpus;

typedef struct fp_corpus_options {
    bool skip_bad;     /* leave bad rows out and count them, instead of failing at the first */
    size_t most_bytes; /* of each file, unpacked; 0: FP_MOST_BYTES */
    /* Called for every row left out, with its error; may be NULL. */
    void (*skipped)(void *context, const fp_error *error);
    void *context;
} fp_corpus_options;

/* Reads the corpus in directory `path` into `arena`. Errors name file, line and byte (an offset in the file, unpacked):
 * FP_ERROR_IO (missing), _ENCODING, _SYNTAX (JSON, id, label, columns), _DUPLICATE (id, key), _UNKNOWN (a pair's id),
 * _EMPTY (no document).
 */
fp_status fp_corpus_read(const char *path, const fp_corpus_options *options, fp_arena *arena, fp_corpus *corpus,
                         fp_error *error);

/* The texts of all documents, in corpus order. *source lives in `arena`, and as long as the corpus; several may be read
 * side by side. The caller ends it with fp_text_source_close. */
fp_status fp_corpus_source(const fp_corpus *corpus, fp_arena *arena, fp_text_source *source, fp_error *error);

/* A field of a document's JSON line by name (what is no string as it is written); empty when there is none. */
fp_status fp_corpus_field(const fp_corpus_document *document, const char *name, fp_arena *arena, fp_string *value,
                          fp_error *error);

/* One disagreement between a MANIFEST and the files. */
typedef struct fp_manifest_check {
    bool present;
    fp_string name, language, licence, source;
    size_t problem_count;
    const char *problems[16];
} fp_manifest_check;
/* Compares MANIFEST.json with the corpus that was read. */
fp_status fp_manifest_compare(const fp_corpus *corpus, fp_arena *arena, fp_manifest_check *check, fp_error *error);

#endif
