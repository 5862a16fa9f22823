/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs in their order, so many at a time: bars of their distances, pair by pair, then sums, arm by arm. */
#include "eval/experiment/drawing/drawn_pass.h"

#include "eval/experiment/drawing/drawn_sums.h"
#include "eval/experiment/drawing/heaviest.h"
#include "eval/experiment/drawing/whole_pass.h"

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
