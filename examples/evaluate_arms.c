/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares arms on a corpus: average precision and best F1 of each, and differences with adjusted p-values.
 *
 *     evaluate_arms corpora/data/newswire-zh simhash minhash:slots=128 */
#include <fplab.h>
#include <stdio.h>

static void say_progress(void *context, const char *stage, size_t done, size_t total) {
    if (done == total) fprintf(context, "%s: done\n", stage);
}

static fp_status print_arm(const fp_evaluation *evaluation, size_t arm, fp_error *error) {
    fp_result area, best;
    if (fp_evaluation_measure(evaluation, arm, "average_precision", &area, error) != FP_OK) return error->code;
    if (fp_evaluation_measure(evaluation, arm, "best_f1", &best, error) != FP_OK) return error->code;
    double threshold = fp_evaluation_best_threshold(evaluation, arm);
    fp_confusion at_best = fp_evaluation_counts(evaluation, arm, threshold);
    printf("%s\t%.3f\t%.3f\t%.3f\t%.3f\t%g\t%llu\t%llu\n", fp_evaluation_arm_name(evaluation, arm), area.value,
           area.low, area.high, best.value, threshold, (unsigned long long)at_best.tp, (unsigned long long)at_best.fp);
    if (fp_evaluation_caution(evaluation, arm)) fprintf(stderr, "%s\n", fp_evaluation_caution(evaluation, arm));
    return FP_OK;
}

static void print_difference(const fp_evaluation *evaluation, size_t first, size_t second) {
    fp_compared of = fp_evaluation_difference(evaluation, first, second);
    printf("%s - %s\t%.3f\t%.3f\t%.3f\t%.4f\n", fp_evaluation_arm_name(evaluation, first),
           fp_evaluation_arm_name(evaluation, second), of.difference, of.low, of.high, of.adjusted);
}

static fp_status print_all(const fp_evaluation *evaluation, fp_error *error) {
    size_t count = fp_evaluation_arm_count(evaluation);
    printf("arm\taverage_precision\tlow\thigh\tbest_f1\tthreshold\ttp\tfp\n");
    for (size_t arm = 0; arm < count; arm++)
        if (print_arm(evaluation, arm, error) != FP_OK) return error->code;
    printf("difference\tvalue\tlow\thigh\tp\n");
    for (size_t first = 0; first < count; first++)
        for (size_t second = first + 1; second < count; second++) print_difference(evaluation, first, second);
    printf("%s\n", fp_evaluation_describe(evaluation));
    return FP_OK;
}

int main(int count, char **argument) {
    fp_error error = {0};
    fp_corpus *corpus = NULL;
    fp_evaluation *evaluation = NULL;
    fp_evaluation_options options = FP_EVALUATION_OPTIONS;
    if (count < 3) return fprintf(stderr, "usage: evaluate_arms CORPUS ARM...\n"), 2;
    options.progress.report = say_progress;
    options.progress.context = stderr;
    fp_status status = fp_corpus_open(argument[1], NULL, &corpus, &error);
    if (status == FP_OK) status = fp_evaluation_open(corpus, &options, &evaluation, &error);
    for (int i = 2; i < count && status == FP_OK; i++)
        status = fp_evaluation_add_arm(evaluation, argument[i], NULL, &error);
    if (status == FP_OK) status = fp_evaluation_run(evaluation, &error);
    if (status == FP_OK) status = print_all(evaluation, &error);
    if (status != FP_OK) fprintf(stderr, "%s%s%s\n", error.file, *error.file ? ": " : "", error.message);
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
    return status == FP_OK ? 0 : 1;
}
