/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels and the heaviest features of long texts: laws that hold whatever the terms are.
 */
#include "tests/support.h"
#include "text/features/spec.h"

enum { TERMS = 600 };

/* How often term t stands: a few terms very often, as in any long text, the others 1 to 37 times. */
static size_t times_of(size_t t) { return t < 10 ? 300 : 1 + t % 37; }

/* A long text, with its frequent terms first or last. */
static const char *long_text(bool reversed, fp_arena *arena) {
    size_t room = 0;
    for (size_t t = 0; t < TERMS; t++) room += times_of(t) * 8;
    char *text = fp_arena_alloc(arena, room + 1, 1), *end = text;
    for (size_t i = 0; i < TERMS; i++) {
        size_t t = reversed ? TERMS - 1 - i : i;
        for (size_t n = 0; n < times_of(t); n++) end += sprintf(end, "w%zux ", t);
    }
    return text;
}

/* Features with weights; document frequencies of a corpus in which every fifth term stands in a second text too. */
static fp_features features_of(const char *spec, const char *text, fp_arena *arena) {
    fp_string texts[2] = {fp_string_of(text)};
    char *other = fp_arena_alloc(arena, TERMS, 8), *end = other;
    for (size_t t = 0; t < TERMS; t += 5) end += sprintf(end, "w%zux ", t);
    texts[1] = fp_string_of(other);
    fp_arm *arm = test_arm(fp_format(arena, "cosine:features=words,%s", spec), texts, 2, arena);
    fp_text treated;
    fp_document document = {0};
    ASSERT_GOOD(fp_preprocess(arm->preprocessor, texts[0], fp_arm_wants(arm), arena, &treated, &test_error));
    ASSERT_GOOD(fp_arm_document(arm, &treated, true, arena, &document, &test_error));
    return document.features;
}

static double weight_in(const fp_features *features, uint64_t hash) {
    for (size_t i = 0; i < features->count; i++)
        if (features->hash[i] == hash) return features->weight[i];
    return 0;
}

/* A term's level is at least five times the share of the terms that weigh less, at most that of those that weigh no
 * more, rounded up; and a heavier term has no lower level. */
static void levels_are_fifths_of_the_terms(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const char *text = long_text(false, arena);
    fp_features weight = features_of("weight=tfidf", text, arena), level = features_of("weight=levels", text, arena);
    assert_int_equal(level.count, TERMS);
    size_t of[6] = {0};
    for (size_t i = 0; i < TERMS; i++) {
        size_t less = 0, no_more = 0;
        for (size_t j = 0; j < TERMS; j++) {
            less += weight.weight[j] < weight.weight[i];
            no_more += weight.weight[j] <= weight.weight[i];
        }
        assert_true(level.weight[i] * TERMS >= 5.0 * (double)less);
        assert_true((level.weight[i] - 1) * TERMS < 5.0 * (double)no_more);
        of[(int)level.weight[i]]++;
    }
    for (size_t v = 1; v <= 5; v++)
        if (of[v] < TERMS / 10) fail_msg("level %zu holds %zu of %d terms", v, of[v], TERMS);
    fp_arena_free(arena);
}

/* top=N under levels keeps the N heaviest by tf · idf, and levels are made among those. */
static void the_cut_comes_before_the_levels(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const char *text = long_text(true, arena); /* the heaviest stand last */
    fp_features weight = features_of("weight=tfidf", text, arena),
                cut = features_of("weight=levels,top=100", text, arena);
    assert_int_equal(cut.count, 100);
    size_t heavier = 0, highest = 0;
    double lightest = 1e300;
    for (size_t i = 0; i < cut.count; i++) {
        double own = weight_in(&weight, cut.hash[i]);
        if (own < lightest) lightest = own;
        highest += cut.weight[i] == 5;
    }
    for (size_t i = 0; i < weight.count; i++) heavier += weight.weight[i] > lightest;
    assert_true(heavier < 100);
    assert_true(highest >= 20 && highest <= 30);
    fp_arena_free(arena);
}

/* Of equals, the same terms stay wherever they stand, and not those that come first. */
static void equals_are_not_chosen_by_their_place(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_features forth = features_of("weight=binary,top=100", long_text(false, arena), arena);
    fp_features back = features_of("weight=binary,top=100", long_text(true, arena), arena);
    assert_true(forth.count == 100 && back.count == 100);
    size_t early = 0;
    for (size_t i = 0; i < 100; i++) {
        assert_true(weight_in(&back, forth.hash[i]) == 1);
        early += atoi(forth.term[i].data + 1) < TERMS / 2;
    }
    assert_true(early > 30 && early < 70); /* ±4 standard deviations of a draw of 100 from 600 */
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_fifths_of_the_terms),
        cmocka_unit_test(the_cut_comes_before_the_levels),
        cmocka_unit_test(equals_are_not_chosen_by_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
