/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signs of linear sums: their layout, law and explanation. */
#include "algorithms/families/signs.h"

#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "base/explanation.h"
#include "base/map.h"

const char *const fp_tie_names[] = {"zero", "one", "alternate", NULL};

void fp_signs_layout(size_t bits, fp_layout *layout) {
    *layout = (fp_layout){.bytes = (bits + 63) / 64 * 8,
                          .bits = bits,
                          .payload = (double)bits / 8,
                          .maximum = (double)bits,
                          .integral = true};
    snprintf(layout->scale, sizeof layout->scale, "bits of %zu", bits);
}

static bool sign(double sum, size_t bit, int64_t tie) {
    if (sum != 0) return sum > 0;
    return tie == FP_TIE_ONE || (tie == FP_TIE_ALTERNATE && bit % 2);
}

fp_status fp_signs_sketch(const double *sum, size_t bits, int64_t tie, fp_arena *arena, fp_sketch *sketch,
                          fp_error *error) {
    size_t words = (bits + 63) / 64;
    uint64_t *fingerprint = fp_arena_alloc(arena, words, sizeof *fingerprint);
    if (!fingerprint) return fp_no_memory(error);
    for (size_t bit = 0; bit < bits; bit++) fingerprint[bit / 64] |= (uint64_t)sign(sum[bit], bit, tie) << bit % 64;
    *sketch = (fp_sketch){.data = fingerprint, .size = words * sizeof *fingerprint};
    return FP_OK;
}

double fp_signs_similarity(const fp_instance *self, double distance) {
    return cos(M_PI * distance / self->layout.maximum);
}

double fp_signs_law(const fp_instance *self, double cosine, double h) {
    return fp_law_binomial(h, fp_law_angle(cosine), (unsigned)self->layout.bits);
}

/* ---- Telling one document ---- */

static bool bit_at(const uint64_t *words, size_t bit) { return words[bit / 64] >> bit % 64 & 1; }

void fp_signs_tell_bits(fp_explanation *to, const uint64_t *words, size_t bits, fp_arena *scratch) {
    char *text = fp_arena_raw(scratch, bits + 1, 1);
    for (size_t i = 0; text && i < bits; i++) text[i] = bit_at(words, bits - 1 - i) ? '1' : '0';
    if (text) text[bits] = '\0';
    else to->failed = true;
    fp_explain_cell(to, "%s", text ? text : "");
}

void fp_signs_tell_numbers(fp_explanation *to, const double *number, size_t bits, fp_arena *scratch) {
    enum { WIDEST = 32 };
    char *text = fp_arena_alloc(scratch, bits, WIDEST);
    size_t used = 0;
    for (size_t i = bits; text && i-- > 0;) {
        int wrote = snprintf(text + used, WIDEST, "%s%.6g", used ? " " : "",
                             number[i] + 0.0); /* + 0.0: no minus before a zero */
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    if (!text) to->failed = true;
    fp_explain_cell(to, "%s", text && bits ? text : "");
}

/* ---- Telling a pair ---- */

enum { DECIDERS = 3 };

/* What a term adds to margin A − margin B at one bit. */
typedef struct pull {
    double value;
    size_t term; /* among the features of A, then those of B */
} pull;

/* Keeps the strongest pulls in the direction of the difference, the strongest first. */
static void note_pull(pull best[DECIDERS], pull candidate, bool towards_a) {
    if (towards_a ? !(candidate.value > 0) : !(candidate.value < 0)) return;
    for (size_t place = 0; place < DECIDERS; place++) {
        if (fabs(candidate.value) <= fabs(best[place].value)) continue;
        pull moved = best[place];
        best[place] = candidate;
        candidate = moved;
    }
}

/* Every term's pull at every bit that differs; best: [bits][DECIDERS], zeroed. */
static fp_status find_pulls(const fp_instance *self, fp_coefficients coefficients, const fp_signs_side *a,
                            const fp_signs_side *b, pull (*best)[DECIDERS], fp_arena *scratch, fp_error *error) {
    size_t bits = self->layout.bits;
    const fp_features *left = a->features, *right = b->features;
    double *coefficient = fp_arena_raw(scratch, (bits + 63) / 64 * 64, sizeof *coefficient);
    fp_map in_right = {0}, in_left = {0};
    if (!coefficient) return fp_no_memory(error);
    FP_TRY(fp_map_open(&in_right, right->count, scratch, error));
    FP_TRY(fp_map_open(&in_left, left->count, scratch, error));
    for (size_t i = 0; i < right->count; i++) fp_map_put(&in_right, right->hash[i], (uint32_t)i);
    for (size_t i = 0; i < left->count; i++) fp_map_put(&in_left, left->hash[i], (uint32_t)i);
    for (size_t i = 0; i < left->count + right->count; i++) {
        bool of_left = i < left->count;
        uint64_t hash = of_left ? left->hash[i] : right->hash[i - left->count];
        if (!of_left && fp_map_get(&in_left, hash) != FP_MAP_NONE) continue;
        uint32_t other = of_left ? fp_map_get(&in_right, hash) : (uint32_t)(i - left->count);
        double difference = of_left ? left->weight[i] * a->scale : 0;
        if (other != FP_MAP_NONE) difference -= right->weight[other] * b->scale;
        coefficients(self, hash, coefficient);
        for (size_t bit = 0; bit < bits; bit++)
            if (bit_at(a->sketch.data, bit) != bit_at(b->sketch.data, bit))
                note_pull(best[bit], (pull){difference * coefficient[bit], i}, bit_at(a->sketch.data, bit));
    }
    return FP_OK;
}

static void tell_deciders(const pull best[DECIDERS], const fp_features *a, const fp_features *b, fp_arena *scratch,
                          fp_explanation *to) {
    const char *line = "";
    for (size_t place = 0; place < DECIDERS && best[place].value != 0 && line; place++) {
        const fp_features *of = best[place].term < a->count ? a : b;
        size_t i = best[place].term - (of == a ? 0 : a->count);
        fp_string term = of->term ? of->term[i] : (fp_string){"", 0};
        line = fp_format(scratch, "%s%s%.*s (%+.4g)", line, *line ? ", " : "", (int)term.length, term.data,
                         best[place].value);
    }
    if (!line) to->failed = true;
    fp_explain_cell(to, "%s", line ? line : "");
}

fp_status fp_signs_tell_pair(const fp_instance *self, fp_coefficients coefficients, const fp_signs_side *a,
                             const fp_signs_side *b, fp_arena *scratch, fp_explanation *to, fp_error *error) {
    size_t bits = self->layout.bits, differing = 0;
    pull(*best)[DECIDERS] = fp_arena_alloc(scratch, bits, sizeof *best);
    if (!best) return fp_no_memory(error);
    FP_TRY(find_pulls(self, coefficients, a, b, best, scratch, error));
    fp_explain_step(to, "bits that differ");
    fp_explain_line(to, "A margin is the number whose sign the bit is: the nearer to 0, the closer the call. A term "
                        "decides by what it adds to margin A "
                        "minus margin B.");
    fp_explain_table(to, "bit|>A|>B|>margin of A|>margin of B|terms that decide");
    for (size_t bit = bits; bit-- > 0;) {
        bool in_a = bit_at(a->sketch.data, bit), in_b = bit_at(b->sketch.data, bit);
        if (in_a == in_b) continue;
        fp_explain_cell(to, "r%zu", bits - bit);
        fp_explain_cell(to, "%d", in_a);
        fp_explain_cell(to, "%d", in_b);
        fp_explain_cell(to, "%.6g", a->margin[bit] + 0.0);
        fp_explain_cell(to, "%.6g", b->margin[bit] + 0.0);
        tell_deciders(best[bit], a->features, b->features, scratch, to);
        differing++;
    }
    fp_explain_line(to, "%zu of %zu bits differ.", differing, bits);
    return FP_OK;
}

/* ----
 * Random directions. Word i of a term is fp_mix(fp_mix(hash, seed), i). One word gives two Gaussian coordinates, four
 * tabulated ones, 64 signs, or two sparse coordinates.
 */

enum { PAIRS = FP_DIRECTION_BLOCK / 2 };

_Static_assert((int)FP_SIGNED_SUMS == (int)FP_DIRECTION_BLOCK, "one word of signs is one block");
_Static_assert((int)FP_GAUSSIANS == (int)FP_DIRECTION_BLOCK, "the kernel makes one block");
_Static_assert((int)FP_TABULATED_SUMS == (int)FP_DIRECTION_BLOCK, "the kernel adds to one block");

/* Each half of a word times 6: the whole part is uniform on 0 … 5 up to 2⁻³⁰; 0 gives +√3, 1 gives −√3. */
static void sparse(uint64_t key, size_t block, double coordinate[FP_DIRECTION_BLOCK]) {
    static const double FACE[6] = {1.7320508075688772935, -1.7320508075688772935, 0, 0, 0, 0};
    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t word = fp_mix(key, block * PAIRS + i);
        coordinate[i] = FACE[(word >> 32) * 6 >> 32];
        coordinate[PAIRS + i] = FACE[(word & UINT32_MAX) * 6 >> 32];
    }
}

/* Signs, or keys, go to the kernel many terms at a time. */
static void add_many(fp_direction kind, uint64_t seed, const fp_features *features, size_t block, double *sum) {
    enum { CHUNK = 128 };
    uint64_t key[CHUNK];
    for (size_t i = 0, some; i < features->count; i += some) {
        const double *weight = features->weight + i;
        some = features->count - i < CHUNK ? features->count - i : CHUNK;
        for (size_t c = 0; c < some; c++) key[c] = fp_mix(features->hash[i + c], seed);
        if (kind == FP_DIRECTION_TABULATED) {
            fp_tabulated_add(key, weight, some, block, sum);
            continue;
        }
        for (size_t c = 0; c < some; c++) key[c] = fp_mix(key[c], block);
        fp_signed_sum_add(key, weight, some, sum);
    }
}

void fp_directions_of(fp_direction kind, uint64_t seed, uint64_t hash, size_t block,
                      double coordinate[FP_DIRECTION_BLOCK]) {
    const double one = 1;
    uint64_t key = fp_mix(hash, seed);
    switch (kind) {
    case FP_DIRECTION_GAUSSIAN: fp_gaussian_kernels[fp_cpu_chosen()](key, block, coordinate); return;
    case FP_DIRECTION_SPARSE: sparse(key, block, coordinate); return;
    case FP_DIRECTION_RADEMACHER:
    case FP_DIRECTION_TABULATED: break;
    }
    memset(coordinate, 0, FP_DIRECTION_BLOCK * sizeof *coordinate);
    add_many(kind, seed, &(fp_features){.count = 1, .hash = &hash, .weight = &one}, block, coordinate);
}

/* A block's sums stay in the nearest cache while all features pass. */
void fp_directions_project(fp_direction kind, uint64_t seed, const fp_features *features, size_t blocks, double *sum) {
    for (size_t block = 0; block < blocks; block++, sum += FP_DIRECTION_BLOCK) {
        if (kind == FP_DIRECTION_RADEMACHER || kind == FP_DIRECTION_TABULATED) {
            add_many(kind, seed, features, block, sum);
            continue;
        }
        for (size_t i = 0; i < features->count; i++) {
            double coordinate[FP_DIRECTION_BLOCK], weight = features->weight[i];
            fp_directions_of(kind, seed, features->hash[i], block, coordinate);
            for (size_t j = 0; j < FP_DIRECTION_BLOCK; j++) sum[j] += weight * coordinate[j];
        }
    }
}

const fp_acceleration fp_signs_acceleration = {.distances = fp_hamming_distances};
