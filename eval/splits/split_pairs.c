/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pairs of a split: all that are listed; of groups all pairs, or all positives and a sample of the negatives. */
#include <string.h>

#include "eval/experiment/drawing/pair_numbers.h"
#include "eval/splits/splitting.h"

typedef struct keeper {
    fp_pair *pairs;
    uint8_t *set;
} keeper;

static fp_status open_keeper(const fp_splitting *of, size_t most, keeper *to) {
    *to = (keeper){fp_arena_raw(of->arena, most, sizeof *to->pairs), fp_arena_raw(of->arena, most, 1)};
    if (!to->pairs || !to->set) return fp_no_memory(of->error);
    of->split->pairs = to->pairs;
    of->split->pair_set = to->set;
    return FP_OK;
}

static void keep(const fp_splitting *of, const keeper *to, fp_pair pair) {
    size_t at = of->split->pair_count++;
    to->pairs[at] = pair;
    to->set[at] = (uint8_t)fp_fold_set(of->fold[pair.a], of->fold[pair.b]);
    if (!pair.label) of->split->set_negatives[to->set[at]]++;
}

static fp_status keep_list(const fp_splitting *of) {
    keeper to;
    FP_TRY(open_keeper(of, of->corpus->pair_count, &to));
    for (size_t i = 0; i < of->corpus->pair_count; i++) keep(of, &to, of->corpus->pairs[i]);
    return FP_OK;
}

/* The negatives among the first `draws` pairs of documents in an order that the seed draws. */
static void keep_negatives(const fp_splitting *of, const keeper *to, uint64_t draws, uint64_t total) {
    size_t count = of->split->document_count;
    uint64_t seed = fp_mix(of->options->seed, 2);
    for (uint64_t i = 0; i < draws; i++) {
        fp_numbered_pair at = fp_pair_at(count, draws < total ? fp_number_permuted(i, total, seed) : i);
        fp_pair pair = {(uint32_t)at.first, (uint32_t)at.second, 0};
        if (of->unit[pair.a] != of->unit[pair.b]) keep(of, to, pair);
    }
}

static void keep_positives(const fp_splitting *of, const keeper *to, const uint32_t *next) {
    for (size_t i = 0; i < of->split->document_count; i++)
        for (uint32_t j = next[i]; j != UINT32_MAX; j = next[j]) keep(of, to, (fp_pair){(uint32_t)i, j, 1});
}

/* The next document of the same group. */
static fp_status chain_groups(const fp_splitting *of, uint32_t **next) {
    const fp_corpus *corpus = of->corpus;
    uint32_t *first = fp_arena_raw(of->scratch, corpus->group_count, sizeof *first);
    *next = fp_arena_raw(of->scratch, corpus->document_count, sizeof **next);
    if (!first || !*next) return fp_no_memory(of->error);
    memset(first, 0xff, corpus->group_count * sizeof *first);
    for (size_t i = corpus->document_count; i-- > 0;) {
        uint32_t group = corpus->group[i];
        (*next)[i] = group == UINT32_MAX ? UINT32_MAX : first[group];
        if (group != UINT32_MAX) first[group] = (uint32_t)i;
    }
    return FP_OK;
}

static fp_status keep_groups(const fp_splitting *of) {
    fp_split *split = of->split;
    uint64_t total = split->positives + split->negatives, most = of->options->most_negatives,
             draws = split->negatives > most ? most : total, room = draws + split->positives;
    if (room > SIZE_MAX) return fp_no_memory(of->error);
    keeper to;
    uint32_t *next;
    FP_TRY(open_keeper(of, (size_t)room, &to));
    FP_TRY(chain_groups(of, &next));
    keep_positives(of, &to, next);
    keep_negatives(of, &to, draws, total);
    uint64_t kept = split->pair_count - split->positives;
    split->weight = (double)split->negatives / (double)(kept ? kept : 1);
    return FP_OK;
}

fp_status fp_splitting_keep(fp_splitting *to) { return fp_splitting_by_groups(to) ? keep_groups(to) : keep_list(to); }
