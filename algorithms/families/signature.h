/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * signature.h - shared by the minhash family. A signature has n slots. Each holds a 64-bit value computed from the set
 * of features, such that the values of two sets agree with a probability equal to their similarity. An algorithm fills
 * in the values; this module packs, compares and explains them. A sketch keeps the lowest bits of each value: 32, 64,
 * or b of them (Li and König, b-bit minwise hashing, WWW 2010), as bit planes.
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
    int64_t b;     /* 0: `width` bits per slot */
    int64_t seed;
} fp_signature;

extern const char *const fp_signature_widths[];

/* Rows of a parameter table, for a struct whose first member is fp_signature. */
#define FP_SIGNATURE_SLOTS(help, initial, most) \
    { "slots", FP_INTEGER, "slots", help, initial, 1, most, NULL, offsetof(fp_signature, slots) }
#define FP_SIGNATURE_WIDTH(help, initial) \
    { "width", FP_CHOICE, "bits", help, initial, 0, 0, fp_signature_widths, offsetof(fp_signature, width) }
#define FP_SIGNATURE_B_ROW                                                                                           \
    {                                                                                                                \
        "b", FP_INTEGER, "bits", "b-bit minhash: keep only the lowest b bits of each slot; 0 keeps width bits", "0", \
            0, 32, NULL, offsetof(fp_signature, b)                                                                   \
    }
#define FP_SIGNATURE_ROWS                                                                \
    FP_SIGNATURE_SLOTS("number of slots", "64", FP_MOST_SLOTS),                          \
        FP_SIGNATURE_WIDTH("bits kept of each slot when b=0", "32"), FP_SIGNATURE_B_ROW, \
        FP_SEED_PARAMETER("seed of the hash functions", fp_signature, seed)

/* The table for algorithms without further parameters. */
extern const fp_parameter fp_signature_parameters[];

/* Fills value[0 … slots). Thread-safe. */
typedef fp_status (*fp_signature_values)(const fp_instance *self, const fp_features *features, fp_arena *scratch,
                                         uint64_t *value, fp_error *error);

/* XORed to every term hash, so that seeds give unrelated functions. */
static inline uint64_t fp_signature_salt(const fp_signature *signature) { return fp_mix((uint64_t)signature->seed, 0); }

/* The hashes of a document's features, each XORed with the salt, for algorithms that ignore repeats of a feature
 * (FP_MARKS_FEATURES); most repeats are left out. Their number in *count; NULL when out of memory. */
uint64_t *fp_signature_salted(const fp_signature *signature, const fp_features *features, fp_arena *scratch,
                              size_t *count);

/* The values of slots whose smallest products (minima.c) are `value`: the upper half stays, and the lower half is XORed
 * with the upper, because the lowest bits of a product depend on few bits of its factors. */
static inline void fp_signature_finish(uint64_t *value, size_t slots) {
    for (size_t i = 0; i < slots; i++) value[i] ^= value[i] >> 32;
}

/* How slots are stored in a sketch, and the function that stores them; packed: [form.bytes], zeroed. */
fp_slots_form fp_signature_form(const fp_signature *signature);
void fp_signature_pack(const fp_slots_form *form, const uint64_t *value, void *packed);
/* The bits that the sketch keeps of a value. */
uint64_t fp_signature_kept(const fp_signature *signature, uint64_t value);
/* P[a slot of sets that share nothing differs]: 1 − 2⁻ᵇ. For b = 0 (32 or 64 bits) chance collisions are ignored. */
double fp_signature_chance(const fp_signature *signature);

/* fp_algorithm.layout. */
fp_status fp_signature_layout(const void *parameters, fp_layout *layout, fp_error *error);
/* The sketch of the document: its values, packed. */
fp_status fp_signature_sketch(const fp_instance *self, const fp_document *document, fp_signature_values values,
                              fp_arena *scratch, fp_sketch *sketch, fp_error *error);
/* fp_algorithm.distance: differing slots. */
double fp_signature_distance(const fp_instance *self, fp_sketch a, fp_sketch b);
extern const fp_acceleration fp_signature_acceleration;

/* fp_algorithm.similarity: 1 − (d/n)/(1 − 2⁻ᵇ). Unbiased, and therefore below 0 for some unlike sets if b is small. */
double fp_signature_similarity(const fp_instance *self, double distance);
/* fp_algorithm.law if the slots are independent: d ~ Binomial(n, (1 − J)(1 − 2⁻ᵇ)). */
double fp_signature_law(const fp_instance *self, double similarity, double h);

/* ---- Explanations ---- */

/* Columns of slots that an explanation shows. */
enum { FP_EXPLAINED_SLOTS = 8 };

/* A 64-bit value as a share of 2⁶⁴. */
static inline double fp_hash_fraction(uint64_t value) { return (double)value * 0x1p-64; }

/* The signature matrix: a row per feature, with its own value in each of the first slots; the smallest of each column
 * is marked. For algorithms whose value is a minimum. */
fp_status fp_signature_explain_matrix(const fp_instance *self, const fp_document *document, fp_signature_values values,
                                      fp_arena *scratch, fp_explanation *to, fp_error *error);
/* The weights of the features and their shares. */
void fp_signature_explain_weights(const fp_document *document, fp_explanation *to);
/* The slots: the feature that gave each its value, and the bits kept. */
fp_status fp_signature_explain(const fp_instance *self, const fp_document *document, fp_signature_values values,
                               fp_arena *scratch, fp_explanation *to, fp_error *error);
/* The slots of two documents: the feature that each took, and whether the kept bits agree. */
fp_status fp_signature_explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b,
                                    fp_signature_values values, fp_arena *scratch, fp_explanation *to, fp_error *error);

/* ---- An algorithm of the family ---- */

/* FP_SIGNATURE_SKETCH defines fp_algorithm.sketch for the function that fills in the values; FP_SIGNATURE_FUNCTIONS
 * also .explain_pair. */
#define FP_SIGNATURE_SKETCH(values)                                                                                  \
    static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, \
                            fp_error *error) {                                                                       \
        return fp_signature_sketch(self, document, values, scratch, out, error);                                     \
    }
#define FP_SIGNATURE_FUNCTIONS(values)                                                                 \
    FP_SIGNATURE_SKETCH(values)                                                                        \
    static fp_status explain_pair(const fp_instance *self, const fp_document *a, const fp_document *b, \
                                  fp_arena *scratch, fp_explanation *to, fp_error *error) {            \
        return fp_signature_explain_pair(self, a, b, values, scratch, to, error);                      \
    }
/* The members of fp_algorithm that are the same for the whole family; each algorithm sets its own `needs`. */
#define FP_SIGNATURE_MEMBERS                                                                                  \
    .abi = FP_ABI_VERSION, .sketch = sketch, .explain_pair = explain_pair, .distance = fp_signature_distance, \
    .similarity = fp_signature_similarity, .explain = explain, .acceleration = &fp_signature_acceleration

/* The members for an algorithm that has only the parameters of the family. */
#define FP_SIGNATURE_PARAMETERS \
    .parameters_size = sizeof(fp_signature), .parameters = fp_signature_parameters, .layout = fp_signature_layout

#endif
