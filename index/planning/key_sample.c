/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sample of the fingerprints of a file. */
#include <string.h>

#include "base/reader.h"
#include "index/fingerprint_lines.h"
#include "index/planning/key_skew.h"

enum { DRAW = 7 };

typedef struct sampling {
    size_t words; /* of a fingerprint */
    size_t seen, kept, capacity;
    uint64_t *kept_words;
    fp_arena *arena;
} sampling;

static fp_status make_room(sampling *it, fp_error *error) {
    size_t capacity = it->capacity ? it->capacity * 2 : 1024;
    uint64_t *larger = fp_arena_grow(it->arena, it->kept_words, capacity * it->words * sizeof *larger);
    if (!larger) return fp_no_memory(error);
    it->kept_words = larger;
    it->capacity = capacity;
    return FP_OK;
}

/* Each is kept with the same probability (Vitter, Random sampling with a reservoir, ACM TOMS 11(1), 1985, algorithm R).
 */
static fp_status keep(void *context, const fp_fingerprint_line *line, fp_error *error) {
    sampling *it = context;
    size_t place = it->kept;
    if (it->kept == FP_KEY_SAMPLE_MOST) place = (size_t)(fp_mix(it->seen, DRAW) % (it->seen + 1));
    it->seen++;
    if (place >= FP_KEY_SAMPLE_MOST) return FP_OK;
    if (place == it->capacity) FP_TRY(make_room(it, error));
    memcpy(it->kept_words + place * it->words, line->words, it->words * sizeof *line->words);
    it->kept += place == it->kept;
    return FP_OK;
}

fp_status fp_key_sample_read(const char *path, unsigned bits, fp_arena *arena, fp_key_sample *sample, fp_error *error) {
    sampling it = {.words = (bits + 63) / 64, .arena = arena};
    const fp_fingerprint_lines how = {.bits = bits, .take = keep, .context = &it};
    FP_TRY(fp_fingerprint_lines_read(path, &how, arena, error));
    *sample = (fp_key_sample){bits, it.seen, it.kept, it.kept_words};
    if (it.seen >= 2) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "%zu fingerprint%s: a sample needs at least two", it.seen, it.seen == 1 ? "" : "s");
    return fp_at(error, FP_ERROR_EMPTY, fp_path_shown(path), SIZE_MAX, SIZE_MAX);
}
