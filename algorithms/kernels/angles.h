/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * angles.h - angles of many cosines on the scale of 64 for half a turn, to a multiple of 2⁻³²: what the mathematical
 * library gives, rounded, without asking it.
 */
#ifndef FP_ANGLES_H
#define FP_ANGLES_H

#include "base/cpu.h"

/* angle[i] = 64·acos(cosine[i])/π, rounded to the nearest multiple of 2⁻³², i < count; NaN where that is a near tie
 * (two in a thousand), which another computation may round to the other side, and where the cosine is not from 0 to
 * 0.99. The same bits on every level. `cosine` and `angle` do not overlap. */
typedef void (*fp_angles_kernel)(const double *cosine, size_t count, double *angle);

extern const fp_angles_kernel fp_angles_kernels[FP_CPU_LEVELS];

#endif
