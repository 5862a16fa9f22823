/* SPDX-License-Identifier: GPL-3.0-or-later
 * JSON in the lab's terms. */
#include "corpora/json.h"

#include <limits.h>
#include <string.h>

fp_status fp_json_parse(fp_string text, json_object **value, fp_error *error) {
    if (text.length > INT_MAX - 1) return fp_fail(error, FP_ERROR_RANGE, "a JSON value of 2 GiB or more");
    json_tokener *parser = json_tokener_new();
    if (!parser) return fp_no_memory(error);
    json_tokener_set_flags(parser, JSON_TOKENER_STRICT);
    *value = json_tokener_parse_ex(parser, text.data, (int)text.length);
    enum json_tokener_error outcome = json_tokener_get_error(parser);
    if (outcome == json_tokener_continue) {
        /* A number at the very end is complete only once something follows it. */
        *value = json_tokener_parse_ex(parser, "\0", 1);
        outcome = json_tokener_get_error(parser);
    }
    size_t end = json_tokener_get_parse_end(parser);
    json_tokener_free(parser);
    if (outcome != json_tokener_success) {
        const char *reason =
            outcome == json_tokener_continue ? "the value is cut short" : json_tokener_error_desc(outcome);
        return fp_fail(error, FP_ERROR_SYNTAX, "not JSON: %s", reason);
    }
    for (; end < text.length; end++) {
        if (strchr(" \t\r\n", text.data[end])) continue;
        json_object_put(*value);
        return fp_fail(error, FP_ERROR_SYNTAX, "not JSON: something follows the value");
    }
    return FP_OK;
}

fp_status fp_json_string(const json_object *object, const char *name, fp_arena *arena, fp_string *value,
                         fp_error *error) {
    json_object *member = NULL;
    *value = (fp_string){"", 0};
    if (!json_object_object_get_ex(object, name, &member) || !member) return FP_OK;
    if (!json_object_is_type(member, json_type_string))
        return fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is not a string", name);
    size_t length = (size_t)json_object_get_string_len(member);
    char *copy = fp_string_copy(arena, (fp_string){json_object_get_string(member), length});
    if (!copy) return fp_no_memory(error);
    *value = (fp_string){copy, length};
    return FP_OK;
}
