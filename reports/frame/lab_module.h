/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_module.h - what a page needs to run the lab: the script, which is part of the program, and the module, which is a
 * file beside it, since not every build has the tools to make it.
 */
#ifndef FP_LAB_MODULE_H
#define FP_LAB_MODULE_H

#include "base/base.h"

/* reports/lab/lab.js: the page's script calls Lab.open with the text of the element that holds the module in base64. */
fp_string fp_lab_script(void);

/* lab.wasm.gz, as it is, in `arena`: of the build tree, or installed with the program, whichever the running program
 * belongs to. At its end, unpacked, stands a section (WebAssembly, 5.5.3) "fplab" with the digest of what it was made
 * of, fp_build_lab. Errors: FP_ERROR_IO where there is none, FP_ERROR_ABI where it was made of other sources than
 * the program, with what makes it. */
fp_status fp_lab_module(fp_arena *arena, fp_string *bytes, fp_error *error);

#endif
