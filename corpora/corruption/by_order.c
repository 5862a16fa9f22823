/* SPDX-License-Identifier: GPL-3.0-or-later
 * Neighbours exchanged: words, clauses, sentences. */
#include "corpora/corruption/rewrite.h"
#include "corpora/corruption/text_parts.h"
#include "text/unicode/words.h"

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
