/* SPDX-License-Identifier: GPL-3.0-or-later
 * Models as files: an arm that reads one makes the sketches of the arm that wrote it, and a file that is not that arm's
 * model, whole and as it was written, is refused, whatever is wrong with it. */
#include <fplab.h>

#include "tests/support.h"

enum { COUNT = 80, LONGEST = 300 };

static const char *const SPECS[] = {
    "cosine:weight=tfidf",
    "cosine:weight=bm25",
    "simhash:weight=damped,query=real,center=median",
    "simhash:center=mean",
    "simhash:center=median,bits=100,weight=idf",
    "pinyin:reference=corpus",
    "pinyin:reference=corpus,granule=20",
    "minhash:weight=idf,top=5",
};
enum { SPEC_COUNT = sizeof SPECS / sizeof *SPECS };

/* Of one vocabulary, but other texts for another seed. */
static const fp_string *texts(uint64_t seed, fp_arena *arena) {
    static const char *const WORDS[] = {"今天", "下午",   "临江", "大桥", "恢复",
                                        "通车", "图书馆", "延长", "开放", "周六"};
    fp_string *made = fp_arena_alloc(arena, COUNT, sizeof *made);
    for (size_t i = 0; i < COUNT; i++) {
        char *text = fp_arena_alloc(arena, LONGEST, 1);
        for (size_t w = 0; w < 3 + i % 17; w++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            strcat(text, WORDS[(seed >> 33) % (sizeof WORDS / sizeof *WORDS)]);
        }
        made[i] = (fp_string){text, strlen(text)};
    }
    return made;
}

static void assert_same_sketches(const fp_arm *a, const fp_arm *b, const fp_string *of, fp_arena *arena) {
    for (size_t i = 0; i < COUNT; i++) {
        fp_sketch one, other;
        ASSERT_GOOD(fp_arm_sketch(a, of[i], arena, &one, &test_error));
        ASSERT_GOOD(fp_arm_sketch(b, of[i], arena, &other, &test_error));
        assert_int_equal(one.size, other.size);
        assert_memory_equal(one.data, other.data, one.size);
    }
}

/* A file in a directory of this test's own. */
static char directory[] = "/tmp/fplab-model-XXXXXX", path[64];
static int open_directory(void **state) {
    (void)state;
    if (!mkdtemp(directory)) return -1;
    snprintf(path, sizeof path, "%s/model", directory);
    return 0;
}
static int close_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory); /* which is empty: nothing half-written was left */
}

static fp_arm *parsed(const char *spec, fp_arena *arena) {
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &arm, &test_error));
    return arm;
}

static void a_model_is_what_was_learned(void **state) {
    (void)state;
    for (size_t s = 0; s < SPEC_COUNT; s++) {
        fp_arena *arena = fp_arena_new();
        const fp_string *learned = texts(1, arena), *others = texts(2, arena);
        fp_arm *arm = test_arm(SPECS[s], learned, COUNT, arena), *again = parsed(SPECS[s], arena);
        fp_arm *elsewhere = test_arm(SPECS[s], others, 30, arena);
        const char *spec;
        fp_sketch none;
        assert_int_equal(fp_arm_sketch(again, others[0], arena, &none, NULL), FP_ERROR_EMPTY);
        ASSERT_GOOD(fp_arm_save(arm, path, &test_error));
        ASSERT_GOOD(fp_model_spec(path, arena, &spec, &test_error));
        assert_string_equal(spec, fp_arm_spec(arm));
        ASSERT_GOOD(fp_arm_load(again, path, &test_error));
        assert_same_sketches(arm, again, others, arena);
        /* Instead of what an arm has learned itself. */
        ASSERT_GOOD(fp_arm_load(elsewhere, path, &test_error));
        assert_same_sketches(arm, elsewhere, others, arena);
        assert_null(fp_arm_caution(again));
        assert_null(fp_arm_caution(elsewhere));
        fp_arena_free(arena);
    }
}

/* The oracle learns the labels of ids; a model of it knows them, too. */
static void labels_are_learned_and_saved(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_string *all = texts(1, arena);
    static const fp_string IDS[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
    static const fp_pair PAIRS[] = {{0, 2, 1}, {1, 3, 0}, {2, 3, 1}}, BEYOND[] = {{0, 4, 1}};
    fp_arm *arm = parsed("oracle", arena), *again = parsed("oracle", arena);
    ASSERT_GOOD(fp_arm_fit(arm, all, IDS, 4, PAIRS, 3, &test_error));
    ASSERT_GOOD(fp_arm_save(arm, path, &test_error));
    ASSERT_GOOD(fp_arm_load(again, path, &test_error));
    fp_arm *const arms[] = {arm, again};
    for (size_t i = 0; i < 2; i++) {
        fp_sketches many;
        ASSERT_GOOD(fp_arm_sketches(arms[i], all, IDS, 4, arena, &many, &test_error));
        static const size_t A[] = {0, 0, 0, 1, 1, 2}, B[] = {1, 2, 3, 2, 3, 3};
        static const double WANTED[] = {64, 0, 64, 64, 64, 0};
        for (size_t p = 0; p < 6; p++)
            assert_true(fp_arm_distance(arms[i], fp_sketches_at(&many, A[p]), fp_sketches_at(&many, B[p])) ==
                        WANTED[p]);
    }
    assert_int_equal(fp_arm_fit(arm, all, IDS, 4, BEYOND, 1, NULL), FP_ERROR_RANGE);
    fp_arena_free(arena);
}

/* What was learned from too little stays so. */
static void a_caution_is_saved_as_well(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_string *few = texts(1, arena);
    fp_arm *arm = test_arm("cosine:weight=idf", few, 7, arena), *again = parsed("cosine:weight=idf", arena);
    ASSERT_GOOD(fp_arm_save(arm, path, &test_error));
    ASSERT_GOOD(fp_arm_load(again, path, &test_error));
    assert_non_null(fp_arm_caution(arm));
    assert_string_equal(fp_arm_caution(again), fp_arm_caution(arm));
    fp_arena_free(arena);
}

/* ---- Refusals ---- */

static void write_file(fp_string content) {
    unlink(path); /* a file that is cut to nothing and filled again may be carried to the disk at once */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content.data, 1, content.length, file), content.length);
    assert_int_equal(fclose(file), 0);
}

/* Refused with that status and word, in one line, and the arm is what it was. */
static void assert_refused(fp_string content, fp_status status, const char *word) {
    fp_arena *arena = fp_arena_new();
    const fp_string *own = texts(3, arena);
    fp_arm *arm = test_arm(SPECS[2], own, COUNT, arena), *same = test_arm(SPECS[2], own, COUNT, arena);
    fp_error error = {0};
    write_file(content);
    assert_int_equal(fp_arm_load(arm, path, &error), status);
    assert_int_equal(error.code, status);
    assert_null(strchr(error.message, '\n'));
    assert_string_equal(error.file, path);
    if (!strstr(error.message, word)) fail_msg("no word of \"%s\": %s", word, error.message);
    assert_same_sketches(arm, same, own, arena);
    fp_arena_free(arena);
}

/* The model of SPECS[2] of a few texts, whose file is short. */
static fp_string saved(const char *spec, fp_arena *arena) {
    fp_string file;
    ASSERT_GOOD(fp_arm_save(test_arm(spec, texts(1, arena), 3, arena), path, &test_error));
    ASSERT_GOOD(fp_read_file(path, arena, &file, &test_error));
    return file;
}

/* A whole file again after it was changed. */
static fp_string sealed(fp_string file) {
    unsigned char *bytes = (unsigned char *)(uintptr_t)file.data;
    fp_bytes_put(file.length, bytes + 24);
    fp_bytes_put(fp_xxh3(bytes, file.length - 8, 0), bytes + file.length - 8);
    return file;
}

static void a_file_that_is_cut_off_or_damaged_is_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_string file = saved(SPECS[2], arena);
    fp_arm *arm = parsed(SPECS[2], arena);
    for (size_t length = 0; length < file.length; length++) {
        write_file((fp_string){file.data, length});
        assert_int_equal(fp_arm_load(arm, path, NULL), FP_ERROR_SYNTAX);
    }
    char *copy = fp_arena_raw(arena, file.length + 1, 1);
    for (size_t bit = 0; bit < file.length * 8; bit += bit < 4000 ? 1 : 7) {
        memcpy(copy, file.data, file.length);
        copy[bit / 8] ^= (char)(1 << bit % 8);
        write_file((fp_string){copy, file.length});
        fp_status status = fp_arm_load(arm, path, NULL);
        if (status != FP_ERROR_SYNTAX && status != FP_ERROR_ABI) fail_msg("bit %zu: status %d", bit, status);
    }
    memcpy(copy, file.data, file.length);
    copy[file.length] = 0;
    assert_refused((fp_string){copy, file.length + 1}, FP_ERROR_SYNTAX, "followed by 1 other byte");
    assert_refused((fp_string){file.data, file.length - 1}, FP_ERROR_SYNTAX, "cut off");
    copy[file.length / 2] ^= 1;
    assert_refused((fp_string){copy, file.length}, FP_ERROR_SYNTAX, "damaged");
    assert_refused((fp_string){"{}\n", 3}, FP_ERROR_SYNTAX, "not a model");
    write_file(file);
    ASSERT_GOOD(fp_arm_load(arm, path, &test_error));
    fp_arena_free(arena);
}

static void another_arm_and_another_form_are_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (size_t s = 0; s < SPEC_COUNT; s++) {
        if (s == 2) continue;
        assert_refused(saved(SPECS[s], arena), FP_ERROR_UNKNOWN, "another arm");
    }
    assert_refused(saved("simhash:center=median,bits=99,weight=idf", arena), FP_ERROR_UNKNOWN, "bits=99");
    fp_string file = saved(SPECS[2], arena);
    for (char form = 1; form <= 3; form += 2) {
        char *copy = fp_string_copy(arena, file);
        copy[16] = form;
        assert_refused(sealed((fp_string){copy, file.length}), FP_ERROR_ABI, form == 1 ? "form 1" : "form 3");
    }
    assert_int_equal(fp_arm_load(parsed(SPECS[2], arena), "/nowhere/model", NULL), FP_ERROR_IO);
    fp_arena_free(arena);
}

/* The form alone says who may read it: what an earlier library of the same form wrote is read, whatever it calls
 * itself. */
static void the_version_that_wrote_it_is_no_matter(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_string file = saved(SPECS[2], arena);
    char *copy = fp_string_copy(arena, file), *version = memmem(copy, file.length, FP_VERSION, strlen(FP_VERSION));
    assert_non_null(version);
    *version = '9';
    write_file(sealed((fp_string){copy, file.length}));
    ASSERT_GOOD(fp_arm_load(parsed(SPECS[2], arena), path, &test_error));
    fp_arena_free(arena);
}

/* A file that was made to look right: every number in it is replaced by one that cannot be, and sealed. */
static void lengths_and_values_are_not_believed(void **state) {
    (void)state;
    static const uint64_t WRONG[] = {UINT64_MAX, UINT64_C(1) << 63, UINT64_C(0x7ff8000000000000), 0};
    fp_arena *arena = fp_arena_new();
    fp_string file = saved(SPECS[2], arena);
    fp_arm *arm = parsed(SPECS[2], arena);
    size_t refused = 0, tried = 0;
    for (size_t at = 32; at + 16 <= file.length; at += 1)
        for (size_t w = 0; w < sizeof WRONG / sizeof *WRONG; w++, tried++) {
            char *copy = fp_string_copy(arena, file);
            fp_bytes_put(WRONG[w], (unsigned char *)copy + at);
            write_file(sealed((fp_string){copy, file.length}));
            refused += fp_arm_load(arm, path, NULL) != FP_OK;
        }
    assert_true(tried > 1000 && refused > tried / 4);
    fp_arena_free(arena);
}

static void what_was_not_learned_is_not_saved(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_string before = saved(SPECS[0], arena), after;
    fp_error error = {0};
    assert_int_equal(fp_arm_save(parsed("simhash", arena), path, &error), FP_ERROR_EMPTY);
    assert_non_null(strstr(error.message, "learns nothing"));
    assert_int_equal(fp_arm_save(parsed("simhash:center=mean", arena), path, NULL), FP_ERROR_EMPTY);
    fp_arm *arm = test_arm(SPECS[0], texts(1, arena), COUNT, arena);
    assert_int_equal(fp_arm_save(arm, "/nowhere/at/all", NULL), FP_ERROR_IO);
    assert_int_equal(fp_arm_load(parsed("simhash", arena), path, NULL), FP_ERROR_UNKNOWN);
    ASSERT_GOOD(fp_read_file(path, arena, &after, &test_error));
    assert_true(fp_string_equal(before, after));
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_what_was_learned),
        cmocka_unit_test(labels_are_learned_and_saved),
        cmocka_unit_test(a_caution_is_saved_as_well),
        cmocka_unit_test(a_file_that_is_cut_off_or_damaged_is_refused),
        cmocka_unit_test(another_arm_and_another_form_are_refused),
        cmocka_unit_test(the_version_that_wrote_it_is_no_matter),
        cmocka_unit_test(lengths_and_values_are_not_believed),
        cmocka_unit_test(what_was_not_learned_is_not_saved),
    };
    return cmocka_run_group_tests(tests, open_directory, close_directory);
}
