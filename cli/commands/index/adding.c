/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts into a collection: a transaction for some thousand of them, or for what a pipe brings at once. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/index/index.h"
#include "cli/streams.h"

enum { TRANSACTION = 8192, TRANSACTION_BYTES = 1 << 26, SHARDS = 1 << 20 };

typedef struct adding {
    fp_cli_adding *with;
    fp_entries *entries;
    bool waits; /* the texts come as they come */
    bool made;  /* the collection is new */
    bool open;  /* a transaction is */
    bool full;  /* standard output is closed or full, which was reported */
    size_t pending, added, empty, passed_over;
    size_t bytes; /* of the texts that are pending */
} adding;

fp_record fp_cli_record(const fp_entry *entry, bool empty) {
    return (fp_record){.id = entry->id,
                       .empty = empty,
                       .title = entry->title,
                       .url = entry->url,
                       .source = entry->source,
                       .time = entry->time,
                       .characters = entry->characters,
                       .text = entry->text};
}

/* ---- --on-existing: texts whose id a collection has already, as when the file of a day is added again ---- */

static bool is_word(const fp_cli_existing *existing, const char *word) {
    return existing->word && strcmp(existing->word, word) == 0;
}

int fp_cli_existing_check(const fp_command *command, const fp_cli_existing *existing) {
    if (!existing->word || is_word(existing, "skip") || is_word(existing, "replace") || is_word(existing, "fail"))
        return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--on-existing takes skip, replace or fail, not %s", existing->word);
}

static fp_status refuse(fp_cli_existing *existing, const fp_record *record, bool same, bool skip_bad, fp_error *error) {
    const char *what = same ? "" : ", with another text";
    int shown = (int)(record->id.length < 200 ? record->id.length : 200);
    if (!skip_bad)
        return fp_fail(error, FP_ERROR_DUPLICATE,
                       "the id \"%.*s\" already exists%s; add --on-existing replace, or --on-existing skip", shown,
                       record->id.data, what);
    fprintf(stderr, "fplab: left out: the id \"%.*s\" already exists%s\n", shown, record->id.data, what);
    existing->left_out++;
    return FP_OK;
}

fp_status fp_cli_existing_meet(fp_cli_existing *existing, fp_collection *collection, const fp_record *record,
                               fp_sketch sketch, bool skip_bad, bool *adds, fp_error *error) {
    fp_existing there;
    FP_TRY(fp_collection_existing(collection, record, sketch, &there, error));
    bool same = there == FP_EXISTING_SAME;
    *adds = there == FP_EXISTING_NONE || (is_word(existing, "replace") && !same);
    if (there == FP_EXISTING_NONE) return FP_OK;
    if (*adds) {
        existing->replaced++;
        return fp_collection_delete(collection, record->id, error);
    }
    if (is_word(existing, "fail") || (!same && !existing->word)) return refuse(existing, record, same, skip_bad, error);
    existing->skipped++;
    return FP_OK;
}

void fp_cli_existing_note(const fp_cli_existing *existing, const char *address) {
    if (existing->skipped)
        fp_cli_note("%zu %s in %s already.\n", existing->skipped,
                    fp_cli_word(existing->skipped, "text was", "texts were"), address);
    if (existing->replaced)
        fp_cli_note("%zu %s replaced.\n", existing->replaced,
                    fp_cli_word(existing->replaced, "text of the same id was", "texts of the same ids were"));
}

/* ---- Transactions ---- */

static fp_status begin(adding *to, fp_error *error) {
    if (to->open) return FP_OK;
    FP_TRY(fp_collection_begin(to->with->collection, error));
    to->open = true;
    return FP_OK;
}

static fp_status commit(adding *to, fp_error *error) {
    if (!to->open) return FP_OK;
    to->open = false;
    FP_TRY(fp_collection_commit(to->with->collection, error));
    to->added += to->pending;
    to->pending = to->bytes = 0;
    return FP_OK;
}

/* With the model that it has by now. */
static fp_status create(adding *to, fp_error *error) {
    fp_cli_adding *with = to->with;
    fp_collection_form form = {
        .arm = with->near.made, .threshold = with->near.within, .recall = with->sure, .keeps_texts = with->keeps_texts};
    if (with->near.choice) FP_TRY(fp_read_file(with->near.choice, with->arena, &form.choice, error));
    return fp_collection_create(with->address, &form, with->arena, &with->collection, error);
}

/* ---- Texts ---- */

static bool in_shard(const adding *to, const fp_entry *entry) {
    const fp_cli_adding *with = to->with;
    return !with->parts || fp_xxh3(entry->id.data, entry->id.length, 0) % with->parts == with->part - 1;
}

static fp_status add(adding *to, const fp_entry *entry, fp_sketch sketch, fp_error *error) {
    fp_record record = fp_cli_record(entry, sketch.empty);
    if (!in_shard(to, entry)) {
        to->passed_over++;
        return FP_OK;
    }
    fp_cli_adding *with = to->with;
    bool adds;
    FP_TRY(begin(to, error));
    FP_TRY(fp_cli_existing_meet(&with->existing, with->collection, &record, sketch, with->near.texts.options.skip_bad,
                                &adds, error));
    if (!adds) return FP_OK;
    FP_TRY(fp_collection_add(with->collection, &record, sketch, error));
    to->pending++;
    to->bytes += entry->text.length;
    to->empty += sketch.empty;
    return FP_OK;
}

/* Reports that the texts of this batch are on the disk. */
static fp_status acknowledge(adding *to, size_t first, size_t count, fp_error *error) {
    if (!to->with->acknowledges) return FP_OK;
    for (size_t i = 0; i < count; i++) {
        const fp_entry *entry = fp_entries_at(to->entries, first + i);
        if (in_shard(to, entry)) printf("%.*s\n", (int)entry->id.length, entry->id.data);
    }
    to->full = fp_cli_flush() != FP_EXIT_SUCCESS;
    return to->full ? fp_fail(error, FP_ERROR_IO, "standard output is closed or full") : FP_OK;
}

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    adding *to = context;
    (void)arm;
    if (!to->with->collection) {
        FP_TRY(create(to, error));
        to->made = true;
    }
    for (size_t i = 0; i < count; i++) FP_TRY(add(to, fp_entries_at(to->entries, first + i), sketches[i], error));
    bool due = to->waits || to->with->acknowledges || to->pending >= TRANSACTION || to->bytes >= TRANSACTION_BYTES;
    if (!due) return FP_OK;
    FP_TRY(commit(to, error));
    FP_TRY(acknowledge(to, first, count, error));
    /* What comes without end is merged on the way. */
    bool many = to->waits && !to->made && fp_collection_wants_merge(to->with->collection);
    return many ? fp_collection_merge(to->with->collection, NULL, error) : FP_OK;
}

static fp_status run(adding *to, const fp_progress *progress, fp_error *error) {
    FP_TRY(fp_cli_sketch_entries(&to->with->near, to->entries, take, to, progress, to->with->arena, error));
    FP_TRY(commit(to, error));
    if (!to->with->collection) return fp_fail(error, FP_ERROR_EMPTY, "there are no texts");
    bool due = to->made || fp_collection_wants_merge(to->with->collection);
    return due ? fp_collection_merge(to->with->collection, progress, error) : FP_OK;
}

/* ---- What came of it ---- */

static int summarise(const adding *to) {
    fp_collection_state state;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (fp_collection_state_of(to->with->collection, &state, &error) != FP_OK) return fp_cli_fail(&error);
    fp_cli_note("%zu %s added to %s, which has %llu now.\n", to->added,
                fp_cli_word(to->added, "text was", "texts were"), to->with->address,
                (unsigned long long)state.records.records);
    fp_cli_warn_empty(to->empty, "the arm");
    fp_cli_warn_uncut(&to->with->near.made, 1, NULL, to->added);
    if (to->passed_over)
        fp_cli_note("%zu %s than %s.\n", to->passed_over,
                    fp_cli_word(to->passed_over, "belongs to another shard", "belong to other shards"),
                    to->with->shard);
    fp_cli_existing_note(&to->with->existing, to->with->address);
    fp_cli_note_left_out(fp_entries_skipped(to->entries) + to->with->existing.left_out);
    return FP_EXIT_SUCCESS;
}

/* ---- The options ---- */

/* "2/8" */
static bool read_shard(fp_cli_adding *to) {
    char *slash, *end;
    if (!to->shard) return true;
    to->part = strtoull(to->shard, &slash, 10);
    if (slash == to->shard || *slash != '/') return false;
    to->parts = strtoull(slash + 1, &end, 10);
    return *end == '\0' && to->part >= 1 && to->part <= to->parts && to->parts <= SHARDS;
}

int fp_cli_adding_check(fp_cli_adding *with) {
    FP_CLI_TRY(fp_cli_existing_check(with->command, &with->existing));
    if (!read_shard(with))
        return fp_cli_usage(with->command, "--shard takes NUMBER/COUNT, as in 2/8, not %s", with->shard);
    FP_CLI_TRY(fp_cli_recall(with->command, with->recall, &with->sure));
    return fp_cli_entries_check(with->command, &with->near.texts, with->arena);
}

/* ---- All ---- */

int fp_cli_add(fp_cli_adding *with, const char *const *inputs) {
    adding to = {.with = with};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    int status = fp_cli_entries_open(with->command, &with->near.texts, inputs, with->arena, &to.entries);
    if (status != FP_EXIT_SUCCESS) return status;
    fp_progress progress = fp_cli_progress();
    to.waits = !fp_entries_source(to.entries).rewind;
    fp_status done = run(&to, &progress, &error);
    fp_cli_progress_end();
    if (done == FP_OK) status = summarise(&to);
    else {
        if (to.open) fp_collection_abort(with->collection);
        status = to.full ? FP_EXIT_FAILURE : fp_cli_fail(&error);
        if (to.added)
            fprintf(
                stderr, "fplab: %zu %s there\n", to.added,
                fp_cli_word(to.added, "text had been added before, and is", "texts had been added before, and are"));
    }
    fp_entries_close(to.entries);
    return status;
}
