/* SPDX-License-Identifier: GPL-3.0-or-later
 * Streams texts with their metadata, one input after the other. */
#include "corpora/readers/entries.h"

#include <string.h>
#include <sys/stat.h>

#include "corpora/readers/entry_inputs.h"
#include "text/unicode/encoding.h"

/* Result of reading a record. */
typedef struct outcome {
    const fp_error *failure; /* NULL: no error */
    bool none;               /* the record is not a text */
} outcome;

struct fp_entries {
    fp_entries_options options;
    fp_arena *arena;
    fp_entry_inputs inputs;
    size_t current;
    /* Current batch: */
    const fp_line *lines;
    fp_entry *entries;
    fp_string *texts, *ids;
    outcome *outcomes;
    size_t room;
    size_t handed, held; /* entries before the batch, and in it */
    fp_error pending;    /* error of the record after the batch; code FP_OK: none */
    size_t skipped;
    bool again;                   /* not the first pass: bad records were already reported */
    fp_batch *batch;              /* for files that are one text; NULL: there were none */
    fp_encoding_count *encodings; /* [encoding_count] */
    size_t encoding_count;
};

/* ---- Opening ---- */

fp_status fp_entries_open(const char *const *inputs, size_t count, const fp_entries_options *options, fp_arena *arena,
                          fp_entries **entries, fp_error *error) {
    fp_entries *made = *entries = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    made->options = *options;
    made->arena = arena;
    made->inputs = (fp_entry_inputs){.options = &made->options, .arena = arena};
    fp_status status = FP_OK;
    for (size_t i = 0; status == FP_OK && i < count; i++) status = fp_entry_inputs_add(&made->inputs, inputs[i], error);
    if (status != FP_OK) fp_entries_close(made);
    return status;
}

void fp_entries_close(fp_entries *entries) {
    fp_entry_inputs_close(&entries->inputs);
    fp_batch_close(entries->batch);
    *entries = (fp_entries){.arena = entries->arena};
}

/* ---- Records ---- */

/* Additional fields exist only in formats with field names. */
static fp_status check_fields(const fp_entry_input *from, const fp_entry *entry, fp_error *error) {
    const char *const *wanted = from->as.options->more;
    if (!wanted || !*wanted || entry->more) return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "there is no field \"%s\": %s have no names of fields", *wanted,
                   from->form->name);
}

/* An fp_error takes a kilobyte: each thread uses one, and only those of bad records are kept. */
static void clear(fp_error *failure) {
    failure->code = FP_OK;
    failure->line = failure->byte = SIZE_MAX;
    failure->message[0] = failure->file[0] = '\0';
}

/* Keeps the error of a bad record until the record's turn. */
static fp_status keep_failure(const fp_error *failure, fp_arena *kept, outcome *out, fp_error *error) {
    fp_error *copy = FP_NEED(fp_arena_raw(kept, 1, sizeof *copy), error);
    *copy = *failure;
    out->failure = copy;
    return FP_OK;
}

/* `byte` is the offset of the record; SIZE_MAX: unknown. */
static fp_status read_one(const fp_entry_input *from, fp_arena *scratch, fp_arena *kept, size_t byte, fp_entry *to,
                          outcome *out, fp_error *error) {
    fp_error failure;
    clear(&failure);
    to->time = FP_TIME_NONE;
    *out = (outcome){0};
    fp_status status = from->form->read(&from->as, scratch, kept, to, &out->none, &failure);
    if (status == FP_OK && !out->none) status = check_fields(from, to, &failure);
    if (status == FP_OK) return FP_OK;
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (failure.byte != SIZE_MAX && byte != SIZE_MAX) failure.byte += byte;
    else if (from->form->cut) failure.byte = SIZE_MAX;
    size_t line = from->form->cut ? to->row : failure.line;
    fp_at(&failure, status, from->as.path, line, failure.byte);
    return keep_failure(&failure, kept, out, error);
}

/* Reports bytes of a line that are invalid in the encoding of the file, with their offset in the file. FP_OK: none. */
static fp_status check_decoded(const fp_entry_input *from, const fp_line *line, fp_error *error) {
    bool converted;
    size_t byte;
    const char *name = fp_line_blocks_encoding(from->blocks, &converted);
    if (!converted || !fp_decoder_invalid(line->text, &byte)) return FP_OK;
    fp_fail(error, FP_ERROR_ENCODING, "invalid %s", name);
    return fp_at(error, FP_ERROR_ENCODING, from->as.path, line->row, byte);
}

static fp_status check_line(const fp_entry_input *from, const fp_line *line, fp_error *error) {
    return line->too_long ? fp_line_too_long(from->blocks, line->row, error) : check_decoded(from, line, error);
}

/* The offset of a line in its file; SIZE_MAX: unknown, because the file was converted. */
static size_t begin_of(const fp_entry_input *from, const fp_line *line) {
    bool converted;
    fp_line_blocks_encoding(from->blocks, &converted);
    return converted ? SIZE_MAX : line->byte;
}

static fp_status read_line(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_entries *in = context;
    const fp_line *line = in->lines + index;
    in->entries[index] = (fp_entry){.line = line->text, .input = in->current, .row = line->row};
    const fp_entry_input *from = in->inputs.list + in->current;
    fp_error failure;
    clear(&failure);
    in->outcomes[index] = (outcome){0};
    if (check_line(from, line, &failure) != FP_OK) return keep_failure(&failure, kept, in->outcomes + index, error);
    return read_one(from, scratch, kept, begin_of(from, line), in->entries + index, in->outcomes + index, error);
}

/* `index` counts from the current file. */
static fp_status read_file(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_entries *in = context;
    in->entries[index] = (fp_entry){.input = in->current + index, .row = 1};
    return read_one(in->inputs.list + in->current + index, scratch, kept, 0, in->entries + index, in->outcomes + index,
                    error);
}

/* ---- Batches ---- */

static fp_status make_room(fp_entries *in, size_t room, fp_error *error) {
    if (room <= in->room) return FP_OK;
    in->entries = FP_NEED(fp_arena_grow(in->arena, in->entries, room * sizeof *in->entries), error);
    in->texts = FP_NEED(fp_arena_grow(in->arena, in->texts, room * sizeof *in->texts), error);
    in->ids = FP_NEED(fp_arena_grow(in->arena, in->ids, room * sizeof *in->ids), error);
    in->outcomes = FP_NEED(fp_arena_grow(in->arena, in->outcomes, room * sizeof *in->outcomes), error);
    in->room = room;
    return FP_OK;
}

/* ---- Encodings ---- */

/* Counts the encoding of a file, in the first pass only. */
static fp_status tally(fp_entries *in, const char *name, fp_error *error) {
    size_t at = 0;
    if (!in->options.encoding || in->again || !name) return FP_OK;
    while (at < in->encoding_count && strcmp(in->encodings[at].name, name) != 0) at++;
    if (at == in->encoding_count) {
        in->encodings = FP_NEED(fp_arena_grow(in->arena, in->encodings, (at + 1) * sizeof *in->encodings), error);
        in->encodings[in->encoding_count++] = (fp_encoding_count){0};
        snprintf(in->encodings[at].name, sizeof in->encodings[at].name, "%s", name);
    }
    in->encodings[at].files++;
    return FP_OK;
}

const fp_encoding_count *fp_entries_encodings(const fp_entries *entries, size_t *count) {
    *count = entries->encoding_count;
    return entries->encodings;
}

/* Counts and reports a bad record; false if it ends the stream. */
static bool skip_record(fp_entries *in, const fp_error *failure) {
    if (!in->options.skip_bad) {
        in->pending = *failure;
        return false;
    }
    in->skipped++;
    if (in->options.skipped && !in->again) in->options.skipped(in->options.context, failure);
    return true;
}

/* Collects the good ones of `count` records, up to the first bad one unless bad ones are skipped. */
static void gather(fp_entries *in, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (in->outcomes[i].failure) {
            if (!skip_record(in, in->outcomes[i].failure)) return;
        } else if (!in->outcomes[i].none) {
            if (in->held < i) in->entries[in->held] = in->entries[i];
            in->texts[in->held] = in->entries[i].text;
            in->ids[in->held++] = in->entries[i].id;
        }
    }
}

/* The number of consecutive files of one text each in the next batch, which ends when it has ENOUGH_BYTES. */
static size_t files_of_batch(const fp_entries *in) {
    enum { MOST_FILES = 256, ENOUGH_BYTES = 1 << 23 };
    size_t count = 0, bytes = 0;
    struct stat facts;
    while (count < MOST_FILES && bytes < ENOUGH_BYTES && in->current + count < in->inputs.count) {
        const fp_entry_input *from = in->inputs.list + in->current + count;
        if (from->form->cut || from->wrong) break;
        if (stat(from->as.path, &facts) == 0) bytes += (size_t)facts.st_size;
        count++;
    }
    return count;
}

static fp_status next_files(fp_entries *in, fp_error *error) {
    size_t count = files_of_batch(in), done;
    if (!in->batch) FP_TRY(fp_batch_open(in->options.progress, in->arena, &in->batch, error));
    FP_TRY(make_room(in, count, error));
    FP_TRY(fp_batch_run(in->batch, count, read_file, in, NULL, &done, error));
    for (size_t i = 0; i < count; i++)
        if (!in->outcomes[i].failure) FP_TRY(tally(in, in->entries[i].encoding, error));
    gather(in, count);
    in->current += count;
    return FP_OK;
}

static void end_input(fp_entries *in) {
    fp_entry_input *from = in->inputs.list + in->current++;
    if (!from->listed) return;
    fp_line_blocks_close(from->blocks);
    from->blocks = NULL;
}

/* Skips a file that is bad as a whole. */
static void skip_input(fp_entries *in, const fp_error *why) {
    skip_record(in, why);
    end_input(in);
}

/* The place of an error of reading names in the first record, which has its byte in the record. */
static fp_status at_first(const fp_entry_input *from, const fp_line *first, fp_status status, fp_error *error) {
    size_t begin = begin_of(from, first), byte = error ? error->byte : SIZE_MAX;
    if (status == FP_OK || status == FP_ERROR_MEMORY) return status;
    return fp_at(error, status, from->as.path, first->row,
                 begin == SIZE_MAX || byte == SIZE_MAX ? SIZE_MAX : begin + byte);
}

fp_status fp_entries_columns(fp_entries *in, const char *const **names, size_t *count, fp_error *error) {
    *count = 0;
    if (!in->inputs.count) return FP_OK;
    fp_entry_input *from = in->inputs.list;
    if (!from->form->names || from->wrong) return FP_OK;
    if (!from->blocks) FP_TRY(fp_entry_input_open(&in->inputs, from, error));
    const fp_line *first;
    size_t lines;
    fp_status status = fp_line_blocks_next(from->blocks, &first, &lines, error);
    fp_line_blocks_again(from->blocks);
    if (status != FP_OK || !lines) return status;
    FP_TRY(check_line(from, first, error));
    return at_first(from, first, from->form->names(&from->as, first->text, in->arena, names, count, error), error);
}

void fp_entries_name(fp_entries *entries, const char *const name[FP_ENTRY_FIELDS], const char *const *more) {
    memcpy(entries->options.name, name, sizeof entries->options.name);
    entries->options.more = more;
}

/* Reads the names of the columns from the first record, which is not an entry unless the user has named the columns. */
static fp_status take_head(fp_entries *in, fp_entry_input *from, size_t *count, fp_error *error) {
    if (!from->form->head || from->headed) return FP_OK;
    const fp_line *first = in->lines;
    FP_TRY(check_line(from, first, error));
    FP_TRY(at_first(from, first, from->form->head(&from->as, first->text, in->arena, error), error));
    from->headed = true;
    if (!in->options.columns) in->lines++, --*count;
    return FP_OK;
}

static fp_status next_records(fp_entries *in, fp_error *error) {
    fp_entry_input *from = in->inputs.list + in->current;
    size_t count, done;
    if (!from->blocks) FP_TRY(fp_entry_input_open(&in->inputs, from, error));
    FP_TRY(fp_line_blocks_next(from->blocks, &in->lines, &count, error));
    if (count == 0) {
        bool converted;
        fp_status status = tally(in, fp_line_blocks_encoding(from->blocks, &converted), error);
        end_input(in);
        return status;
    }
    FP_TRY(take_head(in, from, &count, error));
    FP_TRY(make_room(in, count, error));
    FP_TRY(fp_line_blocks_work(from->blocks, count, read_line, in, &done, error));
    gather(in, count);
    return FP_OK;
}

/* A damaged file, or a file of a directory that cannot be opened, counts as one bad record. */
static fp_status next_input(fp_entries *in, fp_error *error) {
    fp_entry_input *from = in->inputs.list + in->current;
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (from->wrong) {
        fp_fail(&why, FP_ERROR_IO, "%s", from->wrong);
        fp_at(&why, FP_ERROR_IO, from->as.path, SIZE_MAX, SIZE_MAX);
        skip_input(in, &why);
        return FP_OK;
    }
    if (!from->form->cut) return next_files(in, error);
    fp_status status = next_records(in, &why);
    if (status == FP_OK) return FP_OK;
    if (status != FP_ERROR_MEMORY && (from->listed || in->options.skip_bad)) {
        why.code = status;
        skip_input(in, &why);
        return FP_OK;
    }
    if (error) *error = why;
    return status;
}

static fp_status next_batch(void *context, fp_text_batch *batch, fp_error *error) {
    fp_entries *in = context;
    in->handed += in->held;
    in->held = 0;
    while (in->held == 0 && in->current < in->inputs.count && in->pending.code == FP_OK) FP_TRY(next_input(in, error));
    if (in->held == 0 && in->pending.code != FP_OK) {
        if (error) *error = in->pending;
        return in->pending.code;
    }
    *batch = (fp_text_batch){.first = in->handed, .count = in->held, .text = in->texts, .id = in->ids};
    return FP_OK;
}

static fp_status start_again(void *context, fp_error *error) {
    fp_entries *in = context;
    in->current = in->handed = in->held = in->skipped = 0;
    in->pending.code = FP_OK;
    in->again = true;
    for (size_t i = 0; i < in->inputs.count; i++) {
        in->inputs.list[i].headed = false;
        if (in->inputs.list[i].blocks) FP_TRY(fp_line_blocks_rewind(in->inputs.list[i].blocks, error));
    }
    return FP_OK;
}

fp_text_source fp_entries_source(fp_entries *entries) {
    bool again = true;
    for (size_t i = 0; i < entries->inputs.count; i++) {
        const fp_entry_input *from = entries->inputs.list + i;
        again = again && !from->stream && (!from->blocks || fp_line_blocks_can_rewind(from->blocks));
    }
    return (fp_text_source){.context = entries,
                            .count = SIZE_MAX,
                            .next = next_batch,
                            .rewind = again ? start_again : NULL,
                            .name = entries->inputs.count == 1 ? entries->inputs.list[0].as.path : NULL};
}

const fp_entry *fp_entries_at(const fp_entries *entries, size_t position) {
    return entries->entries + (position - entries->handed);
}
const char *fp_entries_path(const fp_entries *entries, size_t which) { return entries->inputs.list[which].as.path; }
size_t fp_entries_skipped(const fp_entries *entries) { return entries->skipped; }

const char *fp_entries_recognised(const fp_entries *entries, size_t *input) {
    while (*input < entries->inputs.count && !entries->inputs.list[*input].recognised) ++*input;
    return *input < entries->inputs.count ? entries->inputs.list[*input].form->name : NULL;
}

bool fp_entries_alike(const fp_entries *entries, bool *objects) {
    const fp_form *lines = fp_form_find("lines");
    for (size_t i = 1; i < entries->inputs.count; i++)
        if ((entries->inputs.list[i].form == lines) != (entries->inputs.list[0].form == lines)) return false;
    *objects = entries->inputs.count && entries->inputs.list[0].form != lines;
    return true;
}
