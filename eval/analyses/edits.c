/* SPDX-License-Identifier: GPL-3.0-or-later
 * Levenshtein distance by bit vectors in a band. */
#include "eval/analyses/edits.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/analyses/theory.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

/* Limit of block steps of one pass for texts longer than FP_EDITS_LONGEST. */
enum { EFFORT = 1 << 27, ROWS = 64, NARROWEST = 64 };

typedef struct codes {
    size_t count;
    const uint32_t *code;
} codes;

/* Rows of one block in which a character occurs. */
typedef struct place {
    uint32_t block;
    uint64_t rows;
} place;

/* 64 rows of a column of the matrix: bit i of `up` : row i is one more than the row above; of `down`: one less. */
typedef struct block {
    uint64_t up, down;
    int64_t bottom; /* the value in the last row */
} block;

/* Rows are the characters of one text, columns those of the other. */
typedef struct matrix {
    size_t rows, columns, block_count;
    const uint32_t *column; /* [columns] number of the character; character_count if the rows do not contain it */
    size_t character_count;
    const uint32_t *first; /* [character_count + 2] in places; the last character has no places */
    const place *places;
    uint32_t *next; /* [character_count + 1] the first place that is not above the band */
    block *blocks;
} matrix;

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

/* Places of every character of the rows, from a sorted list of code << 32 | row. */
static size_t make_places(const uint64_t *sorted, size_t count, uint32_t *code, uint32_t *first, place *places) {
    size_t characters = 0;
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t of = (uint32_t)(sorted[i] >> 32), row = (uint32_t)sorted[i], in = row / ROWS;
        bool fresh = characters == 0 || code[characters - 1] != of;
        if (fresh) {
            code[characters] = of;
            first[characters++] = used;
        }
        if (fresh || places[used - 1].block != in) places[used++] = (place){in, 0};
        places[used - 1].rows |= (uint64_t)1 << row % ROWS;
    }
    first[characters] = first[characters + 1] = used;
    return characters;
}

static uint32_t number_of(uint32_t code, const uint32_t *codes_of, size_t count) {
    const uint32_t *found = bsearch(&code, codes_of, count, sizeof code, fp_ascending_u32);
    return (uint32_t)(found ? (size_t)(found - codes_of) : count);
}

static fp_status open_matrix(codes rows, codes columns, fp_arena *scratch, matrix *to, fp_error *error) {
    *to = (matrix){.rows = rows.count, .columns = columns.count, .block_count = (rows.count + ROWS - 1) / ROWS};
    uint64_t *sorted = FP_NEED(fp_arena_raw(scratch, rows.count, sizeof *sorted), error);
    uint32_t *code = FP_NEED(fp_arena_raw(scratch, rows.count, sizeof *code), error),
             *first = FP_NEED(fp_arena_raw(scratch, rows.count + 2, sizeof *first), error),
             *column = FP_NEED(fp_arena_raw(scratch, columns.count, sizeof *column), error);
    place *places = FP_NEED(fp_arena_raw(scratch, rows.count, sizeof *places), error);
    to->next = FP_NEED(fp_arena_raw(scratch, rows.count + 1, sizeof *to->next), error);
    to->blocks = FP_NEED(fp_arena_raw(scratch, to->block_count, sizeof *to->blocks), error);
    for (size_t i = 0; i < rows.count; i++) sorted[i] = (uint64_t)rows.code[i] << 32 | i;
    qsort(sorted, rows.count, sizeof *sorted, fp_ascending_u64);
    to->character_count = make_places(sorted, rows.count, code, first, places);
    for (size_t j = 0; j < columns.count; j++) column[j] = number_of(columns.code[j], code, to->character_count);
    to->column = column;
    to->first = first;
    to->places = places;
    return FP_OK;
}

/* ---- Passes ---- */

/* The rows computed in a column: from `above` before its centre to `below` after it. The centre of column j is row j,
 * or the row on the straight line between the corners of the matrix. */
typedef struct band {
    size_t above, below;
    bool straight;
} band;

/* A script of up to `edits` edits never leaves these diagonals: each step away from the main diagonal needs an
 * insertion or deletion, and so does each step back. */
static band diagonals(const matrix *of, size_t edits) {
    size_t more = of->rows > of->columns ? of->rows - of->columns : 0,
           fewer = of->columns > of->rows ? of->columns - of->rows : 0;
    size_t spare = (edits - more - fewer) / 2;
    return (band){fewer + spare, more + spare, false};
}

static size_t centre_of(const matrix *of, band in, size_t column) {
    return in.straight ? (size_t)((double)column * (double)of->rows / (double)of->columns) : column;
}

/* The last block that the band reaches in a column. */
static size_t last_block(const matrix *of, band in, size_t column) {
    size_t row = centre_of(of, in, column) + in.below;
    return ((row < of->rows ? row : of->rows) - 1) / ROWS;
}

static size_t first_block(const matrix *of, band in, size_t column) {
    size_t centre = centre_of(of, in, column);
    return centre > in.above + 1 ? (centre - in.above - 1) / ROWS : 0;
}

/* One column of a block. `equal`: the rows that contain the character of the column; `above`: how much the row above
 * rises from the previous column. Returns that rise for the last row. */
static int step(block *at, uint64_t equal, int above) {
    uint64_t falls = above < 0, vertical = equal | at->down;
    equal |= falls;
    uint64_t diagonal = (((equal & at->up) + at->up) ^ at->up) | equal;
    uint64_t rise = at->down | ~(diagonal | at->up), fall = at->up & diagonal;
    int out = (int)(rise >> (ROWS - 1)) - (int)(fall >> (ROWS - 1));
    rise = rise << 1 | (above > 0);
    fall = fall << 1 | falls;
    at->up = fall | ~(vertical | rise);
    at->down = rise & vertical;
    at->bottom += out;
    return out;
}

/* Above the band a value is at most one more than in the previous column; so the result is the length of a real script.
 */
static void pass_column(const matrix *of, size_t column, size_t first, size_t last) {
    uint32_t character = of->column[column], end = of->first[character + 1], *next = of->next + character;
    while (*next < end && of->places[*next].block < first) ++*next;
    int rise = 1;
    uint32_t at = *next;
    for (size_t b = first; b <= last; b++) {
        uint64_t equal = at < end && of->places[at].block == b ? of->places[at++].rows : 0;
        rise = step(of->blocks + b, equal, rise);
    }
}

/* The value in the last row of the matrix: subtracts the rows of the last block beyond it. */
static int64_t corner(const matrix *of) {
    const block *last = of->blocks + of->block_count - 1;
    unsigned used = (unsigned)((of->rows - 1) % ROWS + 1);
    if (used == ROWS) return last->bottom;
    return last->bottom - __builtin_popcountll(last->up >> used) + __builtin_popcountll(last->down >> used);
}

/* The smallest number of edits of an alignment within the band. */
static int64_t pass(const matrix *of, band in) {
    memcpy(of->next, of->first, (of->character_count + 1) * sizeof *of->next);
    size_t open = 0;
    for (size_t j = 0; j < of->columns; j++) {
        size_t first = first_block(of, in, j + 1), last = last_block(of, in, j + 1);
        for (; open <= last; open++)
            of->blocks[open] = (block){UINT64_MAX, 0, open ? of->blocks[open - 1].bottom + ROWS : ROWS};
        pass_column(of, j, first, last);
    }
    return corner(of);
}

static double cost(const matrix *of, band in) {
    double blocks = (double)(in.above + in.below) / ROWS + 2;
    return (double)of->columns * (blocks < (double)of->block_count ? blocks : (double)of->block_count);
}

static void search(const matrix *of, fp_edits *edits) {
    size_t longer = of->rows > of->columns ? of->rows : of->columns,
           apart = longer - (of->rows < of->columns ? of->rows : of->columns);
    size_t most = apart + NARROWEST;
    for (band in = diagonals(of, most); longer <= FP_EDITS_LONGEST || cost(of, in) <= EFFORT;
         in = diagonals(of, most)) {
        edits->count = (size_t)pass(of, in);
        edits->exact = edits->count <= most;
        if (edits->exact) return;
        most *= 2;
    }
    size_t width = (size_t)((double)EFFORT / (double)of->columns) * ROWS / 2;
    if (width < NARROWEST) width = NARROWEST;
    size_t found = (size_t)pass(of, (band){width, width, true});
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
    matrix made;
    FP_TRY(open_matrix(left, right, scratch, &made, error));
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
