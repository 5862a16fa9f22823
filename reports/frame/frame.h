/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * frame.h - a page that works by itself: one HTML file with its style, its script and its data, which asks for nothing
 * from outside and is held to that by its own policy (CSP 3): the style and the script are named there by their
 * SHA-256.
 */
#ifndef FP_FRAME_H
#define FP_FRAME_H

#include "base/base.h"

/* In which language the page opens; both are in it. FP_FRAME_READER: that of the reader's browser. */
typedef enum fp_frame_language { FP_FRAME_READER, FP_FRAME_EN, FP_FRAME_ZH } fp_frame_language;

/* Bytes for the script, in base64 in an element of that id. */
typedef struct fp_frame_data {
    const char *id;
    fp_string bytes;
} fp_frame_data;

typedef struct fp_frame {
    const char *title_en, *title_zh; /* plain text */
    fp_frame_language language;
    const fp_string *styles;   /* one after the other; ended by NULL data. They hold no "</style" */
    const fp_string *scripts;  /* the same; no "</script". The script fills <main id="page"> */
    const fp_frame_data *data; /* ended by a NULL id */
} fp_frame;

/* Writes the page. Same frame, same bytes. The stream's errors are the caller's to look for. */
void fp_frame_write(FILE *to, const fp_frame *frame);

#endif
