/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_views.h - a text seen through one class of what it holds alone: its numbers, its length, its first sentence.
 * What such a view finds two texts alike by shows whether that class by itself decides what is a duplicate.
 */
#ifndef FP_TEXT_VIEWS_H
#define FP_TEXT_VIEWS_H

#include "base/base.h"

/* What a view sees: things by their XXH3-64, ascending, each with how often it is there. Nothing: no evidence. */
typedef struct fp_seen {
    uint64_t hash;
    uint32_t count;
} fp_seen;

typedef struct fp_sight {
    const fp_seen *seen; /* [count] */
    size_t count;
    size_t characters; /* of the text, but white space, that those are made of; of the length none */
} fp_sight;

typedef struct fp_views fp_views; /* what views read; constant, for any number of threads */
fp_status fp_views_open(fp_arena *arena, const fp_views **views, fp_error *error);

/* Of normalised text (fp_normalise, simplified):
 * digits: maximal runs of decimal digits, and of two or more of the Chinese digits 〇 零 一 to 九 (二〇〇八);
 * latin: words of Latin letters;
 * punctuation: signs of punctuation, each by itself;
 * names: words of two or three Han characters, as jieba cuts without a user dictionary and with its model of unknown
 *     words, that begin with one of a hundred common surnames and stand at most a hundred times in its dictionary's
 *     counts (it holds names, too);
 * length: the number of characters, as that many of one thing;
 * first sentence, last sentence: two characters after each other (chars:2) of it, in texts of two sentences or more;
 * title: the same of the first line, in texts of two lines or more. */
typedef struct fp_text_view {
    const char *name, *help;
    fp_status (*look)(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error);
} fp_text_view;
enum { FP_VIEW_DIGITS, FP_VIEW_LATIN, FP_VIEW_NAMES = 3, FP_VIEWS = 8 }; /* places in fp_text_views */
extern const fp_text_view fp_text_views[FP_VIEWS];

/* What the form of a text shows, whatever it says. */
enum { FP_FORM_COUNTS = 4, FP_FORM_SIGHTS = 4, FP_FORM_END = 10, FP_FORM_INSERT = 20 };
extern const char *const fp_form_counts[FP_FORM_COUNTS], *const fp_form_sights[FP_FORM_SIGHTS];
typedef struct fp_text_form {
    double counts[FP_FORM_COUNTS];   /* characters but white space, sentences, lines that say something, characters of
                                        white space at the ends of lines and of the text as it came */
    fp_sight sights[FP_FORM_SIGHTS]; /* two characters after each other of the first, and of the last FP_FORM_END
                                        characters; inserts (signatures): inner lines and texts in brackets,
                                        of at most FP_FORM_INSERT characters; marks and symbols */
    fp_sight capitals;               /* words of Latin letters that begin with a capital inside a sentence */
    size_t characters;               /* but white space, of both ends and the inserts */
} fp_text_form;

/* `text` is `raw`, normalised. Lives in `arena`. */
fp_status fp_text_form_of(fp_string raw, fp_string text, fp_arena *arena, fp_text_form *form, fp_error *error);

/* Characters of valid UTF-8, but white space. */
size_t fp_visible_characters(fp_string text);

/* The sight without what `arena` holds of it otherwise: a copy; its `seen` is NULL when there is no memory. */
fp_sight fp_sight_copy(fp_sight sight, fp_arena *arena);
/* One less the Jaccard similarity of what is counted, Σ min / Σ max, in [0, 1]; 1 where either is nothing. */
double fp_sight_distance(fp_sight a, fp_sight b);

#endif
