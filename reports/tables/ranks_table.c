/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ranks of the arms over all corpora, for files and for people. */
#include "reports/tables/results.h"

#include <math.h>

/* ---- Tables ---- */

static const char *arm_name(const fp_results *results, size_t arm) {
    return fp_arm_name(results->outcomes->measurements[arm].arm);
}

static const char *name_at(const fp_results *results, const fp_ranks *ranks, size_t place) {
    return arm_name(results, ranks->order[place]);
}

static void add_arm(fp_table *table, const fp_results *results, const fp_ranks *ranks, size_t place) {
    const fp_rank_arm *arm = ranks->arms + ranks->order[place];
    fp_table_text(table, name_at(results, ranks, place));
    FP_TABLE_PUT(table, arm->mean, arm->interval.low, arm->interval.high, arm->rank);
}

fp_table *fp_results_ranks(const fp_results *results, const fp_ranks *ranks, fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_RANKS, arena);
    for (size_t place = 0; place < ranks->arm_count; place++) {
        add_arm(table, results, ranks, place);
        FP_TABLE_PUT(table, (double)ranks->corpus_count, ranks->critical_difference, ranks->chi_square,
                     ranks->chi_square_p, ranks->f, ranks->f_p);
    }
    return table;
}

fp_table *fp_results_ranks_short(const fp_results *results, const fp_ranks *ranks, fp_arena *arena) {
    fp_table *table = fp_table_of("arm|>mean average precision~;l3|>mean rank;2", arena);
    for (size_t place = 0; place < ranks->arm_count; place++) add_arm(table, results, ranks, place);
    return table;
}

static void add_pair_names(fp_table *table, const fp_results *results, const fp_rank_pair *pair) {
    FP_TABLE_TEXTS(table, arm_name(results, pair->first), arm_name(results, pair->second));
}

fp_table *fp_results_rank_pairs(const fp_results *results, const fp_ranks *ranks, const fp_rank_pairs *pairs,
                                fp_arena *arena) {
    fp_table *table = fp_table_for(FP_FILE_SIGNED_RANKS, arena);
    for (size_t i = 0; i < pairs->count; i++) {
        const fp_rank_pair *pair = pairs->pairs + i;
        add_pair_names(table, results, pair);
        FP_TABLE_PUT(table, (double)ranks->corpus_count, pair->mean, pair->test.above, pair->test.below,
                     (double)pair->test.zeros, pair->test.p, pair->adjusted, pairs->bayes.margin, pair->posterior.above,
                     pair->posterior.within, pair->posterior.below, pair->posterior.error, (double)pairs->bayes.draws);
        fp_table_count(table, pairs->bayes.seed);
    }
    return table;
}

fp_table *fp_results_rank_pairs_short(const fp_results *results, const fp_rank_pairs *pairs, fp_arena *arena) {
    const char *columns =
        fp_format(arena, "A|B|>A − B;3|>rank sums|>Wilcoxon p (Holm)|>P(A better);2|>P(within ±%g);2|>P(B better);2",
                  pairs->bayes.margin);
    fp_table *table = fp_table_of(columns, arena);
    for (size_t i = 0; i < pairs->count; i++) {
        const fp_rank_pair *pair = pairs->pairs + i;
        add_pair_names(table, results, pair);
        fp_table_put(table, pair->mean);
        fp_table_text(table, fp_format(arena, "%g : %g", pair->test.above, pair->test.below));
        fp_table_p(table, pair->adjusted);
        FP_TABLE_PUT(table, pair->posterior.above, pair->posterior.within, pair->posterior.below);
    }
    return table;
}

/* ---- Sentences ---- */

static const char *describe_tests(const fp_ranks *ranks, fp_arena *arena) {
    const char *left_out =
        ranks->left_out ? fp_format(arena, " (%zu left out: no average precision)", ranks->left_out) : "";
    const char *chi_square_p = fp_p_text(ranks->chi_square_p, arena), *f_p = fp_p_text(ranks->f_p, arena);
    bool differ = ranks->f_p < FP_RANKS_ALPHA;
    return fp_format(arena,
                     "%zu corpora%s. Friedman's χ² %.2f, %s; Iman and Davenport's F(%zu, %zu) %.2f, %s: %s.\n"
                     "Mean ranks that are %.2f apart or more differ (Nemenyi's critical difference at %.2f)%s.\n",
                     ranks->corpus_count, left_out, ranks->chi_square, chi_square_p, ranks->arm_count - 1,
                     (ranks->arm_count - 1) * (ranks->corpus_count - 1), ranks->f, f_p,
                     differ ? "the arms are not all alike" : "the corpora do not show that any arm differs",
                     ranks->critical_difference, FP_RANKS_ALPHA,
                     differ ? "" : "; it counts only where the test before it finds a difference");
}

const char *fp_results_ranks_describe(const fp_results *results, const fp_ranks *ranks, fp_arena *arena) {
    const char *text = describe_tests(ranks, arena);
    for (size_t i = 0; i < ranks->clique_count; i++) {
        const fp_clique *clique = ranks->cliques + i;
        for (size_t place = clique->first; place <= clique->last; place++)
            text = fp_format(arena, "%s%s%s", text,
                             place > clique->first ? "; " : "Not significantly different by ranks: ",
                             name_at(results, ranks, place));
        text = fp_format(arena, "%s\n", text);
    }
    return text;
}

/* With few corpora, p has a lower bound that may exceed the level. */
static const char *describe_least(const fp_ranks *ranks, const fp_rank_pairs *pairs, fp_arena *arena) {
    double least = fp_signed_rank_least(ranks->corpus_count) * (double)pairs->count;
    if (least < FP_RANKS_ALPHA) return "";
    return fp_format(arena, "With %zu corpora and %zu pair%s of arms Wilcoxon's p cannot be below %.2g.\n",
                     ranks->corpus_count, pairs->count, pairs->count == 1 ? "" : "s", fmin(1, least));
}

const char *fp_results_rank_pairs_describe(const fp_ranks *ranks, const fp_rank_pairs *pairs, fp_arena *arena) {
    const char *least = describe_least(ranks, pairs, arena);
    double largest = 0;
    for (size_t i = 0; i < pairs->count; i++) largest = fmax(largest, pairs->pairs[i].posterior.error);
    return fp_format(
        arena,
        "%sRank sums and p: Wilcoxon's signed ranks, exact up to %d corpora, Holm's correction over %zu. P: Bayesian signed\n"
        "ranks, how probable it is that one arm is better by more than %g (%zu draws, seed %llu, Monte Carlo error ≤ %.4f).\n",
        least, FP_SIGNED_RANK_EXACT, pairs->count, pairs->bayes.margin, pairs->bayes.draws,
        (unsigned long long)pairs->bayes.seed, largest);
}
