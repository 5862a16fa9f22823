/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_han OUTPUT MARKS PHRASES CHARACTERS TAIWAN_PHRASES TAIWAN HONG_KONG_PHRASES HONG_KONG WORDS - compiles the
 * Han folding table from OpenCC's dictionaries (traditional to simplified, and Taiwan's and Hong Kong's forms to its
 * traditional ones; text: from TAB candidates separated by spaces) and jieba's words.
 */
#include <unicode/unorm2.h>

#include "text/unicode/han_table.h"
#include "text/tables/compile_han.h"

enum { LONGEST = 255 }; /* bytes of a phrase */

static fp_han_table table;
uint32_t han_single[CODES];
static bool contextual[CODES]; /* in some phrase it is replaced by something other than its own replacement */
static bool plain[CODES];      /* neither it nor its replacement is contextual; if they differ, both take three
                                      bytes */
static uint16_t number[CODES]; /* of the entry, from 1 */
static pair phrases[FP_HAN_PHRASES];
static fp_arena *words; /* arena of their texts */
static size_t phrase_count, entry_count, pool_used;

/* ---- Reading ---- */

uint32_t han_only_code(const reader *from, const char *text) {
    if (count_characters(from, text) != 1) die(from->file, from->line, "'%s' is not one character", text);
    return first_code(text);
}

static void read_characters(const char *file, const char *package) {
    reader from = open_reader(file, package);
    while (next_row(&from)) {
        pair row = cut_pair(&from);
        han_single[han_only_code(&from, row.from)] = han_only_code(&from, row.to);
    }
}

void han_close_characters(const char *file) {
    for (uint32_t code = 0; code < CODES; code++) {
        if (!han_single[code]) continue;
        uint32_t to = han_single[code];
        for (int steps = 0; han_single_of(to) != to; steps++) {
            if (steps == 8) die(file, 0, "the characters from U+%04X on turn in a circle", (unsigned)code);
            to = han_single_of(to);
        }
        han_single[code] = to;
    }
}

void han_add_phrase(const char *file, size_t line, const char *from, const char *to) {
    fp_string a = fp_string_of(from), b = fp_string_of(to);
    if (phrase_count == FP_HAN_PHRASES) die(file, line, "more than %d phrases; raise FP_HAN_PHRASES", FP_HAN_PHRASES);
    if (a.length > LONGEST || b.length > LONGEST) die(file, line, "a phrase of more than %d bytes", LONGEST);
    if (fp_utf8_check(a) != a.length || fp_utf8_check(b) != b.length) die(file, line, "not valid UTF-8");
    if (fp_utf8_count(a) != fp_utf8_count(b)) die(file, line, "'%s' and '%s' differ in length", from, to);
    pair copy = {fp_string_copy(words, a), fp_string_copy(words, b)};
    if (!copy.from || !copy.to) die(file, line, "out of memory");
    phrases[phrase_count++] = copy;
}

bool han_has_phrase(const char *from) {
    for (size_t i = 0; i < phrase_count; i++) {
        if (strcmp(phrases[i].from, from) == 0) return true;
    }
    return false;
}

static void read_phrases(const char *file) {
    reader from = open_reader(file, "libopencc-data");
    while (next_line(&from)) {
        pair row = cut_pair(&from);
        han_add_phrase(file, from.line, row.from, row.to);
    }
}

/* ---- Stability: the result of a phrase does not change again ---- */

static const pair *phrase_at(const char *text) {
    const pair *longest = NULL;
    size_t length = 0;
    for (size_t i = 0; i < phrase_count; i++) {
        size_t size = strlen(phrases[i].from);
        if (size <= length || strncmp(phrases[i].from, text, size) != 0) continue;
        longest = &phrases[i];
        length = size;
    }
    return longest;
}

static bool is_stable(const char *text) {
    for (const char *at = text; *at;) {
        uint32_t code;
        const pair *phrase = phrase_at(at);
        if (phrase && strcmp(phrase->from, phrase->to) != 0) return false;
        size_t size = phrase ? strlen(phrase->from) : fp_utf8_decode(at, &code);
        if (!phrase && han_single_of(code) != code) return false;
        at += size;
    }
    return true;
}

static void close_phrases(const char *file) {
    for (bool grown = true; grown;) {
        size_t known = phrase_count;
        for (size_t i = 0; i < known; i++) {
            if (!is_stable(phrases[i].to)) han_add_phrase(file, 0, phrases[i].to, phrases[i].to);
        }
        grown = phrase_count > known;
    }
}

/* Every result must be in normal form, so that normalising a folded text changes nothing. */
static void check_normal(const char *file, const char *text) {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFKCCasefoldInstance(&status);
    if (U_FAILURE(status)) die(file, 0, "ICU: %s", u_errorName(status));
    for (const char *at = text; *at;) {
        uint32_t code = next_code(&at);
        if (!unorm2_isInert(form, (UChar32)code)) die(file, 0, "U+%04X in '%s' is not normal", (unsigned)code, text);
    }
}

/* ---- Writing ---- */

/* Bytes before the first character that is not plain; the whole length if there is none. */
static size_t prefix_of(const char *text) {
    const char *at = text;
    for (uint32_t code; *at;) {
        size_t size = fp_utf8_decode(at, &code);
        if (!plain[code]) break;
        at += size;
    }
    return (size_t)(at - text);
}

static uint32_t key_of(const pair *phrase) { return first_code(phrase->from + prefix_of(phrase->from)); }

static int by_key_then_preference(const void *a, const void *b) {
    const pair *left = a, *right = b;
    uint32_t first = key_of(left), second = key_of(right);
    if (first != second) return first < second ? -1 : 1;
    size_t m = prefix_of(left->from), n = prefix_of(right->from);
    if (m == n) m = strlen(left->from), n = strlen(right->from);
    return m != n ? (m > n ? -1 : 1) : strcmp(left->from, right->from);
}

static uint16_t pool_add(const char *name, const char *text) {
    size_t length = strlen(text), place = pool_used;
    if (pool_used + length > FP_HAN_POOL) die(name, 0, "the pool of phrases is full; raise FP_HAN_POOL");
    memcpy(table.pool + place, text, length);
    pool_used += length;
    return (uint16_t)place;
}

static bool holds_contextual(const char *text) {
    while (*text)
        if (contextual[next_code(&text)]) return true;
    return false;
}

/* Whether another phrase may begin inside it. */
static bool overlaps(const char *text) {
    for (const char *tail = text + fp_utf8_size(*text); *tail; tail += fp_utf8_size(*tail)) {
        for (size_t i = 0; i < phrase_count; i++) {
            if (strncmp(phrases[i].from, tail, strlen(tail)) == 0) return true;
        }
    }
    return false;
}

/* The first character that changes on its own, or else the first. */
static uint32_t first_changing(const char *text) {
    const char *at = text;
    while (*at) {
        uint32_t code = next_code(&at);
        if (han_single_of(code) != code) return code;
    }
    return first_code(text);
}

/* A phrase whose characters all become their own replacements is redundant, unless another phrase begins inside it:
 * then it must be found, too. */
static void mark_contextual(void) {
    for (size_t i = 0; i < phrase_count; i++) {
        const char *from = phrases[i].from, *to = phrases[i].to;
        while (*from) {
            uint32_t code = next_code(&from);
            if (next_code(&to) != han_single_of(code)) contextual[code] = true;
        }
    }
    for (size_t i = 0; i < phrase_count; i++) {
        if (!holds_contextual(phrases[i].from) && overlaps(phrases[i].from))
            contextual[first_changing(phrases[i].from)] = true;
    }
    for (uint32_t code = 0; code < CODES; code++) {
        uint32_t to = han_single_of(code);
        bool three_bytes = code >= 0x800 && code <= 0xffff && to >= 0x800 && to <= 0xffff;
        plain[code] = !contextual[code] && !contextual[to] && (to == code || three_bytes);
    }
}

static void drop_idle_phrases(void) {
    size_t kept = 0;
    for (size_t i = 0; i < phrase_count; i++) {
        if (phrases[i].from[prefix_of(phrases[i].from)]) phrases[kept++] = phrases[i];
    }
    phrase_count = kept;
}

static fp_han_entry *entry_for(const char *name, uint32_t code) {
    if (!number[code]) {
        if (entry_count == FP_HAN_ENTRIES) die(name, 0, "more than %d entries; raise FP_HAN_ENTRIES", FP_HAN_ENTRIES);
        number[code] = (uint16_t)++entry_count;
        fp_han_entry *made = &table.entry[entry_count - 1];
        uint32_t to = han_single_of(code);
        made->size = (uint8_t)fp_utf8_encode(to, made->to);
        made->changes = to != code;
        made->sensitive = contextual[to];
    }
    return &table.entry[number[code] - 1];
}

static void write_entries(const char *name) {
    mark_contextual();
    for (uint32_t code = 0; code < CODES; code++) {
        if (contextual[code] || han_single_of(code) != code) entry_for(name, code);
    }
    drop_idle_phrases();
    qsort(phrases, phrase_count, sizeof phrases[0], by_key_then_preference);
    for (size_t i = 0; i < phrase_count; i++) {
        const pair *from = &phrases[i];
        fp_han_entry *entry = entry_for(name, key_of(from));
        if (!entry->phrase_count++) entry->phrase = (uint16_t)i;
        table.phrase[i] = (fp_han_phrase){.from = pool_add(name, from->from),
                                          .to = pool_add(name, from->to),
                                          .from_size = (uint8_t)strlen(from->from),
                                          .to_size = (uint8_t)strlen(from->to),
                                          .prefix_size = (uint8_t)prefix_of(from->from),
                                          .changes = strcmp(from->from, from->to) != 0,
                                          .sensitive = holds_contextual(from->to)};
    }
}

/* Plain characters are folded without looking up their entry. */
static void write_basic(void) {
    for (uint32_t code = 0; code < 0x10000; code++) table.basic[code] = plain[code] ? (uint16_t)han_single_of(code) : 0;
}

int main(int count, char **argument) {
    if (count != 5 + HAN_VARIANT_FILES)
        die("compile_han", 0,
            "usage: compile_han OUTPUT MARKS PHRASES CHARACTERS TAIWAN_PHRASES TAIWAN HONG_KONG_PHRASES HONG_KONG WORDS");
    const char *name = argument[1];
    words = fp_arena_new();
    if (!words) die(name, 0, "out of memory");
    read_characters(argument[2], NULL);
    read_phrases(argument[3]);
    read_characters(argument[4], "libopencc-data");
    han_close_characters(argument[4]);
    han_add_variants(argument + 5);
    close_phrases(argument[3]);
    for (size_t i = 0; i < phrase_count; i++) check_normal(argument[3], phrases[i].to);
    write_entries(name);
    for (size_t i = 0; i < entry_count; i++) {
        char to[5] = {0};
        memcpy(to, table.entry[i].to, 4);
        check_normal(argument[4], to);
    }
    write_basic();
    store_blocks(name, number, sizeof number[0], table.index, table.block, FP_HAN_BLOCKS);
    write_table(name, &table, sizeof table);
    fp_arena_free(words);
    return 0;
}
