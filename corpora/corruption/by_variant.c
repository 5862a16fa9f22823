/* SPDX-License-Identifier: GPL-3.0-or-later
 * The same said with other words or in the other script. */
#include "corpora/corruption/rewrite.h"
#include "text/variants/conversion.h"

static fp_status synonym(fp_rewrite *work, fp_error *error) {
    fp_tokens words;
    FP_TRY(fp_rewrite_cut(work, work->text, &words, error));
    for (size_t i = 0; i < words.count; i++) {
        fp_token token = words.token[i];
        fp_string word = {work->text.data + token.begin, token.end - token.begin};
        if (!fp_synonyms_draw(work->means->synonyms, word, 0).length || !fp_rewrite_chosen(work)) continue;
        fp_rewrite_change(work, token.begin, token.end,
                          fp_synonyms_draw(work->means->synonyms, word, fp_rewrite_draw(work)));
    }
    return FP_OK;
}

static fp_status convert(fp_rewrite *work, fp_conversion conversion, fp_error *error) {
    const fp_conversion_piece *pieces;
    size_t count;
    FP_TRY(fp_convert(work->text, conversion, work->arena, &pieces, &count, error));
    for (size_t i = 0; i < count; i++) {
        if (fp_string_equal(pieces[i].from, pieces[i].to) || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, pieces[i].from);
        fp_rewrite_change(work, begin, begin + pieces[i].from.length, pieces[i].to);
    }
    return FP_OK;
}

static fp_status to_traditional(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_TRADITIONAL, error); }
static fp_status to_taiwan(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_TAIWAN, error); }
static fp_status to_hong_kong(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_HONG_KONG, error); }
static fp_status to_simplified(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_SIMPLIFIED, error); }

const fp_corruption_kind fp_corruption_synonym = {
    .name = "synonym",
    .label = "synonyms",
    .label_zh = "同义词",
    .help = "puts a word of the same meaning in the place of one, all evenly",
    .unit = "words that have a synonym in the list",
    .source = "the file that --synonyms names; without one, a short list of this project for Chinese and English",
    .needs = FP_NEEDS_SEGMENTER | FP_NEEDS_SYNONYMS,
    .apply = synonym,
};

const fp_corruption_kind fp_corruption_traditional = {
    .name = "traditional",
    .label = "traditional",
    .label_zh = "转为繁体",
    .help = "writes simplified words and characters in traditional ones (OpenCC's s2t)",
    .unit = "phrases and characters that the conversion changes",
    .source = "OpenCC's dictionaries (libopencc-data)",
    .needs = FP_NEEDS_HAN,
    .apply = to_traditional,
};

const fp_corruption_kind fp_corruption_taiwan = {
    .name = "taiwan",
    .label = "Taiwan's words",
    .label_zh = "转为台湾用字用词",
    .help = "the same with Taiwan's characters and vocabulary (s2twp)",
    .unit = "phrases and characters that the conversion changes",
    .source = "OpenCC's dictionaries (libopencc-data)",
    .needs = FP_NEEDS_HAN,
    .apply = to_taiwan,
};

const fp_corruption_kind fp_corruption_hongkong = {
    .name = "hongkong",
    .label = "Hong Kong's characters",
    .label_zh = "转为香港用字",
    .help = "the same with Hong Kong's characters (s2hk); OpenCC has no vocabulary of Hong Kong",
    .unit = "phrases and characters that the conversion changes",
    .source = "OpenCC's dictionaries (libopencc-data)",
    .needs = FP_NEEDS_HAN,
    .apply = to_hong_kong,
};

const fp_corruption_kind fp_corruption_simplified = {
    .name = "simplified",
    .label = "simplified",
    .label_zh = "转为简体",
    .help = "writes traditional words and characters, with Taiwan's vocabulary, in simplified ones (tw2sp)",
    .unit = "phrases and characters that the conversion changes",
    .source = "OpenCC's dictionaries (libopencc-data)",
    .needs = FP_NEEDS_HAN,
    .apply = to_simplified,
};
