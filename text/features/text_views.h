/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_views.h - a text reduced to one class of its content: its numbers, its length, its first sentence. Distances on
 * a view show whether that class alone separates duplicates from non-duplicates.
 */
#ifndef FP_TEXT_VIEWS_H
#define FP_TEXT_VIEWS_H

#include "base/base.h"

/* Items of a view by their XXH3-64, ascending, each with its count. An empty sight is no evidence. */
typedef struct fp_seen {
    uint64_t hash;
    uint32_t count;
} fp_seen;

typedef struct fp_sight {
    const fp_seen *seen; /* [count] */
    size_t count;
    size_t characters; /* characters, except white space, that the items consist of; 0 for the length */
} fp_sight;

typedef struct fp_jieba fp_views; /* resources of the views; constant, for any number of threads */
fp_status fp_views_open(fp_arena *arena, const fp_views **views, fp_error *error);

/* Views of normalised text (fp_normalise, simplified):
 * digits: maximal runs of decimal digits, and of two or more of the Chinese digits 〇 零 一 to 九 (二〇〇八);
 * latin: words of Latin letters;
 * punctuation: individual punctuation marks;
 * names: words of two or three Han characters, as jieba cuts without a user dictionary and with its HMM for unknown
 * words, that begin with one of a hundred common surnames and have a frequency of at most a hundred in its dictionary
 * (which holds names, too);
 * length: the number of characters, as the count of a single item;
 * first sentence, last sentence: its bigrams of characters (chars:2), in texts of two sentences or more;
 * title: the same for the first line, in texts of two lines or more. */
enum {
    FP_VIEW_DIGITS,
    FP_VIEW_LATIN,
    FP_VIEW_PUNCTUATION,
    FP_VIEW_NAMES,
    FP_VIEW_LENGTH,
    FP_VIEW_FIRST,
    FP_VIEW_LAST,
    FP_VIEW_TITLE,
    FP_VIEWS
};
typedef struct fp_text_view {
    const char *name, *help;
} fp_text_view;
extern const fp_text_view fp_text_views[FP_VIEWS];
fp_status fp_text_view_look(const fp_views *views, size_t view, fp_string text, fp_arena *arena, fp_sight *sight,
                            fp_error *error);

/* The form of a text, regardless of its content. */
enum { FP_FORM_COUNTS = 4, FP_FORM_SIGHTS = 4, FP_FORM_END = 10, FP_FORM_INSERT = 20 };
extern const char *const fp_form_counts[FP_FORM_COUNTS], *const fp_form_sights[FP_FORM_SIGHTS];
typedef struct fp_text_form {
    double counts[FP_FORM_COUNTS];   /* characters except white space, sentences, lines with a word, characters of white
                                        space at line ends and at the end of the raw text */
    fp_sight sights[FP_FORM_SIGHTS]; /* bigrams of the first, and of the last FP_FORM_END characters; inserts
                                        (signatures): inner lines and texts in brackets, of at most FP_FORM_INSERT
                                        characters; marks and symbols */
    fp_sight capitals;               /* words of Latin letters with a capital inside a sentence */
    size_t characters;               /* of both ends and the inserts, except white space */
} fp_text_form;

/* `text` is the normalised `raw`. Lives in `arena`. */
fp_status fp_text_form_of(fp_string raw, fp_string text, fp_arena *arena, fp_text_form *form, fp_error *error);

/* The number of characters of valid UTF-8, except white space. */
size_t fp_visible_characters(fp_string text);

/* A copy of the sight alone, in `arena`; its `seen` is NULL when out of memory. */
fp_sight fp_sight_copy(fp_sight sight, fp_arena *arena);
/* One minus the Jaccard similarity of the counts, Σ min / Σ max, in [0, 1]; 1 if either is empty. */
double fp_sight_distance(fp_sight a, fp_sight b);

#endif
