/* SPDX-License-Identifier: GPL-3.0-or-later
 * FracMinHash: the features whose hash, fp_mix(term hash xor salt, 0), lies below 2⁶⁴/scaled, about one in `scaled`.
 * Sketches of sets of any size can be compared and joined; their size grows with that of the set. The sketch is the
 * size of the set, then the hashes, ascending.
 *
 * If the resemblance of two empty sketches counts as 0, that of two sketches has the expectation J·(1 − (1 −
 * 1/scaled)^|A∪B|) (Hera, Pierce-Ward, Koslicki; for containment with |A| of the contained set). The factor is the
 * probability that there is anything to compare; given that there is, the resemblance is unbiased. The factor is not
 * applied here. Instead a set that would keep no hash keeps its smallest one (empty=smallest): two such sets are
 * compared by it like one slot of minhash, and the resemblance has the expectation J for all sets. With empty=none the
 * sketch is as published, and two sketches without a hash are at distance 0, also for different texts: the lab treats
 * them as no evidence (fp_sketch.empty). Two empty sets are equal; an empty set is at the largest distance from all
 * others that kept a hash. The law depends on |A∪B|, so none is given. */
#include "algorithms/families/sets.h"

enum { EMPTY_SMALLEST, EMPTY_NONE };

typedef struct fracminhash_parameters {
    int64_t scaled;
    int64_t measure;
    int64_t empty;
    int64_t seed;
} fracminhash_parameters;

static const char *const MEASURES[] = {FP_SET_MEASURES, NULL};
static const char *const EMPTIES[] = {"smallest", "none", NULL};

static const fp_parameter PARAMETERS[] = {
    {"scaled", FP_INTEGER, "", "keep one feature in this many; 1 keeps all", "4", 1, 1e9, NULL,
     offsetof(fracminhash_parameters, scaled)},
    {"measure", FP_CHOICE, "",
     "resemblance |A∩B|/|A∪B|, overlap |A∩B|/min(|A|, |B|), or containment, the mean of |A∩B|/|A| and |A∩B|/|B|",
     "resemblance", 0, 0, MEASURES, offsetof(fracminhash_parameters, measure)},
    {"empty", FP_CHOICE, "", "a text with no hash below the limit keeps its smallest one, or none", "smallest", 0, 0,
     EMPTIES, offsetof(fracminhash_parameters, empty)},
    FP_SEED_PARAMETER("seed of the hash function", fracminhash_parameters, seed),
    {0},
};

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const fracminhash_parameters *parameters = opaque;
    fp_set_layout_of(fp_set_measure_name(parameters->measure), out);
    return FP_OK;
}

/* h ≤ limit is the same as h < 2⁶⁴/scaled. */
static uint64_t limit_of(const fracminhash_parameters *parameters) { return UINT64_MAX / (uint64_t)parameters->scaled; }

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const fracminhash_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    uint64_t *words = FP_NEED(fp_arena_raw(scratch, features->count + 1, sizeof *words), error);
    uint64_t *set = words + 1;
    uint64_t limit = limit_of(parameters), smallest = UINT64_MAX;
    size_t count = 0;
    for (size_t f = 0; f < features->count; f++) {
        uint64_t hash = fp_set_hash(parameters->seed, features->hash[f]);
        if (hash <= limit) set[count++] = hash;
        if (hash < smallest) smallest = hash;
    }
    if (count == 0 && features->count && parameters->empty == EMPTY_SMALLEST) set[count++] = smallest;
    FP_TRY(fp_set_sort(set, count, scratch, error));
    words[0] = features->count;
    *out = (fp_sketch){.data = words, .size = (count + 1) * sizeof *words};
    return FP_OK;
}

static bool is_empty(const fp_instance *self, fp_sketch sketched) {
    (void)self;
    return sketched.size <= sizeof(uint64_t);
}

/* The share of the smaller set's sketch that the other sketch has; for sets of equal size, and for the containment, the
 * mean of both directions. */
static double contained(bool overlap, const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    if (a_count == 0 && b_count == 0) return 1;
    if (a_count == 0 || b_count == 0) return 0;
    double both = (double)fp_set_shared(a + 1, a_count, b + 1, b_count), of_a = both / (double)a_count,
           of_b = both / (double)b_count;
    if (overlap && a[0] != b[0]) return a[0] < b[0] ? of_a : of_b;
    return (of_a + of_b) / 2;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const fracminhash_parameters *parameters = self->parameters;
    const uint64_t *left = a.data, *right = b.data;
    size_t left_count = a.size / 8 - 1, right_count = b.size / 8 - 1;
    if (parameters->measure != FP_RESEMBLANCE)
        return 64 * (1 - contained(parameters->measure == FP_OVERLAP, left, left_count, right, right_count));
    return 64 * (1 - fp_set_likeness(FP_RESEMBLANCE, left + 1, left_count, right + 1, right_count));
}

/* The size of the set in decimal, a colon, the hashes. */
static const char *text(const fp_instance *self, fp_sketch sketch_of, fp_arena *arena) {
    const uint64_t *words = sketch_of.data;
    fp_sketch hashes = {.data = words + 1, .size = sketch_of.size - sizeof *words};
    const char *set = fp_set_text(self, hashes, arena);
    return set ? fp_format(arena, "%llu:%s", (unsigned long long)words[0], set) : NULL;
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fracminhash_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    const uint64_t *words = made.data;
    size_t count = made.size / 8 - 1;
    fp_explain_step(to, "hashes");
    fp_explain_line(to,
                    "Every feature is hashed to a number from 0 to 1; those below 1/%lld = %.6g are kept, marked *.",
                    (long long)parameters->scaled, 1 / (double)parameters->scaled);
    fp_set_explain_hashes(to, features, parameters->seed, limit_of(parameters));
    fp_explain_step(to, "fingerprint");
    fp_explain_line(to, "%zu of %zu features are kept.", count, features->count);
    if (count && words[1] > limit_of(parameters))
        fp_explain_line(to, "None is below the limit; the smallest represents the set.");
    return FP_OK;
}

const fp_algorithm fp_algorithm_fracminhash = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "fracminhash",
    .summary = "the shingle hashes below a fixed share of their range; a sample that grows with the set",
    .citation =
        "Irber, Brooks, Reiter, Pierce-Ward, Hera, Koslicki, Brown, Lightweight compositional analysis of metagenomes with FracMinHash and "
        "minimum metagenome covers, 2022; bias: Rahman Hera, Pierce-Ward, Koslicki, Deriving confidence intervals for mutation rates across a wide range "
        "of evolutionary distances using FracMinHash, Genome Research 33(7), 1061–1068, 2023 (E = J·(1 − (1 − 1/scaled)^|A∪B|), stated, not applied)",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(fracminhash_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .is_empty = is_empty,
    .distance = distance,
    .text = text,
    .explain = explain,
    .measure = "Jaccard",
    .similarity = fp_set_similarity,
    .counterpart = "jaccard",
};
