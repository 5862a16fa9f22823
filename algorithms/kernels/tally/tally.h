/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally.h - counts pairs of bit fingerprints by Hamming distance without storing the distances, and finds the few near
 * pairs at the same time. Incrementing a table for every pair would cost more than the distances themselves.
 */
#ifndef FP_TALLY_H
#define FP_TALLY_H

#include "base/cpu.h"

/* A tally is FP_TALLY_LANES tables of words·64 + 1 counts, one after the other; the count of a distance is their sum.
 * Neighbouring pairs go to different tables, so that an increment does not wait for the last one. */
enum { FP_TALLY_LANES = 4 };

/* A near pair: its positions among the queries and among the many. */
typedef struct fp_tally_pair {
    uint32_t query, other, distance;
} fp_tally_pair;

/* Receiver of near pairs; first member of the struct that `report` needs. */
typedef struct fp_tally_watch {
    int64_t limit; /* the largest distance of reported pairs; each is reported once, in any order; negative: none */
    /* May lower the limit; pairs beyond it that were found before may still be reported. */
    void (*report)(struct fp_tally_watch *watch, const fp_tally_pair *pairs, size_t count);
} fp_tally_watch;

/* Adds every pair of one of queries[0 … query_count) and one of many[0 … count), fingerprints of `words` words, to the
 * tally. All these distances must have the parity of `odd`. They do if all queries have one parity (fp_tally_odd), and
 * all of the many have one. `watch` may be NULL. */
typedef void (*fp_tally_kernel)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                                size_t words, bool odd, fp_tally_watch *watch, uint64_t *tally);

extern const fp_tally_kernel fp_tally_kernels[FP_CPU_LEVELS]; /* by fp_cpu_counting */

/* Whether an odd number of bits is set. Two fingerprints are at an odd distance if exactly one of them is odd. */
bool fp_tally_odd(const uint64_t *fingerprint, size_t words);

#endif
