/* SPDX-License-Identifier: GPL-3.0-or-later
 * Units dealt out in chunks; what a chunk adds up to is kept by chunk, and added in their order. */
#include "eval/experiment/unit_pass.h"

#include <math.h>
#include <string.h>

/* ---- What the dyads of one unit add up to, under one arm; most are of one pair ---- */

typedef struct unit_tally {
    /* [functional_count] Σ over dyads of their sums, of the squares of these, and of them times the size */
    double *sum, *squares, *products;
    /* [threshold_count] by how much the sums over dyads of called, called² and called·size grow at each threshold */
    double *called, *called_squares, *called_sizes;
    double *dyad;   /* [functional_count] the sums of the last dyad of several pairs */
    uint32_t *one;  /* [bin_count] dyads of one pair, not yet in the sums; NULL where bins are many */
    uint32_t *seen; /* [threshold_count] zeros */
    size_t count;   /* dyads */
    double sizes, size_squares;
} unit_tally;

/* Bins of the pairs of a dyad: rows · columns, `stride` places from one row to the next. */
typedef struct dyad_bins {
    const uint32_t *bin;
    size_t rows, columns, stride;
} dyad_bins;

/* All zero, in `arena`. With few bins, dyads of one pair are counted first and weighed in the end. */
static fp_status open_tally(const fp_tally_plan *plan, fp_arena *arena, unit_tally *tally, fp_error *error) {
    size_t thresholds = plan->threshold_count, functionals = plan->functional_count;
    double *numbers = fp_arena_alloc(arena, 3 * thresholds + 4 * functionals, sizeof *numbers);
    *tally = (unit_tally){.seen = fp_arena_alloc(arena, thresholds, sizeof *tally->seen)};
    enum { FEW = 1024 };
    bool few = plan->bin_count <= FEW;
    if (few) tally->one = fp_arena_alloc(arena, plan->bin_count, sizeof *tally->one);
    if (!numbers || !tally->seen || (few && !tally->one)) return fp_no_memory(error);
    tally->sum = numbers;
    tally->squares = tally->sum + functionals;
    tally->products = tally->squares + functionals;
    tally->dyad = tally->products + functionals;
    tally->called = tally->dyad + functionals;
    tally->called_squares = tally->called + thresholds;
    tally->called_sizes = tally->called_squares + thresholds;
    return FP_OK;
}

static void clear_tally(const fp_tally_plan *plan, unit_tally *tally) {
    memset(tally->sum, 0, (3 * plan->threshold_count + 4 * plan->functional_count) * sizeof *tally->sum);
    tally->count = 0;
    tally->sizes = tally->size_squares = 0;
}

/* The thresholds that call pairs of a dyad for the first time. */
typedef struct span {
    size_t first, end;
} span;

static span sort_pairs(const fp_tally_plan *plan, const dyad_bins *dyad, uint32_t *seen) {
    span found = {plan->threshold_count, 0};
    for (size_t i = 0; i < dyad->rows; i++) {
        for (size_t j = 0; j < dyad->columns; j++) {
            size_t within = plan->within[dyad->bin[i * dyad->stride + j]];
            if (within == plan->threshold_count) continue;
            seen[within]++;
            if (within < found.first) found.first = within;
            if (within >= found.end) found.end = within + 1;
        }
    }
    return found;
}

/* (c + x)² − c² = x·(2c + x). */
static void add_called(span of, double size, unit_tally *tally) {
    double before = 0;
    for (size_t t = of.first; t < of.end; t++) {
        double more = tally->seen[t];
        tally->called[t] += more;
        tally->called_squares[t] += more * (2 * before + more);
        tally->called_sizes[t] += more * size;
        before += more;
        tally->seen[t] = 0;
    }
}

/* `count` dyads with these sums of the functionals. */
static void add_sums(const fp_tally_plan *plan, const double *sums, double size, double count, unit_tally *tally) {
    tally->sizes += count * size;
    tally->size_squares += count * size * size;
    for (size_t k = 0; k < plan->functional_count; k++) {
        double sum = count * sums[k];
        tally->sum[k] += sum;
        tally->squares[k] += sum * sums[k];
        tally->products[k] += sum * size;
    }
}

/* `count` dyads of one pair each. */
static void take_ones(const fp_tally_plan *plan, size_t bin, double count, unit_tally *tally) {
    size_t within = plan->within[bin];
    add_sums(plan, plan->value + bin * plan->functional_count, 1, count, tally);
    if (within == plan->threshold_count) return;
    tally->called[within] += count;
    tally->called_squares[within] += count;
    tally->called_sizes[within] += count;
}

static double take_several(const fp_tally_plan *plan, const dyad_bins *dyad, double size, unit_tally *tally) {
    size_t functionals = plan->functional_count;
    memset(tally->dyad, 0, functionals * sizeof *tally->dyad);
    for (size_t i = 0; i < dyad->rows; i++) {
        for (size_t j = 0; j < dyad->columns; j++) {
            const double *value = plan->value + (size_t)dyad->bin[i * dyad->stride + j] * functionals;
            for (size_t k = 0; k < functionals; k++) tally->dyad[k] += value[k];
        }
    }
    add_sums(plan, tally->dyad, size, 1, tally);
    add_called(sort_pairs(plan, dyad, tally->seen), size, tally);
    return functionals ? tally->dyad[0] : 0;
}

/* A dyad that is not of one pair, or where pairs are not counted by bin first. */
static double take_any(const fp_tally_plan *plan, const dyad_bins *dyad, unit_tally *tally) {
    size_t size = dyad->rows * dyad->columns, bin = dyad->bin[0];
    tally->count++;
    if (size > 1) return take_several(plan, dyad, (double)size, tally);
    take_ones(plan, bin, 1, tally);
    return plan->functional_count ? plan->value[bin * plan->functional_count] : 0;
}

/* Adds a dyad, and returns its sum of the functional 0; 0 where there is none. */
static inline double take_dyad(const fp_tally_plan *plan, const dyad_bins *dyad, unit_tally *tally) {
    size_t bin = dyad->bin[0];
    if (dyad->rows * dyad->columns > 1 || !tally->one) return take_any(plan, dyad, tally);
    tally->count++;
    tally->one[bin]++;
    return plan->functional_count ? plan->value[bin * plan->functional_count] : 0;
}

/* After the last dyad. */
static void finish_tally(const fp_tally_plan *plan, unit_tally *tally) {
    for (size_t bin = 0; tally->one && bin < plan->bin_count; bin++) {
        if (tally->one[bin]) take_ones(plan, bin, tally->one[bin], tally);
        tally->one[bin] = 0;
    }
}

/* ---- The dyads of one unit under all arms ---- */

/* The functional 0 of what is taken at once: of each pair, and of each dyad, arm by arm. */
typedef struct joint_block {
    double *pair, *dyad; /* [arm_count · pair_capacity], [arm_count · dyad_capacity]; NULL when there is one arm */
    size_t pair_capacity, dyad_capacity;
    /* Of the unit so far, as of fp_joint_sums: over its far and over its near dyads. */
    double *far_dyads, *far_pairs, *near_dyads, *near_pairs;
} joint_block;

/* A thread's room. */
typedef struct pass_room {
    double *distance; /* [columns] */
    uint32_t *bin;    /* [bin_capacity] */
    size_t bin_capacity;
    fp_column_room *column;   /* [arm_count] */
    unit_tally *fars, *nears; /* [arm_count] */
    bool *apart; /* [column_units] whether the dyad is taken with the column: no near one, and not the unit itself */
    joint_block joint;
} pass_room;

/* Pairs of a unit that are there at a time under one arm, or those with one other unit; all arms together have no more
 * than so many. */
enum { MOST_PAIRS = 1 << 21 };

static bool is_joint(const fp_pass_job *job) { return job->counted->arm_count > 1 && job->counted->functional_count; }

/* ---- Room ---- */

static fp_status open_joint(const fp_pass_job *job, fp_arena *arena, joint_block *joint, fp_error *error) {
    size_t couples = job->counted->arm_count * job->counted->arm_count;
    if (!is_joint(job)) return FP_OK;
    double *sums = FP_NEED(fp_arena_alloc(arena, 4 * couples, sizeof *sums), error);
    joint->far_dyads = sums;
    joint->far_pairs = sums + couples;
    joint->near_dyads = sums + 2 * couples;
    joint->near_pairs = sums + 3 * couples;
    return FP_OK;
}

static fp_status open_tallies(const fp_pass_job *job, fp_arena *arena, pass_room *room, fp_error *error) {
    size_t arms = job->counted->arm_count;
    room->fars = FP_NEED(fp_arena_alloc(arena, arms, sizeof *room->fars), error);
    room->nears = FP_NEED(fp_arena_alloc(arena, arms, sizeof *room->nears), error);
    for (size_t a = 0; a < arms; a++) {
        FP_TRY(open_tally(&job->arms[a].plan, arena, room->fars + a, error));
        FP_TRY(open_tally(&job->arms[a].plan, arena, room->nears + a, error));
    }
    return FP_OK;
}

static fp_status make_room(const fp_pass_job *job, fp_arena *arena, pass_room *room, fp_error *error) {
    size_t columns = job->pass->column_units, documents = job->counted->units->begin[columns];
    *room = (pass_room){.distance = FP_NEED(fp_arena_raw(arena, documents, sizeof *room->distance), error),
                        .column = FP_NEED(fp_arena_alloc(arena, job->counted->arm_count, sizeof *room->column), error),
                        .apart = FP_NEED(fp_arena_raw(arena, columns, sizeof *room->apart), error)};
    for (size_t u = 0; u < columns; u++) room->apart[u] = true;
    for (size_t a = 0; a < job->counted->arm_count; a++)
        FP_TRY(fp_column_room_make(&job->arms[a].columns, arena, room->column + a, error));
    FP_TRY(open_tallies(job, arena, room, error));
    return open_joint(job, arena, &room->joint, error);
}

static fp_status grow(fp_arena *arena, double **place, size_t *capacity, size_t count, size_t arms, fp_error *error) {
    if (count <= *capacity) return FP_OK;
    double *larger = FP_NEED(fp_arena_grow(arena, *place, count * arms * sizeof *larger), error);
    *place = larger;
    *capacity = count;
    return FP_OK;
}

/* For so many pairs and dyads at once. */
static fp_status want(const fp_pass_job *job, size_t pairs, size_t dyads, fp_arena *arena, pass_room *room,
                      fp_error *error) {
    joint_block *joint = &room->joint;
    if (pairs > room->bin_capacity) {
        uint32_t *larger = FP_NEED(fp_arena_grow(arena, room->bin, pairs * sizeof *larger), error);
        room->bin = larger;
        room->bin_capacity = pairs;
    }
    if (!is_joint(job)) return FP_OK;
    FP_TRY(grow(arena, &joint->pair, &joint->pair_capacity, pairs, job->counted->arm_count, error));
    return grow(arena, &joint->dyad, &joint->dyad_capacity, dyads, job->counted->arm_count, error);
}

/* ---- Two arms together ---- */

/* The functional 0 of the pairs of a dyad, 0 where it is not taken. */
static void put_pairs(const fp_tally_plan *plan, const dyad_bins *dyad, bool taken, double *pair) {
    for (size_t i = 0; i < dyad->rows; i++)
        for (size_t j = 0; j < dyad->columns; j++)
            pair[i * dyad->stride + j] =
                taken ? plan->value[(size_t)dyad->bin[i * dyad->stride + j] * plan->functional_count] : 0;
}

static double product(const double *one, const double *other, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += one[i] * other[i];
    return sum;
}

static void add_products(const fp_pass_job *job, const joint_block *joint, size_t pairs, size_t dyads,
                         double *over_dyads, double *over_pairs) {
    size_t arms = job->counted->arm_count;
    for (size_t a = 0; a < arms; a++) {
        for (size_t b = 0; b <= a; b++) {
            over_dyads[a * arms + b] +=
                product(joint->dyad + a * joint->dyad_capacity, joint->dyad + b * joint->dyad_capacity, dyads);
            over_pairs[a * arms + b] +=
                product(joint->pair + a * joint->pair_capacity, joint->pair + b * joint->pair_capacity, pairs);
        }
    }
}

/* ---- Columns ---- */

/* The columns from unit `first` on that are taken at once. */
static size_t end_of_columns(const fp_pass_job *job, size_t rows, size_t first) {
    const size_t *begin = job->counted->units->begin;
    size_t end = first + 1, most = MOST_PAIRS / job->counted->arm_count;
    while (end < job->pass->column_units && rows * (begin[end + 1] - begin[first]) <= most) end++;
    return end;
}

static void find_bins(const fp_pass_arm *arm, const fp_unit_list *units, size_t unit, size_t first, size_t width,
                      fp_column_room *column, const pass_room *room) {
    for (size_t i = 0; i < fp_unit_size(units, unit); i++) {
        fp_columns_distances(&arm->columns, units->begin[unit] + i, column, room->distance);
        fp_bin_finder_find(&arm->finder, room->distance + units->begin[first], width, room->bin + i * width);
    }
}

static void take_columns_of_arm(const fp_pass_job *job, size_t index, size_t unit, size_t first, size_t end,
                                pass_room *room) {
    const fp_pass_arm *arm = job->arms + index;
    const fp_unit_list *units = job->counted->units;
    size_t rows = fp_unit_size(units, unit), stride = units->begin[end] - units->begin[first];
    const joint_block *joint = &room->joint;
    find_bins(arm, units, unit, first, stride, room->column + index, room);
    for (size_t other = first; other < end; other++) {
        size_t at = units->begin[other] - units->begin[first];
        dyad_bins dyad = {room->bin + at, rows, fp_unit_size(units, other), stride};
        bool taken = room->apart[other];
        double sum = taken ? take_dyad(&arm->plan, &dyad, room->fars + index) : 0;
        if (!is_joint(job)) continue;
        joint->dyad[index * joint->dyad_capacity + other - first] = sum;
        put_pairs(&arm->plan, &dyad, taken, joint->pair + index * joint->pair_capacity + at);
    }
}

static fp_status take_columns(const fp_pass_job *job, size_t unit, fp_arena *arena, pass_room *room, fp_error *error) {
    const size_t *begin = job->counted->units->begin;
    size_t rows = begin[unit + 1] - begin[unit];
    for (size_t first = 0, end; first < job->pass->column_units; first = end) {
        end = end_of_columns(job, rows, first);
        size_t pairs = rows * (begin[end] - begin[first]);
        FP_TRY(want(job, pairs, end - first, arena, room, error));
        for (size_t a = 0; a < job->counted->arm_count; a++) take_columns_of_arm(job, a, unit, first, end, room);
        if (is_joint(job))
            add_products(job, &room->joint, pairs, end - first, room->joint.far_dyads, room->joint.far_pairs);
    }
    return FP_OK;
}

/* ---- Near units ---- */

uint32_t fp_pass_bin(const fp_pass_arm *arm, uint32_t a, uint32_t b) {
    double distance = fp_measurement_distance(arm->measurement, a, b);
    uint32_t bin;
    fp_bin_finder_find(&arm->finder, &distance, 1, &bin);
    return bin;
}

static void take_near_of_arm(const fp_pass_job *job, size_t index, size_t unit, size_t other, pass_room *room) {
    const fp_pass_arm *arm = job->arms + index;
    const fp_unit_list *units = job->counted->units;
    size_t rows = fp_unit_size(units, unit), columns = fp_unit_size(units, other), at = 0;
    dyad_bins dyad = {room->bin, rows, columns, columns};
    for (size_t d = units->begin[unit]; d < units->begin[unit + 1]; d++)
        for (size_t e = units->begin[other]; e < units->begin[other + 1]; e++)
            room->bin[at++] = fp_pass_bin(arm, units->document[d], units->document[e]);
    double sum = take_dyad(&arm->plan, &dyad, room->nears + index);
    if (!is_joint(job)) return;
    room->joint.dyad[index * room->joint.dyad_capacity] = sum;
    put_pairs(&arm->plan, &dyad, true, room->joint.pair + index * room->joint.pair_capacity);
}

static fp_status take_near(const fp_pass_job *job, size_t unit, fp_arena *arena, pass_room *room, fp_error *error) {
    const fp_unit_list *units = job->counted->units;
    for (size_t i = job->near->begin[unit]; i < job->near->begin[unit + 1]; i++) {
        size_t other = job->near->other[i], pairs = fp_unit_size(units, unit) * fp_unit_size(units, other);
        FP_TRY(want(job, pairs, 1, arena, room, error));
        for (size_t a = 0; a < job->counted->arm_count; a++) take_near_of_arm(job, a, unit, other, room);
        if (is_joint(job)) add_products(job, &room->joint, pairs, 1, room->joint.near_dyads, room->joint.near_pairs);
    }
    return FP_OK;
}

/* ---- All ---- */

static void mark_near(const fp_pass_job *job, size_t unit, bool apart, bool *marks) {
    for (size_t i = job->near ? job->near->begin[unit] : 0; job->near && i < job->near->begin[unit + 1]; i++)
        if (job->near->other[i] < job->pass->column_units) marks[job->near->other[i]] = apart;
    if (unit < job->pass->column_units) marks[unit] = apart;
}

static fp_status take_dyads(const fp_pass_job *job, size_t unit, fp_arena *arena, pass_room *room, fp_error *error) {
    mark_near(job, unit, false, room->apart);
    FP_TRY(take_columns(job, unit, arena, room, error));
    if (job->near) FP_TRY(take_near(job, unit, arena, room, error));
    mark_near(job, unit, true, room->apart);
    for (size_t a = 0; a < job->counted->arm_count; a++) {
        finish_tally(&job->arms[a].plan, room->fars + a);
        finish_tally(&job->arms[a].plan, room->nears + a);
    }
    return FP_OK;
}

/* ---- What a chunk adds up to: for each arm, and then for the couples of arms ---- */

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

/* What the far dyads of a unit that were taken say of all its far dyads: sums are taken to grow with the pairs (a ratio
 * estimator: Cochran, Sampling Techniques, 1977, chapter 6), squares with the dyads. Where all were taken both
 * factors are 1 and there is no error. */
typedef struct expansion {
    double by_pairs, by_dyads;
    double error; /* times Σ (sum − ratio·size)² over the dyads taken: variance of the estimated sum */
} expansion;

static expansion expand(const fp_pass_job *job, size_t unit, const unit_tally *far) {
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

static void keep_functionals(const fp_pass_arm *arm, size_t unit, const unit_tally *far, const unit_tally *near,
                             expansion by, arm_sums to) {
    size_t functionals = arm->plan.functional_count;
    for (size_t k = 0; k < functionals; k++) {
        double ratio = far->count ? far->sum[k] / far->sizes : 0;
        arm->touching[unit * functionals + k] = near->sum[k] + by.by_pairs * far->sum[k];
        to.across[k] += (near->squares[k] + by.by_dyads * far->squares[k]) / 2; /* every dyad is met twice */
        to.noise[k] += by.error * residual(far->squares[k], far->products[k], ratio, far->size_squares);
    }
}

static void keep_counts(const fp_pass_arm *arm, size_t unit, const unit_tally *far, const unit_tally *near,
                        expansion by, arm_sums to) {
    size_t thresholds = arm->plan.threshold_count;
    double called[2] = {0, 0}, squares[2] = {0, 0}, sizes[2] = {0, 0};
    for (size_t t = 0; t < thresholds; t++) {
        const unit_tally *each[2] = {near, far};
        for (size_t i = 0; i < 2; i++) {
            called[i] += each[i]->called[t];
            squares[i] += each[i]->called_squares[t];
            sizes[i] += each[i]->called_sizes[t];
        }
        double ratio = far->count ? called[1] / far->sizes : 0;
        arm->called[unit * thresholds + t] = (uint32_t)lround(called[0] + by.by_pairs * called[1]);
        to.called_squares[t] += (squares[0] + by.by_dyads * squares[1]) / 2;
        to.called_sizes[t] += (sizes[0] + by.by_dyads * sizes[1]) / 2;
        to.called_noise[t] += by.error * residual(squares[1], sizes[1], ratio, far->size_squares);
    }
}

/* ---- Two arms together ---- */

static void clear(double *sum) { *sum = 0; }

/* Of the functional 0; clears the joint sums of the unit. */
static void keep_joint(const fp_pass_job *job, const pass_room *room, expansion by, fp_joint_sums to) {
    size_t arms = job->counted->arm_count;
    const joint_block *of = &room->joint;
    for (size_t a = 0; a < arms; a++) {
        for (size_t b = 0; b <= a; b++) {
            const unit_tally *one = room->fars + a, *other = room->fars + b;
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
    uint32_t *found = arm->found + unit * thresholds;
    for (size_t i = units->begin[unit]; i < units->begin[unit + 1]; i++) {
        for (size_t j = i + 1; j < units->begin[unit + 1]; j++) {
            size_t bin = fp_pass_bin(arm, units->document[i], units->document[j]);
            const double *value = arm->value + (2 * bin + 1) * functionals;
            for (size_t k = 0; k < functionals; k++) arm->own[unit * functionals + k] += value[k];
            if (arm->plan.within[bin] < thresholds) found[arm->plan.within[bin]]++;
        }
    }
    for (size_t t = 1; t < thresholds; t++) found[t] += found[t - 1];
}

static double value_of_positive(const fp_pass_arm *arm, uint32_t a, uint32_t b) {
    return arm->value[(2 * (size_t)fp_pass_bin(arm, a, b) + 1) * arm->plan.functional_count];
}

/* What two arms make of the positives. */
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

static void keep_unit(const fp_pass_job *job, size_t unit, pass_room *room, double *sums) {
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
        clear_tally(&job->arms[a].plan, room->fars + a);
        clear_tally(&job->arms[a].plan, room->nears + a);
    }
}

/* ---- All units ---- */

/* So many for any number of threads. */
enum { CHUNKS = 256 };

static fp_status take_chunk(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const fp_pass_job *job = context;
    size_t units = job->counted->units->count;
    pass_room room;
    FP_TRY(make_room(job, arena, &room, error));
    for (size_t u = index * units / CHUNKS; u < (index + 1) * units / CHUNKS; u++) {
        FP_TRY(take_dyads(job, u, arena, &room, error));
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

fp_status fp_pass_open_bins(const fp_pass_job *job, const fp_measurement *measurement, const fp_counted_arm *of,
                            fp_arena *scratch, fp_pass_arm *arm, fp_error *error) {
    size_t thresholds = job->counted->threshold_count, functionals = job->counted->functional_count;
    uint32_t *within = FP_NEED(fp_arena_raw(scratch, of->bin_count, sizeof *within), error);
    double *value = FP_NEED(values_of_negatives(of, functionals, scratch), error);
    *arm = (fp_pass_arm){.measurement = measurement,
                         .plan = {of->bin_count, thresholds, functionals, value, within},
                         .value = of->value};
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
    FP_SCRATCH(scratch, arena, error);
    counted->weight = 1;
    counted->dyad_squares = fp_pass_dyad_squares(counted->units);
    return run(&job, arena, scratch, counted, arms, error);
}
