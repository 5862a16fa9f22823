/* SPDX-License-Identifier: GPL-3.0-or-later
 * Views of texts as contestants of arms. */
#include "eval/inspection/giveaways.h"

#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "eval/evaluation/evaluation.h"
#include "eval/evaluation/levels.h"
#include "eval/units/shape.h"
#include "eval/statistics/difference.h"
#include "text/features/text_views.h"
#include "text/unicode/normalise.h"

typedef struct finding {
    const fp_giveaway_options *options;
    fp_corpus looked; /* the part that is looked at, its pairs listed */
    const fp_views *views;
    fp_sight (*sights)[FP_VIEWS]; /* [documents] */
    size_t *characters;           /* [documents] but white space */
    fp_arena **kept;              /* what sights live in, by thread */
    const fp_arenas *scratch;
    const fp_text_batch *batch;
    fp_evaluation *evaluation;
    fp_giveaway *found;
    fp_arena *arena;
} finding;

/* ---- Which pairs ---- */

/* Units of several documents before others, each by its number, as long as there is room. */
static fp_status part_of_groups(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                                fp_corpus *part, fp_error *error) {
    fp_components units;
    uint64_t *keys;
    FP_TRY(fp_shape_units(corpus, options->seed, arena, &units, &keys, error));
    fp_shape_keyed *keyed = fp_arena_raw(arena, units.count, sizeof *keyed);
    uint32_t *size = fp_arena_alloc(arena, units.count, sizeof *size),
             *documents = fp_arena_raw(arena, corpus->document_count, sizeof *documents);
    bool *taken = fp_arena_alloc(arena, units.count, sizeof *taken);
    size_t room = options->documents, count = 0;
    if (!keyed || !size || !documents || !taken) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->document_count; i++) size[units.of[i]]++;
    for (size_t u = 0; u < units.count; u++)
        keyed[u] = (fp_shape_keyed){keys[u] >> 1 | (uint64_t)(size[u] < 2) << 63, (uint32_t)u};
    qsort(keyed, units.count, sizeof *keyed, fp_shape_by_key);
    for (size_t i = 0; i < units.count; i++) {
        uint32_t unit = keyed[i].place;
        if (size[unit] > room) continue;
        taken[unit] = true;
        room -= size[unit];
    }
    for (size_t i = 0; i < corpus->document_count; i++)
        if (taken[units.of[i]]) documents[count++] = (uint32_t)i;
    return fp_corpus_part(corpus, documents, count, arena, part, error);
}

static fp_status part_of_pairs(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                               fp_corpus *part, fp_error *error) {
    uint32_t *kept;
    size_t count;
    FP_TRY(fp_pairs_draw(corpus, options->pairs, options->characters, options->seed, arena, &kept, &count, error));
    return fp_pairs_part(corpus, kept, count, arena, part, error);
}

static fp_status choose(const fp_corpus *corpus, finding *in, fp_giveaways *made, fp_error *error) {
    fp_corpus part = *corpus;
    if (corpus->truth == FP_TRUTH_NONE)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labels: neither pairs nor groups", corpus->name);
    if (corpus->truth == FP_TRUTH_PAIRS) FP_TRY(part_of_pairs(corpus, in->options, in->arena, &part, error));
    else if (corpus->document_count > in->options->documents)
        FP_TRY(part_of_groups(corpus, in->options, in->arena, &part, error));
    FP_TRY(fp_corpus_view_evaluated(&part, in->arena, &in->looked, error));
    made->documents = in->looked.document_count;
    made->pairs = in->looked.pair_count;
    made->drawn =
        corpus->truth == FP_TRUTH_PAIRS ? made->pairs < corpus->pair_count : made->documents < corpus->document_count;
    for (size_t i = 0; i < made->pairs; i++) made->positives += in->looked.pairs[i].label;
    if (made->positives && made->positives < made->pairs) return FP_OK;
    return fp_fail(error, FP_ERROR_EMPTY, "%s has no %s pairs to tell apart from others", corpus->name,
                   made->positives ? "negative" : "positive");
}

/* ---- What views see ---- */

static fp_status look(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    finding *in = context;
    fp_arena *kept = in->kept[fp_thread_of(in->scratch, scratch)];
    fp_string text;
    FP_TRY(fp_normalise(in->batch->text[index], FP_HAN_SIMPLIFIED, scratch, &text, error));
    in->characters[in->batch->first + index] = fp_visible_characters(text);
    for (size_t v = 0; v < FP_VIEWS; v++) {
        fp_sight sight, *to = &in->sights[in->batch->first + index][v];
        FP_TRY(fp_text_views[v].look(in->views, text, scratch, &sight, error));
        fp_seen *own = fp_arena_raw(kept, sight.count, sizeof *own);
        if (!own) return fp_no_memory(error);
        for (size_t i = 0; i < sight.count; i++) own[i] = sight.seen[i];
        *to = (fp_sight){own, sight.count, sight.characters};
    }
    return FP_OK;
}

static fp_status look_at_all(finding *in, fp_error *error) {
    const fp_progress silent = fp_progress_silent(in->options->progress);
    fp_text_source source;
    fp_text_batch batch = {.count = 1};
    in->batch = &batch;
    fp_status status = fp_corpus_source(&in->looked, in->arena, &source, error);
    while (status == FP_OK && batch.count) {
        status = source.next(source.context, &batch, error);
        if (status == FP_OK) status = fp_parallel(batch.count, in->scratch, true, look, in, "views", &silent, error);
    }
    fp_text_source_close(&source);
    return status;
}

static fp_status add_view(finding *in, size_t view, fp_error *error) {
    size_t count;
    const fp_pair *pairs = fp_evaluation_pairs(in->evaluation, &count);
    double *distances = fp_arena_raw(in->arena, count, sizeof *distances);
    if (!distances) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++)
        distances[i] = fp_sight_distance(in->sights[pairs[i].a][view], in->sights[pairs[i].b][view]);
    return fp_evaluation_add_distances(in->evaluation, fp_text_views[view].name, distances, error);
}

/* In how many documents a view sees anything, and how much of the text. */
static void count_seen(finding *in, size_t view) {
    fp_giveaway *to = in->found + view;
    size_t seen = 0, all = 0;
    for (size_t i = 0; i < in->looked.document_count; i++) {
        to->documents += in->sights[i][view].count > 0;
        seen += in->sights[i][view].characters;
        all += in->characters[i];
    }
    to->share = all ? (double)seen / (double)all : 0;
    to->whole = to->share >= FP_GIVEAWAY_WHOLE;
}

static fp_status add_views(finding *in, fp_error *error) {
    FP_TRY(fp_views_open(in->arena, &in->views, error));
    in->sights = fp_arena_alloc(in->arena, in->looked.document_count, sizeof *in->sights);
    in->characters = fp_arena_alloc(in->arena, in->looked.document_count, sizeof *in->characters);
    if (!in->sights || !in->characters) return fp_no_memory(error);
    FP_ARENAS(kept, in->options->progress, in->arena, error);
    FP_ARENAS(scratch, in->options->progress, in->arena, error);
    in->kept = kept.each;
    in->scratch = &scratch;
    FP_TRY(look_at_all(in, error));
    for (size_t v = 0; v < FP_VIEWS; v++) {
        FP_TRY(add_view(in, v, error));
        count_seen(in, v);
    }
    return FP_OK;
}

/* ---- What it comes to ---- */

/* The smallest distance up to which a share of the pairs of a label lies. */
static double quantile(const fp_point *curve, size_t count, bool label, double share) {
    fp_confusion all = curve[count - 1].confusion;
    double wanted = share * (double)(label ? all.tp : all.fp);
    for (size_t i = 0; i < count; i++) {
        uint64_t below = label ? curve[i].confusion.tp : curve[i].confusion.fp;
        if (below && (double)below >= wanted) return curve[i].distance;
    }
    return curve[count - 1].distance;
}

static fp_status describe(finding *in, size_t place, fp_error *error) {
    fp_giveaway *to = &in->found[place];
    fp_result result;
    size_t count;
    FP_TRY(fp_evaluation_measure(in->evaluation, place, "average_precision", &result, error));
    const fp_point *curve = fp_evaluation_curve(in->evaluation, place, &count);
    to->name = fp_string_copy(in->arena, fp_string_of(fp_evaluation_arm_name(in->evaluation, place)));
    if (!to->name) return fp_no_memory(error);
    to->precision = result.value;
    to->low = result.low;
    to->high = result.high;
    const fp_arm *arm = in->evaluation->entrants[place]->arm;
    double most = arm ? fp_arm_layout(arm)->maximum : 1;
    for (size_t q = 0; q < FP_GIVEAWAY_QUANTILES && count; q++)
        for (int label = 0; label < 2; label++)
            to->distances[label][q] = quantile(curve, count, label, (double)q / (FP_GIVEAWAY_QUANTILES - 1)) / most;
    return FP_OK;
}

static void judge(fp_giveaways *made, fp_giveaway *found) {
    double chance = (double)made->positives / (double)made->pairs;
    made->best = FP_VIEWS;
    for (size_t i = FP_VIEWS; i < made->count; i++)
        if (found[i].precision > found[made->best].precision) made->best = i;
    for (size_t i = 0; i < FP_VIEWS; i++)
        found[i].gives_away = !found[i].whole && found[i].low > chance &&
                              found[i].precision >= found[made->best].precision - FP_EQUIVALENCE_MARGIN;
}

static fp_status evaluate(finding *in, fp_giveaways *made, fp_error *error) {
    FP_TRY(add_views(in, error));
    for (const char *const *spec = in->options->arms; *spec; spec++)
        FP_TRY(fp_evaluation_add_arm(in->evaluation, *spec, in->options->extensions, error));
    FP_TRY(fp_evaluation_run(in->evaluation, error));
    for (size_t i = 0; i < made->count; i++) FP_TRY(describe(in, i, error));
    judge(made, in->found);
    made->described = fp_string_copy(in->arena, fp_string_of(fp_evaluation_describe(in->evaluation)));
    return made->described ? FP_OK : fp_no_memory(error);
}

fp_status fp_giveaways_find(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                            fp_giveaways *made, fp_error *error) {
    finding in = {.options = options, .arena = arena};
    fp_evaluation_options how = FP_EVALUATION_OPTIONS;
    *made = (fp_giveaways){.count = FP_VIEWS};
    for (const char *const *spec = options->arms; *spec; spec++) made->count++;
    made->found = in.found = fp_arena_alloc(arena, made->count, sizeof *in.found);
    if (!in.found) return fp_no_memory(error);
    FP_TRY(choose(corpus, &in, made, error));
    for (size_t i = 0; i < made->count; i++) {
        in.found[i].view = i < FP_VIEWS;
        if (in.found[i].view) continue;
        in.found[i].documents = made->documents;
        in.found[i].share = 1;
    }
    how.replicates = options->replicates;
    if (options->progress) how.progress = *options->progress;
    FP_TRY(fp_evaluation_open(&in.looked, &how, &in.evaluation, error));
    fp_status status = evaluate(&in, made, error);
    fp_evaluation_close(in.evaluation);
    return status;
}
