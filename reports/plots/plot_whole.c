/* SPDX-License-Identifier: GPL-3.0-or-later
 * A figure of a whole run: which reader, which name, which script. */
#include "reports/plots/plot_whole.h"

#include "reports/plots/plot_script.h"
#include "reports/plots/plot_tables.h"

fp_status fp_plot_whole_read(fp_plot_whole *whole, int table, const char *directory, fp_arena *arena, fp_error *error) {
    switch (table) {
    case FP_PLOT_RANKS: return fp_plot_ranks_read(directory, arena, &whole->ranks, error);
    case FP_PLOT_PARETO: return fp_plot_front_read(directory, arena, &whole->front, error);
    case FP_PLOT_BANDING: return fp_plot_banding_read(directory, arena, &whole->banding, error);
    case FP_PLOT_DESIGNS: return fp_plot_designs_read(directory, arena, &whole->designs, error);
    case FP_PLOT_BY_DAY: return fp_plot_by_day_read(directory, arena, &whole->days, error);
    case FP_PLOT_BY_SOURCE: return fp_plot_by_source_read(directory, arena, &whole->sources, error);
    case FP_PLOT_CLUSTER_SIZES: return fp_plot_sizes_read(directory, arena, &whole->sizes, error);
    default: return fp_plot_robustness_read(directory, arena, &whole->robustness, error);
    }
}

bool fp_plot_whole_is_empty(const fp_plot_whole *whole, int table) {
    switch (table) {
    case FP_PLOT_RANKS: return whole->ranks.count < 2;
    case FP_PLOT_PARETO: return whole->front.count == 0;
    case FP_PLOT_BY_DAY: return whole->days.count == 0;
    case FP_PLOT_BY_SOURCE: return whole->sources.count == 0;
    case FP_PLOT_CLUSTER_SIZES: return whole->sizes.count == 0;
    case FP_PLOT_ROBUSTNESS: return whole->robustness.arm_count == 0;
    default: return false;
    }
}

fp_status fp_plot_whole_define(fp_plot_whole *whole, const fp_json *definitions, fp_error *error) {
    if (whole->banding.count) FP_TRY(fp_plot_banding_define(&whole->banding, definitions, error));
    return whole->designs.count ? fp_plot_designs_define(&whole->designs, definitions, error) : FP_OK;
}

/* Files of a corpus end in -arms.gp or -front.gp and a figure of arms, so its name may be the same. */
static fp_status name(const fp_plot_whole *whole, int table, fp_gnuplot *draw, fp_error *error) {
    static const struct {
        const char *stem, *arms;
    } NAMES[FP_PLOT_TABLES] = {
        [FP_PLOT_RANKS] = {"corpora", "corpora-order.gp"},
        [FP_PLOT_BANDING] = {"plan", "plan-choice.gp"},
        [FP_PLOT_DESIGNS] = {"plan", "plan-rows.gp"},
        [FP_PLOT_BY_DAY] = {"tracking", "tracking-spans.gp"},
        [FP_PLOT_BY_SOURCE] = {"tracking", "tracking-largest.gp"},
        [FP_PLOT_CLUSTER_SIZES] = {"cluster", "cluster-counts.gp"},
        [FP_PLOT_ROBUSTNESS] = {"study", "study-cells.gp"},
    };
    draw->stem = NAMES[table].stem;
    draw->arms = NAMES[table].arms;
    if (draw->stem) return FP_OK;
    draw->stem = fp_plot_stem(whole->front.corpus, draw->arena);
    draw->arms = draw->stem ? fp_format(draw->arena, "%s-front.gp", draw->stem) : NULL;
    return draw->arms ? FP_OK : fp_no_memory(error);
}

static fp_status save(const fp_plot_whole *whole, int table, const fp_gnuplot *draw, double confidence,
                      fp_error *error) {
    switch (table) {
    case FP_PLOT_RANKS: return fp_plot_ranks_save(draw, &whole->ranks, error);
    case FP_PLOT_BANDING: return fp_plot_banding_save(draw, &whole->banding, error);
    case FP_PLOT_DESIGNS: return fp_plot_designs_save(draw, &whole->designs, error);
    case FP_PLOT_BY_DAY: return fp_plot_by_day_save(draw, &whole->days, error);
    case FP_PLOT_BY_SOURCE: return fp_plot_by_source_save(draw, &whole->sources, error);
    case FP_PLOT_CLUSTER_SIZES: return fp_plot_sizes_save(draw, &whole->sizes, error);
    case FP_PLOT_ROBUSTNESS: return fp_plot_robustness_save(draw, &whole->robustness, error);
    default: return fp_plot_front_save(draw, &whole->front, confidence, error);
    }
}

fp_status fp_plot_whole_draw(const fp_plot_whole *whole, fp_gnuplot *draw, const fp_figure *figure, double confidence,
                             fp_error *error) {
    int table = FP_PLOT_ARM_TABLES;
    while (table < FP_PLOT_TABLES - 1 && !(fp_plot_tables_of(figure) >> table & 1)) table++;
    FP_TRY(name(whole, table, draw, error));
    FP_TRY(save(whole, table, draw, confidence, error));
    return fp_gnuplot_draw(draw, figure->name, error);
}
