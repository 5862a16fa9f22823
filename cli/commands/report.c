/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab report: a run as one page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/out.h"
#include "cli/run_corpora.h"
#include "cli/run_measure.h"
#include "cli/run_page.h"
#include "reports/plots/plot.h"
#include "reports/runs/run_adopt.h"
#include "reports/runs/run_place.h"

/* One of the runs, with what is made for its page. */
typedef struct reported {
    fp_recorded run;
    const char *place; /* a directory for its figures */
    fp_cli_run_part *parts;
} reported;

typedef struct report_options {
    const char **paths; /* [count], then NULL */
    size_t count;
    const char *out, *format, *language;
    const char **moved; /* corpora: NAME=DIR */
    bool no_texts;
    fp_page_options page;
    bool drawn; /* false: there are no figures, and why was told */
    fp_arena *arena;
} report_options;

static void tell_left_out(void *context, const char *what) {
    (void)context;
    fprintf(stderr, "fplab: report: %s\n", what);
}

/* ---- Figures ---- */

/* A picture for the page; LaTeX takes PDF, and its names stand in the page as those of the SVG do. */
static unsigned formats_of(fp_page_format format) {
    return 1u << FP_PICTURE_SVG | (format == FP_PAGE_LATEX ? 1u << FP_PICTURE_PDF : 0);
}

/* Those that the run has, in the languages it has them in; or drawn anew where a language was asked for, or there are
 * none. */
static int find_figures(report_options *options, const reported *of, fp_page_run *to) {
    const fp_recorded *run = &of->run;
    const char *place = of->place;
    fp_error error = {0};
    if (options->page.format > FP_PAGE_LATEX) return -1;
    to->figures = run->manifest.complete ? place : run->directory;
    if (fp_run_adopt(run->directory, &run->manifest, place, !options->language, options->arena, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (!run->manifest.complete || fp_cli_run_page_has_pictures(run, place, options->arena)) return -1;
    fp_plot_options plots = {.formats = formats_of(options->page.format), .language = options->language};
    if (fp_plot_draw(place, NULL, &plots, &error) == FP_OK) return -1;
    options->drawn = false;
    to->figures = NULL;
    fprintf(stderr, "fplab: report: no figures: %s\n", error.message);
    return -1;
}

/* ---- Where the page goes ---- */

/* Into the run itself, whose run.json then lists it. */
static int put_within(const report_options *options, const fp_recorded *run, const char *page, const char *name) {
    fp_error error = {0};
    fp_run_directory directory;
    int status = fp_cli_out_open(run->directory, options->arena, &directory);
    if (status >= 0) return status;
    directory.keeps_plots = true;
    const char *to = fp_format(options->arena, "%s/%s", directory.place, name);
    if (!to) status = fp_cli_no_memory();
    else if (fp_run_adopt(run->directory, &run->manifest, directory.place, true, options->arena, &error) != FP_OK ||
             fp_run_copy(page, to, &error) != FP_OK)
        status = fp_cli_out_fail(&directory, &error);
    return fp_cli_out_commit(&directory, status < 0 ? FP_EXIT_SUCCESS : status);
}

/* A run that is not whole keeps its run.json, which says so. */
static int put_page(const report_options *options, const fp_recorded *run, const char *page) {
    static const char *const NAMES[] = {"index.html", "report.md", "report.tex", "report.csv", "report.json"};
    fp_error error = {0};
    const char *name = NAMES[options->page.format],
               *to = options->out ? options->out : fp_format(options->arena, "%s/%s", run->directory, name);
    if (!to) return fp_cli_no_memory();
    bool intact = run->manifest.complete && fp_run_manifest_check(run->directory, &run->manifest, &error) == FP_OK;
    int status = FP_EXIT_SUCCESS;
    error = (fp_error){0};
    if (!options->out && intact) {
        fp_run_manifest manifest = run->manifest; /* an earlier page of the same name makes room */
        fp_recorded without = *run;
        without.manifest = fp_cli_run_page_manifest_without(&manifest, name, options->arena);
        status = put_within(options, &without, page, name);
    } else if (fp_run_copy(page, to, &error) != FP_OK) status = fp_cli_fail(&error);
    if (status == FP_EXIT_SUCCESS) fp_cli_print("%s\n", to);
    return status;
}

/* ---- Pairs ---- */

/* Whether NAME=DIR is of a corpus of the run. */
static bool is_moved_of(const fp_recorded *run, const char *moved) {
    for (size_t i = 0; i < run->corpus_count; i++) {
        size_t length = strlen(run->corpora[i].name);
        if (strncmp(moved, run->corpora[i].name, length) == 0 && moved[length] == '=') return true;
    }
    return false;
}

/* Of --corpus what is of this run; of one run all, so that a wrong name is told. */
static const char **moved_of(const report_options *options, const reported *of) {
    size_t count = 0, kept = 0;
    while (options->moved && options->moved[count]) count++;
    const char **made = fp_arena_alloc(options->arena, count + 1, sizeof *made);
    for (size_t i = 0; made && i < count; i++)
        if (options->count == 1 || is_moved_of(&of->run, options->moved[i])) made[kept++] = options->moved[i];
    return made;
}

/* Pairs are of labelled pairs, and of HTML, which can open them. */
static int measure_pairs(const fp_command *command, report_options *options, reported *of, fp_page_run *to) {
    const fp_recorded *run = &of->run;
    const char **paths = fp_arena_alloc(options->arena, run->corpus_count + 1, sizeof *paths),
               **moved = moved_of(options, of);
    fp_page_corpus *corpora = fp_arena_alloc(options->arena, run->corpus_count + 1, sizeof *corpora);
    bool elsewhere;
    of->parts = fp_arena_alloc(options->arena, run->corpus_count + 1, sizeof *of->parts);
    if (!paths || !moved || !corpora || !of->parts) return fp_cli_no_memory();
    int status = fp_cli_run_corpora(command, run, moved, options->arena, paths, &elsewhere);
    if (status >= 0 || options->page.format != FP_PAGE_HTML) return status;
    if (strcmp(run->arguments[0], "eval") != 0 || fp_page_counts_documents(run, options->arena)) return -1;
    status = fp_cli_run_measure(run, paths, !options->no_texts, options->arena, of->parts, corpora);
    to->corpora = corpora;
    to->corpus_count = run->corpus_count;
    return status;
}

/* ---- All ---- */

static const char *make_place(fp_arena *arena) {
    const char *named = getenv("TMPDIR"), *parent = named && *named ? named : P_tmpdir;
    char *place = fp_format(arena, "%s/fplab-report-XXXXXX", parent);
    if (!place) return fp_cli_no_memory(), NULL;
    if (mkdtemp(place)) return place;
    fprintf(stderr, "fplab: cannot make a directory in %s: %s\n", parent, strerror(errno));
    return NULL;
}

static int prepare(const fp_command *command, report_options *options, size_t at, reported *of, fp_page_run *to) {
    fp_error error = {0};
    for (size_t i = 0; i < at; i++)
        if (strcmp(options->paths[i], options->paths[at]) == 0)
            return fp_cli_usage(command, "%s is named twice", options->paths[at]);
    if (fp_recorded_describe(options->paths[at], options->arena, &of->run, &error) != FP_OK) return fp_cli_fail(&error);
    of->place = make_place(options->arena);
    if (!of->place) return FP_EXIT_FAILURE;
    to->run = &of->run;
    int status = measure_pairs(command, options, of, to);
    return status < 0 ? find_figures(options, of, to) : status;
}

static int write_page(const report_options *options, const reported *all, const fp_page_run *runs) {
    fp_error error = {0};
    bool whole;
    const char *page = fp_format(options->arena, "%s/page", all->place);
    if (!page) return fp_cli_no_memory();
    if (fp_page_write(runs, options->count, &options->page, page, &whole, &error) != FP_OK) return fp_cli_fail(&error);
    int status = put_page(options, &all->run, page);
    return status == FP_EXIT_SUCCESS && !(whole && options->drawn) ? FP_EXIT_FAILURE : status;
}

static int report(const fp_command *command, report_options *options) {
    reported *all = fp_arena_alloc(options->arena, options->count, sizeof *all);
    fp_page_run *runs = fp_arena_alloc(options->arena, options->count, sizeof *runs);
    if (!all || !runs) return fp_cli_no_memory();
    int status = -1;
    for (size_t i = 0; i < options->count && status < 0; i++) status = prepare(command, options, i, all + i, runs + i);
    if (status < 0) status = write_page(options, all, runs);
    for (size_t i = 0; i < options->count; i++) {
        if (all[i].parts) fp_cli_run_measure_free(all[i].parts, all[i].run.corpus_count);
        if (all[i].place) fp_run_remove(all[i].place);
    }
    return status;
}

static int read_options(const fp_command *command, report_options *chosen) {
    static const char *const FORMATS[] = {"html", "markdown", "latex", "csv", "json", NULL};
    int format = 0;
    while (chosen->format && FORMATS[format] && strcmp(FORMATS[format], chosen->format) != 0) format++;
    if (!FORMATS[format])
        return fp_cli_usage(command, "--format takes html, markdown, latex, csv or json, not %s", chosen->format);
    if (!fp_cli_run_page_languages(chosen->language, &chosen->page.languages))
        return fp_cli_usage(command, "--lang takes en, zh or both, not %s", chosen->language);
    chosen->page.format = (fp_page_format)format;
    chosen->page.left_out = tell_left_out;
    return -1;
}

static int run(const fp_command *command, int argc, const char **argv) {
    report_options chosen = {.drawn = true};
    fp_option options[] = {
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write the page here, and leave RUN alone", "FILE"},
        {"lang", 0, FP_TAKES_TEXT(&chosen.language), "of the page and its figures: en, zh, both (default)", "LANGUAGE"},
        {"format", 'f', FP_TAKES_TEXT(&chosen.format), "html (default), markdown, latex, csv or json", "PAGE"},
        FP_CLI_RUN_CORPUS_OPTION(chosen.moved),
        {"no-texts", 0, FP_TAKES_FLAG(&chosen.no_texts), "list pairs by their ids alone", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    const char **arguments;
    int status = fp_cli_begin(command, argc, argv, options, &arguments, &chosen.arena);
    if (status >= 0) return status;
    chosen.paths = arguments;
    while (arguments[chosen.count]) chosen.count++;
    if (!chosen.count) status = fp_cli_usage(command, "which run? Name a directory that --out of eval named");
    else if (chosen.count > 1 && !chosen.out)
        status = fp_cli_usage(command, "--out FILE says where the page of several runs goes");
    else if ((status = read_options(command, &chosen)) < 0) status = report(command, &chosen);
    fp_cli_end(options, chosen.arena);
    return status;
}

const fp_command fp_command_report = {
    .name = "report",
    .arguments = "RUN [RUN…] [OPTION…]",
    .summary = "write a run as one page: the answer, tables, figures, a threshold to move",
    .details = "Writes what `fplab eval` found as one page: the answer in a paragraph, every figure with its\n"
               "interval, the pictures, the definitions, and how to repeat the run. Figures are those of the tables\n"
               "in RUN. The page is RUN/index.html, or FILE: one file that needs neither a network nor another\n"
               "file. With --lang both, it has a button for each language. `fplab eval --report` writes the same.\n"
               "\n"
               "In the page a slider moves the threshold; so do a cost and a wanted precision, for each arm its own.\n"
               "Boxes choose arms, kinds and lengths. A count opens the pairs behind it, with both texts and what\n"
               "differs in them. They come from the corpus that the run names, which is measured again; where it\n"
               "has gone or changed since, the page says so, and has the rest. Of more than 5,000 pairs a sample is\n"
               "listed, counts stay those of all. The texts are in the page then: --no-texts leaves them out.\n"
               "\n"
               "Of several runs the page compares the arms over their corpora first. Arms of one name that are not\n"
               "the same, and corpora of one name, get that of their run behind it. Runs whose tables have other\n"
               "columns are refused.\n"
               "\n"
               "--format markdown writes RUN/report.md, --format latex RUN/report.tex (XeLaTeX, booktabs): the same\n"
               "tables; figures are named as files of plots/. --format json (RUN/report.json) and --format csv\n"
               "(RUN/report.csv, a line a cell) hold the tables for programs, with all digits.\n"
               "\n"
               "The figures are those in RUN/plots; with --lang, or where RUN has none, gnuplot draws them for the\n"
               "page. A table that is missing, damaged or not the one that run.json names is left out: the page and\n"
               "standard error say so, and the exit status is 1.",
    .examples = "  fplab report demo\n"
                "  fplab report demo --lang zh --no-texts --out demo-zh.html\n"
                "  fplab report demo --format markdown --lang en --out demo.md\n"
                "  fplab report demo demo-2 --out both.html",
    .run = run,
};
