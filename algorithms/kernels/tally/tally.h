/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tally.h - how many pairs of bit fingerprints lie at each Hamming distance, without writing the distances down, and on
 * the way which few of them are near. A table that is incremented for every pair costs more than the distances
 * themselves. Portable C is the oracle; the choice is made as in hamming.h.
 */
#ifndef FP_TALLY_H
#define FP_TALLY_H

#include "base/cpu.h"

/* A tally is FP_TALLY_LANES tables of words·64 + 1 counts, one after the other; the count of a distance is their sum.
 * Neighbouring pairs go to different tables, so that an increment need not wait for the last one. */
enum { FP_TALLY_LANES = 4 };

/* A pair that is near: its place among the queries and among the many. */
typedef struct fp_tally_pair {
    uint32_t query, other, distance;
} fp_tally_pair;

/* Who is told of near pairs; first member of what `tell` needs. */
typedef struct fp_tally_watch {
    int64_t limit; /* pairs at a distance of at most so much are told, each once, in any order; negative: none */
    /* May lower the limit; pairs beyond it may still come that were found before. */
    void (*tell)(struct fp_tally_watch *watch, const fp_tally_pair *pairs, size_t count);
} fp_tally_watch;

/* Adds every pair of one of queries[0 … query_count) and one of many[0 … count), fingerprints of `words` words, to
 * the tally. All these distances must have one parity, that of `odd`: they do when all queries have one parity
 * (fp_tally_odd), and all of the many. `watch` may be NULL. */
typedef void (*fp_tally_kernel)(const uint64_t *queries, size_t query_count, const uint64_t *many, size_t count,
                                size_t words, bool odd, fp_tally_watch *watch, uint64_t *tally);

typedef struct fp_tally_variant {
    const char *name;
    fp_cpu level;
    fp_tally_kernel kernel;
    bool (*supported)(void);
} fp_tally_variant;

/* All variants of this build, best first, ended by a NULL name; the last one is portable. */
extern const fp_tally_variant fp_tally_variants[];
/* The variant in use; the same for the life of the process. Thread-safe. */
const fp_tally_variant *fp_tally_chosen(void);

/* Whether an odd number of bits is set. Two fingerprints are at an odd distance when one is odd and the other is not.
 */
bool fp_tally_odd(const uint64_t *fingerprint, size_t words);

#endif
