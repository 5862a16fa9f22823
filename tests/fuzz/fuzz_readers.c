/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every form of corpora/readers: a file of any bytes, with any of the options that concern it. */
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

#define FORM(name) \
    void fuzz_reader_##name(fp_string input, fp_arena *arena) { read_form(#name, input, arena); }
#include "corpora/readers/forms.def"
#undef FORM
