/* SPDX-License-Identifier: GPL-3.0-or-later
 * A page is given UTF-8, and has no files that could be in another encoding. In the place of text/unicode/decoder.c. */
#include "text/unicode/decoder.h"

static fp_status none(fp_error *error) {
    return fp_fail(error, FP_ERROR_UNKNOWN, "the page knows no encoding but UTF-8");
}

fp_status fp_decoder_open(fp_reader *reader, const char *encoding, const fp_arena *like, fp_decoder **decoder,
                          fp_error *error) {
    (void)reader, (void)encoding, (void)like;
    *decoder = NULL;
    return none(error);
}

void fp_decoder_close(fp_decoder *decoder) { (void)decoder; }

/* Of no decoder, since none was ever opened. */
fp_status fp_decoder_read(fp_decoder *decoder, char *to, size_t room, size_t *got, fp_error *error) {
    (void)decoder, (void)to, (void)room;
    *got = 0;
    return none(error);
}
const char *fp_decoder_name(const fp_decoder *decoder) { return (void)decoder, ""; }
bool fp_decoder_converts(const fp_decoder *decoder) { return (void)decoder, false; }
