/* SPDX-License-Identifier: GPL-3.0-or-later
 * Places sorted digit by digit, from the lowest. */
#include "eval/experiment/drawing/document_places.h"

void fp_places_sort(fp_place **places, fp_place **room, size_t count) {
    enum { DIGIT = 8, DIGITS = 64 / DIGIT, VALUES = 1 << DIGIT };
    for (size_t d = 0; d < DIGITS; d++) {
        size_t begin[VALUES + 1] = {0};
        fp_place *from = *places, *to = *room;
        for (size_t i = 0; i < count; i++) begin[(from[i].key >> d * DIGIT) % VALUES + 1]++;
        for (size_t v = 1; v < VALUES; v++) begin[v] += begin[v - 1];
        for (size_t i = 0; i < count; i++) to[begin[(from[i].key >> d * DIGIT) % VALUES]++] = from[i];
        *places = to;
        *room = from;
    }
}
