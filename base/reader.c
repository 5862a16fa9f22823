/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading files as bytes: plain, gzip, Zstandard. */
#include "base/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { INPUT = 1 << 16, GZIP_WINDOW = 15 + 16 /* zlib: the largest window, with a gzip header */ };

typedef enum packing { PLAIN, GZIP, ZSTD } packing;

struct fp_reader {
    const fp_arena *like; /* memory source */
    int descriptor;
    const char *path;  /* as the caller named it */
    off_t start, size; /* of a regular file; else −1 */
    packing packing;
    z_stream gzip;
    ZSTD_DStream *zstd;
    bool open;        /* inside a member or frame that has not ended */
    bool ended;       /* end of the file itself */
    fp_status failed; /* unpacking failed after bytes that were already returned; FP_OK: not failed */
    fp_error failure;
    size_t at, filled;
    unsigned char input[INPUT]; /* bytes of the file itself */
};

const char *fp_path_shown(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

const char *fp_reader_name(const fp_reader *reader) { return fp_path_shown(reader->path); }

bool fp_reader_unpacks(const fp_reader *reader) { return reader->packing != PLAIN; }

static fp_status broken(const fp_reader *reader, const char *reason, fp_error *error) {
    static const char *const KINDS[] = {"", "gzip", "Zstandard"};
    return FP_FAIL_AT(error, FP_ERROR_IO, fp_reader_name(reader), "not a valid %s file: %s", KINDS[reader->packing],
                      reason);
}

/* ---- The file itself ---- */

/* One read(); *got is 0 at the end. */
static fp_status read_some(fp_reader *reader, void *to, size_t room, size_t *got, fp_error *error) {
    *got = 0;
    while (!reader->ended) {
        ssize_t count = read(reader->descriptor, to, room);
        if (count >= 0) {
            *got = (size_t)count;
            reader->ended = count == 0;
            return FP_OK;
        }
        if (errno == EAGAIN) poll(&(struct pollfd){.fd = reader->descriptor, .events = POLLIN}, 1, -1);
        else if (errno != EINTR) return fp_file_error(error, fp_reader_name(reader), "read");
    }
    return FP_OK;
}

/* Refills `input` once all of it is consumed. */
static fp_status fill(fp_reader *reader, fp_error *error) {
    if (reader->at < reader->filled) return FP_OK;
    reader->at = 0;
    return read_some(reader, reader->input, INPUT, &reader->filled, error);
}

/* ---- Detecting the format ---- */

static const struct {
    packing packing;
    size_t length;
    unsigned char bytes[4];
    const char *ending;
} MAGIC[] = {{GZIP, 2, {0x1f, 0x8b}, ".gz"}, {ZSTD, 4, {0x28, 0xb5, 0x2f, 0xfd}, ".zst"}};
enum { KINDS = sizeof MAGIC / sizeof *MAGIC };

/* Whether the bytes read so far are the beginning of the magic number. */
static bool begins_like(const fp_reader *reader, size_t kind) {
    size_t known = reader->filled < MAGIC[kind].length ? reader->filled : MAGIC[kind].length;
    return memcmp(reader->input, MAGIC[kind].bytes, known) == 0;
}

/* Reads only while the bytes are an incomplete magic number: a pipe may be slow. */
static fp_status read_magic(fp_reader *reader, fp_error *error) {
    for (bool more = true; more && !reader->ended;) {
        size_t got;
        FP_TRY(read_some(reader, reader->input + reader->filled, INPUT - reader->filled, &got, error));
        reader->filled += got;
        more = false;
        for (size_t k = 0; k < KINDS; k++) more |= begins_like(reader, k) && reader->filled < MAGIC[k].length;
    }
    return FP_OK;
}

const char *fp_packed_path(const char *path, fp_arena *arena) {
    const char *found = path;
    for (size_t k = 0; k < KINDS && found && access(found, F_OK) != 0; k++)
        found = fp_format(arena, "%s%s", path, MAGIC[k].ending);
    return found && access(found, F_OK) != 0 ? path : found;
}

static packing packing_of(const fp_reader *reader) {
    for (size_t k = 0; k < KINDS; k++)
        if (reader->filled >= MAGIC[k].length && begins_like(reader, k)) return MAGIC[k].packing;
    for (size_t k = 0; k < KINDS; k++)
        if (fp_string_ends(fp_string_of(reader->path), fp_string_of(MAGIC[k].ending))) return MAGIC[k].packing;
    return PLAIN;
}

static fp_status begin(fp_reader *reader, fp_error *error) {
    reader->at = reader->filled = 0;
    reader->ended = false;
    reader->failed = FP_OK;
    FP_TRY(read_magic(reader, error));
    reader->packing = packing_of(reader);
    reader->open = reader->packing != PLAIN;
    if (reader->packing == GZIP && !reader->gzip.state && inflateInit2(&reader->gzip, GZIP_WINDOW) != Z_OK)
        return fp_no_memory(error);
    if (reader->packing == GZIP) inflateReset(&reader->gzip);
    if (reader->packing == ZSTD && !reader->zstd && !(reader->zstd = ZSTD_createDStream())) return fp_no_memory(error);
    if (reader->packing == ZSTD) ZSTD_initDStream(reader->zstd);
    return FP_OK;
}

/* ---- Opening ---- */

static fp_status open_file(fp_reader *reader, fp_error *error) {
    struct stat facts;
    if (strcmp(reader->path, "-") == 0) reader->descriptor = STDIN_FILENO;
    else reader->descriptor = open(reader->path, O_RDONLY | O_CLOEXEC);
    if (reader->descriptor < 0) return fp_file_error(error, reader->path, "open");
    if (fstat(reader->descriptor, &facts) != 0) return fp_file_error(error, fp_reader_name(reader), "read");
    if (S_ISDIR(facts.st_mode)) {
        errno = EISDIR;
        return fp_file_error(error, fp_reader_name(reader), "read");
    }
    if (S_ISREG(facts.st_mode)) reader->start = lseek(reader->descriptor, 0, SEEK_CUR);
    if (reader->start >= 0) reader->size = facts.st_size;
    return begin(reader, error);
}

fp_status fp_reader_open(const char *path, const fp_arena *like, fp_reader **opened, fp_error *error) {
    *opened = NULL;
    fp_reader *reader = FP_NEED(fp_memory_take(like, 1, sizeof *reader), error);
    reader->path = path;
    reader->like = like;
    reader->descriptor = -1;
    reader->start = reader->size = -1;
    fp_status status = open_file(reader, error);
    if (status == FP_OK) *opened = reader;
    else fp_reader_close(reader);
    return status;
}

void fp_reader_close(fp_reader *reader) {
    if (!reader) return;
    if (reader->descriptor > STDIN_FILENO) close(reader->descriptor);
    if (reader->gzip.state) inflateEnd(&reader->gzip);
    ZSTD_freeDStream(reader->zstd);
    fp_memory_release(reader->like, reader);
}

size_t fp_reader_expected(const fp_reader *reader) {
    if (reader->packing == PLAIN && reader->size >= reader->start && reader->start >= 0)
        return (size_t)(reader->size - reader->start);
    if (reader->packing != ZSTD) return SIZE_MAX;
    unsigned long long stated = ZSTD_getFrameContentSize(reader->input, reader->filled);
    bool known = stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != ZSTD_CONTENTSIZE_ERROR && stated < SIZE_MAX;
    return known ? (size_t)stated : SIZE_MAX;
}

bool fp_reader_can_rewind(const fp_reader *reader) { return reader->start >= 0; }

fp_status fp_reader_rewind(fp_reader *reader, fp_error *error) {
    if (lseek(reader->descriptor, reader->start, SEEK_SET) < 0)
        return fp_file_error(error, fp_reader_name(reader), "read again");
    return begin(reader, error);
}

/* ---- Unpacking: each call produces what the current input gives, which may be nothing ---- */

static fp_status step_gzip(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error) {
    z_stream *stream = &reader->gzip;
    if (!reader->open) {
        if (reader->input[reader->at] != MAGIC[0].bytes[0])
            return broken(reader, "there are bytes behind its end", error);
        inflateReset(stream);
    }
    unsigned most = room > 1u << 30 ? 1u << 30 : (unsigned)room;
    stream->next_in = reader->input + reader->at;
    stream->avail_in = (unsigned)(reader->filled - reader->at);
    stream->next_out = (unsigned char *)to;
    stream->avail_out = most;
    int code = inflate(stream, Z_NO_FLUSH);
    reader->at = reader->filled - stream->avail_in;
    *got = most - stream->avail_out;
    reader->open = code != Z_STREAM_END;
    if (code == Z_MEM_ERROR) return fp_no_memory(error);
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return FP_OK;
    return broken(reader, stream->msg ? stream->msg : "damaged", error);
}

static fp_status step_zstd(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error) {
    ZSTD_outBuffer output = {to, room, 0};
    ZSTD_inBuffer input = {reader->input, reader->filled, reader->at};
    size_t code = ZSTD_decompressStream(reader->zstd, &output, &input);
    reader->at = input.pos;
    *got = output.pos;
    reader->open = code != 0;
    if (!ZSTD_isError(code)) return FP_OK;
    if (ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation) return fp_no_memory(error);
    return broken(reader, ZSTD_getErrorName(code), error);
}

/* A decompressor inside a member may hold output that needs no more input, so it is called before more is read. */
static fp_status unpack(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error) {
    *got = 0;
    if (reader->failed != FP_OK) {
        if (error) *error = reader->failure;
        return reader->failed;
    }
    while (*got == 0) {
        if (reader->open || reader->at < reader->filled) {
            fp_status status =
                (reader->packing == GZIP ? step_gzip : step_zstd)(reader, to, room, got, &reader->failure);
            reader->failed = status;
            if (status != FP_OK && *got == 0) {
                if (error) *error = reader->failure;
                return status;
            }
        }
        if (*got || reader->at < reader->filled) continue;
        if (reader->ended) return reader->open ? broken(reader, "it is cut short", error) : FP_OK;
        FP_TRY(fill(reader, error));
    }
    return FP_OK;
}

fp_status fp_reader_read(fp_reader *reader, char *to, size_t room, size_t *got, fp_error *error) {
    if (reader->packing != PLAIN) return unpack(reader, to, room, got, error);
    if (reader->at == reader->filled) return read_some(reader, to, room, got, error);
    *got = reader->filled - reader->at < room ? reader->filled - reader->at : room;
    memcpy(to, reader->input + reader->at, *got);
    reader->at += *got;
    return FP_OK;
}
