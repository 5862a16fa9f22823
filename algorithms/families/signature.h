/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * signature.h - what the minhash family shares. A signature has n slots; each holds a 64-bit value that depends on the
 * set of features such that the values of two sets agree with a probability that is their similarity. An algorithm
 * fills the values; here they are packed, compared, and told. What is kept of a value are its lowest bits: 32 or 64 of
 * them, or b (Li and König, b-bit minwise hashing, WWW 2010), as bit planes.
 */
#ifndef FP_SIGNATURE_H
#define FP_SIGNATURE_H

#include "algorithms/kernels/distance_kernels.h"
#include "base/base.h"

enum { FP_MOST_SLOTS = 4096 };

/* First member of the parameter struct of every algorithm of the family. */
typedef struct fp_signature {
    int64_t slots;
    int64_t width; /* index into fp_signature_widths */
    int64_t b;     /* 0: width bits a slot */
    int64_t seed;
} fp_signature;

extern const char *const fp_signature_widths[];

/* The rows of fp_signature at the start of `type`, for a parameter table. */
#define FP_SIGNATURE_ROWS(type)                                                                             \
    {"slots", FP_INTEGER, "slots", "number of slots", "64", 1, FP_MOST_SLOTS, NULL, offsetof(type, slots)}, \
        {"width",                                                                                           \
         FP_CHOICE,                                                                                         \
         "bits",                                                                                            \
         "bits kept of each slot when b=0",                                                                 \
         "32",                                                                                              \
         0,                                                                                                 \
         0,                                                                                                 \
         fp_signature_widths,                                                                               \
         offsetof(type, width)},                                                                            \
        {"b",                                                                                               \
         FP_INTEGER,                                                                                        \
         "bits",                                                                                            \
         "b-bit minhash: keep only the lowest b bits of each slot; 0 keeps width bits",                     \
         "0",                                                                                               \
         0,                                                                                                 \
         32,                                                                                                \
         NULL,                                                                                              \
         offsetof(type, b)},                                                                                \
        FP_SEED_PARAMETER("seed of the hash functions", type, seed)

/* The table for algorithms with no parameters of their own. */
extern const fp_parameter fp_signature_parameters[];

/* Fills value[0 … slots). Thread-safe. */
typedef fp_status (*fp_signature_values)(const fp_instance *self, const fp_features *features, fp_arena *scratch,
                                         uint64_t *value, fp_error *error);

/* What every term hash is xored with, so that seeds give unrelated functions. */
static inline uint64_t fp_signature_salt(const fp_signature *signature) { return fp_mix((uint64_t)signature->seed, 0); }

/* The hashes of a document's features, each xored with the salt, for algorithms to which a feature is the same as
 * several of it (FP_MARKS_FEATURES); most repeats are left out. Their number in *count; NULL when there is no memory.
 */
uint64_t *fp_signature_salted(const fp_signature *signature, const fp_features *features, fp_arena *scratch,
                              size_t *count);

/* The values of slots whose smallest products (minima.c) are `value`: the upper half is that of the
 * product, the lower half has the upper xored to it, since the lowest bits of products depend on few of the factors'.
 */
static inline void fp_signature_finish(uint64_t *value, size_t slots) {
    for (size_t i = 0; i < slots; i++) value[i] ^= value[i] >> 32;
}

/* How the slots lie in a sketch, and writing them so; packed: [form.bytes], zeroed. */
fp_slots_form fp_signature_form(const fp_signature *signature);
void fp_signature_pack(const fp_slots_form *form, const uint64_t *value, void *packed);
/* The bits that the sketch keeps of a value. */
uint64_t fp_signature_kept(const fp_signature *signature, uint64_t value);
/* P[slots of sets that share nothing differ]: 1 − 2⁻ᵇ. With 32 bits or more accidents are left out of account. */
double fp_signature_chance(const fp_signature *signature);

/* fp_algorithm.layout. */
fp_status fp_signature_layout(const void *parameters, fp_layout *layout, fp_error *error);
/* The sketch of the document: the values, packed. */
fp_status fp_signature_sketch(const fp_instance *self, const fp_document *document, fp_signature_values values,
                              fp_arena *scratch, fp_sketch *sketch, fp_error *error);
/* fp_algorithm.distance: differing slots. */
double fp_signature_distance(const fp_instance *self, fp_sketch a, fp_sketch b);
extern const fp_acceleration fp_signature_acceleration;

/* fp_algorithm.similarity: 1 − (d/n)/(1 − 2⁻ᵇ), which is without bias and therefore below 0 for some unlike sets when b
 * is small. */
double fp_signature_similarity(const fp_instance *self, double distance);
/* fp_algorithm.law where the slots are independent: d ~ Binomial(n, (1 − J)(1 − 2⁻ᵇ)). */
double fp_signature_law(const fp_instance *self, double similarity, double h);

/* ---- Telling ---- */

/* Columns of slots that an explanation shows. */
enum { FP_TOLD_SLOTS = 8 };

/* A 64-bit value as a share of 2⁶⁴. */
static inline double fp_hash_fraction(uint64_t value) { return (double)value * 0x1p-64; }

/* The signature matrix: a row a feature, its own value in each of the first slots, the smallest of each marked. For
 * algorithms whose value is a minimum. */
fp_status fp_signature_tell_matrix(const fp_instance *self, const fp_document *document, fp_signature_values values,
                                   fp_arena *scratch, fp_explanation *to, fp_error *error);
/* The weights of the features and their shares. */
void fp_signature_tell_weights(const fp_document *document, fp_explanation *to);
/* The slots: which feature gave each its value, and what is kept. */
fp_status fp_signature_tell(const fp_instance *self, const fp_document *document, fp_signature_values values,
                            fp_arena *scratch, fp_explanation *to, fp_error *error);
/* The slots of two documents: the feature that each took, and whether what is kept agrees. */
fp_status fp_signature_tell_pair(const fp_instance *self, const fp_document *a, const fp_document *b,
                                 fp_signature_values values, fp_arena *scratch, fp_explanation *to, fp_error *error);

/* ---- An algorithm of the family ---- */

/* fp_algorithm.sketch and .explain_pair, by what fills the values. */
#define FP_SIGNATURE_FUNCTIONS(values)                                                                               \
    static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, \
                            fp_error *error) {                                                                       \
        return fp_signature_sketch(self, document, values, scratch, out, error);                                     \
    }                                                                                                                \
    static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b,               \
                                  fp_arena *scratch, fp_explanation *to, fp_error *error) {                          \
        return fp_signature_tell_pair(self, a, b, values, scratch, to, error);                                       \
    }
/* The members of fp_algorithm that are the same for all of them; what an algorithm needs it says itself. */
#define FP_SIGNATURE_MEMBERS                                                                                  \
    .abi = FP_ABI_VERSION, .sketch = sketch, .explain_pair = explain_pair, .distance = fp_signature_distance, \
    .similarity = fp_signature_similarity, .explain = explain, .acceleration = &fp_signature_acceleration

/* Those of an algorithm that has the parameters of the family alone. */
#define FP_SIGNATURE_PARAMETERS \
    .parameters_size = sizeof(fp_signature), .parameters = fp_signature_parameters, .layout = fp_signature_layout

#endif
