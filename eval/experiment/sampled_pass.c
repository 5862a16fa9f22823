/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums over sampled pairs, dyad by dyad: by unit, over dyads, and of two arms together. */

#include "base/parallel.h"
#include "eval/experiment/sampled_pairs.h"
#include "eval/experiment/unit_pass.h"

enum { CHUNKS = 256, REPLICATES = FP_COUNTED_REPLICATES };

/* The sums of one arm over a dyad. */
typedef struct arm_sums {
    double *sum, *called; /* the functionals, and the increase of its calls at each threshold */
    size_t first, end;    /* range of these thresholds */
    uint32_t *bins;       /* [sample->count] */
} arm_sums;

typedef struct sampled_job {
    fp_pass_job pass;
    const fp_sampled_pairs *sample;
    const uint32_t *unit_of; /* [document_count] */
    arm_sums *arms;          /* [arm_count] */
    fp_joint_sums joint;
    double *value, *sum; /* [arm_count] the functional 0 of a pair, and of the dyad */
    double *positives;   /* [CHUNKS·arm_count²] as of fp_joint_sums.pairs */
} sampled_job;

static bool is_whole(const sampled_job *job, size_t arm) { return job->pass.arms[arm].measurement->whole; }

/* ---- One arm ---- */

static fp_status open_sums(const sampled_job *job, const fp_pass_arm *arm, fp_arena *arena, fp_arena *scratch,
                           arm_sums *to, fp_error *error) {
    fp_counted_arm *out = arm->out;
    size_t functionals = arm->plan.functional_count, thresholds = arm->plan.threshold_count, bins = arm->plan.bin_count;
    double *kept = FP_NEED(
               fp_arena_alloc(arena, 2 * functionals + 3 * thresholds + (4 + REPLICATES) * bins, sizeof *kept), error),
           *room = FP_NEED(fp_arena_alloc(scratch, functionals + thresholds, sizeof *room), error);
    out->drawn =
        FP_NEED(fp_arena_alloc(arena, job->pass.counted->units->count * thresholds, sizeof *out->drawn), error);
    *to = (arm_sums){.sum = room, .called = room + functionals, .first = thresholds};
    out->across = kept;
    out->noise = kept += functionals; /* 0, also below: no correction for noise */
    out->called_squares = kept += functionals;
    out->called_sizes = kept += thresholds;
    out->called_noise = kept += thresholds;
    out->stood_for = kept += thresholds;
    out->stood_for_squares = kept += bins;
    out->heaviest = kept += bins;
    out->light_noise = kept += bins;
    out->without = kept + bins;
    for (size_t bin = 0; bin < bins; bin++)
        out->heaviest[bin] = fp_sampled_pairs_heaviest(job->sample, arm->measurement, out->distance[bin]);
    return FP_OK;
}

/* Adds a pair to the sums of its units and of its dyad. */
static void add_pair(const sampled_job *job, size_t a, size_t index) {
    const fp_pass_arm *arm = job->pass.arms + a;
    const fp_sampled_pair *pair = job->sample->pairs + index;
    arm_sums *dyad = job->arms + a;
    fp_counted_arm *to = arm->out;
    size_t functionals = arm->plan.functional_count, thresholds = arm->plan.threshold_count, bin = dyad->bins[index],
           within = arm->plan.within[bin];
    const size_t unit[2] = {job->unit_of[pair->a], job->unit_of[pair->b]};
    for (size_t k = 0; k < functionals; k++) {
        double value = pair->weight * arm->plan.value[bin * functionals + k];
        for (size_t i = 0; i < 2; i++) to->touching[unit[i] * functionals + k] += value;
        dyad->sum[k] += value;
    }
    if (pair->weight != 1)
        to->stood_for[bin] += pair->weight, to->stood_for_squares[bin] += pair->weight * pair->weight;
    if (pair->weight < job->sample->heavy) to->light_noise[bin] += pair->weight * (pair->weight - 1);
    for (size_t r = 0; r < REPLICATES; r++) to->without[bin * REPLICATES + r] += (double)pair->without[r];
    if (within == thresholds) return;
    for (size_t i = 0; i < 2; i++) to->drawn[unit[i] * thresholds + within] += (float)pair->weight;
    dyad->called[within] += pair->weight;
    if (within < dyad->first) dyad->first = within;
    if (within >= dyad->end) dyad->end = within + 1;
}

/* (c + x)² − c² = x·(2c + x). */
static void close_dyad(const fp_pass_arm *arm, double size, arm_sums *of) {
    fp_counted_arm *to = arm->out;
    double before = 0;
    for (size_t k = 0; k < arm->plan.functional_count; k++) {
        to->across[k] += of->sum[k] * of->sum[k];
        of->sum[k] = 0;
    }
    for (size_t t = of->first; t < of->end; t++) {
        double more = of->called[t];
        to->called_squares[t] += more * (2 * before + more);
        to->called_sizes[t] += more * size;
        before += more;
        of->called[t] = 0;
    }
    of->first = arm->plan.threshold_count;
    of->end = 0;
}

/* Counts at a threshold include all smaller thresholds. */
static void finish_sums(const sampled_job *job, size_t a) {
    fp_counted_arm *of = job->pass.arms[a].out;
    size_t thresholds = job->pass.counted->threshold_count;
    for (size_t u = 0; u < job->pass.counted->units->count; u++)
        for (size_t t = 1; t < thresholds; t++) of->drawn[u * thresholds + t] += of->drawn[u * thresholds + t - 1];
    for (size_t t = 1; t < thresholds; t++) {
        of->called_squares[t] += of->called_squares[t - 1];
        of->called_sizes[t] += of->called_sizes[t - 1];
    }
}

/* ---- Two arms together ---- */

/* The functional 0 of every two arms over the pairs of a dyad. If all pairs of one of the two are counted, its sums do
 * not vary with the sample and have no sampling covariance with the other's. The product for a pair, W²·v·v′, would
 * include such a covariance; only W·v·v′ is kept. For two such arms the sums have no meaning. */
static void join_dyad(const sampled_job *job, size_t first, size_t end) {
    size_t arms = job->pass.counted->arm_count;
    for (size_t a = 0; a < arms; a++) job->sum[a] = 0;
    for (size_t i = first; i < end; i++) {
        double weight = job->sample->pairs[i].weight;
        for (size_t a = 0; a < arms; a++) {
            const fp_tally_plan *plan = &job->pass.arms[a].plan;
            job->value[a] = weight * plan->value[job->arms[a].bins[i] * plan->functional_count];
            job->sum[a] += job->value[a];
            for (size_t b = 0; b <= a; b++) {
                double product = job->value[a] * job->value[b];
                bool apart = is_whole(job, a) || is_whole(job, b);
                job->joint.pairs[a * arms + b] += apart ? product / weight : product;
                if (apart) job->joint.dyads[a * arms + b] -= product * (1 - 1 / weight);
            }
        }
    }
    for (size_t a = 0; a < arms; a++)
        for (size_t b = 0; b <= a; b++) job->joint.dyads[a * arms + b] += job->sum[a] * job->sum[b];
}

/* ---- All dyads ---- */

static void take_dyad(const sampled_job *job, size_t first, size_t end) {
    const fp_counted_pairs *counted = job->pass.counted;
    const fp_sampled_pair *pair = job->sample->pairs + first;
    double size = (double)fp_unit_size(counted->units, job->unit_of[pair->a]) *
                  (double)fp_unit_size(counted->units, job->unit_of[pair->b]);
    for (size_t a = 0; a < counted->arm_count; a++) {
        if (is_whole(job, a)) continue;
        for (size_t i = first; i < end; i++) add_pair(job, a, i);
        close_dyad(job->pass.arms + a, size, job->arms + a);
    }
    if (counted->arm_count > 1 && counted->functional_count) join_dyad(job, first, end);
}

static bool same_dyad(const sampled_job *job, size_t i, size_t j) {
    const fp_sampled_pair *one = job->sample->pairs + i, *other = job->sample->pairs + j;
    return job->unit_of[one->a] == job->unit_of[other->a] && job->unit_of[one->b] == job->unit_of[other->b];
}

static void take_negatives(const sampled_job *job) {
    for (size_t first = 0, end; first < job->sample->count; first = end) {
        end = first + 1;
        while (end < job->sample->count && same_dyad(job, first, end)) end++;
        take_dyad(job, first, end);
    }
    for (size_t a = 0; a < job->pass.counted->arm_count; a++)
        if (!is_whole(job, a)) finish_sums(job, a);
}

/* ---- Positives ---- */

static fp_status take_chunk(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const sampled_job *job = context;
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

static fp_status take_positives(sampled_job *job, fp_arena *arena, fp_error *error) {
    const fp_progress *progress = job->pass.progress;
    size_t couples = job->pass.counted->arm_count * job->pass.counted->arm_count;
    FP_TRY(fp_parallel_in(arena, CHUNKS, take_chunk, job, "units", progress, error));
    for (size_t i = 0; i < CHUNKS * couples; i++) job->joint.pairs[i % couples] += job->positives[i];
    return FP_OK;
}

/* ---- Arms whose pairs are all counted: as without sampling, from the pass over the units ---- */

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

static fp_status take_whole_arms(const sampled_job *job, fp_arena *arena, fp_counted_pairs *counted,
                                 fp_counted_arm *arms, fp_error *error) {
    size_t count = fp_whole_arm_count(job->pass.measurements, counted->arm_count), at = 0;
    size_t *which = FP_NEED(fp_arena_raw(arena, count, sizeof *which), error);
    fp_measurement *measurements = FP_NEED(fp_arena_raw(arena, count, sizeof *measurements), error);
    fp_counted_arm *own = FP_NEED(fp_arena_raw(arena, count, sizeof *own), error);
    if (count == 0) return FP_OK;
    for (size_t a = 0; a < counted->arm_count; a++) {
        if (!is_whole(job, a)) continue;
        which[at] = a;
        measurements[at] = job->pass.measurements[a];
        own[at++] = arms[a];
    }
    fp_counted_pairs those = *counted;
    those.arm_count = count;
    FP_TRY(fp_unit_pass_run(measurements, job->pass.progress, arena, &those, own, error));
    for (size_t i = 0; i < count; i++) arms[which[i]] = own[i];
    put_joint(&those, which, counted->arm_count, job->joint);
    counted->sampled = those.sampled;
    return FP_OK;
}

/* ---- All ---- */

/* Every arm has a bin for each pair of the sample. */
static fp_status find_bins(const sampled_job *job, size_t a, fp_arena *scratch, fp_error *error) {
    const fp_pass_arm *arm = job->pass.arms + a;
    const fp_sampled_pair *pairs = job->sample->pairs;
    size_t count = job->sample->count;
    uint32_t *bins = job->arms[a].bins = fp_arena_raw(scratch, count, sizeof *bins);
    if (!bins) return fp_no_memory(error);
    if (!is_whole(job, a)) fp_bin_finder_find(&arm->finder, arm->measurement->distances, count, bins);
    else
        for (size_t i = 0; i < count; i++) bins[i] = fp_pass_bin(arm, pairs[i].a, pairs[i].b);
    return FP_OK;
}

static fp_status open_arm(const sampled_job *job, size_t a, fp_arena *arena, fp_arena *scratch, fp_counted_arm *out,
                          fp_error *error) {
    const fp_measurement *measurement = job->pass.measurements + a;
    fp_pass_arm *arm = job->pass.arms + a;
    FP_TRY(fp_pass_open_bins(&job->pass, measurement, out, scratch, arm, error));
    if (!measurement->whole) {
        FP_TRY(fp_pass_open_sums(&job->pass, out, arena, error));
        FP_TRY(open_sums(job, arm, arena, scratch, job->arms + a, error));
    }
    return find_bins(job, a, scratch, error);
}

static fp_status open_job(sampled_job *job, fp_arena *arena, fp_arena *scratch, fp_counted_arm *arms, fp_error *error) {
    const fp_counted_pairs *counted = job->pass.counted;
    size_t count = counted->arm_count, couples = count * count;
    double *sums = FP_NEED(fp_arena_alloc(arena, 3 * couples, sizeof *sums), error);
    job->joint = (fp_joint_sums){sums, sums + couples, sums + 2 * couples};
    job->pass.arms = FP_NEED(fp_arena_alloc(scratch, count, sizeof *job->pass.arms), error);
    job->arms = FP_NEED(fp_arena_alloc(scratch, count, sizeof *job->arms), error);
    job->value = FP_NEED(fp_arena_alloc(scratch, count, sizeof *job->value), error);
    job->sum = FP_NEED(fp_arena_alloc(scratch, count, sizeof *job->sum), error);
    job->positives = FP_NEED(fp_arena_alloc(scratch, CHUNKS * couples, sizeof *job->positives), error);
    job->unit_of = FP_NEED(fp_unit_of_documents(counted->units, scratch), error);
    for (size_t a = 0; a < count; a++) FP_TRY(open_arm(job, a, arena, scratch, arms + a, error));
    return FP_OK;
}

static fp_status run(sampled_job *job, fp_arena *arena, fp_arena *scratch, fp_counted_pairs *counted,
                     fp_counted_arm *arms, fp_error *error) {
    FP_TRY(open_job(job, arena, scratch, arms, error));
    take_negatives(job);
    FP_TRY(take_positives(job, arena, error));
    fp_pass_mirror(job->joint.dyads, counted->arm_count);
    fp_pass_mirror(job->joint.pairs, counted->arm_count);
    FP_TRY(take_whole_arms(job, arena, counted, arms, error));
    counted->joint = job->joint.dyads;
    counted->joint_noise = job->joint.noise;
    counted->joint_pairs = job->joint.pairs;
    counted->arms = arms;
    return FP_OK;
}

fp_status fp_sampled_pass_run(const fp_measurement *measurements, const fp_progress *progress, fp_arena *arena,
                              fp_counted_pairs *counted, fp_counted_arm *arms, fp_error *error) {
    sampled_job job = {.pass = {.measurements = measurements, .progress = progress, .counted = counted},
                       .sample = measurements->sample};
    FP_SCRATCH(scratch, arena, error);
    counted->weight = job.sample->weight;
    counted->dyad_squares = fp_pass_dyad_squares(counted->units);
    return run(&job, arena, scratch, counted, arms, error);
}
