/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tuning: choices on corpora whose best arm is known before. */

#include "algorithms/families/sets.h"
#include "base/map.h"
#include "eval/experiment/corpus_sketches.h"
#include "eval/tuning/tune_parts.h"
#include "reports/tables/tuning_tables.h"
#include "tests/eval/tuning/tune_support.h"

static const fp_objective F1 = {1, NAN};

/* ---- Tuning ---- */

static fp_tune_options options_of(uint64_t seed) {
    return (fp_tune_options){.split = {5, seed, 10000}, .objective = F1, .confidence = 0.95, .replicates = 200};
}

static void tune(const fp_corpus *corpus, const char *const *specs, const fp_tune_options *options, fp_arena *arena,
                 fp_tuned *tuned) {
    fp_grid grid;
    expand(specs, arena, &grid);
    ASSERT_GOOD(fp_tune(corpus, grid.arms, grid.count, options, NULL, arena, tuned, &test_error));
}

/* Positives hold the same words in another order: as sets of words they are equal, as sets of shingles of three words
 * nearly nothing is. */
static void the_known_best_arm_is_found(void **state) {
    (void)state;
    static const char *const SPECS[] = {"jaccard|cosine:features=words:3", "random:seed=1|2", "jaccard:features=words",
                                        NULL};
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
        for (size_t s = 0; s < 15; s++) assert_int_equal(tuned.outer[s].arm, BEST);
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
    static const char *const SPECS[] = {"cosine:features=words:2,name=a", "jaccard:features=words:2,name=b",
                                        "cosine:features=words:2,weight=binary,name=c", NULL};
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

/* Thirty arms that guess. Whoever chooses on all pairs and judges on the same finds something; what is held out is no
 * better than calling every pair a duplicate, whose F1 is 2π/(1 + π) at a share π of positives. Each of 20 splits has
 * its 95% interval above that with probability 0.025: more than 4 would happen once in 10,000 times. */
static void noise_shows_the_optimism(void **state) {
    (void)state;
    static const char *const SPECS[] = {
        "random:seed=1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25|26|27|28|29|30", NULL};
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
        double share = (double)tuned.split.positives / (double)(tuned.split.positives + tuned.split.negatives),
               constant = 2 * share / (1 + share);
        assert_true(tuned.naive_values.objective.value > constant);
        optimism += tuned.optimism / 20;
        above += tuned.held_out.objective.interval.low > constant;
        assert_true(tuned.held_out.objective.value < tuned.naive_values.objective.value);
        fp_arena_free(own);
    }
    assert_true(optimism > 0.02);
    assert_true(above <= 4);
    fp_arena_free(arena);
}

/* A pair has no part in the choice by which it is called: other negatives in a fold leave what is chosen without the
 * fold as it was, to the last bit. */
static void nothing_leaks(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:bits=128,features=words,weight=tfidf,center=none|mean|median",
                                        "cosine:features=words|chars:2,weight=idf", "pinyin:reference=corpus", NULL};
    enum { FOLD = 2 };
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena), changed = make_corpus(arena);
    static const char *const HAN[] = {"今天天气很好", "银行利率下调", "重庆火锅节开幕", "大桥恢复通车", "股市小幅收跌"};
    for (size_t i = 0; i < DOCUMENTS; i++) {
        const char *text =
            fp_format(arena, "%s %.*s %s", HAN[i / MEMBERS % 5], (int)of.texts[i].length, of.texts[i].data, HAN[i % 5]);
        of.texts[i] = changed.texts[i] = fp_string_of(text);
    }
    fp_tune_options options = options_of(1);
    fp_tuned one, labels;
    tune(&of.corpus, SPECS, &options, arena, &one);
    for (size_t i = 0; i < of.corpus.pair_count; i++) { /* a negative more or less, and units stay as they are */
        size_t a = one.split.fold[of.pairs[i].a], b = one.split.fold[of.pairs[i].b];
        uint32_t inside = a == FOLD ? of.pairs[i].a : of.pairs[i].b;
        if (of.pairs[i].label || (a != FOLD && b != FOLD)) changed.pairs[i] = of.pairs[i];
        else changed.pairs[i] = (fp_pair){inside, (inside + MEMBERS) % DOCUMENTS, 0};
    }
    tune(&changed.corpus, SPECS, &options, arena, &labels);
    assert_memory_equal(one.split.fold, labels.split.fold, DOCUMENTS);
    bool others_moved = false;
    for (size_t i = 0; i < one.arm_count; i++)
        for (size_t a = 0; a < 5; a++)
            for (size_t b = 0; b <= a; b++) {
                fp_tune_choice before = one.results[i].outer[fp_fold_set(a, b)],
                               after = labels.results[i].outer[fp_fold_set(a, b)];
                bool same = before.threshold == after.threshold && before.score == after.score;
                if (a == FOLD || b == FOLD) assert_true(same);
                else others_moved |= !same;
            }
    assert_true(others_moved); /* the change was one that matters */
    fp_arena_free(arena);
}

/* Knows which documents it learned from: a pair that holds one of them is as far apart as can be. */
static fp_status witness_begin(const fp_instance *self, const fp_training *training, fp_arena *arena, void **state,
                               fp_error *error) {
    (void)self;
    (void)training;
    return (*state = fp_arena_alloc(arena, 1, sizeof(fp_map))) ? fp_map_open(*state, DOCUMENTS, arena, error)
                                                               : fp_no_memory(error);
}

static fp_status witness_add(const fp_instance *self, void *state, fp_sketch read, fp_arena *arena, fp_error *error) {
    (void)self;
    (void)arena;
    (void)error;
    fp_map_put(state, *(const uint64_t *)read.data, 1);
    return FP_OK;
}

static fp_status witness_end(const fp_instance *self, void *state, fp_arena *arena, const void **model,
                             fp_error *error) {
    (void)self;
    const fp_map *from = state;
    fp_map *to = fp_arena_alloc(arena, 1, sizeof *to);
    if (!to) return fp_no_memory(error);
    FP_TRY(fp_map_open(to, DOCUMENTS, arena, error));
    for (size_t at = 0; at <= from->mask; at++)
        if (from->value[at] != FP_MAP_NONE) fp_map_put(to, from->key[at], 1);
    *model = to;
    return FP_OK;
}

static double witness_distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    uint64_t left = *(const uint64_t *)a.data, right = *(const uint64_t *)b.data;
    bool seen = fp_map_get(self->model, left) != FP_MAP_NONE || fp_map_get(self->model, right) != FP_MAP_NONE;
    return seen && left != right ? self->layout.maximum : 0;
}

static const fp_learning WITNESS_LEARNING = {
    .begin = witness_begin, .read = fp_control_sketch, .add = witness_add, .end = witness_end};

static const fp_algorithm WITNESS = {.abi = FP_ABI_VERSION,
                                     .name = "witness",
                                     .summary = "knows its documents",
                                     .citation = "a test",
                                     .features = "",
                                     .layout = fp_control_layout,
                                     .learning = &WITNESS_LEARNING,
                                     .sketch = fp_control_sketch,
                                     .distance = witness_distance};

/* No pair is measured by a model that has seen one of its two documents, inside a fold or across two, from three folds
 * to many. */
static void no_model_has_seen_its_pairs(void **state) {
    (void)state;
    static const char *const SPECS[] = {"witness", NULL};
    const fp_algorithm *const plugins[] = {&WITNESS, NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    for (size_t folds = 3; folds <= 9; folds += 3)
        for (int precision = 0; precision < 2; precision++) {
            fp_tune_options options = options_of(1);
            fp_grid grid;
            fp_tuned tuned;
            options.split.folds = folds;
            if (precision) options.objective.min_precision = 0.02;
            ASSERT_GOOD(fp_grid_expand(SPECS, plugins, arena, &grid, &test_error));
            ASSERT_GOOD(fp_tune(&of.corpus, grid.arms, 1, &options, NULL, arena, &tuned, &test_error));
            assert_true(tuned.best.arm == 0 && tuned.best.threshold == 0 && tuned.naive.threshold > 0);
            assert_int_equal(tuned.held_out.called.tp, tuned.split.positives);
            assert_int_equal(tuned.held_out.called.fp, tuned.split.negatives);
            if (precision) assert_int_equal(tuned.results[0].promise.evidence.units, GROUPS);
        }
    fp_arena_free(arena);
}

/* ln((N + 1)/(df + ½)) over the training documents: "stone" is in all four texts, "river" in the two that train. */
static void idf_comes_from_the_training_side(void **state) {
    (void)state;
    static const char *const TEXTS[] = {"stone river", "stone river", "stone meadow", "stone forest"};
    static const bool TRAINING[] = {true, true, false, false};
    fp_arena *arena = fp_arena_new();
    fp_corpus_document documents[4] = {0};
    fp_string texts_of[4];
    for (size_t i = 0; i < 4; i++) texts_of[i] = documents[i].id = fp_string_of(TEXTS[i]);
    fp_corpus corpus = {.path = "made", .document_count = 4, .documents = documents, .texts = texts_of};
    for (int side = 0; side < 2; side++) {
        fp_arm *arm;
        fp_measurement measurement;
        fp_text text;
        fp_document first = {0}, third = {0};
        ASSERT_GOOD(fp_arm_parse("cosine:features=words,weight=idf", NULL, arena, &arm, &test_error));
        fp_pipeline_arm one = {.arm = arm, .training = side ? TRAINING : NULL};
        ASSERT_GOOD(fp_corpus_sketches(&corpus, &one, 1, NULL, arena, &measurement, &test_error));
        double n = side ? 2 : 4;
        assert_int_equal(fp_idf_documents(arm->idf), n);
        ASSERT_GOOD(fp_arm_preprocess(arm, texts_of[0], fp_arm_wants(arm), arena, &text, &test_error));
        ASSERT_GOOD(fp_arm_document(arm, &text, false, arena, &first, &test_error));
        assert_int_equal(first.features.count, 2);
        assert_near(first.features.weight[0], log((n + 1) / (n + 0.5)), 1e-12);
        assert_near(first.features.weight[1], log((n + 1) / 2.5), 1e-12);
        /* A word that the training side does not know gets the mean of those that it knows. */
        double meadow = side ? (log(3 / 2.5) + log(3 / 2.5)) / 2 : log(5 / 1.5);
        ASSERT_GOOD(fp_arm_preprocess(arm, texts_of[2], fp_arm_wants(arm), arena, &text, &test_error));
        ASSERT_GOOD(fp_arm_document(arm, &text, false, arena, &third, &test_error));
        assert_near(third.features.weight[1], meadow, 1e-12);
    }
    fp_arena_free(arena);
}

/* Whatever learns has labels of training pairs only: the oracle, which learns them by heart, knows nothing of
 * held-out groups. */
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
        assert_true(tuned.naive_values.objective.value == 1); /* in sample it is perfect */
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
    fp_table_write(table, FP_FORMAT_TSV, stream);
    fclose(stream);
    const char *copy = fp_string_copy(arena, (fp_string){text, size});
    free(text);
    return copy;
}

static void threads_change_nothing(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:features=words|chars:2,weight=tf|tfidf", "minhash:features=words:2",
                                        "projection", NULL};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    const char *leaderboard[2], *folds[2];
    for (int run = 0; run < 2; run++) {
        fp_tune_options options = options_of(4);
        fp_grid grid;
        fp_tuned tuned;
        fp_progress over = {.threads = run ? 7 : 1};
        expand(SPECS, arena, &grid);
        ASSERT_GOOD(fp_tune(&corpus, grid.arms, grid.count, &options, &over, arena, &tuned, &test_error));
        fp_tuning tuning = {&corpus, &tuned, grid.written};
        leaderboard[run] = as_text(fp_tuning_leaderboard(&tuning, arena), arena);
        folds[run] = as_text(fp_tuning_folds(&tuning, arena), arena);
    }
    assert_string_equal(leaderboard[0], leaderboard[1]);
    assert_string_equal(folds[0], folds[1]);
    fp_arena_free(arena);
}

/* F-beta of weighted counts, written out once more. */
static double fbeta_by_hand(const double *w, const bool *positive, const bool *called, size_t count, double beta,
                            bool recall) {
    double tp = 0, fn = 0, fp = 0;
    for (size_t i = 0; i < count; i++)
        *(positive[i] ? (called[i] ? &tp : &fn) : called[i] ? &fp : &(double){0}) += w[i];
    return recall ? tp / (tp + fn) : (1 + beta * beta) * tp / ((1 + beta * beta) * tp + beta * beta * fn + fp);
}

/* Two arms on pairs without a common document: the variance of their difference is the sum of squares of its
 * derivatives by each pair's weight, found here by finite differences (Efron's infinitesimal jackknife), and p is the
 * normal tail. For recall that is the variance of paired proportions. */
static void differences_have_their_variance(void **state) {
    (void)state;
    enum { PAIRS = 200, ARMS = 3 };
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[PAIRS];
    uint8_t set[PAIRS];
    bool positive[PAIRS], called[ARMS][PAIRS];
    double weight[PAIRS];
    uint32_t lists[ARMS][PAIRS];
    fp_tune_calls calls[ARMS] = {0};
    for (uint32_t i = 0; i < PAIRS; i++) {
        positive[i] = i < 120;
        weight[i] = positive[i] ? 1 : 3;
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, positive[i]};
        set[i] = (uint8_t)fp_fold_set(i % 5, i % 5);
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
        tuned.split = (fp_split){.fold_count = 5,
                                 .document_count = 2 * PAIRS,
                                 .pair_count = PAIRS,
                                 .pairs = pairs,
                                 .pair_set = set,
                                 .weight = 3};
        ASSERT_GOOD(
            fp_resample_make(pairs, PAIRS, NULL, 2 * PAIRS, FP_SAMPLING_AUTO, arena, &tuned.resample, &test_error));
        fp_tune_work work = {.options = &options,
                             .arena = arena,
                             .tuned = &tuned,
                             .results = results,
                             .calls = calls,
                             .naive = naive,
                             .error = &test_error};
        ASSERT_GOOD(fp_tune_compare(&work));
        double p[ARMS] = {NAN, NAN, NAN}, spread[ARMS];
        for (size_t a = 0; a < ARMS; a++) {
            double value = fbeta_by_hand(weight, positive, called[a], PAIRS, 2, recall),
                   best = fbeta_by_hand(weight, positive, called[0], PAIRS, 2, recall);
            assert_near(results[a].held_out.objective.value, value, 1e-12);
            if (a == 0) continue;
            double squares = 0;
            for (size_t i = 0; i < PAIRS; i++) {
                double moved[PAIRS], step = 1e-6; /* a pair drawn once more counts with its weight */
                memcpy(moved, weight, sizeof moved);
                moved[i] *= 1 + step;
                double change = fbeta_by_hand(moved, positive, called[a], PAIRS, 2, recall) -
                                fbeta_by_hand(moved, positive, called[0], PAIRS, 2, recall);
                squares += pow((change - (value - best)) / step, 2);
            }
            spread[a] = sqrt(squares);
            p[a] = erfc(fabs(value - best) / spread[a] / sqrt(2));
            assert_near(results[a].difference, value - best, 1e-12);
            /* Twice a share of 2,000 replicates: the normal p, but for four standard errors and skewness. */
            assert_near(results[a].p, p[a], 4 * sqrt(2 * p[a] / 2000) + 0.02);
            assert_true((results[a].p < 0.05) ==
                        (results[a].difference_interval.low > 0 || results[a].difference_interval.high < 0));
            /* Percentiles of 2,000 replicates: the normal interval, but for chance and skewness. */
            assert_near(results[a].difference_interval.low, value - best - 1.96 * spread[a], 0.4 * spread[a]);
            assert_near(results[a].difference_interval.high, value - best + 1.96 * spread[a], 0.4 * spread[a]);
        }
        double first = results[1].p, second = results[2].p;
        assert_near(results[1].p_adjusted, fmin(1, first < second ? 2 * first : fmax(first, 2 * second)), 1e-12);
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
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    tune(&corpus, SPECS, &options, arena, &tuned);
    check_apart(&corpus, &tuned.split);
    fp_called_pairs sum = {0};
    assert_int_equal(tuned.set_count, 15);
    for (size_t k = 0; k < 15; k++) {
        sum.tp += tuned.set_called[k].tp;
        sum.fp += tuned.set_called[k].fp;
    }
    for (size_t f = 0; f < 5; f++) {
        fp_called_pairs fold = tuned.set_called[fp_fold_set(f, f)];
        assert_int_equal(fold.tp + fold.fn, tuned.split.folds[f].positives);
    }
    assert_true(sum.tp == tuned.held_out.called.tp && sum.fp == tuned.held_out.called.fp);
    double precision = (double)sum.tp / (double)(sum.tp + sum.fp);
    assert_near(tuned.held_out.precision.value, precision, 1e-12);
    assert_near(tuned.held_out.recall.value, (double)sum.tp / 144, 1e-12);
    for (size_t i = 0; i < tuned.arm_count; i++) {
        const fp_tune_arm *one = tuned.results + i;
        bool beaten = !(one->held_out.objective.value > 0);
        for (size_t j = 0; j < tuned.arm_count; j++) {
            const fp_tune_arm *other = tuned.results + j;
            bool no_worse = other->held_out.objective.value >= one->held_out.objective.value &&
                            other->bytes <= one->bytes && other->microseconds <= one->microseconds;
            bool better = other->held_out.objective.value > one->held_out.objective.value ||
                          other->bytes < one->bytes || other->microseconds < one->microseconds;
            beaten |= no_worse && better;
        }
        assert_int_equal(one->front, !beaten);
        const fp_proportion *f = &one->held_out.objective;
        if (!isnan(f->value)) assert_true(f->interval.low <= f->value && f->value <= f->interval.high);
    }
    /* The constant calls all: its held-out F1 is that of the share of positives in the whole set, 144 of 918. */
    assert_near(tuned.results[7].held_out.objective.value, 2 * 144.0 / (918 + 144), 1e-9);
    fp_arena_free(arena);
}

/* Perfect arms show a high precision: 0.89^32 is below 0.05/2, and there are 40 groups. Guesses show next to none; and
 * one of seven arms has to show more: 0.88^40 is below 0.05/7, 0.89^40 is not. */
static void a_precision_is_kept_or_refused(void **state) {
    (void)state;
    static const char *const GOOD[] = {"jaccard:features=words", "random", NULL},
                             *const BAD[] = {"random:seed=1|2|3", NULL},
                             *const MANY[] = {"jaccard:features=words", "random:seed=1|2|3|4|5|6", NULL};
    fp_arena *arena = fp_arena_new();
    made of = make_corpus(arena);
    fp_tune_options options = options_of(1);
    options.objective.min_precision = 0.89;
    fp_tuned tuned;
    tune(&of.corpus, GOOD, &options, arena, &tuned);
    assert_int_equal(tuned.best.arm, 0);
    assert_true(tuned.held_out.recall.value == 1 && tuned.held_out.precision.value == 1);
    assert_true(tuned.held_out.precision.interval.low == 0.89 && tuned.held_out.precision.interval.high == 1);
    assert_true(tuned.results[0].promise.evidence.trials == 40 && tuned.results[0].promise.evidence.failing == 0);
    assert_true(isnan(tuned.results[1].difference) && tuned.results[1].chosen.arm == FP_TUNE_NONE);
    tune(&of.corpus, BAD, &options, arena, &tuned);
    assert_int_equal(tuned.best.arm, FP_TUNE_NONE);
    for (size_t i = 0; i < 3; i++) assert_true(tuned.results[i].promise.precision < 0.15); /* one in seven is right */
    assert_true(tuned.held_out.called.tp == 0 && isnan(tuned.held_out.precision.value) &&
                tuned.held_out.recall.value == 0);
    tune(&of.corpus, MANY, &options, arena, &tuned);
    assert_true(tuned.best.arm == FP_TUNE_NONE && tuned.nearest == 0);
    assert_near(tuned.results[0].promise.precision, 0.88, 1e-12);
    options.objective.min_precision = 1;
    assert_int_equal(fp_tune(&of.corpus, tuned.arms, 1, &options, NULL, arena, &tuned, &test_error), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_known_best_arm_is_found),
        cmocka_unit_test(equal_arms_are_not_told_apart),
        cmocka_unit_test(noise_shows_the_optimism),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(no_model_has_seen_its_pairs),
        cmocka_unit_test(idf_comes_from_the_training_side),
        cmocka_unit_test(the_oracle_cannot_see_held_out_labels),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(differences_have_their_variance),
        cmocka_unit_test(figures_agree_with_their_definitions),
        cmocka_unit_test(a_precision_is_kept_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
