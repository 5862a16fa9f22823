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

/* ----
 * what a page needs to run the lab: the script, which is part of the program, and the module, which is a
 * file beside it, since not every build has the tools to make it.
 */

/* reports/lab/lab.js: the page's script calls Lab.open with the text of the element that holds the module in base64. */
fp_string fp_lab_script(void);

/* lab.wasm.gz, as it is, in `arena`: of the build tree, or installed with the program, whichever the running program
 * belongs to. At its end, unpacked, stands a section (WebAssembly, 5.5.3) "fplab" with the digest of what it was made
 * of, fp_build_lab. Errors: FP_ERROR_IO where there is none, FP_ERROR_ABI where it was made of other sources than
 * the program, with what makes it. */
fp_status fp_lab_module(fp_arena *arena, fp_string *bytes, fp_error *error);

#endif
