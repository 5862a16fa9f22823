/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms of the command line: specs, saved choices, --plugin, and warnings of doubtful figures. */
#include <math.h>
#include <string.h>

#include "cli/choice.h"
#include "cli/cli.h"
#include "cli/options.h"

const char *const fp_cli_default_arms[] = {"simhash", "minhash", "jaccard", "cosine", "pinyin", NULL};

const char *const fp_cli_usual_arms[] = {"exact",       "simhash",   "hyperplane", "bitsample",    "projection",
                                         "minhash",     "oneperm",   "cminhash",   "superminhash", "weightedminhash",
                                         "fracminhash", "winnowing", "jaccard",    "cosine",       "pinyin",
                                         "sentences",   NULL};

/* ---- Plug-ins ---- */

enum { MOST_PLUGINS = 64 };

static const char **files;

const fp_option fp_cli_plugin_options[] = {
    {"plugin", 0, FP_TAKES_LIST(&files), "load an algorithm from a shared object; may be repeated", "FILE.so"}, {0}};

/* Of two plug-ins with the same name the second would never be used. */
static bool is_first(const fp_algorithm *const *loaded, size_t count, fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(loaded[i]->name, loaded[count]->name) != 0) continue;
        fp_fail(error, FP_ERROR_DUPLICATE, "the plug-in is called %s, like that of %s", loaded[count]->name, files[i]);
        fp_at(error, FP_ERROR_DUPLICATE, files[count], SIZE_MAX, SIZE_MAX);
        return false;
    }
    return true;
}

int fp_cli_plugins(const fp_algorithm *const **plugins) {
    static const fp_algorithm *loaded[MOST_PLUGINS + 1];
    static size_t count;
    static fp_arena *arena; /* for the life of the process, as the plug-ins */
    fp_error error = {0};
    if (files && !arena) arena = fp_cli_arena();
    for (; files && files[count]; count++) {
        if (count == MOST_PLUGINS) {
            fprintf(stderr, "fplab: at most %d plug-ins\n", MOST_PLUGINS);
            return FP_EXIT_USAGE;
        }
        if (fp_plugin_load(files[count], arena, &loaded[count], &error) != FP_OK || !is_first(loaded, count, &error))
            return fp_cli_fail(&error);
    }
    *plugins = loaded;
    return FP_EXIT_SUCCESS;
}

/* ---- Specs ---- */

/* A wrong arm is a mistake in the command line; a file that it names and that is broken is a failure. */
static int arm_failure(const char *spec, const fp_error *error) {
    if (error->file[0] || error->code == FP_ERROR_MEMORY || error->code == FP_ERROR_IO) return fp_cli_fail(error);
    fprintf(stderr, "fplab: arm \"%s\": %s\n", spec, error->message);
    return FP_EXIT_USAGE;
}

/* A spec, or @FILE: the arm of a saved choice, under its name. Returns the exit status. */
static int read_arm(const char *spec, const fp_algorithm *const *plugins, fp_arena *arena, fp_arm **arm,
                    double *threshold) {
    fp_error error = {0};
    fp_choice choice = {.arm = spec, .threshold = NAN};
    if (*spec == FP_CLI_CHOICE_MARK) FP_CLI_TRY(fp_cli_read_choice(spec + 1, arena, &choice));
    *threshold = choice.threshold;
    const fp_extensions more = {.size = sizeof more, .algorithms = plugins};
    if (fp_arm_parse(choice.arm, &more, arena, arm, &error) != FP_OK) return arm_failure(choice.arm, &error);
    if (choice.name) (*arm)->name = choice.name;
    return FP_EXIT_SUCCESS;
}

int fp_cli_arms_at(const char *const *specs, fp_arena *arena, fp_arm ***arms, double **thresholds, size_t *count) {
    const fp_algorithm *const *plugins;
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    size_t most = 0;
    while (specs[most]) most++;
    *arms = fp_arena_alloc(arena, most, sizeof **arms);
    *thresholds = fp_arena_alloc(arena, most, sizeof **thresholds);
    *count = 0;
    for (; *count < most; ++*count) {
        FP_CLI_TRY(read_arm(specs[*count], plugins, arena, *arms + *count, *thresholds + *count));
        for (size_t i = 0; i < *count; i++) {
            if (strcmp((*arms)[i]->name, (*arms)[*count]->name) != 0) continue;
            fprintf(stderr, "fplab: two arms are called \"%s\"; name them with name=…\n", specs[*count]);
            return FP_EXIT_USAGE;
        }
    }
    return FP_EXIT_SUCCESS;
}

int fp_cli_arms(const char *const *specs, fp_arena *arena, fp_arm ***arms, size_t *count) {
    double *thresholds;
    return fp_cli_arms_at(specs, arena, arms, &thresholds, count);
}

int fp_cli_arm(const char *spec, fp_arena *arena, fp_arm **arm, double *threshold) {
    const fp_algorithm *const *plugins;
    double unused;
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    return read_arm(spec, plugins, arena, arm, threshold ? threshold : &unused);
}

/* ---- Warnings ---- */

/* The problem of the texts with empty sketches. */
static const char *lack_of(const fp_arm *arm, bool one) {
    uint32_t needs = arm->instance.algorithm->needs;
    if (arm->opened && !needs) return one ? "has a vector of zeros" : "have a vector of zeros";
    if (needs & FP_NEEDS_INITIALS) return one ? "has no Han character" : "have no Han character";
    if (!(needs & (FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE))) return one ? "is empty" : "are empty";
    if (!arm->instance.algorithm->is_empty) return one ? "has no feature" : "have no feature";
    return one ? "has no feature, or none that was kept" : "have no feature, or none that was kept";
}

/* Whether the empty sketches of two arms get the same message. */
static bool same_emptiness(fp_arm *const *arms, const size_t *empty, size_t a, size_t b) {
    return empty[a] == empty[b] && strcmp(lack_of(arms[a], false), lack_of(arms[b], false)) == 0;
}

/* One line for all arms with the same message as this one, unless an earlier arm has printed it. */
static void warn_of_empty(fp_arm *const *arms, const size_t *empty, size_t arm_count, size_t arm, const char *where,
                          size_t count) {
    bool several = false, one = empty[arm] == 1;
    if (!empty[arm]) return;
    for (size_t i = 0; i < arm; i++)
        if (same_emptiness(arms, empty, i, arm)) return;
    for (size_t i = arm + 1; i < arm_count; i++) several |= same_emptiness(arms, empty, i, arm);
    fprintf(stderr, "fplab: %s%sarm%s %s", where ? where : "", where ? ": " : "", several ? "s" : "", arms[arm]->name);
    for (size_t i = arm + 1; i < arm_count; i++)
        if (same_emptiness(arms, empty, i, arm)) fprintf(stderr, ", %s", arms[i]->name);
    fprintf(stderr, ": %zu of %zu text%s %s: %s as farthest from all others\n", empty[arm], count,
            count == 1 ? "" : "s", lack_of(arms[arm], one),
            one ? "its sketch is empty, and counts" : "their sketches are empty, and count");
}

void fp_cli_warn_uncut(fp_arm *const *arms, size_t arm_count, const char *where, size_t count) {
    size_t uncut = 0;
    for (size_t i = 0; i < arm_count; i++) {
        size_t own = arms[i]->preprocessor ? fp_preprocessor_uncut(arms[i]->preprocessor, count) : 0;
        if (own > uncut) uncut = own;
    }
    if (uncut)
        fprintf(stderr,
                "fplab: %s%s%zu of %zu text%s in a script whose words segmenter=jieba does not find (Thai, Lao, Khmer, "
                "Myanmar, hiragana): each letter counts as a word; add segmenter=icu or features=chars:K to the arm\n",
                where ? where : "", where ? ": " : "", uncut, count,
                count == 1   ? " is"
                : uncut == 1 ? "s is"
                             : "s are");
}

void fp_cli_cautions(fp_arm *const *arms, const size_t *empty, size_t arm_count, const char *where, size_t count) {
    for (size_t i = 0; i < arm_count; i++) {
        const char *caution = fp_arm_caution(arms[i]);
        if (caution)
            fprintf(stderr, "fplab: %s%sarm %s: %s\n", where ? where : "", where ? ": " : "", arms[i]->name, caution);
    }
    for (size_t i = 0; i < arm_count; i++) warn_of_empty(arms, empty, arm_count, i, where, count);
    fp_cli_warn_uncut(arms, arm_count, where, count);
}

void fp_cli_caution(fp_arm *arm, const char *where, size_t empty, size_t count) {
    fp_cli_cautions(&arm, &empty, 1, where, count);
}
