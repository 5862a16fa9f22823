/* SPDX-License-Identifier: GPL-3.0-or-later
 * Matches looked at more finely. */
#include "index/votes/ballot_finer.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "text/alignment/alignment.h"

typedef struct looking {
    const fp_finer *how;
    const fp_alignment_text *aligned; /* the text that asked; NULL under an arm */
    fp_sketch sketch;                 /* of it under the arm */
    fp_arena *arena;
} looking;

static fp_status begin(looking *in, fp_string asked, fp_error *error) {
    if (!in->how->arm) return fp_alignment_open(asked, 0, in->arena, &in->aligned, error);
    return fp_arm_sketch(in->how->arm, asked, in->arena, &in->sketch, error);
}

static fp_status look_at(const looking *in, fp_ballot_match *match, fp_error *error) {
    fp_string text;
    FP_TRY(in->how->text(in->how->context, match->document, in->arena, &text, error));
    match->looked_at = true;
    if (in->how->arm) {
        fp_sketch other;
        FP_TRY(fp_arm_sketch(in->how->arm, text, in->arena, &other, error));
        match->finer = fp_arm_similarity(in->how->arm, fp_arm_distance(in->how->arm, in->sketch, other));
        return FP_OK;
    }
    fp_alignment alignment;
    FP_TRY(fp_align_with(in->aligned, text, in->arena, &alignment, error));
    match->finer = alignment.share[0];
    return FP_OK;
}

static bool is_uncertain(const fp_finer *how, const fp_ballot_match *match, size_t first_hits) {
    double hits = (double)match->hit_count, first = (double)first_hits;
    return match->share >= how->low && match->share <= how->high && first - hits <= how->doubt * sqrt(first + hits);
}

static int largest_first(const void *left, const void *right) {
    const fp_ballot_match *a = left, *b = right;
    if (a->finer != b->finer) return FP_ORDER(b->finer, a->finer);
    return a->hit_count != b->hit_count ? FP_ORDER(b->hit_count, a->hit_count) : FP_ORDER(a->document, b->document);
}

/* Those that were looked at, in the places that they have together. */
static fp_status rank_again(fp_ballot *ballot, fp_arena *arena, fp_error *error) {
    fp_ballot_match *looked_at = fp_arena_raw(arena, ballot->count, sizeof *looked_at);
    size_t count = 0, next = 0;
    if (!looked_at) return fp_no_memory(error);
    for (size_t i = 0; i < ballot->count; i++)
        if (ballot->match[i].looked_at) looked_at[count++] = ballot->match[i];
    if (count) qsort(looked_at, count, sizeof *looked_at, largest_first);
    for (size_t i = 0; i < ballot->count; i++)
        if (ballot->match[i].looked_at) ballot->match[i] = looked_at[next++];
    return FP_OK;
}

fp_status fp_ballot_look_finer(fp_ballot *ballot, fp_string asked, const fp_finer *how, fp_arena *arena,
                               fp_error *error) {
    looking in = {.how = how, .arena = arena};
    size_t kept = 0, first_hits = ballot->count ? ballot->match[0].hit_count : 0;
    FP_TRY(begin(&in, asked, error));
    for (size_t i = 0; i < ballot->count; i++) {
        fp_ballot_match *match = ballot->match + i;
        bool uncertain = is_uncertain(how, match, first_hits);
        if (uncertain) FP_TRY(look_at(&in, match, error));
        if (!uncertain || match->finer >= how->least) ballot->match[kept++] = *match;
    }
    ballot->count = kept;
    return how->arm ? FP_OK : rank_again(ballot, arena, error);
}
