/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * keyed_sort.h - documents or distances in the order of a key of 64 bits.
 */
#ifndef FP_KEYED_SORT_H
#define FP_KEYED_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct fp_keyed {
    uint64_t key;
    union {
        uint32_t document;
        double distance;
    };
} fp_keyed;

/* Sorts *list[count] by key, ascending; those of one key stay in their order. *room[count] is used, and the two may
 * have changed places. Time is that of a pass for each byte in which keys differ. */
void fp_keyed_sort(fp_keyed **list, fp_keyed **room, size_t count);

#endif
