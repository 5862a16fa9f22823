/* SPDX-License-Identifier: GPL-3.0-or-later
 * Components, and which of them can be units. */
#include "eval/units/sampling_units.h"

#include <stdlib.h>
#include <string.h>

#include "base/disjoint_sets.h"

/* ---- Components ---- */

fp_status fp_group_chain(const uint32_t *group, size_t document_count, fp_arena *arena, uint32_t **next,
                         fp_error *error) {
    size_t groups = 0;
    for (size_t i = 0; i < document_count; i++)
        if (group[i] != UINT32_MAX && group[i] >= groups) groups = (size_t)group[i] + 1;
    uint32_t *first = FP_NEED(fp_arena_raw(arena, groups, sizeof *first), error);
    *next = FP_NEED(fp_arena_raw(arena, document_count, sizeof **next), error);
    memset(first, 0xff, groups * sizeof *first);
    for (size_t i = document_count; i-- > 0;) {
        (*next)[i] = group[i] == UINT32_MAX ? UINT32_MAX : first[group[i]];
        if (group[i] != UINT32_MAX) first[group[i]] = (uint32_t)i;
    }
    return FP_OK;
}

static fp_status join_groups(const fp_labelled_documents *from, fp_arena *scratch, fp_disjoint_sets *forest,
                             fp_error *error) {
    uint32_t *next;
    FP_TRY(fp_group_chain(from->group, from->document_count, scratch, &next, error));
    for (size_t i = 0; i < from->document_count; i++)
        if (next[i] != UINT32_MAX) fp_disjoint_sets_join(forest, (uint32_t)i, next[i]);
    return FP_OK;
}

fp_status fp_components_make(const fp_labelled_documents *documents, fp_arena *arena, fp_arena *scratch,
                             fp_components *components, fp_error *error) {
    size_t count = documents->document_count;
    fp_disjoint_sets forest;
    FP_TRY(fp_disjoint_sets_make(count, scratch, &forest, error));
    if (documents->group) FP_TRY(join_groups(documents, scratch, &forest, error));
    for (size_t i = 0; i < documents->pair_count; i++)
        if (documents->pairs[i].label) fp_disjoint_sets_join(&forest, documents->pairs[i].a, documents->pairs[i].b);
    uint32_t *of = FP_NEED(fp_arena_raw(arena, count, sizeof *of), error);
    *components = (fp_components){.document_count = count, .of = of};
    for (size_t i = 0; i < count; i++) {
        uint32_t root = fp_disjoint_sets_find(&forest, (uint32_t)i); /* the smallest: numbered before the others */
        of[i] = root == i ? (uint32_t)components->count++ : of[root];
    }
    return FP_OK;
}

/* ---- Units ---- */

/* Documents in pairs. */
typedef struct tally {
    bool *paired; /* [document_count] */
    size_t documents;
    bool alone; /* every pair is a document with itself */
} tally;

static fp_status find_paired(const fp_labelled_documents *from, fp_arena *scratch, tally *to, fp_error *error) {
    *to = (tally){.paired = FP_NEED(fp_arena_alloc(scratch, from->document_count, sizeof *to->paired), error),
                  .alone = true};
    for (size_t i = 0; i < from->pair_count; i++) {
        to->paired[from->pairs[i].a] = to->paired[from->pairs[i].b] = true;
        to->alone &= from->pairs[i].a == from->pairs[i].b;
    }
    for (size_t i = 0; i < from->document_count; i++) to->documents += to->paired[i];
    return FP_OK;
}

/* Fills `to` from its components; *largest of them, in documents. */
static fp_status count_members(const tally *of, fp_arena *scratch, fp_sampling_units *to, size_t *largest,
                               fp_error *error) {
    size_t *members = FP_NEED(fp_arena_alloc(scratch, to->units.count, sizeof *members), error);
    to->documents = of->documents;
    to->connected = to->several = *largest = 0;
    for (size_t i = 0; i < to->units.document_count; i++) members[to->units.of[i]] += of->paired[i];
    for (size_t u = 0; u < to->units.count; u++) {
        to->several += members[u] > 1;
        to->connected += members[u] > 1 ? members[u] : 0;
        if (members[u] > *largest) *largest = members[u];
    }
    return FP_OK;
}

/* Units from groups, pairs, or both. */
static fp_status try_units(const fp_labelled_documents *by, const tally *of, fp_sampling_unit kind, fp_arena *arena,
                           fp_arena *scratch, fp_sampling_units *to, size_t *largest, fp_error *error) {
    FP_TRY(fp_components_make(by, arena, scratch, &to->units, error));
    to->kind = kind;
    return count_members(of, scratch, to, largest, error);
}

fp_status fp_sampling_units_apart(const fp_labelled_documents *documents, fp_arena *arena, fp_arena *scratch,
                                  fp_sampling_units *units, fp_error *error) {
    const fp_labelled_documents none = {.document_count = documents->document_count};
    tally of;
    size_t largest;
    *units = (fp_sampling_units){0};
    FP_TRY(find_paired(documents, scratch, &of, error));
    return try_units(&none, &of, FP_SAMPLING_DOCUMENT, arena, scratch, units, &largest, error);
}

/* Whether the variance between units can be estimated: stated groups are accepted unless one holds all documents. */
static bool is_usable(const tally *of, bool stated, size_t largest) {
    return stated ? largest < of->documents : 2 * largest <= of->documents;
}

fp_status fp_sampling_units_make(const fp_labelled_documents *documents, fp_arena *arena, fp_arena *scratch,
                                 fp_sampling_units *units, fp_error *error) {
    fp_labelled_documents groups = *documents, pairs = *documents;
    tally of;
    size_t largest = 0, in_group = 0;
    groups.pair_count = 0;
    pairs.group = NULL;
    *units = (fp_sampling_units){0};
    FP_TRY(find_paired(documents, scratch, &of, error));
    FP_TRY(try_units(&groups, &of, FP_SAMPLING_GROUP, arena, scratch, units, &in_group, error));
    fp_sampling_units by_groups = *units;
    by_groups.grouped = units->grouped = units->connected > 0;
    FP_TRY(try_units(documents, &of, FP_SAMPLING_COMPONENT, arena, scratch, units, &largest, error));
    if (units->units.count < by_groups.units.count) {
        if (is_usable(&of, false, largest)) return FP_OK;
        by_groups.refused = largest;
    }
    *units = by_groups;
    if (by_groups.grouped && is_usable(&of, !of.alone, in_group)) return FP_OK;
    if (by_groups.grouped) {
        units->grouped = false;
        if (units->refused == 0) units->refused = in_group;
        FP_TRY(try_units(&pairs, &of, FP_SAMPLING_COMPONENT, arena, scratch, units, &largest, error));
        if (units->several && is_usable(&of, false, largest)) return FP_OK;
    }
    pairs.pair_count = 0;
    return try_units(&pairs, &of, FP_SAMPLING_DOCUMENT, arena, scratch, units, &largest, error);
}

/* ---- Folds ---- */

typedef struct dealt {
    uint32_t unit;
    uint64_t key; /* by seed: the order of equals */
    fp_unit_load load;
} dealt;

FP_COMPARES(in_dealing_order, dealt,
            FP_ORDER(b->load.positives, a->load.positives) ?: FP_ORDER(a->key, b->key) ?: FP_ORDER(a->unit, b->unit));

static size_t neediest(const fp_unit_load *folds, size_t count, bool positives) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        bool tie = !positives || folds[i].positives == folds[best].positives;
        if (tie ? folds[i].size < folds[best].size : folds[i].positives < folds[best].positives) best = i;
    }
    return best;
}

fp_status fp_folds_deal(const fp_unit_load *units, size_t count, size_t folds, uint64_t seed, fp_arena *scratch,
                        uint8_t *fold, fp_error *error) {
    dealt *order = FP_NEED(fp_arena_raw(scratch, count, sizeof *order), error);
    fp_unit_load *held = FP_NEED(fp_arena_alloc(scratch, folds, sizeof *held), error);
    for (size_t i = 0; i < count; i++) order[i] = (dealt){(uint32_t)i, fp_mix(fp_mix(seed, 1), units[i].key), units[i]};
    qsort(order, count, sizeof *order, in_dealing_order);
    for (size_t i = 0; i < count; i++) {
        size_t chosen = neediest(held, folds, order[i].load.positives > 0);
        held[chosen].positives += order[i].load.positives;
        held[chosen].size += order[i].load.size;
        fold[order[i].unit] = (uint8_t)chosen;
    }
    return FP_OK;
}
