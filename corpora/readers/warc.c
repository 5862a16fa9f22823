/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records of web archives. */
#include "corpora/readers/warc.h"

#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "corpora/readers/csv.h"

static const char VERSION[] = "WARC/";
enum { VERSION_LENGTH = sizeof VERSION - 1, LONGEST_HEADER = 1 << 20 };

static bool begins_record(const char *at, const char *end) {
    return end - at >= VERSION_LENGTH && memcmp(at, VERSION, VERSION_LENGTH) == 0;
}

/* Where the record that begins at `at` ends, with the empty lines behind it; NULL where it is not whole. Sets the
 * block. A header without a length has no block. */
static const char *record_end(const char *at, const char *end, fp_string *block) {
    fp_header_lines header;
    fp_string length;
    uint64_t bytes = 0;
    size_t room = (size_t)(end - at), most = room < LONGEST_HEADER ? room : LONGEST_HEADER;
    if (!fp_header_open((fp_string){at, most}, &header)) return NULL;
    if (fp_header_find(&header, "Content-Length", &length)) fp_header_number(length, &bytes);
    if (bytes > (uint64_t)(end - header.behind)) return NULL;
    *block = (fp_string){header.behind, (size_t)bytes};
    const char *behind = header.behind + bytes;
    while (behind < end && (*behind == '\r' || *behind == '\n')) behind++;
    return behind;
}

/* The next line that begins a record; NULL: there is none. */
static const char *next_record(const char *at, const char *end) {
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        at++;
        if (begins_record(at, end)) return at;
    }
    return NULL;
}

/* A record is whole when its empty lines are there, which the begin of the next one shows. */
static size_t whole(fp_string bytes) {
    const char *at = bytes.data, *end = at + bytes.length, *done = at;
    while (at && at < end) {
        fp_string block;
        at = begins_record(at, end) ? record_end(at, end, &block) : next_record(at, end);
        if (at && at < end) done = at;
    }
    return (size_t)(done - bytes.data);
}

static bool next(fp_string *rest, fp_string *record, size_t *rows) {
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

const fp_record_cut fp_warc_cut = {whole, next};

fp_status fp_warc_read(fp_string record, fp_warc_record *made, fp_error *error) {
    fp_header_lines header;
    fp_string length;
    *made = (fp_warc_record){.type = {"", 0}};
    if (!begins_record(record.data, record.data + record.length) || !fp_header_open(record, &header))
        return fp_fail(error, FP_ERROR_SYNTAX, "no record of a web archive: it does not begin with WARC/ and a header");
    uint64_t bytes = 0;
    if (!fp_header_find(&header, "Content-Length", &length) || !fp_header_number(length, &bytes))
        return fp_fail(error, FP_ERROR_SYNTAX, "the record has no Content-Length");
    if (!record_end(record.data, record.data + record.length, &made->block))
        return fp_fail(error, FP_ERROR_SYNTAX, "the record is cut short: its block has %llu bytes",
                       (unsigned long long)bytes);
    fp_header_find(&header, "WARC-Type", &made->type);
    fp_header_find(&header, "WARC-Record-ID", &made->id);
    fp_header_find(&header, "WARC-Target-URI", &made->uri);
    fp_header_find(&header, "WARC-Date", &made->date);
    fp_header_find(&header, "Content-Type", &made->content_type);
    fp_string *bracketed[] = {&made->id, &made->uri};
    for (size_t i = 0; i < 2; i++)
        if (bracketed[i]->length > 2 && bracketed[i]->data[0] == '<') bracketed[i]->data++, bracketed[i]->length -= 2;
    return FP_OK;
}

/* ----
 * An HTTP answer, as archives keep it: with its header, and often with the encodings in which it was sent.
 */

bool fp_media_equal(fp_string name, const char *other) {
    return name.length == strlen(other) && strncasecmp(name.data, other, name.length) == 0;
}

static fp_string cut_at(fp_string text, char sign) {
    const char *at = memchr(text.data, sign, text.length);
    if (at) text.length = (size_t)(at - text.data);
    while (text.length && strchr(" \t\r\n", text.data[text.length - 1])) text.length--;
    return text;
}

fp_string fp_media_type(fp_string content_type) { return cut_at(content_type, ';'); }

fp_string fp_media_charset(fp_string content_type) {
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

/* The size that a line of a chunk begins with, in hexadecimal digits; false where there is none. */
static bool chunk_size(fp_string line, size_t *size) {
    size_t digits = 0;
    *size = 0;
    for (; digits < line.length && digits < 9; digits++) {
        char sign = line.data[digits];
        unsigned digit = sign >= '0' && sign <= '9'                 ? (unsigned)(sign - '0')
                         : (sign | 32) >= 'a' && (sign | 32) <= 'f' ? (unsigned)((sign | 32) - 'a') + 10
                                                                    : 16;
        if (digit > 15) break;
        *size = 16 * *size + digit;
    }
    return digits > 0 && digits < 9 && (digits == line.length || strchr("; \t\r", line.data[digits]));
}

/* Many archives have put the chunks together and kept the header that promises them: then the first line is none. */
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

/* ---- Packed contents ---- */

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

/* "deflate" is zlib's form (RFC 9110, 8.4.1.2), but some send the bare stream. */
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

fp_status fp_http_read(fp_string block, size_t most, fp_arena *arena, fp_http_answer *answer, fp_error *error) {
    fp_header_lines header;
    fp_string value;
    *answer = (fp_http_answer){.content_type = {"", 0}};
    if (block.length < 5 || memcmp(block.data, "HTTP/", 5) != 0 || !fp_header_open(block, &header))
        return fp_fail(error, FP_ERROR_SYNTAX, "the block is no HTTP answer");
    const char *blank = memchr(header.first.data, ' ', header.first.length);
    size_t left = blank ? header.first.length - (size_t)(blank + 1 - header.first.data) : 0;
    for (size_t i = 0; i < 3 && i < left && blank[1 + i] >= '0' && blank[1 + i] <= '9'; i++)
        answer->status = 10 * answer->status + (unsigned)(blank[1 + i] - '0');
    fp_header_find(&header, "Content-Type", &answer->content_type);
    answer->body = (fp_string){header.behind, (size_t)(block.data + block.length - header.behind)};
    if (fp_header_find(&header, "Transfer-Encoding", &value) && fp_media_equal(value, "chunked"))
        FP_TRY(join_chunks(answer->body, arena, &answer->body, error));
    if (!fp_header_find(&header, "Content-Encoding", &value) || fp_media_equal(value, "identity")) return FP_OK;
    if (fp_media_equal(value, "gzip") || fp_media_equal(value, "x-gzip") || fp_media_equal(value, "deflate"))
        return unpack(answer->body, most, arena, &answer->body, error);
    return fp_fail(error, FP_ERROR_UNKNOWN, "the content encoding \"%.*s\": gzip and deflate are read",
                   (int)(value.length < 40 ? value.length : 40), value.data);
}
