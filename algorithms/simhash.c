/* SPDX-License-Identifier: GPL-3.0-or-later
 * SimHash. Bit j of the fingerprint is the sign of the sum, over the document's features, of +w where bit j of the feature's term hash is 1 and −w
 * where it is 0. The hash bits stand in for the random hyperplanes of Charikar, so two documents at angle θ differ in f·θ/π bits on average.
 * An empty document has only ties. */
#include <math.h>

#include "algorithms/kernels/hamming.h"
#include "algorithms/law.h"
#include "base/base.h"

enum { MOST_BITS = 128 };
enum { TIE_ZERO, TIE_ONE, TIE_ALTERNATE };

typedef struct simhash_parameters {
    int64_t bits;
    int64_t tie;
} simhash_parameters;

static const char *const TIES[] = {"zero", "one", "alternate", NULL};

static const fp_parameter PARAMETERS[] = {
    {"bits", FP_INTEGER, "bits", "width of the fingerprint; 64 is usual, 4–16 suit textbook examples", "64", 4, MOST_BITS, NULL,
     offsetof(simhash_parameters, bits)},
    {"tie", FP_CHOICE, "", "the bit of a sum that is exactly 0; alternate gives 0 to even bits and 1 to odd", "zero", 0, 0, TIES,
     offsetof(simhash_parameters, tie)},
    {0},
};

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const simhash_parameters *parameters = opaque;
    size_t bits = (size_t)parameters->bits;
    *out = (fp_layout){.bytes = (bits + 63) / 64 * 8, .bits = bits, .payload = (double)bits / 8, .maximum = (double)bits,
                       .integral = true};
    snprintf(out->scale, sizeof out->scale, "bits of %zu", bits);
    return FP_OK;
}

/* Adds ±weight to 64 sums by the bits of one word of the term hash. Lanes are independent, so any vector width gives the same sums. */
static void add_word(double *sum, uint64_t hash, double weight) {
    for (unsigned bit = 0; bit < 64; bit++) sum[bit] += hash >> bit & 1 ? weight : -weight;
}

/* sum[j] for every bit of the fingerprint; bits beyond 64 take a second word mixed from the term hash. */
static void add_features(const fp_features *features, size_t words, double sum[MOST_BITS]) {
    for (size_t i = 0; i < features->count; i++) {
        add_word(sum, features->hash[i], features->weight[i]);
        if (words > 1) add_word(sum + 64, fp_mix(features->hash[i], 1), features->weight[i]);
    }
}

static bool sign(double sum, unsigned bit, int64_t tie) {
    if (sum != 0) return sum > 0;
    return tie == TIE_ONE || (tie == TIE_ALTERNATE && bit % 2);
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, fp_error *error) {
    const simhash_parameters *parameters = self->parameters;
    size_t words = self->layout.bytes / 8;
    uint64_t *fingerprint = fp_arena_alloc(scratch, words, sizeof *fingerprint);
    if (!fingerprint) return fp_no_memory(error);
    double sum[MOST_BITS] = {0};
    add_features(&document->features, words, sum);
    for (unsigned bit = 0; bit < (unsigned)parameters->bits; bit++)
        if (sign(sum[bit], bit, parameters->tie)) fingerprint[bit / 64] |= UINT64_C(1) << bit % 64;
    *out = (fp_sketch){fingerprint, self->layout.bytes};
    return FP_OK;
}

/* ---- The five steps, and the hyperplanes that the hash bits stand for ---- */

/* Bits from the highest to the lowest, as they are written. */
static void write_bits(const uint64_t *words, unsigned bits, char *text) {
    for (unsigned i = 0; i < bits; i++) text[i] = words[(bits - 1 - i) / 64] >> (bits - 1 - i) % 64 & 1 ? '1' : '0';
    text[bits] = '\0';
}

/* One cell per bit: the number, from the highest bit to the lowest. */
static void tell_numbers(fp_explanation *to, const double *number, unsigned bits, fp_arena *scratch) {
    const char *line = "";
    for (unsigned i = bits; i-- > 0 && line;) line = fp_format(scratch, "%s%s%.6g", line, *line ? " " : "", number[i]);
    fp_explain_cell(to, "%s", line ? line : "");
}

static void tell_features(const fp_features *features, unsigned bits, bool signed_weights, fp_arena *scratch, fp_explanation *to) {
    for (size_t i = 0; i < features->count; i++) {
        fp_string term = features->term ? features->term[i] : (fp_string){"", 0};
        uint64_t words[2] = {features->hash[i], fp_mix(features->hash[i], 1)};
        double weights[MOST_BITS] = {0};
        char text[MOST_BITS + 1];
        write_bits(words, bits, text);
        add_word(weights, words[0], features->weight[i]);
        add_word(weights + 64, words[1], features->weight[i]);
        fp_explain_cell(to, "%.*s", (int)term.length, term.data);
        fp_explain_cell(to, "%.6g", features->weight[i]);
        if (signed_weights) tell_numbers(to, weights, bits, scratch);
        else fp_explain_cell(to, "%s", text);
    }
}

/* Bit j of every term hash read as one vector: r_j has +1 for the terms whose bit is 1 and −1 for the others; bit j of the fingerprint is the sign of
 * r_j · weights. */
static void tell_hyperplanes(const fp_features *features, unsigned bits, fp_arena *scratch, fp_explanation *to) {
    fp_explain_step(to, "implied hyperplanes");
    fp_explain_line(to, "Bit j is the sign of the product of the weight vector with r_j: the hash bits stand in for random hyperplanes.");
    fp_explain_table(to, "bit|hyperplane");
    for (unsigned i = bits; i-- > 0;) {
        const char *line = "";
        for (size_t f = 0; f < features->count && line; f++) {
            uint64_t word = i < 64 ? features->hash[f] : fp_mix(features->hash[f], 1);
            line = fp_format(scratch, "%s%s%d", line, *line ? "," : "", word >> i % 64 & 1 ? 1 : -1);
        }
        fp_explain_cell(to, "r%u", bits - i);
        fp_explain_cell(to, "(%s)", line ? line : "");
    }
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to, fp_error *error) {
    const simhash_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    unsigned bits = (unsigned)parameters->bits;
    double sum[MOST_BITS] = {0};
    char text[MOST_BITS + 1];
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    add_features(features, 2, sum);
    fp_explain_step(to, "1-2. segment and hash");
    fp_explain_table(to, "term|weight|hash");
    tell_features(features, bits, false, scratch, to);
    fp_explain_step(to, "3. weight: +w for a 1, -w for a 0");
    fp_explain_table(to, "term|weight|signed weights");
    tell_features(features, bits, true, scratch, to);
    fp_explain_step(to, "4. merge: sums");
    fp_explain_table(to, "sums");
    tell_numbers(to, sum, bits, scratch);
    fp_explain_step(to, "5. reduce: above 0 gives 1, below 0 gives 0");
    fp_explain_line(to, "A sum of exactly 0 follows tie=%s.", TIES[parameters->tie]);
    fp_explain_table(to, "fingerprint");
    write_bits(made.data, bits, text);
    fp_explain_cell(to, "%s", text);
    tell_hyperplanes(features, bits, scratch, to);
    return FP_OK;
}

static double similarity(const fp_instance *self, double distance) { return cos(M_PI * distance / self->layout.maximum); }

static double law(const fp_instance *self, double cosine, double h) {
    return fp_law_binomial(h, fp_law_angle(cosine), (unsigned)self->layout.bits);
}

const fp_algorithm fp_algorithm_simhash = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES,
    .name = "simhash",
    .summary = "signs of the weighted sums of term-hash bits; the web crawl's fingerprint",
    .citation = "Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002, section 3 (P[bit differs] = θ/π); Manku, "
                "Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007, section 2",
    .features = "features=chars:3,weight=tf",
    .parameters_size = sizeof(simhash_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = fp_hamming_distance,
    .distances = fp_hamming_distances,
    .explain = explain,
    .measure = "cosine",
    .similarity = similarity,
    .law = law,
};
