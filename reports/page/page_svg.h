/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * page_svg.h - a picture of gnuplot as a part of a page.
 */
#ifndef FP_PAGE_SVG_H
#define FP_PAGE_SVG_H

#include "base/base.h"

/* Writes the svg element: ids, and what refers to them, get a number of their own; fonts become the reader's plain one;
 * the size is left to the page; gnuplot's own titles and description go: it is described by the element with the id
 * caption<number>. `svg` is a whole picture of gnuplot. */
void fp_page_svg_write(FILE *to, fp_string svg, size_t number);

/* Whether the picture has the elements and attributes that gnuplot writes, and no others: no scripts, nothing from
 * elsewhere. */
bool fp_page_svg_is_harmless(fp_string svg);

#endif
