/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of bit fingerprints. */
#include <string.h>

#include "algorithms/kernels/bit_counts.h"
#include "algorithms/kernels/hamming.h"
#include "eval/experiment/tally/pair_tally.h"

/* Rows of one piece of work; a multiple of what the kernels take at once. */
enum { ROWS = 240 };

static size_t words_of(const fp_tally_way *way) { return way->all->measurement->sketches.stride / 8; }

/* Even ones first, so that the parity of every distance is known. */
static fp_status fill(fp_tally_way *way, fp_arena *arena, fp_tally_set *set, fp_error *error) {
    const fp_sketches *sketches = &way->all->measurement->sketches;
    size_t words = words_of(way), at = 0;
    uint64_t *to = fp_arena_raw(arena, set->count, words * sizeof *to);
    uint32_t *document = fp_arena_raw(arena, set->count, sizeof *document);
    if (!to || !document) return fp_no_memory(error);
    set->sketches = to;
    for (int odd = 0; odd < 2; odd++) {
        for (size_t i = 0; i < set->count; i++) {
            const uint64_t *from = fp_hamming_words(sketches, set->document[i]);
            if (fp_tally_odd(from, words) != odd) continue;
            memcpy(to + at * words, from, words * sizeof *to);
            document[at++] = set->document[i];
        }
        if (!odd) set->parted = at;
    }
    set->document = document;
    return FP_OK;
}

static void count_parity(const fp_tally_way *way, const fp_tally_set *set, size_t begin, size_t end, size_t from,
                         size_t to, fp_pair_watch *watch, uint64_t *tally) {
    size_t words = words_of(way);
    const uint64_t *all = set->sketches;
    if (watch) watch->row = begin, watch->other = from;
    fp_tally_chosen()->kernel(all + begin * words, end - begin, all + from * words, to - from, words,
                              (begin < set->parted) != (from < set->parted), watch ? &watch->watch : NULL, tally);
}

static fp_status count(const fp_tally_way *way, const fp_tally_set *set, size_t begin, size_t end, size_t from,
                       size_t to, fp_pair_watch *watch, fp_arena *arena, uint64_t *tally, fp_error *error) {
    (void)arena, (void)error;
    size_t even = to < set->parted ? to : set->parted, odd = from > set->parted ? from : set->parted;
    if (from < even) count_parity(way, set, begin, end, from, even, watch, tally);
    if (odd < to) count_parity(way, set, begin, end, odd, to, watch, tally);
    return FP_OK;
}

static uint32_t own(const fp_tally_way *way, const fp_tally_set *set, size_t row) {
    (void)way, (void)set, (void)row;
    return 0;
}

static uint32_t distance(const fp_tally_way *way, size_t a, size_t b) {
    const fp_sketches *sketches = &way->all->measurement->sketches;
    const uint64_t *one = fp_hamming_words(sketches, a), *other = fp_hamming_words(sketches, b);
    uint32_t bits = 0;
    for (size_t w = 0; w < words_of(way); w++) bits += fp_bits_portable(one[w] ^ other[w]);
    return bits;
}

fp_status fp_all_pairs_bits(const fp_all_pairs *all, fp_error *error) {
    size_t distances = all->measurement->sketches.stride * 8 + 1;
    fp_tally_way way = {.all = all,
                        .distances = distances,
                        .tally = FP_TALLY_LANES * distances,
                        .rows = ROWS,
                        .fill = fill,
                        .count = count,
                        .own = own,
                        .distance = distance};
    return fp_pair_tally(&way, error);
}
