/* SPDX-License-Identifier: GPL-3.0-or-later
 * A key's postings: by its uppermost bits, and then by halves. */
#include "index/votes/votes.h"

/* What is read may be of a damaged file: no place leads outside of the arrays. */
fp_posting_range fp_votes_find(const fp_votes *votes, uint64_t key) {
    static const fp_posting_range NONE;
    size_t upper = (size_t)(key >> (64 - FP_VOTES_DIRECTORY_BITS));
    size_t low = votes->directory[upper], high = votes->directory[upper + 1], end = high;
    if (end > votes->key_count) return NONE;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (votes->key[middle] < key) low = middle + 1;
        else high = middle;
    }
    if (low >= end || votes->key[low] != key) return NONE;
    size_t first = votes->first[low], behind = votes->first[low + 1];
    return behind <= votes->posting_count && first < behind ? (fp_posting_range){first, behind - first} : NONE;
}
