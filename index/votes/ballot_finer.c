/* SPDX-License-Identifier: GPL-3.0-or-later
 * Matches looked at more finely. */
#include "index/votes/ballot_finer.h"

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

static double rank_of(const fp_ballot_match *match) { return match->looked_at ? match->finer : match->share; }

static int largest_first(const void *left, const void *right) {
    double a = rank_of(left), b = rank_of(right);
    const fp_ballot_match *one = left, *other = right;
    if (a != b) return FP_ORDER(b, a);
    return one->hit_count != other->hit_count ? FP_ORDER(other->hit_count, one->hit_count)
                                              : FP_ORDER(one->document, other->document);
}

fp_status fp_ballot_look_finer(fp_ballot *ballot, fp_string asked, const fp_finer *how, fp_arena *arena,
                               fp_error *error) {
    looking in = {.how = how, .arena = arena};
    size_t kept = 0;
    FP_TRY(begin(&in, asked, error));
    for (size_t i = 0; i < ballot->count; i++) {
        fp_ballot_match *match = ballot->match + i;
        bool uncertain = match->share >= how->low && match->share <= how->high;
        if (uncertain) FP_TRY(look_at(&in, match, error));
        if (!uncertain || match->finer >= how->least) ballot->match[kept++] = *match;
    }
    ballot->count = kept;
    if (kept && !how->arm) qsort(ballot->match, kept, sizeof *ballot->match, largest_first);
    return FP_OK;
}
