/* SPDX-License-Identifier: GPL-3.0-or-later
 * Agreement of two judges. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/judging/judging.h"

enum { CLASSES = FP_KAPPA_CLASSES };

typedef struct shares {
    double cell[CLASSES][CLASSES], row[CLASSES], column[CLASSES];
} shares;

static void take_shares(const fp_kappa *of, shares *to) {
    *to = (shares){0};
    for (size_t i = 0; i < CLASSES; i++) {
        for (size_t j = 0; j < CLASSES; j++) {
            to->cell[i][j] = (double)of->table.of[i][j] / (double)of->pairs;
            to->row[i] += to->cell[i][j];
            to->column[j] += to->cell[i][j];
        }
    }
}

/* n·Var(κ)·(1 − p_e)². */
static double spread(const shares *of, double kappa, double expected) {
    double same = 0, other = 0, last = kappa - expected * (1 - kappa);
    for (size_t i = 0; i < CLASSES; i++) {
        double rest = 1 - (of->row[i] + of->column[i]) * (1 - kappa);
        same += of->cell[i][i] * rest * rest;
        for (size_t j = 0; j < CLASSES; j++) {
            double margins = of->column[i] + of->row[j];
            if (i != j) other += of->cell[i][j] * margins * margins;
        }
    }
    return same + (1 - kappa) * (1 - kappa) * other - last * last;
}

void fp_kappa_make(const fp_kappa_table *table, double confidence, fp_kappa *kappa) {
    *kappa = (fp_kappa){
        .table = *table, .agreement = NAN, .expected = NAN, .kappa = NAN, .error = NAN, .interval = {NAN, NAN}};
    uint64_t agreed = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        for (size_t j = 0; j < CLASSES; j++) kappa->pairs += table->of[i][j];
        agreed += table->of[i][i];
    }
    if (kappa->pairs == 0) return;
    shares of;
    take_shares(kappa, &of);
    kappa->agreement = (double)agreed / (double)kappa->pairs;
    kappa->expected = 0;
    for (size_t i = 0; i < CLASSES; i++) {
        kappa->expected += of.row[i] * of.column[i];
        if (table->of[i][i] == kappa->pairs) return;
    }
    kappa->kappa = (kappa->agreement - kappa->expected) / (1 - kappa->expected);
    if (agreed == kappa->pairs) return;
    kappa->error =
        sqrt(fmax(0, spread(&of, kappa->kappa, kappa->expected)) / (double)kappa->pairs) / (1 - kappa->expected);
    double half = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) * kappa->error;
    kappa->interval = (fp_interval){fmax(-1, kappa->kappa - half), fmin(1, kappa->kappa + half)};
}

void fp_kappa_of(const fp_judged_sheet *a, const fp_judged_sheet *b, double confidence, fp_kappa *kappa) {
    fp_kappa_table table = {0};
    for (size_t i = 0; i < a->pair_count; i++) {
        fp_judgement first = a->pairs[i].judgement, second = b->pairs[i].judgement;
        if (first != FP_JUDGED_OPEN && second != FP_JUDGED_OPEN) table.of[first][second]++;
    }
    fp_kappa_make(&table, confidence, kappa);
}
