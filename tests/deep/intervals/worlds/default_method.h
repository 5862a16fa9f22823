/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * default_method.h - what `eval` asks the library for when nobody says otherwise.
 */
#ifndef DEFAULT_METHOD_H
#define DEFAULT_METHOD_H

#include "eval/statistics/difference.h"

/* COVERAGE_OLD: of a library that takes Wilson's interval, and differences between arms from the bootstrap alone. */
#ifdef COVERAGE_OLD
enum { REPLICATES = 1, CONTEST_REPLICATES = 500 };
#define DEFAULT_METHOD FP_METHOD_WILSON
#define METHOD_OF_DIFFERENCES FP_METHOD_PERCENTILE
#define MARKED(estimate) false
#else
enum { REPLICATES = 0, CONTEST_REPLICATES = 0 };
#define DEFAULT_METHOD FP_METHOD_MID_P
#define METHOD_OF_DIFFERENCES FP_METHOD_MID_P
#define MARKED(estimate) ((estimate)->few)
#endif

/* Seeds that a figure is averaged over. */
#if __has_include("eval/statistics/dyadic_variance.h")
enum { SEEDS_DRAWN = 10 };
#else
enum { SEEDS_DRAWN = 1 };
#endif

static const double CONFIDENCE = 0.95;
static const fp_progress ALONE = {.threads = 1}; /* one of many repetitions side by side */

#endif
