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
#define WEIGHT(name, constant, idf, whole, formula) FP_WEIGHT_##constant,
#include "text/features/weights.def"
#undef WEIGHT
} fp_weight;

/* FNV-1a over the bytes of UTF-8, or over the 16-bit units of UTF-16, each at once, as programs do whose strings are
 * made of those (charAt of Java and JavaScript): equal for ASCII. MD5: its last eight bytes, the first of them the
 * highest, as Python programs cut it to 64 bits; of UTF-8, or of UTF-16 with the low byte first. */
typedef enum fp_hash { FP_HASH_XXH3, FP_HASH_FNV1A, FP_HASH_FNV1A_UTF16, FP_HASH_MD5, FP_HASH_MD5_UTF16 } fp_hash;

/* Normalised text and tokens -> features. */
typedef struct fp_feature_spec {
    const char *features; /* words, words:K, spots:K, chars:K, sentences, initials:K */
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

/* ----
 * from raw text to weighted features, in the stages
 *
 *     raw text -> fp_text (normalised text, tokens, initials) -> fp_units (what a feature is made of)
 *              -> fp_counts (distinct features with their frequencies) -> fp_features (with weights)
 *
 * Each stage is a function of the one before and of a read-only, opened specification; all are thread-safe. Outputs
 * live in the arena that is passed in.
 */

/* ---- Text ---- */

/* An opened text specification. */
typedef struct fp_preprocessor fp_preprocessor;
fp_status fp_preprocessor_open(const fp_text_spec *spec, fp_arena *arena, const fp_preprocessor **preprocessor,
                               fp_error *error);

/* Which parts of fp_text are wanted. */
enum { FP_WANT_TOKENS = 1, FP_WANT_INITIALS = 2 };

typedef struct fp_text {
    fp_string text;     /* normalised */
    fp_tokens tokens;   /* ranges in `text`; empty unless wanted */
    fp_string initials; /* empty unless wanted */
} fp_text;

fp_status fp_preprocess(const fp_preprocessor *preprocessor, fp_string raw, unsigned wanted, fp_arena *arena,
                        fp_text *text, fp_error *error);
/* Of `texts` texts whose tokens were wanted, each of them as many times as the others: those of which a quarter or more
 * of the tokens are single letters of a script whose words the segmenter does not find (fp_word.uncut). */
size_t fp_preprocessor_uncut(const fp_preprocessor *preprocessor, size_t texts);

/* ---- Features ---- */

typedef struct fp_idf fp_idf; /* see below */

/* An opened feature specification. */
typedef struct fp_extractor fp_extractor;
fp_status fp_extractor_open(const fp_feature_spec *spec, fp_arena *arena, const fp_extractor **extractor,
                            fp_error *error);
/* Which parts of fp_text the features are made of. */
unsigned fp_extractor_wants(const fp_extractor *extractor);
/* True when weights use document frequencies learned from the corpus at hand. */
bool fp_extractor_learns(const fp_extractor *extractor);
/* The document frequencies of the file that weights use (idf=FILE); NULL where they use none. */
const fp_idf *fp_extractor_file(const fp_extractor *extractor);
/* True when weights are whole numbers, whatever the text. */
bool fp_extractor_whole(const fp_extractor *extractor);
/* True when the features are those of the units, none left out and none with another hash: the distinct ones have
 * nothing to say beyond them but their frequencies. `tf`: when their weights are the frequencies, too. */
bool fp_extractor_plain(const fp_extractor *extractor, bool tf);
/* The width of the hashes that a term table (terms=FILE) gives; 0 without one. */
unsigned fp_extractor_width(const fp_extractor *extractor);

/* The raw material: a buffer of units (words, characters, sentences, initials). A feature is the slice from the begin
 * of a unit to the end of the K-th unit from there, hashed as it stands; words are separated by one space. A text of
 * fewer than K units, but not none, gives one feature: all of it. */
typedef struct fp_units {
    fp_string buffer;
    size_t count;          /* units */
    const uint32_t *begin; /* [count] */
    const uint32_t *end;   /* [count] */
    size_t length;         /* features: occurrences in text order */
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

/* df of every term hash in a corpus of N documents. idf(t) = ln((N + 1)/(df + 0.5)), always > 0; a term that the table
 * does not know gets the mean idf of those it knows. */

/* Counts documents that come one after the other; memory grows with the distinct terms alone. */
typedef struct fp_tally fp_tally;
fp_status fp_tally_open(const fp_arena *like, fp_tally **tally, fp_error *error);
/* `tally` may be NULL. */
void fp_tally_close(fp_tally *tally);
/* One document more, with `count` distinct term hashes. */
fp_status fp_tally_add(fp_tally *tally, const uint64_t *hash, size_t count, fp_error *error);
/* The tally as bytes (base.h), in `arena`; and the documents of such bytes, as if they came next. FP_ERROR_SYNTAX
 * for other bytes, FP_ERROR_RANGE for 2^32 documents. */
fp_status fp_tally_write(const fp_tally *tally, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_tally_add_bytes(fp_tally *tally, fp_string bytes, fp_error *error);
/* What the documents so far say; lives in `arena`. */
fp_status fp_tally_idf(const fp_tally *tally, fp_arena *arena, const fp_idf **idf, fp_error *error);

double fp_idf_of(const fp_idf *idf, uint64_t hash);
size_t fp_idf_documents(const fp_idf *idf);
/* Distinct terms of a document, on average over the documents counted; 0 where there are none. */
double fp_idf_mean_length(const fp_idf *idf);
/* The whole of it as bytes for a file (base/bytes.c), and back to the last bit. FP_ERROR_SYNTAX for other bytes. */
fp_status fp_idf_write(const fp_idf *idf, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_idf_of_bytes(fp_string bytes, fp_arena *arena, const fp_idf **idf, fp_error *error);

/* Weights the counts. `learned` may be NULL when fp_extractor_learns is false. With `terms` the features carry their
 * texts (slices of units->buffer, which must outlive them). With a term table, the terms that it lacks are dropped and
 * the others take its bits as the low bits of their hash. With top = N, the N heaviest of what is left stay (ties: by a
 * mix of the term hash, so that the same terms stay wherever they stand). Levels are made of what stays. The sequence
 * keeps the occurrences of the features that stay. */
fp_status fp_weigh(const fp_extractor *extractor, const fp_idf *learned, const fp_units *units, const fp_counts *counts,
                   bool terms, fp_arena *arena, fp_features *features, fp_error *error);

#endif
