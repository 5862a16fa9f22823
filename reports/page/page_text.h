/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page_text.h - every text of the page, in English and in Chinese.
 */
#ifndef FP_PAGE_TEXT_H
#define FP_PAGE_TEXT_H

#include "base/base.h"

/* Plain text in both languages, UTF-8; what comes from data is the same in both. */
typedef struct fp_page_text {
    const char *en, *zh;
} fp_page_text;

typedef enum fp_page_word {
#define WORD(id, en, zh) FP_WORD_##id,
#include "reports/page/page_words.def"
    FP_PAGE_WORDS
} fp_page_word;

/* One row of the words for columns, or of those for the script. */
typedef struct fp_page_named {
    const char *name;
    fp_page_text text;
} fp_page_named;

/* Ends with a NULL name. */
extern const fp_page_named fp_page_live_words[];

/* The words, with {0} … {9} replaced by `values`. */
fp_page_text fp_page_say(fp_page_word word, const fp_page_text *values, size_t count, fp_arena *arena);

/* How a column is called; measures by their labels, and a column that nobody named by its name, blanks for _. */
fp_page_text fp_page_column(const char *name, fp_arena *arena);

/* What stands in a table as a word: a verdict, yes, no. */
fp_page_text fp_page_cell_text(fp_string cell, fp_arena *arena);

/* Data as text: fp_plot_text makes it harmless for the reader's eye. */
fp_page_text fp_page_data(fp_string text, fp_arena *arena);

/* A number of a table for a reader: a share with three digits behind the point, another with four digits; NA is a dash.
 * What is no number stands as it is. */
fp_page_text fp_page_number(fp_string cell, bool share, fp_arena *arena);

/* "0.930 (0.854–0.955)", each as fp_page_number gives it; "to" stands between two limits of which one is negative.
 * Without the limits where neither is known. */
fp_page_text fp_page_with_limits(fp_string value, fp_string low, fp_string high, bool share, fp_arena *arena);

#endif
