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
 */
#ifndef FP_GIVEAWAYS_H
#define FP_GIVEAWAYS_H

#include "corpora/corpus.h"
#include "algorithms/arms/arm.h"

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
#define FP_GIVEAWAY_WHOLE 0.75 /* of the characters: a view that sees so many sees the text */

/* A view or an arm. */
typedef struct fp_giveaway {
    const char *name;
    bool view;
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
    const fp_giveaway *found;           /* the views, then the arms, each in the order of their list */
    size_t best;                        /* arm of the largest average precision, a place in `found` */
    size_t documents, pairs, positives; /* that were looked at */
    bool drawn;                         /* not all pairs of the corpus */
    const char *described;              /* where intervals come from */
} fp_giveaways;

/* Lives in `arena`; texts of the pairs that are looked at are read one after the other. FP_ERROR_EMPTY for a corpus
 * whose pairs are not of both labels; errors as of fp_evaluation_run. Same figures for any number of threads. */
fp_status fp_giveaways_find(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                            fp_giveaways *made, fp_error *error);

#endif
