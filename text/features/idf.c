/* SPDX-License-Identifier: GPL-3.0-or-later
 * The IDF list shares the trie of jieba's dictionary; an array beside it holds the nodes' IDF. */
#include "text/features/idf.h"
#include "text/segmentation/jieba_table.h"
#include "text/unicode/utf8.h"

double fp_idf_builtin(fp_string word, bool *known) {
    const fp_jieba_table *table = fp_jieba_builtin();
    const uint16_t *number_of = fp_jieba_section(table, table->numbers);
    const uint64_t *units = fp_jieba_section(table, table->units);
    const uint16_t *index = fp_jieba_section(table, table->idf_index);
    const double *idf = fp_jieba_section(table, table->idf);
    size_t base = 0, unit = 0;
    bool found = word.length > 0;
    for (size_t at = 0; found && at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        uint32_t number = code < FP_JIEBA_CODES ? number_of[code] : 0;
        unit = base + number;
        found = number && fp_trie_character(units[unit]) == number;
        base = fp_trie_base(units[unit]);
    }
    found = found && index[unit];
    if (known) *known = found;
    return found ? idf[index[unit]] : table->idf_mean;
}

double fp_idf_builtin_mean(void) { return fp_jieba_builtin()->idf_mean; }
