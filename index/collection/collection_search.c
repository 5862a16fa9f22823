/* SPDX-License-Identifier: GPL-3.0-or-later
 * Finds records near a fingerprint: by tables and a scan of later records, or by the key lists of Redis. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/kernels/near.h"
#include "index/collection/collection_inside.h"
#include "pairs/band_keys.h"
#include "pairs/block_pairs.h"

enum { TILE = FP_SKETCHES_NEAR }; /* entries compared at a time */

/* Look-ups are fast up to the threshold. */
static bool is_beyond(const fp_collection *in, double within) { return floor(within) > floor(in->threshold); }

/* ---- Tables ---- */

/* Lists the entries first … end − 1 of a bucket that differ from `words` in at most `most` bits. */
static fp_status compare(const fp_collection *in, const uint64_t *words, const fp_bucket *bucket, size_t first,
                         size_t end, uint32_t most, fp_near_list *list, fp_error *error) {
    size_t width = in->tables->words;
    uint32_t at[TILE];
    for (; first < end; first += TILE) {
        size_t some = end - first < TILE ? end - first : TILE;
        size_t near = fp_near_positions(words, bucket->words + first * width, width, some, most, at);
        for (size_t i = 0; i < near; i++) {
            uint32_t number = bucket->numbers[first + at[i]];
            if (number >= in->through || fp_collection_is_gone(in, number)) continue;
            uint32_t bits = fp_block_distance(words, bucket->words + (first + at[i]) * width, width);
            FP_TRY(fp_near_list_add(list, number, bits, error));
        }
    }
    return FP_OK;
}

static uint32_t most_bits(const fp_collection *in, double within) {
    return within < in->design.bits ? (uint32_t)within : in->design.bits;
}

/* Each table that holds a near fingerprint lists it. */
static fp_status search_blocks(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    bool all = is_beyond(in, within); /* buckets of one table */
    size_t tables = all ? 1 : in->tables->table_count;
    for (size_t t = 0; t < tables; t++) {
        const fp_key_bits *prefix = in->tables->prefixes + t;
        uint64_t first = all ? 0 : fp_key_bits_of(prefix, query.data),
                 end = all ? UINT64_C(1) << prefix->bits : first + 1;
        for (uint64_t b = first; b < end; b++) {
            const fp_bucket *bucket;
            FP_TRY(fp_bucket_at(in->tables, t, b, &bucket, error));
            FP_TRY(compare(in, query.data, bucket, 0, bucket->count, most_bits(in, within), list, error));
        }
    }
    return FP_OK;
}

/* Lists a candidate if it is near. */
static fp_status measure(const fp_collection *in, uint32_t number, fp_string fingerprint, fp_sketch query,
                         double within, fp_near_list *list, fp_error *error) {
    if (fingerprint.length != query.size)
        return fp_fail(error, FP_ERROR_SYNTAX, "record %u has a fingerprint of %zu bytes, not %zu", number,
                       fingerprint.length, query.size);
    double distance =
        fp_arm_distance(in->arm, query, (fp_sketch){.data = fingerprint.data, .size = fingerprint.length});
    return distance <= within ? fp_near_list_add(list, number, distance, error) : FP_OK;
}

static fp_status search_bands(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    uint64_t keys[FP_BANDS_MOST];
    fp_near_list candidates = {.arena = list->arena};
    fp_band_keys(&in->arm->instance.layout, in->banding, query.data, keys);
    for (size_t b = 0; b < in->tables->table_count; b++) {
        const fp_bucket *bucket;
        FP_TRY(fp_bucket_at(in->tables, b, fp_key_bits_of(in->tables->prefixes + b, keys + b), &bucket, error));
        FP_TRY(compare(in, keys + b, bucket, 0, bucket->count, 0, &candidates, error));
    }
    fp_near_list_sort(&candidates);
    FP_SCRATCH(scratch, in->arena, error);
    for (size_t i = 0; i < candidates.count; i++) {
        fp_record record;
        uint32_t number = candidates.found[i].number;
        fp_arena_reset(scratch);
        FP_TRY(fp_records_get(in->records, number, false, scratch, &record, error));
        FP_TRY(measure(in, number, record.fingerprint, query, within, list, error));
    }
    return FP_OK;
}

static fp_status take_read(void *context, const fp_record *record, fp_error *error) {
    fp_collection *in = context;
    if (record->empty || record->number >= in->through) return FP_OK;
    return fp_sketch_list_add(&in->read, (uint32_t)record->number, record->fingerprint, error);
}

/* Scans sketches in memory, except deleted ones. */
static fp_status scan(const fp_collection *in, const fp_sketch_list *all, fp_sketch query, double within,
                      fp_near_list *list, fp_error *error) {
    size_t before = list->count, kept = before;
    FP_TRY(fp_sketch_list_near(all, in->arm, query, within, list, error));
    for (size_t i = before; i < list->count; i++)
        if (!fp_collection_is_gone(in, list->found[i].number)) list->found[kept++] = list->found[i];
    list->count = kept;
    return FP_OK;
}

/* Keys of bands do not find sketches beyond the threshold. */
static fp_status scan_records(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    if (!in->has_read) {
        fp_sketch_list_cut(&in->read, 0);
        FP_TRY(fp_records_each(in->records, 0, false, take_read, in, error));
        in->has_read = true;
    }
    return scan(in, &in->read, query, within, list, error);
}

static fp_status search_tables(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    if (!in->tables) return FP_OK;
    fp_buckets_trim(in->tables);
    if (in->kind == FP_TABLES_BLOCKS) return search_blocks(in, query, within, list, error);
    bool beyond = is_beyond(in, within);
    return (beyond ? scan_records : search_bands)(in, query, within, list, error);
}

double fp_collection_recall(const fp_collection *in, double within) {
    bool sure = !in->tables || in->kind == FP_TABLES_BLOCKS || is_beyond(in, within);
    return sure ? 1 : fp_arm_bands_recall(in->arm, in->banding, within);
}

/* ---- Key lists: by the blocks of a fingerprint ---- */

fp_status fp_collection_keys_open(fp_collection *in, fp_error *error) {
    const fp_layout *layout = &in->arm->instance.layout;
    if (!fp_records_have_keys(in->records)) return FP_OK;
    if (layout->bits == 0)
        return fp_fail(error, FP_ERROR_RANGE,
                       "key lists work only with bit fingerprints (simhash, pinyin, …); keep %s in a file",
                       in->arm->name);
    /* Blocks only, one more than the distance: the fewest lists that find everything. */
    in->key_design = (fp_block_design){.bits = (unsigned)layout->bits,
                                       .distance = (unsigned)in->threshold,
                                       .level_count = 1,
                                       .level = {{(unsigned)in->threshold + 1, 1}}};
    FP_TRY(fp_block_design_check(&in->key_design, error));
    return fp_block_design_masks(&in->key_design, in->arena, &in->key_masks, error);
}

fp_status fp_collection_keys(const fp_collection *in, fp_sketch sketch, fp_arena *arena, const uint64_t **keys,
                             size_t *count, fp_error *error) {
    size_t words = in->arm->instance.layout.bytes / sizeof(uint64_t), tables = fp_block_design_tables(&in->key_design);
    uint64_t *made = FP_NEED(fp_arena_raw(arena, tables, sizeof *made), error), masked[FP_BLOCK_WORDS];
    const uint64_t *own = sketch.data, *mask = in->key_masks;
    for (size_t t = 0; t < tables; t++, mask += words) {
        for (size_t w = 0; w < words; w++) masked[w] = own[w] & mask[w];
        made[t] = fp_xxh3(masked, words * sizeof *masked, t);
    }
    *keys = made;
    *count = tables;
    return FP_OK;
}

/* ---- Look-ups ---- */

static fp_status search_lists(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    const uint64_t *keys;
    const fp_listed *listed;
    size_t count;
    if (within > in->threshold)
        return fp_fail(
            error, FP_ERROR_RANGE,
            "the key lists of this store find fingerprints within %g; for a larger threshold use a collection in a file",
            in->threshold);
    FP_TRY(fp_collection_keys(in, query, list->arena, &keys, &count, error));
    FP_TRY(fp_records_near(in->records, keys, count, list->arena, &listed, &count, error));
    for (size_t i = 0; i < count; i++)
        FP_TRY(measure(in, (uint32_t)listed[i].number, listed[i].fingerprint, query, within, list, error));
    return FP_OK;
}

static fp_status search(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    list->count = 0;
    if (fp_records_have_keys(in->records)) FP_TRY(search_lists(in, query, within, list, error));
    else {
        FP_TRY(search_tables(in, query, within, list, error));
        FP_TRY(scan(in, &in->recent, query, within, list, error));
    }
    fp_near_list_sort(list);
    return FP_OK;
}

static fp_status check_within(double within, fp_error *error) {
    if (within >= 0) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "the largest distance must be 0 or more, not %g", within);
}

fp_status fp_collection_near(fp_collection *collection, fp_sketch query, double within, size_t most, fp_arena *arena,
                             const fp_near **found, size_t *count, fp_error *error) {
    fp_near_list list = {.arena = arena};
    FP_TRY(check_within(within, error));
    query = fp_arm_trimmed(collection->arm, query);
    double fast = collection->threshold;
    bool far = most && within > fast && !fp_records_have_keys(collection->records);
    /* The nearest are often within the threshold: tables first, and a scan only if they do not yield enough. */
    FP_TRY(search(collection, query, far ? fast : within, &list, error));
    if (far && list.count < most) FP_TRY(search(collection, query, within, &list, error));
    *found = list.found;
    *count = most && list.count > most ? most : list.count;
    return FP_OK;
}

/* ---- Many queries of bits at once, on several threads after reading their buckets ---- */

typedef struct asking {
    fp_collection *in;
    const fp_sketch *queries;
    size_t query_count;
    double within;
    size_t most;
    fp_nears *answers;
    fp_arena *arena; /* of the answers; locked */
    pthread_mutex_t lock;
} asking;

enum { AT_ONCE = 64 }; /* queries: a piece of a large bucket stays in the first-level cache for all of them */

static fp_status answer(asking *to, size_t query, fp_near_list *list, fp_error *error) {
    const fp_collection *in = to->in;
    FP_TRY(scan(in, &in->recent, fp_arm_trimmed(in->arm, to->queries[query]), to->within, list, error));
    fp_near_list_sort(list);
    size_t count = to->most && list->count > to->most ? to->most : list->count;
    pthread_mutex_lock(&to->lock);
    fp_near *found = fp_arena_raw(to->arena, count, sizeof *found);
    pthread_mutex_unlock(&to->lock);
    if (!found) return fp_no_memory(error);
    if (count) memcpy(found, list->found, count * sizeof *found);
    to->answers[query] = (fp_nears){found, count};
    return FP_OK;
}

static fp_status compare_some(const asking *of, size_t table, size_t first, size_t count, fp_near_list *lists,
                              fp_error *error) {
    const fp_collection *in = of->in;
    const fp_key_bits *prefix = in->tables->prefixes + table;
    bool more = true;
    for (size_t from = 0; more; from += TILE) {
        more = false;
        for (size_t q = 0; q < count; q++) {
            const uint64_t *query = of->queries[first + q].data;
            const fp_bucket *bucket = in->tables->read[table][fp_key_bits_of(prefix, query)];
            size_t end = bucket->count - from < TILE ? bucket->count : from + TILE;
            if (from >= bucket->count) continue;
            FP_TRY(compare(in, query, bucket, from, end, most_bits(in, of->within), lists + q, error));
            more |= end < bucket->count;
        }
    }
    return FP_OK;
}

static fp_status ask_some(void *context, size_t index, fp_arena *arena, fp_error *error) {
    asking *of = context;
    size_t first = index * AT_ONCE, count = of->query_count - first < AT_ONCE ? of->query_count - first : AT_ONCE;
    fp_near_list lists[AT_ONCE] = {{0}};
    for (size_t q = 0; q < count; q++) lists[q].arena = arena;
    for (size_t t = 0; t < of->in->tables->table_count; t++) FP_TRY(compare_some(of, t, first, count, lists, error));
    for (size_t q = 0; q < count; q++) FP_TRY(answer(of, first + q, lists + q, error));
    return FP_OK;
}

static fp_status read_buckets(const asking *of, fp_error *error) {
    fp_buckets *tables = of->in->tables;
    const fp_bucket *bucket;
    fp_buckets_trim(tables);
    for (size_t q = 0; q < of->query_count; q++)
        for (size_t t = 0; t < tables->table_count; t++)
            FP_TRY(fp_bucket_at(tables, t, fp_key_bits_of(tables->prefixes + t, of->queries[q].data), &bucket, error));
    return FP_OK;
}

static fp_status ask_all(asking *to, const fp_progress *progress, fp_error *error) {
    const fp_progress quiet = fp_progress_quiet(progress);
    FP_TRY(read_buckets(to, error));
    return fp_parallel_in(to->in->arena, (to->query_count + AT_ONCE - 1) / AT_ONCE, ask_some, to, "query", &quiet,
                          error);
}

fp_status fp_collection_near_each(fp_collection *collection, const fp_sketch *queries, size_t query_count,
                                  double within, size_t most, const fp_progress *progress, fp_arena *arena,
                                  fp_nears *answers, fp_error *error) {
    bool far = is_beyond(collection, within),
         at_once = collection->tables && collection->kind == FP_TABLES_BLOCKS && (!far || most) && query_count > 1;
    asking to = {.in = collection,
                 .queries = queries,
                 .query_count = query_count,
                 .within = far ? collection->threshold : within,
                 .most = most,
                 .answers = answers,
                 .arena = arena,
                 .lock = PTHREAD_MUTEX_INITIALIZER};
    FP_TRY(check_within(within, error));
    if (at_once) FP_TRY(ask_all(&to, progress, error));
    for (size_t i = 0; i < query_count; i++) {
        if (at_once && (!far || answers[i].count == most)) continue;
        FP_TRY(fp_progress_check(progress, error));
        FP_TRY(fp_collection_near(collection, queries[i], within, most, arena, &answers[i].found, &answers[i].count,
                                  error));
    }
    return FP_OK;
}

/* ---- Ranking by two-sided distances ---- */

typedef struct ranked {
    double distance;
    fp_near near;
} ranked;

FP_COMPARES(by_distance, ranked, FP_ORDER(a->distance, b->distance) ?: FP_ORDER(a->near.number, b->near.number));

fp_status fp_collection_rank(fp_collection *in, const fp_arm *arm, fp_sketch query, fp_near *found, size_t count,
                             double *distance, fp_error *error) {
    size_t bytes = arm->instance.layout.stored;
    FP_SCRATCH(scratch, in->arena, error);
    unsigned char *stored = FP_NEED(fp_arena_raw(scratch, count, bytes), error);
    ranked *each = FP_NEED(fp_arena_raw(scratch, count, sizeof *each), error);
    for (size_t i = 0; i < count; i++) {
        fp_record record;
        FP_TRY(fp_records_get(in->records, found[i].number, false, scratch, &record, error));
        if (record.fingerprint.length != bytes)
            return fp_fail(error, FP_ERROR_SYNTAX,
                           "record %u has a fingerprint of %zu bytes, and the arm %.150s stores %zu", found[i].number,
                           record.fingerprint.length, arm->name, bytes);
        memcpy(stored + i * bytes, record.fingerprint.data, bytes);
    }
    const fp_sketches many = {.count = count, .stride = bytes, .data = stored};
    fp_arm_query_distances(arm, query, &many, 0, count, INFINITY, distance);
    for (size_t i = 0; i < count; i++) each[i] = (ranked){distance[i], found[i]};
    if (count) qsort(each, count, sizeof *each, by_distance);
    for (size_t i = 0; i < count; i++) found[i] = each[i].near, distance[i] = each[i].distance;
    return FP_OK;
}
