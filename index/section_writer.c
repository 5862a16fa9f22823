/* SPDX-License-Identifier: GPL-3.0-or-later
 * Files of sections out: the sections as they come, their directory behind them, and the header, which knows where that
 * is, at last. */
#include <errno.h>
#include <string.h>

#include "index/section_layout.h"

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
