/* SPDX-License-Identifier: GPL-3.0-or-later
 * A generator of GSL whose state lives in an arena. */
#include "eval/units/generator.h"

fp_status fp_generator_open(uint64_t seed, uint64_t stream, fp_arena *arena, gsl_rng *generator, fp_error *error) {
    *generator = (gsl_rng){.type = gsl_rng_mt19937, .state = fp_arena_alloc(arena, 1, gsl_rng_mt19937->size)};
    if (!generator->state) return fp_no_memory(error);
    gsl_rng_set(generator, (uint32_t)fp_mix(seed, stream));
    return FP_OK;
}
