/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index_plan.h - what it costs to find every fingerprint within a Hamming distance of a query, one way and another:
 *
 * - scan: the query is compared with every fingerprint;
 * - variants: one table of all fingerprints, in which everything within the distance k of the query is looked up, Σ
 *   C(f, i) for i = 1 … k; or stored variants: a copy of each fingerprint under everything within the distance, and a
 *   single look-up;
 * - shared: k + 1 blocks under one key space, by their values alone, as where keys bear no number of the block: each
 *   look-up meets the entries of all positions;
 * - blocks: a table for every choice of blocks, on one level or two (pairs/block_design.h).
 *
 * Candidates and comparisons are expected values for fingerprints that are spread evenly, or, with a sample of real
 * ones, for those. Bytes and nanoseconds are those of fp_block_design_cost.
 */
#ifndef FP_INDEX_PLAN_H
#define FP_INDEX_PLAN_H

#include "base/parallel.h"
#include "pairs/block_design.h"

/* ---- How much more often real fingerprints share a key than fingerprints that are spread evenly ----
 *
 * Where a key k has probability p(k), a query like those that are stored meets N·Σ p² of N fingerprints: N/2^w for a
 * key of w bits spread evenly, and never less (Cauchy and Schwarz). Of m fingerprints drawn at random, the share of
 * pairs that agree in the key, Σ c(c − 1)/(m(m − 1)) with c of them under each key, is an unbiased estimate of Σ p².
 * Pairs within the distance are left out of it: they are what is asked for, under every design, and a sample of known
 * duplicates has many. */

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

typedef enum fp_plan_method {
    FP_PLAN_SCAN,
    FP_PLAN_VARIANTS,
    FP_PLAN_STORED_VARIANTS,
    FP_PLAN_SHARED,
    FP_PLAN_BLOCKS
} fp_plan_method;

typedef struct fp_index_plan {
    fp_plan_method method;
    fp_block_design design;      /* of blocks and shared blocks; else bits and distance alone */
    double tables, copies;       /* of all fingerprints; of each */
    double lookups;              /* a query; of variants those beside the query's own */
    unsigned key_bits, key_most; /* of the narrowest key and of the widest; 0 without tables */
    double lookup_most;          /* candidates expected under the narrowest key */
    double candidates;           /* a query: fingerprints under its keys, one as often as tables bring it */
    double comparisons;          /* a query: candidates, and what else is in their groups */
    double skew;                 /* candidates as a multiple of those of an even spread; NaN without a sample */
    double agreeing; /* pairs of the sample, not within the distance, that agree in a key, over all tables; NaN without
                        one */
    double bytes;    /* of all tables, without records */
    double nanoseconds; /* a query */
    bool fits, front, recommended;
} fp_index_plan;

/* One of them, of fingerprints that are spread evenly; fits, front and recommended are false. Of the design only bits
 * and distance are read where the method has no blocks; shared blocks have one level, with agree 1. FP_ERROR_RANGE with
 * the reason for fewer fingerprints than 1, and what fp_block_design_check refuses. */
fp_status fp_index_plan_make(fp_plan_method method, const fp_block_design *design, double fingerprints,
                             fp_index_plan *plan, fp_error *error);
/* The same of fingerprints like a sample, which has the bits of the design: candidates, comparisons, skew, agreeing and
 * nanoseconds. Those of variants stay as they are. */
fp_status fp_index_plan_correct(fp_index_plan *plan, double fingerprints, const fp_key_sample *sample,
                                const fp_progress *progress, fp_error *error);

/* "scan", "variants", "variants,stored", "blocks=4,shared", "blocks=6,agree=3", "blocks=4+4". NULL: no memory. */
const char *fp_index_plan_text(const fp_index_plan *plan, fp_arena *arena);

/* ---- All of them ---- */

typedef struct fp_plan_request {
    unsigned bits, distance;     /* as of fp_block_design */
    double fingerprints;         /* ≥ 1 */
    double most_bytes;           /* for the tables; 0: no limit */
    const fp_key_sample *sample; /* of `bits` bits; NULL: spread evenly */
} fp_plan_request;

typedef struct fp_index_plans {
    size_t count;
    fp_index_plan *rows;              /* the methods in their order, blocks by tables */
    const fp_index_plan *recommended; /* of blocks and scan, which this program builds: the least time that fits; where
                                         nothing fits, the scan */
    const char *reason;               /* a sentence */
} fp_index_plans;

/* The methods; designs of up to k + 3 blocks on one level, and of k + 1 on both; and of all others, of at most
 * FP_PLAN_TABLES tables, those that no other one beats in bytes and time. A row is on the front where no other one
 * takes as few bytes and less time, or fewer bytes and as little time. Without a sample the recommended one is that of
 * fp_block_design_choose. Lives in `arena`. FP_ERROR_RANGE as above, and for a sample of another width. */
enum { FP_PLAN_TABLES = 1024 };
fp_status fp_index_plans_make(const fp_plan_request *request, const fp_progress *progress, fp_arena *arena,
                              fp_index_plans *plans, fp_error *error);

/* "12.0 GiB", "640 bytes": for a person. NULL when there is no memory. */
const char *fp_bytes_text(double bytes, fp_arena *arena);
/* "1.9 µs", "107 ms". */
const char *fp_nanoseconds_text(double nanoseconds, fp_arena *arena);

#endif
