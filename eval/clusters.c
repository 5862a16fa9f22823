/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of two partitions from their contingency table. */
#include "eval/clusters.h"

#include <math.h>
#include <stdlib.h>

static const fp_figure_row ROWS[FP_AGREEMENT_KINDS] = {
    [FP_AGREEMENT_RAND] = {"adjusted_rand",
                           "The adjusted Rand index is the share of document pairs on which found and true clusters agree, corrected for chance, 1 for "
                           "identical clusters and about 0 for random ones: (Σ C(n_ij) − E)/(½(Σ C(a_i) + Σ C(b_j)) − E), E = Σ C(a_i)·Σ C(b_j)/C(N).",
                           true},
    [FP_AGREEMENT_BCUBED_PRECISION] = {"bcubed_precision",
                                       "B-cubed precision is the mean over documents of the share of its found cluster that belongs to its true "
                                       "cluster: (1/N) Σ n_ij²/b_j; documents left alone count 1.",
                                       true},
    [FP_AGREEMENT_BCUBED_RECALL] = {"bcubed_recall",
                                    "B-cubed recall is the mean over documents of the share of its true cluster that was found with it: "
                                    "(1/N) Σ n_ij²/a_i.",
                                    true},
    [FP_AGREEMENT_BCUBED_F1] = {"bcubed_f1", "B-cubed F1 is the harmonic mean of B-cubed precision and recall.", true},
    [FP_AGREEMENT_PAIR_PRECISION] = {"cluster_pair_precision",
                                     "Pairwise precision is the share of the document pairs in one found cluster that are in one true cluster, so that a "
                                     "wrong link between clusters of a and b documents costs a·b pairs: Σ C(n_ij)/Σ C(b_j).",
                                     true},
    [FP_AGREEMENT_PAIR_RECALL] = {"cluster_pair_recall",
                                  "Pairwise recall is the share of the document pairs in one true cluster that are in one found cluster: "
                                  "Σ C(n_ij)/Σ C(a_i).",
                                  true},
    [FP_AGREEMENT_PAIR_F1] = {"cluster_pair_f1", "Pairwise F1 is the harmonic mean of pairwise precision and recall.", true},
};

const fp_figure_row *fp_agreement_describe(fp_agreement_kind kind) { return ROWS + kind; }

/* ---- Table ---- */

typedef struct labelled {
    uint32_t truth, found, document;
} labelled;

static int by_truth(const void *left, const void *right) {
    const labelled *a = left, *b = right;
    if (a->truth != b->truth) return a->truth < b->truth ? -1 : 1;
    if (a->found != b->found) return a->found < b->found ? -1 : 1;
    return (a->document > b->document) - (a->document < b->document);
}

static int by_found(const void *left, const void *right) {
    const labelled *a = left, *b = right;
    if (a->found != b->found) return a->found < b->found ? -1 : 1;
    return (a->document > b->document) - (a->document < b->document);
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

fp_status fp_contingency_make(const uint32_t *truth, const uint32_t *found, size_t count, fp_arena *arena, fp_contingency *contingency,
                              fp_error *error) {
    *contingency = (fp_contingency){.document_count = count};
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there are no documents to compare clusters of");
    if (count > INT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "%zu documents are more than can be compared", count);
    fp_arena *scratch = fp_arena_new();
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

/* ---- Figures ---- */

static double couples(double n) { return n * (n - 1) / 2; }

/* Sums over the table; `linear` counts Σ w·n of a found cluster, `square` Σ w²·n², `inside` Σ w·C(n). */
typedef struct sums {
    double *linear, *square, *inside; /* [found_count] */
    double *truth;                    /* [truth_count] documents of a true cluster */
    double documents, squares;        /* of truth: Σ w·a, Σ w²·a² */
    double both, in_truth, in_found, all; /* couples of documents */
} sums;

static double weight_of(const uint32_t *multiplicity, uint32_t truth) { return multiplicity ? multiplicity[truth] : 1; }

static fp_status sum(const fp_contingency *of, const uint32_t *multiplicity, fp_arena *scratch, sums *out, fp_error *error) {
    *out = (sums){.linear = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
                  .square = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
                  .inside = fp_arena_alloc(scratch, of->found_count, sizeof(double)),
                  .truth = fp_arena_alloc(scratch, of->truth_count, sizeof(double))};
    if (!out->linear || !out->square || !out->inside || !out->truth) return fp_no_memory(error);
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        double w = weight_of(multiplicity, block->truth), n = block->count;
        out->linear[block->found] += w * n;
        out->square[block->found] += w * w * n * n;
        out->inside[block->found] += w * couples(n);
        out->truth[block->truth] += n;
        out->both += w * couples(n);
    }
    for (size_t i = 0; i < of->truth_count; i++) {
        double w = weight_of(multiplicity, (uint32_t)i), a = out->truth[i];
        out->documents += w * a;
        out->squares += w * w * a * a;
        out->in_truth += w * couples(a);
    }
    for (size_t j = 0; j < of->found_count; j++)
        out->in_found += out->inside[j] + (out->linear[j] * out->linear[j] - out->square[j]) / 2;
    out->all = out->in_truth + (out->documents * out->documents - out->squares) / 2;
    return FP_OK;
}

static double harmonic(double precision, double recall) { return precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0; }

static double by_rule(double part, double whole, fp_empty empty) {
    if (whole > 0) return part / whole;
    return empty == FP_EMPTY_NA ? NAN : empty == FP_EMPTY_ONE;
}

static void bcubed(const fp_contingency *of, const uint32_t *multiplicity, const sums *from, double figures[FP_AGREEMENT_KINDS]) {
    double precision = 0, recall = 0;
    for (size_t i = 0; i < of->block_count; i++) {
        const fp_block *block = of->blocks + i;
        double w = weight_of(multiplicity, block->truth), n = block->count;
        if (w == 0) continue;
        double others = from->linear[block->found] - w * n; /* documents of other true clusters */
        precision += w * n * n / (n + others);
        recall += w * n * n / from->truth[block->truth];
    }
    figures[FP_AGREEMENT_BCUBED_PRECISION] = precision / from->documents;
    figures[FP_AGREEMENT_BCUBED_RECALL] = recall / from->documents;
    figures[FP_AGREEMENT_BCUBED_F1] = harmonic(precision / from->documents, recall / from->documents);
}

fp_status fp_agreement_of(const fp_contingency *contingency, const uint32_t *multiplicity, fp_empty empty, fp_arena *scratch,
                          double figures[FP_AGREEMENT_KINDS], fp_error *error) {
    sums from;
    FP_TRY(sum(contingency, multiplicity, scratch, &from, error));
    double expected = from.all > 0 ? from.in_truth * from.in_found / from.all : 0;
    figures[FP_AGREEMENT_RAND] = by_rule(from.both - expected, (from.in_truth + from.in_found) / 2 - expected, empty);
    bcubed(contingency, multiplicity, &from, figures);
    double precision = by_rule(from.both, from.in_found, empty), recall = from.in_truth > 0 ? from.both / from.in_truth : NAN;
    figures[FP_AGREEMENT_PAIR_PRECISION] = precision;
    figures[FP_AGREEMENT_PAIR_RECALL] = recall;
    figures[FP_AGREEMENT_PAIR_F1] = isnan(precision) || isnan(recall) ? NAN : harmonic(precision, recall);
    return FP_OK;
}

/* ---- Replicates ---- */

typedef struct job {
    const fp_contingency *contingency;
    fp_resample clusters; /* of which only the number of units is read */
    uint64_t seed;
    fp_empty empty;
    size_t replicates;
    double (*values)[FP_AGREEMENT_KINDS];
    double (*left_out)[FP_AGREEMENT_KINDS];
} job;

static fp_status run_one(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const job *work = context;
    size_t count = work->contingency->truth_count;
    if (index == work->replicates) return fp_agreement_of(work->contingency, NULL, work->empty, scratch, work->values[index], error);
    uint32_t *multiplicity = fp_arena_raw(scratch, count, sizeof *multiplicity);
    if (!multiplicity) return fp_no_memory(error);
    double *to = work->values[index];
    if (index < work->replicates) {
        FP_TRY(fp_resample_draw(&work->clusters, work->seed, index, scratch, multiplicity, error));
    } else {
        size_t block = index - work->replicates - 1;
        for (size_t i = 0; i < count; i++) multiplicity[i] = i % FP_AGREEMENT_BLOCKS != block;
        to = work->left_out[block];
    }
    return fp_agreement_of(work->contingency, multiplicity, work->empty, scratch, to, error);
}

fp_status fp_agreements_run(const fp_contingency *contingency, size_t replicates, uint64_t seed, fp_empty empty, const fp_progress *progress,
                            fp_arena *arena, fp_agreements *agreements, fp_error *error) {
    if (replicates == 0) return fp_fail(error, FP_ERROR_RANGE, "a bootstrap needs at least one replicate");
    size_t blocks = contingency->truth_count < FP_AGREEMENT_BLOCKS ? contingency->truth_count : FP_AGREEMENT_BLOCKS;
    if (blocks == 1) blocks = 0; /* nothing is left without the only one */
    job work = {.contingency = contingency,
                .clusters = {.unit_count = contingency->truth_count},
                .seed = seed,
                .empty = empty,
                .replicates = replicates,
                .values = fp_arena_raw(arena, replicates + 1, sizeof *work.values),
                .left_out = fp_arena_raw(arena, blocks, sizeof *work.left_out)};
    if (!work.values || !work.left_out) return fp_no_memory(error);
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, arena, error));
    fp_status status = fp_parallel(replicates + 1 + blocks, &arenas, true, run_one, &work, "bootstrap", progress, error);
    fp_arenas_free(&arenas);
    *agreements = (fp_agreements){.replicates = replicates,
                                  .truth_count = contingency->truth_count,
                                  .values = (const double(*)[FP_AGREEMENT_KINDS])work.values,
                                  .block_count = blocks,
                                  .left_out = (const double(*)[FP_AGREEMENT_KINDS])work.left_out};
    return status;
}
