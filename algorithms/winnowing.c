/* SPDX-License-Identifier: GPL-3.0-or-later
 * Winnowing. In every window of w consecutive features of the text, in order, the one with the smallest term hash is
 * selected, the rightmost when several are; the sketch is the set of the hashes that any window selected. The hashes
 * are not mixed, so that a weak term hash makes a weak selection. Guarantee: documents that share w consecutive
 * features (t = w + k − 1 characters when a feature is k characters) both select a feature of that run. Of a sequence
 * of random hashes the share 2/(w + 1) is selected. A text of fewer than w features, but at least one, is one window.
 * Two empty sets are equal; an empty set and a non-empty one are at the largest distance. The resemblance of the
 * selections is not an unbiased estimate of that of the sets, so there is no law. */
#include "algorithms/families/sets.h"

typedef struct winnowing_parameters {
    int64_t window;
    int64_t measure;
} winnowing_parameters;

static const char *const MEASURES[] = {FP_SET_MEASURES, NULL};

static const fp_parameter PARAMETERS[] = {
    {"window", FP_INTEGER, "features", "window w: a common run of w features is never missed", "4", 1, 1e6, NULL,
     offsetof(winnowing_parameters, window)},
    {"measure", FP_CHOICE, "",
     "of the selected sets: resemblance |A∩B|/|A∪B|, overlap |A∩B|/min(|A|, |B|), or containment, the mean of |A∩B|/|A| and |A∩B|/|B|",
     "resemblance", 0, 0, MEASURES, offsetof(winnowing_parameters, measure)},
    {0},
};

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    (void)error;
    const winnowing_parameters *parameters = opaque;
    const char *measure = fp_set_measure_name(parameters->measure);
    fp_set_layout_of(NULL, out);
    if (measure) snprintf(out->measure, sizeof out->measure, "%s of the choice", measure);
    return FP_OK;
}

/* The rightmost smallest of sequence[begin … end). */
static size_t rightmost_least(const uint64_t *sequence, size_t begin, size_t end) {
    size_t least = begin;
    for (size_t i = begin + 1; i < end; i++)
        if (sequence[i] <= sequence[least]) least = i;
    return least;
}

/* Writes the positions that windows select, ascending, each once; returns their number. `selected` has room for all. A
 * window is searched completely only when the last choice has left it: for random hashes, every (w + 1)/2 features. */
static size_t select_positions(const fp_features *features, size_t window, size_t *selected) {
    const uint64_t *sequence = features->sequence;
    size_t count = 0, length = features->length;
    if (length == 0) return 0;
    if (window > length) window = length;
    for (size_t begin = 0; begin + window <= length; begin++) {
        size_t last = begin + window - 1, least;
        if (count == 0 || selected[count - 1] < begin) least = rightmost_least(sequence, begin, last + 1);
        else least = sequence[last] <= sequence[selected[count - 1]] ? last : selected[count - 1];
        if (count == 0 || selected[count - 1] != least) selected[count++] = least;
    }
    return count;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const winnowing_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    size_t *selected = FP_NEED(fp_arena_raw(scratch, features->length, sizeof *selected), error);
    size_t count = select_positions(features, (size_t)parameters->window, selected);
    uint64_t *set = FP_NEED(fp_arena_raw(scratch, count, sizeof *set), error);
    for (size_t i = 0; i < count; i++) set[i] = features->sequence[selected[i]];
    FP_TRY(fp_set_sort(set, count, scratch, error));
    *out = (fp_sketch){.data = set, .size = fp_set_unique(set, count) * sizeof *set};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const winnowing_parameters *parameters = self->parameters;
    return 64 * (1 - fp_set_likeness((fp_set_measure)parameters->measure, a.data, a.size / 8, b.data, b.size / 8));
}

/* ---- Explanations ---- */

static void explain_occurrence(const fp_features *features, size_t at, fp_explanation *to) {
    fp_string term = {"", 0};
    for (size_t i = 0; i < features->count && features->term; i++)
        if (features->hash[i] == features->sequence[at]) term = features->term[i];
    fp_explain_cell(to, "%zu", at + 1);
    fp_explain_cell(to, "%.*s", (int)term.length, term.data);
    fp_explain_cell(to, "%016llx", (unsigned long long)features->sequence[at]);
}

static fp_status explain(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                         fp_error *error) {
    const winnowing_parameters *parameters = self->parameters;
    const fp_features *features = &document->features;
    size_t *selected = FP_NEED(fp_arena_raw(scratch, features->length, sizeof *selected), error), next = 0;
    size_t count = select_positions(features, (size_t)parameters->window, selected);
    fp_explain_step(to, "windows");
    fp_explain_line(
        to,
        "Every window of %d features selects its smallest hash, the rightmost of equal ones; selected are those marked *.",
        (int)parameters->window);
    fp_explain_table(to, ">position|term|hash|selected");
    for (size_t at = 0; at < features->length; at++) {
        bool chosen = next < count && selected[next] == at;
        explain_occurrence(features, at, to);
        fp_explain_cell(to, "%s", chosen ? "*" : "");
        next += chosen;
    }
    fp_explain_step(to, "fingerprint");
    fp_explain_line(to, "%zu of %zu positions are selected; the fingerprint is the set of their hashes.", count,
                    features->length);
    return FP_OK;
}

const fp_algorithm fp_algorithm_winnowing = {
    .abi = FP_ABI_VERSION,
    .needs = FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE,
    .name = "winnowing",
    .summary = "the smallest shingle hash of every window of the text; no common run of w + k - 1 characters is missed",
    .citation =
        "Schleimer, Wilkerson, Aiken, Winnowing: local algorithms for document fingerprinting, SIGMOD 2003, section 3 (guarantee threshold "
        "w + k − 1, density 2/(w + 1))",
    .features = "features=chars:3,weight=binary",
    .parameters_size = sizeof(winnowing_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .text = fp_set_text,
    .explain = explain,
    .measure = "resemblance of the selected hashes",
    .similarity = fp_set_similarity,
};
