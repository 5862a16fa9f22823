/* SPDX-License-Identifier: GPL-3.0-or-later
 * The dyads of one unit under every arm: with the columns of the pass, and with the near units of a sample. */
#include "eval/experiment/unit_pass.h"

#include <string.h>

/* ---- Under one arm; most dyads are of one pair ---- */

/* Bins of the pairs of a dyad: rows · columns, `stride` places from one row to the next. */
typedef struct dyad_bins {
    const uint32_t *bin;
    size_t rows, columns, stride;
} dyad_bins;

/* All zero, in `arena`. With few bins, dyads of one pair are counted first and weighted at the end. */
static fp_status open_tally(const fp_tally_plan *plan, fp_arena *arena, fp_unit_tally *tally, fp_error *error) {
    size_t thresholds = plan->threshold_count, functionals = plan->functional_count;
    double *numbers = fp_arena_alloc(arena, 3 * thresholds + 4 * functionals, sizeof *numbers);
    *tally = (fp_unit_tally){.seen = fp_arena_alloc(arena, thresholds, sizeof *tally->seen)};
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

void fp_unit_tally_clear(const fp_tally_plan *plan, fp_unit_tally *tally) {
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
static void add_called(span of, double size, fp_unit_tally *tally) {
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
static void add_sums(const fp_tally_plan *plan, const double *sums, double size, double count, fp_unit_tally *tally) {
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
static void take_ones(const fp_tally_plan *plan, size_t bin, double count, fp_unit_tally *tally) {
    size_t within = plan->within[bin];
    add_sums(plan, plan->value + bin * plan->functional_count, 1, count, tally);
    if (within == plan->threshold_count) return;
    tally->called[within] += count;
    tally->called_squares[within] += count;
    tally->called_sizes[within] += count;
}

static double take_several(const fp_tally_plan *plan, const dyad_bins *dyad, double size, fp_unit_tally *tally) {
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

/* Any other dyad, or a dyad of one pair if such pairs are not counted by bin first. */
static double take_any(const fp_tally_plan *plan, const dyad_bins *dyad, fp_unit_tally *tally) {
    size_t size = dyad->rows * dyad->columns, bin = dyad->bin[0];
    tally->count++;
    if (size > 1) return take_several(plan, dyad, (double)size, tally);
    take_ones(plan, bin, 1, tally);
    return plan->functional_count ? plan->value[bin * plan->functional_count] : 0;
}

/* Adds a dyad, and returns its sum of the functional 0; 0 for an empty dyad. */
static inline double take_dyad(const fp_tally_plan *plan, const dyad_bins *dyad, fp_unit_tally *tally) {
    size_t bin = dyad->bin[0];
    if (dyad->rows * dyad->columns > 1 || !tally->one) return take_any(plan, dyad, tally);
    tally->count++;
    tally->one[bin]++;
    return plan->functional_count ? plan->value[bin * plan->functional_count] : 0;
}

/* After the last dyad. */
static void finish_tally(const fp_tally_plan *plan, fp_unit_tally *tally) {
    for (size_t bin = 0; tally->one && bin < plan->bin_count; bin++) {
        if (tally->one[bin]) take_ones(plan, bin, tally->one[bin], tally);
        tally->one[bin] = 0;
    }
}

/* ---- Under all arms ---- */

/* The most pairs of a thread in memory at a time, over all arms; a single dyad may exceed it. */
enum { MOST_PAIRS = 1 << 21 };

static bool is_joint(const fp_pass_job *job) { return job->counted->arm_count > 1 && job->counted->functional_count; }

/* ---- Memory ---- */

static fp_status open_joint(const fp_pass_job *job, fp_arena *arena, fp_joint_block *joint, fp_error *error) {
    size_t couples = job->counted->arm_count * job->counted->arm_count;
    if (!is_joint(job)) return FP_OK;
    double *sums = FP_NEED(fp_arena_alloc(arena, 4 * couples, sizeof *sums), error);
    joint->far_dyads = sums;
    joint->far_pairs = sums + couples;
    joint->near_dyads = sums + 2 * couples;
    joint->near_pairs = sums + 3 * couples;
    return FP_OK;
}

static fp_status open_tallies(const fp_pass_job *job, fp_arena *arena, fp_unit_room *room, fp_error *error) {
    size_t arms = job->counted->arm_count;
    room->fars = FP_NEED(fp_arena_alloc(arena, arms, sizeof *room->fars), error);
    room->nears = FP_NEED(fp_arena_alloc(arena, arms, sizeof *room->nears), error);
    for (size_t a = 0; a < arms; a++) {
        FP_TRY(open_tally(&job->arms[a].plan, arena, room->fars + a, error));
        FP_TRY(open_tally(&job->arms[a].plan, arena, room->nears + a, error));
    }
    return FP_OK;
}

fp_status fp_unit_room_open(const fp_pass_job *job, fp_arena *arena, fp_unit_room *room, fp_error *error) {
    size_t columns = job->counted->column_units, documents = job->counted->units->begin[columns];
    *room =
        (fp_unit_room){.distance = FP_NEED(fp_arena_raw(arena, documents, sizeof *room->distance), error),
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

/* Makes room for this number of pairs and dyads. */
static fp_status want(const fp_pass_job *job, size_t pairs, size_t dyads, fp_arena *arena, fp_unit_room *room,
                      fp_error *error) {
    fp_joint_block *joint = &room->joint;
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

/* The functional 0 of the pairs of a dyad, 0 if the dyad is not taken. */
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

static void add_products(const fp_pass_job *job, const fp_joint_block *joint, size_t pairs, size_t dyads,
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

/* The end of the columns from unit `first` that are processed together. */
static size_t end_of_columns(const fp_pass_job *job, size_t rows, size_t first) {
    const size_t *begin = job->counted->units->begin;
    size_t end = first + 1, most = MOST_PAIRS / job->counted->arm_count;
    while (end < job->counted->column_units && rows * (begin[end + 1] - begin[first]) <= most) end++;
    return end;
}

static void find_bins(const fp_pass_arm *arm, const fp_unit_list *units, size_t unit, size_t first, size_t width,
                      fp_column_room *column, const fp_unit_room *room) {
    for (size_t i = 0; i < fp_unit_size(units, unit); i++) {
        fp_columns_distances(&arm->columns, units->begin[unit] + i, column, room->distance);
        fp_bin_finder_find(&arm->finder, room->distance + units->begin[first], width, room->bin + i * width);
    }
}

static void take_columns_of_arm(const fp_pass_job *job, size_t index, size_t unit, size_t first, size_t end,
                                fp_unit_room *room) {
    const fp_pass_arm *arm = job->arms + index;
    const fp_unit_list *units = job->counted->units;
    size_t rows = fp_unit_size(units, unit), stride = units->begin[end] - units->begin[first];
    const fp_joint_block *joint = &room->joint;
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

static fp_status take_columns(const fp_pass_job *job, size_t unit, fp_arena *arena, fp_unit_room *room,
                              fp_error *error) {
    const size_t *begin = job->counted->units->begin;
    size_t rows = begin[unit + 1] - begin[unit];
    for (size_t first = 0, end; first < job->counted->column_units; first = end) {
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

static void take_near_of_arm(const fp_pass_job *job, size_t index, size_t unit, size_t other, fp_unit_room *room) {
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

static fp_status take_near(const fp_pass_job *job, size_t unit, fp_arena *arena, fp_unit_room *room, fp_error *error) {
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
        if (job->near->other[i] < job->counted->column_units) marks[job->near->other[i]] = apart;
    if (unit < job->counted->column_units) marks[unit] = apart;
}

fp_status fp_unit_take_dyads(const fp_pass_job *job, size_t unit, fp_arena *arena, fp_unit_room *room,
                             fp_error *error) {
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
