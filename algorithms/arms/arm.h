/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arm.h - internals of an arm, for the evaluator: an algorithm, its parameters, and the text and feature
 * specifications.
 */
#ifndef FP_ARM_H
#define FP_ARM_H

#include <string.h>

#include "text/features/spec.h"

/* The smallest number of documents over all fits; SIZE_MAX before the first fit. A file of document frequencies counts
 * with its own number of documents. */
typedef struct fp_learned {
    size_t frequencies, fit;
} fp_learned;

struct fp_arm {
    const char *name;        /* label */
    const char *spec;        /* canonical, every value written out */
    const char *text_key;    /* canonical text specification: equal keys share texts */
    const char *feature_key; /* canonical text and feature specification: equal keys share features; "" when no features
                                are read */
    void *parameters;
    fp_text_spec text;
    const fp_parameter *text_parameters; /* for `text`: fp_text_parameters, or these with external segmenters */
    fp_extensions extensions;            /* the extensions that the spec was parsed with */
    fp_feature_spec features;
    const fp_preprocessor *preprocessor;
    const fp_extractor *extractor; /* NULL when no features are read */
    const fp_idf *idf;             /* learned by fp_arm_fit; NULL otherwise */
    fp_instance instance;
    const char *any_seed;     /* the spec without the seed, if the spec leaves the seed open */
    const fp_parameter *seed; /* of the hash functions; NULL if the spec sets it, or the algorithm has no seed */
    const void *opened;       /* the model that the algorithm read from its files (fp_learning.open); NULL otherwise */
    fp_learned learned;
    size_t unasked;      /* pairs with a known distance that are not in the ground truth */
    const char *caution; /* fp_arm_caution */
    fp_arena *arena;
};

/* The optional parts of an algorithm; never NULL. */
static inline const fp_learning *fp_learning_of(const fp_algorithm *algorithm) {
    static const fp_learning NOTHING = {0};
    return algorithm->learning ? algorithm->learning : &NOTHING;
}
static inline const fp_acceleration *fp_acceleration_of(const fp_algorithm *algorithm) {
    static const fp_acceleration NOTHING = {0};
    return algorithm->acceleration ? algorithm->acceleration : &NOTHING;
}

/* The largest change of the distance from `joined` if the sum changes by the relative amount `off` ≤ 2⁻³⁶; infinite
 * except for cosine: no other bound is known. If `joined` gives NaN for either sum, it holds for `distance`. */
double fp_cosine_moves(const fp_instance *instance, double off);

/* Whether the algorithm reads any part of a document; the controls do not. */
static inline bool fp_reads_text(const fp_algorithm *algorithm) {
    return (algorithm->needs & ~(uint32_t)FP_NEEDS_PAIRS) != 0;
}

/* Whether two arms read the same texts, and the same features of them. */
static inline bool fp_arm_same_text(const fp_arm *a, const fp_arm *b) { return strcmp(a->text_key, b->text_key) == 0; }
static inline bool fp_arm_same_features(const fp_arm *a, const fp_arm *b) {
    return fp_arm_same_text(a, b) && strcmp(a->feature_key, b->feature_key) == 0;
}

/* Whether both arms read features made from the same counts; the weights may differ. */
static inline bool fp_arm_same_counts(const fp_arm *a, const fp_arm *b) {
    return fp_arm_same_text(a, b) && !a->extractor == !b->extractor &&
           (!a->extractor || fp_feature_spec_same_units(&a->features, &b->features));
}

/* The parameter that seeds the hash functions of an algorithm, an FP_INTEGER. */
#define FP_ARM_SEED "seed"
/* The arm, not yet fitted, under another seed: the same arm with other hash functions. It reads what `arm` reads and
 * has the same name. arm->seed must not be NULL. FP_ERROR_RANGE: the seed is beyond the bounds of the parameter. */
fp_status fp_arm_reseed(const fp_arm *arm, uint64_t seed, fp_arena *arena, fp_arm **out, fp_error *error);
/* The seed of an arm whose arm->seed is not NULL. */
uint64_t fp_arm_own_seed(const fp_arm *arm);
/* Sets arm->seed to NULL if the algorithm refuses every other seed: its hash functions are then fixed. */
fp_status fp_arm_settle_seed(fp_arm *arm, fp_error *error);
/* The parameter of algorithms whose sketches may have two sides (fp_layout.stored). Its first choice is one side. The
 * spec states it only if it differs from the first choice, so that specs older than this parameter do not change. */
#define FP_ARM_QUERY "query"
/* Sets *out to the arm whose sketches have two sides, or to the one that makes only the stored side, with the
 * parameters and the model of `arm`; `arm` itself if it is already that arm. In `arena`; valid as long as the model of
 * `arm`. FP_ERROR_UNKNOWN: the algorithm has no such choice. */
fp_status fp_arm_with_sides(fp_arm *arm, bool two, fp_arena *arena, fp_arm **out, fp_error *error);
/* Bits of a fingerprint that consists of bits, or whose stored side does; else 0. */
static inline size_t fp_stored_bits(const fp_layout *layout) {
    return !layout->stored ? layout->bits : layout->slot_bits > 1 ? 0 : (size_t)(layout->payload * 8);
}
/* Bytes stored per document; 0 if they vary with the text. */
static inline double fp_stored_bytes(const fp_layout *layout) {
    return layout->payload > 0 ? layout->payload : (double)layout->bytes;
}
/* The parameter that these bytes are proportional to: of the integer parameters the one with the largest maximum
 * ("bits", "slots"). NULL if there is none. */
const fp_parameter *fp_arm_size_parameter(const fp_arm *arm, fp_arena *scratch);
/* The arm with `bytes` stored bytes by that parameter; otherwise as fp_arm_reseed. FP_ERROR_RANGE with the reason: that
 * size is impossible. */
fp_status fp_arm_sized(const fp_arm *arm, const fp_parameter *row, double bytes, fp_arena *arena, fp_arm **out,
                       fp_error *error);
/* Writes text_key, feature_key and spec from the values of the arm. */
fp_status fp_arm_write_canonical(fp_arm *arm, fp_error *error);

/* What the arm compares, for people: features and weight, and every other option of features or text that is not the
 * default: "chars:3 tf", "words logtf stop=shipped"; "text", "initials"; "" for the controls. NULL: no memory. */
const char *fp_arm_compared(const fp_arm *arm, fp_arena *arena);

/* Which parts of fp_text the arm reads. */
unsigned fp_arm_wants(const fp_arm *arm);
/* True when the algorithm itself learns a model. */
static inline bool fp_arm_fits(const fp_arm *arm) {
    const fp_learning *learning = fp_learning_of(arm->instance.algorithm);
    return learning->begin && (!learning->needed || learning->needed(arm->parameters));
}

/* An IDF from fewer documents causes a warning. Take a term that two documents share and no other has. Relative to a
 * term of only one of them it weighs ln((N + 1)/2.5)/ln((N + 1)/1.5), which is 0.8 or more from N = 19 on and 0.26 at N
 * = 2: in a small corpus a term that two texts share counts as one that all texts share. */
enum { FP_LEAST_FOR_IDF = 20 };

/* All learning goes through these two functions, which count the documents (fp_arm_caution). */
/* Takes document frequencies; `idf` must live as long as the arm uses it. */
fp_status fp_arm_take_frequencies(fp_arm *arm, const fp_idf *idf, fp_error *error);
/* Takes the model learned in `state` from `documents` non-empty documents; it lives in `arena`. */
fp_status fp_arm_take_model(fp_arm *arm, void *state, size_t documents, fp_arena *arena, fp_error *error);
/* Counts the documents that a copy of the arm has learned from for the arm itself. */
fp_status fp_arm_note_learned(fp_arm *arm, const fp_arm *copy, fp_error *error);
/* FP_ERROR_EMPTY: the arm must be fitted first. */
fp_status fp_arm_ready(const fp_arm *arm, fp_error *error);
/* Replaces the frequencies and the model of the arm by others, learned from `learned` documents. Arguments that are not
 * NULL must live as long as the arm uses them. */
fp_status fp_arm_take_learned(fp_arm *arm, const fp_idf *idf, const void *model, fp_learned learned, fp_error *error);
/* Resets the arm to its state before the first fit. Keeps the content of its files. */
fp_status fp_arm_forget(fp_arm *arm, fp_error *error);

/* For fp_arm_caution: `count` pairs of known distance (fp_learning.pairs_known) are not in the ground truth. */
fp_status fp_arm_note_unasked(fp_arm *arm, size_t count, fp_error *error);

/* The first half of fp_arm_parse: names and values. Reads no files, so missing files cause no error. Such an arm shows
 * its parameters but cannot sketch. */
fp_status fp_arm_bind(const char *spec, const fp_extensions *extensions, fp_arena *arena, fp_arm **arm,
                      fp_error *error);

/* The files that the arm reads for texts, features and its algorithm, in `arena`, ended by NULL. NULL: no memory. */
const char *const *fp_arm_files(const fp_arm *arm, fp_arena *arena);

/* Checks that sketches fit the arm (fplab/columns.h): its size, aligned to 8 if that is a multiple of 8, and, with
 * `close`, contiguous. FP_ERROR_RANGE if not. */
fp_status fp_sketches_check(const fp_arm *arm, const fp_sketches *sketches, bool close, fp_error *error);

/* Cuts a sketch from a longer record to the size in the layout. */
static inline fp_sketch fp_arm_trimmed(const fp_arm *arm, fp_sketch sketch) {
    const size_t bytes = arm->instance.layout.bytes;
    if (bytes && sketch.size > bytes) sketch.size = bytes;
    return sketch;
}

/* Whether a value can be a distance of the arm: not NaN, not below 0 and not above the maximum. */
static inline bool fp_arm_distance_good(const fp_arm *arm, double value) {
    return value >= 0 && value <= arm->instance.layout.maximum;
}
/* FP_ERROR_RANGE: the value is not a distance of the two texts, which the message names by their ids. */
fp_status fp_arm_distance_refuse(const fp_arm *arm, double value, fp_string a, fp_string b, fp_error *error);
/* fp_arm_distance, with a check that the algorithm keeps its promises on these two sketches: a distance in range, the
 * same in both orders, and 0 between each and itself. FP_ERROR_RANGE if not; the message names the ids. For external
 * algorithms only, since tests cover the built-in ones. */
fp_status fp_arm_distance_checked(const fp_arm *arm, fp_string id_a, fp_sketch a, fp_string id_b, fp_sketch b,
                                  double *distance, fp_error *error);

/* Whether the document has anything that the algorithm reads; always true for the controls, which read nothing. */
bool fp_arm_finds(const fp_arm *arm, const fp_document *document);
/* Whether the sketch of this document is empty: the algorithm found nothing to read in it, or sampled nothing. */
bool fp_arm_made_empty(const fp_arm *arm, const fp_document *document, fp_sketch sketch);

/* ---- One document through the stages of an arm (algorithms/arms/document.c). Results live in `arena`. ---- */

/* Units and their counts: everything in features except the weights. Empty if the arm reads no features. */
typedef struct fp_counted {
    fp_units units;
    fp_counts counts;
} fp_counted;

/* Makes the `wanted` parts of raw text: fp_arm_wants, or more if arms share texts. Empty if the arm reads no text. */
fp_status fp_arm_preprocess(const fp_arm *arm, fp_string raw, unsigned wanted, fp_arena *arena, fp_text *text,
                            fp_error *error);
fp_status fp_arm_count(const fp_arm *arm, const fp_text *text, fp_arena *arena, fp_counted *counted, fp_error *error);
/* The two halves of fp_arm_count. Existing counts are not made again. */
fp_status fp_arm_extract(const fp_arm *arm, const fp_text *text, fp_arena *arena, fp_counted *counted, fp_error *error);
fp_status fp_arm_count_units(const fp_arm *arm, fp_arena *arena, fp_counted *counted, fp_error *error);
/* Whether units suffice (FP_ADDS_FEATURES, FP_MARKS_FEATURES), and what the algorithm then reads: slices of
 * `counted`. */
bool fp_arm_takes_units(const fp_arm *arm);
void fp_arm_take_units(const fp_text *text, const fp_counted *counted, fp_document *document);
/* Fills in what the algorithm reads. The caller sets document->id. With `terms`, features carry their texts, slices of
 * `counted`. */
fp_status fp_arm_weigh(const fp_arm *arm, const fp_text *text, const fp_counted *counted, bool terms, fp_arena *arena,
                       fp_document *document, fp_error *error);
/* fp_arm_count and fp_arm_weigh in one. */
fp_status fp_arm_document(const fp_arm *arm, const fp_text *text, bool terms, fp_arena *arena, fp_document *document,
                          fp_error *error);
/* A text with its terms as the arm's algorithm sees it; its id is `raw`. */
fp_status fp_arm_read(const fp_arm *arm, fp_string raw, fp_arena *arena, fp_document *document, fp_error *error);
/* The sketch of a document, with `empty` set. */
fp_status fp_arm_sketch_document(const fp_arm *arm, const fp_document *document, fp_arena *arena, fp_sketch *sketch,
                                 fp_error *error);

/* ---- Thresholds from the literature: starting points, not advice; `fplab tune` finds one for labelled texts ---- */

typedef struct fp_usual_threshold {
    double distance;    /* the largest distance of a duplicate; NaN if there is no usual threshold */
    const char *source; /* who uses it, and its value on the measure; "" if there is no usual threshold */
} fp_usual_threshold;

/* Chosen by the arm's measure, so that arms with the same measure are equally strict: the threshold is a similarity,
 * and `distance` is the largest distance with at least that similarity.
 *
 *     equality                    1: equal texts only
 *     cosine                      cos(3π/64): an angle at which 3 of 64 bits differ, on average
 *     Jaccard, weighted Jaccard   0.8
 *
 * Arms without a measure (pinyin), or with one that has no published threshold (winnowing, sentences), have none. */
fp_usual_threshold fp_arm_usual_threshold(const fp_arm *arm);

/* ---- External algorithms ---- */

/* Refuses an algorithm with another interface version (FP_ERROR_ABI), without a required slot, with a bad name, or with
 * a parameter that breaks its own bounds. The reason names no file. */
fp_status fp_algorithm_check(const fp_algorithm *algorithm, const fp_arena *like, fp_error *error);

#endif
