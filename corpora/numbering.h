/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * numbering.h - numbers for texts in the order in which they are first seen. Texts are told apart by XXH3-64.
 */
#ifndef FP_NUMBERING_H
#define FP_NUMBERING_H

#include "base/map.h"

/* {.like = …}: nothing is seen. Grows outside of any arena's reach; released by fp_numbering_free. */
typedef struct fp_numbering {
    fp_map map;
    const fp_arena *like; /* maps are from where this has its memory; NULL: malloc */
    fp_arena *arena;      /* of the map */
    size_t count, room;
} fp_numbering;

/* The number of a text; *fresh: it is new. FP_ERROR_MEMORY. */
fp_status fp_numbering_of(fp_numbering *numbering, fp_string text, uint32_t *number, bool *fresh, fp_error *error);
/* The number, or FP_MAP_NONE for a text that was not seen. */
uint32_t fp_numbering_find(const fp_numbering *numbering, fp_string text);
void fp_numbering_free(fp_numbering *numbering);

#endif
