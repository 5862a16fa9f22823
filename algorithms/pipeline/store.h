/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * store.h - the sketches of one arm, added in the order of their texts. Memory is the sketches, a byte a text, and two
 * numbers a text where sketches vary in size.
 */
#ifndef FP_STORE_H
#define FP_STORE_H

#include "algorithms/pipeline/pipeline.h"

typedef struct fp_store {
    fp_arena *arena;
    size_t stride; /* 0: sizes vary */
    size_t room;   /* texts */
    size_t count;  /* texts so far */
    size_t bytes;  /* of `data`: used, where sizes vary */
    size_t space;  /* of `data`, where sizes vary */
    unsigned char *data;
    size_t *offset, *size; /* [count + 1], [count] where sizes vary */
    bool *silent;          /* [count] */
    size_t silent_count;
} fp_store;

/* For sketches of this layout; `expected` texts, or SIZE_MAX where that is not known. All lives in `arena`. */
fp_status fp_store_open(fp_store *store, const fp_layout *layout, size_t expected, fp_arena *arena, fp_error *error);
/* `count` more, as fp_take_sketches gets them. */
fp_status fp_store_add(fp_store *store, size_t count, const fp_sketch *sketches, const bool *says, fp_error *error);
/* All that was added. They live as long as the arena; nothing is added afterwards. */
fp_status fp_store_close(fp_store *store, fp_sketches *sketches, fp_error *error);

#endif
