/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interval.h - what a confidence interval is.
 */
#ifndef FP_INTERVAL_H
#define FP_INTERVAL_H

#include <stdint.h>

typedef struct fp_interval {
    double low, high; /* NaN when there were no trials */
} fp_interval;

#endif
