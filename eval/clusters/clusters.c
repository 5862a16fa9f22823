/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of two partitions from their contingency table. */
#include "eval/clusters/cluster_sums.h"

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

static double weight_of(const uint32_t *multiplicity, uint32_t truth) { return multiplicity ? multiplicity[truth] : 1; }

fp_status fp_cluster_sizes_make(const fp_contingency *of, const uint32_t *multiplicity, fp_arena *scratch,
                                fp_cluster_sizes *out, fp_error *error) {
    *out = (fp_cluster_sizes){.found = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
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

void fp_cluster_sums(const fp_contingency *of, const uint32_t *multiplicity, const fp_cluster_sizes *by,
                     double total[FP_SUMS]) {
    double squares = 0;
    for (size_t t = 0; t < FP_SUMS; t++) total[t] = 0;
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        double w = weight_of(multiplicity, block->truth), n = block->count;
        total[FP_SUM_BOTH] += w * fp_couples(n);
        total[FP_SUM_FOUND_WITH] += w * n * n / by->truth[block->truth];
    }
    total[FP_SUM_IN_FOUND] = total[FP_SUM_BOTH];
    for (size_t j = 0; j < of->found_count; j++) {
        double across = by->linear[j] * by->linear[j] - by->square[j];
        total[FP_SUM_IN_FOUND] += across / 2;
        total[FP_SUM_DEFICIT] += across / by->found[j];
    }
    for (size_t i = 0; i < of->truth_count; i++) {
        double w = weight_of(multiplicity, (uint32_t)i), a = by->truth[i];
        total[FP_SUM_DOCUMENTS] += w * a;
        total[FP_SUM_IN_TRUTH] += w * fp_couples(a);
        squares += w * w * a * a;
    }
    total[FP_SUM_ALL] = total[FP_SUM_IN_TRUTH] + (total[FP_SUM_DOCUMENTS] * total[FP_SUM_DOCUMENTS] - squares) / 2;
}

/* ---- Measures ---- */

static double harmonic(double precision, double recall) {
    return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
}

static double by_rule(double part, double whole, fp_empty empty) {
    if (whole > 0) return part / whole;
    return empty == FP_EMPTY_NA ? NAN : empty == FP_EMPTY_ONE;
}

void fp_cluster_figures(const double total[FP_SUMS], fp_empty empty, double measures[FP_AGREEMENT_KINDS]) {
    double expected = total[FP_SUM_ALL] > 0 ? total[FP_SUM_IN_TRUTH] * total[FP_SUM_IN_FOUND] / total[FP_SUM_ALL] : 0;
    measures[FP_AGREEMENT_RAND] =
        by_rule(total[FP_SUM_BOTH] - expected, (total[FP_SUM_IN_TRUTH] + total[FP_SUM_IN_FOUND]) / 2 - expected, empty);
    double precision = 1 - total[FP_SUM_DEFICIT] / total[FP_SUM_DOCUMENTS],
           recall = total[FP_SUM_FOUND_WITH] / total[FP_SUM_DOCUMENTS];
    measures[FP_AGREEMENT_BCUBED_PRECISION] = precision;
    measures[FP_AGREEMENT_BCUBED_RECALL] = recall;
    measures[FP_AGREEMENT_BCUBED_F1] = harmonic(precision, recall);
    precision = by_rule(total[FP_SUM_BOTH], total[FP_SUM_IN_FOUND], empty);
    recall = total[FP_SUM_IN_TRUTH] > 0 ? total[FP_SUM_BOTH] / total[FP_SUM_IN_TRUTH] : NAN;
    measures[FP_AGREEMENT_PAIR_PRECISION] = precision;
    measures[FP_AGREEMENT_PAIR_RECALL] = recall;
    double either = total[FP_SUM_IN_FOUND] + total[FP_SUM_IN_TRUTH];
    measures[FP_AGREEMENT_PAIR_F1] = either > 0 ? 2 * total[FP_SUM_BOTH] / either : NAN;
}

fp_status fp_agreement_of(const fp_contingency *contingency, const uint32_t *multiplicity, fp_empty empty,
                          fp_arena *scratch, double measures[FP_AGREEMENT_KINDS], fp_error *error) {
    fp_cluster_sizes by;
    double total[FP_SUMS];
    FP_TRY(fp_cluster_sizes_make(contingency, multiplicity, scratch, &by, error));
    fp_cluster_sums(contingency, multiplicity, &by, total);
    fp_cluster_figures(total, empty, measures);
    return FP_OK;
}
