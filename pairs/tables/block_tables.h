/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_tables.h - exact search within a Hamming distance: a table for each key of a design (pairs/tables/
 * block_design.h), in memory, or in one file that is mapped into it.
 *
 * A table has its fingerprints grouped by the first p bits of their key, a directory of 2^p + 1 starts, and the number
 * of each fingerprint beside it, in three bytes where all are below 2^24, else in four: for 64 bits 11 or 12 bytes a
 * fingerprint and table, and at most one, or a sixteenth, of the directory. Without tables ("scan") there is one group
 * of all. A fingerprint that several tables bring is told by the first of them.
 */
#ifndef FP_BLOCK_TABLES_H
#define FP_BLOCK_TABLES_H

#include "base/parallel.h"
#include "pairs/tables/block_design.h"
#include "pairs/lsh_tables.h"
#include "pairs/tables/section_file.h"

typedef struct fp_block_tables fp_block_tables; /* read-only; any number of threads may query it */

typedef struct fp_found {
    uint32_t number;
    uint32_t distance;
} fp_found;

/* What queries cost, added up. */
typedef struct fp_block_work {
    uint64_t queries;
    uint64_t lookups;  /* groups that were looked up */
    uint64_t compared; /* fingerprints in them */
    uint64_t found;
} fp_block_work;

/* ---- Making, opening, closing ---- */

/* What is indexed: count < 2^32 − 1 fingerprints of fp_block_words(design->bits) words each, one after the other, and
 * their numbers ascending, each once; NULL: 0, 1, … */
typedef struct fp_block_source {
    const uint64_t *fingerprints;
    const uint32_t *numbers;
    size_t count;
} fp_block_source;

/* In memory, which comes from where `like` has its own (base/base.h). Nothing of the source is kept. The same bytes for
 * any number of threads. FP_ERROR_RANGE: a design that does not hold, too many fingerprints, bits beyond design->bits
 * that are set. The caller ends it with fp_block_tables_close. */
fp_status fp_block_tables_build(const fp_block_design *design, const fp_block_source *source,
                                const fp_progress *progress, const fp_arena *like, fp_block_tables **tables,
                                fp_error *error);
/* Into a file that appears whole or not at all, with the memory of one table at a time: docs/index-format.md. */
fp_status fp_block_tables_write(const fp_block_design *design, const fp_block_source *source, const char *path,
                                const fp_progress *progress, const fp_arena *like, fp_error *error);
/* At once: header and directory of sections are checked, nothing else is read. FP_ERROR_IO, FP_ERROR_ABI (another
 * version, another order of bytes), FP_ERROR_SYNTAX (no such file, damaged, cut off); each names the file. */
fp_status fp_block_tables_open(const char *path, const fp_arena *like, fp_block_tables **tables, fp_error *error);
void fp_block_tables_close(fp_block_tables *tables); /* takes NULL */

const fp_block_design *fp_block_tables_design(const fp_block_tables *tables);
size_t fp_block_tables_count(const fp_block_tables *tables);
/* Of all tables, with their directories. */
size_t fp_block_tables_bytes(const fp_block_tables *tables);
/* Of a file: what fp_section_file_sum says; 0 in memory. */
uint64_t fp_block_tables_sum(const fp_block_tables *tables);
/* Every fingerprint once, in the order of the first table: entry i < count; they lie side by side. To read a file's
 * fingerprints back. */
const uint64_t *fp_block_tables_entry(const fp_block_tables *tables, size_t i, uint32_t *number);
/* Before entries first … first + count − 1 are believed: FP_ERROR_SYNTAX where their file is damaged. */
fp_status fp_block_tables_touch(const fp_block_tables *tables, size_t first, size_t count, fp_error *error);

/* Every checksum of a file. Each damaged part is told in one line: which table, which bytes, and what is
 * lost. *problems (may be NULL) counts them. Nothing to do in memory. */
fp_status fp_block_tables_verify(const fp_block_tables *tables, void (*tell)(void *context, const char *line),
                                 void *context, uint64_t *problems, const fp_progress *progress, fp_error *error);

/* ---- Queries ---- */

/* Every fingerprint within `distance`, each once, by ascending distance, then number, in `arena`. `work` (may be NULL)
 * is added to. FP_ERROR_RANGE for a distance beyond the design's. */
fp_status fp_block_tables_near(const fp_block_tables *tables, const uint64_t *query, unsigned distance, fp_arena *arena,
                               const fp_found **found, size_t *count, fp_block_work *work, fp_error *error);

/* What query number `query` found, in the same order; `found` is the arena's, and may be overwritten. Several threads
 * call it at once, once a query. */
typedef fp_status (*fp_tell_found)(void *context, size_t query, const fp_found *found, size_t count, fp_arena *arena,
                                   fp_error *error);
/* Many queries at once, their waits for memory overlapped. The arenas are reset. `work` as above. */
fp_status fp_block_tables_near_each(const fp_block_tables *tables, const uint64_t *queries, size_t query_count,
                                    unsigned distance, fp_tell_found tell, void *context, const fp_arenas *arenas,
                                    const fp_progress *progress, fp_block_work *work, fp_error *error);

/* ---- All pairs ---- */

typedef struct fp_found_pair {
    uint32_t a, b; /* numbers, a < b */
    uint32_t distance;
} fp_found_pair;

/* Several threads call it at once; `pairs` is gone afterwards. */
typedef fp_status (*fp_tell_found_pairs)(void *context, const fp_found_pair *pairs, size_t count, fp_error *error);

/* All pairs within the design's distance, each once, in batches of no particular order; one table after the other, with
 * twice the memory of one. The arenas are reset. */
fp_status fp_block_pairs(const fp_block_design *design, const fp_block_source *source, fp_tell_found_pairs tell,
                         void *context, const fp_arenas *arenas, const fp_progress *progress, fp_error *error);

/* ---- the inside of block tables, for what builds, reads, writes and asks them. ---- */

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
