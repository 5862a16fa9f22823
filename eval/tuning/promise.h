/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * promise.h - evidence for a precision: whether the calls at a threshold show it, and the loosest threshold that does.
 * On it rests the promise of a precision (tune.h).
 *
 * Units are groups, or documents without one (fp_split). With T_u and F_u the weights of the right and wrong calls that
 * touch unit u, a call across two units counting in both, T and F their totals with each call counted once, C = T + F
 * and p = T/C, the influence of a unit on p is e_u = ((1 − p)·T_u − p·F_u)/C, and over all n units
 *
 *     v = n/(n − 1)·Σ(e_u − ē)²        n_eff = p(1 − p)/v·(z/t_{m−1})²        n* = min(n_eff, m, C/w, C/c)
 *
 * with m the units that a call touches, and z and Student's t at the level of the test (Korn, Graubard, Survey
 * Methodology 24, 1998). The calls show precision P at a level if P is at most the lower limit of Clopper and Pearson
 * (Biometrika 26, 1934) for n*·p successes of n*: if I_P(n*·p, n*(1 − p) + 1), the incomplete beta function, is at most
 * the level.
 *
 * If few units have wrong calls, v does not show the weight of one more. A sampled negative pair weighs w. Wrong calls
 * come in clumps of c = Σ F_u²/Σ F_u − Σ F_u/n, the variance of F_u over its mean (1 if they fall on units by chance):
 * that of the strictest threshold with FP_EVIDENCE_FEW such units holds for all stricter ones.
 *
 * Thresholds are tried in order, from the strictest that could pass without a wrong call, and the first that fails ends
 * the sequence: so the level holds for all that passed (fixed-sequence testing; Angelopoulos, Bates, Candès, Jordan,
 * Lei, Learn then Test, 2021). Of K arms each has the level α/K (Bonferroni).
 */
#ifndef FP_PROMISE_H
#define FP_PROMISE_H

#include "base/base.h"

enum { FP_EVIDENCE_FEW = 5 };

/* Evidence from the calls at one threshold. */
typedef struct fp_evidence {
    double right, wrong;   /* T, F */
    double clump;          /* c of this threshold; 0 without a wrong call */
    double most;           /* n* if no call were wrong: min(m, C/w, C/c) */
    double trials;         /* n* */
    size_t units, failing; /* m, and those that a wrong call touches */
} fp_evidence;

typedef struct fp_evidence_unit {
    double right, wrong; /* T_u, F_u */
} fp_evidence_unit;

/* Sums over calls, updated call by call. */
typedef struct fp_evidence_sums {
    size_t unit_count;
    double weight;                              /* w */
    fp_evidence_unit *unit;                     /* [unit_count] */
    fp_evidence now;                            /* the counts */
    fp_evidence_unit touching;                  /* Σ_u T_u, Σ_u F_u */
    double right_squares, mixed, wrong_squares; /* Σ_u T_u², Σ_u T_u·F_u, Σ_u F_u² */
} fp_evidence_sums;

fp_status fp_evidence_open(size_t unit_count, double weight, fp_arena *arena, fp_evidence_sums *sums, fp_error *error);
void fp_evidence_add(fp_evidence_sums *sums, uint32_t first, uint32_t second, bool right);
/* `level`: of the test, in (0, ½). Without the bound by c. */
fp_evidence fp_evidence_now(const fp_evidence_sums *sums, double level);

bool fp_evidence_shows(const fp_evidence *of, double precision, double level);
/* The smallest number of units that shows the precision when all calls of each unit are right, or all wrong, and
 * `failing` units are wrong. */
size_t fp_evidence_needed(double precision, double level, size_t failing);

/* The thresholds of an arm at which at least one further pair is called, strictest first. */
typedef struct fp_evidence_path {
    size_t count;
    const fp_evidence *at; /* [count] cumulative */
} fp_evidence_path;

/* Bounds n* of a path by c; at[count] as fp_evidence_now left them. */
void fp_evidence_bound(fp_evidence *at, size_t count);
/* Index in the path of the loosest threshold that passes; among equal recall the strictest. SIZE_MAX: none passes. */
size_t fp_evidence_reach(const fp_evidence_path *path, double precision, double level);

#endif
