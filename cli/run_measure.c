/* SPDX-License-Identifier: GPL-3.0-or-later
 * A run measured once more, for its pairs. */
#include "cli/run_measure.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* What is missing, with the reason that an error gives. */
static fp_page_corpus lack(fp_page_lack what, const char *detail) {
    return (fp_page_corpus){.lack = what, .detail = detail ? detail : ""};
}

static const char *describe(const fp_error *error, fp_arena *arena) {
    if (!error->file[0]) return fp_format(arena, "%s", error->message);
    return fp_format(arena, "%s: %s", error->file, error->message);
}

/* ---- One corpus ---- */

fp_status fp_cli_run_digest(const fp_outcome *outcome, size_t share, bool texts, fp_arena *arena,
                            fp_pair_digest *digest, fp_page_corpus *to, fp_error *error) {
    *to = lack(outcome->corpus->truth == FP_TRUTH_PAIRS ? FP_PAGE_HAS : FP_PAGE_TOO_MANY, "");
    if (to->lack == FP_PAGE_TOO_MANY) return FP_OK;
    FP_TRY(fp_pair_digest_make(outcome, share, texts, arena, digest, error));
    *to = (fp_page_corpus){.digest = digest};
    return FP_OK;
}

/* The corpus of the run, when it is still there and the same. */
static fp_status read_corpus(const fp_recorded_corpus *was, const char *path, fp_arena *arena, fp_corpus *corpus,
                             fp_page_corpus *to, fp_error *error) {
    fp_progress progress = fp_cli_progress();
    fp_corpus_options options = {.skip_bad = true, .most_bytes = fp_cli_most_bytes(), .progress = &progress};
    if (access(path, F_OK) != 0) {
        *to = lack(FP_PAGE_GONE, path);
        return FP_ERROR_IO;
    }
    fp_status status = fp_corpus_read(path, &options, arena, corpus, error);
    if (status != FP_OK) return status;
    corpus->name = was->name;
    bool same = strcmp(corpus->documents_sha256, was->documents_sha256) == 0 &&
                strcmp(corpus->pairs_sha256, was->pairs_sha256) == 0;
    if (same) return FP_OK;
    *to = lack(FP_PAGE_CHANGED, path);
    return FP_ERROR_IO;
}

/* The arms as they were, under their names. */
static fp_status parse_arms(const fp_recorded *run, fp_arena *arena, fp_arm ***arms, fp_error *error) {
    const fp_algorithm *const *plugins;
    if (fp_cli_plugins(&plugins) >= 0) return fp_fail(error, FP_ERROR_IO, "a plug-in cannot be loaded");
    const fp_extensions more = {.size = sizeof more, .algorithms = plugins};
    *arms = fp_arena_alloc(arena, run->arm_count, sizeof **arms);
    if (!*arms) return fp_no_memory(error);
    for (size_t i = 0; i < run->arm_count; i++) {
        FP_TRY(fp_arm_parse_with(run->specs[i], &more, arena, *arms + i, error));
        (*arms)[i]->name = run->names[i];
    }
    return FP_OK;
}

/* The seeds of the arms that left theirs open: each from its own on, or all from one. */
static fp_hash_seeds seeds_of(const fp_recorded *run, fp_arm *const *arms) {
    fp_hash_seeds seeds = {.count = 1};
    for (size_t i = 0; i < run->arm_count; i++) {
        if (!arms[i]->seed || run->seeds[i].count == 0) continue;
        seeds.count = run->seeds[i].count;
        seeds.first = run->seeds[i].first;
        seeds.from |= seeds.first != fp_arm_own_seed(arms[i]);
    }
    return seeds;
}

static fp_status measure(const fp_recorded *run, size_t at, const char *path, bool texts, fp_arena *arena,
                         fp_cli_run_part *part, fp_page_corpus *to, fp_error *error) {
    fp_progress progress = fp_cli_progress();
    fp_corpus *corpus = fp_arena_alloc(arena, 1, sizeof *corpus);
    fp_arm **arms;
    if (!corpus) return fp_no_memory(error);
    FP_TRY(read_corpus(run->corpora + at, path, arena, corpus, to, error));
    if (corpus->truth != FP_TRUTH_PAIRS) {
        *to = lack(FP_PAGE_TOO_MANY, "");
        return FP_OK;
    }
    FP_TRY(parse_arms(run, arena, &arms, error));
    fp_stage stage = {.corpus = corpus, .progress = &progress};
    FP_TRY(fp_outcome_measure(&stage, arms, run->arm_count, seeds_of(run, arms), FP_LEVEL_PAIR, arena, &part->outcome,
                              error));
    fp_cli_progress_end();
    return fp_cli_run_digest(&part->outcome, run->corpus_count, texts, arena, &part->digest, to, error);
}

/* ---- All ---- */

int fp_cli_run_measure(const fp_recorded *run, const char *const *paths, bool texts, fp_arena *arena,
                       fp_cli_run_part *parts, fp_page_corpus *corpora) {
    int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), entered = chdir(run->here), status = -1;
    for (size_t i = 0; i < run->corpus_count && status < 0; i++) {
        fp_error error = {0};
        corpora[i] = lack(FP_PAGE_HAS, "");
        fp_status done = entered == 0 || *paths[i] == '/'
                             ? measure(run, i, paths[i], texts, arena, parts + i, corpora + i, &error)
                             : FP_ERROR_IO;
        fp_cli_progress_end();
        if (done == FP_ERROR_MEMORY) status = fp_cli_no_memory();
        else if (done != FP_OK && corpora[i].lack == FP_PAGE_HAS)
            corpora[i] =
                error.message[0] ? lack(FP_PAGE_UNREADABLE, describe(&error, arena)) : lack(FP_PAGE_GONE, paths[i]);
    }
    if (back < 0 || (entered == 0 && fchdir(back) != 0)) {
        fprintf(stderr, "fplab: the directory the program was called in cannot be entered again\n");
        status = FP_EXIT_FAILURE;
    }
    if (back >= 0) close(back);
    return status;
}

void fp_cli_run_measure_free(fp_cli_run_part *parts, size_t count) {
    for (size_t i = 0; i < count; i++) fp_outcome_free(&parts[i].outcome);
}
