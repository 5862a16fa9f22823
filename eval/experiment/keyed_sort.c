/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorted digit by digit, from the lowest; digits that all keys have alike are passed over. */
#include "eval/experiment/keyed_sort.h"

enum { DIGIT = 8, DIGITS = 64 / DIGIT, VALUES = 1 << DIGIT };

static size_t digit_of(uint64_t key, size_t digit) { return key >> digit * DIGIT & (VALUES - 1); }

/* count[v] is how many have the value v there. */
static void move_by_digit(const fp_keyed *from, size_t length, size_t digit, size_t count[VALUES], fp_keyed *to) {
    for (size_t v = 0, begin = 0; v < VALUES; v++) {
        size_t here = count[v];
        count[v] = begin;
        begin += here;
    }
    for (size_t i = 0; i < length; i++) to[count[digit_of(from[i].key, digit)]++] = from[i];
}

void fp_keyed_sort(fp_keyed **list, fp_keyed **room, size_t count) {
    size_t counts[DIGITS][VALUES] = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; d < DIGITS; d++) counts[d][digit_of((*list)[i].key, d)]++;
    for (size_t d = 0; d < DIGITS && count; d++) {
        fp_keyed *from = *list, *to = *room;
        if (counts[d][digit_of(from->key, d)] == count) continue;
        move_by_digit(from, count, d, counts[d], to);
        *list = to;
        *room = from;
    }
}
