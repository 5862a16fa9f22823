/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page.h - a run as one page, from the tables of `fplab eval`, without new computations.
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
    FP_PAGE_LATEX_TABLE, /* only the comparison of arms, for \input */
    FP_PAGE_FORMATS
} fp_page_format;

enum { FP_PAGE_EN = 1, FP_PAGE_ZH = 2, FP_PAGE_BOTH = 3 };

/* Why the pairs of a corpus are missing. */
typedef enum fp_page_lack {
    FP_PAGE_HAS,
    FP_PAGE_GONE,       /* the corpus is no longer at `detail` */
    FP_PAGE_CHANGED,    /* the corpus at `detail` has other checksums than run.json */
    FP_PAGE_UNREADABLE, /* it cannot be measured again; `detail` is the reason */
    FP_PAGE_TOO_MANY    /* all pairs of groups are counted, never listed */
} fp_page_lack;

/* A corpus of the run. */
typedef struct fp_page_corpus {
    const fp_pair_digest *digest; /* NULL if lacking */
    fp_page_lack lack;
    const char *detail;
} fp_page_corpus;

/* A run of the page. */
typedef struct fp_page_run {
    const fp_recorded *run;
    const fp_run_content *written; /* of a run just written, used instead of its tables; NULL: reads the tables */
    const char *figures; /* directory whose `plots` has the figures as SVG; NULL: none, without a call of left_out */
    /* [corpus_count] in the order of run.json, for pages that list the pairs of a count; 0: none was measured */
    const fp_page_corpus *corpora;
    size_t corpus_count;
} fp_page_run;

typedef struct fp_page_options {
    fp_page_format format;
    int languages;       /* FP_PAGE_EN …; 0: both */
    const char *title;   /* NULL: the names of the corpora */
    const char *folder;  /* directory of the figures in Markdown and LaTeX, with a subdirectory for each of several
                          * runs; NULL: "plots" */
    const char *picture; /* LaTeX: "pdf" or "tikz", format of the figures; NULL: pdf */
    bool wide;           /* LATEX_TABLE: page width, 174 mm; otherwise a column of 84 mm */
    /* Called for everything that the page omits: damaged tables, missing figures. May be NULL. */
    void (*left_out)(void *context, const char *what);
    void *context;
} fp_page_options;

/* Writes the page of runs[count ≥ 1] to `path`, complete or not at all. HTML needs neither a network nor other files;
 * Markdown and LaTeX refer to figures in `folder`; CSV and JSON contain only the tables. The same runs give the same
 * bytes. The tables of several runs are joined, and the page begins with a comparison of arms over their corpora. A
 * table that is missing, damaged or different from run.json is omitted; the page notes it, left_out is called, and
 * *complete becomes false. FP_ERROR_EMPTY: no readable table of an evaluation. FP_ERROR_SYNTAX: two runs differ in
 * columns, counted units or confidence. FP_ERROR_IO; FP_ERROR_MEMORY. Allocations from `like` never return NULL. */
fp_status fp_page_write(const fp_page_run *runs, size_t count, const fp_page_options *options, const char *path,
                        fp_arena *like, bool *complete, fp_error *error);

#endif
