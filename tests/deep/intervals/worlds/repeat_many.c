/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corpora of more documents than are listed: all their pairs, by the way that `eval` takes. Distances are looked up in
 * the set's; documents of two copies of a unit are as far apart as documents can be. */
#include <math.h>
#include <string.h>

#include "algorithms/arms/arm.h"
#include "eval/evaluation/inference.h"
#include "tests/deep/intervals/worlds/default_method.h"
#include "tests/deep/intervals/worlds/population.h"
#if __has_include("eval/evaluation/counting.h")
#include "eval/evaluation/counting.h"
#define INFER fp_inference_make
#define NEAR_WANTED(corpus) .near_most = fp_counting_near(corpus, 1)
#else
#define INFER fp_inference_near
#define NEAR_WANTED(corpus) .near_limit = NULL
#endif

#if __has_include("eval/experiment/sampled_pairs.h")
#include "eval/experiment/sampled_pairs.h"
#define HAS_DRAWN
#endif

/* A sketch is the place of a document: of which draw, and which of the set. */
typedef struct drawn_document {
    uint32_t draw, unit, document;
} drawn_document;

static double look_up(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const uint16_t *across = self->model;
    drawn_document x, y;
    memcpy(&x, a.data, sizeof x);
    memcpy(&y, b.data, sizeof y);
    if (x.unit == y.unit && x.draw != y.draw) return (BINS - 1) / STEPS;
    if (x.document == y.document) return 0;
    size_t high = x.document > y.document ? x.document : y.document,
           low = x.document > y.document ? y.document : x.document;
    return across[high * (high - 1) / 2 + low] / (double)STEPS;
}

static void draw_corpus(const cell *of, gsl_rng *random, fp_arena *arena, fp_corpus *corpus, fp_sketches *sketches) {
    const set *from = of->set;
    const set_unit **units = fp_arena_raw(arena, of->draws, sizeof *units);
    size_t count = 0;
    for (size_t i = 0; i < of->draws; i++) {
        units[i] = from->units + gsl_rng_uniform_int(random, from->unit_count);
        count += units[i]->end - units[i]->start;
    }
    drawn_document *drawn = fp_arena_raw(arena, count, sizeof *drawn);
    uint32_t *group = fp_arena_raw(arena, count, sizeof *group);
    count = 0;
    for (uint32_t i = 0; i < of->draws; i++) {
        for (uint32_t k = units[i]->start; k < units[i]->end; k++) {
            drawn[count] = (drawn_document){i, (uint32_t)(units[i] - from->units), k};
            group[count++] = i;
        }
    }
    *sketches = (fp_sketches){.count = count, .stride = sizeof *drawn, .data = (const unsigned char *)drawn};
    *corpus = (fp_corpus){.path = "drawn",
                          .name = "drawn",
                          .truth = FP_TRUTH_GROUPS,
                          .document_count = count,
                          .documents = fp_arena_alloc(arena, count, sizeof(fp_corpus_document)),
                          .group = group,
                          .group_count = of->draws,
                          .memory = arena};
}

static const fp_estimate *estimates_of(const fp_inference *inference, const fp_measure *measure) {
    for (size_t i = 0; i < inference->measure_count; i++)
        if (fp_measure_same(&inference->measures[i].measure, measure)) return fp_inference_at(inference, i, 0);
    return NULL;
}

finding *estimate_many(const cell *of, size_t arm, uint64_t seed, gsl_rng *random, fp_arena *arena, finding *to) {
    static const fp_algorithm LOOK_UP = {.abi = FP_ABI_VERSION, .name = "look_up", .distance = look_up};
    fp_error error = {0};
    fp_corpus corpus;
    fp_arm drawn = {.name = "drawn", .spec = "drawn", .arena = arena};
    fp_measurement measurement = {.arm = &drawn};
    fp_inference inference;
    drawn.instance = (fp_instance){.algorithm = &LOOK_UP,
                                   .model = of->set->across[arm],
                                   .layout = {.maximum = (BINS - 1) / STEPS, .scale = "bits"}};
    draw_corpus(of, random, arena, &corpus, &measurement.sketches);
    fp_inference_options options = {.method = DEFAULT_METHOD,
                                    .confidence = CONFIDENCE,
                                    .replicates = REPLICATES,
                                    .seed = seed,
                                    .prevalence = STATED_PREVALENCE,
                                    .thresholds = of->thresholds[arm],
                                    .threshold_count = of->threshold_count[arm],
                                    .further = of->figures,
                                    .further_count = of->figure_count};
    fp_stage stage = {.corpus = &corpus, .progress = &ALONE, NEAR_WANTED(&corpus)};
#ifdef HAS_DRAWN
    fp_sampled_pairs negatives;
    if (of->negatives) {
        check(fp_sampled_pairs_make(&corpus, &measurement, 1, of->negatives, seed, &ALONE, arena, &negatives, &error),
              &error);
        measurement.sample = &negatives;
    }
#endif
    check(fp_stage_distances(&stage, &measurement, arena, &error), &error);
    check(INFER(&corpus, &measurement, 1, &options, &ALONE, arena, &inference, &error), &error);
    fp_measurement_free(&measurement);
    for (size_t figure = 0; figure < of->figure_count; figure++) {
        const fp_estimate *e = estimates_of(&inference, of->figures + figure);
        size_t count = fp_measure_at_threshold(of->figures[figure].row) ? of->threshold_count[arm] : 1;
        for (size_t t = 0; t < count; t++)
            *to++ = e ? (finding){e[t].value,
                                  e[t].interval.low,
                                  e[t].interval.high,
                                  e[t].error,
                                  e[t].trials,
                                  e[t].units,
                                  NAN,
                                  0,
                                  0,
                                  MARKED(e + t),
                                  0}
                      : (finding){NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0, false, 0};
    }
    return to;
}
