/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is not in a page, and says so. */
#include <nettle/sha2.h>

#include "base/reader.h"
#include "text/segmentation/segment.h"
#include "text/unicode/conversion.h"
#include "text/unicode/encoding.h"

/* ---- Files: replaces base/reader.c ---- */

static fp_status no_files(fp_error *error) { return fp_fail(error, FP_ERROR_IO, "there are no files in the page"); }

fp_status fp_reader_open(const char *path, const fp_arena *like, fp_reader **reader, fp_error *error) {
    (void)like;
    *reader = NULL;
    return fp_at(error, no_files(error), path, SIZE_MAX, SIZE_MAX);
}

void fp_reader_close(fp_reader *reader) { (void)reader; }

/* Never used, because no reader can be opened. */
fp_status fp_reader_read(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error) {
    (void)reader, (void)to, (void)room;
    *got = 0;
    return no_files(error);
}
const char *fp_reader_name(const fp_reader *reader) { return (void)reader, ""; }
bool fp_reader_unpacks(const fp_reader *reader) { return (void)reader, false; }
size_t fp_reader_expected(const fp_reader *reader) { return (void)reader, SIZE_MAX; }
bool fp_reader_can_rewind(const fp_reader *reader) { return (void)reader, false; }
fp_status fp_reader_rewind(fp_reader *reader, fp_error *error) { return (void)reader, no_files(error); }

/* ---- The lab computes no SHA-256; a use of sha256_digest fails to link ---- */

void sha256_init(struct sha256_ctx *context) { (void)context; }
void sha256_update(struct sha256_ctx *context, size_t length, const uint8_t *data) {
    (void)context, (void)length, (void)data;
}

/* ---- Encodings: replaces text/unicode/encoding.c ---- */

static fp_status no_encoding(fp_error *error) {
    return fp_fail(error, FP_ERROR_UNKNOWN, "the page knows no encoding but UTF-8");
}

fp_status fp_decoder_open(fp_reader *reader, const char *encoding, const fp_arena *like, fp_decoder **decoder,
                          fp_error *error) {
    (void)reader, (void)encoding, (void)like;
    *decoder = NULL;
    return no_encoding(error);
}

void fp_decoder_close(fp_decoder *decoder) { (void)decoder; }

/* Never used, because no decoder can be opened. */
fp_status fp_decoder_read(fp_decoder *decoder, char *to, size_t room, size_t *got, fp_error *error) {
    (void)decoder, (void)to, (void)room;
    *got = 0;
    return no_encoding(error);
}

/* ---- Conversion: left out, because OpenCC's dictionaries are a fifth of all tables ---- */

fp_status fp_convert(fp_string text, fp_conversion conversion, fp_arena *arena, const fp_conversion_piece **pieces,
                     size_t *count, fp_error *error) {
    (void)text, (void)conversion, (void)arena, (void)pieces, (void)count;
    return fp_fail(error, FP_ERROR_TOOL, "texts are not converted between scripts in the page");
}

/* ---- The segmenter icu: left out, as a browser's dictionary differs from the program's in version and words ---- */

static fp_status not_here(const fp_segment_options *options, fp_arena *arena, const void **state, fp_error *error) {
    (void)options, (void)arena, (void)state;
    return fp_fail(error, FP_ERROR_TOOL, "the segmenter icu is not in the page, whose words are jieba's");
}

static fp_status no_words(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    (void)state, (void)text, (void)scratch, (void)tokens;
    return not_here(NULL, NULL, NULL, error);
}

const fp_segmenter fp_segmenter_icu = {
    .name = "icu",
    .summary = "word boundaries of Unicode (UAX 29): not in the page",
    .open = not_here,
    .cut = no_words,
};
