/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whole files in (plain, gzip, Zstandard), and the lines and fields of what was read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "base/base.h"

static fp_status file_error(fp_error *error, const char *path, const char *doing) {
    fp_fail(error, FP_ERROR_IO, "cannot %s: %s", doing, strerror(errno));
    return fp_at(error, path, SIZE_MAX, SIZE_MAX);
}

/* Reads all of `stream` into the arena, doubling the buffer. */
static fp_status read_stream(FILE *stream, const char *path, size_t expected, fp_arena *arena, fp_string *content,
                             fp_error *error) {
    size_t capacity = expected + 1, used = 0;
    char *buffer = fp_arena_raw(arena, capacity, 1);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used, stream);
        if (used < capacity) break;
        if (capacity > SIZE_MAX / 2) return fp_no_memory(error);
        char *larger = fp_arena_raw(arena, capacity * 2, 1);
        if (larger) memcpy(larger, buffer, used);
        buffer = larger;
        capacity *= 2;
    }
    if (!buffer) return fp_no_memory(error);
    if (ferror(stream)) return file_error(error, path, "read");
    buffer[used] = '\0';
    *content = (fp_string){buffer, used};
    return FP_OK;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static fp_status broken(fp_error *error, const char *path, const char *kind, const char *reason) {
    fp_fail(error, FP_ERROR_IO, "not a valid %s file: %s", kind, reason);
    return fp_at(error, path, SIZE_MAX, SIZE_MAX);
}

/* One decompressor behind the other: `step` fills `room` bytes at `to`; 0 ends, negative is an error. */
typedef long (*unpack_step)(void *state, char *to, size_t room);

static fp_status unpack(unpack_step step, void *state, fp_arena *arena, fp_string *content, bool *failed,
                        fp_error *error) {
    size_t capacity = 1 << 16, used = 0;
    char *buffer = fp_arena_raw(arena, capacity, 1);
    *failed = false;
    while (buffer) {
        long got = step(state, buffer + used, capacity - used - 1);
        *failed = got < 0;
        if (got <= 0) break;
        used += (size_t)got;
        if (capacity - used > 1) continue;
        char *larger = capacity > SIZE_MAX / 2 ? NULL : fp_arena_raw(arena, capacity * 2, 1);
        if (larger) memcpy(larger, buffer, used);
        buffer = larger;
        capacity *= 2;
    }
    if (!buffer) return fp_no_memory(error);
    buffer[used] = '\0';
    *content = (fp_string){buffer, used};
    return FP_OK;
}

static long gzip_step(void *state, char *to, size_t room) {
    unsigned most = room > (1u << 30) ? 1u << 30 : (unsigned)room;
    return gzread(state, to, most);
}

static fp_status read_gzip(const char *path, fp_arena *arena, fp_string *content, fp_error *error) {
    gzFile file = gzopen(path, "rb");
    if (!file) return file_error(error, path, "open");
    bool failed;
    fp_status status = unpack(gzip_step, file, arena, content, &failed, error);
    int code;
    if (status == FP_OK && (failed || (gzerror(file, &code), code < 0)))
        status = broken(error, path, "gzip", gzerror(file, &code));
    gzclose(file);
    return status;
}

typedef struct zstd_state {
    ZSTD_DStream *stream;
    ZSTD_inBuffer input;
    size_t pending; /* 0 at the end of a frame */
} zstd_state;

static long zstd_step(void *opaque, char *to, size_t room) {
    zstd_state *state = opaque;
    ZSTD_outBuffer output = {to, room, 0};
    while (output.pos == 0) {
        bool drained = state->input.pos == state->input.size;
        if (drained && state->pending == 0) return 0;
        size_t before = state->input.pos;
        state->pending = ZSTD_decompressStream(state->stream, &output, &state->input);
        if (ZSTD_isError(state->pending)) return -1;
        if (drained && output.pos == 0 && before == state->input.pos) return state->pending ? -1 : 0;
    }
    return (long)output.pos;
}

static fp_status read_zstd(const char *path, fp_string packed, fp_arena *arena, fp_string *content, fp_error *error) {
    zstd_state state = {ZSTD_createDStream(), {packed.data, packed.length, 0}, 0};
    if (!state.stream) return fp_no_memory(error);
    bool failed;
    fp_status status = unpack(zstd_step, &state, arena, content, &failed, error);
    if (status == FP_OK && failed) status = broken(error, path, "Zstandard", "damaged or cut short");
    ZSTD_freeDStream(state.stream);
    return status;
}

fp_status fp_read_file(const char *path, fp_arena *arena, fp_string *content, fp_error *error) {
    if (ends_with(path, ".gz")) return read_gzip(path, arena, content, error);
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) return file_error(error, path, "open");
    struct stat facts;
    size_t expected = 1 << 16;
    if (fstat(fileno(stream), &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) {
            errno = EISDIR;
            fclose(stream);
            return file_error(error, path, "read");
        }
        if (S_ISREG(facts.st_mode)) expected = (size_t)facts.st_size + 1;
    }
    fp_status status = read_stream(stream, path, expected, arena, content, error);
    if (!standard) fclose(stream);
    if (status != FP_OK || !ends_with(path, ".zst")) return status;
    return read_zstd(path, *content, arena, content, error);
}

bool fp_next_line(fp_string *rest, fp_string *line) {
    if (rest->length == 0) return false;
    const char *end = memchr(rest->data, '\n', rest->length);
    size_t length = end ? (size_t)(end - rest->data) : rest->length;
    *line = (fp_string){rest->data, length};
    size_t taken = end ? length + 1 : length;
    rest->data += taken;
    rest->length -= taken;
    if (line->length && line->data[line->length - 1] == '\r') line->length--;
    return true;
}

bool fp_next_field(fp_string *rest, char separator, fp_string *field) {
    if (!rest->data) return false;
    const char *end = rest->length ? memchr(rest->data, separator, rest->length) : NULL;
    size_t length = end ? (size_t)(end - rest->data) : rest->length;
    *field = (fp_string){rest->data, length};
    if (end) *rest = (fp_string){end + 1, rest->length - length - 1};
    else *rest = (fp_string){NULL, 0};
    return true;
}
