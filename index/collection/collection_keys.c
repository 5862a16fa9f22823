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
