/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of a collection of MinHash signatures: bands of slots (pairs/tables). They hold keys and numbers alone:
 * candidates are measured by the fingerprints of their records, and all fingerprints are read only when somebody looks
 * further than the threshold. */
#include "index/collection/table_bands.h"

#include <math.h>

#include "index/collection/table_kind.h"

/* A band for each slot, for arms and recalls that need it, takes more than reading all fingerprints. */
static bool fits(const fp_collection *of) {
    return fp_layout_takes_bands(&of->arm->instance.layout) && *fp_arm_measure(of->arm) && of->recall < 1 &&
           fp_arm_similarity(of->arm, floor(of->threshold)) > 0;
}

static fp_status write(const fp_collection *of, const fp_sketch_list *list, const char *path,
                       const fp_progress *progress, fp_error *error) {
    fp_sketches all = fp_sketch_list_view(list);
    fp_banding banding;
    fp_band_tables *made;
    FP_TRY(fp_arm_bands(of->arm, of->threshold, of->recall, &banding, error));
    FP_TRY(fp_band_tables_build(&of->arm->instance.layout, banding, &all, list->number, progress, of->arena, &made,
                                error));
    fp_status status = fp_band_tables_write(made, path, of->arena, error);
    fp_band_tables_close(made);
    return status;
}

static fp_status open(const char *path, const fp_arena *like, void **tables, fp_error *error) {
    fp_band_tables *opened;
    FP_TRY(fp_band_tables_open(path, like, &opened, error));
    *tables = opened;
    return FP_OK;
}

static void close(void *tables) { fp_band_tables_close(tables); }
static uint64_t sum(const void *tables) { return fp_section_file_sum(fp_band_tables_file(tables)); }
static size_t count(const void *tables) { return fp_band_tables_form(tables).count; }
static size_t bytes(const void *tables) { return fp_band_tables_bytes(tables); }

static const char *design(const void *tables, fp_arena *arena) {
    fp_banding banding = fp_band_tables_form(tables).banding;
    return fp_format(arena, "bands=%u,rows=%u", banding.bands, banding.rows);
}

static double recall(const fp_collection *of, double distance) {
    return fp_arm_bands_recall(of->arm, fp_band_tables_form(of->tables).banding, distance);
}

/* ---- Looking up ---- */

/* Measures a candidate; one whose record is gone was deleted by another process. */
static fp_status look_at(const fp_collection *in, uint32_t number, fp_sketch query, double within, fp_arena *scratch,
                         fp_near_list *list, fp_error *error) {
    fp_record record;
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (number >= in->through || fp_collection_is_gone(in, number)) return FP_OK;
    fp_arena_reset(scratch);
    fp_status status = fp_records_get(in->records, number, false, scratch, &record, &why);
    if (status == FP_ERROR_UNKNOWN) return FP_OK;
    if (status != FP_OK && error) *error = why;
    if (status != FP_OK) return status;
    if (record.fingerprint.length != query.size)
        return fp_fail(error, FP_ERROR_SYNTAX, "record %u has a fingerprint of %zu bytes, not %zu", number,
                       record.fingerprint.length, query.size);
    double distance = fp_arm_distance(in->arm, query, (fp_sketch){.data = record.fingerprint.data, .size = record.fingerprint.length});
    return distance <= within ? fp_near_list_add(list, number, distance, error) : FP_OK;
}

static fp_status near(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    const uint32_t *candidates;
    size_t count;
    fp_arena *scratch = fp_arena_new_like(in->arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status =
        fp_band_candidates(in->tables, &in->arm->instance.layout, query, list->arena, &candidates, &count, NULL, error);
    for (size_t i = 0; status == FP_OK && i < count; i++)
        status = look_at(in, candidates[i], query, within, scratch, list, error);
    fp_arena_free(scratch);
    return status;
}

static fp_status take_record(void *context, const fp_record *record, fp_error *error) {
    fp_collection *in = context;
    if (!record->says || record->number >= in->through) return FP_OK;
    return fp_sketch_list_add(&in->read, (uint32_t)record->number, record->fingerprint, error);
}

static fp_status scan(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    size_t before = list->count, kept = before;
    if (!in->has_read) {
        fp_sketch_list_cut(&in->read, 0);
        FP_TRY(fp_records_each(in->records, 0, false, take_record, in, error));
        in->has_read = true;
    }
    FP_TRY(fp_sketch_list_near(&in->read, in->arm, query, within, list, error));
    for (size_t i = before; i < list->count; i++)
        if (!fp_collection_is_gone(in, list->found[i].number)) list->found[kept++] = list->found[i];
    list->count = kept;
    return FP_OK;
}

/* ---- Checking ---- */

static fp_status verify(const fp_collection *in, fp_tell_problem tell, void *context, uint64_t *problems,
                        const fp_progress *progress, fp_error *error) {
    return fp_collection_verify_file(fp_band_tables_file(in->tables), "`fplab index merge` makes the tables again",
                                     tell, context, problems, progress, error);
}

static fp_status list_nothing(const fp_collection *in, fp_arena *arena, void **listed, fp_error *error) {
    (void)in, (void)arena, (void)error;
    *listed = NULL;
    return FP_OK;
}

static const char *wrong(const fp_collection *in, const void *listed, const fp_record *record) {
    fp_sketch sketch = {.data = record->fingerprint.data, .size = record->fingerprint.length};
    (void)listed;
    return fp_band_tables_hold(in->tables, &in->arm->instance.layout, sketch, (uint32_t)record->number)
               ? NULL
               : "is missing in a band of the tables";
}

const fp_table_kind fp_table_bands = {
    .name = "bands",
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
    .scan = scan,
    .verify = verify,
    .list = list_nothing,
    .wrong = wrong,
};

/* ---- Bands for an arm and a threshold ---- */

bool fp_layout_takes_bands(const fp_layout *layout) {
    return layout->bits == 0 && layout->slots > 0 && layout->slots <= FP_BANDING_SLOTS && layout->slot_bits <= 64;
}

fp_status fp_arm_bands(const fp_arm *arm, double within, double recall, fp_banding *banding, fp_error *error) {
    const fp_layout *layout = fp_arm_layout(arm);
    double similarity = fp_arm_similarity(arm, floor(within));
    *banding = floor(within) > 0 ? (fp_banding){(unsigned)layout->slots, 1} : (fp_banding){1, (unsigned)layout->slots};
    bool by_curve = *fp_arm_measure(arm) && recall < 1 && similarity > 0 && similarity < 1;
    return by_curve ? fp_band_choose(layout, similarity, recall, banding, error) : FP_OK;
}

double fp_arm_bands_recall(const fp_arm *arm, fp_banding banding, double distance) {
    const fp_layout *layout = fp_arm_layout(arm);
    double differing = floor(distance);
    return differing < banding.bands ? 1 : fp_banding_probability(banding, 1 - differing / (double)layout->slots);
}
