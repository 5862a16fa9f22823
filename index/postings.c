/* SPDX-License-Identifier: GPL-3.0-or-later
 * An inverted index, one range of documents (a tile) at a time. */
#include "index/postings.h"

#include <math.h>
#include <stdlib.h>

#include "algorithms/kernels/dense_sums.h"
#include "base/map.h"

/* Documents of a tile: at most what 16 bits number, at least so many that a row's walk over its terms is worth while.
 * What a tile holds should fit the second-level cache: of 512, 1,024, 2,048, 4,096 and 16,384 documents, the widths
 * below measured fastest, up to twice as fast as 4,096 under two arms. Rows of one piece of work. */
enum { NARROW = 512, WIDE = 65536, ROWS = 32 };
/* A tile's postings of a term are far from those of the next: they are asked for so many terms ahead, their place
 * still earlier. Halves the time for shingles. */
enum { AHEAD = 10, FURTHER_AHEAD = 24 };

/* ---- Keys to terms: numbers from 0 for the keys that at least two documents have ---- */

/* What the documents hold, term after term in ascending order of the keys. */
typedef struct entry_table {
    size_t count;        /* documents */
    const size_t *first; /* [count + 1] into term and value */
    uint32_t *term;      /* FURTHER_AHEAD more than there are, 0 */
    double *value;       /* NULL for FP_JOIN_COUNT */
    size_t term_count;
    double meetings; /* pairs of equal keys: how often a sum is added to */
} entry_table;

static uint64_t key_at(const fp_vector *vector, size_t i) {
    return *(const uint64_t *)(const void *)((const unsigned char *)vector->key + i * vector->step);
}

static double value_at(const fp_vector *vector, size_t i) {
    return *(const double *)(const void *)((const unsigned char *)vector->value + i * vector->step);
}

/* Distinct keys in a map that grows; value: their number in order of first occurrence. */
typedef struct keys {
    fp_map map;
    fp_arena *arena; /* the map's */
    uint32_t count;
    uint32_t *documents; /* [capacity of the map / 2] how many documents have the key */
} keys;

static fp_status open_keys(keys *made, size_t room, const fp_arena *like, fp_error *error) {
    *made = (keys){.arena = fp_arena_new_like(like)};
    if (!made->arena) return fp_no_memory(error);
    FP_TRY(fp_map_open(&made->map, room, made->arena, error));
    made->documents = fp_arena_raw(made->arena, (made->map.mask + 1) / 2, sizeof *made->documents);
    return made->documents ? FP_OK : fp_no_memory(error);
}

static fp_status grow_keys(keys *old, fp_error *error) {
    keys larger;
    fp_status status = open_keys(&larger, old->map.mask + 1, old->arena, error);
    if (status != FP_OK) {
        fp_arena_free(larger.arena);
        return status;
    }
    for (size_t at = 0; at <= old->map.mask; at++)
        if (old->map.value[at] != FP_MAP_NONE) fp_map_put(&larger.map, old->map.key[at], old->map.value[at]);
    memcpy(larger.documents, old->documents, old->count * sizeof *old->documents);
    larger.count = old->count;
    fp_arena_free(old->arena);
    *old = larger;
    return FP_OK;
}

static fp_status count_keys(keys *all, const fp_vector *vectors, size_t count, fp_error *error) {
    for (size_t d = 0; d < count; d++) {
        for (size_t i = 0; i < vectors[d].count; i++) {
            if (all->count == (all->map.mask + 1) / 2) FP_TRY(grow_keys(all, error));
            uint64_t key = key_at(vectors + d, i);
            size_t at = fp_map_place(&all->map, key);
            if (all->map.value[at] == FP_MAP_NONE) {
                all->documents[all->count] = 0;
                fp_map_put(&all->map, key, all->count++);
            }
            all->documents[all->map.value[at]]++;
        }
    }
    return FP_OK;
}

/* Keys of one document join nothing: documents[key] becomes the term's number, or FP_MAP_NONE. Returns how many
 * entries the others have. */
static size_t number_terms(keys *all, entry_table *out) {
    size_t kept = 0;
    for (uint32_t k = 0; k < all->count; k++) {
        uint32_t documents = all->documents[k];
        all->documents[k] = documents > 1 ? (uint32_t)out->term_count++ : FP_MAP_NONE;
        if (documents < 2) continue;
        kept += documents;
        out->meetings += (double)documents * (documents - 1) / 2;
    }
    return kept;
}

static void fill_entries(const keys *all, const fp_vector *vectors, entry_table *to, size_t *first) {
    size_t at = 0;
    for (size_t d = 0; d < to->count; d++) {
        first[d] = at;
        for (size_t i = 0; i < vectors[d].count; i++) {
            uint32_t term = all->documents[fp_map_get(&all->map, key_at(vectors + d, i))];
            if (term == FP_MAP_NONE) continue;
            to->term[at] = term;
            if (to->value) to->value[at] = value_at(vectors + d, i);
            at++;
        }
    }
    first[to->count] = at;
}

static fp_status number_keys(keys *all, const fp_vector *vectors, size_t count, fp_join join, fp_arena *arena,
                             entry_table *out, fp_error *error) {
    FP_TRY(count_keys(all, vectors, count, error));
    *out = (entry_table){.count = count};
    size_t kept = number_terms(all, out), *first = fp_arena_raw(arena, count + 1, sizeof *first);
    out->term = fp_arena_alloc(arena, kept + FURTHER_AHEAD, sizeof *out->term);
    if (join != FP_JOIN_COUNT) out->value = fp_arena_raw(arena, kept, sizeof *out->value);
    if (!first || !out->term || (join != FP_JOIN_COUNT && !out->value)) return fp_no_memory(error);
    fill_entries(all, vectors, out, first);
    out->first = first;
    return FP_OK;
}

static fp_status make_entries(const fp_vector *vectors, size_t count, fp_join join, fp_arena *arena, entry_table *out,
                              fp_error *error) {
    enum { FIRST = 1 << 16 };
    keys all;
    fp_status status = open_keys(&all, FIRST, arena, error);
    if (status == FP_OK) status = number_keys(&all, vectors, count, join, arena, out, error);
    fp_arena_free(all.arena);
    return status;
}

/* ---- A tile: the postings of some documents ---- */

/* A term that many documents of the tile have is dense: its list has a place for each document in turn, with the value
 * 0 where it is missing, which adds nothing. Dense lists begin and end with a cache line; a list before one begins with
 * some postings of the first document and the value 0, which fill the line. */
typedef struct posting_tile {
    const fp_arena *like; /* where the postings have their memory */
    size_t width;         /* documents of a whole tile */
    size_t begin, end;    /* documents of this one */
    bool may_be_dense;    /* values are such that 0 adds nothing */
    bool *dense;          /* [term_count]; of the others a list is shorter than the tile */
    uint32_t *first;      /* [term_count + 2] into document and value */
    uint16_t *document;   /* [capacity] from `begin`; 0 in dense lists */
    double *value;        /* [capacity] NULL for FP_JOIN_COUNT */
    size_t capacity;
} posting_tile;

static size_t tile_end(const entry_table *from, const posting_tile *tile, size_t begin) {
    return from->count - begin < tile->width ? from->count : begin + tile->width;
}

static size_t tile_size(const posting_tile *tile) { return tile->end - tile->begin; }

/* Every row looks at each of its terms in every tile. The tile is so wide that it adds LOOK times as often as it
 * looks. */
static size_t choose_width(const entry_table *from) {
    enum { LOOK = 32 };
    size_t width = NARROW;
    double entry_count = (double)from->first[from->count];
    while (width < WIDE && entry_count * ((double)from->count / (double)width) / 2 > from->meetings / LOOK) width *= 2;
    return width;
}

/* An infinite value times 0 would be something. */
static bool all_finite(const entry_table *from) {
    for (size_t e = 0; e < from->first[from->count]; e++)
        if (!isfinite(from->value[e])) return false;
    return true;
}

static fp_status open_tile(posting_tile *made, const entry_table *from, fp_arena *arena, fp_error *error) {
    made->width = choose_width(from);
    made->may_be_dense = from->value && all_finite(from);
    made->first = fp_arena_raw(arena, from->term_count + 2, sizeof *made->first);
    made->dense = fp_arena_raw(arena, from->term_count, sizeof *made->dense);
    return made->first && made->dense ? FP_OK : fp_no_memory(error);
}

static void free_tile(posting_tile *tile) {
    fp_memory_release(tile->like, tile->document);
    fp_memory_release(tile->like, tile->value);
}

/* A dense list goes over all documents, several at a time; one in DENSE must have the term for that to be faster, as
 * measured. In a SMALL tile, what fills a line could make a list as long as a dense one. */
static bool is_dense(const posting_tile *tile, size_t documents) {
    enum { DENSE = 10, SMALL = 64 };
    return tile->may_be_dense && tile_size(tile) >= SMALL && documents >= tile_size(tile) / DENSE;
}

static size_t whole_lines(size_t places) {
    enum { LINE = 64 / sizeof(double) };
    return (places + LINE - 1) / LINE * LINE;
}

/* Turns the number of documents that have each term, first[t + 2], into where the list goes on, first[t + 1]. Returns
 * how many places there are, or UINT32_MAX when they are too many. */
static size_t place_lists(posting_tile *to, size_t term_count) {
    size_t at = 0;
    for (size_t t = 0; t < term_count && at < UINT32_MAX; t++) {
        size_t documents = to->first[t + 2], line = whole_lines(at);
        to->dense[t] = is_dense(to, documents);
        if (to->dense[t]) {
            to->first[t] += (uint32_t)(line - at);
            at = line + whole_lines(tile_size(to));
            to->first[t + 1] = (uint32_t)at;
        } else {
            to->first[t + 1] = (uint32_t)at;
            at += documents;
        }
    }
    return at < UINT32_MAX ? at : UINT32_MAX;
}

/* Room for so many postings, all of them 0. */
static fp_status clear_tile(posting_tile *to, bool values, size_t count, fp_error *error) {
    if (count > to->capacity) {
        free_tile(to);
        to->capacity = count + count / 8;
        to->document = fp_memory_resize(to->like, NULL, to->capacity * sizeof *to->document);
        to->value = values ? fp_memory_resize(to->like, NULL, to->capacity * sizeof *to->value) : NULL;
        if (!to->document || (values && !to->value)) return fp_no_memory(error);
    }
    if (count) memset(to->document, 0, count * sizeof *to->document);
    if (count && values) memset(to->value, 0, count * sizeof *to->value);
    return FP_OK;
}

static fp_status fill_tile(posting_tile *to, const entry_table *from, size_t begin, fp_error *error) {
    to->begin = begin;
    to->end = tile_end(from, to, begin);
    memset(to->first, 0, (from->term_count + 2) * sizeof *to->first);
    for (size_t e = from->first[begin]; e < from->first[to->end]; e++) to->first[from->term[e] + 2]++;
    size_t count = place_lists(to, from->term_count), dense = whole_lines(tile_size(to));
    if (count == UINT32_MAX)
        return fp_fail(error, FP_ERROR_RANGE, "more than %u keys in %zu documents", UINT32_MAX - 1, to->width);
    FP_TRY(clear_tile(to, from->value, count, error));
    /* first[t + 1] is where term t goes on, and in the end where it ends; of dense terms it is that already. */
    for (size_t d = begin; d < to->end; d++) {
        for (size_t e = from->first[d]; e < from->first[d + 1]; e++) {
            uint32_t term = from->term[e];
            size_t at = to->dense[term] ? to->first[term + 1] - dense + (d - begin) : to->first[term + 1]++;
            if (!to->dense[term]) to->document[at] = (uint16_t)(d - begin);
            if (to->value) to->value[at] = from->value[e];
        }
    }
    return FP_OK;
}

/* ---- A row: one document against a tile ---- */

typedef struct row_job {
    const entry_table *entries;
    const posting_tile *tile;
    fp_join join;
    fp_dense_kernel dense; /* NULL where no term can be dense */
    fp_tell_pairs tell;
    void *context;
} row_job;

/* A thread's sums, all 0 between rows, and what it tells. */
typedef struct row_space {
    double *sum;     /* [width of a tile] */
    uint32_t *other; /* [width + 1] */
    double *told;    /* likewise */
} row_space;

/* Adds the postings of one term; `value` is the row's. */
static void add_term(const row_job *job, size_t begin, size_t end, double value, double *sum) {
    const uint16_t *document = job->tile->document;
    const double *values = job->tile->value;
    if (job->dense && end - begin >= tile_size(job->tile)) {
        job->dense(value, values + begin, tile_size(job->tile), sum);
        return;
    }
    switch (job->join) {
    case FP_JOIN_COUNT:
        for (size_t p = begin; p < end; p++) sum[document[p]] += 1;
        return;
    case FP_JOIN_PRODUCT:
        for (size_t p = begin; p < end; p++) sum[document[p]] += value * values[p];
        return;
    case FP_JOIN_MINIMUM:
        for (size_t p = begin; p < end; p++) sum[document[p]] += value < values[p] ? value : values[p];
        return;
    }
}

static void ask_ahead(const row_job *job, const uint32_t *term) {
    const posting_tile *tile = job->tile;
    __builtin_prefetch(tile->first + term[FURTHER_AHEAD]);
    size_t begin = tile->first[term[AHEAD]];
    __builtin_prefetch(tile->document + begin);
    if (tile->value) __builtin_prefetch(tile->value + begin);
}

/* Returns how many postings the row met. */
static size_t add_row(const row_job *job, size_t row, double *sum) {
    const entry_table *entries = job->entries;
    size_t met = 0;
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        ask_ahead(job, entries->term + e);
        size_t begin = job->tile->first[entries->term[e]], end = job->tile->first[entries->term[e] + 1];
        add_term(job, begin, end, entries->value ? entries->value[e] : 1, sum);
        met += end - begin;
    }
    return met;
}

/* Takes the sum of a document of the tile out, and notes it when it is not 0. Returns how many are noted. */
static size_t take(const row_job *job, size_t document, const row_space *space, size_t noted) {
    double sum = space->sum[document];
    space->sum[document] = 0;
    space->other[noted] = (uint32_t)(job->tile->begin + document);
    space->told[noted] = sum;
    return noted + (sum != 0);
}

/* Of the documents behind the row. Where the row met few postings, they are walked again; otherwise the whole tile. */
static size_t take_row(const row_job *job, size_t row, size_t met, const row_space *space) {
    const entry_table *entries = job->entries;
    const posting_tile *tile = job->tile;
    size_t noted = 0, later = row < tile->begin ? 0 : row + 1 - tile->begin;
    if (met > tile_size(tile) / 4) {
        memset(space->sum, 0, later * sizeof *space->sum);
        for (size_t d = later; d < tile_size(tile); d++) noted = take(job, d, space, noted);
        return noted;
    }
    for (size_t e = entries->first[row]; e < entries->first[row + 1]; e++) {
        for (size_t p = tile->first[entries->term[e]]; p < tile->first[entries->term[e] + 1]; p++) {
            if (tile->document[p] < later) space->sum[tile->document[p]] = 0;
            else noted = take(job, tile->document[p], space, noted);
        }
    }
    return noted;
}

static fp_status join_rows(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const row_job *job = context;
    size_t width = job->tile->width;
    /* One place more for what is written and not noted. */
    row_space space = {fp_arena_alloc(arena, width, sizeof *space.sum),
                       fp_arena_raw(arena, width + 1, sizeof *space.other),
                       fp_arena_raw(arena, width + 1, sizeof *space.told)};
    if (!space.sum || !space.other || !space.told) return fp_no_memory(error);
    size_t end = (index + 1) * ROWS < job->tile->end ? (index + 1) * ROWS : job->tile->end;
    for (size_t row = index * ROWS; row < end; row++) {
        size_t met = add_row(job, row, space.sum);
        if (met == 0) continue;
        fp_joined_pairs pairs = {row, take_row(job, row, met, &space), space.other, space.told};
        if (pairs.count) FP_TRY(job->tell(job->context, &pairs, arena, error));
    }
    return FP_OK;
}

/* ---- All tiles ---- */

/* Progress over all tiles: a tile has as many rows as there are documents up to its end. */
typedef struct tile_progress {
    const fp_progress *all;
    size_t before, total;
} tile_progress;

static void report_tile(void *context, const char *stage, size_t done, size_t total) {
    const tile_progress *progress = context;
    (void)total;
    progress->all->report(progress->all->context, stage, progress->before + done, progress->total);
}

static size_t pieces(size_t rows) { return (rows + ROWS - 1) / ROWS; }

static fp_status join_tiles(row_job *job, posting_tile *tile, const fp_arenas *arenas, const char *stage,
                            const fp_progress *progress, fp_error *error) {
    size_t count = job->entries->count;
    tile_progress told = {.all = progress};
    fp_progress wrapped = {.report = progress && progress->report ? report_tile : NULL, .context = &told};
    for (size_t begin = 0; begin < count; begin += tile->width)
        told.total += pieces(tile_end(job->entries, tile, begin));
    for (size_t begin = 0; begin < count; begin += tile->width) {
        FP_TRY(fill_tile(tile, job->entries, begin, error));
        FP_TRY(fp_parallel(pieces(tile->end), arenas, true, join_rows, job, stage, &wrapped, error));
        told.before += pieces(tile->end);
    }
    return FP_OK;
}

fp_status fp_postings_pairs(const fp_vector *vectors, size_t count, fp_join join, const fp_arenas *arenas,
                            fp_tell_pairs tell, void *context, const char *stage, const fp_progress *progress,
                            fp_error *error) {
    if (count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    fp_arena *arena = fp_arena_new_like(arenas->each[0]);
    if (!arena) return fp_no_memory(error);
    entry_table all;
    posting_tile tile = {.like = arena};
    row_job job = {&all, &tile, join, NULL, tell, context};
    fp_status status = make_entries(vectors, count, join, arena, &all, error);
    if (status == FP_OK) status = open_tile(&tile, &all, arena, error);
    if (tile.may_be_dense)
        job.dense = (join == FP_JOIN_PRODUCT ? fp_dense_product_kernels : fp_dense_minimum_kernels)[fp_cpu_chosen()];
    if (status == FP_OK) status = join_tiles(&job, &tile, arenas, stage, progress, error);
    free_tile(&tile);
    fp_arena_free(arena);
    return status;
}
