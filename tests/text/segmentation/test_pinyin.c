/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pinyin initials: a gold list written by hand, Unihan's kMandarin, and what pinyin.h decides.
 */
#include "tests/support.h"

#include "text/unicode/han.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/utf8.h"

static fp_arena *arena;
static const fp_segmenter *segmenter;
static const void *segmenter_state;

static fp_string initials_of(fp_string text, fp_tokens tokens) {
    fp_string initials;
    ASSERT_GOOD(fp_pinyin_initials(text, tokens, arena, &initials, &test_error));
    return initials;
}

/* The text as one token. */
static fp_string of_token(fp_string text) {
    fp_token whole = {0, (uint32_t)text.length};
    return initials_of(text, (fp_tokens){&whole, 1});
}

static fp_string of_text(const char *text) {
    fp_tokens tokens;
    ASSERT_GOOD(segmenter->cut(segmenter_state, fp_string_of(text), arena, &tokens, &test_error));
    return initials_of(fp_string_of(text), tokens);
}

static void expect(const char *text, const char *expected) {
    fp_string initials = of_text(text);
    if (!fp_string_equal(initials, fp_string_of(expected)))
        fail_msg("%s gives %.*s, not %s", text, (int)initials.length, initials.data, expected);
}

/* ---- Gold ---- */

/* True when the project's own list has a row for the word. */
static bool is_ours(fp_string list, fp_string word) {
    for (fp_string line; fp_next_line(&list, &line);) {
        if (line.length > word.length && memcmp(line.data, word.data, word.length) == 0 &&
            line.data[word.length] == '\t')
            return true;
    }
    return false;
}

static void gold(void **state) {
    (void)state;
    fp_string rest, ours, line;
    ASSERT_GOOD(fp_read_file("tests/data/pinyin_gold.tsv", arena, &rest, &test_error));
    ASSERT_GOOD(fp_read_file("text/data/pinyin_phrases.txt", arena, &ours, &test_error));
    size_t words = 0, right = 0, others = 0, others_right = 0;
    while (fp_next_line(&rest, &line)) {
        if (!line.length || *line.data == '#') continue;
        fp_string word, wanted = line;
        assert_true(fp_next_field(&wanted, '\t', &word));
        fp_string initials = of_text(fp_string_copy(arena, word));
        bool good = fp_string_equal(initials, wanted), other = !is_ours(ours, word);
        words++;
        right += good;
        others += other;
        others_right += good && other;
        if (!good)
            print_message("%.*s gives %.*s, not %.*s\n", (int)word.length, word.data, (int)initials.length,
                          initials.data, (int)wanted.length, wanted.data);
    }
    print_message("note: pinyin gold list: %zu of %zu right; of the %zu that our own list does not name, %zu\n", right,
                  words, others, others_right);
    assert_true(words >= 100);
    assert_true(right * 100 >= words * 95);
    assert_true(others_right * 100 >= others * 95);
}

/* ---- Unihan ---- */

/* The letter under the tone marks of pinyin. */
static char bare_letter(const char *reading) {
    static const char *const MARKED[] = {"āáǎà", "ēéěèế", "ōóǒò", "ńňǹ", "ḿ"};
    static const char LETTERS[] = "aeonm";
    uint32_t code, other;
    fp_utf8_decode(reading, &code);
    for (size_t i = 0; i < sizeof MARKED / sizeof *MARKED; i++) {
        for (const char *at = MARKED[i]; *at;) {
            at += fp_utf8_decode(at, &other);
            if (other == code) return LETTERS[i];
        }
    }
    return (char)code;
}

/* Every character with a kMandarin has an initial, and few have another one than the first kMandarin's: those of many
 * readings. */
static void unihan(void **state) {
    (void)state;
    FILE *stream = popen("bzcat /usr/share/unicode/Unihan_Readings.txt.bz2 2>/dev/null | grep '^U+.*kMandarin'", "r");
    assert_non_null(stream);
    char row[512], reading[256];
    unsigned code;
    size_t count = 0, same = 0;
    while (fgets(row, sizeof row, stream)) {
        assert_int_equal(sscanf(row, "U+%x kMandarin %255s", &code, reading), 2);
        char text[4];
        fp_arena_reset(arena);
        fp_string initials = of_token((fp_string){text, fp_utf8_encode(code, text)});
        if (initials.length != 1) fail_msg("U+%04X has %zu initials", code, initials.length);
        assert_non_null(strchr("abcdefghjklmnopqrstwxyz", *initials.data));
        same += *initials.data == bare_letter(reading);
        count++;
    }
    pclose(stream);
    if (!count) SKIP_BECAUSE("Unihan_Readings.txt.bz2 cannot be read");
    print_message("note: pinyin initials of single characters: %zu of %zu as the first kMandarin\n", same, count);
    assert_true(same * 1000 >= count * 985);
}

/* 石 is dàn where it measures grain, and shí else; 〇 is líng. */
static void measures_and_zero(void **state) {
    (void)state;
    expect("一石米", "ydm");
    expect("他借了五石谷子和二石麦", "tjlwdgzhedm");
    expect("收粮三百石", "slsbd");
    expect("二千石", "eqd");
    expect("三十石", "ssd");
    expect("每石米", "mdm");
    expect("一石二鸟", "ysen");
    expect("一石激起千层浪", "ysjqqcl");
    expect("三块石头和几石子", "sksthjsz");
    expect("种在树行子里", "zzshzl");
    expect("二〇〇八年", "ellbn");
}

static void traditional_reads_as_simplified(void **state) {
    (void)state;
    for (uint32_t code = 0x3400; code < 0x32000; code++) {
        uint32_t folded = fp_han_fold_code(code);
        if (folded == code || (code >= 0xd800 && code < 0xe000)) continue;
        char text[4], simplified[4];
        fp_arena_reset(arena);
        fp_string a = of_token((fp_string){text, fp_utf8_encode(code, text)});
        fp_string b = of_token((fp_string){simplified, fp_utf8_encode(folded, simplified)});
        if (b.length && !fp_string_equal(a, b))
            fail_msg("U+%04X gives %.*s, U+%04X %.*s", (unsigned)code, (int)a.length, a.data, (unsigned)folded,
                     (int)b.length, b.data);
    }
    static const char *const WORDS[][2] = {{"銀行", "yh"}, {"重慶", "cq"}, {"長大", "zd"}, {"音樂", "yy"},
                                           {"調查", "dc"}, {"會計", "kj"}, {"參差", "cc"}, {"傳記", "zj"},
                                           {"單于", "cy"}, {"彈藥", "dy"}, {"乾坤", "qk"}, {"乾燥", "gz"}};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        fp_string initials = of_token(fp_string_of(WORDS[i][0]));
        if (!fp_string_equal(initials, fp_string_of(WORDS[i][1])))
            fail_msg("%s gives %.*s", WORDS[i][0], (int)initials.length, initials.data);
    }
}

/* ---- What the header says ---- */

static void decided(void **state) {
    (void)state;
    expect("文本去重", "wbqc");
    expect("他长大后在重庆的银行当行长", "tzdhzcqdyhdhz");
    expect("我还没还钱，会计也不会算。", "whmhqkjybhs");
    expect("Word 3 个 abc，", "g");
    expect("", "");
    expect("12,345 \n\t.", "");
    expect("这儿的花儿", "zedhe");
    expect("嗯", "e");
    expect("哼", "h");
    expect("知识 吃 是", "zscs");
    expect("爱 恶 偶", "aeo");
    expect("日本語の文", "rbyw");
}

/* Parts of words, as search mode emits them, count once. */
/* Readings of Xiandai Hanyu Cidian: 曾 zēng, 查 zhā, 解 xiè, 单 shàn, 仇 qiú, 区 ōu are surnames; 一行 xíng, people who
 * travel together; 系 jì, to fasten; 卡 qiǎ, caught between; 犍为 qiánwéi. */
static void surnames(void **state) {
    (void)state;
    expect("曾先生和查女士", "zxshzns");
    expect("解老师来了", "xlsll");
    expect("單老師姓單", "slsxs");
    expect("区先生、仇教授", "oxsqjs");
    expect("解小明同学", "xxmtx");
    expect("单小平、单田芳", "sxpstf");
    expect("解决问题，解放军，解方程", "jjwtjfjjfc");
    expect("他曾经理解了，单位，单元格", "tcjljldwdyg");
    expect("东城区书记，新吴区某小区", "dcqsjxwqmxq");
    expect("检查老师，简单老师，报仇", "jclsjdlsbc");
}

static void across_words(void **state) {
    (void)state;
    expect("系领带，他系好领带", "jldtjhld");
    expect("请大家系好安全带，请系好", "qdjjhaqdqjh");
    expect("关系好，关系领导，联系上级", "gxhgxldlxsj");
    expect("代表团一行访问北京", "dbtyxfwbj");
    expect("他一行五人，市长一行来到", "tyxwrszyxld");
    expect("一行代码，每一行五个字", "yhdmmyhwgz");
    expect("车门卡住了，犍为县", "cmqzlqwx");
}

static void overlapping_tokens(void **state) {
    (void)state;
    fp_string text = fp_string_of("中国工商银行的行长");
    static const fp_token PARTS[] = {{0, 6}, {6, 12}, {12, 18}, {6, 18}, {0, 18}, {18, 21}, {21, 27}};
    fp_string initials = initials_of(text, (fp_tokens){PARTS, 7});
    assert_true(fp_string_equal(initials, fp_string_of("zggsyhdhz")));
    static const fp_token INNER[] = {{3, 9}, {0, 18}, {18, 21}, {21, 27}};
    assert_true(fp_string_equal(initials_of(text, (fp_tokens){INNER, 4}), fp_string_of("zggsyhdhz")));
}

/* Words apart give the same initials as the whole in one token, wherever a part of the look-up may end. */
static void long_token(void **state) {
    (void)state;
    static const char *const WORDS[] = {"银行",     "人",   "重庆", "南无阿弥陀佛", "音乐",    "a",
                                        "千乘之国", "去重", "中国", "長大",         "大腹便便"};
    enum { COUNT = sizeof WORDS / sizeof *WORDS };
    for (size_t shift = 0; shift < COUNT; shift++) {
        char text[40000], expected[20000];
        size_t length = 0, made = 0;
        for (size_t i = 0; i < 900; i++) {
            fp_string word = fp_string_of(WORDS[(i * i + i / 7 + shift) % COUNT]);
            fp_string initials = of_token(word);
            memcpy(text + length, word.data, word.length);
            memcpy(text + length + word.length, "，", 3);
            length += word.length + 3;
            memcpy(expected + made, initials.data, initials.length);
            made += initials.length;
        }
        fp_string initials = of_token((fp_string){text, length});
        assert_int_equal(initials.length, made);
        assert_memory_equal(initials.data, expected, made);
        fp_arena_reset(arena);
    }
}

/* ---- Reference frequencies ---- */

typedef struct tally {
    double letter[128], total;
} tally;

/* jieba's dictionary (word frequency tag), counted again by looking every word up. */
static void count_jieba(tally *to) {
    FILE *stream = fopen("/usr/lib/python3/dist-packages/jieba/dict.txt", "r");
    char word[512];
    double frequency;
    while (stream && fscanf(stream, "%511s %lf %*s", word, &frequency) == 2) {
        fp_arena_reset(arena);
        fp_string initials = of_token(fp_string_of(word));
        for (size_t i = 0; i < initials.length; i++) to->letter[(unsigned char)initials.data[i]] += frequency;
        to->total += frequency * (double)initials.length;
    }
    if (stream) fclose(stream);
}

/* Rime's dictionary (word TAB syllables TAB weight, behind a line "..."), counted again by the syllables' letters. */
static void count_rime(tally *to) {
    FILE *stream = fopen("/usr/share/rime-data/pinyin_simp.dict.yaml", "r");
    char line[1024];
    bool body = false;
    while (stream && fgets(line, sizeof line, stream)) {
        char *syllables = strchr(line, '\t'), *weight = syllables ? strchr(syllables + 1, '\t') : NULL;
        if (strncmp(line, "...", 3) == 0) body = true;
        if (!body || *line == '#' || !weight) continue;
        double times = atof(weight + 1);
        for (char *at = syllables; at < weight; at++) {
            if (*at != '\t' && *at != ' ') continue;
            to->letter[(unsigned char)at[1]] += times;
            to->total += times;
        }
    }
    if (stream) fclose(stream);
}

/* Three parts of the one and one part of the other. */
static void reference(void **state) {
    (void)state;
    tally printed = {0}, typed = {0};
    double sum = 0;
    count_jieba(&printed);
    count_rime(&typed);
    const double *frequencies = fp_pinyin_reference();
    bool counted = printed.total > 0 && typed.total > 0;
    if (!counted) print_message("note: the dictionaries are not here; the reference is not counted again\n");
    for (size_t i = 0; i < 20; i++) {
        unsigned char x = (unsigned char)fp_pinyin_letters[i];
        double expected = (3 * printed.letter[x] / printed.total + typed.letter[x] / typed.total) / 4;
        if (counted && !(frequencies[i] > expected - 1e-12 && frequencies[i] < expected + 1e-12))
            fail_msg("%c: %.15g, not %.15g", x, frequencies[i], expected);
        assert_true(frequencies[i] > 0.005 && frequencies[i] < 0.15);
        sum += frequencies[i];
    }
    assert_true(sum > 0.97 && sum < 1);
    assert_string_equal(fp_pinyin_letters, "bcdfghjklmnpqrstwxyz");
}

static int open_all(void **state) {
    (void)state;
    arena = fp_arena_new();
    static fp_arena *kept;
    kept = fp_arena_new();
    fp_segment_options options = {.hmm = true, .userdict = "none"};
    for (size_t i = 0; (segmenter = fp_segmenter_at(i)); i++) {
        if (strcmp(segmenter->name, "jieba") == 0) break;
    }
    if (!arena || !kept || !segmenter) return -1;
    return segmenter->open(&options, kept, &segmenter_state, &test_error) == FP_OK ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gold),
                                       cmocka_unit_test(unihan),
                                       cmocka_unit_test(measures_and_zero),
                                       cmocka_unit_test(traditional_reads_as_simplified),
                                       cmocka_unit_test(decided),
                                       cmocka_unit_test(surnames),
                                       cmocka_unit_test(across_words),
                                       cmocka_unit_test(overlapping_tokens),
                                       cmocka_unit_test(long_token),
                                       cmocka_unit_test(reference)};
    return cmocka_run_group_tests(tests, open_all, NULL);
}
