/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page.h - a run as one page: what was found, told from the tables that `fplab eval` wrote. Nothing is computed anew.
 */
#ifndef FP_PAGE_H
#define FP_PAGE_H

#include "eval/evaluation/pair_sample.h"
#include "reports/runs/recorded.h"

typedef enum fp_page_format {
    FP_PAGE_HTML,
    FP_PAGE_MARKDOWN,
    FP_PAGE_LATEX,
    FP_PAGE_CSV,
    FP_PAGE_JSON,
    FP_PAGE_LATEX_TABLE, /* the arms compared, and nothing else: for \input */
    FP_PAGE_FORMATS
} fp_page_format;

enum { FP_PAGE_EN = 1, FP_PAGE_ZH = 2, FP_PAGE_BOTH = 3 };

/* Why the pairs of a corpus are not at hand. */
typedef enum fp_page_lack {
    FP_PAGE_HAS,
    FP_PAGE_GONE,       /* the corpus is not at `detail` any more */
    FP_PAGE_CHANGED,    /* what is at `detail` has other checksums than run.json */
    FP_PAGE_UNREADABLE, /* it cannot be measured again: `detail` says why */
    FP_PAGE_TOO_MANY    /* all pairs of groups, which are never listed */
} fp_page_lack;

/* A corpus of the run. */
typedef struct fp_page_corpus {
    const fp_pair_digest *digest; /* NULL with a lack */
    fp_page_lack lack;
    const char *detail;
} fp_page_corpus;

/* A run that goes into the page. */
typedef struct fp_page_run {
    const fp_recorded *run;
    const fp_run_content
        *written;        /* what was just written of it, in place of reading its tables; NULL: they are read */
    const char *figures; /* the directory whose `plots` holds the figures as SVG; NULL: there are none, and left_out is
                            not told */
    /* [corpus_count] in the order of run.json, for pages whose counts can be opened; 0: none was measured. */
    const fp_page_corpus *corpora;
    size_t corpus_count;
} fp_page_run;

typedef struct fp_page_options {
    fp_page_format format;
    int languages;       /* FP_PAGE_EN …; 0: both */
    const char *title;   /* NULL: the corpora's names */
    const char *folder;  /* of the figures, as Markdown and LaTeX name it, with a folder for each of several runs; NULL:
                            "plots" */
    const char *picture; /* LaTeX: "pdf" or "tikz", what the figures are there as; NULL: pdf */
    bool wide;           /* LATEX_TABLE: over the page, 174 mm; else in a column of 84 mm */
    /* Told of all that the page leaves out: a table that is damaged, figures that are missing. May be NULL. */
    void (*left_out)(void *context, const char *what);
    void *context;
} fp_page_options;

/* Whether run.json says that documents were counted, and not pairs. */
bool fp_page_counts_documents(const fp_recorded *run);

/* Writes the page of runs[count ≥ 1] to `path`, complete or not at all. HTML needs neither a network nor a second file;
 * Markdown and LaTeX name the figures as files of `folder`; CSV and JSON hold the tables alone. The same runs give the
 * same bytes. Several runs are one: what they have of a table stands in one, and arms are compared over their corpora
 * first. A table that is missing, damaged or not the one that run.json names is left out: the page says so, and
 * left_out is told. *whole is false then. FP_ERROR_EMPTY when there is no table of an evaluation that can be read;
 * FP_ERROR_SYNTAX when tables of two runs do not have the same columns, or their counts or intervals are of another
 * kind; FP_ERROR_IO; FP_ERROR_MEMORY. `like`: an arena that never says that there is no memory, as fp_cli_arena; the
 * page has one like it. */
fp_status fp_page_write(const fp_page_run *runs, size_t count, const fp_page_options *options, const char *path,
                        fp_arena *like, bool *whole, fp_error *error);

#endif
