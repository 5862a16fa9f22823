/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of two partitions from their contingency table. */
#include "eval/statistics/clusters.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "eval/statistics/proportion_interval.h"

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

FP_COMPARES(by_truth, labelled,
            FP_ORDER(a->truth, b->truth) ?: FP_ORDER(a->found, b->found) ?: FP_ORDER(a->document, b->document));

FP_COMPARES(by_found, labelled, FP_ORDER(a->found, b->found) ?: FP_ORDER(a->document, b->document));

/* Numbers labels from 0 in their order; each document without a label becomes a cluster. */
static size_t number_labels(labelled *rows, size_t count, bool truth) {
    uint32_t next = 0, last = 0;
    qsort(rows, count, sizeof *rows, truth ? by_truth : by_found);
    for (size_t i = 0; i < count; i++) {
        uint32_t *at = truth ? &rows[i].truth : &rows[i].found, label = *at;
        *at = i && label != UINT32_MAX && label == last ? next - 1 : next++;
        last = label;
    }
    return next;
}

fp_status fp_contingency_make(const uint32_t *truth, const uint32_t *found, size_t count, fp_arena *arena,
                              fp_contingency *contingency, fp_error *error) {
    *contingency = (fp_contingency){.document_count = count};
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there are no documents to compare clusters of");
    if (count > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu documents are more than can be compared", count);
    FP_SCRATCH(scratch, arena, error);
    labelled *rows = FP_NEED(fp_arena_raw(scratch, count, sizeof *rows), error);
    fp_block *blocks = FP_NEED(fp_arena_raw(arena, count, sizeof *blocks), error);
    for (size_t i = 0; i < count; i++) rows[i] = (labelled){truth[i], found[i], (uint32_t)i};
    contingency->found_count = number_labels(rows, count, false);
    contingency->truth_count = number_labels(rows, count, true);
    for (size_t i = 0; i < count; i++) {
        fp_block *last = blocks + contingency->block_count - 1;
        if (i && last->truth == rows[i].truth && last->found == rows[i].found) last->count++;
        else blocks[contingency->block_count++] = (fp_block){rows[i].truth, rows[i].found, 1};
    }
    contingency->blocks = blocks;
    return FP_OK;
}

/* ---- Sums ---- */

/* The sums from which all measures are computed. */
enum {
    SUM_DOCUMENTS,  /* N */
    SUM_BOTH,       /* Σ C(n_ij) */
    SUM_IN_TRUTH,   /* Σ C(a_i) */
    SUM_IN_FOUND,   /* Σ C(b_j) */
    SUM_ALL,        /* C(N) */
    SUM_DEFICIT,    /* Σ_j Σ_{i≠k} n_ij·n_kj/b_j */
    SUM_FOUND_WITH, /* Σ n_ij²/a_i */
    SUMS
};

static double couples(double n) { return n * (n - 1) / 2; }

/* Per found cluster: its documents, and Σ w·n, Σ w²·n² of the resample. Per true cluster: documents. */
typedef struct cluster_sizes {
    double *found, *linear, *square, *truth;
} cluster_sizes;

static double weight_of(const uint32_t *multiplicity, uint32_t truth) { return multiplicity ? multiplicity[truth] : 1; }

/* How often each true cluster counts: multiplicity[truth_count]; NULL means once. `scratch` is not reset. */
static fp_status make_sizes(const fp_contingency *of, const uint32_t *multiplicity, fp_arena *scratch,
                            cluster_sizes *out, fp_error *error) {
    *out = (cluster_sizes){.found = FP_NEED(fp_arena_alloc(scratch, of->found_count, sizeof(double)), error),
                           .linear = FP_NEED(fp_arena_alloc(scratch, of->found_count, sizeof(double)), error),
                           .square = FP_NEED(fp_arena_alloc(scratch, of->found_count, sizeof(double)), error),
                           .truth = FP_NEED(fp_arena_alloc(scratch, of->truth_count, sizeof(double)), error)};
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

static void sum_clusters(const fp_contingency *of, const uint32_t *multiplicity, const cluster_sizes *by,
                         double total[SUMS]) {
    double squares = 0;
    for (size_t t = 0; t < SUMS; t++) total[t] = 0;
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        double w = weight_of(multiplicity, block->truth), n = block->count;
        total[SUM_BOTH] += w * couples(n);
        total[SUM_FOUND_WITH] += w * n * n / by->truth[block->truth];
    }
    total[SUM_IN_FOUND] = total[SUM_BOTH];
    for (size_t j = 0; j < of->found_count; j++) {
        double across = by->linear[j] * by->linear[j] - by->square[j];
        total[SUM_IN_FOUND] += across / 2;
        total[SUM_DEFICIT] += across / by->found[j];
    }
    for (size_t i = 0; i < of->truth_count; i++) {
        double w = weight_of(multiplicity, (uint32_t)i), a = by->truth[i];
        total[SUM_DOCUMENTS] += w * a;
        total[SUM_IN_TRUTH] += w * couples(a);
        squares += w * w * a * a;
    }
    total[SUM_ALL] = total[SUM_IN_TRUTH] + (total[SUM_DOCUMENTS] * total[SUM_DOCUMENTS] - squares) / 2;
}

/* ---- Measures ---- */

static double harmonic(double precision, double recall) {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

static double by_rule(double part, double whole, fp_empty empty) {
    if (whole > 0) return part / whole;
    return empty == FP_EMPTY_NA ? NAN : empty == FP_EMPTY_ONE;
}

static void measure_sums(const double total[SUMS], fp_empty empty, double measures[FP_AGREEMENT_KINDS]) {
    double expected = total[SUM_ALL] > 0 ? total[SUM_IN_TRUTH] * total[SUM_IN_FOUND] / total[SUM_ALL] : 0;
    measures[FP_AGREEMENT_RAND] =
        by_rule(total[SUM_BOTH] - expected, (total[SUM_IN_TRUTH] + total[SUM_IN_FOUND]) / 2 - expected, empty);
    double precision = 1 - total[SUM_DEFICIT] / total[SUM_DOCUMENTS],
           recall = total[SUM_FOUND_WITH] / total[SUM_DOCUMENTS];
    measures[FP_AGREEMENT_BCUBED_PRECISION] = precision;
    measures[FP_AGREEMENT_BCUBED_RECALL] = recall;
    measures[FP_AGREEMENT_BCUBED_F1] = harmonic(precision, recall);
    precision = by_rule(total[SUM_BOTH], total[SUM_IN_FOUND], empty);
    recall = total[SUM_IN_TRUTH] > 0 ? total[SUM_BOTH] / total[SUM_IN_TRUTH] : NAN;
    measures[FP_AGREEMENT_PAIR_PRECISION] = precision;
    measures[FP_AGREEMENT_PAIR_RECALL] = recall;
    double either = total[SUM_IN_FOUND] + total[SUM_IN_TRUTH];
    measures[FP_AGREEMENT_PAIR_F1] = either > 0 ? 2 * total[SUM_BOTH] / either : NAN;
}

fp_status fp_agreement_of(const fp_contingency *contingency, const uint32_t *multiplicity, fp_empty empty,
                          fp_arena *scratch, double measures[FP_AGREEMENT_KINDS], fp_error *error) {
    cluster_sizes by;
    double total[SUMS];
    FP_TRY(make_sizes(contingency, multiplicity, scratch, &by, error));
    sum_clusters(contingency, multiplicity, &by, total);
    measure_sums(total, empty, measures);
    return FP_OK;
}

/* ---- Replicates of the agreement ---- */

typedef struct job {
    const fp_contingency *contingency;
    fp_resample clusters; /* of which only the number of units is read */
    uint64_t seed;
    fp_empty empty;
    size_t replicates;
    double (*values)[FP_AGREEMENT_KINDS];
} job;

static fp_status run_one(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const job *work = context;
    uint32_t *multiplicity = NULL;
    if (index < work->replicates) {
        multiplicity = FP_NEED(fp_arena_raw(scratch, work->clusters.unit_count, sizeof *multiplicity), error);
        FP_TRY(fp_resample_draw(&work->clusters, work->seed, index, scratch, multiplicity, error));
    }
    return fp_agreement_of(work->contingency, multiplicity, work->empty, scratch, work->values[index], error);
}

fp_status fp_agreements_run(const fp_contingency *contingency, size_t replicates, uint64_t seed, fp_empty empty,
                            const fp_progress *progress, fp_arena *arena, fp_agreements *agreements, fp_error *error) {
    if (replicates == 0) return fp_fail(error, FP_ERROR_RANGE, "a bootstrap needs at least one replicate");
    job work = {.contingency = contingency,
                .clusters = {.unit_count = contingency->truth_count},
                .seed = seed,
                .empty = empty,
                .replicates = replicates,
                .values = FP_NEED(fp_arena_raw(arena, replicates + 1, sizeof *work.values), error)};
    *agreements = (fp_agreements){.replicates = replicates,
                                  .truth_count = contingency->truth_count,
                                  .values = (const double(*)[FP_AGREEMENT_KINDS])work.values};
    FP_ARENAS(arenas, progress, arena, error);
    FP_TRY(fp_agreement_spread(contingency, arenas.each[0], agreements->spreads, error));
    return fp_parallel(replicates + 1, &arenas, true, run_one, &work, "bootstrap", progress, error);
}

/* ---- Intervals ---- */

/* One more true cluster weighs as much as the one that lowers (raises) the measure most, and no less than average. */
static fp_interval from_spread(const fp_dyadic *spread, double share, fp_method method, double confidence) {
    double one = 1 / (double)spread->units;
    fp_share_spread of = {.variance = spread->variance,
                          .independent = spread->independent,
                          .wider = fp_by_student(fp_dyadic_freedom(spread), confidence),
                          .wrong = share > 0 ? fmax(one, spread->fall / share) : one,
                          .right = share < 1 ? fmax(one, spread->rise / (1 - share)) : one};
    return fp_share_interval(share, &of, confidence, method == FP_METHOD_CLOPPER_PEARSON);
}

fp_status fp_agreements_estimate(const fp_agreements *agreements, fp_agreement_kind kind, fp_method method,
                                 double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    fp_arena_reset(scratch);
    size_t replicates = agreements->replicates;
    double *values = FP_NEED(fp_arena_raw(scratch, replicates, sizeof *values), error),
           value = agreements->values[replicates][kind];
    for (size_t i = 0; i < replicates; i++) values[i] = agreements->values[i][kind];
    fp_replicates drawn;
    fp_replicates_draw(values, replicates, value, agreements->spreads + kind, &drawn);
    *estimate = (fp_estimate){.value = value,
                              .interval = {NAN, NAN},
                              .error = sqrt(drawn.spread.variance),
                              .method = method,
                              .trials = NAN,
                              .units = drawn.spread.effective,
                              .few = drawn.spread.effective < FP_FEW_UNITS,
                              .undefined = drawn.undefined,
                              .seeds = fp_seed_spread_of(&value, 1)};
    if (isnan(value) || isnan(drawn.spread.variance)) return FP_OK;
    if (agreements->truth_count < 2) return FP_OK;
    bool still = drawn.spread.resampled == 0;
    if (still || (!fp_method_draws(method) && value > 0)) {
        double share = fmin(1, fmax(0, value));
        estimate->method = fp_method_draws(method) ? FP_METHOD_MID_P : method;
        estimate->trials = share * (1 - share) / drawn.spread.variance;
        estimate->interval = from_spread(&drawn.spread, share, method, confidence);
        return FP_OK;
    }
    estimate->method = fp_method_draws(method) ? method : FP_METHOD_BCA;
    estimate->interval = fp_replicates_interval(&drawn, estimate->method, confidence, NULL);
    return FP_OK;
}

/* ---- Derivatives ---- */

typedef double gradient[SUMS];

static void mix(const gradient precision, const gradient recall, double p, double r, gradient to) {
    double sum = (p + r) * (p + r);
    for (size_t t = 0; t < SUMS; t++) to[t] = sum > 0 ? (2 * r * r * precision[t] + 2 * p * p * recall[t]) / sum : 0;
}

static void of_rand(const double total[SUMS], double rand, gradient to) {
    double a = total[SUM_IN_TRUTH], b = total[SUM_IN_FOUND], m = total[SUM_ALL], expected = a * b / m,
           whole = (a + b) / 2 - expected;
    to[SUM_BOTH] = 1 / whole;
    to[SUM_IN_TRUTH] = (-b / m - rand * (0.5 - b / m)) / whole;
    to[SUM_IN_FOUND] = (-a / m - rand * (0.5 - a / m)) / whole;
    to[SUM_ALL] = expected / m * (1 - rand) / whole;
}

/* Derivatives of the measures by the sums. */
static void differentiate(const double total[SUMS], const double measures[FP_AGREEMENT_KINDS],
                          gradient to[FP_AGREEMENT_KINDS]) {
    double n = total[SUM_DOCUMENTS];
    of_rand(total, measures[FP_AGREEMENT_RAND], to[FP_AGREEMENT_RAND]);
    to[FP_AGREEMENT_BCUBED_PRECISION][SUM_DEFICIT] = -1 / n;
    to[FP_AGREEMENT_BCUBED_PRECISION][SUM_DOCUMENTS] = total[SUM_DEFICIT] / (n * n);
    to[FP_AGREEMENT_BCUBED_RECALL][SUM_FOUND_WITH] = 1 / n;
    to[FP_AGREEMENT_BCUBED_RECALL][SUM_DOCUMENTS] = -total[SUM_FOUND_WITH] / (n * n);
    to[FP_AGREEMENT_PAIR_PRECISION][SUM_BOTH] = 1 / total[SUM_IN_FOUND];
    to[FP_AGREEMENT_PAIR_PRECISION][SUM_IN_FOUND] = -measures[FP_AGREEMENT_PAIR_PRECISION] / total[SUM_IN_FOUND];
    to[FP_AGREEMENT_PAIR_RECALL][SUM_BOTH] = 1 / total[SUM_IN_TRUTH];
    to[FP_AGREEMENT_PAIR_RECALL][SUM_IN_TRUTH] = -measures[FP_AGREEMENT_PAIR_RECALL] / total[SUM_IN_TRUTH];
    mix(to[FP_AGREEMENT_BCUBED_PRECISION], to[FP_AGREEMENT_BCUBED_RECALL], measures[FP_AGREEMENT_BCUBED_PRECISION],
        measures[FP_AGREEMENT_BCUBED_RECALL], to[FP_AGREEMENT_BCUBED_F1]);
    double either = total[SUM_IN_FOUND] + total[SUM_IN_TRUTH];
    to[FP_AGREEMENT_PAIR_F1][SUM_BOTH] = 2 / either;
    to[FP_AGREEMENT_PAIR_F1][SUM_IN_FOUND] = to[FP_AGREEMENT_PAIR_F1][SUM_IN_TRUTH] =
        -measures[FP_AGREEMENT_PAIR_F1] / either;
}

/* ---- Contributions of true clusters ---- */

/* The contribution of each true cluster to the sums, inside it and across with others. */
typedef struct part {
    double inside[SUMS], across[SUMS];
} part;

static void fill_parts(const fp_contingency *of, const cluster_sizes *by, part *parts) {
    double documents = (double)of->document_count;
    for (size_t i = 0; i < of->truth_count; i++) {
        double a = by->truth[i];
        parts[i].inside[SUM_DOCUMENTS] = a;
        parts[i].inside[SUM_IN_TRUTH] = parts[i].inside[SUM_ALL] = couples(a);
        parts[i].across[SUM_ALL] = a * (documents - a);
    }
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        part *to = parts + block->truth;
        double n = block->count, b = by->found[block->found];
        to->inside[SUM_BOTH] += couples(n);
        to->inside[SUM_IN_FOUND] += couples(n);
        to->inside[SUM_FOUND_WITH] += n * n / by->truth[block->truth];
        to->across[SUM_IN_FOUND] += n * (b - n);
        to->across[SUM_DEFICIT] += 2 * n * (b - n) / b;
    }
}

/* Couples of true clusters in a found cluster j, each with e = n_i·n_k·(g + 2h/b): `own` is Σ e² and `joint`
 * Σ_j (F_j² − Σ_i c_i²), F_j being the sum over the couples of j and c_i that over those with i. A couple that meets in
 * two found clusters counts as two, one that does not meet (it matters to C(N) alone) not at all. */
typedef struct dyads {
    double own, joint;
} dyads;

/* Σ n⁴ of every found cluster; NULL: out of memory. */
static double *sum_fourths(const fp_contingency *of, fp_arena *scratch) {
    double *fourth = fp_arena_alloc(scratch, of->found_count, sizeof *fourth);
    for (size_t i = 0; fourth && i < of->block_count; i++) fourth[of->blocks[i].found] += pow(of->blocks[i].count, 4);
    return fourth;
}

static dyads sum_dyads(const fp_contingency *of, const cluster_sizes *by, const double *fourth, const gradient by_sum) {
    dyads sum = {0, 0};
    for (size_t j = 0; j < of->found_count; j++) {
        double b = by->found[j], each = by_sum[SUM_IN_FOUND] + 2 * by_sum[SUM_DEFICIT] / b,
               all = each * (b * b - by->square[j]) / 2;
        sum.own += each * each * (by->square[j] * by->square[j] - fourth[j]) / 2;
        sum.joint += all * all;
    }
    for (size_t i = 0; i < of->block_count; i++) {
        double n = of->blocks[i].count, b = by->found[of->blocks[i].found],
               each = by_sum[SUM_IN_FOUND] + 2 * by_sum[SUM_DEFICIT] / b;
        sum.joint -= pow(each * n * (b - n), 2);
    }
    return sum;
}

/* The contribution of one true cluster to a measure: inside it, and with its couples. */
typedef struct addition {
    double inside, all;
} addition;

static void add_up(const part *parts, size_t count, const gradient by_sum, addition *units) {
    for (size_t i = 0; i < count; i++) {
        double within = 0, across = 0;
        for (size_t t = 0; t < SUMS; t++) {
            within += by_sum[t] * parts[i].inside[t];
            across += by_sum[t] * parts[i].across[t];
        }
        units[i] = (addition){within, within + across};
    }
}

/* A wrong link joins all of two found clusters, so couples in one found cluster depend on one another even when they
 * share no true one: Σ_u s_u² + joint counts every two that share a true or a found cluster once. */
static fp_dyadic spread_of(const addition *each, size_t count, dyads of) {
    double sum = 0, squares = 0, cubes = 0, fourths = 0, inside = 0, units = (double)count, mean = 0, fall = 0,
           rise = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < count; i++) {
            double within = each[i].inside, all = each[i].all;
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

fp_status fp_agreement_spread(const fp_contingency *of, fp_arena *scratch, fp_dyadic spreads[FP_AGREEMENT_KINDS],
                              fp_error *error) {
    cluster_sizes by;
    double total[SUMS], measures[FP_AGREEMENT_KINDS];
    gradient by_sum[FP_AGREEMENT_KINDS] = {{0}};
    size_t count = of->truth_count;
    FP_TRY(make_sizes(of, NULL, scratch, &by, error));
    part *parts = FP_NEED(fp_arena_alloc(scratch, count, sizeof *parts), error);
    addition *units = FP_NEED(fp_arena_raw(scratch, count, sizeof *units), error);
    double *fourth = FP_NEED(sum_fourths(of, scratch), error);
    sum_clusters(of, NULL, &by, total);
    measure_sums(total, FP_EMPTY_NA, measures);
    differentiate(total, measures, by_sum);
    fill_parts(of, &by, parts);
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        spreads[k] = (fp_dyadic){NAN, NAN, NAN, NAN, NAN, NAN, NAN, count, NAN, 0, 0};
        if (isnan(measures[k])) continue;
        add_up(parts, count, by_sum[k], units);
        spreads[k] = spread_of(units, count, sum_dyads(of, &by, fourth, by_sum[k]));
    }
    return FP_OK;
}
