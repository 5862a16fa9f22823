/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * audit.h - --audit M: some of the pairs that a command finds, drawn for a person to judge: a sheet for `fplab judge`.
 */
#ifndef FP_CLI_AUDIT_H
#define FP_CLI_AUDIT_H

#include "cli/near_texts.h"
#include "index/collection/near_join.h"

/* As the command line has them. */
typedef struct fp_cli_audit_options {
    int pairs; /* to draw of each distance, rounded up; 0: none */
    const char *sheet;
} fp_cli_audit_options;

/* Rows for an option table. */
#define FP_CLI_AUDIT_OPTIONS(audit)                                                                               \
    {"audit", 0, FP_TAKES_INT(&(audit).pairs), "sample M of the pairs found at each distance, for `fplab judge`", \
     "M"},                                                                                                        \
    {                                                                                                             \
        "audit-sheet", 0, FP_TAKES_TEXT(&(audit).sheet), "--audit: where to (default: audit.tsv in --out DIR)",   \
            "SHEET.tsv"                                                                                           \
    }

/* A pair that was found. Texts that are not at hand are empty; then the positions among the entries say which. */
typedef struct fp_cli_audited {
    fp_string id[2], text[2];
    size_t position[2];
    double distance;
    uint64_t hash; /* set by fp_cli_audit_offer */
} fp_cli_audited;

typedef struct fp_cli_audit fp_cli_audit;

/* *audit NULL where none is asked for. `out` is what --out names, NULL: nothing. Lives in `arena`. Returns −1, or the
 * exit status. */
int fp_cli_audit_open(const fp_command *command, const fp_cli_audit_options *options, const char *out, fp_arena *arena,
                      fp_cli_audit **audit);

/* FP_ERROR_IO where the texts that an audit would read again cannot be, before any work is done. `audit` may be NULL.
 */
fp_status fp_cli_audit_check(const fp_cli_audit *audit, fp_entries *entries, fp_error *error);

/* Offers a pair. Of each distance those with the smallest hashes of their ids are sampled (bottom-k: Cohen, Kaplan,
 * PODC 2007), so that the sample does not depend on the order in which threads find pairs. `audit` may be NULL. */
fp_status fp_cli_audit_offer(fp_cli_audit *audit, const fp_cli_audited *pair, fp_error *error);
/* The same of near pairs of gathered texts. */
fp_status fp_cli_audit_offer_near(fp_cli_audit *audit, const fp_gathered_text *texts, const fp_neighbours *pairs,
                                  size_t count, fp_error *error);

/* What the sheet tells of the texts that were looked through. */
typedef struct fp_cli_audit_of {
    const fp_arm *arm;
    const char *name;
    const char *pairs; /* which pairs were offered: what a sheet's figures are about */
    size_t documents;
    fp_entries *entries; /* checked; are read again for texts that were not at hand; NULL: none were missing */
    const char *place;   /* the directory that --out is written in; NULL: none */
} fp_cli_audit_of;

/* Writes the sheet, in an order of chance, and says so. Nothing, and a note, where no pair was found; nothing where
 * `audit` is NULL. Errors are those of reading the texts again, and of writing. */
fp_status fp_cli_audit_write(fp_cli_audit *audit, const fp_cli_audit_of *of, fp_error *error);

#endif
