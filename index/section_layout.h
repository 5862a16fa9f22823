/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * section_layout.h - the bytes of a file of sections (docs/index-format.md), for what writes it and what reads it. All
 * numbers are little-endian on a machine that is, and `order` tells.
 */
#ifndef FP_SECTION_LAYOUT_H
#define FP_SECTION_LAYOUT_H

#include "index/section_file.h"

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
