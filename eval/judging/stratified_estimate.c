/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision and relative recall from judgements. */
#include <math.h>
#include <string.h>

#include "eval/judging/judging.h"
#include "eval/judging/stratified_interval.h"

void fp_judged_count(const fp_judged_sheet *sheet, fp_judged_counts *counts) {
    memset(counts, 0, sheet->stratum_count * sizeof *counts);
    for (size_t i = 0; i < sheet->pair_count; i++) counts[sheet->pairs[i].stratum].of[sheet->pairs[i].judgement]++;
}

static fp_judgement together(fp_judgement a, fp_judgement b) {
    if (a == FP_JUDGED_OPEN || b == FP_JUDGED_OPEN) return FP_JUDGED_OPEN;
    return a == b ? a : FP_JUDGED_UNSURE;
}

void fp_judged_consensus(const fp_judged_sheet *const *sheets, size_t count, fp_judgement *judgements) {
    for (size_t i = 0; i < sheets[0]->pair_count; i++) {
        judgements[i] = sheets[0]->pairs[i].judgement;
        for (size_t s = 1; s < count; s++) judgements[i] = together(judgements[i], sheets[s]->pairs[i].judgement);
    }
}

/* ---- Strata that count ---- */

typedef struct filled {
    size_t count;
    double *population;
    fp_judged_share *shares;
    double *sure_positive, *sure_negative; /* pairs that are known to be so */
    size_t
        unjudged; /* position of the first stratum that holds pairs and has no judgement; SIZE_MAX when there is none */
    size_t *of;   /* [stratum_count] how many of these there are up to a stratum */
} filled;

static void fill(const fp_judged_stratum *stratum, const fp_judged_counts *counts, fp_unsure unsure, filled *to) {
    size_t positive = counts->of[FP_JUDGED_DUPLICATE], negative = counts->of[FP_JUDGED_NOT];
    size_t judged = positive + negative + counts->of[FP_JUDGED_UNSURE];
    if (unsure == FP_UNSURE_POSITIVE) positive += counts->of[FP_JUDGED_UNSURE];
    if (unsure == FP_UNSURE_NEGATIVE) negative += counts->of[FP_JUDGED_UNSURE];
    size_t decided = positive + negative;
    if (decided == 0) return;
    size_t k = to->count++;
    to->population[k] = (double)stratum->population * (double)decided / (double)judged;
    to->sure_positive[k] = (double)positive;
    to->sure_negative[k] = (double)negative;
    to->shares[k] =
        (fp_judged_share){(double)positive / (double)decided, fp_judged_trials((double)decided, to->population[k])};
}

static bool is_unjudged(const fp_judged_stratum *stratum, const fp_judged_counts *counts) {
    return stratum->population > 0 && counts->of[FP_JUDGED_OPEN] == stratum->drawn;
}

static fp_status fill_all(const fp_judged_stratum *strata, const fp_judged_counts *counts, size_t stratum_count,
                          fp_unsure unsure, fp_arena *scratch, filled *to, fp_error *error) {
    double *numbers = fp_arena_alloc(scratch, stratum_count, 3 * sizeof *numbers);
    *to = (filled){.unjudged = SIZE_MAX,
                   .shares = fp_arena_alloc(scratch, stratum_count, sizeof *to->shares),
                   .of = fp_arena_alloc(scratch, stratum_count, sizeof *to->of)};
    if (!numbers || !to->shares || !to->of) return fp_no_memory(error);
    to->population = numbers;
    to->sure_positive = numbers + stratum_count;
    to->sure_negative = numbers + 2 * stratum_count;
    for (size_t s = 0; s < stratum_count; s++) {
        if (is_unjudged(strata + s, counts + s) && to->unjudged == SIZE_MAX) to->unjudged = s;
        fill(strata + s, counts + s, unsure, to);
        to->of[s] = to->count;
    }
    return FP_OK;
}

static double sum(const double *values, size_t from, size_t to) {
    double total = 0;
    for (size_t k = from; k < to; k++) total += values[k];
    return total;
}

static double duplicates(const filled *in, size_t from, size_t to) {
    double total = 0;
    for (size_t k = from; k < to; k++) total += in->population[k] * in->shares[k].share;
    return total;
}

/* An unbiased estimate of the variance of that sum: (1 − n/N)·N²p(1 − p)/(n − 1) of a stratum (Cochran 1977,
 * section 3.2), in terms of its trials. */
static double spread(const filled *in, size_t from, size_t to) {
    double total = 0;
    for (size_t k = from; k < to; k++) {
        double p = in->shares[k].share, odd = in->population[k] * in->population[k] * p * (1 - p);
        if (odd > 0) total += odd / (in->shares[k].trials - 1);
    }
    return total;
}

/* ---- Figures ---- */

static fp_interval between(fp_interval interval, double least, double most) {
    return (fp_interval){fmax(interval.low, least), fmin(interval.high, most)};
}

static void estimate_precision(const filled *in, size_t part, double confidence, fp_judged_value *to) {
    double pairs = sum(in->population, 0, part);
    to->duplicates = duplicates(in, 0, part);
    if (part == 0) return;
    fp_interval found =
        fp_judged_sum_interval(in->population, in->shares, part, FP_JUDGED_SCORE_OR_UNSKEWED, confidence);
    found = between(found, sum(in->sure_positive, 0, part), pairs - sum(in->sure_negative, 0, part));
    to->precision = to->duplicates / pairs;
    to->precision_interval = (fp_interval){found.low / pairs, found.high / pairs};
}

/* The ratio x/t of the part and the whole is too large by about (R·V(t) − V(x))/t² on the mean, since x and t − x are
 * of different strata. Beale's ratio takes that off: both xt and t² are replaced by what is larger by their own bias.
 */
static double correct(const filled *in, size_t part, double head, double total) {
    return (head * total + spread(in, 0, part)) / (total * total + spread(in, 0, in->count));
}

/* The quotient is least when as few pairs within the threshold are duplicates and as many beyond it as the judgements
 * allow. */
static void estimate_recall(const filled *in, size_t part, double confidence, fp_judged_value *to) {
    size_t all = in->count;
    double total = duplicates(in, 0, all), head = duplicates(in, 0, part);
    if (!(total > 0)) return;
    double least_head = sum(in->sure_positive, 0, part), least_tail = sum(in->sure_positive, part, all);
    double most_head = sum(in->population, 0, part) - sum(in->sure_negative, 0, part);
    double most_tail = sum(in->population, part, all) - sum(in->sure_negative, part, all);
    double least = least_head > 0 ? least_head / (least_head + most_tail) : 0;
    double most = most_head > 0 ? most_head / (most_head + least_tail) : 0;
    to->recall_ratio = head / total;
    to->recall = fmax(least, fmin(most, correct(in, part, head, total)));
    fp_interval found =
        between(fp_judged_part_interval(in->population, in->shares, part, all, FP_JUDGED_SCORE_OR_UNSKEWED, confidence),
                least, most);
    to->recall_interval = (fp_interval){fmin(found.low, to->recall), fmax(found.high, to->recall)};
}

fp_status fp_judged_estimate(const fp_judged_stratum *strata, const fp_judged_counts *counts, size_t stratum_count,
                             fp_unsure unsure, double confidence, fp_arena *scratch, fp_judged_value *figures,
                             fp_error *error) {
    static const fp_interval NONE = {NAN, NAN};
    filled in;
    FP_TRY(fill_all(strata, counts, stratum_count, unsure, scratch, &in, error));
    uint64_t within = 0;
    for (size_t s = 0; s < stratum_count; s++) {
        within += strata[s].population;
        figures[s] = (fp_judged_value){strata[s].distance, within, NAN, NAN, NAN, NAN, NONE, NONE};
        if (s < in.unjudged) estimate_precision(&in, in.of[s], confidence, figures + s);
        if (in.unjudged == SIZE_MAX) estimate_recall(&in, in.of[s], confidence, figures + s);
    }
    return FP_OK;
}
