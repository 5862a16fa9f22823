/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_corrupt_write.h - what `fplab corpus corrupt` writes.
 */
#ifndef FP_CORPUS_CORRUPT_WRITE_H
#define FP_CORPUS_CORRUPT_WRITE_H

#include "cli/cli.h"
#include "eval/analyses/hard_pairs.h"

/* Pairs of documents, and their kind in pairs.tsv. */
typedef struct fp_hard_list {
    const char *kind;
    const fp_hard_pair *pairs;
    size_t count;
} fp_hard_list;

enum { FP_HARD_LISTS = 8 };

typedef struct fp_corrupting_chosen {
    const char *corpus, *kinds, *rates, *synonyms, *out, **hard;
    fp_table_format format;
    long long copies, negatives, seed;
    bool edits, skip_bad;
    int argument_count;
    const char *const *arguments; /* of the command line, as they were given */
} fp_corrupting_chosen;

typedef struct fp_corrupting {
    const fp_corrupting_chosen *chosen;
    fp_corpus corpus;
    fp_copies copies;
    bool template; /* with every number changed, as a negative */
    fp_hard_list hard[FP_HARD_LISTS];
    size_t hard_count;
    const uint32_t *first_of_unit;          /* [units.count] document */
    size_t *sites, *changes;                /* [cell_count] filled while copies are written */
    size_t documents, positives, negatives; /* written */
    fp_arena *arena;
} fp_corrupting;

/* docs.jsonl, pairs.tsv and MANIFEST.json in the directory `place`. */
fp_status fp_corrupting_write(fp_corrupting *with, const char *place, fp_error *error);

#endif
