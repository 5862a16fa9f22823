/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * decoder.h - converts a file in any encoding of ICU to UTF-8 while reading it.
 */
#ifndef FP_DECODER_H
#define FP_DECODER_H

#include "base/reader.h"

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
