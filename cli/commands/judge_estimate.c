/* SPDX-License-Identifier: GPL-3.0-or-later
 * Estimates from the judgements of one or several sheets. */

#include "cli/commands/judge.h"

typedef struct sheets {
    size_t count;
    fp_judged_sheet *each;
} sheets;

/* ---- Reading ---- */

static fp_status read_sheets(const char *const *paths, fp_arena *arena, sheets *to, fp_error *error) {
    *to = (sheets){0};
    while (paths[to->count]) to->count++;
    to->each = fp_arena_alloc(arena, to->count, sizeof *to->each);
    for (size_t i = 0; i < to->count; i++) {
        FP_TRY(fp_judged_read(paths[i], arena, to->each + i, error));
        if (i > 0) FP_TRY(fp_judged_same(to->each + i, to->each, error));
    }
    return FP_OK;
}

/* Reads the sheets and compares them with the corpus where it is named. Returns the exit status. */
static int open_sheets(const fp_judge_options *options, const char *const *paths, fp_arena *arena, sheets *to) {
    fp_error error = {0};
    fp_corpus corpus;
    if (read_sheets(paths, arena, to, &error) != FP_OK) return fp_cli_fail(&error);
    if (!options->corpus) return FP_EXIT_SUCCESS;
    FP_CLI_TRY(fp_cli_corpus(options->corpus, options->skip_bad, arena, &corpus));
    return fp_judged_belongs(to->each, &corpus, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

/* ---- Agreement ---- */

static const char *const CLASSES[FP_KAPPA_CLASSES] = {"duplicate", "not", "unsure"};

static void add_agreement(fp_table *table, const fp_judged_sheet *a, const fp_judged_sheet *b, const fp_kappa *kappa) {
    fp_table_text(table, a->path);
    fp_table_text(table, b->path);
    fp_table_count(table, kappa->pairs);
    fp_table_real(table, kappa->agreement, 3);
    fp_table_real(table, kappa->expected, 3);
    fp_table_real(table, kappa->kappa, 3);
    fp_table_figure(table, kappa->error, kappa->interval, 3);
}

/* The nine counts of a couple of judges. */
static void print_counts(const fp_judged_sheet *a, const fp_judged_sheet *b, const fp_kappa *kappa, fp_arena *arena) {
    fp_cli_print("\nA is %s, B is %s:\n", a->path, b->path);
    fp_table *table = fp_table_new("A \\ B|>duplicate|>not|>unsure", arena);
    for (size_t i = 0; i < FP_KAPPA_CLASSES; i++) {
        fp_table_text(table, CLASSES[i]);
        for (size_t j = 0; j < FP_KAPPA_CLASSES; j++) fp_table_count(table, kappa->table.of[i][j]);
    }
    fp_cli_write(table, FP_FORMAT_TABLE);
}

/* One row a couple of judges; for programs with the nine counts behind the figures. */
static fp_table *agreement_table(const sheets *of, double confidence, bool person, fp_arena *arena) {
    fp_table *table = fp_table_new(
        person ? "judge_a|judge_b|>pairs|>agreement|>expected|>kappa|>standard_error|>kappa_low|>kappa_high"
               : "judge_a|judge_b|pairs|agreement|expected|kappa|standard_error|kappa_low|kappa_high|"
                 "duplicate_duplicate|duplicate_not|duplicate_unsure|not_duplicate|not_not|not_unsure|"
                 "unsure_duplicate|unsure_not|unsure_unsure",
        arena);
    for (size_t i = 0; i < of->count; i++) {
        for (size_t j = i + 1; j < of->count; j++) {
            fp_kappa kappa;
            fp_kappa_of(of->each + i, of->each + j, confidence, &kappa);
            add_agreement(table, of->each + i, of->each + j, &kappa);
            for (size_t c = 0; !person && c < FP_KAPPA_CLASSES * FP_KAPPA_CLASSES; c++)
                fp_table_count(table, kappa.table.of[c / FP_KAPPA_CLASSES][c % FP_KAPPA_CLASSES]);
        }
    }
    return table;
}

static int print_agreement(const sheets *of, double confidence, fp_arena *arena) {
    fp_cli_write(agreement_table(of, confidence, true, arena), FP_FORMAT_TABLE);
    for (size_t i = 0; i < of->count; i++) {
        for (size_t j = i + 1; j < of->count; j++) {
            fp_kappa kappa;
            fp_kappa_of(of->each + i, of->each + j, confidence, &kappa);
            print_counts(of->each + i, of->each + j, &kappa, arena);
        }
    }
    printf(
        "\nkappa = (agreement − expected)/(1 − expected) over the pairs that both judged, each counted once; expected is the agreement that\n"
        "the judges' own shares of answers give by chance (Cohen 1960). Standard error for large samples (Fleiss, Cohen, Everitt 1969) and\n"
        "the %g%% interval from it; NA when the judges agree on every pair.\n",
        100 * confidence);
    return FP_EXIT_SUCCESS;
}

int fp_judge_agreement(const fp_judge_options *options, const char *const *paths, fp_arena *arena) {
    sheets of;
    FP_CLI_TRY(open_sheets(options, paths, arena, &of));
    if (options->format == FP_FORMAT_TABLE) return print_agreement(&of, options->confidence, arena);
    return fp_cli_write(agreement_table(&of, options->confidence, false, arena), options->format);
}

/* ---- Estimates ---- */

static const char *const UNSURE_NAMES[] = {"leave-out", "negative", "positive", NULL};

static fp_table *figures_table(const fp_judged_sheet *sheet, const fp_judged_counts *counts,
                               const fp_judged_value *figures, fp_unsure unsure, bool person, fp_arena *arena) {
    fp_table *table = fp_table_new(
        person
            ? ">threshold|>pairs|>drawn|>duplicate|>not|>unsure|>open|>precision|>low|>high|>relative recall|>low|>high"
            : "threshold|pairs|drawn|duplicate|not|unsure|open|pairs_within|duplicates_within|precision|precision_low|"
              "precision_high|relative_recall|relative_recall_low|relative_recall_high|unsure_as|relative_recall_ratio",
        arena);
    for (size_t s = 0; s < sheet->stratum_count; s++) {
        fp_table_count(table, sheet->strata[s].distance);
        fp_table_count(table, sheet->strata[s].population);
        fp_table_count(table, sheet->strata[s].drawn);
        for (size_t j = 0; j < FP_JUDGEMENTS; j++) fp_table_count(table, counts[s].of[j]);
        if (!person) fp_table_count(table, figures[s].within);
        if (!person) fp_table_real(table, figures[s].duplicates, 1);
        fp_table_figure(table, figures[s].precision, figures[s].precision_interval, 3);
        fp_table_figure(table, figures[s].recall, figures[s].recall_interval, 3);
        if (!person) fp_table_text(table, UNSURE_NAMES[unsure]);
        if (!person) fp_table_real(table, figures[s].recall_ratio, 3);
    }
    return table;
}

static void print_sample(const fp_judged_sheet *sheet, const fp_judged_counts *counts, size_t judges) {
    size_t sum[FP_JUDGEMENTS] = {0};
    for (size_t s = 0; s < sheet->stratum_count; s++)
        for (size_t j = 0; j < FP_JUDGEMENTS; j++) sum[j] += counts[s].of[j];
    fp_cli_print(
        "%.*s, %.*s documents. Of %zu sampled pairs, %zu are judged: %zu duplicate, %zu not, %zu unsure. Distances in %.*s under\n%.*s\n",
        (int)sheet->corpus.length, sheet->corpus.data, (int)sheet->documents.length, sheet->documents.data,
        sheet->pair_count, sheet->pair_count - sum[FP_JUDGED_OPEN], sum[FP_JUDGED_DUPLICATE], sum[FP_JUDGED_NOT],
        sum[FP_JUDGED_UNSURE], (int)sheet->scale.length, sheet->scale.data, (int)sheet->arm.length, sheet->arm.data);
    if (judges > 1)
        printf(
            "%zu judges: a pair counts as they agree, as unsure where they do not, and as open where one has not judged.\n",
            judges);
    printf("\n");
}

static void print_definitions(const fp_judged_sheet *sheet, fp_unsure unsure, double confidence) {
    static const char *const POLICY[] = {"are left out, with the share of the pairs that they represent",
                                         "count as not duplicates", "count as duplicates"};
    fp_string of = sheet->of.length ? sheet->of : fp_string_of("all pairs of the corpus");
    const size_t last = sheet->strata[sheet->stratum_count - 1].distance;
    fp_cli_print(
        "\nSampled were %.*s. All figures are about these\npairs and no others; the intervals cover the sampling error alone, not other "
        "corpora.\n",
        (int)of.length, of.data);
    printf(
        "pairs, drawn and judgements are those at a distance in (threshold − 1, threshold]; precision and relative recall are of the pairs at\n"
        "most that far apart. With N pairs at a distance, of which the share p of those judged are duplicates: precision = Σ Np/Σ N up to the\n"
        "threshold; relative recall = Σ Np up to the threshold over Σ Np up to %zu (Cochran 1977, section 5.10), less the bias that such a\n"
        "quotient has (Beale 1962). It is 1 at %zu by definition: duplicates that were not sampled or lie farther apart do not count.\n"
        "%g%% score intervals (Martín Andrés, Herranz Tejedor, Álvarez Hernández 2012; Laud 2017) for sampling without replacement.\n"
        "Unsure pairs %s.\n",
        last, last, 100 * confidence, POLICY[unsure]);
    if (sheet->strata[0].distance > 0)
        printf("Distances up to %zu have no sampled pairs, and do not count either.\n", sheet->strata[0].distance - 1);
}

/* Strata without any judgement. */
static void warn_unjudged(const fp_judged_sheet *sheet, const fp_judged_counts *counts) {
    const char *separator = "";
    for (size_t s = 0; s < sheet->stratum_count; s++) {
        if (!sheet->strata[s].population || counts[s].of[FP_JUDGED_OPEN] < sheet->strata[s].drawn) continue;
        if (!*separator) fprintf(stderr, "fplab: figures that need distances without a judged pair are NA: ");
        fprintf(stderr, "%s%zu", separator, sheet->strata[s].distance);
        separator = ", ";
    }
    if (*separator) fprintf(stderr, "\n");
}

static fp_status estimate(const sheets *of, fp_unsure unsure, double confidence, fp_arena *arena,
                          fp_judged_counts **counts, fp_judged_value **figures, fp_error *error) {
    fp_judged_sheet *first = of->each;
    const fp_judged_sheet **all = fp_arena_alloc(arena, of->count, sizeof *all);
    fp_judgement *judgements = fp_arena_raw(arena, first->pair_count, sizeof *judgements);
    *counts = fp_arena_alloc(arena, first->stratum_count, sizeof **counts);
    *figures = fp_arena_alloc(arena, first->stratum_count, sizeof **figures);
    for (size_t i = 0; i < of->count; i++) all[i] = of->each + i;
    fp_judged_consensus(all, of->count, judgements);
    for (size_t i = 0; i < first->pair_count; i++) first->pairs[i].judgement = judgements[i];
    fp_judged_count(first, *counts);
    return fp_judged_estimate(first->strata, *counts, first->stratum_count, unsure, confidence, arena, *figures, error);
}

int fp_judge_estimate(const fp_judge_options *options, const char *const *paths, fp_arena *arena) {
    fp_error error = {0};
    sheets of;
    FP_CLI_TRY(open_sheets(options, paths, arena, &of));
    bool person = options->format == FP_FORMAT_TABLE;
    if (person && of.count > 1) {
        print_agreement(&of, options->confidence, arena);
        printf("\n");
    }
    fp_judged_counts *counts;
    fp_judged_value *figures;
    if (estimate(&of, options->unsure, options->confidence, arena, &counts, &figures, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (person) print_sample(of.each, counts, of.count);
    fp_cli_write(figures_table(of.each, counts, figures, options->unsure, person, arena), options->format);
    if (person) print_definitions(of.each, options->unsure, options->confidence);
    fflush(stdout);
    warn_unjudged(of.each, counts);
    return FP_EXIT_SUCCESS;
}
