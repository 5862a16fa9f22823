/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally_word.h - the tally of one-word fingerprints in vectors; tally.c includes it after planes.h, once per width.
 *
 * The word of a distance d has only bit d set. All distances have one parity, so that every other bit is free: three
 * words are first added as numbers of two bits. Distance 64 has no bit: its count is the remainder of the number of
 * pairs. With a watch, the words of a step are ORed: the check for near pairs costs one operation for six.
 *
 * Besides what planes.h needs, the includer defines NAME(many) and NAME(query), types of prepared fingerprints, made by
 * prepare_many from LANES words and prepare_query from one; and `bits`, their distances.
 */
/* A step takes 16 queries and three vectors of the others: 48 words, added in threes, are 16, which fill planes 0 to 3
 * once. This shape of a step was measured to be the fastest. The fingerprints of 42 steps, which a block of queries is
 * compared with, stay in the first-level cache. */
enum { NAME(WIDTH) = 3 * LANES, NAME(NEAR) = 42 * NAME(WIDTH) };

/* Bit d for an even distance d, bit 63 − d for an odd one: even places, so that the place to the left is free. */
INLINE VECTOR NAME(mark)(NAME(query) query, NAME(many) many, bool odd) {
    VECTOR bits = NAME(bits)(query, many);
    return odd ? NAME(right)(NAME(every)(UINT64_C(1) << 63), bits) : NAME(left)(NAME(every)(1), bits);
}

/* Three distances, added as numbers of two bits. */
INLINE VECTOR NAME(three)(NAME(query) query, const NAME(many) many[3], bool odd) {
    return NAME(add)(NAME(add)(NAME(mark)(query, many[0], odd), NAME(mark)(query, many[1], odd)),
                     NAME(mark)(query, many[2], odd));
}

/* 16 queries against `count` fingerprints, a multiple of WIDTH. Returns a bit per step: whether it has one of the
 * places `near`. */
INLINE uint64_t NAME(block)(const NAME(query) query[QUERIES], const uint64_t *many, size_t count, bool odd,
                            bool watched, uint64_t near, NAME(planes) * planes) {
    VECTOR low[4] = {planes->low[0], planes->low[1], planes->low[2], planes->low[3]};
    uint64_t found = 0;
    for (size_t step = 0; step < count / NAME(WIDTH); step++) {
        NAME(many) three[3];
        VECTOR word[QUERIES / 2], seen = NAME(zero)();
        for (size_t k = 0; k < 3; k++) three[k] = NAME(prepare_many)(many + (step * 3 + k) * LANES);
        for (size_t q = 0; q < QUERIES; q += 2) {
            VECTOR a = NAME(three)(query[q], three, odd), b = NAME(three)(query[q + 1], three, odd);
            if (watched) seen = NAME(either)(seen, a, b);
            word[q / 2] = NAME(carry)(low, a, b);
        }
        NAME(settle)(planes, NAME(carry_eight)(low, word));
        if (watched) found |= (uint64_t)NAME(meets)(seen, NAME(every)(near)) << step;
    }
    for (size_t p = 0; p < 4; p++) planes->low[p] = low[p];
    return found;
}

/* Appends to `found` pairs those of LANES distances, from the pair `first` on, that are within a limit. Returns the new
 * number of pairs. */
INLINE size_t NAME(list)(VECTOR distances, uint64_t limit, fp_tally_pair first, fp_tally_pair *pairs, size_t found) {
    uint64_t distance[LANES];
    unsigned near = NAME(within)(distances, limit);
    if (near) NAME(store)(distance, distances);
    for (; near; near &= near - 1) {
        unsigned lane = (unsigned)__builtin_ctz(near);
        pairs[found++] = (fp_tally_pair){first.query, first.other + lane, (uint32_t)distance[lane]};
    }
    return found;
}

/* Reports the near pairs of one step. */
WIDE static void NAME(find)(const uint64_t *queries, size_t query, const uint64_t *many, size_t other,
                            fp_tally_watch *watch) {
    fp_tally_pair pairs[QUERIES * NAME(WIDTH)];
    size_t found = 0;
    for (size_t q = query; watch->limit >= 0 && q < query + QUERIES; q++)
        for (size_t o = other; o < other + NAME(WIDTH); o += LANES)
            found = NAME(list)(NAME(bits)(NAME(prepare_query)(queries[q]), NAME(prepare_many)(many + o)),
                               (uint64_t)watch->limit, (fp_tally_pair){(uint32_t)q, (uint32_t)o, 0}, pairs, found);
    if (found) watch->report(watch, pairs, found);
}

/* The bits of the distances within a limit, two for each; all bits if the limit is 64 or more. */
INLINE uint64_t NAME(near_places)(int64_t limit, bool odd) {
    uint64_t places = 0;
    if (limit >= 64) return UINT64_MAX;
    for (int64_t d = odd; d <= limit; d += 2) places |= UINT64_C(3) << (odd ? 63 - d : d);
    return places;
}

/* Whole blocks: query_count a multiple of 16, count of WIDTH. */
INLINE void NAME(whole)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, bool odd,
                        fp_tally_watch *watch, uint64_t counts[64]) {
    NAME(planes) planes;
    NAME(clear)(&planes);
    for (size_t first = 0; first < count; first += NAME(NEAR)) {
        size_t some = count - first < NAME(NEAR) ? count - first : NAME(NEAR);
        for (size_t q = 0; q < query_count; q += QUERIES) {
            NAME(query) prepared[QUERIES];
            for (size_t i = 0; i < QUERIES; i++) prepared[i] = NAME(prepare_query)(queries[q + i]);
            uint64_t near = watch ? NAME(near_places)(watch->limit, odd) : 0;
            uint64_t found = NAME(block)(prepared, many + first, some, odd, watch != NULL, near, &planes);
            if (watch && watch->limit >= 64) found = (UINT64_C(1) << some / NAME(WIDTH)) - 1;
            for (; watch && found; found &= found - 1)
                NAME(find)(queries, q, many, first + (size_t)__builtin_ctzll(found) * NAME(WIDTH), watch);
        }
    }
    NAME(read_planes)(&planes, counts);
}
