/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * audit.h - some of the pairs that were found, drawn for a person to judge: a sheet for `fplab judge`.
 */
#ifndef FP_CLI_AUDIT_H
#define FP_CLI_AUDIT_H

#include "cli/gathered.h"

typedef struct fp_cli_audit {
    const fp_arm *arm;
    const fp_gathered *texts;
    fp_entries *entries;        /* are read again for the texts of the pairs that are drawn */
    const fp_neighbours *pairs; /* [count] all that were found */
    size_t count;
    size_t per_distance; /* pairs to draw of each distance, rounded up */
    uint64_t seed;
    const char *name; /* of the texts, in the sheet */
} fp_cli_audit;

/* Writes the sheet: pairs of each distance drawn without replacement, in an order of chance. *drawn of them.
 * FP_ERROR_EMPTY without pairs, FP_ERROR_IO where the texts cannot be read again. */
fp_status fp_cli_audit_write(const fp_cli_audit *audit, const char *path, fp_arena *arena, size_t *drawn,
                             fp_error *error);

#endif
