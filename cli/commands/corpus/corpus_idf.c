/* SPDX-License-Identifier: GPL-3.0-or-later
 * corpus idf: in how many documents each term stands. */
#include "cli/commands/corpus/corpus.h"
#include "eval/experiment/frequencies.h"

static fp_status write_frequencies(const fp_term_frequency *terms, size_t count, size_t documents, const char *path,
                                   fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fprintf(output.stream, "documents\t%zu\n", documents);
    for (size_t i = 0; i < count; i++)
        fprintf(output.stream, "%.*s\t%zu\n", (int)terms[i].term.length, terms[i].term.data, terms[i].documents);
    return fp_output_close(&output, error);
}

int fp_corpus_idf(const fp_command *command, const fp_corpus_chosen *chosen, const char *const *rest, fp_arena *arena) {
    fp_corpus corpus;
    fp_arm **arms;
    size_t arm_count, count;
    fp_term_frequency *terms;
    fp_error error = {0};
    if (!rest[0] || rest[1]) return fp_cli_usage(command, "corpus idf takes one directory");
    const char *whole = fp_format(arena, "cosine:%s", chosen->spec);
    if (!whole) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = fp_cli_arms((const char *const[]){whole, NULL}, arena, &arms, &arm_count);
    if (status < 0) status = fp_cli_corpus(rest[0], chosen->skip_bad, arena, &corpus);
    if (status >= 0) return status;
    if (fp_corpus_frequencies(&corpus, arms[0], arena, &terms, &count, &error) != FP_OK ||
        write_frequencies(terms, count, corpus.document_count, chosen->out, &error) != FP_OK)
        return fp_cli_fail(&error);
    if (corpus.document_count < FP_LEAST_FOR_IDF)
        fprintf(
            stderr,
            "fplab: %s: document frequencies of %zu document%s; fewer than %d tell what these texts share, not what "
            "is common\n",
            corpus.name, corpus.document_count, corpus.document_count == 1 ? "" : "s", FP_LEAST_FOR_IDF);
    return FP_EXIT_SUCCESS;
}
