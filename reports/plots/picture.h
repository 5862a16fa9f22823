/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * picture.h - checks that a picture file is complete: gnuplot reports success even when the disk is full.
 */
#ifndef FP_PICTURE_H
#define FP_PICTURE_H

#include "base/base.h"

/* The formats, in the order of their bits in fp_plot_options. */
enum { FP_PICTURE_PNG, FP_PICTURE_SVG, FP_PICTURE_PDF, FP_PICTURE_TIKZ, FP_PICTURES };
extern const char *const fp_picture_names[FP_PICTURES + 1]; /* "png", "svg", "pdf", "tikz"; ended by NULL */

/* PNG: the signature, an IHDR with width and height, and IEND at the end (W3C, PNG specification, section 5). SVG: an
 * svg element with a drawing, closed at the end. PDF: %PDF- at the beginning and %%EOF at the end (ISO 32000-1, section
 * 7.5). TikZ: a whole tikzpicture with a node or a line. Returns what is missing: "has no end"; NULL: complete. */
const char *fp_picture_lacks(fp_string content, int format);

/* ---- gnuplot's pictures for TeX: gnuplot does not escape texts ---- */

/* Writes the picture `content` with node texts escaped for TeX, without gnuplot's date, and with colours that do not
 * overflow XeTeX's stack. */
void fp_tikz_write(fp_string content, FILE *stream);

#endif
