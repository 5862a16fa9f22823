/* SPDX-License-Identifier: GPL-3.0-or-later
 * A JSON object a line. */
#include "corpora/readers/form.h"
#include "corpora/row.h"

static const fp_record_cut *cut(const fp_entries_options *options) {
    (void)options;
    return &fp_line_cut;
}

/* The members wanted beside id, text, group and language, then those of options->more. */
static const char *const *wanted(const fp_entries_options *options, fp_arena *scratch) {
    size_t more = 0, count = 0;
    while (options->more && options->more[more]) more++;
    const char **names = fp_arena_raw(scratch, FP_ENTRY_FIELDS + more + 1, sizeof *names);
    if (!names) return NULL;
    for (size_t field = FP_ENTRY_TITLE; field < FP_ENTRY_FIELDS; field++)
        names[count++] = fp_form_field(options, (fp_entry_field)field);
    for (size_t i = 0; i < more; i++) names[count++] = options->more[i];
    names[count] = NULL;
    return names;
}

static fp_status read(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                      fp_error *error) {
    const fp_entries_options *options = input->options;
    const fp_corpus_row_form form = {.id = fp_form_field(options, FP_ENTRY_ID),
                                     .text = fp_form_field(options, FP_ENTRY_TEXT),
                                     .group = fp_form_field(options, FP_ENTRY_GROUP),
                                     .language = fp_form_field(options, FP_ENTRY_LANGUAGE),
                                     .fields = wanted(options, scratch),
                                     .lax = true};
    fp_corpus_row row;
    if (!form.fields) return fp_no_memory(error);
    (void)none;
    FP_TRY(fp_corpus_row_parse(to->line, &form, scratch, kept, &row, error));
    to->id = row.id;
    to->text = row.text;
    to->characters = row.characters;
    to->group = row.group;
    to->language = row.language;
    for (size_t field = FP_ENTRY_TITLE; field < FP_ENTRY_FIELDS; field++)
        FP_TRY(fp_form_set(to, (fp_entry_field)field, row.values[field - FP_ENTRY_TITLE], error));
    to->more = row.values + (FP_ENTRY_FIELDS - FP_ENTRY_TITLE);
    return to->id.length ? FP_OK : fp_form_number(input, kept, to, error);
}

const fp_form fp_form_jsonl = {
    .name = "jsonl",
    .summary = "a JSON object a line, with \"text\" and what else is known",
    .endings = " .jsonl .ndjson .json ",
    .alone = true,
    .object = true,
    .decoded = true,
    .cut = cut,
    .read = read,
};
