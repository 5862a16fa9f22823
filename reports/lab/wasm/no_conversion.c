/* SPDX-License-Identifier: GPL-3.0-or-later
 * OpenCC's dictionaries are a fifth of all tables, and stay out of the page: texts are not converted there. */
#include "text/unicode/conversion.h"

fp_status fp_convert(fp_string text, fp_conversion conversion, fp_arena *arena, const fp_conversion_piece **pieces,
                     size_t *count, fp_error *error) {
    (void)text, (void)conversion, (void)arena, (void)pieces, (void)count;
    return fp_fail(error, FP_ERROR_TOOL, "texts are not converted between scripts in the page");
}
