/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums over units that grow with every call, and the tests on them. */
#include "eval/tuning/promise.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/measure_interval.h"

fp_status fp_evidence_open(size_t unit_count, double weight, fp_arena *arena, fp_evidence_sums *sums, fp_error *error) {
    *sums = (fp_evidence_sums){
        .unit_count = unit_count, .weight = weight, .unit = fp_arena_alloc(arena, unit_count, sizeof *sums->unit)};
    return sums->unit ? FP_OK : fp_no_memory(error);
}

/* (x + w)² = x² + w·(2x + w). */
static void add_to_unit(fp_evidence_sums *sums, fp_evidence_unit *unit, double weight, bool right) {
    sums->now.units += unit->right + unit->wrong == 0;
    sums->now.failing += !right && unit->wrong == 0;
    double *mine = right ? &unit->right : &unit->wrong;
    *(right ? &sums->right_squares : &sums->wrong_squares) += weight * (2 * *mine + weight);
    sums->mixed += weight * (right ? unit->wrong : unit->right);
    *(right ? &sums->touching.right : &sums->touching.wrong) += weight;
    *mine += weight;
}

void fp_evidence_add(fp_evidence_sums *sums, uint32_t first, uint32_t second, bool right) {
    double weight = right ? 1 : sums->weight;
    add_to_unit(sums, sums->unit + first, weight, right);
    if (first != second) add_to_unit(sums, sums->unit + second, weight, right);
    *(right ? &sums->now.right : &sums->now.wrong) += weight;
}

static double effective(const fp_evidence_sums *sums, double level) {
    double called = sums->now.right + sums->now.wrong, p = sums->now.right / called, q = 1 - p,
           units = (double)sums->unit_count, sum = q * sums->touching.right - p * sums->touching.wrong;
    double squares = q * q * sums->right_squares - 2 * p * q * sums->mixed + p * p * sums->wrong_squares;
    double variance = units / (units - 1) * fmax(0, squares - sum * sum / units) / (called * called);
    double wider = fp_by_student((double)sums->now.units - 1, 1 - 2 * level);
    return variance > 0 ? p * q / variance / (wider * wider) : INFINITY;
}

fp_evidence fp_evidence_now(const fp_evidence_sums *sums, double level) {
    fp_evidence now = sums->now;
    double called = now.right + now.wrong;
    if (!(called > 0)) return now;
    now.most = now.trials = fmin((double)now.units, called / sums->weight);
    if (now.wrong > 0)
        now.clump = sums->wrong_squares / sums->touching.wrong - sums->touching.wrong / (double)sums->unit_count;
    if (now.wrong > 0 && now.right > 0) now.trials = fmin(now.trials, effective(sums, level));
    return now;
}

/* ---- Tests ---- */

static bool shows(double right, double wrong, double precision, double level) {
    return right > 0 && gsl_cdf_beta_P(precision, right, wrong + 1) <= level;
}

bool fp_evidence_shows(const fp_evidence *of, double precision, double level) {
    double called = of->right + of->wrong;
    return called > 0 && shows(of->trials * of->right / called, of->trials * of->wrong / called, precision, level);
}

size_t fp_evidence_needed(double precision, double level, size_t failing) {
    size_t low = failing, high = failing + 1;
    for (; high < SIZE_MAX / 4 && !shows((double)(high - failing), (double)failing, precision, level); high *= 2)
        low = high;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(shows((double)(middle - failing), (double)failing, precision, level) ? &high : &low) = middle;
    }
    return high;
}

void fp_evidence_bound(fp_evidence *at, size_t count) {
    for (size_t i = 0, ahead = 0; i < count && at[i].failing < FP_EVIDENCE_FEW; i++) {
        while (ahead + 1 < count && at[ahead].failing < FP_EVIDENCE_FEW) ahead++;
        double bound = (at[i].right + at[i].wrong) / fmax(1, at[ahead].clump);
        at[i].most = fmin(at[i].most, bound);
        at[i].trials = fmin(at[i].trials, bound);
    }
}

size_t fp_evidence_reach(const fp_evidence_path *path, double precision, double level) {
    size_t found = SIZE_MAX;
    double needed = (double)fp_evidence_needed(precision, level, 0);
    for (size_t i = 0; i < path->count; i++) {
        const fp_evidence *at = path->at + i;
        if (at->most < needed) continue;
        if (!fp_evidence_shows(at, precision, level)) break;
        if (found == SIZE_MAX || at->right > path->at[found].right) found = i;
    }
    return found;
}
