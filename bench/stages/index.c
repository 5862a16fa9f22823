/* SPDX-License-Identifier: GPL-3.0-or-later
 * Looking up and reading: a collection of fingerprints fp_mix(i, 1), queries with 0 to 3 bits changed, and texts from
 * JSON lines. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/stages/stage.h"
#include "corpora/readers/entries.h"
#include "index/collection/collection.h"

enum { FINGERPRINTS = 1000000, QUERIES = 20000, DISTANCE = 3, BLOCKS = 4, BLOCK_BITS = 16 };

static const fp_progress ONE_THREAD = {.threads = 1};

/* ---- Queries within a distance ---- */

typedef struct index_state {
    const uint64_t *fingerprint;
    uint64_t query[QUERIES];
    fp_collection *collection;
    fp_sketch sketch[QUERIES];
    fp_nears answer[QUERIES];
    uint32_t *begin[BLOCKS]; /* of each block: where groups begin, and the fingerprints by group */
    uint64_t *group[BLOCKS];
} index_state;

static void open_groups(index_state *state, size_t block, fp_arena *arena) {
    uint32_t *begin = bench_room(arena, (1 << BLOCK_BITS) + 2, sizeof *begin);
    uint64_t *group = bench_room(arena, FINGERPRINTS, sizeof *group);
    for (size_t i = 0; i < FINGERPRINTS; i++) begin[(state->fingerprint[i] >> (block * BLOCK_BITS) & 0xffff) + 2]++;
    for (size_t key = 0; key <= 1 << BLOCK_BITS; key++) begin[key + 1] += begin[key];
    for (size_t i = 0; i < FINGERPRINTS; i++)
        group[begin[(state->fingerprint[i] >> (block * BLOCK_BITS) & 0xffff) + 1]++] = state->fingerprint[i];
    state->begin[block] = begin;
    state->group[block] = group;
}

/* In files that are open and have no names any more. */
static fp_collection *make_collection(const uint64_t *fingerprint, fp_arena *arena) {
    char path[] = "/tmp/fplab-bench-XXXXXX", id[24];
    const fp_collection_form form = {.arm = bench_arm("simhash", arena), .threshold = DISTANCE};
    fp_collection *made;
    fp_error error = {0};
    close(mkstemp(path));
    unlink(path);
    bench_must(fp_collection_create(path, &form, arena, &made, &error), &error);
    bench_must(fp_collection_begin(made, &error), &error);
    for (size_t i = 0; i < FINGERPRINTS; i++) {
        snprintf(id, sizeof id, "%zu", i);
        fp_record record = {.id = fp_string_of(id), .time = FP_TIME_NONE};
        bench_must(
            fp_collection_add(made, &record, (fp_sketch){.data = fingerprint + i, .size = sizeof *fingerprint}, &error),
            &error);
    }
    bench_must(fp_collection_commit(made, &error), &error);
    bench_must(fp_collection_merge(made, &ONE_THREAD, &error), &error);
    static const char *const ENDS[] = {"", "-wal", "-shm", "-lock"};
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        char name[sizeof path + 8];
        snprintf(name, sizeof name, "%s%s", path, ENDS[i]);
        unlink(name);
    }
    return made;
}

/* The number of records found. */
static uint64_t find_records(index_state *state) {
    fp_arena *arena = fp_arena_new();
    fp_error error = {0};
    uint64_t found = 0;
    bench_must(fp_collection_near_each(state->collection, state->sketch, QUERIES, DISTANCE, 0, &ONE_THREAD, arena,
                                       state->answer, &error),
               &error);
    for (size_t i = 0; i < QUERIES; i++) found += state->answer[i].count;
    fp_arena_free(arena);
    return found;
}

void *open_index(fp_arena *arena) {
    index_state *state = bench_room(arena, 1, sizeof *state);
    uint64_t *fingerprint = bench_room(arena, FINGERPRINTS, sizeof *fingerprint);
    for (size_t i = 0; i < FINGERPRINTS; i++) fingerprint[i] = fp_mix(i, 1);
    for (size_t i = 0; i < QUERIES; i++) {
        state->query[i] = fingerprint[fp_mix(i, 4) % FINGERPRINTS];
        for (size_t k = 0; k < i % 4; k++) state->query[i] ^= UINT64_C(1) << fp_mix(i, k + 5) % 64;
        state->sketch[i] = (fp_sketch){.data = state->query + i, .size = sizeof *state->query};
    }
    state->fingerprint = fingerprint;
    state->collection = make_collection(fingerprint, arena);
    for (size_t block = 0; block < BLOCKS; block++) open_groups(state, block, arena);
    /* An older library may read the sketches as empty: every query is near its record. */
    return find_records(state) < QUERIES ? NULL : state;
}

double look_up(void *state) {
    bench_found += find_records(state);
    return QUERIES;
}

/* Finds every group by its place and compares it, overlapping the memory latency of the next queries. */
BENCH_BODY uint64_t groups_body(const index_state *state, size_t i) {
    (void)i;
    enum { AHEAD = 16 };
    uint64_t found = 0;
    for (size_t q = 0; q < QUERIES; q++) {
        for (size_t b = 0; b < BLOCKS; b++) {
            uint64_t soon = state->query[(q + 2 * AHEAD) % QUERIES], next = state->query[(q + AHEAD) % QUERIES],
                     now = state->query[q];
            __builtin_prefetch(state->begin[b] + (soon >> (b * BLOCK_BITS) & 0xffff));
            __builtin_prefetch(state->group[b] + state->begin[b][next >> (b * BLOCK_BITS) & 0xffff]);
            size_t key = now >> (b * BLOCK_BITS) & 0xffff;
            for (uint32_t g = state->begin[b][key]; g < state->begin[b][key + 1]; g++)
                found += __builtin_popcountll(state->group[b][g] ^ now) <= DISTANCE;
        }
    }
    return found;
}
BENCH_LOOP(groups, index_state)

double look_up_limit(void *opaque) {
    bench_found += groups(opaque, 0);
    return QUERIES;
}

/* ---- Reading ---- */

static const char *const FILE_READ = "tests/data/newswire-zh/docs.jsonl";

typedef struct reader_state {
    fp_string content;
    char *room; /* as long as `content` */
} reader_state;

void *open_reader(fp_arena *arena) {
    reader_state *state = bench_room(arena, 1, sizeof *state);
    fp_error error = {0};
    bench_must(fp_read_file(FILE_READ, arena, &state->content, &error), &error);
    state->room = bench_room(arena, state->content.length, 1);
    return state;
}

double read_entries(void *opaque) {
    const reader_state *state = opaque;
    fp_arena *arena = fp_arena_new();
    const fp_entries_options options = {.progress = &ONE_THREAD};
    fp_entries *entries;
    fp_text_batch batch = {.count = 1};
    fp_error error = {0};
    bench_must(fp_entries_open(&FILE_READ, 1, &options, arena, &entries, &error), &error);
    fp_text_source source = fp_entries_source(entries);
    while (batch.count) {
        bench_must(source.next(source.context, &batch, &error), &error);
        for (size_t i = 0; i < batch.count; i++) bench_found += fp_entries_at(entries, batch.first + i)->characters;
    }
    fp_entries_close(entries);
    fp_arena_free(arena);
    return (double)state->content.length;
}

/* Reads from the page cache of the system, and finds the ends of lines. */
double read_limit(void *opaque) {
    const reader_state *state = opaque;
    int file = open(FILE_READ, O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, state->room, state->content.length);
    const char *end = state->room + (length < 0 ? 0 : length);
    for (const char *at = state->room; (at = memchr(at, '\n', (size_t)(end - at))); at++) bench_found++;
    close(file);
    return (double)state->content.length;
}
