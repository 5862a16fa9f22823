/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where every arm loses recall, and which pairs its index finds: --lost, --index. */
#include <math.h>

#include "reports/analyses/analyses.h"
#include "eval/analyses/index_curve.h"

/* Each arm at every listed threshold, and at its best one. */
typedef struct losses {
    fp_recall_loss lost;
    const fp_recall_loss_row *rows; /* [thresholds] for each arm, ascending */
    const fp_recall_loss_row *best; /* [lost.arm_count] */
    fp_index_curve *curves;         /* [lost.arm_count]; NULL unless tables are saved: terminals do not show them */
} losses;

/* ---- Preparation ---- */

/* The index of --index. Without it, each arm gets an index that finds every pair within the arm's own threshold. */
typedef struct asked_index {
    const char *text;
    fp_lsh_spec spec;
} asked_index;

static fp_status check(const fp_analysis_values *given, fp_questions *questions, fp_arena *arena, const void **settings,
                       fp_error *error) {
    const char *text = given->text[1];
    if (questions->level == FP_LEVEL_DOCUMENT)
        return fp_fail(error, FP_ERROR_RANGE, "--lost is about pairs: it does not go with --level document");
    if (!text) return FP_OK;
    asked_index *asked = FP_NEED(fp_arena_alloc(arena, 1, sizeof *asked), error);
    fp_error why = {0};
    *settings = asked;
    asked->text = text;
    fp_status status = fp_lsh_parse(text, arena, &asked->spec, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    return status == FP_OK ? FP_OK : fp_fail(error, status, "--index %s: %s", text, why.message);
}

static fp_status fits(const void *settings, const fp_arm *arm, fp_error *error) {
    const asked_index *asked = settings;
    const fp_layout *layout = fp_arm_layout(arm);
    fp_lsh_form form;
    fp_error why = {0};
    if (!asked || fp_lsh_places(layout) == 0 || fp_lsh_settle(&asked->spec, layout, &form, &why) == FP_OK) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "--index %s does not fit %s: %s", asked->text, fp_arm_name(arm), why.message);
}

/* ---- One corpus ---- */

/* The threshold of the arm's largest F1 over the whole range; without positives, the first listed one. */
static double best_threshold(const fp_analysed *of, size_t arm) {
    if (of->thresholds && !isnan(of->thresholds[arm])) return of->thresholds[arm];
    double of_curve = of->outcome->curves[arm].best_threshold;
    return isnan(of_curve) ? of->questions->inference.thresholds[0] : of_curve;
}

static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    const fp_inference_options *options = &of->questions->inference;
    size_t arms = of->outcome->count, thresholds = options->threshold_count, listed = arms * thresholds;
    const asked_index *asked = of->settings;
    losses *out = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *out), error);
    fp_recall_loss_row *rows = FP_NEED(fp_arena_alloc(of->arena, listed + arms, sizeof *rows), error);
    double *within = FP_NEED(fp_arena_raw(of->arena, arms, sizeof *within), error);
    *found = out;
    for (size_t i = 0; i < listed; i++)
        rows[i] = (fp_recall_loss_row){.arm = i / thresholds, .threshold = options->thresholds[i % thresholds]};
    for (size_t arm = 0; arm < arms; arm++) {
        within[arm] = best_threshold(of, arm);
        rows[listed + arm] = (fp_recall_loss_row){.arm = arm, .threshold = within[arm]};
    }
    FP_TRY(fp_recall_loss_make(of->outcome, asked ? &asked->spec : NULL, within, of->progress, of->arena, &out->lost,
                               error));
    FP_TRY(fp_recall_loss_fill(&out->lost, options->confidence, of->progress, of->arena, rows, listed + arms, error));
    out->rows = rows;
    out->best = rows + listed;
    if (!of->questions->saved) return FP_OK;
    out->curves = FP_NEED(fp_arena_alloc(of->arena, arms, sizeof *out->curves), error);
    for (size_t arm = 0; arm < arms; arm++)
        FP_TRY(fp_index_curve_make(&out->lost, arm, options->confidence, of->progress, of->arena, out->curves + arm,
                                   error));
    return FP_OK;
}

/* ---- Tables ---- */

static const losses *losses_of(const fp_found_arm *of) { return of->found; }

static void add_row(fp_table *table, const fp_found_arm *of, const fp_recall_loss_row *row) {
    const fp_recall_loss *lost = &losses_of(of)->lost;
    const fp_recall_loss_arm *arm = lost->arms + row->arm;
    fp_results_add_names(table, of->outcome, of->arm, true);
    if (arm->tables) fp_table_text(table, arm->index);
    else fp_table_undefined(table);
    FP_TABLE_PUT(table, row->threshold, (double)lost->positive_count);
    for (int c = 0; c < FP_LOSS_COLUMNS; c++)
        fp_table_put(table, fp_recall_loss_applies(arm, (fp_loss)c) ? (double)row->count[c] : NAN);
    for (int c = 0; c < FP_LOSS_COLUMNS; c++) FP_TABLE_FIGURE(table, row->share[c]);
    FP_TABLE_PUT(table, fp_recall_loss_candidates(arm), (double)lost->corpus->document_count, arm->reach);
}

static void add_best(fp_table *table, const fp_found_arm *of) { add_row(table, of, losses_of(of)->best + of->arm); }

static void add_thresholds(fp_table *table, const fp_found_arm *of) {
    size_t count = of->results->inference->threshold_count;
    for (size_t t = 0; t < count; t++) add_row(table, of, losses_of(of)->rows + of->arm * count + t);
}

/* Counts, then shares, in the order of fp_loss. The page and the figures show more columns at the best threshold. */
#define COUNTS ">found;ed|>lost_index;ed|>lost_sketch;ed|>lost_similarity;ed|>lost_measure;ed|>found_by_chance;ed|"
#define SHARES                                                                                                        \
    ">lost_index_share~lost_index;ls%|>lost_sketch_share~lost_sketch;ls%|>lost_similarity_share~lost_similarity;ls%|" \
    ">lost_measure_share~lost_measure;l|>found_by_chance_share~found_by_chance;l|"
static const char BEST[] = "corpus|arm|scale;d|index;ds|>threshold;esd|>positives;eds|" COUNTS
                           ">found_share~found;ls%D|" SHARES ">candidates;d|>documents;e|>index_reach;d",
                  THRESHOLDS[] = "corpus|arm|scale;d|index;d|>threshold;esd|>positives;ed|" COUNTS
                                 ">found_share~found;ls%|" SHARES ">candidates|>documents;e|>index_reach;d";

/* One row for each tenth of similarity; arms without a curve have no rows. */
static void add_index_bins(fp_table *table, const fp_found_arm *of) {
    const fp_index_curve *curve = losses_of(of)->curves + of->arm;
    for (size_t b = 0; b < curve->bin_count; b++) {
        const fp_index_bin *bin = curve->bins + b;
        fp_results_add_names(table, of->outcome, of->arm, false);
        fp_table_text(table, losses_of(of)->lost.arms[of->arm].index);
        FP_TABLE_PUT(table, bin->low, bin->high, (double)bin->pairs, bin->similarity);
        FP_TABLE_FIGURE(table, bin->brought);
        fp_table_put(table, bin->expected);
    }
}

static const char INDEX[] =
    "corpus|arm|index;s|>low;sd|>high;sd|>pairs;esd|>similarity;sd%|>brought;lsdD%|>expected;sd%";

/* The probability over similarities from 0 to 1, for a curve. Then the curves of the block indexes that guarantee all
 * pairs within 3 and 10, if this index guarantees more: the savings of a stricter index. */
static void add_index_points(fp_table *table, const fp_found_arm *of) {
    static const double SURE[] = {NAN, 3, 10};
    const fp_recall_loss_arm *arm = losses_of(of)->lost.arms + of->arm;
    const fp_index_curve *curve = losses_of(of)->curves + of->arm;
    const fp_layout *layout = fp_arm_layout(arm->measurement->arm);
    for (size_t k = 0; k < sizeof SURE / sizeof *SURE && curve->bin_count; k++) {
        fp_lsh_spec spec;
        fp_lsh_form form = *fp_lsh_form_of(arm->tables);
        bool other = k > 0;
        if (other &&
            (form.kind != FP_LSH_PIGEONHOLE || SURE[k] >= arm->reach ||
             !fp_lsh_within_distance(layout, SURE[k], &spec) || fp_lsh_settle(&spec, layout, &form, NULL) != FP_OK))
            continue;
        for (size_t i = 0; i < FP_INDEX_POINTS; i++) {
            double similarity = fp_index_curve_similarity(arm, i);
            fp_results_add_names(table, of->outcome, of->arm, false);
            fp_table_text(table, other ? fp_lsh_text(&form, of->arena) : arm->index);
            fp_table_text(table, fp_arm_measure(arm->measurement->arm));
            FP_TABLE_PUT(table, other ? SURE[k] : arm->reach, similarity, fp_index_curve_at(arm, &form, similarity));
        }
    }
}

static const char INDEX_CURVE[] = "corpus|arm|index;d|measure;d|>index_reach;d|>similarity;d|>expected;d";

/* ---- Terminal output ---- */

/* "96 (66.7%)", or a dash if the class does not apply to the arm. */
static void add_share(fp_table *table, const fp_recall_loss_arm *arm, const fp_recall_loss_row *row, fp_loss loss) {
    char text[64] = "–";
    double share = row->share[loss].value;
    if (fp_recall_loss_applies(arm, loss) && isnan(share)) snprintf(text, sizeof text, "0 (NA)");
    else if (fp_recall_loss_applies(arm, loss))
        snprintf(text, sizeof text, "%llu (%.1f%%)", (unsigned long long)row->count[loss], 100 * share);
    fp_table_text(table, text);
}

static fp_table *summarise(const losses *outcome, fp_arena *arena) {
    const fp_recall_loss *lost = &outcome->lost;
    bool measure = false;
    for (size_t i = 0; i < lost->arm_count; i++) measure |= fp_recall_loss_applies(lost->arms + i, FP_LOSS_MEASURE);
    fp_table *table = fp_table_new(
        measure ? "arm|index|>sure to|>h|>found|>by chance|>by index|>by sketch|>by similarity|>by measure|>candidates"
                : "arm|index|>sure to|>h|>found|>by chance|>by index|>by sketch|>by similarity|>candidates",
        arena);
    static const fp_loss shown[] = {FP_LOSS_NONE,   FP_LOSS_LUCK,       FP_LOSS_INDEX,
                                    FP_LOSS_SKETCH, FP_LOSS_SIMILARITY, FP_LOSS_MEASURE};
    for (size_t i = 0; i < lost->arm_count; i++) {
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

/* Share of the documents from which on an index saves little. */
static const double MOST_DOCUMENTS = 0.5;

static const char *remark(const fp_recall_loss *lost, const fp_recall_loss_arm *arm, double threshold,
                          fp_arena *arena) {
    const char *name = fp_arm_name(arm->measurement->arm);
    double share = fp_recall_loss_candidates(arm) / ((double)lost->corpus->document_count - 1);
    if (fp_recall_loss_needs_scan(arm))
        return fp_format(arena, "%s: no index finds every pair within %g; a full scan is meant.\n", name, threshold);
    if (!arm->tables) return "";
    if (arm->reach < floor(threshold))
        return fp_format(arena, "%s: the index finds every pair within %g, and was not made for h = %g.\n", name,
                         arm->reach, threshold);
    if (share < MOST_DOCUMENTS || isnan(share)) return "";
    return fp_format(arena, "%s: a look-up returns %.0f%% of all documents, which saves little over a full scan.\n",
                     name, floor(100 * share));
}

static void brief(fp_brief *to) {
    for (size_t i = 0; i < to->results->count; i++) {
        const losses *of = to->found[i];
        to->print(fp_format(to->arena,
                            "\n%s: where recall is lost, of %zu positive pairs, each arm at its best threshold%s\n",
                            to->results->outcomes[i].corpus->name, of->lost.positive_count, fp_brief_first_seed(to)));
        to->show(summarise(of, to->arena));
        for (size_t arm = 0; arm < of->lost.arm_count; arm++)
            to->print(remark(&of->lost, of->lost.arms + arm, of->best[arm].threshold, to->arena));
    }
    to->print(
        "\nFound: within h, and a candidate of the index; by chance, though the exact measure is beyond h. Lost by the index: within h, but no look-up\n"
        "returns it. By the sketch: only the exact measure is within h. By the similarity: the exact measure is beyond h too. By the measure:\n"
        "beyond h, and nothing exact to compare with. Sure to: every pair within that distance is a candidate. Candidates: mean of a look-up by each\n"
        "document, itself apart.\n");
}

const fp_analysis fp_analysis_lost = {
    .name = "lost",
    .example = "--lost",
    .title = {"Where recall is lost", "召回率损失在何处"},
    .text =
        {"Every duplicate is found, or lost by the index (no look-up returns it), by the sketch (only the exact measure is within the threshold) or by the similarity (the exact measure is beyond it, too).",
         "每个重复要么被找到，要么失于索引（查找不到）、失于指纹（只有精确度量在阈值之内），或失于相似度（精确度量也超出阈值）。"},
    .options =
        {{.name = "lost", .help = "also where recall is lost: by the index, the sketch or the similarity"},
         {.name = "index",
          .takes = FP_TAKES_ONE,
          .help =
              "with --lost: pigeonhole[:blocks=N,agree=N] or banding[:bands=N,rows=N] (default: none is lost within h)",
          .argument = "SPEC",
          .words = "pigeonhole banding",
          .does = "sets how --lost looks pairs up"}},
    .needs = FP_NEEDS_EXACT,
    .check = check,
    .fits = fits,
    .run = run,
    .brief = brief,
    .tables = {{.name = "lost-best", .columns = BEST, .rows = add_best, .every_arm = true},
               {.name = "lost",
                .columns = THRESHOLDS,
                .rows = add_thresholds,
                .every_arm = true,
                .by_threshold = true,
                .title = {"Where recall is lost, at each threshold", "各阈值下召回率损失在何处"}},
               {.name = "index",
                .columns = INDEX,
                .rows = add_index_bins,
                .title = {"What the index finds", "索引能找到什么"}},
               {.name = "index-curve", .columns = INDEX_CURVE, .rows = add_index_points}},
    .figures = {
        {"lost", "lost-best", "where recall is lost, at the best threshold (eval --lost)"},
        {"lost_thresholds", "lost", "where recall is lost, at each threshold (eval --lost)"},
        {"index", "index, index-curve", "which pairs become candidates of the index, by similarity (eval --lost)"}}};
