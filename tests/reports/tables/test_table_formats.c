/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every format, kept and streamed, of cells that mean something to it: RFC 4180, RFC 8259, CommonMark 0.31 (2.4, 6.2),
 * the special characters of LaTeX (Lamport, appendix C.1). */
#include <math.h>
#include <stdlib.h>

#include "reports/tables/table.h"
#include "tests/support.h"

static void fill(fp_table *table, const char *id, double value) {
    fp_table_text(table, id);
    fp_table_real(table, value, 2);
}

/* Written as a whole, or row by row. */
static const char *written(const char *id, double value, fp_table_format format, bool streamed, fp_arena *arena) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fp_arena *row = fp_arena_new();
    fp_table *table = fp_table_new("id|>false_positives", arena);
    assert_true(stream && row && table);
    if (streamed) fp_table_stream(table, format, stream, row);
    if (id) fill(table, id, value);
    fp_table_write(table, format, stream);
    fclose(stream);
    fp_arena_free(row);
    const char *copy = fp_string_copy(arena, (fp_string){text, size});
    free(text);
    return copy;
}

typedef struct expected {
    const char *id;
    double value;
    const char *row;
} expected;

static void check(const expected *cases, size_t count, fp_table_format format, const char *before, const char *behind) {
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < count; i++) {
        const char *want = fp_format(arena, "%s%s%s", before, cases[i].row, behind);
        assert_string_equal(written(cases[i].id, cases[i].value, format, false, arena), want);
        assert_string_equal(written(cases[i].id, cases[i].value, format, true, arena), want);
    }
    assert_string_equal(written(NULL, 0, format, false, arena), fp_format(arena, "%s%s", before, behind));
    fp_arena_free(arena);
}

#define CHECK(cases, ...) check(cases, sizeof(cases) / sizeof *(cases), __VA_ARGS__)

static void csv_is_quoted_and_guarded(void **state) {
    (void)state;
    static const expected CASES[] = {{"甲", -0.125, "甲,-0.125\r\n"},
                                     {"a,b", NAN, "\"a,b\",NA\r\n"},
                                     {"say \"so\"", 1, "\"say \"\"so\"\"\",1\r\n"},
                                     {"=1+1", 1, " =1+1,1\r\n"},
                                     {"@SUM(A1)", 1, " @SUM(A1),1\r\n"},
                                     {"-x,\"y\"", 1, "\" -x,\"\"y\"\"\",1\r\n"},
                                     {"-5", 1, "-5,1\r\n"},
                                     {"+1e3", 1, "+1e3,1\r\n"},
                                     {"-", 1, " -,1\r\n"},
                                     {"two\r\nlines", 1, "two  lines,1\r\n"},
                                     {"", 1, ",1\r\n"}};
    CHECK(CASES, FP_FORMAT_CSV, "id,false_positives\r\n", "");
}

static void jsonl_is_an_object_a_line(void **state) {
    (void)state;
    static const expected CASES[] = {{"007", 0.5, "{\"id\":\"007\",\"false_positives\":0.5}\n"},
                                     {"NA", NAN, "{\"id\":\"NA\",\"false_positives\":null}\n"},
                                     {"\"\\\x01", INFINITY, "{\"id\":\"\\\"\\\\\\u0001\",\"false_positives\":null}\n"},
                                     {"\xff", 1, "{\"id\":\"\xef\xbf\xbd\",\"false_positives\":1}\n"}};
    CHECK(CASES, FP_FORMAT_JSONL, "", "");
}

static void markdown_means_nothing_else(void **state) {
    (void)state;
    static const expected CASES[] = {{"甲|乙", -0.125, "| 甲\\|乙 | -0.12 |\n"},
                                     {"<b>&amp;", NAN, "| \\<b\\>\\&amp; | NA |\n"},
                                     {"_a_b_ *c* `d` \\", 1, "| \\_a_b\\_ \\*c\\* \\`d\\` \\\\ | 1.00 |\n"},
                                     {"[x](y) ~~z~~ $q$", 1, "| \\[x\\](y) \\~\\~z\\~\\~ \\$q\\$ | 1.00 |\n"},
                                     {"\u202eabc\n\x1b", 1, "| \\\\u202eabc \\\\x1b | 1.00 |\n"}};
    CHECK(CASES, FP_FORMAT_MARKDOWN, "| id | false_positives |\n|---|---:|\n", "");
}

static void latex_prints_what_stands_there(void **state) {
    (void)state;
    static const expected CASES[] = {
        {"甲 0.94 (0.90–0.97)", -0.125, "甲 0.94 (0.90--0.97) & $-$0.12 \\\\\n"},
        {"& % $ # _ { }", NAN, "\\& \\% \\$ \\# \\_ \\{ \\} & -- \\\\\n"},
        {"~^\\", 1, "\\textasciitilde{}\\textasciicircum{}\\textbackslash{} & 1.00 \\\\\n"},
        {"<a|b>", 1, "\\textless{}a\\textbar{}b\\textgreater{} & 1.00 \\\\\n"},
        {"2⁻ᵇ √ρ", 1, "2$^-$$^b$ $\\surd$$\\rho$ & 1.00 \\\\\n"},
        {"[1]*", 1, "{[}1]{*} & 1.00 \\\\\n"},
        {"a---b", 1, "a-{}-{}-b & 1.00 \\\\\n"},
        {"\x1b\xff", 1, "\\textbackslash{}x1b\\textbackslash{}xff & 1.00 \\\\\n"},
    };
    CHECK(
        CASES, FP_FORMAT_LATEX,
        "% \\usepackage{booktabs,graphicx}; no wider than its column or, in table*, the page\n"
        "{\\footnotesize\\setlength{\\tabcolsep}{3pt}\\setbox0\\hbox{\\begin{tabular}{@{}lr@{}}\n"
        "\\toprule\nID & False positives \\\\\n\\midrule\n",
        "\\bottomrule\n\\end{tabular}}\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi}\n");
}

/* Limits share a cell; one dash where they are not defined. */
static void latex_merges_limits(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_table *table = fp_table_new(">p|>p_low|>p_high|>band_low|>band_high", arena);
    static const char *const CELLS[] = {"0.5", "0.4", "0.6", "0.3", "0.7", "NA", "NA", "NA", "NA", "NA"};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; i < sizeof CELLS / sizeof *CELLS; i++) fp_table_written(table, CELLS[i]);
    fp_table_write(table, FP_FORMAT_LATEX, stream);
    fclose(stream);
    assert_non_null(strstr(text, "\n0.5 (0.4--0.6) & 0.3--0.7 \\\\\n-- & -- \\\\\n"));
    free(text);
    fp_arena_free(arena);
}

/* An exponent, and a p-value that is given as a bound. */
static void latex_writes_numbers(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_table *table = fp_table_new(">value|>p", arena);
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fp_table_written(table, "-2.5e-07");
    fp_table_p(table, 1e-9);
    fp_table_write(table, FP_FORMAT_LATEX, stream);
    fclose(stream);
    assert_non_null(strstr(text, "\n$-$$2.5\\times 10^{-7}$ & \\textless{}0.0001 \\\\\n"));
    free(text);
    fp_arena_free(arena);
}

static void the_names_are_those_of_help(void **state) {
    (void)state;
    char names[200] = "";
    for (size_t i = 0; i < FP_FORMATS; i++) {
        const char *between = i == 0 ? "" : i + 1 == FP_FORMATS ? " or " : ", ";
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", between, fp_table_writers[i].name);
        assert_true(i == FP_FORMAT_TABLE || fp_table_writers[i].row);
    }
    assert_string_equal(names, FP_FORMAT_NAMES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_quoted_and_guarded),   cmocka_unit_test(jsonl_is_an_object_a_line),
        cmocka_unit_test(markdown_means_nothing_else), cmocka_unit_test(latex_prints_what_stands_there),
        cmocka_unit_test(latex_merges_limits),         cmocka_unit_test(latex_writes_numbers),
        cmocka_unit_test(the_names_are_those_of_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
