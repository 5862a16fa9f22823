/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the corpora of a run are now. */
#include "cli/run_corpora.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/read_entries.h"

int fp_cli_run_corpora_refuse(const fp_command *command, const char *entry) {
    return fp_cli_usage(command, "--corpus takes NAME=DIR, with the name of a corpus of the run, not %s", entry);
}

size_t fp_cli_run_corpus_of(const fp_recorded *run, const char *moved) {
    for (size_t at = 0; at < run->corpus_count; at++) {
        size_t length = strlen(run->corpora[at].name);
        if (strncmp(moved, run->corpora[at].name, length) == 0 && moved[length] == '=') return at;
    }
    return SIZE_MAX;
}

int fp_cli_run_corpora_check(const fp_command *command, const char *const *moved) {
    for (; moved && *moved; moved++)
        if (!strchr(*moved, '=')) return fp_cli_run_corpora_refuse(command, *moved);
    return FP_EXIT_SUCCESS;
}

int fp_cli_run_corpora(const fp_recorded *run, const char *const *moved, fp_arena *arena, const char **paths,
                       bool *elsewhere) {
    size_t named = 0;
    for (size_t i = 0; i < run->corpus_count; i++) paths[i] = run->corpora[i].path;
    for (const char *const *it = moved; it && *it; it++) {
        size_t at = fp_cli_run_corpus_of(run, *it);
        if (at == SIZE_MAX) continue;
        const char *path = *it + strlen(run->corpora[at].name) + 1;
        char real[PATH_MAX];
        if (!realpath(path, real)) {
            fprintf(stderr, "fplab: %s: %s\n", path, strerror(errno));
            return FP_EXIT_FAILURE;
        }
        named += paths[at] == run->corpora[at].path;
        paths[at] = fp_format(arena, "%s", real);
    }
    *elsewhere = run->corpus_count && named == run->corpus_count;
    return FP_EXIT_SUCCESS;
}

/* ---- A run measured once more, for its pairs ---- */

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
    fp_corpus_opening options = {.skip_bad = true, .most_bytes = fp_cli_most_bytes(), .progress = &progress};
    if (access(path, F_OK) != 0) {
        *to = lack(FP_PAGE_GONE, path);
        return FP_ERROR_IO;
    }
    fp_status status = fp_cli_is_table(path) ? FP_OK : fp_corpus_read(path, &options, arena, corpus, error);
    if (fp_cli_is_table(path) && fp_cli_corpus(path, true, arena, corpus) != FP_EXIT_SUCCESS) {
        *to = lack(FP_PAGE_UNREADABLE, path);
        return FP_ERROR_IO;
    }
    if (status != FP_OK) return status;
    corpus->name = was->name;
    bool same = strcmp(corpus->documents_sha256, was->documents_sha256) == 0 &&
                strcmp(corpus->pairs_sha256, was->pairs_sha256) == 0;
    if (same) return FP_OK;
    *to = lack(FP_PAGE_CHANGED, path);
    return FP_ERROR_IO;
}

/* An arm that left its seed open has the first of those that it was measured under, whatever the default is now. */
static fp_status take_seed(const fp_recorded_arm *of, fp_arena *arena, fp_arm **arm, fp_error *error) {
    if (!(*arm)->seed || of->seed_count == 0 || fp_arm_own_seed(*arm) == of->first_seed) return FP_OK;
    return fp_arm_reseed(*arm, of->first_seed, arena, arm, error);
}

/* The arms as they were, under their names. */
static fp_status parse_arms(const fp_recorded *run, fp_arena *arena, fp_arm ***arms, fp_error *error) {
    const fp_algorithm *const *plugins;
    if (fp_cli_plugins(&plugins) != FP_EXIT_SUCCESS) return fp_fail(error, FP_ERROR_IO, "a plug-in cannot be loaded");
    const fp_extensions more = {.size = sizeof more, .algorithms = plugins};
    *arms = fp_arena_alloc(arena, run->arm_count, sizeof **arms);
    for (size_t i = 0; i < run->arm_count; i++) {
        FP_TRY(fp_arm_parse(run->arms[i].spec, &more, arena, *arms + i, error));
        FP_TRY(take_seed(run->arms + i, arena, *arms + i, error));
        (*arms)[i]->name = run->arms[i].name;
    }
    return FP_OK;
}

/* The seeds of the arms that left theirs open: each from its own on. */
static fp_hash_seeds seeds_of(const fp_recorded *run, fp_arm *const *arms) {
    fp_hash_seeds seeds = {.count = 1};
    for (size_t i = 0; i < run->arm_count; i++)
        if (arms[i]->seed && run->arms[i].seed_count) seeds.count = run->arms[i].seed_count;
    return seeds;
}

static fp_status measure(const fp_recorded *run, size_t at, const char *path, bool texts, fp_arena *arena,
                         fp_cli_run_part *part, fp_page_corpus *to, fp_error *error) {
    fp_progress progress = fp_cli_progress();
    fp_corpus *corpus = fp_arena_alloc(arena, 1, sizeof *corpus);
    fp_arm **arms = NULL;
    FP_TRY(read_corpus(run->corpora + at, path, arena, corpus, to, error));
    if (corpus->truth != FP_TRUTH_PAIRS) {
        *to = lack(FP_PAGE_TOO_MANY, "");
        return FP_OK;
    }
    FP_TRY(parse_arms(run, arena, &arms, error));
    fp_stage stage = {.corpus = corpus, .progress = &progress};
    fp_contest contest = {
        .count = run->arm_count, .arms = arms, .hash_seeds = seeds_of(run, arms), .level = FP_LEVEL_PAIR};
    FP_TRY(fp_outcome_measure(&stage, &contest, arena, &part->outcome, error));
    fp_cli_progress_end();
    return fp_cli_run_digest(&part->outcome, run->corpus_count, texts, arena, &part->digest, to, error);
}

/* ---- All ---- */

int fp_cli_run_measure(const fp_recorded *run, const char *const *paths, bool texts, fp_arena *arena,
                       fp_cli_run_part *parts, fp_page_corpus *corpora) {
    int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), entered = chdir(run->here), status = FP_EXIT_SUCCESS;
    fp_cli_table_again(run->arguments, run->argument_count);
    for (size_t i = 0; i < run->corpus_count && status == FP_EXIT_SUCCESS; i++) {
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
        fprintf(stderr, "fplab: cannot return to the directory in which the program was started\n");
        status = FP_EXIT_FAILURE;
    }
    if (back >= 0) close(back);
    return status;
}

void fp_cli_run_measure_free(fp_cli_run_part *parts, size_t count) {
    for (size_t i = 0; i < count; i++) fp_outcome_free(&parts[i].outcome);
}

/* ---- Pages of runs ---- */

int fp_cli_run_page_languages(const char *text) {
    static const int LANGUAGES[] = {FP_PAGE_EN, FP_PAGE_ZH, FP_PAGE_BOTH};
    return text ? LANGUAGES[fp_cli_word_at("en zh both", text)] : FP_PAGE_BOTH;
}

/* ---- Arms and corpora as run.json has them, and another --out ---- */

static fp_cli_fixed fixed;

void fp_cli_fix(const fp_cli_fixed *arms) { fixed = arms ? *arms : (fp_cli_fixed){0}; }

const fp_cli_fixed *fp_cli_fixed_out(void) { return fixed.out ? &fixed : NULL; }

const char *fp_cli_fixed_corpus(size_t index, const char *path) {
    return fixed.run && index < fixed.run->corpus_count ? fixed.corpora[index] : path;
}

const char *fp_cli_fixed_name(const char *path) {
    for (size_t i = 0; fixed.run && i < fixed.run->corpus_count; i++)
        if (strcmp(fixed.corpora[i], path) == 0) return fixed.run->corpora[i].name;
    return NULL;
}

bool fp_cli_arms_are_fixed(void) { return fixed.run && fixed.run->arm_count; }

/* Names of arms may hold what a specification cannot. */
int fp_cli_fixed_arms(fp_arena *arena, fp_arm ***arms, size_t *count) {
    const fp_recorded *run = fixed.run;
    const char **specs = fp_arena_alloc(arena, run->arm_count + 1, sizeof *specs);
    for (size_t i = 0; i < run->arm_count; i++)
        specs[i] = fp_format(arena, "%s%sname=%zu", run->arms[i].spec, strchr(run->arms[i].spec, ':') ? "," : ":", i);
    fp_error error = {0};
    FP_CLI_TRY(fp_cli_arms(specs, arena, arms, count));
    for (size_t i = 0; i < run->arm_count; i++) {
        if (take_seed(run->arms + i, arena, *arms + i, &error) != FP_OK) return fp_cli_fail(&error);
        (*arms)[i]->name = run->arms[i].name;
    }
    return FP_EXIT_SUCCESS;
}
