/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units from groups and positive pairs, assigned to folds. */
#include "eval/units/split.h"

#include "eval/units/resample.h"

/* A split under construction: first units are found and assigned, then pairs are kept. */
typedef struct splitting {
    const fp_corpus *corpus;
    const fp_split_options *options;
    fp_arena *arena, *scratch;
    fp_split *split;
    const uint32_t *unit;
    uint8_t *fold;
    fp_unit_load *load; /* [unit_count] */
    bool *paired;       /* [unit_count] one of its documents is in a pair */
    fp_error *error;
} splitting;

static bool by_groups(const splitting *of) { return of->corpus->truth == FP_TRUTH_GROUPS; }

/* Prefixes the message with the path of the corpus. */
static fp_status refuse(const splitting *of, fp_status code) {
    return fp_at(of->error, code, of->corpus->path, SIZE_MAX, SIZE_MAX);
}

/* ---- Units ---- */

static fp_status find_units(splitting *to) {
    const fp_corpus *corpus = to->corpus;
    const fp_labelled_documents documents = {corpus->document_count, corpus->group,
                                             by_groups(to) ? 0 : corpus->pair_count, corpus->pairs};
    fp_components found;
    FP_TRY(fp_components_make(&documents, to->arena, to->scratch, &found, to->error));
    to->unit = found.of;
    to->load = FP_NEED(fp_arena_alloc(to->scratch, found.count, sizeof *to->load), to->error);
    to->paired = FP_NEED(fp_arena_alloc(to->scratch, found.count, sizeof *to->paired), to->error);
    for (size_t i = 0; i < found.count; i++) to->load[i].key = i;
    for (size_t i = 0; i < found.document_count; i++) to->load[to->unit[i]].size++;
    to->split->unit_count = found.count;
    to->split->unit = to->unit;
    to->split->document_count = found.document_count;
    return FP_OK;
}

/* Groups: the pairs inside each group. */
static fp_status count_groups(splitting *to) {
    const fp_corpus *corpus = to->corpus;
    size_t *members = FP_NEED(fp_arena_alloc(to->scratch, corpus->group_count, sizeof *members), to->error);
    for (size_t i = 0; i < corpus->document_count; i++) {
        to->paired[to->unit[i]] = true;
        if (corpus->group[i] != UINT32_MAX) to->load[to->unit[i]].positives += members[corpus->group[i]]++;
    }
    for (size_t i = 0; i < to->split->unit_count; i++) to->split->positives += to->load[i].positives;
    uint64_t documents = corpus->document_count;
    to->split->negatives = documents * (documents - 1) / 2 - to->split->positives;
    return FP_OK;
}

static void count_list(splitting *to) {
    for (size_t i = 0; i < to->corpus->pair_count; i++) {
        fp_pair pair = to->corpus->pairs[i];
        to->paired[to->unit[pair.a]] = to->paired[to->unit[pair.b]] = true;
        to->load[to->unit[pair.a]].positives += pair.label;
        ++*(pair.label ? &to->split->positives : &to->split->negatives);
    }
}

static fp_status check_units(const splitting *of) {
    size_t paired = 0, positive = 0;
    const fp_split *split = of->split;
    for (size_t i = 0; i < split->unit_count; i++) {
        paired += of->paired[i];
        positive += of->load[i].positives > 0;
    }
    static const char UNIT[] = "documents that groups and positive pairs connect";
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
                "all positive pairs lie in one unit (%s): nothing is left for fitting when it is held out", UNIT);
    else return FP_OK;
    return refuse(of, FP_ERROR_EMPTY);
}

/* ---- Folds ---- */

static fp_status deal(splitting *to) {
    fp_split *split = to->split;
    uint8_t *fold_of = FP_NEED(fp_arena_raw(to->scratch, split->unit_count, 1), to->error);
    to->fold = FP_NEED(fp_arena_raw(to->arena, split->document_count, 1), to->error);
    FP_TRY(fp_folds_deal(to->load, split->unit_count, split->fold_count, to->options->seed, to->scratch, fold_of,
                         to->error));
    for (size_t i = 0; i < split->unit_count; i++) {
        fp_fold *fold = split->folds + fold_of[i];
        fold->units++;
        fold->positives += to->load[i].positives;
        fold->documents += to->load[i].size;
    }
    for (size_t i = 0; i < split->document_count; i++) to->fold[i] = fold_of[to->unit[i]];
    split->fold = to->fold;
    return FP_OK;
}

/* ---- Pairs: all listed ones; of groups all, or all positives and a sample of the negatives ---- */

typedef struct keeper {
    fp_pair *pairs;
    uint8_t *set;
} keeper;

static fp_status open_keeper(const splitting *of, size_t most, keeper *to) {
    *to = (keeper){FP_NEED(fp_arena_raw(of->arena, most, sizeof *to->pairs), of->error),
                   FP_NEED(fp_arena_raw(of->arena, most, 1), of->error)};
    of->split->pairs = to->pairs;
    of->split->pair_set = to->set;
    return FP_OK;
}

static void keep(const splitting *of, const keeper *to, fp_pair pair) {
    size_t at = of->split->pair_count++;
    to->pairs[at] = pair;
    to->set[at] = (uint8_t)fp_fold_set(of->fold[pair.a], of->fold[pair.b]);
    if (!pair.label) of->split->set_negatives[to->set[at]]++;
}

static fp_status keep_list(const splitting *of) {
    keeper to;
    FP_TRY(open_keeper(of, of->corpus->pair_count, &to));
    for (size_t i = 0; i < of->corpus->pair_count; i++) keep(of, &to, of->corpus->pairs[i]);
    return FP_OK;
}

/* The negatives among the first `draws` pairs of documents in a random order given by the seed. */
static void keep_negatives(const splitting *of, const keeper *to, uint64_t draws, uint64_t total) {
    size_t count = of->split->document_count;
    uint64_t seed = fp_mix(of->options->seed, 2);
    for (uint64_t i = 0; i < draws; i++) {
        fp_numbered_pair at = fp_pair_at(count, draws < total ? fp_number_permuted(i, total, seed) : i);
        fp_pair pair = {(uint32_t)at.first, (uint32_t)at.second, 0};
        if (of->unit[pair.a] != of->unit[pair.b]) keep(of, to, pair);
    }
}

static void keep_positives(const splitting *of, const keeper *to, const uint32_t *next) {
    for (size_t i = 0; i < of->split->document_count; i++)
        for (uint32_t j = next[i]; j != UINT32_MAX; j = next[j]) keep(of, to, (fp_pair){(uint32_t)i, j, 1});
}

static fp_status keep_groups(const splitting *of) {
    fp_split *split = of->split;
    uint64_t total = split->positives + split->negatives, most = of->options->most_negatives,
             draws = split->negatives > most ? most : total, room = draws + split->positives;
    if (room > SIZE_MAX) return fp_no_memory(of->error);
    keeper to;
    uint32_t *next;
    FP_TRY(open_keeper(of, (size_t)room, &to));
    FP_TRY(fp_group_chain(of->corpus->group, of->corpus->document_count, of->scratch, &next, of->error));
    keep_positives(of, &to, next);
    keep_negatives(of, &to, draws, total);
    uint64_t kept = split->pair_count - split->positives;
    split->weight = (double)split->negatives / (double)(kept ? kept : 1);
    return FP_OK;
}

/* ---- All ---- */

static fp_status deal_units(splitting *to) {
    FP_TRY(find_units(to));
    if (by_groups(to)) FP_TRY(count_groups(to));
    else count_list(to);
    FP_TRY(check_units(to));
    return deal(to);
}

static fp_status deal_and_keep(splitting *to) {
    FP_TRY(deal_units(to));
    return by_groups(to) ? keep_groups(to) : keep_list(to);
}

static fp_status run(const fp_corpus *corpus, const fp_split_options *options, fp_status (*work)(splitting *to),
                     fp_arena *arena, fp_split *split, fp_error *error) {
    if (corpus->truth == FP_TRUTH_NONE) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has no ground truth: neither pairs.tsv nor groups");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    if (options->folds < FP_SPLIT_FEWEST_FOLDS || options->folds > FP_SPLIT_MOST_FOLDS)
        return fp_fail(error, FP_ERROR_RANGE, "%zu folds are not %d to %d", options->folds, FP_SPLIT_FEWEST_FOLDS,
                       FP_SPLIT_MOST_FOLDS);
    *split = (fp_split){.fold_count = options->folds, .weight = 1};
    FP_SCRATCH(scratch, arena, error);
    splitting of = {
        .corpus = corpus, .options = options, .arena = arena, .scratch = scratch, .split = split, .error = error};
    return work(&of);
}

fp_status fp_split_deal(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error) {
    return run(corpus, options, deal_units, arena, split, error);
}

fp_status fp_split_make(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split,
                        fp_error *error) {
    return run(corpus, options, deal_and_keep, arena, split, error);
}
