/* SPDX-License-Identifier: GPL-3.0-or-later
 * The keys under which a store with lists finds a fingerprint: its blocks. */
#include "index/collection/collection_inside.h"

fp_status fp_collection_keys_open(fp_collection *in, fp_error *error) {
    const fp_layout *layout = &in->arm->instance.layout;
    if (!fp_records_have_keys(in->records)) return FP_OK;
    if (layout->bits == 0)
        return fp_fail(error, FP_ERROR_RANGE,
                       "key lists are for bit fingerprints (simhash, pinyin, …): keep %s in a store that is a file",
                       in->arm->name);
    /* Blocks alone, as many as the distance asks for and one: the fewest lists that find all. */
    in->key_design = (fp_block_design){.bits = (unsigned)layout->bits,
                                       .distance = (unsigned)in->threshold,
                                       .level_count = 1,
                                       .level = {{(unsigned)in->threshold + 1, 1}}};
    FP_TRY(fp_block_design_check(&in->key_design, error));
    return fp_block_design_masks(&in->key_design, in->arena, &in->key_masks, error);
}

fp_status fp_collection_keys(const fp_collection *in, fp_sketch sketch, fp_arena *arena, const uint64_t **keys,
                             size_t *count, fp_error *error) {
    size_t words = in->arm->instance.layout.bytes / sizeof(uint64_t), tables = fp_block_design_tables(&in->key_design);
    uint64_t *made = fp_arena_raw(arena, tables, sizeof *made), masked[FP_BLOCK_WORDS];
    const uint64_t *own = sketch.data, *mask = in->key_masks;
    if (!made) return fp_no_memory(error);
    for (size_t t = 0; t < tables; t++, mask += words) {
        for (size_t w = 0; w < words; w++) masked[w] = own[w] & mask[w];
        made[t] = fp_xxh3(masked, words * sizeof *masked, t);
    }
    *keys = made;
    *count = tables;
    return FP_OK;
}

/* ---- Look-ups: tables where there are some, and the list of those that came since ---- */

static fp_status search_lists(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    const uint64_t *keys, *numbers;
    const fp_string *fingerprints;
    size_t count;
    if (within > in->threshold)
        return fp_fail(error, FP_ERROR_RANGE,
                       "the key lists of this store find what is within %g; look further in a store that is a file",
                       in->threshold);
    FP_TRY(fp_collection_keys(in, query, list->arena, &keys, &count, error));
    FP_TRY(fp_records_near(in->records, keys, count, list->arena, &numbers, &fingerprints, &count, error));
    for (size_t i = 0; i < count; i++) {
        fp_sketch other = {fingerprints[i].data, fingerprints[i].length};
        if (other.size != query.size && in->arm->instance.layout.bytes)
            return fp_fail(error, FP_ERROR_SYNTAX, "record %llu has a fingerprint of %zu bytes, not %zu",
                           (unsigned long long)numbers[i], other.size, query.size);
        double distance = fp_arm_distance(in->arm, query, other);
        if (distance <= within) FP_TRY(fp_near_list_add(list, (uint32_t)numbers[i], distance, error));
    }
    return FP_OK;
}

fp_status fp_collection_add_recent(const fp_collection *in, fp_sketch query, double within, fp_near_list *list,
                                   fp_error *error) {
    size_t before = list->count, kept = before;
    FP_TRY(fp_sketch_list_near(&in->recent, in->arm, query, within, list, error));
    for (size_t i = before; i < list->count; i++)
        if (!fp_collection_is_gone(in, list->found[i].number)) list->found[kept++] = list->found[i];
    list->count = kept;
    return FP_OK;
}

static fp_status search(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    list->count = 0;
    if (fp_records_have_keys(in->records)) FP_TRY(search_lists(in, query, within, list, error));
    else {
        FP_TRY(fp_collection_search_tables(in, query, within, list, error));
        FP_TRY(fp_collection_add_recent(in, query, within, list, error));
    }
    fp_near_list_sort(list);
    return FP_OK;
}

fp_status fp_collection_near(fp_collection *collection, fp_sketch query, double within, size_t most, fp_arena *arena,
                             const fp_near **found, size_t *count, fp_error *error) {
    fp_near_list list = {.arena = arena};
    double fast = collection->threshold;
    bool far = most && within > fast && !fp_records_have_keys(collection->records);
    /* The nearest are often near: tables first, and all that is there where they do not bring enough. */
    FP_TRY(search(collection, query, far ? fast : within, &list, error));
    if (far && list.count < most) FP_TRY(search(collection, query, within, &list, error));
    *found = list.found;
    *count = most && list.count > most ? most : list.count;
    return FP_OK;
}
