/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms: parses "algorithm:key=value,…" into an algorithm with all its options. */
#include "algorithms/arms/arm.h"

#include <math.h>
#include <string.h>

/* ---- Parsing ---- */

/* The tables that the keys of one arm may come from, each with the struct that it fills. */
typedef struct target {
    const fp_parameter *table;
    void *values;
} target;

enum { TEXT, FEATURES, ALGORITHM, TARGETS };

static bool reads_features(const fp_algorithm *algorithm) {
    return (algorithm->needs & (FP_NEEDS_FEATURES | FP_NEEDS_SEQUENCE)) != 0;
}

static void targets_of(fp_arm *arm, target targets[TARGETS]) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    targets[TEXT] = (target){fp_reads_text(algorithm) ? arm->text_parameters : NULL, &arm->text};
    targets[FEATURES] = (target){reads_features(algorithm) ? fp_feature_parameters : NULL, &arm->features};
    targets[ALGORITHM] = (target){algorithm->parameters, arm->parameters};
}

static fp_status unknown_key(const fp_arm *arm, const target *targets, fp_string key, fp_error *error) {
    enum { MOST = 64 };
    const char *names[MOST + 1] = {"name"};
    size_t count = 1;
    for (size_t t = 0; t < TARGETS; t++)
        for (const fp_parameter *row = targets[t].table; row && row->name && count < MOST; row++)
            names[count++] = row->name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)key.length, key.data);
    const char *algorithm = arm->instance.algorithm->name;
    if (!reads_features(arm->instance.algorithm) && fp_parameter_find(fp_feature_parameters, key))
        return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s: it does not read features", algorithm, name);
    const char *nearest = fp_nearest(name, names);
    if (nearest)
        return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s; did you mean %s?", algorithm, name, nearest);
    return fp_fail(error, FP_ERROR_UNKNOWN, "%s has no parameter %s; `fplab algorithms %s` lists them", algorithm, name,
                   algorithm);
}

static fp_status set_key(fp_arm *arm, const target *targets, fp_string key, fp_string value, fp_error *error) {
    if (fp_string_equal(key, fp_string_of("name"))) {
        arm->name = fp_string_copy(arm->arena, value);
        return arm->name ? FP_OK : fp_no_memory(error);
    }
    for (size_t t = TARGETS; t-- > 0;) {
        const fp_parameter *row = fp_parameter_find(targets[t].table, key);
        if (row) return fp_parameter_set(row, value, targets[t].values, arm->arena, error);
    }
    return unknown_key(arm, targets, key, error);
}

/* Whether one of the assignments sets the key. */
static bool holds_key(fp_string assignments, fp_string key) {
    for (fp_string item, name; fp_next_field(&assignments, ',', &item);) {
        fp_next_field(&item, '=', &name);
        if (fp_string_equal(name, key)) return true;
    }
    return false;
}

/* An item without a value, which may be that of `features`. */
static fp_status no_value(const fp_arm *arm, const target *of, fp_string item, fp_error *error) {
    const fp_parameter *features = fp_parameter_find(of->table, fp_string_of("features"));
    const fp_extractor *extractor;
    bool known = features && fp_parameter_set(features, item, of->values, arm->arena, NULL) == FP_OK &&
                 fp_extractor_open(of->values, arm->arena, &extractor, NULL) == FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "expected key=value, not \"%.*s\"%s%.*s%s", (int)item.length, item.data,
                   known ? "; did you mean features=" : "", known ? (int)item.length : 0, item.data, known ? "?" : "");
}

static fp_status set_keys(fp_arm *arm, const target *targets, fp_string assignments, fp_error *error) {
    fp_string item, all = assignments;
    if (assignments.length == 0) return FP_OK;
    while (fp_next_field(&assignments, ',', &item)) {
        fp_string key;
        fp_string value = item;
        fp_next_field(&value, '=', &key);
        if (!value.data) return no_value(arm, targets + FEATURES, item, error);
        for (size_t i = 0; i < item.length; i++)
            if ((unsigned char)item.data[i] < ' ')
                return fp_fail(error, FP_ERROR_SYNTAX, "an arm holds a control character");
        fp_string before = {all.data, (size_t)(item.data - all.data)};
        if (before.length && holds_key((fp_string){before.data, before.length - 1}, key))
            return fp_fail(error, FP_ERROR_DUPLICATE, "%.*s is set twice", (int)key.length, key.data);
        FP_TRY(set_key(arm, targets, key, value, error));
    }
    return FP_OK;
}

/* ---- Canonical form ---- */

/* Appends ",name=value" for every row of the table except `without`, which may be NULL. NULL when memory runs out. */
static const char *with_values(const char *text, const target *of, const fp_parameter *without, fp_arena *arena) {
    for (const fp_parameter *row = of->table; text && row && row->name; row++) {
        if (row == without) continue;
        const char *value = fp_parameter_text(row, of->values, arena);
        if (value && strcmp(row->name, FP_ARM_QUERY) == 0 && strcmp(value, row->initial) == 0) continue;
        text = value ? fp_format(arena, "%s%s%s=%s", text, *text ? "," : "", row->name, value) : NULL;
    }
    return text;
}

/* The canonical parameters of what the algorithm reads: text, or text and features. */
static const char *shared_key(const fp_arm *arm) {
    return reads_features(arm->instance.algorithm) ? arm->feature_key : arm->text_key;
}

static const char *spec_of(const fp_arm *arm, const target *own, const fp_parameter *without) {
    const char *shared = shared_key(arm);
    const char *name = arm->instance.algorithm->name, *values = with_values("", own, without, arm->arena);
    if (!values) return NULL;
    return fp_format(arm->arena, "%s%s%s%s%s", name, *values || *shared ? ":" : "", values,
                     *values && *shared ? "," : "", shared);
}

fp_status fp_arm_write_canonical(fp_arm *arm, fp_error *error) {
    target targets[TARGETS];
    targets_of(arm, targets);
    arm->text_key = FP_NEED(with_values("", targets + TEXT, NULL, arm->arena), error);
    bool features = targets[FEATURES].table != NULL;
    arm->feature_key = features ? with_values(arm->text_key, targets + FEATURES, NULL, arm->arena) : "";
    if (!arm->feature_key) return fp_no_memory(error);
    arm->spec = spec_of(arm, targets + ALGORITHM, NULL);
    arm->any_seed = arm->seed ? spec_of(arm, targets + ALGORITHM, arm->seed) : arm->spec;
    return arm->spec && arm->any_seed ? FP_OK : fp_no_memory(error);
}

/* ---- Construction ---- */

/* An algorithm that reads the bits of the term hashes uses them as they are, without a seed, if they come from a table
 * or from a hash function that other programs share. */
static const fp_parameter *find_seed(const fp_arm *arm, fp_string written) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    const fp_parameter *row = fp_parameter_find(algorithm->parameters, fp_string_of(FP_ARM_SEED)),
                       *hash = fp_parameter_find(fp_feature_parameters, fp_string_of("hash"));
    if (!row || row->type != FP_INTEGER || holds_key(written, fp_string_of(FP_ARM_SEED))) return NULL;
    if (!(algorithm->needs & FP_NEEDS_HASH_BITS)) return row;
    const char *function = fp_parameter_text(hash, &arm->features, arm->arena);
    return function && strcmp(function, hash->initial) == 0 && strcmp(arm->features.terms, "none") == 0 ? row : NULL;
}

/* A fingerprint wider than the table's codes would have bits that no code decides; a narrower one would ignore some. */
static fp_status check_width(const fp_arm *arm, fp_error *error) {
    unsigned width = arm->extractor ? fp_extractor_width(arm->extractor) : 0;
    size_t bits = fp_stored_bits(&arm->instance.layout);
    if (!(arm->instance.algorithm->needs & FP_NEEDS_HASH_BITS) || width == 0 || bits == width) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%s has %zu bits, but the codes of terms=%s have %u; use bits=%u",
                   arm->instance.algorithm->name, bits, arm->features.terms, width, width);
}

static fp_status check_files(const fp_arm *arm, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    for (const fp_parameter *row = algorithm->parameters; row && row->name; row++) {
        const char *value = row->type == FP_FILE ? fp_parameter_text(row, arm->parameters, arm->arena) : "none";
        if (*value == '\0')
            return fp_fail(error, FP_ERROR_EMPTY, "%s needs %s=FILE: %s", algorithm->name, row->name, row->help);
    }
    return FP_OK;
}

static fp_status open_stages(fp_arm *arm, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (fp_reads_text(algorithm) && !arm->preprocessor)
        FP_TRY(fp_preprocessor_open(&arm->text, arm->arena, &arm->preprocessor, error));
    if (reads_features(algorithm) && !arm->extractor)
        FP_TRY(fp_extractor_open(&arm->features, arm->arena, &arm->extractor, error));
    arm->instance.whole = arm->extractor && fp_extractor_whole(arm->extractor);
    FP_TRY(algorithm->layout(arm->parameters, &arm->instance.layout, error));
    FP_TRY(check_width(arm, error));
    if (arm->instance.layout.stored && !algorithm->query_distances)
        return fp_fail(error, FP_ERROR_ABI, "%s has sketches with two sides and no query_distances", algorithm->name);
    FP_TRY(check_files(arm, error));
    const fp_learning *learning = fp_learning_of(algorithm);
    return learning->open ? learning->open(&arm->instance, arm->arena, &arm->opened, error) : FP_OK;
}

/* Copies the fields that the caller's version of the struct has (`size`); the others are 0. */
static fp_extensions extensions_of(const fp_extensions *given) {
    fp_extensions all = {.size = sizeof all};
    if (given) memcpy(&all, given, given->size < sizeof all ? given->size : sizeof all);
    return all;
}

static const fp_algorithm *find_algorithm(const char *name, const fp_extensions *extensions, fp_error *error) {
    const fp_algorithm *const *at = extensions->algorithms;
    for (; at && *at; at++)
        if (strcmp((*at)->name, name) == 0) return *at;
    return fp_algorithm_find(name, error);
}

/* Shares the stages that `like` (may be NULL) has with the same parameters, so that their files, which may be pipes,
 * are read once. */
static fp_status parse(const char *spec, const fp_extensions *extensions, const fp_arm *like, fp_arena *arena,
                       fp_arm **out, fp_error *error) {
    fp_arm *arm;
    FP_TRY(fp_arm_bind(spec, extensions, arena, &arm, error));
    if (like && strcmp(arm->text_key, like->text_key) == 0) arm->preprocessor = like->preprocessor;
    if (like && strcmp(arm->feature_key, like->feature_key) == 0) arm->extractor = like->extractor;
    FP_TRY(open_stages(arm, error));
    FP_TRY(fp_arm_settle_seed(arm, error));
    FP_TRY(fp_arm_forget(arm, error));
    *out = arm;
    return FP_OK;
}

fp_status fp_arm_parse(const char *spec, const fp_extensions *extensions, fp_arena *arena, fp_arm **out,
                       fp_error *error) {
    return parse(spec, extensions, NULL, arena, out, error);
}

fp_status fp_arm_bind(const char *spec, const fp_extensions *extensions, fp_arena *arena, fp_arm **out,
                      fp_error *error) {
    fp_string rest = fp_string_of(spec), head;
    fp_next_field(&rest, ':', &head);
    char *name = FP_NEED(fp_string_copy(arena, head), error);
    fp_arm *arm = FP_NEED(fp_arena_alloc(arena, 1, sizeof *arm), error);
    arm->extensions = extensions_of(extensions);
    const fp_algorithm *algorithm = find_algorithm(name, &arm->extensions, error);
    if (!algorithm) return FP_ERROR_UNKNOWN;
    arm->arena = arena;
    arm->instance.algorithm = algorithm;
    arm->parameters = FP_NEED(fp_arena_alloc(arena, 1, algorithm->parameters_size), error);
    arm->instance.parameters = arm->parameters;
    arm->text.segmenters = arm->extensions.segmenters;
    FP_TRY(fp_text_parameters_with(arm->text.segmenters, arena, &arm->text_parameters, error));
    target targets[TARGETS];
    targets_of(arm, targets);
    FP_TRY(fp_parameters_initialise(arm->text_parameters, &arm->text, error));
    FP_TRY(fp_parameters_initialise(fp_feature_parameters, &arm->features, error));
    FP_TRY(fp_parameters_initialise(algorithm->parameters, arm->parameters, error));
    FP_TRY(set_keys(arm, targets, fp_string_of(algorithm->features), error));
    if (rest.data) FP_TRY(set_keys(arm, targets, rest, error));
    if (!arm->name) arm->name = fp_string_copy(arena, fp_string_of(spec));
    if (!arm->name) return fp_no_memory(error);
    arm->seed = find_seed(arm, rest.data ? rest : (fp_string){"", 0});
    *out = arm;
    return fp_arm_write_canonical(arm, error);
}

/* Appends the arm's files for which `algorithm` has a file parameter too. If it is the same algorithm and reads no
 * model files, also appends every value that `spec` does not set. */
static const char *with_own(const char *spec, const fp_arm *arm, const fp_algorithm *algorithm, fp_arena *arena) {
    bool same = algorithm == arm->instance.algorithm && !fp_learning_of(algorithm)->open;
    for (const fp_parameter *row = arm->instance.algorithm->parameters; spec && row && row->name; row++) {
        const fp_parameter *other = fp_parameter_find(algorithm->parameters, fp_string_of(row->name));
        const char *key = fp_format(arena, "%s=", row->name);
        bool said = !same || (key && strstr(spec, key));
        if (said && (row->type != FP_FILE || !other || other->type != FP_FILE)) continue;
        const char *value = fp_parameter_text(row, arm->parameters, arena);
        spec = key && value ? fp_format(arena, "%s%s%s%s", spec, strchr(spec, ':') ? "," : ":", key, value) : NULL;
    }
    return spec;
}

fp_status fp_arm_counterpart(const fp_arm *arm, fp_arena *arena, fp_arm **counterpart, fp_error *error) {
    const char *exact = arm->instance.algorithm->counterpart;
    *counterpart = NULL;
    if (!exact || fp_arm_fits(arm)) return FP_OK;
    fp_string rest = fp_string_of(exact), head;
    fp_next_field(&rest, ':', &head);
    const char *name = fp_string_copy(arena, head);
    const fp_algorithm *algorithm = name ? find_algorithm(name, &arm->extensions, error) : NULL;
    if (!algorithm) return name ? FP_ERROR_UNKNOWN : fp_no_memory(error);
    const char *spec = with_own(exact, arm, algorithm, arena);
    const char *shared = shared_key(arm);
    if (spec && *shared) spec = fp_format(arena, "%s%s%s", spec, strchr(spec, ':') ? "," : ":", shared);
    return spec ? parse(spec, &arm->extensions, arm, arena, counterpart, error) : fp_no_memory(error);
}

const char *const *fp_arm_files(const fp_arm *arm, fp_arena *arena) {
    const fp_parameter *rows = arm->instance.algorithm->parameters;
    size_t most = FP_SPEC_FILES + 1, count;
    for (const fp_parameter *row = rows; row && row->name; row++) most++;
    const char **files = fp_arena_alloc(arena, most, sizeof *files);
    if (!files) return NULL;
    count = fp_spec_files(arm->preprocessor ? &arm->text : NULL, arm->extractor ? &arm->features : NULL, files);
    for (const fp_parameter *row = rows; row && row->name; row++) {
        const char *value = row->type == FP_FILE ? fp_parameter_text(row, arm->parameters, arena) : "";
        if (*value) files[count++] = value;
    }
    return files;
}

bool fp_arm_learns(const fp_arm *arm) {
    return fp_arm_fits(arm) || (arm->extractor && fp_extractor_learns(arm->extractor));
}

const fp_layout *fp_arm_layout(const fp_arm *arm) { return &arm->instance.layout; }
const char *fp_arm_name(const fp_arm *arm) { return arm->name; }
const char *fp_arm_spec(const fp_arm *arm) { return arm->spec; }

/* ---- Description for people ---- */

/* Appends " name=value" for every row of the table that differs from the default, except the rows in `without`. */
static const char *with_choices(const char *text, const fp_parameter *table, const void *values,
                                const char *const *without, fp_arena *arena) {
    for (const fp_parameter *row = table; text && row->name; row++) {
        const char *value = fp_parameter_text(row, values, arena);
        bool skipped = value && strcmp(value, row->initial) == 0;
        for (const char *const *name = without; *name; name++) skipped |= strcmp(*name, row->name) == 0;
        if (!value) return NULL;
        if (!skipped) text = fp_format(arena, "%s%s%s=%s", text, *text ? " " : "", row->name, value);
    }
    return text;
}

const char *fp_arm_compared(const fp_arm *arm, fp_arena *arena) {
    static const char *const NAMED[] = {"features", "weight", NULL};
    uint32_t needs = arm->instance.algorithm->needs;
    const char *text = needs & FP_NEEDS_INITIALS ? "initials" : needs & FP_NEEDS_TEXT ? "text" : "";
    if (arm->extractor) {
        const fp_parameter *weight = fp_parameter_find(fp_feature_parameters, fp_string_of("weight"));
        const char *value = fp_parameter_text(weight, &arm->features, arena);
        text = value ? fp_format(arena, "%s %s", arm->features.features, value) : NULL;
        text = with_choices(text, fp_feature_parameters, &arm->features, NAMED, arena);
    }
    return fp_reads_text(arm->instance.algorithm) ? with_choices(text, arm->text_parameters, &arm->text, NAMED, arena)
                                                  : text;
}

/* ---- Text of a sketch ---- */

/* Words from the last to the first, so that bit 0 is at the right; only as many digits as the width needs. */
static const char *bits_text(const uint64_t *words, size_t bits, fp_arena *arena) {
    size_t digits = (bits + 3) / 4;
    char *text = fp_arena_raw(arena, digits + 1, 1);
    if (!text) return NULL;
    for (size_t i = 0; i < digits; i++) {
        size_t shift = (digits - 1 - i) * 4;
        text[i] = "0123456789abcdef"[words[shift / 64] >> shift % 64 & 15];
    }
    text[digits] = '\0';
    return text;
}

static const char *bytes_text(fp_sketch sketch, fp_arena *arena) {
    if (sketch.size > SIZE_MAX / 2 - 1) return NULL;
    char *text = fp_arena_raw(arena, sketch.size * 2 + 1, 1);
    if (!text) return NULL;
    const unsigned char *byte = sketch.data;
    for (size_t i = 0; i < sketch.size; i++) {
        text[2 * i] = "0123456789abcdef"[byte[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[byte[i] & 15];
    }
    text[sketch.size * 2] = '\0';
    return text;
}

const char *fp_arm_text(const fp_arm *arm, fp_sketch sketch, fp_arena *arena) {
    const fp_instance *instance = &arm->instance;
    sketch = fp_arm_trimmed(arm, sketch);
    if (instance->algorithm->text) return instance->algorithm->text(instance, sketch, arena);
    if (fp_stored_bits(&instance->layout)) return bits_text(sketch.data, fp_stored_bits(&instance->layout), arena);
    if (instance->layout.stored) sketch.size = instance->layout.stored;
    return bytes_text(sketch, arena);
}

/* ---- The same arm with other hash functions ---- */

static int64_t number_of(const fp_arm *arm, const fp_parameter *row) {
    int64_t number;
    memcpy(&number, (const char *)arm->parameters + row->offset, sizeof number);
    return number;
}

uint64_t fp_arm_own_seed(const fp_arm *arm) { return (uint64_t)number_of(arm, arm->seed); }

/* Makes a copy in `arena` with another value of one parameter, and the layout for that value. */
static fp_status with_value(const fp_arm *arm, const fp_parameter *row, const char *value, fp_arena *arena,
                            fp_arm **out, fp_error *error) {
    fp_arm *copy = *out = fp_arena_alloc(arena, 1, sizeof *copy);
    if (!copy) return fp_no_memory(error);
    *copy = *arm;
    copy->arena = arena;
    size_t size = arm->instance.algorithm->parameters_size;
    copy->parameters = FP_NEED(fp_arena_raw(arena, size, 1), error);
    memcpy(copy->parameters, arm->parameters, size);
    copy->instance.parameters = copy->parameters;
    FP_TRY(fp_parameter_set(row, fp_string_of(value), copy->parameters, arena, error));
    return arm->instance.algorithm->layout(copy->parameters, &copy->instance.layout, error);
}

static fp_status with_number(const fp_arm *arm, const fp_parameter *row, uint64_t number, fp_arena *arena, fp_arm **out,
                             fp_error *error) {
    char value[24];
    snprintf(value, sizeof value, "%llu", (unsigned long long)number);
    return with_value(arm, row, value, arena, out, error);
}

/* Makes a copy with changed parameters ready to learn. */
static fp_status complete(fp_arm *copy, fp_error *error) {
    const fp_learning *learning = fp_learning_of(copy->instance.algorithm);
    FP_TRY(fp_arm_write_canonical(copy, error));
    if (learning->open) FP_TRY(learning->open(&copy->instance, copy->arena, &copy->opened, error));
    return fp_arm_forget(copy, error);
}

fp_status fp_arm_settle_seed(fp_arm *arm, fp_error *error) {
    fp_arm *other;
    fp_error refused = {0};
    if (!arm->seed || with_number(arm, arm->seed, fp_arm_own_seed(arm) + 1, arm->arena, &other, &refused) == FP_OK)
        return FP_OK;
    if (refused.code == FP_ERROR_MEMORY) return fp_no_memory(error);
    arm->seed = NULL;
    arm->any_seed = arm->spec;
    return FP_OK;
}

fp_status fp_arm_reseed(const fp_arm *arm, uint64_t seed, fp_arena *arena, fp_arm **out, fp_error *error) {
    FP_TRY(with_number(arm, arm->seed, seed, arena, out, error));
    return complete(*out, error);
}

/* ---- The same arm in other sizes ---- */

/* Whether multiplying the parameter by `times` multiplies the stored bytes by `times`. */
static bool scales(const fp_arm *arm, const fp_parameter *row, double times, fp_arena *scratch) {
    double number = (double)number_of(arm, row) * times, bytes = fp_stored_bytes(&arm->instance.layout);
    fp_arm *other;
    fp_error refused = {0};
    return number == floor(number) && number >= row->minimum && number <= row->maximum && number > 0 &&
           with_number(arm, row, (uint64_t)number, scratch, &other, &refused) == FP_OK &&
           fp_stored_bytes(&other->instance.layout) == times * bytes;
}

const fp_parameter *fp_arm_size_parameter(const fp_arm *arm, fp_arena *scratch) {
    const fp_parameter *found = NULL;
    if (fp_stored_bytes(&arm->instance.layout) == 0) return NULL;
    for (const fp_parameter *row = arm->instance.algorithm->parameters; row && row->name; row++)
        if (row->type == FP_INTEGER && (!found || row->maximum > found->maximum) &&
            (scales(arm, row, 2, scratch) || scales(arm, row, 0.5, scratch)))
            found = row;
    return found;
}

fp_status fp_arm_sized(const fp_arm *arm, const fp_parameter *row, double bytes, fp_arena *arena, fp_arm **out,
                       fp_error *error) {
    double number = (double)number_of(arm, row) * bytes / fp_stored_bytes(&arm->instance.layout);
    if (number != floor(number))
        return fp_fail(error, FP_ERROR_RANGE, "%g bytes is not a whole number of %s", bytes, row->name);
    FP_TRY(with_number(arm, row, (uint64_t)number, arena, out, error));
    FP_TRY(check_width(*out, error));
    return complete(*out, error);
}

/* ---- The same arm with one side or two ---- */

fp_status fp_arm_with_sides(fp_arm *arm, bool two, fp_arena *arena, fp_arm **out, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    const fp_parameter *row = fp_parameter_find(algorithm->parameters, fp_string_of(FP_ARM_QUERY));
    *out = arm;
    if ((arm->instance.layout.stored > 0) == two) return FP_OK;
    if (!row || row->type != FP_CHOICE || !row->choices[1])
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "%s has no parameter " FP_ARM_QUERY ": its queries are fingerprints as stored", algorithm->name);
    FP_TRY(with_value(arm, row, row->choices[two], arena, out, error));
    return fp_arm_write_canonical(*out, error);
}
