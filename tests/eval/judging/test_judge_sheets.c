/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sheets of judged samples, there and back: every judgement and text survives, and a broken sheet is refused with its
 * line. */
#include <math.h>

#include "eval/judging/judging.h"
#include "tests/support.h"

static void write_file(const char *path, const char *content, size_t length) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(content, 1, length, stream), length);
    fclose(stream);
}

static char PATH[] = "/tmp/fplab-judge-XXXXXX"; /* made by main */

/* Three documents whose texts and ids are awkward in a sheet. */
static fp_corpus awkward_corpus(fp_arena *arena) {
    static const char *const IDS[] = {"a\"b", "=2+2", "汉字"}, *const TEXTS[] = {"line\none\ttab", "=1+1 \"quoted\"",
                                                                                 "天地玄黄宇宙洪荒"};
    fp_corpus_document *documents = fp_arena_alloc(arena, 3, sizeof *documents);
    fp_string *texts = fp_arena_alloc(arena, 3, sizeof *texts);
    for (size_t i = 0; i < 3; i++) {
        documents[i] = (fp_corpus_document){.id = fp_string_of(IDS[i])};
        texts[i] = fp_string_of(TEXTS[i]);
    }
    fp_corpus corpus = {
        .path = "awkward", .name = "awkward", .document_count = 3, .documents = documents, .texts = texts};
    memset(corpus.documents_sha256, 'a', 64);
    return corpus;
}

static void write_sheet(const fp_corpus *corpus, size_t width, fp_arena *arena) {
    static fp_judged_drawn PAIRS[] = {{0, 1, 2.5, 1}, {1, 2, 1.0 / 3 + 1, 0}, {0, 2, 3, 1}};
    static fp_judged_stratum SAMPLED[] = {{2, 7, 1}, {3, 2, 2}};
    fp_judged_sample sample = {
        .options = {2, 3, 2, 8}, .stratum_count = 2, .strata = SAMPLED, .pair_count = 3, .pairs = PAIRS};
    ASSERT_GOOD(
        fp_judged_write(&sample, corpus, test_arm("simhash:weight=tf", NULL, 0, arena), width, PATH, &test_error));
}

static void sheets_come_back(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus = awkward_corpus(arena);
    fp_judged_sheet sheet;
    write_sheet(&corpus, 4, arena);
    ASSERT_GOOD(fp_judged_read(PATH, arena, &sheet, &test_error));
    assert_int_equal(sheet.pair_count, 3);
    assert_int_equal(sheet.stratum_count, 2);
    assert_true(sheet.strata[0].distance == 2 && sheet.strata[0].population == 7 && sheet.strata[1].drawn == 2);
    assert_true(sheet.texts && fp_string_equal(sheet.corpus, fp_string_of("awkward")) &&
                fp_string_equal(sheet.seed, fp_string_of("8")));
    assert_true(fp_string_equal(sheet.pairs[0].id_a, corpus.documents[0].id) &&
                fp_string_equal(sheet.pairs[0].id_b, corpus.documents[1].id));
    assert_true(sheet.pairs[1].distance == 1.0 / 3 + 1 && sheet.pairs[1].stratum == 0 &&
                sheet.pairs[2].judgement == FP_JUDGED_OPEN);
    assert_true(fp_string_equal(sheet.pairs[2].text_b, fp_string_of("天地玄黄…")));
    write_sheet(&corpus, 0, arena);
    ASSERT_GOOD(fp_judged_read(PATH, arena, &sheet, &test_error));
    assert_true(fp_string_equal(sheet.pairs[0].text_a, fp_string_of("line one tab")));
    assert_true(fp_string_equal(sheet.pairs[0].text_b, fp_string_of(" =1+1 \"quoted\"")));
    ASSERT_GOOD(fp_judged_belongs(&sheet, &corpus, &test_error));
    corpus.documents_sha256[5] = 'b';
    assert_int_equal(fp_judged_belongs(&sheet, &corpus, &test_error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(test_error.message, "sha256"));
    fp_arena_free(arena);
}

/* Saving replaces judgements and nothing else, not to a byte; clearing one is saving too. */
static void saving_changes_judgements_alone(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus = awkward_corpus(arena);
    fp_judged_sheet sheet, again;
    write_sheet(&corpus, 0, arena);
    ASSERT_GOOD(fp_judged_read(PATH, arena, &sheet, &test_error));
    sheet.pairs[1].judgement = FP_JUDGED_UNSURE;
    sheet.pairs[2].judgement = FP_JUDGED_DUPLICATE;
    ASSERT_GOOD(fp_judged_save(&sheet, &test_error));
    ASSERT_GOOD(fp_judged_read(PATH, arena, &again, &test_error));
    assert_int_equal(again.content.length, sheet.content.length + strlen("unsure") + strlen("duplicate"));
    assert_true(again.pairs[0].judgement == FP_JUDGED_OPEN && again.pairs[1].judgement == FP_JUDGED_UNSURE);
    assert_true(again.pairs[2].judgement == FP_JUDGED_DUPLICATE);
    for (size_t i = 0; i < 3; i++) again.pairs[i].judgement = FP_JUDGED_OPEN;
    ASSERT_GOOD(fp_judged_save(&again, &test_error));
    fp_string content;
    ASSERT_GOOD(fp_read_file(PATH, arena, &content, &test_error));
    assert_true(fp_string_equal(content, sheet.content));
    fp_arena_free(arena);
}

#define HEADER                                                                                                        \
    "# fplab judged sample\t1\n# corpus\tc\n# sha256\tffff\n# arm\texact\n# scale\tbits\n# documents\t9\n# seed\t1\n" \
    "# stratum\t0\tpairs\t5\tdrawn\t1\n# stratum\t1\tpairs\t9\tdrawn\t2\n"
#define COLUMNS "pair\tid_a\tid_b\tdistance\tstratum\tjudgement\ttext_a\ttext_b\n"
#define ROWS "1\tx\ty\t0\t0\tnot\tt\tt\n2\tx\tz\t1\t1\t\tt\tt\n"
#define LAST_ROW "3\tv\tw\t0.5\t1\t\tt\tt\n"

/* What a spreadsheet makes of a sheet: a mark, CRLF, quoted and padded cells, other columns in another order,
 * judgements with capitals. */
static void spreadsheets_are_read(void **state) {
    (void)state;
    static const char SHEET[] =
        "\xef\xbb\xbf\"# fplab judged sample\"\t1\t\t\t\t\t\r\n# corpus\tc\t\t\t\t\t\r\n# sha256\tffff\t\t\t\t\t\r\n"
        "\"# arm\"\t\"simhash:bits=64,tie=\"\"zero\"\"\"\t\t\t\t\t\r\n# scale\tbits\r\n# documents\t9\t\t\t\t\t\r\n# seed\t1\t\t\t\t\t\r\n"
        "# stratum\t0\tpairs\t5\tdrawn\t1\t\r\n# stratum\t1\tpairs\t9\tdrawn\t1\t\r\n"
        "judgement\tpair\tid_a\tid_b\tdistance\tstratum\tmy note\r\n"
        "\" Duplicate \"\t2\tx\tz\t0.25\t1\t\"said \"\"yes\"\"\"\r\nNOT\t1\tx\ty\t0\t0\t\r\n";
    fp_arena *arena = fp_arena_new();
    fp_judged_sheet sheet;
    write_file(PATH, SHEET, sizeof SHEET - 1);
    ASSERT_GOOD(fp_judged_read(PATH, arena, &sheet, &test_error));
    assert_true(sheet.pairs[0].judgement == FP_JUDGED_NOT && sheet.pairs[1].judgement == FP_JUDGED_DUPLICATE &&
                !sheet.texts);
    assert_true(fp_string_equal(sheet.arm, fp_string_of("simhash:bits=64,tie=\"zero\"")));
    sheet.pairs[1].judgement = FP_JUDGED_UNSURE;
    ASSERT_GOOD(fp_judged_save(&sheet, &test_error));
    fp_string content;
    ASSERT_GOOD(fp_read_file(PATH, arena, &content, &test_error));
    static const char END[] = "unsure\t2\tx\tz\t0.25\t1\t\"said \"\"yes\"\"\"\r\nNOT\t1\tx\ty\t0\t0\t\r\n";
    assert_true(content.length > sizeof END &&
                memcmp(content.data + content.length - sizeof END + 1, END, sizeof END - 1) == 0);
    fp_arena_free(arena);
}

static void broken_sheets_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *content, *words;
        size_t line;
    } CASES[] = {
        {COLUMNS ROWS LAST_ROW, "\"# fplab judged sample\" is missing", 1},
        {"# fplab judged sample\t1\n# corpus\tc\n" COLUMNS ROWS, "\"# sha256\" is missing", 3},
        {"# fplab judged sample\t2\n" COLUMNS ROWS, "format 2", 1},
        {HEADER "# stratum\t3\tpairs\t9\tdrawn\t2\n" COLUMNS ROWS, "stratum 3 does not follow 1", 10},
        {HEADER "# stratum\t2\tpairs\t1\tdrawn\t2\n" COLUMNS ROWS, "2 sampled of 1 pairs", 10},
        {HEADER "# stratum\t2\tpairs\t9223372036854775807\tdrawn\t2\n" COLUMNS ROWS, "the strata have more than", 10},
        {HEADER "# stratum\t2\tpairs\tmany\tdrawn\t2\n" COLUMNS ROWS, "expected # stratum", 10},
        {HEADER "# stratum\t2\tpairs\t2\tdrawn\t2\tmore\n" COLUMNS ROWS, "expected # stratum", 10},
        {HEADER "# corpus\tother\n" COLUMNS ROWS, "duplicate header line \"# corpus\"", 10},
        {HEADER "# fplab judged sample\t1\n" COLUMNS ROWS, "the sheet begins twice", 10},
        {HEADER "# version\t0.1.0\tmore\n" COLUMNS ROWS, "\"# version\" has more than one value", 10},
        {HEADER "# pairs\tmany\n" COLUMNS ROWS, "\"# pairs\" takes a whole number, not \"many\"", 10},
        {HEADER "# per_distance\n" COLUMNS ROWS, "\"# per_distance\" takes a whole number, not \"\"", 10},
        {"# fplab judged sample\t1\n# sha256\txyz\n" COLUMNS ROWS, "\"# sha256\" takes hexadecimal digits", 2},
        {"# fplab judged sample\t1\n# sead\t1\n" COLUMNS ROWS, "\"# sead\" is not a header line", 2},
        {HEADER "pair\tid_a\tid_b\tdistance\tstratum\n" ROWS, "no column called judgement", 10},
        {HEADER "pair\tid_a\tid_b\tdistance\tstratum\tjudgement\tjudgement\n" ROWS, "two columns are called judgement",
         10},
        {HEADER COLUMNS ROWS, "pair 3 is missing", SIZE_MAX},
        {HEADER, "no rows", SIZE_MAX},
        {HEADER COLUMNS ROWS "3\tv\tw\t0.5\t1\t\tt\n", "7 cells, and the sheet has 8 columns", 13},
        {HEADER COLUMNS ROWS "3\tv\tw\t0.5\t1\tmaybe\tt\tt\n", "the judgement \"maybe\" is none of", 13},
        {HEADER COLUMNS ROWS "2\tv\tw\t0.5\t1\t\tt\tt\n", "pair 2 is on line 12 already", 13},
        {HEADER COLUMNS ROWS "4\tv\tw\t0.5\t1\t\tt\tt\n", "not a number from 1 to 3", 13},
        {HEADER COLUMNS ROWS "3\tv\tw\t0,5\t1\t\tt\tt\n", "the distance \"0,5\" is not a number", 13},
        {HEADER COLUMNS ROWS "3\tv\tw\t1.5\t1\t\tt\tt\n", "a distance of 1.5 is not in stratum 1", 13},
        {HEADER COLUMNS ROWS "3\tv\tw\t0.5\t2\t\tt\tt\n", "the stratum \"2\" is not among", 13},
        {HEADER COLUMNS ROWS "3\tv\tw\t0\t0\t\tt\tt\n", "1 pairs were sampled from stratum 0, and the sheet has 2",
         SIZE_MAX},
        {HEADER COLUMNS ROWS "3\tv\tw\t0.5\t1\t\t\"t\tt\n", "a quote that is not closed", 13},
        {HEADER COLUMNS ROWS "3\tv\tw\t0.5\t1\t\tt\t\xff\n", "invalid UTF-8", 13},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_arena *arena = fp_arena_new();
        fp_judged_sheet sheet;
        write_file(PATH, CASES[i].content, strlen(CASES[i].content));
        test_error = (fp_error){0};
        assert_int_not_equal(fp_judged_read(PATH, arena, &sheet, &test_error), FP_OK);
        if (!strstr(test_error.message, CASES[i].words))
            fail_msg("\"%s\" does not say \"%s\"", test_error.message, CASES[i].words);
        assert_string_equal(test_error.file, PATH);
        if (test_error.line != CASES[i].line)
            fail_msg("\"%s\": line %zu, not %zu", test_error.message, test_error.line, CASES[i].line);
        fp_arena_free(arena);
    }
}

/* An error inside a line names its byte in the file. */
static void broken_bytes_are_named(void **state) {
    (void)state;
    static const struct {
        const char *before, *from;
    } CASES[] = {{HEADER COLUMNS ROWS "3\tv\tw\t0.5\t1\t\t", "\"t\tt\n"},
                 {"\xef\xbb\xbf" HEADER "#\t\"a\"", "b\tc\n" COLUMNS ROWS},
                 {HEADER COLUMNS ROWS "3\tv\tw\t0.5\t1\t\tt\t", "\xff\n"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_arena *arena = fp_arena_new();
        fp_judged_sheet sheet;
        const char *content = fp_format(arena, "%s%s", CASES[i].before, CASES[i].from);
        write_file(PATH, content, strlen(content));
        assert_int_not_equal(fp_judged_read(PATH, arena, &sheet, &test_error), FP_OK);
        assert_int_equal(test_error.byte, strlen(CASES[i].before));
        fp_arena_free(arena);
    }
}

/* Two who have read the same sheet: neither loses what the other says; of two answers to one pair the later stays. */
static void nobody_loses_an_answer(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_judged_sheet first, second, now;
    write_file(PATH, HEADER COLUMNS ROWS LAST_ROW, strlen(HEADER COLUMNS ROWS LAST_ROW));
    ASSERT_GOOD(fp_judged_read(PATH, arena, &first, &test_error));
    ASSERT_GOOD(fp_judged_read(PATH, arena, &second, &test_error));
    first.pairs[1].judgement = FP_JUDGED_DUPLICATE;
    ASSERT_GOOD(fp_judged_save(&first, &test_error));
    second.pairs[2].judgement = FP_JUDGED_UNSURE;
    second.pairs[0].judgement = FP_JUDGED_OPEN; /* it was "not" */
    ASSERT_GOOD(fp_judged_save(&second, &test_error));
    assert_int_equal(second.pairs[1].judgement, FP_JUDGED_DUPLICATE);
    first.pairs[2].judgement = FP_JUDGED_NOT;
    ASSERT_GOOD(fp_judged_save(&first, &test_error));
    ASSERT_GOOD(fp_judged_read(PATH, arena, &now, &test_error));
    assert_true(now.pairs[0].judgement == FP_JUDGED_OPEN && now.pairs[1].judgement == FP_JUDGED_DUPLICATE &&
                now.pairs[2].judgement == FP_JUDGED_NOT);
    /* Another sample has taken its place. */
    static const char OTHER[] =
        "# fplab judged sample\t1\n# corpus\tc\n# sha256\teeee\n# arm\texact\n# scale\tbits\n"
        "# documents\t9\n# seed\t1\n# stratum\t0\tpairs\t5\tdrawn\t1\n" COLUMNS "1\tx\ty\t0\t0\t\tt\tt\n";
    write_file(PATH, OTHER, sizeof OTHER - 1);
    first.pairs[0].judgement = FP_JUDGED_NOT;
    assert_int_equal(fp_judged_save(&first, &test_error), FP_ERROR_UNKNOWN);
    fp_string content;
    ASSERT_GOOD(fp_read_file(PATH, arena, &content, &test_error));
    assert_true(fp_string_equal(content, fp_string_of(OTHER)));
    fp_arena_free(arena);
}

static void judges_agree_or_not(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_judged_sheet a, b;
    write_file(PATH, HEADER COLUMNS ROWS LAST_ROW, strlen(HEADER COLUMNS ROWS LAST_ROW));
    ASSERT_GOOD(fp_judged_read(PATH, arena, &a, &test_error));
    ASSERT_GOOD(fp_judged_read(PATH, arena, &b, &test_error));
    a.pairs[0].judgement = b.pairs[0].judgement = FP_JUDGED_NOT;
    a.pairs[1].judgement = FP_JUDGED_DUPLICATE;
    b.pairs[1].judgement = FP_JUDGED_NOT;
    a.pairs[2].judgement = FP_JUDGED_DUPLICATE;
    fp_judgement both[3];
    fp_judged_consensus((const fp_judged_sheet *[]){&a, &b}, 2, both);
    assert_true(both[0] == FP_JUDGED_NOT && both[1] == FP_JUDGED_UNSURE && both[2] == FP_JUDGED_OPEN);
    ASSERT_GOOD(fp_judged_same(&a, &b, &test_error));
    b.pairs[2].id_b = fp_string_of("other");
    assert_int_equal(fp_judged_same(&a, &b, &test_error), FP_ERROR_UNKNOWN);
    b.seed = fp_string_of("2");
    assert_int_equal(fp_judged_same(&a, &b, &test_error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(test_error.message, "the seed is 1, not 2"));
    fp_arena_free(arena);
}

int main(void) {
    int file = mkstemp(PATH);
    if (file < 0) return 1;
    close(file);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheets_come_back),       cmocka_unit_test(saving_changes_judgements_alone),
        cmocka_unit_test(spreadsheets_are_read),  cmocka_unit_test(broken_sheets_are_refused),
        cmocka_unit_test(broken_bytes_are_named), cmocka_unit_test(nobody_loses_an_answer),
        cmocka_unit_test(judges_agree_or_not),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(PATH);
    return failed;
}
