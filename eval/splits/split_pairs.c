/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pairs of a split that stay: of a list those inside folds, of groups all or a sample of them. */
#include <string.h>

#include "eval/experiment/drawing/pair_numbers.h"
#include "eval/splits/splitting.h"

typedef struct keeper {
    fp_pair *pairs;
    uint8_t *fold;
    bool *across;
} keeper;

static fp_status open_keeper(const fp_splitting *of, size_t most, keeper *to) {
    *to = (keeper){fp_arena_raw(of->arena, most, sizeof *to->pairs), fp_arena_raw(of->arena, most, 1),
                   fp_arena_raw(of->arena, most, sizeof *to->across)};
    if (!to->pairs || !to->fold || !to->across) return fp_no_memory(of->error);
    of->split->pairs = to->pairs;
    of->split->pair_fold = to->fold;
    of->split->across = to->across;
    return FP_OK;
}

static void keep(const fp_splitting *of, const keeper *to, fp_pair pair) {
    size_t at = of->split->pair_count++;
    to->pairs[at] = pair;
    to->fold[at] = of->fold[pair.a];
    to->across[at] = !pair.label && of->split->block[pair.a] != of->split->block[pair.b];
    if (!pair.label) of->split->folds[to->fold[at]].negatives++;
}

static fp_status keep_list(const fp_splitting *of) {
    const fp_corpus *corpus = of->corpus;
    keeper to;
    FP_TRY(open_keeper(of, corpus->pair_count, &to));
    uint64_t across = 0, kept = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        bool inside = of->fold[pair.a] == of->fold[pair.b];
        across += of->split->block[pair.a] != of->split->block[pair.b];
        of->split->dropped += !inside;
        if (!inside) continue;
        keep(of, &to, pair);
        kept += to.across[of->split->pair_count - 1];
    }
    of->split->weight = kept ? (double)across / (double)kept : 1;
    return FP_OK;
}

/* All pairs of one fold, or a simple random sample of them. */
static void keep_fold(const fp_splitting *of, const keeper *to, const uint32_t *documents, size_t fold,
                      uint64_t draws) {
    size_t count = of->split->folds[fold].documents;
    uint64_t total = count ? (uint64_t)count * (count - 1) / 2 : 0, seed = fp_mix(of->options->seed, 2 + fold);
    for (uint64_t i = 0; i < draws; i++) {
        fp_numbered_pair at = fp_pair_at(count, draws < total ? fp_number_permuted(i, total, seed) : i);
        fp_pair pair = {documents[at.first], documents[at.second], 0};
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
    uint64_t inside = 0, most = of->options->most_negatives, draws[FP_SPLIT_MOST_FOLDS], total = split->positives;
    for (size_t f = 0; f < split->fold_count; f++) {
        uint64_t count = split->folds[f].documents;
        draws[f] = count ? count * (count - 1) / 2 : 0;
        inside += draws[f];
    }
    uint64_t negatives_inside = inside - split->positives;
    for (size_t f = 0; f < split->fold_count; f++) {
        if (negatives_inside > most) draws[f] = (uint64_t)((double)draws[f] * ((double)most / (double)inside));
        total += draws[f];
    }
    if (total > SIZE_MAX) return fp_no_memory(of->error);
    keeper to;
    uint32_t *next, *documents = fp_arena_raw(of->scratch, split->document_count, sizeof *documents);
    if (!documents) return fp_no_memory(of->error);
    FP_TRY(open_keeper(of, (size_t)total, &to));
    FP_TRY(chain_groups(of, &next));
    keep_positives(of, &to, next);
    for (size_t f = 0; f < split->fold_count; f++) {
        size_t members = 0;
        for (size_t i = 0; i < split->document_count; i++)
            if (of->fold[i] == f) documents[members++] = (uint32_t)i;
        keep_fold(of, &to, documents, f, draws[f]);
    }
    uint64_t kept = split->pair_count - split->positives;
    split->dropped = split->negatives - negatives_inside;
    split->sampled_out = negatives_inside - kept;
    split->weight = kept ? (double)split->negatives / (double)kept : 1;
    return FP_OK;
}

static fp_status check_pairs(const fp_splitting *of) {
    const fp_split *split = of->split;
    size_t negatives = split->pair_count - (size_t)split->positives;
    for (size_t f = 0; f < split->fold_count; f++) {
        if (negatives > split->folds[f].negatives) continue;
        if (negatives == 0)
            fp_fail(of->error, FP_ERROR_EMPTY, "all %llu negative pairs lie across folds; use fewer folds",
                    (unsigned long long)split->negatives);
        else
            fp_fail(of->error, FP_ERROR_EMPTY,
                    "the %zu negative pairs that do not lie across folds lie in one fold: nothing is left to learn "
                    "from when it is held out; use fewer folds or another seed",
                    negatives);
        return fp_splitting_refuse(of, FP_ERROR_EMPTY);
    }
    return FP_OK;
}

fp_status fp_splitting_keep(fp_splitting *to) {
    FP_TRY(fp_splitting_by_groups(to) ? keep_groups(to) : keep_list(to));
    return check_pairs(to);
}
