/* SPDX-License-Identifier: GPL-3.0-or-later
 * The arms of an evaluation over all its corpora, for files and for a person. */
#include "reports/tables/ranks_table.h"

/* ---- Tables ---- */

static const char *name_at(const fp_results *results, const fp_ranks *ranks, size_t place) {
    return fp_arm_name(results->outcomes->measurements[ranks->order[place]].arm);
}

static void add_arm(fp_table *table, const fp_results *results, const fp_ranks *ranks, size_t place) {
    const fp_rank_arm *arm = ranks->arms + ranks->order[place];
    fp_table_text(table, name_at(results, ranks, place));
    fp_table_real(table, arm->mean, 3);
    fp_table_real(table, arm->interval.low, 3);
    fp_table_real(table, arm->interval.high, 3);
    fp_table_real(table, arm->rank, 2);
}

fp_table *fp_results_ranks(const fp_results *results, const fp_ranks *ranks, fp_arena *arena) {
    fp_table *table =
        fp_table_new("arm|>average_precision|>low|>high|>mean_rank|>corpora|>critical_difference|>friedman_p", arena);
    for (size_t place = 0; table && place < ranks->arm_count; place++) {
        add_arm(table, results, ranks, place);
        fp_table_count(table, ranks->corpus_count);
        fp_table_real(table, ranks->critical_difference, 3);
        fp_table_p(table, ranks->f_p);
    }
    return table;
}

fp_table *fp_results_ranks_short(const fp_results *results, const fp_ranks *ranks, fp_arena *arena) {
    fp_table *table = fp_table_new("arm|>mean average precision|>low|>high|>mean rank", arena);
    for (size_t place = 0; table && place < ranks->arm_count; place++) add_arm(table, results, ranks, place);
    return table;
}

/* ---- Sentences ---- */

static const char *describe_tests(const fp_ranks *ranks, fp_arena *arena) {
    const char *left_out =
        ranks->left_out ? fp_format(arena, " (%zu left out: no average precision)", ranks->left_out) : "";
    if (!left_out) return NULL;
    const char *chi_square_p = fp_p_text(ranks->chi_square_p, arena), *f_p = fp_p_text(ranks->f_p, arena);
    if (!chi_square_p || !f_p) return NULL;
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
    for (size_t i = 0; text && i < ranks->clique_count; i++) {
        const fp_clique *clique = ranks->cliques + i;
        for (size_t place = clique->first; text && place <= clique->last; place++)
            text = fp_format(arena, "%s%s%s", text,
                             place > clique->first ? "; " : "Not told apart: ", name_at(results, ranks, place));
        if (text) text = fp_format(arena, "%s\n", text);
    }
    return text;
}
