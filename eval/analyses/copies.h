/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * copies.h - corrupted copies of the documents of a corpus: which kinds, at which rates, and from which other documents
 * they take. What is drawn for a document depends on its id and the seed alone, and for a choice among documents on the
 * set of all ids: not on the order of the corpus, and not on threads.
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

/* Every kind at every rate: cells[kind_count · rate_count], the rates of a kind one after the other. `kinds` are names,
 * of which "all" stands for every kind by itself; `rates` shares from 0 to 1 as a user writes them, "0.05,0.2", as many
 * as `most`, up to FP_COPY_RATES; *made lives in `arena`. Errors as of fp_corruption_parse and fp_corrupt;
 * FP_ERROR_DUPLICATE for one that is there twice; of rates that are none FP_ERROR_SYNTAX, and FP_ERROR_RANGE for too
 * many. */
fp_status fp_copy_cells_make(fp_string kinds, fp_string rates, size_t most, fp_arena *arena, const fp_copy_cell **made,
                             size_t *count, fp_error *error);

typedef struct fp_copies {
    const fp_corpus *corpus;
    fp_components units;   /* groups and duplicates: a document takes nothing from its own */
    const uint32_t *by_id; /* [document_count] documents in the order of their ids */
    const fp_copy_cell *cells;
    size_t cell_count;
    bool takes; /* some cell takes from other documents */
    fp_corruption_means means;
} fp_copies;

/* Counts the characters of the texts in one pass over them, opens jieba. `synonyms` NULL: the shipped list. Lives in
 * `arena`. FP_ERROR_EMPTY where a cell needs Han characters and the corpus has none, or other documents and there is
 * only one unit. */
fp_status fp_copies_open(const fp_corpus *corpus, const fp_copy_cell *cells, size_t cell_count, uint64_t seed,
                         const fp_synonyms *synonyms, fp_arena *arena, fp_copies *copies, fp_error *error);

/* FP_NEEDS_HAN, FP_NEEDS_DONORS: what no text of the corpus has, so that cells which need it do not apply. */
unsigned fp_copies_lack(const fp_copies *copies);

/* A document that is copied. Its texts are the caller's to read: they are not kept. */
enum { FP_COPY_DONORS = 4 };
typedef struct fp_copied_text {
    size_t document;
    uint64_t copy; /* number of the copy, from 0 */
    fp_string text;
    const fp_string *donors; /* [FP_COPY_DONORS] texts of fp_copies_donor; not read but where the cell takes some */
} fp_copied_text;

/* The copy of a document in a cell. Thread-safe. Lives in `arena`. */
fp_status fp_copies_make(const fp_copies *copies, const fp_copied_text *of, size_t cell, fp_arena *arena,
                         fp_corrupted *made, fp_error *error);

/* The document that a copy takes from, `place` below FP_COPY_DONORS; only where some cell takes. */
uint32_t fp_copies_donor(const fp_copies *copies, size_t document, uint64_t copy, size_t place);

/* A document of another unit, drawn evenly by the id of `document` and `draw`; UINT32_MAX where there is none. */
uint32_t fp_copies_other(const fp_copies *copies, size_t document, uint64_t draw);

/* ---- documents, their copies in all cells, and pairs of both, as a corpus in memory. ---- */

typedef struct fp_copied_corpus {
    fp_corpus corpus;        /* the documents, then copy by copy the cells of each; its pairs as below */
    size_t count;            /* documents that were taken */
    const uint32_t *taken;   /* [count] which, ascending */
    size_t unit_count;       /* of these */
    const uint32_t *unit;    /* [count] from 0 */
    const uint8_t *fold;     /* [unit_count] 0 or 1 */
    const size_t *first;     /* [count] the first pair of a document */
    const size_t *negatives; /* [count] for each copy of it */
    size_t *sites, *changes; /* [cell_count] */
    fp_arenas texts;         /* of the copies; released by fp_copied_corpus_close */
} fp_copied_corpus;

/* The pairs of document i in cell c: from here on a positive one and its negatives. */
static inline size_t fp_copied_pair(const fp_copied_corpus *of, size_t i, size_t cell) {
    return of->first[i] + cell * (1 + of->negatives[i]);
}

/* Takes at most `most` documents (0: all) and for each copy at most `negatives` others of its fold, both drawn by their
 * ids; where `near` has the sketches of the corpus, the others are the nearest under its arm instead. Lives in `arena`
 * but for the texts. FP_ERROR_EMPTY for fewer than four units; nothing is left to release then.
 */
fp_status fp_copied_corpus_make(const fp_copies *copies, size_t most, size_t negatives, const fp_measurement *near,
                                const fp_progress *progress, fp_arena *arena, fp_copied_corpus *made, fp_error *error);
void fp_copied_corpus_close(fp_copied_corpus *of);

/* ----
 * pairs of documents that are no duplicates and look like it. Each document is paired with the most
 * similar one of another unit, and each pair stands once, the earlier document first.
 */

typedef struct fp_hard_pair {
    uint32_t a, b;
} fp_hard_pair;

/* Those that share the most facts, two at least: numbers of two digits and more, and words of Latin letters that begin
 * with a capital and have three letters or more. Facts that more than FP_COMMON_FACT documents hold are none. */
enum { FP_LEAST_FACTS = 2, FP_COMMON_FACT = 50 };
fp_status fp_pairs_of_facts(const fp_copies *copies, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                            fp_error *error);

/* The nearest under an arm. It favours arms that see other things than this one: measure others on them, not this one.
 * Every two documents are looked at: FP_ERROR_RANGE for more than FP_NEIGHBOURS_MOST. */
enum { FP_NEIGHBOURS_MOST = 20000 };
fp_status fp_pairs_of_neighbours(const fp_copies *copies, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                                 fp_error *error);

#endif
