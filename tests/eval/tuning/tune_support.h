/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune_support.h - what the tests of grids, splits and tuning share. Include it last.
 */
#ifndef FP_TEST_TUNE_SUPPORT_H
#define FP_TEST_TUNE_SUPPORT_H

#include <math.h>

#include "eval/experiment/arm_list.h"
#include "eval/units/split.h"
#include "tests/support.h"

static inline void near_or_fail(double value, double expected, double tolerance, int line) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("line %d: %.17g is not %.17g", line, value, expected);
}
#define assert_near(value, expected, tolerance) near_or_fail(value, expected, tolerance, __LINE__)

static inline void expand(const char *const *specs, fp_arena *arena, fp_grid *grid) {
    ASSERT_GOOD(fp_grid_expand(specs, NULL, arena, grid, &test_error));
}

/* ---- A corpus made for the purpose ---- */

enum { GROUPS = 40, MEMBERS = 3, DOCUMENTS = GROUPS * MEMBERS };

typedef struct made {
    fp_corpus corpus;
    fp_corpus_document *documents;
    fp_string *texts;
    fp_pair *pairs;
    uint32_t *group;
} made;

/* Words of a group in an order that `seed` shuffles. */
static inline fp_string shuffled(uint64_t group, uint64_t seed, fp_arena *arena) {
    enum { WORDS = 12 };
    size_t order[WORDS];
    char text[WORDS * 16], *at = text;
    for (size_t i = 0; i < WORDS; i++) order[i] = i;
    for (size_t i = WORDS; i-- > 1;) {
        size_t j = (size_t)(fp_mix(seed, i) % (i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < WORDS; i++)
        at += sprintf(at, "%sw%llux%zu", i ? " " : "", (unsigned long long)group, order[i]);
    return fp_string_of(fp_string_copy(arena, fp_string_of(text)));
}

/* Groups of three documents that hold the same words in another order; all pairs of a group are positive, and each
 * document is in six negative ones. */
static inline made make_corpus(fp_arena *arena) {
    made to = {.documents = fp_arena_alloc(arena, DOCUMENTS, sizeof *to.documents),
               .texts = fp_arena_alloc(arena, DOCUMENTS, sizeof *to.texts),
               .pairs = fp_arena_alloc(arena, DOCUMENTS * (MEMBERS + 6), sizeof *to.pairs),
               .group = fp_arena_alloc(arena, DOCUMENTS, sizeof *to.group)};
    size_t count = 0;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        to.documents[i].id = fp_string_of(fp_format(arena, "d%u", i));
        to.texts[i] = shuffled(i / MEMBERS, 100 + i, arena);
        to.group[i] = i / MEMBERS;
        for (uint32_t j = i + 1; j < DOCUMENTS && j / MEMBERS == i / MEMBERS; j++)
            to.pairs[count++] = (fp_pair){i, j, 1};
        for (uint32_t k = 1; k <= 6; k++) {
            uint32_t other = (i + MEMBERS * (uint32_t)(1 + fp_mix(k, i) % (GROUPS - 1))) % DOCUMENTS;
            if (other != i) to.pairs[count++] = (fp_pair){i, other, 0};
        }
    }
    to.corpus = (fp_corpus){.path = "made",
                            .name = "made",
                            .truth = FP_TRUTH_PAIRS,
                            .document_count = DOCUMENTS,
                            .documents = to.documents,
                            .texts = to.texts,
                            .group = to.group,
                            .group_count = GROUPS,
                            .pair_count = count,
                            .pairs = to.pairs};
    return to;
}

/* What must hold of every split: no unit on two sides, and every pair there, once. */
static inline void check_apart(const fp_corpus *corpus, const fp_split *split) {
    size_t documents = 0, positives = 0, negatives[FP_SPLIT_MOST_SETS] = {0};
    for (size_t i = 0; i < split->pair_count; i++) {
        fp_pair pair = split->pairs[i];
        assert_int_equal(split->pair_set[i], fp_fold_set(split->fold[pair.a], split->fold[pair.b]));
        if (pair.label) assert_int_equal(split->fold[pair.a], split->fold[pair.b]);
        positives += pair.label;
        negatives[split->pair_set[i]] += !pair.label;
    }
    assert_int_equal(positives, split->positives);
    assert_memory_equal(negatives, split->set_negatives, sizeof negatives);
    if (corpus->truth == FP_TRUTH_PAIRS) assert_int_equal(split->pair_count, corpus->pair_count);
    for (size_t i = 0; i < corpus->document_count; i++)
        for (size_t j = 0; j < i; j++) {
            bool grouped = corpus->group[i] != UINT32_MAX && corpus->group[i] == corpus->group[j];
            if (grouped) assert_int_equal(split->unit[i], split->unit[j]);
            if (split->unit[i] == split->unit[j]) assert_int_equal(split->fold[i], split->fold[j]);
        }
    for (size_t f = 0; f < split->fold_count; f++) documents += split->folds[f].documents;
    assert_int_equal(documents, corpus->document_count);
}

#endif
