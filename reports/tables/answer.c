/* SPDX-License-Identifier: GPL-3.0-or-later
 * The answer of an evaluation: the best arm, its threshold, and its quality there. */
#include <math.h>
#include <string.h>

#include "reports/tables/results.h"

/* ---- A card ---- */

const char *fp_rule_text(const fp_arm *arm, double threshold, fp_arena *arena) {
    const fp_layout *layout = fp_arm_layout(arm);
    const char *scale = layout->scale, *of = strstr(scale, " of ");
    double similarity = fp_arm_similarity(arm, threshold);
    /* Shows 0 instead of a rounding error. */
    const char *alike = fp_format(arena, "%s ≥ %.3g", fp_arm_measure(arm), round(similarity * 1e4) / 1e4);
    if (!layout->integral && !isnan(similarity))
        return fp_format(arena, "%s (h ≤ %.6g of %g)", alike, threshold, layout->maximum);
    const char *distance =
        of ? fp_format(arena, "h ≤ %.6g of %s %.*s", threshold, of + strlen(" of "), (int)(of - scale), scale)
           : fp_format(arena, "h ≤ %.6g, %s", threshold, scale);
    return isnan(similarity) ? distance : fp_format(arena, "%s (%s)", distance, alike);
}

static const char *count_text(uint64_t part, uint64_t of, const char *said, fp_arena *arena) {
    return fp_format(arena, ": %llu of %llu %s", (unsigned long long)part, (unsigned long long)of, said);
}

double fp_rate_rounded(double rate) {
    double unit = pow(10, fmax(0, floor(log10(rate)) - 1));
    return round(rate / unit) * unit;
}

/* "8 bytes a text, and 256 more of a query; 35,000 texts a second". */
static const char *cost_text(const fp_card *card, fp_arena *arena) {
    const char *bytes = fp_format(arena, "%.0f byte%s a text", card->bytes, card->bytes == 1 ? "" : "s");
    const fp_layout *layout = fp_arm_layout(card->arm);
    if (layout->stored) bytes = fp_format(arena, "%s, and %zu more of a query", bytes, layout->bytes - layout->stored);
    if (!(card->per_second > 0) || isinf(card->per_second)) return bytes;
    unsigned long long whole = (unsigned long long)fp_rate_rounded(card->per_second), thousands = whole / 1000;
    if (whole < 10000) return fp_format(arena, "%s; %llu texts a second", bytes, whole);
    const char *millions = thousands < 1000 ? fp_format(arena, "%llu", thousands)
                                            : fp_format(arena, "%llu,%03llu", thousands / 1000, thousands % 1000);
    return fp_format(arena, "%s; %s,%03llu texts a second", bytes, millions, whole % 1000);
}

static const char *line(const char *before, const char *label, const char *text, fp_arena *arena) {
    return text ? fp_format(arena, "%s  %-12s %s\n", before, label, text) : before;
}

const char *fp_card_text(const fp_card *card, fp_arena *arena) {
    const fp_confusion *c = card->counts;
    const char *precision = fp_interval_text(card->precision, card->precision_interval, 2, arena),
               *recall = fp_interval_text(card->recall, card->recall_interval, 2, arena);
    if (c) {
        const char *called = fp_format(arena, "%s called duplicates are duplicates", card->counted);
        precision = fp_format(arena, "%s%s", precision, count_text(c->tp, c->tp + c->fp, called, arena));
        recall = fp_format(arena, "%s%s", recall, count_text(c->tp, c->tp + c->fn, "duplicates are found", arena));
    }
    const char *duplicates = fp_format(arena, "%.3g%% of the %s; where they are rarer, precision is lower",
                                       100 * card->duplicates, card->counted);
    bool all = card->threshold >= fp_arm_layout(card->arm)->maximum;
    const char *rule = fp_rule_text(card->arm, card->threshold, arena);
    const char *text = line("", "use", card->name, arena);
    text = line(text, "duplicate", all ? fp_format(arena, "%s, which is every pair", rule) : rule, arena);
    text = line(text, "precision", precision, arena);
    text = line(text, "recall", recall, arena);
    text = line(text, "promised", card->promised, arena);
    text = line(text, "measured", card->measured, arena);
    text = line(text, "duplicates", duplicates, arena);
    text = line(text, "cost", cost_text(card, arena), arena);
    return line(text, "runner-up", card->runner_up, arena);
}

/* ---- Order of the arms ---- */

static double quality_of(const fp_outcome *outcome, size_t arm) {
    return fp_seeds_curve_mean(outcome, arm, offsetof(fp_curve, average_precision));
}

/* From 1, by average precision; on ties the earlier arm comes first. */
static size_t place_of(const fp_chosen_outcome *best, size_t at) {
    size_t place = 1, arm = best->arms[at].arm;
    double own = quality_of(best->outcome, arm);
    for (size_t i = 0; i < best->count; i++) {
        double other = quality_of(best->outcome, best->arms[i].arm);
        place += other > own || (other == own && best->arms[i].arm < arm);
    }
    return place;
}

static const fp_chosen_arm *arm_at(const fp_chosen_outcome *best, size_t place) {
    for (size_t i = 0; i < best->count; i++)
        if (place_of(best, i) == place) return best->arms + i;
    return NULL;
}

/* Describes the difference of two arms; NULL: not compared. */
static const char *difference_text(const fp_results *results, const fp_outcome *outcome, size_t first, size_t second,
                                   fp_arena *arena) {
    const fp_inference *inference = outcome->inference;
    const fp_comparison *pair = NULL;
    for (size_t i = 0; i < inference->comparison_count; i++) {
        const fp_comparison *of = inference->comparisons + i;
        if ((of->first == first && of->second == second) || (of->first == second && of->second == first)) pair = of;
    }
    if (!pair) return NULL;
    fp_measure compared = fp_inference_compared(results->inference);
    const char *measure = fp_measure_label(&compared, arena), *p = fp_p_text(pair->adjusted, arena);
    bool turned = (pair->first == first) != fp_results_first_is_better(results, pair);
    switch (fp_results_verdict(results, pair)) {
    case FP_VERDICT_DIFFER:
        return fp_format(
            arena, "%s in %s by %.3f, %s%s", turned ? "better" : "worse", measure, fabs(pair->difference.value), p,
            pair->equivalence.within ? fp_format(arena, ", but by less than %g", pair->equivalence.margin) : "");
    case FP_VERDICT_WITHIN: return fp_format(arena, "%s within ±%g", measure, pair->equivalence.margin);
    case FP_VERDICT_EQUAL: return fp_format(arena, "the same %s", measure);
    case FP_VERDICT_OPEN:
        return fp_format(arena, "no significant difference in %s; it could be up to %s", measure,
                         fp_up_to_text(pair->equivalence.farthest, arena));
    case FP_VERDICT_NOT_DEFINED: break;
    }
    return NULL;
}

/* Compares the arm in this place with the first one. */
static const char *runner_up_text(const fp_results *results, const fp_chosen_outcome *best, size_t place,
                                  fp_arena *arena) {
    const fp_chosen_arm *answer = arm_at(best, 1), *of = arm_at(best, place);
    return place > 1 && answer && of ? difference_text(results, best->outcome, answer->arm, of->arm, arena) : NULL;
}

/* ---- Cards of an evaluation ---- */

static double rate_of(const fp_outcome *outcome, size_t arm) {
    double seconds = outcome->measurements[arm].sketch_seconds;
    return seconds > 0 ? (double)outcome->corpus->document_count / seconds : NAN;
}

static fp_card card_of(const fp_results *results, const fp_outcome *outcome, const fp_chosen_arm *chosen) {
    const fp_measurement *measurement = outcome->measurements + chosen->arm;
    return (fp_card){.name = fp_arm_name(measurement->arm),
                     .arm = measurement->arm,
                     .counted = fp_results_counted(results->level),
                     .threshold = chosen->threshold,
                     .precision = chosen->precision.value,
                     .recall = chosen->recall.value,
                     .precision_interval = chosen->precision.interval,
                     .recall_interval = chosen->recall.interval,
                     .counts = &chosen->counts,
                     .duplicates = fp_results_prevalence(outcome, chosen->arm),
                     .bytes = measurement->bytes_per_document,
                     .per_second = rate_of(outcome, chosen->arm)};
}

const char *fp_results_card(const fp_results *results, const fp_chosen_outcome *best, fp_arena *arena) {
    const fp_chosen_arm *first = arm_at(best, 1), *second = arm_at(best, 2);
    if (!first)
        return fp_format(arena,
                         "  none: no %s is a duplicate; a choice needs duplicates (label 1, or texts of one group)\n",
                         results->level == FP_LEVEL_DOCUMENT ? "document" : "pair");
    fp_card card = card_of(results, best->outcome, first);
    if (card.duplicates == 1)
        return fp_format(arena,
                         "  none: all %s are duplicates, so that precision is 1 at every threshold; a choice needs "
                         "%s of different texts (label 0)\n",
                         card.counted, card.counted);
    /* If pairs are only counted, estimates exist for listed thresholds alone (fp_best_outcome_make). */
    bool listed = fp_f1(*card.counts) < best->outcome->curves[first->arm].best_f1;
    const char *among = listed ? fp_format(arena, " at a whole threshold from %lld to %lld",
                                           (long long)results->first_threshold, (long long)results->last_threshold)
                               : "";
    card.measured =
        fp_format(arena, "in-sample: the threshold of the best F1%s on these %s; fplab tune measures on held-out texts",
                  among, card.counted);
    const char *difference = runner_up_text(results, best, 2, arena);
    if (second && difference) {
        const fp_arm *arm = best->outcome->measurements[second->arm].arm;
        card.runner_up =
            fp_format(arena, "%s, %s: %s", fp_arm_name(arm), fp_rule_text(arm, second->threshold, arena), difference);
    }
    return fp_card_text(&card, arena);
}

/* ---- Tables ---- */

/* The rows of answer.tsv of one arm, if it has a best threshold. */
void fp_answer_rows(fp_table *table, const fp_found_arm *of) {
    const fp_chosen_outcome *best = of->found;
    size_t k = 0;
    while (k < best->count && best->arms[k].arm != of->arm) k++;
    if (k == best->count) return;
    const fp_chosen_arm *chosen = best->arms + k;
    fp_card card = card_of(of->results, best->outcome, chosen);
    size_t place = place_of(best, k);
    const char *runner_up = runner_up_text(of->results, best, place, of->arena);
    fp_results_add_names(table, best->outcome, chosen->arm, true);
    FP_TABLE_PUT(table, (double)place, card.threshold);
    fp_table_text(table, fp_arm_measure(card.arm));
    fp_table_put(table, fp_arm_similarity(card.arm, card.threshold));
    fp_results_add_chosen(table, chosen, true);
    FP_TABLE_PUT(table, card.duplicates, card.bytes, card.per_second);
    fp_table_text(table, runner_up ? runner_up : "");
}

fp_table *fp_results_answer_short(const fp_chosen_outcome *best, fp_arena *arena) {
    fp_table *table = fp_table_of("each arm at its best F1|duplicate|>precision;3|>recall;3|>F1;3", arena);
    for (size_t place = 1; place <= best->count; place++) {
        const fp_chosen_arm *chosen = arm_at(best, place);
        const fp_arm *arm = best->outcome->measurements[chosen->arm].arm;
        fp_table_text(table, fp_arm_name(arm));
        fp_table_text(table, fp_rule_text(arm, chosen->threshold, arena));
        fp_results_add_chosen(table, chosen, false);
    }
    return table;
}
