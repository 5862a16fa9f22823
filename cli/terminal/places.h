/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * places.h - which places of two fingerprints differ, for a terminal of 80 columns.
 */
#ifndef FP_CLI_PLACES_H
#define FP_CLI_PLACES_H

#include <stdio.h>

#include "base/base.h"

/* A line with the numbers 1, 10, 20 … 60, whose last digits stand above those places. */
void fp_cli_places_ruler(FILE *stream);

/* The name and, for each of `count` places, x where differs[i] and a dot elsewhere: 64 in a line of 80 cells, the
 * others below. A name of more than 15 cells has a line of its own. Nothing without places. */
void fp_cli_places_put(FILE *stream, const char *name, const bool *differs, size_t count);

#endif
