/* SPDX-License-Identifier: GPL-3.0-or-later
 * The text of HTML pages: what is shown, as lines, in any encoding that a page says it is in; what stands around the
 * article is left out by the published rule, row by row; and what no browser shows, or no page should be, does no harm.
 */
#include "corpora/readers/html.h"
#include "text/unicode/utf8.h"
#include "tests/support.h"

typedef struct place {
    fp_arena *arena;
} place;

static int make_place(void **state) {
    static place it;
    it.arena = fp_arena_new();
    *state = &it;
    return it.arena ? 0 : -1;
}

static int remove_place(void **state) {
    fp_arena_free(((place *)*state)->arena);
    return 0;
}

static fp_html_page read_as(const place *it, fp_string raw, fp_html_keep keep) {
    fp_html_page page;
    ASSERT_GOOD(fp_html_read(raw, NULL, keep, it->arena, &page, &test_error));
    return page;
}

static const char *all_of(const place *it, const char *raw) {
    return fp_string_copy(it->arena, read_as(it, fp_string_of(raw), FP_HTML_KEEP_ALL).text);
}

static const char *title_of(const place *it, const char *raw) {
    return fp_string_copy(it->arena, read_as(it, fp_string_of(raw), FP_HTML_KEEP_ALL).title);
}

/* What a browser shows of each (HTML, 15.3; CSS Text 3, 4.1). */
static void what_is_shown(void **state) {
    static const char *const CASES[][2] = {
        {"<p>one<p>two", "one\ntwo"},
        {"<p>a <b>bold</b>  word\n\tand</p><p>more", "a bold word and\nmore"},
        {"one<br>two<br/><br>three", "one\ntwo\nthree"},
        {"<ul><li>a</li> <li>b</li></ul>c", "a\nb\nc"},
        {"<table><tr><td>1<td>2<tr><td>3</table>", "1\n2\n3"},
        {"a&amp;b &lt;i&gt; &#20013;&#x6587; &ldquo;q&rdquo; &nbsp;&hellip;", "a&b <i> 中文 “q” …"},
        {"<p>长江\n大桥</p>", "长江大桥"},
        {"<p>他说，\n“通车了。”\n随后</p>", "他说，“通车了。”随后"},
        {"<p>the\nbridge 长江\nbridge</p>", "the bridge 长江 bridge"},
        {"<p>장강\n대교</p>", "장강 대교"},
        {"x<script>var a = '</p><p>no';</script><style>p { }</style>y", "xy"},
        {"<noscript><p>no</p></noscript><template><p>no</template>yes", "yes"},
        {"<p hidden>no</p><svg><text>no</text></svg><iframe>no</iframe>yes", "yes"},
        {"<!-- <p>no</p> -->yes<!-- no", "yes"},
        {"<title>no</title>yes", "yes"},
        {"plain text & no markup < here", "plain text & no markup < here"},
        {"<custom-element>one</custom-element><section>two</section>", "one\ntwo"},
        {"<div><div><p>a</div>b</div>c", "a\nb\nc"},
        {"", ""},
        {"<html><body></body></html>", ""},
    };
    const place *it = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) assert_string_equal(all_of(it, CASES[i][0]), CASES[i][1]);
}

static void titles(void **state) {
    const place *it = *state;
    assert_string_equal(title_of(it, "<head><title>\n 青石渡 &amp;\n 码头 </title></head><p>x"), "青石渡 & 码头");
    assert_string_equal(title_of(it, "<p>x"), "");
    assert_string_equal(all_of(it, "<title>t</title><p>x"), "x");
}

/* "中文网页" in each, by Python's codecs. */
static void encodings(void **state) {
    static const struct {
        const char *raw;
        size_t length;
    } CASES[] = {
#define RAW(text) {text, sizeof(text) - 1}
        RAW("<meta charset=gbk><p>\xd6\xd0\xce\xc4\xcd\xf8\xd2\xb3"),
        RAW("<META http-equiv=\"Content-Type\" CONTENT='text/html; Charset = GB2312'><p>\xd6\xd0\xce\xc4\xcd\xf8\xd2\xb3"),
        RAW("<!-- <meta charset=big5> --><meta charset=\"gb18030\"><p>\xd6\xd0\xce\xc4\xcd\xf8\xd2\xb3"),
        RAW("<meta charset=utf-16><p>\xe4\xb8\xad\xe6\x96\x87\xe7\xbd\x91\xe9\xa1\xb5"),
        RAW("<meta charset=nosuch><p>\xe4\xb8\xad\xe6\x96\x87\xe7\xbd\x91\xe9\xa1\xb5"),
        RAW("\xef\xbb\xbf<meta charset=gbk><p>\xe4\xb8\xad\xe6\x96\x87\xe7\xbd\x91\xe9\xa1\xb5"),
        RAW("\xff\xfe<\0p\0>\0\x2d\x4e\x87\x65\x51\x7f\x75\x98"),
        RAW("<p>\xe4\xb8\xad\xe6\x96\x87\xe7\xbd\x91\xe9\xa1\xb5"),
#undef RAW
    };
    const place *it = *state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_html_page page = read_as(it, (fp_string){CASES[i].raw, CASES[i].length}, FP_HTML_KEEP_ALL);
        assert_string_equal(fp_string_copy(it->arena, page.text), "中文网页");
    }
    /* A name that is none of 1024 bytes is none; what is invalid is told by U+FFFD. */
    char name[64], late[1100];
    memset(late, ' ', sizeof late);
    memcpy(late + 1050, "<meta charset=gbk>", 18);
    fp_html_declared_encoding((fp_string){late, sizeof late}, name);
    assert_string_equal(name, "");
    assert_string_equal(all_of(it, "<meta charset=utf-8><p>a\xff"
                                   "b"),
                        "a\xef\xbf\xbd"
                        "b");
}

/* The rows of algorithm 2 of Kohlschütter, Fankhauser and Nejdl, each at both sides of its bound. */
static void the_rule_row_by_row(void **state) {
    static const struct {
        double link_before, before, link, words, after;
        bool boilerplate;
    } ROWS[] = {{0, 100, 34, 100, 100, true}, {0, 100, 33, 100, 100, false}, {0, 4, 0, 16, 15, true},
                {0, 5, 0, 16, 15, false},     {0, 4, 0, 17, 15, false},      {0, 4, 0, 16, 16, false},
                {56, 100, 0, 40, 17, true},   {56, 100, 0, 41, 17, false},   {56, 100, 0, 40, 18, false},
                {55, 100, 0, 16, 15, false}};
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const fp_html_block before = {.words = ROWS[i].before, .link_words = ROWS[i].link_before},
                            block = {.words = ROWS[i].words, .link_words = ROWS[i].link},
                            after = {.words = ROWS[i].after};
        assert_int_equal(fp_html_blocks_rule(&before, &block, &after), ROWS[i].boilerplate);
    }
    const fp_html_block few = {.words = 16}, enough = {.words = 17};
    assert_true(fp_html_blocks_rule(NULL, &few, NULL));
    assert_false(fp_html_blocks_rule(NULL, &enough, NULL));
}

#define LONG \
    "步道沿着江堤伸向上游的水文站，清晨六点不到，就有人带着马扎在栈桥边坐下，等江面上的雾散开，看第一班渡船靠岸。"

static void what_stands_around_goes(void **state) {
    static const char PAGE[] = "<header>报头</header><nav>导航" LONG "</nav><article><header>题目" LONG
                               "</header><p>" LONG "</p><p><a href=x>" LONG "</a></p><p>" LONG
                               "</p></article><aside>" LONG "</aside><form>" LONG "</form><footer>" LONG "</footer>";
    const place *it = *state;
    fp_html_page page = read_as(it, fp_string_of(PAGE), FP_HTML_KEEP_ARTICLE);
    assert_string_equal(fp_string_copy(it->arena, page.text), "题目" LONG "\n" LONG "\n" LONG);
    page = read_as(it, fp_string_of(PAGE), FP_HTML_KEEP_ALL);
    assert_int_equal(fp_utf8_count(page.text), 8 * fp_utf8_count(fp_string_of(LONG)) + 6 + 8);
    /* A page of which nothing would be left keeps what the rule would take, and then all. */
    page = read_as(it, fp_string_of("<nav>导航</nav><p>短</p>"), FP_HTML_KEEP_ARTICLE);
    assert_string_equal(fp_string_copy(it->arena, page.text), "短");
    page = read_as(it, fp_string_of("<nav>导航</nav>"), FP_HTML_KEEP_ARTICLE);
    assert_string_equal(fp_string_copy(it->arena, page.text), "导航");
}

/* `count` times `piece`, then `end`. */
static fp_string repeated(const place *it, const char *piece, size_t count, const char *end) {
    size_t length = strlen(piece), rest = strlen(end);
    char *made = fp_arena_raw(it->arena, count * length + rest + 1, 1);
    assert_non_null(made);
    for (size_t i = 0; i < count; i++) memcpy(made + i * length, piece, length);
    memcpy(made + count * length, end, rest + 1);
    return (fp_string){made, count * length + rest};
}

/* An element of so many attributes, in line 2. */
static fp_string crowded(const place *it, size_t attributes) {
    enum { ONE = 16 };
    char *made = fp_arena_raw(it->arena, ONE * (attributes + 2), 1);
    assert_non_null(made);
    size_t at = (size_t)sprintf(made, "a\n<p");
    for (size_t i = 0; i < attributes; i++) at += (size_t)sprintf(made + at, " a%zx='x'", i);
    at += (size_t)sprintf(made + at, ">b");
    return (fp_string){made, at};
}

static void limits(void **state) {
    const place *it = *state;
    fp_html_page page;
    /* Beside the <html> and <body> that are always there. */
    page = read_as(it, repeated(it, "<div>", FP_HTML_DEEPEST - 2, "deep"), FP_HTML_KEEP_ALL);
    assert_string_equal(fp_string_copy(it->arena, page.text), "deep");
    assert_int_equal(fp_html_read(repeated(it, "<div>", FP_HTML_DEEPEST + 1, "deep"), NULL, FP_HTML_KEEP_ALL, it->arena,
                                  &page, &test_error),
                     FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "100000 deep"));
    assert_int_equal(fp_html_read((fp_string){"", (size_t)FP_HTML_MOST_BYTES + 1}, NULL, FP_HTML_KEEP_ALL, it->arena,
                                  &page, &test_error),
                     FP_ERROR_RANGE);
    for (int many = 0; many <= 1; many++) {
        fp_string crowd = crowded(it, FP_HTML_ATTRIBUTES + (size_t)many);
        if (!many) assert_string_equal(fp_string_copy(it->arena, read_as(it, crowd, FP_HTML_KEEP_ALL).text), "a\nb");
        else
            assert_int_equal(fp_html_read(crowd, NULL, FP_HTML_KEEP_ALL, it->arena, &page, &test_error),
                             FP_ERROR_RANGE);
    }
    assert_int_equal(test_error.line, 2);
    page = read_as(it, repeated(it, "<p>字", 200000, ""), FP_HTML_KEEP_ALL);
    assert_int_equal(page.text.length, 200000 * 4 - 1);
    /* Entities do not grow, and name no file. */
    static const char BOMB[] =
        "<!DOCTYPE html [<!ENTITY a SYSTEM 'file:///etc/passwd'><!ENTITY b '&a;&a;'>]><p>x&a;&b;y";
    assert_null(strstr(all_of(it, BOMB), "root"));
}

/* Pages of random bytes and pieces of markup: never anything but valid UTF-8 without control characters of lines. */
static void any_bytes(void **state) {
    static const char *const PIECES[] = {
        "<",         ">",   "<p>",      "</p>",     "<a href='", "&",           "&#x",   "&amp",   ";",        "<!--",
        "-->",       "\"",  "<script>", "</script", "<title>",   "<table><td>", "字",    "\xff",   "\xe4\xb8", "\n",
        "<![CDATA[", "]]>", "<?xml",    "?>",       "<br",       "/>",          "<svg>", "</svg>", "</body>",  "x "};
    const place *it = *state;
    unsigned seed = 1;
    for (int round = 0; round < 3000; round++) {
        char page[4096];
        size_t length = 0;
        for (int i = 0; i < 120; i++) {
            seed = seed * 1664525u + 1013904223u;
            const char *piece = PIECES[(seed >> 16) % (sizeof PIECES / sizeof *PIECES)];
            memcpy(page + length, piece, strlen(piece));
            length += strlen(piece);
        }
        for (int keep = 0; keep < 2; keep++) {
            fp_arena_reset(it->arena);
            fp_html_page read = read_as(it, (fp_string){page, length}, (fp_html_keep)keep);
            assert_int_equal(fp_utf8_check(read.text), read.text.length);
            assert_int_equal(fp_utf8_check(read.title), read.title.length);
            assert_null(memchr(read.text.data, '\r', read.text.length));
        }
    }
}

int main(void) {
#define PLACED(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        PLACED(what_is_shown),           PLACED(titles), PLACED(encodings), PLACED(the_rule_row_by_row),
        PLACED(what_stands_around_goes), PLACED(limits), PLACED(any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
