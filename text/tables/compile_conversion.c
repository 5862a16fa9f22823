/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_conversion OUTPUT DICTIONARY… - OpenCC's dictionaries as one table. The dictionaries are text files (word TAB
 * candidates, separated by spaces; the first is used) in the order of fp_opencc.
 */
#include "text/tables/compile.h"
#include "text/unicode/conversion_table.h"

static fp_conversion_table table;
static size_t used = 1; /* of the pool: offset 0 means none */
static size_t taken;

static void add(const reader *from, fp_opencc dictionary, fp_string word, fp_string becomes) {
    if (word.length > UINT8_MAX || becomes.length > UINT8_MAX)
        die(from->file, from->line, "a word of more than %d bytes", UINT8_MAX);
    if (used + 3 + word.length + becomes.length > FP_CONVERSION_POOL || ++taken > FP_CONVERSION_SLOTS / 4 * 3)
        die(from->file, from->line, "no more room: raise FP_CONVERSION_POOL and FP_CONVERSION_SLOTS");
    size_t at = fp_conversion_hash(word, dictionary);
    while (table.slot[at]) at = (at + 1) % FP_CONVERSION_SLOTS;
    table.slot[at] = (uint32_t)used;
    table.pool[used++] = (uint8_t)dictionary;
    table.pool[used++] = (uint8_t)word.length;
    table.pool[used++] = (uint8_t)becomes.length;
    memcpy(table.pool + used, word.data, word.length);
    memcpy(table.pool + used + word.length, becomes.data, becomes.length);
    used += word.length + becomes.length;
    uint8_t *longest = &table.longest[fp_conversion_first(word)][dictionary];
    if (word.length > *longest) *longest = (uint8_t)word.length;
}

static void read_dictionary(const char *file, fp_opencc dictionary) {
    reader from = open_reader(file, "libopencc-data");
    while (next_line(&from)) {
        pair row = cut_pair(&from);
        add(&from, dictionary, check_utf8(&from, row.from), check_utf8(&from, row.to));
    }
}

int main(int count, char **argument) {
    if (count != 2 + FP_OPENCCS)
        die(argument[0], 0, "usage: compile_conversion OUTPUT and %d dictionaries", FP_OPENCCS);
    for (int i = 0; i < FP_OPENCCS; i++) read_dictionary(argument[2 + i], (fp_opencc)i);
    write_table(argument[1], &table, sizeof table);
    return 0;
}
