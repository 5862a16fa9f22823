/* SPDX-License-Identifier: GPL-3.0-or-later
 * A text a line. */
#include "corpora/readers/form.h"

static const fp_record_cut *cut(const fp_entries_options *options) {
    (void)options;
    return &fp_line_cut;
}

static fp_status read(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                      fp_error *error) {
    (void)scratch, (void)none;
    FP_TRY(fp_form_check_utf8(to->line, error));
    FP_TRY(fp_form_set(to, FP_ENTRY_TEXT, to->line, error));
    return fp_form_number(input, kept, to, error);
}

const fp_form fp_form_lines = {
    .name = "lines",
    .summary = "a text a line",
    .endings = "",
    .decoded = true,
    .cut = cut,
    .read = read,
};
