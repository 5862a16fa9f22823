/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of a collection in a file: opening, making, checking. The fact "tables" holds their design and their
 * content: every record below a number, after so many entries of the deletion log. A transaction replaces all of them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/collection/collection_inside.h"
#include "index/store/store_engine.h"
#include "pairs/band_keys.h"
#include "pairs/block_pairs.h"

#define FACT_TABLES "tables"

/* ---- Choice ---- */

/* A band for each slot, which some arms and recalls need, costs more than a scan of all fingerprints. */
static bool takes_bands(const fp_collection *in) {
    return fp_layout_takes_bands(&in->arm->instance.layout) && *fp_arm_measure(in->arm) && in->recall < 1 &&
           fp_arm_similarity(in->arm, floor(in->threshold)) > 0;
}

void fp_collection_choose_kind(fp_collection *in) {
    in->kind = in->arm->instance.layout.bits ? FP_TABLES_BLOCKS : takes_bands(in) ? FP_TABLES_BANDS : FP_TABLES_NONE;
}

const char *fp_collection_design(const fp_collection *in, fp_arena *arena) {
    if (!in->tables) return "";
    if (in->kind == FP_TABLES_BLOCKS) return fp_block_design_text(&in->design, arena);
    return fp_format(arena, "bands=%u,rows=%u", in->banding.bands, in->banding.rows);
}

/* Chooses the design for so many fingerprints. For bits: the fastest that takes no more than sixteen tables would,
 * because each table is written and read. */
static fp_status choose_design(fp_collection *in, size_t count, fp_error *error) {
    enum { TABLES = 16, BESIDE = 5 /* bytes of a number and of the directory */ };
    const fp_layout *layout = &in->arm->instance.layout;
    double documents = count ? (double)count : 1, entry = (double)layout->bytes + BESIDE;
    if (in->kind == FP_TABLES_BANDS) return fp_arm_bands(in->arm, in->threshold, in->recall, &in->banding, error);
    return fp_block_design_choose((unsigned)layout->bits, (unsigned)in->threshold, documents,
                                  TABLES * entry * documents, &in->design, error);
}

static bool parse_design(fp_collection *in, const char *text) {
    const fp_layout *layout = &in->arm->instance.layout;
    if (in->kind == FP_TABLES_BLOCKS)
        return fp_block_design_parse(text, (unsigned)layout->bits, (unsigned)in->threshold, &in->design, NULL) == FP_OK;
    fp_banding *of = &in->banding;
    return sscanf(text, "bands=%u,rows=%u", &of->bands, &of->rows) == 2 && of->bands && of->rows &&
           of->bands <= FP_BANDS_MOST && (uint64_t)of->bands * of->rows <= layout->slots;
}

/* Opens tables of the design for so many fingerprints; buckets are read when needed. */
static fp_status open_buckets(const fp_collection *in, size_t count, fp_buckets **tables, fp_error *error) {
    fp_buckets form = {.records = in->records};
    if (in->kind == FP_TABLES_BLOCKS) {
        form.words = fp_block_words(in->design.bits);
        FP_TRY(fp_block_prefixes(&in->design, count, FP_BUCKET_LEAST, in->arena, &form.prefixes, &form.table_count,
                                 error));
    } else {
        form.words = 1;
        form.table_count = in->banding.bands;
        form.prefixes = FP_NEED(fp_arena_raw(in->arena, form.table_count, sizeof *form.prefixes), error);
        for (size_t b = 0; b < form.table_count; b++)
            FP_TRY(fp_bucket_prefix(count, in->arena, form.prefixes + b, error));
    }
    return fp_buckets_open(&form, in->arena, tables, error);
}

/* ---- Opening ---- */

/* "blocks=4 1000001 12 999988 47999424": the design, the number below which records are in the tables, entries of the
 * deletion log, fingerprints, bytes. */
static fp_status open_tables(fp_collection *in, fp_error *error) {
    fp_string value;
    char design[64];
    unsigned long long through, deleted, count, bytes;
    fp_buckets_close(in->tables);
    in->tables = NULL;
    in->through = 1;
    in->deleted_before = 0;
    if (in->kind == FP_TABLES_NONE) return FP_OK;
    FP_TRY(fp_records_fact(in->records, FACT_TABLES, in->arena, &value, error));
    if (!value.data) return FP_OK;
    if (sscanf(value.data, "%63s %llu %llu %llu %llu", design, &through, &deleted, &count, &bytes) != 5 || !through ||
        count > UINT32_MAX || !parse_design(in, design))
        return FP_FAIL_AT(error, FP_ERROR_SYNTAX, in->address,
                          "damaged: no tables of its arm are called %.60s; rebuild it", value.data);
    FP_TRY(open_buckets(in, count, &in->tables, error));
    in->through = through;
    in->deleted_before = deleted;
    in->in_tables = count;
    in->table_bytes = bytes;
    return FP_OK;
}

static fp_status take_recent(void *context, const fp_record *record, fp_error *error) {
    fp_collection *in = context;
    if (!record->empty) return fp_sketch_list_add(&in->recent, (uint32_t)record->number, record->fingerprint, error);
    in->empty++;
    return FP_OK;
}

fp_status fp_collection_load(fp_collection *in, fp_error *error) {
    fp_sketch_list_cut(&in->recent, 0);
    fp_sketch_list_cut(&in->read, 0);
    in->has_read = false;
    in->empty = 0;
    FP_TRY(open_tables(in, error));
    FP_TRY(fp_records_each_deleted(in->records, in->deleted_before, fp_collection_set_gone, in, error));
    return fp_records_each(in->records, in->through, false, take_recent, in, error);
}

/* ---- Making ---- */

static fp_status take_any(void *context, const fp_record *record, fp_error *error) {
    return record->empty ? FP_OK : fp_sketch_list_add(context, (uint32_t)record->number, record->fingerprint, error);
}

/* State while tables are made. */
typedef struct making {
    fp_buckets *to;
    const fp_arenas *arenas;
    const fp_arena *like;
    uint64_t bytes;
} making;

static fp_status write_table(making *with, size_t table, const fp_block_source *source, fp_error *error) {
    const fp_buckets *to = with->to;
    const fp_key_bits *prefix = to->prefixes + table;
    fp_block_table made;
    FP_SCRATCH(scratch, with->like, error);
    FP_TRY(fp_block_table_open(&made, source->count, to->words, prefix->bits, scratch, error));
    fp_block_group_by(source, to->words, prefix, &made);
    const fp_bucket entries = {source->count, made.fingerprints, made.numbers, NULL};
    return fp_buckets_write(to, table, made.begin, &entries, &with->bytes, error);
}

/* For bits each table has all fingerprints; for slots, the keys of its band. */
static fp_status write_tables(const fp_collection *in, const fp_sketch_list *all, making *with,
                              const fp_progress *progress, fp_error *error) {
    bool bands = in->kind == FP_TABLES_BANDS;
    size_t tables = with->to->table_count;
    fp_sketches view = fp_sketch_list_view(all);
    FP_SCRATCH(scratch, in->arena, error);
    const uint64_t *data = (const uint64_t *)(const void *)view.data;
    if (bands) {
        uint64_t *keys = FP_NEED(fp_arena_raw(scratch, tables * view.count, sizeof *keys), error);
        FP_TRY(fp_band_keys_each(&in->arm->instance.layout, in->banding, &view, keys, with->arenas, progress, error));
        data = keys;
    }
    for (size_t t = 0; t < tables; t++) {
        const fp_block_source source = {data + (bands ? t * view.count : 0), all->number, view.count};
        FP_TRY(write_table(with, t, &source, error));
        if (progress && progress->report) progress->report(progress->context, "tables", t + 1, tables);
    }
    return FP_OK;
}

static fp_status note_tables(const fp_collection *in, const char *design, size_t count, uint64_t bytes,
                             fp_error *error) {
    fp_records_count counted;
    char value[160];
    FP_TRY(fp_records_counted(in->records, &counted, error));
    snprintf(value, sizeof value, "%s %llu %llu %zu %llu", design, (unsigned long long)counted.next,
             (unsigned long long)counted.deleted, count, (unsigned long long)bytes);
    return fp_records_set_fact(in->records, FACT_TABLES, fp_string_of(value), error);
}

static fp_status replace_tables(fp_collection *in, const fp_sketch_list *all, making *with, const fp_progress *progress,
                                fp_error *error) {
    const char *design = FP_NEED(fp_collection_design(in, in->arena), error);
    FP_TRY(fp_records_begin(in->records, error));
    fp_status status = fp_buckets_remove(in->records, false, error);
    if (status == FP_OK) status = write_tables(in, all, with, progress, error);
    if (status == FP_OK) status = note_tables(in, design, all->sketches.count, with->bytes, error);
    return fp_records_end(in->records, status, error);
}

/* Reads the store, because the old tables may be damaged. */
static fp_status merge_all(fp_collection *in, fp_sketch_list *all, const fp_progress *progress, fp_error *error) {
    FP_TRY(fp_records_each(in->records, 0, false, take_any, all, error));
    fp_buckets_close(in->tables);
    in->tables = NULL;
    FP_TRY(choose_design(in, all->sketches.count, error));
    FP_TRY(open_buckets(in, all->sketches.count, &in->tables, error));
    FP_ARENAS(arenas, progress, in->arena, error);
    making with = {.to = in->tables, .arenas = &arenas, .like = in->arena};
    return replace_tables(in, all, &with, progress, error);
}

fp_status fp_collection_merge(fp_collection *in, const fp_progress *progress, fp_error *error) {
    fp_sketch_list all;
    fp_error none;
    if (fp_records_have_keys(in->records)) return FP_OK;
    if (in->kind != FP_TABLES_NONE) {
        fp_status status = fp_sketch_list_open(&all, &in->arm->instance.layout, in->arena, error);
        if (status == FP_OK) status = merge_all(in, &all, progress, error);
        fp_sketch_list_free(&all);
        fp_status loaded = fp_collection_load(in, status == FP_OK ? error : &none);
        if (status != FP_OK || loaded != FP_OK) return status != FP_OK ? status : loaded;
    }
    return fp_collection_merge_sources(in, error);
}

bool fp_collection_wants_merge(const fp_collection *in) {
    enum { FEW = 1 << 16, SHARE = 8 };
    if (in->kind == FP_TABLES_NONE || fp_records_have_keys(in->records)) return false;
    size_t merged = in->tables ? in->in_tables : 0;
    return in->recent.sketches.count > FEW && in->recent.sketches.count > merged / SHARE;
}

/* ---- Checking ---- */

typedef struct checking {
    const fp_collection *in;
    fp_store_report *problem;
    uint64_t *sums, *counts; /* [tables] from the records; NULL: no tables */
    uint64_t *found_sums, *found_counts;
} checking;

static void add_to_sums(checking *to, const fp_record *record) {
    const fp_collection *in = to->in;
    uint64_t keys[FP_BANDS_MOST];
    bool bands = in->kind == FP_TABLES_BANDS;
    const uint64_t *words = bands ? keys : (const uint64_t *)(const void *)record->fingerprint.data;
    if (bands) fp_band_keys(&in->arm->instance.layout, in->banding, record->fingerprint.data, keys);
    for (size_t t = 0; t < in->tables->table_count; t++) {
        to->sums[t] += fp_bucket_entry_sum(words + (bands ? t : 0), in->tables->words, (uint32_t)record->number);
        to->counts[t]++;
    }
}

static fp_status check_record(void *context, const fp_record *record, fp_error *error) {
    checking *to = context;
    size_t bytes = to->in->arm->instance.layout.bytes;
    (void)error;
    if (bytes && record->fingerprint.length != bytes)
        fp_store_problem(to->problem, "record %" PRIu64 " has a fingerprint of another width", record->number);
    else if (to->sums && record->number < to->in->through && !record->empty) add_to_sums(to, record);
    return FP_OK;
}

static bool is_gone(const void *context, uint32_t number) { return fp_collection_is_gone(context, number); }

static fp_status check_tables(checking *to, fp_error *error) {
    const fp_buckets *tables = to->in->tables;
    FP_TRY(fp_buckets_sum(tables, is_gone, to->in, to->found_sums, to->found_counts, error));
    for (size_t t = 0; t < tables->table_count; t++)
        if (to->found_sums[t] != to->sums[t] || to->found_counts[t] != to->counts[t])
            fp_store_problem(to->problem,
                             "table %zu does not match the records: %" PRIu64 " entries for %" PRIu64
                             "; `fplab index merge` makes the tables again",
                             t, to->found_counts[t], to->counts[t]);
    return FP_OK;
}

fp_status fp_collection_check(fp_collection *in, void (*problem)(void *context, const char *problem), void *context,
                              uint64_t *problems, fp_error *error) {
    fp_store_report report = {problem, context, 0};
    checking to = {.in = in, .problem = &report};
    size_t tables = in->tables ? in->tables->table_count : 0;
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    uint64_t *sums = FP_NEED(fp_arena_alloc(in->arena, 4 * tables + 1, sizeof *sums), error);
    if (tables) {
        to.sums = sums;
        to.counts = sums + tables;
        to.found_sums = sums + 2 * tables;
        to.found_counts = sums + 3 * tables;
    }
    FP_TRY(fp_records_each(in->records, 0, false, check_record, &to, error));
    if (tables) FP_TRY(fp_store_pass(&report, check_tables(&to, &why), &why, error));
    FP_TRY(fp_store_pass(&report, fp_collection_check_sources(in, &why), &why, error));
    *problems = report.problems;
    return FP_OK;
}

fp_status fp_collection_check_store(const char *address, void (*problem)(void *context, const char *problem),
                                    void *context, uint64_t *problems, fp_error *error) {
    fp_records *records;
    *problems = 0;
    FP_TRY(fp_records_open(address, FP_RECORDS_READ, NULL, &records, error));
    fp_status status = fp_records_check(records, problem, context, problems, error);
    fp_records_close(records);
    return status;
}
