/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab cluster --collection: the clusters of a collection, brought up to date. */
#include "cli/commands/index/index.h"

static fp_status put_cluster(fp_collection *collection, const fp_collection_cluster_size *of, fp_arena *scratch,
                             fp_table *table, fp_error *error) {
    fp_record record = {.id = {"", 0}, .title = {"", 0}};
    fp_arena_reset(scratch);
    fp_status status = fp_records_get(fp_collection_records(collection), of->number, false, scratch, &record, error);
    if (status != FP_OK && status != FP_ERROR_UNKNOWN) return status;
    fp_table_count(table, of->number);
    fp_table_count(table, of->size);
    fp_table_string(table, status == FP_OK ? record.id : fp_string_of("(deleted)"));
    fp_table_string(table, record.title);
    return FP_OK;
}

static fp_status put_clusters(const fp_cli_clustering *with, fp_collection *collection, fp_table *table, size_t *count,
                              fp_error *error) {
    fp_collection_cluster_size *list;
    FP_TRY(fp_collection_clusters(collection, with->arena, &list, count, error));
    fp_arena *scratch = fp_arena_new();
    if (!scratch) return fp_no_memory(error);
    size_t most = with->as == FP_FORMAT_TABLE && *count > with->largest ? with->largest : *count;
    fp_status status = FP_OK;
    for (size_t i = 0; status == FP_OK && i < most; i++)
        status = put_cluster(collection, list + i, scratch, table, error);
    fp_arena_free(scratch);
    return status;
}

static int cluster(const fp_cli_clustering *with, fp_collection *collection) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_progress progress = fp_cli_progress();
    fp_cli_near near = {0};
    uint64_t joined;
    size_t count;
    int status = fp_cli_collection_near(collection, with->arena, &near);
    if (status >= 0) return status;
    fp_table *table = fp_table_new(">cluster|>texts|oldest|title", with->arena);
    fp_status done =
        table ? fp_collection_cluster(collection, with->window, &progress, &joined, &error) : fp_no_memory(&error);
    if (done == FP_OK) done = put_clusters(with, collection, table, &count, &error);
    fp_cli_progress_end();
    status = done == FP_OK ? fp_cli_write(table, with->as) : fp_cli_fail(&error);
    if (status != FP_EXIT_SUCCESS) return status;
    fp_cli_note("%s has %zu %s of two texts and more; %llu %s new.\n", with->address, count,
                fp_cli_word(count, "cluster", "clusters"), (unsigned long long)joined,
                fp_cli_word(joined, "join is", "joins are"));
    return fp_cli_collection_expect(collection, &near, near.within, with->arena);
}

int fp_cli_cluster_collection(const fp_cli_clustering *with) {
    fp_collection *collection;
    int status = fp_cli_collection(with->address, true, with->arena, &collection);
    if (status >= 0) return status;
    status = cluster(with, collection);
    fp_collection_close(collection);
    return status;
}
