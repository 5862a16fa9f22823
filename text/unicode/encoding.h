/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * encoding.h - converts bytes in any encoding of ICU to UTF-8.
 */
#ifndef FP_ENCODING_H
#define FP_ENCODING_H

#include "base/reader.h"

typedef struct fp_encoding_report {
    char name[64];   /* the encoding under ICU's name: "UTF-8", "GB18030", "windows-950-2000" */
    bool detected;   /* the encoding was detected, not given */
    int confidence;  /* 0 to 100; 100 if it was given, and for a byte-order mark or valid UTF-8 */
    size_t replaced; /* sequences that became U+FFFD */
} fp_encoding_report;

/* Converts `raw`, which is in `encoding`, to valid UTF-8. Names are those of ICU with all aliases, ignoring case:
 * "utf-8", "gb18030", "gbk", "big5", "utf-16le", "latin-1", … "utf-16" and "utf-32" follow the byte-order mark, and
 * are big-endian without one. "auto" uses a byte-order mark, else UTF-8 if the bytes are valid UTF-8, else the most
 * likely of ICU's guesses in which all bytes are valid; a guess from few bytes is often wrong, and the report has
 * its confidence. Other byte-order marks stay in the text as U+FEFF, which normalisation drops.
 *
 * `text` is `raw` itself if nothing has to change, else it lives in `arena`. `report` may be NULL. Errors:
 * FP_ERROR_ENCODING at the first byte in `raw` of an invalid or incomplete sequence, with its line (counted in
 * U+000A) unless the encoding is UTF-16 or UTF-32; with `replace` each such sequence becomes one U+FFFD and is
 * counted instead. FP_ERROR_ENCODING if "auto" finds nothing. FP_ERROR_UNKNOWN, with the nearest known name, if the
 * encoding is unknown. */
fp_status fp_to_utf8(fp_string raw, const char *encoding, bool replace, fp_arena *arena, fp_string *text,
                     fp_encoding_report *report, fp_error *error);

/* ICU's name of the encoding of a leading byte-order mark: "UTF-8", "UTF-16LE", …; NULL if there is none. */
const char *fp_byte_order_mark(fp_string raw);

/* ---- A file, while it is read ---- */

typedef struct fp_decoder fp_decoder;

/* Reads `reader`, which still belongs to the caller, from its current position. `encoding` is as in fp_to_utf8; "auto"
 * uses the first FP_DECODER_SAMPLE bytes, and waits for them. A byte-order mark at the beginning is dropped. The caller
 * closes it with fp_decoder_close, which accepts NULL. FP_ERROR_UNKNOWN for an unknown encoding; FP_ERROR_ENCODING if
 * "auto" finds none. */
enum { FP_DECODER_SAMPLE = 1 << 16 };
fp_status fp_decoder_open(fp_reader *reader, const char *encoding, const fp_arena *like, fp_decoder **decoder,
                          fp_error *error);
void fp_decoder_close(fp_decoder *decoder);

/* Reads up to `room` ≥ FP_DECODER_LEAST bytes of UTF-8, at least one before the end; *got is 0 only at the end. An
 * invalid sequence becomes a byte that never occurs in UTF-8, followed by its offset: fp_decoder_invalid. A UTF-8 file
 * is passed unchanged, including invalid bytes. FP_ERROR_IO, FP_ERROR_MEMORY. */
enum { FP_DECODER_LEAST = 64 };
fp_status fp_decoder_read(fp_decoder *decoder, char *to, size_t room, size_t *got, fp_error *error);

/* Whether the text has such a sequence, and the offset in the unpacked file where the first begins. */
bool fp_decoder_invalid(fp_string text, size_t *byte);

/* ICU's name of the encoding; and whether the bytes are converted. */
const char *fp_decoder_name(const fp_decoder *decoder);
bool fp_decoder_converts(const fp_decoder *decoder);

#endif
