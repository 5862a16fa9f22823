/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sentences.h - sentence boundaries in normalised or raw text; sentences.c states the rules.
 */
#ifndef FP_SENTENCES_H
#define FP_SENTENCES_H

#include "base/base.h"

typedef struct fp_sentence_scan {
    const char *begin, *at, *end; /* of the text; `at`: where the next sentence begins */
    bool semicolon;               /* a semicolon ends a sentence, too */
    const char *titled;           /* up to here the text is a title in marks, in which no sentence ends */
    bool quoted;                  /* an odd number of " precede `at` in this line */
} fp_sentence_scan;

static inline fp_sentence_scan fp_sentence_scan_of(fp_string text, bool semicolon) {
    return (fp_sentence_scan){text.data, text.data, text.data + text.length, semicolon, text.data, false};
}

/* The next sentence with the white space around it: sentences cover the text. False at the end. */
bool fp_sentence_next(fp_sentence_scan *scan, fp_string *sentence);

#endif
