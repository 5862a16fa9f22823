/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spec.h - the choices that turn a text into features, as two parameter tables. Arms that agree on all of the first
 * share normalised text and tokens; arms that agree on both share features.
 */
#ifndef FP_SPEC_H
#define FP_SPEC_H

#include "text/segmentation/segment.h"

/* Raw text -> normalised text, tokens, pinyin initials. */
typedef struct fp_text_spec {
    int64_t han;       /* fp_han */
    int64_t segmenter; /* index into the registry of segmenters, and behind it into `segmenters` */
    int64_t hmm;       /* 0 on, 1 off */
    int64_t join;      /* 0 numbers, 1 none */
    int64_t search;    /* 0 off, 1 on */
    const char *userdict;
    const fp_segmenter *const *segmenters; /* from outside, ended by NULL; may be NULL */
} fp_text_spec;

typedef enum fp_weight {
    FP_WEIGHT_BINARY, /* 1 */
    FP_WEIGHT_TF,     /* occurrences */
    FP_WEIGHT_LOGTF,  /* 1 + ln tf */
    FP_WEIGHT_IDF,    /* idf */
    FP_WEIGHT_TFIDF,  /* tf · idf */
    FP_WEIGHT_LEVELS, /* 1 … 5: fifths of the document's terms by tf · idf */
    FP_WEIGHT_LENGTH, /* characters of the term */
    FP_WEIGHT_TABLE   /* the third column of the term table */
} fp_weight;

/* FNV-1a over the bytes of UTF-8, or over the 16-bit units of UTF-16, each at once, as programs do whose strings are
 * made of those (charAt of Java and JavaScript): equal for ASCII. MD5: its last eight bytes, the first of them the
 * highest, as Python programs cut it to 64 bits; of UTF-8, or of UTF-16 with the low byte first. */
typedef enum fp_hash { FP_HASH_XXH3, FP_HASH_FNV1A, FP_HASH_FNV1A_UTF16, FP_HASH_MD5, FP_HASH_MD5_UTF16 } fp_hash;

/* Normalised text and tokens -> features. */
typedef struct fp_feature_spec {
    const char *features; /* words, words:K, chars:K, sentences, initials:K */
    int64_t weight;       /* fp_weight */
    int64_t top;          /* keep the N heaviest; 0 keeps all */
    int64_t shortest;     /* words of fewer characters are dropped */
    int64_t punctuation;  /* 0 keep, 1 drop; for chars:K */
    int64_t sentence;     /* 0 standard, 1 semicolon */
    const char *stop;     /* none, shipped, or a file */
    const char *idf;      /* corpus, builtin, or a file */
    int64_t hash;         /* fp_hash */
    int64_t hash_seed;
    const char *terms; /* none, or a file: term, bits, weight */
} fp_feature_spec;

/* Whether two specifications make the same units of a text, whatever they weigh and keep of them. */
bool fp_feature_spec_same_units(const fp_feature_spec *a, const fp_feature_spec *b);

extern const fp_parameter fp_text_parameters[];
extern const fp_parameter fp_feature_parameters[];

/* fp_text_parameters, where `segmenters` (from outside, ended by NULL) may be chosen as well; in `arena`.
 * FP_ERROR_RANGE for a name that is not [a-z0-9_]+, FP_ERROR_DUPLICATE for one that is taken. */
fp_status fp_text_parameters_with(const fp_segmenter *const *segmenters, fp_arena *arena, const fp_parameter **table,
                                  fp_error *error);

/* The files that the values name. `text` and `features` may be NULL. Returns how many. */
enum { FP_SPEC_FILES = 4 };
size_t fp_spec_files(const fp_text_spec *text, const fp_feature_spec *features, const char *files[FP_SPEC_FILES]);

#endif
