/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * inspection.h - checks of a corpus before any measurement: doubtful texts and labels, statistics, and whether one
 * class of evidence alone decides its labels.
 */
#ifndef FP_INSPECTION_H
#define FP_INSPECTION_H

#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "text/features/text_views.h"

/* ---- Doubtful texts and labels (suspicions.c) ---- */

enum { FP_SUSPICION_EXAMPLES = 10, FP_LEAST_LETTERS = 5, FP_LEAST_FOR_LANGUAGE = 20 };

typedef enum fp_suspected {
    FP_SUSPECTED_EMPTY,         /* documents with fewer than FP_LEAST_LETTERS letters and digits */
    FP_SUSPECTED_BYTES,         /* documents with the same bytes as an earlier document; from here on without empty
                                   ones */
    FP_SUSPECTED_TEXT,          /* the same for normalised text */
    FP_SUSPECTED_UNITS,         /* … not connected by groups or positive pairs: unlabelled duplicates */
    FP_SUSPECTED_SPLITS,        /* … in different splits (the field "split") */
    FP_SUSPECTED_LABELS,        /* pairs whose two normalised texts also form a pair with the other label */
    FP_SUSPECTED_SAME_NEGATIVE, /* negative pairs of the same normalised text */
    FP_SUSPECTED_TRANSITIVITY,  /* negative pairs that groups or positive pairs connect: a = b, b = c, a ≠ c */
    FP_SUSPECTED_NOTHING,       /* pairs with an empty text */
    FP_SUSPECTED_LANGUAGE,      /* documents whose letters are of another script than their language's: of
                                   FP_LEAST_FOR_LANGUAGE letters or more, "zh…" with less than a third Han, "ja…"
                                   without kana, "ko…" with less than a third hangul, others ("en", "de", …) with
                                   more than a third Han, kana and hangul */
    FP_SUSPICIONS
} fp_suspected;

typedef struct fp_suspicion {
    size_t count;
    size_t example_count;
    const char *examples[FP_SUSPICION_EXAMPLES]; /* "a", "a = b" or "a ≠ b", the first */
} fp_suspicion;

typedef struct fp_suspicions {
    fp_suspicion of[FP_SUSPICIONS];
    const uint64_t *texts; /* [document_count] XXH3-64 of each normalised text; 0 for an empty text */
} fp_suspicions;

/* "near-empty texts", … */
extern const char *const fp_suspicion_names[FP_SUSPICIONS];

/* One pass over the texts of a corpus that was read with the fields "lang" and "split". Lives in `arena`. Same findings
 * for any number of threads. */
fp_status fp_suspicions_find(const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena, fp_suspicions *made,
                             fp_error *error);

/* The documents of `later` whose normalised text also occurs in `earlier`; an example names first the earlier one. */
fp_status fp_suspicions_between(const fp_corpus *earlier, const fp_suspicions *of_earlier, const fp_corpus *later,
                                const fp_suspicions *of_later, fp_arena *arena, fp_suspicion *made, fp_error *error);

/* ---- Lengths of texts by language, kind and group, and labels (stats.c) ---- */

enum { FP_STATS_QUANTILES = 5, FP_STATS_BINS = 16, FP_STATS_CLASSES = 100, FP_STATS_GROUPS = 10 };

/* Documents of a class with their lengths; or pairs or groups, which have no lengths. */
typedef struct fp_stat {
    const char *of;  /* "documents", "lang", "kind", "group", "positive", "negative", "group size" */
    fp_string value; /* value of that; empty: all, or no value given */
    size_t count;
    double share;                          /* of all documents, of all pairs, of all groups */
    bool lengths;                          /* `characters` and `bins` are filled */
    size_t characters[FP_STATS_QUANTILES]; /* least, quartiles, most: at place ⌊q·n⌋ from 0 */
    size_t bins[FP_STATS_BINS]; /* from the shortest to the longest of the corpus; equal widths in logarithms */
} fp_stat;

typedef struct fp_stats {
    size_t count;
    const fp_stat *stats;
    size_t more_groups; /* groups not listed: beyond the FP_STATS_GROUPS that hold most documents */
} fp_stats;

/* The corpus must have been read with the fields "lang" and "group". A kind's documents are those of its pairs. Reports
 * the first FP_STATS_CLASSES languages and kinds. Lives in `arena`. */
fp_status fp_stats_make(const fp_corpus *corpus, fp_arena *arena, fp_stats *made, fp_error *error);

/* ---- Label leakage (giveaways.c) ----
 *
 * Whether one class of evidence alone (text_views.h) decides the labels of a corpus, which then cannot measure
 * fingerprints. A view's distance of two texts is one less the Jaccard similarity of what it sees. Its average
 * precision on the labelled pairs stands beside those of arms (fplab/eval.h). A view leaks the labels where it reaches
 * the best arm's, or differs by at most FP_EQUIVALENCE_MARGIN, and the lower end of its interval is above the share of
 * positives, the value expected by chance. A view that sees nearly all characters (Latin words of English texts) is the
 * text itself, and no leakage.
 *
 * "combined": boosted trees (Friedman, Annals of Statistics 29, 2001; Newton steps of the logistic loss, Chen and
 * Guestrin, KDD 2016) learn the labels from the form of two texts (text_views.h) and their positions in the file, and
 * then from shared numbers, Latin words, capitalised words and names as well. A pair is judged by trees that learned
 * from pairs without its units, in FP_GIVEAWAY_FOLDS folds. */

typedef struct fp_giveaway_options {
    const char *const *arms;         /* specs, the last NULL; at least one */
    const fp_extensions *extensions; /* for their plug-ins; may be NULL */
    size_t pairs;                    /* at most, of each label; sampled by the ids and the seed */
    size_t documents;                /* where groups are the truth: at most; whole groups of two or more first */
    size_t characters;               /* about, of all texts examined */
    uint64_t seed;
    size_t replicates; /* of intervals; 0: default of fp_evaluation */
    const fp_progress *progress;
} fp_giveaway_options;

enum { FP_GIVEAWAY_QUANTILES = 5, FP_GIVEAWAY_DOCUMENTS = 700 };
enum { FP_GIVEAWAY_FOLDS = 5, FP_GIVEAWAY_UNITS = 50 }; /* minimum number of units for "combined" */
#define FP_GIVEAWAY_WHOLE 0.75 /* share of the characters: a view that sees as much sees the text itself */

typedef enum fp_giveaway_kind { FP_EVIDENCE_VIEW, FP_EVIDENCE_COMBINED, FP_EVIDENCE_ARM } fp_giveaway_kind;

/* A view, a combined row or an arm. */
typedef struct fp_giveaway {
    const char *name;
    fp_giveaway_kind kind;
    double precision, low, high; /* average precision, and its interval */
    size_t documents;            /* in which the view sees anything; for an arm all */
    double share;                /* of all characters except white space, the share that the view sees; for an arm 1 */
    bool whole;                  /* a view that sees the text itself */
    bool gives_away;
    double distances[2][FP_GIVEAWAY_QUANTILES]; /* of negatives and positives: least, quartiles, most; as shares of
                                                   the largest possible distance */
} fp_giveaway;

typedef struct fp_giveaways {
    size_t count;
    const fp_giveaway *found;           /* the views, the two combined rows if available, the arms in their order */
    size_t first_arm;                   /* index into `found` */
    const char *combined[2];            /* what each relies on most, or for both why they are missing */
    size_t best;                        /* arm of the largest average precision, an index into `found` */
    size_t documents, pairs, positives; /* examined */
    bool drawn;                         /* only a sample of the pairs of the corpus */
    const char *described;              /* how the intervals are made */
} fp_giveaways;

/* Lives in `arena`. FP_ERROR_EMPTY: the pairs of the corpus are not of both labels; other errors as fp_evaluation_run.
 * Same figures for any number of threads. */
fp_status fp_giveaways_find(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                            fp_giveaways *made, fp_error *error);

#endif
