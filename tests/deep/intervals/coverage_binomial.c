/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_binomial: how often binomial intervals at 95% contain the true share, for 5 numbers of trials and 99 true
 * shares each. Nothing is simulated: the coverage is the sum of the binomial probabilities of those outcomes whose
 * interval holds the share. A share of n trials takes n + 1 values, so that coverage oscillates about the level from
 * share to share (Brown, Cai, DasGupta, Statistical Science 16, 2001), and few trials have a mean above it, 96.2% of
 * 20. What mid-p covers is therefore worked out here once more, from its definition (Berry, Armitage, The Statistician
 * 44, 1995): a share lies in the interval when both tails of the binomial law at that share, with half of the
 * probability of what was seen, are at least 2.5%. The lab's intervals must cover the same share by share, and
 * between 94% and 96% on average of 50 trials and more (Agresti, Gottard, Computational Statistics & Data Analysis 51,
 * 2007). Clopper and Pearson's is conservative by construction, at least 95% for each share. Exit status 1 when they
 * are not. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <gsl/gsl_randist.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/statistics/proportion_interval.h"

enum { SHARES = 99 };

typedef struct summary {
    double mean, least, most;
    double off; /* the largest difference from coverage by definition; of mid-p */
} summary;

static double coverage(const fp_interval *interval, unsigned trials, double share) {
    double sum = 0;
    for (unsigned k = 0; k <= trials; k++)
        if (interval[k].low <= share && share <= interval[k].high) sum += gsl_ran_binomial_pdf(k, share, trials);
    return sum;
}

/* By the definition of mid-p, without limits. */
static double coverage_by_definition(unsigned trials, double share) {
    double sum = 0;
    for (unsigned k = 0; k <= trials; k++) {
        double seen = gsl_ran_binomial_pdf(k, share, trials), below = gsl_cdf_binomial_P(k, share, trials) - seen / 2;
        if (below >= 0.025 && 1 - below >= 0.025) sum += seen;
    }
    return sum;
}

static summary summarise(bool exact, unsigned trials) {
    fp_interval *interval = malloc((trials + 1) * sizeof *interval);
    summary found = {0, 1, 0, 0};
    if (!interval) exit(1);
    for (unsigned k = 0; k <= trials; k++) interval[k] = fp_binomial_interval((double)k / trials, trials, 0.95, exact);
    for (int i = 1; i <= SHARES; i++) {
        double covered = coverage(interval, trials, i / (SHARES + 1.0));
        found.mean += covered / SHARES;
        found.off = fmax(found.off, fabs(covered - coverage_by_definition(trials, i / (SHARES + 1.0))));
        if (covered < found.least) found.least = covered;
        if (covered > found.most) found.most = covered;
    }
    free(interval);
    return found;
}

int main(void) {
    static const unsigned TRIALS[] = {20, 50, 150, 500, 2000};
    int bad = 0;
    printf(
        "Exact coverage over 99 true shares. Mid-p covers what its definition says, Clopper and Pearson's 95%% everywhere.\n");
    printf("trials         mid-p: mean, least, most          Clopper-Pearson            mid-p off by\n");
    for (size_t i = 0; i < sizeof TRIALS / sizeof *TRIALS; i++) {
        summary middle = summarise(false, TRIALS[i]), exact = summarise(true, TRIALS[i]);
        printf("%6u %14.4f %.4f %.4f %14.4f %.4f %.4f %14.1e\n", TRIALS[i], middle.mean, middle.least, middle.most,
               exact.mean, exact.least, exact.most, middle.off);
        bad |= middle.off > 1e-9 || middle.mean < 0.94 || (TRIALS[i] >= 50 && middle.mean > 0.96) || exact.least < 0.95;
    }
    return bad;
}
