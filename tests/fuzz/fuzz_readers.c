/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every form of corpora/readers: a file of any bytes, with any of the options that concern it; a file and a pipe that
 * no name describes; pages with many attributes. */
#include <unistd.h>

#include "corpora/readers/html.h"
#include "corpora/readers/entries.h"
#include "corpora/readers/form.h"
#include "tests/fuzz/fuzz.h"
#include "text/unicode/utf8.h"

static bool valid(fp_string text) { return fp_utf8_check(text) == text.length; }

/* What fp_entry promises: valid UTF-8, an id that is none of a table's signs. */
static void check(const fp_entry *entry) {
    for (int f = 0; f < FP_ENTRY_FIELDS; f++) FUZZ_DEMAND(valid(entry->field[f]));
    FUZZ_DEMAND(entry->id.length && entry->row > 0 && entry->characters == fp_utf8_count(entry->text));
    for (size_t i = 0; i < entry->id.length; i++) FUZZ_DEMAND(!strchr("\t\r\n", entry->id.data[i]));
}

/* Reads to the end. Returns the entries. */
static size_t drain(fp_entries *entries, fp_error *error) {
    fp_text_source source = fp_entries_source(entries);
    fp_text_batch batch = {.count = 1};
    size_t count = 0;
    while (batch.count && source.next(source.context, &batch, error) == FP_OK)
        for (size_t i = 0; i < batch.count; i++, count++) check(fp_entries_at(entries, batch.first + i));
    return count;
}

static void skipped(void *context, const fp_error *error) {
    FUZZ_DEMAND(error->code != FP_OK && error->message[0]);
    ++*(size_t *)context;
}

/* Read twice: the second time the same comes. */
static void read_form(const char *form, fp_string input, fp_arena *arena) {
    static const char *const ENCODINGS[] = {NULL, "auto", "gb18030", "utf-16"};
    static const char *const MORE[] = {"kind", "text", NULL};
    static const char *const COLUMNS[] = {"id", "text", "kind", NULL};
    unsigned choice = fuzz_choice(&input);
    size_t told = 0;
    fp_error error;
    fp_entries *entries;
    fp_progress progress = {.threads = 1};
    fp_entries_options options = {.form = fp_form_find(form),
                                  .skip_bad = choice & 1,
                                  .no_quotes = choice >> 1 & 1,
                                  .separator = choice >> 2 & 1 ? ';' : 0,
                                  .columns = choice >> 3 & 1 ? COLUMNS : NULL,
                                  .more = choice >> 4 & 1 ? MORE : NULL,
                                  .encoding = ENCODINGS[choice >> 5 & 3],
                                  .keep = choice >> 7 ? FP_HTML_KEEP_ALL : FP_HTML_KEEP_ARTICLE,
                                  .most_bytes = 1 << 16,
                                  .skipped = skipped,
                                  .context = &told,
                                  .progress = &progress};
    const char *path = fuzz_file("texts", input, arena);
    if (fp_entries_open(&path, 1, &options, arena, &entries, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    size_t count = drain(entries, &error);
    FUZZ_DEMAND(fp_entries_skipped(entries) == told);
    fp_text_source source = fp_entries_source(entries);
    if (source.rewind && source.rewind(source.context, &error) == FP_OK) FUZZ_DEMAND(drain(entries, &error) == count);
    fp_entries_close(entries);
}

/* ---- What no name says ---- */

/* Reads a file without an ending, or standard input. Returns the status; *count entries of *form. */
static fp_status read_unnamed(const char *path, unsigned choice, size_t *count, const char **form, fp_arena *arena) {
    size_t told = 0, input = 0;
    fp_error error = {0};
    fp_entries *entries;
    fp_progress progress = {.threads = 1};
    const fp_entries_options options = {.skip_bad = choice & 1,
                                        .no_quotes = choice >> 1 & 1,
                                        .name = {[FP_ENTRY_TEXT] = choice >> 2 & 1 ? "body" : NULL},
                                        .most_bytes = 1 << 16,
                                        .skipped = skipped,
                                        .context = &told,
                                        .progress = &progress};
    fp_status status = fp_entries_open(&path, 1, &options, arena, &entries, &error);
    *count = 0;
    *form = NULL;
    if (status != FP_OK) return status;
    *count = drain(entries, &error);
    *form = fp_entries_recognised(entries, &input);
    fp_entries_close(entries);
    return error.code;
}

/* The same bytes are the same texts as a file and by a pipe. */
void fuzz_recognition(fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    int ends[2];
    size_t of_file, of_pipe;
    const char *form_of_file, *form_of_pipe;
    const char *path = fuzz_file("texts", input, arena);
    fp_status file = read_unnamed(path, choice, &of_file, &form_of_file, arena);
    FUZZ_DEMAND(pipe(ends) == 0 && write(ends[1], input.data, input.length) == (ssize_t)input.length);
    close(ends[1]);
    FUZZ_DEMAND(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    fp_status pipe_status = read_unnamed("-", choice, &of_pipe, &form_of_pipe, arena);
    FUZZ_DEMAND(file == pipe_status && of_file == of_pipe);
    FUZZ_DEMAND(!form_of_file == !form_of_pipe && (!form_of_file || strcmp(form_of_file, form_of_pipe) == 0));
}

/* ---- Attributes ---- */

/* An element of so many attributes, whose first bytes the input says; of 0xffff one more than are allowed. */
void fuzz_attributes(fp_string input, fp_arena *arena) {
    enum { NAME = 8 };
    unsigned high = fuzz_choice(&input), low = fuzz_choice(&input);
    bool many = high == 0xff && low == 0xff;
    size_t attributes = many ? FP_HTML_ATTRIBUTES + 1 : low, length = 0;
    fp_html_page page;
    fp_error error;
    char *made = fp_arena_raw(arena, attributes * (input.length / 8 + 3 * NAME) + input.length + 64, 1);
    length += (size_t)sprintf(made, "a\n<div");
    for (size_t i = 0; i < attributes; i++) {
        size_t some = many ? 0 : input.length / 8;
        length += (size_t)sprintf(made + length, many ? " a%zx" : " a%zx=", i);
        memcpy(made + length, input.data + (i % 8) * some, some);
        length += some;
    }
    length += (size_t)sprintf(made + length, ">b");
    if (!many && input.length) memcpy(made + length, input.data, input.length);
    if (!many) length += input.length;
    fp_status status = fp_html_read((fp_string){made, length}, "utf-8", FP_HTML_KEEP_ALL, arena, &page, &error);
    FUZZ_DEMAND(status == (many ? FP_ERROR_RANGE : FP_OK));
    if (many) FUZZ_DEMAND(error.line == 2);
    else FUZZ_DEMAND(valid(page.text) && page.text.length && page.text.data[0] == 'a');
}

#define FORM(name) \
    void fuzz_reader_##name(fp_string input, fp_arena *arena) { read_form(#name, input, arena); }
#include "corpora/readers/forms.def"
#undef FORM
