/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms under several seeds. */
#include "eval/outcome/seeded_arms.h"

fp_status fp_hash_seeds_for(const fp_corpus *corpus, const fp_hash_seeds *asked, size_t *count, fp_error *error) {
    bool listed = corpus->truth == FP_TRUTH_PAIRS;
    if (asked->count > FP_HASH_SEEDS_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "%zu hash seeds; %d are the most", asked->count, FP_HASH_SEEDS_MOST);
    if (asked->count > 1 && !listed)
        return fp_fail(error, FP_ERROR_RANGE,
                       "%s has groups, of too many documents to list all pairs: they are measured under one hash seed",
                       corpus->name);
    bool small = listed && corpus->document_count <= FP_HASH_SEEDS_DOCUMENTS;
    *count = asked->count ? asked->count : small ? FP_HASH_SEEDS : 1;
    return FP_OK;
}

static size_t seeds_of(const fp_arm *arm, const fp_hash_seeds *seeds) { return arm && arm->seed ? seeds->count : 1; }

/* One arm and its further seeds. */
static fp_status add(fp_arm *arm, size_t place, const fp_hash_seeds *seeds, fp_arena *arena, fp_seeded_arms *to,
                     fp_further_seeds *further, fp_error *error) {
    *further = (fp_further_seeds){to->lane_count, seeds_of(arm, seeds) - 1};
    to->lanes[place] = arm;
    if (!arm || !arm->seed) return FP_OK;
    uint64_t first = seeds->from ? seeds->first : fp_arm_own_seed(arm);
    if (seeds->from) FP_TRY(fp_arm_reseed(arm, first, arena, to->lanes + place, error));
    for (size_t k = 1; k <= further->count; k++)
        FP_TRY(fp_arm_reseed(arm, first + k, arena, to->lanes + to->lane_count++, error));
    return FP_OK;
}

fp_status fp_seeded_arms_make(fp_arm *const *arms, size_t count, const fp_hash_seeds *seeds, fp_arena *arena,
                              fp_seeded_arms *out, fp_error *error) {
    size_t lanes = count;
    for (size_t i = 0; i < count; i++) lanes += seeds_of(arms[i], seeds) - 1;
    fp_further_seeds *further = fp_arena_alloc(arena, count, sizeof *further);
    *out = (fp_seeded_arms){.count = count, .lane_count = count, .further = further};
    out->lanes = fp_arena_raw(arena, lanes, sizeof(fp_arm *));
    if (!further || !out->lanes) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) FP_TRY(add(arms[i], i, seeds, arena, out, further + i, error));
    return FP_OK;
}
