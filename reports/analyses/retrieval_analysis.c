/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ranking quality of every arm: --retrieval. Each document with a duplicate is a query for the documents that it is
 * paired with, nearest first (eval/measures/ranking.h). If small groups are listed as pairs, these are all other
 * documents. */
#include "reports/analyses/analyses.h"
#include "eval/measures/ranking.h"
#include "eval/evaluation/outcome.h"

typedef struct rankings {
    size_t queries;               /* the same for every arm */
    fp_retrieval_measures *means; /* [arms]; means over the queries */
} rankings;

static void add_share(fp_retrieval_measures *to, const fp_retrieval_measures *own, double share) {
    to->retrieved = own->retrieved;
    to->relevant = own->relevant;
    to->relevant_retrieved = own->relevant_retrieved;
    to->average_precision += share * own->average_precision;
    to->r_precision += share * own->r_precision;
    to->reciprocal_rank += share * own->reciprocal_rank;
    for (size_t k = 0; k < FP_RETRIEVAL_CUTOFFS; k++) to->precision[k] += share * own->precision[k];
}

/* The mean over the hash seeds of an arm; queries and their relevant documents are the same under all seeds. */
static fp_status fill(const fp_outcome *outcome, fp_arena *scratch, fp_retrieval_measures *means, size_t *queries,
                      fp_error *error) {
    for (size_t arm = 0; arm < outcome->count; arm++) {
        size_t seeds = fp_seed_count(outcome->further, arm);
        means[arm] = (fp_retrieval_measures){0};
        for (size_t k = 0; k < seeds; k++) {
            const double *distances = outcome->measurements[fp_seed_lane(outcome->further, arm, k)].distances;
            fp_retrieval retrieval;
            fp_arena_reset(scratch);
            FP_TRY(fp_retrieval_from_pairs(outcome->corpus, distances, scratch, &retrieval, error));
            fp_retrieval_measures own = fp_retrieval_mean(&retrieval);
            add_share(means + arm, &own, 1 / (double)seeds);
            *queries = retrieval.count;
        }
    }
    return FP_OK;
}

static fp_status check(const fp_analysis_values *given, fp_questions *questions, fp_arena *arena, const void **settings,
                       fp_error *error) {
    (void)given, (void)arena, (void)settings;
    if (questions->level != FP_LEVEL_DOCUMENT) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE,
                   "--retrieval ranks the pairs of documents: it does not go with --level document");
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    rankings *out = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *out), error);
    *found = out;
    out->means = FP_NEED(fp_arena_alloc(of->arena, of->outcome->count, sizeof *out->means), error);
    FP_SCRATCH(scratch, of->arena, error);
    return fill(of->outcome, scratch, out->means, &out->queries, error);
}

/* ---- Tables ---- */

static void add_arm(fp_table *table, const fp_outcome *outcome, size_t arm, const rankings *of, size_t cutoffs) {
    const fp_retrieval_measures *means = of->means + arm;
    fp_results_add_names(table, outcome, arm, false);
    FP_TABLE_PUT(table, (double)of->queries, (double)means->retrieved, (double)means->relevant,
                 means->average_precision, means->r_precision, means->reciprocal_rank);
    fp_table_put_all(table, means->precision, cutoffs);
}

static void add_rows(fp_table *table, const fp_found_arm *of) {
    add_arm(table, of->outcome, of->arm, of->found, FP_RETRIEVAL_CUTOFFS);
}

/* The cutoffs of fp_retrieval_cutoffs; a terminal shows the first two. */
#define MEANS                                                                                          \
    "corpus|arm|>queries;e|>retrieved;e|>relevant;e|>average_precision|>r_precision|>reciprocal_rank|" \
    ">precision_5|>precision_10"
enum { SHORT = 2 };
static const char COLUMNS[] =
    MEANS "|>precision_15|>precision_20|>precision_30|>precision_100|>precision_200|>precision_500|>precision_1000";

static void brief(fp_brief *to) {
    fp_table *table = fp_table_of(MEANS, to->arena);
    to->print("\nRetrieval: each document that has a duplicate is a query; means over the queries\n");
    for (size_t i = 0; i < to->results->count; i++)
        for (size_t arm = 0; arm < to->results->outcomes[i].count; arm++)
            add_arm(table, to->results->outcomes + i, arm, to->found[i], SHORT);
    to->show(table);
}

const fp_analysis fp_analysis_retrieval = {
    .name = "retrieval",
    .example = "--retrieval",
    .title = {"Retrieval", "检索"},
    .options = {{.name = "retrieval",
                 .help =
                     "also each document as a query, its duplicates to be found: mean average precision and others"}},
    .needs = FP_NEEDS_LIST | FP_NEEDS_ALL_PAIRS,
    .check = check,
    .run = run,
    .brief = brief,
    .tables = {{.name = "retrieval", .columns = COLUMNS, .rows = add_rows, .whole = true}}};
