/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plan --blocks: one design, figure by figure. */
#include <math.h>

#include "algorithms/families/law.h"
#include "cli/commands/plan.h"
#include "pairs/banding.h"

/* ---- Figures ---- */

typedef struct figures {
    fp_index_plan scan, variants, shared, blocks;
    bool may_share; /* keys are single blocks, and could be stored without their numbers */
} figures;

static fp_status collect(const fp_plan_request *request, const fp_block_design *design, figures *all, fp_error *error) {
    double count = request->fingerprints;
    fp_progress progress = fp_cli_progress();
    all->may_share = design->level_count == 1 && design->level[0].agree == 1;
    FP_TRY(fp_index_plan_make(FP_PLAN_SCAN, design, count, &all->scan, error));
    FP_TRY(fp_index_plan_make(FP_PLAN_VARIANTS, design, count, &all->variants, error));
    FP_TRY(fp_index_plan_make(FP_PLAN_BLOCKS, design, count, &all->blocks, error));
    if (all->may_share) FP_TRY(fp_index_plan_make(FP_PLAN_SHARED, design, count, &all->shared, error));
    if (!request->sample) return FP_OK;
    FP_TRY(fp_index_plan_correct(&all->blocks, count, request->sample, &progress, error));
    return all->may_share ? fp_index_plan_correct(&all->shared, count, request->sample, &progress, error) : FP_OK;
}

static void add_fact(fp_table *table, const char *name, double value, const char *meaning) {
    fp_table_text(table, name);
    fp_table_real(table, value, value == floor(value) ? 0 : 3);
    fp_table_text(table, meaning);
}

static int show(const figures *all, bool sampled, fp_table_format format, fp_arena *arena) {
    fp_table *table = fp_table_new("figure|>value|meaning", arena);
    const fp_index_plan *blocks = &all->blocks;
    if (table) {
        add_fact(table, "brute_force", all->scan.comparisons, "comparisons of a full scan, for each query");
        add_fact(table, "block_bits", blocks->key_bits, "bits of the narrowest key");
        add_fact(table, "lookups", blocks->lookups, "look-ups for each query, one a table");
        add_fact(table, "candidates", blocks->candidates, "expected under the keys of a query, a table a key");
        if (all->may_share)
            add_fact(table, "candidates_shared", all->shared.candidates,
                     "the same when all blocks share one key space");
        add_fact(table, "storage", blocks->copies, "copies of each fingerprint");
        add_fact(table, "variants", all->variants.lookups,
                 "look-ups or copies if every near fingerprint is enumerated");
        add_fact(table, "comparisons", blocks->comparisons,
                 "expected for each query: candidates, and what is grouped with them");
        add_fact(table, "bytes", blocks->bytes, "of all tables, without records");
        add_fact(table, "nanoseconds", blocks->nanoseconds, "expected for each query, as measured on one machine");
        if (sampled)
            add_fact(table, "skew", blocks->skew, "candidates of fingerprints like the sample, by those spread evenly");
    }
    return fp_cli_write(table, format);
}

/* ---- Fingerprints at an angle ---- */

/* With two levels the keys are not those of any number of agreeing blocks, and no law is stated for them. */
static double found_by(const fp_block_design *design, double differs) {
    if (design->level_count != 1) return NAN;
    return fp_blocks_agreeing(design->bits, design->level[0].blocks, design->level[0].agree, differs);
}

/* How probable it is that two fingerprints whose texts have a cosine are found, and that they lie within the distance.
 */
static int show_cosines(const fp_block_design *design, double target, fp_table_format format, fp_arena *arena) {
    static const double COSINES[] = {0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.999};
    fp_table *table = fp_table_new(">cosine|>mean_distance|>found|>within_distance|", arena);
    bool told = false;
    for (size_t i = 0; table && i <= sizeof COSINES / sizeof *COSINES; i++) {
        bool end = i == sizeof COSINES / sizeof *COSINES;
        for (int row = 0; row < 2; row++) {
            bool here = row == 0;
            double cosine = here ? target : end ? NAN : COSINES[i];
            if (here ? told || (!end && target > COSINES[i]) : end || COSINES[i] == target) continue;
            told |= here;
            double differs = fp_law_angle(cosine);
            fp_table_real(table, cosine, 3);
            fp_table_real(table, differs * design->bits, 2);
            fp_table_real(table, found_by(design, differs), 4);
            fp_table_real(table, fp_law_binomial(design->distance, differs, design->bits), 4);
            fp_table_text(table, here ? "target" : "");
        }
    }
    return fp_cli_write(table, format);
}

int fp_cli_plan_blocks(const fp_plan_request *request, const fp_block_design *design, double cosine,
                       fp_table_format format, fp_arena *arena) {
    figures all;
    fp_error error = {0};
    bool asked = !isnan(cosine);
    if (asked && format != FP_FORMAT_TABLE) return show_cosines(design, cosine, format, arena);
    fp_status collected = collect(request, design, &all, &error);
    fp_cli_progress_end();
    if (collected != FP_OK) return fp_cli_fail(&error);
    int status = show(&all, request->sample, format, arena);
    if (status != FP_EXIT_SUCCESS || !asked) return status;
    printf("\nTexts with a cosine differ in angle/pi of their bits: found, some key equal; and within distance %u\n\n",
           design->distance);
    return show_cosines(design, cosine, format, arena);
}
