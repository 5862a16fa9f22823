/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs found by bands, a uniform sample, and the weights and distances of both. */
#include "eval/experiment/sampled_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "eval/units/resample.h"

enum { REPLICATES = FP_COUNTED_REPLICATES, PART = FP_KEY_BANDS / REPLICATES, AT_ONCE = 1024 };

bool fp_arm_counts_whole(const fp_layout *layout) { return layout->bits || layout->slots; }

/* ---- The pairs ---- */

/* A pair before it is weighed. */
typedef struct entry {
    uint32_t one, other; /* the units of a and b; one < other */
    uint32_t a, b;
    bool random;
} entry;

typedef struct maker {
    const fp_corpus *corpus;
    const fp_measurement *measurements;
    size_t arm_count;
    const fp_progress *progress;
    fp_arena *arena, *scratch;
    fp_sampled_pairs *sample;
    fp_key_bands *bands; /* [sample->band_count] */
    uint32_t *unit_of;   /* [document_count] */
    entry *entries;
    size_t count;
    fp_sampled_pair *pairs; /* [count] in the end */
} maker;

static void add(maker *to, size_t a, size_t b, bool random) {
    uint32_t one = to->unit_of[a], other = to->unit_of[b];
    if (one < other) to->entries[to->count++] = (entry){one, other, (uint32_t)a, (uint32_t)b, random};
    if (one > other) to->entries[to->count++] = (entry){other, one, (uint32_t)b, (uint32_t)a, random};
}

/* Among entries of one pair, the random ones come first. */
FP_COMPARES(by_units, entry,
            FP_ORDER(a->one, b->one) ?: FP_ORDER(a->other, b->other) ?: FP_ORDER(a->a, b->a) ?: FP_ORDER(a->b, b->b) ?:
            b->random - a->random);

static void sort_entries(maker *of) {
    size_t kept = 0;
    qsort(of->entries, of->count, sizeof *of->entries, by_units);
    for (size_t i = 0; i < of->count; i++)
        if (i == 0 || of->entries[i].a != of->entries[kept - 1].a || of->entries[i].b != of->entries[kept - 1].b)
            of->entries[kept++] = of->entries[i];
    of->count = kept;
}

/* Bands of every arm, with the pairs they find. */
static fp_status find_near(maker *to, uint64_t wanted, fp_near_pairs *near, size_t *found, fp_error *error) {
    fp_sampled_pairs *sample = to->sample;
    sample->bands = to->bands = FP_NEED(fp_arena_alloc(to->arena, to->arm_count, sizeof *to->bands), error);
    for (size_t a = 0; a < to->arm_count; a++) {
        const fp_measurement *of = to->measurements + a;
        if (of->whole || !fp_key_bands_can(of)) continue;
        size_t at = sample->band_count++;
        FP_TRY(fp_key_bands_find(to->corpus, of, (size_t)(wanted / to->arm_count), fp_mix(sample->seed, a),
                                 to->progress, to->scratch, to->bands + at, near + at, error));
        *found += near[at].count;
    }
    return FP_OK;
}

static fp_status list_pairs(maker *to, uint64_t wanted, fp_error *error) {
    fp_sampled_pairs *sample = to->sample;
    fp_near_pairs *near = FP_NEED(fp_arena_alloc(to->scratch, to->arm_count, sizeof *near), error);
    size_t found = 0, documents = to->corpus->document_count;
    uint64_t pairs = fp_pairs_of(documents);
    FP_TRY(find_near(to, wanted, near, &found, error));
    sample->random_count = (size_t)(wanted < sample->negatives ? wanted : sample->negatives);
    sample->chance = (double)sample->random_count / (double)sample->negatives;
    to->entries = FP_NEED(fp_arena_raw(to->scratch, found + sample->random_count, sizeof *to->entries), error);
    for (size_t b = 0; b < sample->band_count; b++)
        for (size_t i = 0; i < near[b].count; i++) add(to, near[b].pairs[i].a, near[b].pairs[i].b, false);
    sort_entries(to);
    sample->near_count = found = to->count;
    /* All pairs in random order; pairs inside units are skipped. */
    for (uint64_t place = 0; to->count < found + sample->random_count; place++) {
        fp_numbered_pair pair = fp_pair_at(documents, fp_number_permuted(place, pairs, sample->seed));
        add(to, pair.first, pair.second, true);
    }
    sort_entries(to);
    return FP_OK;
}

/* ---- Inverse inclusion probability ---- */

static double weight_of(const fp_sampled_pairs *sample, double missed) {
    double weight = 1 / (1 - (1 - sample->chance) * missed);
    return weight < sample->heavy ? weight : weight * sample->scale;
}

double fp_sampled_pairs_heaviest(const fp_sampled_pairs *sample, const fp_measurement *measurement, double distance) {
    for (size_t i = 0; i < sample->band_count; i++) {
        const fp_key_bands *bands = sample->bands + i;
        if (bands->measurement->arm != measurement->arm) continue;
        double overlap = fp_key_least_overlap(measurement, distance);
        if (isnan(overlap)) break;
        return weight_of(sample, 1 - fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS));
    }
    return sample->weight;
}

/* The bands of a part. */
static uint32_t part_of(size_t replicate) { return ((UINT32_C(1) << PART) - 1) << replicate * PART; }

static fp_sampled_pair weigh(const fp_sampled_pairs *sample, const entry *of) {
    fp_sampled_pair pair = {.a = of->a, .b = of->b};
    double missed = 1, missed_without = 1;
    uint32_t found = 0; /* a bit each replicate */
    for (size_t i = 0; i < sample->band_count; i++) {
        const fp_key_bands *bands = sample->bands + i;
        double distance = fp_measurement_distance(bands->measurement, of->a, of->b);
        if (!(distance <= bands->limit)) continue;
        double overlap = fp_key_overlap(bands->measurement, of->a, of->b);
        missed *= 1 - fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS);
        missed_without *= 1 - fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS - PART);
        uint32_t in = fp_key_bands_found(bands, of->a, of->b);
        for (size_t r = 0; r < REPLICATES; r++) found |= (uint32_t)((in & ~part_of(r)) != 0) << r;
    }
    pair.weight = weight_of(sample, missed);
    for (size_t r = 0; r < REPLICATES; r++)
        if (of->random || found >> r & 1) pair.without[r] = (float)weight_of(sample, missed_without);
    return pair;
}

static fp_status weigh_some(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const maker *of = context;
    (void)arena;
    (void)error;
    for (size_t i = index * AT_ONCE; i < of->count && i < (index + 1) * AT_ONCE; i++)
        of->pairs[i] = weigh(of->sample, of->entries + i);
    return FP_OK;
}

/* Scales heavy weights (all weights if none is heavy), so that they add up to the number of negatives. */
static void scale_weights(const maker *of) {
    fp_sampled_pairs *sample = of->sample;
    double light = 0, heavy = 0, all = (double)sample->negatives;
    for (size_t i = 0; i < of->count; i++)
        *(of->pairs[i].weight < sample->heavy ? &light : &heavy) += of->pairs[i].weight;
    if (!(heavy > 0) || !(all > light)) {
        heavy += light;
        light = sample->heavy = 0;
    }
    sample->scale = (all - light) / heavy;
    for (fp_sampled_pair *pair = of->pairs; pair < of->pairs + of->count; pair++) {
        if (!(pair->weight < sample->heavy)) pair->weight *= sample->scale;
        for (size_t r = 0; r < REPLICATES; r++)
            if (!((double)pair->without[r] < sample->heavy)) pair->without[r] *= (float)sample->scale;
    }
    sample->weight = weight_of(sample, 1);
}

static fp_status weigh_all(maker *of, fp_error *error) {
    fp_sampled_pairs *sample = of->sample;
    of->pairs = FP_NEED(fp_arena_raw(of->arena, of->count, sizeof *of->pairs), error);
    sample->count = of->count;
    sample->pairs = of->pairs;
    sample->scale = 1;
    sample->heavy = 0.5 / sample->chance;
    size_t batches = (of->count + AT_ONCE - 1) / AT_ONCE;
    FP_TRY(fp_parallel_in(of->arena, batches, weigh_some, of, "weights", of->progress, error));
    scale_weights(of);
    return FP_OK;
}

static fp_status make(maker *to, uint64_t wanted, fp_error *error) {
    fp_sampled_pairs *sample = to->sample;
    FP_TRY(fp_groups_negatives(to->corpus, &sample->negatives, error));
    FP_TRY(fp_unit_list_make(to->corpus, false, 0, to->arena, &sample->units, error));
    to->unit_of = FP_NEED(fp_unit_of_documents(&sample->units, to->scratch), error);
    FP_TRY(list_pairs(to, wanted, error));
    FP_TRY(weigh_all(to, error));
    for (size_t b = 0; b < sample->band_count; b++) to->bands[b].marks = NULL; /* freed with the scratch arena */
    return FP_OK;
}

fp_status fp_sampled_pairs_make(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                                uint64_t wanted, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                                fp_sampled_pairs *sample, fp_error *error) {
    *sample = (fp_sampled_pairs){.seed = seed};
    if (wanted > SIZE_MAX / 4 / sizeof(entry)) return fp_no_memory(error);
    FP_SCRATCH(scratch, arena, error);
    maker to = {.corpus = corpus,
                .measurements = measurements,
                .arm_count = arm_count,
                .progress = progress,
                .arena = arena,
                .scratch = scratch,
                .sample = sample};
    return make(&to, wanted, error);
}

/* ---- Distances ---- */

typedef struct measuring {
    const fp_corpus *corpus;
    fp_measurement *measurement;
    const fp_arenas *arenas;
    double *distances;       /* [sample->count] */
    fp_histogram *positives; /* [threads] */
} measuring;

/* The positives of a unit. */
static fp_status measure_unit(void *context, size_t unit, fp_arena *arena, fp_error *error) {
    const measuring *of = context;
    const fp_arm *arm = of->measurement->arm;
    const fp_unit_list *units = &of->measurement->sample->units;
    const fp_corpus_document *documents = of->corpus->documents;
    for (size_t i = units->begin[unit]; i < units->begin[unit + 1]; i++)
        for (size_t j = i + 1; j < units->begin[unit + 1]; j++) {
            uint32_t a = units->document[i], b = units->document[j];
            double distance = fp_measurement_distance(of->measurement, a, b);
            if (!fp_arm_distance_good(arm, distance))
                return fp_arm_distance_refuse(arm, distance, documents[a].id, documents[b].id, error);
            FP_TRY(fp_histogram_add(of->positives + fp_thread_of(of->arenas, arena), distance, true, error));
        }
    return FP_OK;
}

/* Multiples of 1/parts, the largest that keep the sum of all weights within 64 bits. */
static double parts_of(uint64_t negatives) {
    double parts = 1;
    while (parts < 0x1p32 && (double)negatives * parts < 0x1p60) parts *= 2;
    return parts;
}

/* Weights as parts first; then as whole numbers, bin by bin, so that the cumulative sums are rounded. */
static fp_status count_negatives(const measuring *of, fp_error *error) {
    const fp_sampled_pairs *sample = of->measurement->sample;
    fp_histogram *to = &of->measurement->histogram;
    double parts = parts_of(sample->negatives);
    uint64_t sum = 0, given = 0;
    for (size_t i = 0; i < sample->count; i++)
        FP_TRY(
            fp_histogram_add_many(to, of->distances[i], 0, (uint64_t)(sample->pairs[i].weight * parts + 0.5), error));
    fp_histogram_finish(to);
    for (size_t i = 0; i < to->count; i++) {
        sum += to->bars[i].negatives;
        uint64_t rounded = (uint64_t)((double)sum / parts + 0.5);
        if (i + 1 == to->count || rounded > sample->negatives) rounded = sample->negatives;
        to->bars[i].negatives = rounded - given;
        given = rounded;
    }
    return FP_OK;
}

static fp_status measure(const fp_stage *stage, measuring *of, fp_error *error) {
    const fp_sampled_pairs *sample = of->measurement->sample;
    FP_TRY(fp_pairs_measure(of->corpus, of->measurement, FP_PAIR_LIST(sample->pairs, sample->count), of->arenas,
                            "distances", stage->progress, of->distances, error));
    return fp_parallel(sample->units.count, of->arenas, true, measure_unit, of, "distances", stage->progress, error);
}

fp_status fp_sampled_pairs_measure(const fp_stage *stage, fp_measurement *measurement, const fp_arenas *arenas,
                                   fp_arena *arena, fp_error *error) {
    fp_histogram *to = &measurement->histogram;
    measuring of = {stage->corpus, measurement, arenas,
                    FP_NEED(fp_arena_raw(arena, measurement->sample->count, sizeof(double)), error),
                    FP_NEED(fp_arena_alloc(arena, arenas->count, sizeof(fp_histogram)), error)};
    to->limit = fp_pairs_of(stage->corpus->document_count) <= FP_HISTOGRAM_EXACT ? 0 : FP_HISTOGRAM_LIMIT;
    for (size_t t = 0; t < arenas->count; t++) of.positives[t] = (fp_histogram){.limit = to->limit, .like = to->like};
    measurement->distances = of.distances;
    fp_status status = measure(stage, &of, error);
    if (status == FP_OK) status = count_negatives(&of, error);
    for (size_t t = 0; t < arenas->count; t++) {
        if (status == FP_OK) status = fp_histogram_merge(to, of.positives + t, error);
        fp_histogram_free(of.positives + t);
    }
    return status;
}
