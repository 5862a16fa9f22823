/* SPDX-License-Identifier: GPL-3.0-or-later
 * Raw text to normalised text, tokens and pinyin initials. */
#include "text/features/features.h"
#include "text/unicode/normalise.h"
#include "text/segmentation/pinyin.h"

struct fp_preprocessor {
    fp_han han;
    const fp_segmenter *segmenter;
    const void *state;
    bool outside; /* the segmenter's promises are checked */
};

static const fp_segmenter *segmenter_of(const fp_text_spec *spec, bool *outside) {
    size_t registered = 0, index = (size_t)spec->segmenter;
    while (fp_segmenter_at(registered)) registered++;
    *outside = index >= registered;
    return *outside ? spec->segmenters[index - registered] : fp_segmenter_at(index);
}

fp_status fp_preprocessor_open(const fp_text_spec *spec, fp_arena *arena, const fp_preprocessor **preprocessor,
                               fp_error *error) {
    fp_preprocessor *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->han = (fp_han)spec->han;
    made->segmenter = segmenter_of(spec, &made->outside);
    fp_segment_options options = {.hmm = spec->hmm == 0,
                                  .search = spec->search != 0,
                                  .join_numbers = spec->join == 0,
                                  .userdict = spec->userdict};
    if (made->segmenter->open) FP_TRY(made->segmenter->open(&options, arena, &made->state, error));
    *preprocessor = made;
    return FP_OK;
}

fp_status fp_preprocess(const fp_preprocessor *preprocessor, fp_string raw, unsigned wanted, fp_arena *arena,
                        fp_text *text, fp_error *error) {
    *text = (fp_text){0};
    FP_TRY(fp_normalise(raw, preprocessor->han, arena, &text->text, error));
    if (!(wanted & (FP_WANT_TOKENS | FP_WANT_INITIALS))) return FP_OK;
    FP_TRY(preprocessor->segmenter->cut(preprocessor->state, text->text, arena, &text->tokens, error));
    if (preprocessor->outside) FP_TRY(fp_tokens_check(preprocessor->segmenter, text->text, text->tokens, error));
    if (!(wanted & FP_WANT_INITIALS)) return FP_OK;
    return fp_pinyin_initials(text->text, text->tokens, arena, &text->initials, error);
}
