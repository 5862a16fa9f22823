/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page_form.h - the content of a page, and its output forms: HTML, Markdown, LaTeX.
 */
#ifndef FP_PAGE_FORM_H
#define FP_PAGE_FORM_H

#include "corpora/json_writer.h"
#include "reports/analyses/analyses.h"
#include "reports/page/page.h"
#include "reports/runs/run_manifest.h"

/* ---- Texts of the page, in English and in Chinese (page_text.c) ---- */

struct fp_page;

/* Plain text in both languages, UTF-8; text from data is the same in both. */
typedef fp_bilingual fp_page_text;

typedef enum fp_page_word {
#define WORD(id, en, zh) FP_WORD_##id,
#include "reports/page/page_words.def"
    FP_PAGE_WORDS
} fp_page_word;
extern const fp_page_text fp_page_texts[FP_PAGE_WORDS];

/* The text with {0} … {9} replaced by `values`. FP_SAY: that of a word and the listed values; FP_WORD: of a word
 * without values. */
fp_page_text fp_page_fill(struct fp_page *page, fp_page_text text, const fp_page_text *values, size_t count);
#define FP_SAY(page, word, ...)                                      \
    fp_page_fill(page, FP_WORD(word), (fp_page_text[]){__VA_ARGS__}, \
                 sizeof((fp_page_text[]){__VA_ARGS__}) / sizeof(fp_page_text))
#define FP_WORD(word) (fp_page_texts[FP_WORD_##word])

/* The same in both languages; a number without decimals; FP_FORMATTED: as printf. */
fp_page_text fp_page_plain(const char *text);
fp_page_text fp_page_count(struct fp_page *page, double count);
#define FP_FORMATTED(page, ...) fp_page_plain(fp_format((page)->arena, __VA_ARGS__))

/* `list` and `more`, separated by `between` unless `list` is empty; and by a comma. */
fp_page_text fp_page_append(struct fp_page *page, fp_page_text list, fp_page_text more, fp_page_text between);
fp_page_text fp_page_list(struct fp_page *page, fp_page_text list, fp_page_text more);

/* The label of a column. Measures have their own labels; otherwise the column's name with spaces for _. */
fp_page_text fp_page_column(struct fp_page *page, const char *name);
fp_page_text fp_page_label(struct fp_page *page, fp_string name);

/* Data as text; fp_plot_text replaces misleading characters. */
fp_page_text fp_page_data(struct fp_page *page, fp_string text);
fp_page_text fp_page_name(struct fp_page *page, const char *text);

/* A cell that is a known word, such as a verdict; NA is a dash, other cells are data. */
fp_page_text fp_page_cell_text(struct fp_page *page, fp_string cell);

/* Whether a cell is empty or NA. */
bool fp_page_is_none(fp_string cell);

/* A number of a table in readable form: three decimals for a share, otherwise four significant digits. Other cells as
 * above. */
fp_page_text fp_page_number(struct fp_page *page, fp_string cell, bool share);

/* "0.930 (0.854–0.955)", each as in fp_page_number; with "to" between limits if the lower one is negative. No limits if
 * both are unknown. */
fp_page_text fp_page_with_limits(struct fp_page *page, fp_string value, fp_string low, fp_string high, bool share);

/* ---- Content of a page ---- */

enum { FP_PAGE_NO_ARM = -1, FP_PAGE_TABLES = 64, FP_PAGE_NOTES = 64, FP_PAGE_MOST_ROWS = 500 };

/* A table of the run that was requested once. */
typedef struct fp_page_source {
    const char *name;   /* "results" */
    fp_run_table table; /* of all runs; without a header: no run has it, or it is unreadable */
} fp_page_source;

struct fp_page_form;

typedef struct fp_page {
    FILE *stream;
    const struct fp_page_form *form;
    const fp_page_run *runs; /* [run_count] */
    size_t run_count;
    const fp_recorded *run; /* all runs joined (page_sources.c) */
    const fp_page_options *options;
    int languages;
    const char *confidence; /* "95%" */
    bool documents;         /* documents are counted, not pairs */
    fp_string *arms;        /* [arm_count] distinct labels, in the order of the tables */
    size_t arm_count, corpus_count;
    fp_page_source sources[FP_PAGE_TABLES];
    size_t source_count;
    fp_page_text notes[FP_PAGE_NOTES];
    size_t note_count;
    fp_page_corpus *corpora; /* [corpus_with_pairs] of all runs; 0: no pairs */
    size_t corpus_with_pairs;
    const fp_pair_digest **digests; /* [corpus_with_pairs]; NULL: missing, or different from the tables */
    fp_page_text *lacks;            /* [corpus_with_pairs] why the digest is NULL */
    size_t next_id;                 /* next number of captions and pictures */
    size_t figures_of;              /* the run whose figures are being written */
    bool complete;                  /* nothing was omitted */
    bool lost;                      /* memory ran out in a stream: no page is written */
    fp_error failed;                /* an existing file could not be read: no page is written */
    fp_arena *arena;
} fp_page;

typedef struct fp_page_cell {
    fp_page_text text;
    int arm; /* hidden with this arm; or FP_PAGE_NO_ARM */
    bool number;
    bool best;                  /* the largest of its column */
    const char *raised, *after; /* superscript, and text after it; NULL: none. HTML omits these marks. */
} fp_page_cell;

typedef struct fp_page_row {
    fp_page_cell *cells;
    int arm;
    bool marked; /* one of the thresholds 1 to 10 */
} fp_page_row;

typedef struct fp_page_grid {
    fp_page_text caption;
    size_t columns, row_count, left_out; /* left_out: rows only in the file */
    const char *file;                    /* "results.tsv" */
    fp_page_cell *head;
    fp_page_row *rows;
    bool folded, quiet, marks; /* quiet: the heading before it serves as the caption */
} fp_page_grid;

typedef struct fp_page_prose fp_page_prose; /* signs of Markdown and LaTeX (page_prose.c) */

typedef struct fp_page_form {
    const fp_page_prose *prose; /* NULL: HTML */
    void (*escape)(FILE *to, const char *text);
    void (*begin)(fp_page *page, fp_page_text title);
    void (*end)(fp_page *page);
    void (*heading)(fp_page *page, const char *id, fp_page_text text); /* starts a section; ends the previous one */
    void (*paragraph)(fp_page *page, fp_page_text text);
    void (*warning)(fp_page *page, fp_page_text text);
    void (*table)(fp_page *page, const fp_page_grid *grid);
    void (*term)(fp_page *page, fp_page_text name, fp_page_text text);
    /* The answer of a corpus, each line with a name and a text; NULL: written as terms. */
    void (*card)(fp_page *page, fp_string corpus, fp_page_text (*lines)[2], size_t count);
    void (*code)(fp_page *page, const char *text);
    /* plots/STEM-FIGURE.svg; `svg` is its content. */
    void (*figure)(fp_page *page, const char *name, fp_string svg, fp_page_text caption);
    void (*live)(fp_page *page);    /* interactive part; NULL: none */
    void (*quality)(fp_page *page); /* plots of quality against bytes and time; NULL: none */
} fp_page_form;

extern const fp_page_form fp_page_html, fp_page_markdown, fp_page_latex;

/* ---- Joining several runs (page_sources.c) ---- */

/* Fills page->run and page->corpora. */
void fp_page_join_runs(fp_page *page);
/* Number of runs that are evaluations. */
size_t fp_page_evaluations(const fp_page *page);
/* The name of a run's corpus on the page. */
const char *fp_page_corpus_name(fp_page *page, size_t run, const char *name);
/* Appends the rows of a run's table; `to` is zeroed before the first call. FP_ERROR_SYNTAX: the columns differ. */
fp_status fp_page_join_tables(fp_page *page, size_t run, const fp_run_table *more, fp_run_table *to, fp_error *error);

/* ---- Parts of every page (page.c) ---- */

/* Notes an omission on the page and, if `reports`, calls left_out. */
void fp_page_note(fp_page *page, fp_page_text text, bool reports);

/* A table of this size, of dashes; no arm hides its rows. */
fp_page_grid *fp_page_grid_new(fp_page *page, const char *file, size_t columns, size_t rows);
/* A cell that no arm hides: a text, or a number. */
fp_page_cell fp_page_text_cell(fp_page_text text), fp_page_number_cell(fp_page_text text);

/* Writes a paragraph with the number of rows that only the file has, if any. */
void fp_page_put_left_out(fp_page *page, const fp_page_grid *grid);

/* ---- Tables of the run (page_sources.c) ---- */

/* Compares files with run.json, and reads every table of an evaluation. FP_ERROR_SYNTAX: tables of two runs that cannot
 * be joined; FP_ERROR_MEMORY. */
fp_status fp_page_check(fp_page *page, fp_error *error);
/* NULL: the run lacks the table, or it is unreadable, which is then noted. */
const fp_run_table *fp_page_source_of(fp_page *page, const char *name);
/* The first row after `row` of another corpus. */
size_t fp_page_corpus_end(const fp_run_table *table, size_t row);
/* Whether tables by threshold mark the row: thresholds 1 to 10. */
bool fp_page_is_marked(const fp_run_table *table, size_t row);
/* The index of an arm in page->arms; FP_PAGE_NO_ARM: none. */
int fp_page_arm_of(const fp_page *page, fp_string label);
/* The index of a corpus in page->run->corpora, by its name in tables; SIZE_MAX: none. */
size_t fp_page_corpus_of(fp_page *page, fp_string cell);
/* Fills page->arms and corpus_count from summary.tsv or results.tsv; false: neither exists. */
bool fp_page_find_arms(fp_page *page);

/* ---- Parts ---- */

void fp_page_comparison(fp_page *page); /* page_compared.c */
void fp_page_tables(fp_page *page);     /* page_thresholds.c: the whole page for CSV and JSON */

void fp_page_answer(fp_page *page);                                           /* page_answer.c */
void fp_page_compared(fp_page *page);                                         /* page_compared.c */
void fp_page_thresholds(fp_page *page);                                       /* page_thresholds.c */
void fp_page_section_summary(fp_page *page), fp_page_sections(fp_page *page); /* page_sections.c */
void fp_page_figures(fp_page *page);                                          /* page.c */
void fp_page_closing(fp_page *page);                                          /* page.c */

/* Describes the sample of negatives of a corpus; empty if all were counted (page_live.c). */
fp_page_text fp_page_sample_of(fp_page *page, size_t corpus);
/* The text, followed by these descriptions for all corpora. */
fp_page_text fp_page_add_samples(fp_page *page, fp_page_text to);

/* The verdict of a row of differences.tsv on its arm A or B (page_answer.c). */
enum { FP_PAGE_BETTER, FP_PAGE_WORSE, FP_PAGE_WITHIN_MARGIN, FP_PAGE_OPEN, FP_PAGE_STANDINGS };
int fp_page_standing(fp_string verdict, bool is_a);

/* Writes the comparison of arms as a table for \input, one column or one page wide (page_prose.c). */
void fp_page_latex_table(fp_page *page, const fp_page_grid *grid, fp_page_text note);

/* ---- Data of the slider (page_live.c) ---- */

/* Checks that measured pairs agree with results.tsv, and notes what is missing. */
void fp_page_check_pairs(fp_page *page);
/* Writes the data of the slider as JSON that is safe inside <script>. */
void fp_page_live_data(fp_page *page);

/* ---- HTML (page_html.c) ---- */

/* Escapes text for elements and attribute values. */
void fp_page_html_escape(FILE *to, const char *text);
/* ---- gnuplot's pictures as parts of a page (page_svg.c) ---- */

/* Writes the svg element of a complete picture of gnuplot. Ids and references get `number` as a prefix, and fonts
 * become sans-serif. Removes the size, which the page sets, and gnuplot's titles and description; the element with the
 * id caption<number> describes the picture. */
void fp_page_svg_write(FILE *to, fp_string svg, size_t number);

/* Whether the picture is complete, and has only elements and attributes that gnuplot writes: no scripts, no external
 * references. */
bool fp_page_svg_is_harmless(fp_string svg);

#endif
