/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * buckets.h - tables in the store of a collection (docs/index-format.md, "Tables"): entries of some words, each with
 * the number of a record. Entries with the same prefix bits form a bucket. A bucket is read when first needed and stays
 * in memory, so that a collection opens at once, and later look-ups run at memory speed.
 *
 * The key of a row is table · 2^50 + bucket · 2^19 + piece. A bucket has one row for each FP_BUCKET_PIECE entries, and
 * a last one with fewer, perhaps none, so that readers notice a missing row. A row is the words of its entries (8 bytes
 * each), their numbers (4 bytes) and, in the granule index, their places (4 bytes).
 */
#ifndef FP_BUCKETS_H
#define FP_BUCKETS_H

#include "index/store/record_store.h"
#include "pairs/lsh_tables.h"

enum {
    FP_BUCKET_PIECE = 8192,
    FP_BUCKET_MOST_BITS = 30,     /* of a prefix */
    FP_BUCKET_GRANULES = 1 << 12, /* the first table of the granule index; lower numbers are near-search tables */
    FP_BUCKET_TABLES = FP_BUCKET_GRANULES + 2
};

typedef struct fp_bucket {
    size_t count;
    const uint64_t *words;   /* [count · words] */
    const uint32_t *numbers; /* [count] */
    const uint32_t *places;  /* [count]; NULL: the tables have no places */
} fp_bucket;

typedef struct fp_buckets {
    fp_records *records;
    uint64_t first; /* number of the first table */
    size_t words, table_count;
    bool has_places;
    fp_key_bits *prefixes;   /* [table_count] */
    const fp_bucket ***read; /* [table_count][2^bits]; NULL: not read yet */
    const fp_arena *like;
    fp_arena *arena; /* for the buckets in memory */
} fp_buckets;

/* `prefixes` must stay valid. Close with fp_buckets_close, which accepts NULL. */
fp_status fp_buckets_open(const fp_buckets *form, const fp_arena *like, fp_buckets **buckets, fp_error *error);
void fp_buckets_close(fp_buckets *buckets);
/* Discards the buckets in memory if they exceed 1 GiB. No bucket may be in use. */
void fp_buckets_trim(fp_buckets *buckets);

/* Reads a bucket, one thread at a time. FP_ERROR_SYNTAX: a row is damaged or missing. */
fp_status fp_bucket_at(fp_buckets *in, size_t table, uint64_t number, const fp_bucket **bucket, fp_error *error);

/* Minimum average size of a bucket, for uniformly distributed keys. */
enum { FP_BUCKET_LEAST = 512 };
/* The prefix of uniformly distributed 64-bit keys: their uppermost bits. In `arena`. */
fp_status fp_bucket_prefix(size_t entries, fp_arena *arena, fp_key_bits *prefix, fp_error *error);

/* Inside a transaction: removes all tables for near search, or those of granules; writes a table whose bucket b has the
 * entries begin[b] … begin[b + 1] − 1, and adds its size to *bytes. */
fp_status fp_buckets_remove(fp_records *records, bool granules, fp_error *error);
fp_status fp_buckets_write(const fp_buckets *to, size_t table, const uint32_t *begin, const fp_bucket *entries,
                           uint64_t *bytes, fp_error *error);

/* Sums the entries of each table, in any order, except for numbers where `gone` (may be NULL) returns true:
 * sums[table_count], counts[table_count]. Reads and checks every row. FP_ERROR_SYNTAX: a row is damaged or missing. */
uint64_t fp_bucket_entry_sum(const uint64_t *entry, size_t words, uint32_t number);
fp_status fp_buckets_sum(const fp_buckets *of, bool (*gone)(const void *context, uint32_t number), const void *context,
                         uint64_t *sums, uint64_t *counts, fp_error *error);

#endif
