/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * audit.h - --audit M: samples some of the pairs that a command finds into a sheet for `fplab judge`.
 */
#ifndef FP_CLI_AUDIT_H
#define FP_CLI_AUDIT_H

#include "cli/near_texts.h"
#include "index/collection/near_join.h"

/* Values from the command line. */
typedef struct fp_cli_audit_options {
    int pairs; /* pairs to sample for each distance, rounded up; 0: no audit */
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

/* A found pair. Texts not in memory are empty; then the positions among the entries identify them. */
typedef struct fp_cli_audited {
    fp_string id[2], text[2];
    size_t position[2];
    double distance;
    uint64_t hash; /* set by fp_cli_audit_offer */
} fp_cli_audited;

typedef struct fp_cli_audit fp_cli_audit;

/* *audit is NULL if no audit is requested. `out` is the value of --out; NULL: not given. Lives in `arena`. Returns
 * the exit status. */
int fp_cli_audit_open(const fp_command *command, const fp_cli_audit_options *options, const char *out, fp_arena *arena,
                      fp_cli_audit **audit);

/* FP_ERROR_IO: when the texts that an audit needs cannot be read again. Call before any work is done. `audit` may be
 * NULL. */
fp_status fp_cli_audit_check(const fp_cli_audit *audit, fp_entries *entries, fp_error *error);

/* Offers a pair. For each distance, the pairs with the smallest hashes of their ids are sampled (bottom-k: Cohen,
 * Kaplan, PODC 2007), so the sample does not depend on the order in which threads find pairs. `audit` may be NULL. */
fp_status fp_cli_audit_offer(fp_cli_audit *audit, const fp_cli_audited *pair, fp_error *error);
/* The same for near pairs of gathered texts. */
fp_status fp_cli_audit_offer_near(fp_cli_audit *audit, const fp_gathered_text *texts, const fp_neighbours *pairs,
                                  size_t count, fp_error *error);

/* Description of the searched texts for the sheet. */
typedef struct fp_cli_audit_of {
    const fp_arm *arm;
    const char *name;
    const char *pairs; /* which pairs were offered: the population of the sheet's figures */
    size_t documents;
    fp_entries *entries; /* checked; read again for texts not in memory; NULL: all texts are in memory */
    const char *place;   /* the output directory of --out; NULL: no directory */
} fp_cli_audit_of;

/* Writes the sheet in random order, and reports it. If no pair was found, prints only a note. Does nothing if
 * `audit` is NULL. Returns the errors of reading the texts again, and of writing. */
fp_status fp_cli_audit_write(fp_cli_audit *audit, const fp_cli_audit_of *of, fp_error *error);

#endif
