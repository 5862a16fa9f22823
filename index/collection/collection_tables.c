/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables beside a store: opened, made anew, checked. The store says which they are, by their checksum, and what
 * they hold: every record below a number, as it was after so many entries of the deletion log. New ones are written as
 * FILE.tables.new, then the store is told, then they get their name: whoever is ended in between leaves tables that
 * the store knows. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/order.h"
#include "index/collection/collection_inside.h"

const char *fp_collection_tables_path(const fp_collection *collection) {
    return fp_format(collection->arena, "%s.tables", collection->address);
}

/* ---- Opening ---- */

/* What the store says of its tables. */
typedef struct tables_state {
    unsigned long long through; /* 0: there are none */
    unsigned long long deleted; /* entries of the deletion log */
    unsigned long long sum;
} tables_state;

/* "1000001 12 5c0d…" */
static fp_status read_state(fp_collection *in, tables_state *state, fp_error *error) {
    fp_string value;
    *state = (tables_state){0};
    FP_TRY(fp_records_fact(in->records, FP_COLLECTION_FACT_TABLES, in->arena, &value, error));
    if (!value.data) return FP_OK;
    const char *text = fp_string_copy(in->arena, value);
    if (!text) return fp_no_memory(error);
    if (sscanf(text, "%llu %llu %llx", &state->through, &state->deleted, &state->sum) != 3) state->through = 0;
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
static fp_status open_known(fp_collection *in, const char *path, uint64_t sum, fp_error *why) {
    FP_TRY(fp_block_tables_open(path, in->arena, &in->tables, why));
    if (fp_block_tables_sum(in->tables) == sum) return FP_OK;
    fp_block_tables_close(in->tables);
    in->tables = NULL;
    return fp_fail(why, FP_ERROR_UNKNOWN, "they are not those that it knows");
}

static fp_status open_tables(fp_collection *in, fp_error *error) {
    tables_state state;
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    const char *path = fp_collection_tables_path(in), *fresh = path ? fp_format(in->arena, "%s.new", path) : NULL;
    if (!fresh) return fp_no_memory(error);
    fp_block_tables_close(in->tables);
    in->tables = NULL;
    in->through = 1;
    in->deleted_before = 0;
    if (!fp_collection_has_blocks(in)) return FP_OK;
    FP_TRY(read_state(in, &state, error));
    if (state.through == 0) return FP_OK;
    fp_status status = open_known(in, path, state.sum, &why);
    if (status != FP_OK && status != FP_ERROR_MEMORY && access(fresh, F_OK) == 0)
        status = open_known(in, fresh, state.sum, &why);
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

/* Those that the tables do not hold. */
static fp_status load_recent(fp_collection *in, fp_error *error) {
    fp_sketch_list_cut(&in->recent, 0);
    in->silent = 0;
    FP_TRY(fp_records_each_deleted(in->records, in->deleted_before, take_deleted, in, error));
    return fp_records_each(in->records, in->through, false, take_recent, in, error);
}

fp_status fp_collection_load(fp_collection *in, fp_error *error) {
    FP_TRY(open_tables(in, error));
    return load_recent(in, error);
}

/* ---- Making ---- */

/* Fingerprints of what is there, with their numbers. */
typedef struct gathered {
    uint64_t *words; /* [count][width] */
    uint32_t *numbers;
    size_t count, width;
} gathered;

static void gather(gathered *to, const void *fingerprint, uint32_t number) {
    memcpy(to->words + to->count * to->width, fingerprint, to->width * sizeof *to->words);
    to->numbers[to->count++] = number;
}

/* What is damaged would get a checksum that is right: fingerprints are read back from a table that is whole, and where
 * none is, from the records. *whole: which. */
static fp_status choose_whole(fp_collection *in, size_t *whole, fp_error *error) {
    *whole = 0;
    if (!in->tables) return FP_OK;
    fp_error why;
    fp_status status = fp_block_tables_whole(in->tables, whole, &why);
    if (status == FP_OK) return FP_OK;
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    fp_block_tables_close(in->tables);
    in->tables = NULL;
    in->through = 1;
    in->deleted_before = 0;
    return load_recent(in, error);
}

/* Tables give their fingerprints in an order of their own: places by number bring them back into theirs. */
static fp_status gather_tables(const fp_collection *in, size_t whole, gathered *to, fp_arena *arena, fp_error *error) {
    size_t count = fp_block_tables_count(in->tables);
    uint32_t *place = fp_arena_alloc(arena, in->through, sizeof *place), number; /* entry + 1 by number */
    if (!place) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        fp_block_tables_entry_of(in->tables, whole, i, &number);
        if (number < in->through && !fp_collection_is_gone(in, number)) place[number] = (uint32_t)i + 1;
    }
    for (uint64_t n = 0; n < in->through; n++)
        if (place[n]) gather(to, fp_block_tables_entry_of(in->tables, whole, place[n] - 1, &number), (uint32_t)n);
    return FP_OK;
}

static fp_status gather_all(fp_collection *in, gathered *to, fp_arena *arena, fp_error *error) {
    size_t whole;
    FP_TRY(choose_whole(in, &whole, error));
    size_t room = in->recent.count + (in->tables ? fp_block_tables_count(in->tables) : 0);
    *to = (gathered){.width = in->arm->instance.layout.bytes / sizeof *to->words};
    to->words = fp_arena_raw(arena, room * to->width, sizeof *to->words);
    to->numbers = fp_arena_raw(arena, room, sizeof *to->numbers);
    if (!to->words || !to->numbers) return fp_no_memory(error);
    if (in->tables) FP_TRY(gather_tables(in, whole, to, arena, error));
    fp_sketches recent = fp_sketch_list_view(&in->recent);
    for (size_t i = 0; i < recent.count; i++)
        if (!fp_collection_is_gone(in, in->recent.number[i]))
            gather(to, fp_sketches_at(&recent, i).data, in->recent.number[i]);
    return FP_OK;
}

/* Under a name for the time being; *sum is what the store will know them by. */
static fp_status write_tables(fp_collection *in, const gathered *all, const char *path, const fp_progress *progress,
                              uint64_t *sum, fp_error *error) {
    fp_block_tables *made;
    const fp_layout *layout = &in->arm->instance.layout;
    const fp_block_source source = {all->words, all->numbers, all->count};
    fp_block_design design;
    double documents = all->count ? (double)all->count : 1;
    FP_TRY(fp_block_design_choose((unsigned)layout->bits, (unsigned)in->threshold, documents, 0, &design, error));
    FP_TRY(fp_block_tables_write(&design, &source, path, progress, in->arena, error));
    FP_TRY(fp_block_tables_open(path, in->arena, &made, error));
    *sum = fp_block_tables_sum(made);
    fp_block_tables_close(made);
    return FP_OK;
}

static fp_status tell_store(fp_collection *in, uint64_t sum, fp_error *error) {
    fp_records_count counted;
    char value[80];
    FP_TRY(fp_records_begin(in->records, error));
    FP_TRY(fp_records_counted(in->records, &counted, error));
    snprintf(value, sizeof value, "%llu %llu %llx", (unsigned long long)counted.next,
             (unsigned long long)counted.deleted, (unsigned long long)sum);
    FP_TRY(fp_records_set_fact(in->records, FP_COLLECTION_FACT_TABLES, fp_string_of(value), error));
    return fp_records_commit(in->records, error);
}

static fp_status merge_blocks(fp_collection *in, const fp_progress *progress, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(in->arena);
    const char *path = fp_collection_tables_path(in), *fresh = path ? fp_format(in->arena, "%s.new", path) : NULL;
    gathered all;
    uint64_t sum = 0;
    if (!scratch || !fresh) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    fp_status status = gather_all(in, &all, scratch, error);
    if (status == FP_OK) status = write_tables(in, &all, fresh, progress, &sum, error);
    fp_arena_free(scratch);
    if (status == FP_OK) status = tell_store(in, sum, error);
    if (status == FP_OK && rename(fresh, path) != 0) status = fp_file_error(error, path, "put in place");
    in->caution = NULL;
    return status == FP_OK ? fp_collection_load(in, error) : status;
}

fp_status fp_collection_merge(fp_collection *in, const fp_progress *progress, fp_error *error) {
    if (fp_records_have_keys(in->records)) return FP_OK;
    if (fp_collection_has_blocks(in)) FP_TRY(merge_blocks(in, progress, error));
    return fp_collection_merge_sources(in, error);
}

bool fp_collection_wants_merge(const fp_collection *in) {
    enum { FEW = 1 << 16, SHARE = 8 };
    if (!fp_collection_has_blocks(in) || fp_records_have_keys(in->records)) return false;
    size_t merged = in->tables ? fp_block_tables_count(in->tables) : 0;
    return in->recent.count > FEW && in->recent.count > merged / SHARE;
}

/* ---- Checking ---- */

typedef struct checking {
    const fp_collection *in;
    void (*tell)(void *context, const char *problem);
    void *context;
    uint64_t problems;
    uint64_t seen;   /* records that the tables must hold */
    fp_sketch *held; /* by number; NULL data: not held */
} checking;

static void complain(checking *to, uint64_t number, const char *what) {
    char line[160];
    snprintf(line, sizeof line, "record %llu %s", (unsigned long long)number, what);
    to->problems++;
    to->tell(to->context, line);
}

static fp_status check_record(void *context, const fp_record *record, fp_error *error) {
    checking *to = context;
    size_t bytes = to->in->arm->instance.layout.bytes;
    (void)error;
    if (bytes && record->fingerprint.length != bytes)
        complain(to, record->number, "has a fingerprint of another width");
    else if (to->held && record->number < to->in->through && record->says) {
        const void *data = to->held[record->number].data;
        if (!data) complain(to, record->number, "is missing in the tables");
        else if (memcmp(data, record->fingerprint.data, bytes) != 0)
            complain(to, record->number, "has another fingerprint in the tables");
    }
    return FP_OK;
}

/* What the tables hold, by number. */
static fp_status list_held(checking *to, fp_arena *arena, fp_error *error) {
    const fp_collection *in = to->in;
    uint32_t number;
    if (!in->tables) return FP_OK;
    to->held = fp_arena_alloc(arena, in->through, sizeof *to->held);
    if (!to->held) return fp_no_memory(error);
    for (size_t i = 0; i < fp_block_tables_count(in->tables); i++) {
        const uint64_t *words = fp_block_tables_entry(in->tables, i, &number);
        if (number < in->through) to->held[number] = (fp_sketch){words, in->arm->instance.layout.bytes};
    }
    return FP_OK;
}

fp_status fp_collection_check(fp_collection *collection, void (*tell)(void *context, const char *problem),
                              void *context, uint64_t *problems, const fp_progress *progress, fp_error *error) {
    checking to = {.in = collection, .tell = tell, .context = context};
    uint64_t more = 0, lost = collection->caution != NULL;
    fp_arena *scratch = fp_arena_new_like(collection->arena);
    *problems = 0;
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_records_check(collection->records, tell, context, problems, error);
    if (lost) tell(context, collection->caution);
    if (status == FP_OK && *problems == 0) {
        status = list_held(&to, scratch, error);
        if (status == FP_OK) status = fp_records_each(collection->records, 0, false, check_record, &to, error);
    }
    if (status == FP_OK && collection->tables)
        status = fp_block_tables_verify(collection->tables, tell, context, &more, progress, error);
    fp_arena_free(scratch);
    *problems += to.problems + more + lost;
    return status;
}
