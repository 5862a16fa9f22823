/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally_words.h - the tally of fingerprints of several words in vectors; included by tally.c behind planes.h, once a
 * width.
 *
 * All distances have one parity, so that half of a distance, rounded down, tells it. LANES fingerprints lie word by
 * word, so that a vector holds one word of each. Besides what planes.h needs, NAME(list) of tally_word.h.
 */
#define STEP static inline __attribute__((always_inline)) WIDE

/* The words of LANES fingerprints at a time, word by word. */
STEP void NAME(turn)(const uint64_t *many, size_t count, size_t words, uint64_t *turned) {
    for (size_t first = 0; first < count; first += LANES)
        for (size_t w = 0; w < words; w++)
            for (size_t lane = 0; lane < LANES; lane++)
                turned[first * words + w * LANES + lane] = many[(first + lane) * words + w];
}

/* Halves of the distances of a query and LANES turned fingerprints. */
STEP VECTOR NAME(halves)(const uint64_t *query, const uint64_t *turned, size_t words) {
    VECTOR sum = NAME(zero)();
    for (size_t w = 0; w < words; w++)
        sum = NAME(add)(sum, NAME(count_bits)(NAME(exclusive)(NAME(every)(query[w]), NAME(load)(turned + w * LANES))));
    return NAME(half)(sum);
}

/* 16 queries and LANES fingerprints; whether the half of one of the distances is at most `near`. */
STEP bool NAME(step)(const uint64_t *queries, const uint64_t *turned, size_t words, bool watched, uint64_t near,
                     NAME(planes) * planes, size_t windows) {
    VECTOR number[QUERIES], least = NAME(every)(UINT32_MAX);
    for (size_t q = 0; q < QUERIES; q++) {
        number[q] = NAME(halves)(queries + q * words, turned, words);
        if (watched) least = NAME(least)(least, number[q]);
    }
    NAME(count_numbers)(planes, windows, number);
    return watched && NAME(within)(least, near) != 0;
}

WIDE static void NAME(find_words)(const uint64_t *queries, const uint64_t *turned, size_t words, bool odd,
                                  fp_tally_pair first, fp_tally_watch *watch) {
    fp_tally_pair pairs[QUERIES * LANES];
    size_t found = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        VECTOR twice = NAME(halves)(queries + q * words, turned, words);
        VECTOR bits = NAME(add)(NAME(add)(twice, twice), NAME(every)(odd));
        found = NAME(list)(bits, (uint64_t)watch->limit, (fp_tally_pair){first.query + (uint32_t)q, first.other, 0},
                           pairs, found);
    }
    if (found) watch->tell(watch, pairs, found);
}

/* Whole blocks: query_count a multiple of 16, count of LANES. counts[k]: pairs at distance 2k + odd. */
STEP void NAME(whole_words)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                            size_t words, bool odd, fp_tally_watch *watch, uint64_t *counts) {
    NAME(planes) planes[MOST_WORDS / 2];
    uint64_t turned[TURNED];
    size_t windows = (words + 1) / 2, block = TURNED / words / LANES * LANES;
    for (size_t w = 0; w < windows; w++) NAME(clear)(planes + w);
    for (size_t first = 0; first < count; first += block) {
        size_t some = count - first < block ? count - first : block;
        NAME(turn)(many + first * words, some, words, turned);
        for (size_t q = 0; q < query_count; q += QUERIES) {
            const uint64_t *query = queries + q * words;
            for (size_t i = 0; i < some; i += LANES) {
                bool watched = watch && watch->limit >= odd;
                uint64_t near = watched ? (uint64_t)(watch->limit - odd) / 2 : 0;
                if (NAME(step)(query, turned + i * words, words, watch != NULL, near, planes, windows) && watched)
                    NAME(find_words)
                    (query, turned + i * words, words, odd, (fp_tally_pair){(uint32_t)q, (uint32_t)(first + i), 0},
                     watch);
            }
        }
    }
    for (size_t w = 0; w < windows; w++) NAME(read_planes)(planes + w, counts + 64 * w);
}

#undef STEP
