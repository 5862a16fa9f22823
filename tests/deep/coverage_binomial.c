/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_binomial: how often binomial intervals at 95% contain the true share, for 5 numbers of trials and 99 true
 * shares each. Nothing is simulated: the coverage is the sum of the binomial probabilities of those outcomes whose
 * interval holds the share. Mid-p's must be between 94% and 96% on average over the shares (Agresti, Gottard,
 * Computational Statistics & Data Analysis 51, 2007): a single share oscillates about the level, because a share of n
 * trials takes n + 1 values (Brown, Cai, DasGupta, Statistical Science 16, 2001). Clopper and Pearson's is conservative
 * by construction, at least 95% for each share, and above 96% on average where trials are few. Exit status 1 when they
 * are not. */
#include <gsl/gsl_randist.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/statistics/share_interval.h"

enum { SHARES = 99 };

typedef struct summary {
    double mean, least, most;
} summary;

static double coverage(const fp_interval *interval, unsigned trials, double share) {
    double sum = 0;
    for (unsigned k = 0; k <= trials; k++)
        if (interval[k].low <= share && share <= interval[k].high) sum += gsl_ran_binomial_pdf(k, share, trials);
    return sum;
}

static summary summarise(bool exact, unsigned trials) {
    fp_interval *interval = malloc((trials + 1) * sizeof *interval);
    summary found = {0, 1, 0};
    if (!interval) exit(1);
    for (unsigned k = 0; k <= trials; k++) interval[k] = fp_binomial_interval((double)k / trials, trials, 0.95, exact);
    for (int i = 1; i <= SHARES; i++) {
        double covered = coverage(interval, trials, i / (SHARES + 1.0));
        found.mean += covered / SHARES;
        if (covered < found.least) found.least = covered;
        if (covered > found.most) found.most = covered;
    }
    free(interval);
    return found;
}

int main(void) {
    static const unsigned TRIALS[] = {20, 50, 150, 500, 2000};
    int bad = 0;
    printf("Exact coverage over 99 true shares. Mid-p holds the level on average, Clopper and Pearson's everywhere.\n");
    printf("trials         mid-p: mean, least, most          Clopper-Pearson\n");
    for (size_t i = 0; i < sizeof TRIALS / sizeof *TRIALS; i++) {
        summary middle = summarise(false, TRIALS[i]), exact = summarise(true, TRIALS[i]);
        printf("%6u %14.4f %.4f %.4f %14.4f %.4f %.4f\n", TRIALS[i], middle.mean, middle.least, middle.most, exact.mean,
               exact.least, exact.most);
        bad |= middle.mean < 0.94 || middle.mean > 0.96 || exact.least < 0.95;
    }
    return bad;
}
