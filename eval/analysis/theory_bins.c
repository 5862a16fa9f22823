/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bins of eval/analysis/similarity_bins.h under a law. */
#include "eval/analysis/theory_bins.h"

#include "eval/analysis/similarity_bins.h"

/* Of the pairs in bin `number`; each has its bit in `mask`, 0 before. */
static void fill(const fp_theory_pairs *pairs, const size_t *bin, size_t number, const fp_theory *theory,
                 uint64_t *mask, fp_theory_bin *out) {
    double squares = 0, means = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        if (bin[i] != number) continue;
        double distance = pairs->distance[i], mean = theory->mean[i];
        mask[i / 64] |= (uint64_t)1 << i % 64;
        out->pairs++;
        out->positives += pairs->pairs[i].label;
        out->similarity += pairs->similarity[i];
        out->mean += distance;
        out->expected += mean;
        out->variance += (distance - mean) * (distance - mean);
        out->variance_by_law += theory->variance[i];
        squares += distance * distance;
        means += mean * mean;
    }
    double count = (double)out->pairs;
    out->similarity /= count;
    out->mean /= count;
    out->expected /= count;
    out->variance /= count;
    out->variance_by_law /= count;
    out->deviation = sqrt(fmax(0, squares / count - out->mean * out->mean));
    out->expected_deviation = sqrt(fmax(0, means / count - out->expected * out->expected) + out->variance_by_law);
    out->shift = (fp_fit_shift){NAN, {NAN, NAN}, NAN};
}

fp_status fp_theory_divide(const fp_theory_pairs *pairs, const fp_fit_input *places, double confidence, fp_arena *arena,
                           fp_theory *theory, fp_error *error) {
    size_t *bin = fp_arena_raw(arena, pairs->count, sizeof *bin), held[FP_SIMILARITY_BINS] = {0};
    fp_theory_bin *bins = fp_arena_alloc(arena, FP_SIMILARITY_BINS, sizeof *bins);
    if (!bin || !bins) return fp_no_memory(error);
    for (size_t i = 0; i < pairs->count; i++) held[bin[i] = fp_similarity_bin_of(pairs->similarity[i])]++;
    theory->bins = bins;
    for (size_t b = 0; b < FP_SIMILARITY_BINS; b++) {
        if (!held[b]) continue;
        fp_theory_bin *out = bins + theory->bin_count++;
        out->low = fp_similarity_bin_low(b);
        out->high = fp_similarity_bin_low(b + 1);
        uint64_t *mask = fp_arena_alloc(arena, fp_fit_words(pairs->count), sizeof *mask);
        if (!mask) return fp_no_memory(error);
        fill(pairs, bin, b, theory, mask, out);
        if (places) FP_TRY(fp_fit_shift_of(places, mask, confidence, arena, &out->shift, error));
    }
    return FP_OK;
}
