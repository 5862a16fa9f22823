/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs passes over the texts until every arm is done. */
#include "algorithms/arms/pipeline.h"

#include <string.h>

#include "algorithms/arms/lanes.h"
#include "algorithms/arms/texts.h"

typedef struct run {
    const fp_pipeline *pipeline;
    fp_step *steps; /* the next step of each arm */
    fp_texts texts;
    fp_text_cache cache;
    fp_batch *threads;
    fp_arena *arena; /* for all passes */
} run;

static void report(const run *on, const char *stage, size_t done) {
    const fp_progress *progress = on->pipeline->progress;
    size_t total = on->pipeline->source->count;
    if (progress && progress->report && total != SIZE_MAX) progress->report(progress->context, stage, done, total);
}

static fp_status run_pass(run *on, bool first, fp_error *error) {
    fp_text_batch batch;
    FP_SCRATCH(arena, on->arena, error);
    fp_pass pass FP_CLOSED_BY(fp_pass_close) = {0};
    FP_TRY(fp_pass_open(&pass, on->pipeline, on->steps, &on->cache, first, on->threads, arena, error));
    for (;;) {
        FP_TRY(fp_texts_next(&on->texts, &batch, error));
        if (batch.count == 0) break;
        FP_TRY(fp_pass_run(&pass, &batch, on->texts.ahead ? &on->texts : NULL, error));
        report(on, pass.sketches ? "sketches" : "learning", batch.first + batch.count);
    }
    FP_TRY(fp_pass_learn(&pass, error));
    fp_pass_charge(&pass);
    return FP_OK;
}

static bool has_steps(const run *on) {
    for (size_t a = 0; a < on->pipeline->count; a++)
        if (on->steps[a] != FP_STEP_DONE) return true;
    return false;
}

static fp_status open_run(run *on, fp_error *error) {
    const fp_pipeline *pipeline = on->pipeline;
    const fp_text_source *source = pipeline->source;
    on->arena = FP_NEED(fp_arena_new_like(pipeline->arena), error);
    on->steps = FP_NEED(fp_arena_raw(on->arena, pipeline->count, sizeof *on->steps), error);
    for (size_t a = 0; a < pipeline->count; a++) {
        fp_pipeline_arm *of = pipeline->arms + a;
        of->seconds = 0;
        memset(of->slice, 0, sizeof of->slice);
        on->steps[a] =
            fp_step_from(pipeline, of->arm, pipeline->tallying && of->arm->idf ? FP_STEP_MODEL : FP_STEP_FREQUENCIES);
    }
    FP_TRY(fp_text_cache_open(&on->cache, pipeline->kept, pipeline->count, on->arena, error));
    FP_TRY(fp_batch_open(pipeline->progress, on->arena, &on->threads, error));
    return fp_texts_open(&on->texts, source, source->slow && fp_threads(pipeline->progress) > 1, on->arena, error);
}

static void close_run(run *on) {
    fp_texts_close(&on->texts);
    fp_text_cache_close(&on->cache);
    fp_batch_close(on->threads);
    fp_arena_free(on->arena);
}

fp_status fp_pipeline_run(const fp_pipeline *pipeline, fp_error *error) {
    run on FP_CLOSED_BY(close_run) = {.pipeline = pipeline};
    FP_TRY(open_run(&on, error));
    for (size_t pass = 0; has_steps(&on); pass++) {
        if (pass) FP_TRY(fp_texts_rewind(&on.texts, error));
        FP_TRY(run_pass(&on, pass == 0, error));
        if (pipeline->tallying) return FP_OK;
        for (size_t a = 0; a < pipeline->count; a++)
            if (on.steps[a] != FP_STEP_DONE)
                on.steps[a] = fp_step_from(pipeline, pipeline->arms[a].arm, on.steps[a] + 1);
    }
    return FP_OK;
}

/* ---- Store of sketches that arrive in batches ---- */

enum { FIRST = 1024, SLACK = 8 }; /* texts; bytes after the last sketch, so that there is always one */

/* Allocates for `room` texts, except the bytes of variable-length sketches. */
static fp_status resize(fp_store *store, size_t room, fp_error *error) {
    if (room >= SIZE_MAX / (sizeof *store->offset + store->stride)) return fp_no_memory(error);
    bool *empty = FP_NEED(fp_arena_grow(store->arena, store->empty, room * sizeof *empty), error);
    store->empty = empty;
    if (store->stride) {
        unsigned char *data = FP_NEED(fp_arena_grow(store->arena, store->data, room * store->stride + SLACK), error);
        store->data = data;
    } else {
        size_t *offset = FP_NEED(fp_arena_grow(store->arena, store->offset, (room + 1) * sizeof *offset), error);
        store->offset = offset;
        size_t *size = FP_NEED(fp_arena_grow(store->arena, store->size, room * sizeof *size), error);
        store->size = size;
    }
    store->room = room;
    return FP_OK;
}

static fp_status resize_data(fp_store *store, size_t space, fp_error *error) {
    unsigned char *data = FP_NEED(fp_arena_grow(store->arena, store->data, space + SLACK), error);
    store->data = data;
    store->space = space;
    return FP_OK;
}

fp_status fp_store_open(fp_store *store, const fp_layout *layout, size_t expected, fp_arena *arena, fp_error *error) {
    *store = (fp_store){.arena = arena, .stride = layout->bytes};
    FP_TRY(resize(store, expected == SIZE_MAX ? FIRST : expected, error));
    if (store->stride) return FP_OK;
    store->offset[0] = 0;
    return resize_data(store, FIRST, error);
}

static size_t aligned(size_t size) { return (size + 7) / 8 * 8; }

static void add_fixed(fp_store *store, fp_sketch sketch) {
    unsigned char *to = store->data + store->count * store->stride;
    if (sketch.size) memcpy(to, sketch.data, store->stride);
    else memset(to, 0, store->stride);
}

static fp_status add_varying(fp_store *store, fp_sketch sketch, fp_error *error) {
    size_t whole = aligned(sketch.size);
    if (whole > store->space - store->bytes) {
        if (whole > SIZE_MAX / 4 - store->space) return fp_no_memory(error);
        size_t larger = store->space + store->space / 2;
        FP_TRY(resize_data(store, larger > store->bytes + whole ? larger : store->bytes + whole, error));
    }
    unsigned char *to = store->data + store->bytes;
    memset(to + sketch.size, 0, whole - sketch.size);
    if (sketch.size) memcpy(to, sketch.data, sketch.size);
    store->bytes += whole;
    store->size[store->count] = sketch.size;
    store->offset[store->count + 1] = store->bytes;
    return FP_OK;
}

fp_status fp_store_add(fp_store *store, size_t count, const fp_sketch *sketches, fp_error *error) {
    if (count > store->room - store->count) {
        size_t larger = store->room + store->room / 2, least = store->count + count;
        FP_TRY(resize(store, larger > least ? larger : least, error));
    }
    for (size_t i = 0; i < count; i++) {
        if (store->stride) add_fixed(store, sketches[i]);
        else FP_TRY(add_varying(store, sketches[i], error));
        store->empty[store->count++] = sketches[i].empty;
        store->empty_count += sketches[i].empty;
    }
    return FP_OK;
}

fp_status fp_store_close(fp_store *store, fp_sketches *sketches, fp_error *error) {
    if (store->room > store->count) FP_TRY(resize(store, store->count, error));
    if (!store->stride && store->space > store->bytes) FP_TRY(resize_data(store, store->bytes, error));
    *sketches = (fp_sketches){.count = store->count,
                              .stride = store->stride,
                              .data = store->data,
                              .offset = store->offset,
                              .size = store->size};
    return FP_OK;
}

/* ---- An arm and texts in memory: fits and sketches ---- */

static fp_status fit_strings(fp_arm *arm, fp_string_source *strings, const fp_pair *pairs, size_t pair_count,
                             const fp_tallying *tallying, const fp_progress *progress, fp_error *error) {
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].a >= strings->count || pairs[i].b >= strings->count)
            return fp_fail(error, FP_ERROR_RANGE, "pair %zu is of texts %u and %u, and there are %zu", i, pairs[i].a,
                           pairs[i].b, strings->count);
    fp_text_source source = fp_source_of_strings(strings);
    fp_pipeline_arm one = {.arm = arm, .pair_count = pair_count, .pairs = pairs};
    fp_pipeline pipeline = {.source = &source,
                            .arms = &one,
                            .count = 1,
                            .learns = true,
                            .tallying = tallying,
                            .progress = progress,
                            .arena = arm->arena};
    return fp_pipeline_run(&pipeline, error);
}

fp_status fp_arm_fit(fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, const fp_pair *pairs,
                     size_t pair_count, fp_error *error) {
    fp_string_source strings = {.texts = texts, .ids = ids, .count = count};
    return fit_strings(arm, &strings, pairs, pair_count, NULL, NULL, error);
}

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      fp_error *error) {
    (void)first;
    return fp_store_add((fp_store *)context + arm, count, sketches, error);
}

/* Puts the position of the text that cannot be read in front of the reason. */
static fp_status at_text(size_t place, fp_status status, fp_error *error) {
    if (!error || status == FP_ERROR_MEMORY || status == FP_ERROR_CANCELLED) return status;
    fp_error reason = *error;
    fp_fail(error, status, "text %zu: %.400s", place, reason.message);
    error->byte = reason.byte;
    return status;
}

static fp_status sketch_strings(const fp_arm *const *arms, size_t arm_count, fp_string_source *strings,
                                const fp_progress *progress, fp_arena *out, fp_sketches *sketches, size_t *done,
                                fp_error *error) {
    fp_store *store = fp_arena_raw(out, arm_count, sizeof *store);
    fp_arm *fitted = fp_arena_raw(out, arm_count, sizeof *fitted); /* copies that learn nothing more */
    fp_pipeline_arm *of = fp_arena_alloc(out, arm_count, sizeof *of);
    fp_text_source source = fp_source_of_strings(strings);
    fp_pipeline pipeline = {.source = &source,
                            .arms = of,
                            .count = arm_count,
                            .untimed = true,
                            .take = take,
                            .context = store,
                            .progress = progress,
                            .arena = out};
    *done = 0;
    if (!store || !fitted || !of) return fp_no_memory(error);
    for (size_t a = 0; a < arm_count; a++) {
        sketches[a] = (fp_sketches){0};
        fitted[a] = *arms[a];
        of[a].arm = fitted + a;
        FP_TRY(fp_arm_ready(arms[a], error));
        if (strings->count) FP_TRY(fp_store_open(store + a, &arms[a]->instance.layout, strings->count, out, error));
    }
    if (strings->count == 0 || arm_count == 0) return FP_OK;
    fp_status status = fp_pipeline_run(&pipeline, error);
    *done = store->count;
    if (status != FP_OK) return at_text(store->count, status, error);
    for (size_t a = 0; a < arm_count; a++) {
        FP_TRY(fp_store_close(store + a, sketches + a, error));
        sketches[a].empty = store[a].empty;
    }
    return FP_OK;
}

fp_status fp_arm_sketches(const fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, fp_arena *out,
                          fp_sketches *sketches, fp_error *error) {
    fp_string_source strings = {.texts = texts, .ids = ids, .count = count};
    size_t done;
    return sketch_strings(&arm, 1, &strings, NULL, out, sketches, &done, error);
}

/* ---- Columns (fplab/columns.h) ---- */

static fp_status strings_of(const fp_text_column *column, fp_arena *arena, const fp_string **strings, fp_error *error) {
    fp_string *made = FP_NEED(fp_arena_raw(arena, column->count, sizeof *made), error);
    for (size_t i = 0; i < column->count; i++) {
        int64_t begin = column->offset[i], end = column->offset[i + 1];
        if (begin < 0 || end < begin)
            return fp_fail(error, FP_ERROR_RANGE, "text %zu is from byte %lld to %lld: offsets ascend from 0", i,
                           (long long)begin, (long long)end);
        made[i] = (fp_string){column->data + begin, (size_t)(end - begin)};
    }
    *strings = made;
    return FP_OK;
}

static fp_status open_columns(const fp_text_column *texts, const fp_text_column *ids, fp_arena *arena,
                              fp_string_source *strings, fp_error *error) {
    *strings = (fp_string_source){.count = texts->count};
    if (ids && ids->count != texts->count)
        return fp_fail(error, FP_ERROR_RANGE, "%zu texts have %zu ids", texts->count, ids->count);
    FP_TRY(strings_of(texts, arena, &strings->texts, error));
    return ids ? strings_of(ids, arena, &strings->ids, error) : FP_OK;
}

/* The first text that the arm cannot preprocess: a fit does not report which. */
static size_t find_bad(const fp_arm *arm, const fp_string_source *strings, fp_arena *arena) {
    fp_arena *scratch = fp_arena_new_like(arena);
    size_t at = SIZE_MAX;
    for (size_t i = 0; scratch && at == SIZE_MAX && i < strings->count; i++) {
        fp_text text;
        fp_arena_reset(scratch);
        if (fp_arm_preprocess(arm, strings->texts[i], fp_arm_wants(arm), scratch, &text, NULL) != FP_OK) at = i;
    }
    fp_arena_free(scratch);
    return at;
}

fp_status fp_learn_column(fp_arm *arm, const fp_text_column *texts, const fp_text_column *ids, const fp_pair *pairs,
                          size_t pair_count, const fp_tallying *tallying, size_t *bad, const fp_progress *progress,
                          fp_error *error) {
    fp_string_source strings;
    FP_SCRATCH(arena, arm->arena, error);
    fp_status status = open_columns(texts, ids, arena, &strings, error);
    size_t place = SIZE_MAX;
    if (status == FP_OK) {
        status = fit_strings(arm, &strings, pairs, pair_count, tallying, progress, error);
        if (status == FP_ERROR_ENCODING) place = find_bad(arm, &strings, arena);
        if (place != SIZE_MAX) status = at_text(place, status, error);
    }
    if (bad) *bad = place;
    return status;
}

fp_status fp_column_fit(fp_arm *arm, const fp_text_column *texts, const fp_text_column *ids, const fp_pair *pairs,
                        size_t pair_count, size_t *bad, const fp_progress *progress, fp_error *error) {
    return fp_learn_column(arm, texts, ids, pairs, pair_count, NULL, bad, progress, error);
}

fp_status fp_column_sketches(const fp_arm *const *arms, size_t arm_count, const fp_text_column *texts,
                             const fp_text_column *ids, fp_arena *out, fp_sketches *sketches, size_t *bad,
                             const fp_progress *progress, fp_error *error) {
    fp_string_source strings;
    FP_SCRATCH(arena, out, error);
    fp_status status = open_columns(texts, ids, arena, &strings, error);
    size_t done = SIZE_MAX;
    if (status == FP_OK) status = sketch_strings(arms, arm_count, &strings, progress, out, sketches, &done, error);
    bool of_text = status == FP_ERROR_ENCODING || status == FP_ERROR_RANGE;
    if (bad) *bad = of_text ? done : SIZE_MAX;
    return status;
}

fp_status fp_sketches_check(const fp_arm *arm, const fp_sketches *sketches, bool close, fp_error *error) {
    size_t bytes = arm->instance.layout.bytes;
    if (sketches->count == 0) return FP_OK;
    if (!bytes != !sketches->stride || (!bytes && (!sketches->offset || !sketches->size)))
        return fp_fail(error, FP_ERROR_RANGE, "sketches of %s %s", arm->name,
                       bytes ? "have a fixed size" : "vary in size: they have offsets and no stride");
    if (sketches->stride < bytes || (close && sketches->stride != bytes))
        return fp_fail(error, FP_ERROR_RANGE, "sketches of %s have %zu bytes: their stride is %zu", arm->name, bytes,
                       sketches->stride);
    if (((uintptr_t)sketches->data | sketches->stride) % 8 && bytes % 8 == 0)
        return fp_fail(error, FP_ERROR_RANGE, "sketches of %s are aligned to 8 bytes, and these are not", arm->name);
    return FP_OK;
}

/* ---- Distances of columns ---- */

typedef struct measuring {
    const fp_arm *arm;
    const fp_sketches *rows, *columns;
    const uint32_t *a, *b; /* [count] pairs; NULL: every row with every column */
    size_t count;
    double *out;
    float *narrow; /* instead of `out` */
} measuring;

enum { PAIRS_AT_ONCE = 4096 };

static void narrow(const double *from, size_t count, float *to) {
    for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
}

static fp_status measure_some(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const measuring *of = context;
    size_t row = of->a ? PAIRS_AT_ONCE : of->columns->count, first = index * row;
    size_t end = of->a && of->count - first < row ? of->count : first + row;
    double *out = of->narrow ? fp_arena_raw(scratch, row, sizeof *out) : of->out + first;
    if (!out) return fp_no_memory(error);
    if (!of->a) fp_arm_distances(of->arm, fp_sketches_at(of->rows, index), of->columns, 0, row, out);
    for (size_t i = first; of->a && i < end; i++) {
        if (of->a[i] >= of->rows->count || of->b[i] >= of->rows->count)
            return fp_fail(error, FP_ERROR_RANGE, "pair %zu is of sketches %u and %u, and there are %zu", i, of->a[i],
                           of->b[i], of->rows->count);
        out[i - first] =
            fp_arm_distance(of->arm, fp_sketches_at(of->rows, of->a[i]), fp_sketches_at(of->rows, of->b[i]));
    }
    if (of->narrow) narrow(out, end - first, of->narrow + first);
    return FP_OK;
}

static fp_status measure_all(measuring *of, size_t pieces, const fp_progress *progress, fp_error *error) {
    FP_SCRATCH(arena, of->arm->arena, error);
    return fp_parallel_in(arena, pieces, measure_some, of, "distances", progress, error);
}

static fp_status to_numbers(measuring *of, fp_number kind, void *out, fp_error *error) {
    if (kind != FP_FLOAT32 && kind != FP_FLOAT64)
        return fp_fail(error, FP_ERROR_RANGE, "%d is no kind of number", (int)kind);
    of->narrow = kind == FP_FLOAT32 ? out : NULL;
    of->out = kind == FP_FLOAT64 ? out : NULL;
    return FP_OK;
}

fp_status fp_column_matrix(const fp_arm *arm, const fp_sketches *rows, const fp_sketches *columns, fp_number kind,
                           void *out, const fp_progress *progress, fp_error *error) {
    measuring of = {.arm = arm, .rows = rows, .columns = columns};
    FP_TRY(fp_sketches_check(arm, rows, false, error));
    FP_TRY(fp_sketches_check(arm, columns, false, error));
    FP_TRY(to_numbers(&of, kind, out, error));
    return measure_all(&of, rows->count, progress, error);
}

fp_status fp_column_distances(const fp_arm *arm, const fp_sketches *sketches, const uint32_t *a, const uint32_t *b,
                              size_t count, fp_number kind, void *out, const fp_progress *progress, fp_error *error) {
    measuring of = {.arm = arm, .rows = sketches, .a = a, .b = b, .count = count};
    FP_TRY(fp_sketches_check(arm, sketches, false, error));
    FP_TRY(to_numbers(&of, kind, out, error));
    return count ? measure_all(&of, (count + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE, progress, error) : FP_OK;
}
