/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * coverage_corpora [REPETITIONS]: how often the interval of a mean over corpora contains the mean over all corpora that
 * might have been drawn. Figures of a corpus follow beta distributions: about a middle value, towards 1, and with most
 * of their weight at 1. No method can know a long tail from three corpora; the last is reported within wider bounds.
 * Exit status 1 when a share lies outside its bounds. */
#include <gsl/gsl_randist.h>
#include <stdio.h>
#include <stdlib.h>

#include "eval/analyses/ranks.h"

enum { MOST = 20, ARMS = 50 }; /* many arms at once: the quantile of the ranks is computed once for all */

typedef struct law {
    double a, b; /* of the beta distribution, with mean a/(a + b) */
    double low, high;
} law;

static double cover(const law *of, size_t corpora, size_t repetitions, fp_arena *arena) {
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    fp_error error = {0};
    double held = 0, mean = of->a / (of->a + of->b), values[ARMS * MOST];
    for (size_t i = 0; i < repetitions; i += ARMS) {
        fp_ranks ranks;
        for (size_t k = 0; k < ARMS * corpora; k++) values[k] = gsl_ran_beta(random, of->a, of->b);
        fp_arena_reset(arena);
        if (fp_ranks_make(values, corpora, ARMS, 0.95, arena, &ranks, &error) != FP_OK) exit(1);
        for (size_t arm = 0; arm < ARMS; arm++)
            held +=
                i + arm < repetitions && ranks.arms[arm].interval.low <= mean && mean <= ranks.arms[arm].interval.high;
    }
    gsl_rng_free(random);
    return held / (double)repetitions;
}

int main(int argc, char **argv) {
    static const law LAWS[] = {{40, 40, 0.94, 0.96}, {8, 2, 0.935, 0.96}, {2, 0.5, 0.91, 0.96}};
    static const size_t CORPORA[] = {2, 3, 5, 8, 12, 20};
    size_t repetitions = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10000;
    fp_arena *arena = fp_arena_new();
    if (!arena) return 1;
    int bad = 0;
    printf("mean over corpora   2        3        5        8       12       20\n");
    for (size_t l = 0; l < sizeof LAWS / sizeof *LAWS; l++) {
        printf("beta(%g, %g)%*s", LAWS[l].a, LAWS[l].b, l == 0 ? 3 : 4, "");
        for (size_t c = 0; c < sizeof CORPORA / sizeof *CORPORA; c++) {
            double share = cover(LAWS + l, CORPORA[c], repetitions, arena);
            bool outside = share < LAWS[l].low || share > LAWS[l].high;
            printf("%9.4f%s", share, outside ? "!" : "");
            bad |= outside;
        }
        printf("   bounds %.3f to %.3f\n", LAWS[l].low, LAWS[l].high);
    }
    fp_arena_free(arena);
    return bad;
}
