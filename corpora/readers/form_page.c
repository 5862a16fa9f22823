/* SPDX-License-Identifier: GPL-3.0-or-later
 * Formats of whole files: plain text, an HTML page, Markdown; and web archives of pages. */
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "corpora/readers/html.h"
#include "corpora/readers/form.h"
#include "text/unicode/encoding.h"

/* ---- Headers of "Name: value" lines after a first line, up to an empty line, as in web archives and HTTP ---- */

typedef struct header_lines {
    fp_string first, lines;
    const char *behind; /* the text after the empty line */
} header_lines;

/* False if no empty line ends the header. */
static bool open_header(fp_string text, header_lines *header) {
    fp_string rest = text, line;
    *header = (header_lines){.first = {"", 0}};
    if (!fp_next_line(&rest, &header->first)) return false;
    header->lines.data = header->behind = rest.data;
    while (fp_next_line(&rest, &line)) {
        header->behind = rest.data;
        if (line.length == 0 && rest.data[-1] == '\n') return true;
        header->lines.length = (size_t)(rest.data - header->lines.data);
    }
    return false;
}

/* The value of the first line of that name, ignoring case and trimmed; false and empty if there is none. */
static bool find_header(const header_lines *header, const char *name, fp_string *value) {
    fp_string rest = header->lines, line;
    size_t length = strlen(name);
    *value = (fp_string){"", 0};
    while (fp_next_line(&rest, &line)) {
        if (line.length <= length || line.data[length] != ':' || strncasecmp(line.data, name, length) != 0) continue;
        *value = fp_string_trim((fp_string){line.data + length + 1, line.length - length - 1}, " \t\r");
        return true;
    }
    return false;
}

/* ---- Web archives (WARC, ISO 28500): a sequence of records, each a header and a block; a block may hold an HTTP
 * response (RFC 9112) ---- */

typedef struct warc_record {
    fp_string type, id, uri, date, content_type; /* empty if missing; the id without angle brackets */
    fp_string block;
} warc_record;

typedef struct http_answer {
    uint64_t status;
    fp_string content_type;
    fp_string body; /* without transfer and content encodings */
} http_answer;

static const char VERSION[] = "WARC/";
enum { VERSION_LENGTH = sizeof VERSION - 1, LONGEST_HEADER = 1 << 20 };

static bool begins_record(const char *at, const char *end) {
    return end - at >= VERSION_LENGTH && memcmp(at, VERSION, VERSION_LENGTH) == 0;
}

/* The end of the record that begins at `at`, including the empty lines after it; NULL if it is incomplete. Sets the
 * block. A header without a length has no block. */
static const char *record_end(const char *at, const char *end, fp_string *block) {
    header_lines header;
    fp_string length;
    uint64_t bytes = 0;
    size_t room = (size_t)(end - at), most = room < LONGEST_HEADER ? room : LONGEST_HEADER;
    if (!open_header((fp_string){at, most}, &header)) return NULL;
    if (find_header(&header, "Content-Length", &length)) fp_string_count(length, &bytes);
    if (bytes > (uint64_t)(end - header.behind)) return NULL;
    *block = (fp_string){header.behind, (size_t)bytes};
    const char *behind = header.behind + bytes;
    while (behind < end && (*behind == '\r' || *behind == '\n')) behind++;
    return behind;
}

/* The next line that begins a record, or NULL. */
static const char *next_record(const char *at, const char *end) {
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        if (begins_record(at, end)) return at;
    }
    return NULL;
}

/* A record is complete when its trailing empty lines are, which only the beginning of the next record shows. */
static size_t whole(char separator, fp_string bytes) {
    (void)separator;
    const char *at = bytes.data, *end = at + bytes.length, *done = at;
    while (at && at < end) {
        fp_string block;
        at = begins_record(at, end) ? record_end(at, end, &block) : next_record(at, end);
        if (at && at < end) done = at;
    }
    return (size_t)(done - bytes.data);
}

static bool next(char separator, fp_string *rest, fp_string *record, size_t *rows) {
    (void)separator;
    if (rest->length == 0) return false;
    const char *begin = rest->data, *end = begin + rest->length;
    fp_string block;
    const char *behind = begins_record(begin, end) ? record_end(begin, end, &block) : next_record(begin, end);
    if (!behind) behind = end;
    *record = (fp_string){begin, (size_t)(behind - begin)};
    *rest = (fp_string){behind, (size_t)(end - behind)};
    *rows = 1;
    return true;
}

/* Splits an archive into records. Bytes that are not a record form one, up to the next record, which warc_read refuses.
 * A record counts as one row. */
static const fp_record_cut warc_cut = {whole, next, 0};

/* The result points into the record. FP_ERROR_SYNTAX: no version, no Content-Length, a truncated block. */
static fp_status warc_read(fp_string record, warc_record *made, fp_error *error) {
    header_lines header;
    fp_string length;
    *made = (warc_record){.type = {"", 0}};
    if (!begins_record(record.data, record.data + record.length) || !open_header(record, &header))
        return fp_fail(error, FP_ERROR_SYNTAX, "no record of a web archive: it does not begin with WARC/ and a header");
    uint64_t bytes = 0;
    if (!find_header(&header, "Content-Length", &length) || !fp_string_count(length, &bytes))
        return fp_fail(error, FP_ERROR_SYNTAX, "the record has no Content-Length");
    if (!record_end(record.data, record.data + record.length, &made->block))
        return fp_fail(error, FP_ERROR_SYNTAX, "the record is cut short: its block has %llu bytes",
                       (unsigned long long)bytes);
    find_header(&header, "WARC-Type", &made->type);
    find_header(&header, "WARC-Record-ID", &made->id);
    find_header(&header, "WARC-Target-URI", &made->uri);
    find_header(&header, "WARC-Date", &made->date);
    find_header(&header, "Content-Type", &made->content_type);
    fp_string *bracketed[] = {&made->id, &made->uri};
    for (size_t i = 0; i < 2; i++)
        if (bracketed[i]->length > 2 && bracketed[i]->data[0] == '<') bracketed[i]->data++, bracketed[i]->length -= 2;
    return FP_OK;
}

/* ---- HTTP responses as archives store them: with their header, and often with transfer and content encodings ---- */

/* Compares without case. */
static bool media_equal(fp_string name, const char *other) {
    return name.length == strlen(other) && strncasecmp(name.data, other, name.length) == 0;
}

static fp_string cut_at(fp_string text, char sign) {
    const char *at = memchr(text.data, sign, text.length);
    if (at) text.length = (size_t)(at - text.data);
    while (text.length && strchr(" \t\r\n", text.data[text.length - 1])) text.length--;
    return text;
}

/* The media type of a Content-Type without its parameters, and the charset parameter; empty if missing. */
static fp_string media_type(fp_string content_type) { return cut_at(content_type, ';'); }

static fp_string media_charset(fp_string content_type) {
    static const char NAME[] = "charset=";
    size_t name = sizeof NAME - 1;
    for (size_t i = 0; i + name < content_type.length; i++) {
        if (strncasecmp(content_type.data + i, NAME, name) != 0) continue;
        fp_string value = cut_at((fp_string){content_type.data + i + name, content_type.length - i - name}, ';');
        if (value.length >= 2 && (*value.data == '"' || *value.data == '\'')) value.data++, value.length -= 2;
        return value;
    }
    return (fp_string){"", 0};
}

/* ---- Chunks ---- */

/* Parses the hexadecimal size at the start of a chunk line; false if there is none. */
static bool chunk_size(fp_string line, size_t *size) {
    size_t digits = 0;
    *size = 0;
    for (int digit; digits < line.length && digits < 9 && (digit = fp_hex_digit(line.data[digits])) >= 0; digits++)
        *size = 16 * *size + (size_t)digit;
    return digits > 0 && digits < 9 && (digits == line.length || strchr("; \t\r", line.data[digits]));
}

/* Many archives have joined the chunks and kept the header: the first line is then not a chunk size. */
static fp_status join_chunks(fp_string body, fp_arena *arena, fp_string *joined, fp_error *error) {
    fp_string rest = body, line;
    size_t size;
    *joined = body;
    if (!fp_next_line(&rest, &line) || !chunk_size(line, &size)) return FP_OK;
    char *made = FP_NEED(fp_arena_raw(arena, body.length, 1), error), *to = made;
    while (size > 0) {
        if (size > rest.length) return fp_fail(error, FP_ERROR_SYNTAX, "a chunk of the answer is cut short");
        memcpy(to, rest.data, size);
        to += size;
        rest.data += size;
        rest.length -= size;
        if (!fp_next_line(&rest, &line) || line.length > 1 || !fp_next_line(&rest, &line) || !chunk_size(line, &size))
            return fp_fail(error, FP_ERROR_SYNTAX, "the answer's chunks are broken");
    }
    *joined = (fp_string){made, (size_t)(to - made)};
    return FP_OK;
}

/* ---- Compressed contents ---- */

static fp_status inflate_all(z_stream *stream, size_t most, fp_arena *arena, fp_string *text, fp_error *error) {
    char *made = NULL;
    size_t room = 0, length = 0;
    int state = Z_OK;
    while (state == Z_OK) {
        if (length == room) {
            if (room > most) return fp_fail(error, FP_ERROR_RANGE, "the answer unpacks to more than %zu bytes", most);
            room = room ? 2 * room : 65536;
            made = FP_NEED(fp_arena_grow(arena, made, room), error);
        }
        stream->next_out = (Bytef *)made + length;
        stream->avail_out = (uInt)(room - length);
        state = inflate(stream, Z_NO_FLUSH);
        length = room - stream->avail_out;
        if (state == Z_MEM_ERROR) return fp_no_memory(error);
    }
    if (state != Z_STREAM_END) return fp_fail(error, FP_ERROR_IO, "the packed answer is damaged or cut short");
    *text = (fp_string){made, length};
    return length > most ? fp_fail(error, FP_ERROR_RANGE, "the answer unpacks to more than %zu bytes", most) : FP_OK;
}

/* "deflate" is the zlib format (RFC 9110, 8.4.1.2), but some servers send the raw stream. */
static fp_status unpack(fp_string packed, size_t most, fp_arena *arena, fp_string *text, fp_error *error) {
    enum { GZIP_OR_ZLIB = 32 + MAX_WBITS };
    bool bare =
        packed.length > 1 && ((unsigned char)packed.data[0] & 0x0f) != 8 && (unsigned char)packed.data[0] != 0x1f;
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.data, .avail_in = (uInt)packed.length};
    if (packed.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "the answer is too large");
    if (packed.length == 0) return FP_OK;
    if (inflateInit2(&stream, bare ? -MAX_WBITS : GZIP_OR_ZLIB) != Z_OK) return fp_no_memory(error);
    fp_status status = inflate_all(&stream, most, arena, text, error);
    inflateEnd(&stream);
    return status;
}

/* The result points into the block if nothing is compressed or chunked, else into `arena`; at most `most` bytes
 * unpacked. FP_ERROR_SYNTAX: not an HTTP response, broken chunks; FP_ERROR_IO: damaged gzip; FP_ERROR_RANGE: more than
 * `most`; FP_ERROR_UNKNOWN: a content encoding other than gzip and deflate. */
static fp_status http_read(fp_string block, size_t most, fp_arena *arena, http_answer *answer, fp_error *error) {
    header_lines header;
    fp_string value;
    *answer = (http_answer){.content_type = {"", 0}};
    if (block.length < 5 || memcmp(block.data, "HTTP/", 5) != 0 || !open_header(block, &header))
        return fp_fail(error, FP_ERROR_SYNTAX, "the block is no HTTP answer");
    fp_next_field(&header.first, ' ', &value);
    if (header.first.length >= 3) fp_string_count((fp_string){header.first.data, 3}, &answer->status);
    find_header(&header, "Content-Type", &answer->content_type);
    answer->body = (fp_string){header.behind, (size_t)(block.data + block.length - header.behind)};
    if (find_header(&header, "Transfer-Encoding", &value) && media_equal(value, "chunked"))
        FP_TRY(join_chunks(answer->body, arena, &answer->body, error));
    if (!find_header(&header, "Content-Encoding", &value) || media_equal(value, "identity")) return FP_OK;
    if (media_equal(value, "gzip") || media_equal(value, "x-gzip") || media_equal(value, "deflate"))
        return unpack(answer->body, most, arena, &answer->body, error);
    return fp_fail(error, FP_ERROR_UNKNOWN, "the content encoding \"%.*s\": gzip and deflate are read",
                   (int)(value.length < 40 ? value.length : 40), value.data);
}

/* The id is the path of the file relative to the given directory. */
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

static fp_status set_copy(fp_entry *to, fp_entry_field field, fp_string value, fp_arena *kept, fp_error *error) {
    const char *own = FP_NEED(fp_string_copy(kept, value), error);
    return fp_form_set(to, field, (fp_string){own, value.length}, error);
}

/* Copies title and text from scratch memory. */
static fp_status keep(const fp_form_input *input, fp_string title, fp_string text, fp_arena *kept, fp_entry *to,
                      fp_error *error) {
    FP_TRY(set_copy(to, FP_ENTRY_TITLE, title, kept, error));
    FP_TRY(set_copy(to, FP_ENTRY_TEXT, text, kept, error));
    return fp_form_write_line(input, NULL, kept, to, error);
}

/* Reads the file as UTF-8, without a byte-order mark. A NUL shows that it is not a text. */
static fp_status read_text_file(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to,
                                fp_string *text, fp_error *error) {
    const char *encoding = input->options->encoding ? input->options->encoding : "utf-8";
    fp_encoding_report report;
    fp_string raw;
    FP_TRY(read_file(input, SIZE_MAX, scratch, &raw, error));
    FP_TRY(fp_to_utf8(raw, encoding, false, scratch, text, &report, error));
    to->encoding = FP_NEED(fp_string_copy(kept, fp_string_of(report.name)), error);
    const char *nul = memchr(text->data, '\0', text->length);
    if (nul)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_ENCODING, "a NUL byte; this is not a text"),
                          (size_t)(nul - text->data));
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
    fp_html_page made;
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
    .summary = "a file is a page, without menus, links, footers and other text around the article",
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

/* ---- Web archives: the pages among their records. Requests, pictures, failed responses and other records are skipped
 * ---- */

static bool is_page(fp_string type) {
    return media_equal(type, "text/html") || media_equal(type, "application/xhtml+xml");
}

/* Content of a record and its type. */
typedef struct content {
    fp_string content_type, bytes;
    bool none;
} content;

static fp_status take_content(const fp_form_input *input, const warc_record *record, fp_arena *scratch, content *made,
                              fp_error *error) {
    size_t most = input->options->most_bytes;
    if (!most || most > FP_HTML_MOST_BYTES) most = FP_HTML_MOST_BYTES;
    *made = (content){record->content_type, record->block, true};
    if (media_equal(record->type, "resource") || media_equal(record->type, "conversion")) {
        made->none = false;
        return FP_OK;
    }
    if (!media_equal(record->type, "response") || !media_equal(media_type(record->content_type), "application/http"))
        return FP_OK;
    http_answer answer;
    FP_TRY(http_read(record->block, most, scratch, &answer, error));
    *made = (content){answer.content_type, answer.body, answer.status < 200 || answer.status > 299};
    return FP_OK;
}

/* An unknown encoding is treated as missing. */
static fp_status take_text(const fp_form_input *input, const content *from, fp_arena *scratch, fp_html_page *page,
                           fp_error *error) {
    const char *charset = FP_NEED(fp_string_copy(scratch, media_charset(from->content_type)), error);
    if (is_page(media_type(from->content_type)))
        return fp_html_read(from->bytes, *charset ? charset : NULL, input->options->keep, scratch, page, error);
    *page = (fp_html_page){{"", 0}, {"", 0}};
    fp_status status = fp_to_utf8(from->bytes, *charset ? charset : "utf-8", false, scratch, &page->text, NULL, NULL);
    if (status == FP_OK) return FP_OK;
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    return fp_to_utf8(from->bytes, "auto", true, scratch, &page->text, NULL, error);
}

/* A header may hold any bytes, so it is checked. */
static fp_status set_header(fp_entry *to, fp_entry_field field, fp_string value, fp_arena *kept, fp_error *error) {
    fp_status status = fp_form_check_utf8(value, error);
    if (status != FP_OK && error) error->byte += (size_t)(value.data - to->line.data);
    return status == FP_OK ? set_copy(to, field, value, kept, error) : status;
}

static fp_status read_whole(const fp_form_input *input, fp_arena *scratch, fp_arena *kept, fp_entry *to, bool *none,
                            fp_error *error) {
    warc_record record;
    content from;
    fp_html_page page;
    FP_TRY(warc_read(to->line, &record, error));
    FP_TRY(take_content(input, &record, scratch, &from, error));
    fp_string type = media_type(from.content_type);
    *none = from.none || (!is_page(type) && !media_equal(type, "text/plain"));
    if (*none) return FP_OK;
    FP_TRY(take_text(input, &from, scratch, &page, error));
    FP_TRY(set_header(to, FP_ENTRY_ID, record.id, kept, error));
    FP_TRY(set_header(to, FP_ENTRY_URL, record.uri, kept, error));
    FP_TRY(set_header(to, FP_ENTRY_TIME, record.date, kept, error));
    if (!to->id.length) FP_TRY(fp_form_number(input, kept, to, error));
    return keep(input, page.title, page.text, kept, to, error);
}

const fp_form fp_form_warc = {
    .name = "warc",
    .summary = "a web archive: its pages, as html reads them",
    .endings = " .warc .wet ",
    .alone = true,
    .cut = &warc_cut,
    .read = read_whole,
};
