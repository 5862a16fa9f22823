/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * document.h - the threshold that the literature has for what an arm measures. It is a beginning, not advice:
 * which threshold serves depends on the texts, and `fplab tune` finds it on labelled ones.
 */
#ifndef FP_DOCUMENT_H
#define FP_DOCUMENT_H

#include "algorithms/arms/arm.h"

typedef struct fp_usual_threshold {
    double distance;    /* the largest that is called a duplicate; NaN where nothing is usual */
    const char *source; /* who has it, and what it is on the measure; "" where nothing is usual */
} fp_usual_threshold;

/* By the arm's measure, so that arms of one measure are equally strict: thresholds are similarities, and the distance
 * is the largest at which the arm stands for that much.
 *
 *     equality                    1: equal texts alone
 *     cosine                      cos(3π/64): an angle at which 3 of 64 bits differ, on average
 *     Jaccard, weighted Jaccard   0.8
 *
 * What has no measure (pinyin), or one for which nobody states a threshold (winnowing, sentences), has none. */
fp_usual_threshold fp_arm_usual_threshold(const fp_arm *arm);

#endif
