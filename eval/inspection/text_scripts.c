/* SPDX-License-Identifier: GPL-3.0-or-later
 * Scripts of letters. */
#include "eval/inspection/text_scripts.h"

#include <string.h>
#include <strings.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/unicode/utf8.h"

fp_text_scripts fp_text_scripts_of(fp_string text) {
    fp_text_scripts made = {0};
    for (const char *at = text.data, *end = at + text.length; at < end;) {
        uint32_t code;
        UErrorCode failed = U_ZERO_ERROR;
        at += fp_utf8_decode(at, &code);
        if (u_isdigit((UChar32)code)) made.digits++;
        if (!u_isUAlphabetic((UChar32)code)) continue;
        UScriptCode script = uscript_getScript((UChar32)code, &failed);
        made.letters++;
        made.han += script == USCRIPT_HAN;
        made.kana += script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
        made.hangul += script == USCRIPT_HANGUL;
    }
    return made;
}

static bool is_of(fp_string language, const char *primary) {
    size_t length = strlen(primary);
    if (language.length < length || strncasecmp(language.data, primary, length) != 0) return false;
    return language.length == length || language.data[length] == '-' || language.data[length] == '_';
}

bool fp_text_belies(const fp_text_scripts *scripts, fp_string language) {
    if (language.length == 0 || is_of(language, "und") || is_of(language, "mul")) return false;
    if (is_of(language, "zh") || is_of(language, "yue") || is_of(language, "lzh"))
        return 3 * scripts->han < scripts->letters;
    if (is_of(language, "ja")) return scripts->kana == 0;
    if (is_of(language, "ko")) return 3 * scripts->hangul < scripts->letters;
    return 3 * (scripts->han + scripts->kana + scripts->hangul) > scripts->letters;
}
