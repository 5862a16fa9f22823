/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab distances: every labelled pair with its distance, so that any other tool can check the lab. */
#include <math.h>

#include "corpora/row.h"
#include "cli/choice.h"
#include "cli/read_entries.h"
#include "eval/experiment/corpus_sketches.h"
#include "eval/experiment/groups.h"

typedef struct listing {
    const fp_corpus *corpus;
    const char *pairs; /* the file that lists them; NULL: the corpus does */
    fp_numbering ids;  /* of its documents, with `pairs` */
    fp_table *table;
    fp_measurement measurement;
    double threshold; /* of a saved choice; NaN: no choice */
    fp_table_format format;
    fp_arena *arena;
} listing;

static void add_pair(fp_table *table, const listing *it, size_t a, size_t b, bool label, fp_string kind,
                     double distance) {
    const fp_corpus *corpus = it->corpus;
    fp_table_string(table, corpus->documents[a].id);
    fp_table_string(table, corpus->documents[b].id);
    fp_table_count(table, label);
    fp_table_string(table, kind);
    fp_table_exact(table, distance);
    if (!isnan(it->threshold)) fp_table_count(table, distance <= it->threshold);
}

/* Labelled pairs in the order of pairs.tsv. */
static void add_listed(fp_table *table, const listing *it) {
    for (size_t i = 0; i < it->corpus->pair_count; i++) {
        fp_pair pair = it->corpus->pairs[i];
        add_pair(table, it, pair.a, pair.b, pair.label, it->corpus->kinds[i], it->measurement.distances[i]);
    }
}

/* Groups: all pairs; the kind shows whether the groups agree. */
static void add_grouped(fp_table *table, const listing *it) {
    const fp_corpus *corpus = it->corpus;
    for (size_t a = 0; a < corpus->document_count; a++) {
        for (size_t b = a + 1; b < corpus->document_count; b++) {
            bool same = fp_same_group(corpus, a, b);
            add_pair(table, it, a, b, same, fp_string_of(same ? "same_group" : "other_group"),
                     fp_measurement_distance(&it->measurement, a, b));
        }
    }
}

/* ---- Pairs of a file, measured while it is read ---- */

static fp_status place_of(const listing *it, fp_string id, uint32_t *place, fp_error *error) {
    *place = fp_numbering_find(&it->ids, id);
    if (*place != FP_MAP_NONE) return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no document %.*s", it->corpus->name,
                   id.length < 80 ? (int)id.length : 80, id.data);
}

static fp_status take_pair(void *context, const fp_score_row *row, const char **place, fp_error *error) {
    const listing *it = context;
    uint32_t a, b;
    FP_TRY(place_of(it, row->id_a, &a, error));
    *place = row->id_b.data;
    FP_TRY(place_of(it, row->id_b, &b, error));
    double distance = fp_measurement_distance(&it->measurement, a, b);
    fp_table_string(it->table, row->id_a);
    fp_table_string(it->table, row->id_b);
    fp_table_exact(it->table, distance);
    fp_table_real(it->table, fp_arm_similarity(it->measurement.arm, distance), 4);
    if (!isnan(it->threshold)) fp_table_count(it->table, distance <= it->threshold);
    return FP_OK;
}

static fp_status number_documents(listing *it, fp_error *error) {
    uint32_t number;
    bool fresh;
    it->ids = (fp_numbering){.like = it->arena};
    for (size_t i = 0; i < it->corpus->document_count; i++)
        FP_TRY(fp_numbering_of(&it->ids, it->corpus->documents[i].id, &number, &fresh, error));
    return FP_OK;
}

static int print_listed(listing *it) {
    fp_error error = {0};
    fp_arena *row = fp_cli_arena();
    const char *columns =
        isnan(it->threshold) ? "id_a|id_b|>distance|>similarity" : "id_a|id_b|>distance|>similarity|>called";
    it->table = fp_table_new(columns, it->arena);
    fp_table_stream(it->table, it->format, stdout, row);
    fp_status status = number_documents(it, &error);
    if (status == FP_OK) status = fp_cli_pair_rows(it->pairs, take_pair, it, it->arena, &error);
    fp_numbering_free(&it->ids);
    int result = status == FP_OK ? fp_cli_write(it->table, it->format) : fp_cli_fail(&error);
    fp_arena_free(row);
    return result;
}

/* ---- Pairs of the corpus. Row by row: all pairs of groups are many ---- */

static int print(listing *it) {
    if (it->pairs) return print_listed(it);
    fp_arena *row = fp_cli_arena();
    const char *columns =
        isnan(it->threshold) ? "id_a|id_b|>label|kind|>distance" : "id_a|id_b|>label|kind|>distance|>called";
    fp_table *table = fp_table_new(columns, it->arena);
    fp_table_stream(table, it->format, stdout, row);
    if (it->corpus->truth == FP_TRUTH_PAIRS) add_listed(table, it);
    else add_grouped(table, it);
    int status = fp_cli_write(table, it->format);
    fp_arena_free(row);
    return status;
}

/* Labelled pairs are measured together; all pairs of groups one at a time, while they are printed. */
static fp_status measure_pairs(listing *it, fp_arm *arm, fp_error *error) {
    fp_progress progress = fp_cli_progress();
    if (it->pairs || it->corpus->truth == FP_TRUTH_GROUPS) {
        FP_TRY(fp_experiment_sketches(it->corpus, &arm, 1, &progress, it->arena, &it->measurement, error));
        if (it->pairs) return FP_OK;
        return fp_distances_check(it->corpus, &it->measurement, (fp_pair_list){0}, &progress, error);
    }
    return fp_experiment(it->corpus, &arm, 1, &progress, it->arena, &it->measurement, error);
}

static int measure(const char *path, const char *spec, const char *pairs, bool skip_bad, fp_table_format format,
                   fp_arena *arena) {
    fp_corpus corpus;
    fp_arm *arm;
    double threshold;
    FP_CLI_TRY(fp_cli_arm(spec, arena, &arm, &threshold));
    FP_CLI_TRY(fp_cli_corpus(path, skip_bad, arena, &corpus));
    if (!pairs) FP_CLI_TRY(fp_cli_labelled(&corpus));
    fp_error error = {0};
    listing it = {.corpus = &corpus, .pairs = pairs, .threshold = threshold, .format = format, .arena = arena};
    if (measure_pairs(&it, arm, &error) != FP_OK) return fp_cli_fail(&error);
    fp_cli_progress_end();
    fp_cli_caution(arm, corpus.name, it.measurement.empty_count, corpus.document_count);
    int status = print(&it);
    fp_measurement_free(&it.measurement);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    const char *corpus = NULL, *arm = NULL, *choice = NULL, *pairs = NULL;
    const char *spec;
    fp_table_format format = FP_FORMAT_TSV;
    bool skip_bad = false;
    fp_option options[] = {
        {"corpus", 'c', FP_TAKES_TEXT(&corpus), FP_CLI_CORPUS_HELP, "CORPUS"},
        {"arm", 'a', FP_TAKES_TEXT(&arm), "algorithm:key=value,…, or @FILE", "SPEC"},
        {"choice", 0, FP_TAKES_TEXT(&choice), "instead: the arm and threshold that `fplab tune --save` wrote", "FILE"},
        {"pairs", 0, FP_TAKES_TEXT(&pairs),
         "measure the pairs of this table instead: id_a, id_b, tab-separated; - is standard input", "FILE"},
        FP_CLI_FORMAT_OPTION(format, "how to print", "tsv"),
        {"skip-bad", 0, FP_TAKES_FLAG(&skip_bad), "skip bad rows, and report how many", NULL},
        FP_CLI_TABLE_OPTIONS,
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    FP_CLI_TRY(fp_cli_one(command, arguments, &corpus));
    FP_CLI_TRY(fp_cli_spec(command, arm, choice, NULL, arena, &spec));
    return measure(corpus, spec, pairs, skip_bad, format, arena);
}

const fp_command fp_command_distances = {
    .name = "distances",
    .arguments = "CORPUS --arm SPEC [OPTION…]",
    .summary = "print every labelled pair of a corpus with its distance",
    .summary_zh = "列出语料中每个标注文本对的距离",
    .details = "Prints id_a, id_b, label, kind and distance, tab-separated with a header, one line a pair. Distances\n"
               "have all their digits, so that another program (scikit-learn, R) can check every figure. A corpus\n"
               "labelled by groups gives all pairs. With a saved choice, the column \"called\" says whether the\n"
               "distance is at most its threshold.\n"
               "\n"
               "--pairs verifies candidates that another program found: id_a, id_b, distance and similarity of each\n"
               "row, in its order. The corpus needs no labels (docs/distributed.md).",
    .examples =
        "  fplab distances pairs.csv --arm jaccard\n"
        "  fplab distances corpora/data/newswire-zh --arm jaccard\n"
        "  fplab distances my-texts --arm jaccard --pairs candidates.tsv > verified.tsv\n"
        "  fplab distances -c corpora/data/newswire-zh -a simhash:bits=128,features=words,weight=tfidf > distances.tsv",
    .run = run,
};
