/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * extract.h - internals of an opened feature specification, shared by extraction and weighting.
 */
#ifndef FP_EXTRACT_H
#define FP_EXTRACT_H

#include "base/base.h"
#include "text/features/spec.h"

typedef enum fp_feature_unit {
    FP_FEATURE_WORD,
    FP_FEATURE_SPOT,
    FP_FEATURE_CHARACTER,
    FP_FEATURE_SENTENCE,
    FP_FEATURE_INITIAL
} fp_feature_unit;
typedef enum fp_idf_source { FP_IDF_CORPUS, FP_IDF_BUILTIN, FP_IDF_FILE } fp_idf_source;

/* A set of words; NULL is the empty set. */
typedef struct fp_stopwords fp_stopwords;
/* `source`: none, shipped, or a file with one word a line (# starts a comment). */
fp_status fp_stopwords_open(const char *source, fp_arena *arena, const fp_stopwords **stop, fp_error *error);
/* Whether the set contains the normalised word, unchanged or folded, so that a list in one script suffices for texts in
 * either (han=keep). The folded word lives in `arena`. */
fp_status fp_stopwords_hold(const fp_stopwords *stop, fp_string word, fp_arena *arena, bool *held, fp_error *error);

/* Hashes, and optionally weights, that a table gives to terms; NULL: no table. */
typedef struct fp_terms fp_terms;
/* Reads spec->terms. FP_ERROR_SYNTAX or FP_ERROR_DUPLICATE with file and line. */
fp_status fp_terms_open(const fp_feature_spec *spec, fp_arena *arena, const fp_terms **terms, fp_error *error);
/* Looks up a term by its fp_term_hash. *hash receives the table's bits as low bits, below those of the term hash, so
 * that terms with equal bits stay two features; it is unchanged if the table has only weights. *weight receives the
 * table's weight, if it has weights. False if the table lacks the term. */
bool fp_terms_find(const fp_terms *terms, uint64_t *hash, double *weight);
unsigned fp_terms_width(const fp_terms *terms);

struct fp_extractor {
    fp_feature_spec spec;
    fp_feature_unit unit;
    size_t span;  /* K */
    size_t chain; /* number of words after the stop word of a spot */
    const fp_stopwords *stop;
    const fp_stopwords *skipped; /* words that spots skip, besides `stop` */
    const fp_terms *terms;
    bool weigh_idf;
    fp_idf_source source;
    const fp_idf *fixed; /* from a file; NULL otherwise */
};

uint64_t fp_term_hash(const fp_feature_spec *spec, fp_string term);
fp_status fp_idf_read(const fp_extractor *extractor, const char *path, fp_arena *arena, const fp_idf **idf,
                      fp_error *error);

/* ---- The buffer of units during filling ---- */

typedef struct fp_builder {
    char *buffer;
    size_t length;         /* bytes used */
    uint32_t *begin, *end; /* of each unit; contiguous units share one array: end = begin + 1 */
    size_t count;
} fp_builder;

/* Makes room for `bytes` and `units` units; the two arrays are separate. */
fp_status fp_builder_open(fp_builder *made, size_t bytes, size_t units, fp_arena *arena, fp_error *error);
/* Appends a unit; there must be room for it. */
void fp_builder_add(fp_builder *to, const char *data, size_t length);

/* Fills `to` with the characters of normalised text, white space folded; optionally without punctuation and symbols. */
fp_status fp_character_units(fp_string text, bool drop_punctuation, fp_arena *arena, fp_builder *to, fp_error *error);
/* Fills `to` with the sentences of normalised text that contain a letter or a digit, without surrounding white space;
 * `semicolon`: a semicolon ends a sentence, too. */
fp_status fp_sentence_units(fp_string text, bool semicolon, fp_arena *arena, fp_builder *to, fp_error *error);

/* ---- Hashes of many short slices of one text ---- */

/* hash[i] = XXH3-64 of data[begin[i] … end[i]), without a seed, i < count. Correct for any slices, fast for ascending
 * ones. The same on every CPU level. */
void fp_window_hash(const char *data, const uint32_t *begin, const uint32_t *end, size_t count, uint64_t *hash);

/* ---- The built-in inverse document frequencies: jieba's list (jieba/analyse/idf.txt), for words as jieba cuts them
 * ---- */

/* The IDF of a word in valid UTF-8, > 0; the mean for a word that is not in the list. */
double fp_idf_builtin(fp_string word);

#endif
