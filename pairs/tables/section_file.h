/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * section_file.h - a file of named sections, mapped into memory: what an index on disk is made of. Every page of a
 * section has a checksum, which is checked when the page is first touched; the header and the directory of the sections
 * have one that is checked at each opening, with every bound, so that no damaged file leads outside of itself.
 * docs/index-format.md tells the bytes.
 */
#ifndef FP_SECTION_FILE_H
#define FP_SECTION_FILE_H

#include <stdatomic.h>

#include "base/parallel.h"

enum { FP_SECTION_PAGE = 1 << 20, FP_SECTION_ALIGNMENT = 64, FP_SECTION_NAME = 31, FP_SECTION_KIND = 15 };

/* ---- Writing ---- */

typedef struct fp_section_writer fp_section_writer;

/* The file appears under its name when it is closed, and only if all was well (fp_output); a file of that name stays as
 * it is until then, and stays mapped where it is. `kind` has 1 to FP_SECTION_KIND bytes and says what the sections are,
 * `version` how. FP_ERROR_IO. */
fp_status fp_section_writer_open(const char *path, const char *kind, uint32_t version, const fp_arena *like,
                                 fp_section_writer **writer, fp_error *error);
/* The next section begins: of 1 to FP_SECTION_NAME bytes as a name that no other has; its data will be aligned to
 * FP_SECTION_ALIGNMENT bytes. */
fp_status fp_section_begin(fp_section_writer *writer, const char *name, fp_error *error);
fp_status fp_section_add(fp_section_writer *writer, const void *data, size_t bytes, fp_error *error);
/* Each ends the writer, whatever its status; discard takes NULL, and nothing appears. */
fp_status fp_section_writer_close(fp_section_writer *writer, fp_error *error);
void fp_section_writer_discard(fp_section_writer *writer);

/* ---- Reading ---- */

typedef struct fp_section_file fp_section_file; /* read-only, for any number of threads */

typedef struct fp_section {
    const char *name;
    const void *data; /* aligned to FP_SECTION_ALIGNMENT bytes; as long as the file is open */
    size_t bytes;
    atomic_uchar *right; /* [pages]: whether each was found to be what was written */
} fp_section;

/* FP_ERROR_IO: cannot be opened or mapped. FP_ERROR_ABI: another version, or another order of bytes. FP_ERROR_SYNTAX:
 * no such file, one of another kind, cut off, damaged in its header or its directory. Each in one line, at `path`. */
fp_status fp_section_file_open(const char *path, const char *kind, uint32_t version, const fp_arena *like,
                               fp_section_file **file, fp_error *error);
void fp_section_file_close(fp_section_file *file); /* takes NULL */

const char *fp_section_file_path(const fp_section_file *file);
/* The checksum of the header, which covers those of all pages: files of equal sums hold the same. */
uint64_t fp_section_file_sum(const fp_section_file *file);
size_t fp_section_count(const fp_section_file *file);
fp_section fp_section_at(const fp_section_file *file, size_t index); /* in the order in which they were written */
bool fp_section_find(const fp_section_file *file, const char *name, fp_section *section);
/* Finds a section whose checksums are right, for those that are small and lead to others. FP_ERROR_SYNTAX. */
fp_status fp_section_find_good(const fp_section_file *file, const char *name, fp_section *section, fp_error *error);
/* "the section NAME is damaged: WHAT", at the path: for those who know what a section must hold. FP_ERROR_SYNTAX. */
fp_status fp_section_damaged(const fp_section_file *file, const char *name, const char *what, fp_error *error);

/* Checks a page by its place in `right`; FP_ERROR_SYNTAX names the bytes and the next step. */
fp_status fp_section_check_page(const fp_section_file *file, atomic_uchar *right, fp_error *error);

/* What must be called before bytes first … end − 1 of a section are believed: reads their pages the first time. `right`
 * NULL: the data are no file. */
static inline fp_status fp_section_touch(const fp_section_file *file, atomic_uchar *right, size_t first, size_t end,
                                         fp_error *error) {
    if (!right) return FP_OK;
    for (size_t page = first / FP_SECTION_PAGE; page * FP_SECTION_PAGE < end; page++)
        if (!atomic_load_explicit(right + page, memory_order_relaxed))
            FP_TRY(fp_section_check_page(file, right + page, error));
    return FP_OK;
}

/* Bytes of a section that are not what was written: whole pages, neighbours together. */
typedef struct fp_section_damage {
    size_t section;
    size_t first, end; /* bytes of its data, first < end */
} fp_section_damage;
/* Reads all of the file, over threads, and tells every damage in its order; the calling thread tells. */
fp_status fp_section_file_verify(const fp_section_file *file, void (*tell)(void *context, const fp_section_damage *),
                                 void *context, const fp_progress *progress, fp_error *error);

/* ----
 * the bytes of a file of sections (docs/index-format.md), for what writes it and what reads it. All
 * numbers are little-endian on a machine that is, and `order` tells.
 */

#define FP_SECTION_MAGIC "fplabsec"
#define FP_SECTION_ORDER UINT64_C(0x0102030405060708)
enum { FP_SECTION_VERSION = 1 };

typedef struct fp_section_header {
    char magic[8];
    uint64_t order;
    char kind[FP_SECTION_KIND + 1]; /* padded with NULs */
    uint32_t file_version, kind_version;
    uint64_t file_bytes;
    uint64_t directory; /* where it begins; it ends with the file */
    uint64_t checksum;  /* XXH3-64 of the bytes before it, followed by the directory */
} fp_section_header;

typedef struct fp_section_directory {
    uint64_t section_count, page_bytes;
    /* the rows, then the checksums of the pages (XXH3-64 each), section after section */
} fp_section_directory;

typedef struct fp_section_row {
    char name[FP_SECTION_NAME + 1]; /* padded with NULs */
    uint64_t offset, bytes;
} fp_section_row;

_Static_assert(sizeof(fp_section_header) == 64 && sizeof(fp_section_directory) == 16 && sizeof(fp_section_row) == 48,
               "the file has no gaps");

static inline size_t fp_section_pages(uint64_t bytes) { return (bytes + FP_SECTION_PAGE - 1) / FP_SECTION_PAGE; }

#endif
