/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_table.h - the inside of block tables, for what builds, reads, writes and asks them.
 */
#ifndef FP_BLOCK_TABLE_H
#define FP_BLOCK_TABLE_H

#include "index/blocks/block_tables.h"
#include "index/key_bits.h"
#include "index/section_file.h"

/* Group g holds the fingerprints from begin[g] to begin[g + 1] − 1, whose prefix bits, the lowest first, are g; in the
 * order of the source. */
typedef struct fp_block_table {
    fp_key_bits prefix;           /* the p lowest bits of the key, p < 32 */
    const uint32_t *begin;        /* [2^p + 1] */
    const uint64_t *fingerprints; /* [count · words] */
    const unsigned char *numbers; /* [count · number_bytes], the lowest byte first */
    atomic_uchar *right[3];       /* of the three in a file (fp_section_touch) */
} fp_block_table;

struct fp_block_tables {
    fp_block_design design;
    size_t words, count;
    unsigned number_bytes; /* 3 or 4 */
    size_t table_count;    /* 1 for a scan: a table of one group */
    fp_block_table *tables;
    fp_arena *arena; /* of what is small */
    const fp_arena *like;
    void **owned; /* [owned_count] in memory: what `like` gave */
    size_t owned_count;
    fp_section_file *file; /* or where the tables are mapped from */
};

/* Sections of a file: "design" and "prefixes", then of each table its parts; "fingerprints.7" is one of table 7. */
enum { FP_BLOCK_SECTIONS_BEFORE = 2, FP_BLOCK_PARTS = 3 };
extern const char *const fp_block_part[FP_BLOCK_PARTS];

/* The prefix of each table, of number_bytes or four: in `arena`; *table_count is 1 for a scan. */
fp_status fp_block_prefixes(const fp_block_design *design, size_t count, unsigned number_bytes, fp_arena *arena,
                            fp_block_table **tables, size_t *table_count, fp_error *error);
/* What a source and a design must be. *number_bytes: 3 where every number is below 2^24. */
fp_status fp_block_source_check(const fp_block_design *design, const fp_block_source *source, unsigned *number_bytes,
                                fp_error *error);
/* Memory that is not zeroed, on large pages where the system has them: look-ups go everywhere. Given back by
 * fp_memory_release. */
void *fp_block_room(const fp_arena *like, size_t count, size_t size);

static inline size_t fp_block_groups(const fp_block_table *table) { return (size_t)1 << table->prefix.bits; }

static inline uint32_t fp_block_number(const fp_block_tables *in, const fp_block_table *table, size_t i) {
    const unsigned char *at = table->numbers + i * in->number_bytes;
    uint32_t number = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    return in->number_bytes == 4 ? number | (uint32_t)at[3] << 24 : number;
}

/* Entries *first … *end − 1 of a group. A directory with the right checksum may still have been made by somebody; it
 * leads nowhere else. */
static inline fp_status fp_block_range(const fp_block_tables *in, const fp_block_table *table, uint64_t group,
                                       size_t *first, size_t *end, fp_error *error) {
    FP_TRY(fp_section_touch(in->file, table->right[0], group * sizeof *table->begin, (group + 2) * sizeof *table->begin,
                            error));
    *end = table->begin[group + 1] < in->count ? table->begin[group + 1] : in->count;
    *first = table->begin[group] < *end ? table->begin[group] : *end;
    return FP_OK;
}

/* Before entries first … end − 1 are read. */
static inline fp_status fp_block_touch(const fp_block_tables *in, const fp_block_table *table, size_t first, size_t end,
                                       fp_error *error) {
    size_t bytes = in->words * sizeof *table->fingerprints;
    if (first >= end) return FP_OK;
    FP_TRY(fp_section_touch(in->file, table->right[1], first * bytes, end * bytes, error));
    return fp_section_touch(in->file, table->right[2], first * in->number_bytes, end * in->number_bytes, error);
}

/* A table before number `before` has both in one group, and tells what is near. */
static inline bool fp_block_told(const fp_block_table *tables, size_t before, const uint64_t *a, const uint64_t *b) {
    for (size_t t = 0; t < before; t++)
        if (fp_key_bits_agree(&tables[t].prefix, a, b)) return true;
    return false;
}

static inline uint32_t fp_block_distance(const uint64_t *a, const uint64_t *b, size_t words) {
    uint32_t bits = 0;
    for (size_t w = 0; w < words; w++) bits += (uint32_t)__builtin_popcountll(a[w] ^ b[w]);
    return bits;
}

#endif
