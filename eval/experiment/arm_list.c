/* SPDX-License-Identifier: GPL-3.0-or-later
 * Splits a specification into axes, the algorithm first, then each key; an arm takes one alternative of each axis. */
#include "eval/experiment/arm_list.h"

#include <string.h>

#include "base/map.h"

enum { MOST_AXES = 64 };

typedef struct axis {
    fp_string key;    /* empty for the algorithm */
    fp_string values; /* separated by '|' */
    size_t count;
} axis;

typedef struct axes {
    const char *spec;
    size_t count;
    axis at[MOST_AXES];
} axes;

/* ---- Parsing ---- */

static fp_status in_spec(const char *spec, fp_error *error) {
    if (!error || error->code == FP_ERROR_MEMORY) return error ? error->code : FP_ERROR_MEMORY;
    fp_error reason = *error;
    fp_fail(error, reason.code, "\"%.150s\": %.300s", spec, reason.message);
    if (reason.file[0]) fp_at(error, reason.code, reason.file, reason.line, reason.byte);
    return error->code;
}

static fp_status count_values(axis *of, const char *spec, fp_error *error) {
    fp_string rest = of->values, value;
    while (fp_next_field(&rest, '|', &value)) {
        of->count++;
        if (value.length) continue;
        size_t place = (size_t)(value.data - spec) + 1;
        if (of->key.length == 0) return fp_fail(error, FP_ERROR_SYNTAX, "an algorithm is missing at byte %zu", place);
        return fp_fail(error, FP_ERROR_SYNTAX, "%.*s has an empty alternative at byte %zu", (int)of->key.length,
                       of->key.data, place);
    }
    return FP_OK;
}

static fp_status add_axis(axes *to, fp_string key, fp_string values, fp_error *error) {
    if (to->count == MOST_AXES) return fp_fail(error, FP_ERROR_RANGE, "more than %d keys", MOST_AXES - 1);
    for (size_t i = 1; i < to->count; i++)
        if (fp_string_equal(to->at[i].key, key))
            return fp_fail(error, FP_ERROR_SYNTAX, "duplicate key %.*s", (int)key.length, key.data);
    axis *made = to->at + to->count++;
    *made = (axis){.key = key, .values = values};
    return count_values(made, to->spec, error);
}

static fp_status cut(const char *spec, axes *to, fp_error *error) {
    fp_string rest = fp_string_of(spec), head = {spec, 0}, item;
    *to = (axes){.spec = spec};
    fp_next_field(&rest, ':', &head);
    FP_TRY(add_axis(to, (fp_string){"", 0}, head, error));
    while (rest.data && fp_next_field(&rest, ',', &item)) {
        fp_string value = item, key = {"", 0};
        fp_next_field(&value, '=', &key);
        if (!value.data || key.length == 0)
            return fp_fail(error, FP_ERROR_SYNTAX, "expected key=value or key=value|value, not \"%.*s\"",
                           (int)item.length, item.data);
        FP_TRY(add_axis(to, key, value, error));
    }
    return FP_OK;
}

/* ---- Counting ---- */

static bool is_name(const axis *of) { return fp_string_equal(of->key, fp_string_of("name")); }

static fp_status multiply(const axes *of, size_t *count, fp_error *error) {
    *count = 1;
    for (size_t i = 0; i < of->count; i++) {
        if (of->at[i].count > FP_GRID_MOST / *count)
            return fp_fail(error, FP_ERROR_RANGE, "more than %d arms", FP_GRID_MOST);
        *count *= of->at[i].count;
    }
    for (size_t i = *count > 1 ? 1 : of->count; i < of->count; i++)
        if (is_name(of->at + i))
            return fp_fail(error, FP_ERROR_SYNTAX, "name= would give %zu arms one name; leave it out", *count);
    return FP_OK;
}

static fp_status count_arms(const char *const *specs, size_t *count, fp_error *error) {
    *count = 0;
    for (; *specs; specs++) {
        axes cuts;
        size_t arms = 0;
        if (cut(*specs, &cuts, error) != FP_OK || multiply(&cuts, &arms, error) != FP_OK) return in_spec(*specs, error);
        *count += arms;
        if (*count > FP_GRID_MOST)
            return fp_fail(error, FP_ERROR_RANGE, "the grid has more than %d arms", FP_GRID_MOST);
    }
    return *count ? FP_OK : fp_fail(error, FP_ERROR_EMPTY, "the grid has no arm");
}

/* ---- Writing an arm ---- */

static fp_string value_at(const axis *of, size_t index) {
    fp_string rest = of->values, value = {"", 0};
    for (size_t i = 0; i <= index; i++) fp_next_field(&rest, '|', &value);
    return value;
}

/* Writes the arm at `index`: the whole specification, or only the keys that vary. */
static const char *write_arm(const axes *from, size_t index, bool all, fp_arena *arena) {
    size_t chosen[MOST_AXES];
    for (size_t i = from->count; i-- > 0;) {
        chosen[i] = index % from->at[i].count;
        index /= from->at[i].count;
    }
    fp_string algorithm = value_at(from->at, chosen[0]);
    const char *text = fp_string_copy(arena, algorithm), *separator = ":";
    for (size_t i = 1; text && i < from->count; i++) {
        const axis *of = from->at + i;
        if (!all && of->count == 1) continue;
        fp_string value = value_at(of, chosen[i]);
        text = fp_format(arena, "%s%s%.*s=%.*s", text, separator, (int)of->key.length, of->key.data, (int)value.length,
                         value.data);
        separator = ",";
    }
    return text;
}

/* ---- Making ---- */

typedef struct maker {
    const fp_algorithm *const *plugins;
    fp_arena *arena;
    fp_grid *grid;
    const char **written; /* [count] */
    bool *named;          /* [count] the user chose the name */
    fp_error *error;
} maker;

static fp_status make_arm(maker *to, const axes *from, size_t index, bool alone) {
    const char *written = FP_NEED(write_arm(from, index, true, to->arena), to->error);
    const char *label = alone ? written : FP_NEED(write_arm(from, index, false, to->arena), to->error);
    size_t at = to->grid->count;
    const fp_extensions more = {.size = sizeof more, .algorithms = to->plugins};
    if (fp_arm_parse(written, &more, to->arena, to->grid->arms + at, to->error) != FP_OK)
        return in_spec(written, to->error);
    for (size_t i = 1; i < from->count; i++) to->named[at] |= is_name(from->at + i);
    if (!to->named[at]) to->grid->arms[at]->name = label;
    to->written[at] = written;
    to->grid->count++;
    return FP_OK;
}

static fp_status refuse_same(const maker *of) {
    fp_map seen;
    FP_TRY(fp_map_open(&seen, of->grid->count, of->arena, of->error));
    for (size_t i = 0; i < of->grid->count; i++) {
        const char *spec = of->grid->arms[i]->spec;
        uint64_t key = fp_xxh3(spec, strlen(spec), 0);
        uint32_t other = fp_map_get(&seen, key);
        if (other != FP_MAP_NONE)
            return fp_fail(of->error, FP_ERROR_DUPLICATE, "\"%.200s\" and \"%.200s\" are the same arm",
                           of->written[other], of->written[i]);
        fp_map_put(&seen, key, (uint32_t)i);
    }
    return FP_OK;
}

/* Replaces equal labels by the full specification until all labels differ. Two equal names chosen by the user stay. */
static fp_status make_distinct(const maker *of) {
    for (bool changed = true; changed;) {
        changed = false;
        fp_map seen;
        FP_TRY(fp_map_open(&seen, of->grid->count, of->arena, of->error));
        for (size_t i = 0; i < of->grid->count; i++) {
            fp_arm *arm = of->grid->arms[i];
            uint64_t key = fp_xxh3(arm->name, strlen(arm->name), 0);
            uint32_t place = fp_map_get(&seen, key);
            if (place == FP_MAP_NONE) {
                fp_map_put(&seen, key, (uint32_t)i);
                continue;
            }
            fp_arm *other = of->grid->arms[place];
            bool longer = !of->named[i] && strcmp(arm->name, of->written[i]) != 0;
            bool other_longer = !of->named[place] && strcmp(other->name, of->written[place]) != 0;
            if (!longer && !other_longer)
                return fp_fail(of->error, FP_ERROR_DUPLICATE, "two arms are called \"%.200s\"; name them with name=…",
                               arm->name);
            if (longer) arm->name = of->written[i];
            if (other_longer) other->name = of->written[place];
            changed = true;
        }
    }
    return FP_OK;
}

fp_status fp_grid_expand(const char *const *specs, const fp_algorithm *const *plugins, fp_arena *arena, fp_grid *grid,
                         fp_error *error) {
    size_t total;
    FP_TRY(count_arms(specs, &total, error));
    *grid = (fp_grid){.arms = FP_NEED(fp_arena_alloc(arena, total, sizeof *grid->arms), error)};
    maker make = {.plugins = plugins, .arena = arena, .grid = grid, .error = error};
    make.written = FP_NEED(fp_arena_alloc(arena, total, sizeof *make.written), error);
    make.named = FP_NEED(fp_arena_alloc(arena, total, sizeof *make.named), error);
    grid->written = make.written;
    for (; *specs; specs++) {
        axes cuts;
        size_t arms;
        FP_TRY(cut(*specs, &cuts, error));
        FP_TRY(multiply(&cuts, &arms, error));
        for (size_t i = 0; i < arms; i++) FP_TRY(make_arm(&make, &cuts, i, arms == 1));
    }
    FP_TRY(refuse_same(&make));
    return make_distinct(&make);
}

/* ---- Arms under several seeds ---- */

fp_status fp_hash_seeds_for(const fp_corpus *corpus, const fp_hash_seeds *asked, size_t *count, fp_error *error) {
    bool listed = corpus->truth == FP_TRUTH_PAIRS;
    if (asked->count > FP_HASH_SEEDS_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "%zu hash seeds; at most %d are possible", asked->count,
                       FP_HASH_SEEDS_MOST);
    if (asked->count > 1 && !listed)
        return fp_fail(error, FP_ERROR_RANGE,
                       "%s has groups, of too many documents to list all pairs: they are measured under one hash seed",
                       corpus->name);
    bool small = listed && corpus->document_count <= FP_HASH_SEEDS_DOCUMENTS;
    *count = asked->count ? asked->count : small ? FP_HASH_SEEDS : 1;
    return FP_OK;
}

static size_t seeds_of(const fp_arm *arm, const fp_hash_seeds *seeds) { return arm && arm->seed ? seeds->count : 1; }

/* One arm and its further seeds. */
static fp_status add(fp_arm *arm, size_t place, const fp_hash_seeds *seeds, fp_arena *arena, fp_seeded_arms *to,
                     fp_further_seeds *further, fp_error *error) {
    *further = (fp_further_seeds){to->lane_count, seeds_of(arm, seeds) - 1};
    to->lanes[place] = arm;
    if (!arm || !arm->seed) return FP_OK;
    uint64_t first = seeds->from ? seeds->first : fp_arm_own_seed(arm);
    if (seeds->from) FP_TRY(fp_arm_reseed(arm, first, arena, to->lanes + place, error));
    for (size_t k = 1; k <= further->count; k++)
        FP_TRY(fp_arm_reseed(arm, first + k, arena, to->lanes + to->lane_count++, error));
    return FP_OK;
}

fp_status fp_seeded_arms_make(fp_arm *const *arms, size_t count, const fp_hash_seeds *seeds, fp_arena *arena,
                              fp_seeded_arms *out, fp_error *error) {
    size_t lanes = count;
    for (size_t i = 0; i < count; i++) lanes += seeds_of(arms[i], seeds) - 1;
    fp_further_seeds *further = FP_NEED(fp_arena_alloc(arena, count, sizeof *further), error);
    *out = (fp_seeded_arms){.count = count, .lane_count = count, .further = further};
    out->lanes = FP_NEED(fp_arena_raw(arena, lanes, sizeof(fp_arm *)), error);
    for (size_t i = 0; i < count; i++) FP_TRY(add(arms[i], i, seeds, arena, out, further + i, error));
    return FP_OK;
}
