/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * trie_builder.h - growing trie → compiled trie (text/segmentation/trie.h), at build time.
 */
#ifndef FP_TRIE_BUILDER_H
#define FP_TRIE_BUILDER_H

#include "text/segmentation/trie.h"

/* `value` holds the value of each node of `trie`: 0, or 2 and above; inner nodes of value 0 with a valued node
 * somewhere below them get FP_TRIE_PREFIX. `characters` is one more than the largest character number. The units live
 * in `arena`; the same trie gives the same units. */
fp_status fp_trie_build(const fp_growing_trie *trie, uint16_t *value, uint32_t characters, fp_arena *arena,
                        const uint64_t **units, size_t *unit_count, fp_error *error);

#endif
