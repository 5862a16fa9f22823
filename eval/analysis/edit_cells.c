/* SPDX-License-Identifier: GPL-3.0-or-later
 * Means by length and share. */
#include "eval/analysis/edit_cells.h"

const double fp_edit_shares[FP_EDIT_SHARES + 1] = {0, 0.02, 0.05, 0.1, 0.2, 0.4, 1};

static double share_of(const fp_edits *edits) {
    return edits->longer ? (double)edits->count / (double)edits->longer : 0;
}

size_t fp_edit_share_class(const fp_edits *edits) {
    double share = share_of(edits);
    size_t k = 0;
    while (k + 1 < FP_EDIT_SHARES && share >= fp_edit_shares[k + 1]) k++;
    return k;
}

typedef struct work {
    const fp_edited_pairs *edited;
    double confidence;
    const uint32_t *cell; /* [pair_count] UINT32_MAX for a pair that is no duplicate */
    const fp_sampling_units *units;
    fp_arena *scratch;
} work;

static fp_status fill_cell(const work *from, size_t index, fp_edit_cell *to, fp_error *error) {
    fp_arena_reset(from->scratch);
    fp_pair *pairs = fp_arena_raw(from->scratch, to->pairs, sizeof *pairs);
    double *distance = fp_arena_raw(from->scratch, to->pairs, sizeof *distance);
    const fp_corpus *corpus = from->edited->corpus;
    fp_resample resample;
    size_t count = 0;
    if (!pairs || !distance) return fp_no_memory(error);
    to->mean_share = to->expected = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        if (from->cell[i] != index) continue;
        pairs[count] = corpus->pairs[i];
        distance[count++] = from->edited->measured[i];
        to->mean_share += share_of(from->edited->edits + i) / (double)to->pairs;
        to->expected += from->edited->expected[i] / (double)to->pairs;
        to->bounded += !from->edited->edits[i].exact;
    }
    FP_TRY(fp_resample_part(from->units, pairs, count, from->scratch, &resample, error));
    return fp_mean_of(&resample, distance, from->confidence, from->scratch, &to->measured, error);
}

fp_status fp_edit_cells_make(const fp_edited_pairs *edited, const fp_strata *strata, double confidence, fp_arena *arena,
                             fp_edit_cell **cells, fp_error *error) {
    const fp_corpus *corpus = edited->corpus;
    size_t count = strata->count * FP_EDIT_SHARES;
    uint32_t *cell = fp_arena_raw(arena, corpus->pair_count, sizeof *cell);
    *cells = fp_arena_alloc(arena, count, sizeof **cells);
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!cell || !*cells || !scratch) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    for (size_t i = 0; i < corpus->pair_count; i++) {
        cell[i] = UINT32_MAX;
        if (!corpus->pairs[i].label) continue;
        cell[i] = strata->of_pair[i] * FP_EDIT_SHARES + (uint32_t)fp_edit_share_class(edited->edits + i);
        (*cells)[cell[i]].pairs++;
    }
    const fp_labelled_documents all = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    fp_sampling_units units;
    work from = {edited, confidence, cell, &units, scratch};
    fp_status status = fp_sampling_units_make(&all, arena, scratch, &units, error);
    for (size_t c = 0; c < count && status == FP_OK; c++)
        if ((*cells)[c].pairs) status = fill_cell(&from, c, *cells + c, error);
    fp_arena_free(scratch);
    return status;
}
