/* SPDX-License-Identifier: GPL-3.0-or-later
 * External distances, for example from a neural model: a file with a row for each pair, id_a, id_b and a number,
 * tab-separated, in any order. A document is its id. The file is read once, when the arm is parsed. A pair takes 8
 * bytes for the distance and 24 to 48 for the look-up, an id about as much. */
#include <math.h>

#include "base/map.h"
#include "base/score_rows.h"
#include "text/unicode/utf8.h"

enum { KIND_DISTANCE, KIND_SIMILARITY, KIND_COSINE };
enum { SCALE = 64 };

typedef struct scores_parameters {
    const char *file;
    int64_t kind;
    double maximum;
} scores_parameters;

static const char *const KINDS[] = {"distance", "similarity", "cosine", NULL};

static const fp_parameter PARAMETERS[] = {
    {"file", FP_FILE, "", "pairs and their numbers: id_a, id_b, number, tab-separated, without a header", "", 0, 0,
     NULL, offsetof(scores_parameters, file)},
    {"kind", FP_CHOICE, "",
     "what the numbers are: distances as given, similarities s from 0 to 1 (the distance is 64(1 - s)), or "
     "cosines (64 arccos(s)/pi)",
     "distance", 0, 0, KINDS, offsetof(scores_parameters, kind)},
    {"maximum", FP_REAL, "", "kind=distance: the largest distance there can be", "64", 1e-9, 1e9, NULL,
     offsetof(scores_parameters, maximum)},
    {0},
};

/* The content of the file. A pair is looked up by the numbers of its two ids; ids and numbers correspond one to one. */
typedef struct known_scores {
    fp_map ids, pairs;
    fp_string *id;    /* [id_count] */
    double *distance; /* [pair_count] */
    size_t id_count, pair_count;
} known_scores;

static fp_status layout(const void *opaque, fp_layout *out, fp_error *error) {
    const scores_parameters *parameters = opaque;
    if (parameters->kind != KIND_DISTANCE && parameters->maximum != SCALE)
        return fp_fail(error, FP_ERROR_RANGE, "maximum goes with kind=distance: kind=%s has distances up to %d",
                       KINDS[parameters->kind], SCALE);
    *out = (fp_layout){.bytes = sizeof(uint64_t), .maximum = parameters->maximum};
    snprintf(out->scale, sizeof out->scale, "score of %.10g", parameters->maximum);
    return FP_OK;
}

/* ---- Reading ---- */

typedef struct reader {
    const scores_parameters *parameters;
    known_scores *to;
    fp_arena *arena;
    size_t id_room; /* capacity of to->id and of the map */
    size_t *line;   /* [pair_count] the line of each pair */
} reader;

static uint64_t hash_of(fp_string id) { return fp_xxh3(id.data, id.length, 0); }

static fp_status grow_ids(reader *in, fp_error *error) {
    known_scores *to = in->to;
    if (to->id_count < in->id_room) return FP_OK;
    size_t room = in->id_room ? in->id_room * 2 : 64;
    fp_string *id = FP_NEED(fp_arena_grow(in->arena, to->id, room * sizeof *id), error);
    to->id = id;
    in->id_room = room;
    FP_TRY(fp_map_open(&to->ids, room, in->arena, error));
    for (size_t i = 0; i < to->id_count; i++) fp_map_put(&to->ids, hash_of(id[i]), (uint32_t)i);
    return FP_OK;
}

static fp_status number_of(reader *in, fp_string id, uint32_t *number, fp_error *error) {
    known_scores *to = in->to;
    FP_TRY(grow_ids(in, error));
    *number = fp_map_get(&to->ids, hash_of(id));
    if (*number != FP_MAP_NONE) {
        if (fp_string_equal(to->id[*number], id)) return FP_OK;
        fp_string other = to->id[*number];
        return fp_fail(error, FP_ERROR_DUPLICATE, "the ids %.*s and %.*s have the same hash", (int)id.length, id.data,
                       (int)other.length, other.data);
    }
    if (fp_utf8_check(id) < id.length) return fp_fail(error, FP_ERROR_ENCODING, "invalid UTF-8");
    const char *copy = FP_NEED(fp_string_copy(in->arena, id), error);
    *number = (uint32_t)to->id_count;
    to->id[to->id_count++] = (fp_string){copy, id.length};
    fp_map_put(&to->ids, hash_of(id), *number);
    return FP_OK;
}

static fp_status out_of_range(const scores_parameters *parameters, fp_string number, double low, double high,
                              fp_error *error) {
    return fp_fail(error, FP_ERROR_RANGE, "the %s %.*s is not from %.15g to %.15g", KINDS[parameters->kind],
                   (int)number.length, number.data, low, high);
}

static fp_status distance_of(const scores_parameters *parameters, fp_string number, double *distance, fp_error *error) {
    double value, low = parameters->kind == KIND_COSINE ? -1 : 0,
                  high = parameters->kind == KIND_DISTANCE ? parameters->maximum : 1;
    FP_TRY(fp_score_number(number, KINDS[parameters->kind], &value, error));
    if (!(value >= low && value <= high)) return out_of_range(parameters, number, low, high, error);
    switch (parameters->kind) {
    case KIND_SIMILARITY: *distance = SCALE * (1 - value); break;
    case KIND_COSINE: *distance = SCALE * acos(value) / M_PI; break;
    default: *distance = value + 0.0; /* no minus before a zero */
    }
    return FP_OK;
}

static fp_status take(void *context, const fp_score_row *row, const char **place, fp_error *error) {
    reader *in = context;
    known_scores *to = in->to;
    uint32_t a, b;
    double distance = 0;
    FP_TRY(number_of(in, row->id_a, &a, error));
    *place = row->id_b.data;
    FP_TRY(number_of(in, row->id_b, &b, error));
    if (a == b) return fp_fail(error, FP_ERROR_SYNTAX, "a document is paired with itself");
    uint32_t known = fp_map_get(&to->pairs, fp_pair_key(a, b));
    if (known != FP_MAP_NONE)
        return fp_fail(error, FP_ERROR_DUPLICATE, "the pair has a distance in line %zu", in->line[known]);
    *place = row->number.data;
    FP_TRY(distance_of(in->parameters, row->number, &distance, error));
    fp_map_put(&to->pairs, fp_pair_key(a, b), (uint32_t)to->pair_count);
    in->line[to->pair_count] = row->line;
    to->distance[to->pair_count++] = distance;
    return FP_OK;
}

static fp_status read_scores(reader *in, fp_arena *own, fp_error *error) {
    fp_string content, rest, line;
    size_t rows = 0;
    FP_TRY(fp_read_file(in->parameters->file, own, &content, error));
    for (rest = content; fp_next_line(&rest, &line);) rows++;
    in->to->distance = FP_NEED(fp_arena_raw(in->arena, rows, sizeof *in->to->distance), error);
    in->line = FP_NEED(fp_arena_raw(own, rows, sizeof *in->line), error);
    FP_TRY(fp_map_open(&in->to->pairs, rows, in->arena, error));
    return fp_score_rows(content, in->parameters->file, take, in, &rows, error);
}

static fp_status open_scores(const fp_instance *self, fp_arena *arena, const void **model, fp_error *error) {
    known_scores *scores = fp_arena_alloc(arena, 1, sizeof *scores);
    fp_arena *own = fp_arena_new_like(arena);
    reader in = {.parameters = self->parameters, .to = scores, .arena = arena};
    fp_status status = scores && own ? read_scores(&in, own, error) : fp_no_memory(error);
    fp_arena_free(own);
    *model = scores;
    return status;
}

static size_t pairs_known(const fp_instance *self) {
    const known_scores *scores = self->model;
    return scores->pair_count;
}

/* ---- Sketches: the number of the id in the file; for an id that the file lacks, its hash, above all numbers ---- */

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out,
                        fp_error *error) {
    const known_scores *scores = self->model;
    uint64_t *number = FP_NEED(fp_arena_raw(scratch, 1, sizeof *number), error), hash = hash_of(document->id);
    uint32_t known = fp_map_get(&scores->ids, hash);
    bool there = known != FP_MAP_NONE && fp_string_equal(scores->id[known], document->id);
    *number = there ? known : hash | UINT64_C(1) << 63;
    *out = (fp_sketch){.data = number, .size = sizeof *number};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    const known_scores *scores = self->model;
    uint64_t left = *(const uint64_t *)a.data, right = *(const uint64_t *)b.data;
    if (left == right) return 0;
    if ((left | right) >> 32) return NAN;
    uint32_t pair = fp_map_get(&scores->pairs, fp_pair_key(left, right));
    return pair == FP_MAP_NONE ? NAN : scores->distance[pair];
}

static const fp_learning LEARNING = {
    .open = open_scores,
    .pairs_known = pairs_known,
};

const fp_algorithm fp_algorithm_scores = {
    .abi = FP_ABI_VERSION,
    .name = "scores",
    .summary = "distances made elsewhere: a file with a row for each pair",
    .citation = "what the file holds; no fingerprint of the lab",
    .features = "",
    .parameters_size = sizeof(scores_parameters),
    .parameters = PARAMETERS,
    .layout = layout,
    .sketch = sketch,
    .distance = distance,
    .learning = &LEARNING,
};
