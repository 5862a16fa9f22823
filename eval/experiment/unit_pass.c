/* SPDX-License-Identifier: GPL-3.0-or-later
 * Distributes units in chunks; sums are kept by chunk and added in chunk order. */
#include "eval/experiment/unit_pass.h"

#include <math.h>
#include <string.h>

/* ---- Sums of a chunk: for each arm, then for the pairs of arms ---- */

typedef struct arm_sums {
    double *across, *noise;                               /* [functional_count] */
    double *called_squares, *called_sizes, *called_noise; /* [threshold_count] */
} arm_sums;

static size_t arm_width(const fp_counted_pairs *counted) {
    return 2 * counted->functional_count + 3 * counted->threshold_count;
}

static size_t width_of(const fp_counted_pairs *counted) {
    return counted->arm_count * arm_width(counted) + 3 * counted->arm_count * counted->arm_count;
}

static arm_sums arm_sums_of(const fp_counted_pairs *counted, size_t arm, double *sums) {
    double *at = sums + arm * arm_width(counted);
    size_t functionals = counted->functional_count, thresholds = counted->threshold_count;
    return (arm_sums){at, at + functionals, at + 2 * functionals, at + 2 * functionals + thresholds,
                      at + 2 * functionals + 2 * thresholds};
}

static fp_joint_sums joint_sums_of(const fp_counted_pairs *counted, double *sums) {
    double *at = sums + counted->arm_count * arm_width(counted);
    size_t couples = counted->arm_count * counted->arm_count;
    return (fp_joint_sums){at, at + couples, at + 2 * couples};
}

/* ---- From the sample to all ---- */

/* Estimates the sums over all far dyads of a unit from the far dyads taken: sums are assumed proportional to the
 * number of pairs (a ratio estimator: Cochran, Sampling Techniques, 1977, chapter 6), squares to the number of
 * dyads. If all are taken, both factors are 1 and the error is 0. */
typedef struct expansion {
    double by_pairs, by_dyads;
    double error; /* times Σ (sum − ratio·size)² over the dyads taken: variance of the estimated sum */
} expansion;

static expansion expand(const fp_pass_job *job, size_t unit, const fp_unit_tally *far) {
    const fp_unit_list *units = job->counted->units;
    double size = (double)fp_unit_size(units, unit), taken = (double)far->count, dyads = (double)units->count - 1,
           documents = (double)units->document_count - size;
    for (size_t i = job->near ? job->near->begin[unit] : 0; job->near && i < job->near->begin[unit + 1]; i++) {
        documents -= (double)fp_unit_size(units, job->near->other[i]);
        dyads--;
    }
    if (far->count == 0) return (expansion){0};
    expansion by = {.by_pairs = documents * size / far->sizes, .by_dyads = dyads / taken};
    if (taken > 1) by.error = dyads * (dyads - taken) / (taken * (taken - 1));
    return by;
}

/* Σ (sum − ratio·size)² from its parts. */
static double residual(double squares, double products, double ratio, double size_squares) {
    return fmax(0, squares - 2 * ratio * products + ratio * ratio * size_squares);
}

static void keep_functionals(const fp_pass_arm *arm, size_t unit, const fp_unit_tally *far, const fp_unit_tally *near,
                             expansion by, arm_sums to) {
    size_t functionals = arm->plan.functional_count;
    for (size_t k = 0; k < functionals; k++) {
        double ratio = far->count ? far->sum[k] / far->sizes : 0;
        arm->out->touching[unit * functionals + k] = near->sum[k] + by.by_pairs * far->sum[k];
        to.across[k] += (near->squares[k] + by.by_dyads * far->squares[k]) / 2; /* every dyad occurs twice */
        to.noise[k] += by.error * residual(far->squares[k], far->products[k], ratio, far->size_squares);
    }
}

static void keep_counts(const fp_pass_arm *arm, size_t unit, const fp_unit_tally *far, const fp_unit_tally *near,
                        expansion by, arm_sums to) {
    size_t thresholds = arm->plan.threshold_count;
    double called[2] = {0, 0}, squares[2] = {0, 0}, sizes[2] = {0, 0};
    for (size_t t = 0; t < thresholds; t++) {
        const fp_unit_tally *each[2] = {near, far};
        for (size_t i = 0; i < 2; i++) {
            called[i] += each[i]->called[t];
            squares[i] += each[i]->called_squares[t];
            sizes[i] += each[i]->called_sizes[t];
        }
        double ratio = far->count ? called[1] / far->sizes : 0;
        arm->out->called[unit * thresholds + t] = (uint32_t)lround(called[0] + by.by_pairs * called[1]);
        to.called_squares[t] += (squares[0] + by.by_dyads * squares[1]) / 2;
        to.called_sizes[t] += (sizes[0] + by.by_dyads * sizes[1]) / 2;
        to.called_noise[t] += by.error * residual(squares[1], sizes[1], ratio, far->size_squares);
    }
}

/* ---- Two arms together ---- */

static void clear(double *sum) { *sum = 0; }

/* For the functional 0; clears the joint sums of the unit. */
static void keep_joint(const fp_pass_job *job, const fp_unit_room *room, expansion by, fp_joint_sums to) {
    size_t arms = job->counted->arm_count;
    const fp_joint_block *of = &room->joint;
    for (size_t a = 0; a < arms; a++) {
        for (size_t b = 0; b <= a; b++) {
            const fp_unit_tally *one = room->fars + a, *other = room->fars + b;
            size_t at = a * arms + b;
            double one_ratio = one->count ? one->sum[0] / one->sizes : 0,
                   other_ratio = other->count ? other->sum[0] / other->sizes : 0;
            to.dyads[at] += (of->near_dyads[at] + by.by_dyads * of->far_dyads[at]) / 2;
            to.pairs[at] += (of->near_pairs[at] + by.by_dyads * of->far_pairs[at]) / 2;
            to.noise[at] += by.error * (of->far_dyads[at] - one_ratio * other->products[0] -
                                        other_ratio * one->products[0] + one_ratio * other_ratio * one->size_squares);
            clear(of->near_dyads + at);
            clear(of->far_dyads + at);
            clear(of->near_pairs + at);
            clear(of->far_pairs + at);
        }
    }
}

/* ---- Positives ---- */

/* Pairs inside the unit. */
void fp_pass_take_positives(const fp_pass_arm *arm, const fp_unit_list *units, size_t unit) {
    size_t functionals = arm->plan.functional_count, thresholds = arm->plan.threshold_count;
    uint32_t *found = arm->out->found + unit * thresholds;
    double *own = arm->out->own + unit * functionals;
    for (size_t i = units->begin[unit]; i < units->begin[unit + 1]; i++) {
        for (size_t j = i + 1; j < units->begin[unit + 1]; j++) {
            size_t bin = fp_pass_bin(arm, units->document[i], units->document[j]);
            const double *value = arm->out->value + (2 * bin + 1) * functionals;
            for (size_t k = 0; k < functionals; k++) own[k] += value[k];
            if (arm->plan.within[bin] < thresholds) found[arm->plan.within[bin]]++;
        }
    }
    for (size_t t = 1; t < thresholds; t++) found[t] += found[t - 1];
}

static double value_of_positive(const fp_pass_arm *arm, uint32_t a, uint32_t b) {
    return arm->out->value[(2 * (size_t)fp_pass_bin(arm, a, b) + 1) * arm->plan.functional_count];
}

/* Joint sums of two arms over the positives. */
void fp_pass_join_positives(const fp_pass_job *job, size_t unit, double *pairs) {
    const fp_unit_list *units = job->counted->units;
    size_t arms = job->counted->arm_count;
    for (size_t i = units->begin[unit]; i < units->begin[unit + 1]; i++) {
        for (size_t j = i + 1; j < units->begin[unit + 1]; j++) {
            for (size_t a = 0; a < arms; a++) {
                double one = value_of_positive(job->arms + a, units->document[i], units->document[j]);
                for (size_t b = 0; b <= a; b++)
                    pairs[a * arms + b] +=
                        one * (b == a ? one : value_of_positive(job->arms + b, units->document[i], units->document[j]));
            }
        }
    }
}

/* ---- All ---- */

static void keep_unit(const fp_pass_job *job, size_t unit, fp_unit_room *room, double *sums) {
    const fp_counted_pairs *counted = job->counted;
    expansion by = expand(job, unit, room->fars);
    for (size_t a = 0; a < counted->arm_count; a++) {
        const fp_pass_arm *arm = job->arms + a;
        arm_sums to = arm_sums_of(counted, a, sums);
        keep_functionals(arm, unit, room->fars + a, room->nears + a, by, to);
        keep_counts(arm, unit, room->fars + a, room->nears + a, by, to);
        fp_pass_take_positives(arm, counted->units, unit);
    }
    if (room->joint.far_dyads) {
        keep_joint(job, room, by, joint_sums_of(counted, sums));
        fp_pass_join_positives(job, unit, joint_sums_of(counted, sums).pairs);
    }
    for (size_t a = 0; a < counted->arm_count; a++) {
        fp_unit_tally_clear(&job->arms[a].plan, room->fars + a);
        fp_unit_tally_clear(&job->arms[a].plan, room->nears + a);
    }
}

/* ---- All units ---- */

/* The same for any number of threads. */
enum { CHUNKS = 256 };

static fp_status take_chunk(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_pass_job *job = context;
    size_t units = job->counted->units->count;
    fp_unit_room room;
    FP_TRY(fp_unit_room_open(job, arena, &room, error));
    for (size_t u = index * units / CHUNKS; u < (index + 1) * units / CHUNKS; u++) {
        FP_TRY(fp_unit_take_dyads(job, u, arena, &room, error));
        keep_unit(job, u, &room, job->chunks + index * job->width);
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

fp_status fp_pass_open_bins(const fp_pass_job *job, const fp_measurement *measurement, fp_counted_arm *out,
                            fp_arena *scratch, fp_pass_arm *arm, fp_error *error) {
    size_t thresholds = job->counted->threshold_count, functionals = job->counted->functional_count;
    uint32_t *within = FP_NEED(fp_arena_raw(scratch, out->bin_count, sizeof *within), error);
    double *value = FP_NEED(values_of_negatives(out, functionals, scratch), error);
    *arm = (fp_pass_arm){
        .measurement = measurement, .plan = {out->bin_count, thresholds, functionals, value, within}, .out = out};
    for (size_t bin = 0, t = 0; bin < out->bin_count; bin++) {
        while (t < thresholds && out->reach[t] <= bin) t++;
        within[bin] = (uint32_t)t;
    }
    return fp_bin_finder_open(&measurement->histogram, scratch, &arm->finder, error);
}

fp_status fp_pass_open_sums(const fp_pass_job *job, fp_counted_arm *out, fp_arena *arena, fp_error *error) {
    size_t calls = job->counted->units->count * job->counted->threshold_count,
           sums = job->counted->units->count * job->counted->functional_count;
    out->called = FP_NEED(fp_arena_alloc(arena, calls, sizeof *out->called), error);
    out->found = FP_NEED(fp_arena_alloc(arena, calls, sizeof *out->found), error);
    out->touching = FP_NEED(fp_arena_alloc(arena, sums, sizeof *out->touching), error);
    out->own = FP_NEED(fp_arena_alloc(arena, sums, sizeof *out->own), error);
    return FP_OK;
}

static fp_status open_arm(const fp_pass_job *job, const fp_measurement *measurement, fp_counted_arm *out,
                          fp_arena *arena, fp_arena *scratch, fp_pass_arm *arm, fp_error *error) {
    const fp_unit_list *list = job->counted->units;
    FP_TRY(fp_pass_open_bins(job, measurement, out, scratch, arm, error));
    FP_TRY(fp_pass_open_sums(job, out, arena, error));
    fp_column_order order = {list->document, list->document_count, list->begin[job->counted->column_units]};
    return fp_columns_open(measurement, order, scratch, &arm->columns, error);
}

/* Adds the chunks in order, into the first. */
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
    double *sums = FP_NEED(fp_arena_raw(arena, job->width, sizeof *sums), error);
    add_chunks(job);
    memcpy(sums, job->chunks, job->width * sizeof *sums);
    for (size_t a = 0; a < counted->arm_count; a++) {
        arm_sums of = arm_sums_of(counted, a, sums);
        arms[a].across = of.across;
        arms[a].noise = of.noise;
        arms[a].called_squares = of.called_squares;
        arms[a].called_sizes = of.called_sizes;
        arms[a].called_noise = of.called_noise;
    }
    fp_joint_sums joint = joint_sums_of(counted, sums);
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
    job->width = width_of(counted);
    job->chunks = FP_NEED(fp_arena_alloc(scratch, CHUNKS * job->width, sizeof *job->chunks), error);
    job->arms = FP_NEED(fp_arena_alloc(scratch, count, sizeof *job->arms), error);
    counted->sampled = job->counted->column_units < counted->units->count;
    fp_near_units near;
    if (counted->sampled) {
        FP_TRY(fp_near_units_make(counted->units, job->measurements, count, scratch, &near, error));
        job->near = &near;
    }
    for (; opened < count && status == FP_OK; opened++)
        status = open_arm(job, job->measurements + opened, arms + opened, arena, scratch, job->arms + opened, error);
    if (status == FP_OK) status = fp_arenas_open(&arenas, job->progress, arena, error);
    if (status == FP_OK) status = fp_parallel(CHUNKS, &arenas, true, take_chunk, job, "units", job->progress, error);
    fp_arenas_free(&arenas);
    for (size_t a = 0; a < opened; a++) fp_columns_free(&job->arms[a].columns);
    return status == FP_OK ? close_job(job, arena, counted, arms, error) : status;
}

fp_status fp_unit_pass_run(const fp_measurement *measurements, const fp_progress *progress, fp_arena *arena,
                           fp_counted_pairs *counted, fp_counted_arm *arms, fp_error *error) {
    fp_pass_job job = {.measurements = measurements, .progress = progress, .counted = counted};
    FP_SCRATCH(scratch, arena, error);
    counted->weight = 1;
    counted->dyad_squares = fp_pass_dyad_squares(counted->units);
    return run(&job, arena, scratch, counted, arms, error);
}
