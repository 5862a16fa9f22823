/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Segmenters. The tokens of the jieba segmenter are those of jieba 0.42.1 (Debian's python3-jieba: cut with HMM on
 * and off, cut_for_search); the deep test compares many more. ICU's are the example of Unicode Standard Annex 29,
 * figure 1.
 */
#include "tests/text/segmentation/segment_support.h"
#include "text/features/spec.h"
#include "text/unicode/utf8.h"

/* ---- Cutting ---- */

static const fp_segment_options HMM = {.hmm = true, .userdict = "none"};
static const fp_segment_options PLAIN = {.userdict = "none"};
static const fp_segment_options SEARCH = {.hmm = true, .search = true, .userdict = "none"};

/* A text and its tokens: cut, cut(HMM=False), cut_for_search; "=" is the same as cut. 看看看 and its like have two ways
 * of the same words, which only the order of the additions and the rule for ties tell apart; the rare characters at the
 * end do the same to the model. */
static const char *const CASES[][4] = {
    {"", "", "=", "="},
    {"中", "中", "=", "="},
    {"a", "a", "=", "="},
    {"。", "。", "=", "="},
    {" ", " ", "=", "="},
    {"\r\n", "\r\n", "=", "="},
    {"\n\r\n", "\n|\r\n", "=", "="},
    {"春天的花园里开满了白色的小花", "春天|的|花园里|开满|了|白色|的|小花", "春天|的|花园里|开|满|了|白色|的|小花",
     "春天|的|花园|园里|花园里|开满|了|白色|的|小花"},
    {"他从马尔可夫的书架上取下第三册", "他|从|马尔可夫|的|书架上|取|下|第三册", "=",
     "他|从|可夫|马尔可|马尔可夫|的|书架|架上|书架上|取|下|第三|三册|第三册"},
    {"林黛玉给周树人写信说明早不出门", "林黛玉|给|周树人|写信|说明|早|不|出门", "=",
     "林黛玉|给|树人|周树人|写信|说明|早|不|出门"},
    {"蔡英文和卡尔普林在斯德哥尔摩喝咖啡", "蔡|英文|和|卡尔普|林在|斯德哥尔摩|喝咖啡",
     "蔡|英文|和|卡尔普|林|在|斯德哥尔摩|喝咖啡", "蔡|英文|和|卡尔|卡尔普|林在|斯德哥尔摩|咖啡|喝咖啡"},
    {"用C++和c#写程序，穿T恤去4S店", "用|C++|和|c#|写|程序|，|穿|T恤|去|4S店", "=", "="},
    {"价格涨了3.5%，版本1.2.3.4发布，见e-mail：a_b.c@d-e.fr",
     "价格|涨|了|3.5%|，|版本|1.2|.|3.4|发布|，|见|e|-|mail|：|a|_|b|.|c|@|d|-|e|.|fr",
     "价格|涨|了|3|.|5|%|，|版本|1|.|2|.|3|.|4|发布|，|见|e|-|mail|：|a|_|b|.|c|@|d|-|e|.|fr", "="},
    {"GDP增长6.9%到90.03万亿元", "GDP|增长|6.9%|到|90.03|万亿元", "GDP|增长|6|.|9|%|到|90|.|03|万亿元",
     "GDP|增长|6.9%|到|90.03|万亿|亿元|万亿元"},
    {"abc123中文def", "abc123|中文|def", "=", "="},
    {"#话题# AT&T的B超", "#|话题|#| |AT&T|的|B超", "=", "="},
    {"--help -v 中-文", "--|help| |-|v| |中|-|文", "-|-|help| |-|v| |中|-|文", "="},
    {"..5.中.5.", "..|5|.|中|.|5|.", ".|.|5|.|中|.|5|.", "="},
    {"𠮷野家的𠀀字", "𠮷|野家|的|𠀀|字", "𠮷|野|家|的|𠀀|字", "="},
    {"喜欢😀你👨\342\200\215👩\342\200\215👧好", "喜欢|😀|你|👨|\342\200\215|👩|\342\200\215|👧|好", "=", "="},
    {"第一行\r\n第二行\r第三行\n第四行", "第一行|\r\n|第二行|\r|第三行|\n|第四行", "=",
     "第一|一行|第一行|\r\n|第二|二行|第二行|\r|第三|三行|第三行|\n|第四|四行|第四行"},
    {"ab\302\240cd\342\200\203ef\302\205gh\034ij", "ab|\302\240|cd|\342\200\203|ef|\302\205|gh|\034|ij", "=", "="},
    {"龘靐齉爩", "龘|靐|齉|爩", "=", "="},
    {"鿕\351\277\226㐀", "鿕|\351\277\226|㐀", "=", "="},
    {"他說的確實在理", "他|說|的|確實|在|理", "他|說|的|確|實|在|理", "="},
    {"上海交通大学附属瑞金医院的主任医师", "上海交通大学|附属|瑞金医院|的|主任医师", "=",
     "上海|交通|大学|上海交通大学|附属|瑞金|医院|瑞金医院|的|主任|医师|主任医师"},
    {"长春市长春节致辞后去长春药店", "长春|市长|春节|致辞|后|去|长春|药店", "=", "="},
    {"研究生命起源的女博士每月经过办公室", "研究|生命|起源|的|女博士|每月|经过|办公室", "=",
     "研究|生命|起源|的|博士|女博士|每月|经过|办公|公室|办公室"},
    {"看看看再说", "看看|看|再说", "=", "="},
    {"山谷深深深一丈", "山谷深|深深|一丈", "=", "山谷|山谷深|深深|一丈"},
    {"一点零零零", "一点|零零|零", "=", "="},
    {"鹳茊蹸", "鹳|茊|蹸", "=", "="},
    {"匚馴豍", "匚|馴|豍", "=", "="},
    {"歖蟤珖悫", "歖蟤珖|悫", "歖|蟤|珖|悫", "="},
    {"礣蹹雳", "礣蹹雳", "礣|蹹|雳", "="},
    {"缻霖斎秩", "缻|霖|斎秩", "缻|霖|斎|秩", "="},
    {"一二三四五六七八九十百千万亿", "一二三四五六七八九十|百千万亿", "=",
     "一二|二三|三四|四五|五六|六七|七八|八九|九十|一二三|八九十|一二三四五六七八九十|百千|千万|万亿|百千万|千万亿|百千万亿"},
    {"一个个人人山人海海南", "一个|个人|人山人海|海南", "=", "一个|个人|山人|人海|人山人海|海南"},
    {"\344\267\277中\351\277\226", "\344\267\277|中|\351\277\226", "=", "="},
};

static void jieba_cuts_as_jieba(void **state) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const char *const *it = CASES[i];
        expect(*state, "jieba", HMM, it[0], it[1]);
        expect(*state, "jieba", PLAIN, it[0], strcmp(it[2], "=") == 0 ? it[1] : it[2]);
        expect(*state, "jieba", SEARCH, it[0], strcmp(it[3], "=") == 0 ? it[1] : it[3]);
    }
}

/* Words with a letter that is neither ASCII nor Han are Annex 29's; what is around them is jieba's. Digits of dates are
 * jieba's as well: 〇 is a token of its own. */
static const char *const FOREIGN[][2] = {
    {"naïve café", "naïve| |café"},
    {"nai\u0308ve cafe\u0301, x\u0302", "nai\u0308ve| |cafe\u0301|,| |x\u0302"},
    {"Καλημέρα κόσμε", "Καλημέρα| |κόσμε"},
    {"Привет, мир!", "Привет|,| |мир|!"},
    {"مرحبا بالعالم", "مرحبا| |بالعالم"},
    {"מה שלומך צה\"ל", "מה| |שלומך| |צה\"ל"},
    {"한국어 텍스트", "한국어| |텍스트"},
    {"สวัสดี", "ส|วั|ส|ดี"},
    {"日本語のテキストです", "日本|語|の|テキスト|で|す"},
    {"全角：１２３ＡＢＣ\343\200\200空格", "全角|：|１２３ＡＢＣ|\343\200\200|空格"},
    {"é\314\201ñ ß", "é\314\201ñ| |ß"},
    {"l'été, l'eau, d’où", "l'été|,| |l|'|eau|,| |d’où"},
    {"卡拉OKé与T恤é，3μm", "卡拉|OKé|与|T恤|é|，|3μm"},
    {"a'b.é b..é 1.2.é é_1 中\u0301é", "a'b.é| |b|..|é| |1.2|.|é| |é_1| |中|\u0301|é"},
    {"人々的C++é", "人|々|的|C++|é"},
    {"中_é v2.é, _x中", "中|_é| |v2|.|é|,| |_|x|中"},
    {"二〇〇八年八月一日", "二|〇|〇|八年|八月|一日"},
    {"一九九〇年修订", "一九九|〇|年|修订"},
};

static void foreign_words_are_annex_29s(void **state) {
    fixture *it = *state;
    for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++)
        expect(it, "jieba", HMM, FOREIGN[i][0], FOREIGN[i][1]);
}

static fp_string repeated(fixture *it, const char *piece, size_t times) {
    size_t length = strlen(piece);
    char *text = fp_arena_raw(it->arena, times, length);
    for (size_t i = 0; i < times; i++) memcpy(text + i * length, piece, length);
    return (fp_string){text, times * length};
}

/* Blocks far longer than the first working memory: jieba cuts 电 × 3001 into 999 words of three characters and a last
 * one of four with its model, and into single characters without. */
static void jieba_cuts_long_blocks(void **state) {
    fixture *it = *state;
    fp_string text = repeated(it, "电", 3001);
    fp_tokens tokens = cut(it, "jieba", HMM, text);
    assert_int_equal(tokens.count, 1000);
    for (size_t i = 0; i < 999; i++) assert_int_equal(tokens.token[i].end, 9 * (i + 1));
    assert_int_equal(tokens.token[999].end, text.length);
    assert_int_equal(cut(it, "jieba", PLAIN, text).count, 3001);
    assert_int_equal(cut(it, "jieba", HMM, repeated(it, "中国人民", 3000)).count, 6000);
    assert_int_equal(cut(it, "jieba", HMM, repeated(it, "囗囝", 2000)).count, 4000);
    assert_int_equal(cut(it, "jieba", HMM, repeated(it, "9", 4000)).count, 1);
    assert_int_equal(cut(it, "jieba", PLAIN, repeated(it, "9", 4000)).count, 1);
    assert_int_equal(cut(it, "jieba", HMM, repeated(it, "中a", 1500)).count, 3000);
    assert_int_equal(cut(it, "jieba", HMM, repeated(it, "a'", 200000)).count, 400000);
    assert_int_equal(cut(it, "jieba", HMM, repeated(it, "a'é'", 200000)).count, 2);
}

/* What a segmenter promises, of every one in the registry. */
static void check_tokens(fixture *it, const fp_segmenter *with, fp_segment_options options, fp_string text) {
    fp_tokens tokens = cut(it, with->name, options, text);
    if (fp_tokens_check(with, text, tokens, &it->error) != FP_OK) fail_msg("%s: %s", text.data, it->error.message);
    for (size_t t = 1; t < tokens.count && !options.search; t++)
        if (tokens.token[t].begin != tokens.token[t - 1].end)
            fail_msg("%s: tokens of %s overlap, and search mode is off", text.data, with->name);
}

static void tokens_cover_the_text(void **state) {
    const fp_segmenter *with;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_string text = fp_string_of(CASES[i][0]);
        for (size_t s = 0; (with = fp_segmenter_at(s)); s++) {
            fp_segment_options options = {.hmm = true, .join_numbers = true, .userdict = "shipped"};
            check_tokens(*state, with, options, text);
            options.search = strcmp(with->name, "jieba") != 0; /* there, words come behind those inside them */
            check_tokens(*state, with, options, text);
        }
    }
}

/* segmenters.def makes the choices of segmenter=, and the registry that a choice is an index of. */
static void names_are_the_choices(void **state) {
    (void)state;
    const fp_parameter *row = fp_text_parameters;
    while (strcmp(row->name, "segmenter") != 0) row++;
    size_t count = 0;
    for (const fp_segmenter *with; (with = fp_segmenter_at(count)); count++) {
        assert_true(with->cut && with->summary);
        if (strcmp(with->name, row->choices[count]) != 0)
            fail_msg("the name of %s is %s; its .name must be that of its line in segmenters.def", row->choices[count],
                     with->name);
    }
    assert_null(row->choices[count]);
}

/* ---- The shipped user dictionary and numbers: worked figures ---- */

static const fp_segment_options USUAL = {.hmm = true, .join_numbers = true, .userdict = "shipped"};

static void worked_sentences(void **state) {
    expect(*state, "jieba", USUAL, "我喜欢看电视，不喜欢看电影。", "我|喜欢|看|电视|，|不|喜欢|看|电影|。");
    expect(*state, "jieba", USUAL, "我不喜欢看电视，也不喜欢看电影。", "我|不|喜欢|看|电视|，|也|不|喜欢|看|电影|。");
    expect(*state, "jieba", USUAL, "美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人",
           "美国|“|51区|”|雇员|称|内部|有|9架|飞碟|，|曾|看见|灰色|外星人");
    expect(
        *state, "jieba", USUAL,
        "12306 服务器 故障 车次 加载失败 购买 候补订单 支付 官方 消费者 建议 卸载 重装 切换网络 耐心 等待",
        "12306| |服务器| |故障| |车次| |加载失败| |购买| |候补订单| |支付| |官方| |消费者| |建议| |卸载| |重装| |切换网络| "
        "|耐心| |等待");
    expect(*state, "jieba", HMM, "我喜欢看电视，不喜欢看电影。", "我|喜欢|看电视|，|不|喜欢|看|电影|。");
}

/* What joins and what does not, by the rules that text/segmentation/segment.h states. */
static void numbers_join_measures(void **state) {
    static const char *const cases[][2] = {
        {"51区9架", "51区|9架"},
        {"2019年5月1日9点30分", "2019年|5月|1日|9点|30分"},
        {"跑了3.14公里，花1,000元，涨5%", "跑|了|3.14公里|，|花|1,000元|，|涨|5%"},
        {"12 区\n7\r\n架3\343\200\200年", "12| |区|\n|7|\r\n|架|3|\343\200\200|年"},
        {"1,00元", "1|,|00元"},
        {"1.2.3版和1.2.3", "1.2.3版|和|1.2|.|3"},
        {"三架飞机9飞机", "三|架飞机|9|飞机"},
        {"12", "12"},
        {"", ""},
    };
    fp_segment_options none = USUAL, plain = USUAL;
    none.join_numbers = false;
    plain.hmm = false;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect(*state, "jieba", USUAL, cases[i][0], cases[i][1]);
    expect(*state, "jieba", none, "51区9架", "51|区|9|架");
    expect(*state, "jieba", plain, "3.14公里", "3.14公里");
    expect(*state, "jieba", plain, "3.14公", "3|.|14|公");
    expect(*state, "icu", USUAL, "3.14公里1,000元51区", "3.14公里|1,000元|51区");
}

/* Tokens that leave bytes out: what lies between is not joined over. */
static void gaps_do_not_join(void **state) {
    (void)state;
    fp_token apart[] = {{0, 2}, {3, 6}}, in_parts[] = {{0, 1}, {2, 3}, {3, 6}, {6, 9}};
    assert_int_equal(fp_join_numbers(fp_string_of("51 区"), apart, 2), 2);
    assert_int_equal(fp_join_numbers(fp_string_of("1.2元年"), (fp_token[]){{0, 1}, {1, 2}, {2, 3}, {3, 6}, {6, 9}}, 5),
                     2);
    assert_int_equal(fp_join_numbers(fp_string_of("1 .2元"), (fp_token[]){{0, 1}, {2, 3}, {3, 4}, {4, 7}}, 4), 3);
    assert_int_equal(fp_join_numbers(fp_string_of("1. 2元"), (fp_token[]){{0, 1}, {1, 2}, {3, 4}, {4, 7}}, 4), 3);
    assert_int_equal(fp_join_numbers(fp_string_of("1 2元年"), in_parts, 4), 3);
    assert_int_equal(in_parts[1].begin, 2);
    assert_int_equal(in_parts[1].end, 6);
}

/* The number and its measure come whole, behind the words inside. */
static void search_keeps_joined_numbers(void **state) {
    fp_segment_options options = USUAL;
    options.search = true;
    expect(*state, "jieba", options, "走了3.5公里看外星人", "走|了|公里|3.5公里|看|外星|外星人");
}

/* ---- ICU ---- */

static void icu_cuts_by_annex_29(void **state) {
    expect(*state, "icu", HMM, "The quick (“brown”) fox can’t jump 32.3 feet, right?",
           "The| |quick| |(|“|brown|”|)| |fox| |can’t| |jump| |32.3| |feet|,| |right|?");
    expect(*state, "icu", HMM, "a\r\nb", "a|\r\n|b");
    expect(*state, "icu", HMM, "", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(jieba_cuts_as_jieba, set_up, tear_down),
        cmocka_unit_test_setup_teardown(foreign_words_are_annex_29s, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jieba_cuts_long_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tokens_cover_the_text, set_up, tear_down),
        cmocka_unit_test(names_are_the_choices),
        cmocka_unit_test_setup_teardown(worked_sentences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_join_measures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gaps_do_not_join, set_up, tear_down),
        cmocka_unit_test_setup_teardown(search_keeps_joined_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(icu_cuts_by_annex_29, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
