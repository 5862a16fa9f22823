/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a text is cut into words, counted by a segmenter: once for all arms and the exact measures beside them, and
 * for all models of a tuning. */
#include <math.h>
#include <stdatomic.h>

#include "reports/analyses/analyses.h"
#include "eval/experiment/arm_list.h"
#include "eval/tuning/tune_parts.h"
#include "tests/support.h"

static atomic_size_t cuts;

/* Runs of spaces and of other bytes. */
static fp_status cut(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    (void)state;
    fp_token *token = fp_arena_raw(scratch, text.length, sizeof *token);
    if (!token) return fp_no_memory(error);
    size_t count = 0;
    for (size_t at = 0; at < text.length; at++) {
        if (at == 0 || (text.data[at] == ' ') != (text.data[at - 1] == ' ')) token[count++].begin = (uint32_t)at;
        token[count - 1].end = (uint32_t)at + 1;
    }
    *tokens = (fp_tokens){token, count};
    atomic_fetch_add(&cuts, 1);
    return FP_OK;
}

static const fp_segmenter COUNTING = {"counting", "words with a space between them, counted", NULL, cut};
static const fp_segmenter *const SEGMENTERS[] = {&COUNTING, NULL};
static const fp_extensions EXTENSIONS = {.size = sizeof EXTENSIONS, .segmenters = SEGMENTERS};

enum { DOCUMENTS = 60, WORDS = 12 };

/* Groups of three, a word apart, and all pairs of neighbours within six. */
static fp_corpus make_corpus(fp_truth truth, fp_arena *arena) {
    fp_corpus_document *documents = fp_arena_alloc(arena, DOCUMENTS, sizeof *documents);
    fp_string *texts = fp_arena_alloc(arena, DOCUMENTS, sizeof *texts);
    uint32_t *group = fp_arena_alloc(arena, DOCUMENTS, sizeof *group);
    fp_pair *pairs = fp_arena_alloc(arena, DOCUMENTS * 6, sizeof *pairs);
    size_t count = 0;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        char *text = fp_arena_alloc(arena, WORDS * 8 + 1, 1), *at = text;
        for (uint32_t w = 0; w < WORDS; w++)
            at += sprintf(at, "w%u ", (unsigned)(fp_mix(w == i % WORDS ? i : i / 3 + 100, w) % 50));
        texts[i] = fp_string_of(text);
        documents[i] =
            (fp_corpus_document){.id = fp_string_of(fp_format(arena, "d%u", i)), .characters = texts[i].length};
        group[i] = i / 3;
        for (uint32_t j = i + 1; j < DOCUMENTS && j <= i + 6; j++) pairs[count++] = (fp_pair){i, j, i / 3 == j / 3};
    }
    return (fp_corpus){.name = "made",
                       .path = "made",
                       .truth = truth,
                       .document_count = DOCUMENTS,
                       .documents = documents,
                       .texts = texts,
                       .group = group,
                       .group_count = DOCUMENTS / 3,
                       .pairs = pairs,
                       .pair_count = count};
}

static fp_arm *parse(const char *spec, fp_arena *arena) {
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, &EXTENSIONS, arena, &arm, &test_error));
    return arm;
}

/* ---- Counterparts ---- */

static size_t cuts_of(const fp_corpus *corpus, fp_questions questions, fp_arena *arena) {
    static const double THRESHOLDS[] = {5, 10, 20};
    fp_arm *arms[] = {
        parse("simhash:features=words,segmenter=counting,weight=tfidf", arena),
        parse("minhash:features=words,segmenter=counting,name=m", arena),
        parse("simhash:features=words,segmenter=counting,weight=tf,name=s", arena),
        parse("cosine:features=words,segmenter=counting,weight=tf,name=c", arena),
    };
    questions.inference = (fp_inference_options){.confidence = 0.95,
                                                 .replicates = 200,
                                                 .thresholds = THRESHOLDS,
                                                 .threshold_count = 3,
                                                 .hash_seeds = {.count = 1}};
    fp_contestants contestants = {.arms = arms, .count = sizeof arms / sizeof *arms};
    fp_findings findings;
    ASSERT_GOOD(fp_findings_open(&questions, 1, false, arena, &findings, &test_error));
    atomic_store(&cuts, 0);
    ASSERT_GOOD(fp_findings_measure(&findings, corpus, &contestants, NULL, arena, &test_error));
    ASSERT_GOOD(fp_findings_analyse(&findings, &contestants, NULL, arena, &test_error));
    size_t counted = atomic_load(&cuts);
    /* The exact measure of each arm is there, and is what it is by itself. */
    for (size_t i = 0; findings.outcomes[0].counterparts && i < contestants.count; i++) {
        const fp_measurement *exact = findings.outcomes[0].counterparts->of_arm[i];
        if (i == 3) {
            assert_null(exact);
            continue;
        }
        fp_measurement alone;
        fp_arm *same = parse(fp_arm_spec(exact->arm), arena);
        ASSERT_GOOD(fp_experiment(corpus, &same, 1, NULL, arena, &alone, &test_error));
        assert_memory_equal(exact->distances, alone.distances, corpus->pair_count * sizeof *alone.distances);
        fp_measurement_free(&alone);
    }
    fp_findings_free(&findings);
    return counted;
}

static const fp_asked THEORY = {&fp_analysis_theory, NULL}, LOST = {&fp_analysis_lost, NULL},
                      BOTH[] = {{&fp_analysis_theory, NULL}, {&fp_analysis_lost, NULL}};

static void a_text_is_cut_once(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus = make_corpus(FP_TRUTH_PAIRS, arena);
    fp_strata_choice length = {"length", NULL, 0};
    assert_int_equal(cuts_of(&corpus, (fp_questions){0}, arena), DOCUMENTS);
    assert_int_equal(cuts_of(&corpus, (fp_questions){.asked = &THEORY, .asked_count = 1}, arena), DOCUMENTS);
    assert_int_equal(cuts_of(&corpus, (fp_questions){.asked = &LOST, .asked_count = 1, .saved = true}, arena),
                     DOCUMENTS);
    assert_int_equal(cuts_of(&corpus, (fp_questions){.by = &length, .edits = true}, arena), DOCUMENTS);
    assert_int_equal(
        cuts_of(&corpus, (fp_questions){.by = &length, .edits = true, .asked = BOTH, .asked_count = 2}, arena),
        DOCUMENTS);
    fp_arena_free(arena);
}

/* ---- Tuning ---- */

/* One treatment for all models, and what a short timing repeats: of an estimate once more, of the tuning twice. */
static void tuning_shares_texts(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:features=words,segmenter=counting,weight=tf",
                                        "simhash:features=words,segmenter=counting,weight=tfidf,name=b",
                                        "minhash:features=words,segmenter=counting,name=c",
                                        "cosine:features=words,segmenter=counting,weight=tfidf,name=d"};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus = make_corpus(FP_TRUTH_PAIRS, arena);
    fp_arm *arms[4];
    double seconds;
    fp_tuned tuned;
    fp_tune_options options = {.split = {5, 1, 10000}, .objective = {1, NAN}, .confidence = 0.95, .replicates = 200};
    for (size_t i = 0; i < 4; i++) arms[i] = parse(SPECS[i], arena);
    atomic_store(&cuts, 0);
    ASSERT_GOOD(fp_tune_estimate(&corpus, arms, 4, &options, NULL, &seconds, &test_error));
    assert_true(atomic_load(&cuts) == DOCUMENTS || atomic_load(&cuts) == 2 * DOCUMENTS);
    atomic_store(&cuts, 0);
    ASSERT_GOOD(fp_tune(&corpus, arms, 4, &options, NULL, arena, &tuned, &test_error));
    assert_true(atomic_load(&cuts) == DOCUMENTS || atomic_load(&cuts) == 3 * DOCUMENTS);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_cut_once),
        cmocka_unit_test(tuning_shares_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
