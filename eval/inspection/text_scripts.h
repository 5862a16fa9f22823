/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_scripts.h - of which scripts the letters of a text are, and what that says of its language.
 */
#ifndef FP_TEXT_SCRIPTS_H
#define FP_TEXT_SCRIPTS_H

#include "base/base.h"

typedef struct fp_text_scripts {
    size_t letters, digits;
    size_t han, kana, hangul; /* of the letters */
} fp_text_scripts;

/* Of valid UTF-8; by the Unicode properties Alphabetic, Decimal_Number and Script. */
fp_text_scripts fp_text_scripts_of(fp_string text);

/* Whether letters of those scripts are no text of that language (BCP 47: "zh-Hans", "en"), by the rule that
 * suspicions.h states; false of no language. */
bool fp_text_belies(const fp_text_scripts *scripts, fp_string language);

#endif
