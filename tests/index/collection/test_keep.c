/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs, what is kept, and clusters, beside plain loops over every pair: an independent way to the same sets. */
#include <math.h>

#include "base/disjoint_sets.h"
#include "base/time_text.h"
#include "index/collection/keep.h"
#include "tests/support.h"

enum { TEXTS = 150 };

/* Texts in families: a sentence, and copies with some characters replaced; some are equal, some are empty. */
typedef struct world {
    fp_arena *arena;
    fp_arm *arm;
    fp_sketches sketches;
    bool empty[TEXTS];
    int64_t time[TEXTS];
    uint32_t rank[TEXTS];
} world;

static uint64_t drawn(uint64_t *state) { return *state = fp_mix(*state, 7); }

static void make_texts(uint64_t seed, fp_arena *arena, fp_string texts[TEXTS]) {
    enum { LENGTH = 60 };
    uint64_t state = seed;
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = fp_arena_alloc(arena, 3 * LENGTH + 1, 1);
        if (i % 6 && i % 40) memcpy(text, texts[i - 1].data, 3 * LENGTH);
        for (size_t k = 0; k < LENGTH; k++) {
            bool changes = i % 6 == 0 || i % 40 == 0 || drawn(&state) % 20 < i % 3;
            if (changes)
                snprintf(text + 3 * k, 4, "%c%c%c", 0xE4, 0xB8 + (int)(drawn(&state) % 6),
                         0x80 + (int)(drawn(&state) % 64));
            if (changes && k + 1 < LENGTH && i % 6 && i % 40) text[3 * k + 3] = texts[i - 1].data[3 * k + 3];
        }
        texts[i] = (fp_string){text, i % 37 == 36 ? 0 : 3 * LENGTH};
    }
}

static void open_world(world *made, const char *spec, uint64_t seed) {
    fp_string texts[TEXTS];
    made->arena = fp_arena_new();
    make_texts(seed, made->arena, texts);
    made->arm = test_arm(spec, texts, TEXTS, made->arena);
    ASSERT_GOOD(fp_arm_sketches(made->arm, texts, NULL, TEXTS, made->arena, &made->sketches, &test_error));
    for (size_t i = 0; i < TEXTS; i++) {
        made->empty[i] = made->sketches.empty[i];
        made->time[i] = i % 11 == 10 ? FP_TIME_NONE : (int64_t)(i * 37 % 100);
        made->rank[i] = (uint32_t)((i * 101 + 13) % TEXTS);
    }
}

static double apart(const world *in, size_t a, size_t b) {
    return fp_arm_distance(in->arm, fp_sketches_at(&in->sketches, a), fp_sketches_at(&in->sketches, b));
}

static bool near(const world *in, size_t a, size_t b, double within, int64_t window) {
    if (in->empty[a] || in->empty[b] || apart(in, a, b) > within) return false;
    return !window || fp_times_within(in->time[a], in->time[b], window);
}

typedef struct seen {
    unsigned char times[TEXTS][TEXTS];
    size_t wrong;
    const world *in;
} seen;

static fp_status note(void *context, const fp_neighbours *pairs, size_t count, fp_error *error) {
    seen *to = context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        to->wrong += pairs[i].a >= pairs[i].b || pairs[i].distance != apart(to->in, pairs[i].a, pairs[i].b);
        to->times[pairs[i].a][pairs[i].b]++;
    }
    return FP_OK;
}

/* Of an arm whose join is sure, every near pair comes once, and no other. */
static size_t check_join(const world *in, double within, double recall) {
    seen *to = fp_arena_alloc(in->arena, 1, sizeof *to);
    to->in = in;
    const fp_near_join join = {.arm = in->arm,
                               .sketches = &in->sketches,
                               .left_out = in->empty,
                               .within = within,
                               .recall = recall,
                               .take = note,
                               .context = to};
    fp_near_joined joined;
    ASSERT_GOOD(fp_near_join_run(&join, NULL, in->arena, &joined, &test_error));
    size_t pairs = 0, found = 0, missed = 0;
    for (size_t a = 0; a < TEXTS; a++)
        for (size_t b = a + 1; b < TEXTS; b++) {
            bool is = near(in, a, b, within, 0);
            pairs += is;
            found += to->times[a][b];
            missed += is && !to->times[a][b];
            assert_true(to->times[a][b] <= is);
        }
    if (to->wrong) fail_msg("%s: %zu wrong at %g", fp_arm_name(in->arm), to->wrong, within);
    assert_int_equal(found, joined.pairs);
    if (joined.recall >= 1) assert_int_equal(missed, 0);
    else assert_true((double)missed <= (1 - recall) * (double)pairs + 3 * 0.5 * 16);
    return pairs;
}

static void check_keep(const world *in, double within, const uint32_t *rank, int64_t window) {
    const fp_near_join keeping = {.arm = in->arm,
                                  .sketches = &in->sketches,
                                  .left_out = in->empty,
                                  .within = within,
                                  .recall = 1,
                                  .time = in->time,
                                  .window = window,
                                  .rank = rank};
    fp_kept kept;
    bool keep[TEXTS];
    size_t order[TEXTS], count = 0;
    ASSERT_GOOD(fp_keep(&keeping, NULL, in->arena, &kept, &test_error));
    for (size_t i = 0; i < TEXTS; i++) order[rank ? rank[i] : i] = i;
    for (size_t place = 0; place < TEXTS; place++) {
        size_t one = order[place];
        keep[one] = true;
        for (size_t before = 0; before < place; before++)
            if (keep[order[before]] && near(in, one, order[before], within, window)) keep[one] = false;
        count += keep[one];
    }
    assert_int_equal(count, kept.kept);
    for (size_t i = 0; i < TEXTS; i++) {
        assert_int_equal(keep[i], kept.because[i] == FP_KEPT);
        if (keep[i]) continue;
        assert_true(keep[kept.because[i]] && near(in, i, kept.because[i], within, window));
        assert_true(kept.distance[i] == apart(in, i, kept.because[i]));
        for (size_t other = 0; other < TEXTS; other++) { /* no kept one is nearer, preferred or not */
            if (!keep[other] || !near(in, i, other, within, window)) continue;
            size_t told = rank ? rank[kept.because[i]] : kept.because[i], place = rank ? rank[other] : other;
            assert_true(apart(in, i, other) > kept.distance[i] ||
                        (apart(in, i, other) == kept.distance[i] && place >= told));
        }
    }
}

static void check_clusters(const world *in, double within, int64_t window) {
    const fp_near_join clustering = {.arm = in->arm,
                                     .sketches = &in->sketches,
                                     .left_out = in->empty,
                                     .within = within,
                                     .recall = 1,
                                     .time = in->time,
                                     .window = window};
    fp_clustered made;
    fp_disjoint_sets sets, without;
    ASSERT_GOOD(fp_cluster_texts(&clustering, NULL, in->arena, &made, &test_error));
    ASSERT_GOOD(fp_disjoint_sets_make(TEXTS, in->arena, &sets, &test_error));
    for (uint32_t a = 0; a < TEXTS; a++)
        for (uint32_t b = a + 1; b < TEXTS; b++)
            if (near(in, a, b, within, window)) fp_disjoint_sets_join(&sets, a, b);
    for (uint32_t i = 0; i < TEXTS; i++) assert_int_equal(made.of[i], fp_disjoint_sets_find(&sets, i));
    for (size_t c = 0; c < made.cluster_count; c++) {
        const fp_cluster *of = made.clusters + c;
        size_t members = 0;
        for (uint32_t i = 0; i < TEXTS; i++) members += made.of[i] == of->first;
        assert_int_equal(members, of->size);
        assert_true(c == 0 || of->size <= made.clusters[c - 1].size);
        /* Links below the weakest one's distance leave the cluster in parts, unless it has that distance twice. */
        assert_true(near(in, of->a, of->b, within, window) && apart(in, of->a, of->b) == of->distance);
        ASSERT_GOOD(fp_disjoint_sets_make(TEXTS, in->arena, &without, &test_error));
        for (uint32_t a = 0; a < TEXTS; a++)
            for (uint32_t b = a + 1; b < TEXTS; b++)
                if (near(in, a, b, within, window) && apart(in, a, b) < of->distance)
                    fp_disjoint_sets_join(&without, a, b);
        assert_int_not_equal(fp_disjoint_sets_find(&without, of->a), fp_disjoint_sets_find(&without, of->b));
    }
}

static void pairs_kept_and_clusters_are_those_of_plain_loops(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:features=chars:2", "simhash:features=chars:2,bits=128",
                                        "pinyin:levels=10",         "jaccard:features=chars:2",
                                        "cosine:features=chars:2",  "winnowing",
                                        "minhash:features=chars:2", "sentences"};
    static const double SHARES[] = {0, 0.15, 0.4, 0.7}; /* of the largest distance */
    size_t pairs = 0;
    for (size_t a = 0; a < sizeof SPECS / sizeof *SPECS; a++) {
        world in;
        open_world(&in, SPECS[a], a + 1);
        for (size_t w = 0; w < sizeof SHARES / sizeof *SHARES; w++) {
            double within = floor(SHARES[w] * in.arm->instance.layout.maximum);
            if (strncmp(SPECS[a], "cosine", 6) == 0) within /= 2; /* texts that share nothing are at a right angle */
            pairs += check_join(&in, within, 1);
            check_keep(&in, within, NULL, 0);
            check_keep(&in, within, in.rank, 0);
            check_keep(&in, within, in.rank, 30);
            check_clusters(&in, within, 0);
            check_clusters(&in, within, 30);
        }
        fp_arena_free(in.arena);
    }
    assert_true(pairs > 1000);
}

/* Bands miss some pairs, and no more than they say. */
static void bands_keep_their_word(void **state) {
    (void)state;
    world in;
    open_world(&in, "minhash:features=chars:2,slots=128", 5);
    assert_true(check_join(&in, 70, 0.9) > 100);
    fp_arena_free(in.arena);
}

static void a_threshold_that_all_pairs_are_within_is_refused(void **state) {
    (void)state;
    world in;
    open_world(&in, "simhash", 9);
    fp_near_join join = {
        .arm = in.arm, .sketches = &in.sketches, .left_out = in.empty, .within = 64, .recall = 1, .take = note};
    fp_near_joined joined;
    assert_int_equal(fp_near_join_run(&join, NULL, in.arena, &joined, NULL), FP_ERROR_RANGE);
    join.within = -1;
    assert_int_equal(fp_near_join_run(&join, NULL, in.arena, &joined, NULL), FP_ERROR_RANGE);
    fp_arena_free(in.arena);
    open_world(&in, "cosine", 9);
    join.arm = in.arm;
    join.left_out = in.empty;
    join.within = in.arm->instance.layout.maximum / 2;
    assert_int_equal(fp_near_join_run(&join, NULL, in.arena, &joined, NULL), FP_ERROR_RANGE);
    fp_arena_free(in.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_kept_and_clusters_are_those_of_plain_loops),
        cmocka_unit_test(bands_keep_their_word),
        cmocka_unit_test(a_threshold_that_all_pairs_are_within_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
