/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences deleted, and sentences of other texts inserted. */
#include "corpora/corruption/rewrite.h"
#include "text/unicode/words.h"
#include "text/unicode/conversion.h"

fp_status fp_corrupt_sentence_delete(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        if (!fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        fp_rewrite_change(work, begin, begin + all.part[i].text.length, (fp_string){"", 0});
    }
    return FP_OK;
}

/* The sentences of all donors, in one list. */
static fp_status foreign_sentences(fp_rewrite *work, fp_text_parts *all, fp_error *error) {
    const fp_corruption_text *of = work->of;
    size_t room = 0;
    for (size_t i = 0; i < of->donor_count; i++) room += of->donors[i].length + 1;
    *all = (fp_text_parts){FP_NEED(fp_arena_raw(work->arena, room + 1, sizeof *all->part), error), 0};
    for (size_t i = 0; i < of->donor_count; i++) {
        fp_text_parts some;
        FP_TRY(fp_text_parts_sentences(of->donors[i], work->arena, &some, error));
        for (size_t k = 0; k < some.count; k++) all->part[all->count++] = some.part[k];
    }
    return FP_OK;
}

fp_status fp_corrupt_sentence_insert(fp_rewrite *work, fp_error *error) {
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

/* ---- Exchanged neighbours: words, clauses, sentences ---- */

/* Exchanges neighbours of one sentence or line, from left to right; skips both parts of an exchanged pair. */
static void exchange(fp_rewrite *work, fp_text_parts all) {
    for (size_t i = 0; i + 1 < all.count; i++) {
        const fp_text_part *one = &all.part[i], *next = one + 1;
        if (one->within != next->within || fp_string_equal(one->text, next->text)) continue;
        if (!fp_rewrite_chosen(work)) continue;
        fp_rewrite_swap(work, one->text, next->text);
        i++;
    }
}

/* Only words with nothing or a space between them are neighbours. */
fp_status fp_corrupt_words(fp_rewrite *work, fp_error *error) {
    fp_tokens tokens;
    FP_TRY(fp_rewrite_cut(work, &tokens, error));
    fp_text_part *part = FP_NEED(fp_arena_raw(work->arena, tokens.count + 1, sizeof *part), error);
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

fp_status fp_corrupt_clauses(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_clauses(work->text, work->arena, &all, error));
    exchange(work, all);
    return FP_OK;
}

fp_status fp_corrupt_sentences(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_sentences(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) all.part[i].within = 0; /* across lines, too */
    exchange(work, all);
    return FP_OK;
}

/* ---- Other words or script for the same meaning ---- */

fp_status fp_corrupt_synonym(fp_rewrite *work, fp_error *error) {
    fp_tokens words;
    FP_TRY(fp_rewrite_cut(work, &words, error));
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

fp_status fp_corrupt_traditional(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_TRADITIONAL, error); }
fp_status fp_corrupt_taiwan(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_TAIWAN, error); }
fp_status fp_corrupt_hongkong(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_HONG_KONG, error); }
fp_status fp_corrupt_simplified(fp_rewrite *work, fp_error *error) { return convert(work, FP_TO_SIMPLIFIED, error); }
