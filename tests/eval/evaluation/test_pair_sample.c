/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which pairs are shown one by one, against the rule said plainly: every pair is given the smallest place it has in the
 * cell of any arm, and the pairs with the smallest places are listed until there is no room for the next. */
#include <math.h>

#include "eval/evaluation/pair_sample.h"
#include "eval/evaluation/outcome.h"
#include "tests/support.h"

enum { MOST = 6000, DOCUMENTS = 300, LANES = 4, ARMS = 3 };

/* Three arms, the second under two seeds; whole distances, fractions, and some that are very far or nowhere. */
typedef struct world {
    fp_corpus corpus;
    fp_outcome outcome;
    fp_pair pairs[MOST];
    fp_corpus_document documents[DOCUMENTS];
    fp_string texts[DOCUMENTS];
    fp_measurement measurements[LANES];
    double distances[LANES][MOST];
    fp_further_seeds further[ARMS];
    uint32_t turn[MOST];
} world;

static world the;

static void make_world(size_t pairs, size_t longest, uint64_t seed) {
    the.further[0] = (fp_further_seeds){ARMS, 0};
    the.further[1] = (fp_further_seeds){ARMS, 1};
    the.further[2] = (fp_further_seeds){LANES, 0};
    for (size_t i = 0; i < DOCUMENTS; i++)
        the.documents[i] = (fp_corpus_document){.characters = fp_mix(i, seed) % (longest + 1)};
    for (size_t i = 0; i < pairs; i++) {
        uint32_t a = (uint32_t)(fp_mix(i, seed + 1) % (DOCUMENTS - 1));
        the.pairs[i] =
            (fp_pair){a, a + 1 + (uint32_t)(fp_mix(i, seed + 2) % (DOCUMENTS - 1 - a)), fp_mix(i, 7) % 9 == 0};
        the.distances[0][i] = (double)(fp_mix(i, seed + 3) % 5);
        for (size_t lane = 1; lane < LANES; lane++)
            the.distances[lane][i] = 12 * (double)(fp_mix(i, seed + 3 + lane) >> 11) * 0x1p-53;
        if (i % 50 == 0)
            the.distances[2][i] = i % 100 ? INFINITY : 1048000 + 50 * (double)i; /* beyond 2²⁰ all are one cell */
    }
    the.corpus = (fp_corpus){.name = "made",
                             .truth = FP_TRUTH_PAIRS,
                             .document_count = DOCUMENTS,
                             .documents = the.documents,
                             .texts = the.texts,
                             .pair_count = pairs,
                             .pairs = the.pairs};
    the.outcome = (fp_outcome){.corpus = &the.corpus,
                               .count = ARMS,
                               .lane_count = LANES,
                               .further = the.further,
                               .measurements = the.measurements};
    for (size_t lane = 0; lane < LANES; lane++) the.measurements[lane].distances = the.distances[lane];
}

/* ---- The rule ---- */

static double cell_of(size_t arm, size_t pair) { return fmin(ceil(the.distances[arm][pair]), 1 << 20); }

/* Whether a pair is drawn before another of the same rank. */
static bool before(size_t one, size_t other) { return fp_mix(one, 0) < fp_mix(other, 0); }

static void find_turns(void) {
    for (size_t i = 0; i < the.corpus.pair_count; i++) {
        the.turn[i] = UINT32_MAX;
        for (size_t arm = 0; arm < ARMS; arm++) {
            uint32_t place = 0;
            for (size_t k = 0; k < the.corpus.pair_count; k++)
                place += cell_of(arm, k) == cell_of(arm, i) && the.pairs[k].label == the.pairs[i].label && before(k, i);
            if (place < the.turn[i]) the.turn[i] = place;
        }
    }
}

static int by_turn(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    if (the.turn[a] != the.turn[b]) return the.turn[a] < the.turn[b] ? -1 : 1;
    return before(a, b) ? -1 : before(b, a);
}

/* Marks what is listed; returns how many. */
static size_t list(size_t share, bool texts, bool *listed, bool *taken) {
    uint32_t order[MOST];
    size_t count = 0, room = FP_DIGEST_CHARACTERS / share;
    for (uint32_t i = 0; i < the.corpus.pair_count; i++) order[i] = i;
    qsort(order, the.corpus.pair_count, sizeof *order, by_turn);
    for (size_t i = 0; i < the.corpus.pair_count && count < FP_DIGEST_PAIRS / share; i++) {
        const uint32_t both[] = {the.pairs[order[i]].a, the.pairs[order[i]].b};
        size_t need = 0;
        for (size_t k = 0; k < 2 && texts; k++)
            if (!taken[both[k]]) need += (size_t)fmin(FP_DIGEST_TEXT, (double)the.documents[both[k]].characters);
        if (need > room) break;
        room -= need;
        listed[order[i]] = taken[both[0]] = taken[both[1]] = true;
        count++;
    }
    return count;
}

static void check(size_t share, bool texts) {
    fp_arena *arena = fp_arena_new();
    fp_pair_digest digest = {.outcome = &the.outcome};
    bool listed[MOST] = {false}, taken[DOCUMENTS] = {false};
    size_t count = list(share, texts, listed, taken), document = 0, place = 0;
    ASSERT_GOOD(fp_pair_sample_draw(&digest, share, texts, arena, &test_error));
    assert_int_equal(digest.listed_count, count);
    for (uint32_t i = 0; i < the.corpus.pair_count; i++)
        if (listed[i]) assert_int_equal(digest.listed[place++], i);
    for (uint32_t i = 0; i < DOCUMENTS; i++)
        if (taken[i]) assert_int_equal(digest.documents[document++], i);
    assert_int_equal(digest.document_count, document);
    assert_int_equal(digest.texts != NULL, texts);
    fp_arena_free(arena);
}

static void samples_follow_the_rule(void **state) {
    (void)state;
    static const size_t PAIRS[] = {0, 1, 2, 300, 1000};
    for (size_t k = 0; k < sizeof PAIRS / sizeof *PAIRS; k++) {
        make_world(PAIRS[k], k == 3 ? 9000 : 40, k);
        find_turns();
        check(1, false); /* all of them */
        check(1, true);
        check(17, false); /* 294 pairs, 58,823 characters */
        check(17, true);
        check(FP_DIGEST_PAIRS, true); /* one pair, 200 characters */
        check(FP_DIGEST_PAIRS, false);
    }
}

/* Texts fill the room to the last character, and no further. */
static void room_is_filled(void **state) {
    (void)state;
    make_world(40, 0, 5);
    find_turns();
    for (size_t i = 0; i < DOCUMENTS; i++) the.documents[i].characters = FP_DIGEST_TEXT;
    check(25, true); /* 40,000 characters: ten documents */
    for (size_t i = 0; i < DOCUMENTS; i++) the.documents[i].characters = FP_DIGEST_TEXT + 1;
    check(25, true); /* cut, ten as well */
    for (size_t i = 0; i < DOCUMENTS; i++) the.documents[i].characters = FP_DIGEST_TEXT - 1;
    check(25, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_follow_the_rule), cmocka_unit_test(room_is_filled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
