/* SPDX-License-Identifier: GPL-3.0-or-later
 * Four lanes at a time: four bits choose a row of ±1, and a product with ±1 is exact. Portable C that compilers turn
 * into vectors, an order of magnitude faster than a choice of ±weight bit by bit. */
#include "algorithms/kernels/lanes.h"

#define SIGN(row, bit) ((row) >> (bit) & 1 ? 1.0 : -1.0)
#define ROW(row) {SIGN(row, 0), SIGN(row, 1), SIGN(row, 2), SIGN(row, 3)}

static const _Alignas(32) double ROWS[16][4] = {ROW(0), ROW(1), ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7),
                                                ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};

void fp_lanes_add(double *sum, uint64_t signs, double weight) {
    for (unsigned i = 0; i < FP_LANES; i += 4) {
        const double *row = ROWS[signs >> i & 15];
        double made[4]; /* all four before the first is stored: what gcc needs to see a vector */
        for (unsigned lane = 0; lane < 4; lane++) made[lane] = sum[i + lane] + weight * row[lane];
        for (unsigned lane = 0; lane < 4; lane++) sum[i + lane] = made[lane];
    }
}
