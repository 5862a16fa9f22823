/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tuning: grids expanded by hand, splits that keep documents apart, and choices on corpora whose best arm is known before. */
#include <math.h>
#include <omp.h>

#include "eval/grid.h"
#include "eval/stages.h"
#include "eval/tune_parts.h"
#include "reports/choice.h"
#include "reports/tuning.h"
#include "tests/support.h"

static void near_or_fail(double value, double expected, double tolerance, int line) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("line %d: %.17g is not %.17g", line, value, expected);
}
#define assert_near(value, expected, tolerance) near_or_fail(value, expected, tolerance, __LINE__)

/* ---- Grids ---- */

static void expand(const char *const *specs, fp_arena *arena, fp_grid *grid) {
    ASSERT_GOOD(fp_grid_expand(specs, NULL, arena, grid, &test_error));
}

/* 2·3·2 arms, written out by hand. */
static void a_grid_is_the_product(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:bits=64|128,features=words|chars:2|chars:3,tie=zero,weight=tf|tfidf", NULL};
    static const char *const LABELS[] = {
        "simhash:bits=64,features=words,weight=tf",     "simhash:bits=64,features=words,weight=tfidf",
        "simhash:bits=64,features=chars:2,weight=tf",   "simhash:bits=64,features=chars:2,weight=tfidf",
        "simhash:bits=64,features=chars:3,weight=tf",   "simhash:bits=64,features=chars:3,weight=tfidf",
        "simhash:bits=128,features=words,weight=tf",    "simhash:bits=128,features=words,weight=tfidf",
        "simhash:bits=128,features=chars:2,weight=tf",  "simhash:bits=128,features=chars:2,weight=tfidf",
        "simhash:bits=128,features=chars:3,weight=tf",  "simhash:bits=128,features=chars:3,weight=tfidf",
    };
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    size_t count;
    ASSERT_GOOD(fp_grid_count(SPECS, &count, &test_error));
    assert_int_equal(count, 12);
    expand(SPECS, arena, &grid);
    assert_int_equal(grid.count, 12);
    for (size_t i = 0; i < 12; i++) assert_string_equal(fp_arm_name(grid.arms[i]), LABELS[i]);
    assert_string_equal(grid.written[7], "simhash:bits=128,features=words,tie=zero,weight=tfidf");
    for (size_t i = 0; i < 12; i++) {
        fp_arm *again;
        ASSERT_GOOD(fp_arm_parse(grid.written[i], arena, &again, &test_error));
        assert_string_equal(fp_arm_spec(again), fp_arm_spec(grid.arms[i]));
    }
    fp_arena_free(arena);
}

static void algorithms_vary_too(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash|minhash:features=words|chars:2", "pinyin", "jaccard:features=chars:2,name=mine", NULL};
    static const char *const LABELS[] = {"simhash:features=words", "simhash:features=chars:2", "minhash:features=words", "minhash:features=chars:2",
                                         "pinyin", "mine"};
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    expand(SPECS, arena, &grid);
    assert_int_equal(grid.count, 6);
    for (size_t i = 0; i < 6; i++) assert_string_equal(fp_arm_name(grid.arms[i]), LABELS[i]);
    fp_arena_free(arena);
}

/* Both grids vary the bits alone; what is the same in one of them tells them apart. */
static void equal_labels_are_written_out(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:bits=64|128,features=chars:3", "simhash:bits=64|32,features=words", NULL};
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    expand(SPECS, arena, &grid);
    assert_string_equal(fp_arm_name(grid.arms[0]), "simhash:bits=64,features=chars:3");
    assert_string_equal(fp_arm_name(grid.arms[1]), "simhash:bits=128");
    assert_string_equal(fp_arm_name(grid.arms[2]), "simhash:bits=64,features=words");
    fp_arena_free(arena);
}

static void refuse_grid(const char *spec, fp_status status, const char *words) {
    const char *const specs[] = {spec, NULL};
    fp_arena *arena = fp_arena_new();
    fp_grid grid;
    fp_error error = {0};
    assert_int_equal(fp_grid_expand(specs, NULL, arena, &grid, &error), status);
    if (!strstr(error.message, words)) fail_msg("%s: \"%s\" says nothing of \"%s\"", spec, error.message, words);
    fp_arena_free(arena);
}

static void bad_grids_are_refused(void **state) {
    (void)state;
    refuse_grid("simhash:bits=64|", FP_ERROR_SYNTAX, "bits has an empty alternative at byte 17");
    refuse_grid("simhash:bits=|64", FP_ERROR_SYNTAX, "bits has an empty alternative at byte 14");
    refuse_grid("simhash||minhash", FP_ERROR_SYNTAX, "an algorithm is missing at byte 9");
    refuse_grid("", FP_ERROR_SYNTAX, "an algorithm is missing");
    refuse_grid("simhash:bits", FP_ERROR_SYNTAX, "expected key=value");
    refuse_grid("simhash:bits=64,bits=32", FP_ERROR_SYNTAX, "bits stands twice");
    refuse_grid("simhash:bits=64|128,name=a", FP_ERROR_SYNTAX, "name=");
    refuse_grid("simhash|minhash:bits=64", FP_ERROR_UNKNOWN, "minhash has no parameter bits");
    refuse_grid("simhash|exact:features=words", FP_ERROR_UNKNOWN, "exact has no parameter features");
    refuse_grid("simhash:bits=64|129", FP_ERROR_RANGE, "129");
    refuse_grid("simhash:bits=64|64", FP_ERROR_DUPLICATE, "are the same arm");
    refuse_grid("simhahs", FP_ERROR_UNKNOWN, "did you mean simhash?");
    /* 12⁴ = 20736 arms. */
    refuse_grid("simhash:bits=4|5|6|7|8|9|10|11|12|13|14|15,top=1|2|3|4|5|6|7|8|9|10|11|12,shortest=1|2|3|4|5|6|7|8|9|10|11|12,"
                "hashseed=1|2|3|4|5|6|7|8|9|10|11|12", FP_ERROR_RANGE, "more than 20000 arms");
}

/* ---- Thresholds ---- */

static fp_layout layout_of(double maximum, bool integral) { return (fp_layout){.maximum = maximum, .integral = integral}; }

/* A distance is at most the value of a step exactly when its own step is at most that step; and a value survives being written down. */
static void steps_agree_with_comparison(void **state) {
    (void)state;
    static const struct { double maximum; bool integral; size_t count; } SCALES[] = {
        {64, true, 65}, {128, true, 129}, {64, false, 6401}, {60, false, 6001}, {1, false, 1001}, {1000, false, 1001}, {1e6, true, 50001}};
    for (size_t s = 0; s < sizeof SCALES / sizeof *SCALES; s++) {
        fp_layout layout = layout_of(SCALES[s].maximum, SCALES[s].integral);
        fp_steps steps = fp_steps_of(&layout);
        if (SCALES[s].maximum < 1e6) assert_int_equal(steps.count, SCALES[s].count);
        assert_true(fp_steps_value(&steps, steps.count - 1) >= SCALES[s].maximum);
        for (uint64_t i = 0; i < 5000; i++) {
            double distance = (double)(fp_mix(1, i) >> 11) * 0x1p-53 * SCALES[s].maximum;
            if (SCALES[s].integral) distance = floor(distance);
            if (i % 3 == 0) distance = fp_steps_value(&steps, (size_t)(fp_mix(2, i) % steps.count));
            size_t found = fp_steps_find(&steps, distance);
            assert_true(distance <= fp_steps_value(&steps, found));
            if (found) assert_true(distance > fp_steps_value(&steps, found - 1));
            char text[40];
            double read;
            snprintf(text, sizeof text, "%.15g", fp_steps_value(&steps, found));
            assert_true(fp_parse_real(text, &read) && read == fp_steps_value(&steps, found));
        }
    }
}

static const fp_objective F1 = {1, NAN, 0.95};

/* 8 of 10 called are right, 4 positives are missed; then the two wrong ones stand for three each: 8 of 14. */
static void objectives_by_hand(void **state) {
    (void)state;
    fp_called_pairs called = {.tp = 8, .fn = 4, .fp_across = 2};
    assert_near(fp_called_precision(called, 1), 0.8, 1e-15);
    assert_near(fp_called_precision(called, 3), 8.0 / 14, 1e-15);
    assert_near(fp_called_recall(called), 8.0 / 12, 1e-15);
    assert_near(fp_called_fbeta(called, 1, 1), 16.0 / 22, 1e-15);
    /* F2 = 5PR/(4P + R). */
    double p = 8.0 / 14, r = 8.0 / 12;
    assert_near(fp_called_fbeta(called, 3, 2), 5 * p * r / (4 * p + r), 1e-15);
    assert_near(fp_called_precision_limit(called, 1, 0.95), fp_wilson(8, 10, 0.95).low, 1e-12);
    /* (8 + 6)²/(8 + 18) = 7.54 trials. */
    assert_true(fp_called_precision_limit(called, 3, 0.95) < fp_wilson(4, 7, 0.95).low + 0.02);
    fp_called_pairs none = {.fn = 3};
    assert_true(isnan(fp_called_precision(none, 1)) && isnan(fp_called_fbeta(none, 1, 1)));
    assert_true(fp_called_recall(none) == 0);
}

/* Every threshold of random tables, one by one. */
static void the_search_finds_what_trying_all_finds(void **state) {
    (void)state;
    enum { STEPS = 12 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint32_t cells[3 * STEPS];
        fp_step_counts counts = {STEPS, cells};
        for (uint64_t i = 0; i < 3 * STEPS; i++) cells[i] = (uint32_t)(fp_mix(seed, i) % (i % 3 == 0 ? 9 : 3));
        double weight = 1 + (double)(seed % 4);
        for (int kind = 0; kind < 2; kind++) {
            fp_objective objective = {seed % 3 ? 1 : 2, kind ? 0.3 + 0.1 * (double)(seed % 5) : NAN, 0.95};
            double best = NAN;
            size_t best_step = 0;
            for (size_t h = 0; h < STEPS; h++) {
                fp_called_pairs called = {0};
                for (size_t i = 0; i < STEPS; i++) {
                    *(i <= h ? &called.tp : &called.fn) += cells[3 * i];
                    if (i <= h) called.fp_inside += cells[3 * i + 1], called.fp_across += cells[3 * i + 2];
                }
                double value = fp_objective_value(&objective, called, weight);
                if (kind && !(fp_called_precision_limit(called, weight, 0.95) >= objective.min_precision)) continue;
                if (isnan(value) || !(isnan(best) || value > best)) continue;
                best = value;
                best_step = h;
            }
            fp_best_step found = fp_objective_search(&objective, &counts, weight);
            assert_int_equal(found.found, !isnan(best));
            if (found.found) assert_true(found.score == best && found.step == best_step);
        }
    }
}

/* ---- Corpora made for the purpose ---- */

enum { GROUPS = 40, MEMBERS = 3, DOCUMENTS = GROUPS * MEMBERS };

typedef struct made {
    fp_corpus corpus;
    fp_corpus_document *documents;
    fp_pair *pairs;
    uint32_t *group;
} made;

/* Words of a group in an order that `seed` shuffles. */
static fp_string shuffled(uint64_t group, uint64_t seed, fp_arena *arena) {
    enum { WORDS = 12 };
    size_t order[WORDS];
    char text[WORDS * 16], *at = text;
    for (size_t i = 0; i < WORDS; i++) order[i] = i;
    for (size_t i = WORDS; i-- > 1;) {
        size_t j = (size_t)(fp_mix(seed, i) % (i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (size_t i = 0; i < WORDS; i++) at += sprintf(at, "%sw%llux%zu", i ? " " : "", (unsigned long long)group, order[i]);
    return fp_string_of(fp_string_copy(arena, fp_string_of(text)));
}

/* Groups of three documents that hold the same words in another order; all pairs of a group are positive, and each document is in six negative ones. */
static made make_corpus(fp_arena *arena) {
    made to = {.documents = fp_arena_alloc(arena, DOCUMENTS, sizeof *to.documents),
               .pairs = fp_arena_alloc(arena, DOCUMENTS * (MEMBERS + 6), sizeof *to.pairs),
               .group = fp_arena_alloc(arena, DOCUMENTS, sizeof *to.group)};
    size_t count = 0;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        to.documents[i].id = fp_string_of(fp_format(arena, "d%u", i));
        to.documents[i].text = shuffled(i / MEMBERS, 100 + i, arena);
        to.group[i] = i / MEMBERS;
        for (uint32_t j = i + 1; j < DOCUMENTS && j / MEMBERS == i / MEMBERS; j++) to.pairs[count++] = (fp_pair){i, j, 1};
        for (uint32_t k = 1; k <= 6; k++) {
            uint32_t other = (i + MEMBERS * (uint32_t)(1 + fp_mix(k, i) % (GROUPS - 1))) % DOCUMENTS;
            if (other != i) to.pairs[count++] = (fp_pair){i, other, 0};
        }
    }
    to.corpus = (fp_corpus){.path = "made", .name = "made", .truth = FP_TRUTH_PAIRS, .document_count = DOCUMENTS, .documents = to.documents,
                            .group = to.group, .group_count = GROUPS, .pair_count = count, .pairs = to.pairs};
    return to;
}

/* ---- Splits ---- */

static const fp_split_options FIVE = {5, 1, 1000};

static void split_of(const fp_corpus *corpus, const fp_split_options *options, fp_arena *arena, fp_split *split) {
    ASSERT_GOOD(fp_split_make(corpus, options, arena, split, &test_error));
}

/* What must hold of every split: nothing of a fold is tied to another. */
static void check_apart(const fp_corpus *corpus, const fp_split *split) {
    size_t documents = 0, positives = 0, kept = 0;
    for (size_t i = 0; i < split->pair_count; i++) {
        fp_pair pair = split->pairs[i];
        assert_int_equal(split->fold[pair.a], split->pair_fold[i]);
        assert_int_equal(split->fold[pair.b], split->pair_fold[i]);
        assert_int_equal(split->across[i], !pair.label && split->unit[pair.a] != split->unit[pair.b]);
        positives += pair.label;
        kept += !pair.label;
    }
    assert_int_equal(positives, split->positives);
    for (size_t i = 0; i < corpus->pair_count && corpus->truth == FP_TRUTH_PAIRS; i++) {
        fp_pair pair = corpus->pairs[i];
        if (pair.label) assert_int_equal(split->fold[pair.a], split->fold[pair.b]);
        else kept -= split->fold[pair.a] == split->fold[pair.b];
    }
    if (corpus->truth == FP_TRUTH_PAIRS) assert_int_equal(kept, 0); /* no pair that could stay was lost */
    for (size_t i = 0; i < corpus->document_count; i++)
        for (size_t j = 0; j < i; j++)
            if (corpus->group[i] != UINT32_MAX && corpus->group[i] == corpus->group[j]) assert_int_equal(split->fold[i], split->fold[j]);
    for (size_t f = 0; f < split->fold_count; f++) documents += split->folds[f].documents;
    assert_int_equal(documents, corpus->document_count);
}

static void no_document_is_on_both_sides(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (uint64_t seed = 0; seed < 20; seed++) {
        fp_split_options options = {3 + seed % 6, seed, 1000};
        fp_split split;
        split_of(&of.corpus, &options, arena, &split);
        check_apart(&of.corpus, &split);
        assert_int_equal(split.unit_count, GROUPS);
        assert_int_equal(split.dropped + split.pair_count, of.corpus.pair_count);
        /* 40 equal units: folds differ by one unit, three documents and three positives at most. */
        for (size_t f = 0; f < split.fold_count; f++)
            for (size_t g = 0; g < split.fold_count; g++) {
                assert_true(split.folds[f].positives <= split.folds[g].positives + 3);
                assert_true(split.folds[f].documents <= split.folds[g].documents + 3);
            }
    }
    fp_arena_free(arena);
}

/* Without groups the positive pairs alone tie documents; a negative pair ties nothing. */
static void positive_pairs_make_units(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (size_t i = 0; i < DOCUMENTS; i++) of.group[i] = UINT32_MAX;
    fp_split split;
    split_of(&of.corpus, &FIVE, arena, &split);
    check_apart(&of.corpus, &split);
    assert_int_equal(split.unit_count, GROUPS);
    for (size_t i = 0; i < DOCUMENTS; i++) assert_int_equal(split.unit[i], i / MEMBERS);
    /* One positive pair between two groups makes one unit of them. */
    of.pairs[of.corpus.pair_count] = (fp_pair){0, DOCUMENTS - 1, 1};
    of.corpus.pair_count++;
    split_of(&of.corpus, &FIVE, arena, &split);
    assert_int_equal(split.unit_count, GROUPS - 1);
    assert_int_equal(split.unit[0], split.unit[DOCUMENTS - 1]);
    fp_arena_free(arena);
}

static void splits_follow_the_seed_alone(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    fp_split one, again, other;
    int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    split_of(&of.corpus, &FIVE, arena, &one);
    omp_set_num_threads(7);
    split_of(&of.corpus, &FIVE, arena, &again);
    omp_set_num_threads(threads);
    assert_memory_equal(one.fold, again.fold, DOCUMENTS);
    assert_int_equal(one.pair_count, again.pair_count);
    split_of(&of.corpus, &(fp_split_options){5, 2, 1000}, arena, &other);
    assert_memory_not_equal(one.fold, other.fold, DOCUMENTS);
    fp_arena_free(arena);
}

/* All pairs of groups, whole and by sample: the pairs that stay stand for all negatives, 120·119/2 − 40·3 = 7020. */
static void groups_keep_a_sample_of_negatives(void **state) {
    (void)state;
    static const size_t MOST[] = {100000, 300, 50};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    of.corpus.truth = FP_TRUTH_GROUPS;
    for (size_t m = 0; m < 3; m++) {
        fp_split split;
        split_of(&of.corpus, &(fp_split_options){5, 3, MOST[m]}, arena, &split);
        check_apart(&of.corpus, &split);
        size_t negatives = split.pair_count - (size_t)split.positives;
        assert_int_equal(split.positives, GROUPS * 3);
        assert_int_equal(split.negatives, 7020);
        assert_int_equal(split.dropped + split.sampled_out + negatives, 7020);
        assert_near(split.weight * (double)negatives, 7020, 1e-9);
        assert_true(negatives <= MOST[m]);
        if (m) assert_true((double)negatives > 0.8 * (double)MOST[m]);
        else assert_int_equal(split.sampled_out, 0);
        bool *seen = fp_arena_alloc(arena, DOCUMENTS * DOCUMENTS, sizeof *seen);
        for (size_t i = 0; i < split.pair_count; i++) {
            size_t key = (size_t)split.pairs[i].a * DOCUMENTS + split.pairs[i].b;
            assert_true(split.pairs[i].a < split.pairs[i].b && !seen[key]);
            seen[key] = true;
            assert_int_equal(split.pairs[i].label, of.group[split.pairs[i].a] == of.group[split.pairs[i].b]);
        }
    }
    fp_arena_free(arena);
}

/* In 3,000 samples of less than half of the pairs, every document is drawn about as often as any other: within 6 standard deviations. */
static void samples_are_fair(void **state) {
    (void)state;
    enum { SMALL = 8, DRAWS = 3000 };
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (size_t i = 0; i < SMALL * 3; i++) of.group[i] = (uint32_t)(i / 2);
    of.corpus.document_count = SMALL * 3;
    of.corpus.group_count = SMALL * 3 / 2;
    of.corpus.truth = FP_TRUTH_GROUPS;
    double total = 0, kept = 0;
    size_t first[SMALL * 3] = {0};
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        fp_split split;
        fp_arena *scratch = fp_arena_new();
        split_of(&of.corpus, &(fp_split_options){3, seed, 30}, scratch, &split);
        total += (double)(split.negatives - split.dropped);
        kept += (double)(split.pair_count - split.positives);
        for (size_t i = 0; i < split.pair_count; i++) {
            if (split.pairs[i].label) continue;
            first[split.pairs[i].a]++;
            first[split.pairs[i].b]++;
        }
        fp_arena_free(scratch);
    }
    assert_true(kept < 0.6 * total);
    for (size_t i = 0; i < SMALL * 3; i++) {
        double expected = 2 * kept / (SMALL * 3);
        assert_true(fabs((double)first[i] - expected) < 6 * sqrt(expected));
    }
    fp_arena_free(arena);
}

static void refuse_split(const fp_corpus *corpus, fp_split_options options, const char *words) {
    fp_arena *arena = fp_arena_new();
    fp_split split;
    fp_error error = {0};
    assert_int_not_equal(fp_split_make(corpus, &options, arena, &split, &error), FP_OK);
    if (!strstr(error.message, words)) fail_msg("\"%s\" says nothing of \"%s\"", error.message, words);
    fp_arena_free(arena);
}

static void what_cannot_be_split_is_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena), one = make_corpus(arena), few = make_corpus(arena), positive = make_corpus(arena), negative = make_corpus(arena);
    refuse_split(&of.corpus, (fp_split_options){2, 1, 100}, "3 to 20");
    for (size_t i = 0; i < DOCUMENTS; i++) one.group[i] = 0;
    refuse_split(&one.corpus, FIVE, "one unit");
    for (size_t i = 0; i < DOCUMENTS; i++) few.group[i] = (uint32_t)(i / (DOCUMENTS / 4));
    refuse_split(&few.corpus, FIVE, "4 units");
    for (size_t i = 0; i < positive.corpus.pair_count; i++) positive.pairs[i].label = 0;
    refuse_split(&positive.corpus, FIVE, "no positives");
    size_t kept = 0;
    for (size_t i = 0; i < negative.corpus.pair_count; i++)
        if (negative.pairs[i].label) negative.pairs[kept++] = negative.pairs[i];
    negative.corpus.pair_count = kept;
    refuse_split(&negative.corpus, FIVE, "no negatives");
    for (size_t i = 0; i < of.corpus.pair_count; i++)
        if (of.pairs[i].a >= MEMBERS) of.pairs[i].label = 0;
    refuse_split(&of.corpus, FIVE, "all positive pairs lie in one unit");
    of.corpus.truth = FP_TRUTH_NONE;
    refuse_split(&of.corpus, FIVE, "no ground truth");
    fp_arena_free(arena);
}

/* ---- Shares ---- */

/* Pairs without a document in common and weights of 1: Wilson's own interval. */
static void a_plain_share_is_wilsons(void **state) {
    (void)state;
    enum { PAIRS = 50 };
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[PAIRS];
    double weight[PAIRS];
    bool success[PAIRS];
    for (uint32_t i = 0; i < PAIRS; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 2};
        weight[i] = i < 40;
        success[i] = i < 31 || i > 44;
    }
    fp_resample resample;
    fp_share share;
    ASSERT_GOOD(fp_resample_make(pairs, PAIRS, NULL, 2 * PAIRS, FP_UNIT_AUTO, arena, &resample, &test_error));
    ASSERT_GOOD(fp_share_of(&resample, weight, success, 0.95, arena, &share, &test_error));
    assert_near(share.value, 31.0 / 40, 1e-15);
    assert_true(share.trials > 38 && share.trials <= 40.0001);
    fp_interval wilson = fp_wilson(31, 40, 0.95);
    assert_near(share.interval.low, wilson.low, 0.01);
    assert_near(share.interval.high, wilson.high, 0.01);
    /* Failures that weigh four: 31/(31 + 36). */
    for (size_t i = 31; i < 40; i++) weight[i] = 4;
    ASSERT_GOOD(fp_share_of(&resample, weight, success, 0.95, arena, &share, &test_error));
    assert_near(share.value, 31.0 / 67, 1e-15);
    assert_true(share.trials <= 67.0 * 67 / (31 + 9 * 16) + 1e-9);
    fp_arena_free(arena);
}

/* ---- Tuning ---- */

static fp_tune_options options_of(uint64_t seed) {
    return (fp_tune_options){.split = {5, seed, 10000}, .objective = F1, .confidence = 0.95, .replicates = 200};
}

static void tune(const fp_corpus *corpus, const char *const *specs, const fp_tune_options *options, fp_arena *arena, fp_tuned *tuned) {
    fp_grid grid;
    expand(specs, arena, &grid);
    ASSERT_GOOD(fp_tune(corpus, grid.arms, grid.count, options, NULL, arena, tuned, &test_error));
}

/* Positives hold the same words in another order: as sets of words they are equal, as sets of shingles of three words nearly nothing is. */
static void the_known_best_arm_is_found(void **state) {
    (void)state;
    static const char *const SPECS[] = {"jaccard|cosine:features=words:3", "random:seed=1|2", "jaccard:features=words", NULL};
    enum { BEST = 4 };
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (int truth = 0; truth < 2; truth++) {
        fp_tune_options options = options_of(1);
        fp_tuned tuned;
        of.corpus.truth = truth ? FP_TRUTH_GROUPS : FP_TRUTH_PAIRS;
        tune(&of.corpus, SPECS, &options, arena, &tuned);
        assert_int_equal(tuned.best.arm, BEST);
        assert_int_equal(tuned.order[0], BEST);
        assert_true(tuned.best.threshold == 0 && tuned.best.score == 1);
        for (size_t o = 0; o < 5; o++) assert_int_equal(tuned.outer[o].arm, BEST);
        assert_true(tuned.held_out.precision.value == 1 && tuned.held_out.recall.value == 1 && tuned.optimism == 0);
        assert_true(tuned.held_out.precision.interval.low > 0.8 && tuned.held_out.precision.interval.low < 1);
        for (size_t i = 0; i < BEST; i++) {
            assert_true(tuned.results[i].apart && tuned.results[i].difference < 0);
            assert_true(tuned.results[i].difference_interval.high < 0);
        }
        assert_false(tuned.results[BEST].apart);
        assert_true(tuned.results[BEST].front);
    }
    fp_arena_free(arena);
}

/* Two arms of the same distances cannot be told apart. */
static void equal_arms_are_not_told_apart(void **state) {
    (void)state;
    static const char *const SPECS[] = {"cosine:features=words:2,name=a", "jaccard:features=words:2,name=b", "cosine:features=words:2,weight=binary,name=c", NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    fp_tune_options options = options_of(1);
    fp_tuned tuned;
    tune(&of.corpus, SPECS, &options, arena, &tuned);
    size_t a = 0, c = 2, best = tuned.best.arm; /* no shingle stands twice: weights of 1 either way */
    assert_true(best == a || best == 1);
    if (best == a) assert_true(tuned.results[c].difference == 0 && tuned.results[c].p == 1 && !tuned.results[c].apart);
    fp_arena_free(arena);
}

/* Thirty arms that guess. Whoever chooses on all pairs and judges on the same finds something; what is held out is no better than calling every pair a
 * duplicate, whose F1 is 2π/(1 + π) at a share π of positives. Each of 20 splits has its 95% interval above that with probability 0.025: more than 4
 * would happen once in 10,000 times. */
static void noise_shows_the_optimism(void **state) {
    (void)state;
    static const char *const SPECS[] = {"random:seed=1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25|26|27|28|29|30", NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    size_t above = 0;
    double optimism = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fp_arena *own = fp_arena_new();
        fp_tune_options options = options_of(seed);
        options.replicates = 10;
        fp_tuned tuned;
        tune(&of.corpus, SPECS, &options, own, &tuned);
        double share = (double)tuned.split.positives / (double)(tuned.split.positives + tuned.split.negatives), constant = 2 * share / (1 + share);
        assert_true(tuned.naive_figures.objective.value > constant);
        optimism += tuned.optimism / 20;
        above += tuned.held_out.objective.interval.low > constant;
        assert_true(tuned.held_out.objective.value < tuned.naive_figures.objective.value);
        fp_arena_free(own);
    }
    assert_true(optimism > 0.02);
    assert_true(above <= 4);
    fp_arena_free(arena);
}

/* Held-out pairs have no part in what is chosen without them: other texts in one fold leave its outer choice as it was, to the last bit, although every arm
 * learns. */
static void nothing_leaks(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:bits=128,features=words,weight=tfidf,center=none|mean|median", "cosine:features=words|chars:2,weight=idf",
                                        "pinyin:reference=corpus", NULL};
    enum { FOLD = 2 };
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena), changed = make_corpus(arena);
    static const char *const HAN[] = {"今天天气很好", "银行利率下调", "重庆火锅节开幕", "大桥恢复通车", "股市小幅收跌"};
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const char *text = fp_format(arena, "%s %.*s %s", HAN[i / MEMBERS % 5], (int)of.documents[i].text.length, of.documents[i].text.data, HAN[i % 5]);
        of.documents[i].text = changed.documents[i].text = fp_string_of(text);
    }
    fp_tune_options options = options_of(1);
    fp_tuned one, other;
    tune(&of.corpus, SPECS, &options, arena, &one);
    for (size_t i = 0; i < DOCUMENTS; i++)
        if (one.split.fold[i] == FOLD) changed.documents[i].text = shuffled(7, i, arena); /* the words of group 7, which are then in very many texts */
    tune(&changed.corpus, SPECS, &options, arena, &other);
    assert_memory_equal(one.split.fold, other.split.fold, DOCUMENTS);
    bool others_moved = false;
    for (size_t i = 0; i < one.arm_count; i++) {
        fp_tune_choice before = one.results[i].outer[FOLD], after = other.results[i].outer[FOLD];
        assert_true(before.threshold == after.threshold && before.score == after.score);
        for (size_t o = 0; o < 5; o++) others_moved |= o != FOLD && one.results[i].outer[o].score != other.results[i].outer[o].score;
    }
    assert_true(others_moved); /* the change was one that matters */
    assert_true(one.outer[FOLD].arm == other.outer[FOLD].arm && one.outer[FOLD].threshold == other.outer[FOLD].threshold);
    fp_arena_free(arena);
}

/* ln((N + 1)/(df + ½)) over the training documents: "stone" is in all four texts, "river" in the two that train. */
static void idf_comes_from_the_training_side(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"stone river", "stone river", "stone meadow", "stone forest"};
    static const bool TRAINING[] = {true, true, false, false};
    fp_arena *arena = fp_arena_new();
    fp_corpus_document documents[4] = {0};
    for (size_t i = 0; i < 4; i++) documents[i] = (fp_corpus_document){.id = fp_string_of(TEXTS[i]), .text = fp_string_of(TEXTS[i])};
    fp_corpus corpus = {.path = "made", .document_count = 4, .documents = documents};
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse("cosine:features=words,weight=idf", arena, &arm, &test_error));
    const fp_idf *idf[2];
    for (int side = 0; side < 2; side++) {
        fp_stage stage = {.corpus = &corpus, .training = side ? TRAINING : NULL};
        fp_corpus_texts texts;
        fp_corpus_features features;
        fp_arenas arenas;
        ASSERT_GOOD(fp_arenas_open(&arenas, arena, &test_error));
        ASSERT_GOOD(fp_stage_texts(&stage, arm, fp_arm_wants(arm), &arenas, arena, &texts, &test_error));
        ASSERT_GOOD(fp_stage_features(&stage, arm, &texts, &arenas, arena, &features, &test_error));
        idf[side] = features.idf;
        double n = side ? 2 : 4;
        assert_int_equal(fp_idf_documents(idf[side]), n);
        const fp_features *first = &features.documents[0].features;
        assert_int_equal(first->count, 2);
        assert_near(first->weight[0], log((n + 1) / (n + 0.5)), 1e-12);
        assert_near(first->weight[1], log((n + 1) / 2.5), 1e-12);
        /* A word that the training side does not know gets the mean of those that it knows. */
        double meadow = side ? (log(3 / 2.5) + log(3 / 2.5)) / 2 : log(5 / 1.5);
        assert_near(features.documents[2].features.weight[1], meadow, 1e-12);
        fp_arenas_free(&arenas);
    }
    fp_arena_free(arena);
}

/* Whatever fit learns from has labels of training pairs only: the oracle, which learns them by heart, knows nothing of held-out groups. */
static void the_oracle_cannot_see_held_out_labels(void **state) {
    (void)state;
    static const char *const SPECS[] = {"oracle", NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (int truth = 0; truth < 2; truth++) {
        fp_tune_options options = options_of(1);
        fp_tuned tuned;
        of.corpus.truth = truth ? FP_TRUTH_GROUPS : FP_TRUTH_PAIRS;
        tune(&of.corpus, SPECS, &options, arena, &tuned);
        assert_true(tuned.naive_figures.objective.value == 1); /* in sample it is perfect */
        /* Held out it has no idea: all pairs are at the largest distance, and all are called. */
        double share = (double)tuned.split.positives / (double)(tuned.split.positives + tuned.split.negatives);
        assert_near(tuned.held_out.objective.value, 2 * share / (1 + share), 1e-9);
    }
    fp_arena_free(arena);
}

static const char *as_text(fp_table *table, fp_arena *arena) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    ASSERT_GOOD(fp_table_write(table, FP_FORMAT_TSV, stream, &test_error));
    fclose(stream);
    const char *copy = fp_string_copy(arena, (fp_string){text, size});
    free(text);
    return copy;
}

static void threads_change_nothing(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:features=words|chars:2,weight=tf|tfidf", "minhash:features=words:2", "projection", NULL};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    ASSERT_GOOD(fp_corpus_read("corpora/data/newswire-zh", NULL, arena, &corpus, &test_error));
    int threads = omp_get_max_threads();
    const char *leaderboard[2], *folds[2];
    for (int run = 0; run < 2; run++) {
        fp_tune_options options = options_of(4);
        fp_grid grid;
        fp_tuned tuned;
        omp_set_num_threads(run ? 7 : 1);
        expand(SPECS, arena, &grid);
        ASSERT_GOOD(fp_tune(&corpus, grid.arms, grid.count, &options, NULL, arena, &tuned, &test_error));
        fp_tuning tuning = {&corpus, &tuned, grid.written};
        leaderboard[run] = as_text(fp_tuning_leaderboard(&tuning, arena), arena);
        folds[run] = as_text(fp_tuning_folds(&tuning, arena), arena);
    }
    omp_set_num_threads(threads);
    assert_string_equal(leaderboard[0], leaderboard[1]);
    assert_string_equal(folds[0], folds[1]);
    fp_arena_free(arena);
}

/* F-beta of weighted counts, written out once more. */
static double fbeta_by_hand(const double *w, const bool *positive, const bool *called, size_t count, double beta, bool recall) {
    double tp = 0, fn = 0, fp = 0;
    for (size_t i = 0; i < count; i++) *(positive[i] ? (called[i] ? &tp : &fn) : called[i] ? &fp : &(double){0}) += w[i];
    return recall ? tp / (tp + fn) : (1 + beta * beta) * tp / ((1 + beta * beta) * tp + beta * beta * fn + fp);
}

/* Two arms on pairs without a common document: the variance of their difference is the sum of squares of its derivatives by each pair's weight, found here
 * by finite differences (Efron's infinitesimal jackknife), and p is the normal tail. For recall that is the variance of paired proportions. */
static void differences_have_their_variance(void **state) {
    (void)state;
    enum { PAIRS = 200, ARMS = 3 };
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[PAIRS];
    uint8_t fold[PAIRS];
    bool positive[PAIRS], across[PAIRS], called[ARMS][PAIRS];
    double weight[PAIRS];
    uint32_t lists[ARMS][PAIRS];
    fp_tune_calls calls[ARMS] = {0};
    for (uint32_t i = 0; i < PAIRS; i++) {
        positive[i] = i < 120;
        across[i] = !positive[i] && i % 2;
        weight[i] = across[i] ? 3 : 1;
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, positive[i]};
        fold[i] = (uint8_t)(i % 5);
        for (size_t a = 0; a < ARMS; a++) {
            called[a][i] = fp_mix(a + 1, i) % 100 < (positive[i] ? 80 - 15 * a : 10 + 5 * a);
            if (called[a][i]) lists[a][calls[a].count++] = i;
            calls[a].pairs = lists[a];
        }
    }
    for (int recall = 0; recall < 2; recall++) {
        fp_tune_options options = options_of(1);
        options.objective.beta = 2;
        if (recall) options.objective.min_precision = 0.1;
        options.replicates = 2000;
        fp_tune_arm results[ARMS] = {0};
        fp_called_pairs naive[ARMS] = {0};
        fp_tuned tuned = {.options = &options, .arm_count = ARMS, .best = {0, 0, 1}, .naive = {FP_TUNE_NONE, NAN, NAN}};
        tuned.split = (fp_split){.fold_count = 5, .document_count = 2 * PAIRS, .pair_count = PAIRS, .pairs = pairs, .pair_fold = fold, .across = across,
                                 .weight = 3};
        ASSERT_GOOD(fp_resample_make(pairs, PAIRS, NULL, 2 * PAIRS, FP_UNIT_AUTO, arena, &tuned.resample, &test_error));
        fp_tune_work work = {.options = &options, .arena = arena, .tuned = &tuned, .results = results, .calls = calls, .naive = naive, .error = &test_error};
        ASSERT_GOOD(fp_tune_compare(&work));
        double p[ARMS] = {NAN, NAN, NAN}, spread[ARMS];
        for (size_t a = 0; a < ARMS; a++) {
            double value = fbeta_by_hand(weight, positive, called[a], PAIRS, 2, recall), best = fbeta_by_hand(weight, positive, called[0], PAIRS, 2, recall);
            assert_near(results[a].held_out.objective.value, value, 1e-12);
            if (a == 0) continue;
            double squares = 0;
            for (size_t i = 0; i < PAIRS; i++) {
                double moved[PAIRS], step = 1e-6; /* a pair drawn once more counts with its weight */
                memcpy(moved, weight, sizeof moved);
                moved[i] *= 1 + step;
                double change = fbeta_by_hand(moved, positive, called[a], PAIRS, 2, recall) - fbeta_by_hand(moved, positive, called[0], PAIRS, 2, recall);
                squares += pow((change - (value - best)) / step, 2);
            }
            spread[a] = sqrt(squares);
            p[a] = erfc(fabs(value - best) / spread[a] / sqrt(2));
            assert_near(results[a].difference, value - best, 1e-12);
            assert_near(results[a].p, p[a], 1e-4);
            /* Percentiles of 2,000 replicates: the normal interval, but for chance and skewness. */
            assert_near(results[a].difference_interval.low, value - best - 1.96 * spread[a], 0.4 * spread[a]);
            assert_near(results[a].difference_interval.high, value - best + 1.96 * spread[a], 0.4 * spread[a]);
        }
        assert_near(results[1].p_adjusted, fmin(1, p[1] < p[2] ? 2 * p[1] : fmax(p[1], 2 * p[2])), 1e-4);
    }
    fp_arena_free(arena);
}

/* The front by its definition, and held-out counts that add up, on the shipped corpus. */
static void figures_agree_with_their_definitions(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash|minhash|cosine:features=words|chars:2", "pinyin", "constant", NULL};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    fp_tuned tuned;
    fp_tune_options options = options_of(1);
    ASSERT_GOOD(fp_corpus_read("corpora/data/newswire-zh", NULL, arena, &corpus, &test_error));
    tune(&corpus, SPECS, &options, arena, &tuned);
    check_apart(&corpus, &tuned.split);
    fp_called_pairs sum = {0};
    for (size_t f = 0; f < 5; f++) {
        assert_int_equal(tuned.fold_called[f].tp + tuned.fold_called[f].fn, tuned.split.folds[f].positives);
        sum.tp += tuned.fold_called[f].tp;
        sum.fp_inside += tuned.fold_called[f].fp_inside;
        sum.fp_across += tuned.fold_called[f].fp_across;
    }
    assert_true(sum.tp == tuned.held_out.called.tp && sum.fp_across == tuned.held_out.called.fp_across);
    double precision = (double)sum.tp / ((double)(sum.tp + sum.fp_inside) + tuned.split.weight * (double)sum.fp_across);
    assert_near(tuned.held_out.precision.value, precision, 1e-12);
    assert_near(tuned.held_out.recall.value, (double)sum.tp / 144, 1e-12);
    for (size_t i = 0; i < tuned.arm_count; i++) {
        const fp_tune_arm *one = tuned.results + i;
        bool beaten = !(one->held_out.objective.value > 0);
        for (size_t j = 0; j < tuned.arm_count; j++) {
            const fp_tune_arm *other = tuned.results + j;
            bool no_worse = other->held_out.objective.value >= one->held_out.objective.value && other->bytes <= one->bytes &&
                            other->microseconds <= one->microseconds;
            bool better = other->held_out.objective.value > one->held_out.objective.value || other->bytes < one->bytes ||
                          other->microseconds < one->microseconds;
            beaten |= no_worse && better;
        }
        assert_int_equal(one->front, !beaten);
        const fp_share *f = &one->held_out.objective;
        if (!isnan(f->value)) assert_true(f->interval.low <= f->value && f->value <= f->interval.high);
    }
    /* The constant calls all: its held-out F1 is that of the share of positives in the whole set, 144 of 918. */
    assert_near(tuned.results[7].held_out.objective.value, 2 * 144.0 / (918 + 144), 1e-9);
    fp_arena_free(arena);
}

/* Perfect arms reach a high precision; guesses do not, and it is said who comes nearest. */
static void a_precision_is_kept_or_refused(void **state) {
    (void)state;
    static const char *const GOOD[] = {"jaccard:features=words", "random", NULL}, *const BAD[] = {"random:seed=1|2|3", NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    fp_tune_options options = options_of(1);
    options.objective.min_precision = 0.9;
    fp_tuned tuned;
    tune(&of.corpus, GOOD, &options, arena, &tuned);
    assert_int_equal(tuned.best.arm, 0);
    assert_true(tuned.held_out.recall.value == 1 && tuned.held_out.precision.value == 1);
    tune(&of.corpus, BAD, &options, arena, &tuned);
    assert_int_equal(tuned.best.arm, FP_TUNE_NONE);
    assert_true(tuned.nearest.arm != FP_TUNE_NONE && tuned.nearest_precision < 0.9 && tuned.nearest_precision > 0);
    assert_true(tuned.held_out.called.tp == 0 && isnan(tuned.held_out.precision.value) && tuned.held_out.recall.value == 0);
    options.objective.min_precision = 1;
    assert_int_equal(fp_tune(&of.corpus, tuned.arms, 1, &options, NULL, arena, &tuned, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* ---- Choices ---- */

static void a_choice_survives_its_file(void **state) {
    (void)state;
    char path[] = "/tmp/fplab-choice-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    fp_arena *arena = fp_arena_new();
    fp_choice choice = {.arm = "simhash:bits=64", .name = "\"ours\" 我们", .scale = "bits of 64", .threshold = 23.49, .objective = "F1", .min_precision = NAN,
                        .corpus = "made", .documents_sha256 = "00ff", .pairs_sha256 = "", .confidence = 0.95, .held_out = {0.1 + 0.2, {0.25, 0.35}},
                        .precision = {NAN, {NAN, NAN}}, .recall = {1.0 / 3, {0, 1}}}, read;
    ASSERT_GOOD(fp_choice_save(&choice, path, &test_error));
    ASSERT_GOOD(fp_choice_read(path, arena, &read, &test_error));
    assert_string_equal(read.arm, choice.arm);
    assert_string_equal(read.name, choice.name);
    assert_string_equal(read.pairs_sha256, "");
    assert_true(read.threshold == 23.49 && read.held_out.value == 0.1 + 0.2 && read.recall.value == 1.0 / 3);
    assert_true(isnan(read.precision.value) && isnan(read.min_precision) && read.recall.interval.high == 1);
    static const struct { const char *content, *words; } BAD[] = {
        {"", "not JSON"}, {"[]", "a choice is a JSON object"}, {"{\"arm\": 7}", "\"arm\" is missing or not a string"},
        {"{\"arm\": \"simhash\", \"name\": \"a\", \"scale\": \"b\", \"objective\": \"F1\"}", "\"threshold\" is missing"},
        {"{\"arm\": \"simhash\", \"name\": \"a\", \"scale\": \"b\", \"objective\": \"F1\", \"threshold\": -1}", "not a distance"},
        {"{\"arm\": \"simhash\", \"name\": \"a\", \"scale\": \"b\", \"objective\": \"F1\", \"threshold\": \"7\"}", "\"threshold\" is not a number"}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        FILE *stream = fopen(path, "w");
        fputs(BAD[i].content, stream);
        fclose(stream);
        fp_error error = {0};
        assert_int_not_equal(fp_choice_read(path, arena, &read, &error), FP_OK);
        if (!strstr(error.message, BAD[i].words)) fail_msg("%s: %s", BAD[i].content, error.message);
        assert_string_equal(error.file, path);
    }
    unlink(path);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_is_the_product),
        cmocka_unit_test(algorithms_vary_too),
        cmocka_unit_test(equal_labels_are_written_out),
        cmocka_unit_test(bad_grids_are_refused),
        cmocka_unit_test(steps_agree_with_comparison),
        cmocka_unit_test(objectives_by_hand),
        cmocka_unit_test(the_search_finds_what_trying_all_finds),
        cmocka_unit_test(no_document_is_on_both_sides),
        cmocka_unit_test(positive_pairs_make_units),
        cmocka_unit_test(splits_follow_the_seed_alone),
        cmocka_unit_test(groups_keep_a_sample_of_negatives),
        cmocka_unit_test(samples_are_fair),
        cmocka_unit_test(what_cannot_be_split_is_refused),
        cmocka_unit_test(a_plain_share_is_wilsons),
        cmocka_unit_test(the_known_best_arm_is_found),
        cmocka_unit_test(equal_arms_are_not_told_apart),
        cmocka_unit_test(noise_shows_the_optimism),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(idf_comes_from_the_training_side),
        cmocka_unit_test(the_oracle_cannot_see_held_out_labels),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(differences_have_their_variance),
        cmocka_unit_test(figures_agree_with_their_definitions),
        cmocka_unit_test(a_precision_is_kept_or_refused),
        cmocka_unit_test(a_choice_survives_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
