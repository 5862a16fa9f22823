/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_banding.h - the S-curve of a banding as a picture.
 */
#ifndef FP_PLOT_BANDING_H
#define FP_PLOT_BANDING_H

#include "index/banding.h"
#include "reports/plots/gnuplot.h"

/* Writes draw->arms, what the script banding.gp is told: the goal, and `count` ≥ 1 choices, the chosen one first. */
fp_status fp_plot_banding_save(const fp_gnuplot *draw, const fp_banding_goal *goal, const fp_banding_choice *choices,
                               size_t count, fp_error *error);

/* Draws them as directory/plots/plan-banding; the same rules and errors as fp_plot_draw. */
fp_status fp_plot_banding_draw(const char *directory, const fp_banding_goal *goal, const fp_banding_choice *choices,
                               size_t count, const fp_plot_options *options, fp_error *error);

#endif
