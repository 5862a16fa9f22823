/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * key_skew.h - how much more often real fingerprints share a key than fingerprints that are spread evenly.
 *
 * Where a key k has probability p(k), a query like those that are stored meets N·Σ p² of N fingerprints: N/2^w for a
 * key of w bits spread evenly, and never less (Cauchy and Schwarz). Of m fingerprints drawn at random, the share of
 * pairs that agree in the key, Σ c(c − 1)/(m(m − 1)) with c of them under each key, is an unbiased estimate of Σ p².
 * Pairs within the distance are left out of it: they are what is asked for, under every design, and a sample of known
 * duplicates has many.
 */
#ifndef FP_KEY_SKEW_H
#define FP_KEY_SKEW_H

#include "base/parallel.h"

/* Fingerprints drawn at random. */
typedef struct fp_key_sample {
    unsigned bits;
    size_t seen;           /* in the file */
    size_t count;          /* of them kept */
    const uint64_t *words; /* [count · ⌈bits/64⌉] bit i of a fingerprint is bit i % 64 of its word i/64 */
} fp_key_sample;

/* Most that are kept: of more, so many are drawn, the same ones every time. Their 2·10^9 pairs show keys of up to 31
 * bits. */
enum { FP_KEY_SAMPLE_MOST = 1 << 16 };

/* Reads fingerprints of `bits` bits from a file ("-": standard input; gzip and Zstandard are unpacked): one a line, in
 * hexadecimal with the highest bit first, as `fplab fingerprint` prints them: alone, or as the column "fingerprint" of
 * tab-separated lines; without a header, as the last one. Lives in `arena`. FP_ERROR_SYNTAX and FP_ERROR_RANGE (another
 * width, a line of more than 64 KiB) with file and line, FP_ERROR_EMPTY for fewer than two, FP_ERROR_IO. */
fp_status fp_key_sample_read(const char *path, unsigned bits, fp_arena *arena, fp_key_sample *sample, fp_error *error);

/* Pairs of a sample that agree in keys. */
typedef struct fp_key_pairs {
    double beyond; /* and differ in more bits than the distance */
    double within;
} fp_key_pairs;

/* Of the pairs of the sample, those that agree in all bits of mask[⌈bits/64⌉]: pairs[t] for each of `count` masks that
 * follow one another in `masks`. Of many under one key each is compared with 512 of the others, which are drawn at
 * random and count for all. */
fp_status fp_key_pairs_count(const fp_key_sample *sample, unsigned distance, const uint64_t *masks, size_t count,
                             const fp_progress *progress, fp_arena *arena, fp_key_pairs *pairs, fp_error *error);

/* The same where each of `blocks` blocks, as even as possible and the first ones a bit wider, is a key by its value
 * alone: a pair counts as often as a block of the one has the value of a block of the other. */
fp_status fp_key_pairs_shared(const fp_key_sample *sample, unsigned distance, unsigned blocks, fp_arena *arena,
                              fp_key_pairs *pairs, fp_error *error);

#endif
