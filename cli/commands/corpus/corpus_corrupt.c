/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus corrupt: a labelled corpus of documents and their corrupted copies. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/corpus/corpus_corrupt_write.h"
#include "cli/run_corpora.h"
#include "cli/out.h"
#include "reports/runs/run.h"

enum { MOST_COPIES = 10000, MOST_NEGATIVES = 100 };

/* ---- What there is ---- */

static int list_kinds(fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("kind|does|rate is a share of|source", arena);
    for (size_t i = 0; fp_corruption_at(i); i++) {
        const fp_corruption_kind *kind = fp_corruption_at(i);
        FP_TABLE_TEXTS(table, kind->name, kind->help, kind->unit, kind->source ? kind->source : "");
    }
    return fp_cli_write(table, format);
}

/* ---- Options ---- */

/* The arm of "nearest=ARM"; NULL: it is something else. */
static const char *nearest_of(const char *what) {
    static const char NEAREST[] = "nearest=";
    return strncmp(what, NEAREST, sizeof NEAREST - 1) == 0 ? what + sizeof NEAREST - 1 : NULL;
}

static int parse_hard(const fp_command *command, fp_corrupting *with) {
    size_t lists = 0;
    fp_arm *made;
    for (const char *const *what = with->chosen->hard; what && *what; what++) {
        const char *spec = nearest_of(*what);
        bool facts = strcmp(*what, "facts") == 0, template = strcmp(*what, "template") == 0;
        if (!spec && !facts && !template)
            return fp_cli_usage(command, "--hard takes template, facts, or nearest=ARM, not %s", *what);
        with->template |= template;
        lists += spec || facts;
        if (spec) FP_CLI_TRY(fp_cli_arm(spec, with->arena, &made, NULL));
    }
    if (lists > FP_HARD_LISTS) return fp_cli_usage(command, "--hard is given at most %d times", FP_HARD_LISTS);
    return FP_EXIT_SUCCESS;
}

static int parse_cells(const fp_command *command, fp_corrupting *with, const fp_copy_cell **cells, size_t *count) {
    const fp_corrupting_chosen *chosen = with->chosen;
    fp_error error = {0};
    if (!chosen->corpus) return fp_cli_usage(command, "no corpus given; name it with --corpus DIR");
    if (!chosen->kinds) return fp_cli_usage(command, "no kinds of corruption given; --kind list prints them");
    if (!chosen->rates) return fp_cli_usage(command, "no rates given; name them with --rate RATE,…");
    if (!chosen->out) return fp_cli_usage(command, "no output directory given; name one with --out DIR");
    if (fp_copy_cells_make(fp_string_of(chosen->kinds), fp_string_of(chosen->rates), FP_COPY_RATES, with->arena, cells,
                           count, &error) != FP_OK)
        return fp_cli_usage(command, "%s", error.message);
    return parse_hard(command, with);
}

/* ---- What it is made of ---- */

/* The ids of copies are made of those of their documents: they must not be there already. */
static int check_ids(const fp_corrupting *with) {
    for (size_t i = 0; i < with->corpus.document_count; i++) {
        fp_string id = with->corpus.documents[i].id;
        const char *mark = memrchr(id.data, '~', id.length);
        if (!mark || !memchr(mark, '@', id.length - (size_t)(mark - id.data))) continue;
        for (size_t c = 0; c < with->copies.cell_count; c++) {
            fp_string end = {mark + 1, id.length - (size_t)(mark + 1 - id.data)};
            if (!fp_string_equal(end, fp_string_of(with->copies.cells[c].name))) continue;
            fprintf(stderr, "fplab: %s: the document %.*s is such a copy already\n", with->corpus.path, (int)id.length,
                    id.data);
            return FP_EXIT_FAILURE;
        }
    }
    return FP_EXIT_SUCCESS;
}

static fp_status open_copies(fp_corrupting *with, const fp_copy_cell *cells, size_t count, fp_error *error) {
    const fp_synonyms *synonyms = NULL;
    const fp_corrupting_chosen *chosen = with->chosen;
    if (chosen->synonyms) {
        fp_string list;
        FP_TRY(fp_read_file_within(chosen->synonyms, fp_cli_most_bytes(), with->arena, &list, error));
        fp_status status = fp_synonyms_read(list, with->arena, &synonyms, error);
        if (status != FP_OK) return fp_at(error, status, chosen->synonyms, SIZE_MAX, error->byte);
    }
    FP_TRY(fp_copies_open(&with->corpus, cells, count, (uint64_t)chosen->seed, synonyms, with->arena, &with->copies,
                          error));
    size_t units = with->copies.units.count;
    uint32_t *first = fp_arena_raw(with->arena, units, sizeof *first);
    with->sites = fp_arena_alloc(with->arena, count, sizeof *with->sites);
    with->changes = fp_arena_alloc(with->arena, count, sizeof *with->changes);
    for (size_t i = with->corpus.document_count; i-- > 0;) first[with->copies.units.of[i]] = (uint32_t)i;
    with->first_of_unit = first;
    return FP_OK;
}

/* ---- Hard negatives ---- */

static int by_place(const void *left, const void *right) { return memcmp(left, right, sizeof(fp_hard_pair)); }

/* Without pairs that another list has. */
static void keep_new(fp_corrupting *with, fp_hard_list *list, fp_hard_pair *pairs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool there = false;
        for (size_t l = 0; l < with->hard_count && !there; l++)
            for (size_t k = 0; k < with->hard[l].count && !there; k++)
                there = by_place(&with->hard[l].pairs[k], &pairs[i]) == 0;
        if (!there) pairs[list->count++] = pairs[i];
    }
    list->pairs = pairs;
    with->hard[with->hard_count++] = *list;
}

static int add_neighbours(fp_corrupting *with, const char *spec) {
    fp_error error = {0};
    fp_arm *arm;
    size_t count;
    fp_measurement measurement;
    fp_hard_pair *pairs;
    fp_progress progress = fp_cli_progress();
    fp_hard_list list = {.kind = fp_format(with->arena, "nearest:%s", spec)};
    FP_CLI_TRY(fp_cli_arm(spec, with->arena, &arm, NULL));
    fp_status done = fp_experiment_sketches(&with->corpus, &arm, 1, &progress, with->arena, &measurement, &error);
    if (done == FP_OK) {
        done = fp_pairs_of_neighbours(&with->copies, &measurement, &progress, with->arena, &pairs, &count, &error);
        fp_measurement_free(&measurement);
    }
    fp_cli_progress_end();
    if (done != FP_OK) return fp_cli_fail(&error);
    keep_new(with, &list, pairs, count);
    return FP_EXIT_SUCCESS;
}

static int add_facts(fp_corrupting *with) {
    fp_error error = {0};
    fp_hard_pair *pairs;
    size_t count;
    fp_hard_list list = {.kind = "facts"};
    if (fp_pairs_of_facts(&with->copies, with->arena, &pairs, &count, &error) != FP_OK) return fp_cli_fail(&error);
    if (!count) fprintf(stderr, "fplab: %s: no two documents of different groups share facts\n", with->corpus.path);
    keep_new(with, &list, pairs, count);
    return FP_EXIT_SUCCESS;
}

static int add_hard(fp_corrupting *with) {
    for (const char *const *what = with->chosen->hard; what && *what; what++) {
        const char *arm = nearest_of(*what);
        if (arm) FP_CLI_TRY(add_neighbours(with, arm));
        else if (strcmp(*what, "facts") == 0) FP_CLI_TRY(add_facts(with));
    }
    return FP_EXIT_SUCCESS;
}

/* ---- What was done ---- */

static fp_status save_run(const fp_corrupting *with, fp_run_content *to, fp_error *error) {
    const fp_corrupting_chosen *chosen = with->chosen;
    const fp_run_fact facts[] = {{"kinds", chosen->kinds, 0},
                                 {"rates", chosen->rates, 0},
                                 {"copies", NULL, (double)chosen->copies},
                                 {"negatives_per_copy", NULL, (double)chosen->negatives},
                                 {"seed", NULL, (double)chosen->seed},
                                 {"synonyms", chosen->synonyms ? chosen->synonyms : "shipped", 0},
                                 {"documents", NULL, (double)with->documents},
                                 {"positives", NULL, (double)with->positives},
                                 {"negatives", NULL, (double)with->negatives},
                                 {NULL, NULL, 0}};
    const fp_run_facts of = {.corpus = &with->corpus, .facts = facts, .file = chosen->synonyms};
    return fp_run_save_facts(&of, chosen->argument_count, chosen->arguments, to, error);
}

static int print_result(const fp_corrupting *with) {
    fp_table *table = fp_table_new("kind|>rate|>measured|>changes|>sites", with->arena);
    for (size_t c = 0; c < with->copies.cell_count; c++) {
        fp_table_text(table, with->copies.cells[c].kind);
        fp_table_exact(table, with->copies.cells[c].rate);
        fp_table_real(table, (double)with->changes[c] / (double)with->sites[c], 4);
        fp_table_count(table, with->changes[c]);
        fp_table_count(table, with->sites[c]);
    }
    int status = fp_cli_write(table, with->chosen->format);
    for (size_t c = 0; c < with->copies.cell_count; c++)
        if (!with->sites[c])
            fprintf(stderr, "fplab: %s: no document has a place for it, and the copies are the documents\n",
                    with->copies.cells[c].name);
    fp_cli_note("%zu documents with their copies, %zu positive and %zu negative pairs are in %s.\n", with->documents,
                with->positives, with->negatives, with->chosen->out);
    return status;
}

/* ---- All ---- */

static int write_out(fp_corrupting *with) {
    fp_run_directory run;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(fp_cli_out_open(with->chosen->out, with->arena, &run));
    fp_status done = fp_corrupting_write(with, run.place, &error);
    if (done == FP_OK) done = save_run(with, &run.content, &error);
    int status = done == FP_OK ? FP_EXIT_SUCCESS : fp_cli_out_keep(&run, &error);
    status = fp_cli_out_commit(&run, status);
    return status == FP_EXIT_SUCCESS ? print_result(with) : status;
}

static int corrupt(const fp_command *command, const fp_corrupting_chosen *chosen, const char *const *rest,
                   fp_arena *arena) {
    fp_corrupting with = {.chosen = chosen, .arena = arena};
    const fp_copy_cell *cells;
    size_t count;
    fp_error error = {0};
    if (rest[0]) return fp_cli_usage(command, "unexpected argument %s; the corpus is named with --corpus", rest[0]);
    if (chosen->kinds && strcmp(chosen->kinds, "list") == 0) return list_kinds(chosen->format, arena);
    FP_CLI_TRY(parse_cells(command, &with, &cells, &count));
    FP_CLI_TRY(fp_cli_corpus_fields(fp_cli_fixed_corpus(0, chosen->corpus), chosen->skip_bad,
                                    (const char *const[]){"group", "lang", NULL}, arena, &with.corpus));
    if (open_copies(&with, cells, count, &error) != FP_OK) return fp_cli_fail(&error);
    FP_CLI_TRY(check_ids(&with));
    FP_CLI_TRY(add_hard(&with));
    return write_out(&with);
}

static int run(const fp_command *command, int argc, const char **argv) {
    fp_corrupting_chosen chosen = {.copies = 1, .negatives = 1, .argument_count = argc, .arguments = argv};
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_TEXT(&chosen.corpus), "the corpus whose documents are copied", "DIR"},
        {"kind", 'k', FP_TAKES_TEXT(&chosen.kinds),
         "kinds of corruption, each by itself, or several at once (KIND+KIND), or all; list says what each "
         "does, and what its rate is a share of:"
#define CORRUPTION(name, ...) " " #name
#include "corpora/corruption/corruptions.def"
#undef CORRUPTION
         ,
         "KIND,…"},
        {"rate", 'r', FP_TAKES_TEXT(&chosen.rates), "shares of the places that are changed, from 0 to 1", "RATE,…"},
        {"copies", 'n', FP_TAKES_LONG_FROM(&chosen.copies, 1, MOST_COPIES),
         "of each document for each kind and rate (default: 1)", "N"},
        {"negatives", 0, FP_TAKES_LONG_FROM(&chosen.negatives, 0, MOST_NEGATIVES),
         "negative pairs for each copy, with sampled documents of other groups (default: 1)", "N"},
        {"hard", 0, FP_TAKES_LIST(&chosen.hard),
         "hard negatives as well: template, facts, or nearest=ARM; may be repeated", "WHAT"},
        {"synonyms", 0, FP_TAKES_TEXT(&chosen.synonyms),
         "groups of words that mean the same, one a line (default: a short list that ships)", "FILE"},
        {"edits", 0, FP_TAKES_FLAG(&chosen.edits), "write every edit with its place", NULL},
        {"seed", 0, FP_TAKES_SEED(&chosen.seed), "random seed, from 0 on (default: 0)", "N"},
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "the new corpus", "DIR"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_FORMAT_OPTION(chosen.format, "of the counts, and of --kind list", "table"),
        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "skip bad rows, and report how many", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    return corrupt(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_corrupt = {
    .name = "corpus corrupt",
    .arguments = "--corpus DIR --kind KIND,… --rate RATE,… --out DIR [OPTION…]",
    .summary = "make a labelled corpus of documents and corrupted copies of them",
    .details = "Copies every document once for each kind and rate, and changes the copies: at each place where the\n"
               "kind applies, with probability RATE. Writes a corpus: the documents; the copies, with kind,\n"
               "requested and measured rate, and the number of places and changes; each document and its copy as a\n"
               "positive pair of kind KIND@RATE; and negative pairs. The same seed gives the same bytes.",
    .examples = "  fplab corpus corrupt --kind list\n"
                "  fplab corpus corrupt -c my-texts -k homophone,digits+delete -r 0.05,0.2 -o corrupted\n"
                "  fplab eval --corpus corrupted --by kind",
    .run = run,
};
