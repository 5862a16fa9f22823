/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/corpus.h - corpora: documents, and which pairs of them are near-duplicates.
 */
#ifndef FPLAB_CORPUS_H
#define FPLAB_CORPUS_H 1

#include <stdbool.h>
#include <fplab/memory.h>
#include <fplab/progress.h>
#include <fplab/status.h>
#include <fplab/text.h>

FP_BEGIN

/* An open corpus. Opaque, constant, and may be shared by any number of threads until it is closed. Documents are
 * identified by position, from 0. */
typedef struct fp_corpus fp_corpus;

typedef enum fp_truth {
    FP_TRUTH_NONE,  /* unlabelled */
    FP_TRUTH_PAIRS, /* labelled pairs: pairs.tsv */
    FP_TRUTH_GROUPS /* same group: positive; all other pairs: negative */
} fp_truth;

/* Label values in users' tables, separated by blanks; upper and lower case are equal. */
#define FP_LABEL_POSITIVE "1 1.0 yes y true t duplicate dup same 是 重复 相同 近似重复 相似"
#define FP_LABEL_NEGATIVE "0 0.0 no n false f different distinct unique non-duplicate 否 不重复 不同 非重复 不相似"

/* Options for opening a corpus. May grow at the end: `size` is sizeof(fp_corpus_opening), and zero means the
 * default. */
typedef struct fp_corpus_opening {
    size_t size;
    bool skip_bad;     /* skip and count bad rows instead of failing at the first; of repeated rows the first is kept,
                          contradictory rows are all dropped */
    size_t most_bytes; /* of each file, unpacked; 0: 4 GiB */
    /* Called for every skipped row; may be NULL. */
    void (*skipped)(void *context, const fp_error *error);
    void *context;
    /* Memory source of the corpus and of evaluations on it; NULL: malloc. Copied, as by fp_arena_new_with. */
    const fp_allocator *allocator;
    const char *const *fields;   /* fields of the documents that evaluations may group by, terminated by NULL; or
                                    NULL */
    const fp_progress *progress; /* of reading; its threads are also used for passes over the texts. May be NULL */
} fp_corpus_opening;

/* Opens the corpus in directory `path`: docs.jsonl (or .jsonl.gz, .jsonl.zst), one JSON object a line with "id", "text"
 * and optional "lang" and "group"; and pairs.tsv (id_a, id_b, label 0 or 1, optional kind; tab-separated, no header) if
 * the truth is pairs. Texts stay in their file and are read again when they are needed; that fails with FP_ERROR_IO if
 * the file has changed since. `opening` may be NULL. The caller closes *corpus with fp_corpus_close. Errors name file,
 * line and byte: FP_ERROR_IO (missing), _ENCODING, _SYNTAX (JSON, id, label, columns), _DUPLICATE (id, key, pair in
 * either order), _UNKNOWN (a pair's id), _EMPTY (no document), _RANGE (most_bytes); FP_ERROR_CANCELLED; FP_ERROR_ABI
 * for an invalid size; allocator errors as for fp_arena_new_with. */
fp_status fp_corpus_open(const char *path, const fp_corpus_opening *opening, fp_corpus **corpus, fp_error *error);

/* Makes a corpus without texts, for evaluating distances that were computed elsewhere (fplab/eval.h): `document_count`
 * documents whose ids are their positions, and labelled pairs of them, which are copied. The documents determine which
 * pairs depend on one another. FP_ERROR_RANGE for a position out of range, a document paired with itself, a label that
 * is neither 0 nor 1; FP_ERROR_DUPLICATE for a repeated pair, in either order; FP_ERROR_EMPTY without pairs. Of
 * `opening`, which may be NULL, only the allocator is used; errors of its size and of the allocator as for
 * fp_corpus_open. */
fp_status fp_corpus_of_pairs(const char *name, size_t document_count, const fp_pair *pairs, size_t pair_count,
                             const fp_corpus_opening *opening, fp_corpus **corpus, fp_error *error);

/* Columns of a corpus in memory, which are copied. May grow at the end; `size` is sizeof(fp_corpus_columns), and zero
 * members are absent. */
typedef struct fp_corpus_columns {
    size_t size;
    const char *name;            /* not empty */
    const fp_text_column *texts; /* one text a document; UTF-8, not normalised */
    const fp_text_column *ids;   /* not empty, unique; NULL: the positions of the texts */
    const fp_text_column
        *groups;          /* texts in the same group are duplicates; an empty value: in no group. NULL: no groups */
    const fp_pair *pairs; /* labelled pairs, which are then the truth; as in fp_corpus_of_pairs */
    size_t pair_count;
    const fp_text_column *kinds; /* [pair_count] */
    size_t field_count;          /* fields of the documents that evaluations may group by */
    const char *const *field_names;
    const fp_text_column *fields; /* [field_count] one value a document each */
} fp_corpus_columns;

/* Makes a corpus of columns. Of `opening`, which may be NULL, only the allocator is used. The caller closes *corpus
 * with fp_corpus_close. FP_ERROR_EMPTY: no document; FP_ERROR_RANGE: columns of unequal length, an empty id or name,
 * offsets that descend; FP_ERROR_ENCODING, with the position of the text and the byte; FP_ERROR_DUPLICATE: an id or a
 * pair; FP_ERROR_ABI; those of fp_corpus_of_pairs. */
fp_status fp_corpus_of_columns(const fp_corpus_columns *columns, const fp_corpus_opening *opening, fp_corpus **corpus,
                               fp_error *error);

/* `corpus` may be NULL. */
void fp_corpus_close(fp_corpus *corpus);

/* Results of the functions below live as long as the corpus. */

/* The last part of the path, or the given name. */
const char *fp_corpus_name(const fp_corpus *corpus);
size_t fp_corpus_document_count(const fp_corpus *corpus);
/* The number of skipped rows. */
size_t fp_corpus_skipped(const fp_corpus *corpus);
/* The id of a document, which must exist. */
fp_string fp_corpus_id(const fp_corpus *corpus, size_t document);
fp_truth fp_corpus_truth(const fp_corpus *corpus);
/* The labelled pairs, in file order; none if the truth is groups. */
const fp_pair *fp_corpus_pairs(const fp_corpus *corpus, size_t *count);
/* The number of a document's group, from 0; UINT32_MAX: in no group. */
uint32_t fp_corpus_group(const fp_corpus *corpus, size_t document);

/* Calls `visit` for every document in order, with its text (UTF-8, not normalised), which is valid until `visit`
 * returns. Stops at the first status other than FP_OK, and returns it. A corpus of pairs has no texts: FP_ERROR_EMPTY.
 * Read errors as for fp_corpus_open. */
fp_status fp_corpus_read_texts(const fp_corpus *corpus,
                               fp_status (*visit)(void *context, size_t document, fp_string text, fp_error *error),
                               void *context, fp_error *error);

FP_END

#endif
