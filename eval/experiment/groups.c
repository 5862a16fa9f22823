/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents by group. */
#include "eval/experiment/groups.h"

#include <gsl/gsl_randist.h>

#include "eval/units/resample.h"
#include "eval/units/sampling_units.h"

/* The documents of each of `count` numbers, in corpus order; documents with UINT32_MAX are left out. */
static fp_status list_by_number(const uint32_t *number, size_t documents, size_t count, fp_arena *arena,
                                fp_unit_list *list, fp_error *error) {
    size_t *begin = FP_NEED(fp_arena_alloc(arena, count + 2, sizeof *begin), error);
    uint32_t *document = FP_NEED(fp_arena_raw(arena, documents, sizeof *document), error);
    for (size_t i = 0; i < documents; i++)
        if (number[i] != UINT32_MAX) begin[number[i] + 2]++;
    for (size_t n = 2; n <= count + 1; n++) begin[n] += begin[n - 1];
    /* begin[n + 1] is the next free position of number n; at the end, the end of its list. */
    for (size_t i = 0; i < documents; i++)
        if (number[i] != UINT32_MAX) document[begin[number[i] + 1]++] = (uint32_t)i;
    *list = (fp_unit_list){count, documents, begin, document};
    return FP_OK;
}

fp_status fp_groups_make(const fp_corpus *corpus, fp_arena *arena, fp_unit_list *groups, fp_error *error) {
    return list_by_number(corpus->group, corpus->document_count, corpus->group_count, arena, groups, error);
}

fp_status fp_groups_negatives(const fp_corpus *corpus, uint64_t *negatives, fp_error *error) {
    FP_SCRATCH(scratch, corpus->memory, error);
    fp_unit_list groups;
    FP_TRY(fp_groups_make(corpus, scratch, &groups, error));
    *negatives = fp_pairs_of(corpus->document_count);
    for (size_t g = 0; g < groups.count; g++) *negatives -= fp_pairs_of(fp_unit_size(&groups, g));
    return FP_OK;
}

/* ---- Documents by unit ---- */

/* Renumbers the units in random order. */
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

fp_status fp_unit_list_make(const fp_corpus *corpus, bool shuffled, uint64_t seed, fp_arena *arena, fp_unit_list *units,
                            fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    fp_labelled_documents documents = {.document_count = corpus->document_count, .group = corpus->group};
    fp_components groups;
    FP_TRY(fp_components_make(&documents, scratch, scratch, &groups, error));
    uint32_t *other = NULL;
    if (shuffled) FP_TRY(shuffle(seed, &groups, scratch, &other, error));
    return list_by_number(other ? other : groups.of, corpus->document_count, groups.count, arena, units, error);
}

uint32_t *fp_unit_of_documents(const fp_unit_list *units, fp_arena *arena) {
    uint32_t *unit_of = fp_arena_raw(arena, units->document_count, sizeof *unit_of);
    for (size_t u = 0; unit_of && u < units->count; u++)
        for (size_t d = units->begin[u]; d < units->begin[u + 1]; d++) unit_of[units->document[d]] = (uint32_t)u;
    return unit_of;
}
