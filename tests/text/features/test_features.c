/* SPDX-License-Identifier: GPL-3.0-or-later
 * Features and weights, against values counted and computed by hand. */
#include <math.h>

#include "tests/support.h"
#include "text/features/spec.h"
#include "text/features/sentences.h"
#include "text/features/extract.h"
#include "text/segmentation/jieba_table.h"

/* Features of one text under a feature specification; IDF learned from `corpus`, which ends with NULL, or from the text
 * itself. */
static fp_features features_of(const char *spec, const char *text, const char *const *corpus, fp_arena *arena) {
    fp_arm *arm;
    fp_text treated;
    fp_document document = {0};
    ASSERT_GOOD(fp_arm_parse(fp_format(arena, "cosine:%s", spec), NULL, arena, &arm, &test_error));
    fp_string texts[16] = {fp_string_of(text)};
    size_t count = 0;
    while (corpus && corpus[count]) texts[count] = fp_string_of(corpus[count]), count++;
    if (fp_arm_learns(arm)) ASSERT_GOOD(fp_arm_fit(arm, texts, NULL, count ? count : 1, NULL, 0, &test_error));
    ASSERT_GOOD(fp_preprocess(arm->preprocessor, fp_string_of(text), fp_arm_wants(arm), arena, &treated, &test_error));
    ASSERT_GOOD(fp_arm_document(arm, &treated, true, arena, &document, &test_error));
    return document.features;
}

/* The terms in order, separated by |. */
static const char *terms_of(const char *spec, const char *text, fp_arena *arena) {
    fp_features features = features_of(spec, text, NULL, arena);
    const char *line = "";
    for (size_t i = 0; i < features.count; i++)
        line = fp_format(arena, "%s%s%.*s", line, i ? "|" : "", (int)features.term[i].length, features.term[i].data);
    return line;
}

static double weight_of(const fp_features *features, const char *term) {
    for (size_t i = 0; i < features->count; i++)
        if (fp_string_equal(features->term[i], fp_string_of(term))) return features->weight[i];
    fail_msg("no feature %s", term);
    return 0;
}

static void assert_terms(const char *spec, const char *text, const char *expected) {
    fp_arena *arena = fp_arena_new();
    assert_string_equal(terms_of(spec, text, arena), expected);
    fp_arena_free(arena);
}

static void assert_weight(const fp_features *features, const char *term, double expected) {
    double got = weight_of(features, term);
    if (fabs(got - expected) > 1e-12) fail_msg("%s weighs %.15g, not %.15g", term, got, expected);
}

/* The article's example: A: 我/喜欢/看/电视/不/喜欢/看/电影 with counts 1 2 2 1 1 1. */
static void words_and_counts(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    assert_terms("features=words", "我喜欢看电视，不喜欢看电影。", "我|喜欢|看|电视|不|电影");
    fp_features features = features_of("features=words,weight=tf", "我喜欢看电视，不喜欢看电影。", NULL, arena);
    assert_weight(&features, "喜欢", 2);
    assert_weight(&features, "看", 2);
    assert_weight(&features, "电影", 1);
    assert_int_equal(features.length, 8);
    assert_terms("features=words,userdict=none", "我喜欢看电视，不喜欢看电影。", "我|喜欢|看电视|不|看|电影");
    fp_arena_free(arena);
}

/* Theobald, Siddharth, Paepcke, SIGIR 2008, section 3.1: the antecedents is, the, a, an, do; chains of two. */
static void spots_of_the_paper(void **state) {
    (void)state;
    assert_terms(
        "features=spots,stop=tests/data/antecedents.txt",
        "At a rally to kick off a weeklong campaign for the South Carolina primary, Obama tried to set the record "
        "straight from an attack circulating widely on the Internet that is designed to play into prejudices "
        "against Muslims and fears of terrorism.",
        "a rally kick|a weeklong campaign|the south carolina|the record straight|an attack circulating|the "
        "internet designed|is designed play");
    assert_terms("features=spots:1", "大桥的检修在昨天完成", "的 检修|在 昨天");
    assert_terms("features=spots", "大桥的检修", "");
    assert_terms("features=spots", "", "");
}

/* The other article's: with numbers joined to their measures. */
static void numbers_join_their_measures(void **state) {
    (void)state;
    const char *text = "美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人";
    assert_terms("features=words", text, "美国|51区|雇员|称|内部|有|9架|飞碟|曾|看见|灰色|外星人");
    assert_terms("features=words,join=none", "有9架飞碟", "有|9|架|飞碟");
}

/* Dates as statutes have them: 〇 is a digit, and ○ among digits stands for it. */
static void zeros_of_dates_stay(void **state) {
    (void)state;
    assert_terms("features=words", "二〇〇八年八月一日起施行", "二|〇|八年|八月|一日|起|施行");
    assert_terms("features=words", "二○○八年八月一日起施行", "二|〇|八年|八月|一日|起|施行");
    assert_terms("features=words", "一九九〇年修订", "一九九|〇|年|修订");
    assert_terms("features=words", "一九九年修订", "一九九|年|修订");
    assert_terms("features=chars:2,punctuation=drop", "二〇〇八年，", "二〇|〇〇|〇八|八年");
    assert_terms("features=initials:2", "二〇〇八年", "el|ll|lb|bn");
    assert_terms("features=words", "⻄部大开发⻝品", "西部|大|开发|食品");
}

/* GB/T 15834-2011: 句末点号 are 。！？; the second half of quotation marks, brackets and title marks does not begin a
 * sentence (5.1), nor does a 句内点号. */
static void sentences_close_their_marks(void) {
    assert_terms("features=sentences,han=keep", "他问：「通车？」他没有回答。", "他问:「通车?」|他没有回答。");
    assert_terms("features=sentences", "他问：“通车？”他没有回答。", "他问:“通车?”|他没有回答。");
    assert_terms("features=sentences", "“他说‘走。’”（真的？！）【好。】《谁？》完",
                 "“他说‘走。’”|(真的?!)|【好。】|《谁?》完");
    assert_terms("features=sentences", "谁？——他。你……？走……！完。。。", "谁?——|他。|你......?|走......!|完。。。");
    assert_terms("features=sentences", "《谁？》、《哪？》，“走！”：三本；四本。",
                 "《谁?》、《哪?》,“走!”:三本;四本。");
    assert_terms("features=sentences,sentence=semicolon", "一；二；“三；”四", "一;|二;|“三;”|四");
    assert_terms("features=sentences", "He said \"Go.\" Then he went. 'Why?' (So.) a",
                 "he said \"go.\"|then he went.|'why?'|(so.)|a");
    assert_terms("features=sentences", "他说：\"走。\"她说：\"好。\"\n\"嗯。\"",
                 "他说:\"走。\"|她说:\"好。\"|\"嗯。\"");
    assert_terms("features=sentences", "\"Why?\", he asked, \"3.14.\"", "\"why?\", he asked, \"3.14.\"");
    assert_terms("features=sentences", "好。\"走。\"他说。", "好。|\"走。\"|他说。");
}

/* Titles hold no end, abbreviations are none. A mark that nothing closes in its line, or only far behind, opens no
 * title. */
static void titles_and_abbreviations_go_on(void) {
    assert_terms("features=sentences", "他看了《走吧！少年。》两遍。她没有！", "他看了《走吧!少年。》两遍。|她没有!");
    assert_terms("features=sentences", "见《论〈谁？〉与《走！》的关系。》一文。完",
                 "见《论〈谁?〉与《走!》的关系。》一文。|完");
    assert_terms("features=sentences", "《走！》\n《谁？》。完", "《走!》|《谁?》。|完");
    assert_terms("features=sentences", "《走！他说。《谁？》她说。", "《走!|他说。|《谁?》她说。");
    assert_terms("features=sentences", "《走！\n少年》完。", "《走!|少年》完。");
    assert_terms("features=sentences", "《Mr. A. He》走。", "《mr. a. he》走。");
    assert_terms("features=sentences", "Mr. Li met Dr. Wang, i.e. e.g. him (cf. Fig. 3). Done. So",
                 "mr. li met dr. wang, i.e. e.g. him (cf. fig. 3).|done.|so");
    assert_terms("features=sentences", "He said no. She left the firm. At 5 p.m. it closed, Prof. X said.",
                 "he said no.|she left the firm.|at 5 p.m.|it closed, prof. x said.");
    char far[1000] = "《走！";
    for (size_t i = 0; i < 100; i++) strcat(far, "字");
    strcat(far, "》完");
    fp_string units = fp_string_of(far);
    fp_sentence_scan scan = fp_sentence_scan_of(units, false);
    fp_string first;
    assert_true(fp_sentence_next(&scan, &first) && first.length == strlen("《走！"));
}

static void shingles_are_slices(void **state) {
    (void)state;
    assert_terms("features=words:3", "我喜欢看电视", "我 喜欢 看|喜欢 看 电视");
    assert_terms("features=chars:2", "我是中国人", "我是|是中|中国|国人");
    assert_terms("features=chars:3", "a  b\n\n 中 ", "a b| b |b 中");
    assert_terms("features=chars:3", "中国", "中国"); /* fewer than K: all of it */
    assert_terms("features=chars:3", "", "");
    assert_terms("features=chars:1", " \n ", "");
    assert_terms("features=chars:2,punctuation=drop", "我，是。中", "我是|是中");
    assert_terms("features=sentences", "今天有雨。明天呢？好！\n没有句号", "今天有雨。|明天呢?|好!|没有句号");
    assert_terms("features=sentences", "他走了……没有回来。", "他走了......|没有回来。");
    sentences_close_their_marks();
    titles_and_abbreviations_go_on();
    assert_terms("features=sentences", "It costs 3.5 yuan. Really", "it costs 3.5 yuan.|really");
}

/* White space folding in blocks, against a plain reading of its definition, on every length and mixture (seed 5). */
static void white_space_folds_by_definition(void **state) {
    (void)state;
    static const char *const PIECES[] = {" ", "\n", "a", "中", "é", "𠮷", "文", "本", "指", "纹"};
    fp_arena *arena = fp_arena_new();
    for (size_t length = 0; length < 300; length++) {
        char text[1300] = "", expected[1300] = "";
        for (size_t i = 0; i < length; i++) {
            size_t draw = fp_mix(length * 1000 + i, 5) % (length % 3 ? 10 : 40);
            const char *piece = PIECES[draw < 10 ? draw : 6 + draw % 4];
            bool white = *piece == ' ' || *piece == '\n';
            strcat(text, piece);
            size_t end = strlen(expected);
            if (!white) strcat(expected, piece);
            else if (end && expected[end - 1] != ' ') strcat(expected, " ");
        }
        size_t end = strlen(expected);
        if (end && expected[end - 1] == ' ') expected[end - 1] = '\0';
        fp_arena_reset(arena);
        fp_arm *arm;
        fp_text treated = {.text = fp_string_of(text)};
        fp_units units;
        ASSERT_GOOD(fp_arm_parse("cosine:features=chars:1", NULL, arena, &arm, &test_error));
        ASSERT_GOOD(fp_extract(arm->extractor, &treated, arena, &units, &test_error));
        assert_int_equal(units.buffer.length, strlen(expected));
        assert_memory_equal(units.buffer.data, expected, units.buffer.length);
        for (size_t i = 0, at = 0; i < units.count; i++) {
            fp_string term = fp_units_term(&units, i);
            assert_ptr_equal(term.data, units.buffer.data + at);
            at += term.length;
            assert_true((expected[at] & 0xc0) != 0x80);
        }
    }
    fp_arena_free(arena);
}

/* idf(t) = ln((N + 1)/(df + 0.5)); unknown terms weigh the mean. Three texts: 苹果 in 3, 香蕉 in 2, 西瓜 in 1. */
static void weights_follow_their_formulas(void **state) {
    (void)state;
    static const char *const CORPUS[] = {"苹果 香蕉 苹果", "苹果 香蕉", "苹果 西瓜", NULL};
    fp_arena *arena = fp_arena_new();
    double apple = log(4 / 3.5), banana = log(4 / 2.5), melon = log(4 / 1.5), mean = (apple + banana + melon) / 3;
    const char *text = "苹果 苹果 香蕉 葡萄";
    fp_features f = features_of("features=words,weight=idf", text, CORPUS, arena);
    assert_weight(&f, "苹果", apple);
    assert_weight(&f, "香蕉", banana);
    assert_weight(&f, "葡萄", mean);
    f = features_of("features=words,weight=tfidf", text, CORPUS, arena);
    assert_weight(&f, "苹果", 2 * apple);
    f = features_of("features=words,weight=logtf", text, CORPUS, arena);
    assert_weight(&f, "苹果", 1 + log(2));
    f = features_of("features=words,weight=binary", text, CORPUS, arena);
    assert_weight(&f, "苹果", 1);
    f = features_of("features=words,weight=damped", text, CORPUS, arena);
    assert_weight(&f, "苹果", (1 + log(2)) * sqrt(apple));
    assert_weight(&f, "葡萄", sqrt(mean));
    /* BM25: documents of 2, 2 and 2 distinct words, the text of 3: 1.5 times as long. k1 = 1.2, b = 0.75. */
    double longer = 1.2 * (0.25 + 0.75 * 1.5);
    f = features_of("features=words,weight=bm25", text, CORPUS, arena);
    assert_weight(&f, "苹果", apple * 2 * 2.2 / (2 + longer));
    assert_weight(&f, "香蕉", banana * 2.2 / (1 + longer));
    /* levels, by hand: 2·apple = 0.27 < banana = 0.47 < mean = 0.53, so 1/3, 2/3 and 3/3 of the terms weigh no more;
     * in fifths, rounded up: 2, 4, 5. */
    assert_true(2 * apple < banana && banana < mean);
    f = features_of("features=words,weight=levels", text, CORPUS, arena);
    assert_weight(&f, "苹果", 2);
    assert_weight(&f, "香蕉", 4);
    assert_weight(&f, "葡萄", 5);
    fp_arena_free(arena);
}

/* From jieba's list, without a corpus: 苹果 stands there, 葡萄干鱼 does not. BM25 wants lengths, which it lacks. */
static void weights_need_no_corpus(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    double apple = fp_idf_builtin(fp_string_of("苹果")), mean = fp_jieba_builtin()->idf_mean;
    assert_true(apple != mean);
    fp_features f = features_of("features=words,weight=damped,idf=builtin", "苹果 苹果 hello", NULL, arena);
    assert_weight(&f, "苹果", (1 + log(2)) * sqrt(apple));
    assert_weight(&f, "hello", sqrt(mean));
    fp_arm *refused;
    assert_int_equal(fp_arm_parse("cosine:features=words,weight=bm25,idf=builtin", NULL, arena, &refused, &test_error),
                     FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "idf=builtin"));
    assert_int_equal(
        fp_arm_parse("cosine:features=words:2,weight=damped,idf=builtin", NULL, arena, &refused, &test_error),
        FP_ERROR_RANGE);
    fp_arena_free(arena);
}

static void the_heaviest_are_kept(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    assert_terms("features=words,weight=tf,top=2", "苹果 香蕉 西瓜 香蕉 西瓜 西瓜", "香蕉|西瓜");
    assert_string_equal(terms_of("features=words,weight=binary,top=3", "苹果 香蕉 西瓜", arena), "苹果|香蕉|西瓜");
    fp_features f = features_of("features=words,weight=tf,top=2", "苹果 香蕉 西瓜 香蕉 西瓜 西瓜", NULL, arena);
    assert_int_equal(f.length, 5); /* the sequence keeps the occurrences of those */
    fp_arena_free(arena);
}

static void words_are_left_out(void **state) {
    (void)state;
    assert_terms("features=words,stop=shipped", "今天的天气是很好的", "今天|天气|好");
    assert_terms("features=words,stop=shipped", "The weather of today is good", "weather|today|good");
    assert_terms("features=words,stop=shipped,han=keep", "我們的天氣", "天氣"); /* a list in one script is enough */
    assert_terms("features=words,stop=shipped,han=keep", "因為 為 裡 這裡 這裏 為什麼 跟著 天氣", "天氣");
    assert_terms("features=words,stop=shipped", "的了是", "");
    assert_terms("features=words,shortest=2", "我喜欢看电视", "喜欢|电视");
    assert_terms("features=words", "。，！？…《》", "");
}

static void initials_are_features(void **state) {
    (void)state;
    assert_terms("features=initials:2", "银行重庆", "yh|hc|cq");
    assert_terms("features=initials", "hello", "");
}

static void hashes_are_what_they_say(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_features f = features_of("features=words", "电视", NULL, arena);
    assert_true(f.hash[0] == fp_xxh3("电视", strlen("电视"), 0));
    f = features_of("features=words,hash=fnv1a", "foobar", NULL, arena);
    assert_true(f.hash[0] == UINT64_C(0x85944171f73967e8)); /* Noll's test vector */
    f = features_of("features=words,hashseed=9", "电视", NULL, arena);
    assert_true(f.hash[0] == fp_xxh3("电视", strlen("电视"), 9));
    fp_arena_free(arena);
}

/* An IDF file is read as it is written, and its broken rows are told. */
static void idf_files(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    char path[] = "/tmp/fplab-idf-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    const char *good = "documents\t3\n苹果\t3\n香蕉\t2\n西瓜\t1\n";
    assert_int_equal(write(file, good, strlen(good)), (ssize_t)strlen(good));
    fp_features f = features_of(fp_format(arena, "features=words,weight=idf,idf=%s", path), "苹果 葡萄", NULL, arena);
    assert_weight(&f, "苹果", log(4 / 3.5));
    assert_weight(&f, "葡萄", (log(4 / 3.5) + log(4 / 2.5) + log(4 / 1.5)) / 3);
    static const struct {
        const char *rows;
        fp_status code;
        size_t line;
    } BAD[] = {{"苹果\t3\n", FP_ERROR_SYNTAX, 1},
               {"documents\t3\n苹果 3\n", FP_ERROR_SYNTAX, 2},
               {"documents\t3\n苹果\t3\n香蕉\t4\n", FP_ERROR_SYNTAX, 3},
               {"documents\t3\n苹果\t3\n苹果\t2\n", FP_ERROR_DUPLICATE, 3}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        assert_int_equal(ftruncate(file, 0), 0);
        assert_int_equal(pwrite(file, BAD[i].rows, strlen(BAD[i].rows), 0), (ssize_t)strlen(BAD[i].rows));
        fp_arm *arm;
        fp_error error = {0};
        assert_int_equal(fp_arm_parse(fp_format(arena, "cosine:weight=idf,idf=%s", path), NULL, arena, &arm, &error),
                         BAD[i].code);
        assert_int_equal(error.line, BAD[i].line);
        assert_string_equal(error.file, path);
    }
    close(file);
    unlink(path);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_counts),
        cmocka_unit_test(spots_of_the_paper),
        cmocka_unit_test(numbers_join_their_measures),
        cmocka_unit_test(zeros_of_dates_stay),
        cmocka_unit_test(shingles_are_slices),
        cmocka_unit_test(white_space_folds_by_definition),
        cmocka_unit_test(weights_follow_their_formulas),
        cmocka_unit_test(weights_need_no_corpus),
        cmocka_unit_test(the_heaviest_are_kept),
        cmocka_unit_test(words_are_left_out),
        cmocka_unit_test(initials_are_features),
        cmocka_unit_test(hashes_are_what_they_say),
        cmocka_unit_test(idf_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
