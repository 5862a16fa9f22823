/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The initials of one word: character by character, except where a phrase contains a character with several initials.
 * Phrases are matched from left to right, the longest first. Also the readings for given initials.
 */
#include <string.h>

#include "text/unicode/han.h"
#include "text/segmentation/pinyin_table.h"
#include "text/unicode/utf8.h"

const char fp_pinyin_letters[21] = "bcdfghjklmnpqrstwxyz";

uint64_t fp_pinyin_key(const char *folded, size_t length, fp_pinyin_place place) {
    uint64_t key = fp_xxh3(folded, length, place);
    return key ? key : 1;
}

static const fp_pinyin_slot *find(const fp_pinyin_table *table, const char *folded, size_t length,
                                  fp_pinyin_place place) {
    uint64_t key = fp_pinyin_key(folded, length, place);
    for (size_t at = key % FP_PINYIN_SLOTS; table->slot[at].key; at = (at + 1) % FP_PINYIN_SLOTS) {
        if (table->slot[at].key == key) return &table->slot[at];
    }
    return NULL;
}

/* Some characters of the word and of the following words, folded; long words are processed in parts that overlap by the
 * length of a phrase. */
enum { PART = 64 };

typedef struct part {
    size_t count;
    uint16_t value[PART];
    uint8_t size[PART];      /* bytes in the text */
    bool outside[PART];      /* after the word */
    uint8_t begin[PART + 1]; /* offset of each character in `folded`; 4 · PART does not exceed 256 */
    char folded[4 * PART];
} part;

_Static_assert(4 * PART <= 256, "a place in a part fits a byte but for the end");

static void fill(part *made, const fp_pinyin_table *table, const char **at, const char *word_end, const char *end) {
    size_t length = made->count ? made->begin[made->count] : 0;
    made->begin[made->count] = (uint8_t)length;
    while (*at < end && made->count < PART - 1) {
        uint32_t code;
        size_t size = fp_utf8_decode(*at, &code);
        made->outside[made->count] = *at >= word_end;
        made->size[made->count] = (uint8_t)size;
        made->value[made->count] = FP_CODE_VALUE(table, code);
        *at += size;
        length += fp_utf8_encode(fp_han_fold_code(code), made->folded + length);
        made->begin[++made->count] = (uint8_t)length;
    }
}

static void drop(part *from, size_t used) {
    size_t bytes = from->begin[used], left = from->count - used;
    memmove(from->folded, from->folded + bytes, from->begin[from->count] - bytes);
    memmove(from->value, from->value + used, left * sizeof *from->value);
    memmove(from->size, from->size + used, left);
    memmove(from->outside, from->outside + used, left * sizeof *from->outside);
    for (size_t i = 0; i <= left; i++) from->begin[i] = (uint8_t)(from->begin[i + used] - bytes);
    from->count = left;
}

/* The longest phrase that begins at character `at`, continues after the word and ends where another word does; its
 * length in characters, or 0. */
static size_t across_at(const fp_pinyin_table *table, const part *in, size_t at, size_t inside, bool begins_word,
                        uint32_t ends, const fp_pinyin_slot **slot) {
    size_t size = at + inside, longest = 0, behind = 0;
    for (; size < in->count && size < at + FP_PINYIN_LONGEST; size++) {
        if (!(in->value[size] & FP_PINYIN_FOLLOWS)) break;
        behind += in->size[size];
        if (behind > 32 || !(ends >> (behind - 1) & 1)) continue;
        size_t bytes = (size_t)in->begin[size + 1] - in->begin[at];
        const fp_pinyin_slot *found = find(table, in->folded + in->begin[at], bytes, FP_PINYIN_RUNS_ON);
        if (!found && begins_word) found = find(table, in->folded + in->begin[at], bytes, FP_PINYIN_WHOLE);
        if (!found) continue;
        *slot = found;
        longest = size + 1 - at;
    }
    return longest;
}

/* The longest phrase at character `at`: one that continues after the word, or one inside it with a character that has
 * several initials; its length in characters, or 0. */
static size_t phrase_at(const fp_pinyin_table *table, const part *in, size_t at, bool begins_word, uint32_t ends,
                        const fp_pinyin_slot **slot) {
    size_t most = in->count - at < FP_PINYIN_LONGEST ? in->count - at : FP_PINYIN_LONGEST, inside = 0, first = 0;
    while (inside < most && !in->outside[at + inside]) inside++;
    if (in->value[at] & FP_PINYIN_ACROSS && most > inside) {
        size_t size = across_at(table, in, at, inside, begins_word, ends, slot);
        if (size) return size;
    }
    while (first < inside && !(in->value[at + first] & FP_PINYIN_MANY)) first++;
    for (size_t size = inside; size > first && size > 1; size--) {
        *slot =
            find(table, in->folded + in->begin[at], (size_t)in->begin[at + size] - in->begin[at], FP_PINYIN_IN_WORD);
        if (*slot) return size;
    }
    return 0;
}

/* The initial of the surname of a three-character name: the other two characters are common in given names, and no
 * phrase begins the word; 0 if it is not a name. */
static char surname_of(const fp_pinyin_table *table, const part *in) {
    if (in->count < 3 || in->outside[2] || (in->count > 3 && !in->outside[3])) return 0;
    if (!(in->value[0] & FP_PINYIN_MANY && in->value[1] & in->value[2] & FP_PINYIN_GIVEN)) return 0;
    uint32_t code;
    fp_utf8_decode(in->folded, &code);
    for (size_t i = 0; i < FP_PINYIN_SURNAMES && table->surname[i].code; i++) {
        if (table->surname[i].code == code) return table->surname[i].initial;
    }
    return 0;
}

static unsigned value_behind(const fp_pinyin_table *table, const char *at) {
    uint32_t code;
    fp_utf8_decode(at, &code);
    return FP_CODE_VALUE(table, code);
}

bool fp_pinyin_plain(const fp_pinyin_table *table, fp_string word, bool joined, char *to, size_t *made) {
    unsigned closer = FP_PINYIN_MANY;
    *made = 0;
    if (joined && value_behind(table, word.data + word.length) & FP_PINYIN_FOLLOWS) closer |= FP_PINYIN_ACROSS;
    for (size_t at = 0; at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        unsigned value = FP_CODE_VALUE(table, code);
        if (value & closer) return false;
        if (value & FP_PINYIN_LETTER) to[(*made)++] = (char)('a' + (value & FP_PINYIN_LETTER) - 1);
    }
    return true;
}

size_t fp_pinyin_word(const fp_pinyin_table *table, fp_string word, bool singles, uint32_t ends, char *to,
                      size_t *over) {
    const char *at = word.data, *word_end = word.data + word.length, *end = word_end;
    if (ends && !(value_behind(table, word_end) & FP_PINYIN_FOLLOWS)) ends = 0;
    for (uint32_t left = ends; left; left >>= 1) end++;
    size_t made = 0;
    *over = 0;
    part in; /* only its first `count` entries are initialised */
    in.count = 0;
    fill(&in, table, &at, word_end, end);
    char surname = surname_of(table, &in);
    while (in.count && !in.outside[0]) {
        size_t safe = at < end ? in.count - FP_PINYIN_LONGEST : in.count, i = 0;
        while (i < safe && !in.outside[i]) {
            const fp_pinyin_slot *slot = NULL;
            size_t size = phrase_at(table, &in, i, singles || !made, ends, &slot);
            if (size) {
                memcpy(to + made, slot->initials, size);
                made += size;
                for (size_t k = 0; k < size; k++) *over += in.outside[i + k] ? in.size[i + k] : 0u;
                i += size;
            } else {
                unsigned letter = in.value[i++] & FP_PINYIN_LETTER;
                if (surname && i == 1) to[made++] = surname;
                else if (letter) to[made++] = (char)('a' + letter - 1);
            }
            surname = 0;
        }
        if (i == in.count && at == end) break;
        drop(&in, i);
        fill(&in, table, &at, word_end, end);
    }
    return made;
}

/* ---- Readings ---- */

static size_t first_coded(const fp_pinyin_table *table, uint32_t code) {
    return FP_FIRST(i, table->coded_count, table->coded[i] >> 12 >= code);
}

static bool is_coded(const fp_pinyin_table *table, size_t at, uint32_t code) {
    return at < table->coded_count && table->coded[at] >> 12 == code;
}

static fp_pinyin_reading reading_of(const fp_pinyin_table *table, uint32_t code, char initial) {
    enum { NONE = FP_PINYIN_SYMBOLS, SYLLABLES = NONE - FP_PINYIN_SYLLABLES, TONES = SYLLABLES - FP_PINYIN_TONES };
    const char *letter = memchr(fp_pinyin_letters, initial, FP_PINYIN_INITIALS);
    fp_pinyin_reading made = {{letter ? (uint16_t)(letter - fp_pinyin_letters) : NONE, NONE, NONE, NONE}};
    size_t first = first_coded(table, code), at = first;
    while (is_coded(table, at, code) && *table->name[SYLLABLES + (table->coded[at] >> 3 & 511)] != initial) at++;
    if (!is_coded(table, at, code)) at = first;
    if (!is_coded(table, at, code)) return made;
    uint32_t syllable = table->coded[at] >> 3 & 511;
    made.symbol[1] = (uint16_t)(FP_PINYIN_INITIALS + table->final_of[syllable]);
    made.symbol[2] = (uint16_t)(TONES + (table->coded[at] & 7) - 1);
    made.symbol[3] = (uint16_t)(SYLLABLES + syllable);
    return made;
}

void fp_pinyin_read(const fp_pinyin_table *table, fp_string text, fp_string initials, fp_pinyin_reading *readings) {
    size_t made = 0;
    for (size_t at = 0; at < text.length && made < initials.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        if (!(FP_CODE_VALUE(table, code) & FP_PINYIN_LETTER)) continue;
        uint32_t folded = fp_han_fold_code(code);
        if (!is_coded(table, first_coded(table, folded), folded)) folded = code;
        readings[made] = reading_of(table, folded, initials.data[made]);
        made++;
    }
    for (; made < initials.length; made++) readings[made] = reading_of(table, 0, initials.data[made]);
}
