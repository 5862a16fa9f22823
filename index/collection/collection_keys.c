/* SPDX-License-Identifier: GPL-3.0-or-later
 * The keys under which a store with lists finds a fingerprint: its blocks. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "index/collection/collection_inside.h"
#include "index/collection/table_kind.h"

fp_status fp_collection_keys_open(fp_collection *in, fp_error *error) {
    const fp_layout *layout = &in->arm->instance.layout;
    if (!fp_records_have_keys(in->records)) return FP_OK;
    if (layout->bits == 0)
        return fp_fail(error, FP_ERROR_RANGE,
                       "key lists are for bit fingerprints (simhash, pinyin, …): keep %s in a store that is a file",
                       in->arm->name);
    /* Blocks alone, as many as the distance asks for and one: the fewest lists that find all. */
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
    uint64_t *made = fp_arena_raw(arena, tables, sizeof *made), masked[FP_BLOCK_WORDS];
    const uint64_t *own = sketch.data, *mask = in->key_masks;
    if (!made) return fp_no_memory(error);
    for (size_t t = 0; t < tables; t++, mask += words) {
        for (size_t w = 0; w < words; w++) masked[w] = own[w] & mask[w];
        made[t] = fp_xxh3(masked, words * sizeof *masked, t);
    }
    *keys = made;
    *count = tables;
    return FP_OK;
}

/* ---- Look-ups: tables where there are some, and the list of those that came since ---- */

static bool is_beyond(const fp_collection *in, double within) { return floor(within) > floor(in->threshold); }

static fp_status search_lists(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    const uint64_t *keys, *numbers;
    const fp_string *fingerprints;
    size_t count;
    if (within > in->threshold)
        return fp_fail(error, FP_ERROR_RANGE,
                       "the key lists of this store find what is within %g; look further in a store that is a file",
                       in->threshold);
    FP_TRY(fp_collection_keys(in, query, list->arena, &keys, &count, error));
    FP_TRY(fp_records_near(in->records, keys, count, list->arena, &numbers, &fingerprints, &count, error));
    for (size_t i = 0; i < count; i++) {
        fp_sketch other = {.data = fingerprints[i].data, .size = fingerprints[i].length};
        if (other.size != query.size && in->arm->instance.layout.bytes)
            return fp_fail(error, FP_ERROR_SYNTAX, "record %llu has a fingerprint of %zu bytes, not %zu",
                           (unsigned long long)numbers[i], other.size, query.size);
        double distance = fp_arm_distance(in->arm, query, other);
        if (distance <= within) FP_TRY(fp_near_list_add(list, (uint32_t)numbers[i], distance, error));
    }
    return FP_OK;
}

/* What came since the last merge, beside what tables have. */
static fp_status add_recent(const fp_collection *in, fp_sketch query, double within, fp_near_list *list,
                            fp_error *error) {
    size_t before = list->count, kept = before;
    FP_TRY(fp_sketch_list_near(&in->recent, in->arm, query, within, list, error));
    for (size_t i = before; i < list->count; i++)
        if (!fp_collection_is_gone(in, list->found[i].number)) list->found[kept++] = list->found[i];
    list->count = kept;
    return FP_OK;
}

static fp_status search(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error) {
    list->count = 0;
    if (fp_records_have_keys(in->records)) FP_TRY(search_lists(in, query, within, list, error));
    else {
        if (in->tables)
            FP_TRY((is_beyond(in, within) ? in->kind->scan : in->kind->near)(in, query, within, list, error));
        FP_TRY(add_recent(in, query, within, list, error));
    }
    fp_near_list_sort(list);
    return FP_OK;
}

fp_status fp_collection_near(fp_collection *collection, fp_sketch query, double within, size_t most, fp_arena *arena,
                             const fp_near **found, size_t *count, fp_error *error) {
    fp_near_list list = {.arena = arena};
    double fast = collection->threshold;
    bool far = most && within > fast && !fp_records_have_keys(collection->records);
    /* The nearest are often near: tables first, and all that is there where they do not bring enough. */
    FP_TRY(search(collection, query, far ? fast : within, &list, error));
    if (far && list.count < most) FP_TRY(search(collection, query, within, &list, error));
    *found = list.found;
    *count = most && list.count > most ? most : list.count;
    return FP_OK;
}

/* ---- Many at once ---- */

typedef struct asking {
    const fp_collection *in;
    const fp_sketch *queries;
    double within;
    size_t most;
    fp_nears *answers;
    fp_arena *arena; /* of the answers, under the lock */
    pthread_mutex_t lock;
} asking;

static fp_status take_answer(void *context, size_t query, fp_near_list *list, fp_error *error) {
    asking *to = context;
    FP_TRY(add_recent(to->in, to->queries[query], to->within, list, error));
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

static fp_status ask_tables(asking *to, size_t query_count, const fp_progress *progress, fp_error *error) {
    fp_arenas arenas = {0};
    if (pthread_mutex_init(&to->lock, NULL) != 0) return fp_no_memory(error);
    fp_status status = fp_arenas_open(&arenas, progress, to->in->arena, error);
    if (status == FP_OK)
        status = to->in->kind->near_each(to->in, to->queries, query_count, to->within, take_answer, to, &arenas, error);
    fp_arenas_free(&arenas);
    pthread_mutex_destroy(&to->lock);
    return status;
}

fp_status fp_collection_near_each(fp_collection *collection, const fp_sketch *queries, size_t query_count,
                                  double within, size_t most, const fp_progress *progress, fp_arena *arena,
                                  fp_nears *answers, fp_error *error) {
    bool far = is_beyond(collection, within),
         at_once = collection->tables && collection->kind->near_each && (!far || most) && query_count > 1;
    asking to = {.in = collection,
                 .queries = queries,
                 .within = far ? collection->threshold : within,
                 .most = most,
                 .answers = answers,
                 .arena = arena};
    if (at_once) FP_TRY(ask_tables(&to, query_count, progress, error));
    for (size_t i = 0; i < query_count; i++) {
        if (at_once && (!far || answers[i].count == most)) continue;
        FP_TRY(fp_collection_near(collection, queries[i], within, most, arena, &answers[i].found, &answers[i].count,
                                  error));
    }
    return FP_OK;
}

double fp_collection_recall(const fp_collection *collection, double within) {
    return !collection->tables || is_beyond(collection, within) ? 1 : collection->kind->recall(collection, within);
}
