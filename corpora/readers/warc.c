/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records of web archives. */
#include "corpora/readers/warc.h"

#include <string.h>
#include <strings.h>

#include "corpora/readers/header_lines.h"

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
