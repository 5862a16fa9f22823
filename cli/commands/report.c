/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab report: a run as one page. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/directory.h"
#include "base/output.h"
#include "cli/out.h"
#include "cli/run_corpora.h"
#include "reports/plots/picture.h"
#include "reports/plots/plot.h"

/* One of the runs, with the parts of its page. */
typedef struct reported {
    fp_recorded run;
    fp_temporary_directory made; /* for its figures */
    fp_cli_run_part *parts;
} reported;

typedef struct report_options {
    const char **paths; /* [count], then NULL */
    size_t count;
    const char *out, *language, *picture, *size;
    const char **moved; /* corpora: NAME=DIR */
    bool no_texts;
    fp_page_options page;
    bool drawn; /* false: no figures; the reason was reported */
    fp_arena *arena;
} report_options;

static void report_left_out(void *context, const char *what) {
    (void)context;
    fprintf(stderr, "fplab: report: %s\n", what);
}

/* ---- Figures ---- */

/* What LaTeX takes, beside the SVG by which figures are found. */
static int picture_of(const report_options *options) {
    return options->picture && strcmp(options->picture, "tikz") == 0 ? FP_PICTURE_TIKZ : FP_PICTURE_PDF;
}

/* The end of the pictures that LaTeX takes: ".pdf". */
static const char *end_of_pictures(const report_options *options) {
    return fp_format(options->arena, ".%s", fp_picture_names[picture_of(options)]);
}

/* Whether what the run lists is a picture, and is in `directory` with this end in place of ".svg". */
static bool is_there_as(const fp_run_manifest_file *listed, const char *directory, const char *end) {
    char path[PATH_MAX];
    size_t length = strlen(listed->name);
    if (strncmp(listed->name, "plots/", 6) != 0 || length <= 4 || strcmp(listed->name + length - 4, ".svg") != 0)
        return false;
    int needed = snprintf(path, sizeof path, "%s/%.*s%s", directory, (int)length - 4, listed->name, end);
    return needed > 0 && (size_t)needed < sizeof path && access(path, R_OK) == 0;
}

/* Whether a picture that the run lists as SVG is in `directory`. */
static bool has_pictures(const fp_recorded *run, const char *directory) {
    for (size_t i = 0; i < run->manifest.count; i++)
        if (is_there_as(run->manifest.files + i, directory, ".svg")) return true;
    return false;
}

/* Whether each of those is there as what ends so (".pdf"), too. */
static bool has_each_as(const fp_recorded *run, const char *directory, const char *end) {
    for (size_t i = 0; i < run->manifest.count; i++) {
        const fp_run_manifest_file *listed = run->manifest.files + i;
        if (is_there_as(listed, directory, ".svg") && !is_there_as(listed, directory, end)) return false;
    }
    return true;
}

static void draw(report_options *options, const char *place, unsigned formats, fp_page_run *to) {
    fp_error error = {0};
    fp_plot_options plots = {.formats = formats, .language = options->language, .like = options->arena};
    if (fp_plot_draw(place, NULL, &plots, &error) == FP_OK) return;
    options->drawn = false;
    to->figures = NULL;
    fprintf(stderr, "fplab: report: no figures: %s\n", error.message);
}

/* Uses the figures of the run, in their languages; draws them again if a language was requested or the run has no
 * figures. LaTeX cannot include SVG, so for LaTeX they are also drawn in another format. */
static int find_figures(report_options *options, const reported *of, fp_page_run *to) {
    const fp_recorded *run = &of->run;
    const char *place = of->made.path, *end = end_of_pictures(options);
    bool latex = options->page.format == FP_PAGE_LATEX;
    fp_error error = {0};
    if (options->page.format > FP_PAGE_LATEX) return FP_EXIT_SUCCESS;
    to->figures = run->manifest.complete ? place : run->directory;
    if (fp_run_link(run->directory, &run->manifest, place, !options->language, options->arena, &error) != FP_OK)
        return fp_cli_fail(&error);
    bool svg = has_pictures(run, place), drawn = !latex || (svg && has_each_as(run, place, end));
    unsigned missing = (svg ? 0 : 1u << FP_PICTURE_SVG) | (drawn ? 0 : 1u << picture_of(options));
    if (run->manifest.complete && missing) draw(options, place, missing, to);
    return FP_EXIT_SUCCESS;
}

/* ---- Where the page goes ---- */

/* Copies the pictures of place/plots that LaTeX takes into a directory, which is made; not those that the run `there`
 * (may be NULL) has. */
static fp_status put_pictures(const report_options *options, const char *place, const char *to, const char *there,
                              fp_error *error) {
    const char *from = fp_format(options->arena, "%s/plots", place), *end = end_of_pictures(options);
    DIR *stream;
    FP_TRY(fp_directory_open(from, &stream, error));
    if (!stream) return FP_OK;
    fp_status status = fp_make_directory(to, error);
    for (const struct dirent *entry; status == FP_OK && (entry = fp_directory_next(stream, from, &status, error));) {
        size_t length = strlen(entry->d_name);
        if (length <= strlen(end) || strcmp(entry->d_name + length - strlen(end), end) != 0) continue;
        const char *svg = fp_format(options->arena, "%s/%.*s.svg", from, (int)(length - strlen(end)), entry->d_name);
        const char *source = fp_format(options->arena, "%s/%s", from, entry->d_name),
                   *target = fp_format(options->arena, "%s/%s", to, entry->d_name),
                   *known = fp_format(options->arena, "%s/plots/%s", there ? there : to, entry->d_name);
        if (access(svg, F_OK) != 0) continue; /* the page does not have it */
        if (!there || access(known, F_OK) != 0) status = fp_run_copy(source, target, error);
    }
    closedir(stream);
    return status;
}

/* Into the run itself, whose run.json then lists it. */
static int put_within(const report_options *options, const reported *of, const char *page, const char *name) {
    fp_error error = {0};
    fp_run_directory directory;
    const fp_run_manifest nothing = {0}; /* run.json alone */
    const char *from = of->run.directory;
    int status = FP_EXIT_SUCCESS;
    FP_CLI_TRY(fp_cli_out_add(from, options->arena, &directory));
    const char *to = fp_format(options->arena, "%s/%s", directory.place, name),
               *plots = fp_format(options->arena, "%s/plots", directory.place);
    bool latex = options->page.format == FP_PAGE_LATEX;
    if (fp_run_link(from, &nothing, directory.place, false, options->arena, &error) != FP_OK ||
        (latex && put_pictures(options, of->made.path, plots, from, &error) != FP_OK) ||
        fp_run_copy(page, to, &error) != FP_OK)
        status = fp_cli_out_fail(&directory, &error);
    return fp_cli_out_commit(&directory, status);
}

/* Beside the page: "paper-figures" of "paper.tex". */
static const char *folder_of(const char *page, fp_arena *arena) {
    size_t length = strlen(page);
    bool tex = length > 4 && strcmp(page + length - 4, ".tex") == 0;
    return fp_format(arena, "%.*s-figures", (int)(tex ? length - 4 : length), page);
}

/* Each of several runs has a directory named by its number. */
static fp_status put_beside(const report_options *options, const reported *all, const char *page, const char *to,
                            fp_error *error) {
    const char *folder = folder_of(to, options->arena);
    bool latex = options->page.format == FP_PAGE_LATEX, several = options->count > 1;
    if (latex && several) FP_TRY(fp_make_directory(folder, error));
    for (size_t i = 0; latex && i < options->count; i++) {
        const char *own = several ? fp_format(options->arena, "%s/%zu", folder, i + 1) : folder;
        FP_TRY(put_pictures(options, all[i].made.path, own, NULL, error));
    }
    return fp_run_copy(page, to, error);
}

/* Where the page goes. */
typedef struct destination {
    const char *name, *path;
    bool within; /* an incomplete run keeps its run.json, which states that */
} destination;

static void find_destination(report_options *options, const fp_recorded *run, destination *to) {
    static const char *const NAMES[FP_PAGE_FORMATS] = {"index.html", "report.md",   "report.tex",
                                                       "report.csv", "report.json", "table.tex"};
    fp_error error = {0};
    bool intact = run->manifest.complete &&
                  fp_run_manifest_check(run->directory, &run->manifest, options->arena, &error) == FP_OK;
    to->name = NAMES[options->page.format];
    to->path = options->out ? options->out : fp_format(options->arena, "%s/%s", run->directory, to->name);
    to->within = !options->out && intact;
    if (to->within || options->page.format != FP_PAGE_LATEX) return;
    const char *folder = folder_of(to->path, options->arena), *slash = strrchr(folder, '/');
    options->page.folder = slash ? slash + 1 : folder;
}

static int put_page(const report_options *options, const reported *all, const char *page, const destination *to) {
    fp_error error = {0};
    int status = FP_EXIT_SUCCESS;
    if (to->within) status = put_within(options, all, page, to->name);
    else if (put_beside(options, all, page, to->path, &error) != FP_OK) status = fp_cli_fail(&error);
    if (status == FP_EXIT_SUCCESS) fp_cli_print("%s\n", to->path);
    return status;
}

/* ---- Pairs ---- */

/* Pairs are of labelled pairs, and of HTML, which can open them. */
static int measure_pairs(report_options *options, reported *of, fp_page_run *to) {
    const fp_recorded *run = &of->run;
    const char **paths = fp_arena_alloc(options->arena, run->corpus_count + 1, sizeof *paths);
    fp_page_corpus *corpora = fp_arena_alloc(options->arena, run->corpus_count + 1, sizeof *corpora);
    bool elsewhere;
    of->parts = fp_arena_alloc(options->arena, run->corpus_count + 1, sizeof *of->parts);
    int status = fp_cli_run_corpora(run, options->moved, options->arena, paths, &elsewhere);
    if (status != FP_EXIT_SUCCESS || options->page.format != FP_PAGE_HTML) return status;
    if (strcmp(run->arguments[0], "eval") != 0 || run->documents) return FP_EXIT_SUCCESS;
    status = fp_cli_run_measure(run, paths, !options->no_texts, options->arena, of->parts, corpora);
    to->corpora = corpora;
    to->corpus_count = run->corpus_count;
    return status;
}

/* ---- All ---- */

static int describe(const fp_command *command, const report_options *options, size_t at, reported *of) {
    fp_error error = {0};
    for (size_t i = 0; i < at; i++)
        if (strcmp(options->paths[i], options->paths[at]) == 0)
            return fp_cli_usage(command, "%s is named twice", options->paths[at]);
    bool good = fp_recorded_describe(options->paths[at], options->arena, &of->run, &error) == FP_OK;
    return good ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

/* A run ignores entries of other runs, so names that match no run are refused here. */
static int check_moved(const fp_command *command, const report_options *options, const reported *all) {
    for (const char *const *it = options->moved; it && *it; it++) {
        bool known = false;
        for (size_t i = 0; i < options->count; i++) known |= fp_cli_run_corpus_of(&all[i].run, *it) != SIZE_MAX;
        if (!known) return fp_cli_run_corpora_refuse(command, *it);
    }
    return FP_EXIT_SUCCESS;
}

static int prepare(report_options *options, reported *of, fp_page_run *to) {
    fp_error error = {0};
    if (fp_temporary_directory_open(&of->made, "report", &error) != FP_OK) return fp_cli_fail(&error);
    to->run = &of->run;
    FP_CLI_TRY(measure_pairs(options, of, to));
    return find_figures(options, of, to);
}

static int write_page(report_options *options, const reported *all, const fp_page_run *runs) {
    fp_error error = {0};
    bool whole;
    destination to = {0};
    find_destination(options, &all->run, &to);
    const char *page = fp_format(options->arena, "%s/page", all->made.path);
    if (fp_page_write(runs, options->count, &options->page, page, options->arena, &whole, &error) != FP_OK)
        return fp_cli_fail(&error);
    int status = put_page(options, all, page, &to);
    return status == FP_EXIT_SUCCESS && !(whole && options->drawn) ? FP_EXIT_FAILURE : status;
}

static int report(const fp_command *command, report_options *options) {
    reported *all = fp_arena_alloc(options->arena, options->count, sizeof *all);
    fp_page_run *runs = fp_arena_alloc(options->arena, options->count, sizeof *runs);
    int status = FP_EXIT_SUCCESS;
    for (size_t i = 0; i < options->count && status == FP_EXIT_SUCCESS; i++)
        status = describe(command, options, i, all + i);
    if (status == FP_EXIT_SUCCESS) status = check_moved(command, options, all);
    for (size_t i = 0; i < options->count && status == FP_EXIT_SUCCESS; i++)
        status = prepare(options, all + i, runs + i);
    if (status == FP_EXIT_SUCCESS) status = write_page(options, all, runs);
    for (size_t i = 0; i < options->count; i++) {
        if (all[i].parts) fp_cli_run_measure_free(all[i].parts, all[i].run.corpus_count);
        fp_temporary_directory_close(&all[i].made);
    }
    return status;
}

static const char FORMATS[] = "html markdown latex csv json latex-table"; /* fp_page_format */

static int read_options(const fp_command *command, report_options *chosen) {
    chosen->page.languages = fp_cli_run_page_languages(chosen->language);
    if (chosen->picture && chosen->page.format != FP_PAGE_LATEX)
        return fp_cli_usage(command, "--figures goes with --format latex");
    if (chosen->size && chosen->page.format != FP_PAGE_LATEX_TABLE)
        return fp_cli_usage(command, "--size goes with --format latex-table");
    chosen->page.wide = chosen->size && strcmp(chosen->size, "page") == 0;
    chosen->page.picture = chosen->picture;
    chosen->page.left_out = report_left_out;
    return fp_cli_run_corpora_check(command, chosen->moved);
}

static int run(const fp_command *command, int argc, const char **argv) {
    report_options chosen = {.drawn = true};
    fp_option options[] = {
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "write the page here, and leave RUN alone", "FILE"},
        FP_CLI_FORCE_OPTION,
        {"title", 0, FP_TAKES_TEXT(&chosen.page.title), "the title (default: the corpora's names)", "TEXT"},
        {"lang", 0, FP_TAKES_WORD(&chosen.language, "en zh both"),
         "of the page and its figures: en, zh, both (default)", "LANGUAGE"},
        {"format", 'f', FP_TAKES_CHOICE(&chosen.page.format, FORMATS),
         "html (default), markdown, latex, csv, json or latex-table", "PAGE"},
        {"figures", 0, FP_TAKES_WORD(&chosen.picture, "pdf tikz"), "of --format latex: pdf (default) or tikz",
         "PICTURE"},
        {"size", 0, FP_TAKES_WORD(&chosen.size, "column page"),
         "of --format latex-table: column (84 mm, default) or page (174 mm)", "SIZE"},
        {.kind = FP_OPTION_MORE},
        FP_CLI_RUN_CORPUS_OPTION(chosen.moved),
        {"no-texts", 0, FP_TAKES_FLAG(&chosen.no_texts), "list pairs by their ids alone", NULL},
        FP_CLI_PLUGIN_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    chosen.arena = arena;
    chosen.paths = arguments;
    while (arguments[chosen.count]) chosen.count++;
    if (!chosen.count) return fp_cli_usage(command, "no run given; name a directory that --out of eval named");
    if (chosen.count > 1 && !chosen.out) return fp_cli_usage(command, "a page of several runs needs --out FILE");
    FP_CLI_TRY(read_options(command, &chosen));
    return report(command, &chosen);
}

const fp_command fp_command_report = {
    .name = "report",
    .arguments = "RUN [RUN…] [OPTION…]",
    .summary = "write a run as one page: the answer, tables, figures, a threshold to move",
    .summary_zh = "把一次运行写成一页报告：结论、表、图、可移动的阈值",
    .introduction_zh =
        "把 fplab eval 的结果写成一页：先是结论，然后是每个指标及其置信区间、图、定义，以及如何重复这次运行。指标取自运行目录中的表。\n"
        "页面为 RUN/index.html 或指定的文件，不需要网络或其他文件。",
    .details = "Writes the results of `fplab eval` as one page: the answer in a paragraph, every figure with its\n"
               "interval, the pictures, the definitions, and how to repeat the run. Figures are those of the tables\n"
               "in RUN. The page is RUN/index.html, or FILE: one file that needs neither a network nor another file.\n"
               "With --lang both, it has a button for each language. `fplab eval --report` writes the same.\n"
               "\n"
               "In the page a slider moves the threshold; a cost or a required precision sets it for each arm. Boxes\n"
               "select arms, kinds and lengths. A count opens the pairs behind it, with both texts and their\n"
               "differences. The pairs come from the corpus of the run, which is measured again; if it is missing or\n"
               "has changed, the page says so and shows the rest. Of more than 5,000 pairs a sample is listed;\n"
               "counts are those of all. The page then contains the texts: --no-texts omits them.\n"
               "\n"
               "With several runs the page first compares the arms over their corpora. Different arms of one name,\n"
               "and corpora of one name, are followed by the name of their run. Runs whose tables have different\n"
               "columns are refused.\n"
               "\n"
               "--format markdown writes RUN/report.md: the same tables; figures are linked as files of plots/.\n"
               "--format latex writes RUN/report.tex, a document for XeLaTeX with booktabs and ctex, and draws its\n"
               "figures in plots/, or in FILE-figures beside FILE.tex: as PDF, or with --figures tikz for\n"
               "gnuplot-lua-tikz. --format latex-table writes only the table of the arms, RUN/table.tex, for\n"
               "\\input, in one column or, with --size page, over both: letters at a figure name the arms that it\n"
               "beats significantly. --format json (RUN/report.json) and --format csv (RUN/report.csv, one cell a\n"
               "line) contain the tables for programs, with all digits.\n"
               "\n"
               "The figures are those in RUN/plots; with --lang, or if RUN has none, gnuplot draws them for the\n"
               "page. A table that is missing, damaged or does not match run.json is omitted: the page and standard\n"
               "error say so, and the exit status is 1.",
    .examples = "  fplab report demo\n"
                "  fplab report demo --lang zh --no-texts --out demo-zh.html\n"
                "  fplab report demo --format markdown --lang en --out demo.md\n"
                "  fplab report demo --format latex-table --lang en --out arms.tex\n"
                "  fplab report demo demo-2 --out both.html",
    .run = run,
};
