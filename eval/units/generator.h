/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * generator.h - GSL's Mersenne Twister (Matsumoto, Nishimura, ACM TOMACS 8, 1998) in an arena.
 */
#ifndef FP_GENERATOR_H
#define FP_GENERATOR_H

#include <gsl/gsl_rng.h>

#include "base/base.h"

/* gsl_rng_alloc would abort where there is no memory. The same numbers for the same seed and stream; not to be
 * freed. */
fp_status fp_generator_open(uint64_t seed, uint64_t stream, fp_arena *arena, gsl_rng *generator, fp_error *error);

#endif
