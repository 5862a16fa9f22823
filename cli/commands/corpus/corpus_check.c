/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus check: what a corpus holds, before an experiment relies on it. */
#include <stdlib.h>

#include "cli/cli.h"
#include "eval/inspection/inspection.h"

/* ---- Facts ---- */

static void add_fact(fp_table *table, const char *name, const char *value) {
    fp_table_text(table, name);
    fp_table_text(table, value);
}

static void add_count(fp_table *table, const char *name, size_t count) {
    fp_table_text(table, name);
    fp_table_count(table, count);
}

/* Shortest, median and longest text in characters; also how many are empty. */
static void add_lengths(fp_table *table, const fp_corpus *corpus, fp_arena *arena) {
    size_t count = corpus->document_count, empty = 0;
    size_t *length = fp_arena_raw(arena, count, sizeof *length);
    for (size_t i = 0; i < count; i++) {
        length[i] = corpus->documents[i].characters;
        empty += length[i] == 0;
    }
    qsort(length, count, sizeof *length, fp_ascending_size);
    add_fact(table, "characters",
             fp_format(arena, "%zu to %zu, median %zu", length[0], length[count - 1], length[count / 2]));
    if (empty) add_count(table, "empty texts", empty);
}

typedef struct kind_count {
    fp_string kind;
    size_t pairs;
    uint8_t label;
} kind_count;

/* Pairs by label and kind, in order of first appearance. */
static void add_kinds(fp_table *table, const fp_corpus *corpus, fp_arena *arena) {
    enum { MOST = 100 };
    kind_count seen[MOST];
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        size_t k = 0;
        while (k < count &&
               (seen[k].label != corpus->pairs[i].label || !fp_string_equal(seen[k].kind, corpus->kinds[i])))
            k++;
        if (k == MOST) continue;
        if (k == count) seen[count++] = (kind_count){corpus->kinds[i], 0, corpus->pairs[i].label};
        seen[k].pairs++;
    }
    for (size_t k = 0; k < count; k++)
        add_count(table,
                  fp_format(arena, "  %s %.*s", seen[k].label ? "positive" : "negative", (int)seen[k].kind.length,
                            seen[k].kind.data),
                  seen[k].pairs);
}

static void add_truth(fp_table *table, const fp_corpus *corpus, fp_arena *arena) {
    static const char *const TRUTHS[] = {"none: unlabelled", "labelled pairs", "groups: all pairs"};
    size_t positives = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) positives += corpus->pairs[i].label;
    add_fact(table, "truth", TRUTHS[corpus->truth]);
    if (corpus->group_count) add_count(table, "groups", corpus->group_count);
    if (!corpus->pair_count) return;
    add_count(table, "labelled pairs", corpus->pair_count);
    add_fact(table, "positive",
             fp_format(arena, "%zu (%.1f%%)", positives, 100 * (double)positives / (double)corpus->pair_count));
    add_kinds(table, corpus, arena);
}

static void add_manifest(fp_table *table, const fp_manifest_check *manifest) {
    if (!manifest->present) {
        add_fact(table, "manifest", "none");
        return;
    }
    add_fact(table, "language", manifest->language ? manifest->language : "");
    add_fact(table, "licence", manifest->licence ? manifest->licence : "");
    add_fact(table, "source", manifest->source ? manifest->source : "");
    add_fact(table, "manifest", manifest->problem_count ? "does not fit the files" : "fits the files");
}

/* ---- What is doubtful ---- */

/* Limits of the close examination of pairs: pairs of each label, documents, and characters in all. */
enum { LOOKED_PAIRS = 1000, LOOKED_DOCUMENTS = 200, LOOKED_CHARACTERS = 1000000 };

/* One corpus of those that are checked. */
typedef struct checked {
    fp_corpus corpus;
    fp_manifest_check manifest;
    fp_suspicions suspicions;
    bool compared; /* pairs of both labels were there to look at */
    fp_giveaways giveaways;
} checked;

/* "near-empty texts: 12 (a, b, c, …)" on standard error. */
static void warn(const char *path, const char *name, const fp_suspicion *of) {
    if (!of->count) return;
    fprintf(stderr, "fplab: %s: %s: %zu (", path, name, of->count);
    for (size_t i = 0; i < of->example_count; i++) fprintf(stderr, "%s%s", i ? ", " : "", of->examples[i]);
    fprintf(stderr, "%s\n", of->count > of->example_count ? ", …)" : ")");
}

static void add_suspicions(fp_table *table, const checked *of, fp_arena *arena) {
    for (size_t i = 0; i < FP_SUSPICIONS; i++) {
        bool pairs = i == FP_SUSPECTED_LABELS || i == FP_SUSPECTED_SAME_NEGATIVE || i == FP_SUSPECTED_TRANSITIVITY ||
                     i == FP_SUSPECTED_NOTHING;
        if (pairs && !of->corpus.pair_count) continue;
        add_count(table, fp_suspicion_names[i], of->suspicions.of[i].count);
    }
    if (!of->compared) return;
    const fp_giveaways *found = &of->giveaways;
    const fp_giveaway *arm = &found->found[found->best];
    for (int label = 1; label >= 0; label--) {
        const double *distance = arm->distances[label];
        add_fact(table, label ? "similarity of positives" : "similarity of negatives",
                 fp_format(arena, "%.3f to %.3f, quartiles %.3f %.3f %.3f", 1 - distance[4], 1 - distance[0],
                           1 - distance[3], 1 - distance[2], 1 - distance[1]));
    }
    const char *list = "";
    for (size_t i = 0; i < found->count; i++)
        if (found->found[i].gives_away)
            list = fp_format(arena, "%s%s%s (%.3f)", list, *list ? ", " : "", found->found[i].name,
                             found->found[i].precision);
    add_fact(table, "giveaways", *list ? list : "none");
}

/* Similarity and giveaways, of some pairs, against the Jaccard of two characters after each other. */
static fp_status look_closely(checked *of, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_giveaway_options how = {.arms = (const char *const[]){"jaccard:features=chars:2", NULL},
                                     .pairs = LOOKED_PAIRS,
                                     .documents = LOOKED_DOCUMENTS,
                                     .characters = LOOKED_CHARACTERS,
                                     .progress = progress};
    if (of->corpus.truth == FP_TRUTH_NONE) return FP_OK;
    fp_status status = fp_giveaways_find(&of->corpus, &how, arena, &of->giveaways, error);
    of->compared = status == FP_OK;
    return status == FP_ERROR_EMPTY ? FP_OK : status;
}

/* ---- All ---- */

typedef struct options {
    fp_table_format format;
    bool skip_bad, strict;
} options;

static int check_one(const char *path, const options *chosen, fp_arena *arena, checked *of) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    FP_CLI_TRY(
        fp_cli_corpus_fields(path, chosen->skip_bad, (const char *const[]){"lang", "split", NULL}, arena, &of->corpus));
    fp_progress progress = fp_cli_progress();
    fp_status done = fp_manifest_compare(&of->corpus, arena, &of->manifest, &error);
    if (done == FP_OK) done = fp_suspicions_find(&of->corpus, &progress, arena, &of->suspicions, &error);
    if (done == FP_OK) done = look_closely(of, &progress, arena, &error);
    fp_cli_progress_end();
    return done == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

static void add_corpus(fp_table *table, const checked *of, fp_arena *arena) {
    add_fact(table, "corpus", of->corpus.name);
    add_count(table, "documents", of->corpus.document_count);
    add_lengths(table, &of->corpus, arena);
    add_truth(table, &of->corpus, arena);
    add_suspicions(table, of, arena);
    add_manifest(table, &of->manifest);
    add_fact(table, "sha256 docs.jsonl", of->corpus.documents_sha256);
    if (of->corpus.pairs_sha256[0]) add_fact(table, "sha256 pairs.tsv", of->corpus.pairs_sha256);
}

/* Reports what is doubtful; returns true if there is anything. */
static bool warn_of(const checked *of) {
    bool any = false;
    for (size_t i = 0; i < FP_SUSPICIONS; i++) {
        const fp_suspicion *suspicion = &of->suspicions.of[i];
        /* Already reported, for the same documents. */
        bool reported = i == FP_SUSPECTED_TEXT && suspicion->count == of->suspicions.of[FP_SUSPECTED_BYTES].count;
        if (!reported) warn(of->corpus.path, fp_suspicion_names[i], suspicion);
        any |= suspicion->count > 0;
    }
    for (size_t i = 0; of->compared && i < of->giveaways.count; i++) any |= of->giveaways.found[i].gives_away;
    return any;
}

/* Texts that several of the corpora hold. */
static int check_between(fp_table *table, const checked *all, size_t count, bool *any, fp_arena *arena) {
    fp_error error = {0};
    for (size_t b = 1; b < count; b++)
        for (size_t a = 0; a < b; a++) {
            fp_suspicion between;
            if (fp_suspicions_between(&all[a].corpus, &all[a].suspicions, &all[b].corpus, &all[b].suspicions, arena,
                                      &between, &error) != FP_OK)
                return fp_cli_fail(&error);
            const char *name = fp_format(arena, "texts that are also in %s", all[a].corpus.path);
            add_count(table, fp_format(arena, "texts of %s in %s", all[b].corpus.path, all[a].corpus.path),
                      between.count);
            warn(all[b].corpus.path, name, &between);
            *any |= between.count > 0;
        }
    return FP_EXIT_SUCCESS;
}

static int check(const fp_command *command, const options *chosen, const char *const *paths, fp_arena *arena) {
    size_t count = 0;
    bool doubtful = false, wrong = false;
    while (paths[count]) count++;
    if (!count) return fp_cli_usage(command, "corpus check takes a directory, or several");
    checked *all = fp_arena_alloc(arena, count, sizeof *all);
    fp_table *table = fp_table_new("fact|value", arena);
    for (size_t c = 0; c < count; c++) {
        FP_CLI_TRY(check_one(paths[c], chosen, arena, &all[c]));
        add_corpus(table, &all[c], arena);
        wrong |= all[c].manifest.problem_count || all[c].corpus.skipped;
    }
    for (size_t c = 0; c < count; c++) doubtful |= warn_of(&all[c]);
    int status = check_between(table, all, count, &doubtful, arena);
    if (status == FP_EXIT_SUCCESS) status = fp_cli_write(table, chosen->format);
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < all[c].manifest.problem_count; i++)
            fprintf(stderr, "fplab: %s/MANIFEST.json: %s\n", paths[c], all[c].manifest.problems[i]);
    return wrong || (doubtful && chosen->strict) ? FP_EXIT_FAILURE : status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    options chosen = {0};
    fp_option rows[] = {{"strict", 0, FP_TAKES_FLAG(&chosen.strict), "warnings are failures, too", NULL},
                        {"skip-bad", 0, FP_TAKES_FLAG(&chosen.skip_bad), "go on after a bad row, and report all", NULL},
                        FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
                        {0}};
    FP_CLI_BEGIN(command, argc, argv, rows, arguments, arena);
    return check(command, &chosen, arguments, arena);
}

const fp_command fp_command_corpus_check = {
    .name = "corpus check",
    .arguments = "DIR… [OPTION…]",
    .summary = "check the rows and checksums of a corpus, and warn of doubtful labels and texts",
    .details = "Reads the whole corpus, prints what it contains, and compares counts and checksums with the\n"
               "manifest. The first bad row ends the check with file, line, byte and reason; --skip-bad reports all\n"
               "bad rows. Exit status 1 when anything is wrong.\n"
               "\n"
               "Warnings are counted, and the first ten are shown; they are failures only with --strict: texts of\n"
               "fewer than five letters and digits; identical texts, byte by byte or normalised, among them those\n"
               "that no group or positive pair connects, or that are in two splits (the member \"split\"); pairs of\n"
               "the same two texts with both labels, negative pairs of identical texts, and negative pairs that\n"
               "positives connect (a = b, b = c, a ≠ c); pairs with an empty text; and languages (\"lang\") that do\n"
               "not fit the script of the text. With several corpora it also lists texts that two of them contain:\n"
               "training and test parts should share none.\n"
               "\n"
               "For up to a thousand pairs of each label, sampled by their ids, it prints the similarity (Jaccard of\n"
               "character bigrams), and the label leakage that reaches its average precision; `fplab corpus\n"
               "giveaways` has the details. Memory grows with ids and pairs, not with texts.",
    .examples = "  fplab corpus check corpora/data/newswire-zh\n"
                "  fplab corpus check --skip-bad my-texts\n"
                "  fplab corpus check --strict my-parts/train my-parts/dev my-parts/test",
    .run = run,
};
