/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorts the documents by one band after the other and compares documents that share one. */
#include "eval/experiment/key_bands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "algorithms/kernels/sketch_kernels.h"
#include "algorithms/families/sets.h"

/* ROWS: most samples in a band. PILOT: bands used to estimate the number of pairs with a common band. */
enum { BANDS = FP_KEY_BANDS, ROWS = 8, PILOT = BANDS / ROWS, BATCH = 4096 };

/* Target of compared pairs for each pair that may be kept; minimum of compared pairs; and the tolerated excess
 * factor, because their number varies strongly with the samples: one key common to all documents gives all pairs. */
static const uint64_t LOOKS = 8, FEW_LOOKS = UINT64_C(1) << 18, TOO_MANY = 4;

/* A lighter key has a probability of 10⁻³⁰ to be sampled; this keeps its logarithm finite. */
static const double LEAST_WEIGHT = 1e-30;

/* ---- Two documents ---- */

bool fp_key_bands_can(const fp_measurement *measurement) {
    return fp_acceleration_of(measurement->arm->instance.algorithm)->vector;
}

static fp_join vector_of(const fp_measurement *measurement, size_t document, fp_vector *vector) {
    const fp_instance *instance = &measurement->arm->instance;
    return fp_acceleration_of(instance->algorithm)
        ->vector(instance, fp_sketches_at(&measurement->sketches, document), vector);
}

/* Keys and values are words of eight bytes, aligned. */
static size_t apart(const fp_vector *vector) { return vector->step / sizeof *vector->key; }

static uint64_t key_of(const fp_vector *vector, size_t i) { return vector->key[i * apart(vector)]; }

static double weight_of(const fp_vector *vector, fp_join join, size_t i) {
    if (join == FP_JOIN_COUNT) return 1;
    double value = vector->value[i * apart(vector)];
    return join == FP_JOIN_PRODUCT ? value * value : value;
}

static double overlap_of_sets(const fp_vector *a, const fp_vector *b) {
    size_t both = fp_set_shared(a->key, a->count, b->key, b->count), either = a->count + b->count - both;
    return either ? (double)both / (double)either : 0;
}

double fp_key_overlap(const fp_measurement *measurement, size_t a, size_t b) {
    fp_vector one, other;
    double least = 0, most = 0;
    if (fp_measurement_empty(measurement, a, b)) return 0;
    fp_join join = vector_of(measurement, a, &one);
    vector_of(measurement, b, &other);
    if (join == FP_JOIN_COUNT && one.step == sizeof(uint64_t)) return overlap_of_sets(&one, &other);
    for (size_t i = 0, j = 0; i < one.count || j < other.count;) {
        bool left = j == other.count || (i < one.count && key_of(&one, i) <= key_of(&other, j)),
             right = i == one.count || (j < other.count && key_of(&other, j) <= key_of(&one, i));
        double x = left ? weight_of(&one, join, i) : 0, y = right ? weight_of(&other, join, j) : 0;
        least += fmin(x, y);
        most += fmax(x, y);
        i += left;
        j += right;
    }
    return most > 0 ? least / most : 0;
}

double fp_key_least_overlap(const fp_measurement *measurement, double distance) {
    static const double ROUNDING = 1e-6; /* of weights that are sampled in single precision, and of angles */
    const fp_instance *instance = &measurement->arm->instance;
    const char *measure = instance->algorithm->measure;
    fp_vector vector;
    if (!measure || !instance->algorithm->similarity || !measurement->sketches.count) return NAN;
    if (*instance->layout.measure) measure = instance->layout.measure;
    fp_join join = vector_of(measurement, 0, &vector);
    double likeness = fmax(0, instance->algorithm->similarity(instance, distance) - ROUNDING);
    if (join == FP_JOIN_COUNT && strcmp(measure, "Jaccard") == 0) return likeness;
    if (join == FP_JOIN_MINIMUM && strcmp(measure, "weighted Jaccard") == 0) return likeness;
    if (join != FP_JOIN_PRODUCT || strcmp(measure, "cosine") != 0) return NAN;
    double sine = sqrt(1 - fmin(1, likeness * likeness));
    return (1 - sine) / (1 + sine);
}

/* Uses only multiplications, so the result is the same on every machine. Bands are 32-bit numbers, so unequal bands
 * may collide. */
double fp_key_bands_chance(const fp_key_bands *bands, double overlap, double distance, size_t count) {
    double shared = 1, missed = 1;
    if (!(distance <= bands->limit)) return 0;
    for (size_t r = 0; r < bands->rows; r++) shared *= overlap;
    double missed_by_one = (1 - shared) * (1 - 0x1p-32);
    for (size_t b = 0; b < count; b++) missed *= missed_by_one;
    return (1 - missed) / (double)bands->part;
}

/* A pair is compared when the residues of its two documents sum to zero modulo `part`. */
static uint64_t residue_of(const fp_key_bands *bands, size_t document) {
    return bands->part > 1 ? fp_mix(document, ~bands->seed) % bands->part : 0;
}

uint32_t fp_key_bands_found(const fp_key_bands *bands, size_t a, size_t b) {
    uint32_t found = 0;
    if ((residue_of(bands, a) + residue_of(bands, b)) % bands->part) return 0;
    for (size_t i = 0; i < BANDS; i++) {
        const uint32_t *mark = bands->marks + i * bands->document_count;
        found |= (uint32_t)(mark[a] == mark[b]) << i;
    }
    return found;
}

/* ---- Bands ---- */

typedef struct search {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    const fp_arenas *arenas;
    fp_near_finder *finder;
    fp_key_bands *bands;
    uint32_t *marks; /* of of->bands; of a pilot each PILOT with one row more than those before */
    size_t count;    /* documents that have keys */
    uint32_t *document;
    fp_placed_key *places; /* [count] */
    bool pilot;
} search;

static size_t end_of(const search *of, size_t index) {
    return of->count - index * BATCH < BATCH ? of->count : (index + 1) * BATCH;
}

/* The bands of a document, `rows` samples to each. */
static void make_marks(const search *of, size_t document, const uint64_t *sample) {
    size_t documents = of->bands->document_count, bands = of->pilot ? PILOT : BANDS,
           rows = of->pilot ? ROWS : of->bands->rows;
    for (size_t b = 0; b < bands; b++) {
        uint64_t sum = b;
        for (size_t r = 0; r < rows; r++) {
            sum = fp_mix(sample[b * rows + r], sum);
            if (of->pilot) of->marks[(r * PILOT + b) * documents + document] = (uint32_t)(sum >> 32);
        }
        if (!of->pilot) of->marks[b * documents + document] = (uint32_t)(sum >> 32);
    }
}

/* The data from which one document is sampled. */
typedef struct sampling {
    size_t room;
    uint64_t *key;  /* [room] salted */
    double *weight; /* [room] */
    float *level;   /* [room] */
} sampling;

static fp_status make_room(sampling *of, size_t count, fp_arena *arena, fp_error *error) {
    if (count <= of->room) return FP_OK;
    of->room = 2 * count;
    of->key = fp_arena_raw(arena, of->room, sizeof *of->key);
    of->weight = fp_arena_raw(arena, of->room, sizeof *of->weight);
    of->level = fp_arena_raw(arena, of->room, sizeof *of->level);
    return of->key && of->weight && of->level ? FP_OK : fp_no_memory(error);
}

static fp_status mark_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const search *of = context;
    size_t slots = of->pilot ? BANDS : BANDS * of->bands->rows;
    uint64_t sample[BANDS * ROWS];
    sampling from = {0};
    for (size_t i = index * BATCH; i < end_of(of, index); i++) {
        fp_vector vector;
        fp_join join = vector_of(of->measurement, of->document[i], &vector);
        FP_TRY(make_room(&from, vector.count, arena, error));
        for (size_t k = 0; k < vector.count; k++) {
            from.key[k] = fp_mix(key_of(&vector, k), of->bands->seed + of->pilot);
            from.weight[k] = fmax(weight_of(&vector, join, k), LEAST_WEIGHT);
        }
        memset(sample, UINT8_MAX, sizeof sample);
        if (join == FP_JOIN_COUNT) fp_least_products(from.key, vector.count, sample, slots);
        else {
            fp_consistent_levels(from.weight, vector.count, from.level);
            fp_consistent(from.key, from.level, vector.count, sample, slots);
        }
        make_marks(of, of->document[i], sample);
    }
    return FP_OK;
}

static fp_status mark(search *of, bool pilot, const fp_progress *progress, fp_error *error) {
    of->pilot = pilot;
    return fp_parallel((of->count + BATCH - 1) / BATCH, of->arenas, true, mark_batch, of, "near pairs", progress,
                       error);
}

/* ---- How many samples make a band ---- */

static void sort_band(search *of, size_t band) {
    for (size_t i = 0; i < of->count; i++)
        of->places[i] = (fp_placed_key){(uint64_t)of->marks[band * of->bands->document_count + of->document[i]] << 32 |
                                            residue_of(of->bands, of->document[i]),
                                        of->document[i]};
    if (of->count) qsort(of->places, of->count, sizeof *of->places, fp_by_placed_key);
}

/* Pairs with a common band, each counted once for each common band. */
static uint64_t pairs_in_band(search *of, size_t band) {
    uint64_t pairs = 0;
    sort_band(of, band);
    for (size_t i = 0, run = 0; i < of->count; i++) {
        if (of->places[i].key != of->places[run].key) run = i;
        pairs += i - run;
    }
    return pairs;
}

/* The smallest number of samples with which not too many pairs are compared, estimated on bands of other samples. */
static void choose_rows(search *of, uint64_t looks) {
    uint64_t pairs;
    do {
        pairs = 0;
        for (size_t b = 0; b < PILOT; b++) pairs += pairs_in_band(of, of->bands->rows * PILOT + b);
        of->bands->rows++;
    } while (of->bands->rows < ROWS && pairs > looks / ROWS);
}

/* Weights of pairs are multiplied by `part`; this stays unbiased although `part` depends on the samples. */
static void choose_part(search *of, uint64_t looks) {
    uint64_t pairs = 0;
    for (size_t b = 0; b < BANDS; b++) pairs += pairs_in_band(of, b);
    of->bands->part = pairs / (TOO_MANY * looks) + 1;
}

/* ---- Pairs ---- */

/* The first place from `low` on whose key is no smaller. */
static size_t first_from(const search *of, size_t low, uint64_t key) {
    return low + FP_FIRST(i, of->count - low, of->places[low + i].key >= key);
}

static fp_status look(const search *of, size_t thread, size_t a, size_t b, fp_error *error) {
    if (fp_same_group(of->corpus, a, b)) return FP_OK;
    double distance = fp_measurement_distance(of->measurement, a, b);
    return fp_near_finder_add(of->finder, thread, a, b, distance, error);
}

static fp_status look_at_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const search *of = context;
    size_t thread = fp_thread_of(of->arenas, arena);
    uint64_t part = of->bands->part;
    for (size_t i = index * BATCH; i < end_of(of, index); i++) {
        uint64_t residue = (uint32_t)of->places[i].key, other = (part - residue) % part,
                 key = of->places[i].key - residue + other;
        size_t from = part > 1 ? first_from(of, i + 1, key) : i + 1;
        for (size_t j = from; j < of->count && of->places[j].key == key; j++)
            FP_TRY(look(of, thread, of->places[i].place, of->places[j].place, error));
    }
    return FP_OK;
}

/* ---- All ---- */

static fp_status open_search(search *of, fp_arena *arena, fp_error *error) {
    size_t documents = of->corpus->document_count;
    of->document = FP_NEED(fp_arena_raw(arena, documents, sizeof *of->document), error);
    of->places = FP_NEED(fp_arena_raw(arena, documents, sizeof *of->places), error);
    for (size_t i = 0; i < documents; i++) {
        fp_vector vector;
        vector_of(of->measurement, i, &vector);
        if (vector.count && !fp_measurement_empty(of->measurement, i, i)) of->document[of->count++] = (uint32_t)i;
    }
    return FP_OK;
}

static fp_status find(search *of, size_t most, const fp_progress *progress, fp_error *error) {
    uint64_t looks = LOOKS * most > FEW_LOOKS ? LOOKS * most : FEW_LOOKS;
    FP_TRY(mark(of, true, progress, error));
    choose_rows(of, looks);
    FP_TRY(mark(of, false, progress, error));
    choose_part(of, looks);
    for (size_t b = 0; b < BANDS; b++) {
        sort_band(of, b);
        FP_TRY(fp_parallel((of->count + BATCH - 1) / BATCH, of->arenas, true, look_at_batch, of, "near pairs", progress,
                           error));
    }
    return FP_OK;
}

fp_status fp_key_bands_find(const fp_corpus *corpus, const fp_measurement *measurement, size_t most, uint64_t seed,
                            const fp_progress *progress, fp_arena *arena, fp_key_bands *bands, fp_near_pairs *near,
                            fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    FP_ARENAS(arenas, progress, arena, error);
    fp_near_finder finder FP_CLOSED_BY(fp_near_finder_free) = {0};
    search of = {.corpus = corpus, .measurement = measurement, .arenas = &arenas, .finder = &finder, .bands = bands};
    of.marks = FP_NEED(fp_arena_alloc(arena, corpus->document_count, BANDS * sizeof *of.marks), error);
    *bands = (fp_key_bands){.measurement = measurement,
                            .seed = seed,
                            .part = 1,
                            .document_count = corpus->document_count,
                            .marks = of.marks};
    FP_TRY(open_search(&of, scratch, error));
    FP_TRY(fp_near_finder_open(corpus, measurement, most, arenas.count, scratch, &finder, error));
    finder.repeats = true;
    FP_TRY(find(&of, most, progress, error));
    FP_TRY(fp_near_finder_close(&finder, arena, near, error));
    bands->limit = near->limit;
    return FP_OK;
}
