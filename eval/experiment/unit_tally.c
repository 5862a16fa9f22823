/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dyads, added up. Most are of one pair. */
#include "eval/experiment/unit_tally.h"

#include <string.h>

fp_status fp_unit_tally_open(const fp_tally_plan *plan, fp_arena *arena, fp_unit_tally *tally, fp_error *error) {
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

static span sort_pairs(const fp_tally_plan *plan, const fp_dyad *dyad, uint32_t *seen) {
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

static double take_several(const fp_tally_plan *plan, const fp_dyad *dyad, double size, fp_unit_tally *tally) {
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

double fp_unit_tally_take_any(const fp_tally_plan *plan, const fp_dyad *dyad, fp_unit_tally *tally) {
    size_t size = dyad->rows * dyad->columns, bin = dyad->bin[0];
    tally->count++;
    if (size > 1) return take_several(plan, dyad, (double)size, tally);
    take_ones(plan, bin, 1, tally);
    return plan->functional_count ? plan->value[bin * plan->functional_count] : 0;
}

void fp_unit_tally_finish(const fp_tally_plan *plan, fp_unit_tally *tally) {
    for (size_t bin = 0; tally->one && bin < plan->bin_count; bin++) {
        if (tally->one[bin]) take_ones(plan, bin, tally->one[bin], tally);
        tally->one[bin] = 0;
    }
}
