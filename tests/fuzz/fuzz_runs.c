/* SPDX-License-Identifier: GPL-3.0-or-later
 * A run as somebody may have changed it: run.json and its tables, read for a page. */
#include <ctype.h>
#include <unistd.h>

#include "reports/page/page.h"
#include "reports/runs/recorded.h"
#include "reports/runs/run_manifest.h"
#include "tests/fuzz/fuzz.h"

void fuzz_run_table(fp_string input, fp_arena *arena) {
    const char *path = fuzz_file("table.tsv", input, arena);
    fp_run_table table;
    fp_error error;
    if (fp_run_table_read(path, arena, &table, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    for (size_t r = 0; r < table.row_count; r++)
        for (size_t c = 0; c < table.column_count; c++) {
            FUZZ_DEMAND(fp_run_table_cell(&table, r, c).data);
            FUZZ_DEMAND(!memchr(fp_run_table_field(&table, r, c).data, '\t', fp_run_table_field(&table, r, c).length));
        }
    fp_run_table_column(&table, "arm");
}

/* ---- The page ---- */

/* The tables that the input may hold behind its run.json, in this order, parted by bytes 0xff. */
static const char *const TABLES[] = {"results.tsv", "summary.tsv",    "differences.tsv", "intervals.tsv",
                                     "strata.tsv",  "histograms.tsv", "costs.tsv",       "sources.tsv"};
enum { TABLE_COUNT = sizeof TABLES / sizeof *TABLES };

static bool is_one_of(const char *name, size_t length, const char *const *names) {
    for (; *names; names++)
        if (strlen(*names) == length && strncmp(*names, name, length) == 0) return true;
    return false;
}

/* The elements that the page is made of: one more, and a text has become markup. */
static bool is_element(const char *name, size_t length) {
    static const char *const KNOWN[] = {"!DOCTYPE", "html",     "head",   "meta",    "link",    "title",  "style",
                                        "script",   "noscript", "body",   "header",  "main",    "footer", "section",
                                        "h1",       "h2",       "h3",     "p",       "div",     "span",   "table",
                                        "caption",  "thead",    "tbody",  "tr",      "td",      "th",     "dl",
                                        "dt",       "dd",       "pre",    "code",    "output",  "input",  "button",
                                        "label",    "fieldset", "legend", "details", "summary", "nav",    NULL};
    return is_one_of(name, length, KNOWN);
}

/* Behind the element that ends a stretch of no markup. */
static const char *behind(const char *at, const char *end) {
    const char *found = strcasestr(at, end);
    FUZZ_DEMAND(found);
    return found + strlen(end);
}

static void check_page(const char *at) {
    size_t scripts = 0;
    while ((at = strchr(at, '<'))) {
        bool closes = at[1] == '/';
        const char *name = at + 1 + closes;
        size_t length = 0;
        if (strncmp(at, "<!--", 4) == 0) {
            at = behind(at, "-->");
            continue;
        }
        while (isalnum((unsigned char)name[length]) || name[length] == '!') length++;
        FUZZ_DEMAND(is_element(name, length));
        at = name + length;
        if (closes) continue;
        scripts += length == 6 && strncmp(name, "script", 6) == 0;
        if (length == 6 && strncmp(name, "script", 6) == 0) at = behind(at, "</script>");
        else if (length == 5 && strncmp(name, "style", 5) == 0) at = behind(at, "</style>");
        else {
            const char *end = strchr(at, '>'), *handler = strstr(at, " on");
            FUZZ_DEMAND(end && (!handler || handler > end));
        }
    }
    FUZZ_DEMAND(scripts <= 8);
}

static void left_out(void *context, const char *what) {
    (void)context;
    FUZZ_DEMAND(*what);
}

static void write_page(const fp_recorded *run, fp_page_format format, fp_arena *arena) {
    fp_recorded open = *run;
    open.manifest.complete = false; /* the tables are read, whatever run.json says of them */
    fp_page_run runs = {.run = &open};
    fp_page_options options = {.format = format, .left_out = left_out};
    const char *path = fuzz_path("page", arena);
    bool whole;
    fp_error error;
    if (fp_page_write(&runs, 1, &options, path, arena, &whole, &error) != FP_OK) {
        FUZZ_DEMAND(error.message[0]);
        return;
    }
    if (format == FP_PAGE_HTML) check_page(fp_string_copy(arena, fuzz_content(path, arena)));
}

void fuzz_run(fp_string input, fp_arena *arena) {
    unsigned choice = fuzz_choice(&input);
    const char *json = fuzz_file("run.json", fuzz_part(&input), arena);
    const char *directory = fp_string_copy(arena, (fp_string){json, (size_t)(strrchr(json, '/') - json)});
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        fp_string part = fuzz_part(&input);
        if (part.length) fuzz_file(TABLES[t], part, arena);
        else unlink(fuzz_path(TABLES[t], arena));
    }
    fp_recorded run, checked;
    fp_recorded_difference difference;
    fp_error error;
    if (fp_recorded_describe(directory, arena, &run, &error) == FP_OK)
        write_page(&run, (fp_page_format)(choice % FP_PAGE_FORMATS), arena);
    fp_recorded_read(directory, arena, &checked, &error);
    fp_recorded_compare(directory, directory, "results.tsv", arena, &difference, &error);
}
