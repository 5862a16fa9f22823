/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * made_corpus.h - a corpus of groups, made up of short texts, for the tests of all pairs. Include it last.
 */
#ifndef FP_TEST_MADE_CORPUS_H
#define FP_TEST_MADE_CORPUS_H

#include "eval/experiment/experiment.h"
#include "tests/support.h"

typedef struct made {
    fp_arena *arena;
    fp_corpus corpus;
} made;

/* Texts of a few characters of a small alphabet, so that some are alike, some share nothing, and all but the empty ones
 * hold the first letter where `common`. */
static inline fp_string make_text(size_t i, bool common, fp_arena *arena) {
    size_t length = fp_mix(i, 1) % 40, at = 0;
    char *text = fp_arena_alloc(arena, length + 8, 1);
    if (i % 9 == 0) return (fp_string){text, 0};
    if (common) text[at++] = 'a';
    for (size_t k = 0; k < length; k++) text[at++] = (char)('b' + fp_mix(i / 2 * 100 + k, 2) % (i % 5 ? 6 : 24));
    text[at++] = (char)('b' + i % 7);
    return (fp_string){text, at};
}

/* Groups of `group` documents; every seventh document has none. */
static inline made make_corpus(size_t count, size_t group, bool common) {
    made it = {.arena = fp_arena_new()};
    fp_corpus_document *documents = fp_arena_alloc(it.arena, count, sizeof *documents);
    fp_string *texts = fp_arena_alloc(it.arena, count, sizeof *texts);
    uint32_t *groups = fp_arena_alloc(it.arena, count, sizeof *groups);
    for (size_t i = 0; i < count; i++) {
        documents[i].id = fp_string_of(fp_format(it.arena, "d%zu", i));
        texts[i] = make_text(i, common, it.arena);
        documents[i].characters = texts[i].length;
        groups[i] = i % 7 == 6 ? UINT32_MAX : (uint32_t)(i / group);
    }
    it.corpus = (fp_corpus){.name = "made",
                            .path = "made",
                            .truth = FP_TRUTH_GROUPS,
                            .document_count = count,
                            .documents = documents,
                            .texts = texts,
                            .group = groups,
                            .group_count = count / group + 1};
    return it;
}

static inline void measure_over(const fp_progress *progress, const made *it, const char *spec, fp_measurement *out) {
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, it->arena, &arm, &test_error));
    ASSERT_GOOD(fp_experiment(&it->corpus, &arm, 1, progress, it->arena, out, &test_error));
}

static inline void measure(const made *it, const char *spec, fp_measurement *out) { measure_over(NULL, it, spec, out); }

/* The same with the list of at most so many near pairs. */
static inline void measure_near(const fp_progress *progress, const made *it, const char *spec, size_t most,
                                fp_measurement *out) {
    fp_arm *arm;
    fp_stage stage = {.corpus = &it->corpus, .progress = progress, .near_most = most};
    ASSERT_GOOD(fp_arm_parse(spec, NULL, it->arena, &arm, &test_error));
    ASSERT_GOOD(fp_experiment_staged(&stage, &arm, 1, it->arena, out, &test_error));
}

/* The distance that two documents must have: what the two sketches give, but the largest where one is of an empty text,
 * or of any of these texts for pinyin, since none holds a Han character. */
static inline double made_distance(const made *it, const fp_measurement *measurement, size_t a, size_t b) {
    const fp_arm *arm = measurement->arm;
    const fp_string *texts = it->corpus.texts;
    if (strcmp(arm->instance.algorithm->name, "pinyin") == 0 || !texts[a].length || !texts[b].length)
        return fp_arm_layout(arm)->maximum;
    return fp_arm_distance(arm, fp_sketches_at(&measurement->sketches, a), fp_sketches_at(&measurement->sketches, b));
}

#endif
