/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_rows.h - all documents up to the end of a tile against the tile, some rows at a time.
 */
#ifndef FP_POSTING_ROWS_H
#define FP_POSTING_ROWS_H

#include "pairs/count_tile.h"
#include "pairs/posting_tile.h"
#include "pairs/postings.h"

typedef struct fp_row_job {
    const fp_postings *of;
    fp_entry_table entries;
    size_t begin, end; /* documents of the tile, which is */
    const fp_posting_tile *exact;
    const fp_count_tile *counted; /* one or the other; where values are numbers over norms, by `unit` */
    double *unit;                 /* [entries.count] 1/norm */
} fp_row_job;

/* Pieces of the work. */
size_t fp_row_pieces(const fp_row_job *job);
/* One of them: of fp_parallel. */
fp_status fp_join_rows(void *job, size_t index, fp_arena *arena, fp_error *error);

#endif
