/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums over drawn pairs, a dyad at a time. */
#include "eval/sampling/sampled_sums.h"

#include <math.h>

/* ---- Dyads ---- */

static fp_status open_dyad(const fp_drawn_pairs *drawn, const fp_unit_list *units, fp_arena *scratch,
                           fp_open_dyad *dyad, fp_error *error) {
    uint32_t *unit_of = fp_unit_of_documents(units, scratch);
    *dyad = (fp_open_dyad){.drawn = drawn, .units = units, .unit_of = unit_of};
    return unit_of ? FP_OK : fp_no_memory(error);
}

static bool is_within(const fp_open_dyad *dyad, fp_drawn_pair pair) {
    return dyad->open && dyad->unit_of[pair.a] == dyad->one && dyad->unit_of[pair.b] == dyad->other;
}

static void begin_dyad(fp_open_dyad *dyad, fp_drawn_pair pair) {
    dyad->open = true;
    dyad->one = dyad->unit_of[pair.a];
    dyad->other = dyad->unit_of[pair.b];
}

/* ---- One arm ---- */

fp_status fp_drawn_sums_open(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arm,
                             fp_arena *arena, fp_arena *scratch, fp_counted_arm *out, fp_drawn_sums *sums,
                             fp_error *error) {
    size_t functionals = arm->plan.functional_count, thresholds = arm->plan.threshold_count;
    size_t bins = arm->plan.bin_count;
    double *kept = fp_arena_alloc(arena, 2 * functionals + 3 * thresholds + (4 + FP_COUNTED_REPLICATES) * bins,
                                  sizeof *kept),
           *room = fp_arena_alloc(scratch, functionals + thresholds + bins, sizeof *room);
    *sums = (fp_drawn_sums){.arm = arm, .drawn = fp_arena_alloc(arena, units->count * thresholds, sizeof(float))};
    sums->seen = fp_arena_alloc(scratch, bins, sizeof *sums->seen);
    if (!kept || !room || !sums->drawn || !sums->seen) return fp_no_memory(error);
    sums->across = kept;
    sums->called_squares = kept + 2 * functionals;
    sums->called_sizes = sums->called_squares + thresholds;
    sums->stood_for = sums->called_sizes + 2 * thresholds;
    sums->squares = sums->stood_for + bins;
    sums->heaviest = sums->squares + bins;
    sums->light_noise = sums->heaviest + bins;
    sums->without = sums->light_noise + bins;
    sums->sum = room;
    sums->called = room + functionals;
    sums->seen_heaviest = sums->called + thresholds;
    sums->first_called = thresholds;
    out->across = sums->across;
    out->noise = kept + functionals; /* 0, and so below: nothing is taken off */
    out->called_squares = sums->called_squares;
    out->called_sizes = sums->called_sizes;
    out->called_noise = sums->called_sizes + thresholds;
    out->drawn = sums->drawn;
    out->stood_for = sums->stood_for;
    out->stood_for_squares = sums->squares;
    out->heaviest = sums->heaviest;
    out->light_noise = sums->light_noise;
    out->without = sums->without;
    return open_dyad(drawn, units, scratch, &sums->dyad, error);
}

/* (c + x)² − c² = x·(2c + x). */
static void close_dyad(fp_drawn_sums *sums) {
    const fp_unit_list *units = sums->dyad.units;
    double before = 0;
    if (!sums->dyad.open) return;
    double size = (double)fp_unit_size(units, sums->dyad.one) * (double)fp_unit_size(units, sums->dyad.other);
    for (size_t k = 0; k < sums->arm->plan.functional_count; k++) {
        sums->across[k] += sums->sum[k] * sums->sum[k];
        sums->sum[k] = 0;
    }
    for (size_t t = sums->first_called; t < sums->end_called; t++) {
        double more = sums->called[t];
        sums->called_squares[t] += more * (2 * before + more);
        sums->called_sizes[t] += more * size;
        before += more;
        sums->called[t] = 0;
    }
    sums->first_called = sums->arm->plan.threshold_count;
    sums->end_called = 0;
}

/* A pair of the dyad: what both units have of it, and the dyad. */
static void add_pair(fp_drawn_sums *sums, size_t pair, uint32_t bin) {
    const fp_tally_plan *plan = &sums->arm->plan;
    const fp_drawn_pairs *drawn = sums->dyad.drawn;
    size_t functionals = plan->functional_count, thresholds = plan->threshold_count, within = plan->within[bin];
    const double *value = plan->value + (size_t)bin * functionals;
    double weight = drawn->weights[pair], *touching = sums->arm->touching;
    for (size_t k = 0; k < functionals; k++) {
        touching[sums->dyad.one * functionals + k] += weight * value[k];
        touching[sums->dyad.other * functionals + k] += weight * value[k];
        sums->sum[k] += weight * value[k];
    }
    if (weight != 1) {
        sums->stood_for[bin] += weight;
        sums->squares[bin] += weight * weight;
        if (weight < drawn->heavy) sums->light_noise[bin] += weight * (weight - 1);
    }
    for (size_t r = 0; r < FP_COUNTED_REPLICATES; r++)
        sums->without[bin * FP_COUNTED_REPLICATES + r] += (double)drawn->without[pair * FP_COUNTED_REPLICATES + r];
    sums->seen_heaviest[bin] = fmax(sums->seen_heaviest[bin], weight);
    sums->seen[bin]++;
    if (within == thresholds) return;
    for (size_t i = 0; i < 2; i++) {
        size_t place = (i ? sums->dyad.other : sums->dyad.one) * thresholds + within;
        if (weight == 1) sums->arm->called[place]++;
        else sums->drawn[place] += (float)weight;
    }
    sums->called[within] += weight;
    if (within < sums->first_called) sums->first_called = within;
    if (within >= sums->end_called) sums->end_called = within + 1;
}

void fp_drawn_sums_take(fp_drawn_sums *sums, size_t first, size_t end, const uint32_t *bins) {
    for (size_t i = first; i < end; i++) {
        fp_drawn_pair pair = sums->dyad.drawn->pairs[i];
        if (!is_within(&sums->dyad, pair)) {
            close_dyad(sums);
            begin_dyad(&sums->dyad, pair);
        }
        add_pair(sums, i, bins[i - first]);
    }
}

/* Counts at a threshold are those of it and of all before. */
void fp_drawn_sums_finish(fp_drawn_sums *sums) {
    size_t thresholds = sums->arm->plan.threshold_count;
    close_dyad(sums);
    sums->dyad.open = false;
    for (size_t u = 0; u < sums->dyad.units->count; u++) {
        for (size_t t = 1; t < thresholds; t++) {
            sums->arm->called[u * thresholds + t] += sums->arm->called[u * thresholds + t - 1];
            sums->drawn[u * thresholds + t] += sums->drawn[u * thresholds + t - 1];
        }
    }
    for (size_t t = 1; t < thresholds; t++) {
        sums->called_squares[t] += sums->called_squares[t - 1];
        sums->called_sizes[t] += sums->called_sizes[t - 1];
    }
}

/* ---- Two arms together ---- */

fp_status fp_drawn_joint_open(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arms,
                              size_t arm_count, fp_arena *arena, fp_arena *scratch, fp_drawn_joint *joint,
                              fp_error *error) {
    size_t couples = arm_count * arm_count;
    double *sums = fp_arena_alloc(arena, 3 * couples, sizeof *sums),
           *room = fp_arena_alloc(scratch, 2 * arm_count, sizeof *room);
    if (!sums || !room) return fp_no_memory(error);
    *joint = (fp_drawn_joint){.arms = arms,
                              .arm_count = arm_count,
                              .of = {sums, sums + couples, sums + 2 * couples},
                              .sum = room,
                              .value = room + arm_count};
    return open_dyad(drawn, units, scratch, &joint->dyad, error);
}

static void add_products(const fp_drawn_joint *joint, const double *of, double *to) {
    for (size_t a = 0; a < joint->arm_count; a++)
        for (size_t b = 0; b <= a; b++) to[a * joint->arm_count + b] += of[a] * of[b];
}

/* What a drawn pair adds, of weight W. */
static void add_drawn(const fp_drawn_joint *joint, double weight) {
    for (size_t a = 0; a < joint->arm_count; a++) {
        for (size_t b = 0; b <= a; b++) {
            double product = joint->value[a] * joint->value[b];
            bool apart = joint->arms[a].measurement->whole || joint->arms[b].measurement->whole;
            joint->of.pairs[a * joint->arm_count + b] += apart ? product / weight : product;
            if (apart) joint->of.dyads[a * joint->arm_count + b] -= product * (1 - 1 / weight);
        }
    }
}

static void close_joint_dyad(fp_drawn_joint *joint) {
    if (joint->dyad.open) add_products(joint, joint->sum, joint->of.dyads);
    for (size_t a = 0; a < joint->arm_count; a++) joint->sum[a] = 0;
}

void fp_drawn_joint_take(fp_drawn_joint *joint, size_t first, size_t end, const uint32_t *bins, size_t stride) {
    const fp_drawn_pairs *drawn = joint->dyad.drawn;
    if (!joint->arms->plan.functional_count) return;
    for (size_t i = first; i < end; i++) {
        if (!is_within(&joint->dyad, drawn->pairs[i])) {
            close_joint_dyad(joint);
            begin_dyad(&joint->dyad, drawn->pairs[i]);
        }
        double weight = drawn->weights[i];
        for (size_t a = 0; a < joint->arm_count; a++) {
            const fp_tally_plan *plan = &joint->arms[a].plan;
            joint->value[a] = weight * plan->value[(size_t)bins[a * stride + i - first] * plan->functional_count];
            joint->sum[a] += joint->value[a];
        }
        if (weight != 1) add_drawn(joint, weight);
        else add_products(joint, joint->value, joint->of.pairs);
    }
}

void fp_drawn_joint_finish(fp_drawn_joint *joint) {
    close_joint_dyad(joint);
    joint->dyad.open = false;
}
