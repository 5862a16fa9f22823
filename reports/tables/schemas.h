/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * schemas.h - tables of runs outside the analyses: NAME.tsv of `--out DIR`, and most output of --format.
 */
#ifndef FP_SCHEMAS_H
#define FP_SCHEMAS_H

#include "eval/evaluation/analysis.h"
#include "reports/tables/table.h"

typedef enum fp_file {
    /* Tables of evaluated arms, in the order of the figures. */
    FP_FILE_RESULTS, /* after the further measures: negative_weight */
    FP_FILE_SUMMARY,
    FP_FILE_ANSWER,
    FP_FILE_CURVES,
    FP_FILE_HISTOGRAMS,
    FP_FILE_STRATA,
    FP_FILE_EDITS,
    FP_FILE_STRATA_THRESHOLDS,
    FP_FILE_INTERVALS,
    FP_FILE_DIFFERENCES,
    FP_FILE_SOURCES,
    FP_FILE_RANKS,
    FP_FILE_SIGNED_RANKS,
    FP_FILE_CHOICES,
    FP_FILE_LEADERBOARD,
    FP_FILE_PARETO,
    FP_FILE_FOLDS,
    FP_FILE_ROBUSTNESS,
    FP_FILE_ROBUSTNESS_PARTS,
    FP_FILE_ROBUSTNESS_THRESHOLDS,
    FP_FILE_BANDING,
    FP_FILE_BANDING_CURVE,
    FP_FILE_DESIGNS,
    FP_FILE_BY_DAY,
    FP_FILE_BY_SOURCE,
    FP_FILE_CLUSTER_SIZES,
    FP_FILES
} fp_file;

extern const fp_schema fp_schemas[FP_FILES];

fp_table *fp_table_for(fp_file file, fp_arena *arena);

#endif
