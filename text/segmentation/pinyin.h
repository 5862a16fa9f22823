/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pinyin.h - pinyin initials of Han text, looked up on the words that a segmenter found.
 *
 * Readings come, the first that knows wins, from text/data/pinyin_phrases.txt (ours: a row there mends a wrong
 * reading), from Rime's simplified pinyin dictionary (phrases; and the usual reading of a character by its weight), and
 * from Unihan's kMandarin. A traditional character reads as its simplified one, so it makes no difference whether the
 * text was folded, as far as the segmenter finds the same words.
 *
 * Decided: 儿 is e in every place, also where it only colours the vowel before it (花儿: h e). Interjections are read
 * as input methods spell them: 嗯 (ń, ng) is en, e; 呣 mu, m; 哼 heng, h; 欸 and 诶 ei, e; 哦 o. 哪 is n, also in 哪吒.
 */
#ifndef FP_PINYIN_H
#define FP_PINYIN_H

#include "text/segmentation/segment.h"

/* One lower-case letter per Han character of `text`, in text order: a word that is in the phrase table gives its
 * phrase's initials; in another word each longest phrase inside of it, from left to right, does; and the characters
 * left over give their most usual reading's. Neighbouring words of one character are looked up together, because
 * segmenters leave unknown words in such pieces (去 and 重 of 去重: q c). Phrases that are marked so, and surnames with
 * what shows them (text/data/surnames.txt: 曾先生), are found across words as well (系 and 领带: j l d; 一行 and 访问:
 * y x f w). A word of three characters that no phrase begins is a name when a surname stands before two characters that
 * jieba's dictionary has in given names more than elsewhere (解小明: x x m). Of overlapping tokens (search mode) the
 * longest words count. zh, ch, sh give z, c, s; syllables without a consonant give a, e or o; y and w are initials.
 * Characters without a known reading, Latin words, digits and punctuation give nothing. */
fp_status fp_pinyin_initials(fp_string text, fp_tokens tokens, fp_arena *arena, fp_string *initials, fp_error *error);

/* The 20 consonants that begin a Mandarin syllable, in the order of the fingerprint: "bcdfghjklmnpqrstwxyz". */
extern const char fp_pinyin_letters[21];

/* Reference relative frequency of each of the 20 letters among all initials (vowel initials included in the total, so
 * the sum is < 1): three parts the word frequencies of jieba's dictionary times the words' initials (printed text), one
 * part the weights of Rime's simplified pinyin dictionary times theirs (what people type). Built with the tables;
 * text/tables/compile_pinyin.c says why. */
extern const double *fp_pinyin_reference(void);

#endif
