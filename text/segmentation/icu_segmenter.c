/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ICU segmenter: the word boundaries of Unicode Standard Annex 29, with ICU's dictionary for Chinese and Japanese.
 * A UText reads the UTF-8 text directly, with byte offsets as native indices. An iterator belongs to one thread and
 * takes microseconds to open (ICU caches rules and dictionary), so each cut opens its own.
 */
#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "text/segmentation/segment.h"
#include "text/unicode/utf8.h"

static fp_status icu_failed(fp_error *error, UErrorCode code) {
    if (code == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    return fp_fail(error, FP_ERROR_TOOL, "ICU's word iterator failed: %s", u_errorName(code));
}

/* The root locale: boundaries do not depend on the user's language. */
static UBreakIterator *open_words(UErrorCode *code) { return ubrk_open(UBRK_WORD, "", NULL, 0, code); }

static fp_status icu_open(const fp_segment_options *options, fp_arena *arena, const void **state, fp_error *error) {
    UErrorCode code = U_ZERO_ERROR;
    UBreakIterator *words = open_words(&code);
    if (U_FAILURE(code)) return icu_failed(error, code);
    ubrk_close(words);
    fp_segment_options *kept = FP_NEED(fp_arena_raw(arena, 1, sizeof *kept), error);
    *kept = *options;
    *state = kept;
    return FP_OK;
}

static size_t walk(UBreakIterator *words, fp_token *token) {
    size_t count = 0;
    int32_t begin = ubrk_first(words);
    for (int32_t end = ubrk_next(words); end != UBRK_DONE; end = ubrk_next(words)) {
        token[count++] = (fp_token){(uint32_t)begin, (uint32_t)end};
        begin = end;
    }
    return count;
}

static fp_status icu_cut(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    const fp_segment_options *options = state;
    if (text.length > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "ICU cannot segment a text of over 2 GiB");
    fp_token *token = FP_NEED(fp_arena_raw(scratch, fp_utf8_count(text), sizeof *token), error);
    UErrorCode code = U_ZERO_ERROR;
    UText source = UTEXT_INITIALIZER;
    utext_openUTF8(&source, text.length ? text.data : "", (int64_t)text.length, &code);
    UBreakIterator *words = open_words(&code);
    if (U_SUCCESS(code)) ubrk_setUText(words, &source, &code);
    size_t count = U_SUCCESS(code) ? walk(words, token) : 0;
    if (words) ubrk_close(words);
    utext_close(&source);
    if (U_FAILURE(code)) return icu_failed(error, code);
    if (options->join_numbers) count = fp_join_numbers(text, token, count);
    *tokens = (fp_tokens){token, count};
    return FP_OK;
}

const fp_segmenter fp_segmenter_icu = {
    .name = "icu",
    .summary = "word boundaries of Unicode (UAX 29) with ICU's Chinese and Japanese dictionary",
    .open = icu_open,
    .cut = icu_cut,
};
