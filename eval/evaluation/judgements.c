/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cross-fitted thresholds, and the pairs that are correct at them. */
#include "eval/evaluation/judgements.h"

#include <math.h>

#include "base/parallel.h"
#include "eval/units/sampling_units.h"
#include "eval/units/split.h"

const char *fp_threshold_source_name(fp_threshold_source source) {
    static const char *const NAMES[] = {"cross-fitted", "stated", "choice"};
    return NAMES[source];
}

enum { FOLDS = FP_CROSS_FIT_FOLDS, SETS = FOLDS * (FOLDS + 1) / 2 };

/* One assignment to folds. Pairs inside a unit (0) and across two units (1): leaving out folds removes more of the
 * latter, so each remaining pair represents all pairs of its kind, which keeps precision comparable (as in split.h). */
typedef struct dealing {
    uint8_t *folds;           /* [pair_count] fp_fold_set of the pair */
    size_t pairs[SETS][2];    /* of these folds */
    uint64_t weight[SETS][2]; /* of a pair that touches none of these folds */
} dealing;

typedef struct work {
    const fp_bootstrap *bootstrap;
    const fp_threshold_at *at; /* NULL: all are cross-fitted */
    dealing dealings[FP_CROSS_FIT_DEALINGS];
    size_t dealing_count; /* 0: there are too few units */
    uint8_t *votes;       /* [arm_count · pair_count] of the dealings, for a call */
    bool *right;          /* [arm_count · pair_count] */
    fp_judgements *out;
} work;

static bool is_across(const fp_resample *resample, size_t pair) {
    return resample->first[pair] != resample->second[pair];
}

/* ---- Dealing ---- */

/* The key of a unit is one of its documents, whatever its position. */
static void know(fp_unit_load *to, const fp_corpus_document *documents, uint32_t document) {
    fp_string id = documents ? documents[document].id : (fp_string){0};
    uint64_t key = documents ? fp_xxh3(id.data, id.length, 0) : fp_mix(document, 0);
    if (key < to->key) to->key = key;
}

/* A pair across two units is one of both. */
static void load_pair(const fp_resample *resample, size_t at, fp_known_pairs known, fp_unit_load *load) {
    fp_pair pair = known.pairs[at];
    fp_unit_load *a = load + resample->first[at], *b = load + resample->second[at];
    know(a, known.documents, pair.a);
    know(b, known.documents, pair.b);
    a->positives += pair.label;
    a->size++;
    if (a == b) return;
    b->positives += pair.label;
    b->size++;
}

static void weigh(const fp_resample *resample, dealing *to) {
    enum { SCALE = 1 << 16 }; /* whole numbers */
    size_t all[2] = {0, 0};
    for (size_t i = 0; i < resample->pair_count; i++) {
        bool across = is_across(resample, i);
        to->pairs[to->folds[i]][across]++;
        all[across]++;
    }
    for (size_t of = 0; of < SETS; of++) {
        for (int across = 0; across < 2; across++) {
            size_t stay = 0;
            for (size_t other = 0; other < SETS; other++)
                if (!fp_fold_sets_meet(of, other)) stay += to->pairs[other][across];
            to->weight[of][across] = stay ? (uint64_t)all[across] * SCALE / stay : 0;
        }
    }
}

static fp_status deal(work *to, fp_known_pairs known, fp_arena *arena, fp_arena *scratch, fp_error *error) {
    const fp_resample *resample = to->bootstrap->resample;
    fp_unit_load *load = FP_NEED(fp_arena_alloc(scratch, resample->unit_count, sizeof *load), error);
    uint8_t *fold = FP_NEED(fp_arena_raw(scratch, resample->unit_count, 1), error);
    size_t folds = resample->unit_count < FOLDS ? resample->unit_count : FOLDS;
    for (size_t u = 0; u < resample->unit_count; u++) load[u].key = UINT64_MAX;
    for (size_t i = 0; i < resample->pair_count; i++) load_pair(resample, i, known, load);
    for (size_t k = 0; folds >= 3 && k < FP_CROSS_FIT_DEALINGS; k++) {
        dealing *one = to->dealings + to->dealing_count++;
        one->folds = FP_NEED(fp_arena_raw(arena, resample->pair_count, 1), error);
        FP_TRY(fp_folds_deal(load, resample->unit_count, folds, k, scratch, fold, error));
        for (size_t i = 0; i < resample->pair_count; i++)
            one->folds[i] = (uint8_t)fp_fold_set(fold[resample->first[i]], fold[resample->second[i]]);
        weigh(resample, one);
    }
    return FP_OK;
}

/* ---- One arm ---- */

/* The best threshold over the pairs that touch none of these folds; NaN where no positive is among them. */
static fp_status choose(const work *job, const fp_ranking *ranking, const dealing *by, size_t of, fp_arena *scratch,
                        double *threshold, fp_error *error) {
    fp_arena_reset(scratch);
    uint64_t *cells = FP_NEED(fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *cells), error);
    fp_ranked_step *steps = FP_NEED(fp_arena_raw(scratch, ranking->bin_count, sizeof *steps), error);
    bool apart[SETS];
    for (size_t other = 0; other < SETS; other++) apart[other] = !fp_fold_sets_meet(of, other);
    for (size_t i = 0; i < ranking->pair_count; i++)
        if (apart[by->folds[i]]) cells[ranking->slot[i]] += by->weight[of][is_across(job->bootstrap->resample, i)];
    fp_ranked ranked = fp_ranked_of(ranking->bin_count, ranking->distance, cells, steps);
    *threshold = fp_measure_best_threshold.over_range(&ranked);
    return FP_OK;
}

/* Adds a vote for each called pair; *any: whether there is a threshold for all. */
static fp_status vote(const work *job, const fp_ranking *ranking, const dealing *by, fp_arena *scratch, uint8_t *votes,
                      fp_judgements *out, bool *any, fp_error *error) {
    double threshold[SETS] = {0};
    *any = false;
    for (size_t of = 0; of < SETS; of++) {
        if (by->pairs[of][0] + by->pairs[of][1] == 0) continue;
        FP_TRY(choose(job, ranking, by, of, scratch, threshold + of, error));
        if (isnan(threshold[of])) return FP_OK;
    }
    *any = true;
    for (size_t of = 0; of < SETS; of++) {
        if (by->pairs[of][0] + by->pairs[of][1] == 0) continue;
        out->low = fmin(out->low, threshold[of]);
        out->high = fmax(out->high, threshold[of]);
    }
    for (size_t i = 0; i < ranking->pair_count; i++)
        votes[i] = (uint8_t)(votes[i] + (ranking->distance[ranking->slot[i] / 2] <= threshold[by->folds[i]]));
    return FP_OK;
}

static fp_status cross_fit(const work *job, size_t arm, fp_arena *scratch, bool *right, fp_error *error) {
    const fp_ranking *ranking = job->bootstrap->rankings + arm;
    uint8_t *votes = job->votes + arm * ranking->pair_count;
    fp_judgements *out = job->out + arm;
    size_t all = 0;
    *out = (fp_judgements){.source = FP_THRESHOLD_CROSS_FITTED, .low = NAN, .high = NAN};
    for (size_t k = 0; k < job->dealing_count; k++) {
        bool any;
        FP_TRY(vote(job, ranking, job->dealings + k, scratch, votes, out, &any, error));
        all += any;
    }
    if (all == 0) return FP_OK;
    for (size_t i = 0; i < ranking->pair_count; i++) right[i] = (2 * votes[i] > all) == (ranking->slot[i] & 1);
    out->right = right;
    return FP_OK;
}

static fp_status judge(void *context, size_t arm, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    const fp_ranking *ranking = job->bootstrap->rankings + arm;
    bool *right = job->right + arm * ranking->pair_count;
    const fp_threshold_at *at = job->at ? job->at + arm : NULL;
    if (!at || at->source == FP_THRESHOLD_CROSS_FITTED) return cross_fit(job, arm, scratch, right, error);
    for (size_t i = 0; i < ranking->pair_count; i++)
        right[i] = (ranking->distance[ranking->slot[i] / 2] <= at->threshold) == (ranking->slot[i] & 1);
    job->out[arm] = (fp_judgements){at->source, at->threshold, at->threshold, right};
    return FP_OK;
}

/* ---- All ---- */

fp_status fp_judgements_make(const fp_bootstrap *bootstrap, fp_known_pairs known, const fp_threshold_at *at,
                             const fp_progress *progress, fp_arena *arena, fp_judgements *judgements, fp_error *error) {
    size_t arms = bootstrap->arm_count, count = bootstrap->resample->pair_count;
    work job = {.bootstrap = bootstrap,
                .at = at,
                .votes = FP_NEED(fp_arena_alloc(arena, arms, count), error),
                .right = FP_NEED(fp_arena_raw(arena, arms, count), error),
                .out = judgements};
    FP_ARENAS(arenas, progress, arena, error);
    FP_TRY(deal(&job, known, arena, arenas.each[0], error));
    return fp_parallel(arms, &arenas, true, judge, &job, "judgements", progress, error);
}
