/* SPDX-License-Identifier: GPL-3.0-or-later
 * Samples characters that sound or look alike. */
#include "text/unicode/alike.h"

#include "text/unicode/utf8.h"
#include "text/unicode/alike_table.h"

extern const fp_alike_table fp_table_alike;

static const fp_alike_character *find(uint32_t code) {
    const fp_alike_table *table = &fp_table_alike;
    size_t at = FP_FIRST(i, table->count, table->character[i].code >= code);
    return at < table->count && table->character[at].code == code ? &table->character[at] : NULL;
}

fp_script fp_script_of(fp_string text) {
    size_t simplified = 0, traditional = 0;
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        const fp_alike_character *found = code < 0x3400 ? NULL : find(code);
        simplified += found && found->script == FP_SCRIPT_SIMPLIFIED;
        traditional += found && found->script == FP_SCRIPT_TRADITIONAL;
    }
    return traditional > simplified ? FP_SCRIPT_TRADITIONAL : FP_SCRIPT_SIMPLIFIED;
}

/* A number below `total` < 2³² from random bits: the upper half of the product (Lemire, ACM TOMACS 29, 2019), without
 * the rejection: no probability is off by more than 2⁻³². */
static uint64_t below(uint64_t total, uint64_t random) { return total * (random >> 32) >> 32; }

/* One of the list, but not `code`; 0 if there is none. */
static uint32_t draw(const fp_alike_member *list, size_t count, uint32_t code, fp_script script, uint64_t random) {
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const fp_alike_character *it = &fp_table_alike.character[list[i].character];
        if (it->code != code && (it->script & script)) total += list[i].weight;
    }
    uint64_t left = below(total, random);
    for (size_t i = 0; i < count; i++) {
        const fp_alike_character *it = &fp_table_alike.character[list[i].character];
        if (it->code == code || !(it->script & script)) continue;
        if (left < list[i].weight) return it->code;
        left -= list[i].weight;
    }
    return 0;
}

uint32_t fp_draw_homophone(uint32_t code, char initial, fp_script script, uint64_t random) {
    const fp_alike_character *found = find(code);
    if (!found || !found->reading_count) return 0;
    const fp_alike_reading *reading = &fp_table_alike.reading[found->reading], *chosen = reading;
    for (size_t i = found->reading_count; i-- > 0;)
        if (fp_table_alike.syllable[reading[i].syllable].letters[0] == initial) chosen = &reading[i];
    const fp_alike_syllable *syllable = &fp_table_alike.syllable[chosen->syllable];
    return draw(&fp_table_alike.member[syllable->first], syllable->count, code, script, random);
}

uint32_t fp_draw_lookalike(uint32_t code, fp_script script, uint64_t random) {
    const fp_alike_character *found = find(code);
    return found ? draw(&fp_table_alike.look[found->look], found->look_count, code, script, random) : 0;
}

uint32_t fp_draw_character(uint32_t code, fp_script script, uint64_t random) {
    const uint32_t *before = fp_table_alike.before[script - 1];
    const fp_alike_character *own = find(code);
    uint64_t without = own && own->script & script ? own->frequency : 0, total = before[fp_table_alike.count] - without;
    if (!total) return 0;
    uint64_t left = below(total, random);
    if (own && left >= before[own - fp_table_alike.character]) left += without;
    return fp_table_alike.character[FP_FIRST(i, fp_table_alike.count - 1, before[i + 1] > left)].code;
}
