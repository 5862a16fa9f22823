/* SPDX-License-Identifier: GPL-3.0-or-later
 * Granules through the stages of an arm. */
#include "index/granules.h"

#include <math.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "text/unicode/utf8.h"

/* Where the hashes of an arm's sketch come from. */
typedef enum granule_kind { NO_GRANULES, WINDOWS, CHOSEN_FEATURES, ALL_FEATURES } granule_kind;

static granule_kind kind_of(const fp_arm *arm) {
    static const struct {
        const char *name;
        granule_kind kind;
    } KINDS[] = {
        {"pinyin", WINDOWS}, {"winnowing", CHOSEN_FEATURES}, {"sentences", CHOSEN_FEATURES}, {"jaccard", ALL_FEATURES}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (strcmp(arm->instance.algorithm->name, KINDS[i].name) == 0) return KINDS[i].kind;
    return NO_GRANULES;
}

/* The value of a parameter of the arm's algorithm, by its table. */
static void *parameter_of(const fp_arm *arm, void *parameters, const char *name) {
    const fp_parameter *row = fp_parameter_find(arm->instance.algorithm->parameters, fp_string_of(name));
    return row ? (char *)parameters + row->offset : NULL;
}

static size_t window_of(const fp_arm *arm) {
    const int64_t *granule = parameter_of(arm, arm->parameters, "granule");
    return granule ? (size_t)*granule : 0;
}

fp_status fp_granules_check(const fp_arm *arm, fp_error *error) {
    granule_kind kind = kind_of(arm);
    if (kind == NO_GRANULES)
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "%s has no granules with places; winnowing, jaccard, sentences and pinyin:granule=… have",
                       arm->instance.algorithm->name);
    if (kind == WINDOWS && !window_of(arm))
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "pinyin takes the whole text as one granule; set granule=16, or another");
    return FP_OK;
}

/* ---- Windows of initials ---- */

/* The algorithm with its windows one initial apart. The overlap of 1 − 1/n is that step, or less, which counts as one;
 * rounding must not make it two. */
static fp_status with_every_window(const fp_arm *arm, fp_arena *arena, fp_instance *out, fp_error *error) {
    size_t size = arm->instance.algorithm->parameters_size;
    void *parameters = FP_NEED(fp_arena_raw(arena, size, 1), error);
    memcpy(parameters, arm->parameters, size);
    *(double *)parameter_of(arm, parameters, "overlap") = nextafter(1 - 1 / (double)window_of(arm), 1);
    *out = arm->instance;
    out->parameters = parameters;
    return FP_OK;
}

/* Places between windows: the same formula as the algorithm's. */
static size_t step_of(const fp_arm *arm, fp_granule_use use) {
    const double *overlap = parameter_of(arm, arm->parameters, "overlap");
    double step = use == FP_GRANULES_ASKED ? 1 : floor((double)window_of(arm) * (1 - *overlap));
    return step >= 1 ? (size_t)step : 1;
}

static fp_status windows_of(const fp_arm *arm, const fp_document *document, fp_granule_use use, fp_arena *arena,
                            fp_granules *out, fp_error *error) {
    fp_instance instance = arm->instance;
    fp_sketch sketch;
    size_t window = window_of(arm), step = step_of(arm, use), length = document->initials.length;
    *out = (fp_granules){0};
    if (!length) return FP_OK;
    if (use == FP_GRANULES_ASKED) FP_TRY(with_every_window(arm, arena, &instance, error));
    FP_TRY(instance.algorithm->sketch(&instance, document, arena, &sketch, error));
    size_t count = length <= window ? 1 : 1 + (length - window + step - 1) / step, bytes = sketch.size / count;
    fp_granule *made = FP_NEED(fp_arena_raw(arena, count, sizeof *made), error);
    for (size_t i = 0; i < count; i++) {
        size_t from = i * step, to = from + window < length ? from + window : length;
        made[i] = (fp_granule){fp_mix(fp_xxh3((const char *)sketch.data + i * bytes, bytes, 0), 0), (uint32_t)from,
                               (uint32_t)to};
    }
    *out = (fp_granules){count, made, use == FP_GRANULES_ASKED ? step_of(arm, FP_GRANULES_STORED) : 1};
    return FP_OK;
}

/* ---- Features ---- */

/* Characters before byte `to` of the units, when `*counted` bytes have `*characters`. */
static uint32_t characters_to(const fp_units *units, size_t to, size_t *counted, uint32_t *characters) {
    if (to > *counted)
        *characters += (uint32_t)fp_utf8_count((fp_string){units->buffer.data + *counted, to - *counted});
    *counted = to > *counted ? to : *counted;
    return *characters;
}

static fp_status features_of(const fp_arm *arm, const fp_document *document, const fp_units *units, bool chosen,
                             fp_arena *arena, fp_granules *out, fp_error *error) {
    const fp_features *features = &document->features;
    fp_sketch sketch = {0};
    if (chosen) FP_TRY(arm->instance.algorithm->sketch(&arm->instance, document, arena, &sketch, error));
    fp_granule *made = FP_NEED(fp_arena_raw(arena, features->length, sizeof *made), error);
    size_t count = 0, begun = 0, ended = 0;
    uint32_t before = 0, behind = 0;
    for (size_t i = 0; i < features->length; i++) {
        uint64_t hash = features->sequence[i];
        if (chosen && (!sketch.size || !bsearch(&hash, sketch.data, sketch.size / 8, 8, fp_ascending_u64))) continue;
        fp_string term = fp_units_term(units, i);
        size_t begin = (size_t)(term.data - units->buffer.data);
        made[count++] = (fp_granule){fp_mix(hash, 0), characters_to(units, begin, &begun, &before),
                                     characters_to(units, begin + term.length, &ended, &behind)};
    }
    *out = (fp_granules){count, made, 1};
    return FP_OK;
}

/* ---- Both ---- */

fp_status fp_granules_of(const fp_arm *arm, fp_string text, fp_granule_use use, fp_arena *arena, fp_granules *out,
                         fp_error *error) {
    fp_text read;
    fp_counted counted;
    fp_document document = {.id = text};
    FP_TRY(fp_granules_check(arm, error));
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(fp_arm_preprocess(arm, text, fp_arm_wants(arm), arena, &read, error));
    FP_TRY(fp_arm_count(arm, &read, arena, &counted, error));
    FP_TRY(fp_arm_weigh(arm, &read, &counted, false, arena, &document, error));
    granule_kind kind = kind_of(arm);
    if (kind == WINDOWS) return windows_of(arm, &document, use, arena, out, error);
    return features_of(arm, &document, &counted.units, kind == CHOSEN_FEATURES, arena, out, error);
}
