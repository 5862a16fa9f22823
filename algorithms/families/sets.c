/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sets of hashes. */
#include "algorithms/families/sets.h"

#include <stdlib.h>
#include <string.h>

#include "algorithms/kernels/distance_kernels.h"
#include "base/cpu.h"

/* ---- Sorting what begins with its hash: items of `size` bytes, 8 or 16 ---- */

/* Inlined, so that `size` is a constant in the callers. */
FP_BODY uint64_t hash_of(const char *items, size_t i, size_t size) {
    uint64_t hash;
    memcpy(&hash, items + i * size, sizeof hash);
    return hash;
}

FP_BODY void sort_few(char *items, size_t count, size_t size) {
    enum { BY_INSERTION = 32 };
    if (count > BY_INSERTION) {
        qsort(items, count, size, fp_ascending_u64);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        char item[sizeof(fp_weighted_term)];
        uint64_t hash = hash_of(items, i, size);
        size_t at = i;
        memcpy(item, items + i * size, size);
        for (; at && hash_of(items, at - 1, size) > hash; at--)
            memcpy(items + at * size, items + (at - 1) * size, size);
        memcpy(items + at * size, item, size);
    }
}

/* Distributes the items by the leading bits of their hashes over buckets of two on average, and sorts each. */
FP_BODY fp_status sort_by_hash(char *items, size_t count, size_t size, fp_arena *scratch, fp_error *error) {
    enum { FEW = 16 };
    if (count <= FEW) {
        sort_few(items, count, size);
        return FP_OK;
    }
    uint64_t all = 0;
    unsigned bits = 3, width = 64;
    for (size_t i = 0; i < count; i++) all |= hash_of(items, i, size);
    while (width > bits && all >> (width - 1) == 0) width--;
    while (bits < width && count >> bits > 2) bits++;
    unsigned shift = width - bits;
    size_t buckets = (size_t)1 << bits;
    size_t *end = FP_NEED(fp_arena_alloc(scratch, buckets, sizeof *end), error); /* first the sizes, then the ends */
    char *from = FP_NEED(fp_arena_raw(scratch, count, size), error);
    memcpy(from, items, count * size);
    for (size_t i = 0; i < count; i++) end[hash_of(from, i, size) >> shift]++;
    size_t begin = 0;
    for (size_t b = 0; b < buckets; b++) {
        size_t own = end[b];
        end[b] = begin;
        begin += own;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = end[hash_of(from, i, size) >> shift]++;
        memcpy(items + at * size, from + i * size, size);
    }
    begin = 0;
    for (size_t b = 0; b < buckets; b++) {
        sort_few(items + begin * size, end[b] - begin, size);
        begin = end[b];
    }
    return FP_OK;
}

fp_status fp_set_sort(uint64_t *set, size_t count, fp_arena *scratch, fp_error *error) {
    return sort_by_hash((char *)set, count, sizeof *set, scratch, error);
}

size_t fp_set_unique(uint64_t *sorted, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i]) sorted[kept++] = sorted[i];
    return kept;
}

size_t fp_set_shared(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    return fp_intersection_kernels[fp_cpu_chosen()](a, a_count, b, b_count);
}

double fp_set_ratio(fp_set_measure measure, size_t both, size_t a_count, size_t b_count) {
    if (a_count == 0 && b_count == 0) return 1;
    if (a_count == 0 || b_count == 0) return 0;
    if (measure == FP_CONTAINMENT) return ((double)both / (double)a_count + (double)both / (double)b_count) / 2;
    size_t smaller = a_count < b_count ? a_count : b_count;
    return (double)both / (double)(measure == FP_OVERLAP ? smaller : a_count + b_count - both);
}

const char *fp_set_measure_name(int64_t measure) {
    return measure == FP_OVERLAP ? "overlap" : measure == FP_CONTAINMENT ? "containment" : NULL;
}

double fp_set_likeness(fp_set_measure measure, const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    return fp_set_ratio(measure, fp_set_shared(a, a_count, b, b_count), a_count, b_count);
}

void fp_set_layout_of(const char *measure, fp_layout *layout) {
    *layout = (fp_layout){.maximum = 64, .scale = "slots of 64"};
    if (measure) snprintf(layout->measure, sizeof layout->measure, "%s", measure);
}

fp_status fp_set_layout(const void *parameters, fp_layout *layout, fp_error *error) {
    (void)parameters;
    (void)error;
    fp_set_layout_of(NULL, layout);
    return FP_OK;
}

const char *fp_set_text(const fp_instance *self, fp_sketch set, fp_arena *arena) {
    enum { DIGITS = 16 };
    (void)self;
    const uint64_t *hash = set.data;
    size_t count = set.size / sizeof *hash;
    char *text = fp_arena_raw(arena, count + 1, DIGITS + 1), *at = text;
    if (!text) return NULL;
    *at = '\0';
    for (size_t i = 0; i < count; i++)
        at += snprintf(at, DIGITS + 2, "%s%0*llx", i ? "-" : "", DIGITS, (unsigned long long)hash[i]);
    return text;
}

double fp_set_similarity(const fp_instance *self, double distance) { return 1 - distance / self->layout.maximum; }

/* ---- Weighted features ---- */

fp_status fp_weighted_terms(const fp_features *features, fp_arena *arena, fp_weighted_term **terms, fp_error *error) {
    fp_weighted_term *made = *terms = FP_NEED(fp_arena_raw(arena, features->count, sizeof *made), error);
    for (size_t i = 0; i < features->count; i++) made[i] = (fp_weighted_term){features->hash[i], features->weight[i]};
    return sort_by_hash((char *)made, features->count, sizeof *made, arena, error);
}

double fp_weight_of(const fp_features *features, uint64_t hash) {
    for (size_t i = 0; i < features->count; i++)
        if (features->hash[i] == hash) return features->weight[i];
    return 0;
}

void fp_set_explain_hashes(fp_explanation *to, const fp_features *features, int64_t seed, uint64_t largest) {
    fp_explain_table(to, "term|hash");
    for (size_t f = 0; f < features->count; f++) {
        uint64_t hash = fp_set_hash(seed, features->hash[f]);
        fp_explain_term(to, features, f);
        fp_explain_cell(to, "%.6f%s", (double)hash * 0x1p-64, hash <= largest ? "*" : "");
    }
}

void fp_explain_term(fp_explanation *to, const fp_features *features, size_t i) {
    if (features->term) fp_explain_cell(to, "%.*s", (int)features->term[i].length, features->term[i].data);
    else fp_explain_cell(to, "%016llx", (unsigned long long)features->hash[i]);
}

/* ---- The sketch of the controls ---- */

fp_status fp_control_layout(const void *parameters, fp_layout *layout, fp_error *error) {
    (void)parameters;
    (void)error;
    *layout = (fp_layout){.bytes = 8, .maximum = 64, .integral = true, .scale = "bits of 64"};
    return FP_OK;
}

fp_status fp_control_sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                            fp_error *error) {
    (void)self;
    uint64_t *identity = FP_NEED(fp_arena_raw(scratch, 1, sizeof *identity), error);
    *identity = fp_xxh3(document->id.data, document->id.length, 0);
    *sketch = (fp_sketch){.data = identity, .size = sizeof *identity};
    return FP_OK;
}

/* ---- Places of bit fingerprints and of slots, as fp_layout describes them ---- */

size_t fp_places(const fp_instance *instance) {
    return instance->layout.bits ? instance->layout.bits : instance->layout.slots;
}

/* `count` ≤ 64 bits of the words, from bit `first` on. */
static uint64_t bits_at(const uint64_t *words, size_t first, size_t count) {
    size_t word = first / 64, shift = first % 64;
    uint64_t value = words[word] >> shift;
    if (shift + count > 64) value |= words[word + 1] << (64 - shift);
    return count < 64 ? value & (((uint64_t)1 << count) - 1) : value;
}

static void compare_slots(const fp_layout *layout, const uint64_t *a, const uint64_t *b, uint64_t *differs) {
    size_t width = layout->slot_bits;
    memset(differs, 0, (layout->slots + 63) / 64 * sizeof *differs);
    for (size_t i = 0; i < layout->slots; i++) {
        bool differ = false;
        if (layout->planar)
            for (size_t plane = 0; plane < width; plane++)
                differ |= (a[i / 64 * width + plane] ^ b[i / 64 * width + plane]) >> i % 64 & 1;
        else if (width == 32) differ = ((const uint32_t *)(const void *)a)[i] != ((const uint32_t *)(const void *)b)[i];
        else differ = bits_at(a, i * width, width) != bits_at(b, i * width, width);
        differs[i / 64] |= (uint64_t)differ << i % 64;
    }
}

void fp_places_differing(const fp_instance *instance, fp_sketch a, fp_sketch b, uint64_t *differs) {
    const fp_layout *layout = &instance->layout;
    const uint64_t *left = a.data, *right = b.data;
    if (!layout->bits) compare_slots(layout, left, right, differs);
    else
        for (size_t w = 0; w < (layout->bits + 63) / 64; w++) differs[w] = left[w] ^ right[w];
}
