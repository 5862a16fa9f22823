/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prefix trees as sorted labels. */
#include "index/bands/forest.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/order.h"
#include "index/bands/slot_values.h"

/* Documents in the order of their labels. head[i] is the begin of the i-th label, as many slots as 64 bits hold, the
 * first in the highest bits, so that heads stand in the order of what they begin. */
typedef struct tree {
    uint64_t *head;
    uint32_t *document;
} tree;

struct fp_forest {
    const fp_arena *like;
    fp_arena *arena; /* all that is here, this struct apart */
    const fp_instance *instance;
    fp_sketches sketches;
    size_t tree_count, depth;
    tree *trees;
};

/* ---- Labels ---- */

static void label_of(const fp_forest *in, size_t index, const void *sketch, uint64_t *label) {
    fp_slot_values(&in->instance->layout, sketch, index * in->depth, in->depth, label);
}

static const void *sketch_of(const fp_forest *in, uint32_t document) {
    return fp_sketches_at(&in->sketches, document).data;
}

static uint64_t head_of(const fp_forest *in, const uint64_t *label) {
    size_t width = in->instance->layout.slot_bits, held = 64 / width;
    uint64_t head = 0;
    for (size_t i = 0; i < held; i++) head = (width < 64 ? head << width : 0) | (i < in->depth ? label[i] : 0);
    return held * width < 64 ? head << (64 - held * width) : head;
}

/* How many slots at the begin of two labels are the same. */
static size_t common(const uint64_t *a, const uint64_t *b, size_t depth) {
    size_t i = 0;
    while (i < depth && a[i] == b[i]) i++;
    return i;
}

static int compare_labels(const uint64_t *a, const uint64_t *b, size_t depth) {
    size_t i = common(a, b, depth);
    return i < depth ? FP_ORDER(a[i], b[i]) : 0;
}

/* ---- Building ---- */

typedef struct entry {
    uint64_t head;
    uint32_t document;
} entry;

typedef struct sorting {
    const fp_forest *in;
    size_t index;
    uint64_t *label[2]; /* [depth] */
} sorting;

static int by_label(const void *left, const void *right, void *context) {
    const entry *a = left, *b = right;
    const sorting *it = context;
    if (a->head != b->head) return FP_ORDER(a->head, b->head);
    if (64 / it->in->instance->layout.slot_bits < it->in->depth) {
        label_of(it->in, it->index, sketch_of(it->in, a->document), it->label[0]);
        label_of(it->in, it->index, sketch_of(it->in, b->document), it->label[1]);
        int order = compare_labels(it->label[0], it->label[1], it->in->depth);
        if (order) return order;
    }
    return FP_ORDER(a->document, b->document);
}

static fp_status grow_tree(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_forest *in = context;
    size_t count = in->sketches.count;
    entry *entries = fp_arena_raw(arena, count + 1, sizeof *entries);
    sorting it = {in, index, {fp_arena_raw(arena, in->depth, 8), fp_arena_raw(arena, in->depth, 8)}};
    if (!entries || !it.label[0] || !it.label[1]) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        label_of(in, index, sketch_of(in, (uint32_t)i), it.label[0]);
        entries[i] = (entry){head_of(in, it.label[0]), (uint32_t)i};
    }
    qsort_r(entries, count, sizeof *entries, by_label, &it);
    for (size_t i = 0; i < count; i++) {
        in->trees[index].head[i] = entries[i].head;
        in->trees[index].document[i] = entries[i].document;
    }
    return FP_OK;
}

static fp_status grow_all(fp_forest *made, const fp_progress *progress, fp_error *error) {
    fp_arenas arenas = {0};
    if (!made->arena) return fp_no_memory(error);
    made->trees = fp_arena_alloc(made->arena, made->tree_count, sizeof *made->trees);
    if (!made->trees) return fp_no_memory(error);
    for (size_t t = 0; t < made->tree_count; t++) {
        made->trees[t].head = fp_arena_raw(made->arena, made->sketches.count + 1, sizeof *made->trees->head);
        made->trees[t].document = fp_arena_raw(made->arena, made->sketches.count + 1, sizeof *made->trees->document);
        if (!made->trees[t].head || !made->trees[t].document) return fp_no_memory(error);
    }
    FP_TRY(fp_arenas_open(&arenas, progress, made->arena, error));
    fp_status status = fp_parallel(made->tree_count, &arenas, true, grow_tree, made, "forest", progress, error);
    fp_arenas_free(&arenas);
    return status;
}

fp_status fp_forest_build(const fp_instance *instance, unsigned trees, const fp_sketches *sketches,
                          const fp_progress *progress, const fp_arena *like, fp_forest **forest, fp_error *error) {
    const fp_layout *layout = &instance->layout;
    FP_TRY(fp_slots_check(layout, sketches, error));
    if (trees < 1 || trees > layout->slots || trees > FP_FOREST_TREES)
        return fp_fail(error, FP_ERROR_RANGE,
                       "%u trees of %zu slots: there is at least 1, and at most %d, each of a slot at least", trees,
                       layout->slots, FP_FOREST_TREES);
    if (layout->slots / trees > FP_FOREST_DEPTH)
        return fp_fail(error, FP_ERROR_RANGE, "%zu slots in %u trees: a label has at most %d slots", layout->slots,
                       trees, FP_FOREST_DEPTH);
    fp_forest *made = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    *made = (fp_forest){like, fp_arena_new_like(like), instance, *sketches, trees, layout->slots / trees, NULL};
    fp_status status = grow_all(made, progress, error);
    if (status == FP_OK) *forest = made;
    else fp_forest_close(made);
    return status;
}

void fp_forest_close(fp_forest *forest) {
    if (!forest) return;
    fp_arena_free(forest->arena);
    fp_memory_release(forest->like, forest);
}

size_t fp_forest_depth(const fp_forest *forest) { return forest->depth; }

size_t fp_forest_bytes(const fp_forest *forest) {
    return forest->tree_count * forest->sketches.count * (sizeof(uint64_t) + sizeof(uint32_t));
}

/* ---- A query's place in a tree, and what is around it ---- */

/* Those from `first` to `end` − 1 are taken; before and behind them stand labels that have `before` and `behind` slots
 * in common with the query, 0 where there is none. */
typedef struct place {
    size_t first, end;
    size_t before, behind;
} place;

typedef struct ascent {
    const fp_forest *in;
    fp_arena *arena;
    uint64_t *labels; /* [trees·depth] of the query */
    uint64_t *label;  /* [depth] of a document */
    place *places;    /* [trees] */
    uint32_t *found;
    size_t count;
    fp_map seen;
} ascent;

static size_t common_at(const ascent *it, size_t index, size_t at) {
    label_of(it->in, index, sketch_of(it->in, it->in->trees[index].document[at]), it->label);
    return common(it->labels + index * it->in->depth, it->label, it->in->depth);
}

/* Whether the label at `at` stands before the query's. */
static bool stands_before(const ascent *it, size_t index, size_t at, uint64_t head) {
    const tree *of = it->in->trees + index;
    if (of->head[at] != head) return of->head[at] < head;
    label_of(it->in, index, sketch_of(it->in, of->document[at]), it->label);
    return compare_labels(it->label, it->labels + index * it->in->depth, it->in->depth) < 0;
}

static void descend(ascent *it, size_t index) {
    size_t low = 0, high = it->in->sketches.count;
    uint64_t head = head_of(it->in, it->labels + index * it->in->depth);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stands_before(it, index, middle, head)) low = middle + 1;
        else high = middle;
    }
    place *of = it->places + index;
    of->first = of->end = low;
    of->before = low > 0 ? common_at(it, index, low - 1) : 0;
    of->behind = low < it->in->sketches.count ? common_at(it, index, low) : 0;
}

/* At most half full; what was found is put into a larger one. */
static fp_status make_room(ascent *it, fp_error *error) {
    size_t room = it->found ? (it->seen.mask + 1) : 256;
    uint32_t *larger = fp_arena_grow(it->arena, it->found, room * sizeof *larger);
    if (!larger) return fp_no_memory(error);
    it->found = larger;
    FP_TRY(fp_map_open(&it->seen, room, it->arena, error));
    for (size_t i = 0; i < it->count; i++) fp_map_put(&it->seen, fp_mix(it->found[i], 0), 0);
    return FP_OK;
}

static fp_status take(ascent *it, uint32_t document, fp_error *error) {
    uint64_t key = fp_mix(document, 0);
    if (!it->found || it->count == (it->seen.mask + 1) / 2) FP_TRY(make_room(it, error));
    if (fp_map_get(&it->seen, key) != FP_MAP_NONE) return FP_OK;
    fp_map_put(&it->seen, key, 0);
    it->found[it->count++] = document;
    return FP_OK;
}

/* All that have r slots in common with the query. */
static fp_status ascend(ascent *it, size_t index, size_t r, fp_error *error) {
    place *of = it->places + index;
    const uint32_t *document = it->in->trees[index].document;
    while (of->before >= r) {
        FP_TRY(take(it, document[--of->first], error));
        of->before = of->first > 0 ? common_at(it, index, of->first - 1) : 0;
    }
    while (of->behind >= r) {
        FP_TRY(take(it, document[of->end++], error));
        of->behind = of->end < it->in->sketches.count ? common_at(it, index, of->end) : 0;
    }
    return FP_OK;
}

static fp_status open_ascent(ascent *it, fp_sketch query, fp_error *error) {
    const fp_forest *in = it->in;
    it->labels = fp_arena_raw(it->arena, in->tree_count * in->depth, sizeof *it->labels);
    it->label = fp_arena_raw(it->arena, in->depth, sizeof *it->label);
    it->places = fp_arena_raw(it->arena, in->tree_count, sizeof *it->places);
    if (!it->labels || !it->label || !it->places) return fp_no_memory(error);
    fp_slot_values(&in->instance->layout, query.data, 0, in->tree_count * in->depth, it->labels);
    for (size_t t = 0; t < in->tree_count; t++) descend(it, t);
    return FP_OK;
}

fp_status fp_forest_candidates(const fp_forest *in, fp_sketch query, size_t wanted, fp_arena *arena,
                               const uint32_t **documents, size_t *count, fp_forest_work *work, fp_error *error) {
    ascent it = {.in = in, .arena = arena};
    size_t r = in->depth;
    if (query.size != in->instance->layout.bytes || wanted < 1)
        return fp_fail(error, FP_ERROR_RANGE, "%zu candidates of a query of %zu bytes, where sketches have %zu", wanted,
                       query.size, in->instance->layout.bytes);
    FP_TRY(open_ascent(&it, query, error));
    for (; r >= 1; r--) {
        for (size_t t = 0; t < in->tree_count; t++) FP_TRY(ascend(&it, t, r, error));
        if (it.count >= wanted) break;
    }
    *documents = it.found;
    *count = it.count;
    if (!work) return FP_OK;
    work->queries++;
    work->levels += r;
    work->candidates += it.count;
    return FP_OK;
}

/* ---- The nearest ---- */

static int by_distance(const void *left, const void *right) {
    const fp_forest_found *a = left, *b = right;
    return a->distance != b->distance ? FP_ORDER(a->distance, b->distance) : FP_ORDER(a->document, b->document);
}

fp_status fp_forest_nearest(const fp_forest *in, fp_sketch query, size_t k, size_t wanted, fp_arena *arena,
                            const fp_forest_found **found, size_t *count, fp_forest_work *work, fp_error *error) {
    const uint32_t *documents;
    size_t candidates;
    FP_TRY(fp_forest_candidates(in, query, wanted > k ? wanted : k, arena, &documents, &candidates, work, error));
    fp_forest_found *rows = fp_arena_raw(arena, candidates + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    for (size_t i = 0; i < candidates; i++) {
        fp_sketch other = fp_sketches_at(&in->sketches, documents[i]);
        rows[i] = (fp_forest_found){in->instance->algorithm->distance(in->instance, query, other), documents[i]};
    }
    qsort(rows, candidates, sizeof *rows, by_distance);
    *found = rows;
    *count = candidates < k ? candidates : k;
    return FP_OK;
}
