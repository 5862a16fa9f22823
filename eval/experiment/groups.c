/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents by group. */
#include "eval/experiment/groups.h"

#include <gsl/gsl_randist.h>

#include "eval/units/resample.h"
#include "eval/units/sampling_units.h"

fp_status fp_groups_make(const fp_corpus *corpus, fp_arena *arena, fp_groups *groups, fp_error *error) {
    size_t *begin = FP_NEED(fp_arena_alloc(arena, corpus->group_count + 2, sizeof *begin), error);
    uint32_t *member = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *member), error);
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) begin[corpus->group[i] + 2]++;
    for (size_t g = 2; g <= corpus->group_count + 1; g++) begin[g] += begin[g - 1];
    /* begin[g + 1] is where group g goes on, and in the end where it ends. */
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) member[begin[corpus->group[i] + 1]++] = (uint32_t)i;
    *groups = (fp_groups){corpus->group_count, begin, member};
    return FP_OK;
}

fp_status fp_groups_negatives(const fp_corpus *corpus, uint64_t *negatives, fp_error *error) {
    FP_SCRATCH(scratch, corpus->memory, error);
    fp_groups groups;
    FP_TRY(fp_groups_make(corpus, scratch, &groups, error));
    *negatives = fp_pairs_of(corpus->document_count);
    for (size_t g = 0; g < groups.count; g++) *negatives -= fp_pairs_of(groups.begin[g + 1] - groups.begin[g]);
    return FP_OK;
}

/* ---- Documents by unit ---- */

/* The units with other numbers. */
static fp_status shuffle(uint64_t seed, const fp_components *units, fp_arena *scratch, uint32_t **unit_of,
                         fp_error *error) {
    size_t count = units->count;
    gsl_rng generator;
    uint32_t *number = FP_NEED(fp_arena_raw(scratch, count, sizeof *number), error);
    *unit_of = FP_NEED(fp_arena_raw(scratch, units->document_count, sizeof **unit_of), error);
    FP_TRY(fp_generator_open(seed, count, scratch, &generator, error));
    for (size_t u = 0; u < count; u++) number[u] = (uint32_t)u;
    gsl_ran_shuffle(&generator, number, count, sizeof *number);
    for (size_t i = 0; i < units->document_count; i++) (*unit_of)[i] = number[units->of[i]];
    return FP_OK;
}

/* The documents of each unit, in corpus order. */
static fp_status sort_documents(const uint32_t *unit_of, fp_arena *arena, fp_unit_list *units, fp_error *error) {
    size_t *begin = FP_NEED(fp_arena_alloc(arena, units->count + 2, sizeof *begin), error),
           documents = units->document_count;
    uint32_t *document = FP_NEED(fp_arena_raw(arena, documents, sizeof *document), error);
    for (size_t i = 0; i < documents; i++) begin[unit_of[i] + 2]++;
    for (size_t u = 2; u <= units->count + 1; u++) begin[u] += begin[u - 1];
    /* begin[u + 1] is where unit u goes on, and in the end where it ends. */
    for (size_t i = 0; i < documents; i++) document[begin[unit_of[i] + 1]++] = (uint32_t)i;
    units->begin = begin;
    units->document = document;
    return FP_OK;
}

fp_status fp_unit_list_make(const fp_corpus *corpus, bool shuffled, uint64_t seed, fp_arena *arena, fp_unit_list *units,
                            fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    fp_labelled_documents documents = {.document_count = corpus->document_count, .group = corpus->group};
    fp_components groups;
    FP_TRY(fp_components_make(&documents, scratch, scratch, &groups, error));
    uint32_t *other = NULL;
    if (shuffled) FP_TRY(shuffle(seed, &groups, scratch, &other, error));
    *units = (fp_unit_list){.count = groups.count, .document_count = corpus->document_count};
    return sort_documents(other ? other : groups.of, arena, units, error);
}

uint32_t *fp_unit_of_documents(const fp_unit_list *units, fp_arena *arena) {
    uint32_t *unit_of = fp_arena_raw(arena, units->document_count, sizeof *unit_of);
    for (size_t u = 0; unit_of && u < units->count; u++)
        for (size_t d = units->begin[u]; d < units->begin[u + 1]; d++) unit_of[units->document[d]] = (uint32_t)u;
    return unit_of;
}
