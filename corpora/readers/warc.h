/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * warc.h - web archives (WARC, ISO 28500): records of a header and a block, one after the other; and the body of an
 * HTTP answer (RFC 9112) in such a block.
 */
#ifndef FP_WARC_H
#define FP_WARC_H

#include "corpora/line_blocks.h"

/* Cuts an archive into records; what is none, up to the next, is a record that fp_warc_read refuses. A record counts as
 * one row. */
extern const fp_record_cut fp_warc_cut;

typedef struct fp_warc_record {
    fp_string type, id, uri, date, content_type; /* empty where they are missing; the id without angle brackets */
    fp_string block;
} fp_warc_record;

/* Points into the record. FP_ERROR_SYNTAX: no version, no Content-Length, a block that is cut short. */
fp_status fp_warc_read(fp_string record, fp_warc_record *made, fp_error *error);

typedef struct fp_http_answer {
    unsigned status;
    fp_string content_type;
    fp_string body; /* without the encodings of transfer and content */
} fp_http_answer;

/* Points into the block where nothing is packed or chunked, else into `arena`; at most `most` bytes unpacked.
 * FP_ERROR_SYNTAX: no HTTP answer, broken chunks; FP_ERROR_IO: damaged gzip; FP_ERROR_RANGE: more than `most`;
 * FP_ERROR_UNKNOWN: a content encoding other than gzip and deflate. */
fp_status fp_http_read(fp_string block, size_t most, fp_arena *arena, fp_http_answer *answer, fp_error *error);

/* The media type of a Content-Type without its parameters, and the charset among these; empty where there is none. */
fp_string fp_media_type(fp_string content_type);
fp_string fp_media_charset(fp_string content_type);
/* Whether two names are the same but for case. */
bool fp_media_equal(fp_string name, const char *other);

#endif
