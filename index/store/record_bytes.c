/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records and what belongs to them, as bytes and back. */
#include "index/store/record_bytes.h"

#include <string.h>

#include <zstd.h>
#include <zstd_errors.h>

#include "base/bytes.h"

enum { CHECKSUM = 4, LEB_MOST = 10 };

/* What a value is, mixed into its seed. */
enum kind { STATE, RECORD, TEXT, NUMBER, MATCH, FACT };

static fp_status damaged(fp_error *error) {
    return fp_fail(error, FP_ERROR_SYNTAX, "damaged: its checksum is another");
}

/* ---- Numbers ---- */

static void put_u32(uint64_t value, char *to) {
    for (int i = 0; i < 4; i++) to[i] = (char)(value >> 8 * i & 0xff);
}

static uint64_t get_u32(const char *from) {
    uint64_t value = 0;
    for (int i = 0; i < 4; i++) value |= (uint64_t)(unsigned char)from[i] << 8 * i;
    return value;
}

static void put_u64(uint64_t value, char *to) {
    put_u32(value, to);
    put_u32(value >> 32, to + 4);
}

void fp_key_put(uint64_t number, char key[FP_KEY_BYTES]) {
    for (int i = 0; i < FP_KEY_BYTES; i++) key[i] = (char)(number >> 8 * (FP_KEY_BYTES - 1 - i) & 0xff);
}

uint64_t fp_key_get(const char *key) {
    uint64_t number = 0;
    for (int i = 0; i < FP_KEY_BYTES; i++) number = number << 8 | (unsigned char)key[i];
    return number;
}

/* ---- Writing ---- */

/* Behind what is written; there is room. */
static void write_leb(char **at, uint64_t value) {
    for (; value >= 0x80; value >>= 7) *(*at)++ = (char)((value & 0x7f) | 0x80);
    *(*at)++ = (char)value;
}

static void write_bytes(char **at, fp_string bytes) {
    if (bytes.length) memcpy(*at, bytes.data, bytes.length);
    *at += bytes.length;
}

static void write_real(char **at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u64(bits, *at);
    *at += 8;
}

static uint64_t checksum(fp_string body, uint64_t owner, enum kind kind) {
    return fp_xxh3(body.data, body.length, fp_mix(owner, kind)) & UINT32_MAX;
}

/* Writes the checksum of what lies between the first four bytes and `end`. */
static fp_string seal(char *bytes, const char *end, uint64_t owner, enum kind kind) {
    fp_string body = {bytes + CHECKSUM, (size_t)(end - bytes - CHECKSUM)};
    put_u32(checksum(body, owner, kind), bytes);
    return (fp_string){bytes, (size_t)(end - bytes)};
}

/* ---- Reading: `rest` shrinks; what runs over its end sets data to NULL, once and for all. ---- */

static fp_status unseal(fp_string bytes, uint64_t owner, enum kind kind, fp_string *rest, fp_error *error) {
    *rest = (fp_string){0};
    if (bytes.length < CHECKSUM) return damaged(error);
    *rest = (fp_string){bytes.data + CHECKSUM, bytes.length - CHECKSUM};
    return get_u32(bytes.data) == checksum(*rest, owner, kind) ? FP_OK : damaged(error);
}

static fp_string read_bytes(fp_string *rest, uint64_t length) {
    fp_string read = {rest->data, (size_t)length};
    if (!rest->data || length > rest->length) return *rest = (fp_string){0};
    *rest = (fp_string){rest->data + length, rest->length - (size_t)length};
    return read;
}

static uint64_t read_leb(fp_string *rest) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        fp_string byte = read_bytes(rest, 1);
        if (!byte.data) return 0;
        value |= (uint64_t)(*byte.data & 0x7f) << shift;
        if (!(*byte.data & 0x80)) return value;
    }
    *rest = (fp_string){0};
    return 0;
}

static uint64_t read_u64(fp_string *rest) {
    fp_string eight = read_bytes(rest, 8);
    return eight.data ? fp_bytes_get(eight.data) : 0;
}

static double read_real(fp_string *rest) {
    uint64_t bits = read_u64(rest);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Whether all was read, and no more. */
static fp_status read_out(fp_string rest, fp_error *error) {
    return rest.data && !rest.length ? FP_OK : damaged(error);
}

/* ---- The state ---- */

static const char MAGIC[8] = {'f', 'p', 'l', 'a', 'b', 'r', 'e', 'c'};
enum { STATE_BODY = sizeof MAGIC + 4 };

void fp_state_pack(const fp_store_state *state, char bytes[FP_STORE_STATE_BYTES]) {
    const uint64_t members[] = {state->count.records, state->count.deleted, state->count.next, state->count.matches,
                                state->count.cut,     state->list,          state->mark,       state->texts};
    memcpy(bytes, MAGIC, sizeof MAGIC);
    put_u32(FP_STORE_VERSION, bytes + sizeof MAGIC);
    char *at = bytes + STATE_BODY + CHECKSUM;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++, at += 8) put_u64(members[i], at);
    seal(bytes + STATE_BODY, at, FP_STORE_VERSION, STATE);
}

fp_status fp_state_unpack(fp_string bytes, fp_store_state *state, fp_error *error) {
    if (bytes.length < STATE_BODY || memcmp(bytes.data, MAGIC, sizeof MAGIC) != 0)
        return fp_fail(error, FP_ERROR_SYNTAX, "it is no store of records");
    uint64_t version = get_u32(bytes.data + sizeof MAGIC);
    if (version != FP_STORE_VERSION)
        return fp_fail(error, FP_ERROR_ABI, "made by another version of fplab: its format is %llu, this one reads %d",
                       (unsigned long long)version, FP_STORE_VERSION);
    fp_string rest;
    if (bytes.length != FP_STORE_STATE_BYTES ||
        unseal((fp_string){bytes.data + STATE_BODY, bytes.length - STATE_BODY}, FP_STORE_VERSION, STATE, &rest, NULL))
        return fp_fail(error, FP_ERROR_SYNTAX, "damaged: the checksum of its state is another");
    uint64_t *const members[] = {&state->count.records, &state->count.deleted, &state->count.next,
                                 &state->count.matches, &state->count.cut,     &state->list,
                                 &state->mark,          &state->texts};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) *members[i] = read_u64(&rest);
    return FP_OK;
}

/* ---- Records ---- */

enum { SAYS = 1, TIMED = 2, TEXT_KEPT = 4 };

fp_status fp_record_pack(const fp_record *record, const uint64_t *keys, size_t key_count, fp_arena *arena,
                         fp_string *bytes, fp_error *error) {
    const fp_string strings[] = {record->id, record->fingerprint, record->title, record->url, record->source};
    size_t room = CHECKSUM + 1 + 8 + 2 * LEB_MOST + 8 * key_count;
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) room += LEB_MOST + strings[i].length;
    char *made = fp_arena_raw(arena, room, 1);
    if (!made) return fp_no_memory(error);
    char *at = made + CHECKSUM;
    *at++ = (char)((record->says ? SAYS : 0) | (record->time != FP_TIME_NONE ? TIMED : 0) |
                   (record->text.length ? TEXT_KEPT : 0));
    if (record->time != FP_TIME_NONE) {
        put_u64((uint64_t)record->time, at);
        at += 8;
    }
    write_leb(&at, record->characters);
    write_leb(&at, key_count);
    for (size_t i = 0; i < key_count; i++, at += 8) put_u64(keys[i], at);
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        write_leb(&at, strings[i].length);
        write_bytes(&at, strings[i]);
    }
    *bytes = seal(made, at, record->number, RECORD);
    return FP_OK;
}

fp_status fp_record_unpack(fp_string bytes, uint64_t number, fp_record *record, fp_record_rest *more, fp_error *error) {
    fp_string rest;
    FP_TRY(unseal(bytes, number, RECORD, &rest, error));
    *record = (fp_record){.number = number};
    fp_string first = read_bytes(&rest, 1);
    int flags = first.data ? *first.data : 0;
    record->says = flags & SAYS;
    record->time = flags & TIMED ? (int64_t)read_u64(&rest) : FP_TIME_NONE;
    record->characters = read_leb(&rest);
    uint64_t key_count = read_leb(&rest);
    if (key_count > rest.length / 8) return damaged(error);
    *more = (fp_record_rest){.text_kept = flags & TEXT_KEPT, .keys = read_bytes(&rest, 8 * key_count)};
    fp_string *const strings[] = {&record->id, &record->fingerprint, &record->title, &record->url, &record->source};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) *strings[i] = read_bytes(&rest, read_leb(&rest));
    return read_out(rest, error);
}

/* ---- Texts: whether it is packed, its length, its bytes ---- */

enum { PLAIN, ZSTANDARD, ZSTANDARD_LEVEL = 3 };

fp_status fp_record_text_pack(fp_string text, uint64_t number, fp_arena *arena, fp_string *bytes, fp_error *error) {
    size_t head = CHECKSUM + 1 + LEB_MOST, bound = ZSTD_compressBound(text.length);
    char *made = fp_arena_raw(arena, head + (bound > text.length ? bound : text.length), 1);
    if (!made) return fp_no_memory(error);
    char *kind = made + CHECKSUM, *at = kind + 1;
    write_leb(&at, text.length);
    size_t packed = ZSTD_compress(at, bound, text.data, text.length, ZSTANDARD_LEVEL);
    if (ZSTD_isError(packed) && ZSTD_getErrorCode(packed) == ZSTD_error_memory_allocation) return fp_no_memory(error);
    *kind = !ZSTD_isError(packed) && packed < text.length ? ZSTANDARD : PLAIN;
    if (*kind == ZSTANDARD) at += packed;
    else write_bytes(&at, text);
    *bytes = seal(made, at, number, TEXT);
    return FP_OK;
}

fp_status fp_record_text_unpack(fp_string bytes, uint64_t number, fp_arena *arena, fp_string *text, fp_error *error) {
    fp_string rest;
    FP_TRY(unseal(bytes, number, TEXT, &rest, error));
    fp_string kind = read_bytes(&rest, 1);
    uint64_t length = read_leb(&rest);
    if (!rest.data || length > FP_RECORD_BYTES) return damaged(error);
    char *made = fp_arena_raw(arena, (size_t)length, 1);
    if (!made) return fp_no_memory(error);
    *text = (fp_string){made, (size_t)length};
    if (*kind.data == PLAIN) {
        if (rest.length != length) return damaged(error);
        write_bytes(&made, rest);
        return FP_OK;
    }
    size_t unpacked = ZSTD_decompress(made, (size_t)length, rest.data, rest.length);
    if (ZSTD_isError(unpacked) && ZSTD_getErrorCode(unpacked) == ZSTD_error_memory_allocation)
        return fp_no_memory(error);
    return unpacked == length ? FP_OK : damaged(error); /* an error is larger than any length */
}

/* ---- Numbers that belong to a key, matches, facts ---- */

static uint64_t owner_of(fp_string key) { return fp_xxh3(key.data, key.length, 0); }

void fp_number_pack(uint64_t number, fp_string key, char bytes[FP_NUMBER_BYTES]) {
    put_u32(number, bytes + CHECKSUM);
    seal(bytes, bytes + FP_NUMBER_BYTES, owner_of(key), NUMBER);
}

fp_status fp_number_unpack(fp_string bytes, fp_string key, uint64_t *number, fp_error *error) {
    fp_string rest;
    FP_TRY(unseal(bytes, owner_of(key), NUMBER, &rest, error));
    if (rest.length != FP_NUMBER_BYTES - CHECKSUM) return damaged(error);
    *number = get_u32(rest.data);
    return FP_OK;
}

static uint64_t owner_of_match(const fp_record_match *match) { return match->later << 32 | match->earlier; }

fp_status fp_match_pack(const fp_record_match *match, fp_arena *arena, fp_string *bytes, fp_error *error) {
    char *made = fp_arena_raw(arena, CHECKSUM + 3 * 8 + match->passages.length, 1);
    if (!made) return fp_no_memory(error);
    char *at = made + CHECKSUM;
    write_real(&at, match->distance);
    write_real(&at, match->similarity);
    write_real(&at, match->shared);
    write_bytes(&at, match->passages);
    *bytes = seal(made, at, owner_of_match(match), MATCH);
    return FP_OK;
}

fp_status fp_match_unpack(fp_string bytes, fp_record_match *match, fp_error *error) {
    fp_string rest;
    FP_TRY(unseal(bytes, owner_of_match(match), MATCH, &rest, error));
    match->distance = read_real(&rest);
    match->similarity = read_real(&rest);
    match->shared = read_real(&rest);
    match->passages = rest;
    return rest.data ? FP_OK : damaged(error);
}

fp_status fp_fact_pack(fp_string name, fp_string value, fp_arena *arena, fp_string *bytes, fp_error *error) {
    char *made = fp_arena_raw(arena, CHECKSUM + value.length, 1);
    if (!made) return fp_no_memory(error);
    char *at = made + CHECKSUM;
    write_bytes(&at, value);
    *bytes = seal(made, at, owner_of(name), FACT);
    return FP_OK;
}

fp_status fp_fact_unpack(fp_string name, fp_string bytes, fp_string *value, fp_error *error) {
    return unseal(bytes, owner_of(name), FACT, value, error);
}
