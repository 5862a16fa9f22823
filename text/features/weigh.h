/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * weigh.h - the built-in inverse document frequencies: jieba's list (jieba/analyse/idf.txt), for words as jieba cuts
 * them.
 */
#ifndef FP_WEIGH_H
#define FP_WEIGH_H

#include "base/base.h"

/* The word's IDF, > 0. A word that is not in the list gets the mean. *known (which may be NULL) tells which it was.
 * The word is valid UTF-8. */
double fp_idf_builtin(fp_string word, bool *known);

/* Over all words of the list. */
double fp_idf_builtin_mean(void);

#endif
