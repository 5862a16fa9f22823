/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The initials of one word: character by character, except where a character of many initials stands in a phrase.
 * Phrases are sought from left to right, the longest first.
 */
#include <string.h>

#include "text/han.h"
#include "text/pinyin_table.h"
#include "text/utf8.h"

uint64_t fp_pinyin_key(const char *folded, size_t length) {
    uint64_t key = fp_xxh3(folded, length, 0);
    return key ? key : 1;
}

static const fp_pinyin_slot *find(const fp_pinyin_table *table, const char *folded, size_t length) {
    uint64_t key = fp_pinyin_key(folded, length);
    for (size_t at = key % FP_PINYIN_SLOTS; table->slot[at].key; at = (at + 1) % FP_PINYIN_SLOTS) {
        if (table->slot[at].key == key) return &table->slot[at];
    }
    return NULL;
}

/* Some characters of the word, folded; long words go through in parts that overlap by a phrase. */
enum { PART = 64 };

typedef struct part {
    size_t count;
    uint8_t value[PART];
    uint8_t begin[PART + 1]; /* place of each character in `folded`; 4 · PART does not pass 256 */
    char folded[4 * PART];
} part;

_Static_assert(4 * PART <= 256, "a place in a part fits a byte but for the end");

static void fill(part *made, const fp_pinyin_table *table, const char **at, const char *end) {
    size_t length = made->count ? made->begin[made->count] : 0;
    made->begin[made->count] = (uint8_t)length;
    while (*at < end && made->count < PART - 1) {
        uint32_t code;
        *at += fp_utf8_decode(*at, &code);
        made->value[made->count] = FP_CODE_VALUE(table, code);
        length += fp_utf8_encode(fp_han_fold_code(code), made->folded + length);
        made->begin[++made->count] = (uint8_t)length;
    }
}

/* Drops the first `used` characters. */
static void drop(part *from, size_t used) {
    size_t bytes = from->begin[used], left = from->count - used;
    memmove(from->folded, from->folded + bytes, from->begin[from->count] - bytes);
    memmove(from->value, from->value + used, left);
    for (size_t i = 0; i <= left; i++) from->begin[i] = (uint8_t)(from->begin[i + used] - bytes);
    from->count = left;
}

/* The longest phrase at character `at` that holds a character of many initials; its length in characters, or 0. */
static size_t phrase_at(const fp_pinyin_table *table, const part *in, size_t at, const fp_pinyin_slot **slot) {
    size_t most = in->count - at < FP_PINYIN_LONGEST ? in->count - at : FP_PINYIN_LONGEST, first = 0;
    while (first < most && !(in->value[at + first] & FP_PINYIN_MANY)) first++;
    for (size_t size = most; size > first && size > 1; size--) {
        *slot = find(table, in->folded + in->begin[at], (size_t)in->begin[at + size] - in->begin[at]);
        if (*slot) return size;
    }
    return 0;
}

/* The initials of a word without a character of many; false when there is one. */
static bool plain_word(const fp_pinyin_table *table, fp_string word, char *to, size_t *made) {
    *made = 0;
    for (size_t at = 0; at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        unsigned value = FP_CODE_VALUE(table, code);
        if (value & FP_PINYIN_MANY) return false;
        if (value) to[(*made)++] = (char)('a' + value - 1);
    }
    return true;
}

size_t fp_pinyin_word(const fp_pinyin_table *table, fp_string word, char *to) {
    const char *at = word.data, *end = word.data + word.length;
    size_t made = 0;
    if (plain_word(table, word, to, &made)) return made;
    made = 0;
    part in = {.count = 0};
    do {
        fill(&in, table, &at, end);
        size_t safe = at < end ? in.count - FP_PINYIN_LONGEST : in.count, i = 0;
        while (i < safe) {
            const fp_pinyin_slot *slot = NULL;
            size_t size = phrase_at(table, &in, i, &slot);
            if (size) {
                memcpy(to + made, slot->initials, size);
                made += size;
                i += size;
                continue;
            }
            unsigned letter = in.value[i++] & FP_PINYIN_LETTER;
            if (letter) to[made++] = (char)('a' + letter - 1);
        }
        drop(&in, i);
    } while (at < end || in.count);
    return made;
}
