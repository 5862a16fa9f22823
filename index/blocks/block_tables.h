/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_tables.h - exact search within a Hamming distance: a table for each key of a design (index/blocks/
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
#include "index/blocks/block_design.h"

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

#endif
