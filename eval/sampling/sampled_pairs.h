/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sampled_pairs.h - a sample of the negatives of a corpus of groups with known chances, for corpora whose pairs are too
 * many to be counted.
 *
 * A pair is in the sample
 *   - for certain, where the counting of an arm of bits or slots, or a search of one that has too many
 *     pairs for that (neighbours.h), has met it as a near one;
 *   - else with the chance π = 1 − (1 − q)·Π(1 − p): p is the chance that the bands of a set or vector arm find it
 *     (key_bands.h), q that it is among N that are drawn at random without replacement.
 * It stands for 1/π pairs (Horvitz, Thompson, JASA 47, 1952): sums over the sample with these weights are right on
 * average for every arm, since which pairs are near decides how much a count varies, and not what it is on average. All
 * arms are measured on the same pairs. Positives are all taken.
 *
 * The weights of what the bands hardly find, those of W/2 and more, are scaled by one factor, near 1, so that all add
 * up to the number of negatives, which is known (a ratio estimator: Cochran, Sampling Techniques, 1977, chapter 6). W
 * is the weight of a pair that no band can find.
 *
 * Pairs that share a passage with many others are found together, though they share no document: their weights without
 * one eighth of the bands after the other tell by how much sums vary for that (counted.h).
 *
 * Arms of which all pairs are counted take part in what asks which pairs: in what two arms have in common.
 */
#ifndef FP_SAMPLED_PAIRS_H
#define FP_SAMPLED_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithms/arms/arm.h"
#include "eval/sampling/key_bands.h"
#include "eval/experiment/experiment.h"
#include "eval/experiment/groups.h"

typedef struct fp_drawn_pair {
    uint32_t a, b; /* a is of the unit with the lower number */
} fp_drawn_pair;

typedef struct fp_drawn_pairs {
    uint64_t negatives; /* of the corpus */
    size_t near_count;  /* in the sample for certain, or found by bands */
    size_t drawn_count; /* N: drawn of those that are not for certain; some of them may have been found as well */
    double chance;      /* q */
    double scale;       /* of the weights from `heavy` on */
    double heavy;       /* W/2 before they are scaled */
    double weight;      /* W ≥ 1 */
    uint64_t seed;      /* what decided the sample */
    fp_unit_list units; /* of the corpus, not shuffled */
    size_t band_count;
    const fp_key_bands *bands;  /* [band_count] of the set and vector arms whose pairs are drawn; without their marks */
    size_t count;               /* of the sample */
    const fp_drawn_pair *pairs; /* [count] ascending by the units of a and of b */
    const double *weights;      /* [count] ≥ 1 but for the factor; exactly 1 for certain ones */
    /* [count·FP_COUNTED_REPLICATES] the weights if one part in so many of all bands was not there, 0 for pairs that are
     * then not in the sample */
    const float *without;
} fp_drawn_pairs;

/* How many negatives a corpus of groups has. */
fp_status fp_drawn_negatives(const fp_corpus *corpus, uint64_t *negatives, fp_error *error);

/* Takes the near pairs that measurements of counted arms list, finds some under every other arm, `wanted` of all arms
 * together at the most, and draws `wanted` of the rest, or all of it where it is less. The corpus has groups, and at
 * least `wanted` negatives; wanted > 0. Everything lives in `arena`: 48 bytes a pair; bands keep the measurements. Same
 * pairs for any number of threads. */
fp_status fp_drawn_pairs_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                              uint64_t wanted, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                              fp_drawn_pairs *drawn, fp_error *error);

/* For how many pairs one stands that is not in the sample for certain: a negative, or a positive if it were one. */
double fp_drawn_pairs_weight(const fp_drawn_pairs *drawn, size_t a, size_t b);
/* The same of one with so much in common at this distance under the arm of bands[index], if no other arm's find it. */
double fp_drawn_pairs_weight_at(const fp_drawn_pairs *drawn, size_t index, double overlap, double distance);

/* Distances of the pairs, and of all positives, into the histogram of one arm, which is not finished: negatives with
 * their weight, rounded so that the counts at every distance are within a half of what they should be, and their total
 * is exact. */
fp_status fp_drawn_pairs_measure(const fp_stage *stage, const fp_drawn_pairs *drawn, fp_measurement *measurement,
                                 const fp_arenas *arenas, fp_arena *arena, fp_error *error);

/* ----
 * all pairs of n documents as numbers, and numbers in a random order: a simple random sample without
 * replacement that needs no list to be drawn from.
 */

typedef struct fp_numbered_pair {
    size_t first, second; /* first < second */
} fp_numbered_pair;

/* Pairs of `count` documents, at least two, are numbered row by row: (0, 1), (0, 2) … (n − 2, n − 1). */
fp_numbered_pair fp_pair_at(size_t count, uint64_t number);

/* The place of `value` in an order of 0 … total − 1 that the seed draws; another value, another place. */
uint64_t fp_number_permuted(uint64_t value, uint64_t total, uint64_t seed);

/* ----
 * arms whose pairs are all counted though those of others are drawn. Kernels compare two fingerprints of
 * bits in fractions of a nanosecond, so that all pairs of a million documents are a matter of seconds: the counts of
 * such an arm are exact at every threshold, and its intervals hold the documents alone.
 */

/* The usual limit of what counting all pairs of an arm may cost, in comparisons of 64-bit words: about ten minutes of a
 * processor that does 25·10⁹ in a second. 64 bits are counted in corpora of up to 5.9 million documents, 64 slots up to
 * 1.4 million, 128 slots up to 1.0 million. */
#define FP_WHOLE_WORDS (UINT64_C(1) << 44)

/* Whether all pairs of so many sketches take no more than `most_words` comparisons of words; a slot takes as long as a
 * quarter of a word, and the rest of a signature as a whole one. Never for what is neither bits nor slots. */
bool fp_arm_counts_whole(const fp_layout *layout, uint64_t documents, uint64_t most_words);

#endif
