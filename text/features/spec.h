/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spec.h - the options that turn a text into features, as two parameter tables. Arms with the same options of the first
 * table share normalised text and tokens; arms with the same options of both share features.
 */
#ifndef FP_SPEC_H
#define FP_SPEC_H

#include "text/segmentation/segment.h"

/* Raw text to normalised text, tokens, pinyin initials. */
typedef struct fp_text_spec {
    int64_t han;       /* fp_han */
    int64_t segmenter; /* index into the registry of segmenters, continued by `segmenters` */
    int64_t hmm;       /* 0 on, 1 off */
    int64_t join;      /* 0 numbers, 1 none */
    int64_t search;    /* 0 off, 1 on */
    const char *userdict;
    const fp_segmenter *const *segmenters; /* external, terminated by NULL; may be NULL */
} fp_text_spec;

typedef enum fp_weight {
#define WEIGHT(name, constant, idf, whole, formula) FP_WEIGHT_##constant,
#include "text/features/weights.def"
#undef WEIGHT
} fp_weight;

/* FNV-1a over the bytes of UTF-8, or over the 16-bit units of UTF-16, one step a unit, like programs with UTF-16
 * strings (charAt of Java and JavaScript): equal for ASCII. MD5: its last eight bytes, big-endian, as Python programs
 * truncate it to 64 bits; of UTF-8, or of UTF-16 little-endian. */
typedef enum fp_hash { FP_HASH_XXH3, FP_HASH_FNV1A, FP_HASH_FNV1A_UTF16, FP_HASH_MD5, FP_HASH_MD5_UTF16 } fp_hash;

/* Normalised text and tokens to features. */
typedef struct fp_feature_spec {
    const char *features; /* words, words:K, spots:K, chars:K, sentences, initials:K */
    int64_t weight;       /* fp_weight */
    int64_t top;          /* keep the N heaviest; 0 keeps all */
    int64_t shortest;     /* drops words of fewer characters */
    int64_t punctuation;  /* 0 keep, 1 drop; for chars:K */
    int64_t sentence;     /* 0 standard, 1 semicolon */
    const char *stop;     /* none, shipped, or a file */
    const char *idf;      /* corpus, builtin, or a file */
    int64_t hash;         /* fp_hash */
    int64_t hash_seed;
    const char *terms; /* none, or a file: term, bits, weight */
} fp_feature_spec;

/* Whether two specifications give the same units, regardless of weights and selection. */
bool fp_feature_spec_same_units(const fp_feature_spec *a, const fp_feature_spec *b);

extern const fp_parameter fp_text_parameters[];
extern const fp_parameter fp_feature_parameters[];

/* fp_text_parameters with `segmenters` (external, terminated by NULL) as additional choices; in `arena`. FP_ERROR_RANGE
 * for a name that is not [a-z0-9_]+, FP_ERROR_DUPLICATE for one already in use. */
fp_status fp_text_parameters_with(const fp_segmenter *const *segmenters, fp_arena *arena, const fp_parameter **table,
                                  fp_error *error);

/* The files that the values name. `text` and `features` may be NULL. Returns their number. */
enum { FP_SPEC_FILES = 4 };
size_t fp_spec_files(const fp_text_spec *text, const fp_feature_spec *features, const char *files[FP_SPEC_FILES]);

/* ---- From raw text to weighted features, in the stages
 *
 *     raw text -> fp_text (normalised text, tokens, initials) -> fp_units (what a feature is made of)
 *              -> fp_counts (distinct features with their frequencies) -> fp_features (with weights)
 *
 * Each stage is a function of the previous one and of a read-only, opened specification; all are thread-safe. Outputs
 * live in the given arena. ---- */

/* ---- Text ---- */

/* An opened text specification. */
typedef struct fp_preprocessor fp_preprocessor;
fp_status fp_preprocessor_open(const fp_text_spec *spec, fp_arena *arena, const fp_preprocessor **preprocessor,
                               fp_error *error);

/* Requested parts of fp_text. */
enum { FP_WANT_TOKENS = 1, FP_WANT_INITIALS = 2 };

typedef struct fp_text {
    fp_string text;     /* normalised */
    fp_tokens tokens;   /* ranges in `text`; empty unless requested */
    fp_string initials; /* empty unless requested */
} fp_text;

fp_status fp_preprocess(const fp_preprocessor *preprocessor, fp_string raw, unsigned wanted, fp_arena *arena,
                        fp_text *text, fp_error *error);
/* The number of texts, among `texts` texts that were all preprocessed equally often with FP_WANT_TOKENS, in which at
 * least a quarter of the tokens are single letters of a script that the segmenter cannot cut into words
 * (fp_word.uncut). */
size_t fp_preprocessor_uncut(const fp_preprocessor *preprocessor, size_t texts);

/* ---- Features ---- */

typedef struct fp_idf fp_idf; /* see below */

/* An opened feature specification. */
typedef struct fp_extractor fp_extractor;
fp_status fp_extractor_open(const fp_feature_spec *spec, fp_arena *arena, const fp_extractor **extractor,
                            fp_error *error);
/* The parts of fp_text that the features need. */
unsigned fp_extractor_wants(const fp_extractor *extractor);
/* Whether weights use document frequencies learned from a corpus. */
bool fp_extractor_learns(const fp_extractor *extractor);
/* The document frequencies of a file that weights use (idf=FILE); NULL if there is none. */
const fp_idf *fp_extractor_file(const fp_extractor *extractor);
/* Whether weights are integers for every text. */
bool fp_extractor_whole(const fp_extractor *extractor);
/* Whether the features are exactly those of the units: none is dropped or gets another hash, so the distinct features
 * add only their frequencies. `tf`: the weights must be the frequencies, too. */
bool fp_extractor_plain(const fp_extractor *extractor, bool tf);
/* The width of the hashes that a term table (terms=FILE) gives; 0 without one. */
unsigned fp_extractor_width(const fp_extractor *extractor);

/* A buffer of units (words, characters, sentences, initials). A feature is the slice from the begin of a unit to the
 * end of the K-th unit from there, hashed unchanged; words are separated by one space. A non-empty text of fewer than K
 * units gives one feature: all of it. */
typedef struct fp_units {
    fp_string buffer;
    size_t count;          /* units */
    const uint32_t *begin; /* [count] */
    const uint32_t *end;   /* [count] */
    size_t length;         /* features: number of occurrences, in text order */
    size_t span;           /* units in a feature, K or fewer */
    const uint64_t *hash;  /* [length] term hash of each */
} fp_units;
fp_status fp_extract(const fp_extractor *extractor, const fp_text *text, fp_arena *arena, fp_units *units,
                     fp_error *error);
/* The text of the i-th occurrence. */
fp_string fp_units_term(const fp_units *units, size_t i);

/* Distinct features in order of first occurrence. */
typedef struct fp_counts {
    size_t count;
    const uint64_t *hash;      /* [count] */
    const uint32_t *first;     /* [count] first occurrence */
    const uint32_t *frequency; /* [count] occurrences */
    const uint32_t *which;     /* [units->length] distinct feature of each occurrence */
} fp_counts;
fp_status fp_count(const fp_units *units, fp_arena *arena, fp_counts *counts, fp_error *error);

/* ---- Document frequencies ---- */

/* The table has the df of every term hash in a corpus of N documents. idf(t) = ln((N + 1)/(df + 0.5)), always > 0; an
 * unknown term gets the mean idf of the known ones. */

/* Counts documents in sequence; memory grows only with the distinct terms. */
typedef struct fp_tally fp_tally;
fp_status fp_tally_open(const fp_arena *like, fp_tally **tally, fp_error *error);
/* `tally` may be NULL. */
void fp_tally_close(fp_tally *tally);
/* Adds a document with `count` distinct term hashes. */
fp_status fp_tally_add(fp_tally *tally, const uint64_t *hash, size_t count, fp_error *error);
/* Writes the tally as bytes (base.h), in `arena`; and adds the documents of such bytes. FP_ERROR_SYNTAX for other
 * bytes, FP_ERROR_RANGE for 2^32 documents. */
fp_status fp_tally_write(const fp_tally *tally, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_tally_add_bytes(fp_tally *tally, fp_string bytes, fp_error *error);
/* The document frequencies of the documents so far; in `arena`. */
fp_status fp_tally_idf(const fp_tally *tally, fp_arena *arena, const fp_idf **idf, fp_error *error);

double fp_idf_of(const fp_idf *idf, uint64_t hash);
size_t fp_idf_documents(const fp_idf *idf);
/* The mean number of distinct terms of a document; 0 without documents. */
double fp_idf_mean_length(const fp_idf *idf);
/* Writes the table as bytes for a file (base/bytes.c), and restores it to the last bit. FP_ERROR_SYNTAX for other
 * bytes. */
fp_status fp_idf_write(const fp_idf *idf, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_idf_of_bytes(fp_string bytes, fp_arena *arena, const fp_idf **idf, fp_error *error);

/* Weights the counts. `learned` may be NULL if fp_extractor_learns is false. `terms`: the features include their texts
 * (slices of units->buffer, which must outlive them). A term table drops the terms that it lacks, and sets the low bits
 * of the other hashes. top = N then keeps the N heaviest features (ties: by a mix of the term hash, so that the choice
 * does not depend on positions). Levels are computed from the kept features. The sequence keeps the occurrences of the
 * kept features. */
fp_status fp_weigh(const fp_extractor *extractor, const fp_idf *learned, const fp_units *units, const fp_counts *counts,
                   bool terms, fp_arena *arena, fp_features *features, fp_error *error);

#endif
