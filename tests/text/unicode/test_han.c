/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Han folding: what `opencc -c t2s`, tw2s and hk2s (OpenCC 1.1.6) print for these texts, the departures that han.h
 * states, the rule for Japanese and Korean, and stability. tests/deep/peers/test_opencc.py compares with OpenCC at
 * length.
 */
#include "tests/support.h"

#include "text/unicode/han.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

static fp_arena *arena;

static fp_string fold(fp_string text, bool foreign) {
    fp_string folded;
    ASSERT_GOOD(fp_han_fold(text, foreign, arena, &folded, &test_error));
    return folded;
}

static void expect(const char *text, const char *expected) {
    fp_string folded = fold(fp_string_of(text), true);
    if (!fp_string_equal(folded, fp_string_of(expected)))
        fail_msg("'%s' gives '%.*s', not '%s'", text, (int)folded.length, folded.data, expected);
}

static void as_opencc(void **state) {
    (void)state;
    expect("餅乾", "饼干");
    expect("乾坤大挪移與乾隆皇帝", "乾坤大挪移与乾隆皇帝");
    expect("顛倒乾坤", "颠倒乾坤");
    expect("乾乾淨淨的乾衣服", "干干净净的干衣服");
    expect("老態龍鍾，情有獨鍾，鐘錶", "老态龙钟，情有独钟，钟表");
    expect("一目瞭然，瞭望，瞭解，明瞭", "一目了然，瞭望，了解，明了");
    expect("憑藉着藉口，狼藉", "凭借着借口，狼藉");
    expect("角徵羽、徵聲、象徵", "角徵羽、徵声、象征");
    expect("答覆、覆蓋、反覆", "答复、覆盖、反复");
    expect("計畫與圖畫", "计划与图画");
    expect("頭髮發生，裏面，皇后以後", "头发发生，里面，皇后以后");
    expect("樊於期在於陵子", "樊於期在於陵子");
    expect("他們在於陵", "他们在于陵");
    expect("二噁英、𫚭與䲁", "二𫫇英、𫚭与鳚");
    expect("𠁞𠂆", "𠀾𠂆");
    expect("藉手鍊，衹見樹木吒", "借手炼，只见树木咤"); /* the first of two phrases that overlap */
    expect("abc 123 简体字不变。", "abc 123 简体字不变。");
}

/* What OpenCC's tw2s and hk2s print, each for its own side. */
static void taiwan_and_hong_kong(void **state) {
    (void)state;
    expect("他看著我，沿著牆，跟著走", "他看着我，沿着墙，跟着走");
    expect("著名作家著書立說，名著、顯著、昭著、著者", "著名作家著书立说，名著、显著、昭著、著者");
    expect("屋簷、麻痺、睪丸、裡面、秘書、群眾、啟事", "屋檐、麻痹、睾丸、里面、秘书、群众、启事");
    expect("衞生局敍述枱上的糭子，化粧，衹有", "卫生局叙述台上的粽子，化妆，只有");
    expect("着手，看着，著名", "着手，看着，著名");
}

/* What han.h states beyond that. */
static void variants_of_simplified_characters(void **state) {
    (void)state;
    expect("意味著名字", "意味着名字"); /* tw2s leaves 意味著名字 */
    expect("擡頭，抬頭，抬头", "抬头，抬头，抬头");
    expect("什么，什麼，怎么，和么妹，幺妹", "什么，什么，怎么，和幺妹，幺妹");
    expect("下颚，下顎，顎裂，腭裂", "下颚，下颚，腭裂，腭裂");
    expect("看着一本著作，原著，论著，土著", "看着一本著作，原著，论著，土著");
}

static void quotation_marks(void **state) {
    (void)state;
    expect("他問：「你說『好』嗎？」", "他问：“你说‘好’吗？”");
    expect("他问：“你说‘好’吗？”", "他问：“你说‘好’吗？”");
    expect("「東京へ行きます」", "「東京へ行きます」");
}

static void stated_departures(void **state) {
    (void)state;
    expect("畢昇", "毕昇");
    expect("毕昇", "毕昇");
    expect("變徵之聲", "变徵之声");
    expect("变徵之声", "变徵之声");
    expect("薴烯", "苎烯");
    expect("苧麻", "苎麻");
    expect("迴覆", "回复");
}

static void nothing_to_do(void **state) {
    (void)state;
    fp_string text = fp_string_of("简体字，乾坤，覆盖，and so on");
    assert_ptr_equal(fold(text, false).data, text.data);
    assert_int_equal(fold((fp_string){NULL, 0}, true).length, 0);
    assert_int_equal(fold((fp_string){"", 0}, false).length, 0);
}

static void japanese_and_korean(void **state) {
    (void)state;
    expect("東京の大學で經濟學を學ぶ", "東京の大學で經濟學を學ぶ");
    expect("國民의 權利와 義務는 憲法", "國民의 權利와 義務는 憲法");
    expect("カタカナ語彙", "カタカナ語彙");
    expect("他說「ありがとう」，然後離開了東京的車站，再也沒有回來",
           "他说“ありがとう”，然后离开了东京的车站，再也没有回来");
    expect("鮮の每日優の良品專賣店", "鲜の每日优の良品专卖店");
    expect("中國話\n東京へ行きます\n臺灣話", "中国话\n東京へ行きます\n台湾话");
    expect("尼古拉・特斯拉發明ー電機",
           "尼古拉・特斯拉发明ー电机"); /* the middle dot and the long mark are no letters */
    expect("漢・漢ー漢", "汉・汉ー汉");
    expect("漢あ", "漢あ");
    expect("漢漢漢あ", "漢漢漢あ"); /* a quarter */
    expect("漢漢漢漢あ", "汉汉汉汉あ");
    fp_string text;
    ASSERT_GOOD(fp_normalise(fp_string_of("ｶﾀｶﾅ語\r\n國語"), FP_HAN_SIMPLIFIED, arena, &text, &test_error));
    assert_true(fp_string_equal(text, fp_string_of("カタカナ語\n国语")));
    ASSERT_GOOD(
        fp_normalise(fp_string_of("ᄒ\u1161ᆫ\u1100\u1173\u11af語"), FP_HAN_SIMPLIFIED, arena, &text, &test_error));
    assert_true(fp_string_equal(text, fp_string_of("한글語")));
}

/* Characters that grow from three bytes to four, a megabyte of them on one line and on many. */
static void growth(void **state) {
    (void)state;
    enum { COUNT = 300000 };
    char *text = malloc(3 * COUNT);
    for (int lines = 0; lines < 2; lines++) {
        for (size_t i = 0; i < COUNT; i++) memcpy(text + 3 * i, lines && i % 10 == 9 ? "a\nb" : "䂎", 3);
        fp_arena_reset(arena);
        fp_string folded = fold((fp_string){text, 3 * COUNT}, false);
        size_t at = 0;
        for (size_t i = 0; i < COUNT; i++) {
            const char *expected = lines && i % 10 == 9 ? "a\nb" : "𥎝";
            assert_memory_equal(folded.data + at, expected, strlen(expected));
            at += strlen(expected);
        }
        assert_int_equal(folded.length, at);
    }
    free(text);
}

/* Many lines that are folded on, some of which grow by it: linear work, and nothing of the other lines is lost. */
static void many_lines_folded_on(void **state) {
    (void)state;
    enum { COUNT = 100000 };
    static const char *const LINES[][2] = {
        {"迴覆信\n", "回复信\n"}, {"二噁瑛淩藉藉噁英\n", NULL}, {"中文\n", "中文\n"}};
    fp_string odd = fold(fp_string_of(LINES[1][0]), false);
    char *text = malloc(COUNT * 32), *end = text;
    for (size_t i = 0; i < COUNT; i++) end = stpcpy(end, LINES[i % 3][0]);
    fp_string folded = fold((fp_string){text, (size_t)(end - text)}, false);
    size_t at = 0;
    for (size_t i = 0; i < COUNT; i++) {
        fp_string expected = i % 3 == 1 ? odd : fp_string_of(LINES[i % 3][1]);
        assert_memory_equal(folded.data + at, expected.data, expected.length);
        at += expected.length;
    }
    assert_int_equal(folded.length, at);
    free(text);
}

/* Folded characters in any alignment among ASCII, two-byte and four-byte ones, against folding one by one. */
static void every_alignment(void **state) {
    (void)state;
    static const char *const PARTS[] = {"國", "a", "é", "😀", "中", "𠁞", "\n", "噁", "貓貓", "word"};
    enum { COUNT = sizeof PARTS / sizeof *PARTS };
    for (size_t i = 0; i < COUNT * COUNT * COUNT * COUNT; i++) {
        char text[64], expected[64];
        size_t length = 0, made = 0;
        for (size_t k = i, n = 0; n < 4; n++, k /= COUNT) {
            fp_string part = fp_string_of(PARTS[k % COUNT]);
            memcpy(text + length, part.data, part.length);
            length += part.length;
            for (size_t at = 0; at < part.length;) {
                uint32_t code;
                at += fp_utf8_decode(part.data + at, &code);
                made += fp_utf8_encode(fp_han_fold_code(code), expected + made);
            }
        }
        fp_arena_reset(arena);
        fp_string folded = fold((fp_string){text, length}, i % 2);
        assert_int_equal(folded.length, made);
        assert_memory_equal(folded.data, expected, made);
    }
}

/* ---- Stability ---- */

static uint64_t random_state;

/* xorshift64* (Vigna 2016). */
static uint32_t random_below(uint32_t bound) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545f4914f6cdd1du >> 32) * bound >> 32);
}

/* Characters that stand in OpenCC's phrases, in both forms, meet at random, so that phrases overlap and form anew. */
static void folding_twice_changes_nothing(void **state) {
    (void)state;
    static const char POOL[] =
        "乾坤藉覆瞭徵於鍾鍊麼麽幺么些族狼出醜手口故此着代以傷亡枕喻回迴反复盃杯沈瀋船默没沒凌淩明朙解望如然若指掌一目不"
        "着著看名作家顯显意味隨随么幺妹變变聲声音調畢昇毕蕭乾萧隆清縣县圖图紅红綱纲斷断計畫划獨独情龍老態薴苧苎噁英二酒逢知己千锺钟話機半句多";
    const char *given = getenv("FPLAB_TEST_SEED");
    random_state = given ? strtoull(given, NULL, 0) : 20240501;
    print_message("seed %llu (FPLAB_TEST_SEED)\n", (unsigned long long)random_state);
    random_state = random_state * 2 + 1;
    size_t characters = (sizeof POOL - 1) / 3;
    for (int round = 0; round < 1000000; round++) {
        char text[64];
        size_t length = 0, count = 2 + random_below(12);
        for (size_t i = 0; i < count; i++, length += 3)
            memcpy(text + length, POOL + 3 * random_below((uint32_t)characters), 3);
        fp_arena_reset(arena);
        fp_string once = fold((fp_string){text, length}, false), twice = fold(once, false);
        if (!fp_string_equal(once, twice))
            fail_msg("%.*s gives %.*s, then %.*s", (int)length, text, (int)once.length, once.data, (int)twice.length,
                     twice.data);
    }
}

static int open_arena(void **state) {
    (void)state;
    arena = fp_arena_new();
    return arena ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_opencc),
                                       cmocka_unit_test(taiwan_and_hong_kong),
                                       cmocka_unit_test(variants_of_simplified_characters),
                                       cmocka_unit_test(quotation_marks),
                                       cmocka_unit_test(stated_departures),
                                       cmocka_unit_test(nothing_to_do),
                                       cmocka_unit_test(growth),
                                       cmocka_unit_test(many_lines_folded_on),
                                       cmocka_unit_test(japanese_and_korean),
                                       cmocka_unit_test(every_alignment),
                                       cmocka_unit_test(folding_twice_changes_nothing)};
    return cmocka_run_group_tests(tests, open_arena, NULL);
}
