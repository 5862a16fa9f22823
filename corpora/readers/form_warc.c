/* SPDX-License-Identifier: GPL-3.0-or-later
 * Web archives: the pages among their records. Requests, pictures, answers that failed and the like are passed over. */
#include "corpora/readers/form.h"
#include "corpora/readers/warc.h"
#include "text/unicode/encoding.h"

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
    const char *charset = fp_string_copy(scratch, fp_media_charset(from->content_type));
    if (!charset) return fp_no_memory(error);
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
    return fp_form_write_line(input, kept, to, error);
}

const fp_form fp_form_warc = {
    .name = "warc",
    .summary = "a web archive: its pages, as html reads them",
    .endings = " .warc .wet ",
    .alone = true,
    .cut = cut,
    .read = read,
};
