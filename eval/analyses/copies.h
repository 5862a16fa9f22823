/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copies.h - corrupted copies of the documents of a corpus: the kinds, the rates and the donor documents. The random
 * choices for a document depend only on its id and the seed; a choice among documents also depends on the set of all
 * ids. They do not depend on the order of the corpus or on threads.
 */
#ifndef FP_COPIES_H
#define FP_COPIES_H

#include "base/parallel.h"
#include "corpora/corpus.h"
#include "corpora/corruption/corruption.h"
#include "eval/experiment/experiment.h"
#include "eval/units/sampling_units.h"

/* One kind, or a mixture, at one rate. */
typedef struct fp_copy_cell {
    fp_corruption corruption;
    const char *kind; /* "homophone", "homophone+digits" */
    double rate;
    const char *name; /* "homophone@0.05" */
} fp_copy_cell;

enum { FP_COPY_RATES = 100 };

/* Every kind at every rate: cells[kind_count · rate_count], the rates of a kind side by side; in `arena`. `kinds` are
 * names; "all" means each kind by itself. `rates` are at most `most` ≤ FP_COPY_RATES shares, "0.05,0.2". Errors as of
 * fp_corruption_parse; FP_ERROR_DUPLICATE: a cell occurs twice; FP_ERROR_SYNTAX: invalid rates; FP_ERROR_RANGE: too
 * many rates. */
fp_status fp_copy_cells_make(fp_string kinds, fp_string rates, size_t most, fp_arena *arena, const fp_copy_cell **made,
                             size_t *count, fp_error *error);

typedef struct fp_copies {
    const fp_corpus *corpus;
    fp_components units;   /* by groups and duplicates: a document takes nothing from its own unit */
    const uint32_t *by_id; /* [document_count] documents in the order of their ids */
    const fp_copy_cell *cells;
    size_t cell_count;
    bool takes; /* some cell takes text from other documents */
    fp_corruption_means means;
} fp_copies;

/* Counts the characters of the texts in one pass over them, opens jieba. `synonyms` NULL: the shipped list. Lives in
 * `arena`. FP_ERROR_EMPTY: a cell needs Han characters and the corpus has none, or it needs other documents and there
 * is only one unit. */
fp_status fp_copies_open(const fp_corpus *corpus, const fp_copy_cell *cells, size_t cell_count, uint64_t seed,
                         const fp_synonyms *synonyms, fp_arena *arena, fp_copies *copies, fp_error *error);

/* FP_NEEDS_HAN, FP_NEEDS_DONORS: what no text of the corpus provides. Cells that need it do not apply. */
unsigned fp_copies_lack(const fp_copies *copies);

/* A document to copy. The caller reads its texts; they are not kept. */
enum { FP_COPY_DONORS = 4 };
typedef struct fp_copied_text {
    size_t document;
    uint64_t copy; /* number of the copy, from 0 */
    fp_string text;
    const fp_string *donors; /* [FP_COPY_DONORS] texts of fp_copies_donor; read only if the cell takes text */
} fp_copied_text;

/* The copy of a document in a cell. Thread-safe. Lives in `arena`. */
fp_status fp_copies_make(const fp_copies *copies, const fp_copied_text *of, size_t cell, fp_arena *arena,
                         fp_corrupted *made, fp_error *error);

/* The donor of a copy, `place` below FP_COPY_DONORS; only if some cell takes text from donors. */
uint32_t fp_copies_donor(const fp_copies *copies, size_t document, uint64_t copy, size_t place);

/* A document of another unit, sampled uniformly by the id of `document` and `draw`; UINT32_MAX if there is none. */
uint32_t fp_copies_other(const fp_copies *copies, size_t document, uint64_t draw);

/* ---- Documents, their copies in all cells, and pairs of both, as a corpus in memory ---- */

typedef struct fp_copied_corpus {
    fp_corpus corpus;        /* the documents, then the cells of each copy; pairs as described below */
    size_t count;            /* documents sampled */
    const uint32_t *taken;   /* [count] their positions, ascending */
    size_t unit_count;       /* of the sampled documents */
    const uint32_t *unit;    /* [count] from 0 */
    const uint8_t *fold;     /* [unit_count] 0 or 1 */
    const size_t *first;     /* [count] first pair of the document */
    const size_t *negatives; /* [count] per copy of the document */
    size_t *sites, *changes; /* [cell_count] */
    fp_arenas texts;         /* of the copies; released by fp_copied_corpus_close */
} fp_copied_corpus;

/* The pairs of document i in cell c: from this index on, one positive pair and then its negatives. */
static inline size_t fp_copied_pair(const fp_copied_corpus *of, size_t i, size_t cell) {
    return of->first[i] + cell * (1 + of->negatives[i]);
}

/* Samples at most `most` documents (0: all), and for each copy at most `negatives` other documents of its fold, both by
 * their ids. If `near` is not NULL, it has the sketches of the corpus, and the negatives are the nearest documents
 * under its arm instead. Lives in `arena` except for the texts. FP_ERROR_EMPTY: fewer than four units; then nothing is
 * left to release. */
fp_status fp_copied_corpus_make(const fp_copies *copies, size_t most, size_t negatives, const fp_measurement *near,
                                const fp_progress *progress, fp_arena *arena, fp_copied_corpus *made, fp_error *error);
void fp_copied_corpus_close(fp_copied_corpus *of);

#endif
