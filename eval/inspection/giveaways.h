/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * giveaways.h - whether one class of evidence alone (text_views.h) decides the labels of a corpus: then it is no
 * measure of fingerprints, for what tells its duplicates apart is not what tells others apart.
 *
 * Each view's distance of two texts is one less the Jaccard similarity of what it sees, and its average precision on
 * the labelled pairs is that of the lab's evaluation (fplab/eval.h), beside those of arms. A view gives the set away
 * where its average precision reaches that of the best arm, or differs by no more than FP_EQUIVALENCE_MARGIN, and the
 * lower end of its interval is above the share of positives, which chance would reach.
 *
 * A view that sees nearly all characters of the texts is no class of evidence among others, but the texts themselves:
 * that it tells as much as they do is what it is for, and gives nothing away. So it is with words of Latin letters
 * where texts are in English.
 *
 * "combined" rows are what all that needs no reading tells together: boosted trees (Friedman, Annals of Statistics 29,
 * 2001; Newton steps of the logistic loss, Chen and Guestrin, KDD 2016) learn the labels from the form of two texts
 * (text_views.h: numbers of characters, sentences, lines and trailing spaces, both ends, short inner lines and
 * brackets, marks; and where the two stand in the file), and then from shared numbers, Latin words, capitalised words
 * and names as well. A pair is judged by trees that learned from pairs without its units: FP_GIVEAWAY_FOLDS folds of
 * units.
 */
#ifndef FP_GIVEAWAYS_H
#define FP_GIVEAWAYS_H

#include "corpora/corpus.h"
#include "algorithms/arms/arm.h"
#include "text/features/text_views.h"

typedef struct fp_giveaway_options {
    const char *const *arms;         /* specs, the last NULL; at least one */
    const fp_extensions *extensions; /* of their plug-ins; may be NULL */
    size_t pairs;                    /* of each label at most, drawn by the ids and the seed */
    size_t documents;  /* where groups are the truth: at most so many, whole groups of two or more first */
    size_t characters; /* of all texts that are looked at, about */
    uint64_t seed;
    size_t replicates; /* of intervals; 0: as fp_evaluation has it */
    const fp_progress *progress;
} fp_giveaway_options;

enum { FP_GIVEAWAY_QUANTILES = 5, FP_GIVEAWAY_DOCUMENTS = 700 };
enum { FP_GIVEAWAY_FOLDS = 5, FP_GIVEAWAY_UNITS = 50 }; /* "combined" needs so many units at least */
#define FP_GIVEAWAY_WHOLE 0.75                          /* of the characters: a view that sees so many sees the text */

typedef enum fp_giveaway_kind { FP_EVIDENCE_VIEW, FP_EVIDENCE_COMBINED, FP_EVIDENCE_ARM } fp_giveaway_kind;

/* A view, a combined row or an arm. */
typedef struct fp_giveaway {
    const char *name;
    fp_giveaway_kind kind;
    double precision, low, high; /* average precision, and its interval */
    size_t documents;            /* in which the view sees anything; of an arm all */
    double share;                /* of all characters but white space, those that the view sees; of an arm 1 */
    bool whole;                  /* a view that sees the text itself */
    bool gives_away;
    double distances[2][FP_GIVEAWAY_QUANTILES]; /* of negatives and positives: least, quartiles, most; shares of the
                                                   largest that can be */
} fp_giveaway;

typedef struct fp_giveaways {
    size_t count;
    const fp_giveaway *found; /* the views, the two combined ones if they can be told, the arms in their order */
    size_t first_arm;         /* a place in `found` */
    const char *combined[2];  /* what each rests on most, or for both why they cannot be told */
    size_t best;              /* arm of the largest average precision, a place in `found` */
    size_t documents, pairs, positives; /* that were looked at */
    bool drawn;                         /* not all pairs of the corpus */
    const char *described;              /* where intervals come from */
} fp_giveaways;

/* Lives in `arena`; texts of the pairs that are looked at are read one after the other. FP_ERROR_EMPTY for a corpus
 * whose pairs are not of both labels; errors as of fp_evaluation_run. Same figures for any number of threads. */
fp_status fp_giveaways_find(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                            fp_giveaways *made, fp_error *error);

#endif
