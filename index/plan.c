/* SPDX-License-Identifier: GPL-3.0-or-later
 * The arithmetic of the pigeonhole index. */
#include "index/plan.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

/* Fingerprints within 1 … k bits of a given one. */
static double count_variants(unsigned bits, unsigned distance) {
    double sum = 0;
    for (unsigned i = 1; i <= distance; i++) sum += round(gsl_sf_choose(bits, i));
    return sum;
}

fp_status fp_plan_make(unsigned bits, unsigned blocks, unsigned distance, double fingerprints, fp_plan *plan,
                       fp_error *error) {
    if (bits < 1 || bits > 1024) return fp_fail(error, FP_ERROR_RANGE, "bits takes 1 to 1024, not %u", bits);
    if (blocks <= distance || blocks > bits)
        return fp_fail(error, FP_ERROR_RANGE, "a distance of %u needs more than %u blocks, and at most %u", distance,
                       distance, bits);
    if (!(fingerprints >= 1)) return fp_fail(error, FP_ERROR_RANGE, "at least one fingerprint");
    *plan = (fp_plan){.bits = bits, .blocks = blocks, .distance = distance, .fingerprints = fingerprints};
    plan->smallest_block = bits / blocks;
    plan->lookups = plan->storage = blocks;
    plan->brute_force = fingerprints;
    plan->variants = count_variants(bits, distance);
    /* The first bits % blocks blocks are one bit wider. */
    for (unsigned b = 0; b < blocks; b++)
        plan->candidates += fingerprints / ldexp(1, (int)(bits / blocks + (b < bits % blocks)));
    plan->candidates_shared = plan->candidates * blocks;
    return FP_OK;
}
