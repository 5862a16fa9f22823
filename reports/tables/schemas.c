/* SPDX-License-Identifier: GPL-3.0-or-later
 * Columns of the tables of runs. */
#include "reports/tables/schemas.h"

#include "reports/tables/results.h"

/* Cells of the confusion matrix at one threshold. */
#define COUNTS(mark) ">tp;" mark "|>fp;" mark "|>fn;" mark "|>tn;" mark "|"
#define EQUIVALENCE ">narrow_low;3|>narrow_high;3|>margin;3|within_margin|>units;0"

const fp_schema fp_schemas[FP_FILES] = {
    [FP_FILE_RESULTS] = {.name = "results",
                         .rows = fp_thresholds_rows,
                         .further = FP_FURTHER_AT_THRESHOLD,
                         .columns = "corpus|arm|scale;d|>threshold;ed|" COUNTS(
                             "d") ">precision;ldD3|>recall;ldD3|>f1;3|>precision_band_low;3|>precision_band_high;3|"
                                  ">recall_band_low;3|>recall_band_high;3",
                         .weighted = true,
                         .every_arm = true},
    [FP_FILE_SUMMARY] = {.name = "summary",
                         .rows = fp_summary_rows,
                         .further = FP_FURTHER_OVER_RANGE,
                         .columns =
                             "corpus|arm|scale;sd|>pairs;esd|>positives;esd|>average_precision;lsdD%|"
                             ">roc_area;lsdD%|>best_f1;lsdD%|>best_threshold;sd|>bytes_per_document;sd|"
                             ">sketch_seconds;lsd%t|>distance_seconds;t|>average_precision_bound;s%|>best_f1_bound;s%",
                         .every_arm = true},
    [FP_FILE_ANSWER] = {.name = "answer",
                        .rows = fp_answer_rows,
                        .columns = "corpus|arm;s|scale;s|>place;es|>threshold;es|measure;s|>similarity;s|" COUNTS(
                            "s") ">precision;ls%|>recall;ls%|>f1;ls%|>duplicates;s%|>bytes_per_document;s|"
                                 ">documents_per_second;st|runner_up;s",
                        .every_arm = true},
    [FP_FILE_CURVES] = {.name = "curves",
                        .rows = fp_curve_rows,
                        .columns = "corpus|arm|>distance;ed|>precision;d|>recall;d"},
    [FP_FILE_HISTOGRAMS] = {.name = "histograms",
                            .rows = fp_histogram_rows,
                            .columns = "corpus|arm|scale;d|>low;d|>high;d|>positives;d|>negatives;d",
                            .every_arm = true},
    [FP_FILE_STRATA] = {.name = "strata",
                        .rows = fp_strata_rows,
                        .further = FP_FURTHER_ALL,
                        .columns = "corpus|arm|by;sd|stratum;sd|scale;d|>pairs;esd|>positives;esd|>negatives;ed|"
                                   ">average_precision;ls%|>best_f1;lsdD%|>best_threshold;lsdD|>precision;lsdD%|"
                                   ">recall;lsdD%|>false_positive_rate;ls%|>replicates;e|>joined;e|note",
                        .every_arm = true},
    [FP_FILE_EDITS] = {.name = "edits",
                       .rows = fp_edit_rows,
                       .columns = "corpus|arm|scale;d|length;sd|>lengths;ed|>share_low;sd%|>share_high;sd%|>pairs;esd|"
                                  ">mean_share;s%|>measured;lsd|>expected;sd|>bounded;es"},
    [FP_FILE_STRATA_THRESHOLDS] = {.name = "strata-thresholds",
                                   .rows = fp_strata_threshold_rows,
                                   .further = FP_FURTHER_AT_THRESHOLD,
                                   .columns = "corpus|arm|by|stratum;s|scale|>threshold;es|" COUNTS(
                                       "s") ">precision;ls%|>recall;ls%|>f1;ls%",
                                   .by_threshold = true},
    [FP_FILE_INTERVALS] = {.name = "intervals",
                           .rows = fp_interval_rows,
                           .columns = "corpus|arm|figure|>threshold|>value~;l|>standard_error|method|>undefined;e|"
                                      ">band_low|>band_high|>low_monte_carlo|>high_monte_carlo|>effective_units|units"},
    [FP_FILE_DIFFERENCES] = {.name = "differences",
                             .rows = fp_difference_rows,
                             .columns =
                                 "corpus|arm_a;s|arm_b;s|figure;s|>threshold;s|>difference~;ls%|>p|>p_holm;s%|"
                                 "verdict;s|>threshold_a;s|>threshold_b;s|chosen_a|chosen_b|>only_a;es|>only_b;es|"
                                 ">mcnemar|>mcnemar_holm;s%|mcnemar_by|>standard_error|" EQUIVALENCE
                                 "|>detect|>sample_size;l|>low_monte_carlo|>high_monte_carlo|>p_monte_carlo"},
    [FP_FILE_SOURCES] = {.name = "sources",
                         .columns = "corpus|arm|arm_b;s|figure;s|>threshold|>seeds;es|>value;s%|>seed_deviation;s%|"
                                    ">standard_error;s%|>documents;s%|>hash;s%"},
    [FP_FILE_RANKS] = {.name = "ranks",
                       .columns =
                           "arm;d|>average_precision~;ld|>mean_rank;d|>corpora;ed|>critical_difference;d|>friedman|"
                           ">friedman_p;d|>iman_davenport|>iman_davenport_p;d",
                       .whole = true},
    [FP_FILE_SIGNED_RANKS] = {.name = "signed-ranks",
                              .columns =
                                  "arm_a|arm_b|>corpora;e|>difference|>rank_sum_a|>rank_sum_b|>zeros;e|>wilcoxon_p|"
                                  ">wilcoxon_p_holm|>margin|>a_better|>within_margin|>b_better|"
                                  ">monte_carlo_error|>draws;e|>seed",
                              .whole = true},
    [FP_FILE_CHOICES] = {.name = "choices",
                         .columns = "corpus|arm|scale|>threshold;e|" COUNTS(
                             "e") ">precision;l3|>recall;l3|>f1;l3|>held_out_precision;l3|>held_out_recall;l3",
                         .whole = true},
    [FP_FILE_LEADERBOARD] = {.name = "leaderboard",
                             .columns = "corpus|arm|spec|>rank;e|scale|>threshold;e|objective|>chosen_score;3|"
                                        ">held_out;l3|>precision;l3|>recall;l3|>difference;l3|>p|>p_holm|told_apart|"
                                        ">bytes_per_document;1|" EQUIVALENCE
                                        "|>low_monte_carlo|>high_monte_carlo|>p_monte_carlo|>calling_units;0|"
                                        ">failing_units;0|>effective_units;1"},
    [FP_FILE_PARETO] = {.name = "pareto",
                        .columns = "corpus;d|arm;d|spec|objective;d|>held_out;ldD|>bytes_per_document;d|"
                                   ">microseconds_per_document;dt|>microseconds_most;t|>front;edt|>recommended;ed"},
    [FP_FILE_FOLDS] = {.name = "folds",
                       .columns = "corpus|>fold;e|>other_fold;e|>units;e|>documents;e|>positives;e|>negatives;e|arm|"
                                  ">threshold;e|>chosen_score|>tp;e|>fp;e|>fn;e|>precision|>recall"},
    [FP_FILE_ROBUSTNESS] = {.name = "robustness",
                            .columns = "arm;d|kind;sd|>rate;esd%|>measured|>corpora;e|>positives;es|>negatives;es|"
                                       ">f1;lsdD%|>recall_at_precision;lsdD%"},
    [FP_FILE_ROBUSTNESS_PARTS] = {.name = "robustness-parts",
                                  .columns = "arm|kind|>rate;e|corpus|>hash_seed;e|>f1|>recall_at_precision"},
    [FP_FILE_ROBUSTNESS_THRESHOLDS] = {.name = "robustness-thresholds",
                                       .columns = "arm|scale|corpus|>hash_seed;e|>fold;e|>threshold;e"},
    [FP_FILE_BANDING] = {.name = "banding",
                         .columns = ">bands;ed|>rows;ed|>slots;e|>recall|>false_positives|>false_negatives|>cost|"
                                    ">threshold|>half"},
    [FP_FILE_BANDING_CURVE] = {.name = "banding-curve", .columns = ">similarity;3|>p|mark"},
    [FP_FILE_DESIGNS] =
        {.name = "designs",
         .columns = "design;d|>tables;e|>copies;e|>lookups;e|>key_bits;e|>key_bits_most;e|>lookup_most;e|"
                    ">candidates;e|>comparisons;e|>skew;e|>agreeing;e|>bytes;ed|>nanoseconds;ed|>fits;e|>front;edt|"
                    ">recommended;ed"},
    [FP_FILE_BY_DAY] = {.name = "by-day", .columns = "day;d|>texts;ed|>duplicates;ed|>share;3"},
    [FP_FILE_BY_SOURCE] = {.name = "by-source",
                           .columns = "source;d|>texts;ed|>duplicates;ed|>share;3|>from_others;ed|>taken_up;ed"},
    [FP_FILE_CLUSTER_SIZES] = {.name = "cluster-sizes", .columns = ">texts;ed|>clusters;ed"},
};

fp_table *fp_table_for(fp_file file, fp_arena *arena) { return fp_table_of(fp_schemas[file].columns, arena); }
