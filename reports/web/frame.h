/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * frame.h - a self-contained page: one HTML file with its style, its script and its data. It loads nothing from
 * outside, and its policy (CSP 3) enforces this: it names the style and the script by their SHA-256.
 */
#ifndef FP_FRAME_H
#define FP_FRAME_H

#include "base/base.h"

/* The language in which the page opens; the page has both. FP_FRAME_READER: that of the reader's browser. */
typedef enum fp_frame_language { FP_FRAME_READER, FP_FRAME_EN, FP_FRAME_ZH } fp_frame_language;

/* Bytes for the script, in base64 in an element with this id. */
typedef struct fp_frame_data {
    const char *id;
    fp_string bytes;
} fp_frame_data;

typedef struct fp_frame {
    const char *title_en, *title_zh; /* plain text */
    fp_frame_language language;
    const fp_string *styles;   /* one after the other; ended by NULL data. They must not contain "</style" */
    const fp_string *scripts;  /* the same; no "</script". The script fills <main id="page"> */
    const fp_frame_data *data; /* ended by a NULL id */
} fp_frame;

/* Writes the page. The same frame gives the same bytes. The caller checks the stream for errors. */
void fp_frame_write(FILE *to, const fp_frame *frame);

/* ----
 * what a page needs to run the lab: the script, which is part of the program, and the module, which is a separate file,
 * because not every build has the tools to make it.
 */

/* reports/lab/lab.js: the page's script calls Lab.open with the text of the element that holds the module in base64. */
fp_string fp_lab_script(void);

/* lab.wasm.gz, still packed, in `arena`: from the build tree, or installed with the program, whichever the running
 * program belongs to. Unpacked, it ends with a section (WebAssembly, 5.5.3) "fplab" with the digest of its sources,
 * fp_build_lab. Errors, with the command that builds it: FP_ERROR_IO: there is none. FP_ERROR_ABI: it was built from
 * other sources than the program. */
fp_status fp_lab_module(fp_arena *arena, fp_string *bytes, fp_error *error);

#endif
