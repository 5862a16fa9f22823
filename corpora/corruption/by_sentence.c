/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences left out, and sentences of other texts put in. */
#include "corpora/corruption/rewrite.h"
#include "corpora/corruption/text_parts.h"
#include "text/unicode/words.h"
#include "text/unicode/conversion.h"

static fp_status leave_out(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        if (!fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        fp_rewrite_change(work, begin, begin + all.part[i].text.length, (fp_string){"", 0});
    }
    return FP_OK;
}

/* Of all donors, in one list. */
static fp_status foreign_sentences(fp_rewrite *work, fp_text_parts *all, fp_error *error) {
    const fp_corruption_text *of = work->of;
    size_t room = 0;
    for (size_t i = 0; i < of->donor_count; i++) room += of->donors[i].length + 1;
    fp_text_part *part = fp_arena_raw(work->arena, room + 1, sizeof *part);
    if (!part) return fp_no_memory(error);
    *all = (fp_text_parts){part, 0};
    for (size_t i = 0; i < of->donor_count; i++) {
        fp_text_parts some;
        FP_TRY(fp_text_parts_sentences(of->donors[i], work->arena, &some, error));
        for (size_t k = 0; k < some.count; k++) part[all->count++] = some.part[k];
    }
    return FP_OK;
}

static fp_status put_in(fp_rewrite *work, fp_error *error) {
    fp_text_parts all, foreign = {0};
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    FP_TRY(foreign_sentences(work, &foreign, error));
    for (size_t i = 0; i < all.count && foreign.count; i++) {
        if (!fp_rewrite_chosen(work)) continue;
        size_t end = fp_rewrite_place(work, all.part[i].text) + all.part[i].text.length;
        fp_rewrite_change(work, end, end, foreign.part[fp_rewrite_below(work, foreign.count)].text);
    }
    return FP_OK;
}

const fp_corruption_kind fp_corruption_sentence_delete = {
    .name = "sentence_delete",
    .label = "sentences deleted",
    .label_zh = "删除句子",
    .help = "leaves sentences out",
    .unit = "sentences",
    .apply = leave_out,
};

const fp_corruption_kind fp_corruption_sentence_insert = {
    .name = "sentence_insert",
    .label = "sentences inserted",
    .label_zh = "插入他文句子",
    .help = "puts a sentence of another document behind one",
    .unit = "sentences, behind which one may be put",
    .source = "other documents of the corpus, of another group",
    .needs = FP_NEEDS_DONORS,
    .apply = put_in,
};

/* ---- Neighbours exchanged: words, clauses, sentences ---- */

/* Neighbours of one sentence or line, from left to right; an exchanged pair is passed over whole. */
static void exchange(fp_rewrite *work, fp_text_parts all) {
    for (size_t i = 0; i + 1 < all.count; i++) {
        const fp_text_part *one = &all.part[i], *next = one + 1;
        if (one->within != next->within || fp_string_equal(one->text, next->text)) continue;
        if (!fp_rewrite_chosen(work)) continue;
        fp_rewrite_swap(work, one->text, next->text);
        i++;
    }
}

/* Words that stand side by side, or with white space between them. */
static fp_status words(fp_rewrite *work, fp_error *error) {
    fp_tokens tokens;
    FP_TRY(fp_rewrite_cut(work, work->text, &tokens, error));
    fp_text_part *part = fp_arena_raw(work->arena, tokens.count + 1, sizeof *part);
    if (!part) return fp_no_memory(error);
    size_t count = 0, within = 0;
    for (size_t i = 0; i < tokens.count; i++) {
        fp_token token = tokens.token[i];
        fp_string word = {work->text.data + token.begin, token.end - token.begin};
        if (fp_has_word(word.data, word.length)) part[count++] = (fp_text_part){.text = word, .within = within};
        else within += *word.data != ' ';
    }
    exchange(work, (fp_text_parts){part, count});
    return FP_OK;
}

static fp_status clauses(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_clauses(work->text, work->arena, &all, error));
    exchange(work, all);
    return FP_OK;
}

static fp_status sentences(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    fp_text_part *part = fp_arena_raw(work->arena, all.count + 1, sizeof *part);
    if (!part) return fp_no_memory(error);
    for (size_t i = 0; i < all.count; i++) part[i] = (fp_text_part){.text = all.part[i].text}; /* across lines, too */
    exchange(work, (fp_text_parts){part, all.count});
    return FP_OK;
}

const fp_corruption_kind fp_corruption_words = {
    .name = "words",
    .label = "words exchanged",
    .label_zh = "相邻词语对调",
    .help = "exchanges two neighbouring words",
    .unit = "neighbouring words that differ and no mark parts, from left to right, each word in one exchange at most",
    .needs = FP_NEEDS_SEGMENTER,
    .apply = words,
};

const fp_corruption_kind fp_corruption_clauses = {
    .name = "clauses",
    .label = "clauses exchanged",
    .label_zh = "相邻分句对调",
    .help = "exchanges two neighbouring clauses of a sentence; the marks between and behind them stay",
    .unit = "neighbouring clauses that differ, from left to right, each clause in one exchange at most",
    .apply = clauses,
};

const fp_corruption_kind fp_corruption_sentences = {
    .name = "sentences",
    .label = "sentences exchanged",
    .label_zh = "相邻句子对调",
    .help = "exchanges two neighbouring sentences with their marks",
    .unit = "neighbouring sentences that differ, from left to right, each sentence in one exchange at most",
    .apply = sentences,
};

/* ---- The same said with other words or in the other script ---- */

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
