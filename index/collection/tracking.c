/* SPDX-License-Identifier: GPL-3.0-or-later
 * Matches each text against all earlier ones. */
#include "index/collection/tracking.h"

#include <math.h>

#include "base/time_text.h"
#include "text/alignment/alignment.h"

/* "0-120=15-135,…": character ranges in the later and the earlier text. NULL: out of memory. */
static const char *write_passages(const fp_alignment *alignment, fp_arena *arena) {
    enum { MOST = 64 }; /* the longest passages; the others are short */
    size_t count = alignment->count < MOST ? alignment->count : MOST;
    const char *text = "";
    for (size_t i = 0; text && i < count; i++) {
        const fp_passage *passage = alignment->passages + i;
        text = fp_format(arena, "%s%s%zu-%zu=%zu-%zu", text, i ? "," : "", passage->from[0], passage->to[0],
                         passage->from[1], passage->to[1]);
    }
    return text;
}

/* Whether the record passes as the original, and the share of the text in it. */
static fp_status compare(const fp_tracking *with, fp_string text, const fp_record *original, fp_arena *arena,
                         fp_tracked *tracked, bool *passes, fp_error *error) {
    fp_alignment alignment;
    *passes = true;
    if (!with->aligns || original->text.length == 0 || text.length == 0) return FP_OK;
    FP_TRY(fp_align(text, original->text, 0, arena, &alignment, error));
    *passes = alignment.share[0] >= with->least;
    if (!*passes) return FP_OK;
    const char *passages = FP_NEED(write_passages(&alignment, arena), error);
    tracked->passages = fp_string_of(passages);
    tracked->shared = alignment.share[0];
    return FP_OK;
}

/* Chooses the nearest record within the window that passes. */
static fp_status choose(const fp_tracking *with, const fp_record *record, fp_string text, const fp_near *found,
                        size_t count, fp_arena *arena, fp_tracked *tracked, fp_error *error) {
    fp_records *records = fp_collection_records(with->collection);
    for (size_t i = 0; i < count; i++) {
        fp_record other;
        bool passes, open = tracked->earlier == 0;
        if (!open && !with->window) {
            tracked->near = count;
            return FP_OK;
        }
        FP_TRY(fp_records_get(records, found[i].number, open, arena, &other, error));
        if (with->window && !fp_times_within(record->time, other.time, with->window)) continue;
        tracked->near++;
        if (!open) continue;
        FP_TRY(compare(with, text, &other, arena, tracked, &passes, error));
        if (!passes) continue;
        tracked->earlier = found[i].number;
        tracked->distance = found[i].distance;
        tracked->original = other;
    }
    return FP_OK;
}

static fp_status note_match(fp_collection *collection, fp_tracked *tracked, fp_error *error) {
    const fp_record_match match = {.later = tracked->number,
                                   .earlier = tracked->earlier,
                                   .distance = tracked->distance,
                                   .similarity = tracked->similarity,
                                   .shared = tracked->shared,
                                   .passages = tracked->passages};
    FP_TRY(fp_records_add_match(fp_collection_records(collection), &match, error));
    FP_TRY(fp_collection_join_clusters(collection, tracked->number, tracked->earlier, error));
    return fp_collection_cluster_of(collection, tracked->number, &tracked->cluster, error);
}

fp_status fp_track(const fp_tracking *tracking, fp_record *record, fp_sketch sketch, fp_string text, fp_arena *arena,
                   fp_tracked *tracked, fp_error *error) {
    fp_collection *collection = tracking->collection;
    const fp_near *found = NULL;
    size_t count = 0;
    *tracked = (fp_tracked){.distance = NAN, .similarity = NAN, .shared = NAN, .passages = {"", 0}};
    if (!record->empty)
        FP_TRY(fp_collection_near(collection, sketch, tracking->within, 0, arena, &found, &count, error));
    FP_TRY(choose(tracking, record, text, found, count, arena, tracked, error));
    FP_TRY(fp_collection_add(collection, record, sketch, error));
    tracked->number = tracked->cluster = record->number;
    if (!tracked->earlier) return FP_OK;
    tracked->similarity = fp_arm_similarity(fp_collection_arm(collection), tracked->distance);
    return note_match(collection, tracked, error);
}
