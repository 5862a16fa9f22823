/* SPDX-License-Identifier: GPL-3.0-or-later
 * redis://[[user]:password@]host[:port][/database][?name=NAME&list=N] and its parts. */
#include <string.h>

#include "index/store/redis_store.h"

enum { PORT = 6379, MOST_NAME = 64, MOST_DATABASE = 1 << 20 };
static const uint64_t MOST_LIST = 1 << 30;

static fp_status wrong(fp_error *error, const char *what) {
    return fp_fail(error, FP_ERROR_SYNTAX,
                   "%s; an address is redis://[:password@]host[:port][/database][?name=NAME&list=N]", what);
}

/* The text before a mark, which goes, too; all of it where there is no mark. */
static fp_string until(fp_string *rest, const char *marks) {
    size_t length = 0;
    while (length < rest->length && !strchr(marks, rest->data[length])) length++;
    fp_string before = {rest->data, length};
    *rest = (fp_string){rest->data + length, rest->length - length};
    return before;
}

static int digit(char from) {
    if (from >= '0' && from <= '9') return from - '0';
    if (from >= 'a' && from <= 'f') return from - 'a' + 10;
    return from >= 'A' && from <= 'F' ? from - 'A' + 10 : -1;
}

/* %41 is A (RFC 3986, 2.1). */
static fp_status decode(fp_string from, fp_arena *arena, const char **decoded, fp_error *error) {
    char *made = FP_NEED(fp_string_copy(arena, from), error), *to = made;
    for (size_t i = 0; i < from.length; i++) {
        if (from.data[i] != '%') {
            *to++ = from.data[i];
            continue;
        }
        int high = i + 2 < from.length ? digit(from.data[i + 1]) : -1;
        int low = i + 2 < from.length ? digit(from.data[i + 2]) : -1;
        if (high < 0 || low < 0 || !(high | low)) return wrong(error, "% without two hexadecimal digits");
        *to++ = (char)(high << 4 | low);
        i += 2;
    }
    *to = '\0';
    *decoded = made;
    return FP_OK;
}

static fp_status number_of(fp_string text, uint64_t most, const char *what, fp_arena *arena, uint64_t *value,
                           fp_error *error) {
    int64_t parsed;
    const char *copy = FP_NEED(fp_string_copy(arena, text), error);
    if (!fp_parse_integer(copy, &parsed) || parsed < 0 || (uint64_t)parsed > most)
        return fp_fail(error, FP_ERROR_RANGE, "%s: a whole number from 0 to %llu, not \"%.40s\"", what,
                       (unsigned long long)most, copy);
    *value = (uint64_t)parsed;
    return FP_OK;
}

static fp_status parse_user(fp_string text, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    fp_string rest = text, user = until(&rest, ":");
    if (!rest.length) return wrong(error, "a password has ':' before it");
    if (user.length) FP_TRY(decode(user, arena, &address->user, error));
    return decode((fp_string){rest.data + 1, rest.length - 1}, arena, &address->password, error);
}

/* A host, or an address of IPv6 in brackets; its port. */
static fp_status parse_host(fp_string text, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    fp_string rest = text, host;
    if (text.length && *text.data == '[') {
        rest = (fp_string){text.data + 1, text.length - 1};
        host = until(&rest, "]");
        if (!rest.length) return wrong(error, "[ without ]");
        rest = (fp_string){rest.data + 1, rest.length - 1};
    } else host = until(&rest, ":");
    if (!host.length) return wrong(error, "there is no host");
    FP_TRY(decode(host, arena, &address->host, error));
    if (!rest.length) return FP_OK;
    uint64_t port = 0;
    if (*rest.data != ':') return wrong(error, "something behind the host");
    FP_TRY(number_of((fp_string){rest.data + 1, rest.length - 1}, 65535, "the port", arena, &port, error));
    address->port = (int)port;
    return port ? FP_OK : fp_fail(error, FP_ERROR_RANGE, "the port: from 1 to 65535");
}

static fp_status parse_name(const char *name, fp_redis_address *address, fp_error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    if (name[length] || !length || length > MOST_NAME)
        return fp_fail(error, FP_ERROR_SYNTAX, "name: from 1 to %d letters, digits, '.', '-', '_', not \"%.40s\"",
                       MOST_NAME, name);
    address->name = name;
    return FP_OK;
}

static fp_status parse_options(fp_string rest, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    fp_string option;
    while (fp_next_field(&rest, '&', &option)) {
        fp_string value = option, name = until(&value, "=");
        if (value.length) value = (fp_string){value.data + 1, value.length - 1};
        const char *text;
        FP_TRY(decode(value, arena, &text, error));
        if (fp_string_equal(name, fp_string_of("name"))) FP_TRY(parse_name(text, address, error));
        else if (fp_string_equal(name, fp_string_of("list")))
            FP_TRY(number_of(value, MOST_LIST, "list", arena, &address->list, error));
        else return wrong(error, "only name and list can be said behind '?'");
    }
    return FP_OK;
}

static fp_status parse_database(fp_string text, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    uint64_t database = 0;
    if (text.length) FP_TRY(number_of(text, MOST_DATABASE, "the database", arena, &database, error));
    address->database = (int)database;
    return FP_OK;
}

/* The last '@' before the path: a password may hold others only as %40, and is none where there is no '@'. */
static fp_status split(fp_string rest, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    fp_string place = until(&rest, "/?"), user = {0};
    for (size_t i = place.length; i-- && !user.data;)
        if (place.data[i] == '@') {
            user = (fp_string){place.data, i};
            place = (fp_string){place.data + i + 1, place.length - i - 1};
        }
    if (user.data) FP_TRY(parse_user(user, arena, address, error));
    FP_TRY(parse_host(place, arena, address, error));
    if (rest.length && *rest.data == '/') {
        rest = (fp_string){rest.data + 1, rest.length - 1};
        FP_TRY(parse_database(until(&rest, "?"), arena, address, error));
    }
    return rest.length ? parse_options((fp_string){rest.data + 1, rest.length - 1}, arena, address, error) : FP_OK;
}

fp_status fp_redis_address_parse(const char *text, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    bool tls = !strncmp(text, "rediss:", 7);
    *address = (fp_redis_address){.tls = tls, .port = PORT, .name = "fplab"};
#ifndef FP_REDIS_TLS
    if (tls) return fp_fail(error, FP_ERROR_UNKNOWN, "rediss:// needs hiredis with TLS, which this build has not");
#endif
    const char *place = strstr(text, "://");
    if (!place) return wrong(error, "it begins with redis:// or rediss://");
    FP_TRY(split(fp_string_of(place + 3), arena, address, error));
    bool colon = strchr(address->host, ':');
    address->shown = fp_format(arena, "redis%s://%s%s%s:%d/%d?name=%s", tls ? "s" : "", colon ? "[" : "", address->host,
                               colon ? "]" : "", address->port, address->database, address->name);
    return address->shown ? FP_OK : fp_no_memory(error);
}
