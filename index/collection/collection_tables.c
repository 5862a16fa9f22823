/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables beside a store: opened, made anew, checked. The store says which they are, by their checksum, and what
 * they hold: every record below a number, as it was after so many entries of the deletion log. New ones are written as
 * FILE.tables.new, then the store is told, then they get their name: whoever is ended in between leaves tables that
 * the store knows. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "index/collection/table_kind.h"

/* The name of the file of tables; NULL when there is no memory. */
static const char *tables_path(const fp_collection *collection) {
    return fp_format(collection->arena, "%s.tables", collection->address);
}

/* ---- Opening ---- */

void fp_collection_choose_kind(fp_collection *in) {
    static const fp_table_kind *const KINDS[] = {&fp_table_blocks, &fp_table_bands};
    in->kind = NULL;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (!in->kind && KINDS[i]->fits(in)) in->kind = KINDS[i];
}

void fp_collection_close_tables(fp_collection *in) {
    if (in->tables) in->kind->close(in->tables);
    in->tables = NULL;
}

/* What the store says of its tables. */
typedef struct tables_state {
    char kind[16];
    unsigned long long through; /* 0: there are none */
    unsigned long long deleted; /* entries of the deletion log */
    unsigned long long sum;
} tables_state;

/* "blocks 1000001 12 5c0d…" */
static fp_status read_state(fp_collection *in, tables_state *state, fp_error *error) {
    fp_string value;
    *state = (tables_state){0};
    FP_TRY(fp_records_fact(in->records, FP_COLLECTION_FACT_TABLES, in->arena, &value, error));
    if (!value.data) return FP_OK;
    const char *text = fp_string_copy(in->arena, value);
    if (!text) return fp_no_memory(error);
    if (sscanf(text, "%15s %llu %llu %llx", state->kind, &state->through, &state->deleted, &state->sum) != 4)
        state->through = 0;
    return FP_OK;
}

static fp_status note_without(fp_collection *in, const char *why, fp_error *error) {
    in->caution = fp_format(in->arena,
                            "the tables of %s are not used (%s): every fingerprint is looked at; `fplab index merge` "
                            "makes them again",
                            in->address, why);
    return in->caution ? FP_OK : fp_no_memory(error);
}

/* Those that the store knows; where it is another file or none, why. */
static fp_status open_known(fp_collection *in, const char *path, const tables_state *state, fp_error *why) {
    if (strcmp(in->kind->name, state->kind) != 0)
        return fp_fail(why, FP_ERROR_UNKNOWN, "they are %s, and its fingerprints go into %s", state->kind,
                       in->kind->name);
    FP_TRY(in->kind->open(path, in->arena, &in->tables, why));
    if (in->kind->sum(in->tables) == state->sum) return FP_OK;
    fp_collection_close_tables(in);
    return fp_fail(why, FP_ERROR_UNKNOWN, "they are not those that it knows");
}

static fp_status open_tables(fp_collection *in, fp_error *error) {
    tables_state state;
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    const char *path = tables_path(in), *fresh = path ? fp_format(in->arena, "%s.new", path) : NULL;
    if (!fresh) return fp_no_memory(error);
    fp_collection_close_tables(in);
    in->through = 1;
    in->deleted_before = 0;
    if (!in->kind) return FP_OK;
    FP_TRY(read_state(in, &state, error));
    if (state.through == 0) return FP_OK;
    fp_status status = open_known(in, path, &state, &why);
    if (status != FP_OK && status != FP_ERROR_MEMORY && access(fresh, F_OK) == 0)
        status = open_known(in, fresh, &state, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status != FP_OK) return note_without(in, why.message, error);
    in->through = state.through;
    in->deleted_before = state.deleted;
    return FP_OK;
}

static fp_status take_deleted(void *context, uint64_t number, fp_error *error) {
    return fp_collection_set_gone(context, number, error);
}

static fp_status take_recent(void *context, const fp_record *record, fp_error *error) {
    fp_collection *in = context;
    if (record->says) return fp_sketch_list_add(&in->recent, (uint32_t)record->number, record->fingerprint, error);
    in->silent++;
    return FP_OK;
}

fp_status fp_collection_load(fp_collection *in, fp_error *error) {
    fp_sketch_list_cut(&in->recent, 0);
    fp_sketch_list_cut(&in->read, 0);
    in->has_read = false;
    in->silent = 0;
    FP_TRY(open_tables(in, error));
    FP_TRY(fp_records_each_deleted(in->records, in->deleted_before, take_deleted, in, error));
    return fp_records_each(in->records, in->through, false, take_recent, in, error);
}

/* ---- Making ---- */

/* Whether what is in memory is all that is there. */
static bool has_all(const fp_collection *in) {
    if (in->tables) return false;
    for (size_t i = 0; i < in->recent.count; i++)
        if (fp_collection_is_gone(in, in->recent.number[i])) return false;
    return true;
}

static fp_status take_any(void *context, const fp_record *record, fp_error *error) {
    return record->says ? fp_sketch_list_add(context, (uint32_t)record->number, record->fingerprint, error) : FP_OK;
}

/* All fingerprints, from the store: what tables hold may be damaged, and new ones would get checksums that are right.
 * `read` is the caller's, for those that are not in memory. */
static fp_status gather(const fp_collection *in, fp_sketch_list *read, const fp_sketch_list **all, fp_error *error) {
    *all = &in->recent;
    if (has_all(in)) return FP_OK;
    *all = read;
    return fp_records_each(in->records, 0, false, take_any, read, error);
}

/* Under a name for the time being; *sum is what the store will know them by. */
static fp_status write_tables(const fp_collection *in, const char *path, const fp_progress *progress, uint64_t *sum,
                              fp_error *error) {
    fp_sketch_list read;
    const fp_sketch_list *all;
    void *made;
    fp_sketch_list_open(&read, &in->arm->instance.layout, in->arena);
    fp_status status = gather(in, &read, &all, error);
    if (status == FP_OK) status = in->kind->write(in, all, path, progress, error);
    fp_sketch_list_free(&read);
    if (status == FP_OK) status = in->kind->open(path, in->arena, &made, error);
    if (status != FP_OK) return status;
    *sum = in->kind->sum(made);
    in->kind->close(made);
    return FP_OK;
}

static fp_status tell_store(fp_collection *in, uint64_t sum, fp_error *error) {
    fp_records_count counted;
    char value[96];
    FP_TRY(fp_records_begin(in->records, error));
    FP_TRY(fp_records_counted(in->records, &counted, error));
    snprintf(value, sizeof value, "%s %llu %llu %llx", in->kind->name, (unsigned long long)counted.next,
             (unsigned long long)counted.deleted, (unsigned long long)sum);
    FP_TRY(fp_records_set_fact(in->records, FP_COLLECTION_FACT_TABLES, fp_string_of(value), error));
    return fp_records_commit(in->records, error);
}

static fp_status merge_tables(fp_collection *in, const fp_progress *progress, fp_error *error) {
    const char *path = tables_path(in), *fresh = path ? fp_format(in->arena, "%s.new", path) : NULL;
    uint64_t sum = 0;
    if (!fresh) return fp_no_memory(error);
    fp_status status = write_tables(in, fresh, progress, &sum, error);
    if (status == FP_OK) status = tell_store(in, sum, error);
    if (status != FP_OK) {
        unlink(fresh);
        return status;
    }
    if (rename(fresh, path) != 0) return fp_file_error(error, path, "put in place");
    in->caution = NULL;
    return fp_collection_load(in, error);
}

fp_status fp_collection_merge(fp_collection *in, const fp_progress *progress, fp_error *error) {
    if (fp_records_have_keys(in->records)) return FP_OK;
    if (in->kind) FP_TRY(merge_tables(in, progress, error));
    return fp_collection_merge_sources(in, error);
}

bool fp_collection_wants_merge(const fp_collection *in) {
    enum { FEW = 1 << 16, SHARE = 8 };
    if (!in->kind || fp_records_have_keys(in->records)) return false;
    size_t merged = in->tables ? in->kind->count(in->tables) : 0;
    return in->recent.count > FEW && in->recent.count > merged / SHARE;
}
