/* SPDX-License-Identifier: GPL-3.0-or-later
 * Blocks: Kruskal's algorithm (Proceedings of the AMS 7, 1956) over units, with a bound on what a tree may hold. */
#include "eval/units/unit_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/disjoint_sets.h"
#include "base/order.h"

/* Two units, the first before the second, and the negative pairs between them. */
typedef struct link {
    uint32_t first, second;
    size_t pairs;
    size_t documents; /* of both units, in pairs */
} link;

typedef struct joiner {
    const fp_labelled_documents *documents;
    const fp_components *units;
    fp_arena *scratch;
    size_t *size, *positives; /* [units] of a block at its root: documents in pairs, positive pairs */
    link *links;
    size_t link_count;
    size_t left, fewest;                   /* blocks with pairs */
    size_t most_documents, most_positives; /* of a block */
    fp_disjoint_sets forest;
} joiner;

static int by_units(const void *left, const void *right) {
    const link *a = left, *b = right;
    return a->first != b->first ? FP_ORDER(a->first, b->first) : FP_ORDER(a->second, b->second);
}

static int most_pairs_first(const void *left, const void *right) {
    const link *a = left, *b = right;
    if (a->pairs != b->pairs) return FP_ORDER(b->pairs, a->pairs);
    return a->documents != b->documents ? FP_ORDER(a->documents, b->documents) : by_units(left, right);
}

/* What units hold, and what a block may. */
static fp_status weigh_units(joiner *of, size_t folds, fp_error *error) {
    const fp_labelled_documents *from = of->documents;
    bool *paired = fp_arena_alloc(of->scratch, from->document_count, sizeof *paired);
    of->size = fp_arena_alloc(of->scratch, of->units->count, sizeof *of->size);
    of->positives = fp_arena_alloc(of->scratch, of->units->count, sizeof *of->positives);
    if (!paired || !of->size || !of->positives) return fp_no_memory(error);
    size_t documents = 0, positives = 0;
    for (size_t i = 0; i < from->pair_count; i++) {
        fp_pair pair = from->pairs[i];
        paired[pair.a] = paired[pair.b] = true;
        of->positives[of->units->of[pair.a]] += pair.label;
        positives += pair.label;
    }
    for (size_t i = 0; i < from->document_count; i++) {
        size_t *size = of->size + of->units->of[i];
        of->left += paired[i] && *size == 0;
        *size += paired[i];
        documents += paired[i];
    }
    of->fewest = FP_BLOCKS_PER_FOLD * folds;
    of->most_documents = documents / of->fewest;
    of->most_positives = positives / of->fewest;
    return FP_OK;
}

/* Links between units, each once. */
static fp_status find_links(joiner *of, fp_error *error) {
    const fp_labelled_documents *from = of->documents;
    size_t count = 0;
    of->links = fp_arena_raw(of->scratch, from->pair_count, sizeof *of->links);
    if (!of->links) return fp_no_memory(error);
    for (size_t i = 0; i < from->pair_count; i++) {
        uint32_t a = of->units->of[from->pairs[i].a], b = of->units->of[from->pairs[i].b];
        if (a != b) of->links[count++] = (link){a < b ? a : b, a < b ? b : a, 1, of->size[a] + of->size[b]};
    }
    if (count) qsort(of->links, count, sizeof *of->links, by_units);
    for (size_t i = 0; i < count; i++) {
        link *last = of->link_count ? of->links + of->link_count - 1 : NULL;
        if (last && by_units(last, of->links + i) == 0) last->pairs++;
        else of->links[of->link_count++] = of->links[i];
    }
    if (of->link_count) qsort(of->links, of->link_count, sizeof *of->links, most_pairs_first);
    return FP_OK;
}

static void join(joiner *of, link between) {
    uint32_t a = fp_disjoint_sets_find(&of->forest, between.first),
             b = fp_disjoint_sets_find(&of->forest, between.second);
    size_t documents = of->size[a] + of->size[b], positives = of->positives[a] + of->positives[b];
    if (a == b || of->left <= of->fewest || documents > of->most_documents) return;
    if (of->positives[a] && of->positives[b] && positives > of->most_positives) return;
    fp_disjoint_sets_join(&of->forest, a, b);
    uint32_t root = fp_disjoint_sets_find(&of->forest, a);
    of->size[root] = documents;
    of->positives[root] = positives;
    of->left--;
}

static fp_status number_blocks(joiner *of, fp_arena *arena, fp_unit_blocks *blocks, fp_error *error) {
    size_t count = of->units->count;
    uint32_t *block = fp_arena_raw(arena, count, sizeof *block);
    if (!block) return fp_no_memory(error);
    *blocks = (fp_unit_blocks){.of = block};
    for (size_t i = 0; i < count; i++) {
        uint32_t root = fp_disjoint_sets_find(&of->forest, (uint32_t)i); /* the smallest: numbered before the others */
        block[i] = root == i ? (uint32_t)blocks->count++ : block[root];
    }
    return FP_OK;
}

fp_status fp_unit_blocks_make(const fp_labelled_documents *documents, const fp_components *units, size_t folds,
                              fp_arena *arena, fp_arena *scratch, fp_unit_blocks *blocks, fp_error *error) {
    joiner of = {.documents = documents, .units = units, .scratch = scratch};
    FP_TRY(fp_disjoint_sets_make(units->count, scratch, &of.forest, error));
    FP_TRY(weigh_units(&of, folds, error));
    FP_TRY(find_links(&of, error));
    for (size_t i = 0; i < of.link_count; i++) join(&of, of.links[i]);
    return number_blocks(&of, arena, blocks, error);
}
