/* SPDX-License-Identifier: GPL-3.0-or-later
 * Raw text to normalised text, tokens and pinyin initials. */
#include <math.h>
#include <stdatomic.h>

#include "text/features/features.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/normalise.h"
#include "text/unicode/words.h"

/* Texts that were cut, and those of them that are uncut; for any number of threads. */
typedef struct tally {
    atomic_size_t texts, uncut;
} tally;

struct fp_preprocessor {
    fp_han han;
    const fp_segmenter *segmenter;
    const void *state;
    bool outside; /* the segmenter's promises are checked */
    tally *tally; /* NULL where the segmenter has dictionaries of its own */
};

extern const fp_segmenter fp_segmenter_jieba;

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
    if (made->segmenter == &fp_segmenter_jieba && !(made->tally = fp_arena_alloc(arena, 1, sizeof *made->tally)))
        return fp_no_memory(error);
    *preprocessor = made;
    return FP_OK;
}

/* ---- Scripts without words ---- */

/* One token in so many. */
enum { UNCUT_SHARE = 4 };

/* Whether a token may begin with a letter that fp_word.uncut means, by its first two bytes: U+0800 to U+1FFF, U+3040 to
 * U+30FF, U+A000 to U+AFFF, and beyond U+FFFF. */
static bool may_be_uncut(const unsigned char *byte) {
    return byte[0] == 0xe0 || byte[0] == 0xe1 || (byte[0] == 0xe3 && (byte[1] & 0xfc) == 0x80 && byte[1] != 0x80) ||
           byte[0] == 0xea || byte[0] >= 0xf0;
}

static void count_uncut(tally *to, const fp_text *text) {
    size_t uncut = 0;
    for (size_t i = 0; i < text->tokens.count; i++) {
        size_t begin = text->tokens.token[i].begin;
        if (may_be_uncut((const unsigned char *)text->text.data + begin)) uncut += fp_word_at(text->text, begin).uncut;
    }
    atomic_fetch_add_explicit(&to->texts, 1, memory_order_relaxed);
    if (uncut && uncut * UNCUT_SHARE >= text->tokens.count)
        atomic_fetch_add_explicit(&to->uncut, 1, memory_order_relaxed);
}

size_t fp_preprocessor_uncut(const fp_preprocessor *of, size_t texts) {
    size_t seen = of->tally ? atomic_load(&of->tally->texts) : 0;
    return seen ? (size_t)ceil((double)atomic_load(&of->tally->uncut) / (double)seen * (double)texts) : 0;
}

/* ---- One text ---- */

fp_status fp_preprocess(const fp_preprocessor *preprocessor, fp_string raw, unsigned wanted, fp_arena *arena,
                        fp_text *text, fp_error *error) {
    *text = (fp_text){0};
    FP_TRY(fp_normalise(raw, preprocessor->han, arena, &text->text, error));
    if (!(wanted & (FP_WANT_TOKENS | FP_WANT_INITIALS))) return FP_OK;
    FP_TRY(preprocessor->segmenter->cut(preprocessor->state, text->text, arena, &text->tokens, error));
    if (preprocessor->outside) FP_TRY(fp_tokens_check(preprocessor->segmenter, text->text, text->tokens, error));
    if (preprocessor->tally && wanted & FP_WANT_TOKENS) count_uncut(preprocessor->tally, text);
    if (!(wanted & FP_WANT_INITIALS)) return FP_OK;
    return fp_pinyin_initials(text->text, text->tokens, arena, &text->initials, error);
}
