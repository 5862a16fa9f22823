/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index_plan.h - the cost of finding every fingerprint within a Hamming distance of a query, for several methods:
 *
 * - scan: compares the query with every fingerprint;
 * - variants: one table of all fingerprints, with a look-up of every variant within the distance k of the query, Σ C(f,
 *   i) for i = 1 … k; or stored variants: a copy of each fingerprint under every variant within the distance, and a
 *   single look-up;
 * - shared: k + 1 blocks in one key space, by their values alone, as in systems whose keys omit the number of the
 *   block: each look-up finds the entries of all positions;
 * - blocks: a table for every choice of blocks, on one level or two (pairs/block_design.h).
 *
 * Candidates and comparisons are expected values for uniformly distributed fingerprints, or for fingerprints like a
 * given sample. Bytes and nanoseconds are those of fp_block_design_cost.
 */
#ifndef FP_INDEX_PLAN_H
#define FP_INDEX_PLAN_H

#include "base/parallel.h"
#include "pairs/block_design.h"

/* ---- Skew: how much more often real fingerprints share a key than uniformly distributed ones ----
 *
 * If a key k has probability p(k), a query distributed like the stored fingerprints finds N·Σ p² of N fingerprints:
 * N/2^w for a uniformly distributed key of w bits, and never less (Cauchy and Schwarz). For m random fingerprints, the
 * share of pairs that agree in the key, Σ c(c − 1)/(m(m − 1)) with c fingerprints under each key, is an unbiased
 * estimate of Σ p². Pairs within the distance are excluded: every design must find them, and a sample of known
 * duplicates has many. */

/* A random sample of fingerprints. */
typedef struct fp_key_sample {
    unsigned bits;
    size_t seen;           /* in the file */
    size_t count;          /* number kept */
    const uint64_t *words; /* [count · ⌈bits/64⌉] bit i of a fingerprint is bit i % 64 of its word i/64 */
} fp_key_sample;

/* Maximum sample size; larger files are sampled, with the same result every time. Its 2·10^9 pairs show keys of up to
 * 31 bits. */
enum { FP_KEY_SAMPLE_MOST = 1 << 16 };

/* Reads fingerprints of `bits` bits from a file ("-": standard input; unpacks gzip and Zstandard), in the format of
 * index/fingerprint_lines.h. Lives in `arena`. FP_ERROR_SYNTAX and FP_ERROR_RANGE (another width, a line of more than
 * 64 KiB) with file and line, FP_ERROR_EMPTY for fewer than two, FP_ERROR_IO. */
fp_status fp_key_sample_read(const char *path, unsigned bits, fp_arena *arena, fp_key_sample *sample, fp_error *error);

/* Number of pairs of a sample that agree in keys. */
typedef struct fp_key_pairs {
    double beyond; /* that differ in more bits than the distance */
    double within;
} fp_key_pairs;

/* Counts the pairs of the sample that agree in all bits of mask[⌈bits/64⌉]: pairs[t] for each of the `count` contiguous
 * masks. If many fingerprints have one key, each is compared with a random sample of 512 of the others, weighted to
 * represent all of them. */
fp_status fp_key_pairs_count(const fp_key_sample *sample, unsigned distance, const uint64_t *masks, size_t count,
                             const fp_progress *progress, fp_arena *arena, fp_key_pairs *pairs, fp_error *error);

/* The same if each of `blocks` blocks, as even as possible and the first ones one bit wider, is a key by its value
 * alone: a pair counts once for each block of one that equals a block of the other. */
fp_status fp_key_pairs_shared(const fp_key_sample *sample, unsigned distance, unsigned blocks, fp_arena *arena,
                              fp_key_pairs *pairs, fp_error *error);

typedef enum fp_plan_method {
    FP_PLAN_SCAN,
    FP_PLAN_VARIANTS,
    FP_PLAN_STORED_VARIANTS,
    FP_PLAN_SHARED,
    FP_PLAN_BLOCKS
} fp_plan_method;

typedef struct fp_index_plan {
    fp_plan_method method;
    fp_block_design design;      /* for blocks and shared blocks; else only bits and distance */
    double tables, copies;       /* tables of all fingerprints; copies of each fingerprint */
    double lookups;              /* a query; for variants, without the look-up of the query itself */
    unsigned key_bits, key_most; /* of the narrowest key and of the widest; 0 without tables */
    double lookup_most;          /* candidates expected under the narrowest key */
    double candidates;           /* a query: fingerprints under its keys, counted once a table */
    double comparisons;          /* a query: candidates, and the others in their groups */
    double skew;                 /* candidates divided by those of a uniform distribution; NaN without a sample */
    double agreeing;    /* pairs of the sample beyond the distance that agree in a key, over all tables; NaN without a
                           sample */
    double bytes;       /* of all tables, without records */
    double nanoseconds; /* a query */
    bool fits, front, recommended;
} fp_index_plan;

/* Makes one plan, for uniformly distributed fingerprints; fits, front and recommended are false. For methods without
 * blocks, only bits and distance of the design are read. Shared blocks have one level, with agree 1. FP_ERROR_RANGE
 * with the reason: fewer than 1 fingerprint, or a design that fp_block_design_check rejects. */
fp_status fp_index_plan_make(fp_plan_method method, const fp_block_design *design, double fingerprints,
                             fp_index_plan *plan, fp_error *error);
/* Corrects a plan for fingerprints like a sample of the same number of bits: candidates, comparisons, skew, agreeing
 * and nanoseconds. Plans of variants do not change. */
fp_status fp_index_plan_correct(fp_index_plan *plan, double fingerprints, const fp_key_sample *sample,
                                const fp_progress *progress, fp_error *error);

/* "scan", "variants", "variants,stored", "blocks=4,shared", "blocks=6,agree=3", "blocks=4+4". NULL: out of memory. */
const char *fp_index_plan_text(const fp_index_plan *plan, fp_arena *arena);

/* ---- List of plans ---- */

typedef struct fp_plan_request {
    unsigned bits, distance;     /* as in fp_block_design */
    double fingerprints;         /* ≥ 1 */
    double most_bytes;           /* for the tables; 0: no limit */
    const fp_key_sample *sample; /* of `bits` bits; NULL: uniform distribution */
} fp_plan_request;

typedef struct fp_index_plans {
    size_t count;
    fp_index_plan *rows;              /* in order of the methods, blocks by tables */
    const fp_index_plan *recommended; /* of blocks and scan, which this program builds: the least time that fits; if
                                         nothing fits, the scan */
    const char *reason;               /* a sentence */
} fp_index_plans;

/* Lists all methods; designs of up to k + 3 blocks on one level, and of k + 1 on both; and of all other designs, of at
 * most FP_PLAN_TABLES tables, those on the front. A row is on the front if no other row takes as few bytes and less
 * time, or fewer bytes and as little time. Without a sample the recommended row is the choice of
 * fp_block_design_choose. Lives in `arena`. FP_ERROR_RANGE: as above, or a sample of another width. */
enum { FP_PLAN_TABLES = 1024 };
fp_status fp_index_plans_make(const fp_plan_request *request, const fp_progress *progress, fp_arena *arena,
                              fp_index_plans *plans, fp_error *error);

/* "12.0 GiB", "640 bytes", for display. NULL: out of memory. */
const char *fp_bytes_text(double bytes, fp_arena *arena);
/* "1.9 µs", "107 ms". */
const char *fp_nanoseconds_text(double nanoseconds, fp_arena *arena);

#endif
