/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether a collection is as it was written: its store, its tables, and its index of granules. */
#include <stdio.h>

#include "index/collection/table_kind.h"

/* ---- Files of sections ---- */

typedef struct telling {
    const fp_section_file *file;
    const char *so;
    fp_tell_problem tell;
    void *context;
    uint64_t problems;
} telling;

static void tell_damage(void *context, const fp_section_damage *damage) {
    telling *to = context;
    char line[512];
    snprintf(line, sizeof line, "%s: bytes %zu to %zu of the section %s are damaged; %s",
             fp_section_file_path(to->file), damage->first, damage->end - 1,
             fp_section_at(to->file, damage->section).name, to->so);
    to->problems++;
    to->tell(to->context, line);
}

fp_status fp_collection_verify_file(const fp_section_file *file, const char *so, fp_tell_problem tell, void *context,
                                    uint64_t *problems, const fp_progress *progress, fp_error *error) {
    telling to = {file, so, tell, context, 0};
    fp_status status = fp_section_file_verify(file, tell_damage, &to, progress, error);
    *problems = to.problems;
    return status;
}

/* ---- Records ---- */

typedef struct checking {
    const fp_collection *in;
    fp_tell_problem tell;
    void *context;
    uint64_t problems;
    bool tables;  /* are there, and whole: records are looked for in them */
    void *listed; /* of the tables, for their kind */
} checking;

static void complain(checking *to, uint64_t number, const char *what) {
    char line[160];
    snprintf(line, sizeof line, "record %llu %s", (unsigned long long)number, what);
    to->problems++;
    to->tell(to->context, line);
}

static fp_status check_record(void *context, const fp_record *record, fp_error *error) {
    checking *to = context;
    const fp_collection *in = to->in;
    size_t bytes = in->arm->instance.layout.bytes;
    const char *wrong = NULL;
    (void)error;
    if (bytes && record->fingerprint.length != bytes) wrong = "has a fingerprint of another width";
    else if (to->tables && record->number < in->through && record->says)
        wrong = in->kind->wrong(in, to->listed, record);
    if (wrong) complain(to, record->number, wrong);
    return FP_OK;
}

static fp_status check_records(checking *to, fp_error *error) {
    const fp_collection *in = to->in;
    fp_arena *scratch = fp_arena_new_like(in->arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = to->tables ? in->kind->list(in, scratch, &to->listed, error) : FP_OK;
    if (status == FP_OK) status = fp_records_each(in->records, 0, false, check_record, to, error);
    fp_arena_free(scratch);
    return status;
}

fp_status fp_collection_check(fp_collection *collection, void (*tell)(void *context, const char *problem),
                              void *context, uint64_t *problems, const fp_progress *progress, fp_error *error) {
    checking to = {.in = collection, .tell = tell, .context = context};
    uint64_t in_tables = 0, in_sources = 0, lost = collection->caution != NULL;
    if (lost) tell(context, collection->caution);
    if (collection->tables) FP_TRY(collection->kind->verify(collection, tell, context, &in_tables, progress, error));
    to.tables = collection->tables && !in_tables;
    FP_TRY(check_records(&to, error));
    FP_TRY(fp_collection_check_sources(collection, tell, context, &in_sources, progress, error));
    *problems = to.problems + in_tables + in_sources + lost;
    return FP_OK;
}

fp_status fp_collection_check_store(const char *address, void (*tell)(void *context, const char *problem),
                                    void *context, uint64_t *problems, fp_error *error) {
    fp_records *records;
    *problems = 0;
    FP_TRY(fp_records_open(address, FP_RECORDS_READ, NULL, &records, error));
    fp_status status = fp_records_check(records, tell, context, problems, error);
    fp_records_close(records);
    return status;
}
