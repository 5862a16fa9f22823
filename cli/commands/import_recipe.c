/* SPDX-License-Identifier: GPL-3.0-or-later
 * Public sets: their files, and what their authors count beside what was read. */
#include "cli/commands/import_recipe.h"

#include <stdlib.h>
#include <string.h>

#include "reports/plots/gnuplot.h"

/* ---- What there is ---- */

static const char *list_names(fp_arena *arena) {
    const char *names = "";
    for (size_t i = 0; names && fp_recipe_at(i); i++)
        names = fp_format(arena, "%s%s%s", names,
                          i == 0                ? ""
                          : fp_recipe_at(i + 1) ? ", "
                                                : " or ",
                          fp_recipe_at(i)->name);
    return names ? names : "";
}

/* "4076 + 1725 rows", as far as they are stated. */
static const char *counts_of(const fp_recipe *recipe, fp_arena *arena) {
    const char *text = "";
    for (size_t i = 0; text && i < FP_RECIPE_FILES; i++)
        if (recipe->files[i].rows) text = fp_format(arena, "%s%s%zu", text, *text ? " + " : "", recipe->files[i].rows);
    if (text && *text) text = fp_format(arena, "%s rows", text);
    if (text && recipe->documents)
        text = fp_format(arena, "%s%s%zu documents", text, *text ? ", " : "", recipe->documents);
    if (text && recipe->positives) text = fp_format(arena, "%s, %zu positive", text, recipe->positives);
    return text;
}

int fp_importing_recipes_list(fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("recipe|set|files|published|looked up in|licence", arena);
    for (size_t i = 0; table && fp_recipe_at(i); i++) {
        const fp_recipe *recipe = fp_recipe_at(i);
        const char *files = fp_recipe_files(recipe, arena);
        fp_table_text(table, recipe->name);
        fp_table_text(table, recipe->title);
        fp_table_text(table, files);
        fp_table_text(table, counts_of(recipe, arena));
        fp_table_text(table, recipe->counted);
        fp_table_text(table, recipe->licence);
    }
    return fp_cli_write(table, format);
}

/* ---- Where it is ---- */

static int find_files(fp_importing_recipe *to, fp_arena *arena) {
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
    return -1;
}

int fp_importing_recipe_find(const fp_command *command, const char *name, const char *const *inputs, fp_arena *arena,
                             fp_importing_recipe *to) {
    to->directory = inputs[0];
    to->recipe = fp_recipe_find(name);
    if (!to->recipe) return fp_cli_usage(command, "--recipe takes %s, not %s", list_names(arena), name);
    if (!to->directory || inputs[1]) return fp_cli_usage(command, "--recipe takes one directory, that of the set");
    if (to->recipe->files[0].names) return find_files(to, arena);
    to->inputs[0] = to->directory;
    to->kinds[0] = "all";
    return -1;
}

/* ---- Scripts ---- */

/* The counts that the script prints last. */
static bool take_counts(fp_importing_recipe *to, const char *printed) {
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

int fp_importing_recipe_run(fp_importing_recipe *to, bool skip_bad, fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_tool tool = {.package = "python3", .shows = true};
    if (!to->recipe->script) return -1;
    if (fp_temporary_directory_open(&to->written, "set", &error) != FP_OK) return fp_cli_fail(&error);
    const char *rows = fp_format(arena, "%s/%s.jsonl", to->written.path, to->recipe->name);
    fp_status status = rows ? fp_recipe_script(to->recipe, to->directory, to->paths, rows, skip_bad,
                                               fp_cli_most_bytes(), arena, &tool.arguments, &error)
                            : fp_no_memory(&error);
    if (status == FP_OK) status = fp_tool_run(&tool, &error);
    if (status != FP_OK) return fp_cli_fail(&error);
    if (tool.status == 1) return FP_EXIT_FAILURE; /* it has said why */
    if (tool.status || !take_counts(to, tool.output)) {
        fprintf(stderr, "fplab: the script that reads %s ended with status %d\n", to->recipe->name, tool.status);
        return FP_EXIT_FAILURE;
    }
    to->inputs[0] = rows;
    to->inputs[1] = NULL;
    return -1;
}

/* ---- What came of it ---- */

static void add(fp_table *table, const char *fact, size_t count, size_t published) {
    fp_table_text(table, fact);
    fp_table_count(table, count);
    if (published) fp_table_count(table, published);
    else fp_table_undefined(table);
}

/* What differs from what is published, and where that was looked up. */
static void tell(const fp_recipe *recipe, const char *what, size_t count, size_t published) {
    if (published && published != count)
        fp_cli_note("fplab: %s: %zu here, %zu published (%s)\n", what, count, published, recipe->counted);
}

static void add_rows(const fp_importing_recipe *of, size_t all, fp_table *table, fp_arena *arena) {
    const fp_recipe *recipe = of->recipe;
    if (!recipe->files[0].names) add(table, "rows of all", all, 0);
    size_t count = 0;
    for (size_t i = 0; i < FP_RECIPE_FILES; i++) {
        const fp_recipe_file *file = recipe->files + i;
        if (!of->paths[i] || (recipe->script && file->beside)) continue;
        size_t rows = of->rows[recipe->script ? i : count++];
        const char *what = fp_format(arena, "rows of %s", of->paths[i]);
        if (what) tell(recipe, what, rows, file->rows);
        add(table, fp_format(arena, "rows of %s", file->kind), rows, file->rows);
    }
}

static void add_pairs(const fp_imported *made, fp_table *table) {
    add(table, "pairs", made->pairs, 0);
    add(table, "positive", made->positives, 0);
    add(table, "left out: an empty text", made->empty, 0);
    add(table, "left out: both texts the same", made->same, 0);
    add(table, "left out: there before", made->repeated, 0);
    add(table, "left out: there before, with the other label", made->conflicts, 0);
}

static void add_groups(const fp_importing_recipe *of, const fp_imported *made, fp_table *table) {
    const fp_recipe *recipe = of->recipe;
    add(table, "groups", made->groups, 0);
    add(table, "pairs within groups", made->group_pairs, recipe->positives);
    tell(recipe, "pairs within groups", made->group_pairs, recipe->positives);
    if (of->empty) add(table, "left out: an empty text", of->empty, 0);
    if (of->same) add(table, "left out: both texts the same", of->same, 0);
    if (of->passed) add(table, "passed over: of another kind", of->passed, 0);
}

int fp_importing_recipe_tell(fp_importing_recipe *of, const fp_imported *made, size_t bad, fp_arena *arena,
                             fp_table_format format) {
    const fp_recipe *recipe = of->recipe;
    fp_table *table = fp_table_new("fact|>count|>published", arena);
    add_rows(of, made->rows, table, arena);
    if (!recipe->groups) add(table, "rows that are positive", made->positive_rows, recipe->positives);
    if (!recipe->groups) tell(recipe, "rows that are positive", made->positive_rows, recipe->positives);
    add(table, "bad rows, left out", of->bad + bad, 0);
    add(table, "documents", made->documents, recipe->documents);
    tell(recipe, "documents", made->documents, recipe->documents);
    if (recipe->groups) add_groups(of, made, table);
    else add_pairs(made, table);
    if (recipe->note) fp_cli_note("%s\n", recipe->note);
    return fp_cli_write(table, format);
}
