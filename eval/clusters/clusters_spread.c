/* SPDX-License-Identifier: GPL-3.0-or-later
 * How the agreement of clusters varies, from what each true cluster adds to it. */
#include <math.h>

#include "eval/clusters/cluster_sums.h"

/* ---- Derivatives ---- */

typedef double gradient[FP_SUMS];

static void mix(const gradient precision, const gradient recall, double p, double r, gradient to) {
    double sum = (p + r) * (p + r);
    for (size_t t = 0; t < FP_SUMS; t++) to[t] = sum > 0 ? (2 * r * r * precision[t] + 2 * p * p * recall[t]) / sum : 0;
}

static void of_rand(const double total[FP_SUMS], double rand, gradient to) {
    double a = total[FP_SUM_IN_TRUTH], b = total[FP_SUM_IN_FOUND], m = total[FP_SUM_ALL], expected = a * b / m,
           whole = (a + b) / 2 - expected;
    to[FP_SUM_BOTH] = 1 / whole;
    to[FP_SUM_IN_TRUTH] = (-b / m - rand * (0.5 - b / m)) / whole;
    to[FP_SUM_IN_FOUND] = (-a / m - rand * (0.5 - a / m)) / whole;
    to[FP_SUM_ALL] = expected / m * (1 - rand) / whole;
}

/* Derivatives of the measures by the sums. */
static void differentiate(const double total[FP_SUMS], const double measures[FP_AGREEMENT_KINDS],
                          gradient to[FP_AGREEMENT_KINDS]) {
    double n = total[FP_SUM_DOCUMENTS];
    of_rand(total, measures[FP_AGREEMENT_RAND], to[FP_AGREEMENT_RAND]);
    to[FP_AGREEMENT_BCUBED_PRECISION][FP_SUM_DEFICIT] = -1 / n;
    to[FP_AGREEMENT_BCUBED_PRECISION][FP_SUM_DOCUMENTS] = total[FP_SUM_DEFICIT] / (n * n);
    to[FP_AGREEMENT_BCUBED_RECALL][FP_SUM_FOUND_WITH] = 1 / n;
    to[FP_AGREEMENT_BCUBED_RECALL][FP_SUM_DOCUMENTS] = -total[FP_SUM_FOUND_WITH] / (n * n);
    to[FP_AGREEMENT_PAIR_PRECISION][FP_SUM_BOTH] = 1 / total[FP_SUM_IN_FOUND];
    to[FP_AGREEMENT_PAIR_PRECISION][FP_SUM_IN_FOUND] = -measures[FP_AGREEMENT_PAIR_PRECISION] / total[FP_SUM_IN_FOUND];
    to[FP_AGREEMENT_PAIR_RECALL][FP_SUM_BOTH] = 1 / total[FP_SUM_IN_TRUTH];
    to[FP_AGREEMENT_PAIR_RECALL][FP_SUM_IN_TRUTH] = -measures[FP_AGREEMENT_PAIR_RECALL] / total[FP_SUM_IN_TRUTH];
    mix(to[FP_AGREEMENT_BCUBED_PRECISION], to[FP_AGREEMENT_BCUBED_RECALL], measures[FP_AGREEMENT_BCUBED_PRECISION],
        measures[FP_AGREEMENT_BCUBED_RECALL], to[FP_AGREEMENT_BCUBED_F1]);
    double either = total[FP_SUM_IN_FOUND] + total[FP_SUM_IN_TRUTH];
    to[FP_AGREEMENT_PAIR_F1][FP_SUM_BOTH] = 2 / either;
    to[FP_AGREEMENT_PAIR_F1][FP_SUM_IN_FOUND] = to[FP_AGREEMENT_PAIR_F1][FP_SUM_IN_TRUTH] =
        -measures[FP_AGREEMENT_PAIR_F1] / either;
}

/* ---- What true clusters add ---- */

/* What each true cluster adds to the sums, inside it and across with others. */
typedef struct part {
    double inside[FP_SUMS], across[FP_SUMS];
} part;

static void fill_parts(const fp_contingency *of, const fp_cluster_sizes *by, part *parts) {
    double documents = (double)of->document_count;
    for (size_t i = 0; i < of->truth_count; i++) {
        double a = by->truth[i];
        parts[i].inside[FP_SUM_DOCUMENTS] = a;
        parts[i].inside[FP_SUM_IN_TRUTH] = parts[i].inside[FP_SUM_ALL] = fp_couples(a);
        parts[i].across[FP_SUM_ALL] = a * (documents - a);
    }
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        part *to = parts + block->truth;
        double n = block->count, b = by->found[block->found];
        to->inside[FP_SUM_BOTH] += fp_couples(n);
        to->inside[FP_SUM_IN_FOUND] += fp_couples(n);
        to->inside[FP_SUM_FOUND_WITH] += n * n / by->truth[block->truth];
        to->across[FP_SUM_IN_FOUND] += n * (b - n);
        to->across[FP_SUM_DEFICIT] += 2 * n * (b - n) / b;
    }
}

/* Couples of true clusters in one found cluster j, each with e = n_i·n_k·(g + 2h/b): `own` is Σ e² and `joint` Σ_j
 * (F_j² − Σ_i c_i²), with F_j the sum over the couples of j and c_i that over the couples of j that hold i. A couple
 * that meets in two found clusters counts as two, and couples that do not meet, which matter to C(N) alone, as none. */
typedef struct dyads {
    double own, joint;
} dyads;

/* Σ n⁴ of every found cluster; NULL when there is no memory. */
static double *sum_fourths(const fp_contingency *of, fp_arena *scratch) {
    double *fourth = fp_arena_alloc(scratch, of->found_count, sizeof *fourth);
    for (size_t i = 0; fourth && i < of->block_count; i++) fourth[of->blocks[i].found] += pow(of->blocks[i].count, 4);
    return fourth;
}

static dyads sum_dyads(const fp_contingency *of, const fp_cluster_sizes *by, const double *fourth,
                       const gradient by_sum) {
    dyads sum = {0, 0};
    for (size_t j = 0; j < of->found_count; j++) {
        double b = by->found[j], each = by_sum[FP_SUM_IN_FOUND] + 2 * by_sum[FP_SUM_DEFICIT] / b,
               all = each * (b * b - by->square[j]) / 2;
        sum.own += each * each * (by->square[j] * by->square[j] - fourth[j]) / 2;
        sum.joint += all * all;
    }
    for (size_t i = 0; i < of->block_count; i++) {
        double n = of->blocks[i].count, b = by->found[of->blocks[i].found],
               each = by_sum[FP_SUM_IN_FOUND] + 2 * by_sum[FP_SUM_DEFICIT] / b;
        sum.joint -= pow(each * n * (b - n), 2);
    }
    return sum;
}

/* What one true cluster adds to a measure: inside it, and with its couples. */
typedef struct addition {
    double inside, all;
} addition;

/* A measure under all seeds: sums over those under which it is defined. */
typedef struct summed {
    size_t seeds;
    bool by_rule;    /* under one of them, at least */
    addition *units; /* [truth_count] */
    dyads of;
} summed;

static void add_measure(const part *parts, size_t count, const gradient by_sum, dyads of, summed *to) {
    for (size_t i = 0; i < count; i++) {
        double within = 0, across = 0;
        for (size_t t = 0; t < FP_SUMS; t++) {
            within += by_sum[t] * parts[i].inside[t];
            across += by_sum[t] * parts[i].across[t];
        }
        to->units[i].inside += within;
        to->units[i].all += within + across;
    }
    to->of.own += of.own;
    to->of.joint += of.joint;
}

static fp_status add_seed(const fp_contingency *of, fp_empty empty, fp_arena *scratch, summed to[FP_AGREEMENT_KINDS],
                          fp_error *error) {
    fp_cluster_sizes by;
    double total[FP_SUMS], measures[FP_AGREEMENT_KINDS], told[FP_AGREEMENT_KINDS];
    gradient by_sum[FP_AGREEMENT_KINDS] = {{0}};
    FP_TRY(fp_cluster_sizes_make(of, NULL, scratch, &by, error));
    part *parts = fp_arena_alloc(scratch, of->truth_count, sizeof *parts);
    double *fourth = sum_fourths(of, scratch);
    if (!parts || !fourth) return fp_no_memory(error);
    fp_cluster_sums(of, NULL, &by, total);
    fp_cluster_figures(total, FP_EMPTY_NA, measures);
    fp_cluster_figures(total, empty, told);
    differentiate(total, measures, by_sum);
    fill_parts(of, &by, parts);
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        if (!isnan(told[k])) to[k].seeds++;
        to[k].by_rule |= isnan(measures[k]) && !isnan(told[k]);
        if (!isnan(measures[k]))
            add_measure(parts, of->truth_count, by_sum[k], sum_dyads(of, &by, fourth, by_sum[k]), to + k);
    }
    return FP_OK;
}

/* A wrong link joins all of two found clusters, so couples in one found cluster depend on one another even when they
 * share no true one: Σ_u s_u² + joint counts every two that share a true or a found cluster once. Of several seeds s_u
 * is the mean; what couples add is the mean over the seeds, no less than that of the mean. */
static fp_dyadic spread_of(const summed *from, size_t count) {
    double sum = 0, squares = 0, cubes = 0, fourths = 0, inside = 0, units = (double)count, mean = 0, fall = 0,
           rise = 0, seeds = (double)from->seeds;
    dyads of = {from->of.own / seeds, from->of.joint / seeds};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            double within = from->units[i].inside / seeds, all = from->units[i].all / seeds;
            sum += round ? 0 : all;
            fall = fmax(fall, -all);
            rise = fmax(rise, all);
            inside += round ? within * within : 0;
            squares += round ? pow(all - mean, 2) : 0;
            cubes += round ? pow(all - mean, 3) : 0;
            fourths += round ? pow(all - mean, 4) : 0;
        }
        mean = sum / units;
    }
    double independent = inside + of.own - sum * mean, excess = fourths / (squares * squares) - 1 / units;
    return (fp_dyadic){.variance = fmax(0, fmax(squares + of.joint, independent / 2)),
                       .resampled = squares + of.own,
                       .independent = fmax(0, independent),
                       .fall = fall,
                       .rise = rise,
                       .units = count,
                       .effective = units,
                       .acceleration = squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0,
                       .freedom = squares > 0 && excess > 0 ? fmax(1, 2 / excess) : INFINITY};
}

fp_status fp_agreement_spread(const fp_contingency *each, size_t seed_count, fp_empty empty, fp_arena *scratch,
                              fp_dyadic spreads[FP_AGREEMENT_KINDS], fp_error *error) {
    size_t units = each->truth_count;
    summed all[FP_AGREEMENT_KINDS] = {{0}};
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        all[k].units = fp_arena_alloc(scratch, units, sizeof *all[k].units);
        if (!all[k].units) return fp_no_memory(error);
    }
    for (size_t seed = 0; seed < seed_count; seed++) FP_TRY(add_seed(each + seed, empty, scratch, all, error));
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++)
        spreads[k] = all[k].seeds && !all[k].by_rule ? spread_of(all + k, units)
                                                     : (fp_dyadic){NAN, NAN, NAN, NAN, NAN, NAN, NAN, units, NAN, 0, 0};
    return FP_OK;
}
