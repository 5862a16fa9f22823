/* SPDX-License-Identifier: GPL-3.0-or-later
 * Measures every arm on every pair, by models that have not seen its documents. As many models
 * as memory allows run side by side. */
#include <math.h>

#include "base/parallel.h"
#include "eval/experiment/corpus_sketches.h"
#include "eval/tuning/tune_parts.h"

/* Limit for sketches, document frequencies and steps together; beyond it, more passes over the texts are made. */
static const double MOST_BYTES = (double)((size_t)512 << 20);
enum { MOST_MODELS = 512 };
/* Guesses: a sketch of variable size; the document frequencies of a text. */
static const double VARYING_BYTES = 4096, FREQUENCY_BYTES = 4096;

/* Short runs are mostly noise: they are timed three times and the shortest counts; not for very many arms. */
static size_t timings_of(size_t arms, double seconds) { return seconds < 0.2 && arms <= 50 ? 3 : 1; }

/* Number of models of an arm: of everything, without each fold, without each two. */
static size_t models_of(const fp_arm *arm, size_t folds) {
    return fp_arm_learns(arm) ? 1 + folds + folds * (folds - 1) / 2 : 1;
}

/* Arms that are measured together, from the first model to the choice of their thresholds. */
typedef struct portion {
    fp_tune_work *work;
    size_t count;
    const uint32_t *arms; /* [count] */
    fp_tune_steps *steps; /* [count] */
} portion;

static fp_arm *arm_of(const portion *of, size_t member) { return of->work->tuned->arms[of->arms[member]]; }

/* ---- Models side by side ---- */

/* Some arms of a portion, without some sets of folds. */
typedef struct models {
    const portion *of;
    size_t count;
    uint32_t *member;     /* [count] of the portion */
    size_t *out;          /* [count] the set of folds left out (fp_fold_set) */
    fp_pipeline_arm *arm; /* [count] each with an arm of its own */
    fp_measurement *measurements;
    fp_arena *arena;
} models;

/* Three digits: timings are not more precise. */
static double to_three_digits(double value) {
    char text[32];
    double rounded = value;
    snprintf(text, sizeof text, "%.3g", value);
    fp_parse_real(text, &rounded);
    return rounded;
}

static fp_status open_models(models *to, size_t most) {
    to->member = fp_arena_raw(to->arena, most, sizeof *to->member);
    to->out = fp_arena_raw(to->arena, most, sizeof *to->out);
    to->arm = fp_arena_alloc(to->arena, most, sizeof *to->arm);
    to->measurements = fp_arena_alloc(to->arena, most, sizeof *to->measurements);
    return to->member && to->out && to->arm && to->measurements ? FP_OK : fp_no_memory(to->of->work->error);
}

/* The models of one set of folds; they share the list of training documents. */
static fp_status add_set(models *to, size_t out) {
    const fp_split *split = &to->of->work->tuned->split;
    bool all = out == FP_NO_FOLD_SET;
    size_t first = all ? 0 : fp_fold_of_set(out), second = all ? 0 : out - fp_fold_set(first, 0);
    fp_error *error = to->of->work->error;
    bool *training = all ? NULL : FP_NEED(fp_arena_raw(to->arena, split->document_count, sizeof *training), error);
    bool *sketched = all ? NULL : FP_NEED(fp_arena_raw(to->arena, split->document_count, sizeof *sketched), error);
    for (size_t i = 0; !all && i < split->document_count; i++) {
        sketched[i] = split->fold[i] == first || split->fold[i] == second;
        training[i] = !sketched[i];
    }
    for (size_t m = 0; m < to->of->count; m++) {
        if (!all && !fp_arm_learns(arm_of(to->of, m))) continue;
        fp_arm *own = FP_NEED(fp_arena_raw(to->arena, 1, sizeof *own), error);
        *own = *arm_of(to->of, m);
        to->member[to->count] = (uint32_t)m;
        to->out[to->count] = out;
        to->arm[to->count++] = (fp_pipeline_arm){.arm = own, .training = training, .sketched = sketched};
    }
    return FP_OK;
}

static void note_costs(const models *of, size_t model, bool again) {
    fp_tune_work *work = of->of->work;
    const fp_measurement *measurement = of->measurements + model;
    fp_tune_arm *result = work->results + of->of->arms[of->member[model]];
    double microseconds = to_three_digits(measurement->sketch_seconds * 1e6 / (double)work->corpus->document_count);
    result->bytes = measurement->bytes_per_document;
    result->empty = measurement->empty_count;
    if (!again || microseconds < result->microseconds) result->microseconds = microseconds;
    if (!again || microseconds > result->microseconds_most) result->microseconds_most = microseconds;
}

/* The steps of the pairs that the model measures: of all, or of those with exactly its folds. Some pairs at a time. */
static fp_status measure_pairs(const models *of, size_t model, const fp_arenas *arenas, fp_arena *scratch) {
    enum { AT_ONCE = 1 << 16 };
    const fp_tune_work *work = of->of->work;
    const fp_split *split = &work->tuned->split;
    const fp_tune_steps *steps = of->of->steps + of->member[model];
    bool all = of->out[model] == FP_NO_FOLD_SET;
    uint16_t *to = all ? steps->naive : steps->held_out;
    fp_pair *pairs = FP_NEED(fp_arena_raw(scratch, AT_ONCE, sizeof *pairs), work->error);
    size_t *place = FP_NEED(fp_arena_raw(scratch, AT_ONCE, sizeof *place), work->error);
    double *distance = FP_NEED(fp_arena_raw(scratch, AT_ONCE, sizeof *distance), work->error);
    for (size_t i = 0, count; i < split->pair_count;) {
        for (count = 0; i < split->pair_count && count < AT_ONCE; i++)
            if (all || split->pair_set[i] == of->out[model]) pairs[count] = split->pairs[i], place[count++] = i;
        FP_TRY(fp_pairs_measure(work->corpus, of->measurements + model, FP_PAIR_LIST(pairs, count), arenas, "distances",
                                &work->quiet, distance, work->error));
        for (size_t k = 0; k < count; k++) to[place[k]] = fp_threshold_grid_find(&steps->scale, distance[k]);
    }
    return FP_OK;
}

static fp_status measure_model(const models *of, size_t model, const fp_arenas *arenas) {
    fp_tune_work *work = of->of->work;
    const fp_split *split = &work->tuned->split;
    FP_SCRATCH(scratch, work->arena, work->error);
    /* Without left-out folds all documents have sketches. */
    if (of->out[model] == FP_NO_FOLD_SET)
        FP_TRY(fp_distances_check(work->corpus, of->measurements + model, FP_PAIR_LIST(split->pairs, split->pair_count),
                                  &work->quiet, work->error));
    FP_TRY(measure_pairs(of, model, arenas, scratch));
    FP_TRY(fp_arm_note_learned(arm_of(of->of, of->member[model]), of->arm[model].arm, work->error));
    work->done++;
    if (work->progress && work->progress->report)
        work->progress->report(work->progress->context, "tuning", work->done, work->total);
    return FP_OK;
}

/* `again`: only to time it. */
static fp_status measure_models(const models *of, bool again) {
    fp_tune_work *work = of->of->work;
    FP_TRY(
        fp_corpus_sketches(work->corpus, of->arm, of->count, &work->quiet, of->arena, of->measurements, work->error));
    for (size_t i = 0; i < of->count; i++)
        if (of->out[i] == FP_NO_FOLD_SET) note_costs(of, i, again);
    if (again) return FP_OK;
    FP_ARENAS(arenas, &work->quiet, of->arena, work->error);
    for (size_t i = 0; i < of->count; i++) FP_TRY(measure_model(of, i, &arenas));
    return FP_OK;
}

/* Some sets of folds, in memory of their own. */
static fp_status run_sets(const portion *of, const size_t *sets, size_t count, bool again) {
    models own = {.of = of, .arena = fp_arena_new_like(of->work->arena)};
    fp_status status = own.arena ? open_models(&own, of->count * count) : fp_no_memory(of->work->error);
    for (size_t s = 0; s < count && status == FP_OK; s++) status = add_set(&own, sets[s]);
    if (status == FP_OK) status = measure_models(&own, again);
    fp_arena_free(own.arena);
    return status;
}

/* ---- Sets of folds ---- */

static double sketch_bytes(const fp_arm *arm, double documents) {
    size_t bytes = fp_arm_layout(arm)->bytes;
    return documents * (bytes ? (double)bytes : VARYING_BYTES);
}

/* Approximate bytes that the learning arms take for one set of folds. */
static double set_bytes(const portion *of) {
    double documents = (double)of->work->corpus->document_count, bytes = 0;
    for (size_t m = 0; m < of->count; m++) {
        const fp_arm *arm = arm_of(of, m);
        if (!fp_arm_learns(arm)) continue;
        bytes += sketch_bytes(arm, documents);
        bool first = arm->extractor && fp_extractor_learns(arm->extractor);
        for (size_t i = 0; i < m && first; i++) first = !fp_arm_same_features(arm_of(of, i), arm);
        if (first) bytes += documents * FREQUENCY_BYTES;
    }
    return bytes;
}

/* Whether some pair is measured by the model without these folds. */
static bool is_wanted(const fp_split *split, size_t set) {
    size_t fold = fp_fold_of_set(set);
    return split->set_negatives[set] > 0 || (set == fp_fold_set(fold, fold) && split->folds[fold].positives > 0);
}

/* All models: the one trained on everything, and those that leave folds out. As many sets run at once as memory
 * allows, since models side by side share their texts. */
static fp_status run_models(const portion *of) {
    enum { MOST_SETS = 1 + FP_SPLIT_MOST_SETS };
    const fp_split *split = &of->work->tuned->split;
    size_t sets[MOST_SETS] = {FP_NO_FOLD_SET}, count = 1, learning = 0;
    for (size_t m = 0; m < of->count; m++) learning += fp_arm_learns(arm_of(of, m));
    for (size_t s = 0; s < of->work->tuned->set_count && learning; s++)
        if (is_wanted(split, s)) sets[count++] = s;
    if (learning == 0) return run_sets(of, sets, count, false);
    size_t fit = (size_t)fmin(fmax(1, MOST_BYTES / set_bytes(of)), MOST_SETS), most = MOST_MODELS / learning;
    if (fit > most) fit = most ? most : 1;
    for (size_t s = 0; s < count; s += fit) FP_TRY(run_sets(of, sets + s, count - s < fit ? count - s : fit, false));
    return FP_OK;
}

/* ---- Portions ---- */

static fp_status open_steps(portion *of, fp_arena *arena) {
    const fp_split *split = &of->work->tuned->split;
    of->steps = FP_NEED(fp_arena_alloc(arena, of->count, sizeof *of->steps), of->work->error);
    for (size_t i = 0; i < of->count; i++) {
        fp_tune_steps *steps = of->steps + i;
        steps->scale = fp_threshold_grid_of(fp_arm_layout(arm_of(of, i)));
        steps->naive = steps->held_out = fp_arena_raw(arena, split->pair_count, sizeof(uint16_t));
        if (fp_arm_learns(arm_of(of, i))) steps->held_out = fp_arena_raw(arena, split->pair_count, sizeof(uint16_t));
        if (!steps->naive || !steps->held_out) return fp_no_memory(of->work->error);
    }
    return FP_OK;
}

static fp_status run_portion(portion *of) {
    const size_t everything = FP_NO_FOLD_SET;
    FP_SCRATCH(arena, of->work->arena, of->work->error);
    FP_SCRATCH(scratch, of->work->arena, of->work->error);
    double start = fp_seconds();
    FP_TRY(open_steps(of, arena));
    FP_TRY(run_models(of));
    size_t often = of->work->options->once ? 1 : timings_of(of->work->tuned->arm_count, fp_seconds() - start);
    for (size_t i = 1; i < often; i++) FP_TRY(run_sets(of, &everything, 1, true));
    for (size_t i = 0; i < of->count; i++)
        FP_TRY(fp_tune_choose_thresholds(of->work, of->arms[i], of->steps + i, scratch));
    return FP_OK;
}

/* Bytes of an arm while its portion is processed: its steps, and sketches of everything. */
static double arm_bytes(const fp_tune_work *work, const fp_arm *arm) {
    const fp_split *split = &work->tuned->split;
    double slots = fp_arm_learns(arm) ? 2 : 1;
    return slots * (double)split->pair_count * sizeof(uint16_t) +
           sketch_bytes(arm, (double)work->corpus->document_count);
}

/* Orders the arms so that those that share texts are adjacent, and among them those that share features. */
static fp_status order_arms(const fp_tune_work *work, uint32_t **order) {
    size_t count = work->tuned->arm_count, placed = 0;
    fp_arm *const *arms = work->tuned->arms;
    bool *done = FP_NEED(fp_arena_alloc(work->arena, count, sizeof *done), work->error);
    *order = FP_NEED(fp_arena_raw(work->arena, count, sizeof **order), work->error);
    for (size_t t = 0; t < count; t++) {
        if (done[t]) continue;
        for (size_t f = t; f < count; f++) {
            if (done[f] || !fp_arm_same_text(arms[f], arms[t])) continue;
            for (size_t i = f; i < count; i++) {
                if (done[i] || !fp_arm_same_features(arms[i], arms[f])) continue;
                (*order)[placed++] = (uint32_t)i;
                done[i] = true;
            }
        }
    }
    return FP_OK;
}

fp_status fp_tune_measure(fp_tune_work *work) {
    size_t count = work->tuned->arm_count;
    uint32_t *order;
    FP_TRY(order_arms(work, &order));
    for (size_t i = 0; i < count; i++) work->total += models_of(work->tuned->arms[i], work->tuned->split.fold_count);
    for (size_t first = 0, end; first < count; first = end) {
        double bytes = arm_bytes(work, work->tuned->arms[order[first]]);
        for (end = first + 1; end < count && end - first < MOST_MODELS; end++) {
            bytes += arm_bytes(work, work->tuned->arms[order[end]]);
            if (bytes > MOST_BYTES) break;
        }
        portion of = {.work = work, .count = end - first, .arms = order + first};
        FP_TRY(run_portion(&of));
    }
    return FP_OK;
}
