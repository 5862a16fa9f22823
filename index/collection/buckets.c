/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads and writes the buckets of tables in a store. */
#include "index/collection/buckets.h"

#include <string.h>

#include "pairs/block_design.h"

enum { TABLE_SHIFT = 50, BUCKET_SHIFT = 19, NUMBER = sizeof(uint32_t) };

static uint64_t key_of(const fp_buckets *in, size_t table, uint64_t bucket, uint64_t piece) {
    return (in->first + table) << TABLE_SHIFT | bucket << BUCKET_SHIFT | piece;
}

static size_t entry_bytes(const fp_buckets *in) {
    return in->words * sizeof(uint64_t) + (in->has_places ? 2u : 1u) * NUMBER;
}

static size_t bucket_count(const fp_buckets *in, size_t table) { return (size_t)1 << in->prefixes[table].bits; }

/* ---- Opening and closing ---- */

fp_status fp_buckets_open(const fp_buckets *form, const fp_arena *like, fp_buckets **buckets, fp_error *error) {
    fp_buckets *made = *buckets = FP_NEED(fp_memory_take(like, 1, sizeof *made), error);
    *made = *form;
    made->like = like;
    made->arena = fp_arena_new_like(like);
    made->read = fp_memory_take(like, made->table_count + 1, sizeof *made->read);
    bool good = made->arena && made->read;
    for (size_t t = 0; good && t < made->table_count; t++) {
        made->read[t] = fp_memory_take(like, bucket_count(made, t), sizeof *made->read[t]);
        good = made->read[t];
    }
    if (good) return FP_OK;
    fp_buckets_close(made);
    *buckets = NULL;
    return fp_no_memory(error);
}

void fp_buckets_close(fp_buckets *buckets) {
    if (!buckets) return;
    for (size_t t = 0; buckets->read && t < buckets->table_count; t++)
        fp_memory_release(buckets->like, buckets->read[t]);
    fp_memory_release(buckets->like, buckets->read);
    fp_arena_free(buckets->arena);
    fp_memory_release(buckets->like, buckets);
}

void fp_buckets_trim(fp_buckets *in) {
    static const size_t MOST = (size_t)1 << 30;
    if (fp_arena_used(in->arena) < MOST) return;
    for (size_t t = 0; t < in->table_count; t++) memset(in->read[t], 0, bucket_count(in, t) * sizeof *in->read[t]);
    fp_arena_reset(in->arena);
}

/* ---- Rows: none may be missing ---- */

/* The key after that of a row with `count` entries. */
static uint64_t key_after(const fp_buckets *in, uint64_t key, size_t count) {
    size_t table = (size_t)((key >> TABLE_SHIFT) - in->first);
    uint64_t bucket = key >> BUCKET_SHIFT & ((UINT64_C(1) << (TABLE_SHIFT - BUCKET_SHIFT)) - 1);
    if (count == FP_BUCKET_PIECE) return key + 1;
    return bucket + 1 < bucket_count(in, table) ? key_of(in, table, bucket + 1, 0) : key_of(in, table + 1, 0, 0);
}

static fp_status check_key(uint64_t key, uint64_t wanted, fp_error *error) {
    if (key == wanted) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX,
                   "row %llu of its tables is missing; `fplab index merge` makes the tables again",
                   (unsigned long long)(key < wanted ? key : wanted));
}

/* ---- Reading ---- */

typedef struct reading {
    const fp_buckets *in;
    uint64_t next; /* key */
    uint64_t *words;
    uint32_t *numbers, *places;
    size_t count, room; /* entries */
} reading;

static fp_status grow(reading *to, size_t count, fp_error *error) {
    fp_arena *arena = to->in->arena;
    size_t room = to->room ? 2 * (to->count + count) : count, words = to->in->words;
    uint64_t *larger = FP_NEED(fp_arena_raw(arena, room * words + 1, sizeof *larger), error);
    uint32_t *numbers = FP_NEED(fp_arena_raw(arena, room + 1, sizeof *numbers), error),
             *places = to->in->has_places ? FP_NEED(fp_arena_raw(arena, room + 1, sizeof *places), error) : NULL;
    if (to->count) {
        memcpy(larger, to->words, to->count * words * sizeof *larger);
        memcpy(numbers, to->numbers, to->count * sizeof *numbers);
        if (places) memcpy(places, to->places, to->count * sizeof *places);
    }
    to->words = larger;
    to->numbers = numbers;
    to->places = places;
    to->room = room;
    return FP_OK;
}

static fp_status add_piece(void *context, uint64_t key, fp_string bytes, fp_error *error) {
    reading *to = context;
    const fp_buckets *in = to->in;
    size_t count = bytes.length / entry_bytes(in), words = count * in->words * sizeof *to->words;
    FP_TRY(check_key(key, to->next, error));
    to->next = key_after(in, key, count);
    if (to->count + count > to->room) FP_TRY(grow(to, count, error));
    if (!count) return FP_OK;
    memcpy(to->words + to->count * in->words, bytes.data, words);
    memcpy(to->numbers + to->count, bytes.data + words, count * NUMBER);
    if (to->places) memcpy(to->places + to->count, bytes.data + words + count * NUMBER, count * NUMBER);
    to->count += count;
    return FP_OK;
}

fp_status fp_bucket_at(fp_buckets *in, size_t table, uint64_t number, const fp_bucket **bucket, fp_error *error) {
    const fp_bucket **kept = in->read[table] + number;
    uint64_t first = key_of(in, table, number, 0), end = key_after(in, first, 0);
    reading to = {.in = in, .next = first};
    if (!*kept) {
        FP_TRY(fp_records_each_piece(in->records, first, end - 1, add_piece, &to, error));
        FP_TRY(check_key(to.next, end, error));
        fp_bucket *made = FP_NEED(fp_arena_raw(in->arena, 1, sizeof *made), error);
        *made = (fp_bucket){to.count, to.words, to.numbers, to.places};
        *kept = made;
    }
    *bucket = *kept;
    return FP_OK;
}

/* ---- Writing ---- */

fp_status fp_bucket_prefix(size_t entries, fp_arena *arena, fp_key_bits *prefix, fp_error *error) {
    unsigned bits = fp_block_prefix_bits(FP_BUCKET_MOST_BITS, (double)entries, FP_BUCKET_LEAST);
    uint64_t mask = bits ? UINT64_MAX << (64 - bits) : 0;
    return fp_key_bits_cut(&mask, 1, arena, prefix, error);
}

fp_status fp_buckets_remove(fp_records *records, bool granules, fp_error *error) {
    const uint64_t bound[] = {0, FP_BUCKET_GRANULES, FP_BUCKET_TABLES};
    return fp_records_remove_pieces(records, bound[granules] << TABLE_SHIFT, (bound[granules + 1] << TABLE_SHIFT) - 1,
                                    error);
}

static fp_status put_piece(const fp_buckets *to, uint64_t key, const fp_bucket *entries, size_t first, size_t count,
                           unsigned char *room, fp_error *error) {
    size_t words = count * to->words * sizeof *entries->words;
    if (words) memcpy(room, entries->words + first * to->words, words);
    memcpy(room + words, entries->numbers + first, count * NUMBER);
    if (to->has_places) memcpy(room + words + count * NUMBER, entries->places + first, count * NUMBER);
    return fp_records_put_piece(to->records, key, (fp_string){(const char *)room, count * entry_bytes(to)}, error);
}

fp_status fp_buckets_write(const fp_buckets *to, size_t table, const uint32_t *begin, const fp_bucket *entries,
                           uint64_t *bytes, fp_error *error) {
    FP_SCRATCH(scratch, to->like, error);
    unsigned char *room = FP_NEED(fp_arena_raw(scratch, FP_BUCKET_PIECE, entry_bytes(to)), error);
    for (size_t b = 0; b < bucket_count(to, table); b++) {
        size_t first = begin[b], count = FP_BUCKET_PIECE;
        for (uint64_t key = key_of(to, table, b, 0); count == FP_BUCKET_PIECE; key++) {
            count = begin[b + 1] - first < FP_BUCKET_PIECE ? begin[b + 1] - first : FP_BUCKET_PIECE;
            FP_TRY(put_piece(to, key, entries, first, count, room, error));
            first += count;
            *bytes += count * entry_bytes(to);
        }
    }
    return FP_OK;
}

/* ---- Summing ---- */

typedef struct summing {
    const fp_buckets *of;
    uint64_t next; /* key */
    bool (*gone)(const void *context, uint32_t number);
    const void *context;
    uint64_t *sums, *counts;
} summing;

uint64_t fp_bucket_entry_sum(const uint64_t *entry, size_t words, uint32_t number) {
    return fp_xxh3(entry, words * sizeof *entry, number);
}

/* Ignores an entry in a wrong bucket, because look-ups do not find it. */
static fp_status sum_piece(void *context, uint64_t key, fp_string bytes, fp_error *error) {
    summing *to = context;
    const fp_buckets *of = to->of;
    size_t table = (size_t)((key >> TABLE_SHIFT) - of->first), count = bytes.length / entry_bytes(of);
    uint64_t bucket = key >> BUCKET_SHIFT & ((UINT64_C(1) << (TABLE_SHIFT - BUCKET_SHIFT)) - 1);
    uint64_t entry[FP_BLOCK_WORDS];
    uint32_t number;
    FP_TRY(check_key(key, to->next, error));
    to->next = key_after(of, key, count);
    for (size_t i = 0; i < count; i++) {
        memcpy(entry, bytes.data + i * of->words * sizeof *entry, of->words * sizeof *entry);
        memcpy(&number, bytes.data + count * of->words * sizeof *entry + i * NUMBER, NUMBER);
        bool gone = to->gone && to->gone(to->context, number);
        if (gone || fp_key_bits_of(of->prefixes + table, entry) != bucket) continue;
        to->sums[table] += fp_bucket_entry_sum(entry, of->words, number);
        to->counts[table]++;
    }
    return FP_OK;
}

fp_status fp_buckets_sum(const fp_buckets *of, bool (*gone)(const void *context, uint32_t number), const void *context,
                         uint64_t *sums, uint64_t *counts, fp_error *error) {
    uint64_t first = key_of(of, 0, 0, 0), end = key_of(of, of->table_count, 0, 0);
    summing to = {of, first, gone, context, sums, counts};
    FP_TRY(fp_records_each_piece(of->records, first, end - 1, sum_piece, &to, error));
    return check_key(to.next, end, error);
}
