/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs that agree in a band. */
#include <stdatomic.h>

#include "pairs/tables/band_tables.h"

typedef struct joining {
    fp_banding banding;
    size_t count;   /* documents */
    uint64_t *keys; /* [count·bands] */
    fp_tell_band_pairs tell;
    void *context;
    atomic_uint_fast64_t told;
} joining;

enum { BATCH = 1024 };

typedef struct batch {
    fp_band_pair pairs[BATCH];
    size_t count;
} batch;

static fp_status flush(joining *it, batch *full, fp_error *error) {
    size_t count = full->count;
    full->count = 0;
    atomic_fetch_add_explicit(&it->told, count, memory_order_relaxed);
    return count ? it->tell(it->context, full->pairs, count, error) : FP_OK;
}

static bool agree_before(const joining *it, size_t band, uint32_t a, uint32_t b) {
    const uint64_t *left = it->keys + (size_t)a * it->banding.bands, *right = it->keys + (size_t)b * it->banding.bands;
    for (size_t t = 0; t < band; t++)
        if (left[t] == right[t]) return true;
    return false;
}

/* Documents of one key, ascending. */
static fp_status join_group(joining *it, size_t band, const fp_band_entry *group, size_t count, batch *full,
                            fp_error *error) {
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            if (agree_before(it, band, group[j].document, group[i].document)) continue;
            full->pairs[full->count++] = (fp_band_pair){group[j].document, group[i].document};
            if (full->count == BATCH) FP_TRY(flush(it, full, error));
        }
    return FP_OK;
}

static fp_status join_band(void *context, size_t band, fp_arena *arena, fp_error *error) {
    joining *it = context;
    size_t count = it->count;
    unsigned prefix = fp_band_prefix(count);
    fp_band_entry *entries = fp_arena_raw(arena, count + 1, sizeof *entries);
    uint32_t *directory = fp_arena_raw(arena, ((size_t)1 << prefix) + 1, sizeof *directory);
    batch *full = fp_arena_raw(arena, 1, sizeof *full);
    if (!entries || !directory || !full) return fp_no_memory(error);
    full->count = 0;
    fp_band_sort(it->keys + band, it->banding.bands, count, prefix, entries, directory);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && entries[end].key == entries[first].key;) end++;
        FP_TRY(join_group(it, band, entries + first, end - first, full, error));
    }
    return flush(it, full, error);
}

fp_status fp_band_pairs(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                        fp_tell_band_pairs tell, void *context, const fp_arenas *arenas, const fp_progress *progress,
                        uint64_t *candidates, fp_error *error) {
    FP_TRY(fp_band_check(layout, banding, sketches, error));
    const fp_arena *like = arenas->each[0];
    joining it = {.banding = banding, .count = sketches->count, .tell = tell, .context = context};
    it.keys = fp_memory_take(like, sketches->count * banding.bands + 1, sizeof *it.keys);
    if (!it.keys) return fp_no_memory(error);
    fp_status status = fp_band_keys_each(layout, banding, sketches, it.keys, arenas, progress, error);
    if (status == FP_OK) status = fp_parallel(banding.bands, arenas, true, join_band, &it, "pairs", progress, error);
    fp_memory_release(like, it.keys);
    if (candidates) *candidates = it.told;
    return status;
}
