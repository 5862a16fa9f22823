/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units dealt out in chunks; what a chunk adds up to is kept by chunk, and added in their order. */
#include "eval/experiment/unit_pass.h"

#include <string.h>

#include "eval/experiment/unit_pass_parts.h"

/* So many for any number of threads. */
enum { CHUNKS = 256 };

static fp_status take_chunk(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_pass_job *job = context;
    size_t units = job->counted->units->count;
    fp_pass_room room;
    FP_TRY(fp_pass_room_make(job, arena, &room, error));
    for (size_t u = index * units / CHUNKS; u < (index + 1) * units / CHUNKS; u++) {
        FP_TRY(fp_pass_take_dyads(job, u, arena, &room, error));
        fp_pass_keep(job, u, &room, job->chunks + index * job->width);
    }
    return FP_OK;
}

/* The functionals of the negatives, bin after bin: all dyads are of them. */
static double *values_of_negatives(const fp_counted_arm *arm, size_t functionals, fp_arena *scratch) {
    double *value = fp_arena_raw(scratch, arm->bin_count, functionals * sizeof *value);
    for (size_t bin = 0; value && bin < arm->bin_count; bin++)
        for (size_t k = 0; k < functionals; k++) value[bin * functionals + k] = arm->value[2 * bin * functionals + k];
    return value;
}

fp_status fp_pass_open_bins(const fp_pass_job *job, const fp_measurement *measurement, const fp_counted_arm *of,
                            fp_arena *scratch, fp_pass_arm *arm, fp_error *error) {
    size_t thresholds = job->counted->threshold_count, functionals = job->counted->functional_count;
    uint32_t *within = fp_arena_raw(scratch, of->bin_count, sizeof *within);
    double *value = values_of_negatives(of, functionals, scratch);
    *arm = (fp_pass_arm){.measurement = measurement,
                         .plan = {of->bin_count, thresholds, functionals, value, within},
                         .value = of->value};
    if (!within || !value) return fp_no_memory(error);
    for (size_t bin = 0, t = 0; bin < of->bin_count; bin++) {
        while (t < thresholds && of->reach[t] <= bin) t++;
        within[bin] = (uint32_t)t;
    }
    return fp_bin_finder_open(&measurement->histogram, scratch, &arm->finder, error);
}

fp_status fp_pass_open_arm(const fp_pass_job *job, const fp_measurement *measurement, fp_counted_arm *out,
                           fp_arena *arena, fp_arena *scratch, fp_pass_arm *arm, fp_error *error) {
    const fp_counted_pairs *counted = job->counted;
    size_t units = counted->units->count, thresholds = counted->threshold_count,
           functionals = counted->functional_count;
    FP_TRY(fp_pass_open_bins(job, measurement, out, scratch, arm, error));
    out->called = arm->called = fp_arena_alloc(arena, units * thresholds, sizeof *arm->called);
    out->found = arm->found = fp_arena_alloc(arena, units * thresholds, sizeof *arm->found);
    out->touching = arm->touching = fp_arena_alloc(arena, units * functionals, sizeof *arm->touching);
    out->own = arm->own = fp_arena_alloc(arena, units * functionals, sizeof *arm->own);
    return arm->called && arm->found && arm->touching && arm->own ? FP_OK : fp_no_memory(error);
}

static fp_status open_arm(const fp_pass_job *job, const fp_measurement *measurement, fp_counted_arm *out,
                          fp_arena *arena, fp_arena *scratch, fp_pass_arm *arm, fp_error *error) {
    const fp_unit_list *list = job->counted->units;
    FP_TRY(fp_pass_open_arm(job, measurement, out, arena, scratch, arm, error));
    fp_column_order order = {list->document, list->document_count, list->begin[job->pass->column_units]};
    return fp_columns_open(measurement, order, scratch, &arm->columns, error);
}

/* Adds the chunks up in their order, into the first. */
static void add_chunks(const fp_pass_job *job) {
    for (size_t c = 1; c < CHUNKS; c++)
        for (size_t i = 0; i < job->width; i++) job->chunks[i] += job->chunks[c * job->width + i];
}

void fp_pass_mirror(double *matrix, size_t count) {
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) matrix[a * count + b] = matrix[b * count + a];
}

static fp_status close_job(const fp_pass_job *job, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                           fp_error *error) {
    double *sums = fp_arena_raw(arena, job->width, sizeof *sums);
    if (!sums) return fp_no_memory(error);
    add_chunks(job);
    memcpy(sums, job->chunks, job->width * sizeof *sums);
    for (size_t a = 0; a < counted->arm_count; a++) {
        fp_arm_sums of = fp_pass_arm_sums(counted, a, sums);
        arms[a].across = of.across;
        arms[a].noise = of.noise;
        arms[a].called_squares = of.called_squares;
        arms[a].called_sizes = of.called_sizes;
        arms[a].called_noise = of.called_noise;
    }
    fp_joint_sums joint = fp_pass_joint_sums(counted, sums);
    fp_pass_mirror(joint.dyads, counted->arm_count);
    fp_pass_mirror(joint.noise, counted->arm_count);
    fp_pass_mirror(joint.pairs, counted->arm_count);
    counted->joint = joint.dyads;
    counted->joint_noise = joint.noise;
    counted->joint_pairs = joint.pairs;
    counted->arms = arms;
    return FP_OK;
}

/* Σ over dyads of (n·m)² = ((Σ n²)² − Σ n⁴)/2. */
double fp_pass_dyad_squares(const fp_unit_list *units) {
    double squares = 0, fourths = 0;
    for (size_t u = 0; u < units->count; u++) {
        double square = (double)fp_unit_size(units, u) * (double)fp_unit_size(units, u);
        squares += square;
        fourths += square * square;
    }
    return (squares * squares - fourths) / 2;
}

static fp_status run(fp_pass_job *job, fp_arena *arena, fp_arena *scratch, fp_counted_pairs *counted,
                     fp_counted_arm *arms, fp_error *error) {
    fp_arenas arenas = {0};
    fp_status status = FP_OK;
    size_t count = counted->arm_count, opened = 0;
    job->width = fp_pass_width(counted);
    job->chunks = fp_arena_alloc(scratch, CHUNKS * job->width, sizeof *job->chunks);
    job->arms = fp_arena_alloc(scratch, count, sizeof *job->arms);
    if (!job->chunks || !job->arms) return fp_no_memory(error);
    counted->sampled = job->pass->column_units < counted->units->count;
    fp_near_units near;
    if (counted->sampled) {
        FP_TRY(fp_near_units_make(counted->units, job->pass->measurements, count, scratch, &near, error));
        job->near = &near;
    }
    for (; opened < count && status == FP_OK; opened++)
        status =
            open_arm(job, job->pass->measurements + opened, arms + opened, arena, scratch, job->arms + opened, error);
    if (status == FP_OK) status = fp_arenas_open(&arenas, job->pass->progress, arena, error);
    if (status == FP_OK)
        status = fp_parallel(CHUNKS, &arenas, true, take_chunk, job, "units", job->pass->progress, error);
    fp_arenas_free(&arenas);
    for (size_t a = 0; a < opened; a++) fp_columns_free(&job->arms[a].columns);
    return status == FP_OK ? close_job(job, arena, counted, arms, error) : status;
}

fp_status fp_unit_pass_run(const fp_unit_pass *pass, fp_arena *arena, fp_counted_pairs *counted, fp_counted_arm *arms,
                           fp_error *error) {
    fp_pass_job job = {.pass = pass, .counted = counted};
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    counted->weight = 1;
    counted->dyad_squares = fp_pass_dyad_squares(counted->units);
    fp_status status = run(&job, arena, scratch, counted, arms, error);
    fp_arena_free(scratch);
    return status;
}
