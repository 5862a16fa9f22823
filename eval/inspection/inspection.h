/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * inspection.h - what is seen of a corpus before anything is measured on it: doubtful texts and labels, what it is made
 * of, and whether one class of evidence alone decides its labels.
 */
#ifndef FP_INSPECTION_H
#define FP_INSPECTION_H

#include "algorithms/arms/arm.h"
#include "corpora/corpus.h"
#include "text/features/text_views.h"

/* ----
 * what of a corpus can be read and is doubtful all the same: texts of nothing, identical texts, labels that contradict
 * each other, languages that the text belies.
 */

enum { FP_SUSPICION_EXAMPLES = 10, FP_LEAST_LETTERS = 5, FP_LEAST_FOR_LANGUAGE = 20 };

typedef enum fp_suspected {
    FP_SUSPECTED_EMPTY,         /* documents with fewer than FP_LEAST_LETTERS letters and digits */
    FP_SUSPECTED_BYTES,         /* documents whose text, byte by byte, is that of an earlier one; here and below but
                                   empty ones */
    FP_SUSPECTED_TEXT,          /* the same of normalised text */
    FP_SUSPECTED_UNITS,         /* … of which neither groups nor positive pairs connect them: unlabelled duplicates */
    FP_SUSPECTED_SPLITS,        /* … and the two stand in different splits (the field "split") */
    FP_SUSPECTED_LABELS,        /* pairs whose two texts, normalised, stand in a pair with the other label */
    FP_SUSPECTED_SAME_NEGATIVE, /* negative pairs of the same normalised text */
    FP_SUSPECTED_TRANSITIVITY,  /* negative pairs that groups or positive pairs connect: a = b, b = c, a ≠ c */
    FP_SUSPECTED_NOTHING,       /* pairs with an empty text */
    FP_SUSPECTED_LANGUAGE,      /* documents whose letters are of another script than their language's: of
                                   FP_LEAST_FOR_LANGUAGE letters or more, "zh…" with less than a third Han, "ja…" without
                                   kana, "ko…" with less than a third hangul, others ("en", "de", …) with more than a
                                   third Han, kana and hangul */
    FP_SUSPICIONS
} fp_suspected;

typedef struct fp_suspicion {
    size_t count;
    size_t example_count;
    const char *examples[FP_SUSPICION_EXAMPLES]; /* "a", "a = b" or "a ≠ b", the first */
} fp_suspicion;

typedef struct fp_suspicions {
    fp_suspicion of[FP_SUSPICIONS];
    const uint64_t *texts; /* [document_count] XXH3-64 of each normalised text; 0 of nothing */
} fp_suspicions;

/* "near-empty texts", … */
extern const char *const fp_suspicion_names[FP_SUSPICIONS];

/* One pass over the texts of a corpus that was read with the fields "lang" and "split". Memory grows with documents and
 * pairs, not with texts. Lives in `arena`. Same findings for any number of threads. */
fp_status fp_suspicions_find(const fp_corpus *corpus, const fp_progress *progress, fp_arena *arena, fp_suspicions *made,
                             fp_error *error);

/* The documents of `later` whose normalised text is one of `earlier`; an example is "a = b" of an earlier and a later
 * document. */
fp_status fp_suspicions_between(const fp_corpus *earlier, const fp_suspicions *of_earlier, const fp_corpus *later,
                                const fp_suspicions *of_later, fp_arena *arena, fp_suspicion *made, fp_error *error);

/* ----
 * what a corpus is made of: how long its texts are, by language, kind and group, and what its labels are.
 */

enum { FP_STATS_QUANTILES = 5, FP_STATS_BINS = 16, FP_STATS_CLASSES = 100, FP_STATS_GROUPS = 10 };

/* Documents of a class with their lengths, or pairs or groups, which have none. */
typedef struct fp_stat {
    const char *of;  /* "documents", "lang", "kind", "group", "positive", "negative", "group size" */
    fp_string value; /* of that; empty: of all, or that none is stated */
    size_t count;
    double share;                          /* of all documents, of all pairs, of all groups */
    bool lengths;                          /* what follows is there */
    size_t characters[FP_STATS_QUANTILES]; /* least, quartiles, most: at place ⌊q·n⌋ from 0 */
    size_t
        bins[FP_STATS_BINS]; /* from the shortest to the longest of the corpus, as wide as one another in logarithms */
} fp_stat;

typedef struct fp_stats {
    size_t count;
    const fp_stat *stats;
    size_t more_groups; /* beyond the FP_STATS_GROUPS that hold most documents, which are listed */
} fp_stats;

/* The corpus was read with the fields "lang" and "group". A kind's documents are those of its pairs; of languages and
 * kinds the FP_STATS_CLASSES that come first in the corpus are told. Lives in `arena`. */
fp_status fp_stats_make(const fp_corpus *corpus, fp_arena *arena, fp_stats *made, fp_error *error);

/* ----
 * whether one class of evidence alone (text_views.h) decides the labels of a corpus: then it is no
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
