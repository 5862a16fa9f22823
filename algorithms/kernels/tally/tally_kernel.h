/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally_kernel.h - the tally kernel of a width: pairs that fill the vectors, and the rest; tally.c includes it after
 * tally_word.h and tally_words.h.
 */
/* Specialised for each number of words and parity, and for calls with and without a watch. */
INLINE void NAME(count_word)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, bool odd,
                             fp_tally_watch *watch, uint64_t *tally) {
    uint64_t counts[64] = {0};
    if (odd && watch) NAME(whole)(queries, query_count, many, count, true, watch, counts);
    else if (odd) NAME(whole)(queries, query_count, many, count, true, NULL, counts);
    else if (watch) NAME(whole)(queries, query_count, many, count, false, watch, counts);
    else NAME(whole)(queries, query_count, many, count, false, NULL, counts);
    add_counts(counts, (uint64_t)query_count * count, odd, tally);
}

INLINE void NAME(count_words)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                              size_t words, bool odd, fp_tally_watch *watch, uint64_t *tally) {
    uint64_t counts[MOST_WORDS / 2 * 64] = {0};
    if (words == 2 && watch) NAME(whole_words)(queries, query_count, many, count, 2, odd, watch, counts);
    else if (words == 2) NAME(whole_words)(queries, query_count, many, count, 2, odd, NULL, counts);
    else if (words == 3) NAME(whole_words)(queries, query_count, many, count, 3, odd, watch, counts);
    else if (words == 4) NAME(whole_words)(queries, query_count, many, count, 4, odd, watch, counts);
    else NAME(whole_words)(queries, query_count, many, count, words, odd, watch, counts);
    add_halves(counts, words, (uint64_t)query_count * count, odd, tally);
}

WIDE static void NAME(tally)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                             size_t words, bool odd, fp_tally_watch *watch, uint64_t *tally) {
    size_t whole_queries = query_count - query_count % QUERIES,
           whole = count - count % (words == 1 ? (size_t)NAME(WIDTH) : (size_t)LANES);
    if (words > MOST_WORDS || whole_queries == 0 || whole == 0) {
        one_by_one((fp_tally_pair){0}, queries, query_count, many, count, words, watch, tally);
        return;
    }
    if (words == 1) NAME(count_word)(queries, whole_queries, many, whole, odd, watch, tally);
    else NAME(count_words)(queries, whole_queries, many, whole, words, odd, watch, tally);
    one_by_one((fp_tally_pair){.other = (uint32_t)whole}, queries, whole_queries, many, count, words, watch, tally);
    one_by_one((fp_tally_pair){.query = (uint32_t)whole_queries}, queries, query_count, many, count, words, watch,
               tally);
}
