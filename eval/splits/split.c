/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units by union of groups and positive pairs, dealt into folds. */
#include "eval/splits/split.h"

#include "eval/splits/splitting.h"
#include "eval/units/sampling_units.h"

/* ---- Units ---- */

static fp_status find_units(fp_splitting *to) {
    const fp_corpus *corpus = to->corpus;
    const fp_labelled_documents documents = {corpus->document_count, corpus->group,
                                             fp_splitting_by_groups(to) ? 0 : corpus->pair_count, corpus->pairs};
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
    return FP_OK;
}

/* Groups: the pairs inside each group. */
static fp_status count_groups(fp_splitting *to) {
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

static void count_list(fp_splitting *to) {
    for (size_t i = 0; i < to->corpus->pair_count; i++) {
        fp_pair pair = to->corpus->pairs[i];
        to->paired[to->unit[pair.a]] = to->paired[to->unit[pair.b]] = true;
        to->load[to->unit[pair.a]].positives += pair.label;
        ++*(pair.label ? &to->split->positives : &to->split->negatives);
    }
}

static fp_status check_units(const fp_splitting *of) {
    size_t paired = 0, positive = 0;
    const fp_split *split = of->split;
    for (size_t i = 0; i < split->unit_count; i++) {
        paired += of->paired[i];
        positive += of->load[i].positives > 0;
    }
    static const char UNIT[] = "documents that groups and positive pairs connect";
    if (split->positives == 0)
        fp_fail(of->error, FP_ERROR_EMPTY, "there are no positives: %s",
                fp_splitting_by_groups(of) ? "no two documents share a group" : "no pair of pairs.tsv has the label 1");
    else if (split->negatives == 0)
        fp_fail(of->error, FP_ERROR_EMPTY, "there are no negatives: %s",
                fp_splitting_by_groups(of) ? "all documents are in one group" : "no pair of pairs.tsv has the label 0");
    else if (paired == 1)
        fp_fail(of->error, FP_ERROR_EMPTY, "all pairs lie in one unit (%s): nothing can be held out", UNIT);
    else if (paired < of->options->folds)
        fp_fail(of->error, FP_ERROR_EMPTY, "%zu units (%s) are too few for %zu folds%s", paired, UNIT,
                of->options->folds, paired < FP_SPLIT_FEWEST_FOLDS ? "" : "; use fewer folds");
    else if (positive == 1)
        fp_fail(of->error, FP_ERROR_EMPTY,
                "all positive pairs lie in one unit (%s): nothing is left to learn from when it is held out", UNIT);
    else return FP_OK;
    return fp_splitting_refuse(of, FP_ERROR_EMPTY);
}

/* ---- Folds ---- */

static fp_status deal(fp_splitting *to) {
    fp_split *split = to->split;
    uint8_t *fold_of = fp_arena_raw(to->scratch, split->unit_count, 1);
    to->fold = fp_arena_raw(to->arena, split->document_count, 1);
    if (!fold_of || !to->fold) return fp_no_memory(to->error);
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

/* ---- All ---- */

static fp_status deal_units(fp_splitting *to) {
    FP_TRY(find_units(to));
    if (fp_splitting_by_groups(to)) FP_TRY(count_groups(to));
    else count_list(to);
    FP_TRY(check_units(to));
    return deal(to);
}

static fp_status deal_and_keep(fp_splitting *to) {
    FP_TRY(deal_units(to));
    return fp_splitting_keep(to);
}

static fp_status run(const fp_corpus *corpus, const fp_split_options *options, fp_status (*work)(fp_splitting *to),
                     fp_arena *arena, fp_split *split, fp_error *error) {
    if (corpus->truth == FP_TRUTH_NONE) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has no ground truth: neither pairs.tsv nor groups");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    if (options->folds < FP_SPLIT_FEWEST_FOLDS || options->folds > FP_SPLIT_MOST_FOLDS)
        return fp_fail(error, FP_ERROR_RANGE, "%zu folds are not %d to %d", options->folds, FP_SPLIT_FEWEST_FOLDS,
                       FP_SPLIT_MOST_FOLDS);
    *split = (fp_split){.fold_count = options->folds, .weight = 1};
    fp_splitting of = {.corpus = corpus,
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
