/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The most probable way through a block. From right to left, each character takes the word that maximises
 *
 *     route[k] = max over words k … x of  (log frequency − log total) + route[x + 1],
 *
 * words found by walking the trie from k, the last of equals winning (Python's max over (probability, x)). Where no
 * word begins, the single character stands in with log 1. Prefixes that are no words weigh −∞ and so are never
 * chosen. */
#include <math.h>

#include "text/segmentation/jieba.h"

/* The characters first … last − 1, with the compiled dictionary alone. */
static void route_plain(fp_jieba_cut *cut, size_t first, size_t last) {
    const uint64_t *units = cut->jieba->units;
    const double *log_of = cut->jieba->log, log_total = cut->jieba->log_total;
    const uint32_t *symbol = cut->symbol;
    double *route = cut->route;
    for (size_t k = last; k-- > first;) {
        uint64_t unit = units[symbol[k]];
        double best = log_of[fp_trie_value(unit)] - log_total + route[k + 1];
        size_t end = k + 1, reach = end;
        for (;; end++) {
            unit = units[fp_trie_base(unit) + symbol[end]];
            if (fp_trie_character(unit) != symbol[end]) break; /* the 0 behind the block is nobody's child */
            double score = log_of[fp_trie_value(unit)] - log_total + route[end + 1];
            if (score < best) continue;
            best = score;
            reach = end + 1;
        }
        if (best == -INFINITY) {
            best = 0.0 - log_total + route[k + 1];
            reach = k + 1;
        }
        route[k] = best;
        cut->reach[k] = (uint32_t)reach;
    }
}

/* One character with both tries walked at once; rows of the user outrank the table's. */
static void route_over(fp_jieba_cut *cut, size_t k) {
    const fp_jieba *jieba = cut->jieba;
    const fp_jieba_words *words = jieba->words;
    bool below = true, above = true;
    uint64_t unit = fp_trie_unit(0, 0, 0); /* the root: base 0 */
    uint32_t node = 0;
    double best = -INFINITY;
    size_t reach = k + 1;
    for (size_t end = k; end < cut->length; end++) {
        uint32_t symbol = cut->symbol[end];
        if (below) {
            unit = jieba->units[fp_trie_base(unit) + symbol];
            below = fp_trie_character(unit) == symbol;
        }
        if (above) {
            node = fp_growing_trie_child(&words->trie, node, symbol);
            above = node != 0;
        }
        if (!below && !above) break;
        double log_frequency = below ? jieba->log[fp_trie_value(unit)] : -INFINITY;
        if (above && words->word[node].set) log_frequency = words->word[node].log;
        double score = log_frequency - jieba->log_total + cut->route[end + 1];
        if (score < best || score == -INFINITY) continue;
        best = score;
        reach = end + 1;
    }
    if (best == -INFINITY) best = 0.0 - jieba->log_total + cut->route[k + 1];
    cut->route[k] = best;
    cut->reach[k] = (uint32_t)reach;
}

void fp_jieba_route(fp_jieba_cut *cut) {
    const fp_jieba_words *words = cut->jieba->words;
    size_t last = cut->length;
    cut->route[last] = 0;
    while (words && last > 0) {
        size_t first = last;
        while (first > 0 && !fp_jieba_may_begin(words, cut->symbol[first - 1], cut->symbol[first])) first--;
        route_plain(cut, first, last);
        last = first;
        if (last > 0) route_over(cut, --last);
    }
    route_plain(cut, 0, last);
}
