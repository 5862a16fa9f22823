/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs instead of groups, documents instead of pairs. */
#include "eval/outcome/corpus_view.h"

#include "eval/experiment/drawing/drawn_pairs.h"
#include "eval/experiment/groups.h"
#include "eval/units/sampling_units.h"

bool fp_corpus_view_can_list(const fp_corpus *corpus) {
    size_t documents = corpus->document_count;
    return corpus->truth == FP_TRUTH_GROUPS && documents > 1 && documents <= FP_CORPUS_VIEW_PAIRS &&
           fp_pairs_of(documents) <= FP_CORPUS_VIEW_PAIRS;
}

fp_status fp_corpus_view_pairs(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_error *error) {
    size_t documents = corpus->document_count, count = documents * (documents - 1) / 2, made = 0;
    fp_pair *pairs = fp_arena_raw(arena, count, sizeof *pairs);
    fp_string *kinds = fp_arena_alloc(arena, count, sizeof *kinds);
    if (!pairs || !kinds) return fp_no_memory(error);
    for (uint32_t a = 0; a < documents; a++)
        for (uint32_t b = a + 1; b < documents; b++) pairs[made++] = (fp_pair){a, b, fp_same_group(corpus, a, b)};
    *view = *corpus;
    view->truth = FP_TRUTH_PAIRS;
    view->pairs = pairs;
    view->kinds = kinds;
    view->pair_count = count;
    view->from_groups = true;
    return FP_OK;
}

fp_status fp_corpus_view_evaluated(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_error *error) {
    if (corpus->truth == FP_TRUTH_GROUPS && corpus->document_count < 2) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has one document, and no pair");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    if (fp_corpus_view_can_list(corpus)) return fp_corpus_view_pairs(corpus, arena, view, error);
    *view = *corpus;
    return FP_OK;
}

fp_status fp_corpus_view_draws(const fp_corpus *corpus, uint64_t asked, uint64_t *negatives, fp_error *error) {
    uint64_t all = 0;
    if (asked && corpus->truth == FP_TRUTH_GROUPS) FP_TRY(fp_drawn_negatives(corpus, &all, error));
    *negatives = asked < all ? asked : 0;
    return FP_OK;
}

fp_status fp_corpus_view_drawn(const fp_corpus *corpus, uint64_t negatives, fp_arena *arena, fp_corpus *view,
                               fp_error *error) {
    uint64_t drawn;
    FP_TRY(fp_corpus_view_draws(corpus, negatives, &drawn, error));
    if (!drawn) return fp_corpus_view_evaluated(corpus, arena, view, error);
    *view = *corpus;
    return FP_OK;
}

/* Documents that duplicates connect belong together, as those of one group do. */
static fp_status group_members(const fp_corpus *corpus, const fp_members *members, fp_arena *arena, fp_corpus *view,
                               fp_error *error) {
    const fp_labelled_documents all = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    fp_components found;
    uint32_t *group = fp_arena_raw(arena, members->count, sizeof *group);
    if (!group) return fp_no_memory(error);
    FP_TRY(fp_components_make(&all, arena, arena, &found, error));
    for (size_t i = 0; i < members->count; i++) group[i] = found.of[members->document[i]];
    view->group = group;
    return FP_OK;
}

fp_status fp_corpus_view_documents(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_members *members,
                                   fp_error *error) {
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to read by document", corpus->name);
    FP_TRY(fp_members_make(corpus->pairs, corpus->pair_count, corpus->document_count, arena, members, error));
    fp_string *kinds = fp_arena_alloc(arena, members->count, sizeof *kinds);
    if (!kinds) return fp_no_memory(error);
    FP_TRY(fp_corpus_part(corpus, members->document, members->count, arena, view, error));
    FP_TRY(group_members(corpus, members, arena, view, error));
    view->pairs = members->items;
    view->pair_count = members->count;
    view->kinds = kinds;
    return FP_OK;
}

fp_status fp_corpus_view_measurement(const fp_corpus *corpus, const fp_members *members,
                                     const fp_measurement *measurement, fp_arena *arena, fp_measurement *view,
                                     fp_error *error) {
    double *nearest = fp_arena_raw(arena, members->count, sizeof *nearest);
    if (!nearest) return fp_no_memory(error);
    fp_members_nearest(members, corpus->pairs, measurement->distances, corpus->pair_count, nearest);
    *view = *measurement;
    view->distances = nearest;
    view->histogram = (fp_histogram){.like = corpus->memory};
    for (size_t i = 0; i < members->count; i++)
        FP_TRY(fp_histogram_add(&view->histogram, nearest[i], members->items[i].label, error));
    fp_histogram_finish(&view->histogram);
    return FP_OK;
}
