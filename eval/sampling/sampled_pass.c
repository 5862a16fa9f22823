/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs in their order, so many at a time: bars of their distances, pair by pair, then sums, arm by arm. */
#include "eval/sampling/sampled_pass.h"

#include "eval/sampling/sampled_pairs.h"
#include "eval/sampling/sampled_sums.h"
#include "eval/sampling/neighbours.h"
#include "eval/experiment/pair_counter.h"

enum { AT_ONCE = 1 << 19, BATCH = 4096, CHUNKS = 256 };

typedef struct drawn_job {
    fp_pass_job pass;
    const fp_drawn_pairs *drawn;
    fp_drawn_sums *sums; /* [arm_count] */
    fp_drawn_joint joint;
    size_t first, end; /* pairs of now */
    uint32_t *bins;    /* [arm_count·AT_ONCE] */
    double *positives; /* [CHUNKS·arm_count²] as of fp_joint_sums.pairs */
} drawn_job;

/* ---- Negatives ---- */

static bool is_whole(const drawn_job *job, size_t arm) { return job->pass.arms[arm].measurement->whole; }

static fp_status find_bins(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const drawn_job *job = context;
    size_t first = job->first + index * BATCH, end = job->end - first < BATCH ? job->end : first + BATCH;
    (void)arena;
    (void)error;
    for (size_t a = 0; a < job->pass.counted->arm_count; a++) {
        uint32_t *bins = job->bins + a * AT_ONCE - job->first;
        for (size_t i = first; i < end; i++)
            bins[i] = fp_pass_bin(job->pass.arms + a, job->drawn->pairs[i].a, job->drawn->pairs[i].b);
    }
    return FP_OK;
}

/* Piece `index` is one arm, or, behind the arms, all of them together. */
static fp_status add_bins(void *context, size_t index, fp_arena *arena, fp_error *error) {
    drawn_job *job = context;
    size_t arms = job->pass.counted->arm_count;
    (void)arena;
    (void)error;
    if (index == arms) fp_drawn_joint_take(&job->joint, job->first, job->end, job->bins, AT_ONCE);
    else if (!is_whole(job, index))
        fp_drawn_sums_take(job->sums + index, job->first, job->end, job->bins + index * AT_ONCE);
    return FP_OK;
}

static fp_status take_negatives(drawn_job *job, const fp_arenas *arenas, fp_error *error) {
    size_t count = job->drawn->count, arms = job->pass.counted->arm_count;
    const fp_progress *progress = job->pass.pass->progress;
    for (job->first = 0; job->first < count; job->first = job->end) {
        job->end = count - job->first < AT_ONCE ? count : job->first + AT_ONCE;
        FP_TRY(fp_parallel((job->end - job->first + BATCH - 1) / BATCH, arenas, true, find_bins, job, "units", progress,
                           error));
        FP_TRY(fp_parallel(arms + (arms > 1), arenas, true, add_bins, job, "units", progress, error));
    }
    for (size_t a = 0; a < arms; a++)
        if (!is_whole(job, a)) fp_drawn_sums_finish(job->sums + a);
    if (arms > 1) fp_drawn_joint_finish(&job->joint);
    return FP_OK;
}

/* ---- Positives ---- */

static fp_status take_chunk(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const drawn_job *job = context;
    const fp_counted_pairs *counted = job->pass.counted;
    size_t units = counted->units->count, arms = counted->arm_count;
    (void)arena;
    (void)error;
    for (size_t u = index * units / CHUNKS; u < (index + 1) * units / CHUNKS; u++) {
        for (size_t a = 0; a < arms; a++)
            if (!is_whole(job, a)) fp_pass_take_positives(job->pass.arms + a, counted->units, u);
        if (arms > 1 && counted->functional_count)
            fp_pass_join_positives(&job->pass, u, job->positives + index * arms * arms);
    }
    return FP_OK;
}

static void add_positives(const drawn_job *job) {
    size_t couples = job->pass.counted->arm_count * job->pass.counted->arm_count;
    for (size_t c = 0; c < CHUNKS; c++)
        for (size_t i = 0; i < couples; i++) job->joint.of.pairs[i] += job->positives[c * couples + i];
}

/* ---- What was not seen ---- */

static fp_status find_heaviest(const drawn_job *job, const fp_arenas *arenas, fp_arena *scratch,
                               const fp_counted_arm *arms, fp_error *error) {
    for (size_t a = 0; a < job->pass.counted->arm_count; a++) {
        const fp_drawn_sums *sums = job->sums + a;
        if (is_whole(job, a)) continue;
        FP_TRY(fp_heaviest_find(job->drawn, job->pass.counted->units, job->pass.arms + a, arms + a,
                                (fp_seen_weights){sums->seen_heaviest, sums->seen}, arenas, job->pass.pass->progress,
                                scratch, sums->heaviest, error));
    }
    return FP_OK;
}

/* ---- All ---- */

static fp_status open_arm(drawn_job *job, size_t a, fp_arena *arena, fp_arena *scratch, fp_counted_arm *out,
                          fp_error *error) {
    const fp_measurement *measurement = job->pass.pass->measurements + a;
    fp_pass_arm *arm = job->pass.arms + a;
    if (measurement->whole) return fp_pass_open_bins(&job->pass, measurement, out, scratch, arm, error);
    FP_TRY(fp_pass_open_arm(&job->pass, measurement, out, arena, scratch, arm, error));
    return fp_drawn_sums_open(job->drawn, job->pass.counted->units, arm, arena, scratch, out, job->sums + a, error);
}

static fp_status open_job(drawn_job *job, fp_arena *arena, fp_arena *scratch, fp_counted_arm *arms, fp_error *error) {
    const fp_counted_pairs *counted = job->pass.counted;
    size_t count = counted->arm_count;
    job->pass.arms = fp_arena_alloc(scratch, count, sizeof *job->pass.arms);
    job->sums = fp_arena_alloc(scratch, count, sizeof *job->sums);
    job->bins = fp_arena_raw(scratch, count * AT_ONCE, sizeof *job->bins);
    job->positives = fp_arena_alloc(scratch, CHUNKS * count * count, sizeof *job->positives);
    if (!job->pass.arms || !job->sums || !job->bins || !job->positives) return fp_no_memory(error);
    for (size_t a = 0; a < count; a++) FP_TRY(open_arm(job, a, arena, scratch, arms + a, error));
    return fp_drawn_joint_open(job->drawn, counted->units, job->pass.arms, count, arena, scratch, &job->joint, error);
}

static fp_status run(drawn_job *job, fp_arena *arena, fp_arena *scratch, fp_counted_pairs *counted,
                     fp_counted_arm *arms, fp_error *error) {
    fp_arenas arenas = {0};
    FP_TRY(open_job(job, arena, scratch, arms, error));
    FP_TRY(fp_arenas_open(&arenas, job->pass.pass->progress, arena, error));
    fp_status status = take_negatives(job, &arenas, error);
    if (status == FP_OK)
        status = fp_parallel(CHUNKS, &arenas, true, take_chunk, job, "units", job->pass.pass->progress, error);
    if (status == FP_OK) status = find_heaviest(job, &arenas, scratch, arms, error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    add_positives(job);
    fp_pass_mirror(job->joint.of.dyads, counted->arm_count);
    fp_pass_mirror(job->joint.of.pairs, counted->arm_count);
    if (fp_whole_arm_count(job->pass.pass->measurements, counted->arm_count))
        FP_TRY(fp_whole_pass_run(job->pass.pass, arena, counted, arms, job->joint.of, error));
    counted->joint = job->joint.of.dyads;
    counted->joint_noise = job->joint.of.noise;
    counted->joint_pairs = job->joint.of.pairs;
    counted->arms = arms;
    return FP_OK;
}

fp_status fp_drawn_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_error *error) {
    drawn_job job = {.pass = {.pass = pass, .counted = counted}, .drawn = pass->measurements->drawn};
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    counted->weight = job.drawn->weight;
    counted->dyad_squares = fp_pass_dyad_squares(counted->units);
    fp_status status = run(&job, arena, scratch, counted, arms, error);
    fp_arena_free(scratch);
    return status;
}

/* ---- One over the chance of being in a sample ---- */

static double weight_of(const fp_drawn_pairs *drawn, double missed) {
    double weight = 1 / (1 - (1 - drawn->chance) * missed);
    return weight < drawn->heavy ? weight : weight * drawn->scale;
}

enum { REPLICATES = FP_COUNTED_REPLICATES, PART = FP_KEY_BANDS / REPLICATES };

/* The bands of a part. */
static uint32_t part_of(size_t replicate) { return ((UINT32_C(1) << PART) - 1) << replicate * PART; }

/* Of a pair its weight, and without[REPLICATES]; only the first where `without` is NULL. */
static double weigh(const fp_drawn_pairs *drawn, size_t a, size_t b, bool is_drawn, float *without) {
    double missed = 1, missed_without[REPLICATES];
    bool found[REPLICATES];
    for (size_t r = 0; r < REPLICATES; r++) found[r] = is_drawn, missed_without[r] = 1;
    for (size_t i = 0; i < drawn->band_count; i++) {
        const fp_key_bands *bands = drawn->bands + i;
        double distance = fp_measurement_distance(bands->measurement, a, b);
        if (!(distance <= bands->limit)) continue;
        double overlap = fp_key_overlap(bands->measurement, a, b);
        missed *= 1 - fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS);
        if (!without) continue;
        double chance = fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS - PART);
        uint32_t in = fp_key_bands_found(bands, a, b);
        for (size_t r = 0; r < REPLICATES; r++) {
            found[r] |= (in & ~part_of(r)) != 0;
            missed_without[r] *= 1 - chance;
        }
    }
    for (size_t r = 0; without && r < REPLICATES; r++)
        without[r] = found[r] ? (float)weight_of(drawn, missed_without[r]) : 0;
    return weight_of(drawn, missed);
}

double fp_drawn_pairs_weight(const fp_drawn_pairs *drawn, size_t a, size_t b) { return weigh(drawn, a, b, true, NULL); }

double fp_drawn_pairs_weight_at(const fp_drawn_pairs *drawn, size_t index, double overlap, double distance) {
    return weight_of(drawn, 1 - fp_key_bands_chance(drawn->bands + index, overlap, distance, FP_KEY_BANDS));
}

enum { WEIGHED_AT_ONCE = 1024 };

typedef struct weighing {
    const fp_drawn_pairs *drawn;
    const fp_pair_origin *origin;
    double *weights;
    float *without;
} weighing;

static fp_status weigh_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const weighing *job = context;
    const fp_drawn_pairs *drawn = job->drawn;
    size_t end =
        drawn->count - index * WEIGHED_AT_ONCE < WEIGHED_AT_ONCE ? drawn->count : (index + 1) * WEIGHED_AT_ONCE;
    (void)arena;
    (void)error;
    for (size_t i = index * WEIGHED_AT_ONCE; i < end; i++) {
        float *without = job->without + i * REPLICATES;
        for (size_t r = 0; r < REPLICATES; r++) without[r] = 1;
        job->weights[i] = job->origin[i] == FP_PAIR_CERTAIN ? 1
                                                            : weigh(drawn, drawn->pairs[i].a, drawn->pairs[i].b,
                                                                    job->origin[i] == FP_PAIR_DRAWN, without);
    }
    return FP_OK;
}

/* Heavy weights, or, where there are none, all, so that they add up to what is not certain. */
static void scale_weights(fp_drawn_pairs *drawn, const weighing *of) {
    double *weights = of->weights;
    double light = 0, heavy = 0, all = (double)drawn->negatives;
    for (size_t i = 0; i < drawn->count; i++) {
        if (of->origin[i] == FP_PAIR_CERTAIN) all--;
        else *(weights[i] < drawn->heavy ? &light : &heavy) += weights[i];
    }
    if (!(heavy > 0) || !(all > light)) {
        heavy += light;
        light = drawn->heavy = 0;
    }
    drawn->scale = heavy > 0 ? (all - light) / heavy : 1;
    for (size_t i = 0; i < drawn->count; i++) {
        if (of->origin[i] == FP_PAIR_CERTAIN) continue;
        if (!(weights[i] < drawn->heavy)) weights[i] *= drawn->scale;
        for (size_t r = i * REPLICATES; r < (i + 1) * REPLICATES; r++)
            if (of->without[r] > 0 && !((double)of->without[r] < drawn->heavy)) of->without[r] *= (float)drawn->scale;
    }
    drawn->weight = weight_of(drawn, 1);
}

fp_status fp_drawn_weigh(fp_drawn_pairs *drawn, const fp_pair_origin *origin, const fp_progress *progress,
                         fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    weighing job = {drawn, origin, fp_arena_raw(arena, drawn->count, sizeof(double)),
                    fp_arena_raw(arena, drawn->count, REPLICATES * sizeof(float))};
    if (!job.weights || !job.without) return fp_no_memory(error);
    drawn->weights = job.weights;
    drawn->without = job.without;
    drawn->scale = 1;
    drawn->heavy = 0.5 / drawn->chance;
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = fp_parallel((drawn->count + WEIGHED_AT_ONCE - 1) / WEIGHED_AT_ONCE, &arenas, true, weigh_batch,
                                   &job, "weights", progress, error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    scale_weights(drawn, &job);
    return FP_OK;
}

/* ---- Counted arms taken out of a sample, passed over, and put back ---- */

size_t fp_whole_arm_count(const fp_measurement *measurements, size_t arm_count) {
    size_t count = 0;
    for (size_t a = 0; a < arm_count; a++) count += measurements[a].whole;
    return count;
}

static void put_joint(const fp_counted_pairs *of, const size_t *which, size_t arm_count, fp_joint_sums to) {
    for (size_t i = 0; i < of->arm_count; i++) {
        for (size_t j = 0; j < of->arm_count; j++) {
            size_t from = i * of->arm_count + j, at = which[i] * arm_count + which[j];
            to.dyads[at] = of->joint[from];
            to.noise[at] = of->joint_noise[from];
            to.pairs[at] = of->joint_pairs[from];
        }
    }
}

fp_status fp_whole_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                            fp_joint_sums joint, fp_error *error) {
    size_t count = fp_whole_arm_count(pass->measurements, counted->arm_count), at = 0;
    size_t *which = fp_arena_raw(arena, count, sizeof *which);
    fp_measurement *measurements = fp_arena_raw(arena, count, sizeof *measurements);
    fp_counted_arm *own = fp_arena_raw(arena, count, sizeof *own);
    if (!which || !measurements || !own) return fp_no_memory(error);
    for (size_t a = 0; a < counted->arm_count; a++) {
        if (!pass->measurements[a].whole) continue;
        which[at] = a;
        measurements[at] = pass->measurements[a];
        own[at++] = arms[a];
    }
    fp_counted_pairs those = *counted;
    fp_unit_pass pass_of = {measurements, pass->column_units, pass->progress};
    those.arm_count = count;
    FP_TRY(fp_unit_pass_run(&pass_of, arena, &those, own, error));
    for (size_t i = 0; i < count; i++) arms[which[i]] = own[i];
    put_joint(&those, which, counted->arm_count, joint);
    counted->sampled = those.sampled;
    return FP_OK;
}

/* ---- Distances of drawn pairs and of positives, counted with their weights ---- */

enum { MEASURED_AT_ONCE = 4096, ROW = 1024 };

typedef struct counting {
    const fp_measurement *measurement; /* with its silent documents */
    const fp_drawn_pairs *drawn;
    const fp_arenas *arenas;
    const fp_groups *groups;
    fp_pair_counters counters; /* of positives, and of pairs that stand for themselves */
    fp_histogram *weighted;    /* a thread's: of the others, their weights as multiples of 1/parts */
    double parts;
} counting;

static fp_status measure_one(const counting *of, uint32_t a, uint32_t b, double *distance, fp_error *error) {
    const fp_arm *arm = of->measurement->arm;
    const fp_corpus_document *documents = of->counters.all->stage->corpus->documents;
    *distance = fp_measurement_distance(of->measurement, a, b);
    if (fp_arm_distance_good(arm, *distance)) return FP_OK;
    return fp_arm_distance_refuse(arm, *distance, documents[a].id, documents[b].id, error);
}

static fp_status take_row(const counting *of, size_t row, const uint32_t *other, size_t count, const fp_arena *arena,
                          fp_error *error) {
    double distance[ROW];
    for (size_t i = 0; i < count; i++) FP_TRY(measure_one(of, (uint32_t)row, other[i], distance + i, error));
    fp_pair_row taken = {.row = row, .count = count, .other = other, .distance = distance};
    return fp_pair_counters_take(&of->counters, fp_thread_of(of->arenas, arena), &taken, error);
}

static fp_status take_weighted(const counting *of, size_t pair, const fp_arena *arena, fp_error *error) {
    const fp_drawn_pair *at = of->drawn->pairs + pair;
    double distance;
    FP_TRY(measure_one(of, at->a, at->b, &distance, error));
    return fp_histogram_add_many(of->weighted + fp_thread_of(of->arenas, arena), distance, 0,
                                 (uint64_t)(of->drawn->weights[pair] * of->parts + 0.5), error);
}

/* Neighbours in the list that share their first document make a row. */
static fp_status take_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const counting *of = context;
    const fp_drawn_pairs *drawn = of->drawn;
    size_t begin = index * MEASURED_AT_ONCE,
           end = drawn->count - begin < MEASURED_AT_ONCE ? drawn->count : begin + MEASURED_AT_ONCE, held = 0;
    uint32_t row = 0, other[ROW];
    for (size_t i = begin; i < end; i++) {
        if (drawn->weights[i] != 1) {
            FP_TRY(take_weighted(of, i, arena, error));
            continue;
        }
        if (held && (held == ROW || drawn->pairs[i].a != row)) {
            FP_TRY(take_row(of, row, other, held, arena, error));
            held = 0;
        }
        row = drawn->pairs[i].a;
        other[held++] = drawn->pairs[i].b;
    }
    return held ? take_row(of, row, other, held, arena, error) : FP_OK;
}

/* The pairs of one group. */
static fp_status take_group(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const counting *of = context;
    const uint32_t *member = of->groups->member;
    size_t end = of->groups->begin[index + 1];
    for (size_t i = of->groups->begin[index]; i < end; i++)
        for (size_t first = i + 1; first < end; first += ROW)
            FP_TRY(take_row(of, member[i], member + first, end - first < ROW ? end - first : ROW, arena, error));
    return FP_OK;
}

/* Counts into all->measurement, a copy that tells of no silent document: their pairs have distances like others. */
static fp_status count_pairs(const fp_all_pairs *all, counting *of, fp_error *error) {
    const fp_progress *progress = all->stage->progress;
    FP_TRY(fp_pair_counters_open(all, &of->counters, error));
    for (size_t t = 0; t < of->arenas->count; t++)
        of->weighted[t] =
            (fp_histogram){.limit = all->measurement->histogram.limit, .like = all->measurement->histogram.like};
    fp_status status = fp_parallel((of->drawn->count + MEASURED_AT_ONCE - 1) / MEASURED_AT_ONCE, of->arenas, true,
                                   take_batch, of, "distances", progress, error);
    if (status == FP_OK)
        status = fp_parallel(of->groups->count, of->arenas, true, take_group, of, "distances", progress, error);
    return fp_pair_counters_close(&of->counters, status, error);
}

/* What the others stand for, as whole numbers, bar by bar so that the sums up to each bar are rounded. */
static fp_status add_weighted(const counting *of, fp_histogram *to, fp_error *error) {
    const fp_drawn_pairs *drawn = of->drawn;
    fp_histogram *sum = of->weighted;
    uint64_t parts = 0, told = 0, all = drawn->negatives;
    for (size_t t = 1; t < of->arenas->count; t++) FP_TRY(fp_histogram_merge(sum, of->weighted + t, error));
    fp_histogram_finish(sum);
    for (size_t i = 0; i < drawn->count; i++) all -= drawn->weights[i] == 1;
    for (size_t i = 0; i < sum->count; i++) {
        parts += sum->bars[i].negatives;
        uint64_t rounded = (uint64_t)((double)parts / of->parts + 0.5);
        if (i + 1 == sum->count || rounded > all) rounded = all;
        sum->bars[i].negatives = rounded - told;
        told = rounded;
    }
    return fp_histogram_merge(to, sum, error);
}

/* Multiples of 1/parts that add up to what 64 bits hold. */
static double parts_of(uint64_t negatives) {
    double parts = 1;
    while (parts < 0x1p32 && (double)negatives * parts < 0x1p60) parts *= 2;
    return parts;
}

static fp_status measure(const fp_all_pairs *all, counting *of, fp_error *error) {
    of->weighted = fp_arena_alloc(all->arena, of->arenas->count, sizeof *of->weighted);
    if (!of->weighted) return fp_no_memory(error);
    of->parts = parts_of(of->drawn->negatives);
    fp_status status = count_pairs(all, of, error);
    if (status == FP_OK) status = add_weighted(of, &all->measurement->histogram, error);
    for (size_t t = 0; t < of->arenas->count; t++) fp_histogram_free(of->weighted + t);
    return status;
}

fp_status fp_drawn_pairs_measure(const fp_stage *stage, const fp_drawn_pairs *drawn, fp_measurement *measurement,
                                 const fp_arenas *arenas, fp_arena *arena, fp_error *error) {
    fp_groups groups;
    fp_near_finder none = {0};
    fp_measurement telling = *measurement;
    telling.silent = NULL;
    counting of = {.measurement = measurement, .drawn = drawn, .arenas = arenas, .groups = &groups};
    fp_all_pairs all = {stage, &telling, arenas, fp_arena_new_like(arena), &groups, &none};
    if (!all.arena) return fp_no_memory(error);
    fp_status status = fp_groups_make(stage->corpus, all.arena, &groups, error);
    if (status == FP_OK) status = measure(&all, &of, error);
    measurement->histogram = telling.histogram;
    fp_arena_free(all.arena);
    return status;
}
