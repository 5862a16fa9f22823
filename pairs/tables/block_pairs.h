/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_pairs.h - fingerprints put into the groups of one table after the other.
 */
#ifndef FP_BLOCK_PAIRS_H
#define FP_BLOCK_PAIRS_H

#include "pairs/tables/block_tables.h"

typedef struct fp_block_grouping fp_block_grouping;

/* Room for one table in between; the source must stay. Ended by fp_block_grouping_close, which takes NULL. */
fp_status fp_block_grouping_open(const fp_block_source *source, size_t words, const fp_arenas *arenas,
                                 const fp_arena *like, fp_block_grouping **grouping, fp_error *error);
void fp_block_grouping_close(fp_block_grouping *grouping);

/* Fills begin[2^p + 1], fingerprints[count · words] and numbers[count · number_bytes], lowest byte first. Within a
 * group the order is that of the source, whatever the number of threads. The arenas are reset. */
fp_status fp_block_group(fp_block_grouping *grouping, const fp_key_bits *prefix, unsigned number_bytes, uint32_t *begin,
                         uint64_t *fingerprints, unsigned char *numbers, fp_error *error);

#endif
