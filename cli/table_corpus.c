/* SPDX-License-Identifier: GPL-3.0-or-later
 * A table of labelled pairs, or of texts in groups, instead of a corpus directory. */
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "base/reader.h"
#include "cli/read_entries.h"
#include "cli/run_corpora.h"
#include "corpora/importing/import.h"
#include "corpora/readers/form.h"

/* Option values; they are global, because a repeated run reads its tables before it has its options. */
static struct table {
    const char *wanted[FP_COLUMNS], *yes, *no;
    fp_cli_entries texts;
    fp_temporary_directory directory; /* of the corpora made */
    size_t count;
    bool again; /* the run has given its columns */
} table;

const fp_option fp_cli_table_options[] = {
    {"text-a", 0, FP_TAKES_TEXT(&table.wanted[FP_COLUMN_TEXT_A]),
     "of a table of pairs: the column of the first text (default: found by its name)", "COLUMN"},
    {"text-b", 0, FP_TAKES_TEXT(&table.wanted[FP_COLUMN_TEXT_B]), "… of the second text", "COLUMN"},
    {"label", 0, FP_TAKES_TEXT(&table.wanted[FP_COLUMN_LABEL]), "… of the label", "COLUMN"},
    {"positive", 0, FP_TAKES_TEXT(&table.yes), "… words of a duplicate, between blanks (default: 1 yes true 是 …)",
     "WORDS"},
    {"negative", 0, FP_TAKES_TEXT(&table.no), "… words of a non-duplicate (default: 0 no false 否 …)", "WORDS"},
    {"text-field", 0, FP_TAKES_TEXT(&table.wanted[FP_COLUMN_TEXT]), "of a table of texts: the column of the text",
     "COLUMN"},
    {"text", 0, FP_TAKES_TEXT(&table.wanted[FP_COLUMN_TEXT]), NULL, "COLUMN"},
    {"group", 0, FP_TAKES_TEXT(&table.wanted[FP_COLUMN_GROUP]), "… of the group: texts of one group are duplicates",
     "COLUMN"},
    {"from", 0, FP_TAKES_HINT(&table.texts.from, "csv tsv jsonl"),
     "format of the table: csv, tsv or jsonl (default: by its name)", "FORM"},
    {"columns", 0, FP_TAKES_TEXT(&table.texts.columns), "of a table without a header row: the names of the columns",
     "NAME,…"},
    {"separator", 0, FP_TAKES_TEXT(&table.texts.separator), "of csv: a comma or ; (default: a comma)", "SIGN"},
    {"encoding", 0, FP_TAKES_HINT(&table.texts.options.encoding, "utf-8 gb18030 big5 auto"),
     "of the table: gb18030, big5, utf-16, …, or auto (default: utf-8)", "NAME"},
    {0}};

void fp_cli_table_again(const char *const *arguments, size_t count) {
    table.again = true;
    for (const fp_option *row = fp_cli_table_options; row->name; row++) {
        const char **to = row->kind == FP_OPTION_HINT ? row->place.words.text : row->place.text;
        size_t length = strlen(row->name);
        for (size_t i = 0; i < count; i++) {
            const char *at = arguments[i];
            if (strncmp(at, "--", 2) != 0 || strncmp(at + 2, row->name, length) != 0) continue;
            if (at[2 + length] == '=') *to = at + 2 + length + 1;
            else if (!at[2 + length] && i + 1 < count) *to = arguments[i + 1];
        }
    }
}

/* The first one given; NULL: not given. */
static const fp_option *given_option(void) {
    for (const fp_option *row = fp_cli_table_options; row->name; row++)
        if (row->kind == FP_OPTION_HINT ? *row->place.words.text : *row->place.text) return row;
    return NULL;
}

int fp_cli_table_check(const fp_command *command, const char *const *corpora) {
    const fp_option *given = given_option();
    for (size_t i = 0; corpora[i]; i++)
        if (!given || fp_cli_is_table(fp_cli_fixed_corpus(i, corpora[i]))) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--%s is for a table, and %s is not one", given->name, corpora[0]);
}

bool fp_cli_is_table(const char *path) {
    struct stat facts;
    if (strcmp(path, "-") == 0) return true;
    return stat(path, &facts) == 0 ? !S_ISDIR(facts.st_mode) : fp_form_guess(path, false) != NULL;
}

void fp_cli_tables_end(void) { fp_temporary_directory_close(&table.directory); }

/* What is no table, by its name or its first bytes. */
static int refuse_table(const char *path) {
    static const struct {
        const char magic[8];
        size_t length;
        const char *what;
    } OTHERS[] = {{"PK\003\004", 4, "an Excel workbook or another zip archive; save the sheet as CSV UTF-8"},
                  {"\320\317\021\340", 4, "an Excel workbook; save the sheet as CSV UTF-8"}};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strncmp(name, "docs.jsonl", 10) == 0 || strcmp(name, "pairs.tsv") == 0 || strcmp(name, "MANIFEST.json") == 0) {
        fprintf(stderr, "fplab: %s is one file of a corpus; name its directory, %.*s\n", path,
                slash ? (int)(slash - path) : 1, slash ? path : ".");
        return FP_EXIT_USAGE;
    }
    char begin[8] = "";
    struct stat facts;
    FILE *stream = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "rb") : NULL;
    size_t got = stream ? fread(begin, 1, sizeof begin, stream) : 0;
    if (stream) fclose(stream);
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        if (got < OTHERS[i].length || memcmp(begin, OTHERS[i].magic, OTHERS[i].length) != 0) continue;
        fprintf(stderr, "fplab: %s: the file is %s\n", path, OTHERS[i].what);
        return FP_EXIT_FAILURE;
    }
    return FP_EXIT_SUCCESS;
}

/* "pairs" of "texts/pairs.csv.gz". */
static const char *name_of_table(const char *path, fp_arena *arena) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0) return "standard-input";
    size_t length = strcspn(name, ".");
    return length ? fp_string_copy(arena, (fp_string){name, length}) : name;
}

/* The column of exactly that name. */
static bool has_column(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* What is read of each row. */
typedef struct table_reading {
    const char *const *names;
    size_t count, at[FP_COLUMNS];
    const char *name; /* of the corpus */
    const char *more[16];
    size_t more_count;
    fp_corpus_member members[8];
    fp_import_pair pair;
    fp_import import;
    fp_imported made;
} table_reading;

static size_t want_column(table_reading *in, const char *name) {
    in->more[in->more_count] = name;
    return in->more_count++;
}

static void take_pair_columns(table_reading *in) {
    static const char *const KIND = "pair"; /* of a table without kinds, whatever it is called */
    in->pair = (fp_import_pair){.id = SIZE_MAX, .other_id = SIZE_MAX, .kind = SIZE_MAX, .kinds = &KIND};
    in->pair.pattern[1] = fp_string_of(table.yes ? table.yes : FP_LABEL_POSITIVE);
    in->pair.pattern[0] = fp_string_of(table.no ? table.no : table.yes ? "" : FP_LABEL_NEGATIVE);
    in->pair.other = want_column(in, in->names[in->at[FP_COLUMN_TEXT_B]]);
    in->pair.label = want_column(in, in->names[in->at[FP_COLUMN_LABEL]]);
    if (has_column(in->names, in->count, "kind")) in->pair.kind = want_column(in, "kind");
    in->import.pair = &in->pair;
}

/* Fields that a command divides texts by. */
static void take_members(table_reading *in, const char *const *fields) {
    static const char *const WRITTEN[] = {"id", "text", "group", "lang"};
    in->import.first = in->more_count;
    in->import.members = in->members;
    for (; fields && *fields && in->import.member_count < 8; fields++) {
        if (has_column(WRITTEN, 4, *fields) || !has_column(in->names, in->count, *fields)) continue;
        in->members[in->import.member_count++].name = *fields;
        want_column(in, *fields);
    }
}

static void name_fields(table_reading *in, fp_entries *entries, const char *const *fields) {
    const char *name[FP_ENTRY_FIELDS] = {0};
    bool pair = in->at[FP_COLUMN_TEXT_A] != SIZE_MAX;
    name[FP_ENTRY_TEXT] = in->names[in->at[pair ? FP_COLUMN_TEXT_A : FP_COLUMN_TEXT]];
    name[FP_ENTRY_GROUP] = in->at[FP_COLUMN_GROUP] == SIZE_MAX ? "" : in->names[in->at[FP_COLUMN_GROUP]];
    if (pair) name[FP_ENTRY_ID] = "";
    for (fp_entry_field field = FP_ENTRY_TITLE; field <= FP_ENTRY_TIME; field++) name[field] = "";
    if (pair) take_pair_columns(in);
    else take_members(in, fields);
    fp_entries_name(entries, name, in->more);
}

const char *fp_cli_describe_columns(const char *const *columns, const size_t at[FP_COLUMNS], const char *path,
                                    fp_arena *arena) {
    const fp_form *form = table.texts.options.form ? table.texts.options.form : fp_form_guess(path, false);
    const char *names = "", *places = "";
    size_t count = 0, named = 0;
    for (size_t c = 0; c < FP_COLUMNS; c++) count += at[c] != SIZE_MAX;
    for (size_t c = 0; c < FP_COLUMNS; c++) {
        if (at[c] == SIZE_MAX) continue;
        const char *comma = !named ? "" : named + 1 == count ? " and " : ", ";
        names = fp_format(arena, "%s%s%s", names, comma, columns[at[c]]);
        places = fp_format(arena, "%s%s%zu", places, comma, at[c] + 1);
        named++;
    }
    if (form && form->object) return fp_format(arena, "%s %s read", names, fp_cli_word(count, "is", "are"));
    return fp_format(arena, "%s %s column%s %s", names, fp_cli_word(count, "is", "are"), count == 1 ? "" : "s", places);
}

static void add_left_out(const char **list, size_t count, const char *what, fp_arena *arena) {
    if (count) *list = fp_format(arena, "%s%s%zu %s", *list, **list ? ", " : "", count, what);
}

static void report_table(const table_reading *in, const char *path, fp_arena *arena) {
    const fp_imported *made = &in->made;
    const char *columns = fp_cli_describe_columns(in->names, in->at, path, arena), *left = "";
    if (table.again) return;
    if (in->import.pair)
        fp_cli_note("fplab: %s: %s; %zu %s of %zu texts\n", path, columns, made->pairs,
                    fp_cli_word(made->pairs, "pair", "pairs"), made->documents);
    else if (!made->groups)
        fp_cli_note("fplab: %s: %s; %zu %s without labels\n", path, columns, made->documents,
                    fp_cli_word(made->documents, "text", "texts"));
    else
        fp_cli_note("fplab: %s: %s; %zu %s in %zu %s\n", path, columns, made->documents,
                    fp_cli_word(made->documents, "text", "texts"), made->groups,
                    fp_cli_word(made->groups, "group", "groups"));
    add_left_out(&left, made->empty, "with an empty text", arena);
    add_left_out(&left, made->same, "with the same text twice", arena);
    add_left_out(&left, made->repeated, "repeated", arena);
    if (*left) fprintf(stderr, "fplab: %s: left out of the rows: %s\n", path, left);
}

static fp_status write_table(table_reading *in, fp_entries *entries, const char *directory, fp_arena *arena,
                             fp_error *error) {
    fp_corpus_writer *writer = NULL;
    in->import.entries = entries;
    in->import.arena = arena;
    in->import.skipped = fp_cli_print_skipped;
    FP_TRY(fp_corpus_writer_open(directory, arena, &writer, error));
    in->import.writer = writer;
    fp_status status = fp_import_run(&in->import, &in->made, error);
    if (status == FP_OK && in->import.pair && !in->made.pairs)
        status = fp_fail(error, FP_ERROR_EMPTY, "no pair was left");
    if (status == FP_OK) return fp_corpus_writer_finish(writer, &(fp_corpus_described){.name = in->name}, error);
    fp_corpus_writer_discard(writer);
    return status;
}

static fp_status find_columns(table_reading *in, fp_entries *entries, const char *path, fp_arena *arena,
                              fp_error *error) {
    FP_TRY(fp_entries_columns(entries, &in->names, &in->count, error));
    fp_status status =
        in->count ? fp_columns_find(in->names, in->count, table.wanted, in->at, arena, error)
                  : fp_fail(error, FP_ERROR_EMPTY,
                            "there is no first row that names columns; is it a table? --from takes csv, tsv or jsonl");
    return status == FP_OK ? FP_OK : fp_at(error, status, fp_path_shown(path), SIZE_MAX, SIZE_MAX);
}

/* A directory for the corpus of a table; NULL after reporting the error. */
static const char *make_directory(fp_arena *arena) {
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (!table.directory.path[0] && fp_temporary_directory_open(&table.directory, "table", &error) != FP_OK) {
        fp_cli_fail(&error);
        return NULL;
    }
    const char *made = fp_format(arena, "%s/%zu", table.directory.path, ++table.count);
    if (mkdir(made, 0700) == 0) return made;
    fp_file_error(&error, made, "make");
    fp_cli_fail(&error);
    return NULL;
}

int fp_cli_table_corpus(const char *path, bool skip_bad, const char *const *fields, fp_arena *arena,
                        const char **directory, const char **name, size_t *skipped) {
    const fp_command *command = fp_cli_current();
    const char *inputs[] = {path, NULL};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_entries *entries;
    table_reading *in = fp_arena_alloc(arena, 1, sizeof *in);
    table.texts.options.skip_bad = in->import.skip_bad = skip_bad;
    *name = in->name = name_of_table(path, arena);
    FP_CLI_TRY(refuse_table(path));
    FP_CLI_TRY(fp_cli_entries_check(command, &table.texts, arena));
    FP_CLI_TRY(fp_cli_entries_open(command, &table.texts, inputs, arena, &entries));
    *directory = make_directory(arena);
    if (!*directory) return FP_EXIT_FAILURE;
    fp_status done = find_columns(in, entries, path, arena, &error);
    bool usage = done == FP_ERROR_UNKNOWN;
    if (done == FP_OK) {
        name_fields(in, entries, fields);
        done = write_table(in, entries, *directory, arena, &error);
    }
    *skipped = in->made.bad + fp_entries_skipped(entries);
    fp_entries_close(entries);
    if (done == FP_OK) report_table(in, fp_path_shown(path), arena);
    if (done == FP_OK) return FP_EXIT_SUCCESS;
    if (!error.file[0]) fp_at(&error, done, fp_path_shown(path), SIZE_MAX, SIZE_MAX);
    size_t used = strlen(error.message);
    if (usage && !fp_cli_takes("label"))
        snprintf(error.message + used, sizeof error.message - used,
                 "; fplab %s has no such option: make a corpus with fplab import", command->name);
    fp_cli_fail(&error);
    return usage ? FP_EXIT_USAGE : FP_EXIT_FAILURE;
}
