/* SPDX-License-Identifier: GPL-3.0-or-later
 * Views of texts, and boosted trees on their form, compared with arms. */
#include "eval/inspection/inspection.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/evaluation/evaluation.h"
#include "eval/units/shape.h"
#include "eval/units/split.h"
#include "eval/statistics/difference.h"
#include "text/unicode/normalise.h"

typedef struct finding {
    const fp_giveaway_options *options;
    fp_corpus looked; /* the examined part, its pairs listed */
    const fp_views *views;
    fp_sight (*sights)[FP_VIEWS]; /* [documents] */
    fp_text_form *forms;          /* [documents] */
    size_t *characters;           /* [documents] without white space */
    fp_arena **kept;              /* memory of the sights, by thread */
    const fp_arenas *scratch;
    const fp_text_batch *batch;
    fp_evaluation *evaluation;
    size_t arms;
    fp_giveaway *found;
    fp_arena *arena;
} finding;

/* ---- Choice of pairs ---- */

/* Units of several documents first, each by its number, until the limits of the options are reached. */
static fp_status part_of_groups(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                                fp_corpus *part, fp_error *error) {
    fp_components units;
    uint64_t *keys;
    FP_TRY(fp_shape_units(corpus, options->seed, arena, &units, &keys, error));
    fp_placed_key *keyed = FP_NEED(fp_arena_raw(arena, units.count, sizeof *keyed), error);
    uint32_t *size = FP_NEED(fp_arena_alloc(arena, units.count, sizeof *size), error),
             *documents = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *documents), error);
    bool *taken = FP_NEED(fp_arena_alloc(arena, units.count, sizeof *taken), error);
    size_t room = options->documents, count = 0;
    for (size_t i = 0; i < corpus->document_count; i++) size[units.of[i]]++;
    for (size_t u = 0; u < units.count; u++)
        keyed[u] = (fp_placed_key){keys[u] >> 1 | (uint64_t)(size[u] < 2) << 63, (uint32_t)u};
    qsort(keyed, units.count, sizeof *keyed, fp_by_placed_key);
    for (size_t i = 0; i < units.count; i++) {
        uint32_t unit = keyed[i].place;
        taken[unit] = size[unit] <= room;
        if (taken[unit]) room -= size[unit];
    }
    for (size_t i = 0; i < corpus->document_count; i++)
        if (taken[units.of[i]]) documents[count++] = (uint32_t)i;
    return fp_corpus_part(corpus, documents, count, arena, part, error);
}

static fp_status choose(const fp_corpus *corpus, finding *in, fp_giveaways *made, fp_error *error) {
    fp_corpus part = *corpus;
    if (corpus->truth == FP_TRUTH_NONE)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labels: neither pairs nor groups", corpus->name);
    if (corpus->truth == FP_TRUTH_PAIRS) {
        const fp_giveaway_options *how = in->options;
        uint32_t *kept;
        size_t count;
        FP_TRY(fp_pairs_draw(corpus, how->pairs, how->characters, how->seed, in->arena, &kept, &count, error));
        FP_TRY(fp_pairs_part(corpus, kept, count, in->arena, &part, error));
    } else if (corpus->document_count > in->options->documents)
        FP_TRY(part_of_groups(corpus, in->options, in->arena, &part, error));
    FP_TRY(fp_corpus_view_evaluated(&part, 0, in->arena, &in->looked, error));
    made->documents = in->looked.document_count;
    made->pairs = in->looked.pair_count;
    made->drawn =
        corpus->truth == FP_TRUTH_PAIRS ? made->pairs < corpus->pair_count : made->documents < corpus->document_count;
    for (size_t i = 0; i < made->pairs; i++) made->positives += in->looked.pairs[i].label;
    if (made->positives && made->positives < made->pairs) return FP_OK;
    return fp_fail(error, FP_ERROR_EMPTY, "%s has no %s pairs, and both labels are needed", corpus->name,
                   made->positives ? "negative" : "positive");
}

/* ---- Sights of views ---- */

static fp_status keep_sight(fp_sight sight, fp_arena *kept, fp_sight *to, fp_error *error) {
    *to = fp_sight_copy(sight, kept);
    return to->seen ? FP_OK : fp_no_memory(error);
}

static fp_status look(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    finding *in = context;
    fp_arena *kept = in->kept[fp_thread_of(in->scratch, scratch)];
    fp_string text;
    FP_TRY(fp_normalise(in->batch->text[index], FP_HAN_SIMPLIFIED, scratch, &text, error));
    in->characters[in->batch->first + index] = fp_visible_characters(text);
    for (size_t v = 0; v < FP_VIEWS; v++) {
        fp_sight sight;
        FP_TRY(fp_text_view_look(in->views, v, text, scratch, &sight, error));
        FP_TRY(keep_sight(sight, kept, &in->sights[in->batch->first + index][v], error));
    }
    fp_text_form *form = &in->forms[in->batch->first + index];
    FP_TRY(fp_text_form_of(in->batch->text[index], text, scratch, form, error));
    for (size_t i = 0; i < FP_FORM_SIGHTS; i++) FP_TRY(keep_sight(form->sights[i], kept, &form->sights[i], error));
    return keep_sight(form->capitals, kept, &form->capitals, error);
}

static fp_status look_at_batch(void *context, const fp_text_batch *batch, fp_error *error) {
    finding *in = context;
    const fp_progress quiet = fp_progress_quiet(in->options->progress);
    in->batch = batch;
    return fp_parallel(batch->count, in->scratch, true, look, in, "views", &quiet, error);
}

static fp_status add_view(finding *in, size_t view, fp_error *error) {
    size_t count;
    const fp_pair *pairs = fp_evaluation_pairs(in->evaluation, &count);
    double *distances = FP_NEED(fp_arena_raw(in->arena, count, sizeof *distances), error);
    for (size_t i = 0; i < count; i++)
        distances[i] = fp_sight_distance(in->sights[pairs[i].a][view], in->sights[pairs[i].b][view]);
    return fp_evaluation_add_distances(in->evaluation, fp_text_views[view].name, distances, error);
}

static void count_share(fp_giveaway *to, size_t seen, size_t all) {
    to->share = all ? fmin((double)seen / (double)all, 1) : 0;
    to->whole = to->share >= FP_GIVEAWAY_WHOLE;
}

/* Counts the documents in which a view sees anything, and the share of the text that it sees. */
static void count_seen(finding *in, size_t view) {
    fp_giveaway *to = in->found + view;
    size_t seen = 0, all = 0;
    for (size_t i = 0; i < in->looked.document_count; i++) {
        to->documents += in->sights[i][view].count > 0;
        seen += in->sights[i][view].characters;
        all += in->characters[i];
    }
    count_share(to, seen, all);
}

/* ---- Form: features of a pair ---- */

enum {
    ORDER = 2 * FP_FORM_COUNTS + FP_FORM_SIGHTS, /* after counts (the smaller, the ratio) and sights: two for the
                                                    positions in the file */
    FORM = ORDER + 2,
    FACTS = 4, /* classes, each with its similarity and the number of shared items */
    FEATURES = FORM + 2 * FACTS,
    BINS = 32,
    DEPTH = 3,
    NODES = 1 << DEPTH,
    ROUNDS = 100,
    LEARNED = 20000 /* most pairs that one fit learns from */
};
static const double RATE = 0.1, RIDGE = 1, LEAST_CURVATURE = 2, FIXED = 1 << 30;

/* Similarity; −1 when one of the two sights is empty, −2 when both are. */
static double alike(fp_sight a, fp_sight b) {
    return a.count && b.count ? 1 - fp_sight_distance(a, b) : -1 - (a.count == b.count);
}

static double shared(fp_sight a, fp_sight b) {
    double similarity = fmax(alike(a, b), 0), all = 0;
    for (size_t i = 0; i < a.count; i++) all += a.seen[i].count;
    for (size_t i = 0; i < b.count; i++) all += b.seen[i].count;
    return all * similarity / (1 + similarity);
}

static void describe_pair(const finding *in, fp_pair pair, double *to) {
    const fp_text_form *a = &in->forms[pair.a], *b = &in->forms[pair.b];
    const fp_sight *one = in->sights[pair.a], *other = in->sights[pair.b];
    for (size_t i = 0; i < FP_FORM_COUNTS; i++) {
        *to++ = fmin(a->counts[i], b->counts[i]);
        *to++ = (1 + fmin(a->counts[i], b->counts[i])) / (1 + fmax(a->counts[i], b->counts[i]));
    }
    for (size_t i = 0; i < FP_FORM_SIGHTS; i++) *to++ = alike(a->sights[i], b->sights[i]);
    *to++ = fabs((double)pair.a - (double)pair.b);
    *to++ = fmin(pair.a, pair.b);
    bool latin = !in->found[FP_VIEW_LATIN].whole;
    const fp_sight none = {0},
                   facts[FACTS][2] = {{one[FP_VIEW_DIGITS], other[FP_VIEW_DIGITS]},
                                      {one[FP_VIEW_NAMES], other[FP_VIEW_NAMES]},
                                      {latin ? one[FP_VIEW_LATIN] : none, latin ? other[FP_VIEW_LATIN] : none},
                                      {a->capitals, b->capitals}};
    for (size_t i = 0; i < FACTS; i++) {
        *to++ = alike(facts[i][0], facts[i][1]);
        *to++ = shared(facts[i][0], facts[i][1]);
    }
}

static const char *feature_name(size_t feature) {
    static const char *const facts[FACTS] = {"digits", "names", "Latin words", "capitalised words"};
    if (feature < ORDER - FP_FORM_SIGHTS) return fp_form_counts[feature / 2];
    if (feature < ORDER) return fp_form_sights[feature - 2 * FP_FORM_COUNTS];
    return feature < FORM ? "place in the file" : facts[(feature - FORM) / 2];
}

/* ---- Boosted trees ---- */

/* Slopes and curvatures of the loss, summed as whole multiples of 2^-30: the order of the sum does not matter. */
typedef struct cell {
    int64_t slope, curve;
} cell;

/* A training pair of the trees. */
typedef struct example {
    bool label, learned;
    uint8_t set, node; /* fp_fold_set */
    uint8_t bin[FEATURES];
    double score; /* log odds */
    cell of;
} example;

typedef struct boosting {
    size_t count, features; /* only the first `features` features are read */
    example *examples;
    cell (*sums)[FEATURES][BINS]; /* [NODES] */
    double gain[FEATURES];
} boosting;

static void add(cell *to, cell of) {
    to->slope += of.slope;
    to->curve += of.curve;
}

/* Bins each feature by its quantiles over all pairs: bin < BINS. */
static fp_status bin_pairs(const finding *in, const fp_pair *pairs, size_t count, example *examples, fp_error *error) {
    float *values = FP_NEED(fp_arena_raw(in->arena, count * FEATURES, sizeof *values), error);
    double *sorted = FP_NEED(fp_arena_raw(in->arena, count, sizeof *sorted), error), row[FEATURES];
    for (size_t i = 0; i < count; i++) {
        describe_pair(in, pairs[i], row);
        for (size_t f = 0; f < FEATURES; f++) values[i * FEATURES + f] = (float)row[f];
    }
    for (size_t f = 0; f < FEATURES; f++) {
        double cuts[BINS - 1];
        for (size_t i = 0; i < count; i++) sorted[i] = values[i * FEATURES + f];
        gsl_sort(sorted, 1, count);
        for (size_t k = 0; k < BINS - 1; k++) cuts[k] = sorted[count * (k + 1) / BINS];
        for (size_t i = 0; i < count; i++) {
            size_t b = 0;
            while (b < BINS - 1 && values[i * FEATURES + f] >= cuts[b]) b++;
            examples[i].bin[f] = (uint8_t)b;
        }
    }
    return FP_OK;
}

static double worth(cell of) {
    return (double)of.slope * (double)of.slope / ((double)of.curve + RIDGE * FIXED) / FIXED;
}

/* The split of one node that lowers the loss most: bins above *cut go right; *cut = BINS: no split. */
static void choose_split(boosting *in, cell (*sums)[BINS], size_t *feature, size_t *cut) {
    double best = 1e-6;
    cell all = {0};
    *feature = 0;
    *cut = BINS;
    for (size_t b = 0; b < BINS; b++) add(&all, sums[0][b]);
    for (size_t f = 0; f < in->features; f++) {
        cell left = {0};
        for (size_t b = 0; b + 1 < BINS; b++) {
            add(&left, sums[f][b]);
            cell right = {all.slope - left.slope, all.curve - left.curve};
            double gain = worth(left) + worth(right) - worth(all), least = LEAST_CURVATURE * FIXED;
            if (gain <= best || (double)left.curve < least || (double)right.curve < least) continue;
            best = gain;
            *feature = f;
            *cut = b;
        }
    }
    if (*cut < BINS) in->gain[*feature] += best;
}

static void grow_tree(boosting *in) {
    cell leaf[NODES] = {{0}};
    example *end = in->examples + in->count;
    for (example *at = in->examples; at < end; at++) {
        double p = 1 / (1 + exp(-at->score));
        at->of = (cell){llround((at->label - p) * FIXED), llround(p * (1 - p) * FIXED)};
        at->node = 0;
    }
    for (size_t depth = 0; depth < DEPTH; depth++) {
        size_t feature[NODES], cut[NODES];
        memset(in->sums, 0, NODES * sizeof *in->sums);
        for (example *at = in->examples; at < end; at++)
            for (size_t f = 0; at->learned && f < in->features; f++) add(&in->sums[at->node][f][at->bin[f]], at->of);
        for (size_t k = 0; k < (size_t)1 << depth; k++) choose_split(in, in->sums[k], &feature[k], &cut[k]);
        for (example *at = in->examples; at < end; at++)
            at->node = (uint8_t)(2 * at->node + (at->bin[feature[at->node]] > cut[at->node]));
    }
    for (example *at = in->examples; at < end; at++)
        if (at->learned) add(&leaf[at->node], at->of);
    for (example *at = in->examples; at < end; at++)
        at->score += RATE * (double)leaf[at->node].slope / ((double)leaf[at->node].curve + RIDGE * FIXED);
}

/* Learns from pairs that touch neither fold of the set: of each label a systematic sample of at most LEARNED / 2. */
static void learn_without(boosting *in, size_t set) {
    size_t seen[2] = {0}, all[2] = {0}, kept[2];
    example *end = in->examples + in->count;
    for (example *at = in->examples; at < end; at++) {
        at->learned = !fp_fold_sets_meet(at->set, set);
        all[at->label] += at->learned;
    }
    for (int label = 0; label < 2; label++) kept[label] = all[label] < LEARNED / 2 ? all[label] : LEARNED / 2;
    for (example *at = in->examples; at < end; at++) {
        at->score = log(((double)all[1] + 1) / ((double)all[0] + 1));
        if (!at->learned) continue;
        size_t before = seen[at->label]++, of = all[at->label];
        at->learned = (before + 1) * kept[at->label] / of > before * kept[at->label] / of;
    }
    for (size_t round = 0; all[0] && all[1] && round < ROUNDS; round++) grow_tree(in);
}

/* "place in the file 61%, characters 20%, marks 9%": shares of the reduction of the loss by the trees. */
static const char *rests_on(const boosting *in, fp_arena *arena) {
    const char *names[FEATURES], *list = "";
    double gain[FEATURES], all = 0;
    size_t count = 0;
    for (size_t f = 0; f < in->features; f++) {
        size_t k = 0;
        while (k < count && names[k] != feature_name(f)) k++;
        if (k == count) gain[count] = 0, names[count++] = feature_name(f);
        gain[k] += in->gain[f];
        all += in->gain[f];
    }
    for (size_t named = 0; named < 3 && all > 0 && list; named++) {
        size_t most = 0;
        for (size_t k = 1; k < count; k++)
            if (gain[k] > gain[most]) most = k;
        if (named && gain[most] < 0.005 * all) break;
        list = fp_format(arena, "%s%s%s %.0f%%", list, named ? ", " : "", names[most], 100 * gain[most] / all);
        gain[most] = 0;
    }
    return list;
}

static fp_status add_combined(finding *in, boosting *of, bool facts, fp_giveaways *made, fp_error *error) {
    double *distances = FP_NEED(fp_arena_raw(in->arena, of->count, sizeof *distances), error);
    of->features = facts ? FEATURES : FORM;
    for (size_t f = 0; f < FEATURES; f++) of->gain[f] = 0;
    for (size_t set = 0; set < FP_GIVEAWAY_FOLDS * (FP_GIVEAWAY_FOLDS + 1) / 2; set++) {
        learn_without(of, set);
        for (size_t i = 0; i < of->count; i++)
            if (of->examples[i].set == set) distances[i] = round(1e6 / (1 + exp(of->examples[i].score))) / 1e6;
    }
    made->combined[facts] = FP_NEED(rests_on(of, in->arena), error);
    return fp_evaluation_add_distances(in->evaluation, facts ? "combined (form, digits, names)" : "combined (form)",
                                       distances, error);
}

static void count_form(finding *in, bool facts) {
    static const size_t classes[] = {FP_VIEW_DIGITS, FP_VIEW_NAMES, FP_VIEW_LATIN};
    size_t seen = 0, all = 0;
    for (size_t i = 0; i < in->looked.document_count; i++) {
        size_t here = in->forms[i].characters;
        for (size_t k = 0; facts && k < 3; k++)
            if (!in->found[classes[k]].whole) here += in->sights[i][classes[k]].characters;
        if (facts && in->found[FP_VIEW_LATIN].whole) here += in->forms[i].capitals.characters;
        seen += here < in->characters[i] ? here : in->characters[i];
        all += in->characters[i];
    }
    in->found[FP_VIEWS + facts].documents = in->looked.document_count;
    count_share(&in->found[FP_VIEWS + facts], seen, all);
}

static fp_status combine(finding *in, const fp_split *split, fp_giveaways *made, fp_error *error) {
    boosting of = {0};
    const fp_pair *pairs = fp_evaluation_pairs(in->evaluation, &of.count);
    of.examples = FP_NEED(fp_arena_alloc(in->arena, of.count, sizeof *of.examples), error);
    of.sums = FP_NEED(fp_arena_raw(in->arena, NODES, sizeof *of.sums), error);
    FP_TRY(bin_pairs(in, pairs, of.count, of.examples, error));
    for (size_t i = 0; i < of.count; i++) {
        of.examples[i].label = pairs[i].label;
        of.examples[i].set = (uint8_t)fp_fold_set(split->fold[pairs[i].a], split->fold[pairs[i].b]);
    }
    for (int facts = 0; facts < 2; facts++) {
        FP_TRY(add_combined(in, &of, facts, made, error));
        count_form(in, facts);
    }
    return FP_OK;
}

/* Sights live as long as this call. */
static fp_status add_views(finding *in, const fp_split *split, fp_giveaways *made, fp_error *error) {
    FP_TRY(fp_views_open(in->arena, &in->views, error));
    in->sights = FP_NEED(fp_arena_alloc(in->arena, in->looked.document_count, sizeof *in->sights), error);
    in->characters = FP_NEED(fp_arena_alloc(in->arena, in->looked.document_count, sizeof *in->characters), error);
    in->forms = FP_NEED(fp_arena_alloc(in->arena, in->looked.document_count, sizeof *in->forms), error);
    FP_ARENAS(kept, in->options->progress, in->arena, error);
    FP_ARENAS(scratch, in->options->progress, in->arena, error);
    in->kept = kept.each;
    in->scratch = &scratch;
    FP_TRY(fp_corpus_read_batches(&in->looked, look_at_batch, in, error));
    for (size_t v = 0; v < FP_VIEWS; v++) {
        FP_TRY(add_view(in, v, error));
        count_seen(in, v);
    }
    return made->first_arm > FP_VIEWS ? combine(in, split, made, error) : FP_OK;
}

/* Assigns units to folds. If there are too few units, writes so to made->combined and makes no combined rows. */
static fp_status deal(finding *in, fp_split *split, fp_giveaways *made, fp_error *error) {
    const fp_split_options how = {.folds = FP_GIVEAWAY_FOLDS, .seed = in->options->seed};
    fp_error why = {0};
    fp_status status = fp_split_deal(&in->looked, &how, in->arena, split, &why);
    if (status != FP_OK && status != FP_ERROR_EMPTY) {
        if (error) *error = why;
        return status;
    }
    size_t units = 0;
    bool *paired = FP_NEED(fp_arena_alloc(in->arena, in->looked.document_count, sizeof *paired), error);
    for (size_t i = 0; status == FP_OK && i < in->looked.pair_count; i++) {
        const uint32_t of[2] = {split->unit[in->looked.pairs[i].a], split->unit[in->looked.pairs[i].b]};
        for (size_t k = 0; k < 2; k++) units += !paired[of[k]], paired[of[k]] = true;
    }
    if (status == FP_OK && units >= FP_GIVEAWAY_UNITS) return FP_OK;
    made->first_arm = FP_VIEWS;
    made->combined[0] =
        status != FP_OK ? fp_string_copy(in->arena, fp_string_of(why.message))
                        : fp_format(in->arena, "%zu units of connected texts; it takes %d", units, FP_GIVEAWAY_UNITS);
    return made->combined[0] ? FP_OK : fp_no_memory(error);
}

/* ---- Result ---- */

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
    to->name = FP_NEED(fp_string_copy(in->arena, fp_string_of(fp_evaluation_arm_name(in->evaluation, place))), error);
    to->precision = result.value;
    to->low = result.low;
    to->high = result.high;
    const fp_arm *arm = in->evaluation->entrants[place].arm;
    double most = arm ? fp_arm_layout(arm)->maximum : 1;
    for (size_t q = 0; q < FP_GIVEAWAY_QUANTILES && count; q++)
        for (int label = 0; label < 2; label++)
            to->distances[label][q] = quantile(curve, count, label, (double)q / (FP_GIVEAWAY_QUANTILES - 1)) / most;
    return FP_OK;
}

static void judge(fp_giveaways *made, fp_giveaway *found) {
    double chance = (double)made->positives / (double)made->pairs;
    made->best = made->first_arm;
    for (size_t i = made->first_arm; i < made->count; i++)
        if (found[i].precision > found[made->best].precision) made->best = i;
    for (size_t i = 0; i < made->first_arm; i++)
        found[i].gives_away = !found[i].whole && found[i].low > chance &&
                              found[i].precision >= found[made->best].precision - FP_EQUIVALENCE_MARGIN;
}

static fp_status evaluate(finding *in, fp_giveaways *made, fp_error *error) {
    fp_split split;
    FP_TRY(deal(in, &split, made, error));
    made->count = made->first_arm + in->arms;
    FP_TRY(add_views(in, &split, made, error));
    for (const char *const *spec = in->options->arms; *spec; spec++)
        FP_TRY(fp_evaluation_add_arm(in->evaluation, *spec, in->options->extensions, error));
    FP_TRY(fp_evaluation_run(in->evaluation, error));
    for (size_t i = 0; i < made->count; i++) {
        in->found[i].kind = i < FP_VIEWS          ? FP_EVIDENCE_VIEW
                            : i < made->first_arm ? FP_EVIDENCE_COMBINED
                                                  : FP_EVIDENCE_ARM;
        if (i >= made->first_arm) in->found[i].documents = made->documents, in->found[i].share = 1;
        FP_TRY(describe(in, i, error));
    }
    judge(made, in->found);
    made->described = fp_string_copy(in->arena, fp_string_of(fp_evaluation_describe(in->evaluation)));
    return made->described ? FP_OK : fp_no_memory(error);
}

fp_status fp_giveaways_find(const fp_corpus *corpus, const fp_giveaway_options *options, fp_arena *arena,
                            fp_giveaways *made, fp_error *error) {
    finding in = {.options = options, .arena = arena};
    fp_evaluation_options how = FP_EVALUATION_OPTIONS;
    while (options->arms[in.arms]) in.arms++;
    *made = (fp_giveaways){.first_arm = FP_VIEWS + 2};
    made->found = in.found = FP_NEED(fp_arena_alloc(arena, made->first_arm + in.arms, sizeof *in.found), error);
    FP_TRY(choose(corpus, &in, made, error));
    how.replicates = options->replicates;
    if (options->progress) how.progress = *options->progress;
    FP_TRY(fp_evaluation_open(&in.looked, &how, &in.evaluation, error));
    fp_status status = evaluate(&in, made, error);
    fp_evaluation_close(in.evaluation);
    return status;
}
