/* SPDX-License-Identifier: GPL-3.0-or-later
 * A file is a text: plain, a page of HTML, or Markdown. */
#include <string.h>

#include "corpora/markup/markdown_text.h"
#include "corpora/readers/form.h"
#include "text/unicode/encoding.h"

/* The name of the file, from the directory that was named on, is the id. */
static fp_status take_id(const fp_form_input *input, fp_arena *kept, fp_entry *to, fp_error *error) {
    const char *id = fp_format(kept, "%s%s", input->prefix, input->name);
    if (!id) return fp_no_memory(error);
    if (fp_form_check_utf8(fp_string_of(id), NULL) != FP_OK)
        return fp_fail(error, FP_ERROR_ENCODING, "the name of the file, which is its id, is not UTF-8");
    return fp_form_set(to, FP_ENTRY_ID, fp_string_of(id), error);
}

static fp_status read_file(const fp_form_input *input, size_t most, fp_arena *scratch, fp_string *raw,
                           fp_error *error) {
    size_t asked = input->options->most_bytes ? input->options->most_bytes : FP_MOST_BYTES;
    return fp_read_file_within(input->path, asked < most ? asked : most, scratch, raw, error);
}

/* What was made in scratch memory stays. */
static fp_status keep(const fp_form_input *input, fp_string title, fp_string text, fp_arena *kept, fp_entry *to,
                      fp_error *error) {
    const char *own_title = fp_string_copy(kept, title), *own_text = fp_string_copy(kept, text);
    if (!own_title || !own_text) return fp_no_memory(error);
    FP_TRY(fp_form_set(to, FP_ENTRY_TITLE, (fp_string){own_title, title.length}, error));
    FP_TRY(fp_form_set(to, FP_ENTRY_TEXT, (fp_string){own_text, text.length}, error));
    return fp_form_write_line(input, kept, to, error);
}

/* As UTF-8, without a mark that says so. A NUL is in no text, but in most files that are none. */
static fp_status read_text_file(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to,
                                fp_string *text, fp_error *error) {
    const char *encoding = input->options->encoding ? input->options->encoding : "utf-8";
    fp_encoding_report report;
    fp_string raw;
    FP_TRY(read_file(input, SIZE_MAX, scratch, &raw, error));
    FP_TRY(fp_to_utf8(raw, encoding, false, scratch, text, &report, error));
    to->encoding = fp_string_copy(kept, fp_string_of(report.name));
    if (!to->encoding) return fp_no_memory(error);
    const char *nul = memchr(text->data, '\0', text->length);
    if (nul) {
        fp_fail(error, FP_ERROR_ENCODING, "a NUL: this is no text");
        if (error) error->byte = (size_t)(nul - text->data);
        return FP_ERROR_ENCODING;
    }
    *text = fp_string_skip_mark(*text);
    return FP_OK;
}

static fp_status read_text(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                           fp_error *error) {
    fp_string text;
    (void)none;
    FP_TRY(take_id(input, kept, to, error));
    FP_TRY(read_text_file(input, scratch, kept, to, &text, error));
    return keep(input, (fp_string){"", 0}, text, kept, to, error);
}

static fp_status read_html(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                           fp_error *error) {
    fp_string raw;
    fp_html_page page;
    (void)none;
    FP_TRY(take_id(input, kept, to, error));
    FP_TRY(read_file(input, FP_HTML_MOST_BYTES, scratch, &raw, error));
    FP_TRY(fp_html_read(raw, input->options->encoding, input->options->keep, scratch, &page, error));
    return keep(input, page.title, page.text, kept, to, error);
}

static fp_status read_markdown(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                               fp_error *error) {
    fp_string text;
    fp_markdown made;
    (void)none;
    FP_TRY(take_id(input, kept, to, error));
    FP_TRY(read_text_file(input, scratch, kept, to, &text, error));
    FP_TRY(fp_markdown_read(text, scratch, &made, error));
    return keep(input, made.title, made.text, kept, to, error);
}

const fp_form fp_form_text = {
    .name = "text",
    .summary = "a file is a text",
    .endings = " .txt .text ",
    .read = read_text,
};

const fp_form fp_form_html = {
    .name = "html",
    .summary = "a file is a page, without menus, links, footers and what else stands around the article",
    .endings = " .html .htm .xhtml ",
    .alone = true,
    .read = read_html,
};

const fp_form fp_form_markdown = {
    .name = "markdown",
    .summary = "a file is a text in Markdown, whose markup is left out",
    .endings = " .md .markdown ",
    .alone = true,
    .read = read_markdown,
};
