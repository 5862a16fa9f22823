/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table of rankings. */
#include "reports/tables/retrieval_table.h"

#include "reports/tables/results.h"

enum { SHORT = 2 }; /* cut-offs for a person */

static fp_table *open_table(size_t cutoffs, fp_arena *arena) {
    const char *columns = "corpus|arm|>queries|>retrieved|>relevant|>average_precision|>r_precision|>reciprocal_rank";
    for (size_t k = 0; k < cutoffs && columns; k++)
        columns = fp_format(arena, "%s|>precision_%zu", columns, fp_retrieval_cutoffs[k]);
    return columns ? fp_table_new(columns, arena) : NULL;
}

static void add_arm(fp_table *table, const fp_retrieval_outcome *of, size_t arm, size_t cutoffs) {
    const fp_retrieval_measures *means = of->means + arm;
    fp_results_add_names(table, of->outcome, arm, false);
    fp_table_count(table, of->queries);
    fp_table_count(table, means->retrieved);
    fp_table_count(table, means->relevant);
    fp_table_real(table, means->average_precision, 4);
    fp_table_real(table, means->r_precision, 4);
    fp_table_real(table, means->reciprocal_rank, 4);
    for (size_t k = 0; k < cutoffs; k++) fp_table_real(table, means->precision[k], 4);
}

static fp_table *make_table(const fp_retrieval_outcome *outcomes, size_t count, size_t cutoffs, fp_arena *arena) {
    fp_table *table = open_table(cutoffs, arena);
    for (size_t i = 0; table && i < count; i++)
        for (size_t arm = 0; arm < outcomes[i].outcome->count; arm++) add_arm(table, outcomes + i, arm, cutoffs);
    return table;
}

fp_table *fp_retrieval_table(const fp_retrieval_outcome *outcomes, size_t count, fp_arena *arena) {
    return make_table(outcomes, count, FP_RETRIEVAL_CUTOFFS, arena);
}

fp_table *fp_retrieval_table_short(const fp_retrieval_outcome *outcomes, size_t count, fp_arena *arena) {
    return make_table(outcomes, count, SHORT, arena);
}
