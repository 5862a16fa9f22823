/* SPDX-License-Identifier: GPL-3.0-or-later
 * Streaming conversion with ICU's converters. */
#include "text/unicode/decoder.h"

#include <string.h>
#include <strings.h>
#include <unicode/ucnv.h>

#include "text/unicode/encoding.h"
#include "text/unicode/utf8.h"

enum { UNITS = 4096, MARK = 0xff, MOST_MARK = 24 /* the mark byte, a size_t in digits, and a semicolon */ };

struct fp_decoder {
    const fp_arena *like;
    fp_reader *reader;
    UConverter *converter; /* NULL: bytes are passed unchanged */
    char name[64];
    char input[FP_DECODER_SAMPLE];
    size_t at, filled; /* of `input` */
    size_t taken;      /* bytes of the file before input[at] */
    bool ended;        /* end of the file */
    bool begun;        /* a byte-order mark would now be text */
    uint16_t lead;     /* half of a surrogate pair; 0: none */
    char output[UNITS * 3 + 2 * MOST_MARK];
    size_t out_at, out_filled;
};

const char *fp_decoder_name(const fp_decoder *decoder) { return decoder->name; }
bool fp_decoder_converts(const fp_decoder *decoder) { return decoder->converter != NULL; }

/* ---- Opening ---- */

/* The complete lines of the sample, so that it does not end inside a character; without a line end, the whole
 * sample. */
static fp_string sample_of(const fp_decoder *in) {
    const char *end = in->ended ? NULL : memrchr(in->input, '\n', in->filled);
    return (fp_string){in->input, end ? (size_t)(end + 1 - in->input) : in->filled};
}

static fp_status read_sample(fp_decoder *in, fp_error *error) {
    while (!in->ended && in->filled < sizeof in->input) {
        size_t got;
        FP_TRY(fp_reader_read(in->reader, in->input + in->filled, sizeof in->input - in->filled, &got, error));
        in->filled += got;
        in->ended = got == 0;
    }
    return FP_OK;
}

static fp_status find_name(fp_decoder *in, const char *encoding, fp_error *error) {
    fp_encoding_report report;
    fp_string text, sample = {"", 0};
    FP_SCRATCH(scratch, in->like, error);
    bool guesses = strcasecmp(encoding, "auto") == 0;
    fp_status status = guesses ? read_sample(in, error) : FP_OK;
    if (guesses) sample = sample_of(in);
    const char *marked = fp_byte_order_mark(sample);
    if (marked) encoding = marked, sample.length = 0;
    if (status == FP_OK) status = fp_to_utf8(sample, encoding, false, scratch, &text, &report, error);
    if (status == FP_OK) memcpy(in->name, report.name, sizeof in->name);
    if (status != FP_OK && error) fp_at(error, status, fp_reader_name(in->reader), SIZE_MAX, SIZE_MAX);
    return status;
}

static fp_status open_converter(fp_decoder *in, fp_error *error) {
    UErrorCode status = U_ZERO_ERROR;
    if (strcmp(in->name, "UTF-8") == 0) return FP_OK;
    in->converter = ucnv_open(in->name, &status);
    if (U_SUCCESS(status)) ucnv_setToUCallBack(in->converter, UCNV_TO_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    return U_SUCCESS(status) ? FP_OK : fp_fail(error, FP_ERROR_TOOL, "ICU: %s", u_errorName(status));
}

fp_status fp_decoder_open(fp_reader *reader, const char *encoding, const fp_arena *like, fp_decoder **decoder,
                          fp_error *error) {
    fp_decoder *made = *decoder = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->like = like;
    made->reader = reader;
    fp_status status = find_name(made, encoding, error);
    if (status == FP_OK) status = open_converter(made, error);
    if (status == FP_OK) return FP_OK;
    fp_decoder_close(made);
    *decoder = NULL;
    return status;
}

void fp_decoder_close(fp_decoder *decoder) {
    if (!decoder) return;
    ucnv_close(decoder->converter);
    fp_memory_release(decoder->like, decoder);
}

/* ---- Converting ---- */

static void put_mark(fp_decoder *in, size_t byte) {
    in->out_filled += (size_t)snprintf(in->output + in->out_filled, MOST_MARK, "%c%zu;", MARK, byte);
}

bool fp_decoder_invalid(fp_string text, size_t *byte) {
    const char *mark = text.length ? memchr(text.data, MARK, text.length) : NULL;
    if (!mark) return false;
    *byte = 0;
    for (const char *at = mark + 1; at < text.data + text.length && *at >= '0' && *at <= '9'; at++)
        *byte = 10 * *byte + (size_t)(*at - '0');
    return true;
}

static void put_code(fp_decoder *in, uint32_t code) {
    bool first = !in->begun;
    in->begun = true;
    if (first && code == 0xfeff) return;
    if (code >= 0xd800 && code < 0xe000) put_mark(in, in->taken);
    else in->out_filled += fp_utf8_encode(code, in->output + in->out_filled);
}

/* Surrogates may be in two chunks; an unpaired one is a code point of its own. */
static void put_units(fp_decoder *in, const UChar *units, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint16_t lead = in->lead;
        in->lead = U16_IS_LEAD(units[i]) ? units[i] : 0;
        if (lead && U16_IS_TRAIL(units[i])) {
            put_code(in, (uint32_t)U16_GET_SUPPLEMENTARY(lead, units[i]));
            continue;
        }
        if (lead) put_code(in, lead);
        if (!in->lead) put_code(in, units[i]);
    }
}

/* Fills `output` from `input`. The number of units is limited so that marks of MOST_MARK bytes fit even if all units
 * are lone surrogates, which few encodings produce. */
static fp_status convert(fp_decoder *in, fp_error *error) {
    UChar units[UNITS / 8], *target = units;
    const char *source = in->input + in->at, *begin = source;
    UErrorCode status = U_ZERO_ERROR;
    in->out_at = in->out_filled = 0;
    ucnv_toUnicode(in->converter, &target, units + UNITS / 8, &source, in->input + in->filled, NULL, in->ended,
                   &status);
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    put_units(in, units, (size_t)(target - units));
    in->taken += (size_t)(source - begin);
    in->at += (size_t)(source - begin);
    if (U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR) return FP_OK;
    char bytes[32];
    int8_t length = sizeof bytes;
    status = U_ZERO_ERROR;
    ucnv_getInvalidChars(in->converter, bytes, &length, &status);
    in->begun = true;
    put_mark(in, in->taken - (U_SUCCESS(status) && length > 0 && (size_t)length <= in->taken ? (size_t)length : 0));
    return FP_OK;
}

static fp_status fill(fp_decoder *in, fp_error *error) {
    if (in->at < in->filled || in->ended) return FP_OK;
    in->at = 0;
    FP_TRY(fp_reader_read(in->reader, in->input, sizeof in->input, &in->filled, error));
    in->ended = in->filled == 0;
    return FP_OK;
}

/* Skips a byte-order mark at the beginning. */
static void pass(fp_decoder *in, char *to, size_t room, size_t *got) {
    if (!in->begun)
        in->at = in->filled - fp_string_skip_mark((fp_string){in->input + in->at, in->filled - in->at}).length;
    in->begun = true;
    *got = in->filled - in->at < room ? in->filled - in->at : room;
    memcpy(to, in->input + in->at, *got);
    in->at += *got;
}

fp_status fp_decoder_read(fp_decoder *in, char *to, size_t room, size_t *got, fp_error *error) {
    for (*got = 0; *got == 0;) {
        bool last = in->ended;
        if (in->out_at == in->out_filled) {
            FP_TRY(fill(in, error));
            if (!in->converter) pass(in, to, room, got);
            else FP_TRY(convert(in, error));
        }
        if (in->converter) {
            *got = in->out_filled - in->out_at < room ? in->out_filled - in->out_at : room;
            memcpy(to, in->output + in->out_at, *got);
            in->out_at += *got;
        }
        if (*got == 0 && last && in->at == in->filled) return FP_OK;
    }
    return FP_OK;
}
