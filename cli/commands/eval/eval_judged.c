/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab eval --compare-at: where the thresholds come from at which the calls of two arms are compared. */
#include <math.h>
#include <string.h>

#include "cli/commands/eval/eval.h"
#include "eval/evaluation/levels.h"

int fp_eval_judged_options(const fp_command *command, fp_eval_options *options, fp_arena *arena) {
    const char *text = options->compare_at;
    options->stated_count = 0;
    if (!text) return -1;
    fp_string rest = fp_string_of(text), item;
    options->stated = fp_arena_raw(arena, rest.length + 1, sizeof *options->stated);
    if (!options->stated) return fp_cli_no_memory();
    while (fp_next_field(&rest, ',', &item)) {
        char number[32];
        double value;
        snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
        if (item.length >= sizeof number || !fp_parse_real(number, &value) || !(value >= 0) || isinf(value))
            return fp_cli_usage(command, "--compare-at takes thresholds such as 10 or 18,44, not %s", text);
        options->stated[options->stated_count++] = value;
    }
    return -1;
}

int fp_eval_judged_count(const fp_command *command, const fp_eval_options *options, size_t arms) {
    size_t stated = options->stated_count;
    if (!options->compare_at || stated == 1 || stated == arms) return -1;
    return fp_cli_usage(command,
                        "--compare-at takes one threshold for all arms or one for each: %zu are given for %zu arms",
                        stated, arms);
}

/* A choice that was made on these texts is no choice from elsewhere. */
static void take_choices(const fp_cli_choices *choices, const fp_corpus *corpus, fp_threshold_at *at, size_t count) {
    for (size_t i = 0; i < choices->count; i++)
        if (strcmp(choices->choices[i].documents_sha256, corpus->documents_sha256) != 0)
            at[count - choices->count + i] = (fp_threshold_at){FP_THRESHOLD_CHOICE, choices->choices[i].threshold};
}

int fp_eval_judged(const fp_eval_options *options, const fp_corpus *corpus, fp_arena *arena,
                   fp_contestants *contestants) {
    fp_threshold_at *at = fp_arena_alloc(arena, contestants->count, sizeof *at);
    if (!at) return fp_cli_no_memory();
    contestants->judged = at;
    if (!options->compare_at) {
        take_choices(&options->choices, corpus, at, contestants->count);
        return -1;
    }
    if (corpus->truth == FP_TRUTH_GROUPS && !fp_corpus_view_can_list(corpus))
        fprintf(
            stderr,
            "fplab: %s: --compare-at needs labelled pairs, and this corpus has groups, of too many documents to list "
            "all pairs: McNemar's test is NA\n",
            corpus->name);
    for (size_t i = 0; i < contestants->count; i++)
        at[i] = (fp_threshold_at){FP_THRESHOLD_STATED, options->stated[options->stated_count == 1 ? 0 : i]};
    return -1;
}
