/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * document_places.h - documents in the order of a key.
 */
#ifndef FP_DOCUMENT_PLACES_H
#define FP_DOCUMENT_PLACES_H

#include <stddef.h>
#include <stdint.h>

typedef struct fp_place {
    uint64_t key;
    uint32_t document;
} fp_place;

/* Sorts *places[count] by key, ascending; those of one key stay in their order. *room[count] is used, and the two may
 * have changed places. */
void fp_places_sort(fp_place **places, fp_place **room, size_t count);

#endif
