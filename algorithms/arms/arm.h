/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * arm.h - the inside of an arm, for the evaluator: an algorithm, its parameters, and the text and feature
 * specifications beside them.
 */
#ifndef FP_ARM_H
#define FP_ARM_H

#include <string.h>

#include "text/features/spec.h"

/* The fewest documents that something was learned from, over all fits; SIZE_MAX before the first. A file of document
 * frequencies counts with its own. */
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
    const fp_parameter *text_parameters; /* of `text`: fp_text_parameters, or with segmenters from outside */
    fp_extensions extensions;            /* what the spec was parsed with */
    fp_feature_spec features;
    const fp_preprocessor *preprocessor;
    const fp_extractor *extractor; /* NULL when no features are read */
    const fp_idf *idf;             /* learned by fp_arm_fit; NULL otherwise */
    fp_instance instance;
    const char *any_seed; /* the spec without the seed, where that is left open */
    const fp_parameter
        *seed;          /* that draws the hash, where the spec leaves it open; NULL: there is none, or it is written */
    const void *opened; /* the model that the algorithm read of its files (fp_learning.open); NULL otherwise */
    fp_learned learned;
    size_t unasked;      /* pairs with a known distance that are not of the ground truth */
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

/* By how much the distance that `joined` gives may move at most where the sum is off by the share `off` ≤ 2⁻³⁶;
 * infinite for all algorithms but cosine, of which it is not known. Where `joined` gives NaN for one sum or the other,
 * the distance itself is meant. */
double fp_cosine_moves(const fp_instance *instance, double off);

/* Whether the algorithm reads anything of a document; the controls do not. */
static inline bool fp_reads_text(const fp_algorithm *algorithm) {
    return (algorithm->needs & ~(uint32_t)FP_NEEDS_PAIRS) != 0;
}

/* Whether two arms read the same texts, and the same features of them. */
static inline bool fp_arm_same_text(const fp_arm *a, const fp_arm *b) { return strcmp(a->text_key, b->text_key) == 0; }
static inline bool fp_arm_same_features(const fp_arm *a, const fp_arm *b) {
    return fp_arm_same_text(a, b) && strcmp(a->feature_key, b->feature_key) == 0;
}

/* Whether what they read is made of the same counts, weighed otherwise or not. */
static inline bool fp_arm_same_counts(const fp_arm *a, const fp_arm *b) {
    return fp_arm_same_text(a, b) && !a->extractor == !b->extractor &&
           (!a->extractor || fp_feature_spec_same_units(&a->features, &b->features));
}

/* The parameter that draws the hash functions of an algorithm, an FP_INTEGER. */
#define FP_ARM_SEED "seed"
/* The arm under another seed, before either is fitted: a further draw of its hash functions. It reads what `arm` read,
 * and is called as it is. arm->seed is not NULL. FP_ERROR_RANGE beyond the bounds of the parameter. */
fp_status fp_arm_reseed(const fp_arm *arm, uint64_t seed, fp_arena *arena, fp_arm **out, fp_error *error);
/* The seed that such an arm has. */
uint64_t fp_arm_own_seed(const fp_arm *arm);
/* Where the algorithm refuses every other seed, nothing is drawn: arm->seed becomes NULL. */
fp_status fp_arm_settle_seed(fp_arm *arm, fp_error *error);
/* The parameter of algorithms whose sketches may have two sides (fp_layout.stored); the first choice is one side. It
 * came after the others, and the spec states it where it is another than the first: specs of before stay what they
 * were. */
#define FP_ARM_QUERY "query"
/* The arm whose sketches have two sides, or the one that makes the stored side alone, of what `arm` is and has learned
 * by now; `arm` itself where that is it. In `arena`; lives no longer than what was learned. FP_ERROR_UNKNOWN: the
 * algorithm has no such choice. */
fp_status fp_arm_with_sides(fp_arm *arm, bool two, fp_arena *arena, fp_arm **out, fp_error *error);
/* The bits of a fingerprint that is bits, or whose stored side is; else 0. */
static inline size_t fp_stored_bits(const fp_layout *layout) {
    return !layout->stored ? layout->bits : layout->slot_bits > 1 ? 0 : (size_t)(layout->payload * 8);
}
/* The bytes that are stored of a document; 0 where they vary from text to text. */
static inline double fp_stored_bytes(const fp_layout *layout) {
    return layout->payload > 0 ? layout->payload : (double)layout->bytes;
}
/* The parameter that these bytes are proportional to: of the whole numbers of its table the one with the largest
 * maximum ("bits", "slots"); NULL: there is none. */
const fp_parameter *fp_arm_size_parameter(const fp_arm *arm, fp_arena *scratch);
/* The arm with so many stored bytes by that parameter, as fp_arm_reseed makes others. FP_ERROR_RANGE with the reason
 * where it cannot have them. */
fp_status fp_arm_sized(const fp_arm *arm, const fp_parameter *row, double bytes, fp_arena *arena, fp_arm **out,
                       fp_error *error);
/* Writes text_key, feature_key and spec from the values of the arm. */
fp_status fp_arm_write_canonical(fp_arm *arm, fp_error *error);

/* What the arm compares, for a person: features and weight, and every other choice of features or text that is not the
 * default: "chars:3 tf", "words logtf stop=shipped"; "text", "initials"; "" for the controls. NULL when there is no
 * memory. */
const char *fp_arm_compared(const fp_arm *arm, fp_arena *arena);

/* Which parts of fp_text the arm reads. */
unsigned fp_arm_wants(const fp_arm *arm);
/* True when the algorithm itself learns a model. */
static inline bool fp_arm_fits(const fp_arm *arm) {
    const fp_learning *learning = fp_learning_of(arm->instance.algorithm);
    return learning->begin && (!learning->needed || learning->needed(arm->parameters));
}

/* IDF of fewer documents is warned of. Two documents share a term that no other has: beside a term of one of them alone
 * it weighs ln((N + 1)/2.5)/ln((N + 1)/1.5), which is 0.8 or more from N = 19 on and 0.26 at N = 2: in a small corpus
 * what two texts share counts as what all texts share. */
enum { FP_LEAST_FOR_IDF = 20 };

/* Whatever learns calls these two, which count the documents (fp_arm_caution). */
/* Takes document frequencies; `idf` lives as long as the arm uses it. */
fp_status fp_arm_take_frequencies(fp_arm *arm, const fp_idf *idf, fp_error *error);
/* Takes the model of what was learned in `state` from `documents` documents that say something; it lives in `arena`. */
fp_status fp_arm_take_model(fp_arm *arm, void *state, size_t documents, fp_arena *arena, fp_error *error);
/* Counts the documents that a copy of the arm has learned from as the arm's own. */
fp_status fp_arm_note_learned(fp_arm *arm, const fp_arm *copy, fp_error *error);
/* The arm has learned what it must: FP_ERROR_EMPTY where not. */
fp_status fp_arm_ready(const fp_arm *arm, fp_error *error);
/* Takes all that was learned elsewhere, from so many documents, instead of what it has learned itself; what is not NULL
 * lives as long as the arm uses it. */
fp_status fp_arm_take_learned(fp_arm *arm, const fp_idf *idf, const void *model, fp_learned learned, fp_error *error);
/* Forgets it all, as before the first fit. What files told stays known. */
fp_status fp_arm_forget(fp_arm *arm, fp_error *error);

/* Notes for fp_arm_caution that so many pairs of known distance (fp_learning.pairs_known) are not asked for. */
fp_status fp_arm_note_unasked(fp_arm *arm, size_t count, fp_error *error);

/* The first half of fp_arm_parse: names and values. Files are not read, and none is missed: such an arm tells its
 * parameters and does not sketch. */
fp_status fp_arm_bind(const char *spec, const fp_extensions *extensions, fp_arena *arena, fp_arm **arm,
                      fp_error *error);

/* The files that the arm reads, in `arena`, ended by NULL: of texts, features and its algorithm. NULL when there is no
 * memory. */
const char *const *fp_arm_files(const fp_arm *arm, fp_arena *arena);

/* Whether sketches are the arm's (fplab/columns.h): of its size, aligned to 8 where that is a multiple of 8, and, with
 * `close`, side by side. FP_ERROR_RANGE. */
fp_status fp_sketches_check(const fp_arm *arm, const fp_sketches *sketches, bool close, fp_error *error);

/* A sketch taken from a record that is longer than it ends where the layout says. */
static inline fp_sketch fp_arm_trimmed(const fp_arm *arm, fp_sketch sketch) {
    const size_t bytes = arm->instance.layout.bytes;
    if (bytes && sketch.size > bytes) sketch.size = bytes;
    return sketch;
}

/* Whether a value can be a distance of the arm: it is not NaN, not below 0 and not above the largest. */
static inline bool fp_arm_distance_good(const fp_arm *arm, double value) {
    return value >= 0 && value <= arm->instance.layout.maximum;
}
/* FP_ERROR_RANGE: that the value is no distance of the two, by their ids. */
fp_status fp_arm_distance_refuse(const fp_arm *arm, double value, fp_string a, fp_string b, fp_error *error);
/* fp_arm_distance where the algorithm keeps its promises on these two, whose ids are given: a distance, the same in
 * both orders, and 0 of each and itself. FP_ERROR_RANGE where it does not. For algorithms from outside: those that are
 * registered are tested. */
fp_status fp_arm_distance_checked(const fp_arm *arm, fp_string id_a, fp_sketch a, fp_string id_b, fp_sketch b,
                                  double *distance, fp_error *error);

/* Whether the document has anything of what the arm's algorithm reads; one that reads nothing (the controls) always
 * finds it. */
bool fp_arm_finds(const fp_arm *arm, const fp_document *document);
/* Whether the sketch that the algorithm made of this document is empty: there was nothing to read, or nothing of it was
 * sampled. */
bool fp_arm_made_empty(const fp_arm *arm, const fp_document *document, fp_sketch sketch);

/* ---- One document through the stages of an arm (algorithms/arms/document.c). Results live in `arena`. ---- */

/* Units and their counts: all that features are made of but the weights. Nothing where the arm reads no features. */
typedef struct fp_counted {
    fp_units units;
    fp_counts counts;
} fp_counted;

/* Raw text to what is wanted of it: fp_arm_wants, or more where arms share texts. Nothing where the arm reads no text.
 */
fp_status fp_arm_preprocess(const fp_arm *arm, fp_string raw, unsigned wanted, fp_arena *arena, fp_text *text,
                            fp_error *error);
fp_status fp_arm_count(const fp_arm *arm, const fp_text *text, fp_arena *arena, fp_counted *counted, fp_error *error);
/* Its two halves. Counts that are there are not made again. */
fp_status fp_arm_extract(const fp_arm *arm, const fp_text *text, fp_arena *arena, fp_counted *counted, fp_error *error);
fp_status fp_arm_count_units(const fp_arm *arm, fp_arena *arena, fp_counted *counted, fp_error *error);
/* Whether units are enough (FP_ADDS_FEATURES, FP_MARKS_FEATURES), and what the algorithm then reads: slices of
 * `counted`. */
bool fp_arm_takes_units(const fp_arm *arm);
void fp_arm_take_units(const fp_text *text, const fp_counted *counted, fp_document *document);
/* What the algorithm reads. document->id is the caller's. With `terms` features carry their texts, slices of `counted`.
 */
fp_status fp_arm_weigh(const fp_arm *arm, const fp_text *text, const fp_counted *counted, bool terms, fp_arena *arena,
                       fp_document *document, fp_error *error);
/* The two before in one. */
fp_status fp_arm_document(const fp_arm *arm, const fp_text *text, bool terms, fp_arena *arena, fp_document *document,
                          fp_error *error);
/* A text with its terms as the arm's algorithm sees it; `raw` is its id. */
fp_status fp_arm_read(const fp_arm *arm, fp_string raw, fp_arena *arena, fp_document *document, fp_error *error);
/* Its sketch, marked where it is empty. */
fp_status fp_arm_sketch_document(const fp_arm *arm, const fp_document *document, fp_arena *arena, fp_sketch *sketch,
                                 fp_error *error);

/* ---- Thresholds of the literature: a beginning, not advice; `fplab tune` finds the one for labelled texts ---- */

typedef struct fp_usual_threshold {
    double distance;    /* the largest that is called a duplicate; NaN where nothing is usual */
    const char *source; /* who has it, and what it is on the measure; "" where nothing is usual */
} fp_usual_threshold;

/* By the arm's measure, so that arms of one measure are equally strict: thresholds are similarities, and the distance
 * is the largest at which the arm stands for that much.
 *
 *     equality                    1: equal texts alone
 *     cosine                      cos(3π/64): an angle at which 3 of 64 bits differ, on average
 *     Jaccard, weighted Jaccard   0.8
 *
 * What has no measure (pinyin), or one for which nobody states a threshold (winnowing, sentences), has none. */
fp_usual_threshold fp_arm_usual_threshold(const fp_arm *arm);

/* ---- Algorithms from outside ---- */

/* Refuses an algorithm of another interface version (FP_ERROR_ABI), without a required slot, with a bad name, or with a
 * parameter that breaks its own bounds. The reason names no file. */
fp_status fp_algorithm_check(const fp_algorithm *algorithm, const fp_arena *like, fp_error *error);

#endif
