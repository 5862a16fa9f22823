/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tikz.h - gnuplot's pictures for TeX: it writes texts as they are, and TeX would obey them.
 */
#ifndef FP_TIKZ_H
#define FP_TIKZ_H

#include "base/base.h"

/* Writes the sign that the text begins with, where it is one that fonts of text do not have (π, ≤), as TeX makes it: in
 * the mode for mathematics. Returns its bytes; 0 where it is none of them. */
size_t fp_tex_sign(fp_string text, FILE *stream);

/* Writes the picture `content` with every text of a node so that TeX prints it as it stands, without the date that
 * gnuplot puts into it, and with colours that XeTeX keeps. */
void fp_tikz_write(fp_string content, FILE *stream);

#endif
