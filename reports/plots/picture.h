/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * picture.h - whether a file is a picture from its first byte to its last: gnuplot says that it is well on a full disk.
 */
#ifndef FP_PICTURE_H
#define FP_PICTURE_H

#include "base/base.h"

/* The formats, in the order of their bits in fp_plot_options. */
enum { FP_PICTURE_PNG, FP_PICTURE_SVG, FP_PICTURE_PDF, FP_PICTURE_TIKZ, FP_PICTURES };
extern const char *const fp_picture_names[FP_PICTURES + 1]; /* "png", "svg", "pdf", "tikz"; ended by NULL */

/* PNG: the signature, an IHDR with a width and a height, and IEND at the end (W3C, PNG specification, section 5). SVG:
 * an svg element, closed at the end, and a drawing in it. PDF: %PDF- at the beginning and %%EOF at the end (ISO
 * 32000-1, section 7.5). TikZ: a tikzpicture from its begin to its end, with a node or a line in it. What is missing is
 * told: "has no end". NULL when all is there. */
const char *fp_picture_lacks(fp_string content, int format);

/* ---- gnuplot's pictures for TeX: it writes texts as they are, and TeX would obey them. ---- */

/* Writes the picture `content` with every text of a node so that TeX prints it as it stands, without the date that
 * gnuplot puts into it, and with colours that XeTeX keeps. */
void fp_tikz_write(fp_string content, FILE *stream);

#endif
