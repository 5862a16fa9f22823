/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two texts to the passages that they have in common, told in places of the texts. */
#include "text/alignment/alignment.h"

#include <stdlib.h>

#include "base/order.h"
#include "text/alignment/passages.h"

struct fp_alignment_text {
    fp_symbols symbols;
    fp_seeds seeds;
    uint32_t least; /* weight of the shortest passage */
};

fp_status fp_alignment_open(fp_string text, size_t least, fp_arena *arena, const fp_alignment_text **opened,
                            fp_error *error) {
    if (!least) least = FP_ALIGNMENT_LEAST;
    if (least < FP_ALIGNMENT_LEAST_LEAST || least > FP_ALIGNMENT_LEAST_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "the shortest passage is of %d to %d characters, not of %zu",
                       FP_ALIGNMENT_LEAST_LEAST, FP_ALIGNMENT_LEAST_MOST, least);
    fp_alignment_text *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->least = 2 * (uint32_t)least;
    FP_TRY(fp_symbols_read(text, arena, &made->symbols, error));
    uint32_t weight = made->least < FP_SEED_WEIGHT ? made->least : FP_SEED_WEIGHT;
    FP_TRY(fp_seeds_make(&made->symbols, weight, arena, &made->seeds, error));
    *opened = made;
    return FP_OK;
}

/* ---- Places ---- */

static void place_of(const fp_symbols *text, int which, size_t first, size_t behind, fp_passage *out) {
    out->from[which] = text->place[first];
    out->to[which] = fp_symbols_place_end(text, behind - 1);
    out->begin[which] = text->byte[first];
    out->end[which] = fp_symbols_byte_end(text, behind - 1);
    out->characters[which] = behind - first;
}

static fp_status tell_passage(const fp_symbols *a, const fp_symbols *b, fp_chain chain, fp_arena *arena,
                              fp_passage *out, fp_error *error) {
    fp_run first = chain.run[0], last = chain.run[chain.count - 1];
    fp_common_run *runs = fp_arena_raw(arena, chain.count, sizeof *runs);
    if (!runs) return fp_no_memory(error);
    for (size_t i = 0; i < chain.count; i++) {
        fp_run run = chain.run[i];
        runs[i] = (fp_common_run){
            {a->byte[run.a], b->byte[run.b]},
            {fp_symbols_byte_end(a, run.a + run.length - 1), fp_symbols_byte_end(b, run.b + run.length - 1)}};
    }
    *out = (fp_passage){.same = chain.same, .run_count = chain.count, .runs = runs};
    place_of(a, 0, first.a, last.a + last.length, out);
    place_of(b, 1, first.b, last.b + last.length, out);
    return FP_OK;
}

static int most_first(const void *left, const void *right) {
    const fp_passage *a = left, *b = right;
    return a->same != b->same ? FP_ORDER(b->same, a->same) : FP_ORDER(a->from[0], b->from[0]);
}

fp_status fp_align_with(const fp_alignment_text *a, fp_string b, fp_arena *arena, fp_alignment *out, fp_error *error) {
    fp_symbols other;
    fp_runs runs;
    fp_chains chains;
    FP_TRY(fp_symbols_read(b, arena, &other, error));
    FP_TRY(fp_runs_find(&a->symbols, &a->seeds, &other, arena, &runs, error));
    FP_TRY(fp_passages_choose(&a->symbols, &other, &runs, a->seeds.weight, a->least, arena, &chains, error));
    fp_passage *passages = fp_arena_raw(arena, chains.count, sizeof *passages);
    if (!passages) return fp_no_memory(error);
    *out = (fp_alignment){.count = chains.count, .passages = passages, .characters = {a->symbols.count, other.count}};
    for (size_t i = 0; i < chains.count; i++) {
        FP_TRY(tell_passage(&a->symbols, &other, chains.chain[i], arena, passages + i, error));
        out->same += passages[i].same;
    }
    if (chains.count > 1) qsort(passages, chains.count, sizeof *passages, most_first);
    for (int t = 0; t < 2; t++) out->share[t] = out->characters[t] ? (double)out->same / (double)out->characters[t] : 0;
    return FP_OK;
}

fp_status fp_align(fp_string a, fp_string b, size_t least, fp_arena *arena, fp_alignment *out, fp_error *error) {
    const fp_alignment_text *opened = NULL;
    FP_TRY(fp_alignment_open(a, least, arena, &opened, error));
    return fp_align_with(opened, b, arena, out, error);
}
