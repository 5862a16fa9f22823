/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * buckets.h - tables in the store of a collection (docs/index-format.md, "Tables"): entries of some words with the
 * number of a record each, and those that have the same prefix bits in one bucket. A bucket is read when it is first
 * asked for, and stays in memory, so that a collection opens at once, and look-ups after the first are as fast as in
 * memory.
 *
 * The key of a row is table · 2^50 + bucket · 2^19 + piece. Every bucket has a row for each FP_BUCKET_PIECE entries,
 * and a last one with fewer, perhaps none: so a row that is missing is noticed by whoever reads the bucket. A row is
 * the words of its entries, then their numbers, and of the index of granules their places: 8 and 4 bytes each.
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
    const uint32_t *places;  /* [count]; NULL where the tables have none */
} fp_bucket;

typedef struct fp_buckets {
    fp_records *records;
    uint64_t first; /* the number of the first table */
    size_t words, table_count;
    bool has_places;
    fp_key_bits *prefixes;   /* [table_count] */
    const fp_bucket ***read; /* [table_count][2^bits]; NULL: not read yet */
    bool *whole;             /* [table_count] all of it is read */
    const fp_arena *like;
    fp_arena *arena; /* of what was read */
} fp_buckets;

/* `prefixes` must stay. Ended by fp_buckets_close, which takes NULL. */
fp_status fp_buckets_open(const fp_buckets *form, const fp_arena *like, fp_buckets **buckets, fp_error *error);
void fp_buckets_close(fp_buckets *buckets);
/* Forgets what was read where that is more than 1 GiB: no bucket is in use. */
void fp_buckets_trim(fp_buckets *buckets);

/* Reads a bucket, one thread at a time. FP_ERROR_SYNTAX: a row of it is damaged or missing. */
fp_status fp_bucket_at(fp_buckets *in, size_t table, uint64_t number, const fp_bucket **bucket, fp_error *error);

/* Reads all buckets of a table that were not, one after the other: a tenth of the time that each alone takes. */
fp_status fp_bucket_read_all(fp_buckets *in, size_t table, fp_error *error);

/* Buckets have FP_BUCKET_LEAST entries and more, where keys are spread evenly. */
enum { FP_BUCKET_LEAST = 512 };
/* The prefix of keys of 64 bits that are spread evenly: their uppermost bits. In `arena`. */
fp_status fp_bucket_prefix(size_t entries, fp_arena *arena, fp_key_bits *prefix, fp_error *error);

/* Inside of a transaction: removes all tables that find what is near, or those of granules; writes one, whose bucket b
 * has the entries begin[b] … begin[b + 1] − 1. *bytes is added to. */
fp_status fp_buckets_remove(fp_records *records, bool granules, fp_error *error);
fp_status fp_buckets_write(const fp_buckets *to, size_t table, const uint32_t *begin, const fp_bucket *entries,
                           uint64_t *bytes, fp_error *error);

/* A sum over the entries of each table, whatever their order: sums[table_count], counts[table_count], but for numbers
 * that `gone` (may be NULL) is true of. Reads and checks every row: FP_ERROR_SYNTAX where one is damaged or missing. */
uint64_t fp_bucket_entry_sum(const uint64_t *entry, size_t words, uint32_t number);
fp_status fp_buckets_sum(const fp_buckets *of, bool (*gone)(const void *context, uint32_t number), const void *context,
                         uint64_t *sums, uint64_t *counts, fp_error *error);

#endif
