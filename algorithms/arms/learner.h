/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * learner.h - what an arm learns, from texts that come in batches and are gone afterwards. Document frequencies take
 * one pass over all texts, the algorithm's own model another, in that order; of a text is kept what they need.
 */
#ifndef FP_LEARNER_H
#define FP_LEARNER_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"

/* 0 for an arm that learns nothing, else 1 or 2. */
size_t fp_learner_passes(const fp_arm *arm);

typedef struct fp_learner fp_learner;
/* Works over as many threads as fp_threads(progress) says, and learns the same over any number of them. The caller ends
 * it with fp_learner_close, which takes NULL too. FP_ERROR_MEMORY. */
fp_status fp_learner_open(fp_arm *arm, const fp_progress *progress, fp_learner **learner, fp_error *error);
void fp_learner_close(fp_learner *learner);

/* `count` texts more (UTF-8, not normalised); they need not live on. */
fp_status fp_learner_add(fp_learner *learner, const fp_string *texts, size_t count, fp_error *error);

/* All texts have been seen once: the arm takes what was learned. A second pass sees the same texts again. */
fp_status fp_learner_end_pass(fp_learner *learner, fp_error *error);

#endif
