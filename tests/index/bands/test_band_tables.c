/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables of bands: candidates and pairs against the definition, slot by slot; the keys against what is stated of them;
 * files that go round, and damaged ones; and the share of sets of a known similarity that are found, against the
 * S-curve. */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>

#include "pairs/tables/band_tables.h"
#include "pairs/lsh_tables.h"
#include "tests/index/bands/made_slots.h"

enum { STORED = 400, FAMILY = 8, MOST_SLOTS = 4096 };

static const fp_banding BANDINGS[] = {{1, 1}, {16, 4}, {8, 6}, {25, 2}, {64, 1}, {5, 3}, {1, 20}};

static bool fits(fp_banding banding, const fp_layout *layout) {
    return (size_t)banding.bands * banding.rows <= layout->slots;
}

/* Whether two sketches agree in all slots of a band; the first that does, or `bands`. */
static unsigned first_common(const population *of, fp_banding banding, fp_sketch a, fp_sketch b) {
    bool agree[MOST_SLOTS];
    slots_agreeing(of, a, b, agree);
    for (unsigned band = 0; band < banding.bands; band++) {
        bool all = true;
        for (unsigned row = 0; row < banding.rows; row++) all &= agree[band * banding.rows + row];
        if (all) return band;
    }
    return banding.bands;
}

static fp_band_tables *build(const population *of, fp_banding banding, int threads) {
    fp_band_tables *tables;
    fp_progress progress = {.threads = threads};
    ASSERT_GOOD(fp_band_tables_build(fp_arm_layout(of->arm), banding, &of->sketches, NULL, &progress, NULL, &tables,
                                     &test_error));
    return tables;
}

static void check_candidates(const population *of, const fp_band_tables *tables, fp_banding banding, fp_arena *arena) {
    fp_band_work work = {0};
    uint64_t met = 0;
    for (size_t q = 0; q < STORED; q += 7) {
        const uint32_t *documents;
        size_t count, at = 0;
        fp_sketch query = fp_sketches_at(&of->sketches, q);
        ASSERT_GOOD(
            fp_band_candidates(tables, fp_arm_layout(of->arm), query, arena, &documents, &count, &work, &test_error));
        for (size_t i = 0; i < STORED; i++) {
            bool is = first_common(of, banding, query, fp_sketches_at(&of->sketches, i)) < banding.bands;
            assert_true(is == (at < count && documents[at] == i));
            at += is;
        }
        assert_int_equal(at, count);
        met += count;
    }
    assert_true(work.candidates == met && work.entries >= met && work.lookups == work.queries * banding.bands);
}

static void candidates_are_those_of_the_definition(void **state) {
    (void)state;
    for (size_t a = 0; a < SLOT_ARM_COUNT; a++) {
        fp_arena *arena = fp_arena_new();
        population of = make_families(SLOT_ARMS[a], STORED, FAMILY, a, arena);
        for (size_t b = 0; b < sizeof BANDINGS / sizeof *BANDINGS; b++) {
            if (!fits(BANDINGS[b], fp_arm_layout(of.arm))) continue;
            fp_band_tables *tables = build(&of, BANDINGS[b], 2);
            check_candidates(&of, tables, BANDINGS[b], arena);
            fp_band_tables_close(tables);
        }
        fp_arena_free(arena);
    }
}

/* XXH3-64 of the slots as eight bytes each, the lowest first; the number of the band is the seed. */
static void keys_as_stated(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", 1, 1, 3, arena);
    const uint32_t *slot = (const uint32_t *)(const void *)of.data;
    uint64_t keys[16];
    fp_band_keys(fp_arm_layout(of.arm), (fp_banding){16, 4}, of.data, keys);
    for (unsigned b = 0; b < 16; b++) {
        unsigned char bytes[32] = {0};
        for (unsigned i = 0; i < 4; i++)
            for (unsigned k = 0; k < 4; k++) bytes[8 * i + k] = (unsigned char)(slot[4 * b + i] >> 8 * k);
        assert_true(keys[b] == fp_xxh3(bytes, sizeof bytes, b));
    }
    fp_arena_free(arena);
}

/* ---- Pairs ---- */

typedef struct collected {
    pthread_mutex_t lock;
    unsigned char *times; /* [STORED·STORED] */
    size_t count, fail_at;
} collected;

static fp_status collect(void *context, const fp_band_pair *pairs, size_t count, fp_error *error) {
    collected *to = context;
    fp_status status = FP_OK;
    pthread_mutex_lock(&to->lock);
    for (size_t i = 0; i < count; i++) {
        assert_true(pairs[i].a < pairs[i].b && pairs[i].b < STORED);
        to->times[(size_t)pairs[i].a * STORED + pairs[i].b]++;
    }
    to->count += count;
    if (to->count >= to->fail_at) status = fp_fail(error, FP_ERROR_IO, "enough");
    pthread_mutex_unlock(&to->lock);
    return status;
}

static void each_pair_once(void **state) {
    (void)state;
    for (size_t a = 0; a < SLOT_ARM_COUNT; a++) {
        fp_arena *arena = fp_arena_new();
        population of = make_families(SLOT_ARMS[a], STORED, FAMILY, a + 20, arena);
        fp_progress progress = {.threads = 3};
        fp_arenas arenas = {0};
        ASSERT_GOOD(fp_arenas_open(&arenas, &progress, arena, &test_error));
        for (size_t b = 0; b < sizeof BANDINGS / sizeof *BANDINGS; b++) {
            if (!fits(BANDINGS[b], fp_arm_layout(of.arm))) continue;
            collected got = {.lock = PTHREAD_MUTEX_INITIALIZER, .times = calloc(STORED, STORED), .fail_at = SIZE_MAX};
            uint64_t told = 0, wanted = 0;
            ASSERT_GOOD(fp_band_pairs(fp_arm_layout(of.arm), BANDINGS[b], &of.sketches, collect, &got, &arenas,
                                      &progress, &told, &test_error));
            for (size_t i = 0; i < STORED; i++)
                for (size_t j = i + 1; j < STORED; j++) {
                    bool is = first_common(&of, BANDINGS[b], fp_sketches_at(&of.sketches, i),
                                           fp_sketches_at(&of.sketches, j)) < BANDINGS[b].bands;
                    assert_int_equal(got.times[i * STORED + j], is);
                    wanted += is;
                }
            assert_true(told == wanted && got.count == wanted);
            free(got.times);
        }
        fp_arenas_free(&arenas);
        fp_arena_free(arena);
    }
}

static void who_is_told_may_end_it(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", STORED, STORED, 5, arena);
    fp_arenas arenas = {0};
    collected got = {.lock = PTHREAD_MUTEX_INITIALIZER, .times = calloc(STORED, STORED), .fail_at = 1};
    ASSERT_GOOD(fp_arenas_open(&arenas, NULL, arena, &test_error));
    assert_int_equal(fp_band_pairs(fp_arm_layout(of.arm), (fp_banding){64, 1}, &of.sketches, collect, &got, &arenas,
                                   NULL, NULL, &test_error),
                     FP_ERROR_IO);
    assert_string_equal(test_error.message, "enough");
    free(got.times);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

/* ---- Files ---- */

typedef struct file {
    char directory[200], path[256], other[256];
} file;

static int make_file(void **state) {
    file *it = calloc(1, sizeof *it);
    const char *parent = getenv("TMPDIR");
    snprintf(it->directory, sizeof it->directory, "%s/fplab-bands-XXXXXX", parent && *parent ? parent : P_tmpdir);
    assert_non_null(mkdtemp(it->directory));
    snprintf(it->path, sizeof it->path, "%s/one.bands", it->directory);
    snprintf(it->other, sizeof it->other, "%s/other.bands", it->directory);
    *state = it;
    return 0;
}

static int remove_file(void **state) {
    file *it = *state;
    unlink(it->path);
    unlink(it->other);
    rmdir(it->directory);
    free(it);
    return 0;
}

static void count_damage(void *context, const fp_section_damage *damage) {
    (void)damage;
    (*(size_t *)context)++;
}

static void files_go_round(void **state) {
    file *it = *state;
    for (size_t a = 0; a < SLOT_ARM_COUNT; a++) {
        fp_arena *arena = fp_arena_new();
        population of = make_families(SLOT_ARMS[a], STORED, FAMILY, a + 40, arena);
        fp_banding banding =
            fits((fp_banding){16, 4}, fp_arm_layout(of.arm)) ? (fp_banding){16, 4} : (fp_banding){1, 1};
        fp_band_tables *made = build(&of, banding, 1), *other = build(&of, banding, 4), *opened;
        fp_string one, two;
        size_t damages = 0;
        ASSERT_GOOD(fp_band_tables_write(made, it->path, NULL, &test_error));
        ASSERT_GOOD(fp_band_tables_write(other, it->other, NULL, &test_error));
        ASSERT_GOOD(fp_read_file(it->path, arena, &one, &test_error));
        ASSERT_GOOD(fp_read_file(it->other, arena, &two, &test_error));
        assert_true(fp_string_equal(one, two)); /* for any number of threads */
        ASSERT_GOOD(fp_band_tables_open(it->path, NULL, &opened, &test_error));
        fp_band_form form = fp_band_tables_form(opened);
        assert_true(form.banding.bands == banding.bands && form.banding.rows == banding.rows && form.count == STORED);
        assert_true(form.slots == fp_arm_layout(of.arm)->slots && form.slot_bits == fp_arm_layout(of.arm)->slot_bits);
        assert_true(fp_band_tables_bytes(opened) == fp_band_tables_bytes(made));
        assert_true(fp_band_tables_bytes(opened) <= (size_t)banding.bands * (13 * STORED + 4));
        assert_null(fp_band_tables_file(made));
        ASSERT_GOOD(fp_section_file_verify(fp_band_tables_file(opened), count_damage, &damages, NULL, &test_error));
        assert_int_equal(damages, 0);
        check_candidates(&of, opened, banding, arena);
        fp_band_tables_close(made);
        fp_band_tables_close(other);
        fp_band_tables_close(opened);
        fp_arena_free(arena);
    }
}

/* Every byte changed in turn, some here and some there: the file is refused, or what is read of it is refused, or it is
 * read to the end, and its checksums tell. */
static void damaged_files(void **state) {
    file *it = *state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    population of = make_families("minhash:slots=8", STORED, FAMILY, 60, arena);
    fp_band_tables *made = build(&of, (fp_banding){2, 2}, 1), *opened;
    fp_string content;
    fp_progress alone = {.threads = 1};
    size_t refused = 0, at_query = 0, at_check = 0;
    ASSERT_GOOD(fp_band_tables_write(made, it->path, NULL, &test_error));
    fp_band_tables_close(made);
    ASSERT_GOOD(fp_read_file(it->path, arena, &content, &test_error));
    int out = open(it->other, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(write(out, content.data, content.length) == (ssize_t)content.length);
    for (size_t at = 0, before = 0; at < content.length; before = at, at += 1 + at % 9) {
        char wrong = (char)(content.data[at] ^ (at % 3 ? 0xff : 1));
        assert_true(pwrite(out, content.data + before, 1, (off_t)before) == 1 &&
                    pwrite(out, &wrong, 1, (off_t)at) == 1);
        if (fp_band_tables_open(it->other, NULL, &opened, &test_error) != FP_OK) {
            assert_string_equal(test_error.file, it->other);
            refused++;
            continue;
        }
        size_t damages = 0;
        bool told = false;
        for (size_t q = 0; q < STORED && !told; q += 3) {
            const uint32_t *documents;
            size_t count;
            fp_status status = fp_band_candidates(opened, fp_arm_layout(of.arm), fp_sketches_at(&of.sketches, q),
                                                  scratch, &documents, &count, NULL, &test_error);
            assert_true(status == FP_OK || status == FP_ERROR_SYNTAX);
            for (size_t i = 0; status == FP_OK && i < count; i++) assert_true(documents[i] < STORED);
            told = status != FP_OK;
            fp_arena_reset(scratch);
        }
        at_query += told;
        ASSERT_GOOD(fp_section_file_verify(fp_band_tables_file(opened), count_damage, &damages, &alone, &test_error));
        at_check += damages > 0;
        fp_band_tables_close(opened);
    }
    close(out);
    assert_true(refused > 50 && at_query > 10 && at_check > 500);
    assert_int_equal(truncate(it->path, (off_t)content.length - 1), 0);
    assert_int_equal(fp_band_tables_open(it->path, NULL, &opened, &test_error), FP_ERROR_SYNTAX);
    assert_int_equal(fp_band_tables_open("/nowhere/at/all", NULL, &opened, &test_error), FP_ERROR_IO);
    fp_arena_free(arena);
    fp_arena_free(scratch);
}

static void a_file_of_another_kind(void **state) {
    file *it = *state;
    fp_section_writer *writer;
    fp_band_tables *opened;
    ASSERT_GOOD(fp_section_writer_open(it->path, "blocks", 1, NULL, &writer, &test_error));
    ASSERT_GOOD(fp_section_begin(writer, "design", &test_error));
    ASSERT_GOOD(fp_section_writer_close(writer, &test_error));
    assert_int_equal(fp_band_tables_open(it->path, NULL, &opened, &test_error), FP_ERROR_SYNTAX);
    ASSERT_GOOD(fp_section_writer_open(it->path, "bands", 3, NULL, &writer, &test_error));
    ASSERT_GOOD(fp_section_begin(writer, "design", &test_error));
    ASSERT_GOOD(fp_section_writer_close(writer, &test_error));
    assert_int_equal(fp_band_tables_open(it->path, NULL, &opened, &test_error), FP_ERROR_ABI);
}

/* ---- What to expect ---- */

/* Two sets of 40 features of which 24 are common: J = 24/56. The mean of 1,500 pairs has a standard error of at most
 * 0.5/√1500. */
static void recall_is_that_of_the_curve(void **state) {
    (void)state;
    enum { PAIRS = 1500, SIZE = 40, COMMON = 24 };
    static const struct {
        const char *arm;
        fp_banding banding;
    } ROWS[] = {{"minhash:features=words", {16, 3}},
                {"minhash:features=words,slots=128,b=2", {16, 8}},
                {"minhash:features=words,slots=120,width=64", {20, 6}}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ROWS[r].arm, NULL, 0, arena);
        const fp_layout *layout = fp_arm_layout(arm);
        unsigned char *data = fp_arena_alloc(arena, 2 * PAIRS, layout->bytes);
        for (size_t i = 0; i < 2 * PAIRS; i++) {
            uint64_t hash[SIZE];
            double weight[SIZE];
            for (size_t f = 0; f < SIZE; f++) {
                hash[f] = fp_mix(f < COMMON ? i / 2 * SIZE + f : (1 << 20) + i * SIZE + f, 77);
                weight[f] = 1;
            }
            fp_sketch sketch = test_sketch_of(arm, hash, weight, SIZE, arena);
            memcpy(data + i * layout->bytes, sketch.data, layout->bytes);
        }
        fp_sketches sketches = {.count = 2 * PAIRS, .stride = layout->bytes, .data = data};
        fp_band_tables *tables;
        size_t found = 0;
        ASSERT_GOOD(fp_band_tables_build(layout, ROWS[r].banding, &sketches, NULL, NULL, NULL, &tables, &test_error));
        for (size_t i = 0; i < 2 * PAIRS; i += 2) {
            const uint32_t *documents;
            size_t count;
            ASSERT_GOOD(fp_band_candidates(tables, layout, fp_sketches_at(&sketches, i), arena, &documents, &count,
                                           NULL, &test_error));
            for (size_t k = 0; k < count; k++) found += documents[k] == i + 1;
        }
        double expected = fp_band_tables_recall(tables, COMMON / (2.0 * SIZE - COMMON)), got = (double)found / PAIRS;
        if (fabs(got - expected) > 5 * sqrt(expected * (1 - expected) / PAIRS))
            fail_msg("%s: %g found, %g expected", ROWS[r].arm, got, expected);
        fp_band_tables_close(tables);
        fp_arena_free(arena);
    }
}

/* The choice is that of the target curve: the fewest candidates of what has the recall. */
static void bands_for_a_target(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("minhash:slots=128", NULL, 0, arena),
           *coarse = test_arm("minhash:slots=128,b=2", NULL, 0, arena);
    fp_banding banding;
    ASSERT_GOOD(fp_band_choose(fp_arm_layout(arm), 0.8, 0.95, &banding, &test_error));
    assert_true(banding.bands == 13 &&
                banding.rows == 7); /* as `fplab plan --slots 128 --similarity 0.8 --recall 0.95` */
    ASSERT_GOOD(fp_band_choose(fp_arm_layout(coarse), 0.5, 0.9, &banding, &test_error));
    assert_true(fp_banding_probability(banding, fp_banding_slot(0.5, 2)) >= 0.9);
    ASSERT_GOOD(fp_band_choose(fp_arm_layout(arm), 0.001, 0.999, &banding, &test_error));
    assert_true(banding.bands == 128 && banding.rows == 1);
    static const double BAD[][2] = {{0, 0.9},   {1, 0.9},   {0.5, 0},  {0.5, 1},
                                    {NAN, 0.9}, {0.5, NAN}, {-1, 0.9}, {0.5, 2}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        assert_int_equal(fp_band_choose(fp_arm_layout(arm), BAD[i][0], BAD[i][1], &banding, &test_error),
                         FP_ERROR_RANGE);
    fp_arm *bits = test_arm("simhash", NULL, 0, arena);
    assert_int_equal(fp_band_choose(fp_arm_layout(bits), 0.5, 0.9, &banding, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "sketches of slots"));
    fp_arena_free(arena);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        fp_banding banding;
        const char *words;
    } ROWS[] = {{{0, 4}, "at least one of one"},
                {{4, 0}, "at least one of one"},
                {{17, 4}, "17 bands of 4 slots need 68, and the sketch has 64"},
                {{UINT32_MAX, UINT32_MAX}, "and the sketch has 64"}};
    fp_arena *arena = fp_arena_new();
    population of = make_families("minhash", 10, 2, 1, arena);
    fp_band_tables *tables;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        assert_int_equal(fp_band_tables_build(fp_arm_layout(of.arm), ROWS[i].banding, &of.sketches, NULL, NULL, NULL,
                                              &tables, &test_error),
                         FP_ERROR_RANGE);
        if (!strstr(test_error.message, ROWS[i].words)) fail_msg("%s: %s", ROWS[i].words, test_error.message);
    }
    fp_sketches strange = of.sketches;
    strange.stride = 8;
    assert_int_equal(fp_band_tables_build(fp_arm_layout(of.arm), (fp_banding){2, 2}, &strange, NULL, NULL, NULL,
                                          &tables, &test_error),
                     FP_ERROR_RANGE);
    tables = build(&of, (fp_banding){2, 2}, 1);
    fp_arm *other = test_arm("minhash:slots=32", NULL, 0, arena);
    const uint32_t *documents;
    size_t count;
    assert_int_equal(fp_band_candidates(tables, fp_arm_layout(other), fp_sketches_at(&of.sketches, 0), arena,
                                        &documents, &count, NULL, &test_error),
                     FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "32 slots of 32 bits, where the index has 64 of 32"));
    fp_band_tables_close(tables);
    fp_band_tables_close(NULL);
    fp_arena_free(arena);
}

static void none_and_one(void **state) {
    file *it = *state;
    fp_arena *arena = fp_arena_new();
    for (size_t stored = 0; stored < 3; stored++) {
        population of = make_families("minhash", stored, 1, 9, arena);
        fp_band_tables *tables = build(&of, (fp_banding){16, 4}, 1), *opened;
        const uint32_t *documents;
        size_t count;
        unsigned char nothing[256] = {0};
        ASSERT_GOOD(fp_band_tables_write(tables, it->path, NULL, &test_error));
        ASSERT_GOOD(fp_band_tables_open(it->path, NULL, &opened, &test_error));
        fp_sketch query = stored ? fp_sketches_at(&of.sketches, stored - 1) : (fp_sketch){.data = nothing, .size = sizeof nothing};
        ASSERT_GOOD(
            fp_band_candidates(opened, fp_arm_layout(of.arm), query, arena, &documents, &count, NULL, &test_error));
        assert_int_equal(count, stored > 0);
        assert_true(!stored || documents[0] == stored - 1);
        fp_band_tables_close(tables);
        fp_band_tables_close(opened);
    }
    fp_arena_free(arena);
}

#define WITH_FILE(name) cmocka_unit_test_setup_teardown(name, make_file, remove_file)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_those_of_the_definition),
        cmocka_unit_test(keys_as_stated),
        cmocka_unit_test(each_pair_once),
        cmocka_unit_test(who_is_told_may_end_it),
        WITH_FILE(files_go_round),
        WITH_FILE(damaged_files),
        WITH_FILE(a_file_of_another_kind),
        WITH_FILE(none_and_one),
        cmocka_unit_test(recall_is_that_of_the_curve),
        cmocka_unit_test(bands_for_a_target),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
