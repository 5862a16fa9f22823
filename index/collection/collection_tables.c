/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables beside a store: opened, made anew, checked. The store says what they hold: every record below a number, as
 * it was after so many entries of the deletion log. Tables that were put in place while the store could not be told
 * hold more than it says, and nothing else: what is beyond the number is passed over, and what they lack was deleted.
 */
#include <string.h>

#include "base/order.h"
#include "index/collection/collection_inside.h"

const char *fp_collection_tables_path(const fp_collection *collection) {
    return fp_format(collection->arena, "%s.tables", collection->address);
}

/* ---- Opening ---- */

/* "1000001 12 999988": through, entries of the deletion log, fingerprints. */
static fp_status read_state(fp_collection *in, uint64_t state[3], fp_error *error) {
    fp_string value, field;
    memset(state, 0, 3 * sizeof *state);
    FP_TRY(fp_records_fact(in->records, FP_COLLECTION_FACT_TABLES, in->arena, &value, error));
    for (int i = 0; i < 3 && value.data && fp_next_field(&value, ' ', &field); i++) {
        int64_t number;
        const char *text = fp_string_copy(in->arena, field);
        if (!text) return fp_no_memory(error);
        if (fp_parse_integer(text, &number) && number >= 0) state[i] = (uint64_t)number;
    }
    return FP_OK;
}

static fp_status note_without(fp_collection *in, const char *why, fp_error *error) {
    in->caution = fp_format(in->arena,
                            "the tables of %s are not used (%s): every fingerprint is looked at; `fplab index merge` "
                            "makes them again",
                            in->address, why);
    return in->caution ? FP_OK : fp_no_memory(error);
}

/* Whether they are what the store says. */
static bool belongs(const fp_collection *in, const fp_block_tables *tables, const uint64_t state[3]) {
    return fp_block_tables_design(tables)->bits == in->arm->instance.layout.bits &&
           fp_block_tables_count(tables) >= state[2];
}

static fp_status open_tables(fp_collection *in, fp_error *error) {
    uint64_t state[3];
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    const char *path = fp_collection_tables_path(in);
    if (!path) return fp_no_memory(error);
    fp_block_tables_close(in->tables);
    in->tables = NULL;
    in->through = 1;
    in->deleted_before = 0;
    if (!fp_collection_has_blocks(in)) return FP_OK;
    FP_TRY(read_state(in, state, error));
    if (state[0] == 0) return FP_OK;
    fp_status status = fp_block_tables_open(path, in->arena, &in->tables, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status != FP_OK) return note_without(in, why.message, error);
    if (!belongs(in, in->tables, state)) {
        fp_block_tables_close(in->tables);
        in->tables = NULL;
        return note_without(in, "they are not of this store", error);
    }
    in->through = state[0];
    in->deleted_before = state[1];
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
    in->silent = 0;
    FP_TRY(open_tables(in, error));
    FP_TRY(fp_records_each_deleted(in->records, in->deleted_before, take_deleted, in, error));
    return fp_records_each(in->records, in->through, false, take_recent, in, error);
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

/* Tables give their fingerprints in an order of their own: places by number bring them back into theirs. */
static fp_status gather_tables(const fp_collection *in, gathered *to, fp_arena *arena, fp_error *error) {
    size_t count = fp_block_tables_count(in->tables);
    uint32_t *place = fp_arena_alloc(arena, in->through, sizeof *place), number; /* entry + 1 by number */
    if (!place) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        fp_block_tables_entry(in->tables, i, &number);
        if (number < in->through && !fp_collection_is_gone(in, number)) place[number] = (uint32_t)i + 1;
    }
    for (uint64_t n = 0; n < in->through; n++)
        if (place[n]) gather(to, fp_block_tables_entry(in->tables, place[n] - 1, &number), (uint32_t)n);
    return FP_OK;
}

static fp_status gather_all(const fp_collection *in, gathered *to, fp_arena *arena, fp_error *error) {
    size_t room = in->recent.count + (in->tables ? fp_block_tables_count(in->tables) : 0);
    *to = (gathered){.width = in->arm->instance.layout.bytes / sizeof *to->words};
    to->words = fp_arena_raw(arena, room * to->width, sizeof *to->words);
    to->numbers = fp_arena_raw(arena, room, sizeof *to->numbers);
    if (!to->words || !to->numbers) return fp_no_memory(error);
    if (in->tables) FP_TRY(gather_tables(in, to, arena, error));
    fp_sketches recent = fp_sketch_list_view(&in->recent);
    for (size_t i = 0; i < recent.count; i++)
        if (!fp_collection_is_gone(in, in->recent.number[i]))
            gather(to, fp_sketches_at(&recent, i).data, in->recent.number[i]);
    return FP_OK;
}

static fp_status write_tables(fp_collection *in, const gathered *all, const fp_progress *progress, fp_error *error) {
    const fp_layout *layout = &in->arm->instance.layout;
    const fp_block_source source = {all->words, all->numbers, all->count};
    fp_block_design design;
    const char *path = fp_collection_tables_path(in);
    if (!path) return fp_no_memory(error);
    double documents = all->count ? (double)all->count : 1;
    FP_TRY(fp_block_design_choose((unsigned)layout->bits, (unsigned)in->threshold, documents, 0, &design, error));
    return fp_block_tables_write(&design, &source, path, progress, in->arena, error);
}

static fp_status tell_store(fp_collection *in, size_t count, fp_error *error) {
    fp_records_count counted;
    char value[80];
    FP_TRY(fp_records_begin(in->records, error));
    FP_TRY(fp_records_counted(in->records, &counted, error));
    snprintf(value, sizeof value, "%llu %llu %zu", (unsigned long long)counted.next,
             (unsigned long long)counted.deleted, count);
    FP_TRY(fp_records_set_fact(in->records, FP_COLLECTION_FACT_TABLES, fp_string_of(value), error));
    return fp_records_commit(in->records, error);
}

fp_status fp_collection_merge(fp_collection *in, const fp_progress *progress, fp_error *error) {
    if (!fp_collection_has_blocks(in) || fp_records_have_keys(in->records)) return FP_OK;
    fp_arena *scratch = fp_arena_new_like(in->arena);
    gathered all;
    if (!scratch) return fp_no_memory(error);
    fp_status status = gather_all(in, &all, scratch, error);
    if (status == FP_OK) status = write_tables(in, &all, progress, error);
    size_t count = status == FP_OK ? all.count : 0;
    fp_arena_free(scratch);
    if (status == FP_OK) status = tell_store(in, count, error);
    in->caution = NULL;
    return status == FP_OK ? fp_collection_load(in, error) : status;
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
        to->seen++;
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
    uint64_t more = 0;
    fp_arena *scratch = fp_arena_new_like(collection->arena);
    *problems = 0;
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_records_check(collection->records, tell, context, problems, error);
    if (status == FP_OK && *problems == 0) {
        status = list_held(&to, scratch, error);
        if (status == FP_OK) status = fp_records_each(collection->records, 0, false, check_record, &to, error);
    }
    if (status == FP_OK && collection->tables)
        status = fp_block_tables_verify(collection->tables, tell, context, &more, progress, error);
    fp_arena_free(scratch);
    *problems += to.problems + more;
    return status;
}
