/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corruption.h - changes texts at a known rate, to test which changes a fingerprint survives.
 *
 * A kind of corruption defines the places where it may happen (its sites). Each is changed with a probability equal to
 * the rate, independently of the others. Kinds that change an amount of text (truncate, splice, boilerplate) change the
 * rate's share of its characters, rounded.
 *
 * Random numbers are XXH3-64 of a counter, keyed with the seed, the document's id, the number of the copy and the kind:
 * the same inputs give the same bytes. Characters are extended grapheme clusters (Unicode Standard Annex 29); the copy
 * is valid UTF-8 if the text is.
 */
#ifndef FP_CORRUPTION_H
#define FP_CORRUPTION_H

#include "base/base.h"
#include "corpora/corruption/text_parts.h"

/* ---- Synonyms from a list of groups (synonyms.c) ---- */

typedef struct fp_synonyms fp_synonyms;

/* A line is a group of words, separated by white space; # begins a comment line. A first word that ends with = is the
 * code of its group, as in the extended Tongyici Cilin; lines whose code ends with # (related words) or @ (single
 * words) are skipped. A word in several groups has the synonyms of all of them. *made lives in `arena`, and refers to
 * `list`. FP_ERROR_EMPTY for a list without a group of two words, FP_ERROR_ENCODING, with the byte. */
fp_status fp_synonyms_read(fp_string list, fp_arena *arena, const fp_synonyms **made, fp_error *error);

/* The shipped list: text/data/synonyms.txt, written for this project, with Chinese and English words. */
fp_string fp_synonyms_shipped(void);

/* A synonym of the word, sampled uniformly; empty if there is none. */
fp_string fp_synonyms_draw(const fp_synonyms *synonyms, fp_string word, uint64_t random);

/* ---- Kinds ---- */

/* What a kind requires: words, other texts, a list, Han characters in the text. */
enum { FP_NEEDS_SEGMENTER = 1, FP_NEEDS_DONORS = 2, FP_NEEDS_SYNONYMS = 4, FP_NEEDS_HAN = 8 };

/* Resources of a corruption: shared by all texts, constant during use. */
typedef struct fp_corruption_means {
    uint64_t seed;
    const fp_segmenter *segmenter; /* for words; NULL: homophones use the most common reading, kinds that need words
                                      fail */
    const void *segmenter_state;
    const fp_character_counts *counts; /* character frequencies in the corpus; NULL: built-in frequencies of Chinese */
    const fp_synonyms *synonyms;       /* NULL: synonyms fail */
} fp_corruption_means;

/* A text to corrupt, and its context. */
typedef struct fp_corruption_text {
    fp_string id;
    uint64_t copy;           /* number of the copy, from 0 */
    fp_string text;          /* valid UTF-8 */
    const fp_string *donors; /* [donor_count] other texts to take from */
    size_t donor_count;
} fp_corruption_text;

struct fp_rewrite; /* declared in corpora/corruption/rewrite.h */

/* A row of corruptions.def. */
typedef struct fp_corruption_kind {
    const char *name;
    const char *label, *label_zh; /* names for display */
    const char *help;             /* what it does, one sentence */
    const char *unit;             /* what the rate is a share of: "Han characters that have a homophone" */
    const char *source;           /* source of the inserted text or data; NULL: not needed */
    unsigned needs;               /* FP_NEEDS_… */
    fp_status (*apply)(struct fp_rewrite *work, fp_error *error);
} fp_corruption_kind;

/* The kinds, by position; NULL past the end. */
const fp_corruption_kind *fp_corruption_at(size_t index);

/* One kind, or several in sequence, each applied to the output of the previous one: "homophone+digits". */
enum { FP_CORRUPTION_STEPS = 8 };
typedef struct fp_corruption {
    size_t count;
    const fp_corruption_kind *kinds[FP_CORRUPTION_STEPS];
    unsigned needs; /* FP_NEEDS_… of any step */
} fp_corruption;

/* FP_ERROR_UNKNOWN with the nearest name, or all; FP_ERROR_DUPLICATE for a repeated kind; FP_ERROR_RANGE for too
 * many. */
fp_status fp_corruption_parse(fp_string text, fp_corruption *made, fp_error *error);

/* A stretch of the text and its replacement: half-open ranges of bytes. */
typedef struct fp_corruption_edit {
    size_t begin, end;       /* in the text before */
    size_t to_begin, to_end; /* in the text after */
} fp_corruption_edit;

/* Result of one kind. */
typedef struct fp_corruption_step {
    const fp_corruption_kind *kind;
    size_t sites, changes; /* changes/sites is the realised rate */
    fp_string before, after;
    const fp_corruption_edit *edits; /* in text order; an exchange is one edit */
    size_t edit_count;
} fp_corruption_step;

typedef struct fp_corrupted {
    fp_string text;
    size_t step_count;
    fp_corruption_step steps[FP_CORRUPTION_STEPS];
} fp_corrupted;

/* Makes the copy, each kind at this rate. It lives in `arena`, or is the text itself if nothing changes. Errors:
 * FP_ERROR_RANGE for a rate outside [0, 1], FP_ERROR_EMPTY if a kind lacks its resources, those of the segmenter. */
fp_status fp_corrupt(const fp_corruption *corruption, double rate, const fp_corruption_means *means,
                     const fp_corruption_text *of, fp_arena *arena, fp_corrupted *made, fp_error *error);

#endif
