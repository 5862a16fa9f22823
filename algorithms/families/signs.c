/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signs of linear sums: their layout, law and explanation. */
#include "algorithms/families/signs.h"

#include <math.h>
#include <string.h>

#include "algorithms/families/law.h"
#include "algorithms/kernels/distance_kernels.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "base/explanation.h"
#include "base/map.h"

const char *const fp_tie_names[] = {"zero", "one", "alternate", NULL};

const char *const fp_query_names[] = {"bits", "real", NULL};

fp_status fp_signs_layout(const void *opaque, fp_layout *layout, fp_error *error) {
    (void)error;
    const fp_signs *signs = opaque;
    size_t bits = (size_t)signs->bits, bytes = (bits + 63) / 64 * 8;
    bool real = signs->query == FP_QUERY_REAL;
    *layout = (fp_layout){.bytes = real ? bytes + (bits + 1) / 2 * 8 : bytes,
                          .bits = real ? 0 : bits,
                          .stored = real ? bytes : 0,
                          .payload = (double)bits / 8,
                          .maximum = (double)bits,
                          .integral = !real};
    snprintf(layout->scale, sizeof layout->scale, "bits of %zu", bits);
    return FP_OK;
}

static bool sign(double sum, size_t bit, int64_t tie) {
    if (sum != 0) return sum > 0;
    return tie == FP_TIE_ONE || (tie == FP_TIE_ALTERNATE && bit % 2);
}

static void weigh(const double *sum, size_t bits, uint32_t *weight) {
    double total = 0, most = FP_WEIGHTED_MOST - FP_SIGNS_MOST; /* each is rounded up by a half at most */
    for (size_t bit = 0; bit < bits; bit++) total += fabs(sum[bit]);
    for (size_t bit = 0; bit < bits; bit++)
        weight[bit] = total > 0 ? (uint32_t)floor(fabs(sum[bit]) / total * most + 0.5) : 1;
}

fp_status fp_signs_sketch(const fp_instance *self, const double *sum, int64_t tie, fp_arena *arena, fp_sketch *sketch,
                          fp_error *error) {
    size_t bits = fp_signs_bits(self), words = fp_signs_words(self);
    uint64_t *fingerprint = FP_NEED(fp_arena_alloc(arena, self->layout.bytes / 8, sizeof *fingerprint), error);
    for (size_t bit = 0; bit < bits; bit++) fingerprint[bit / 64] |= (uint64_t)sign(sum[bit], bit, tie) << bit % 64;
    if (self->layout.stored) weigh(sum, bits, (uint32_t *)(void *)(fingerprint + words));
    *sketch = (fp_sketch){.data = fingerprint, .size = self->layout.bytes};
    return FP_OK;
}

double fp_signs_total_weight(const fp_features *features) {
    double total = features->weight ? 0 : (double)features->count;
    for (size_t i = 0; i < features->count && features->weight; i++) total += features->weight[i];
    return total;
}

static void zeroed_sums(const fp_instance *self, fp_signs_sums sums, const fp_features *features, double *sum) {
    memset(sum, 0, fp_signs_words(self) * 64 * sizeof *sum);
    sums(self, features, sum);
}

void fp_signs_coefficients(const fp_instance *self, fp_signs_sums sums, uint64_t hash, double *coefficient) {
    const double one = 1;
    zeroed_sums(self, sums, &(fp_features){.count = 1, .hash = &hash, .weight = &one}, coefficient);
}

double fp_signs_margins(const fp_instance *self, fp_signs_sums sums, const fp_features *features, double *margin) {
    const double *centre = self->model;
    zeroed_sums(self, sums, features, margin);
    if (!centre || !features->count) return 1;
    double total = fp_signs_total_weight(features);
    for (size_t bit = 0; bit < fp_signs_bits(self); bit++) margin[bit] = margin[bit] / total - centre[bit];
    return 1 / total;
}

fp_status fp_signs_of_sums(const fp_instance *self, fp_signs_sums sums, const fp_features *features, fp_arena *scratch,
                           fp_sketch *sketch, fp_error *error) {
    const fp_signs *signs = self->parameters;
    double margin[FP_SIGNS_MOST];
    fp_signs_margins(self, sums, features, margin);
    return fp_signs_sketch(self, margin, signs->tie, scratch, sketch, error);
}

/* ---- Bits against weights ---- */

enum { WEIGHTED_AT_ONCE = 512 }; /* fingerprints */

static const uint32_t *weights_of(const fp_instance *self, fp_sketch sketch) {
    return (const uint32_t *)(const void *)((const uint64_t *)sketch.data + fp_signs_words(self));
}

static double total_of(const fp_instance *self, const uint32_t *weight) {
    uint32_t total = 0;
    for (size_t bit = 0; bit < fp_signs_bits(self); bit++) total += weight[bit];
    return total;
}

/* n·θ/π with cos θ = 1 − 2·share. */
static double angle_of(const fp_instance *self, double share) {
    return fp_rounded(64 * acos(1 - 2 * share) / M_PI) * (self->layout.maximum / 64);
}

/* An upper bound of the sums within a distance, large enough that rounding excludes no sum. */
static uint32_t most_within(const fp_instance *self, double within, double total) {
    if (within >= self->layout.maximum) return UINT32_MAX;
    if (!(within >= 0)) return 0;
    double half = sin(within / self->layout.maximum * M_PI / 2);
    return (uint32_t)(half * half * total * (1 + 1e-9)) + 1;
}

/* angle_of for sums[count] with the same total; infinity for those that are not within the distance. */
static void angles_of(const fp_instance *self, const uint32_t *sum, double total, size_t count, double within,
                      double *out) {
    double scale = self->layout.maximum / 64, cosine[WEIGHTED_AT_ONCE], angle[WEIGHTED_AT_ONCE];
    uint16_t place[WEIGHTED_AT_ONCE] = {0};
    uint32_t most = most_within(self, within, total), least = UINT32_MAX;
    size_t near = 0;
    for (size_t i = 0; i < count; i++) out[i] = INFINITY, least = sum[i] < least ? sum[i] : least;
    for (size_t i = 0; i < count && least <= most; i++) place[near] = (uint16_t)i, near += sum[i] <= most;
    for (size_t k = 0; k < near; k++) cosine[k] = fabs(1 - 2 * (sum[place[k]] / total));
    fp_angles_kernels[fp_cpu_chosen()](cosine, near, angle);
    for (size_t k = 0; k < near; k++) {
        double share = sum[place[k]] / total, turned = share > 0.5 ? 64 - angle[k] : angle[k],
               made = isnan(turned) ? angle_of(self, share) : turned * scale;
        if (made <= within) out[place[k]] = made;
    }
}

typedef struct two_sums {
    uint32_t a, b;
} two_sums;

/* Sums over the bits in which two fingerprints differ, by the weights of each. */
static two_sums differing(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const uint64_t *left = a.data, *right = b.data;
    const uint32_t *of_a = weights_of(self, a), *of_b = weights_of(self, b);
    two_sums sum = {0, 0};
    for (size_t w = 0; w < fp_signs_words(self); w++)
        for (uint64_t differs = left[w] ^ right[w]; differs; differs &= differs - 1) {
            size_t bit = w * 64 + (size_t)__builtin_ctzll(differs);
            sum.a += of_a[bit], sum.b += of_b[bit];
        }
    return sum;
}

static double mean_distance(const fp_instance *self, fp_sketch a, double a_total, fp_sketch b, double b_total) {
    two_sums sum = differing(self, a, b);
    return angle_of(self, (sum.a / a_total + sum.b / b_total) / 2);
}

double fp_signs_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    if (!self->layout.stored) return fp_hamming_distance(self, a, b);
    return mean_distance(self, a, total_of(self, weights_of(self, a)), b, total_of(self, weights_of(self, b)));
}

static void distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                      double *out) {
    if (!self->layout.stored) {
        fp_hamming_distances(self, query, many, first, count, out);
        return;
    }
    double total = total_of(self, weights_of(self, query));
    for (size_t i = 0; i < count; i++) {
        fp_sketch other = fp_sketches_at(many, first + i);
        out[i] = mean_distance(self, query, total, other, total_of(self, weights_of(self, other)));
    }
}

void fp_signs_query_distances(const fp_instance *self, fp_sketch query, const fp_sketches *stored, size_t first,
                              size_t count, double within, double *out) {
    enum { BLOCK = WEIGHTED_AT_ONCE };
    _Alignas(64) uint32_t table[FP_WEIGHTED_TABLE];
    const fp_weighted_kernel *kernel = fp_weighted_kernels + fp_cpu_chosen();
    const uint32_t *weight = weights_of(self, query);
    size_t bits = fp_signs_bits(self), words = fp_signs_words(self);
    double total = total_of(self, weight);
    for (size_t done = 0, some; done < count; done += some) {
        uint32_t sum[BLOCK] = {0};
        some = count - done < BLOCK ? count - done : BLOCK;
        for (size_t w = 0; w < words; w++) {
            uint64_t block[BLOCK];
            uint32_t own[64] = {0};
            bool together = stored->stride == sizeof *block;
            for (size_t i = 0; i < some && !together; i++)
                block[i] = ((const uint64_t *)fp_sketches_at(stored, first + done + i).data)[w];
            memcpy(own, weight + w * 64, (bits - w * 64 < 64 ? bits - w * 64 : 64) * sizeof *own);
            if (done == 0 || words > 1) kernel->prepare(((const uint64_t *)query.data)[w], own, table);
            kernel->add(table, together ? fp_sketches_at(stored, first + done).data : block, some, sum);
        }
        angles_of(self, sum, total, some, within, out + done);
    }
}

double fp_signs_similarity(const fp_instance *self, double distance) {
    double share = distance / self->layout.maximum;
    return share == 0.5 ? 0 : cos(M_PI * share); /* M_PI is not π: cos(M_PI/2) is 6·10⁻¹⁷ */
}

double fp_signs_law(const fp_instance *self, double cosine, double h) {
    unsigned bits = (unsigned)fp_signs_bits(self);
    return self->layout.stored ? fp_law_weighted(h / bits, cosine, bits)
                               : fp_law_binomial(h, fp_law_angle(cosine), bits);
}

/* ---- Explaining one document ---- */

static bool bit_at(const uint64_t *words, size_t bit) { return words[bit / 64] >> bit % 64 & 1; }

void fp_signs_explain_bits(fp_explanation *to, const uint64_t *words, size_t bits, fp_arena *scratch) {
    char *text = fp_arena_raw(scratch, bits + 1, 1);
    for (size_t i = 0; text && i < bits; i++) text[i] = bit_at(words, bits - 1 - i) ? '1' : '0';
    if (text) text[bits] = '\0';
    else to->failed = true;
    fp_explain_cell(to, "%s", text ? text : "");
}

void fp_signs_explain_numbers(fp_explanation *to, const double *number, size_t bits, fp_arena *scratch) {
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

/* Explains both sides of a sketch that has two. */
static void explain_query(const fp_instance *self, fp_sketch made, fp_arena *scratch, fp_explanation *to) {
    const fp_layout *layout = &self->layout;
    size_t bits = fp_signs_bits(self);
    double *share = fp_arena_raw(scratch, bits, sizeof *share), total = total_of(self, weights_of(self, made));
    if (!share) to->failed = true;
    for (size_t bit = 0; share && bit < bits; bit++) share[bit] = weights_of(self, made)[bit] / total;
    fp_explain_step(to, "query=real: what a query knows beyond its bits");
    fp_explain_line(
        to,
        "The %zu bits are stored (%zu bytes). A query also has the size of each sum, as a share of all sizes "
        "(%zu bytes, not stored): what is near 0 says little.",
        bits, layout->stored, layout->bytes - layout->stored);
    fp_explain_table(to, "shares");
    if (share) fp_signs_explain_numbers(to, share, bits, scratch);
}

void fp_signs_explain_reduction(const fp_instance *self, const char *step, fp_sketch made, fp_arena *scratch,
                                fp_explanation *to) {
    const fp_signs *signs = self->parameters;
    fp_explain_step(to, step);
    fp_explain_line(to, "A sum of exactly 0 follows tie=%s.", fp_tie_names[signs->tie]);
    fp_explain_table(to, "fingerprint");
    fp_signs_explain_bits(to, made.data, fp_signs_bits(self), scratch);
    if (self->layout.stored) explain_query(self, made, scratch, to);
}

/* ---- Explaining a pair ---- */

/* One side: its features, the margins whose signs are its bits, and the factor from sums to margins. */
typedef struct side {
    const fp_features *features;
    double margin[FP_SIGNS_MOST], scale;
    fp_sketch sketch;
} side;

static fp_status open_side(const fp_instance *self, fp_signs_sums sums, const fp_features *features, fp_arena *scratch,
                           side *out, fp_error *error) {
    const fp_signs *signs = self->parameters;
    out->features = features;
    out->scale = fp_signs_margins(self, sums, features, out->margin);
    return fp_signs_sketch(self, out->margin, signs->tie, scratch, &out->sketch, error);
}

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
static fp_status find_pulls(const fp_instance *self, fp_signs_sums sums, const side *a, const side *b,
                            pull (*best)[DECIDERS], fp_arena *scratch, fp_error *error) {
    size_t bits = fp_signs_bits(self);
    const fp_features *left = a->features, *right = b->features;
    double coefficient[FP_SIGNS_MOST];
    fp_map in_right = {0}, in_left = {0};
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
        fp_signs_coefficients(self, sums, hash, coefficient);
        for (size_t bit = 0; bit < bits; bit++)
            if (bit_at(a->sketch.data, bit) != bit_at(b->sketch.data, bit))
                note_pull(best[bit], (pull){difference * coefficient[bit], i}, bit_at(a->sketch.data, bit));
    }
    return FP_OK;
}

static void explain_deciders(const pull best[DECIDERS], const fp_features *a, const fp_features *b, fp_arena *scratch,
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

static void explain_directions(const fp_instance *self, fp_sketch a, fp_sketch b, fp_explanation *to) {
    two_sums sum = differing(self, a, b);
    double of_a = sum.a / total_of(self, weights_of(self, a)), of_b = sum.b / total_of(self, weights_of(self, b));
    fp_explain_line(
        to,
        "They have %.6g of the sizes of A's sums, and %.6g of B's: A against the bits of B is %.6g of %zu "
        "bits, B against those of A %.6g. The distance is that of the mean, %.6g: n/π · arccos(1 − 2·mean).",
        of_a, of_b, angle_of(self, of_a), fp_signs_bits(self), angle_of(self, of_b), (of_a + of_b) / 2);
}

fp_status fp_signs_explain_pair(const fp_instance *self, fp_signs_sums sums, const fp_features *a, const fp_features *b,
                                fp_arena *scratch, fp_explanation *to, fp_error *error) {
    size_t bits = fp_signs_bits(self), count = 0;
    pull best[FP_SIGNS_MOST][DECIDERS] = {0};
    side left, right;
    FP_TRY(open_side(self, sums, a, scratch, &left, error));
    FP_TRY(open_side(self, sums, b, scratch, &right, error));
    FP_TRY(find_pulls(self, sums, &left, &right, best, scratch, error));
    fp_explain_step(to, "bits that differ");
    fp_explain_line(to, "A margin is the number whose sign the bit is: the nearer to 0, the closer the call. A term "
                        "decides by what it adds to margin A "
                        "minus margin B.");
    fp_explain_table(to, "bit|>A|>B|>margin of A|>margin of B|terms that decide");
    for (size_t bit = bits; bit-- > 0;) {
        bool in_a = bit_at(left.sketch.data, bit), in_b = bit_at(right.sketch.data, bit);
        if (in_a == in_b) continue;
        fp_explain_cell(to, "r%zu", bits - bit);
        fp_explain_cell(to, "%d", in_a);
        fp_explain_cell(to, "%d", in_b);
        fp_explain_cell(to, "%.6g", left.margin[bit] + 0.0);
        fp_explain_cell(to, "%.6g", right.margin[bit] + 0.0);
        explain_deciders(best[bit], a, b, scratch, to);
        count++;
    }
    fp_explain_line(to, "%zu of %zu bits differ.", count, bits);
    if (self->layout.stored) explain_directions(self, left.sketch, right.sketch, to);
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

/* Signs, or keys, go to the kernel in batches of terms. */
static void add_many(fp_direction kind, uint64_t seed, const fp_features *features, size_t block, double *sum) {
    enum { CHUNK = 128 };
    uint64_t key[CHUNK];
    for (size_t i = 0, some; i < features->count; i += some) {
        const double *weight = features->weight + i;
        some = features->count - i < CHUNK ? features->count - i : CHUNK;
        for (size_t c = 0; c < some; c++) key[c] = fp_mix(features->hash[i + c], seed);
        if (kind == FP_DIRECTION_TABULATED) {
            fp_tabulated_kernels[fp_cpu_chosen()](key, weight, some, block, sum);
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

/* A block's sums stay in the first-level cache while all features are added. */
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

const fp_acceleration fp_signs_acceleration = {.distances = distances};
