/* SPDX-License-Identifier: GPL-3.0-or-later
 * NFKC_Casefold. Runs of code points in normal form are checked and copied in one pass; code points with their own
 * mapping are looked up; only the neighbourhood of a code point without a normalisation boundary before it goes through
 * ICU. */
#include "text/unicode/normalise.h"

#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include "text/unicode/blocks.h"
#include "text/unicode/han.h"
#include "text/unicode/normalise_table.h"
#include "text/unicode/plain.h"
#include "text/unicode/utf16.h"
#include "text/unicode/han_digits.h"
#include "text/unicode/utf8.h"
#include "text/unicode/utf8_fast.h"
#include "text/unicode/words.h"

/* ---- Stretches of text that the table of single code points cannot normalise. They follow the definition (Unicode 15,
 * section 3.13, R5: map each character, then NFC; section 3.11, D109: canonical order) with ICU's data. ICU orders
 * combining marks by insertion, in time quadratic in their number; sorting takes O(n·log n) time for hostile sequences
 * of marks, too. ICU only composes the result. ---- */

static fp_status icu_failed(UErrorCode status, fp_error *error) {
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    return fp_fail(error, FP_ERROR_TOOL, "ICU cannot normalise: %s", u_errorName(status));
}

/* A code point of a mapping, decomposed. */
typedef struct mark {
    uint32_t code, place;
    uint8_t class; /* canonical combining class */
} mark;

/* The current stretch, in memory that all stretches of a text use. */
typedef struct stretch {
    mark *mark;
    size_t count, room;
    uint16_t *source, *normal; /* UTF-16: in canonical order, composed */
    size_t source_room, normal_room;
    fp_arena *arena;
} stretch;

static fp_status add_mapping(stretch *to, const UNormalizer2 *fold, uint32_t code, fp_error *error) {
    enum { ROOM = 64 };
    UErrorCode status = U_ZERO_ERROR;
    UChar parts[ROOM];
    int32_t length = unorm2_getDecomposition(fold, (UChar32)code, parts, ROOM, &status);
    if (U_FAILURE(status)) return icu_failed(status, error);
    if (length < 0) length = (int32_t)fp_utf16_encode(code, parts);
    for (size_t i = 0; i < (size_t)length; to->count++) {
        uint32_t part = fp_utf16_next(parts, &i);
        if (to->count == to->room) FP_TRY(FP_ROOM(to->arena, to->mark, to->count, to->room, error));
        to->mark[to->count] = (mark){part, (uint32_t)to->count, u_getCombiningClass((UChar32)part)};
    }
    return FP_OK;
}

FP_COMPARES(by_class, mark, FP_ORDER(a->class, b->class) ?: FP_ORDER(a->place, b->place));

static void order_marks(stretch *of) {
    for (size_t begin = 0, end; begin < of->count; begin = end + 1) {
        for (end = begin; end < of->count && of->mark[end].class;) end++;
        if (end - begin > 1) qsort(of->mark + begin, end - begin, sizeof *of->mark, by_class);
    }
}

/* Normalises valid UTF-8 to the `count` units of in->normal. */
static fp_status normalise_stretch(stretch *in, fp_string text, size_t *count, fp_error *error) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *fold = unorm2_getNFKCCasefoldInstance(&status), *compose = unorm2_getNFCInstance(&status);
    if (U_FAILURE(status)) return icu_failed(status, error);
    in->count = 0;
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        FP_TRY(add_mapping(in, fold, code, error));
    }
    order_marks(in);
    size_t units = 2 * in->count, length = 0;
    if (units > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than 2^30 combining characters in a row");
    FP_TRY(FP_ROOM(in->arena, in->source, units, in->source_room, error));
    FP_TRY(FP_ROOM(in->arena, in->normal, units, in->normal_room, error));
    for (size_t i = 0; i < in->count; i++) length += fp_utf16_encode(in->mark[i].code, in->source + length);
    int32_t normal = unorm2_normalize(compose, in->source, (int32_t)length, in->normal, (int32_t)units, &status);
    if (U_FAILURE(status)) return icu_failed(status, error);
    *count = (size_t)normal;
    return FP_OK;
}

/* ---- The text so far ---- */

/* Bytes that a step may write beyond its result. */
enum { SLACK = 16 };

typedef struct work {
    const char *raw;
    size_t length;
    size_t at;
    char *out;
    size_t used;
    size_t capacity; /* at least used + (length − at) + SLACK: output no longer than its input always fits */
    size_t next_run; /* the next run of plain text begins at this byte of raw or later */
    size_t circles;  /* `out` has no ○ before this byte; SIZE_MAX: none at all */
    size_t folds;    /* Han folding changes nothing before this byte of `out`; SIZE_MAX: nothing at all */
    bool foreign;    /* kana or hangul were seen */
    fp_arena *arena;
    stretch stretch;
} work;

/* Restores the invariant of `capacity` for `size` more bytes in addition to the remaining raw text. */
static fp_status make_room(work *w, size_t size, fp_error *error) {
    size_t left = w->length - w->at;
    if (w->capacity - w->used >= size + left + SLACK) return FP_OK;
    if (size > SIZE_MAX / 4 || w->used > SIZE_MAX / 4 || left > SIZE_MAX / 4) return fp_no_memory(error);
    size_t capacity = (w->used + left + size) / 2 * 3 + SLACK + 64;
    char *out = FP_NEED(fp_arena_raw(w->arena, capacity, 1), error);
    if (w->used) memcpy(out, w->out, w->used);
    w->out = out;
    w->capacity = capacity;
    return FP_OK;
}

/* Records that Han folding may change bytes from `at` of out on. */
static void note_folding(work *w, size_t at) {
    if (at < w->folds) w->folds = at;
}

/* ---- Single code points ---- */

static const unsigned char *mapping_of(uint32_t code) {
    return fp_table_normalise.pool + (FP_CODE_VALUE(&fp_table_normalise, code) - FP_MAPPED);
}

static unsigned class_of(uint32_t code) {
    if (code < 0x10000) return fp_table_normalise.basic[code];
    unsigned value = FP_CODE_VALUE(&fp_table_normalise, code);
    if (value < FP_MAPPED) return value;
    return FP_MAP | (*mapping_of(code) & FP_MAPPING_FOREIGN ? FP_FOREIGN : 0u);
}

static fp_status put_mapping(work *w, uint32_t code, size_t raw_size, fp_error *error) {
    const unsigned char *mapping = mapping_of(code);
    size_t size = *mapping & FP_MAPPING_LENGTH;
    if (size > raw_size) FP_TRY(make_room(w, size, error));
    memcpy(w->out + w->used, mapping + 1, size);
    for (size_t i = 0; i < size; i++)
        if (mapping[1 + i] >= 0x80) note_folding(w, w->used);
    w->used += size;
    w->at += raw_size;
    return FP_OK;
}

uint32_t fp_normalise_code(uint32_t code) {
    switch (class_of(code) & FP_ACTION) {
    case FP_SPACE: return ' ';
    case FP_LINE: return '\n';
    case FP_ATTACH: return u_hasBinaryProperty((UChar32)code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? 0 : code;
    case FP_MAP: break;
    default: return code;
    }
    const unsigned char *mapping = mapping_of(code);
    size_t size = *mapping & FP_MAPPING_LENGTH;
    uint32_t folded;
    if (!size) return 0;
    return fp_utf8_decode((const char *)mapping + 1, &folded) == size ? folded : code;
}

/* ---- Stretches ---- */

/* Undoes the character before `at`, in the raw text and in the output, since the following one may compose with it.
 * Controls, line ends and the ideographs of radicals never compose. */
static void take_back(work *w) {
    size_t at = w->at;
    while (at && fp_utf8_is_tail(w->raw[at - 1])) at--;
    if (!at) return;
    at--;
    uint32_t code;
    size_t size = fp_utf8_decode(w->raw + at, &code);
    if (fp_is_radical(code)) return;
    switch (class_of(code) & FP_ACTION) {
    case FP_CIRCLE:
    case FP_COPY: w->used -= size; break;
    case FP_MAP: w->used -= *mapping_of(code) & FP_MAPPING_LENGTH; break;
    default: return;
    }
    w->at = at;
}

/* The end of the code points at `at` and after it that have no boundary before them. */
static size_t stretch_end(work *w) {
    size_t at = w->at;
    while (at < w->length) {
        size_t size = fp_utf8_sequence(w->raw + at, w->length - at);
        uint32_t code;
        if (!size) break;
        fp_utf8_decode(w->raw + at, &code);
        unsigned class = class_of(code);
        if ((class & FP_ACTION) != FP_ATTACH) break;
        if (class & FP_FOREIGN) w->foreign = true;
        at += size;
    }
    return at;
}

static fp_status put_stretch(work *w, fp_error *error) {
    size_t end = stretch_end(w), count = 0;
    take_back(w);
    FP_TRY(normalise_stretch(&w->stretch, (fp_string){w->raw + w->at, end - w->at}, &count, error));
    w->at = end;
    FP_TRY(make_room(w, count * 3, error));
    note_folding(w, w->used);
    for (size_t i = 0; i < count;) w->used += fp_utf8_encode(fp_utf16_next(w->stretch.normal, &i), w->out + w->used);
    return FP_OK;
}

/* ---- One text ---- */

static fp_status step(work *w, fp_error *error) {
    const char *raw = w->raw + w->at;
    size_t size = fp_utf8_sequence(raw, w->length - w->at);
    if (!size) {
        fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
        if (error) error->byte = w->at;
        return FP_ERROR_ENCODING;
    }
    uint32_t code;
    fp_utf8_decode(raw, &code);
    unsigned class = class_of(code);
    if (class & FP_FOREIGN) w->foreign = true;
    switch (class & FP_ACTION) {
    case FP_MAP: return put_mapping(w, code, size, error);
    case FP_ATTACH: return put_stretch(w, error);
    case FP_SPACE: w->out[w->used++] = ' '; break;
    case FP_LINE:
        if (code != '\r' || w->length - w->at < 2 || raw[1] != '\n') w->out[w->used++] = '\n';
        break;
    default:
        if ((class & FP_ACTION) == FP_CIRCLE && w->circles > w->used) w->circles = w->used;
        if (code >= 0x10000 || class & FP_FOLDS) note_folding(w, w->used);
        memcpy(w->out + w->used, raw, size);
        w->used += size;
        break;
    }
    w->at += size;
    return FP_OK;
}

#define EACH(byte) (0x0101010101010101u * (byte))

/* Bit 7 of each byte that is not printable ASCII. Adding to the low seven bits never carries into the next byte. */
static inline uint64_t not_printable(uint64_t word) {
    uint64_t low = word & EACH(0x7f);
    return (word | ~(low + EACH(0x60)) | (low + EACH(0x01))) & EACH(0x80);
}

/* A … Z to lower case in the ASCII bytes of a word; other bytes are undefined. */
static inline uint64_t lower_eight(uint64_t word) {
    uint64_t low = word & EACH(0x7f);
    uint64_t upper = (low + EACH(0x80 - 'A')) & ~(low + EACH(0x80 - 'Z' - 1)) & EACH(0x80);
    return word | upper >> 2;
}

static void run_blocks(work *w) {
    size_t begin = w->at;
    fp_plain_run run = fp_plain_normalise(w->raw + w->at, w->length - w->at, w->out + w->used);
    if (run.folds != SIZE_MAX) note_folding(w, w->used + run.folds);
    w->at += run.read;
    w->used += run.written;
    w->next_run = fp_run_next(begin, w->at);
}

/* Copies while characters are plain: printable ASCII, and common characters of three bytes. */
static void run(work *w) {
    if (w->at >= w->next_run) run_blocks(w);
    const char *raw = w->raw + w->at, *end = w->raw + w->length;
    const uint8_t *class = fp_table_normalise.basic;
    char *out = w->out + w->used;
    unsigned flags = 0;
    size_t begin = w->used;
    if (w->next_run < w->length) end = w->raw + w->next_run;
    while (end - raw >= 8) {
        uint64_t word = fp_load_eight(raw);
        size_t size;
        unsigned first = class[fp_utf8_pair_code(word)], second = class[fp_utf8_pair_code(word >> 24)];
        if (fp_utf8_is_pair(word) && !((first | second) & ~(unsigned)FP_FOLDS)) {
            size = 6;
            flags |= first | second;
        } else if (!(word & 0x80)) {
            size = fp_unmarked(not_printable(word));
            if (!size) break;
            word = lower_eight(word);
        } else {
            if (!fp_utf8_is_common(word) || first & ~(unsigned)FP_FOLDS) break;
            size = 3;
            flags |= first;
        }
        fp_store_eight(out, word);
        raw += size;
        out += size;
    }
    if (flags & FP_FOLDS) note_folding(w, begin);
    w->at = (size_t)(raw - w->raw);
    w->used = (size_t)(out - w->out);
}

fp_status fp_normalise(fp_string raw, fp_han han, fp_arena *arena, fp_string *text, fp_error *error) {
    work w = {.raw = raw.data,
              .length = raw.length,
              .next_run = fp_run_first(),
              .circles = SIZE_MAX,
              .folds = SIZE_MAX,
              .stretch = {.arena = arena},
              .arena = arena};
    FP_TRY(make_room(&w, 0, error));
    while (w.at < w.length) {
        run(&w);
        if (w.at < w.length) FP_TRY(step(&w, error));
    }
    if (w.circles != SIZE_MAX) fp_fold_circles(w.out, w.used, w.circles);
    *text = (fp_string){w.out, w.used};
    if (han != FP_HAN_SIMPLIFIED || w.folds == SIZE_MAX) return FP_OK;
    return fp_han_fold_from(*text, w.folds, w.foreign, arena, text, error);
}
