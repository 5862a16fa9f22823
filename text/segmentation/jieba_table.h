/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jieba_table.h - the layout of the compiled table: jieba's dictionary, hidden Markov model and IDF list.
 * text/tables/compile_jieba.c writes it at build time on the target machine. It holds offsets instead of pointers, so
 * that it is used in place, page by page.
 *
 * Characters are numbered: 1 … class_count are those that jieba looks up in its dictionary (re_han_default: U+4E00–9FD5
 * and a few of ASCII), the most frequent first, so that entries used together are adjacent; larger numbers are the
 * other characters of the word lists. 0 is every other character.
 */
#ifndef FP_JIEBA_TABLE_H
#define FP_JIEBA_TABLE_H

#include "text/segmentation/trie.h"

#define FP_JIEBA_MAGIC "fpjieba1"

enum { FP_JIEBA_FIRST_HAN = 0x4e00, FP_JIEBA_LAST_HAN = 0x9fd5, FP_JIEBA_CODES = 0x10000 };

/* The states of the model, in the order of the table: begin, middle, end of a word, single. */
enum { FP_JIEBA_B, FP_JIEBA_M, FP_JIEBA_E, FP_JIEBA_S, FP_JIEBA_STATES };

/* jieba's substitute for log 0. */
#define FP_JIEBA_LOG_ZERO (-3.14e100)

/* Offsets are bytes from the start of the table, multiples of 64. */
typedef struct fp_jieba_table {
    char magic[8];
    uint32_t class_count;
    uint32_t unit_count;
    uint32_t frequency_count;
    uint32_t idf_count;
    uint64_t total; /* of all word frequencies */
    double idf_mean, idf_median;
    double start[FP_JIEBA_STATES];                       /* log P[first state] */
    double transition[FP_JIEBA_STATES][FP_JIEBA_STATES]; /* log P[to | from], [from][to] */
    uint64_t numbers;     /* uint16_t[FP_JIEBA_CODES]: the number of a character of the basic plane */
    uint64_t units;       /* uint64_t[unit_count]: the trie of all words; values are indices of the next two */
    uint64_t frequencies; /* uint64_t[frequency_count]: distinct word frequencies; 0 at index 0 and at FP_TRIE_PREFIX */
    uint64_t logs;      /* double[frequency_count]: their natural logarithms; −∞ at index 0 and at FP_TRIE_PREFIX */
    uint64_t emissions; /* double[class_count + 1][FP_JIEBA_STATES]: log P[character | state], by number */
    uint64_t idf_index; /* uint16_t[unit_count]: per trie node an index of `idf`; 0: not in the list */
    uint64_t idf;       /* double[idf_count] */
    uint64_t size;      /* size of the whole table in bytes */
} fp_jieba_table;

/* The table in this program. */
static inline const fp_jieba_table *fp_jieba_builtin(void) {
    extern const unsigned char fp_table_jieba[];
    return (const fp_jieba_table *)(const void *)fp_table_jieba;
}

static inline const void *fp_jieba_section(const fp_jieba_table *table, uint64_t offset) {
    return (const unsigned char *)table + offset;
}

#endif
