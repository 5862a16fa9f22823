/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decoder.h - a file in any encoding that ICU knows -> UTF-8, a piece after the other, as it is read.
 */
#ifndef FP_DECODER_H
#define FP_DECODER_H

#include "base/reader.h"

typedef struct fp_decoder fp_decoder;

/* Reads `reader`, which stays the caller's, from where it is. `encoding` is as fp_to_utf8 takes it; "auto" goes by the
 * first FP_DECODER_SAMPLE bytes, for which it waits. A byte-order mark at the begin is no text. The caller ends it with
 * fp_decoder_close, which takes NULL too. FP_ERROR_UNKNOWN for an encoding that nobody knows; FP_ERROR_ENCODING where
 * "auto" finds none. */
enum { FP_DECODER_SAMPLE = 1 << 16 };
fp_status fp_decoder_open(fp_reader *reader, const char *encoding, const fp_arena *like, fp_decoder **decoder,
                          fp_error *error);
void fp_decoder_close(fp_decoder *decoder);

/* Up to `room` ≥ FP_DECODER_LEAST bytes of UTF-8, at least one before the end; *got is 0 at the end alone. A sequence
 * that is invalid becomes a byte that no UTF-8 has, with its place behind: fp_decoder_invalid. What is UTF-8 already
 * passes as it is, whatever is invalid in it. FP_ERROR_IO, FP_ERROR_MEMORY. */
enum { FP_DECODER_LEAST = 64 };
fp_status fp_decoder_read(fp_decoder *decoder, char *to, size_t room, size_t *got, fp_error *error);

/* Whether the text has such a sequence, and the byte of the file, unpacked, at which the first of them begins. */
bool fp_decoder_invalid(fp_string text, size_t *byte);

/* ICU's name of what the bytes are read as; and whether they are converted. */
const char *fp_decoder_name(const fp_decoder *decoder);
bool fp_decoder_converts(const fp_decoder *decoder);

#endif
