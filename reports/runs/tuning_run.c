/* SPDX-License-Identifier: GPL-3.0-or-later
 * run.json of a tuning. */
#include "reports/runs/tuning_run.h"

#include <math.h>

#include "reports/runs/run.h"

fp_status fp_tuning_run_save(const fp_tuning *tuning, int argument_count, const char *const *arguments,
                             const char *path, fp_error *error) {
    const fp_tuned *tuned = tuning->tuned;
    const fp_tune_options *options = tuned->options;
    bool recall = !isnan(options->objective.min_precision);
    const fp_run_fact facts[] = {
        {"objective",
         recall ? "most recall at a precision that is shown to be at least min_precision"
                : "F-beta: (1 + beta^2)tp/((1 + beta^2)tp + beta^2 fn + fp), false positives weighted",
         0},
        {"beta", NULL, recall ? NAN : options->objective.beta},
        {"min_precision", NULL, options->objective.min_precision},
        {"test",
         recall ? "Clopper-Pearson limit at the effective number of units of Korn and Graubard, thresholds in fixed "
                  "sequence, Bonferroni over arms"
                : NULL,
         NAN},
        {"level", NULL, recall ? tuned->level : NAN},
        {"min_precision_reached",
         !recall                           ? NULL
         : tuned->best.arm != FP_TUNE_NONE ? "yes"
                                           : "no",
         NAN},
        {"folds", NULL, (double)options->split.folds},
        {"seed", NULL, (double)options->split.seed},
        {"most_negatives", NULL, (double)options->split.most_negatives},
        {"units", NULL, (double)tuned->split.unit_count},
        {"pairs", NULL, (double)tuned->split.pair_count},
        {"positives", NULL, (double)tuned->split.positives},
        {"negatives", NULL, (double)tuned->split.negatives},
        {"negative_weight", NULL, tuned->split.weight},
        {"interval", "mid-p interval from the spread over units, of choices taken as given", 0},
        {"difference",
         "paired bootstrap over units (percentiles); p from the same replicates, by Student's t where few lie beyond 0, corrected after Holm",
         0},
        {"confidence", NULL, options->confidence},
        {"replicates", NULL, (double)tuned->replicates},
        {"equivalence_margin", NULL, fp_tune_margin(options)},
        {NULL, NULL, 0},
    };
    const fp_run_facts of = {
        .corpus = tuning->corpus, .arms = tuned->arms, .arm_count = tuned->arm_count, .facts = facts};
    return fp_run_save_facts(&of, argument_count, arguments, path, error);
}
