/* SPDX-License-Identifier: GPL-3.0-or-later
 * Evaluates distances from another program: precision and recall at the thresholds 1 to 10, with 95% intervals, and the
 * average precision.
 *
 *     evaluate_scores corpora/data/newswire-zh mine.tsv
 *
 * mine.tsv has a row for each labelled pair of the corpus: id_a, id_b and distance, separated by tabs; the smaller the
 * distance, the nearer the texts. */
#include <fplab.h>
#include <stdio.h>

static int fail(const fp_error *error) {
    fprintf(stderr, "%s", error->file);
    if (error->line != SIZE_MAX) fprintf(stderr, ":%zu", error->line);
    fprintf(stderr, "%s%s\n", *error->file ? ": " : "", error->message);
    return 1;
}

static fp_status print_row(const fp_evaluation *evaluation, double threshold, fp_error *error) {
    char name[40];
    fp_result precision, recall;
    snprintf(name, sizeof name, "precision@%g", threshold);
    if (fp_evaluation_measure(evaluation, 0, name, &precision, error) != FP_OK) return error->code;
    snprintf(name, sizeof name, "recall@%g", threshold);
    if (fp_evaluation_measure(evaluation, 0, name, &recall, error) != FP_OK) return error->code;
    printf("%g\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", threshold, precision.value, precision.low, precision.high,
           recall.value, recall.low, recall.high);
    return FP_OK;
}

static fp_status print_all(const fp_evaluation *evaluation, fp_error *error) {
    size_t count;
    const double *thresholds = fp_evaluation_thresholds(evaluation, &count);
    fp_result area;
    printf("threshold\tprecision\tlow\thigh\trecall\tlow\thigh\n");
    for (size_t i = 0; i < count; i++)
        if (print_row(evaluation, thresholds[i], error) != FP_OK) return error->code;
    if (fp_evaluation_measure(evaluation, 0, "average_precision", &area, error) != FP_OK) return error->code;
    printf("average precision %.3f (%.3f to %.3f)\n", area.value, area.low, area.high);
    return FP_OK;
}

int main(int count, char **argument) {
    fp_error error = {0};
    fp_corpus *corpus = NULL;
    fp_evaluation *evaluation = NULL;
    if (count != 3) return fprintf(stderr, "usage: evaluate_scores CORPUS SCORES\n"), 2;
    fp_status status = fp_corpus_open(argument[1], NULL, &corpus, &error);
    if (status == FP_OK) status = fp_evaluation_open(corpus, NULL, &evaluation, &error);
    if (status == FP_OK) status = fp_evaluation_add_scores(evaluation, "mine", argument[2], NULL, &error);
    if (status == FP_OK) status = fp_evaluation_run(evaluation, &error);
    if (status == FP_OK) status = print_all(evaluation, &error);
    fp_evaluation_close(evaluation);
    fp_corpus_close(corpus);
    return status == FP_OK ? 0 : fail(&error);
}
