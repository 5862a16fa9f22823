/* SPDX-License-Identifier: GPL-3.0-or-later
 * The answer: the best arm, its threshold, quality and cost, and the certainty of the choice. Every figure is in a
 * table of the run. */
#include <math.h>

#include "reports/page/page_form.h"
#include "reports/tables/results.h"

/* One corpus: its rows of summary.tsv, the one with the largest average precision, and answer.tsv, which runs of
 * earlier versions lack. */
typedef struct answer {
    fp_page *page;
    const fp_run_table *summary, *cards;
    size_t first, last, best; /* rows */
    fp_string corpus, arm;
} answer;

static fp_page_text cell(const answer *of, const fp_run_table *table, size_t row, const char *column, bool share) {
    return fp_page_number(of->page, fp_run_cell(table, row, column), share);
}

/* "0.930 (0.854 to 0.955)" */
static fp_page_text with_interval(const answer *of, const fp_run_table *table, size_t row, const char *column) {
    const char *low = fp_format(of->page->arena, "%s_low", column),
               *high = fp_format(of->page->arena, "%s_high", column);
    return FP_SAY(of->page, RANGE, cell(of, table, row, column, true), cell(of, table, row, low, true),
                  cell(of, table, row, high, true));
}

static bool is_of_corpus(const answer *of, const fp_run_table *table, size_t row) {
    return fp_run_cell_is(table, row, "corpus", of->corpus);
}

/* Names joined for a sentence: "A", "A and B", "A, B and C". */
typedef struct names {
    fp_page_text before, last;
} names;

static void add_name(fp_page *page, names *to, fp_page_text name) {
    if (to->last.en) to->before = to->before.en ? fp_page_list(page, to->before, to->last) : to->last;
    to->last = name;
}

static fp_page_text spell_names(fp_page *page, const names *of) {
    return of->before.en ? FP_SAY(page, AND, of->before, of->last) : of->last;
}

/* ---- Differences ---- */

static bool begins(fp_string text, const char *with) { return fp_string_begins(text, fp_string_of(with)); }

int fp_page_standing(fp_string verdict, bool is_a) {
    if (begins(verdict, "A is better")) return is_a ? FP_PAGE_BETTER : FP_PAGE_WORSE;
    if (begins(verdict, "B is better")) return is_a ? FP_PAGE_WORSE : FP_PAGE_BETTER;
    if (begins(verdict, "within") || begins(verdict, "equal")) return FP_PAGE_WITHIN_MARGIN;
    return begins(verdict, "could differ") ? FP_PAGE_OPEN : FP_PAGE_STANDINGS;
}

static fp_page_text compared_figure(fp_page *page, const fp_run_table *table, size_t row) {
    fp_page_text label = fp_page_label(page, fp_run_cell(table, row, "figure"));
    fp_string threshold = fp_run_cell(table, row, "threshold");
    if (fp_page_is_none(threshold)) return label;
    return FP_SAY(page, AT, label, fp_page_data(page, threshold));
}

/* The arm that this row of differences.tsv compares with `arm` on the corpus; NULL data: none. */
static fp_string other_arm(const answer *of, const fp_run_table *table, size_t row, fp_string arm, bool *is_a) {
    fp_string a = fp_run_cell(table, row, "arm_a"), b = fp_run_cell(table, row, "arm_b");
    *is_a = fp_string_equal(a, arm);
    bool either = *is_a != fp_string_equal(b, arm);
    return either && is_of_corpus(of, table, row) ? *is_a ? b : a : (fp_string){NULL, 0};
}

static fp_page_text add_differences(answer *of, fp_page_text text) {
    static const fp_page_word WORDS[FP_PAGE_STANDINGS] = {FP_WORD_ANSWER_BETTER, FP_WORD_ANSWER_WORSE,
                                                          FP_WORD_ANSWER_WITHIN, FP_WORD_ANSWER_OPEN};
    fp_page *page = of->page;
    const fp_run_table *table = fp_page_source_of(page, "differences");
    names lists[FP_PAGE_STANDINGS + 1] = {0};
    fp_page_text figure = fp_page_plain(""), blank = {" ", ""};
    for (size_t row = 0; table && row < table->row_count; row++) {
        bool is_a;
        fp_string other = other_arm(of, table, row, of->arm, &is_a);
        if (!other.data) continue;
        int at = fp_page_standing(fp_run_cell(table, row, "verdict"), is_a);
        figure = compared_figure(page, table, row);
        add_name(page, lists + at, fp_page_data(page, other));
    }
    for (int at = 0; at < FP_PAGE_STANDINGS; at++) {
        if (!lists[at].last.en) continue;
        const fp_page_text values[] = {figure, spell_names(page, lists + at)};
        text = fp_page_append(page, text, fp_page_fill(page, fp_page_texts[WORDS[at]], values, 2), blank);
    }
    return text;
}

/* ---- The card ---- */

/* The row of answer.tsv with this place; SIZE_MAX: none. */
static size_t card_row(const answer *of, double place) {
    for (size_t row = 0; of->cards && row < of->cards->row_count; row++)
        if (is_of_corpus(of, of->cards, row) && fp_run_real(of->cards, row, "place") == place) return row;
    return SIZE_MAX;
}

/* "distance ≤ 21 (bits of 64), cosine ≥ 0.514" */
static fp_page_text rule_of(const answer *of, size_t row) {
    fp_page *page = of->page;
    fp_page_text scale = fp_page_cell_text(page, fp_run_cell(of->cards, row, "scale")),
                 rule = FP_SAY(page, CARD_DISTANCE, cell(of, of->cards, row, "threshold", false), scale);
    double similarity = fp_run_real(of->cards, row, "similarity");
    if (isnan(similarity)) return rule;
    fp_page_text measure = fp_page_label(page, fp_run_cell(of->cards, row, "measure"));
    return FP_SAY(page, CARD_SIMILARITY, rule, measure, FP_FORMATTED(page, "%.3g", similarity));
}

/* The verdict of differences.tsv on two arms; FP_PAGE_STANDINGS: none. */
static int standing_of(const answer *of, fp_string first, fp_string second) {
    const fp_run_table *table = fp_page_source_of(of->page, "differences");
    for (size_t row = 0; table && row < table->row_count; row++) {
        bool is_a;
        fp_string other = other_arm(of, table, row, first, &is_a);
        if (other.data && fp_string_equal(other, second))
            return fp_page_standing(fp_run_cell(table, row, "verdict"), is_a);
    }
    return FP_PAGE_STANDINGS;
}

/* Empty without a runner-up. */
static fp_page_text runner_up_of(const answer *of, size_t answer_row) {
    static const fp_page_word WORDS[] = {FP_WORD_CARD_DIFFERS, FP_WORD_CARD_DIFFERS, FP_WORD_CARD_WITHIN,
                                         FP_WORD_CARD_OPEN, FP_WORD_EMPTY_TEXT};
    fp_page *page = of->page;
    size_t row = card_row(of, 2);
    if (row == SIZE_MAX) return FP_WORD(EMPTY_TEXT);
    fp_string arm = fp_run_cell(of->cards, row, "arm");
    int standing = standing_of(of, arm, fp_run_cell(of->cards, answer_row, "arm"));
    return FP_SAY(page, CARD_OTHER, fp_page_data(page, arm), rule_of(of, row), fp_page_texts[WORDS[standing]]);
}

static fp_page_text counted(const fp_page *page) {
    return page->documents ? FP_WORD(DOCUMENTS_COUNTED) : FP_WORD(PAIRS);
}

static void write_card(const answer *of) {
    fp_page *page = of->page;
    const fp_run_table *cards = of->cards;
    size_t row = card_row(of, 1), count = 0;
    if (row == SIZE_MAX) return;
    double tp = fp_run_real(cards, row, "tp"), fp = fp_run_real(cards, row, "fp"), fn = fp_run_real(cards, row, "fn"),
           tn = fp_run_real(cards, row, "tn"), rate = fp_run_real(cards, row, "documents_per_second");
    fp_page_text precision = with_interval(of, cards, row, "precision"),
                 recall = with_interval(of, cards, row, "recall"),
                 share = FP_FORMATTED(page, "%.3g%%", 100 * fp_run_real(cards, row, "duplicates")),
                 bytes = fp_page_count(page, fp_run_real(cards, row, "bytes_per_document")),
                 per_second = rate > 0 ? fp_page_count(page, fp_rate_rounded(rate)) : fp_page_plain("–");
    fp_page_text lines[][2] = {
        {FP_WORD(CARD_USE), fp_page_data(page, fp_run_cell(cards, row, "arm"))},
        {FP_WORD(CARD_RULE), rule_of(of, row)},
        {FP_WORD(CARD_PRECISION),
         FP_SAY(page, CARD_CALLED, precision, fp_page_count(page, tp), fp_page_count(page, tp + fp), counted(page))},
        {FP_WORD(CARD_RECALL), FP_SAY(page, CARD_FOUND, recall, fp_page_count(page, tp), fp_page_count(page, tp + fn))},
        {FP_WORD(CARD_MEASURED), FP_WORD(CARD_IN_SAMPLE)},
        {FP_WORD(CARD_DUPLICATES),
         FP_SAY(page, CARD_SHARE, share, fp_page_count(page, tp + fp + fn + tn), counted(page))},
        {FP_WORD(CARD_COST), FP_SAY(page, CARD_BYTES, bytes, per_second)},
        {FP_WORD(CARD_RUNNER_UP), runner_up_of(of, row)}};
    while (count < sizeof lines / sizeof *lines && *lines[count][1].en) count++;
    if (page->form->card) page->form->card(page, of->corpus, lines, count);
    else
        for (size_t i = 0; i < count; i++) page->form->term(page, lines[i][0], lines[i][1]);
}

/* ---- Answers of all corpora ---- */

static void find_best(answer *of) {
    double most = -1;
    of->best = of->first;
    for (size_t row = of->first; row < of->last; row++) {
        double value = fp_run_real(of->summary, row, "average_precision");
        if (!(value > most)) continue;
        most = value;
        of->best = row;
    }
    of->arm = fp_run_cell(of->summary, of->best, "arm");
}

static void write_corpus(answer *of) {
    fp_page *page = of->page;
    find_best(of);
    write_card(of);
    fp_page_text values[] = {fp_page_data(page, of->corpus),
                             cell(of, of->summary, of->best, "pairs", false),
                             cell(of, of->summary, of->best, "positives", false),
                             fp_page_data(page, of->arm),
                             fp_page_count(page, (double)(of->last - of->first)),
                             counted(page),
                             with_interval(of, of->summary, of->best, "average_precision"),
                             fp_page_plain(page->confidence)};
    fp_page_word word = of->last - of->first > 1 ? FP_WORD_ANSWER_BEST : FP_WORD_ANSWER_ONE;
    fp_page_text best = fp_page_fill(page, fp_page_texts[word], values, sizeof values / sizeof *values);
    page->form->paragraph(page, add_differences(of, best));
}

void fp_page_answer(fp_page *page) {
    answer of = {
        .page = page, .summary = fp_page_source_of(page, "summary"), .cards = fp_page_source_of(page, "answer")};
    if (!of.summary) return;
    page->form->heading(page, "answer", FP_WORD(ANSWER));
    for (; of.first < of.summary->row_count; of.first = of.last) {
        of.corpus = fp_run_cell(of.summary, of.first, "corpus");
        of.last = fp_page_corpus_end(of.summary, of.first);
        write_corpus(&of);
        size_t corpus = fp_page_corpus_of(page, of.corpus);
        fp_page_text sampled = corpus == SIZE_MAX ? FP_WORD(EMPTY_TEXT) : fp_page_sample_of(page, corpus);
        if (*sampled.en) page->form->paragraph(page, sampled);
    }
    page->form->paragraph(page, FP_WORD(ANSWER_SCALE));
}
