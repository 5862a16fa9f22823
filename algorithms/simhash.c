/* SPDX-License-Identifier: GPL-3.0-or-later
 * SimHash. Bit j of the fingerprint is the sign of the sum, over the document's features, of +w where bit j of the
 * feature's term hash is 1 and −w where it is 0. The hash bits replace the random hyperplanes of Charikar, so two
 * documents at angle θ differ in f·θ/π bits on average. An empty document has only ties.
 *
 * With a centre, bit j is the sign of sum_j/Σw minus a centre that is learned once: the corpus's mean or median of that
 * quotient (empty documents do not count). This removes what all documents share, which otherwise decides most bits
 * alike. With the mean it is the SimHash of the vectors x/Σw minus their mean, because sums are linear, and the law
 * holds for the angle between those; with the median approximately. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "algorithms/families/sets.h"
#include "algorithms/families/signs.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "base/explanation.h"

/* The error of a mean of n documents is σ/√n if their quotients deviate by σ, that of a median √(π/2) times as large. A
 * bit then differs from the bit under the centre of all texts with the probability arctan(error/σ)/π (the angle between
 * two normal variables): for the median of 64 documents 0.05, 3 bits of 64, which is as much as the threshold of
 * near-duplicates. With two documents, each has every bit that the other has not. */
enum { LEAST_DOCUMENTS = 64, MOST_BITS = 128 };
enum { CENTER_NONE, CENTER_MEAN, CENTER_MEDIAN };

typedef struct simhash_parameters {
    fp_signs signs;
    int64_t center;
} simhash_parameters;

static const char *const CENTERS[] = {"none", "mean", "median", NULL};

static const fp_parameter PARAMETERS[] = {
    {"bits", FP_INTEGER, "bits", "width of the fingerprint; 64 is usual, 4–16 suit textbook examples", "64", 4,
     MOST_BITS, NULL, offsetof(fp_signs, bits)},
    FP_TIE_PARAMETER,
    FP_QUERY_PARAMETER,
    {"center", FP_CHOICE, "",
     "threshold of each bit: 0, or the corpus's mean or median of the sums divided by the total weight; of 64 documents or more",
     "none", 0, 0, CENTERS, offsetof(simhash_parameters, center)},
    FP_SEED_PARAMETER("hash seed: 0 takes the bits of the term hashes as they are, others mix them", fp_signs, seed),
    {0},
};

static bool learns(const void *opaque) {
    const simhash_parameters *parameters = opaque;
    return parameters->center != CENTER_NONE;
}

/* ---- Sums ---- */

/* The words of a term: its hash, and for the bits beyond 64 a second word mixed from it. Under a seed both are mixed,
 * by streams that no other seed uses. */
static uint64_t word_of(const fp_instance *self, uint64_t hash, size_t word) {
    const simhash_parameters *parameters = self->parameters;
    uint64_t stream = 2 * (uint64_t)parameters->signs.seed + word;
    return stream ? fp_mix(hash, stream) : hash;
}

/* The sums of features of weight 1: if k of n words have a bit, its sum is k − (n − k). Integers below 2⁵³ are exact,
 * so that counted features give the same sums. */
static void add_occurrences(const uint64_t *words, size_t count, double *sum) {
    uint64_t ones[FP_ONES] = {0};
    fp_ones_kernels[fp_cpu_chosen()](words, count, ones);
    for (size_t j = 0; j < FP_ONES; j++) sum[j] += 2 * (double)ones[j] - (double)count;
}

static void add_some(const uint64_t *words, const double *weight, size_t count, double *sum) {
    if (weight) fp_signed_sum_add(words, weight, count, sum);
    else add_occurrences(words, count, sum);
}

/* Adds to the 64 sums of a word, also to those beyond the width of the fingerprint. */
static void add_word(const fp_instance *self, const fp_features *features, size_t word, double *sum) {
    enum { CHUNK = 128 };
    uint64_t signs[CHUNK];
    for (size_t i = 0, some; i < features->count; i += some) {
        some = features->count - i < CHUNK ? features->count - i : CHUNK;
        for (size_t c = 0; c < some; c++) signs[c] = word_of(self, features->hash[i + c], word);
        add_some(signs, features->weight ? features->weight + i : NULL, some, sum);
    }
}

static void sums(const fp_instance *self, const fp_features *features, double *sum) {
    const simhash_parameters *parameters = self->parameters;
    if (parameters->signs.seed) add_word(self, features, 0, sum);
    else add_some(features->hash, features->weight, features->count, sum);
    if (fp_signs_words(self) > 1) add_word(self, features, 1, sum + FP_SIGNED_SUMS);
}

/* sum_j/Σw of a document that is not empty, from −1 to 1. */
static void quotients(const fp_instance *self, const fp_features *features, double quotient[MOST_BITS]) {
    double total = fp_signs_total_weight(features);
    memset(quotient, 0, MOST_BITS * sizeof *quotient);
    sums(self, features, quotient);
    for (size_t j = 0; j < fp_signs_bits(self); j++) quotient[j] /= total;
}

FP_SIGNS_FUNCTIONS(sums)

/* ---- The centre ---- */

/* The values for a median: ROWS documents per block, the values of a bit together. */
enum { ROWS = 256 };
typedef struct quotient_block {
    struct quotient_block *before;
    double (*bit)[ROWS]; /* [bits] */
} quotient_block;

/* The values for a median when parts are merged: quotients, each rounded to a multiple of 1/STEPS. No quotient moves by
 * more than half of that, and neither does the median. In a file, a word has a count in its low bits and the place in
 * the grid in the others. */
enum { STEPS = 1 << 12, GRID = 2 * STEPS + 1, COUNT_BITS = 40 };

/* The sums over the documents that have a feature. */
typedef struct centring {
    size_t count;
    /* For the mean: integers in units of 2⁻³⁰ and, for the remainder, of 2⁻⁶⁰, so that their order does not matter. */
    int64_t sum[2][MOST_BITS];
    quotient_block *blocks; /* for the median: the last block */
    uint64_t *grid; /* [bits][GRID] numbers of documents by quotient, from −1 up, when parts are merged; or NULL */
} centring;

static fp_status learn_begin(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                             fp_error *error) {
    (void)self;
    (void)training;
    *state = fp_arena_alloc(arena, 1, sizeof(centring));
    return *state ? FP_OK : fp_no_memory(error);
}

/* The quotients; empty for an empty document. */
static fp_status learn_read(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *read,
                            fp_error *error) {
    double *quotient = FP_NEED(fp_arena_raw(scratch, MOST_BITS, sizeof *quotient), error);
    if (document->features.count) quotients(self, &document->features, quotient);
    *read =
        (fp_sketch){.data = quotient, .size = document->features.count ? fp_signs_bits(self) * sizeof *quotient : 0};
    return FP_OK;
}

static fp_status add_row(const fp_instance *self, centring *to, const double *quotient, fp_arena *arena,
                         fp_error *error) {
    size_t row = to->count % ROWS;
    if (row == 0) {
        quotient_block *block = FP_NEED(fp_arena_alloc(arena, 1, sizeof *block), error);
        block->bit = FP_NEED(fp_arena_raw(arena, fp_signs_bits(self), sizeof *block->bit), error);
        block->before = to->blocks;
        to->blocks = block;
    }
    for (size_t j = 0; j < fp_signs_bits(self); j++) to->blocks->bit[j][row] = quotient[j];
    return FP_OK;
}

static uint64_t *grid_at(const centring *of, size_t bit, double quotient) {
    return of->grid + bit * GRID + (size_t)(nearbyint(quotient * STEPS) + STEPS);
}

static void add_sums(const fp_instance *self, centring *to, const double *quotient) {
    for (size_t j = 0; j < fp_signs_bits(self); j++) {
        double scaled = quotient[j] * 0x1p30, whole = nearbyint(scaled);
        to->sum[0][j] += (int64_t)whole;
        to->sum[1][j] += (int64_t)nearbyint((scaled - whole) * 0x1p30);
    }
}

static fp_status learn_add(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error) {
    const simhash_parameters *parameters = self->parameters;
    const double *quotient = read.data;
    centring *to = state;
    if (read.size == 0) return FP_OK;
    if (parameters->center == CENTER_MEAN) add_sums(self, to, quotient);
    else if (to->grid)
        for (size_t j = 0; j < fp_signs_bits(self); j++) ++*grid_at(to, j, quotient[j]);
    else FP_TRY(add_row(self, to, quotient, arena, error));
    to->count++;
    return FP_OK;
}

/* The middle quotient of each bit, or the mean of the two in the middle. column: [count]. */
static void take_medians(const fp_instance *self, const centring *from, double *column, double *centre) {
    size_t count = from->count;
    for (size_t j = 0; j < fp_signs_bits(self); j++) {
        size_t end = count, begin;
        for (const quotient_block *block = from->blocks; block; block = block->before, end = begin) {
            begin = (end - 1) / ROWS * ROWS;
            memcpy(column + begin, block->bit[j], (end - begin) * sizeof *column);
        }
        gsl_sort(column, 1, count);
        centre[j] = (column[(count - 1) / 2] + column[count / 2]) / 2;
    }
}

/* Moves the rows to a grid, if there is none yet. */
static fp_status fill_grid(const fp_instance *self, centring *to, fp_arena *arena, fp_error *error) {
    size_t bits = fp_signs_bits(self), end = to->count, begin;
    if (to->grid) return FP_OK;
    to->grid = FP_NEED(fp_arena_alloc(arena, bits * GRID, sizeof *to->grid), error);
    for (const quotient_block *block = to->blocks; block; block = block->before, end = begin) {
        begin = (end - 1) / ROWS * ROWS;
        for (size_t j = 0; j < bits; j++)
            for (size_t row = 0; row < end - begin; row++) ++*grid_at(to, j, block->bit[j][row]);
    }
    return FP_OK;
}

static double grid_value(const uint64_t *row, uint64_t rank) {
    size_t at = 0;
    while (row[at] <= rank) rank -= row[at++];
    return (double)at / STEPS - 1;
}

static fp_status state_write(const fp_instance *self, void *state, fp_arena *arena, fp_string *bytes, fp_error *error) {
    const simhash_parameters *parameters = self->parameters;
    centring *from = state;
    size_t bits = fp_signs_bits(self), places = bits * GRID, count = 1;
    if (parameters->center == CENTER_MEDIAN) FP_TRY(fill_grid(self, from, arena, error));
    for (size_t at = 0; from->grid && at < places; at++) count += from->grid[at] > 0;
    uint64_t *number = fp_arena_raw(arena, from->grid ? count : 2 * bits + 1, sizeof *number);
    if (!number) return fp_no_memory(error);
    number[0] = from->count;
    if (!from->grid)
        for (count = 1; count <= 2 * bits; count++)
            number[count] = (uint64_t)from->sum[(count - 1) / bits][(count - 1) % bits];
    else
        for (size_t at = 0, next = 1; at < places; at++)
            if (from->grid[at]) number[next++] = (uint64_t)at << COUNT_BITS | from->grid[at];
    return fp_bytes_of(number, count, arena, bytes, error);
}

/* False if a place is invalid, or a bit does not have a quotient of every document. */
static bool add_grid(const fp_instance *self, centring *to, const uint64_t *number, size_t count) {
    uint64_t counted[MOST_BITS] = {0};
    size_t bits = fp_signs_bits(self);
    for (size_t i = 1; i < count; i++) {
        uint64_t at = number[i] >> COUNT_BITS, more = number[i] & (((uint64_t)1 << COUNT_BITS) - 1);
        if (at >= bits * GRID) return false;
        to->grid[at] += more;
        counted[at / GRID] += more;
    }
    for (size_t j = 0; j < bits; j++)
        if (counted[j] != number[0]) return false;
    return true;
}

static fp_status state_add(const fp_instance *self, void *state, fp_string bytes, fp_arena *arena, fp_error *error) {
    const simhash_parameters *parameters = self->parameters;
    centring *to = state;
    uint64_t *number;
    size_t count, bits = fp_signs_bits(self);
    bool median = parameters->center == CENTER_MEDIAN;
    FP_TRY(fp_integers_of_bytes(bytes, arena, &number, &count, error));
    if (median) FP_TRY(fill_grid(self, to, arena, error));
    bool good = count && number[0] <= UINT32_MAX && (median || count == 2 * bits + 1);
    if (!good || (median && !add_grid(self, to, number, count)))
        return fp_fail(error, FP_ERROR_SYNTAX, "not what a centre of %zu bits is learned from", bits);
    for (size_t i = 0; !median && i < 2 * bits; i++)
        to->sum[i / bits][i % bits] = (int64_t)((uint64_t)to->sum[i / bits][i % bits] + number[i + 1]);
    to->count += (size_t)number[0];
    return FP_OK;
}

static fp_status learn_end(const fp_instance *self, void *state, fp_arena *arena, const void **model, fp_error *error) {
    const simhash_parameters *parameters = self->parameters;
    centring *from = state;
    if (from->count == 0)
        return fp_fail(error, FP_ERROR_EMPTY, "center=%s: no document has a feature to learn from",
                       CENTERS[parameters->center]);
    double *centre = FP_NEED(fp_arena_alloc(arena, MOST_BITS, sizeof *centre), error);
    *model = centre;
    if (parameters->center == CENTER_MEAN) {
        for (size_t j = 0; j < fp_signs_bits(self); j++)
            centre[j] = ((double)from->sum[0][j] * 0x1p-30 + (double)from->sum[1][j] * 0x1p-60) / (double)from->count;
        return FP_OK;
    }
    for (size_t j = 0; from->grid && j < fp_signs_bits(self); j++) {
        const uint64_t *row = from->grid + j * GRID;
        centre[j] = (grid_value(row, (from->count - 1) / 2) + grid_value(row, from->count / 2)) / 2;
    }
    if (from->grid) return FP_OK;
    fp_arena *scratch = fp_arena_new_like(arena);
    double *column = scratch ? fp_arena_raw(scratch, from->count, sizeof *column) : NULL;
    if (column) take_medians(self, from, column, centre);
    fp_arena_free(scratch);
    return column ? FP_OK : fp_no_memory(error);
}

static fp_status model_write(const fp_instance *self, fp_arena *arena, fp_string *bytes, fp_error *error) {
    return fp_bytes_of(self->model, fp_signs_bits(self), arena, bytes, error);
}

static fp_status model_read(const fp_instance *self, fp_string bytes, fp_arena *arena, const void **model,
                            fp_error *error) {
    double *centre;
    size_t count;
    FP_TRY(fp_reals_of_bytes(bytes, arena, &centre, &count, error));
    if (count != fp_signs_bits(self))
        return fp_fail(error, FP_ERROR_SYNTAX, "a centre of %zu bits, not of %zu", count, fp_signs_bits(self));
    *model = centre;
    return FP_OK;
}

/* ---- Explanations: the five steps, and the hyperplanes that the hash bits represent ---- */

static void explain_features(const fp_instance *self, const fp_features *features, size_t bits, bool signed_weights,
                             fp_arena *scratch, fp_explanation *to) {
    for (size_t i = 0; i < features->count; i++) {
        const uint64_t words[2] = {word_of(self, features->hash[i], 0), word_of(self, features->hash[i], 1)};
        double weights[MOST_BITS] = {0};
        fp_signed_sum_add(words, features->weight + i, 1, weights);
        fp_signed_sum_add(words + 1, features->weight + i, 1, weights + FP_SIGNED_SUMS);
        fp_explain_term(to, features, i);
        fp_explain_cell(to, "%.6g", features->weight[i]);
        if (signed_weights) fp_signs_explain_numbers(to, weights, bits, scratch);
        else fp_signs_explain_bits(to, words, bits, scratch);
    }
}

static void explain_centre(const fp_instance *self, const fp_features *features, fp_arena *scratch,
                           fp_explanation *to) {
    const simhash_parameters *parameters = self->parameters;
    double quotient[MOST_BITS], margin[MOST_BITS];
    quotients(self, features, quotient);
    fp_signs_margins(self, sums, features, margin);
    fp_explain_step(to, "centre: sums divided by the total weight, less the corpus's centre");
    fp_explain_line(to, "total weight %.6g; center=%s. What all documents share is in the centre.",
                    fp_signs_total_weight(features), CENTERS[parameters->center]);
    fp_explain_table(to, "quotients|centre|difference");
    fp_signs_explain_numbers(to, quotient, fp_signs_bits(self), scratch);
    fp_signs_explain_numbers(to, self->model, fp_signs_bits(self), scratch);
    fp_signs_explain_numbers(to, margin, fp_signs_bits(self), scratch);
}

/* Bit j of every term hash read as one vector: r_j has +1 for the terms whose bit is 1 and −1 for the others; bit j
 * of the fingerprint is the sign of r_j · weights. */
static void explain_hyperplanes(const fp_instance *self, const fp_features *features, size_t bits, fp_arena *scratch,
                                fp_explanation *to) {
    fp_explain_step(to, "implied hyperplanes");
    fp_explain_line(
        to,
        "Bit j is the sign of the product of the weight vector with r_j: the hash bits stand in for random hyperplanes.");
    fp_explain_table(to, "bit|hyperplane");
    char *line = fp_arena_raw(scratch, features->count + 1, 4);
    if (!line) to->failed = true;
    for (size_t i = bits; line && i-- > 0;) {
        char *end = line;
        for (size_t f = 0; f < features->count; f++)
            end += snprintf(end, 4, "%s%s", f ? "," : "",
                            word_of(self, features->hash[f], i / 64) >> i % 64 & 1 ? "1" : "-1");
        *end = '\0';
        fp_explain_cell(to, "r%zu", bits - i);
        fp_explain_cell(to, "(%s)", line);
    }
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const fp_features *features = &document->features;
    size_t bits = fp_signs_bits(self);
    double sum[MOST_BITS] = {0};
    fp_sketch made;
    FP_TRY(sketch(self, document, scratch, &made, error));
    sums(self, features, sum);
    fp_explain_step(to, "1-2. segment and hash");
    fp_explain_table(to, "term|>weight|hash");
    explain_features(self, features, bits, false, scratch, to);
    fp_explain_step(to, "3. weight: +w for a 1, -w for a 0");
    fp_explain_table(to, "term|>weight|signed weights");
    explain_features(self, features, bits, true, scratch, to);
    fp_explain_step(to, "4. merge: sums");
    fp_explain_table(to, "sums");
    fp_signs_explain_numbers(to, sum, bits, scratch);
    if (self->model && features->count) explain_centre(self, features, scratch, to);
    fp_signs_explain_reduction(self, "5. reduce: above 0 gives 1, below 0 gives 0", made, scratch, to);
    explain_hyperplanes(self, features, bits, scratch, to);
    return FP_OK;
}

static const fp_learning LEARNING = {
    .begin = learn_begin,
    .read = learn_read,
    .add = learn_add,
    .end = learn_end,
    .needed = learns,
    .least_documents = LEAST_DOCUMENTS,
    .write_model = model_write,
    .read_model = model_read,
    .write_state = state_write,
    .add_state = state_add,
};

const fp_algorithm fp_algorithm_simhash = {
    FP_SIGNS_MEMBERS,
    .needs = FP_NEEDS_FEATURES | FP_NEEDS_HASH_BITS | FP_ADDS_FEATURES,
    .name = "simhash",
    .summary = "signs of the weighted sums of term-hash bits, centred or not; the web crawl's fingerprint",
    .citation =
        "Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002, section 3 (P[bit "
        "differs] = θ/π); Manku, "
        "Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007, section 2; the centre is fplab's" FP_QUERY_CITED,
    .features = "features=words,weight=logtf",
    .parameters_size = sizeof(simhash_parameters),
    .parameters = PARAMETERS,
    .layout = fp_signs_layout,
    .learning = &LEARNING,
};
