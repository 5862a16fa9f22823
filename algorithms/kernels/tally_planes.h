/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally_planes.h - the tally of one-word fingerprints in vectors; included by tally.c once a vector width, without a
 * guard.
 *
 * A distance d becomes the word with bit d alone, so that counting distances is adding such words bit by bit. They
 * are added in carry-save form: bit j of plane p counts 2^p pairs at distance j, and a full adder of two logical
 * operations takes two words into a plane and gives one carry (Harley and Seal; Muła, Kurz, Lemire 2018, section 4).
 * All distances have one parity, so that every other bit is free: three words are first added as numbers of two bits.
 * Distance 64 has no bit: it is what is missing from the number of pairs.
 *
 * The includer defines
 *   WIDE, VECTOR, LANES   target attribute; vector of LANES words
 *   NAME(x)               x with the width in its name, and under such names
 *   many, query           types of prepared fingerprints, by prepare_many from LANES words and prepare_query from one
 *   bits                  the distances of a prepared query and prepared fingerprints
 *   zero, every, add, parity, majority, left, right
 *                         no bits; one word in every lane; sums; exclusive or and majority of three; shifts by lane
 */

#define STEP static inline __attribute__((always_inline)) WIDE

/* Planes 0 to 3 are meant to stay in registers. From plane 4 on two words wait for a third: word p waits when bit p
 * of `steps` is set. */
typedef struct NAME(planes) {
    VECTOR low[4];
    VECTOR high[TALLY_PLANES], waiting[TALLY_PLANES];
    uint64_t steps;
} NAME(planes);

/* Bit d for an even distance d, bit 63 − d for an odd one: even places, so that the place to the left is free. */
STEP VECTOR NAME(mark)(NAME(query) query, NAME(many) many, bool odd) {
    VECTOR bits = NAME(bits)(query, many);
    return odd ? NAME(right)(NAME(every)(UINT64_C(1) << 63), bits) : NAME(left)(NAME(every)(1), bits);
}

/* Three distances in numbers of two bits. */
STEP VECTOR NAME(three)(NAME(query) query, const NAME(many) many[3], bool odd) {
    return NAME(add)(NAME(add)(NAME(mark)(query, many[0], odd), NAME(mark)(query, many[1], odd)),
                     NAME(mark)(query, many[2], odd));
}

/* Adds two words to a plane; returns the carry. */
STEP VECTOR NAME(carry)(VECTOR *plane, VECTOR a, VECTOR b) {
    VECTOR before = *plane;
    *plane = NAME(parity)(before, a, b);
    return NAME(majority)(before, a, b);
}

/* Carries out of planes 0, 1, 2 and 3 for 2, 4, 8 and 16 queries. */
STEP VECTOR NAME(take2)(VECTOR low[4], const NAME(query) * query, const NAME(many) many[3], bool odd) {
    return NAME(carry)(low, NAME(three)(query[0], many, odd), NAME(three)(query[1], many, odd));
}
STEP VECTOR NAME(take4)(VECTOR low[4], const NAME(query) * query, const NAME(many) many[3], bool odd) {
    VECTOR first = NAME(take2)(low, query, many, odd);
    return NAME(carry)(low + 1, first, NAME(take2)(low, query + 2, many, odd));
}
STEP VECTOR NAME(take8)(VECTOR low[4], const NAME(query) * query, const NAME(many) many[3], bool odd) {
    VECTOR first = NAME(take4)(low, query, many, odd);
    return NAME(carry)(low + 2, first, NAME(take4)(low, query + 4, many, odd));
}
STEP VECTOR NAME(take16)(VECTOR low[4], const NAME(query) * query, const NAME(many) many[3], bool odd) {
    VECTOR first = NAME(take8)(low, query, many, odd);
    return NAME(carry)(low + 3, first, NAME(take8)(low, query + 8, many, odd));
}

/* A carry out of plane 3 goes up as far as words wait. */
STEP void NAME(settle)(NAME(planes) * planes, VECTOR word) {
    size_t p = 0;
    for (uint64_t steps = planes->steps++; steps & 1; steps >>= 1, p++)
        word = NAME(carry)(planes->high + p, planes->waiting[p], word);
    planes->waiting[p] = word;
}

/* 16 queries against `count` fingerprints, a multiple of TALLY_MANY · LANES. */
STEP void NAME(block)(const NAME(query) query[TALLY_QUERIES], const uint64_t *many, size_t count, bool odd,
                      NAME(planes) * planes) {
    VECTOR low[4] = {planes->low[0], planes->low[1], planes->low[2], planes->low[3]};
    for (size_t i = 0; i < count; i += TALLY_MANY * LANES) {
        NAME(many) three[TALLY_MANY];
        for (size_t k = 0; k < TALLY_MANY; k++) three[k] = NAME(prepare_many)(many + i + k * LANES);
        NAME(settle)(planes, NAME(take16)(low, query, three, odd));
    }
    for (size_t p = 0; p < 4; p++) planes->low[p] = low[p];
}

/* Adds `weight` for every bit set. */
STEP void NAME(read_word)(const VECTOR *word, uint64_t weight, uint64_t counts[64]) {
    uint64_t lanes[LANES];
    memcpy(lanes, word, sizeof lanes);
    for (size_t lane = 0; lane < LANES; lane++)
        for (size_t j = 0; j < 64; j++) counts[j] += (lanes[lane] >> j & 1) * weight;
}

/* Words that wait are added first, so that one word a plane is read. */
STEP void NAME(read_planes)(NAME(planes) * planes, uint64_t counts[64]) {
    for (size_t p = 0; p < 4; p++) NAME(read_word)(planes->low + p, UINT64_C(1) << p, counts);
    VECTOR over = NAME(zero)();
    for (size_t p = 0; planes->steps >> p || p == 0 || planes->steps >> (p - 1); p++) {
        over = NAME(carry)(planes->high + p, planes->steps >> p & 1 ? planes->waiting[p] : NAME(zero)(), over);
        NAME(read_word)(planes->high + p, UINT64_C(16) << p, counts);
    }
}

/* Whole blocks: query_count a multiple of 16, count of TALLY_MANY · LANES. */
STEP void NAME(whole)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count, bool odd,
                      uint64_t counts[64]) {
    NAME(planes) planes;
    planes.steps = 0;
    for (size_t p = 0; p < 4; p++) planes.low[p] = NAME(zero)();
    for (size_t p = 0; p < TALLY_PLANES; p++) planes.high[p] = NAME(zero)();
    for (size_t first = 0; first < count; first += TALLY_NEAR) {
        size_t some = count - first < TALLY_NEAR ? count - first : TALLY_NEAR;
        for (size_t q = 0; q < query_count; q += TALLY_QUERIES) {
            NAME(query) prepared[TALLY_QUERIES];
            for (size_t i = 0; i < TALLY_QUERIES; i++) prepared[i] = NAME(prepare_query)(queries[q + i]);
            NAME(block)(prepared, many + first, some, odd, &planes);
        }
    }
    NAME(read_planes)(&planes, counts);
}

WIDE static void NAME(tally)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                             size_t words, bool odd, uint64_t *tally) {
    size_t whole_queries = query_count - query_count % TALLY_QUERIES, whole = count - count % (TALLY_MANY * LANES);
    if (words != 1 || whole_queries == 0 || whole == 0) {
        one_by_one(queries, query_count, many, count, words, tally);
        return;
    }
    uint64_t counts[64] = {0};
    if (odd) NAME(whole)(queries, whole_queries, many, whole, true, counts);
    else NAME(whole)(queries, whole_queries, many, whole, false, counts);
    add_counts(counts, (uint64_t)whole_queries * whole, odd, tally);
    one_by_one(queries, whole_queries, many + whole, count - whole, 1, tally);
    one_by_one(queries + whole_queries, query_count - whole_queries, many, count, 1, tally);
}

#undef STEP
