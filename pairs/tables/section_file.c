/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files of sections in: every bound is checked before anything is believed. */
#include "pairs/tables/section_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct fp_section_file {
    const fp_arena *like;
    char *path;
    const unsigned char *map;
    size_t bytes;
    const fp_section_row *rows; /* in the map */
    size_t count;
    const uint64_t *sums; /* in the map */
    size_t sum_count;
    atomic_uchar *right; /* [sum_count] */
};

/* ---- The header ---- */

static fp_status refuse(const fp_section_file *file, fp_status status, const char *why, fp_error *error) {
    return fp_at(error, fp_fail(error, status, "%s", why), file->path, SIZE_MAX, SIZE_MAX);
}

static fp_status check_size(const fp_section_file *file, const fp_section_header *header, fp_error *error) {
    if (header->file_bytes == file->bytes) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "%s: %zu bytes, where its header says %llu",
            header->file_bytes > file->bytes ? "the file is cut off" : "the file is damaged, or goes on behind its end",
            file->bytes, (unsigned long long)header->file_bytes);
    return fp_at(error, FP_ERROR_SYNTAX, file->path, SIZE_MAX, SIZE_MAX);
}

static fp_status check_version(const fp_section_file *file, const char *what, uint32_t is, uint32_t reads,
                               fp_error *error) {
    if (is == reads) return FP_OK;
    fp_fail(error, FP_ERROR_ABI, "the file is of version %u of %s; this program reads version %u", is, what, reads);
    return fp_at(error, FP_ERROR_ABI, file->path, SIZE_MAX, SIZE_MAX);
}

static fp_status check_kind(const fp_section_file *file, const fp_section_header *header, const char *kind,
                            fp_error *error) {
    if (strncmp(header->kind, kind, sizeof header->kind) == 0) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "the file is not of the kind '%s'", kind);
    return fp_at(error, FP_ERROR_SYNTAX, file->path, SIZE_MAX, SIZE_MAX);
}

static fp_status check_header(const fp_section_file *file, const fp_section_header *header, const char *kind,
                              uint32_t version, fp_error *error) {
    if (memcmp(header->magic, FP_SECTION_MAGIC, sizeof header->magic) != 0)
        return refuse(file, FP_ERROR_SYNTAX, "this is no index file", error);
    if (header->order == __builtin_bswap64(FP_SECTION_ORDER))
        return refuse(file, FP_ERROR_ABI, "the file was written on a machine with another order of bytes", error);
    if (header->order != FP_SECTION_ORDER) return refuse(file, FP_ERROR_SYNTAX, "the header is damaged", error);
    FP_TRY(check_version(file, "the format", header->file_version, FP_SECTION_VERSION, error));
    FP_TRY(check_kind(file, header, kind, error));
    FP_TRY(check_version(file, kind, header->kind_version, version, error));
    return check_size(file, header, error);
}

/* ---- The directory ---- */

/* FP_ERROR_MEMORY. */
static fp_status make_checksum(const fp_section_file *file, const fp_section_header *header, uint64_t *checksum,
                               fp_error *error) {
    fp_arena *arena = fp_arena_new_like(file->like);
    fp_xxh3_sum *sum = arena ? fp_xxh3_begin(arena) : NULL;
    if (sum) {
        fp_xxh3_add(sum, (fp_string){(const char *)header, offsetof(fp_section_header, checksum)});
        fp_xxh3_add(sum, (fp_string){(const char *)file->map + header->directory, file->bytes - header->directory});
        *checksum = fp_xxh3_end(sum);
    }
    if (arena) fp_arena_free(arena);
    return sum ? FP_OK : fp_no_memory(error);
}

/* A section lies between the header and the directory, and its name ends. */
static bool row_is_good(const fp_section_row *row, uint64_t directory) {
    return memchr(row->name, 0, sizeof row->name) && row->offset >= sizeof(fp_section_header) &&
           row->offset % FP_SECTION_ALIGNMENT == 0 && row->offset <= directory && row->bytes <= directory - row->offset;
}

static bool directory_is_good(fp_section_file *file, const fp_section_header *header) {
    size_t bytes = file->bytes - header->directory, pages = 0;
    const fp_section_directory *directory = (const void *)(file->map + header->directory);
    if (directory->page_bytes != FP_SECTION_PAGE) return false;
    bytes -= sizeof *directory;
    if (directory->section_count > bytes / sizeof(fp_section_row)) return false;
    file->count = directory->section_count;
    file->rows = (const void *)(directory + 1);
    bytes -= file->count * sizeof(fp_section_row);
    for (size_t i = 0; i < file->count; i++) {
        if (!row_is_good(file->rows + i, header->directory)) return false;
        pages += fp_section_pages(file->rows[i].bytes);
    }
    file->sums = (const void *)(file->rows + file->count);
    file->sum_count = pages;
    return bytes % sizeof *file->sums == 0 && bytes / sizeof *file->sums == pages;
}

static fp_status check_directory(fp_section_file *file, const fp_section_header *header, fp_error *error) {
    bool good = header->directory >= sizeof *header && header->directory % FP_SECTION_ALIGNMENT == 0 &&
                header->directory <= file->bytes && file->bytes - header->directory >= sizeof(fp_section_directory);
    uint64_t checksum = 0;
    if (good) FP_TRY(make_checksum(file, header, &checksum, error));
    good = good && checksum == header->checksum;
    if (good && directory_is_good(file, header)) return FP_OK;
    return refuse(file, FP_ERROR_SYNTAX, "the header of the file, or the directory of its sections, is damaged", error);
}

/* ---- Opening ---- */

static fp_status map_file(fp_section_file *file, int descriptor, fp_error *error) {
    struct stat facts;
    if (fstat(descriptor, &facts) != 0) return fp_file_error(error, file->path, "read");
    if (!S_ISREG(facts.st_mode)) return refuse(file, FP_ERROR_IO, "an index must be a regular file", error);
    if ((size_t)facts.st_size < sizeof(fp_section_header))
        return refuse(file, FP_ERROR_SYNTAX, "this is no index file, or it is cut off", error);
    void *map = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (map == MAP_FAILED) return fp_file_error(error, file->path, "map");
    file->map = map;
    file->bytes = (size_t)facts.st_size;
    return FP_OK;
}

static fp_status open_file(fp_section_file *file, const char *path, const char *kind, uint32_t version,
                           fp_error *error) {
    size_t length = strlen(path) + 1;
    file->path = fp_memory_take(file->like, length, 1);
    if (!file->path) return fp_no_memory(error);
    memcpy(file->path, path, length);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe does not wait */
    if (descriptor < 0) return fp_file_error(error, path, "open");
    fp_status status = map_file(file, descriptor, error);
    close(descriptor);
    if (status != FP_OK) return status;
    const fp_section_header *header = (const void *)file->map;
    FP_TRY(check_header(file, header, kind, version, error));
    FP_TRY(check_directory(file, header, error));
    file->right = fp_memory_take(file->like, file->sum_count + 1, sizeof *file->right);
    return file->right ? FP_OK : fp_no_memory(error);
}

fp_status fp_section_file_open(const char *path, const char *kind, uint32_t version, const fp_arena *like,
                               fp_section_file **file, fp_error *error) {
    *file = fp_memory_take(like, 1, sizeof **file);
    if (!*file) return fp_no_memory(error);
    (*file)->like = like;
    fp_status status = open_file(*file, path, kind, version, error);
    if (status == FP_OK) return FP_OK;
    fp_section_file_close(*file);
    *file = NULL;
    return status;
}

void fp_section_file_close(fp_section_file *file) {
    if (!file) return;
    const fp_arena *like = file->like;
    if (file->map) munmap((void *)(uintptr_t)file->map, file->bytes);
    fp_memory_release(like, file->right);
    fp_memory_release(like, file->path);
    fp_memory_release(like, file);
}

/* ---- Sections ---- */

const char *fp_section_file_path(const fp_section_file *file) { return file->path; }

uint64_t fp_section_file_sum(const fp_section_file *file) {
    return ((const fp_section_header *)(const void *)file->map)->checksum;
}

size_t fp_section_count(const fp_section_file *file) { return file->count; }

fp_section fp_section_at(const fp_section_file *file, size_t index) {
    const fp_section_row *row = file->rows + index;
    size_t pages = 0;
    for (size_t i = 0; i < index; i++) pages += fp_section_pages(file->rows[i].bytes);
    return (fp_section){row->name, file->map + row->offset, row->bytes, file->right + pages};
}

bool fp_section_find(const fp_section_file *file, const char *name, fp_section *section) {
    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->rows[i].name, name) != 0) continue;
        *section = fp_section_at(file, i);
        return true;
    }
    return false;
}

fp_status fp_section_damaged(const fp_section_file *file, const char *name, const char *what, fp_error *error) {
    fp_fail(error, FP_ERROR_SYNTAX, "the section %s is damaged: %s", name, what);
    return fp_at(error, FP_ERROR_SYNTAX, file->path, SIZE_MAX, SIZE_MAX);
}

/* ---- Checksums ---- */

typedef struct check {
    const fp_section_file *file;
    bool *bad;      /* [pages] */
    size_t *before; /* [sections + 1] pages before each */
} check;

static bool page_is_good(const fp_section_file *file, const fp_section_row *row, size_t page, uint64_t sum) {
    size_t first = page * FP_SECTION_PAGE, rest = row->bytes - first;
    return fp_xxh3(file->map + row->offset + first, rest < FP_SECTION_PAGE ? rest : FP_SECTION_PAGE, 0) == sum;
}

fp_status fp_section_find_good(const fp_section_file *file, const char *name, fp_section *section, fp_error *error) {
    const uint64_t *sum = file->sums;
    for (size_t i = 0; i < file->count; sum += fp_section_pages(file->rows[i++].bytes)) {
        const fp_section_row *row = file->rows + i;
        if (strcmp(row->name, name) != 0) continue;
        for (size_t page = 0; page < fp_section_pages(row->bytes); page++)
            if (!page_is_good(file, row, page, sum[page]))
                return fp_section_damaged(file, name, "its checksum is another", error);
        *section = fp_section_at(file, i);
        return FP_OK;
    }
    return fp_section_damaged(file, name, "it is missing", error);
}

fp_status fp_section_check_page(const fp_section_file *file, atomic_uchar *right, fp_error *error) {
    size_t of_file = (size_t)(right - file->right), page = of_file;
    const fp_section_row *row = file->rows;
    for (; page >= fp_section_pages(row->bytes); row++) page -= fp_section_pages(row->bytes);
    if (page_is_good(file, row, page, file->sums[of_file])) {
        atomic_store_explicit(right, 1, memory_order_relaxed);
        return FP_OK;
    }
    size_t first = page * FP_SECTION_PAGE, rest = row->bytes - first;
    fp_fail(error, FP_ERROR_SYNTAX,
            "bytes %zu to %zu of the section %s are damaged; `fplab index merge` makes the file again", first,
            first + (rest < FP_SECTION_PAGE ? rest : FP_SECTION_PAGE) - 1, row->name);
    return fp_at(error, FP_ERROR_SYNTAX, file->path, SIZE_MAX, SIZE_MAX);
}

static fp_status check_page(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    const check *in = context;
    size_t section = 0, end = in->file->count; /* the last whose pages begin at or before the index */
    while (end - section > 1) {
        size_t middle = (section + end) / 2;
        if (in->before[middle] <= index) section = middle;
        else end = middle;
    }
    in->bad[index] =
        !page_is_good(in->file, in->file->rows + section, index - in->before[section], in->file->sums[index]);
    return FP_OK;
}

static void tell_section(const check *in, size_t section, void (*tell)(void *context, const fp_section_damage *),
                         void *context) {
    size_t bytes = in->file->rows[section].bytes, first = in->before[section], end = in->before[section + 1];
    for (size_t page = first; page < end; page++) {
        if (!in->bad[page]) continue;
        size_t from = page;
        while (page < end && in->bad[page]) page++;
        size_t to = (page - first) * FP_SECTION_PAGE;
        tell(context, &(fp_section_damage){section, (from - first) * FP_SECTION_PAGE, to < bytes ? to : bytes});
    }
}

static fp_status verify(check *in, fp_arena *arena, void (*tell)(void *context, const fp_section_damage *),
                        void *context, const fp_progress *progress, fp_error *error) {
    size_t count = in->file->count;
    in->bad = fp_arena_alloc(arena, in->file->sum_count, sizeof *in->bad);
    in->before = fp_arena_alloc(arena, count + 1, sizeof *in->before);
    if (!in->bad || !in->before) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) in->before[i + 1] = in->before[i] + fp_section_pages(in->file->rows[i].bytes);
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = fp_parallel(in->file->sum_count, &arenas, true, check_page, in, "check", progress, error);
    fp_arenas_free(&arenas);
    for (size_t i = 0; status == FP_OK && i < count; i++) tell_section(in, i, tell, context);
    return status;
}

fp_status fp_section_file_verify(const fp_section_file *file, void (*tell)(void *context, const fp_section_damage *),
                                 void *context, const fp_progress *progress, fp_error *error) {
    check in = {.file = file};
    fp_arena *arena = fp_arena_new_like(file->like);
    if (!arena) return fp_no_memory(error);
    fp_status status = verify(&in, arena, tell, context, progress, error);
    fp_arena_free(arena);
    return status;
}

/* ----
 * Files of sections out: the sections as they come, their directory behind them, and the header, which knows where that
 * is, at last.
 */

struct fp_section_writer {
    fp_output output;
    const fp_arena *like;
    fp_arena *arena;
    fp_section_header header;
    fp_section_row *rows; /* [count], of room for `rows_room` */
    size_t count, rows_room;
    uint64_t *sums; /* of the pages that are complete */
    size_t sum_count, sums_room;
    fp_xxh3_sum *page; /* the page that is not */
    size_t in_page;
    uint64_t at; /* bytes written */
};

/* Room for one more of `size` bytes each. */
static void *one_more(fp_section_writer *writer, void *list, size_t count, size_t *room, size_t size) {
    if (count < *room) return list;
    size_t larger = *room ? *room * 2 : 64;
    void *made = fp_arena_grow(writer->arena, list, larger * size);
    if (made) *room = larger;
    return made;
}

static fp_status put(fp_section_writer *writer, const void *data, size_t bytes, fp_error *error) {
    if (bytes && fwrite(data, 1, bytes, writer->output.stream) != bytes)
        return fp_file_error(error, writer->output.path, "write");
    writer->at += bytes;
    return FP_OK;
}

static fp_status start(fp_section_writer *writer, const char *path, const char *kind, uint32_t version,
                       fp_error *error) {
    size_t length = strlen(kind);
    if (length < 1 || length > FP_SECTION_KIND)
        return fp_fail(error, FP_ERROR_RANGE, "a kind of file has 1 to %d bytes", FP_SECTION_KIND);
    writer->arena = fp_arena_new_like(writer->like);
    writer->page = writer->arena ? fp_xxh3_begin(writer->arena) : NULL;
    if (!writer->page) return fp_no_memory(error);
    memcpy(writer->header.magic, FP_SECTION_MAGIC, sizeof writer->header.magic);
    memcpy(writer->header.kind, kind, length);
    writer->header.order = FP_SECTION_ORDER;
    writer->header.file_version = FP_SECTION_VERSION;
    writer->header.kind_version = version;
    fp_status status = fp_output_open(&writer->output, path, error);
    if (status != FP_OK) writer->output.path[0] = '\0'; /* nothing is to be given up */
    if (status != FP_OK) return status;
    return put(writer, &writer->header, sizeof writer->header, error);
}

fp_status fp_section_writer_open(const char *path, const char *kind, uint32_t version, const fp_arena *like,
                                 fp_section_writer **writer, fp_error *error) {
    *writer = fp_memory_take(like, 1, sizeof **writer);
    if (!*writer) return fp_no_memory(error);
    (*writer)->like = like;
    fp_status status = start(*writer, path, kind, version, error);
    if (status == FP_OK) return FP_OK;
    fp_section_writer_discard(*writer);
    *writer = NULL;
    return status;
}

static fp_status end_page(fp_section_writer *writer, fp_error *error) {
    uint64_t *sums = one_more(writer, writer->sums, writer->sum_count, &writer->sums_room, sizeof *sums);
    if (!sums) return fp_no_memory(error);
    writer->sums = sums;
    sums[writer->sum_count++] = fp_xxh3_end(writer->page);
    fp_xxh3_again(writer->page);
    writer->in_page = 0;
    return FP_OK;
}

/* The last page of a section, and what is missing to the place where another may begin. */
static fp_status end_section(fp_section_writer *writer, fp_error *error) {
    static const char zeros[FP_SECTION_ALIGNMENT];
    if (writer->in_page) FP_TRY(end_page(writer, error));
    return put(writer, zeros, (size_t)(-writer->at & (FP_SECTION_ALIGNMENT - 1)), error);
}

fp_status fp_section_begin(fp_section_writer *writer, const char *name, fp_error *error) {
    size_t length = strlen(name);
    if (length < 1 || length > FP_SECTION_NAME)
        return fp_fail(error, FP_ERROR_RANGE, "the name of a section has 1 to %d bytes", FP_SECTION_NAME);
    FP_TRY(end_section(writer, error));
    fp_section_row *rows = one_more(writer, writer->rows, writer->count, &writer->rows_room, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    writer->rows = rows;
    rows[writer->count] = (fp_section_row){.offset = writer->at};
    memcpy(rows[writer->count++].name, name, length);
    return FP_OK;
}

fp_status fp_section_add(fp_section_writer *writer, const void *data, size_t bytes, fp_error *error) {
    FP_TRY(put(writer, data, bytes, error));
    writer->rows[writer->count - 1].bytes += bytes;
    for (const char *from = data; bytes;) {
        size_t room = FP_SECTION_PAGE - writer->in_page, some = bytes < room ? bytes : room;
        fp_xxh3_add(writer->page, (fp_string){from, some});
        writer->in_page += some;
        from += some;
        bytes -= some;
        if (writer->in_page == FP_SECTION_PAGE) FP_TRY(end_page(writer, error));
    }
    return FP_OK;
}

static fp_status finish(fp_section_writer *writer, fp_error *error) {
    FP_TRY(end_section(writer, error));
    fp_section_directory directory = {writer->count, FP_SECTION_PAGE};
    fp_string parts[] = {{(const char *)&directory, sizeof directory},
                         {(const char *)writer->rows, writer->count * sizeof *writer->rows},
                         {(const char *)writer->sums, writer->sum_count * sizeof *writer->sums}};
    fp_section_header *header = &writer->header;
    header->directory = header->file_bytes = writer->at;
    for (size_t i = 0; i < 3; i++) header->file_bytes += parts[i].length;
    fp_xxh3_add(writer->page, (fp_string){(const char *)header, offsetof(fp_section_header, checksum)});
    for (size_t i = 0; i < 3; i++) {
        fp_xxh3_add(writer->page, parts[i]);
        FP_TRY(put(writer, parts[i].data, parts[i].length, error));
    }
    header->checksum = fp_xxh3_end(writer->page);
    if (fseek(writer->output.stream, 0, SEEK_SET) != 0) return fp_file_error(error, writer->output.path, "write");
    return put(writer, header, sizeof *header, error);
}

static void release(fp_section_writer *writer) {
    const fp_arena *like = writer->like;
    if (writer->arena) fp_arena_free(writer->arena);
    fp_memory_release(like, writer);
}

fp_status fp_section_writer_close(fp_section_writer *writer, fp_error *error) {
    fp_status status = finish(writer, error);
    if (status == FP_OK) status = fp_output_close(&writer->output, error);
    else fp_output_discard(&writer->output);
    release(writer);
    return status;
}

void fp_section_writer_discard(fp_section_writer *writer) {
    if (!writer) return;
    fp_output_discard(&writer->output);
    release(writer);
}
