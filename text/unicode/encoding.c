/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conversion of encodings with ICU's converters and detector: of bytes in memory, and of a file while it is read. Valid
 * UTF-8 is returned unchanged.
 */
#include <string.h>
#include <strings.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucsdet.h>
#include <unicode/ustring.h>

#include "text/unicode/encoding.h"
#include "text/unicode/utf8.h"

/* Names to suggest for a mistyped one; ICU has a thousand more aliases. */
static const char *const COMMON[] = {"auto",         "utf-8",      "utf-16",  "utf-16le",    "utf-16be", "utf-32",
                                     "utf-32le",     "utf-32be",   "gb18030", "gbk",         "gb2312",   "hz",
                                     "big5",         "big5-hkscs", "euc-tw",  "latin-1",     "us-ascii", "iso-8859-1",
                                     "windows-1252", "shift_jis",  "euc-jp",  "iso-2022-jp", "euc-kr",   NULL};

/* ---- Conversion ---- */

typedef struct conversion {
    UConverter *converter;
    fp_string raw;
    size_t replaced;
    size_t lone; /* unpaired surrogates, which ICU accepts in UTF-7 and SCSU; they become U+FFFD */
    fp_arena *arena;
    char *out;
    size_t used, room;
} conversion;

static void replace_invalid(const void *context, UConverterToUnicodeArgs *arguments, const char *bytes, int32_t length,
                            UConverterCallbackReason reason, UErrorCode *status) {
    (void)bytes;
    (void)length;
    if (reason > UCNV_IRREGULAR) return; /* reset, close, clone */
    static const UChar REPLACEMENT = 0xfffd;
    /* ICU passes the context as const, although it is ours and not constant. */
    ++*(size_t *)(uintptr_t)context;
    *status = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(arguments, &REPLACEMENT, 1, 0, status);
}

static fp_status make_room(conversion *c, size_t size, fp_error *error) {
    if (c->room - c->used >= size) return FP_OK;
    if (c->room > SIZE_MAX / 4 - size) return fp_no_memory(error);
    size_t room = c->room * 2 + size + 4096;
    c->out = FP_NEED(fp_arena_grow(c->arena, c->out, room), error);
    c->room = room;
    return FP_OK;
}

static fp_status put_units(conversion *c, const UChar *units, int32_t count, fp_error *error) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t written, lone;
    FP_TRY(make_room(c, (size_t)count * 3, error));
    u_strToUTF8WithSub(c->out + c->used, count * 3, &written, units, count, 0xfffd, &lone, &status);
    if (U_FAILURE(status)) return fp_fail(error, FP_ERROR_TOOL, "ICU: %s", u_errorName(status));
    c->used += (size_t)written;
    c->lone += (size_t)lone;
    return FP_OK;
}

static bool counts_lines(UConverter *converter) {
    switch (ucnv_getType(converter)) {
    case UCNV_UTF16:
    case UCNV_UTF16_BigEndian:
    case UCNV_UTF16_LittleEndian:
    case UCNV_UTF32:
    case UCNV_UTF32_BigEndian:
    case UCNV_UTF32_LittleEndian: return false;
    default: return true;
    }
}

/* The length of the sequence at which the converter stopped. */
static size_t invalid_length(const UConverter *converter) {
    char bytes[32];
    int8_t length = sizeof bytes;
    UErrorCode status = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter, bytes, &length, &status);
    return U_SUCCESS(status) && length > 0 ? (size_t)length : 0;
}

static fp_status invalid_at(conversion *c, const char *source, const char *name, fp_error *error) {
    size_t byte = (size_t)(source - c->raw.data), back = invalid_length(c->converter);
    byte -= back < byte ? back : byte;
    size_t line = SIZE_MAX;
    if (counts_lines(c->converter)) {
        line = 1;
        for (size_t i = 0; i < byte; i++) line += c->raw.data[i] == '\n';
    }
    const char *mark = byte == 0 ? fp_byte_order_mark(c->raw) : NULL;
    if (mark)
        fp_fail(error, FP_ERROR_ENCODING, "invalid %s: the byte-order mark is that of %s; add --encoding", name, mark);
    else fp_fail(error, FP_ERROR_ENCODING, "invalid %s", name);
    return fp_at(error, FP_ERROR_ENCODING, NULL, line, byte);
}

static fp_status run(conversion *c, const char *name, fp_error *error) {
    enum { CHUNK = 4096 };
    const char *source = c->raw.data, *end = source + c->raw.length;
    FP_TRY(make_room(c, c->raw.length / 2 * 3, error)); /* two bytes become three in Chinese encodings */
    UChar units[CHUNK + 1];
    int32_t held = 0; /* 1: the chunk before ended with the lead surrogate in units[0] */
    for (UErrorCode status = U_BUFFER_OVERFLOW_ERROR; status == U_BUFFER_OVERFLOW_ERROR;) {
        UChar *target = units + held;
        status = U_ZERO_ERROR;
        ucnv_toUnicode(c->converter, &target, target + CHUNK, &source, end, NULL, true, &status);
        if (U_FAILURE(status) && status != U_BUFFER_OVERFLOW_ERROR) {
            if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
            return invalid_at(c, source, name, error);
        }
        int32_t count = (int32_t)(target - units);
        held = U_FAILURE(status) && count && U16_IS_LEAD(units[count - 1]);
        FP_TRY(put_units(c, units, count - held, error));
        if (held) units[0] = units[count - 1];
    }
    return FP_OK;
}

/* An invalid sequence stops the converter, or with `replaced` is replaced and counted. */
static fp_status open_converter(const char *encoding, size_t *replaced, UConverter **converter, fp_error *error) {
    UErrorCode status = U_ZERO_ERROR;
    *converter = ucnv_open(encoding, &status);
    ucnv_setToUCallBack(*converter, replaced ? replace_invalid : UCNV_TO_U_CALLBACK_STOP, replaced, NULL, NULL,
                        &status);
    if (U_SUCCESS(status)) return FP_OK;
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    return fp_fail(error, FP_ERROR_UNKNOWN, "ICU cannot open the encoding %s: %s", encoding, u_errorName(status));
}

static fp_status convert(fp_string raw, const char *encoding, bool replace, fp_arena *arena, fp_string *text,
                         size_t *replaced, fp_error *error) {
    conversion c = {.raw = raw, .arena = arena};
    FP_TRY(open_converter(encoding, replace ? &c.replaced : NULL, &c.converter, error));
    fp_status result = run(&c, encoding, error);
    ucnv_close(c.converter);
    if (result != FP_OK) return result;
    if (c.lone && !replace) return fp_fail(error, FP_ERROR_ENCODING, "invalid %s: half of a surrogate pair", encoding);
    *text = c.used ? (fp_string){c.out, c.used} : fp_string_of("");
    *replaced = c.replaced + c.lone;
    return FP_OK;
}

/* ---- Names ---- */

static fp_status unknown(const char *encoding, fp_error *error) {
    size_t length = strlen(encoding);
    char lower[32];
    const char *near = NULL;
    if (length < sizeof lower) {
        for (size_t i = 0; i <= length; i++)
            lower[i] = (char)(encoding[i] >= 'A' && encoding[i] <= 'Z' ? encoding[i] | 32 : encoding[i]);
        near = fp_nearest(lower, COMMON);
    }
    if (near) return fp_fail(error, FP_ERROR_UNKNOWN, "the encoding %s is unknown; did you mean %s?", encoding, near);
    return fp_fail(error, FP_ERROR_UNKNOWN,
                   "the encoding %s is unknown; known are auto, utf-8, gb18030, gbk, big5, utf-16 and more (uconv -l)",
                   encoding);
}

/* ICU's canonical name of an encoding, in static storage; NULL if it is unknown, or ICU fails (*status). */
static const char *canonical(const char *encoding, UErrorCode *status) {
    *status = U_ZERO_ERROR;
    if (strcasecmp(encoding, "utf-8") == 0) return "UTF-8";
    if (strcasecmp(encoding, "latin-1") == 0) encoding = "ISO-8859-1";
    if (!*encoding || strlen(encoding) >= UCNV_MAX_CONVERTER_NAME_LENGTH) return NULL;
    const char *name = ucnv_getAlias(encoding, 0, status);
    return U_SUCCESS(*status) ? name : NULL;
}

static void fill_report(fp_encoding_report *report, const char *name, bool detected, int confidence, size_t replaced) {
    if (!report) return;
    *report = (fp_encoding_report){.detected = detected, .confidence = confidence, .replaced = replaced};
    snprintf(report->name, sizeof report->name, "%s", name);
}

/* ---- Detection ---- */

const char *fp_byte_order_mark(fp_string raw) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;
    return ucnv_detectUnicodeSignature(raw.data, (int32_t)(raw.length < 8 ? raw.length : 8), &length, &status);
}

static bool is_utf8(fp_string raw) { return fp_utf8_check(raw) == raw.length; }

/* Arguments of fp_to_utf8. */
typedef struct wanted {
    fp_string raw;
    bool replace;
    fp_arena *arena;
    fp_string *text;
    fp_encoding_report *report;
} wanted;

/* Tries the guesses, the most likely first; if none fits and invalid bytes may be replaced, takes the first. */
static fp_status try_guesses(const UCharsetMatch **match, int32_t count, const wanted *of, fp_error *error) {
    for (int pass = 0; pass < (of->replace ? 2 : 1); pass++) {
        for (int32_t i = 0; i < count; i++) {
            UErrorCode status = U_ZERO_ERROR;
            size_t replaced = 0;
            const char *name = ucsdet_getName(match[i], &status);
            int32_t confidence = ucsdet_getConfidence(match[i], &status);
            fp_error failure;
            if (U_FAILURE(status) || !canonical(name, &status)) continue;
            fp_status result = convert(of->raw, name, pass == 1, of->arena, of->text, &replaced, &failure);
            if (result == FP_ERROR_MEMORY) return fp_no_memory(error);
            if (result != FP_OK) continue;
            fill_report(of->report, name, true, (int)confidence, replaced);
            return FP_OK;
        }
    }
    return fp_fail(error, FP_ERROR_ENCODING, "the encoding cannot be guessed from the bytes; name it with --encoding");
}

static fp_status guess(const wanted *of, fp_error *error) {
    enum { SAMPLE = 1 << 20 }; /* enough bytes for a guess, and below ICU's limit of 2^31 */
    UErrorCode status = U_ZERO_ERROR;
    int32_t count = 0;
    UCharsetDetector *detector = ucsdet_open(&status);
    ucsdet_setText(detector, of->raw.data, of->raw.length < SAMPLE ? (int32_t)of->raw.length : SAMPLE, &status);
    const UCharsetMatch **match = ucsdet_detectAll(detector, &count, &status);
    fp_status result = U_FAILURE(status)
                           ? fp_fail(error, FP_ERROR_ENCODING,
                                     "the encoding cannot be guessed from the bytes; name it with --encoding")
                           : try_guesses(match, count, of, error);
    ucsdet_close(detector);
    return result;
}

/* ---- Bytes to UTF-8 ---- */

fp_status fp_to_utf8(fp_string raw, const char *encoding, bool replace, fp_arena *arena, fp_string *text,
                     fp_encoding_report *report, fp_error *error) {
    bool detect = strcasecmp(encoding, "auto") == 0;
    if (!raw.data) raw.data = ""; /* ICU does arithmetic on the pointer */
    if (raw.length > INT32_MAX && !is_utf8(raw))
        return fp_fail(error, FP_ERROR_RANGE, "more than 2 GiB in another encoding than UTF-8");
    UErrorCode status = U_ZERO_ERROR;
    const char *name = detect ? NULL : canonical(encoding, &status);
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    if (!detect && !name) return unknown(encoding, error);
    if (detect) {
        name = fp_byte_order_mark(raw);
        if (!name && !is_utf8(raw)) return guess(&(wanted){raw, replace, arena, text, report}, error);
        if (!name) name = "UTF-8";
    }
    size_t replaced = 0;
    if (strcmp(name, "UTF-8") == 0 && is_utf8(raw)) *text = raw;
    else FP_TRY(convert(raw, name, replace, arena, text, &replaced, error));
    fill_report(report, name, detect, 100, replaced);
    return FP_OK;
}

/* ---- A file, while it is read ---- */

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

/* ---- Opening a file ---- */

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

static fp_status find_encoding(fp_decoder *in, const char *encoding, fp_error *error) {
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

fp_status fp_decoder_open(fp_reader *reader, const char *encoding, const fp_arena *like, fp_decoder **decoder,
                          fp_error *error) {
    fp_decoder *made = *decoder = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->like = like;
    made->reader = reader;
    fp_status status = find_encoding(made, encoding, error);
    if (status == FP_OK && strcmp(made->name, "UTF-8") != 0)
        status = open_converter(made->name, NULL, &made->converter, error);
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

/* ---- Converting a file ---- */

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

static void decode_code(fp_decoder *in, uint32_t code) {
    bool first = !in->begun;
    in->begun = true;
    if (first && code == 0xfeff) return;
    if (code >= 0xd800 && code < 0xe000) put_mark(in, in->taken);
    else in->out_filled += fp_utf8_encode(code, in->output + in->out_filled);
}

/* A pair of surrogates may be split over two chunks. An unpaired one is processed as a code point. */
static void decode_units(fp_decoder *in, const UChar *units, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint16_t lead = in->lead;
        in->lead = U16_IS_LEAD(units[i]) ? units[i] : 0;
        if (lead && U16_IS_TRAIL(units[i])) {
            decode_code(in, (uint32_t)U16_GET_SUPPLEMENTARY(lead, units[i]));
            continue;
        }
        if (lead) decode_code(in, lead);
        if (!in->lead) decode_code(in, units[i]);
    }
}

/* Fills `output` from `input`. The number of units is limited so that marks of MOST_MARK bytes fit even if all units
 * are lone surrogates, which few encodings produce. */
static fp_status decode(fp_decoder *in, fp_error *error) {
    UChar units[UNITS / 8], *target = units;
    const char *source = in->input + in->at, *begin = source;
    UErrorCode status = U_ZERO_ERROR;
    in->out_at = in->out_filled = 0;
    ucnv_toUnicode(in->converter, &target, units + UNITS / 8, &source, in->input + in->filled, NULL, in->ended,
                   &status);
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    decode_units(in, units, (size_t)(target - units));
    in->taken += (size_t)(source - begin);
    in->at += (size_t)(source - begin);
    if (U_SUCCESS(status) || status == U_BUFFER_OVERFLOW_ERROR) return FP_OK;
    size_t back = invalid_length(in->converter);
    in->begun = true;
    put_mark(in, in->taken - (back <= in->taken ? back : 0));
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
            else FP_TRY(decode(in, error));
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
