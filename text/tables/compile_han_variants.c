/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taiwan's and Hong Kong's characters. OpenCC's own method (tw2s, hk2s) first maps them to its traditional forms and
 * then folds these; that breaks 著名 where its phrases lack the word, and writes 擡 for 抬. Here each variant and its
 * traditional form are folded first. If that leaves two characters, GB 2312, the character set of simplified text,
 * decides which of them is simplified:
 *
 *   - only one is: both become it (衞 and 衛 give 卫, 擡 and 抬 give 抬);
 *   - both are (着 and 著, for which Taiwan writes only 著): the one that is more frequent in jieba replaces both,
 *     except in words with the other one: those of jieba that it counted more often than the same word with the more
 *     common character, and OpenCC's. Words of three characters or more that end in the more common one keep it:
 *     意味著名字 is 意味着 and 名字. Words of two characters (本着) would break 一本著作.
 */
#include <unicode/ucnv.h>

#include "text/tables/compile_han.h"

enum { MOST_SPLITS = 16, MOST_WORDS = 4096, WORD_ROOM = 64, MOST_SPELLINGS = 16 };

/* jieba gives this frequency to words that it took from a list without counting. */
enum { UNCOUNTED = 3 };

/* Least length of a word that keeps the more common character at its end. */
enum { KEEPS_ITS_END = 3 };

/* Two simplified characters that Taiwan or Hong Kong writes as one. */
typedef struct split {
    uint32_t plain, variant; /* folded: from OpenCC's traditional form, and from the variant */
    double plain_count, variant_count;
} split;

typedef struct word {
    char text[WORD_ROOM];
    double frequency;
} word;

static uint32_t before[CODES]; /* han_single before: only traditional to simplified */
static uint32_t merged[CODES]; /* simplified characters that are replaced by others; 0: not replaced */
static split splits[MOST_SPLITS];
static word words[MOST_WORDS];
static size_t split_count, word_count;

static uint32_t before_of(uint32_t code) { return before[code] ? before[code] : code; }

/* ---- Characters ---- */

/* Whether GB 2312 has the character. */
static bool is_simplified(const char *file, uint32_t code) {
    static UConverter *gb;
    UErrorCode status = U_ZERO_ERROR;
    if (!gb) {
        gb = ucnv_open("gb2312", &status);
        ucnv_setFromUCallBack(gb, UCNV_FROM_U_CALLBACK_STOP, NULL, NULL, NULL, &status);
        if (U_FAILURE(status)) die(file, 0, "ICU: %s", u_errorName(status));
    }
    UChar units[2];
    int32_t count = 0;
    char bytes[8];
    U16_APPEND_UNSAFE(units, count, code);
    ucnv_fromUChars(gb, bytes, sizeof bytes, units, count, &status);
    ucnv_reset(gb);
    return U_SUCCESS(status);
}

static void add_split(const char *file, uint32_t plain, uint32_t variant) {
    for (size_t i = 0; i < split_count; i++) {
        if (splits[i].plain == plain && splits[i].variant == variant) return;
    }
    if (split_count == MOST_SPLITS) die(file, 0, "more than %d pairs of simplified characters", MOST_SPLITS);
    splits[split_count++] = (split){.plain = plain, .variant = variant};
}

static void read_characters(const char *file) {
    reader from = open_reader(file, "libopencc-data");
    while (next_line(&from)) {
        pair row = cut_pair(&from);
        uint32_t variant = before_of(han_only_code(&from, row.from)), plain = before_of(han_only_code(&from, row.to));
        if (variant == plain) continue;
        if (!is_simplified(file, variant)) merged[variant] = plain;
        else if (!is_simplified(file, plain)) merged[plain] = variant;
        else add_split(file, plain, variant);
    }
}

static void merge_characters(void) {
    for (uint32_t code = 0; code < CODES; code++) {
        uint32_t to = before_of(code);
        if (merged[to]) han_single[code] = merged[to];
    }
}

/* ---- Words ---- */

static size_t count_in(const char *text, uint32_t wanted) {
    size_t count = 0;
    while (*text) count += next_code(&text) == wanted;
    return count;
}

/* Reads the words with a character of a split, and counts these characters by jieba's frequencies. */
static void read_words(const char *file) {
    reader from = open_reader(file, "python3-jieba");
    while (next_line(&from)) {
        double frequency = cut_frequency(&from);
        fp_string text = check_utf8(&from, from.text);
        bool wanted = false;
        for (size_t i = 0; i < split_count; i++) {
            size_t plain = count_in(text.data, splits[i].plain), variant = count_in(text.data, splits[i].variant);
            splits[i].plain_count += frequency * (double)plain;
            splits[i].variant_count += frequency * (double)variant;
            wanted |= plain || variant;
        }
        if (!wanted || text.length >= WORD_ROOM) continue;
        if (word_count == MOST_WORDS) die(file, from.line, "more than %d words", MOST_WORDS);
        words[word_count].frequency = frequency;
        memcpy(words[word_count++].text, text.data, text.length + 1);
    }
}

static double frequency_of(const char *text) {
    for (size_t i = 0; i < word_count; i++) {
        if (strcmp(words[i].text, text) == 0) return words[i].frequency;
    }
    return 0;
}

/* Replaces every `from` in `text` by `to`; both have three bytes, like all Han characters of GB 2312. */
static void replace(const char *text, uint32_t from, uint32_t to, char made[WORD_ROOM]) {
    while (*text) {
        uint32_t code = next_code(&text);
        made += fp_utf8_encode(code == from ? to : code, made);
    }
    *made = '\0';
}

/* ---- Phrases ---- */

/* The characters that fold to a simplified one, itself first. */
static size_t spellings(uint32_t code, uint32_t spelling[MOST_SPELLINGS]) {
    size_t count = 0;
    spelling[count++] = code;
    for (uint32_t other = 0; other < 0x10000 && count < MOST_SPELLINGS; other++) {
        if (before[other] == code && other != code) spelling[count++] = other;
    }
    return count;
}

/* Adds a phrase for each spelling of the rest `at`, after the prefix in `spelled`. */
static void add_spellings(const char *file, const char *at, char *spelled, size_t length, const char *to) {
    uint32_t spelling[MOST_SPELLINGS];
    if (!*at) {
        spelled[length] = '\0';
        if (!han_has_phrase(spelled)) han_add_phrase(file, 0, spelled, to);
        return;
    }
    size_t count = spellings(next_code(&at), spelling);
    for (size_t i = 0; i < count; i++)
        add_spellings(file, at, spelled, length + fp_utf8_encode(spelling[i], spelled + length), to);
}

/* Makes the simplified word also apply where the variant is written. */
static void add_word(const char *file, const split *in, const char *simplified) {
    char written[WORD_ROOM], spelled[2 * WORD_ROOM];
    replace(simplified, in->plain, in->variant, written);
    add_spellings(file, written, spelled, 0, simplified);
}

static bool ends_in(const char *text, uint32_t wanted) {
    uint32_t code = 0;
    while (*text) code = next_code(&text);
    return code == wanted;
}

static void add_words(const char *file, const split *in) {
    bool plain_is_common = in->plain_count > in->variant_count;
    uint32_t common = plain_is_common ? in->plain : in->variant, rare = plain_is_common ? in->variant : in->plain;
    for (size_t i = 0; i < word_count; i++) {
        const word *one = &words[i];
        char other[WORD_ROOM];
        size_t length = fp_utf8_count(fp_string_of(one->text));
        bool rare_word = count_in(one->text, rare);
        bool common_word = plain_is_common && length >= KEEPS_ITS_END && ends_in(one->text, common);
        if (one->frequency <= UNCOUNTED || length < 2) continue;
        if (!rare_word && !common_word) continue;
        replace(one->text, rare_word ? rare : common, rare_word ? common : rare, other);
        if (one->frequency > frequency_of(other)) add_word(file, in, one->text);
    }
}

/* Adds OpenCC's phrases with the less common character. */
static void read_phrases(const char *file) {
    reader from = open_reader(file, "libopencc-data");
    while (next_line(&from)) {
        pair row = cut_pair(&from);
        char simplified[WORD_ROOM];
        size_t length = 0;
        for (const char *at = row.to; *at && length < WORD_ROOM - 5;)
            length += fp_utf8_encode(before_of(next_code(&at)), simplified + length);
        simplified[length] = '\0';
        for (size_t i = 0; i < split_count; i++) {
            const split *in = &splits[i];
            uint32_t rare = in->plain_count > in->variant_count ? in->variant : in->plain;
            if (count_in(simplified, rare)) add_word(file, in, simplified);
        }
    }
}

void han_add_variants(char *const files[HAN_VARIANT_FILES]) {
    memcpy(before, han_single, sizeof before);
    read_characters(files[1]);
    read_characters(files[3]);
    read_words(files[4]);
    for (size_t i = 0; i < split_count; i++) {
        if (splits[i].plain_count > splits[i].variant_count) merged[splits[i].variant] = splits[i].plain;
    }
    merge_characters();
    han_close_characters(files[1]);
    for (size_t i = 0; i < split_count; i++) add_words(files[4], &splits[i]);
    read_phrases(files[0]);
    read_phrases(files[2]);
}
