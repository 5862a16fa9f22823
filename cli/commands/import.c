/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab import: texts of any form, and public sets, become a corpus. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands/corpus/making.h"
#include "cli/run_corpora.h"
#include "cli/read_entries.h"
#include "corpora/importing/import.h"
#include "cli/out.h"
#include "base/output.h"
#include "cli/cli.h"
#include "corpora/importing/recipe.h"
#include "reports/plots/plot_parts.h"

typedef struct importing_recipe {
    const fp_recipe *recipe; /* NULL: not requested */
    const char *directory;
    const char *paths[FP_RECIPE_FILES];      /* of its files; NULL: not there */
    const char *inputs[FP_RECIPE_FILES + 1]; /* that entries are read of; NULL behind the last */
    const char *kinds[FP_RECIPE_FILES];      /* of inputs */
    size_t rows[FP_RECIPE_FILES];            /* of inputs, or of the files that a script reads */
    /* Of a recipe's script: the directory of its output, removed once that is open, and the rows that it skipped. */
    fp_temporary_directory written;
    size_t empty, same, passed, bad;
} importing_recipe;

/* ---- What there is ---- */

static const char *list_names(fp_arena *arena) {
    const char *names = "";
    for (size_t i = 0; fp_recipe_at(i); i++) {
        const char *before = i == 0 ? "" : fp_recipe_at(i + 1) ? ", " : " or ";
        names = fp_format(arena, "%s%s%s", names, before, fp_recipe_at(i)->name);
    }
    return names;
}

/* "4076 + 1725 rows", as far as they are stated. */
static const char *counts_of(const fp_recipe *recipe, fp_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < FP_RECIPE_FILES; i++)
        if (recipe->files[i].rows) text = fp_format(arena, "%s%s%zu", text, *text ? " + " : "", recipe->files[i].rows);
    if (*text) text = fp_format(arena, "%s rows", text);
    if (recipe->documents) text = fp_format(arena, "%s%s%zu documents", text, *text ? ", " : "", recipe->documents);
    if (recipe->positives) text = fp_format(arena, "%s, %zu positive", text, recipe->positives);
    return text;
}

/* All recipes, their files and counts. Returns the exit status. */
static int recipes_list(fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("recipe|set|files|published|looked up in|licence", arena);
    for (size_t i = 0; fp_recipe_at(i); i++) {
        const fp_recipe *recipe = fp_recipe_at(i);
        FP_TABLE_TEXTS(table, recipe->name, recipe->title, fp_recipe_files(recipe, arena), counts_of(recipe, arena),
                       recipe->counted, recipe->licence);
    }
    return fp_cli_write(table, format);
}

/* ---- Where it is ---- */

static int find_files(importing_recipe *to, fp_arena *arena) {
    const fp_recipe *recipe = to->recipe;
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    size_t count = 0;
    if (fp_recipe_paths(recipe, to->directory, arena, to->paths, &error) != FP_OK) return fp_cli_fail(&error);
    for (size_t i = 0; i < FP_RECIPE_FILES && recipe->files[i].names; i++) {
        const fp_recipe_file *file = recipe->files + i;
        if (!to->paths[i]) {
            fp_cli_note("fplab: %.*s is not in %s\n", (int)strcspn(file->names, " "), file->names, to->directory);
            continue;
        }
        to->kinds[count] = file->kind;
        to->inputs[count++] = to->paths[i];
    }
    return FP_EXIT_SUCCESS;
}

/* The recipe and its files in the one directory of `inputs`; a file that is not there is reported. Returns the
 * exit status. */
static int recipe_find(const fp_command *command, const char *name, const char *const *inputs, fp_arena *arena,
                       importing_recipe *to) {
    to->directory = inputs[0];
    to->recipe = fp_recipe_find(name);
    if (!to->recipe) return fp_cli_usage(command, "--recipe takes %s, not %s", list_names(arena), name);
    if (!to->directory || inputs[1]) return fp_cli_usage(command, "--recipe takes one directory, that of the set");
    if (to->recipe->files[0].names) return find_files(to, arena);
    to->inputs[0] = to->directory;
    to->kinds[0] = "all";
    return FP_EXIT_SUCCESS;
}

/* ---- Scripts ---- */

/* The counts that the script prints last. */
static bool take_counts(importing_recipe *to, const char *printed) {
    size_t *each[4 + FP_RECIPE_FILES] = {&to->empty, &to->same, &to->passed, &to->bad}, count = 4;
    while (count < 4 + FP_RECIPE_FILES && to->recipe->files[count - 4].names) {
        each[count] = to->rows + (count - 4);
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        char *end;
        *each[i] = strtoull(printed, &end, 10);
        if (end == printed) return false;
        printed = end;
    }
    return true;
}

/* Runs the script of a recipe that has one: its input is what that wrote, in to->written, which the caller closes.
 * Returns the exit status. */
static int recipe_run(importing_recipe *to, bool skip_bad, fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_tool tool = {.package = "python3", .shows = true};
    if (!to->recipe || !to->recipe->script) return FP_EXIT_SUCCESS;
    if (fp_temporary_directory_open(&to->written, "set", &error) != FP_OK) return fp_cli_fail(&error);
    const char *rows = fp_format(arena, "%s/%s.jsonl", to->written.path, to->recipe->name);
    fp_status status = fp_recipe_script(to->recipe, to->directory, to->paths, rows, skip_bad, fp_cli_most_bytes(),
                                        arena, &tool.arguments, &error);
    if (status == FP_OK) status = fp_tool_run(&tool, arena, &error);
    if (status != FP_OK) return fp_cli_fail(&error);
    if (tool.status == 1) return FP_EXIT_FAILURE; /* it has reported why */
    if (tool.status || !take_counts(to, tool.output.data)) {
        fprintf(stderr, "fplab: the script that reads %s ended with status %d\n", to->recipe->name, tool.status);
        return FP_EXIT_FAILURE;
    }
    to->inputs[0] = rows;
    to->inputs[1] = NULL;
    return FP_EXIT_SUCCESS;
}

/* ---- What came of it ---- */

static void add(fp_table *table, const char *fact, size_t count, size_t published) {
    fp_table_text(table, fact);
    fp_table_count(table, count);
    if (published) fp_table_count(table, published);
    else fp_table_undefined(table);
}

/* What differs from what is published, and where that was looked up. */
static void note_difference(const fp_recipe *recipe, const char *what, size_t count, size_t published) {
    if (published && published != count)
        fp_cli_note("fplab: %s: %zu here, %zu published (%s)\n", what, count, published, recipe->counted);
}

static void add_compared(const fp_recipe *recipe, fp_table *table, const char *fact, size_t count, size_t published) {
    add(table, fact, count, published);
    note_difference(recipe, fact, count, published);
}

static void add_rows(const importing_recipe *of, size_t all, fp_table *table, fp_arena *arena) {
    const fp_recipe *recipe = of->recipe;
    if (!recipe->files[0].names) add(table, "rows of all", all, 0);
    size_t count = 0;
    for (size_t i = 0; i < FP_RECIPE_FILES; i++) {
        const fp_recipe_file *file = recipe->files + i;
        if (!of->paths[i] || (recipe->script && file->beside)) continue;
        size_t rows = of->rows[recipe->script ? i : count++];
        note_difference(recipe, fp_format(arena, "rows of %s", of->paths[i]), rows, file->rows);
        add(table, fp_format(arena, "rows of %s", file->kind), rows, file->rows);
    }
}

enum { PAIR_COUNTS = 6 };

static void count_pairs(const fp_imported *made, fp_cli_count to[PAIR_COUNTS]) {
    const fp_cli_count counts[PAIR_COUNTS] = {{"pairs", made->pairs},
                                              {"positive", made->positives},
                                              {"left out: an empty text", made->empty},
                                              {"left out: both texts the same", made->same},
                                              {"left out: there before", made->repeated},
                                              {"left out: there before, with the other label", made->conflicts}};
    memcpy(to, counts, sizeof counts);
}

static void add_groups(const importing_recipe *of, const fp_imported *made, fp_table *table) {
    add(table, "groups", made->groups, 0);
    add_compared(of->recipe, table, "pairs within groups", made->group_pairs, of->recipe->positives);
    if (of->empty) add(table, "left out: an empty text", of->empty, 0);
    if (of->same) add(table, "left out: both texts the same", of->same, 0);
    if (of->passed) add(table, "skipped: of another kind", of->passed, 0);
}

/* What was read and written, `bad` rows left out, beside what the authors count. Returns the exit status. */
static int recipe_print(importing_recipe *of, const fp_imported *made, size_t bad, fp_arena *arena,
                        fp_table_format format) {
    const fp_recipe *recipe = of->recipe;
    fp_cli_count pairs[PAIR_COUNTS];
    fp_table *table = fp_table_new("fact|>count|>published", arena);
    add_rows(of, made->rows, table, arena);
    if (!recipe->groups) add_compared(recipe, table, "rows that are positive", made->positive_rows, recipe->positives);
    add(table, "bad rows, left out", of->bad + bad, 0);
    add_compared(recipe, table, "documents", made->documents, recipe->documents);
    count_pairs(made, pairs);
    if (recipe->groups) add_groups(of, made, table);
    else
        for (size_t i = 0; i < PAIR_COUNTS; i++) add(table, pairs[i].fact, pairs[i].count, 0);
    if (recipe->note) fp_cli_note("%s\n", recipe->note);
    return fp_cli_write(table, format);
}

enum { MOST_KEPT = 64 };

typedef struct import_options {
    fp_cli_entries texts;
    const char *out, *pair, *label, *yes, *no, *kind, *pair_ids, *keep, *recipe;
    fp_corpus_described described;
    fp_table_format as;
    fp_cli_making making;
    /* The resolved values. */
    importing_recipe from;
    fp_import_pair as_pair;
    const char *more[MOST_KEPT + 8]; /* names of fields beyond the usual */
    size_t more_count;
    fp_corpus_member members[MOST_KEPT];
    fp_import import;
    fp_imported made;
    fp_run_fact facts[4]; /* the last without a name */
} import_options;

/* ---- Options ---- */

static size_t want(import_options *to, const char *name) {
    to->more[to->more_count] = name;
    return name ? to->more_count++ : SIZE_MAX;
}

/* "A,B" in two. Returns the exit status. */
static int split(const fp_command *command, const import_options *in, const char *option, const char *text,
                 const char *parts[2]) {
    char *copy = fp_string_copy(in->import.arena, fp_string_of(text)), *comma = strchr(copy, ',');
    if (!comma || strchr(comma + 1, ',') || comma == copy || !comma[1])
        return fp_cli_usage(command, "--%s takes two fields, A,B, not %s", option, text);
    *comma = '\0';
    parts[0] = copy;
    parts[1] = comma + 1;
    return FP_EXIT_SUCCESS;
}

static void set_pair(import_options *to, const char *other, const char *label, const char *kind,
                     const char *const ids[2], const char *yes, const char *no) {
    to->as_pair = (fp_import_pair){.pattern = {fp_string_of(no), fp_string_of(yes)}};
    to->as_pair.other = want(to, other);
    to->as_pair.label = want(to, label);
    to->as_pair.kind = want(to, kind);
    to->as_pair.id = want(to, ids[0]);
    to->as_pair.other_id = want(to, ids[1]);
    to->import.pair = &to->as_pair;
}

/* If no negative words are given, any label other than --positive means 0. */
static void set_pair_words(import_options *to, const char *other, const char *label, const char *const ids[2]) {
    set_pair(to, other, label, to->kind, ids, to->yes ? to->yes : FP_LABEL_POSITIVE,
             to->no    ? to->no
             : to->yes ? ""
                       : FP_LABEL_NEGATIVE);
}

static int take_pair(const fp_command *command, import_options *to) {
    const char *texts[2] = {NULL, NULL}, *ids[2] = {NULL, NULL};
    if (!to->pair) return FP_EXIT_SUCCESS;
    FP_CLI_TRY(split(command, to, "pair", to->pair, texts));
    if (to->pair_ids) FP_CLI_TRY(split(command, to, "pair-ids", to->pair_ids, ids));
    to->texts.options.name[FP_ENTRY_TEXT] = texts[0];
    set_pair_words(to, texts[1], to->label ? to->label : "label", ids);
    return FP_EXIT_SUCCESS;
}

/* Finds columns by their names if none was given and none is called "text": only for one table, since tables differ
 * in their names. Unreadable rows are reported, or skipped, when they are read. */
static int find_columns(const fp_command *command, import_options *to, const char *const *inputs) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    const char *const *names, *const none[2] = {NULL, NULL}, **name = to->texts.options.name;
    const char *wanted[FP_COLUMNS] = {[FP_COLUMN_LABEL] = to->label, [FP_COLUMN_GROUP] = name[FP_ENTRY_GROUP]};
    size_t count = 0, at[FP_COLUMNS];
    bool known = to->import.pair || to->from.recipe || name[FP_ENTRY_TEXT];
    known = known || !inputs[0] || inputs[1] || strcmp(fp_entries_path(to->import.entries, 0), inputs[0]) != 0;
    if (!known && fp_entries_columns(to->import.entries, &names, &count, &error) != FP_OK) count = 0;
    for (size_t i = 0; i < count; i++) known = known || strcmp(names[i], "text") == 0;
    if (!known && count) {
        const char *path = fp_entries_path(to->import.entries, 0);
        fp_status status = fp_columns_find(names, count, wanted, at, to->import.arena, &error);
        if (status != FP_OK) return fp_at(&error, status, path, SIZE_MAX, SIZE_MAX), fp_cli_fail(&error);
        bool pair = at[FP_COLUMN_TEXT_A] != SIZE_MAX;
        name[FP_ENTRY_TEXT] = names[at[pair ? FP_COLUMN_TEXT_A : FP_COLUMN_TEXT]];
        if (at[FP_COLUMN_GROUP] != SIZE_MAX) name[FP_ENTRY_GROUP] = names[at[FP_COLUMN_GROUP]];
        if (pair) set_pair_words(to, names[at[FP_COLUMN_TEXT_B]], names[at[FP_COLUMN_LABEL]], none);
        to->more[to->more_count] = NULL;
        fp_entries_name(to->import.entries, name, to->more);
        fp_cli_note("fplab: %s: %s\n", path, fp_cli_describe_columns(names, at, path, to->import.arena));
    }
    if (to->import.pair && to->keep) return fp_cli_usage(command, "--keep goes with documents, not with pairs");
    if (!to->import.pair && (to->label || to->kind || to->pair_ids || to->yes))
        return fp_cli_usage(command, "--label, --kind, --positive and --pair-ids go with --pair A,B");
    return FP_EXIT_SUCCESS;
}

static int take_kept(const fp_command *command, import_options *to) {
    char *at = to->keep ? fp_string_copy(to->import.arena, fp_string_of(to->keep)) : NULL;
    if (!to->keep) return FP_EXIT_SUCCESS;
    to->import.first = to->more_count;
    for (char *comma = at; comma; at = comma + 1) {
        comma = strchr(at, ',');
        if (comma) *comma = '\0';
        if (to->import.member_count == MOST_KEPT)
            return fp_cli_usage(command, "--keep takes at most %d fields", MOST_KEPT);
        to->members[to->import.member_count++].name = at;
        want(to, at);
    }
    to->import.members = to->members;
    return FP_EXIT_SUCCESS;
}

static void describe_recipe(import_options *to) {
    const fp_recipe *recipe = to->from.recipe;
    if (!to->described.name) to->described.name = recipe->name;
    if (!to->described.source) to->described.source = recipe->source;
    if (!to->described.licence) to->described.licence = recipe->licence;
    if (!to->described.description) to->described.description = recipe->title;
    if (!to->described.language) to->described.language = recipe->language;
}

static void take_tables(import_options *to) {
    const fp_recipe *recipe = to->from.recipe;
    to->texts.from = recipe->form;
    to->texts.columns = recipe->columns;
    to->texts.options.no_quotes = recipe->no_quotes;
    to->import.group_by_directory = recipe->groups && !recipe->script;
    to->keep = recipe->keep;
    if (recipe->groups) return;
    to->texts.options.name[FP_ENTRY_TEXT] = recipe->a;
    set_pair(to, recipe->b, recipe->label, recipe->kind, (const char *[]){recipe->id_a, recipe->id_b}, recipe->yes,
             recipe->no);
    to->as_pair.kinds = to->from.kinds;
    to->as_pair.first_stays = true; /* sets contradict themselves, and their authors count so */
}

static int take_recipe(const fp_command *command, import_options *to, const char *const **inputs) {
    if (!to->recipe) return FP_EXIT_SUCCESS;
    if (to->pair || to->texts.from) return fp_cli_usage(command, "--recipe sets its form and fields itself");
    FP_CLI_TRY(recipe_find(command, to->recipe, *inputs, to->import.arena, &to->from));
    take_tables(to);
    *inputs = to->from.inputs;
    if (!to->from.recipe->script) to->import.rows = to->from.rows;
    describe_recipe(to);
    return fp_cli_entries_check(command, &to->texts, to->import.arena);
}

static fp_status write_corpus(void *context, size_t number, const char *place, fp_error *error) {
    import_options *with = context;
    fp_corpus_writer *writer = NULL;
    (void)number;
    FP_TRY(fp_corpus_writer_open(place, with->import.arena, &writer, error));
    with->import.writer = writer;
    fp_status status = fp_import_run(&with->import, &with->made, error);
    if (status == FP_OK) status = fp_corpus_writer_finish(writer, &with->described, error);
    else fp_corpus_writer_discard(writer);
    with->facts[0] = (fp_run_fact){"documents", NULL, (double)with->made.documents};
    with->facts[1] = (fp_run_fact){"pairs", NULL, (double)with->made.pairs};
    with->facts[2] = (fp_run_fact){"positives", NULL, (double)with->made.positives};
    return status;
}

/* Writes the corpus, and reports what was read, written and skipped, and why. */
static int write_out(import_options *with) {
    with->making.outs = &with->out;
    with->making.count = 1;
    with->making.facts = with->facts;
    with->making.arena = with->import.arena;
    FP_CLI_TRY(fp_cli_make(&with->making, write_corpus, with));
    const fp_imported *made = &with->made;
    size_t bad = made->bad + fp_entries_skipped(with->import.entries);
    if (with->from.recipe) return recipe_print(&with->from, made, bad, with->import.arena, with->as);
    fp_cli_count counts[3 + PAIR_COUNTS] = {
        {"rows", made->rows}, {"bad rows, left out", bad}, {"documents", made->documents}};
    count_pairs(made, counts + 3);
    return fp_cli_write_counts(counts, with->import.pair ? 3 + PAIR_COUNTS : 3, with->import.arena, with->as);
}

/* A run that is repeated cannot have its standard input again. */
static bool reads_standard_input(const import_options *with, const char *const *inputs) {
    bool query = with->texts.from && strncmp(with->texts.from, "duckdb:", 7) == 0, found = !inputs[0] && !query;
    for (; *inputs; inputs++) found |= strcmp(*inputs, "-") == 0;
    return found;
}

static int open_texts(const fp_command *command, import_options *with, const char *const *inputs) {
    with->more[with->more_count] = NULL;
    with->texts.options.more = with->more;
    FP_CLI_TRY(recipe_run(&with->from, with->texts.options.skip_bad, with->import.arena));
    if (fp_cli_fixed_out() && reads_standard_input(with, inputs)) {
        fprintf(stderr, "fplab: the texts came from standard input, so the run cannot be repeated\n");
        return FP_EXIT_FAILURE;
    }
    return fp_cli_entries_open(command, &with->texts, inputs, with->import.arena, &with->import.entries);
}

static int import(const fp_command *command, import_options *with, const char *const *inputs) {
    if (with->recipe && strcmp(with->recipe, "list") == 0) return recipes_list(with->as, with->import.arena);
    if (!with->out) return fp_cli_usage(command, "no output directory given; name one with --out");
    if (with->keep && (with->pair || with->recipe))
        return fp_cli_usage(command, "--keep goes with documents, not with pairs");
    int status = fp_cli_entries_check(command, &with->texts, with->import.arena);
    if (status == FP_EXIT_SUCCESS) status = take_recipe(command, with, &inputs);
    if (status == FP_EXIT_SUCCESS && !with->from.recipe) status = take_pair(command, with);
    if (status == FP_EXIT_SUCCESS) status = take_kept(command, with);
    if (status == FP_EXIT_SUCCESS) status = open_texts(command, with, inputs);
    fp_temporary_directory_close(&with->from.written);
    if (status == FP_EXIT_SUCCESS) status = find_columns(command, with, inputs);
    if (status != FP_EXIT_SUCCESS) {
        if (with->import.entries) fp_entries_close(with->import.entries);
        return status;
    }
    if (!with->described.name) with->described.name = fp_cli_making_name(with->out);
    with->import.language = fp_string_of(with->described.language ? with->described.language : "");
    with->import.skip_bad = with->texts.options.skip_bad;
    with->import.skipped = fp_cli_print_skipped;
    status = write_out(with);
    fp_cli_note_encodings(with->import.entries);
    fp_entries_close(with->import.entries);
    return status;
}

static int run(const fp_command *command, int argc, const char **argv) {
    import_options with = {.making = {.argument_count = argc, .arguments = argv}};
    fp_option options[] = {
        {"out", 'o', FP_TAKES_TEXT(&with.out), "the directory of the corpus", "DIR"},
        {"pair", 0, FP_TAKES_TEXT(&with.pair),
         "a row holds two texts, in these fields (default: found by their names, as text_a and text_b)", "A,B"},
        {"label", 0, FP_TAKES_TEXT(&with.label), "--pair: the field that is the label (default: label)", "FIELD"},
        FP_CLI_TEXT_FIELD_OPTION(with.texts),
        FP_CLI_OLD_TEXT_OPTION(with.texts),
        {"group", 0, FP_TAKES_TEXT(&with.texts.options.name[FP_ENTRY_GROUP]),
         "the field that is the group (default: group): texts of one group are duplicates", "FIELD"},
        {.kind = FP_OPTION_MORE},
        FP_CLI_FORCE_OPTION,
        {"recipe", 0, FP_TAKES_TEXT(&with.recipe),
         "the INPUT is the directory of a public set: mrpc, quora, lcqmc, bq, afqmc, paws, pawsx-zh, sohu-a, sohu-b, "
         "spotsigs, sighan, sighan-pairs, clough-stevenson, news-copy, news-copy-train, core, scancode or pan; list "
         "shows the files of each, and what its authors count",
         "SET"},
        {"positive", 0, FP_TAKES_TEXT(&with.yes),
         "--pair: labels of duplicates, between blanks (default: 1 yes true duplicate 是 重复 …)", "WORDS"},
        {"negative", 0, FP_TAKES_TEXT(&with.no),
         "--pair: labels of others (default: 0 no false different 否 不重复 …; beside --positive: all other)", "WORDS"},
        {"kind", 0, FP_TAKES_TEXT(&with.kind), "--pair: the field that is the kind (default: the file's name)",
         "FIELD"},
        {"pair-ids", 0, FP_TAKES_TEXT(&with.pair_ids),
         "--pair: the fields that are the ids of the two (default: numbers)", "A,B"},
        {"group-by-directory", 0, FP_TAKES_FLAG(&with.import.group_by_directory),
         "texts that are files of one directory are a group", NULL},
        {"lang-field", 0, FP_TAKES_TEXT(&with.texts.options.name[FP_ENTRY_LANGUAGE]),
         "the field that is the language (default: lang)", "FIELD"},
        {"lang", 0, FP_TAKES_TEXT(&with.texts.options.name[FP_ENTRY_LANGUAGE]), NULL, "FIELD"},
        {"language", 0, FP_TAKES_TEXT(&with.described.language), "of texts without one: zh-Hans, en, …", "NAME"},
        {"keep", 0, FP_TAKES_TEXT(&with.keep), "other fields to keep, for strata and tables", "FIELD,…"},
        {"name", 0, FP_TAKES_TEXT(&with.described.name), "of the corpus (default: the directory's)", "NAME"},
        {"licence", 0, FP_TAKES_TEXT(&with.described.licence), "of the corpus, for its manifest", "TEXT"},
        {"origin", 0, FP_TAKES_TEXT(&with.described.source), "where the texts are from, for its manifest", "TEXT"},
        FP_CLI_ENTRIES_OPTIONS(with.texts),
        FP_CLI_FORMAT_OPTION(with.as, "of the counts", "table"),
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, inputs, arena);
    with.import.arena = arena;
    return import(command, &with, inputs);
}

const fp_command fp_command_import = {
    .name = "import",
    .arguments = "[INPUT…] --out DIR [OPTION…]",
    .summary = "make a corpus of texts in any form, or of a public set of labelled pairs",
    .summary_zh = "由任意形式的文本或公开标注集建立语料",
    .introduction_zh =
        "读入 JSON 对象、文本行、表格（CSV、TSV）、文本、网页、Markdown 或网页存档，压缩与否均可，也可以是含这些文件的目录，写成语料：\n"
        "docs.jsonl、MANIFEST.json；若各行是标注的文本对，还有 pairs.tsv：列名为 text_a、text_b、label 或其他常用名称（docs/corpora.zh.md）。\n"
        "逐字节相同的文本并为一篇，重复的文本对只写一次；同一对文本标注矛盾时拒绝，加 --skip-bad 则全部略去。略去的都会计数。",
    .details = "Reads files of JSON objects, lines, tables (CSV, TSV), texts, pages, Markdown or web archives,\n"
               "compressed or not, or a directory of these, and writes a corpus: docs.jsonl, MANIFEST.json, and\n"
               "pairs.tsv if rows are labelled pairs: text_a, text_b and label, other usual column names\n"
               "(docs/corpora.md), or the columns of --pair and --label. Identical texts become one document; a\n"
               "repeated pair is written once. Rows that give the same two texts different labels are refused, or\n"
               "all dropped with --skip-bad; of a public set the first stays. Dropped rows are counted. Memory holds\n"
               "ids, not texts.\n"
               "\n"
               "--recipe reads a public set as its authors distribute it, and prints their counts beside what was\n"
               "read. Nothing is downloaded: you have the set, and must respect its licence.",
    .examples = "  fplab import articles.csv --id doc --text body --time date --out my-texts\n"
                "  fplab import saved-pages/ --glob '*.html' --group-by-directory --out pages\n"
                "  fplab import pairs.csv --out my-pairs\n"
                "  fplab import questions.tsv --pair q1,q2 --label same --out questions\n"
                "  fplab import crawl.warc.gz --skip-bad --language zh-Hans --out crawl\n"
                "  fplab import --recipe pawsx-zh PAWS-X --out pawsx",
    .run = run,
};
