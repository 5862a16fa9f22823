/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sketches that come batch after batch. */
#include "algorithms/pipeline/store.h"

#include <string.h>

enum { FIRST = 1024, SLACK = 8 }; /* texts; bytes behind the last sketch, so that there is always one */

/* Room for `room` texts, but for the bytes of those that vary. */
static fp_status resize(fp_store *store, size_t room, fp_error *error) {
    if (room >= SIZE_MAX / (sizeof *store->offset + store->stride)) return fp_no_memory(error);
    bool *silent = fp_arena_grow(store->arena, store->silent, room * sizeof *silent);
    if (!silent) return fp_no_memory(error);
    store->silent = silent;
    if (store->stride) {
        unsigned char *data = fp_arena_grow(store->arena, store->data, room * store->stride + SLACK);
        if (!data) return fp_no_memory(error);
        store->data = data;
    } else {
        size_t *offset = fp_arena_grow(store->arena, store->offset, (room + 1) * sizeof *offset);
        if (!offset) return fp_no_memory(error);
        store->offset = offset;
        size_t *size = fp_arena_grow(store->arena, store->size, room * sizeof *size);
        if (!size) return fp_no_memory(error);
        store->size = size;
    }
    store->room = room;
    return FP_OK;
}

static fp_status resize_data(fp_store *store, size_t space, fp_error *error) {
    unsigned char *data = fp_arena_grow(store->arena, store->data, space + SLACK);
    if (!data) return fp_no_memory(error);
    store->data = data;
    store->space = space;
    return FP_OK;
}

fp_status fp_store_open(fp_store *store, const fp_layout *layout, size_t expected, fp_arena *arena, fp_error *error) {
    *store = (fp_store){.arena = arena, .stride = layout->bytes};
    FP_TRY(resize(store, expected == SIZE_MAX ? FIRST : expected, error));
    if (store->stride) return FP_OK;
    store->offset[0] = 0;
    return resize_data(store, FIRST, error);
}

static size_t aligned(size_t size) { return (size + 7) / 8 * 8; }

static void add_fixed(fp_store *store, fp_sketch sketch) {
    unsigned char *to = store->data + store->count * store->stride;
    if (sketch.size) memcpy(to, sketch.data, store->stride);
    else memset(to, 0, store->stride);
}

static fp_status add_varying(fp_store *store, fp_sketch sketch, fp_error *error) {
    size_t whole = aligned(sketch.size);
    if (whole > store->space - store->bytes) {
        if (whole > SIZE_MAX / 4 - store->space) return fp_no_memory(error);
        size_t larger = store->space + store->space / 2;
        FP_TRY(resize_data(store, larger > store->bytes + whole ? larger : store->bytes + whole, error));
    }
    unsigned char *to = store->data + store->bytes;
    memset(to + sketch.size, 0, whole - sketch.size);
    if (sketch.size) memcpy(to, sketch.data, sketch.size);
    store->bytes += whole;
    store->size[store->count] = sketch.size;
    store->offset[store->count + 1] = store->bytes;
    return FP_OK;
}

fp_status fp_store_add(fp_store *store, size_t count, const fp_sketch *sketches, const bool *says, fp_error *error) {
    if (count > store->room - store->count) {
        size_t larger = store->room + store->room / 2, least = store->count + count;
        FP_TRY(resize(store, larger > least ? larger : least, error));
    }
    for (size_t i = 0; i < count; i++) {
        if (store->stride) add_fixed(store, sketches[i]);
        else FP_TRY(add_varying(store, sketches[i], error));
        store->silent[store->count++] = !says[i];
        store->silent_count += !says[i];
    }
    return FP_OK;
}

fp_status fp_store_close(fp_store *store, fp_sketches *sketches, fp_error *error) {
    if (store->room > store->count) FP_TRY(resize(store, store->count, error));
    if (!store->stride && store->space > store->bytes) FP_TRY(resize_data(store, store->bytes, error));
    *sketches = (fp_sketches){.count = store->count,
                              .stride = store->stride,
                              .data = store->data,
                              .offset = store->offset,
                              .size = store->size};
    return FP_OK;
}
