/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus.h - what the files of `fplab corpus` share: the options of all its parts, and the parts.
 */
#ifndef FP_CLI_CORPUS_H
#define FP_CLI_CORPUS_H

#include "cli/cli.h"

typedef struct fp_corpus_chosen {
    const char *corpus, *format, *spec, *out;
    bool skip_bad;
    /* corrupt */
    const char *kinds, *rates, *synonyms, **hard;
    long long copies, negatives, seed;
    bool edits;
    int argument_count;
    const char *const *arguments; /* of the command line, as they were given */
} fp_corpus_chosen;

/* Each takes the arguments behind its name, the last of them NULL, and returns the exit status. */
typedef int fp_corpus_part_run(const fp_command *command, const fp_corpus_chosen *chosen, const char *const *rest,
                               fp_arena *arena);
fp_corpus_part_run fp_corpus_check, fp_corpus_idf, fp_corpus_corrupt;

#endif
