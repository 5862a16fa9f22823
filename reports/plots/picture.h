/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * picture.h - formats of pictures.
 */
#ifndef FP_PICTURE_H
#define FP_PICTURE_H

#include "base/base.h"

/* The formats, in the order of their bits in fp_plot_options. */
enum { FP_PICTURE_PNG, FP_PICTURE_SVG, FP_PICTURE_PDF, FP_PICTURE_TIKZ, FP_PICTURES };
extern const char *const fp_picture_names[FP_PICTURES + 1]; /* "png", "svg", "pdf", "tikz"; ended by NULL */

/* Whether a picture begins and ends as its format does: PNG (W3C, section 5), PDF (ISO 32000-1, 7.5). */
bool fp_picture_is_whole(fp_string content, int format);

/* ---- gnuplot's pictures for TeX: gnuplot does not escape texts ---- */

/* Writes the picture `content` with node texts escaped for TeX, without gnuplot's date, and with colours that do not
 * overflow XeTeX's stack. */
void fp_tikz_write(fp_string content, FILE *stream);

#endif
