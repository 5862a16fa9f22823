/* SPDX-License-Identifier: GPL-3.0-or-later
 * The segmenter "icu" where ICU's dictionary is not: a browser has one of its own, of another version, and would cut
 * other words than the program. In the place of text/segmentation/icu_segmenter.c. */
#include "text/segmentation/segment.h"

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
