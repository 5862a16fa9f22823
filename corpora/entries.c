/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts with what is known of them, one input after the other. */
#include "corpora/entries.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corpora/line_blocks.h"
#include "corpora/page_entry.h"
#include "corpora/reading.h"
#include "corpora/row.h"
#include "text/unicode/utf8.h"

/* The members that are asked for, in the order of `fields`. */
enum { TITLE, URL, SOURCE, TIME, RANK, FIELDS };

typedef struct input {
    const char *path;       /* of the file that is read */
    const char *prefix;     /* of ids of lines */
    bool json;              /* of a page, too: its line is */
    bool page, again;       /* a page; and it can be read again */
    const char *name;       /* of a page */
    fp_line_blocks *blocks; /* NULL: of a page */
} input;

struct fp_entries {
    fp_entries_options options;
    const char *fields[FIELDS + 1];
    fp_arena *arena;
    size_t count, current;
    input *inputs; /* [count] */
    /* The batch: */
    const fp_line *lines;
    fp_entry *entries;
    fp_string *texts, *ids;
    fp_error *failures; /* code FP_OK: the line is good */
    size_t room;
    size_t handed, held; /* entries before the batch, and in it */
    fp_error pending;    /* of the line behind the batch; code FP_OK: there is none */
    size_t skipped;
    bool again;      /* what is bad was told the first time */
    fp_arena *pages; /* those of the batch; NULL: there were none */
};

/* ---- Opening ---- */

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* "news.txt" of "texts/news.txt.gz". */
static const char *plain_name(const char *path, fp_arena *arena) {
    const char *slash = strrchr(path, '/');
    char *name = fp_string_copy(arena, fp_string_of(slash ? slash + 1 : path));
    if (name && (ends_in(name, ".gz") || ends_in(name, ".zst"))) *strrchr(name, '.') = '\0';
    return name;
}

static fp_entries_form guess(const char *name) {
    if (ends_in(name, ".jsonl") || ends_in(name, ".json")) return FP_ENTRIES_JSON;
    return ends_in(name, ".html") || ends_in(name, ".htm") || ends_in(name, ".xhtml") ? FP_ENTRIES_PAGES
                                                                                      : FP_ENTRIES_LINES;
}

static size_t most_bytes(const fp_entries *of) {
    return of->options.most_bytes ? of->options.most_bytes : FP_MOST_BYTES;
}

/* Pages are opened in their turn: there may be more of them than files can be open. */
static fp_status open_page(const fp_entries *to, const struct stat *facts, const char *name, input *made,
                           fp_error *error) {
    bool stream = strcmp(made->path, "-") == 0;
    if (!stream && access(made->path, R_OK) != 0) return fp_file_error(error, made->path, "open");
    if (!stream && S_ISDIR(facts->st_mode)) {
        fp_fail(error, FP_ERROR_IO, "is a directory");
        return fp_at(error, FP_ERROR_IO, made->path, SIZE_MAX, SIZE_MAX);
    }
    made->page = made->json = true;
    made->again = !stream && S_ISREG(facts->st_mode);
    made->name = name;
    made->prefix = to->options.prefix ? to->options.prefix : "";
    return FP_OK;
}

static fp_status open_input(fp_entries *to, const char *path, input *made, fp_error *error) {
    struct stat facts = {0};
    fp_entries_form form = to->options.form;
    bool stream = strcmp(path, "-") == 0;
    if (!stream && stat(path, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        path = fp_corpus_documents_path(path, to->arena);
        form = FP_ENTRIES_JSON;
    }
    const char *name = path ? plain_name(path, to->arena) : NULL;
    if (!name) return fp_no_memory(error);
    made->path = path;
    if (form == FP_ENTRIES_GUESS) form = guess(name);
    if (form == FP_ENTRIES_PAGES) return open_page(to, &facts, name, made, error);
    made->json = form == FP_ENTRIES_JSON;
    made->prefix = to->options.prefix ? to->options.prefix : stream ? "" : fp_format(to->arena, "%s:", name);
    if (!made->prefix) return fp_no_memory(error);
    FP_TRY(fp_line_blocks_open(path, to->arena, most_bytes(to), false, to->options.progress, &made->blocks, error));
    fp_line_blocks_bound_lines(made->blocks);
    return FP_OK;
}

fp_status fp_entries_open(const char *const *inputs, size_t count, const fp_entries_options *options, fp_arena *arena,
                          fp_entries **entries, fp_error *error) {
    fp_entries *made = *entries = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->options = *options;
    made->arena = arena;
    const char *const fields[] = {[TITLE] = options->title ? options->title : "title",
                                  [URL] = options->url ? options->url : "url",
                                  [SOURCE] = options->source ? options->source : "source",
                                  [TIME] = options->time ? options->time : "time",
                                  [RANK] = options->rank};
    memcpy(made->fields, fields, sizeof fields);
    made->inputs = fp_arena_alloc(arena, count, sizeof *made->inputs);
    fp_status status = made->inputs ? FP_OK : fp_no_memory(error);
    for (; status == FP_OK && made->count < count; made->count++)
        status = open_input(made, inputs[made->count], made->inputs + made->count, error);
    if (status != FP_OK) fp_entries_close(made);
    return status;
}

void fp_entries_close(fp_entries *entries) {
    for (size_t i = 0; entries->inputs && i < entries->count; i++) fp_line_blocks_close(entries->inputs[i].blocks);
    void *each[] = {entries->entries, entries->texts, entries->ids, entries->failures};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) fp_memory_release(entries->arena, each[i]);
    fp_arena_free(entries->pages);
    entries->pages = NULL;
    entries->count = entries->room = 0;
    entries->entries = NULL;
    entries->texts = entries->ids = NULL;
    entries->failures = NULL;
}

/* ---- Lines ---- */

static fp_status read_json(const fp_entries *in, fp_arena *scratch, fp_arena *kept, fp_entry *to, fp_error *error) {
    fp_corpus_row row;
    FP_TRY(fp_corpus_row_parse(to->line, in->fields, scratch, kept, &row, error));
    to->id = row.id;
    to->text = row.text;
    to->characters = row.characters;
    to->title = row.values[TITLE];
    to->url = row.values[URL];
    to->source = row.values[SOURCE];
    if (in->options.rank) to->rank = row.values[RANK];
    to->time = FP_TIME_NONE;
    return row.values[TIME].length ? fp_time_parse(row.values[TIME], &to->time, error) : FP_OK;
}

static fp_status read_text(const input *from, fp_arena *kept, fp_entry *to, fp_error *error) {
    size_t valid = fp_utf8_check(to->line);
    if (valid < to->line.length) {
        fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
        if (error) error->byte = valid;
        return FP_ERROR_ENCODING;
    }
    const char *id = fp_format(kept, "%s%zu", from->prefix, to->row);
    if (!id) return fp_no_memory(error);
    to->id = fp_string_of(id);
    to->text = to->line;
    to->time = FP_TIME_NONE;
    to->characters = fp_utf8_count(to->line);
    return FP_OK;
}

/* Of a bad line the error is kept, and told in its turn. */
static fp_status read_line(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    fp_entries *in = context;
    const input *from = in->inputs + in->current;
    const fp_line *line = in->lines + index;
    fp_entry *to = in->entries + index;
    fp_error *failure = in->failures + index;
    *to = (fp_entry){.line = line->text, .input = in->current, .row = line->row};
    *failure = (fp_error){.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_status status = from->json ? read_json(in, scratch, kept, to, failure) : read_text(from, kept, to, failure);
    if (status == FP_OK) return FP_OK;
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    failure->code = status;
    if (failure->byte != SIZE_MAX) failure->byte += line->byte;
    fp_at(failure, status, from->path, line->row, failure->byte);
    return FP_OK;
}

/* ---- Batches ---- */

static fp_status make_room(fp_entries *in, size_t room, fp_error *error) {
    if (room <= in->room) return FP_OK;
    fp_entry *entries = fp_memory_resize(in->arena, in->entries, room * sizeof *entries);
    if (entries) in->entries = entries;
    fp_string *texts = fp_memory_resize(in->arena, in->texts, room * sizeof *texts);
    if (texts) in->texts = texts;
    fp_string *ids = fp_memory_resize(in->arena, in->ids, room * sizeof *ids);
    if (ids) in->ids = ids;
    fp_error *failures = fp_memory_resize(in->arena, in->failures, room * sizeof *failures);
    if (failures) in->failures = failures;
    if (!entries || !texts || !ids || !failures) return fp_no_memory(error);
    in->room = room;
    return FP_OK;
}

/* The good ones of `count` lines; where bad ones are not left out, up to the first. */
static void gather(fp_entries *in, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (in->failures[i].code == FP_OK) {
            in->entries[in->held] = in->entries[i];
            in->texts[in->held] = in->entries[i].text;
            in->ids[in->held++] = in->entries[i].id;
            continue;
        }
        if (!in->options.skip_bad) {
            in->pending = in->failures[i];
            return;
        }
        in->skipped++;
        if (in->options.skipped && !in->again) in->options.skipped(in->options.context, in->failures + i);
    }
}

/* ---- Pages ---- */

/* The pages that follow each other, as many as fill a batch. */
static fp_status next_pages(fp_entries *in, fp_error *error) {
    enum { MOST_PAGES = 256, ENOUGH_BYTES = 1 << 23 };
    size_t count = 0, bytes = 0;
    if (!in->pages) in->pages = fp_arena_new_like(in->arena);
    if (!in->pages) return fp_no_memory(error);
    fp_arena_reset(in->pages);
    FP_TRY(make_room(in, MOST_PAGES, error));
    while (count < MOST_PAGES && bytes < ENOUGH_BYTES && in->current < in->count && in->inputs[in->current].page) {
        const input *from = in->inputs + in->current;
        fp_entry *to = in->entries + count;
        fp_error *failure = in->failures + count++;
        *to = (fp_entry){.input = in->current++, .row = 1};
        *failure = (fp_error){.line = SIZE_MAX, .byte = SIZE_MAX};
        fp_status status = fp_page_entry_read(from->path, from->prefix, from->name, in->options.keep, most_bytes(in),
                                              in->pages, to, failure);
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        failure->code = status;
        bytes += to->text.length;
    }
    gather(in, count);
    return FP_OK;
}

static fp_status next_batch(void *context, fp_text_batch *batch, fp_error *error) {
    fp_entries *in = context;
    in->handed += in->held;
    in->held = 0;
    while (in->held == 0 && in->current < in->count && in->pending.code == FP_OK) {
        input *from = in->inputs + in->current;
        size_t count, done;
        if (from->page) {
            FP_TRY(next_pages(in, error));
            continue;
        }
        FP_TRY(fp_line_blocks_next(from->blocks, &in->lines, &count, error));
        if (count == 0) {
            in->current++;
            continue;
        }
        FP_TRY(make_room(in, count, error));
        FP_TRY(fp_line_blocks_work(from->blocks, count, read_line, in, &done, error));
        gather(in, count);
    }
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
    for (size_t i = 0; i < in->count; i++)
        if (!in->inputs[i].page) FP_TRY(fp_line_blocks_rewind(in->inputs[i].blocks, error));
    return FP_OK;
}

fp_text_source fp_entries_source(fp_entries *entries) {
    bool again = true;
    for (size_t i = 0; i < entries->count; i++) {
        const input *from = entries->inputs + i;
        again = again && (from->page ? from->again : fp_line_blocks_can_rewind(from->blocks));
    }
    return (fp_text_source){.context = entries,
                            .count = SIZE_MAX,
                            .next = next_batch,
                            .rewind = again ? start_again : NULL,
                            .name = entries->count == 1 ? entries->inputs[0].path : NULL};
}

const fp_entry *fp_entries_at(const fp_entries *entries, size_t position) {
    return entries->entries + (position - entries->handed);
}
size_t fp_entries_skipped(const fp_entries *entries) { return entries->skipped; }

bool fp_entries_alike(const fp_entries *entries, fp_entries_form *form) {
    for (size_t i = 1; i < entries->count; i++)
        if (entries->inputs[i].json != entries->inputs[0].json) return false;
    *form = entries->count && entries->inputs[0].json ? FP_ENTRIES_JSON : FP_ENTRIES_LINES;
    return true;
}
