/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads distances of labelled pairs from a file. */
#include "corpora/scores.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/score_rows.h"
#include "text/unicode/utf8.h"

enum { NONE = 0 };

typedef struct reader {
    const fp_corpus *corpus;
    fp_map ids, pairs; /* `pairs`: the first labelled pair of two documents */
    uint32_t *next;    /* [pair_count] the next pair of the same two, or FP_MAP_NONE */
    size_t *line;      /* [pair_count] line of its score, or NONE */
    fp_score_reading *reading;
    double *distances; /* [pair_count] NaN if no row has the pair */
    fp_error *error;
} reader;

/* ---- Indexing the corpus ---- */

static uint64_t key_of_id(fp_string id) { return fp_xxh3(id.data, id.length, 0); }

static fp_status index_corpus(reader *in, fp_arena *arena) {
    const fp_corpus *corpus = in->corpus;
    FP_TRY(fp_map_open(&in->ids, corpus->document_count, arena, in->error));
    FP_TRY(fp_map_open(&in->pairs, corpus->pair_count, arena, in->error));
    in->next = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof *in->next), in->error);
    in->line = FP_NEED(fp_arena_alloc(arena, corpus->pair_count, sizeof *in->line), in->error);
    for (size_t i = 0; i < corpus->document_count; i++)
        fp_map_put(&in->ids, key_of_id(corpus->documents[i].id), (uint32_t)i);
    for (size_t i = corpus->pair_count; i-- > 0;) {
        uint64_t key = fp_pair_key(corpus->pairs[i].a, corpus->pairs[i].b);
        in->next[i] = fp_map_get(&in->pairs, key);
        fp_map_put(&in->pairs, key, (uint32_t)i);
    }
    return FP_OK;
}

/* ---- Rows ---- */

static fp_status find_id(const reader *in, fp_string id, uint32_t *document) {
    *document = fp_map_get(&in->ids, key_of_id(id));
    if (*document != FP_MAP_NONE) return FP_OK;
    if (fp_utf8_check(id) < id.length) return fp_fail(in->error, FP_ERROR_ENCODING, "invalid UTF-8");
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "a score names the unknown id %.*s", (int)id.length, id.data);
}

static fp_status parse_distance(const reader *in, fp_string text, double *distance) {
    FP_TRY(fp_score_number(text, "distance", distance, in->error));
    if (*distance >= 0) return FP_OK;
    return fp_fail(in->error, FP_ERROR_RANGE, "the distance %.*s is negative", (int)text.length, text.data);
}

static fp_status take(reader *in, uint32_t a, uint32_t b, double distance, size_t line) {
    uint32_t first = fp_map_get(&in->pairs, fp_pair_key(a, b));
    if (first == FP_MAP_NONE) {
        if (in->reading->unlabelled++ == 0) in->reading->unlabelled_line = line;
        return FP_OK;
    }
    if (in->line[first] != NONE)
        return fp_fail(in->error, FP_ERROR_DUPLICATE, "the pair has a distance in line %zu", in->line[first]);
    for (uint32_t i = first; i != FP_MAP_NONE; i = in->next[i]) {
        in->line[i] = line;
        in->distances[i] = distance;
    }
    return FP_OK;
}

static fp_status read_row(void *context, const fp_score_row *row, const char **place, fp_error *error) {
    reader *in = context;
    uint32_t a, b;
    double distance;
    FP_TRY(find_id(in, row->id_a, &a));
    *place = row->id_b.data;
    FP_TRY(find_id(in, row->id_b, &b));
    if (a == b) return fp_fail(error, FP_ERROR_SYNTAX, "a document is paired with itself");
    *place = row->number.data;
    FP_TRY(parse_distance(in, row->number, &distance));
    return take(in, a, b, distance, row->line);
}

/* ---- The whole file ---- */

static fp_status fill_missing(const reader *in, const char *path) {
    const fp_corpus *corpus = in->corpus;
    fp_score_reading *reading = in->reading;
    reading->first_without = corpus->pair_count;
    for (size_t i = corpus->pair_count; i-- > 0;) {
        if (!isnan(in->distances[i])) continue;
        in->distances[i] = reading->missing;
        reading->first_without = i;
        reading->without++;
    }
    if (!reading->without || reading->missing > 0) return FP_OK;
    fp_pair first = corpus->pairs[reading->first_without];
    fp_string a = corpus->documents[first.a].id, b = corpus->documents[first.b].id;
    return FP_FAIL_AT(in->error, FP_ERROR_EMPTY, path,
                      "%zu of %zu labelled pairs have no distance; the first is %.*s %.*s", reading->without,
                      corpus->pair_count, (int)a.length, a.data, (int)b.length, b.data);
}

fp_status fp_scores_read(const char *path, const fp_corpus *corpus, fp_score_reading *reading, fp_arena *arena,
                         double **distances, fp_error *error) {
    size_t most = reading->most_bytes ? reading->most_bytes : FP_MOST_BYTES;
    fp_string content;
    *reading =
        (fp_score_reading){.size = reading->size, .missing = reading->missing, .most_bytes = reading->most_bytes};
    if (corpus->truth != FP_TRUTH_PAIRS)
        return fp_fail(error, FP_ERROR_EMPTY, "%s has no labelled pairs to read distances for", corpus->name);
    *distances = FP_NEED(fp_arena_raw(arena, corpus->pair_count, sizeof **distances), error);
    for (size_t i = 0; i < corpus->pair_count; i++) (*distances)[i] = NAN;
    FP_SCRATCH(own, arena, error);
    reader in = {.corpus = corpus, .reading = reading, .distances = *distances, .error = error};
    FP_TRY(fp_read_file_within(path, most, own, &content, error));
    FP_TRY(index_corpus(&in, own));
    FP_TRY(fp_score_rows(content, path, read_row, &in, &reading->rows, error));
    return fill_missing(&in, path);
}
