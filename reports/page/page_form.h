/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page_form.h - what a page consists of, and the forms that it is written in: HTML, Markdown, LaTeX.
 */
#ifndef FP_PAGE_FORM_H
#define FP_PAGE_FORM_H

#include "corpora/json_writer.h"
#include "reports/analyses/analyses.h"
#include "reports/page/page.h"
#include "reports/runs/run_manifest.h"

/* ---- Every text of the page, in English and in Chinese (page_text.c) ---- */

/* Plain text in both languages, UTF-8; what comes from data is the same in both. */
typedef struct fp_page_text {
    const char *en, *zh;
} fp_page_text;

typedef enum fp_page_word {
#define WORD(id, en, zh) FP_WORD_##id,
#include "reports/page/page_words.def"
    FP_PAGE_WORDS
} fp_page_word;

/* One row of the words for columns, or of those for the script. */
typedef struct fp_page_named {
    const char *name;
    fp_page_text text;
} fp_page_named;

/* Ends with a NULL name. */
extern const fp_page_named fp_page_live_words[];

/* The words, with {0} … {9} replaced by `values`. */
fp_page_text fp_page_say(fp_page_word word, const fp_page_text *values, size_t count, fp_arena *arena);

/* How a column is called; measures by their labels, and a column that nobody named by its name, blanks for _. */
fp_page_text fp_page_column(const char *name, fp_arena *arena);

/* What stands in a table as a word: a verdict, yes, no. */
fp_page_text fp_page_cell_text(fp_string cell, fp_arena *arena);

/* Data as text: fp_plot_text makes it harmless for the reader's eye. */
fp_page_text fp_page_data(fp_string text, fp_arena *arena);

/* A number of a table for a reader: a share with three digits behind the point, another with four digits; NA is a dash.
 * What is no number stands as it is. */
fp_page_text fp_page_number(fp_string cell, bool share, fp_arena *arena);

/* "0.930 (0.854–0.955)", each as fp_page_number gives it; "to" stands between two limits of which one is negative.
 * Without the limits where neither is known. */
fp_page_text fp_page_with_limits(fp_string value, fp_string low, fp_string high, bool share, fp_arena *arena);

/* ---- What a page consists of ---- */

enum { FP_PAGE_NO_ARM = -1, FP_PAGE_TABLES = 64, FP_PAGE_NOTES = 64, FP_PAGE_MOST_ROWS = 500 };

/* A table of the run, once it was asked for. */
typedef struct fp_page_source {
    const char *name; /* "results" */
    bool good;
    fp_run_table table;
} fp_page_source;

struct fp_page_form;

typedef struct fp_page {
    FILE *stream;
    const struct fp_page_form *form;
    const fp_page_run *runs; /* [run_count] */
    size_t run_count;
    const fp_recorded *run; /* all of them as one (page_sources.c) */
    const fp_page_options *options;
    int languages;
    const char *confidence; /* "95%" */
    bool documents;         /* what is counted is documents */
    fp_string *arms;        /* [arm_count] labels, each once, in the order of the tables */
    size_t arm_count, corpus_count;
    fp_page_source sources[FP_PAGE_TABLES];
    size_t source_count;
    fp_page_text notes[FP_PAGE_NOTES];
    size_t note_count;
    fp_page_corpus *corpora; /* [corpus_with_pairs] of all runs; 0: no pairs */
    size_t corpus_with_pairs;
    const fp_pair_digest **digests;             /* [corpus_with_pairs] those that agree with the tables; else NULL */
    fp_page_text *lacks;                        /* [corpus_with_pairs] why there is none */
    size_t next_id;                             /* of what the page numbers: captions, pictures */
    size_t figures_of;                          /* the run whose figures are written */
    void (*escape)(FILE *to, const char *text); /* of page_prose.c; set where a form begins that uses it */
    bool whole;
    bool lost;       /* a stream had no memory: nothing is written */
    fp_error failed; /* a file that is there could not be read: nothing is written, either */
    fp_arena *arena;
} fp_page;

typedef struct fp_page_cell {
    fp_page_text text;
    int arm; /* hidden with that arm; FP_PAGE_NO_ARM */
    bool number;
} fp_page_cell;

/* What is set at the text of a cell. */
typedef struct fp_page_mark {
    const char *raised, *after; /* raised behind the text, and what follows it; NULL: nothing */
    bool best;                  /* of its column */
} fp_page_mark;

typedef struct fp_page_row {
    fp_page_cell *cells;
    int arm;
    bool marked; /* one of the thresholds 1–10 */
} fp_page_row;

typedef struct fp_page_grid {
    fp_page_text caption;
    size_t columns, row_count, left_out; /* rows that are in the file alone */
    const char *file;                    /* "results.tsv" */
    fp_page_cell *head;
    fp_page_row *rows;
    fp_page_mark *marks; /* [row_count · columns]; NULL: none. HTML does not show them. */
    bool folded, quiet;  /* quiet: the heading before it says what it is */
} fp_page_grid;

typedef enum fp_page_kind { FP_PAGE_PLAIN, FP_PAGE_LEAD, FP_PAGE_WARNING } fp_page_kind;

typedef struct fp_page_form {
    void (*begin)(fp_page *page, fp_page_text title);
    void (*end)(fp_page *page);
    void (*heading)(fp_page *page, const char *id, fp_page_text text); /* of a section, which ends with the next */
    void (*paragraph)(fp_page *page, fp_page_kind kind, fp_page_text text);
    void (*table)(fp_page *page, const fp_page_grid *grid);
    void (*term)(fp_page *page, fp_page_text name, fp_page_text text);
    /* The answer of a corpus, a name and a text a line; NULL: as terms. */
    void (*card)(fp_page *page, fp_string corpus, fp_page_text (*lines)[2], size_t count);
    void (*code)(fp_page *page, const char *text);
    /* plots/STEM-FIGURE.svg; `svg` is what it holds. */
    void (*figure)(fp_page *page, const char *name, fp_string svg, fp_page_text caption);
    void (*live)(fp_page *page);    /* the part that moves; NULL: none */
    void (*quality)(fp_page *page); /* pictures of quality against bytes and time; NULL: none */
} fp_page_form;

extern const fp_page_form fp_page_html, fp_page_markdown, fp_page_latex;

/* ---- Several runs as one (page_sources.c) ---- */

/* Fills page->run and page->corpora. */
void fp_page_join_runs(fp_page *page);
/* How many of the runs are evaluations. */
size_t fp_page_evaluations(const fp_page *page);
/* What a corpus of a run is called. */
const char *fp_page_corpus_name(fp_page *page, size_t run, const char *name);
/* Adds the rows of a run's table; `to` is zeroed before the first. FP_ERROR_SYNTAX when its columns differ. */
fp_status fp_page_join_tables(fp_page *page, size_t run, const fp_run_table *more, fp_run_table *to, fp_error *error);

/* ---- Making texts (page.c) ---- */

fp_page_text fp_page_words(fp_page *page, fp_page_word word, const fp_page_text *values, size_t count);
#define FP_SAY(page, word, ...)                                        \
    fp_page_words(page, FP_WORD_##word, (fp_page_text[]){__VA_ARGS__}, \
                  sizeof((fp_page_text[]){__VA_ARGS__}) / sizeof(fp_page_text))
#define FP_SAY_PLAIN(page, word) fp_page_words(page, FP_WORD_##word, NULL, 0)
fp_page_text fp_page_plain(const char *text); /* the same in both */
/* `more` behind a list, with `between` where something stands there. */
fp_page_text fp_page_append(fp_page *page, fp_page_text list, fp_page_text more, fp_page_text between);
/* The same with a comma. */
fp_page_text fp_page_list(fp_page *page, fp_page_text list, fp_page_text more);

/* Something is left out: in the page and, where it is to be told, to whoever asked. */
void fp_page_note(fp_page *page, fp_page_text text, bool told);

/* A table with room for so many cells, whose rows hide with no arm. */
fp_page_grid *fp_page_grid_new(fp_page *page, const char *file, size_t columns, size_t rows);
/* A cell that hides with no arm: a text, or a number. */
fp_page_cell fp_page_text_cell(fp_page_text text), fp_page_number_cell(fp_page_text text);

/* How many rows a table leaves to its file, where it does: a paragraph. */
void fp_page_put_left_out(fp_page *page, const fp_page_grid *grid);

/* ---- Tables of the run (page_sources.c) ---- */

/* Looks at what run.json lists, and reads every table of an evaluation. FP_ERROR_SYNTAX for tables of two runs that do
 * not go together; FP_ERROR_MEMORY. */
fp_status fp_page_check(fp_page *page, fp_error *error);
/* NULL: the run does not have it, or it cannot be read, which has been noted. */
const fp_run_table *fp_page_source_of(fp_page *page, const char *name);
/* A cell; empty where the table has no such column. */
fp_string fp_page_cell_of(fp_page *page, const fp_run_table *table, size_t row, const char *column);
/* Whether a cell says that. */
bool fp_page_says(fp_page *page, const fp_run_table *table, size_t row, const char *column, fp_string what);
/* The first row behind `row` that is of another corpus. */
size_t fp_page_corpus_end(fp_page *page, const fp_run_table *table, size_t row);
/* The same as a number; NaN for NA. */
double fp_page_real_of(fp_page *page, const fp_run_table *table, size_t row, const char *column);
/* The number of an arm among page->arms; FP_PAGE_NO_ARM. */
int fp_page_arm_of(const fp_page *page, fp_string label);
/* The place of a corpus among page->run->corpora, by what tables call it; SIZE_MAX. */
size_t fp_page_corpus_of(fp_page *page, fp_string cell);
/* Fills page->arms and corpus_count from summary.tsv or results.tsv; false when neither is there. */
bool fp_page_find_arms(fp_page *page);

/* ---- Parts ---- */

void fp_page_comparison(fp_page *page); /* page_compared.c */
void fp_page_tables(fp_page *page);     /* page_thresholds.c: the whole of CSV and JSON */

void fp_page_answer(fp_page *page);                                           /* page_answer.c */
void fp_page_compared(fp_page *page);                                         /* page_compared.c */
void fp_page_thresholds(fp_page *page);                                       /* page_thresholds.c */
void fp_page_section_summary(fp_page *page), fp_page_sections(fp_page *page); /* page_sections.c */
void fp_page_figures(fp_page *page);                                          /* page.c */
void fp_page_closing(fp_page *page);                                          /* page.c */

/* That negatives of a corpus were drawn, and how; empty where all were counted (page_live.c). */
fp_page_text fp_page_say_draw(fp_page *page, size_t corpus);
/* The text with what is to be said of all corpora behind it. */
fp_page_text fp_page_add_draws(fp_page *page, fp_page_text to);

/* What a row of differences.tsv says of an arm, which is its A or its B (page_answer.c). */
enum { FP_PAGE_BETTER, FP_PAGE_WORSE, FP_PAGE_WITHIN_MARGIN, FP_PAGE_OPEN, FP_PAGE_STANDINGS };
int fp_page_standing(fp_string verdict, bool is_a);

/* Writes the arms compared as a table that a document reads with \input, for a column or a page (page_prose.c). */
void fp_page_latex_table(fp_page *page, const fp_page_grid *grid, fp_page_text note);

/* ---- What the slider moves (page_live.c) ---- */

/* Looks whether the pairs that were measured are those of results.tsv, and notes what is missing. */
void fp_page_check_pairs(fp_page *page);
/* What the slider moves, as JSON that may stand within <script> (page_live.c). */
void fp_page_live_data(fp_page *page);

/* ---- HTML (page_html.c) ---- */

/* Text, and the value of an attribute. */
void fp_page_html_escape(FILE *to, const char *text);
/* The same in the languages of the page: both stand there, and the style shows the one that was chosen. */
void fp_page_html_put(fp_page *page, fp_page_text text);

/* ---- A picture of gnuplot as a part of a page (page_svg.c) ---- */

/* Writes the svg element: ids, and what refers to them, get a number of their own; fonts become the reader's plain one;
 * the size is left to the page; gnuplot's own titles and description go: it is described by the element with the id
 * caption<number>. `svg` is a whole picture of gnuplot. */
void fp_page_svg_write(FILE *to, fp_string svg, size_t number);

/* Whether the picture has the elements and attributes that gnuplot writes, and no others: no scripts, nothing from
 * elsewhere. */
bool fp_page_svg_is_harmless(fp_string svg);

/* The part that moves, and the pictures of quality against bytes and time, which its script draws. */
void fp_page_html_board(fp_page *page), fp_page_html_quality(fp_page *page);

#endif
