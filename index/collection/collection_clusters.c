/* SPDX-License-Identifier: GPL-3.0-or-later
 * Clusters of a collection: names and updates. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/time_text.h"
#include "index/collection/collection_inside.h"

/* Followed by the number of a deleted record; value: the older cluster that its cluster has joined. */
#define FACT_CLUSTER "cluster/"
/* Every record below this number is joined. */
#define FACT_CLUSTERED "clustered"

enum { TRANSACTION = 8192 };

/* ---- Names ---- */

/* Reads a fact that is a whole number from 1 to `most`; otherwise *value stays. */
static fp_status number_fact(fp_collection *collection, const char *name, uint64_t most, fp_arena *arena,
                             uint64_t *value, fp_error *error) {
    fp_string text;
    int64_t number;
    FP_TRY(fp_records_fact(collection->records, name, arena, &text, error));
    if (text.data && fp_parse_integer(text.data, &number) && number > 0 && (uint64_t)number <= most)
        *value = (uint64_t)number;
    return FP_OK;
}

static fp_status set_number_fact(fp_collection *collection, const char *name, uint64_t value, fp_error *error) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return fp_records_set_fact(collection->records, name, fp_string_of(text), error);
}

/* The number of a deleted record still names its cluster. If that cluster has joined an older one, a fact names the
 * older one. */
static fp_status cluster_of_deleted(fp_collection *collection, uint64_t number, fp_arena *scratch, uint64_t *next,
                                    fp_error *error) {
    char name[48];
    snprintf(name, sizeof name, FACT_CLUSTER "%" PRIu64, number);
    *next = number;
    return number_fact(collection, name, number - 1, scratch, next, error);
}

static fp_status next_cluster(fp_collection *collection, uint64_t number, fp_arena *scratch, uint64_t *next,
                              fp_error *error) {
    fp_record record;
    fp_status status = fp_records_get(collection->records, number, false, scratch, &record, error);
    if (status == FP_ERROR_UNKNOWN) return cluster_of_deleted(collection, number, scratch, next, error);
    if (status == FP_OK) *next = record.cluster;
    return status;
}

fp_status fp_collection_cluster_of(fp_collection *collection, uint64_t number, uint64_t *cluster, fp_error *error) {
    FP_SCRATCH(scratch, collection->arena, error);
    *cluster = number;
    for (uint64_t next = 0; next != *cluster; fp_arena_reset(scratch)) {
        if (next) *cluster = next;
        FP_TRY(next_cluster(collection, *cluster, scratch, &next, error));
    }
    return FP_OK;
}

fp_status fp_collection_join_clusters(fp_collection *collection, uint64_t a, uint64_t b, fp_error *error) {
    char name[48];
    FP_TRY(fp_collection_cluster_of(collection, a, &a, error));
    FP_TRY(fp_collection_cluster_of(collection, b, &b, error));
    if (a == b) return FP_OK;
    uint64_t older = a < b ? a : b, younger = a < b ? b : a;
    fp_status status = fp_records_set_cluster(collection->records, younger, older, error);
    if (status != FP_ERROR_UNKNOWN) return status;
    snprintf(name, sizeof name, FACT_CLUSTER "%" PRIu64, younger);
    return set_number_fact(collection, name, older, error);
}

/* ---- Joining new records ---- */

typedef struct clustering {
    fp_collection *collection;
    int64_t window;
    fp_arena *scratch;
    uint64_t joined;
} clustering;

static fp_status join_record(clustering *with, uint64_t number, fp_error *error) {
    fp_collection *collection = with->collection;
    fp_record record, other;
    const fp_near *found;
    size_t count;
    fp_arena_reset(with->scratch);
    fp_status status = fp_records_get(collection->records, number, false, with->scratch, &record, error);
    if (status == FP_ERROR_UNKNOWN) return FP_OK; /* deleted */
    if (status != FP_OK || record.empty) return status;
    fp_sketch sketch = {.data = record.fingerprint.data, .size = record.fingerprint.length};
    FP_TRY(fp_collection_near(collection, sketch, collection->threshold, 0, with->scratch, &found, &count, error));
    for (size_t i = 0; i < count; i++) {
        uint64_t own, its;
        if (found[i].number >= number) continue;
        if (with->window) {
            FP_TRY(fp_records_get(collection->records, found[i].number, false, with->scratch, &other, error));
            if (!fp_times_within(record.time, other.time, with->window)) continue;
        }
        FP_TRY(fp_collection_cluster_of(collection, number, &own, error));
        FP_TRY(fp_collection_cluster_of(collection, found[i].number, &its, error));
        if (own == its) continue;
        FP_TRY(fp_collection_join_clusters(collection, own, its, error));
        with->joined++;
    }
    return FP_OK;
}

static fp_status join_some(clustering *with, uint64_t from, uint64_t end, fp_error *error) {
    fp_collection *collection = with->collection;
    FP_TRY(fp_collection_begin(collection, error));
    fp_status status = FP_OK;
    for (uint64_t number = from; status == FP_OK && number < end; number++) status = join_record(with, number, error);
    if (status == FP_OK) status = set_number_fact(collection, FACT_CLUSTERED, end, error);
    return fp_collection_end(collection, status, error);
}

fp_status fp_collection_cluster(fp_collection *collection, int64_t window, const fp_progress *progress,
                                uint64_t *joined, fp_error *error) {
    FP_SCRATCH(scratch, collection->arena, error);
    clustering with = {.collection = collection, .window = window, .scratch = scratch};
    fp_records_count counted;
    uint64_t from = 1;
    fp_status status = number_fact(collection, FACT_CLUSTERED, INT64_MAX, scratch, &from, error);
    if (status == FP_OK) status = fp_records_counted(collection->records, &counted, error);
    for (; status == FP_OK && from < counted.next; from += TRANSACTION) {
        uint64_t end = counted.next - from < TRANSACTION ? counted.next : from + TRANSACTION;
        status = join_some(&with, from, end, error);
        if (progress && progress->report) progress->report(progress->context, "clusters", end, counted.next);
    }
    *joined = with.joined;
    return status;
}

/* ---- List of clusters ---- */

typedef struct counting {
    fp_collection *collection;
    uint32_t *of;   /* [next] the cluster of each record; 0: none */
    uint32_t *size; /* [next] */
} counting;

static fp_status count_record(void *context, const fp_record *record, fp_error *error) {
    counting *to = context;
    uint64_t root = record->cluster;
    /* Older records were visited before, unless they are deleted. */
    if (root != record->number && to->of[root]) root = to->of[root];
    else if (root != record->number) FP_TRY(fp_collection_cluster_of(to->collection, record->number, &root, error));
    to->of[record->number] = (uint32_t)root;
    to->size[root]++;
    return FP_OK;
}

FP_COMPARES(by_size, fp_collection_cluster_size, FP_ORDER(b->size, a->size) ?: FP_ORDER(a->number, b->number));

fp_status fp_collection_clusters(fp_collection *collection, fp_arena *arena, fp_collection_cluster_size **list,
                                 size_t *count, fp_error *error) {
    fp_records_count counted;
    counting to = {.collection = collection};
    *count = 0;
    FP_TRY(fp_records_counted(collection->records, &counted, error));
    to.of = FP_NEED(fp_arena_alloc(arena, counted.next, sizeof *to.of), error);
    to.size = FP_NEED(fp_arena_alloc(arena, counted.next, sizeof *to.size), error);
    FP_TRY(fp_records_each(collection->records, 0, false, count_record, &to, error));
    *list = FP_NEED(fp_arena_raw(arena, counted.records, sizeof **list), error);
    for (uint64_t n = 0; n < counted.next; n++)
        if (to.size[n] > 1) (*list)[(*count)++] = (fp_collection_cluster_size){(uint32_t)n, to.size[n]};
    if (*count) qsort(*list, *count, sizeof **list, by_size);
    return FP_OK;
}
