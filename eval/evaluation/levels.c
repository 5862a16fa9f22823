/* SPDX-License-Identifier: GPL-3.0-or-later
 * From labelled pairs to documents and clusters. */
#include "eval/evaluation/levels.h"

#include <math.h>
#include <string.h>

#include "base/disjoint_sets.h"
#include "eval/experiment/groups.h"
#include "eval/units/sampling_units.h"

static const fp_definition ROWS[FP_LEVELS] = {
    {
        "pair",
        "Pair level: every labelled pair counts once; it is predicted positive when its distance d is at most the "
        "threshold: d ≤ h.",
    },
    {
        "document",
        "Document level: a document is positive when one of its labelled pairs is a duplicate, and predicted positive "
        "when one of its labelled pairs lies at a distance d ≤ h. All figures are of documents: where a definition says "
        "pair, read document.",
    },
    {
        "cluster",
        "Cluster level: true clusters join all documents that labelled duplicates connect, found clusters all that "
        "labelled pairs at a distance d ≤ h connect (single linkage); pairs without a label count as different unless "
        "duplicates connect them.",
    },
};

const fp_definition *fp_level_describe(fp_level level) { return ROWS + level; }

static size_t number_members(const fp_pair *pairs, size_t count, size_t document_count, uint32_t *member,
                             uint32_t *document) {
    size_t members = 0;
    memset(member, 0xff, document_count * sizeof *member);
    for (size_t i = 0; i < count; i++) member[pairs[i].a] = member[pairs[i].b] = 0;
    for (size_t i = 0; i < document_count; i++) {
        if (member[i] == UINT32_MAX) continue;
        document[members] = (uint32_t)i;
        member[i] = (uint32_t)members++;
    }
    return members;
}

static fp_status find_truth(const fp_pair *pairs, size_t count, const uint32_t *member, size_t members,
                            fp_arena *scratch, uint32_t *cluster, fp_pair *items, fp_error *error) {
    fp_disjoint_sets forest;
    FP_TRY(fp_disjoint_sets_make(members, scratch, &forest, error));
    for (size_t i = 0; i < members; i++) items[i] = (fp_pair){(uint32_t)i, (uint32_t)i, 0};
    for (size_t i = 0; i < count; i++) {
        if (!pairs[i].label) continue;
        uint32_t a = member[pairs[i].a], b = member[pairs[i].b];
        fp_disjoint_sets_join(&forest, a, b);
        items[a].label = items[b].label = 1;
    }
    for (size_t i = 0; i < members; i++) cluster[i] = fp_disjoint_sets_find(&forest, (uint32_t)i);
    return FP_OK;
}

fp_status fp_members_make(const fp_pair *pairs, size_t count, size_t document_count, fp_arena *arena,
                          fp_members *members, fp_error *error) {
    *members = (fp_members){0};
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there are no labelled pairs");
    uint32_t *member = FP_NEED(fp_arena_raw(arena, document_count, sizeof *member), error),
             *document = FP_NEED(fp_arena_raw(arena, document_count, sizeof *document), error);
    size_t found = number_members(pairs, count, document_count, member, document);
    uint32_t *cluster = FP_NEED(fp_arena_raw(arena, found, sizeof *cluster), error);
    fp_pair *items = FP_NEED(fp_arena_raw(arena, found, sizeof *items), error);
    FP_TRY(find_truth(pairs, count, member, found, arena, cluster, items, error));
    *members = (fp_members){found, document, member, cluster, items};
    return FP_OK;
}

void fp_members_nearest(const fp_members *members, const fp_pair *pairs, const double *distances, size_t count,
                        double *nearest) {
    for (size_t i = 0; i < members->count; i++) nearest[i] = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double *a = nearest + members->member[pairs[i].a], *b = nearest + members->member[pairs[i].b];
        if (distances[i] < *a) *a = distances[i];
        if (distances[i] < *b) *b = distances[i];
    }
}

fp_status fp_members_link(const fp_members *members, const fp_pair *pairs, const double *distances, size_t count,
                          double h, fp_arena *scratch, uint32_t *found, fp_error *error) {
    fp_disjoint_sets forest;
    FP_TRY(fp_disjoint_sets_make(members->count, scratch, &forest, error));
    for (size_t i = 0; i < count; i++)
        if (distances[i] <= h) fp_disjoint_sets_join(&forest, members->member[pairs[i].a], members->member[pairs[i].b]);
    for (size_t i = 0; i < members->count; i++) found[i] = fp_disjoint_sets_find(&forest, (uint32_t)i);
    return FP_OK;
}

static void define(const fp_definition *row, FILE *stream) { fprintf(stream, "%s: %s\n", row->name, row->definition); }

void fp_level_define(fp_level level, FILE *stream) {
    define(fp_level_describe(level), stream);
    if (level == FP_LEVEL_CLUSTER) {
        for (int kind = 0; kind < FP_AGREEMENT_KINDS; kind++)
            define(fp_agreement_describe((fp_agreement_kind)kind), stream);
        return;
    }
    static const fp_measure_row *const SHOWN[] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1,
                                                  &fp_measure_average_precision};
    for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++)
        define(&(fp_definition){SHOWN[i]->name, SHOWN[i]->definition}, stream);
}

/* ---- Pairs instead of groups, documents instead of pairs ---- */

bool fp_corpus_view_can_list(const fp_corpus *corpus) {
    size_t documents = corpus->document_count;
    return corpus->truth == FP_TRUTH_GROUPS && documents > 1 && documents <= FP_CORPUS_VIEW_PAIRS &&
           fp_pairs_of(documents) <= FP_CORPUS_VIEW_PAIRS;
}

fp_status fp_corpus_view_pairs(const fp_corpus *corpus, fp_arena *arena, fp_corpus *view, fp_error *error) {
    size_t documents = corpus->document_count, count = documents * (documents - 1) / 2, made = 0;
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, count, sizeof *pairs), error);
    fp_string *kinds = FP_NEED(fp_arena_alloc(arena, count, sizeof *kinds), error);
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

fp_status fp_corpus_view_evaluated(const fp_corpus *corpus, uint64_t negatives, fp_arena *arena, fp_corpus *view,
                                   fp_error *error) {
    FP_TRY(fp_corpus_view_draws(corpus, negatives, &negatives, error));
    if (corpus->truth == FP_TRUTH_GROUPS && corpus->document_count < 2) {
        fp_fail(error, FP_ERROR_EMPTY, "the corpus has one document, and no pair");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    if (!negatives && fp_corpus_view_can_list(corpus)) return fp_corpus_view_pairs(corpus, arena, view, error);
    *view = *corpus;
    return FP_OK;
}

fp_status fp_corpus_view_draws(const fp_corpus *corpus, uint64_t asked, uint64_t *negatives, fp_error *error) {
    uint64_t all = 0;
    if (asked && corpus->truth == FP_TRUTH_GROUPS) FP_TRY(fp_groups_negatives(corpus, &all, error));
    *negatives = asked < all ? asked : 0;
    return FP_OK;
}

/* Documents that duplicates connect form a group. */
static fp_status group_members(const fp_corpus *corpus, const fp_members *members, fp_arena *arena, fp_corpus *view,
                               fp_error *error) {
    const fp_labelled_documents all = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    fp_components found;
    uint32_t *group = FP_NEED(fp_arena_raw(arena, members->count, sizeof *group), error);
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
    fp_string *kinds = FP_NEED(fp_arena_alloc(arena, members->count, sizeof *kinds), error);
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
    double *nearest = FP_NEED(fp_arena_raw(arena, members->count, sizeof *nearest), error);
    fp_members_nearest(members, corpus->pairs, measurement->distances, corpus->pair_count, nearest);
    *view = *measurement;
    view->histogram = (fp_histogram){.like = corpus->memory};
    return fp_measurement_count(view, members->items, nearest, members->count, error);
}
