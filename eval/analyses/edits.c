/* SPDX-License-Identifier: GPL-3.0-or-later
 * Levenshtein distance in a band that is as wide as needed. */
#include "eval/analyses/edits.h"

#include "base/parallel.h"
#include "eval/analyses/theory.h"
#include "text/alignment/levenshtein.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

/* Limit of the steps of 64 rows of one pass for texts longer than FP_EDITS_LONGEST. */
enum { EFFORT = 1 << 27, ROWS = FP_LEVENSHTEIN_ROWS, NARROWEST = 64 };

typedef struct codes {
    size_t count;
    const uint32_t *code;
} codes;

/* ---- Input ---- */

static fp_status decode(fp_string text, fp_arena *scratch, codes *to, fp_error *error) {
    uint32_t *code = FP_NEED(fp_arena_raw(scratch, text.length, sizeof *code), error);
    *to = (codes){0, code};
    for (size_t at = 0; at < text.length;) at += fp_utf8_decode(text.data + at, code + to->count++);
    return to->count <= INT32_MAX
               ? FP_OK
               : fp_fail(error, FP_ERROR_RANGE, "%zu characters are more than can be compared", to->count);
}

static void trim(codes *a, codes *b) {
    while (a->count && b->count && *a->code == *b->code) a->code++, b->code++, a->count--, b->count--;
    while (a->count && b->count && a->code[a->count - 1] == b->code[b->count - 1]) a->count--, b->count--;
}

/* ---- Passes ---- */

/* Rows are the characters of one text, columns those of the other. */
typedef struct table {
    codes rows, columns;
    int8_t *change; /* [columns.count] working memory */
} table;

static size_t pass(const table *of, fp_edit_band band) {
    return fp_edits_within(of->rows.code, of->rows.count, of->columns.code, of->columns.count, band, of->change);
}

/* A script of up to `edits` edits never leaves these diagonals: each step away from the main diagonal needs an
 * insertion or deletion, and so does each step back. */
static fp_edit_band diagonals(const table *of, size_t edits) {
    size_t rows = of->rows.count, columns = of->columns.count, more = rows > columns ? rows - columns : 0,
           fewer = columns > rows ? columns - rows : 0;
    size_t spare = (edits - more - fewer) / 2;
    return (fp_edit_band){fewer + spare, more + spare, false};
}

static double cost(const table *of, fp_edit_band band) {
    double strips = (double)(band.above + band.below) / ROWS + 2, all = (double)((of->rows.count + ROWS - 1) / ROWS);
    return (double)of->columns.count * (strips < all ? strips : all);
}

static void search(const table *of, fp_edits *edits) {
    size_t rows = of->rows.count, columns = of->columns.count, longer = rows > columns ? rows : columns,
           most = longer - (rows < columns ? rows : columns) + NARROWEST;
    for (fp_edit_band band = diagonals(of, most); longer <= FP_EDITS_LONGEST || cost(of, band) <= EFFORT;
         band = diagonals(of, most)) {
        edits->count = pass(of, band);
        edits->exact = edits->count <= most;
        if (edits->exact) return;
        most *= 2;
    }
    size_t width = (size_t)((double)EFFORT / (double)columns) * ROWS / 2;
    if (width < NARROWEST) width = NARROWEST;
    size_t found = pass(of, (fp_edit_band){width, width, true});
    edits->exact = false;
    if (found < edits->count) edits->count = found;
}

fp_status fp_edits_between(fp_string a, fp_string b, fp_arena *scratch, fp_edits *edits, fp_error *error) {
    codes left, right;
    FP_TRY(decode(a, scratch, &left, error));
    FP_TRY(decode(b, scratch, &right, error));
    size_t longer = left.count > right.count ? left.count : right.count;
    trim(&left, &right);
    *edits = (fp_edits){left.count > right.count ? left.count : right.count, longer, true};
    if (left.count == 0 || right.count == 0) return FP_OK;
    table made = {left, right, FP_NEED(fp_arena_raw(scratch, right.count, sizeof *made.change), error)};
    search(&made, edits);
    return FP_OK;
}

/* ---- Pairs ---- */

/* Consecutive pairs whose texts are in memory together. */
typedef struct run {
    const size_t *pairs;    /* duplicates */
    const fp_string *texts; /* texts[2·i] and texts[2·i + 1] are those of pairs[i] */
    fp_edits *edits;        /* of all pairs */
} run;

static fp_status compare_pair(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const run *job = context;
    fp_string a, b;
    FP_TRY(fp_normalise(job->texts[2 * index], FP_HAN_SIMPLIFIED, scratch, &a, error));
    FP_TRY(fp_normalise(job->texts[2 * index + 1], FP_HAN_SIMPLIFIED, scratch, &b, error));
    return fp_edits_between(a, b, scratch, job->edits + job->pairs[index], error);
}

/* Lists the documents of the next run: until their texts reach a limit of characters, but at least one pair. A text
 * that occurs in several pairs is counted for each. Returns the number of pairs. */
static size_t next_run(const fp_corpus *corpus, const size_t *pairs, size_t count, uint32_t *documents) {
    enum { MOST = 1 << 24 };
    size_t taken = 0, characters = 0;
    for (; taken < count && characters < MOST; taken++) {
        fp_pair pair = corpus->pairs[pairs[taken]];
        documents[2 * taken] = pair.a;
        documents[2 * taken + 1] = pair.b;
        characters += corpus->documents[pair.a].characters + corpus->documents[pair.b].characters;
    }
    return taken;
}

fp_status fp_edits_of_pairs(const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena, fp_edits **edits,
                            fp_error *error) {
    *edits = FP_NEED(fp_arena_alloc(arena, corpus->pair_count, sizeof **edits), error);
    FP_SCRATCH(kept, arena, error);
    FP_SCRATCH(scratch, arena, error);
    FP_ARENAS(arenas, progress, kept, error);
    size_t *pairs = FP_NEED(fp_arena_raw(kept, corpus->pair_count, sizeof *pairs), error), count = 0, taken;
    uint32_t *documents = FP_NEED(fp_arena_raw(kept, corpus->pair_count, 2 * sizeof *documents), error);
    for (size_t i = 0; i < corpus->pair_count; i++)
        if (corpus->pairs[i].label) pairs[count++] = i;
    for (size_t done = 0; done < count; done += taken) {
        taken = next_run(corpus, pairs + done, count - done, documents);
        fp_arena_reset(scratch);
        fp_string *texts = FP_NEED(fp_arena_raw(scratch, 2 * taken, sizeof *texts), error);
        FP_TRY(fp_corpus_fetch(corpus, documents, 2 * taken, scratch, texts, error));
        run job = {pairs + done, texts, *edits};
        FP_TRY(fp_parallel(taken, &arenas, true, compare_pair, &job, "edits", progress, error));
    }
    return FP_OK;
}

/* ---- Means by length and share ---- */

const double fp_edit_shares[FP_EDIT_SHARES + 1] = {0, 0.02, 0.05, 0.1, 0.2, 0.4, 1};

static double share_of(const fp_edits *edits) {
    return edits->longer ? (double)edits->count / (double)edits->longer : 0;
}

size_t fp_edit_share_class(const fp_edits *edits) {
    double share = share_of(edits);
    size_t k = 0;
    while (k + 1 < FP_EDIT_SHARES && share >= fp_edit_shares[k + 1]) k++;
    return k;
}

typedef struct work {
    const fp_edited_pairs *edited;
    double confidence;
    const uint32_t *cell; /* [pair_count] UINT32_MAX for a non-duplicate pair */
    const fp_sampling_units *units;
    fp_arena *scratch;
} work;

static fp_status fill_cell(const work *from, size_t index, fp_edit_cell *to, fp_error *error) {
    fp_arena_reset(from->scratch);
    fp_pair *pairs = FP_NEED(fp_arena_raw(from->scratch, to->pairs, sizeof *pairs), error);
    double *distance = FP_NEED(fp_arena_raw(from->scratch, to->pairs, sizeof *distance), error);
    const fp_corpus *corpus = from->edited->corpus;
    fp_resample resample;
    size_t count = 0;
    to->mean_share = to->expected = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        if (from->cell[i] != index) continue;
        pairs[count] = corpus->pairs[i];
        distance[count++] = from->edited->measured[i];
        to->mean_share += share_of(from->edited->edits + i) / (double)to->pairs;
        to->expected += from->edited->expected[i] / (double)to->pairs;
        to->bounded += !from->edited->edits[i].exact;
    }
    FP_TRY(fp_resample_part(from->units, pairs, count, from->scratch, &resample, error));
    return fp_mean_of(&resample, distance, from->confidence, from->scratch, &to->measured, error);
}

fp_status fp_edit_cells_make(const fp_edited_pairs *edited, const fp_strata *strata, double confidence, fp_arena *arena,
                             fp_edit_cell **cells, fp_error *error) {
    const fp_corpus *corpus = edited->corpus;
    size_t count = strata->count * FP_EDIT_SHARES;
    uint32_t *cell = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof *cell), error);
    *cells = FP_NEED(fp_arena_alloc(arena, count, sizeof **cells), error);
    FP_SCRATCH(scratch, arena, error);
    for (size_t i = 0; i < corpus->pair_count; i++) {
        cell[i] = UINT32_MAX;
        if (!corpus->pairs[i].label) continue;
        cell[i] = strata->of_pair[i] * FP_EDIT_SHARES + (uint32_t)fp_edit_share_class(edited->edits + i);
        (*cells)[cell[i]].pairs++;
    }
    const fp_labelled_documents all = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    fp_sampling_units units;
    work from = {edited, confidence, cell, &units, scratch};
    FP_TRY(fp_sampling_units_make(&all, arena, scratch, &units, error));
    for (size_t c = 0; c < count; c++)
        if ((*cells)[c].pairs) FP_TRY(fill_cell(&from, c, *cells + c, error));
    return FP_OK;
}

/* ---- Distances of each arm by length and edits ---- */

fp_status fp_edits_outcome_make(const fp_strata_outcome *divided, double confidence, const fp_progress *progress,
                                fp_arena *arena, fp_edits_outcome *out, fp_error *error) {
    const fp_outcome *outcome = divided->outcome;
    const fp_corpus *corpus = outcome->corpus;
    *out = (fp_edits_outcome){.divided = divided};
    if (corpus->truth != FP_TRUTH_PAIRS) return FP_OK;
    fp_edits *edits;
    const fp_edit_cell **of_arm = FP_NEED(fp_arena_alloc(arena, outcome->count, sizeof *of_arm), error);
    FP_TRY(fp_edits_of_pairs(corpus, progress, arena, &edits, error));
    for (size_t arm = 0; arm < outcome->count; arm++) {
        const fp_measurement *measurement = outcome->measurements + arm,
                             *exact = outcome->counterparts ? outcome->counterparts->of_arm[arm] : NULL;
        double *expected;
        fp_edit_cell *cells;
        FP_TRY(fp_expected_distances(measurement->arm, exact, corpus->pairs, corpus->pair_count, progress, arena,
                                     &expected, error));
        fp_edited_pairs pairs = {corpus, edits, measurement->distances, expected};
        FP_TRY(fp_edit_cells_make(&pairs, &divided->strata, confidence, arena, &cells, error));
        of_arm[arm] = cells;
    }
    out->of_arm = of_arm;
    return FP_OK;
}
