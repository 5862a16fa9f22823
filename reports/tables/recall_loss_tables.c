/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where recall is lost, as tables. */
#include "reports/tables/recall_loss_tables.h"

#include <math.h>

/* ---- Files ---- */

static void add_row(fp_table *table, const fp_recall_loss *lost, const fp_recall_loss_row *row) {
    const fp_recall_loss_arm *arm = lost->arms + row->arm;
    fp_table_text(table, lost->corpus->name);
    fp_table_text(table, fp_arm_name(arm->measurement->arm));
    fp_table_text(table, fp_arm_layout(arm->measurement->arm)->scale);
    if (arm->tables) fp_table_text(table, arm->index);
    else fp_table_undefined(table);
    fp_table_exact(table, row->threshold);
    fp_table_count(table, lost->positive_count);
    for (int c = 0; c < FP_LOSS_COLUMNS; c++) {
        if (fp_recall_loss_applies(arm, (fp_loss)c)) fp_table_count(table, row->count[c]);
        else fp_table_real(table, NAN, 0);
    }
    for (int c = 0; c < FP_LOSS_COLUMNS; c++) {
        fp_table_figure(table, row->share[c].value, row->share[c].interval, 4);
    }
    fp_table_real(table, fp_recall_loss_candidates(arm), 2);
    fp_table_count(table, lost->corpus->document_count);
    fp_table_real(table, arm->reach, 0);
}

static const char *columns(fp_arena *arena) {
    const char *text = "corpus|arm|scale|index|>threshold|>positives";
    for (int c = 0; text && c < FP_LOSS_COLUMNS; c++) text = fp_format(arena, "%s|>%s", text, fp_loss_name((fp_loss)c));
    for (int c = 0; text && c < FP_LOSS_COLUMNS; c++) {
        const char *name = fp_loss_name((fp_loss)c);
        text = fp_format(arena, "%s|>%s_share|>%s_low|>%s_high", text, name, name, name);
    }
    return text ? fp_format(arena, "%s|>candidates|>documents|>index_reach", text) : NULL;
}

fp_table *fp_recall_loss_table(const fp_recall_loss_outcome *outcomes, size_t count, bool best, fp_arena *arena) {
    const char *names = columns(arena);
    fp_table *table = names ? fp_table_new(names, arena) : NULL;
    for (size_t i = 0; table && i < count; i++) {
        const fp_recall_loss_outcome *outcome = outcomes + i;
        for (size_t r = 0; r < (best ? outcome->lost.arm_count : outcome->row_count); r++)
            add_row(table, &outcome->lost, (best ? outcome->best : outcome->rows) + r);
    }
    return table;
}

/* ---- For a person ---- */

/* "96 (66.7%)", or a dash where the class cannot hold pairs of the arm. */
static void add_share(fp_table *table, const fp_recall_loss_arm *arm, const fp_recall_loss_row *row, fp_loss loss) {
    char text[64] = "–";
    double share = row->share[loss].value;
    if (fp_recall_loss_applies(arm, loss) && isnan(share)) snprintf(text, sizeof text, "0 (NA)");
    else if (fp_recall_loss_applies(arm, loss))
        snprintf(text, sizeof text, "%llu (%.1f%%)", (unsigned long long)row->count[loss], 100 * share);
    fp_table_text(table, text);
}

fp_table *fp_recall_loss_short(const fp_recall_loss_outcome *outcome, fp_arena *arena) {
    const fp_recall_loss *lost = &outcome->lost;
    bool measure = false;
    for (size_t i = 0; i < lost->arm_count; i++) measure |= fp_recall_loss_applies(lost->arms + i, FP_LOSS_MEASURE);
    fp_table *table = fp_table_new(
        measure ? "arm|index|>sure to|>h|>found|>by chance|>by index|>by sketch|>by similarity|>by measure|>candidates"
                : "arm|index|>sure to|>h|>found|>by chance|>by index|>by sketch|>by similarity|>candidates",
        arena);
    static const fp_loss shown[] = {FP_LOSS_NONE,   FP_LOSS_LUCK,       FP_LOSS_INDEX,
                                    FP_LOSS_SKETCH, FP_LOSS_SIMILARITY, FP_LOSS_MEASURE};
    for (size_t i = 0; table && i < lost->arm_count; i++) {
        const fp_recall_loss_arm *arm = lost->arms + i;
        const fp_recall_loss_row *row = outcome->best + i;
        fp_table_text(table, fp_arm_name(arm->measurement->arm));
        fp_table_text(table, arm->tables ? arm->index : fp_recall_loss_needs_scan(arm) ? "full scan" : "–");
        if (arm->tables) fp_table_real(table, arm->reach, 0);
        else fp_table_text(table, "–");
        fp_table_real(table, row->threshold, arm->measurement->arm->instance.layout.integral ? 0 : 2);
        for (size_t c = 0; c < sizeof shown / sizeof *shown - !measure; c++) add_share(table, arm, row, shown[c]);
        if (arm->tables) fp_table_real(table, fp_recall_loss_candidates(arm), 1);
        else fp_table_text(table, "–");
    }
    return table;
}

/* ---- What to know of an index ---- */

/* From this share of the documents on an index saves little. */
static const double MOST_DOCUMENTS = 0.5;

static const char *remark(const fp_recall_loss *lost, const fp_recall_loss_arm *arm, double threshold,
                          fp_arena *arena) {
    const char *name = fp_arm_name(arm->measurement->arm);
    double share = fp_recall_loss_candidates(arm) / ((double)lost->corpus->document_count - 1);
    if (fp_recall_loss_needs_scan(arm))
        return fp_format(arena, "%s: no index brings every pair within %g; a full scan is meant.\n", name, threshold);
    if (!arm->tables) return "";
    if (arm->reach < floor(threshold))
        return fp_format(arena, "%s: the index brings every pair within %g, and was not made for h = %g.\n", name,
                         arm->reach, threshold);
    if (share < MOST_DOCUMENTS || isnan(share)) return "";
    return fp_format(arena, "%s: a look-up brings %.0f%% of all documents, which saves little over a full scan.\n",
                     name, floor(100 * share));
}

const char *fp_recall_loss_remarks(const fp_recall_loss_outcome *outcome, fp_arena *arena) {
    const char *lines = "";
    for (size_t i = 0; lines && i < outcome->lost.arm_count; i++) {
        const char *line = remark(&outcome->lost, outcome->lost.arms + i, outcome->best[i].threshold, arena);
        lines = line ? fp_format(arena, "%s%s", lines, line) : NULL;
    }
    return lines;
}
