/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally_words.h - the tally of fingerprints of several words in vectors; tally.c includes it after planes.h and
 * tally_word.h, once per width.
 *
 * All distances have one parity, so that half of a distance, rounded up, determines it. LANES fingerprints are stored
 * word by word, so that a vector holds one word of each. It needs what planes.h needs, and NAME(list) of tally_word.h.
 */
/* Transposes LANES fingerprints at a time into word-by-word order. */
INLINE void NAME(turn)(const uint64_t *many, size_t count, size_t words, uint64_t *turned) {
    for (size_t first = 0; first < count; first += LANES)
        for (size_t w = 0; w < words; w++)
            for (size_t lane = 0; lane < LANES; lane++)
                turned[first * words + w * LANES + lane] = many[(first + lane) * words + w];
}

/* The number of bits in which a query and each of LANES transposed fingerprints differ in some of their words, plus
 * `start`. */
INLINE VECTOR NAME(differing)(const uint64_t *query, const uint64_t *turned, size_t words, uint64_t start) {
    VECTOR sum = NAME(every)(start);
    for (size_t w = 0; w < words; w++)
        sum = NAME(add)(sum, NAME(count_bits)(NAME(exclusive)(NAME(every)(query[w]), NAME(load)(turned + w * LANES))));
    return sum;
}

/* Halves of the distances, rounded up. Sums of up to three words are below 256. */
INLINE VECTOR NAME(halves)(const uint64_t *query, const uint64_t *turned, size_t words) {
    size_t some = words / 2;
    if (words > 6) return NAME(half)(NAME(differing)(query, turned, words, 1));
    return NAME(mean)(NAME(differing)(query, turned, some, 0),
                      NAME(differing)(query + some, turned + some * LANES, words - some, 0));
}

/* 16 queries and LANES fingerprints of two words, whose half distances fit into one window. Returns the places of all
 * distances. */
INLINE VECTOR NAME(step_two)(const uint64_t *queries, const uint64_t *turned, bool watched, NAME(planes) * planes,
                             VECTOR low[4]) {
    VECTOR word[QUERIES / 2], seen = NAME(zero)(), one = NAME(every)(1);
    for (size_t q = 0; q < QUERIES; q += 2) {
        VECTOR a = NAME(left)(one, NAME(halves)(queries + q * 2, turned, 2)),
               b = NAME(left)(one, NAME(halves)(queries + q * 2 + 2, turned, 2));
        if (watched) seen = NAME(either)(seen, a, b);
        word[q / 2] = NAME(carry)(low, a, b);
    }
    NAME(settle)(planes, NAME(carry_eight)(low, word));
    return seen;
}

/* 16 queries and LANES fingerprints. Returns whether one of the half distances is at most `near`. */
INLINE bool NAME(step)(const uint64_t *queries, const uint64_t *turned, size_t words, bool watched, uint64_t near,
                       NAME(planes) * planes, VECTOR low[][4], size_t windows) {
    VECTOR number[QUERIES], least = NAME(every)(UINT32_MAX);
    if (words == 2) {
        VECTOR seen = NAME(step_two)(queries, turned, watched, planes, low[0]);
        return watched && (near >= 63 || NAME(meets)(seen, NAME(every)((UINT64_C(2) << near) - 1)));
    }
    for (size_t q = 0; q < QUERIES; q++) {
        number[q] = NAME(halves)(queries + q * words, turned, words);
        if (watched) least = NAME(least)(least, number[q]);
    }
    NAME(count_numbers)(planes, low, windows, number);
    return watched && NAME(within)(least, near) != 0;
}

WIDE static void NAME(find_words)(const uint64_t *queries, const uint64_t *turned, size_t words, bool odd,
                                  fp_tally_pair first, fp_tally_watch *watch) {
    fp_tally_pair pairs[QUERIES * LANES];
    size_t found = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        VECTOR twice = NAME(halves)(queries + q * words, turned, words);
        VECTOR bits = NAME(add)(NAME(add)(twice, twice), NAME(every)((uint64_t)0 - odd));
        found = NAME(list)(bits, (uint64_t)watch->limit, (fp_tally_pair){first.query + (uint32_t)q, first.other, 0},
                           pairs, found);
    }
    if (found) watch->report(watch, pairs, found);
}

/* Whole blocks: query_count a multiple of 16, count of LANES. counts[k]: pairs at distance 2k − odd. */
INLINE void NAME(whole_words)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                              size_t words, bool odd, fp_tally_watch *watch, uint64_t *counts) {
    NAME(planes) planes[MOST_WORDS / 2];
    VECTOR low[MOST_WORDS / 2][4];
    uint64_t turned[TURNED];
    size_t windows = (words + 1) / 2, block = TURNED / words / LANES * LANES;
    NAME(open_windows)(planes, low, windows);
    for (size_t first = 0; first < count; first += block) {
        size_t some = count - first < block ? count - first : block;
        NAME(turn)(many + first * words, some, words, turned);
        for (size_t q = 0; q < query_count; q += QUERIES) {
            const uint64_t *query = queries + q * words;
            for (size_t i = 0; i < some; i += LANES) {
                bool watched = watch && watch->limit >= odd;
                uint64_t near = watched ? (uint64_t)(watch->limit + odd) / 2 : 0;
                const uint64_t *some_turned = turned + i * words;
                const fp_tally_pair pair = {(uint32_t)q, (uint32_t)(first + i), 0};
                bool any = NAME(step)(query, some_turned, words, watch != NULL, near, planes, low, windows);
                if (any && watched) NAME(find_words)(query, some_turned, words, odd, pair, watch);
            }
        }
    }
    NAME(read_windows)(planes, low, windows, counts);
}
