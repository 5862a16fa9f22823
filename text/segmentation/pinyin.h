/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pinyin.h - pinyin of Han text; initials are looked up by the words of a segmenter.
 *
 * Readings come, in order of precedence, from text/data/pinyin_phrases.txt (ours: a row there corrects a wrong
 * reading), from Rime's simplified pinyin dictionary (phrases, and the most common reading of a character by its
 * weight), and from Unihan's kMandarin. A traditional character reads as its simplified one, so folding the text makes
 * no difference as long as the segmenter finds the same words.
 *
 * Conventions: 儿 is always e, also where it only colours the vowel before it (花儿: h e). Interjections are read as
 * input methods spell them: 嗯 (ń, ng) is en, e; 呣 mu, m; 哼 heng, h; 欸 and 诶 ei, e; 哦 o. 哪 is n, also in 哪吒.
 */
#ifndef FP_PINYIN_H
#define FP_PINYIN_H

#include "text/segmentation/segment.h"

/* One lower-case letter per Han character of `text`, in text order. A word in the phrase table gives its phrase's
 * initials; in any other word each longest phrase inside it, from left to right, does; the remaining characters give
 * the initials of their most common readings. Neighbouring words of one character are looked up together, because
 * segmenters cut unknown words into such pieces (去 and 重 of 去重: q c). Phrases marked in the table, and surnames
 * with the context that identifies them (text/data/surnames.txt: 曾先生), are also found across words (系 and 领带: j l
 * d; 一行 and 访问: y x f w). A word of three characters that no phrase begins is a name if a surname precedes two
 * characters that in jieba's dictionary are more frequent in given names than elsewhere (解小明: x x m). Of overlapping
 * tokens (search mode) only the longest words count. zh, ch, sh give z, c, s; syllables without a consonant give a, e
 * or o; y and w are initials. Characters without a known reading, Latin words, digits and punctuation give nothing. */
fp_status fp_pinyin_initials(fp_string text, fp_tokens tokens, fp_arena *arena, fp_string *initials, fp_error *error);

/* The 20 consonants that begin a Mandarin syllable, in the order of the fingerprint: "bcdfghjklmnpqrstwxyz". */
extern const char fp_pinyin_letters[21];

/* Pinyin symbols that are counted, in this order: consonants, finals, tones (1 to 4, 5 neutral) and syllables without
 * tone (text/data/pinyin_syllables.txt). */
enum {
    FP_PINYIN_INITIALS = 20,
    FP_PINYIN_FINALS = 36,
    FP_PINYIN_TONES = 5,
    FP_PINYIN_SYLLABLES = 405,
    FP_PINYIN_SYMBOLS = FP_PINYIN_INITIALS + FP_PINYIN_FINALS + FP_PINYIN_TONES + FP_PINYIN_SYLLABLES
};

/* The symbols of one character; FP_PINYIN_SYMBOLS if it has none. */
typedef struct fp_pinyin_reading {
    uint16_t symbol[4]; /* initial, final, tone, syllable */
} fp_pinyin_reading;

/* A reading for each of the `initials` of `text`: of the readings of its character in Unihan's kMandarin, kHanyuPinlu
 * and kTGHZ2013 the first with that initial, or else the first. So 行 of 银行 is hang, but 好 is always hao3: readings
 * with the same initial are not distinguished, and neutral tones and tone sandhi are ignored. Characters and initials
 * are matched in text order. NULL when out of memory. */
const fp_pinyin_reading *fp_pinyin_readings(fp_string text, fp_string initials, fp_arena *arena);
/* Whether a character gives an initial. */
bool fp_pinyin_has_reading(uint32_t code);
/* The name of a symbol: "zh" is z; finals and syllables have v for ü. */
const char *fp_pinyin_symbol(size_t symbol);

/* The reference relative frequency of each symbol. For the 20 letters it is relative to all initials (including vowels,
 * so the sum is < 1): three parts the word frequencies of jieba's dictionary (printed text), one part the weights of
 * Rime's simplified pinyin dictionary (typed text), each applied to the words' initials. The other symbols likewise, at
 * least 10⁻⁶. Computed with the tables; text/tables/compile_pinyin.c gives the reasons. */
extern const double *fp_pinyin_reference(void);

#endif
