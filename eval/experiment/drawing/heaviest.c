/* SPDX-License-Identifier: GPL-3.0-or-later
 * Weights of what was not seen. */
#include "eval/experiment/drawing/heaviest.h"

#include <math.h>

/* Pairs from which something is learned; units in one piece of work. */
enum { ENOUGH = 100, BATCH = 1024 };

/* The bands of an arm; NULL: there are none. */
static const fp_key_bands *bands_of(const fp_drawn_pairs *drawn, const fp_measurement *measurement) {
    for (size_t i = 0; i < drawn->band_count; i++)
        if (drawn->bands[i].measurement->arm == measurement->arm) return drawn->bands + i;
    return NULL;
}

/* ---- Where the distance tells ---- */

/* Whether it does. */
static bool tell(const fp_drawn_pairs *drawn, const fp_key_bands *bands, const fp_counted_arm *counted,
                 double *heaviest) {
    for (size_t bin = 0; bin < counted->bin_count; bin++) {
        double overlap = fp_key_least_overlap(bands->measurement, counted->distance[bin]);
        if (isnan(overlap)) return false;
        heaviest[bin] =
            fp_drawn_pairs_weight_at(drawn, (size_t)(bands - drawn->bands), overlap, counted->distance[bin]);
    }
    return true;
}

/* ---- Where duplicates show it ---- */

typedef struct looking {
    const fp_drawn_pairs *drawn;
    const fp_unit_list *units;
    const fp_pass_arm *arm;
    const fp_arenas *arenas;
    double *found; /* a thread's [bin_count] */
} looking;

static fp_status look_at_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const looking *of = context;
    const fp_unit_list *units = of->units;
    double *found = of->found + fp_thread_of(of->arenas, arena) * of->arm->plan.bin_count;
    size_t end = units->count - index * BATCH < BATCH ? units->count : (index + 1) * BATCH;
    (void)error;
    for (size_t u = index * BATCH; u < end; u++)
        for (size_t i = units->begin[u]; i < units->begin[u + 1]; i++)
            for (size_t j = i + 1; j < units->begin[u + 1]; j++) {
                uint32_t a = units->document[i], b = units->document[j], bin = fp_pass_bin(of->arm, a, b);
                found[bin] = fmax(found[bin], fp_drawn_pairs_weight(of->drawn, a, b));
            }
    return FP_OK;
}

static void learn(const looking *of, const fp_counted_arm *counted, fp_seen_weights seen, double *heaviest) {
    double most = 1, pairs = 0;
    for (size_t bin = 0; bin < counted->bin_count; bin++) {
        most = fmax(most, seen.heaviest[bin]);
        pairs += (double)seen.pairs[bin] + (double)counted->cells[2 * bin + 1];
        for (size_t t = 0; t < of->arenas->count; t++) most = fmax(most, of->found[t * counted->bin_count + bin]);
        if (pairs >= ENOUGH) heaviest[bin] = most;
    }
}

fp_status fp_heaviest_find(const fp_drawn_pairs *drawn, const fp_unit_list *units, const fp_pass_arm *arm,
                           const fp_counted_arm *counted, fp_seen_weights seen, const fp_arenas *arenas,
                           const fp_progress *progress, fp_arena *scratch, double *heaviest, fp_error *error) {
    const fp_key_bands *bands = bands_of(drawn, arm->measurement);
    looking of = {drawn, units, arm, arenas, NULL};
    for (size_t bin = 0; bin < counted->bin_count; bin++) heaviest[bin] = drawn->weight;
    if (!bands) return FP_OK;
    if (tell(drawn, bands, counted, heaviest)) return FP_OK;
    of.found = fp_arena_alloc(scratch, arenas->count * counted->bin_count, sizeof *of.found);
    if (!of.found) return fp_no_memory(error);
    FP_TRY(
        fp_parallel((units->count + BATCH - 1) / BATCH, arenas, true, look_at_batch, &of, "weights", progress, error));
    learn(&of, counted, seen, heaviest);
    return FP_OK;
}
