/* SPDX-License-Identifier: GPL-3.0-or-later
 * From occurrences to distinct features to weights. */
#include "text/features/extract.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "text/segmentation/jieba_table.h"
#include "text/unicode/utf8.h"

fp_status fp_count(const fp_units *units, fp_arena *arena, fp_counts *counts, fp_error *error) {
    fp_map seen;
    FP_TRY(fp_map_open(&seen, units->length, arena, error));
    uint64_t *hash = FP_NEED(fp_arena_raw(arena, units->length, sizeof *hash), error);
    uint32_t *first = FP_NEED(fp_arena_raw(arena, units->length, sizeof *first), error);
    uint32_t *frequency = FP_NEED(fp_arena_raw(arena, units->length, sizeof *frequency), error);
    uint32_t *which = FP_NEED(fp_arena_raw(arena, units->length, sizeof *which), error);
    uint32_t count = 0;
    for (size_t i = 0; i < units->length; i++) {
        size_t place = fp_map_place(&seen, units->hash[i]);
        if (seen.value[place] == FP_MAP_NONE) {
            seen.key[place] = hash[count] = units->hash[i];
            first[count] = (uint32_t)i;
            frequency[count] = 0;
            seen.value[place] = count++;
        }
        which[i] = seen.value[place];
        frequency[which[i]]++;
    }
    *counts = (fp_counts){count, hash, first, frequency, which};
    return FP_OK;
}

static double idf_of(const fp_extractor *extractor, const fp_idf *learned, uint64_t hash, fp_string term) {
    switch (extractor->source) {
    case FP_IDF_CORPUS: return fp_idf_of(learned, hash);
    case FP_IDF_FILE: return fp_idf_of(extractor->fixed, hash);
    case FP_IDF_BUILTIN: break;
    }
    return fp_idf_builtin(term);
}

typedef struct heavy {
    double weight;
    uint64_t key; /* breaks ties: mixed from the term hash, so that neither the position in the text nor the hash's own
                     bits matter */
    uint32_t index;
} heavy;

FP_COMPARES(heavier_first, heavy,
            FP_ORDER(b->weight, a->weight) ?: FP_ORDER(a->key, b->key) ?: FP_ORDER(a->index, b->index));

/* The marked features (`kept` NULL: all), the heaviest first; *marked is their number. */
static heavy *sorted_by_weight(const uint64_t *hash, const double *weight, size_t count, const bool *kept,
                               fp_arena *arena, size_t *marked) {
    heavy *order = fp_arena_raw(arena, count, sizeof *order);
    *marked = 0;
    for (size_t i = 0; order && i < count; i++)
        if (!kept || kept[i]) order[(*marked)++] = (heavy){weight[i], fp_mix(hash[i], UINT64_MAX), (uint32_t)i};
    if (order && *marked > 1) qsort(order, *marked, sizeof *order, heavier_first);
    return order;
}

/* Unmarks all but the `top` heaviest of the marked features. */
static fp_status choose_heaviest(const uint64_t *hash, const double *weight, size_t count, size_t top, bool *kept,
                                 fp_arena *arena, fp_error *error) {
    size_t marked;
    const heavy *order = FP_NEED(sorted_by_weight(hash, weight, count, kept, arena, &marked), error);
    for (size_t i = top; i < marked; i++) kept[order[i].index] = false;
    return FP_OK;
}

/* Replaces weights by levels 1 … LEVELS by rank: the share of the document's terms that weigh no more, in fifths,
 * rounded up. So each level holds about a fifth of the terms for any text length; equal weights share a level, the
 * heaviest has the highest. */
static fp_status quantise(const uint64_t *hash, double *weight, size_t count, const bool *kept, fp_arena *arena,
                          fp_error *error) {
    enum { LEVELS = 5 };
    size_t marked;
    const heavy *order = FP_NEED(sorted_by_weight(hash, weight, count, kept, arena, &marked), error);
    for (size_t i = 0, no_more = marked; i < marked; i++) {
        if (i && order[i].weight != order[i - 1].weight) no_more = marked - i;
        size_t level = (LEVELS * no_more + marked - 1) / marked;
        weight[order[i].index] = (double)level;
    }
    return FP_OK;
}

/* Marks the features in the table, and sets their hashes, and their weights if weight=table. */
static void apply_table(const fp_extractor *extractor, const fp_counts *counts, uint64_t *hash, double *weight,
                        uint64_t *sequence, size_t length, bool *kept) {
    for (size_t i = 0; i < counts->count; i++) {
        double given;
        kept[i] = fp_terms_find(extractor->terms, hash + i, &given);
        if (kept[i] && extractor->spec.weight == FP_WEIGHT_TABLE) weight[i] = given;
    }
    for (size_t i = 0; i < length; i++) sequence[i] = hash[counts->which[i]];
}

/* Drops the features that are not marked from all arrays, in place. */
static void keep_marked(const bool *kept, const fp_counts *counts, uint64_t *hash, double *weight, fp_string *term,
                        uint64_t *sequence, fp_features *features) {
    size_t count = 0, length = 0;
    for (size_t i = 0; i < features->count; i++) {
        if (!kept[i]) continue;
        hash[count] = hash[i];
        weight[count] = weight[i];
        if (term) term[count] = term[i];
        count++;
    }
    for (size_t i = 0; i < features->length; i++)
        if (kept[counts->which[i]]) sequence[length++] = sequence[i];
    features->count = count;
    features->length = length;
}

static double weight_of(const fp_extractor *extractor, const fp_idf *learned, const fp_units *units,
                        const fp_counts *counts, double longer, size_t i) {
    double tf = counts->frequency[i], idf = 1, characters = 1;
    fp_string term = fp_units_term(units, counts->first[i]);
    if (extractor->weigh_idf) idf = idf_of(extractor, learned, counts->hash[i], term);
    if (extractor->spec.weight == FP_WEIGHT_LENGTH) characters = (double)fp_utf8_count(term);
    switch ((fp_weight)extractor->spec.weight) {
#define WEIGHT(name, constant, idf, whole, formula) \
    case FP_WEIGHT_##constant:                      \
        return formula;
#include "text/features/weights.def"
#undef WEIGHT
    }
    return 1;
}

/* The number of distinct features relative to the mean of a document; 1 unless BM25 needs it. */
static double longer_than(const fp_extractor *extractor, const fp_idf *learned, const fp_counts *counts) {
    double mean = extractor->spec.weight == FP_WEIGHT_BM25
                      ? fp_idf_mean_length(extractor->source == FP_IDF_FILE ? extractor->fixed : learned)
                      : 0;
    return mean > 0 ? (double)counts->count / mean : 1;
}

fp_status fp_weigh(const fp_extractor *extractor, const fp_idf *learned, const fp_units *units, const fp_counts *counts,
                   bool terms, fp_arena *arena, fp_features *features, fp_error *error) {
    uint64_t *hash = fp_arena_raw(arena, counts->count, sizeof *hash);
    double *weight = fp_arena_raw(arena, counts->count, sizeof *weight);
    fp_string *term = terms ? fp_arena_raw(arena, counts->count, sizeof *term) : NULL;
    uint64_t *sequence = fp_arena_raw(arena, units->length, sizeof *sequence);
    if (!hash || !weight || !sequence || (terms && !term)) return fp_no_memory(error);
    double longer = longer_than(extractor, learned, counts);
    for (size_t i = 0; i < counts->count; i++) {
        hash[i] = counts->hash[i];
        weight[i] = weight_of(extractor, learned, units, counts, longer, i);
        if (term) term[i] = fp_units_term(units, counts->first[i]);
    }
    memcpy(sequence, units->hash, units->length * sizeof *sequence);
    *features = (fp_features){counts->count, hash, weight, term, units->length, sequence};
    size_t top = (size_t)extractor->spec.top;
    bool cut = top != 0 && top < counts->count, *kept = NULL;
    if (cut || extractor->terms) {
        kept = FP_NEED(fp_arena_raw(arena, counts->count, sizeof *kept), error);
        memset(kept, true, counts->count * sizeof *kept);
    }
    if (extractor->terms) apply_table(extractor, counts, hash, weight, sequence, units->length, kept);
    if (cut) FP_TRY(choose_heaviest(counts->hash, weight, counts->count, top, kept, arena, error));
    if (extractor->spec.weight == FP_WEIGHT_LEVELS)
        FP_TRY(quantise(counts->hash, weight, counts->count, kept, arena, error));
    if (kept) keep_marked(kept, counts, hash, weight, term, sequence, features);
    return FP_OK;
}

/* ---- Built-in IDF: the list shares the trie of jieba's dictionary; a parallel array holds the nodes' IDF ---- */

double fp_idf_builtin(fp_string word) {
    const fp_jieba_table *table = fp_jieba_builtin();
    const uint16_t *number_of = fp_jieba_section(table, table->numbers);
    const uint64_t *units = fp_jieba_section(table, table->units);
    const uint16_t *index = fp_jieba_section(table, table->idf_index);
    const double *idf = fp_jieba_section(table, table->idf);
    uint32_t base = 0;
    size_t unit = 0;
    for (size_t at = 0; at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        unit = fp_trie_child(units, base, code < FP_JIEBA_CODES ? number_of[code] : 0);
        if (unit == 0) break;
        base = fp_trie_base(units[unit]);
    }
    return unit && index[unit] ? idf[index[unit]] : table->idf_mean;
}
