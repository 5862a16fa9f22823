/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cost lines and their lower envelope. */
#include "eval/decision/cost.h"

double fp_cost_probability(double prevalence, double ratio) {
    return prevalence * ratio / (prevalence * ratio + 1 - prevalence);
}

double fp_cost_of(double fnr, double fpr, double probability) { return fnr * probability + fpr * (1 - probability); }

/* Calling a pool changes FNR by −p/P and FPR by n/N: it pays from PC(+) = (n/N)/(n/N + p/P) on. */
static double pays_from(const fp_pool *pool, double positives, double negatives) {
    double fp = (double)pool->negatives / negatives, tp = (double)pool->positives / positives;
    return fp / (fp + tp);
}

size_t fp_cost_envelope(const fp_pool *pools, size_t count, fp_cost_corner *corners) {
    uint64_t positives = 0, negatives = 0;
    for (size_t i = 0; i < count; i++) {
        positives += pools[i].positives;
        negatives += pools[i].negatives;
    }
    if (!positives || !negatives) return 0;
    corners[0] = (fp_cost_corner){.threshold = FP_CALL_NOTHING, .fnr = 1, .to = 1};
    for (size_t i = 0; i < count; i++) {
        fp_cost_corner *corner = corners + i + 1;
        corner->threshold = pools[i].to;
        corner->tp = corners[i].tp + pools[i].positives;
        corner->fp = corners[i].fp + pools[i].negatives;
        corner->fnr = (double)(positives - corner->tp) / (double)positives;
        corner->fpr = (double)corner->fp / (double)negatives;
        corner->from = corners[i].to = pays_from(pools + i, (double)positives, (double)negatives);
        corner->to = 1;
    }
    return count + 1;
}

const fp_cost_corner *fp_cost_least(const fp_cost_corner *corners, size_t count, double probability) {
    size_t at = 0;
    while (at + 1 < count && probability > corners[at].to) at++;
    return corners + at;
}
