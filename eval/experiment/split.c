/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units by union of groups and positive pairs, dealt into folds block by block; then the pairs that stay. */
#include "eval/experiment/split.h"

#include <string.h>

#include "eval/experiment/drawing/pair_numbers.h"
#include "eval/units/folds.h"
#include "eval/units/sampling_units.h"
#include "eval/units/unit_blocks.h"

typedef struct splitter {
    const fp_corpus *corpus;
    const fp_split_options *options;
    fp_arena *arena, *scratch;
    fp_split *split;
    const uint32_t *unit;
    fp_unit_blocks blocks; /* of units: what is dealt */
    uint8_t *fold;
    fp_unit_load *load; /* [unit_count] */
    bool *paired;       /* [unit_count] one of its documents is in a pair */
    bool keeps;         /* pairs are kept, those inside folds */
    fp_error *error;
} splitter;

static fp_status refuse(const splitter *of, fp_status code) {
    return fp_at(of->error, code, of->corpus->path, SIZE_MAX, SIZE_MAX);
}

static bool by_groups(const splitter *of) { return of->corpus->truth == FP_TRUTH_GROUPS; }

/* ---- Units ---- */

/* Where all pairs of documents count, or those across folds do as well, every unit is a block. */
static fp_status find_blocks(splitter *to, const fp_labelled_documents *documents, const fp_components *units) {
    if (to->keeps && !by_groups(to))
        return fp_unit_blocks_make(documents, units, to->split->fold_count, to->arena, to->scratch, &to->blocks,
                                   to->error);
    uint32_t *block = fp_arena_raw(to->arena, units->count, sizeof *block);
    if (!block) return fp_no_memory(to->error);
    for (size_t i = 0; i < units->count; i++) block[i] = (uint32_t)i;
    to->blocks = (fp_unit_blocks){units->count, block};
    return FP_OK;
}

static fp_status find_units(splitter *to) {
    const fp_corpus *corpus = to->corpus;
    const fp_labelled_documents documents = {corpus->document_count, corpus->group,
                                             by_groups(to) ? 0 : corpus->pair_count, corpus->pairs};
    fp_components found;
    FP_TRY(fp_components_make(&documents, to->arena, to->scratch, &found, to->error));
    to->unit = found.of;
    to->load = fp_arena_alloc(to->scratch, found.count, sizeof *to->load);
    to->paired = fp_arena_alloc(to->scratch, found.count, sizeof *to->paired);
    if (!to->load || !to->paired) return fp_no_memory(to->error);
    for (size_t i = 0; i < found.count; i++) to->load[i].key = i;
    for (size_t i = 0; i < found.document_count; i++) to->load[to->unit[i]].size++;
    to->split->unit_count = found.count;
    to->split->unit = to->unit;
    to->split->document_count = found.document_count;
    return find_blocks(to, &documents, &found);
}

/* Groups: the pairs inside each group. */
static fp_status count_groups(splitter *to) {
    const fp_corpus *corpus = to->corpus;
    size_t *members = fp_arena_alloc(to->scratch, corpus->group_count, sizeof *members);
    if (!members) return fp_no_memory(to->error);
    for (size_t i = 0; i < corpus->document_count; i++) {
        to->paired[to->unit[i]] = true;
        if (corpus->group[i] != UINT32_MAX) to->load[to->unit[i]].positives += members[corpus->group[i]]++;
    }
    for (size_t i = 0; i < to->split->unit_count; i++) to->split->positives += to->load[i].positives;
    uint64_t documents = corpus->document_count;
    to->split->negatives = documents * (documents - 1) / 2 - to->split->positives;
    return FP_OK;
}

static void count_list(splitter *to) {
    for (size_t i = 0; i < to->corpus->pair_count; i++) {
        fp_pair pair = to->corpus->pairs[i];
        to->paired[to->unit[pair.a]] = to->paired[to->unit[pair.b]] = true;
        to->load[to->unit[pair.a]].positives += pair.label;
        ++*(pair.label ? &to->split->positives : &to->split->negatives);
    }
}

static fp_status check_units(const splitter *of) {
    size_t paired = 0, positive = 0;
    const fp_split *split = of->split;
    for (size_t i = 0; i < split->unit_count; i++) {
        paired += of->paired[i];
        positive += of->load[i].positives > 0;
    }
    static const char UNIT[] = "documents that hang together through groups and positive pairs";
    if (split->positives == 0)
        fp_fail(of->error, FP_ERROR_EMPTY, "there are no positives: %s",
                by_groups(of) ? "no two documents share a group" : "no pair of pairs.tsv has the label 1");
    else if (split->negatives == 0)
        fp_fail(of->error, FP_ERROR_EMPTY, "there are no negatives: %s",
                by_groups(of) ? "all documents are in one group" : "no pair of pairs.tsv has the label 0");
    else if (paired == 1)
        fp_fail(of->error, FP_ERROR_EMPTY, "all pairs lie in one unit (%s): nothing can be held out", UNIT);
    else if (paired < of->options->folds)
        fp_fail(of->error, FP_ERROR_EMPTY, "%zu units (%s) are too few for %zu folds%s", paired, UNIT,
                of->options->folds, paired < FP_SPLIT_FEWEST_FOLDS ? "" : "; use fewer folds");
    else if (positive == 1)
        fp_fail(of->error, FP_ERROR_EMPTY,
                "all positive pairs lie in one unit (%s): nothing is left to learn from when it is held out", UNIT);
    else return FP_OK;
    return refuse(of, FP_ERROR_EMPTY);
}

/* ---- Folds ---- */

/* The loads of units, block by block. */
static fp_status load_blocks(const splitter *of, fp_unit_load **loads) {
    const fp_unit_blocks *blocks = &of->blocks;
    *loads = fp_arena_alloc(of->scratch, blocks->count, sizeof **loads);
    if (!*loads) return fp_no_memory(of->error);
    for (size_t i = 0; i < of->split->unit_count; i++) {
        fp_unit_load *load = *loads + blocks->of[i];
        if (load->size == 0) load->key = of->load[i].key;
        load->positives += of->load[i].positives;
        load->size += of->load[i].size;
    }
    return FP_OK;
}

static fp_status deal(splitter *to) {
    fp_split *split = to->split;
    fp_unit_load *loads;
    FP_TRY(load_blocks(to, &loads));
    uint8_t *fold_of = fp_arena_raw(to->scratch, to->blocks.count, 1);
    uint32_t *block = fp_arena_raw(to->arena, split->document_count, sizeof *block);
    to->fold = fp_arena_raw(to->arena, split->document_count, 1);
    if (!fold_of || !block || !to->fold) return fp_no_memory(to->error);
    FP_TRY(
        fp_folds_deal(loads, to->blocks.count, split->fold_count, to->options->seed, to->scratch, fold_of, to->error));
    for (size_t i = 0; i < split->unit_count; i++) {
        fp_fold *fold = split->folds + fold_of[to->blocks.of[i]];
        fold->units++;
        fold->positives += to->load[i].positives;
        fold->documents += to->load[i].size;
    }
    for (size_t i = 0; i < split->document_count; i++) {
        block[i] = to->blocks.of[to->unit[i]];
        to->fold[i] = fold_of[block[i]];
    }
    split->block = block;
    split->fold = to->fold;
    return FP_OK;
}

/* ---- Pairs that stay ---- */

typedef struct keeper {
    fp_pair *pairs;
    uint8_t *fold;
    bool *across;
} keeper;

static fp_status open_keeper(const splitter *of, size_t most, keeper *to) {
    *to = (keeper){fp_arena_raw(of->arena, most, sizeof *to->pairs), fp_arena_raw(of->arena, most, 1),
                   fp_arena_raw(of->arena, most, sizeof *to->across)};
    if (!to->pairs || !to->fold || !to->across) return fp_no_memory(of->error);
    of->split->pairs = to->pairs;
    of->split->pair_fold = to->fold;
    of->split->across = to->across;
    return FP_OK;
}

static void keep(const splitter *of, const keeper *to, fp_pair pair) {
    size_t at = of->split->pair_count++;
    to->pairs[at] = pair;
    to->fold[at] = of->fold[pair.a];
    to->across[at] = !pair.label && of->split->block[pair.a] != of->split->block[pair.b];
    if (!pair.label) of->split->folds[to->fold[at]].negatives++;
}

static fp_status keep_list(const splitter *of) {
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
static void keep_fold(const splitter *of, const keeper *to, const uint32_t *documents, size_t fold, uint64_t draws) {
    size_t count = of->split->folds[fold].documents;
    uint64_t total = count ? (uint64_t)count * (count - 1) / 2 : 0, seed = fp_mix(of->options->seed, 2 + fold);
    for (uint64_t i = 0; i < draws; i++) {
        fp_numbered_pair at = fp_pair_at(count, draws < total ? fp_number_permuted(i, total, seed) : i);
        fp_pair pair = {documents[at.first], documents[at.second], 0};
        if (of->unit[pair.a] != of->unit[pair.b]) keep(of, to, pair);
    }
}

static void keep_positives(const splitter *of, const keeper *to, const uint32_t *next) {
    for (size_t i = 0; i < of->split->document_count; i++)
        for (uint32_t j = next[i]; j != UINT32_MAX; j = next[j]) keep(of, to, (fp_pair){(uint32_t)i, j, 1});
}

/* The next document of the same group. */
static fp_status chain_groups(const splitter *of, uint32_t **next) {
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

static fp_status keep_groups(const splitter *of) {
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

static fp_status check_pairs(const splitter *of) {
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
        return refuse(of, FP_ERROR_EMPTY);
    }
    return FP_OK;
}

static fp_status deal_units(splitter *to) {
    FP_TRY(find_units(to));
    if (by_groups(to)) FP_TRY(count_groups(to));
    else count_list(to);
    FP_TRY(check_units(to));
    return deal(to);
}

static fp_status deal_and_keep(splitter *to) {
    to->keeps = true;
    FP_TRY(deal_units(to));
    FP_TRY(by_groups(to) ? keep_groups(to) : keep_list(to));
    return check_pairs(to);
}

static fp_status run(const fp_corpus *corpus, const fp_split_options *options, fp_status (*work)(splitter *to),
                     fp_arena *arena, fp_split *split, fp_error *error) {
    if (corpus->truth == FP_TRUTH_NONE) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has no ground truth: neither pairs.tsv nor groups");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    if (options->folds < FP_SPLIT_FEWEST_FOLDS || options->folds > FP_SPLIT_MOST_FOLDS)
        return fp_fail(error, FP_ERROR_RANGE, "%zu folds are not %d to %d", options->folds, FP_SPLIT_FEWEST_FOLDS,
                       FP_SPLIT_MOST_FOLDS);
    *split = (fp_split){.fold_count = options->folds, .weight = 1};
    splitter of = {.corpus = corpus,
                   .options = options,
                   .arena = arena,
                   .scratch = fp_arena_new_like(arena),
                   .split = split,
                   .error = error};
    if (!of.scratch) return fp_no_memory(error);
    fp_status status = work(&of);
    fp_arena_free(of.scratch);
    return status;
}

fp_status fp_split_deal(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error) {
    return run(corpus, options, deal_units, arena, split, error);
}

fp_status fp_split_make(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error) {
    return run(corpus, options, deal_and_keep, arena, split, error);
}
