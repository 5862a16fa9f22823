/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/text.h - texts, their features, and pairs of documents.
 */
#ifndef FPLAB_TEXT_H
#define FPLAB_TEXT_H 1

#include <stdint.h>
#include <stddef.h>
#include <fplab/version.h>

FP_BEGIN

/* Bytes with a length; not terminated by NUL. */
typedef struct fp_string {
    const char *data;
    size_t length;
} fp_string;

/* Text i is the bytes data[offset[i]] … data[offset[i + 1] − 1], UTF-8 and not normalised: a column of Arrow's type
 * large_string. offset[count + 1], ascending from 0 or more. */
typedef struct fp_text_column {
    size_t count;
    const char *data;
    const int64_t *offset;
} fp_text_column;

/* The features of a document under one feature specification, as two views of the same terms: the distinct features
 * with their weights, in order of first occurrence, and every occurrence in text order. */
typedef struct fp_features {
    size_t count;             /* distinct features */
    const uint64_t *hash;     /* [count] term hashes */
    const double *weight;     /* [count] weights, > 0; NULL: 1 each, and features may repeat (FP_ADDS_FEATURES) */
    const fp_string *term;    /* [count] the text that was hashed; NULL unless terms were requested */
    size_t length;            /* occurrences */
    const uint64_t *sequence; /* [length] term hash of each occurrence, in text order */
} fp_features;

/* The term of the i-th feature; empty if terms were not requested. */
static inline fp_string fp_features_term(const fp_features *features, size_t i) {
    fp_string none = {"", 0};
    return features->term ? features->term[i] : none;
}

/* One document as an algorithm sees it. The caller owns everything; it is constant. Parts that the algorithm does not
 * need (fp_algorithm.needs) are empty. */
typedef struct fp_document {
    fp_string id;         /* unique within its corpus */
    fp_string text;       /* normalised text, valid UTF-8 */
    fp_string initials;   /* one lower-case pinyin initial per Han character, in text order; syllables that begin with a
                             vowel give a, e or o */
    fp_features features; /* under the arm's feature specification */
} fp_document;

/* A labelled pair of documents, by position in their corpus. */
typedef struct fp_pair {
    uint32_t a, b;
    uint8_t label; /* 1: near-duplicates, 0: not */
} fp_pair;

/* Input for learning besides the documents. Labels are for supervised methods and for the control arms, which request
 * them (FP_NEEDS_PAIRS); they refer to documents in the order in which these are added. */
typedef struct fp_training {
    size_t pair_count; /* 0 unless requested */
    const fp_pair *pairs;
} fp_training;

FP_END

#endif
