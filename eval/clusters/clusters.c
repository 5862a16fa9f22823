/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of two partitions from their contingency table. */
#include "eval/clusters/clusters.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"

static const fp_definition ROWS[FP_AGREEMENT_KINDS] = {
    [FP_AGREEMENT_RAND] =
        {
            "adjusted_rand",
            "The adjusted Rand index is the share of document pairs on which found and true clusters agree, corrected for "
            "chance, 1 for identical clusters and about 0 for random ones: (Σ C(n_ij) − E)/(½(Σ C(a_i) + Σ C(b_j)) − E), "
            "E = Σ C(a_i)·Σ C(b_j)/C(N).",
        },
    [FP_AGREEMENT_BCUBED_PRECISION] =
        {
            "bcubed_precision",
            "B-cubed precision is the mean over documents of the share of a document's found cluster that belongs to its "
            "true cluster: (1/N) Σ n_ij²/b_j; documents left alone count 1.",
        },
    [FP_AGREEMENT_BCUBED_RECALL] =
        {
            "bcubed_recall",
            "B-cubed recall is the mean over documents of the share of a document's true cluster that was found with it: "
            "(1/N) Σ n_ij²/a_i.",
        },
    [FP_AGREEMENT_BCUBED_F1] =
        {
            "bcubed_f1",
            "B-cubed F1 is the harmonic mean of B-cubed precision P and recall R: 2PR/(P + R).",
        },
    [FP_AGREEMENT_PAIR_PRECISION] =
        {
            "cluster_pair_precision",
            "Pairwise precision is the share of the document pairs in one found cluster that are in one true cluster, so "
            "that a wrong link between clusters of a and b documents costs a·b pairs: Σ C(n_ij)/Σ C(b_j).",
        },
    [FP_AGREEMENT_PAIR_RECALL] =
        {
            "cluster_pair_recall",
            "Pairwise recall is the share of the document pairs in one true cluster that are in one found cluster: "
            "Σ C(n_ij)/Σ C(a_i).",
        },
    [FP_AGREEMENT_PAIR_F1] =
        {
            "cluster_pair_f1",
            "Pairwise F1 is the harmonic mean of pairwise precision and recall: 2Σ C(n_ij)/(Σ C(a_i) + Σ C(b_j)).",
        },
};

const fp_definition *fp_agreement_describe(fp_agreement_kind kind) { return ROWS + kind; }

/* ---- Table ---- */

typedef struct labelled {
    uint32_t truth, found, document;
} labelled;

static int by_truth(const void *left, const void *right) {
    const labelled *a = left, *b = right;
    if (a->truth != b->truth) return a->truth < b->truth ? -1 : 1;
    if (a->found != b->found) return a->found < b->found ? -1 : 1;
    return FP_ORDER(a->document, b->document);
}

static int by_found(const void *left, const void *right) {
    const labelled *a = left, *b = right;
    if (a->found != b->found) return a->found < b->found ? -1 : 1;
    return FP_ORDER(a->document, b->document);
}

/* Labels become numbers from 0 in their order; each document without one becomes a cluster. */
static size_t number_found(labelled *rows, size_t count) {
    uint32_t next = 0, last = 0;
    qsort(rows, count, sizeof *rows, by_found);
    for (size_t i = 0; i < count; i++) {
        uint32_t label = rows[i].found;
        rows[i].found = i && label != UINT32_MAX && label == last ? next - 1 : next++;
        last = label;
    }
    return next;
}

static size_t number_truth(labelled *rows, size_t count) {
    uint32_t next = 0, last = 0;
    qsort(rows, count, sizeof *rows, by_truth);
    for (size_t i = 0; i < count; i++) {
        uint32_t label = rows[i].truth;
        rows[i].truth = i && label != UINT32_MAX && label == last ? next - 1 : next++;
        last = label;
    }
    return next;
}

fp_status fp_contingency_make(const uint32_t *truth, const uint32_t *found, size_t count, fp_arena *arena,
                              fp_contingency *contingency, fp_error *error) {
    *contingency = (fp_contingency){.document_count = count};
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there are no documents to compare clusters of");
    if (count > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu documents are more than can be compared", count);
    fp_arena *scratch = fp_arena_new_like(arena);
    labelled *rows = scratch ? fp_arena_raw(scratch, count, sizeof *rows) : NULL;
    fp_block *blocks = fp_arena_raw(arena, count, sizeof *blocks);
    if (!rows || !blocks) {
        fp_arena_free(scratch);
        return fp_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) rows[i] = (labelled){truth[i], found[i], (uint32_t)i};
    contingency->found_count = number_found(rows, count);
    contingency->truth_count = number_truth(rows, count);
    for (size_t i = 0; i < count; i++) {
        fp_block *last = blocks + contingency->block_count - 1;
        if (i && last->truth == rows[i].truth && last->found == rows[i].found) last->count++;
        else blocks[contingency->block_count++] = (fp_block){rows[i].truth, rows[i].found, 1};
    }
    contingency->blocks = blocks;
    fp_arena_free(scratch);
    return FP_OK;
}

/* ---- Sums ---- */

enum { DOCUMENTS, BOTH, IN_TRUTH, IN_FOUND, ALL, DEFICIT, FOUND_WITH, TOTALS };

static double couples(double n) { return n * (n - 1) / 2; }

/* Per found cluster: documents as found, and Σ w·n, Σ w²·n² of the draw. Per true cluster: documents. */
typedef struct sizes {
    double *found, *linear, *square, *truth;
} sizes;

static double weight_of(const uint32_t *multiplicity, uint32_t truth) { return multiplicity ? multiplicity[truth] : 1; }

static fp_status measure_sizes(const fp_contingency *of, const uint32_t *multiplicity, fp_arena *scratch, sizes *out,
                               fp_error *error) {
    *out = (sizes){.found = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
                   .linear = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
                   .square = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
                   .truth = fp_arena_alloc(scratch, of->truth_count, sizeof(double))};
    if (!out->found || !out->linear || !out->square || !out->truth) return fp_no_memory(error);
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        double w = weight_of(multiplicity, block->truth), n = block->count;
        out->found[block->found] += n;
        out->linear[block->found] += w * n;
        out->square[block->found] += w * w * n * n;
        out->truth[block->truth] += n;
    }
    return FP_OK;
}

static void add_up(const fp_contingency *of, const uint32_t *multiplicity, const sizes *by, double total[TOTALS]) {
    double squares = 0;
    for (size_t t = 0; t < TOTALS; t++) total[t] = 0;
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        double w = weight_of(multiplicity, block->truth), n = block->count;
        total[BOTH] += w * couples(n);
        total[FOUND_WITH] += w * n * n / by->truth[block->truth];
    }
    total[IN_FOUND] = total[BOTH];
    for (size_t j = 0; j < of->found_count; j++) {
        double across = by->linear[j] * by->linear[j] - by->square[j];
        total[IN_FOUND] += across / 2;
        total[DEFICIT] += across / by->found[j];
    }
    for (size_t i = 0; i < of->truth_count; i++) {
        double w = weight_of(multiplicity, (uint32_t)i), a = by->truth[i];
        total[DOCUMENTS] += w * a;
        total[IN_TRUTH] += w * couples(a);
        squares += w * w * a * a;
    }
    total[ALL] = total[IN_TRUTH] + (total[DOCUMENTS] * total[DOCUMENTS] - squares) / 2;
}

/* ---- Measures ---- */

static double harmonic(double precision, double recall) {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

static double by_rule(double part, double whole, fp_empty empty) {
    if (whole > 0) return part / whole;
    return empty == FP_EMPTY_NA ? NAN : empty == FP_EMPTY_ONE;
}

static void make_figures(const double total[TOTALS], fp_empty empty, double measures[FP_AGREEMENT_KINDS]) {
    double expected = total[ALL] > 0 ? total[IN_TRUTH] * total[IN_FOUND] / total[ALL] : 0;
    measures[FP_AGREEMENT_RAND] =
        by_rule(total[BOTH] - expected, (total[IN_TRUTH] + total[IN_FOUND]) / 2 - expected, empty);
    double precision = 1 - total[DEFICIT] / total[DOCUMENTS], recall = total[FOUND_WITH] / total[DOCUMENTS];
    measures[FP_AGREEMENT_BCUBED_PRECISION] = precision;
    measures[FP_AGREEMENT_BCUBED_RECALL] = recall;
    measures[FP_AGREEMENT_BCUBED_F1] = harmonic(precision, recall);
    precision = by_rule(total[BOTH], total[IN_FOUND], empty);
    recall = total[IN_TRUTH] > 0 ? total[BOTH] / total[IN_TRUTH] : NAN;
    measures[FP_AGREEMENT_PAIR_PRECISION] = precision;
    measures[FP_AGREEMENT_PAIR_RECALL] = recall;
    double either = total[IN_FOUND] + total[IN_TRUTH];
    measures[FP_AGREEMENT_PAIR_F1] = either > 0 ? 2 * total[BOTH] / either : NAN;
}

fp_status fp_agreement_of(const fp_contingency *contingency, const uint32_t *multiplicity, fp_empty empty,
                          fp_arena *scratch, double measures[FP_AGREEMENT_KINDS], fp_error *error) {
    sizes by;
    double total[TOTALS];
    FP_TRY(measure_sizes(contingency, multiplicity, scratch, &by, error));
    add_up(contingency, multiplicity, &by, total);
    make_figures(total, empty, measures);
    return FP_OK;
}

/* ---- Spread ---- */

typedef double gradient[TOTALS];

static void mix(const gradient precision, const gradient recall, double p, double r, gradient to) {
    double sum = (p + r) * (p + r);
    for (size_t t = 0; t < TOTALS; t++) to[t] = sum > 0 ? (2 * r * r * precision[t] + 2 * p * p * recall[t]) / sum : 0;
}

static void of_rand(const double total[TOTALS], double rand, gradient to) {
    double a = total[IN_TRUTH], b = total[IN_FOUND], m = total[ALL], expected = a * b / m,
           whole = (a + b) / 2 - expected;
    to[BOTH] = 1 / whole;
    to[IN_TRUTH] = (-b / m - rand * (0.5 - b / m)) / whole;
    to[IN_FOUND] = (-a / m - rand * (0.5 - a / m)) / whole;
    to[ALL] = expected / m * (1 - rand) / whole;
}

/* Derivatives of the measures by the sums. */
static void differentiate(const double total[TOTALS], const double measures[FP_AGREEMENT_KINDS],
                          gradient to[FP_AGREEMENT_KINDS]) {
    double n = total[DOCUMENTS];
    of_rand(total, measures[FP_AGREEMENT_RAND], to[FP_AGREEMENT_RAND]);
    to[FP_AGREEMENT_BCUBED_PRECISION][DEFICIT] = -1 / n;
    to[FP_AGREEMENT_BCUBED_PRECISION][DOCUMENTS] = total[DEFICIT] / (n * n);
    to[FP_AGREEMENT_BCUBED_RECALL][FOUND_WITH] = 1 / n;
    to[FP_AGREEMENT_BCUBED_RECALL][DOCUMENTS] = -total[FOUND_WITH] / (n * n);
    to[FP_AGREEMENT_PAIR_PRECISION][BOTH] = 1 / total[IN_FOUND];
    to[FP_AGREEMENT_PAIR_PRECISION][IN_FOUND] = -measures[FP_AGREEMENT_PAIR_PRECISION] / total[IN_FOUND];
    to[FP_AGREEMENT_PAIR_RECALL][BOTH] = 1 / total[IN_TRUTH];
    to[FP_AGREEMENT_PAIR_RECALL][IN_TRUTH] = -measures[FP_AGREEMENT_PAIR_RECALL] / total[IN_TRUTH];
    mix(to[FP_AGREEMENT_BCUBED_PRECISION], to[FP_AGREEMENT_BCUBED_RECALL], measures[FP_AGREEMENT_BCUBED_PRECISION],
        measures[FP_AGREEMENT_BCUBED_RECALL], to[FP_AGREEMENT_BCUBED_F1]);
    double either = total[IN_FOUND] + total[IN_TRUTH];
    to[FP_AGREEMENT_PAIR_F1][BOTH] = 2 / either;
    to[FP_AGREEMENT_PAIR_F1][IN_FOUND] = to[FP_AGREEMENT_PAIR_F1][IN_TRUTH] = -measures[FP_AGREEMENT_PAIR_F1] / either;
}

/* What each true cluster adds to the sums, inside it and across with others. */
typedef struct part {
    double inside[TOTALS], across[TOTALS];
} part;

static void fill_parts(const fp_contingency *of, const sizes *by, part *parts) {
    double documents = (double)of->document_count;
    for (size_t i = 0; i < of->truth_count; i++) {
        double a = by->truth[i];
        parts[i].inside[DOCUMENTS] = a;
        parts[i].inside[IN_TRUTH] = parts[i].inside[ALL] = couples(a);
        parts[i].across[ALL] = a * (documents - a);
    }
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        part *to = parts + block->truth;
        double n = block->count, b = by->found[block->found];
        to->inside[BOTH] += couples(n);
        to->inside[IN_FOUND] += couples(n);
        to->inside[FOUND_WITH] += n * n / by->truth[block->truth];
        to->across[IN_FOUND] += n * (b - n);
        to->across[DEFICIT] += 2 * n * (b - n) / b;
    }
}

/* Couples of true clusters in one found cluster j, each with e = n_i·n_k·(g + 2h/b): `own` is Σ e² and `joint` Σ_j
 * (F_j² − Σ_i c_i²), with F_j the sum over the couples of j and c_i that over the couples of j that hold i. A couple
 * that meets in two found clusters counts as two, and couples that do not meet, which matter to C(N) alone, as none. */
typedef struct dyads {
    double own, joint;
} dyads;

static dyads sum_dyads(const fp_contingency *of, const sizes *by, const double *fourth, const gradient by_sum) {
    dyads sum = {0, 0};
    for (size_t j = 0; j < of->found_count; j++) {
        double b = by->found[j], each = by_sum[IN_FOUND] + 2 * by_sum[DEFICIT] / b,
               all = each * (b * b - by->square[j]) / 2;
        sum.own += each * each * (by->square[j] * by->square[j] - fourth[j]) / 2;
        sum.joint += all * all;
    }
    for (size_t i = 0; i < of->block_count; i++) {
        double n = of->blocks[i].count, b = by->found[of->blocks[i].found],
               each = by_sum[IN_FOUND] + 2 * by_sum[DEFICIT] / b;
        sum.joint -= pow(each * n * (b - n), 2);
    }
    return sum;
}

/* A wrong link joins all of two found clusters, so couples in one found cluster depend on one another even when they
 * share no true one: Σ_u s_u² + joint counts every two that share a true or a found cluster once. */
static fp_dyadic spread_of(const part *parts, size_t count, const gradient by_sum, dyads of) {
    double sum = 0, squares = 0, cubes = 0, fourths = 0, inside = 0, units = (double)count, mean = 0, fall = 0,
           rise = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            double within = 0, across = 0;
            for (size_t t = 0; t < TOTALS; t++) {
                within += by_sum[t] * parts[i].inside[t];
                across += by_sum[t] * parts[i].across[t];
            }
            sum += round ? 0 : within + across;
            fall = fmax(fall, -(within + across));
            rise = fmax(rise, within + across);
            inside += round ? within * within : 0;
            squares += round ? pow(within + across - mean, 2) : 0;
            cubes += round ? pow(within + across - mean, 3) : 0;
            fourths += round ? pow(within + across - mean, 4) : 0;
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

fp_status fp_agreement_spread(const fp_contingency *contingency, fp_arena *scratch,
                              fp_dyadic spreads[FP_AGREEMENT_KINDS], fp_error *error) {
    sizes by;
    double total[TOTALS], measures[FP_AGREEMENT_KINDS];
    gradient by_sum[FP_AGREEMENT_KINDS] = {{0}};
    FP_TRY(measure_sizes(contingency, NULL, scratch, &by, error));
    part *parts = fp_arena_alloc(scratch, contingency->truth_count, sizeof *parts);
    double *fourth = fp_arena_alloc(scratch, contingency->found_count, sizeof *fourth);
    if (!parts || !fourth) return fp_no_memory(error);
    for (size_t i = 0; i < contingency->block_count; i++)
        fourth[contingency->blocks[i].found] += pow(contingency->blocks[i].count, 4);
    add_up(contingency, NULL, &by, total);
    make_figures(total, FP_EMPTY_NA, measures);
    differentiate(total, measures, by_sum);
    fill_parts(contingency, &by, parts);
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        spreads[k] = (fp_dyadic){NAN, NAN, NAN, NAN, NAN, NAN, NAN, contingency->truth_count, NAN, 0, 0};
        if (!isnan(measures[k]))
            spreads[k] =
                spread_of(parts, contingency->truth_count, by_sum[k], sum_dyads(contingency, &by, fourth, by_sum[k]));
    }
    return FP_OK;
}
