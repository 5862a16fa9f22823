/* SPDX-License-Identifier: GPL-3.0-or-later
 * A JSON parser: recursive descent over a text in memory. */
#include "corpora/json.h"

#include <stdlib.h>
#include <string.h>

#include "text/unicode/utf8.h"

enum { DEEPEST = 100 };

typedef struct parser {
    const char *start, *at, *end;
    size_t depth;
    fp_arena *arena;
    fp_error *error;
} parser;

static fp_status parse_value(parser *in, fp_json *value);

/* ---- Errors ---- */

#define FAIL(in, place, code, ...) \
    fp_at_byte((in)->error, fp_fail((in)->error, code, __VA_ARGS__), (size_t)((place) - (in)->start))

static fp_status unexpected(const parser *in, const char *expected) {
    if (in->at == in->end) return FAIL(in, in->at, FP_ERROR_SYNTAX, "not JSON: the value is cut short");
    return FAIL(in, in->at, FP_ERROR_SYNTAX, "not JSON: %s is expected", expected);
}

/* ---- Characters ---- */

static void skip_space(parser *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\r' || *in->at == '\t')) in->at++;
}

static bool take(parser *in, char sign) {
    bool there = in->at < in->end && *in->at == sign;
    in->at += there;
    return there;
}

static bool take_digits(parser *in) {
    const char *first = in->at;
    while (in->at < in->end && *in->at >= '0' && *in->at <= '9') in->at++;
    return in->at > first;
}

/* ---- Strings ---- */

/* The four digits after \u. */
static fp_status take_unit(parser *in, uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, in->at++) {
        int digit = in->at < in->end ? fp_hex_digit(*in->at) : -1;
        if (digit < 0) return unexpected(in, "a hexadecimal digit");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return FP_OK;
}

/* A character written \uXXXX, or \uXXXX\uXXXX beyond U+FFFF; `at` is after the first u. */
static fp_status take_code(parser *in, uint32_t *code) {
    const char *place = in->at - 2;
    uint32_t low;
    FP_TRY(take_unit(in, code));
    if (*code < 0xd800 || *code > 0xdfff) return FP_OK;
    if (*code < 0xdc00 && in->end - in->at >= 6 && in->at[0] == '\\' && in->at[1] == 'u') {
        in->at += 2;
        FP_TRY(take_unit(in, &low));
        if (low >= 0xdc00 && low <= 0xdfff) {
            *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
            return FP_OK;
        }
    }
    return FAIL(in, place, FP_ERROR_ENCODING, "\\u%04x is half of a surrogate pair, not a character", *code);
}

/* Appends the character of an escape to *to; `at` is after the backslash. */
static fp_status take_escape(parser *in, char **to) {
    static const char SIGNS[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";
    char sign = in->at < in->end ? *in->at : '\0';
    const char *found = sign ? strchr(SIGNS, sign) : NULL;
    if (found) {
        *(*to)++ = MEANINGS[found - SIGNS];
        in->at++;
        return FP_OK;
    }
    if (!take(in, 'u')) return unexpected(in, "one of \" \\ / b f n r t u after a backslash");
    uint32_t code;
    FP_TRY(take_code(in, &code));
    *to += fp_utf8_encode(code, *to);
    return FP_OK;
}

#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Whether one of eight bytes is `"`, `\` or below 0x20. The test sets the high bit of a byte that is less than the
 * subtrahend and whose own high bit is clear (Warren, Hacker's Delight, 6-1); only such a byte causes a borrow. */
static bool ends_plain(const char *at) {
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    uint64_t quote = eight ^ EIGHT('"'), backslash = eight ^ EIGHT('\\');
    return (((quote - EIGHT(1)) & ~quote) | ((backslash - EIGHT(1)) & ~backslash) | ((eight - EIGHT(0x20)) & ~eight)) &
           EIGHT(0x80);
}

/* The end of a stretch without quotes, escapes and control characters. */
static const char *plain_end(const char *at, const char *end) {
    while (end - at >= 8 && !ends_plain(at)) at += 8;
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20) at++;
    return at;
}

static fp_string take_plain(parser *in) {
    const char *first = in->at;
    in->at = plain_end(first, in->end);
    return (fp_string){first, (size_t)(in->at - first)};
}

/* The closing quotation mark of a string, searched from inside it; the end if there is none. */
static const char *find_closing(const char *at, const char *end) {
    for (at = plain_end(at, end); at < end && *at != '"'; at = plain_end(at, end))
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at;
}

static fp_status unclosed(const parser *in) {
    if (in->at == in->end) return FAIL(in, in->at, FP_ERROR_SYNTAX, "not JSON: a string is not closed");
    return FAIL(in, in->at, FP_ERROR_SYNTAX, "not JSON: the control character U+%04X in a string is not escaped",
                (unsigned)(unsigned char)*in->at);
}

/* Parses a string with escapes, which is never longer than its source. `plain` is the text before the first escape. */
static fp_status unescape(parser *in, fp_string plain, fp_string *text) {
    size_t written = (size_t)(find_closing(in->at, in->end) - plain.data);
    char *room = FP_NEED(fp_arena_raw(in->arena, written + 1, 1), in->error), *to = room;
    for (;;) {
        memcpy(to, plain.data, plain.length);
        to += plain.length;
        if (take(in, '"')) break;
        if (!take(in, '\\')) return unclosed(in);
        FP_TRY(take_escape(in, &to));
        plain = take_plain(in);
    }
    *text = (fp_string){room, (size_t)(to - room)};
    return FP_OK;
}

/* `at` is after the opening quotation mark. */
static fp_status parse_string(parser *in, fp_string *text) {
    *text = take_plain(in);
    if (take(in, '"')) return FP_OK;
    if (in->at == in->end || *in->at != '\\') return unclosed(in);
    return unescape(in, *text, text);
}

/* ---- Numbers and words ---- */

static fp_status parse_number(parser *in, fp_json *value) {
    const char *first = in->at;
    take(in, '-');
    if (!take(in, '0') && !take_digits(in)) return unexpected(in, "a digit");
    if (take(in, '.') && !take_digits(in)) return unexpected(in, "a digit");
    if (take(in, 'e') || take(in, 'E')) {
        if (!take(in, '+')) take(in, '-');
        if (!take_digits(in)) return unexpected(in, "a digit");
    }
    value->type = FP_JSON_NUMBER;
    value->text = (fp_string){first, (size_t)(in->at - first)};
    return FP_OK;
}

static fp_status parse_word(parser *in, fp_json *value) {
    static const struct {
        const char *word;
        fp_json_type type;
    } WORDS[] = {{"null", FP_JSON_NULL}, {"true", FP_JSON_BOOLEAN}, {"false", FP_JSON_BOOLEAN}};
    static const char *const NEVER[] = {"NaN", "Infinity", "-Infinity", NULL};
    size_t left = (size_t)(in->end - in->at);
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        size_t length = strlen(WORDS[i].word);
        if (length > left || memcmp(in->at, WORDS[i].word, length) != 0) continue;
        value->type = WORDS[i].type;
        value->text = (fp_string){in->at, length};
        in->at += length;
        return FP_OK;
    }
    for (const char *const *word = NEVER; *word; word++)
        if (strlen(*word) <= left && memcmp(in->at, *word, strlen(*word)) == 0)
            return FAIL(in, in->at, FP_ERROR_SYNTAX, "not JSON: %s is not a JSON number", *word);
    if (in->at < in->end && *in->at == '-') return parse_number(in, value);
    return unexpected(in, "a value");
}

/* ---- Arrays and objects ---- */

/* Parses the next value of `parent`, after `last`. */
static fp_status parse_child(parser *in, fp_json *parent, fp_json **last) {
    fp_json *child = FP_NEED(fp_arena_alloc(in->arena, 1, sizeof *child), in->error);
    if (parent->type == FP_JSON_OBJECT) {
        skip_space(in);
        child->name_byte = (size_t)(in->at - in->start);
        if (!take(in, '"')) return unexpected(in, "a key in quotation marks");
        FP_TRY(parse_string(in, &child->name));
        skip_space(in);
        if (!take(in, ':')) return unexpected(in, "a colon");
    }
    FP_TRY(parse_value(in, child));
    if (*last) (*last)->next = child;
    else parent->first = child;
    *last = child;
    return FP_OK;
}

static int by_name(const void *left, const void *right) {
    const fp_json *a = *(const fp_json *const *)left, *b = *(const fp_json *const *)right;
    int order = fp_string_compare(a->name, b->name);
    return order ? order : FP_ORDER(a->name_byte, b->name_byte);
}

/* Duplicate keys are an error, since readers disagree about which value counts. */
static fp_status check_names(const parser *in, const fp_json *object, size_t count) {
    const fp_json **sorted = FP_NEED(fp_arena_raw(in->arena, count, sizeof *sorted), in->error), *twice = NULL;
    size_t filled = 0;
    for (const fp_json *at = object->first; at; at = at->next) sorted[filled++] = at;
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 1; i < count; i++)
        if (fp_string_equal(sorted[i - 1]->name, sorted[i]->name) && (!twice || sorted[i]->byte < twice->byte))
            twice = sorted[i];
    if (!twice) return FP_OK;
    int shown = twice->name.length < 100 ? (int)twice->name.length : 100;
    return FAIL(in, in->start + twice->name_byte, FP_ERROR_DUPLICATE, "duplicate key \"%.*s\"", shown,
                twice->name.data);
}

/* `at` is after the opening bracket. */
static fp_status parse_children(parser *in, fp_json *parent) {
    char closing = parent->type == FP_JSON_OBJECT ? '}' : ']';
    fp_json *last = NULL;
    size_t count = 0;
    if (++in->depth > DEEPEST)
        return FAIL(in, in->at - 1, FP_ERROR_SYNTAX, "arrays and objects inside each other, more than %d levels deep",
                    DEEPEST);
    skip_space(in);
    for (bool more = !take(in, closing); more; count++) {
        FP_TRY(parse_child(in, parent, &last));
        skip_space(in);
        more = take(in, ',');
        if (!more && !take(in, closing)) return unexpected(in, closing == '}' ? "a comma or }" : "a comma or ]");
    }
    in->depth--;
    parent->text = (fp_string){in->start + parent->byte, (size_t)(in->at - in->start) - parent->byte};
    return parent->type == FP_JSON_OBJECT && count > 1 ? check_names(in, parent, count) : FP_OK;
}

static fp_status parse_value(parser *in, fp_json *value) {
    skip_space(in);
    value->byte = (size_t)(in->at - in->start);
    if (take(in, '"')) {
        value->type = FP_JSON_STRING;
        return parse_string(in, &value->text);
    }
    if (take(in, '{')) {
        value->type = FP_JSON_OBJECT;
        return parse_children(in, value);
    }
    if (take(in, '[')) {
        value->type = FP_JSON_ARRAY;
        return parse_children(in, value);
    }
    bool digit = in->at < in->end && *in->at >= '0' && *in->at <= '9';
    return digit ? parse_number(in, value) : parse_word(in, value);
}

/* ---- Whole texts and files ---- */

fp_status fp_json_parse(fp_string text, fp_arena *arena, const fp_json **value, fp_error *error) {
    parser in = {text.data, text.data, text.data + text.length, 0, arena, error};
    size_t valid = fp_utf8_check(text);
    if (valid < text.length) return FAIL(&in, text.data + valid, FP_ERROR_ENCODING, "invalid UTF-8");
    if (fp_string_begins(text, fp_string_of(FP_BYTE_ORDER_MARK)))
        return FAIL(&in, text.data, FP_ERROR_SYNTAX, "not JSON: a byte order mark (EF BB BF) precedes the value");
    fp_json *made = FP_NEED(fp_arena_alloc(arena, 1, sizeof *made), error);
    FP_TRY(parse_value(&in, made));
    skip_space(&in);
    if (in.at < in.end) return FAIL(&in, in.at, FP_ERROR_SYNTAX, "not JSON: something follows the value");
    *value = made;
    return FP_OK;
}

fp_status fp_json_at(fp_error *error, fp_status code, const char *file, fp_string content) {
    if (!error || error->byte == SIZE_MAX) return fp_at(error, code, file, SIZE_MAX, SIZE_MAX);
    size_t line = 1;
    for (size_t i = 0; i < error->byte && i < content.length; i++) line += content.data[i] == '\n';
    return fp_at(error, code, file, line, error->byte);
}

fp_status fp_json_read(const char *path, fp_arena *arena, fp_string *content, const fp_json **value, fp_error *error) {
    FP_TRY(fp_read_file(path, arena, content, error));
    fp_status status = fp_json_parse(*content, arena, value, error);
    return status == FP_OK || status == FP_ERROR_MEMORY ? status : fp_json_at(error, status, path, *content);
}

/* ---- Members ---- */

size_t fp_json_count(const fp_json *value) {
    size_t count = 0;
    for (const fp_json *at = value ? value->first : NULL; at; at = at->next) count++;
    return count;
}

const fp_json *fp_json_member(const fp_json *object, const char *name) {
    if (!object || object->type != FP_JSON_OBJECT) return NULL;
    const fp_json *at = object->first;
    while (at && !fp_string_equal(at->name, fp_string_of(name))) at = at->next;
    return at;
}

fp_status fp_json_string(const fp_json *object, const char *name, fp_arena *arena, fp_string *value, fp_error *error) {
    const fp_json *member = fp_json_member(object, name);
    *value = (fp_string){"", 0};
    if (!member || member->type == FP_JSON_NULL) return FP_OK;
    if (member->type != FP_JSON_STRING)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is not a string", name), member->byte);
    const char *copy = FP_NEED(fp_string_copy(arena, member->text), error);
    *value = (fp_string){copy, member->text.length};
    return FP_OK;
}

fp_status fp_json_real(const fp_json *value, const char *name, double *number, fp_error *error) {
    if (value->type != FP_JSON_NUMBER)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is not a number", name), value->byte);
    if (fp_string_real(value->text, number)) return FP_OK;
    fp_fail(error, FP_ERROR_RANGE, "\"%s\" is out of range: %.*s", name,
            value->text.length < 40 ? (int)value->text.length : 40, value->text.data);
    return fp_at_byte(error, FP_ERROR_RANGE, value->byte);
}
