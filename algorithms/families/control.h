/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * control.h - what the three controls share: a sketch that is nothing but the document's identity.
 */
#ifndef FP_CONTROL_H
#define FP_CONTROL_H

#include "base/base.h"

/* 8 bytes, distances 0 … 64. */
fp_status fp_control_layout(const void *parameters, fp_layout *layout, fp_error *error);
/* XXH3 of the document's id. */
fp_status fp_control_sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *sketch,
                            fp_error *error);

#endif
