/* SPDX-License-Identifier: GPL-3.0-or-later
 * A file is a text: plain, a page of HTML, or Markdown. */
#include <string.h>

#include "corpora/readers/html.h"
#include "corpora/readers/form.h"
#include "corpora/readers/warc.h"
#include "text/unicode/encoding.h"

/* The name of the file, from the directory that was named on, is the id. */
static fp_status take_id(const fp_form_input *input, fp_arena *kept, fp_entry *to, fp_error *error) {
    const char *id = FP_NEED(fp_format(kept, "%s%s", input->prefix, input->name), error);
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
    const char *own_title = FP_NEED(fp_string_copy(kept, title), error),
               *own_text = FP_NEED(fp_string_copy(kept, text), error);
    FP_TRY(fp_form_set(to, FP_ENTRY_TITLE, (fp_string){own_title, title.length}, error));
    FP_TRY(fp_form_set(to, FP_ENTRY_TEXT, (fp_string){own_text, text.length}, error));
    return fp_form_write_line(input, NULL, kept, to, error);
}

/* As UTF-8, without a mark that says so. A NUL is in no text, but in most files that are none. */
static fp_status read_text_file(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to,
                                fp_string *text, fp_error *error) {
    const char *encoding = input->options->encoding ? input->options->encoding : "utf-8";
    fp_encoding_report report;
    fp_string raw;
    FP_TRY(read_file(input, SIZE_MAX, scratch, &raw, error));
    FP_TRY(fp_to_utf8(raw, encoding, false, scratch, text, &report, error));
    to->encoding = FP_NEED(fp_string_copy(kept, fp_string_of(report.name)), error);
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

/* ----
 * Web archives: the pages among their records. Requests, pictures, answers that failed and the like are passed over.
 */

static const fp_record_cut *cut(const fp_entries_options *options) {
    (void)options;
    return &fp_warc_cut;
}

static bool is_page(fp_string type) {
    return fp_media_equal(type, "text/html") || fp_media_equal(type, "application/xhtml+xml");
}

/* What a record holds, and as what. */
typedef struct content {
    fp_string content_type, bytes;
    bool none;
} content;

static fp_status take_content(const fp_form_input *input, const fp_warc_record *record, fp_arena *scratch,
                              content *made, fp_error *error) {
    size_t most = input->options->most_bytes;
    if (!most || most > FP_HTML_MOST_BYTES) most = FP_HTML_MOST_BYTES;
    *made = (content){record->content_type, record->block, true};
    if (fp_media_equal(record->type, "resource") || fp_media_equal(record->type, "conversion")) {
        made->none = false;
        return FP_OK;
    }
    if (!fp_media_equal(record->type, "response") ||
        !fp_media_equal(fp_media_type(record->content_type), "application/http"))
        return FP_OK;
    fp_http_answer answer;
    FP_TRY(fp_http_read(record->block, most, scratch, &answer, error));
    *made = (content){answer.content_type, answer.body, answer.status < 200 || answer.status > 299};
    return FP_OK;
}

/* An encoding that nobody knows is as none. */
static fp_status take_text(const fp_form_input *input, const content *from, fp_arena *scratch, fp_html_page *page,
                           fp_error *error) {
    const char *charset = FP_NEED(fp_string_copy(scratch, fp_media_charset(from->content_type)), error);
    if (is_page(fp_media_type(from->content_type)))
        return fp_html_read(from->bytes, *charset ? charset : NULL, input->options->keep, scratch, page, error);
    *page = (fp_html_page){{"", 0}, {"", 0}};
    fp_error unknown;
    fp_status status =
        fp_to_utf8(from->bytes, *charset ? charset : "utf-8", false, scratch, &page->text, NULL, &unknown);
    if (status == FP_OK) return FP_OK;
    return status == FP_ERROR_MEMORY ? fp_no_memory(error)
                                     : fp_to_utf8(from->bytes, "auto", true, scratch, &page->text, NULL, error);
}

static fp_status set_copy(fp_entry *to, fp_entry_field field, fp_string value, fp_arena *kept, fp_error *error) {
    const char *own = fp_string_copy(kept, value);
    return own ? fp_form_set(to, field, (fp_string){own, value.length}, error) : fp_no_memory(error);
}

/* A header may hold any bytes. */
static fp_status set_header(fp_entry *to, fp_entry_field field, fp_string value, fp_arena *kept, fp_error *error) {
    fp_status status = fp_form_check_utf8(value, error);
    if (status != FP_OK && error) error->byte += (size_t)(value.data - to->line.data);
    return status == FP_OK ? set_copy(to, field, value, kept, error) : status;
}

static fp_status read(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                      fp_error *error) {
    fp_warc_record record;
    content from;
    fp_html_page page;
    FP_TRY(fp_warc_read(to->line, &record, error));
    FP_TRY(take_content(input, &record, scratch, &from, error));
    fp_string type = fp_media_type(from.content_type);
    *none = from.none || (!is_page(type) && !fp_media_equal(type, "text/plain"));
    if (*none) return FP_OK;
    FP_TRY(take_text(input, &from, scratch, &page, error));
    FP_TRY(set_header(to, FP_ENTRY_ID, record.id, kept, error));
    FP_TRY(set_header(to, FP_ENTRY_URL, record.uri, kept, error));
    FP_TRY(set_header(to, FP_ENTRY_TIME, record.date, kept, error));
    FP_TRY(set_copy(to, FP_ENTRY_TITLE, page.title, kept, error));
    FP_TRY(set_copy(to, FP_ENTRY_TEXT, page.text, kept, error));
    if (!to->id.length) FP_TRY(fp_form_number(input, kept, to, error));
    return fp_form_write_line(input, NULL, kept, to, error);
}

const fp_form fp_form_warc = {
    .name = "warc",
    .summary = "a web archive: its pages, as html reads them",
    .endings = " .warc .wet ",
    .alone = true,
    .cut = cut,
    .read = read,
};
