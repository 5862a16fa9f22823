/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * suspicions.h - what of a corpus can be read and is doubtful all the same: texts of nothing, identical texts,
 * labels that contradict each other, languages that the text belies.
 */
#ifndef FP_SUSPICIONS_H
#define FP_SUSPICIONS_H

#include "base/base.h"
#include "corpora/corpus.h"

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

#endif
