/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of a collection of bit fingerprints: blocks (pairs/tables). They hold the fingerprints themselves. */
#include <string.h>

#include "pairs/tables/block_tables.h"
#include "index/collection/table_kind.h"

static bool fits(const fp_collection *of) { return of->arm->instance.layout.bits > 0; }

static fp_status write(const fp_collection *of, const fp_sketch_list *list, const char *path,
                       const fp_progress *progress, fp_error *error) {
    const fp_block_source source = {(const uint64_t *)(const void *)list->data, list->number, list->count};
    fp_block_design design;
    double documents = list->count ? (double)list->count : 1;
    FP_TRY(fp_block_design_choose((unsigned)of->arm->instance.layout.bits, (unsigned)of->threshold, documents, 0,
                                  &design, error));
    return fp_block_tables_write(&design, &source, path, progress, of->arena, error);
}

static fp_status open(const char *path, const fp_arena *like, void **tables, fp_error *error) {
    fp_block_tables *opened;
    FP_TRY(fp_block_tables_open(path, like, &opened, error));
    *tables = opened;
    return FP_OK;
}

static void close(void *tables) { fp_block_tables_close(tables); }
static uint64_t sum(const void *tables) { return fp_block_tables_sum(tables); }
static size_t count(const void *tables) { return fp_block_tables_count(tables); }
static size_t bytes(const void *tables) { return fp_block_tables_bytes(tables); }

static const char *design(const void *tables, fp_arena *arena) {
    return fp_block_design_text(fp_block_tables_design(tables), arena);
}

static double recall(const fp_collection *of, double distance) {
    (void)of, (void)distance;
    return 1;
}

/* ---- Looking up ---- */

static fp_status take_found(const fp_collection *in, const fp_found *found, size_t count, fp_near_list *list,
                            fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (found[i].number >= in->through || fp_collection_is_gone(in, found[i].number)) continue;
        FP_TRY(fp_near_list_add(list, found[i].number, found[i].distance, error));
    }
    return FP_OK;
}

static fp_status near(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    const fp_found *found;
    size_t count;
    FP_TRY(fp_block_tables_near(in->tables, query.data, (unsigned)within, list->arena, &found, &count, NULL, error));
    return take_found(in, found, count, list, error);
}

typedef struct asking {
    const fp_collection *in;
    fp_take_nears take;
    void *context;
} asking;

static fp_status tell_found(void *context, size_t query, const fp_found *found, size_t count, fp_arena *arena,
                            fp_error *error) {
    const asking *of = context;
    fp_near_list list = {.arena = arena};
    FP_TRY(take_found(of->in, found, count, &list, error));
    return of->take(of->context, query, &list, error);
}

static fp_status near_each(const fp_collection *in, const fp_sketch *queries, size_t query_count, double within,
                           fp_take_nears take, void *context, const fp_arenas *arenas, fp_error *error) {
    size_t words = in->arm->instance.layout.bytes / sizeof(uint64_t);
    asking of = {in, take, context};
    const fp_progress silent = {.threads = (int)arenas->count};
    uint64_t *packed = fp_memory_take(in->arena, query_count * words, sizeof *packed);
    if (!packed) return fp_no_memory(error);
    for (size_t i = 0; i < query_count; i++) memcpy(packed + i * words, queries[i].data, words * sizeof *packed);
    fp_status status = fp_block_tables_near_each(in->tables, packed, query_count, (unsigned)within, tell_found, &of,
                                                 arenas, &silent, NULL, error);
    fp_memory_release(in->arena, packed);
    return status;
}

static fp_status scan(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    double distance[FP_SKETCHES_NEAR];
    uint32_t place[FP_SKETCHES_NEAR], number;
    if (fp_block_tables_count(in->tables) == 0) return FP_OK;
    const fp_sketches all = {.count = fp_block_tables_count(in->tables),
                             .stride = in->arm->instance.layout.bytes,
                             .data = (const unsigned char *)fp_block_tables_entry(in->tables, 0, &number)};
    for (size_t first = 0; first < all.count; first += FP_SKETCHES_NEAR) {
        size_t width = all.count - first < FP_SKETCHES_NEAR ? all.count - first : FP_SKETCHES_NEAR;
        FP_TRY(fp_block_tables_touch(in->tables, first, width, error));
        size_t near = fp_sketches_near(in->arm, query, within, &all, first, width, place, distance);
        for (size_t i = 0; i < near; i++) {
            fp_block_tables_entry(in->tables, first + place[i], &number);
            const fp_found found = {number, (uint32_t)distance[i]};
            FP_TRY(take_found(in, &found, 1, list, error));
        }
    }
    return FP_OK;
}

/* ---- Checking ---- */

static fp_status verify(const fp_collection *in, fp_tell_problem tell, void *context, uint64_t *problems,
                        const fp_progress *progress, fp_error *error) {
    return fp_block_tables_verify(in->tables, tell, context, problems, progress, error);
}

/* Their fingerprints by number; NULL: not held. */
static fp_status list_held(const fp_collection *in, fp_arena *arena, void **listed, fp_error *error) {
    const uint64_t **held = fp_arena_alloc(arena, in->through, sizeof *held);
    if (!held) return fp_no_memory(error);
    for (size_t i = 0; i < fp_block_tables_count(in->tables); i++) {
        uint32_t number;
        const uint64_t *words = fp_block_tables_entry(in->tables, i, &number);
        if (number < in->through) held[number] = words;
    }
    *listed = held;
    return FP_OK;
}

static const char *wrong(const fp_collection *in, const void *listed, const fp_record *record) {
    const uint64_t *const *held = listed, *words = held[record->number];
    (void)in;
    if (!words) return "is missing in the tables";
    return memcmp(words, record->fingerprint.data, record->fingerprint.length) == 0
               ? NULL
               : "has another fingerprint in the tables";
}

const fp_table_kind fp_table_blocks = {
    .name = "blocks",
    .fits = fits,
    .write = write,
    .open = open,
    .close = close,
    .sum = sum,
    .count = count,
    .bytes = bytes,
    .design = design,
    .recall = recall,
    .near = near,
    .near_each = near_each,
    .scan = scan,
    .verify = verify,
    .list = list_held,
    .wrong = wrong,
};
