/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pipeline against its definition, one text after the other and all of them held; sources that fail; memory that
 * does not grow with the texts. */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "algorithms/arms/pipeline.h"
#include "algorithms/arms/texts.h"
#include "tests/support.h"
#include "tests/arm_files.h"
#include "tests/algorithms/arm_learn.h"
#include "tests/text/features/idf_learn.h"

/* ---- Texts in batches of any size, that may fail ---- */

enum { TEXTS = 150, NEVER = TEXTS + 1 };

typedef struct made_source {
    fp_string *texts, *ids;
    size_t count, batch, next;
    size_t failing; /* the batch that begins here or later fails; NEVER */
    /* What a batch stood in is overwritten when the next is asked for: nobody may look back. */
    fp_string held[TEXTS];
    char bytes[1 << 16];
} made_source;

static fp_status next_made(void *context, fp_text_batch *batch, fp_error *error) {
    made_source *from = context;
    size_t count = from->count - from->next < from->batch ? from->count - from->next : from->batch, used = 0;
    if (from->next >= from->failing) return fp_fail(error, FP_ERROR_IO, "the disk is gone");
    memset(from->bytes, '!', sizeof from->bytes);
    for (size_t i = 0; i < count; i++) {
        fp_string text = from->texts[from->next + i];
        assert_true(used + text.length <= sizeof from->bytes);
        if (text.length) memcpy(from->bytes + used, text.data, text.length);
        from->held[i] = (fp_string){from->bytes + used, text.length};
        used += text.length;
    }
    *batch = (fp_text_batch){from->next, count, from->held, from->ids + from->next};
    from->next += count;
    return FP_OK;
}

static fp_status made_again(void *context, fp_error *error) {
    (void)error;
    ((made_source *)context)->next = 0;
    return FP_OK;
}

/* Sentences of a small vocabulary, Latin letters, nothing at all. */
static void make_texts(made_source *to, fp_arena *arena) {
    static const char *const WORDS[] = {"北京",  "天气",  "今天", "很好", "我们", "学习", "中文", "电脑",
                                        "river", "stone", "银行", "重庆", "51区", "飞碟", "。",   "，"};
    *to = (made_source){.count = TEXTS, .batch = TEXTS, .failing = NEVER};
    to->texts = fp_arena_raw(arena, TEXTS, sizeof *to->texts);
    to->ids = fp_arena_raw(arena, TEXTS, sizeof *to->ids);
    for (size_t i = 0; i < TEXTS; i++) {
        char *text = "";
        for (size_t j = 0; i % 13 != 5 && j < 4 + i % 29; j++)
            text = fp_format(arena, "%s%s", text, WORDS[fp_mix(i / 2 * 100 + j, 5) % (i % 7 == 3 ? 8 : 16)]);
        to->texts[i] = fp_string_of(text);
        to->ids[i] = fp_string_of(fp_format(arena, "d%zu", i));
    }
}

static fp_text_source source_of(made_source *made) {
    return (fp_text_source){.context = made,
                            .count = made->count,
                            .name = "made",
                            .slow = made->batch != 17,
                            .next = next_made,
                            .rewind = made_again};
}

/* ---- The definition ---- */

typedef struct naive {
    fp_sketch sketch[TEXTS];
} naive;

/* Document frequencies of the training texts, then a model of their documents, then each sketch, all in one thread. */
static void define(const char *spec, const made_source *from, const bool *training, fp_arena *arena, naive *to) {
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 5, 1}, {3, 4, 0}};
    fp_text text[TEXTS];
    fp_counted counted[TEXTS];
    fp_counts counts[TEXTS];
    fp_document documents[TEXTS], seen[TEXTS];
    fp_arm *arm;
    size_t learned = 0;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &arm, &test_error));
    for (size_t i = 0; i < TEXTS; i++) {
        ASSERT_GOOD(fp_arm_preprocess(arm, from->texts[i], fp_arm_wants(arm), arena, text + i, &test_error));
        ASSERT_GOOD(fp_arm_count(arm, text + i, arena, counted + i, &test_error));
        if (!training || training[i]) counts[learned++] = counted[i].counts;
    }
    if (arm->extractor && fp_extractor_learns(arm->extractor)) {
        const fp_idf *idf;
        ASSERT_GOOD(test_idf_learn(counts, learned, arena, &idf, &test_error));
        ASSERT_GOOD(fp_arm_take_frequencies(arm, idf, &test_error));
    }
    learned = 0;
    for (size_t i = 0; i < TEXTS; i++) {
        documents[i] = (fp_document){.id = from->ids[i]};
        ASSERT_GOOD(fp_arm_weigh(arm, text + i, counted + i, false, arena, documents + i, &test_error));
        if (!training || training[i]) seen[learned++] = documents[i];
    }
    fp_training labels = {3, PAIRS};
    ASSERT_GOOD(test_arm_learn(arm, &labels, seen, learned, arena, &test_error));
    for (size_t i = 0; i < TEXTS; i++) {
        const fp_algorithm *algorithm = arm->instance.algorithm;
        ASSERT_GOOD(algorithm->sketch(&arm->instance, documents + i, arena, to->sketch + i, &test_error));
        to->sketch[i].empty = fp_arm_made_empty(arm, documents + i, to->sketch[i]);
    }
}

/* ---- The pipeline ---- */

enum { MOST_ARMS = 40 };

typedef struct result {
    size_t arm_count;
    fp_arm *arms[MOST_ARMS];
    fp_store store[MOST_ARMS];
    size_t taken[MOST_ARMS]; /* texts so far */
    fp_sketches sketches[MOST_ARMS];
} result;

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    result *to = context;
    assert_int_equal(first, to->taken[arm]); /* in order, none twice */
    to->taken[arm] += count;
    return fp_store_add(to->store + arm, count, sketches, error);
}

static fp_status run(made_source *from, const char *const *specs, const bool *training, const bool *sketched,
                     int threads, fp_arena *arena, result *to) {
    static const fp_pair PAIRS[] = {{0, 1, 1}, {2, 5, 1}, {3, 4, 0}};
    fp_pipeline_arm arms[MOST_ARMS] = {0};
    fp_progress progress = {.threads = threads};
    fp_text_source source = source_of(from);
    from->next = 0;
    *to = (result){0};
    for (; specs[to->arm_count]; to->arm_count++) {
        size_t a = to->arm_count;
        ASSERT_GOOD(fp_arm_parse(specs[a], NULL, arena, to->arms + a, &test_error));
        /* Half of them are not told how many texts there will be. */
        ASSERT_GOOD(
            fp_store_open(to->store + a, fp_arm_layout(to->arms[a]), a % 2 ? TEXTS : SIZE_MAX, arena, &test_error));
        arms[a] = (fp_pipeline_arm){
            .arm = to->arms[a], .training = training, .sketched = sketched, .pair_count = 3, .pairs = PAIRS};
    }
    fp_pipeline pipeline = {.source = &source,
                            .arms = arms,
                            .count = to->arm_count,
                            .learns = true,
                            .kept = from->batch % 2 ? 0 : FP_KEPT_TEXTS,
                            .take = take,
                            .context = to,
                            .progress = &progress,
                            .arena = arena};
    fp_status status = fp_pipeline_run(&pipeline, &test_error);
    for (size_t a = 0; a < to->arm_count; a++)
        ASSERT_GOOD(fp_store_close(to->store + a, to->sketches + a, &test_error));
    return status;
}

static void check(const char *const *specs, const result *got, naive *const *wanted, const bool *sketched) {
    for (size_t a = 0; a < got->arm_count; a++) {
        assert_int_equal(got->sketches[a].count, TEXTS);
        for (size_t i = 0; i < TEXTS; i++) {
            bool asked = !sketched || sketched[i];
            fp_sketch one = fp_sketches_at(got->sketches + a, i), other = wanted[a]->sketch[i];
            if (!asked) {
                assert_true(got->sketches[a].stride || one.size == 0);
                assert_false(got->store[a].empty[i]);
                continue;
            }
            if (one.size != other.size || (one.size && memcmp(one.data, other.data, one.size) != 0))
                fail_msg("%s: text %zu has another sketch", specs[a], i);
            if (got->store[a].empty[i] != wanted[a]->sketch[i].empty)
                fail_msg("%s: text %zu says something", specs[a], i);
        }
    }
}

/* Every algorithm, and arms that learn frequencies, a model, or both of their own and in common. */
static const char *const *all_specs(const made_source *from, fp_arena *arena) {
    static const char *const MORE[] = {"simhash:weight=tfidf",
                                       "simhash:weight=tfidf,center=mean,name=b",
                                       "simhash:weight=tfidf,center=median,bits=128",
                                       "simhash:center=median,features=chars:3",
                                       "simhash:han=keep,weight=levels,top=5",
                                       "pinyin:reference=corpus",
                                       "pinyin:reference=corpus,granule=10",
                                       "cosine:weight=tfidf",
                                       "cosine:weight=idf,features=chars:2",
                                       "jaccard:features=chars:3"};
    const char **specs = fp_arena_alloc(arena, MOST_ARMS, sizeof *specs);
    size_t count = 0;
    for (size_t i = 0; fp_algorithm_at(i); i++) specs[count++] = test_spec(fp_algorithm_at(i), from->ids, TEXTS, arena);
    for (size_t i = 0; i < sizeof MORE / sizeof *MORE; i++) specs[count++] = MORE[i];
    assert_true(count < MOST_ARMS);
    return specs;
}

static void every_arm_is_as_defined(void **state) {
    (void)state;
    static const size_t BATCHES[] = {1, 17, TEXTS};
    static const int THREADS[] = {1, 2, 7};
    static made_source from;
    static result got;
    fp_arena *arena = fp_arena_new(), *once = fp_arena_new();
    make_texts(&from, arena);
    const char *const *specs = all_specs(&from, arena);
    naive *wanted[MOST_ARMS] = {0};
    for (size_t a = 0; specs[a]; a++) {
        wanted[a] = fp_arena_alloc(arena, 1, sizeof **wanted);
        define(specs[a], &from, NULL, arena, wanted[a]);
    }
    for (size_t b = 0; b < 3; b++)
        for (size_t t = 0; t < 3; t++) {
            fp_arena_reset(once);
            from.batch = BATCHES[b];
            ASSERT_GOOD(run(&from, specs, NULL, NULL, THREADS[t], once, &got));
            check(specs, &got, wanted, NULL);
        }
    /* One arm alone gives what it gives among others. */
    from.batch = 40;
    for (size_t a = 0; specs[a]; a++) {
        const char *const one[] = {specs[a], NULL};
        fp_arena_reset(once);
        ASSERT_GOOD(run(&from, one, NULL, NULL, 2, once, &got));
        check(one, &got, wanted + a, NULL);
    }
    fp_arena_free(once);
    fp_arena_free(arena);
}

/* Learned from some texts, tried on others. */
static void parts_are_as_defined(void **state) {
    (void)state;
    static made_source from;
    static result got;
    bool training[TEXTS], sketched[TEXTS];
    fp_arena *arena = fp_arena_new(), *once = fp_arena_new();
    make_texts(&from, arena);
    for (size_t i = 0; i < TEXTS; i++) {
        training[i] = i % 3 != 1;
        sketched[i] = i % 5 < 2;
    }
    const char *const *specs = all_specs(&from, arena);
    naive *wanted[MOST_ARMS] = {0};
    for (size_t a = 0; specs[a]; a++) {
        wanted[a] = fp_arena_alloc(arena, 1, sizeof **wanted);
        define(specs[a], &from, training, arena, wanted[a]);
    }
    for (int threads = 1; threads < 4; threads++) {
        fp_arena_reset(once);
        from.batch = 7;
        ASSERT_GOOD(run(&from, specs, training, sketched, threads, once, &got));
        check(specs, &got, wanted, sketched);
    }
    fp_arena_free(once);
    fp_arena_free(arena);
}

/* ---- Failures ---- */

/* What came before a failure has been handed out, whatever the threads do. */
static void a_source_that_fails_is_told(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash", "pinyin", NULL}, *const LEARNS[] = {"simhash:center=mean", NULL};
    static made_source from;
    static result got;
    fp_arena *arena = fp_arena_new();
    make_texts(&from, arena);
    for (int threads = 1; threads <= 7; threads += 3) {
        from.batch = 20;
        from.failing = 60;
        assert_int_equal(run(&from, SPECS, NULL, NULL, threads, arena, &got), FP_ERROR_IO);
        assert_string_equal(test_error.message, "the disk is gone");
        assert_int_equal(got.taken[0], 60);
        assert_int_equal(got.taken[1], 60);
        assert_int_equal(run(&from, LEARNS, NULL, NULL, threads, arena, &got), FP_ERROR_IO);
        assert_int_equal(got.taken[0], 0);
    }
    fp_arena_free(arena);
}

static void a_text_that_fails_is_named(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash", "pinyin", NULL}, *const LEARNS[] = {"cosine:weight=tfidf", NULL};
    static made_source from;
    static result got;
    fp_arena *arena = fp_arena_new();
    make_texts(&from, arena);
    from.texts[73] = fp_string_of("good, good, b\xffid");
    from.texts[131] = fp_string_of("\xc3");
    for (int threads = 1; threads <= 7; threads += 3)
        for (from.batch = 1; from.batch <= TEXTS; from.batch = from.batch * 5 + 1) {
            assert_int_equal(run(&from, SPECS, NULL, NULL, threads, arena, &got), FP_ERROR_ENCODING);
            assert_non_null(strstr(test_error.message, "document d73: "));
            assert_string_equal(test_error.file, "made");
            assert_int_equal(test_error.byte, 13);
            assert_int_equal(got.taken[0], 73);
            assert_int_equal(run(&from, LEARNS, NULL, NULL, threads, arena, &got), FP_ERROR_ENCODING);
            assert_non_null(strstr(test_error.message, "document d73: "));
        }
    fp_arena_free(arena);
}

static fp_status refuse(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                        fp_error *error) {
    (void)context, (void)arm, (void)count, (void)sketches;
    return first < 40 ? FP_OK : fp_fail(error, FP_ERROR_RANGE, "no more");
}

/* Whoever takes sketches ends the run; what comes once cannot be learned from and sketched. */
static void a_run_can_be_ended(void **state) {
    (void)state;
    static made_source from;
    fp_arena *arena = fp_arena_new();
    fp_pipeline_arm one = {0};
    make_texts(&from, arena);
    from.batch = 20;
    fp_text_source source = source_of(&from);
    fp_pipeline pipeline = {
        .source = &source, .arms = &one, .count = 1, .learns = true, .take = refuse, .arena = arena};
    ASSERT_GOOD(fp_arm_parse("simhash", NULL, arena, &one.arm, &test_error));
    assert_int_equal(fp_pipeline_run(&pipeline, &test_error), FP_ERROR_RANGE);
    assert_string_equal(test_error.message, "no more");
    from.next = 0;
    source.rewind = NULL;
    ASSERT_GOOD(fp_arm_parse("simhash:center=mean", NULL, arena, &one.arm, &test_error));
    assert_int_equal(fp_pipeline_run(&pipeline, &test_error), FP_ERROR_IO);
    /* Nobody asks for sketches: one pass is enough. */
    from.next = 0;
    pipeline.take = NULL;
    ASSERT_GOOD(fp_arm_parse("simhash:center=mean", NULL, arena, &one.arm, &test_error));
    ASSERT_GOOD(fp_pipeline_run(&pipeline, &test_error));
    assert_non_null(one.arm->instance.model);
    fp_arena_free(arena);
}

/* ---- Memory ---- */

/* Texts that are made when they are asked for. */
typedef struct endless {
    size_t count, next;
    fp_string text[256];
    char bytes[256][400];
} endless;

static fp_status next_endless(void *context, fp_text_batch *batch, fp_error *error) {
    (void)error;
    endless *from = context;
    size_t count = from->count - from->next < 256 ? from->count - from->next : 256;
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        for (size_t j = 0; j < 40; j++) {
            unsigned code = 0x4e00 + (unsigned)(fp_mix(from->next + i, j) % 3000);
            from->bytes[i][length++] = (char)(0xe0 | code >> 12);
            from->bytes[i][length++] = (char)(0x80 | (code >> 6 & 63));
            from->bytes[i][length++] = (char)(0x80 | (code & 63));
        }
        from->text[i] = (fp_string){from->bytes[i], length};
    }
    *batch = (fp_text_batch){.first = from->next, .count = count, .text = from->text};
    from->next += count;
    return FP_OK;
}

static fp_status endless_again(void *context, fp_error *error) {
    (void)error;
    ((endless *)context)->next = 0;
    return FP_OK;
}

static fp_status store(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                       fp_error *error) {
    (void)first;
    return fp_store_add((fp_store *)context + arm, count, sketches, error);
}

/* Kilobytes at the peak of a process that sketches so many texts. */
static long peak_of(size_t count) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        static endless from;
        fp_arena *arena = fp_arena_new();
        fp_pipeline_arm arms[2] = {0};
        fp_store stores[2];
        from.count = count;
        fp_text_source source = {
            .context = &from, .count = count, .slow = true, .next = next_endless, .rewind = endless_again};
        bool good =
            fp_arm_parse("simhash:features=chars:2", NULL, arena, &arms[0].arm, NULL) == FP_OK &&
            fp_arm_parse("simhash:features=chars:1,weight=tfidf,center=mean", NULL, arena, &arms[1].arm, NULL) == FP_OK;
        for (size_t a = 0; good && a < 2; a++)
            good = fp_store_open(stores + a, fp_arm_layout(arms[a].arm), count, arena, NULL) == FP_OK;
        fp_pipeline pipeline = {.source = &source,
                                .arms = arms,
                                .count = 2,
                                .learns = true,
                                .kept = FP_KEPT_TEXTS,
                                .take = store,
                                .context = stores,
                                .arena = arena};
        good = good && fp_pipeline_run(&pipeline, NULL) == FP_OK && stores[1].count == count;
        fp_arena_free(arena);
        _exit(good ? 0 : 1);
    }
    struct rusage used;
    int status;
    assert_int_equal(wait4(child, &status, 0, &used), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return used.ru_maxrss;
}

/* Of 18,000 texts more, two sketches of eight bytes and two marks each, and 4 MB of texts that are kept for the next
 * pass (texts.h). Their texts and features are 97 MB. */
static void memory_is_the_sketches(void **state) {
    (void)state;
#if defined(__SANITIZE_THREAD__)
    skip(); /* its shadow is counted, several times what it stands for */
#endif
    long few = peak_of(2000), many = peak_of(20000);
    if (many - few > 8192) fail_msg("%ld kB for 2,000 texts, %ld for 20,000", few, many);
}

/* Texts are kept for the next pass up to a bound; those that are kept are as they were. */
static void kept_texts_have_a_bound(void **state) {
    (void)state;
    enum { BYTES = 1 << 20, MANY = 2 * (FP_KEPT_TEXTS / BYTES) };
    fp_arena *arena = fp_arena_new();
    fp_text_cache cache;
    fp_arm *arm;
    char *bytes = fp_arena_alloc(arena, BYTES, 1);
    fp_token token = {3, 9};
    fp_text text = {.text = {bytes, BYTES}, .tokens = {&token, 1}, .initials = fp_string_of("bj")}, empty = {0};
    ASSERT_GOOD(fp_arm_parse("simhash", NULL, arena, &arm, &test_error));
    ASSERT_GOOD(fp_text_cache_open(&cache, FP_KEPT_TEXTS, 1, NULL, &test_error));
    assert_null(fp_text_cache_find(&cache, arm, false));
    fp_cached_texts *texts = fp_text_cache_find(&cache, arm, true);
    fp_text_cache_expect(&cache, texts, MANY);
    fp_text_cache_keep(&cache, texts, 0, &empty);
    for (size_t i = 1; i < MANY; i++) {
        bytes[0] = (char)i;
        fp_text_cache_keep(&cache, texts, i, &text);
    }
    assert_true(fp_arena_used(cache.arena) <= FP_KEPT_TEXTS);
    assert_int_equal(fp_cached_text(texts, 0)->text.length, 0);
    size_t kept = 1;
    for (const fp_text *at; (at = fp_cached_text(texts, kept)); kept++) {
        assert_int_equal(at->text.data[0], kept);
        assert_memory_equal(at->text.data + 1, bytes + 1, BYTES - 1);
        assert_memory_equal(at->tokens.token, &token, sizeof token);
        assert_memory_equal(at->initials.data, "bj", 2);
    }
    assert_true(kept > MANY / 2 - 2 && kept <= MANY / 2);
    assert_null(fp_cached_text(texts, MANY));
    fp_text_cache_close(&cache);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_arm_is_as_defined),     cmocka_unit_test(parts_are_as_defined),
        cmocka_unit_test(a_source_that_fails_is_told), cmocka_unit_test(a_text_that_fails_is_named),
        cmocka_unit_test(a_run_can_be_ended),          cmocka_unit_test(memory_is_the_sketches),
        cmocka_unit_test(kept_texts_have_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
