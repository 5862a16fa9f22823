/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON, read and written: what RFC 8259 calls a value and what it does not, with the byte of every error, and what is
 * written read again.
 */
#include "corpora/json.h"
#include "corpora/json_writer.h"

#include <math.h>

#include "tests/support.h"

typedef struct refusal {
    const char *text;
    fp_status code;
    size_t byte;
    const char *words;
} refusal;

static const refusal REFUSED[] = {
    {"", FP_ERROR_SYNTAX, 0, "cut short"},
    {" \n", FP_ERROR_SYNTAX, 2, "cut short"},
    {"{\"a\":1", FP_ERROR_SYNTAX, 6, "cut short"},
    {"[1,", FP_ERROR_SYNTAX, 3, "cut short"},
    {"\"abc", FP_ERROR_SYNTAX, 4, "a string is not closed"},
    {"\"abc\\", FP_ERROR_SYNTAX, 5, "cut short"},
    {"\"abc\\\"", FP_ERROR_SYNTAX, 6, "a string is not closed"},
    /* Section 2: one value, with white space around it. */
    {"1 2", FP_ERROR_SYNTAX, 2, "something follows the value"},
    {"{}x", FP_ERROR_SYNTAX, 2, "something follows the value"},
    {"\"a\"\"b\"", FP_ERROR_SYNTAX, 3, "something follows the value"},
    {"\f1", FP_ERROR_SYNTAX, 0, "a value is expected"},
    /* Section 3: three words, in small letters. */
    {"True", FP_ERROR_SYNTAX, 0, "a value is expected"},
    {"nul", FP_ERROR_SYNTAX, 0, "a value is expected"},
    {"[NaN]", FP_ERROR_SYNTAX, 1, "NaN is not a JSON number"},
    {"{\"a\": Infinity}", FP_ERROR_SYNTAX, 6, "Infinity is not a JSON number"},
    {"[0, -Infinity]", FP_ERROR_SYNTAX, 4, "-Infinity is not a JSON number"},
    /* Sections 4 and 5. */
    {"{a:1}", FP_ERROR_SYNTAX, 1, "a key in quotation marks"},
    {"{'a':1}", FP_ERROR_SYNTAX, 1, "a key in quotation marks"},
    {"{\"a\" 1}", FP_ERROR_SYNTAX, 5, "a colon"},
    {"{\"a\":1,}", FP_ERROR_SYNTAX, 7, "a key in quotation marks"},
    {"{\"a\":1 \"b\":2}", FP_ERROR_SYNTAX, 7, "a comma or }"},
    {"[1 2]", FP_ERROR_SYNTAX, 3, "a comma or ]"},
    {"[1,]", FP_ERROR_SYNTAX, 3, "a value is expected"},
    {"[1}", FP_ERROR_SYNTAX, 2, "a comma or ]"},
    {"// none\n1", FP_ERROR_SYNTAX, 0, "a value is expected"},
    {"{\"a\":1,\"b\":2,\"a\":3}", FP_ERROR_DUPLICATE, 13, "duplicate key \"a\""},
    {"{\"a\":1,\"\\u0061\":2,\"b\":0,\"b\":0}", FP_ERROR_DUPLICATE, 7, "duplicate key \"a\""},
    {"[{\"x\":{\"k\":1,\"k\":1}}]", FP_ERROR_DUPLICATE, 13, "duplicate key \"k\""},
    /* Section 6. */
    {"01", FP_ERROR_SYNTAX, 1, "something follows the value"},
    {"-", FP_ERROR_SYNTAX, 1, "cut short"},
    {"-x", FP_ERROR_SYNTAX, 1, "a digit"},
    {"+1", FP_ERROR_SYNTAX, 0, "a value is expected"},
    {".5", FP_ERROR_SYNTAX, 0, "a value is expected"},
    {"[1.]", FP_ERROR_SYNTAX, 3, "a digit"},
    {"[1e]", FP_ERROR_SYNTAX, 3, "a digit"},
    {"[1e+-2]", FP_ERROR_SYNTAX, 4, "a digit"},
    {"0x10", FP_ERROR_SYNTAX, 1, "something follows the value"},
    /* Section 7. */
    {"\"a\tb\"", FP_ERROR_SYNTAX, 2, "U+0009 in a string is not escaped"},
    {"{\"a\nb\":1}", FP_ERROR_SYNTAX, 3, "U+000A in a string is not escaped"},
    {"\"\\x41\"", FP_ERROR_SYNTAX, 2, "after a backslash"},
    {"\"\\u12g4\"", FP_ERROR_SYNTAX, 5, "a hexadecimal digit"},
    /* Section 8: UTF-8 without a byte order mark; characters, not halves of them. */
    {"\xef\xbb\xbf{}", FP_ERROR_SYNTAX, 0, "a byte order mark (EF BB BF)"},
    {"\"ab\xff\"", FP_ERROR_ENCODING, 3, "invalid UTF-8"},
    {"\"\xed\xa0\x80\"", FP_ERROR_ENCODING, 1, "invalid UTF-8"},
    {"\"a\\ud800\"", FP_ERROR_ENCODING, 2, "\\ud800 is half of a surrogate pair"},
    {"\"\\uDC00\\uD800\"", FP_ERROR_ENCODING, 1, "\\udc00 is half of a surrogate pair"},
    {"\"\\ud800\\u0041\"", FP_ERROR_ENCODING, 1, "\\ud800 is half of a surrogate pair"},
    {"\"\\ud83d\\", FP_ERROR_ENCODING, 1, "\\ud83d is half of a surrogate pair"},
};

static void what_is_not_json_is_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        const refusal *row = REFUSED + i;
        const fp_json *value;
        fp_error error;
        if (fp_json_parse(fp_string_of(row->text), arena, &value, &error) != row->code || error.byte != row->byte ||
            !strstr(error.message, row->words))
            fail_msg("%s: %s: %s (byte %zu)", row->text, fp_status_name(error.code), error.message, error.byte);
        assert_int_equal(fp_json_parse(fp_string_of(row->text), arena, &value, NULL), row->code);
    }
    fp_arena_free(arena);
}

static const char WHOLE[] = " {\"id\":\"\\u6fb3\\ud83d\\ude00\\n\",\"n\":[-0.5e+3,0,10,true,false,null,{}],\"\":[]} ";

/* Every proper beginning of a value that ends with a bracket is none. */
static void a_cut_value_is_refused(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_json *value;
    size_t length = strlen(WHOLE);
    for (size_t i = 0; i <= length; i++) {
        /* Of its own, so that a read behind the end is seen by the address sanitizer. */
        char *part = malloc(i ? i : 1);
        memcpy(part, WHOLE, i);
        fp_status status = fp_json_parse((fp_string){part, i}, arena, &value, &test_error);
        assert_true(i + 1 >= length ? status == FP_OK : status != FP_OK && test_error.byte <= i);
        free(part);
    }
    fp_arena_free(arena);
}

static void a_value_is_what_is_written(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_json *value;
    fp_string id;
    double number;
    ASSERT_GOOD(fp_json_parse(fp_string_of(WHOLE), arena, &value, &test_error));
    ASSERT_GOOD(fp_json_string(value, "id", arena, &id, &test_error));
    assert_string_equal(id.data, "澳😀\n");
    const fp_json *list = fp_json_member(value, "n");
    assert_int_equal(list->type, FP_JSON_ARRAY);
    assert_int_equal(list->byte, 34);
    ASSERT_GOOD(fp_json_real(list->first, "n", &number, &test_error));
    assert_true(number == -500);
    assert_int_equal(fp_json_real(value, "all", &number, &test_error), FP_ERROR_SYNTAX);
    const fp_json_type types[] = {FP_JSON_NUMBER,  FP_JSON_NUMBER, FP_JSON_NUMBER, FP_JSON_BOOLEAN,
                                  FP_JSON_BOOLEAN, FP_JSON_NULL,   FP_JSON_OBJECT};
    const fp_json *at = list->first;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++, at = at->next) assert_int_equal(at->type, types[i]);
    assert_null(at);
    assert_int_equal(fp_json_member(value, "")->type, FP_JSON_ARRAY);
    assert_null(fp_json_member(value, "i"));
    assert_int_equal(fp_json_string(value, "n", arena, &id, &test_error), FP_ERROR_SYNTAX);
    assert_int_equal(test_error.byte, 34);
    ASSERT_GOOD(fp_json_parse(fp_string_of("\"a\\u0000b\""), arena, &value, &test_error));
    assert_int_equal(value->text.length, 3);
    ASSERT_GOOD(fp_json_parse(fp_string_of(" 1e999"), arena, &value, &test_error));
    assert_int_equal(fp_json_real(value, "large", &number, &test_error), FP_ERROR_RANGE);
    assert_int_equal(test_error.byte, 1);
    fp_arena_free(arena);
}

/* A string of one byte, with `around` so many times before and behind it. */
static void check_string(const char *around, size_t before, size_t behind, char byte, fp_arena *arena) {
    char text[100];
    size_t length = 0, size = strlen(around);
    text[length++] = '"';
    for (size_t i = 0; i < before; i++, length += size) memcpy(text + length, around, size);
    size_t place = length;
    text[length++] = byte;
    for (size_t i = 0; i < behind; i++, length += size) memcpy(text + length, around, size);
    text[length++] = '"';
    const fp_json *value;
    fp_error error = {0};
    fp_status got = fp_json_parse((fp_string){text, length}, arena, &value, &error);
    if ((unsigned char)byte >= 0x20 && byte != '"' && byte != '\\') {
        assert_true(got == FP_OK && value->text.length == length - 2);
        assert_memory_equal(value->text.data, text + 1, length - 2);
        return;
    }
    /* A quotation mark closes the string, and something follows; a backslash wants another sign, or escapes the
     * quotation mark at the end, so that none closes. */
    size_t wanted = byte == '"' ? place + 1 : byte != '\\' ? place : behind ? place + 1 : length;
    assert_int_equal(got, FP_ERROR_SYNTAX);
    assert_int_equal(error.byte, wanted);
}

/* RFC 8259, section 7: every byte below 0x80 at every place of strings of every length, among bytes of all kinds. */
static void strings_end_where_they_end(void **state) {
    (void)state;
    static const char *const AROUND[] = {"x", "~", "\x7f", "桥", "߿"};
    fp_arena *arena = fp_arena_new();
    for (size_t a = 0; a < sizeof AROUND / sizeof *AROUND; a++)
        for (size_t before = 0; before < 20; before++)
            for (size_t behind = 0; before + behind < 20; behind++)
                for (int byte = 0; byte < 0x80; byte++) {
                    check_string(AROUND[a], before, behind, (char)byte, arena);
                    fp_arena_reset(arena);
                }
    fp_arena_free(arena);
}

static void depth_has_an_end(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_json *value;
    char deep[4000];
    for (size_t depth = 1; depth < sizeof deep / 2; depth++) {
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        fp_status status = fp_json_parse((fp_string){deep, 2 * depth}, arena, &value, &test_error);
        assert_int_equal(status, depth <= 100 ? FP_OK : FP_ERROR_SYNTAX);
        if (depth > 100) assert_int_equal(test_error.byte, 100);
        fp_arena_reset(arena);
    }
    fp_arena_free(arena);
}

/* What stands in a temporary file after `write`. */
static fp_string written(void (*write)(fp_json_writer *json), fp_arena *arena) {
    FILE *stream = tmpfile();
    fp_json_writer json = fp_json_to(stream, 0);
    write(&json);
    assert_int_equal(fp_json_done(&json, &test_error), FP_OK);
    fp_string text = {fp_arena_alloc(arena, 1, 4096), 0};
    rewind(stream);
    text.length = fread((char *)(uintptr_t)text.data, 1, 4095, stream);
    fclose(stream);
    return text;
}

static const double REALS[] = {0, 0.1, 0.1 + 0.2, 1.0 / 3, -2.5e-300, 1e300, 5e-324, 9007199254740993.0};

static void write_everything(fp_json_writer *json) {
    fp_json_begin_object(json, NULL);
    char every[0x21];
    for (int i = 0; i < 0x20; i++) every[i] = (char)i;
    every[0x20] = '"';
    fp_json_put_string(json, "every\\\"sign", (fp_string){every, sizeof every});
    fp_json_put_string(json, "broken", fp_string_of("a\xff\xe6\xbe\xe6\xbe\xb3"));
    fp_json_begin_array(json, "reals");
    for (size_t i = 0; i < sizeof REALS / sizeof *REALS; i++) fp_json_put_real(json, NULL, REALS[i]);
    fp_json_put_real(json, NULL, NAN);
    fp_json_put_real(json, NULL, -INFINITY);
    fp_json_end_array(json);
    fp_json_begin_array(json, "empty");
    fp_json_end_array(json);
    fp_json_put_count(json, "count", UINT64_MAX);
    fp_json_end_object(json);
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_json *value;
    fp_string text;
    ASSERT_GOOD(fp_json_parse(written(write_everything, arena), arena, &value, &test_error));
    ASSERT_GOOD(fp_json_string(value, "every\\\"sign", arena, &text, &test_error));
    assert_int_equal(text.length, 0x21);
    for (size_t i = 0; i < 0x20; i++) assert_int_equal(text.data[i], i);
    ASSERT_GOOD(fp_json_string(value, "broken", arena, &text, &test_error));
    assert_string_equal(text.data, "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd澳");
    const fp_json *at = fp_json_member(value, "reals")->first;
    for (size_t i = 0; i < sizeof REALS / sizeof *REALS; i++, at = at->next) {
        double number;
        ASSERT_GOOD(fp_json_real(at, "real", &number, &test_error));
        assert_true(number == REALS[i]);
    }
    assert_int_equal(at->type, FP_JSON_NULL);
    assert_int_equal(at->next->type, FP_JSON_NULL);
    assert_null(fp_json_member(value, "empty")->first);
    assert_memory_equal(fp_json_member(value, "count")->text.data, "18446744073709551615", 20);
    fp_arena_free(arena);
}

static void write_lines(fp_json_writer *json) {
    fp_json_begin_array(json, NULL);
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "a", "x");
    fp_json_put_null(json, "b");
    fp_json_end_object(json);
    fp_json_begin_object(json, NULL);
    fp_json_end_object(json);
    fp_json_end_array(json);
}

static void a_value_stands_on_its_line(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    assert_string_equal(written(write_lines, arena).data,
                        "[\n  {\n    \"a\":\"x\",\n    \"b\":null\n  },\n  {\n  }\n]");
    fp_arena_free(arena);
}

/* A text that could not be made is told at the end. */
static void a_missing_text_is_told(void **state) {
    (void)state;
    FILE *stream = tmpfile();
    fp_json_writer json = fp_json_to(stream, 0);
    fp_json_put_text(&json, NULL, NULL);
    assert_int_equal(fp_json_done(&json, &test_error), FP_ERROR_MEMORY);
    fclose(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_json_is_refused),
        cmocka_unit_test(a_cut_value_is_refused),
        cmocka_unit_test(a_value_is_what_is_written),
        cmocka_unit_test(strings_end_where_they_end),
        cmocka_unit_test(depth_has_an_end),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(a_value_stands_on_its_line),
        cmocka_unit_test(a_missing_text_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
