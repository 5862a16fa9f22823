/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts in memory as a column: chooses texts to keep, and evaluates arms on labelled pairs of them.
 *
 *     columns */
#include <fplab.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 5 };
static const char TEXTS[] = "the bridge over the river is open again\n"
                            "the bridge over the river is open again!\n"
                            "rain is expected in the north tomorrow\n"
                            "tomorrow rain is expected in the north\n"
                            "the library stays open on saturday\n";

static fp_status keep(const fp_arm *arm, const fp_text_column *texts, fp_arena *arena, uint32_t *because,
                      double *distance, fp_error *error) {
    fp_sketches sketches;
    fp_near_search search = {0};
    size_t bad;
    search.size = sizeof search;
    search.within = 12;
    if (fp_column_sketches(&arm, 1, texts, NULL, arena, &sketches, &bad, NULL, error) != FP_OK) return error->code;
    return fp_near_keep(arm, &sketches, &search, because, distance, NULL, NULL, error);
}

static fp_status evaluate(const fp_corpus *corpus, fp_tables **tables, fp_error *error) {
    static const char *const arms[] = {"simhash:features=chars:3", "jaccard:features=chars:3"};
    static const fp_setting settings[] = {{"replicates", "200"}, {"hash-seeds", "1"}, {"gain", NULL}};
    return fp_evaluate(&corpus, 1, arms, 2, NULL, settings, 3, tables, NULL, error);
}

static void print_summary(const fp_tables *tables) {
    size_t summary = fp_tables_find(tables, "summary"), column = 0;
    while (strcmp(fp_tables_column(tables, summary, column), "average_precision") != 0) column++;
    for (size_t row = 0; row < fp_tables_rows(tables, summary); row++)
        printf("%s: average precision %.3f\n", fp_tables_text(tables, summary, 1, row),
               fp_tables_numbers(tables, summary, column)[row]);
}

/* Fits the arm to two parts of the texts, counted separately, as on two machines. */
static fp_status fit_parts(fp_arm *arm, const fp_text_column *texts, fp_arena *arena, fp_error *error) {
    const fp_text_column parts[2] = {{2, texts->data, texts->offset},
                                     {texts->count - 2, texts->data, texts->offset + 2}};
    bool again = true;
    while (again) {
        fp_string tallies[2], merged;
        for (int i = 0; i < 2; i++)
            if (fp_column_tally(arm, parts + i, arena, tallies + i, NULL, NULL, error) != FP_OK) return error->code;
        if (fp_arm_merge_tallies(arm, tallies, 2, arena, &merged, error) != FP_OK) return error->code;
        if (fp_arm_take_tallies(arm, &merged, 1, &again, error) != FP_OK) return error->code;
    }
    return FP_OK;
}

int main(void) {
    static const fp_pair pairs[] = {{0, 1, 1}, {2, 3, 1}, {0, 2, 0}, {1, 4, 0}, {3, 4, 0}, {0, 4, 0}};
    int64_t offset[COUNT + 1] = {0};
    fp_text_column texts = {COUNT, TEXTS, offset};
    fp_corpus_columns columns = {0};
    fp_corpus *corpus = NULL;
    fp_tables *tables = NULL;
    fp_arm *arm, *centred;
    uint32_t because[COUNT];
    double distance[COUNT];
    fp_error error = {FP_ERROR_MEMORY, 0, 0, "out of memory", ""};
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < COUNT; i++) offset[i + 1] = (int64_t)(strchr(TEXTS + offset[i], '\n') - TEXTS) + 1;
    columns.size = sizeof columns;
    columns.name = "five texts";
    columns.texts = &texts;
    columns.pairs = pairs;
    columns.pair_count = sizeof pairs / sizeof *pairs;
    fp_status status = arena ? fp_arm_parse("simhash:features=chars:3", NULL, arena, &arm, &error) : FP_ERROR_MEMORY;
    if (status == FP_OK) status = fp_corpus_of_columns(&columns, NULL, &corpus, &error);
    if (status == FP_OK) status = evaluate(corpus, &tables, &error);
    if (status == FP_OK) status = fp_arm_parse("simhash:weight=idf,center=mean", NULL, arena, &centred, &error);
    if (status == FP_OK) status = fit_parts(centred, &texts, arena, &error);
    if (status == FP_OK) status = keep(arm, &texts, arena, because, distance, &error);
    if (status != FP_OK) fprintf(stderr, "%s\n", error.message);
    else print_summary(tables);
    for (size_t i = 0; status == FP_OK && i < COUNT; i++)
        if (because[i] != FP_KEPT) printf("text %zu repeats text %u: %g bits\n", i, (unsigned)because[i], distance[i]);
    fp_tables_free(tables);
    fp_corpus_close(corpus);
    fp_arena_free(arena);
    return status == FP_OK ? 0 : 1;
}
