/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds the columns of a table: two texts and a label, or a text and its group. */
#include <string.h>

#include "corpora/importing/import.h"
#include "corpora/readers/form.h"

static const char *const OPTIONS[FP_COLUMNS] = {"--text-a", "--text-b", "--label", "--text-field", "--group"};

/* Names as normalised by plain(). The names of a pair come from one row. */
static const char *const PAIRS[][2] = {
    {"texta", "textb"},
    {"text1", "text2"},
    {"sentence1", "sentence2"},
    {"sentencea", "sentenceb"},
    {"question1", "question2"},
    {"questiona", "questionb"},
    {"q1", "q2"},
    {"query1", "query2"},
    {"query", "title"},
    {"doc1", "doc2"},
    {"doca", "docb"},
    {"title1", "title2"},
    {"a", "b"},
    {"s1", "s2"},
    {"文本1", "文本2"},
    {"文本a", "文本b"},
    {"文本一", "文本二"},
    {"句子1", "句子2"},
    {"句子a", "句子b"},
    {"问题1", "问题2"},
};
static const char *const LABELS[] = {"label",    "score", "isduplicate", "duplicate", "target", "标签",
                                     "是否重复", "标注",  "gold",        "judgement", NULL};
static const char *const TEXTS[] = {"text", "content", "body", "正文", "文本", "内容", NULL};
static const char *const GROUPS[] = {"group", "cluster", "clusterid", "groupid", "event", "eventid",
                                     "组",    "分组",    "事件",      "类",      NULL};

enum { PLAIN = 64 };

/* Lower case, without blanks, _ and -; empty for a name too long to match. */
static void plain(const char *name, char to[PLAIN]) {
    size_t length = 0;
    for (; *name && length + 1 < PLAIN; name++)
        if (!strchr(" \t\r_-", *name)) to[length++] = fp_ascii_lower(*name);
    to[*name ? 0 : length] = '\0';
}

/* ---- Finding ---- */

typedef struct finding {
    const char *const *names, *const *wanted;
    size_t count;
    char (*plain)[PLAIN]; /* [count] */
    size_t *at;
    fp_arena *arena;
    fp_error *error;
} finding;

static const char *list(const finding *in) {
    const char *names = fp_form_list_names(in->names, in->count, in->arena);
    return names ? names : "";
}

static fp_status named_by_user(finding *in, fp_import_column column) {
    FP_TRY(fp_form_find_column(in->names, in->count, in->wanted[column], &in->at[column], in->error));
    if (in->at[column] != SIZE_MAX) return FP_OK;
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "no column is called \"%s\" (%s): there are %s", in->wanted[column],
                   OPTIONS[column], list(in));
}

static fp_status two_would_do(const finding *in, const char *what, size_t a, size_t b, const char *options) {
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "%s may be column \"%s\" or \"%s\" (there are %s); choose with %s",
                   what, in->names[a], in->names[b], list(in), options);
}

static fp_status by_names(finding *in, fp_import_column column, const char *const *usual) {
    const char *option = OPTIONS[column];
    if (in->wanted[column]) return named_by_user(in, column);
    for (size_t i = 0; i < in->count; i++) {
        for (const char *const *name = usual; *name; name++) {
            if (strcmp(in->plain[i], *name) != 0) continue;
            if (in->at[column] != SIZE_MAX)
                return two_would_do(in, column == FP_COLUMN_TEXT ? "text" : option + 2, in->at[column], i, option);
            in->at[column] = i;
        }
    }
    return FP_OK;
}

static size_t place_of(const finding *in, const char *name) {
    size_t at = 0;
    while (at < in->count && strcmp(in->plain[at], name) != 0) at++;
    return at < in->count ? at : SIZE_MAX;
}

static fp_status two_texts(finding *in) {
    size_t *at = in->at;
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS && !in->wanted[0] && !in->wanted[1]; i++) {
        size_t a = place_of(in, PAIRS[i][0]), b = place_of(in, PAIRS[i][1]);
        if (a == SIZE_MAX || b == SIZE_MAX) continue;
        if (at[FP_COLUMN_TEXT_A] != SIZE_MAX)
            return two_would_do(in, "the first text", at[FP_COLUMN_TEXT_A], a, "--text-a and --text-b");
        at[FP_COLUMN_TEXT_A] = a;
        at[FP_COLUMN_TEXT_B] = b;
    }
    if (in->wanted[FP_COLUMN_TEXT_A]) FP_TRY(named_by_user(in, FP_COLUMN_TEXT_A));
    return in->wanted[FP_COLUMN_TEXT_B] ? named_by_user(in, FP_COLUMN_TEXT_B) : FP_OK;
}

/* ---- All columns ---- */

static fp_status missing(const finding *in, const char *what, const char *options) {
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "which %s? The first row names %s; choose with %s", what, list(in),
                   options);
}

/* The option for a likely separator if there is only one column. */
static const char *separator_of(const finding *in) {
    if (in->count != 1) return NULL;
    return strchr(in->names[0], ';')    ? "--separator ';'"
           : strchr(in->names[0], '\t') ? "--from tsv"
           : strchr(in->names[0], ',')  ? "--from csv"
                                        : NULL;
}

static fp_status find(finding *in) {
    size_t *at = in->at;
    const char *separator = separator_of(in);
    if (separator)
        return fp_fail(in->error, FP_ERROR_UNKNOWN, "there is one column, \"%.200s\"; if it should be several, add %s",
                       in->names[0], separator);
    bool pair = in->wanted[FP_COLUMN_TEXT_A] || in->wanted[FP_COLUMN_TEXT_B],
         one = in->wanted[FP_COLUMN_TEXT] || in->wanted[FP_COLUMN_GROUP];
    if (!one) FP_TRY(two_texts(in));
    if (!pair && at[FP_COLUMN_TEXT_A] == SIZE_MAX) {
        FP_TRY(by_names(in, FP_COLUMN_TEXT, TEXTS));
        FP_TRY(by_names(in, FP_COLUMN_GROUP, GROUPS));
        if (at[FP_COLUMN_TEXT] != SIZE_MAX) return FP_OK;
        return one ? missing(in, "column holds the text", "--text-field")
                   : missing(in, "columns hold the texts",
                             "--text-a, --text-b and --label, or --text-field and --group");
    }
    for (fp_import_column c = FP_COLUMN_TEXT_A; c <= FP_COLUMN_TEXT_B; c++)
        if (at[c] == SIZE_MAX)
            return missing(in, "column holds the other text", c == FP_COLUMN_TEXT_A ? "--text-a" : "--text-b");
    FP_TRY(by_names(in, FP_COLUMN_LABEL, LABELS));
    return at[FP_COLUMN_LABEL] == SIZE_MAX ? missing(in, "column holds the label", "--label") : FP_OK;
}

fp_status fp_columns_find(const char *const *names, size_t count, const char *const wanted[FP_COLUMNS],
                          size_t at[FP_COLUMNS], fp_arena *arena, fp_error *error) {
    finding in = {.names = names, .wanted = wanted, .count = count, .at = at, .arena = arena, .error = error};
    in.plain = FP_NEED(fp_arena_raw(arena, count + 1, sizeof *in.plain), error);
    for (size_t i = 0; i < count; i++) plain(names[i], in.plain[i]);
    for (size_t c = 0; c < FP_COLUMNS; c++) at[c] = SIZE_MAX;
    return find(&in);
}
