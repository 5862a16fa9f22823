/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records of one collection into another. */
#include "index/collection/shards.h"

#include <string.h>

#include "index/collection/collection_inside.h"

typedef struct taking {
    fp_collection *to, *from;
    uint32_t *number; /* [next of from] the new number of each record; 0: none */
    uint64_t next, count;
} taking;

static fp_status same_fact(const taking *in, const char *name, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(in->to->arena);
    fp_string a, b;
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_records_fact(in->to->records, name, scratch, &a, error);
    if (status == FP_OK) status = fp_records_fact(in->from->records, name, scratch, &b, error);
    bool same = status == FP_OK && a.data && b.data && fp_string_equal(a, b);
    fp_arena_free(scratch);
    if (status != FP_OK || same) return status;
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s and %s differ in their %s", in->to->address, in->from->address, name);
}

static fp_status copy_record(void *context, const fp_record *record, fp_error *error) {
    taking *in = context;
    fp_record copy = *record;
    uint64_t cluster = record->cluster < record->number ? in->number[record->cluster] : 0;
    FP_TRY(fp_collection_add(in->to, &copy, (fp_sketch){record->fingerprint.data, record->fingerprint.length}, error));
    in->number[record->number] = (uint32_t)copy.number;
    in->count++;
    return cluster ? fp_collection_join_clusters(in->to, copy.number, cluster, error) : FP_OK;
}

/* Of records that are still there. */
static fp_status copy_match(void *context, const fp_record_match *match, fp_error *error) {
    taking *in = context;
    fp_record_match copy = *match;
    if (match->later >= in->next || match->earlier >= in->next) return FP_OK;
    copy.later = in->number[match->later];
    copy.earlier = in->number[match->earlier];
    return copy.later && copy.earlier ? fp_records_add_match(in->to->records, &copy, error) : FP_OK;
}

static fp_status copy_all(taking *in, fp_arena *scratch, fp_error *error) {
    fp_records_count counted;
    FP_TRY(fp_records_counted(in->from->records, &counted, error));
    in->next = counted.next;
    in->number = fp_arena_alloc(scratch, counted.next, sizeof *in->number);
    if (!in->number) return fp_no_memory(error);
    FP_TRY(fp_records_each(in->from->records, 0, in->to->keeps_texts, copy_record, in, error));
    return fp_records_each_match(in->from->records, 0, copy_match, in, error);
}

fp_status fp_collection_take(fp_collection *to, fp_collection *from, uint64_t *taken, fp_error *error) {
    static const char *const SAME[] = {"arm", "model", "threshold"};
    taking in = {.to = to, .from = from};
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) FP_TRY(same_fact(&in, SAME[i], error));
    fp_arena *scratch = fp_arena_new_like(to->arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_collection_begin(to, error);
    if (status == FP_OK) {
        status = copy_all(&in, scratch, error);
        if (status == FP_OK) status = fp_collection_commit(to, error);
        else fp_collection_abort(to);
    }
    fp_arena_free(scratch);
    *taken = in.count;
    return status;
}
