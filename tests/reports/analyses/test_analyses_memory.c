/* SPDX-License-Identifier: GPL-3.0-or-later
 * An evaluation with every analysis, as a program asks for it, while requests for memory fail one after the other: it
 * ends with FP_ERROR_MEMORY and no tables, or with tables. */
#include <fplab/tables.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
int main(void) {
    puts("a sanitizer has an allocator of its own");
    return 77;
}
#else

/* glibc's own, behind those below. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static size_t requests, fail_at; /* fail_at: from 1; 0: none */
static bool counts;

static bool fails(void) { return counts && ++requests == fail_at; }

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }

static const char *const TEXTS[] = {"临江大桥今天下午恢复通车。", "临江大桥今天下午恢复了通车。",
                                    "全市中小学明日停课一天。",   "全市的中小学明日停课一天。",
                                    "新地铁线路将于年底开通。",   "新的地铁线路将于年底开通。",
                                    "博物馆本周末免费开放。",     "博物馆本周末免费向公众开放。"};
enum { COUNT = sizeof TEXTS / sizeof *TEXTS };

static fp_corpus *open_corpus(void) {
    static fp_pair pairs[COUNT * (COUNT - 1) / 2];
    static char bytes[1024];
    static int64_t offsets[COUNT + 1];
    size_t count = 0;
    fp_corpus *corpus;
    for (size_t i = 0; i < COUNT; i++) {
        size_t length = strlen(TEXTS[i]);
        memcpy(bytes + offsets[i], TEXTS[i], length);
        offsets[i + 1] = offsets[i] + (int64_t)length;
        for (size_t k = i + 1; k < COUNT; k++) pairs[count++] = (fp_pair){(uint32_t)i, (uint32_t)k, i / 2 == k / 2};
    }
    const fp_text_column texts = {COUNT, bytes, offsets};
    const fp_corpus_columns columns = {
        .size = sizeof columns, .name = "small", .texts = &texts, .pairs = pairs, .pair_count = count};
    ASSERT_GOOD(fp_corpus_of_columns(&columns, NULL, &corpus, &test_error));
    return corpus;
}

static fp_status evaluate(const fp_corpus *corpus, fp_tables **tables) {
    static const char *const ARMS[] = {"simhash:features=chars:2", "minhash:features=chars:2"};
    static const fp_setting SETTINGS[] = {{"retrieval", NULL},    {"theory", NULL},    {"gain", NULL},
                                          {"costs", NULL},        {"calibrate", NULL}, {"lost", NULL},
                                          {"prevalence", "0.01"}, {"bytes", "8..16"},  {"hash-seeds", "1"},
                                          {"replicates", "200"},  {"compare-at", "20"}};
    return fp_evaluate(&corpus, 1, ARMS, 2, NULL, SETTINGS, sizeof SETTINGS / sizeof *SETTINGS, tables, NULL,
                       &test_error);
}

static void every_analysis_reports_memory(void **state) {
    (void)state;
    enum { RUNS = 400 };
    fp_tables *tables;
    fp_corpus *corpus = open_corpus();
    setenv("OMP_NUM_THREADS", "1", 1);
    ASSERT_GOOD(evaluate(corpus, &tables));
    fp_tables_free(tables);
    counts = true;
    fp_status first = evaluate(corpus, &tables);
    counts = false;
    assert_int_equal(first, FP_OK);
    fp_tables_free(tables);
    size_t all = requests, failed = 0;
    for (size_t run = 0; run < RUNS; run++) {
        requests = 0;
        fail_at = 1 + run * all / RUNS;
        counts = true;
        fp_status status = evaluate(corpus, &tables);
        counts = false;
        if (status == FP_OK) fp_tables_free(tables);
        else assert_true(status == FP_ERROR_MEMORY && !tables);
        failed += status != FP_OK;
    }
    print_message("%zu of %d failed requests (of %zu) ended an evaluation\n", failed, RUNS, all);
    assert_true(failed > RUNS / 2);
    fp_corpus_close(corpus);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_analysis_reports_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
