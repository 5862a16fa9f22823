/* SPDX-License-Identifier: GPL-3.0-or-later
 * Signed-rank tests of every two arms over corpora. */
#include "eval/ranks/rank_pairs.h"

#include "eval/statistics/difference.h"

static void list_pairs(const fp_ranks *ranks, fp_rank_pair *pairs, double *differences) {
    for (size_t i = 0; i + 1 < ranks->arm_count; i++) {
        for (size_t j = i + 1; j < ranks->arm_count; j++, pairs++) {
            *pairs = (fp_rank_pair){.first = ranks->order[i], .second = ranks->order[j]};
            for (size_t corpus = 0; corpus < ranks->corpus_count; corpus++) {
                const double *row = ranks->values + corpus * ranks->arm_count;
                pairs->mean += *differences++ = row[pairs->first] - row[pairs->second];
            }
            pairs->mean /= (double)ranks->corpus_count;
        }
    }
}

static fp_status test_pairs(const double *differences, size_t corpora, fp_arena *scratch, fp_rank_pairs *to,
                            fp_rank_pair *pairs, fp_error *error) {
    double *p = fp_arena_raw(scratch, to->count, sizeof *p);
    fp_posterior *posteriors = fp_arena_raw(scratch, to->count, sizeof *posteriors);
    if (!p || !posteriors) return fp_no_memory(error);
    for (size_t i = 0; i < to->count; i++) {
        FP_TRY(fp_signed_rank_of(differences + i * corpora, corpora, scratch, &pairs[i].test, error));
        p[i] = pairs[i].test.p;
    }
    FP_TRY(fp_holm(p, to->count, scratch, p, error));
    FP_TRY(fp_bayes_signed_ranks(differences, to->count, corpora, &to->bayes, scratch, posteriors, error));
    for (size_t i = 0; i < to->count; i++) {
        pairs[i].adjusted = p[i];
        pairs[i].posterior = posteriors[i];
    }
    return FP_OK;
}

fp_status fp_rank_pairs_make(const fp_ranks *ranks, const fp_bayes_options *bayes, fp_arena *arena,
                             fp_rank_pairs *pairs, fp_error *error) {
    *pairs = (fp_rank_pairs){.count = ranks->arm_count * (ranks->arm_count - 1) / 2, .bayes = *bayes};
    if (pairs->count > SIZE_MAX / ranks->corpus_count) return fp_no_memory(error);
    fp_rank_pair *list = fp_arena_alloc(arena, pairs->count, sizeof *list);
    fp_arena *scratch = fp_arena_new_like(arena);
    double *differences =
        scratch ? fp_arena_raw(scratch, pairs->count * ranks->corpus_count, sizeof *differences) : NULL;
    fp_status status = list && differences ? FP_OK : fp_no_memory(error);
    if (status == FP_OK) {
        list_pairs(ranks, list, differences);
        status = test_pairs(differences, ranks->corpus_count, scratch, pairs, list, error);
    }
    pairs->pairs = list;
    fp_arena_free(scratch);
    return status;
}
