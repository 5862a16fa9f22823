/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * drawn_pairs.h - a stratified sample of the negatives of a corpus of groups, for corpora whose pairs are too many to
 * be counted.
 *
 * The negatives are in two strata. Those that are near under any of the arms, as far as they are found (neighbours.h),
 * are all taken. Of the rest N are drawn, a simple random sample without replacement, and each stands for
 * W = rest/N (Horvitz, Thompson, JASA 47, 1952; Cochran, Sampling Techniques, 1977, chapter 5). A count is the number
 * of near pairs and W times the number of drawn ones, which is right on average whatever the near stratum is, so that
 * it may be chosen by looking at distances: it decides how much a count varies, and not what it is on average. All arms
 * are measured on the same pairs. Positives are all taken.
 *
 * Arms of which all pairs are counted (whole_arms.h) take part in what asks which pairs: in what two arms have in
 * common.
 */
#ifndef FP_DRAWN_PAIRS_H
#define FP_DRAWN_PAIRS_H

#include "eval/experiment/experiment.h"
#include "eval/experiment/unit_list.h"

typedef struct fp_drawn_pair {
    uint32_t a, b; /* a is of the unit with the lower number */
} fp_drawn_pair;

typedef struct fp_drawn_pairs {
    uint64_t negatives;         /* of the corpus */
    uint64_t rest;              /* of these, those that are not near */
    size_t near_count;          /* all taken */
    size_t drawn_count;         /* of the rest */
    double weight;              /* rest/drawn_count; 1 where nothing is left to be drawn */
    uint64_t seed;              /* what decided the draw */
    fp_unit_list units;         /* of the corpus, not shuffled */
    const fp_drawn_pair *pairs; /* [near_count + drawn_count] ascending by the units of a and of b */
    const bool *drawn;          /* [near_count + drawn_count] whether the pair is one of the rest */
} fp_drawn_pairs;

/* How many negatives a corpus of groups has. */
fp_status fp_drawn_negatives(const fp_corpus *corpus, uint64_t *negatives, fp_error *error);

/* Takes the near pairs that measurements of counted arms list (whole_arms.h), finds some under every other arm, `wanted`
 * of all arms together at the most, and draws `wanted` of the rest, or all
 * of it where it is less. The corpus has groups, and more than `wanted` negatives; wanted > 0. Everything lives in
 * `arena`: 9 bytes a pair. Same pairs for any number of threads. */
fp_status fp_drawn_pairs_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                              uint64_t wanted, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                              fp_drawn_pairs *drawn, fp_error *error);

/* Distances of the pairs, and of all positives, into the histogram of one arm, which is not finished: negatives with
 * their weight, rounded so that the counts at every distance are within a half of what they should be, and their total
 * is exact. */
fp_status fp_drawn_pairs_measure(const fp_stage *stage, const fp_drawn_pairs *drawn, fp_measurement *measurement,
                                 const fp_arenas *arenas, fp_arena *arena, fp_error *error);

#endif
