/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cost_range [REPETITIONS]: how often the thresholds that cannot be told from the cheapest hold the one that is
 * cheapest in truth, and the 95% interval of the cost holds what the chosen threshold costs in truth. Pairs are
 * independent, or stars of a document with nine others that share a shift of their distances; distances are binomial,
 * of 64. A line for each world and ratio. Exit status 1 unless the range holds the best in 95 of 100 and more
 * everywhere. The cost of a threshold that was chosen for being cheap is larger than it looks: that interval is shown,
 * and not judged. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <string.h>

#include "reports/analyses/analyses.h"
#include "reports/analyses/analysis_outcomes.h"

enum { BITS = 64, MOST = 4000, SHIFTS = 3 };

typedef struct world {
    const char *name;
    size_t positives, negatives;
    double near, far; /* chance that a bit differs */
    bool stars;
} world;

static const world WORLD[] = {{"independent, 60 and 240", 60, 240, 0.2, 0.4, false},
                              {"independent, 300 and 3000", 300, 3000, 0.2, 0.4, false},
                              {"stars, 270 and 1800", 270, 1800, 0.2, 0.38, true}};
static const double RATIOS[] = {0.05, 0.2, 1, 5, 20};
enum { WORLDS = sizeof WORLD / sizeof *WORLD, RATIO_COUNT = sizeof RATIOS / sizeof *RATIOS };

/* A star's distances are shifted by 0, 3 or 6 with equal chances; none are without stars. */
static double called(const world *of, double chance, int h) {
    double sum = 0;
    int shifts = of->stars ? SHIFTS : 1;
    for (int s = 0; s < shifts; s++)
        sum += h - 3 * s >= 0 ? gsl_cdf_binomial_P((unsigned)(h - 3 * s), chance, BITS) : 0;
    return sum / shifts;
}

static double cost_at(const world *of, double probability, int h) {
    return fp_cost_of(1 - (h < 0 ? 0 : called(of, of->near, h)), h < 0 ? 0 : called(of, of->far, h), probability);
}

static int best_of(const world *of, double probability) {
    int best = -1;
    for (int h = 0; h <= BITS + 6; h++)
        if (cost_at(of, probability, h) < cost_at(of, probability, best)) best = h;
    return best;
}

static void draw(const world *from, gsl_rng *generator, fp_pair *pairs, double *distances) {
    unsigned long shift = 0;
    for (uint32_t i = 0; i < from->positives + from->negatives; i++) {
        bool label = i < from->positives;
        if (from->stars && i % 9 == 0) shift = 3 * gsl_rng_uniform_int(generator, SHIFTS);
        pairs[i] =
            from->stars ? (fp_pair){i / 9 * 10, i / 9 * 10 + 1 + i % 9, label} : (fp_pair){2 * i, 2 * i + 1, label};
        distances[i] = (double)(gsl_ran_binomial(generator, label ? from->near : from->far, BITS) + shift);
    }
}

static fp_status choose(const world *from, const fp_pair *pairs, const double *distances, fp_arena *arena,
                        fp_cost_outcome *out) {
    size_t count = from->positives + from->negatives;
    fp_corpus corpus = {.truth = FP_TRUTH_PAIRS, .pairs = pairs, .pair_count = count, .document_count = 2 * count};
    fp_measurement measurement = {.distances = distances};
    fp_inference inference = {0};
    FP_TRY(fp_resample_make(pairs, count, NULL, corpus.document_count, FP_SAMPLING_AUTO, arena, &inference.resample,
                            NULL));
    for (size_t i = 0; i < count; i++)
        FP_TRY(fp_histogram_add(&measurement.histogram, distances[i], pairs[i].label, NULL));
    fp_histogram_finish(&measurement.histogram);
    fp_curve curve;
    fp_status status = fp_curve_make(&measurement.histogram, arena, &curve, NULL);
    fp_outcome outcome = {.corpus = &corpus,
                          .count = 1,
                          .lane_count = 1,
                          .measurements = &measurement,
                          .curves = &curve,
                          .inference = &inference};
    double each[RATIO_COUNT];
    memcpy(each, RATIOS, sizeof each);
    const fp_cost_ratios ratios = {RATIO_COUNT, each};
    const fp_questions questions = {.inference = {.confidence = 0.95, .prevalence = 0.1}};
    const fp_analysed of = {.outcome = &outcome, .questions = &questions, .settings = &ratios, .arena = arena};
    const void *found = NULL;
    if (status == FP_OK) status = fp_analysis_costs.run(&of, &found, NULL);
    if (status == FP_OK) *out = *(const fp_cost_outcome *)found;
    fp_histogram_free(&measurement.histogram);
    return status;
}

static bool try_world(const world *from, size_t repetitions, gsl_rng *generator, fp_arena *arena) {
    size_t held[RATIO_COUNT] = {0}, sure[RATIO_COUNT] = {0};
    double steps[RATIO_COUNT] = {0};
    bool good = true;
    for (size_t i = 0; i < repetitions; i++) {
        static fp_pair pairs[MOST];
        static double distances[MOST];
        fp_cost_outcome out;
        fp_arena_reset(arena);
        draw(from, generator, pairs, distances);
        if (choose(from, pairs, distances, arena, &out) != FP_OK) return false;
        for (size_t r = 0; r < RATIO_COUNT; r++) {
            const fp_cost_choice *of = out.arms->choices + r;
            double truth = cost_at(from, of->probability, (int)of->threshold);
            int best = best_of(from, of->probability);
            held[r] += of->low <= best && best <= of->high;
            steps[r] += of->high - of->low;
            sure[r] += of->interval.low <= truth && truth <= of->interval.high;
        }
    }
    double all = (double)repetitions;
    for (size_t r = 0; r < RATIO_COUNT; r++) {
        printf("%-26s ratio %-4g best within %.3f, %.1f steps; cost within %.3f\n", from->name, RATIOS[r],
               (double)held[r] / all, steps[r] / all, (double)sure[r] / all);
        good &= (double)held[r] >= 0.95 * all;
    }
    return good;
}

int main(int argc, char **argv) {
    size_t repetitions = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    fp_arena *arena = fp_arena_new();
    bool good = true;
    if (!generator || !arena || repetitions == 0) return 2;
    for (size_t w = 0; w < WORLDS; w++) good &= try_world(WORLD + w, repetitions, generator, arena);
    gsl_rng_free(generator);
    fp_arena_free(arena);
    return good ? 0 : 1;
}
