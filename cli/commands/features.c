/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab features: what a text is made of, before any fingerprint. */
#include "cli/read_entries.h"
#include "corpora/row.h"

/* The documents of a feature, in corpus order: "a,b,c". */
typedef struct postings {
    fp_string term;
    char *documents;
    size_t length, room;
} postings;

typedef struct listing {
    fp_arm *arm;
    bool corpus;   /* rows carry the document's id */
    bool inverted; /* features are gathered, with their documents */
    fp_table *table;
    fp_numbering hashes; /* of the gathered features */
    postings *lists;     /* [hashes.count] */
    size_t room;
    fp_arena *arena;
} listing;

static void add_feature(const listing *to, fp_string id, const fp_features *features, size_t i) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)features->hash[i]);
    if (to->corpus) fp_table_string(to->table, id);
    fp_table_string(to->table, features->term[i]);
    fp_table_real(to->table, features->weight[i], 3);
    fp_table_text(to->table, hash);
}

static fp_status add_posting(listing *to, fp_string id, const fp_features *features, size_t i, fp_error *error) {
    const fp_string hash = {(const char *)(features->hash + i), sizeof *features->hash};
    uint32_t number;
    bool fresh;
    FP_TRY(fp_numbering_of(&to->hashes, hash, &number, &fresh, error));
    FP_TRY(FP_ROOM(to->arena, to->lists, number, to->room, error));
    postings *list = to->lists + number;
    if (fresh) *list = (postings){.term = features->term[i]};
    size_t end = list->length + id.length + 2;
    if (end > list->room) list->documents = fp_arena_grow(to->arena, list->documents, list->room = 2 * end);
    list->length +=
        (size_t)sprintf(list->documents + list->length, "%s%.*s", fresh ? "" : ",", (int)id.length, id.data);
    return FP_OK;
}

static fp_status list_features(listing *to, const fp_string *ids, const fp_string *texts, size_t count,
                               fp_error *error) {
    if (fp_arm_learns(to->arm)) FP_TRY(fp_arm_fit(to->arm, texts, NULL, count, NULL, 0, error));
    for (size_t i = 0; i < count; i++) {
        fp_document document;
        FP_TRY(fp_arm_read(to->arm, texts[i], to->arena, &document, error));
        for (size_t f = 0; f < document.features.count; f++) {
            if (to->inverted) FP_TRY(add_posting(to, ids[i], &document.features, f, error));
            else add_feature(to, ids[i], &document.features, f);
        }
    }
    for (uint32_t t = 0; t < to->hashes.count; t++) {
        fp_table_string(to->table, to->lists[t].term);
        fp_table_text(to->table, to->lists[t].documents);
    }
    return FP_OK;
}

/* ---- Command ---- */

typedef struct features_options {
    const char *spec, *choice, *corpus;
    fp_table_format format;
    bool inverted;
    fp_cli_input input;
} features_options;

/* One text, or all of a corpus. */
static int read_texts(const features_options *chosen, const char *argument, fp_arena *arena, fp_string **ids,
                      fp_string **texts, size_t *count) {
    fp_corpus corpus = {.document_count = 1};
    FP_CLI_TRY(chosen->corpus ? fp_cli_corpus(chosen->corpus, false, arena, &corpus) : FP_EXIT_SUCCESS);
    *count = corpus.document_count;
    *ids = fp_arena_alloc(arena, *count, sizeof **ids);
    *texts = fp_arena_alloc(arena, *count, sizeof **texts);
    fp_error error = {0};
    if (!chosen->corpus) return fp_cli_text(&chosen->input, argument, arena, *texts);
    for (size_t i = 0; i < *count; i++) (*ids)[i] = corpus.documents[i].id;
    if (fp_corpus_fetch(&corpus, NULL, *count, arena, *texts, &error) != FP_OK) return fp_cli_fail(&error);
    return FP_EXIT_SUCCESS;
}

/* The text and feature parameters of a saved choice's arm. */
static int choice_spec(const fp_command *command, const char *file, fp_arena *arena, const char **spec) {
    fp_arm *arm;
    FP_CLI_TRY(fp_cli_arm(fp_format(arena, "%c%s", FP_CLI_CHOICE_MARK, file), arena, &arm, NULL));
    if (!*arm->feature_key) return fp_cli_usage(command, "the arm of %s reads no features", file);
    *spec = arm->feature_key;
    return FP_EXIT_SUCCESS;
}

/* Parses a feature specification as that of an arm without parameters. */
static int read_spec(const fp_command *command, const features_options *chosen, fp_arena *arena, fp_arm **arm) {
    const char *features = chosen->spec ? chosen->spec : "features=words";
    if (chosen->spec && chosen->choice) return fp_cli_usage(command, "either --spec or --choice, not both");
    if (chosen->choice) FP_CLI_TRY(choice_spec(command, chosen->choice, arena, &features));
    fp_error error = {0};
    const char *spec = fp_format(arena, "cosine:%s", features);
    fp_status done = fp_arm_parse(spec, NULL, arena, arm, &error);
    if (done == FP_OK) return FP_EXIT_SUCCESS;
    if (error.file[0] || done == FP_ERROR_MEMORY || done == FP_ERROR_IO) return fp_cli_fail(&error);
    /* The user has named no arm. */
    static const char ARM[] = "cosine ";
    if (strncmp(error.message, ARM, strlen(ARM)) == 0)
        return fp_cli_usage(command, "--spec %s", error.message + strlen(ARM));
    return fp_cli_usage(command, "--spec %s: %s", features, error.message);
}

static int print_features(const fp_command *command, const features_options *chosen, const char *argument,
                          fp_arena *arena) {
    fp_arm *arm;
    size_t count;
    fp_string *ids, *texts;
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_input_check(command, &chosen->input, arena));
    FP_CLI_TRY(read_spec(command, chosen, arena, &arm));
    FP_CLI_TRY(read_texts(chosen, argument, arena, &ids, &texts, &count));
    const char *columns = chosen->inverted ? "feature|documents"
                          : chosen->corpus ? "id|feature|>weight|hash"
                                           : "feature|>weight|hash";
    listing to = {.arm = arm,
                  .corpus = chosen->corpus,
                  .inverted = chosen->inverted,
                  .table = fp_table_new(columns, arena),
                  .hashes = {.like = arena},
                  .arena = arena};
    fp_status done = list_features(&to, ids, texts, count, &error);
    fp_numbering_free(&to.hashes);
    if (done == FP_OK) fp_cli_caution(arm, NULL, 0, count);
    return done == FP_OK ? fp_cli_write(to.table, chosen->format) : fp_cli_fail(&error);
}

static int run(const fp_command *command, int argc, const char **argv) {
    features_options chosen = {0};
    fp_option options[] = {
        {"spec", 's', FP_TAKES_TEXT(&chosen.spec), "text and feature parameters (default: features=words,weight=tf)",
         "KEY=VALUE,…"},
        {"choice", 0, FP_TAKES_TEXT(&chosen.choice), "instead: those of the arm that `fplab tune --save` wrote",
         "FILE"},
        {"corpus", 'c', FP_TAKES_TEXT(&chosen.corpus), "the features of every document of a corpus", "DIR"},
        {"inverted", 0, FP_TAKES_FLAG(&chosen.inverted), "with --corpus: each feature with the documents that hold it",
         NULL},
        FP_CLI_INPUT_OPTIONS(chosen.input),
        FP_CLI_FORMAT_OPTION(chosen.format, "how to print", "table"),
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    if (arguments[0] && (arguments[1] || chosen.corpus))
        return fp_cli_usage(command, "one text, or one corpus, at a time");
    if (chosen.inverted && !chosen.corpus) return fp_cli_usage(command, "--inverted goes with --corpus");
    return print_features(command, &chosen, arguments[0] ? arguments[0] : "-", arena);
}

const fp_command fp_command_features = {
    .name = "features",
    .arguments = "[OPTION…] [FILE]",
    .summary = "show the features of a text, or of a corpus, with weights and hashes",
    .summary_zh = "列出文本或语料的特征及其权重与哈希",
    .details = "Reads FILE, or standard input, as one text, and prints its distinct features in order of first\n"
               "appearance: words, K-shingles, K-grams or sentences, with their weights and 64-bit hashes. --corpus\n"
               "does so for every document, and with --inverted prints the inverted index: each feature with the\n"
               "documents that contain it. `fplab algorithms cosine` lists what --spec takes.",
    .examples = "  fplab features article.txt\n"
                "  fplab features --text 美国“51区”雇员称内部有9架飞碟 --spec features=words,stop=shipped\n"
                "  fplab features --spec features=chars:3,weight=logtf --format tsv article.txt\n"
                "  fplab features --encoding gb18030 --spec weight=tfidf,idf=builtin,top=20 article.txt\n"
                "  fplab features --corpus corpora/data/newswire-zh --inverted --format tsv > index.tsv",
    .run = run,
};
