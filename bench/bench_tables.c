/* SPDX-License-Identifier: GPL-3.0-or-later
 * The index over 1,000,000 random fingerprints of 64 bits, and over a fifth as many signatures of 64 slots: time to
 * build, time of a query against a full scan, and candidates against the plan, in one run. `bench_tables
 * [FINGERPRINTS]`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/arms/arm.h"
#include "algorithms/kernels/hamming.h"
#include "index/lsh_tables.h"
#include "index/planning/index_plan.h"

enum { QUERIES = 20000, SCANS = 40, DISTANCE = 3, BATCH = 1024 };

/* Fingerprints within the distance, by a look at all of them. */
static size_t scan(uint64_t query, const uint64_t *all, size_t count) {
    uint32_t bits[BATCH];
    size_t near = 0;
    for (size_t first = 0; first < count; first += BATCH) {
        size_t some = count - first < BATCH ? count - first : BATCH;
        fp_hamming_chosen()->kernel(&query, all + first, 1, some, bits);
        for (size_t i = 0; i < some; i++) near += bits[i] <= DISTANCE;
    }
    return near;
}

/* Candidates within the distance. */
static size_t verify(const fp_instance *instance, const fp_sketches *sketches, fp_sketch query,
                     const uint32_t *candidate, size_t count, double distance) {
    size_t near = 0;
    for (size_t i = 0; i < count; i++)
        near += instance->algorithm->distance(instance, query, fp_sketches_at(sketches, candidate[i])) <= distance;
    return near;
}

/* A stored fingerprint with 0 to 3 bits changed. */
static uint64_t query_at(const uint64_t *all, size_t count, size_t i) {
    uint64_t query = all[fp_mix(i, 4) % count];
    for (size_t k = 0; k < i % 4; k++) query ^= UINT64_C(1) << fp_mix(i, k + 5) % 64;
    return query;
}

static int bench(const char *text, const fp_instance *instance, const fp_sketches *sketches, double scanning,
                 fp_error *error) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_lsh_spec spec;
    fp_lsh_form form;
    const fp_lsh *tables;
    fp_index_plan plan = {0};
    fp_block_design design = {.bits = 64, .distance = DISTANCE, .level_count = 1};
    double start = fp_seconds();
    if (fp_lsh_parse(text, arena, &spec, error) != FP_OK ||
        fp_lsh_settle(&spec, &instance->layout, &form, error) != FP_OK ||
        fp_lsh_build(&form, instance, sketches, NULL, arena, &tables, error) != FP_OK)
        return 1;
    double building = fp_seconds() - start;
    fp_lsh_work work = {0};
    start = fp_seconds();
    for (size_t i = 0; i < QUERIES; i++) {
        uint64_t query = query_at((const uint64_t *)(const void *)sketches->data, sketches->count, i);
        const uint32_t *candidate;
        size_t count;
        fp_arena_reset(scratch);
        fp_sketch sketch = {&query, 8};
        if (fp_lsh_candidates(tables, sketch, scratch, &candidate, &count, &work, error) != FP_OK) return 1;
        size_t near = verify(instance, sketches, sketch, candidate, count, DISTANCE);
        if (form.reach >= DISTANCE && near == 0) return 1;
    }
    double asking = (fp_seconds() - start) / QUERIES;
    printf("%-28s build %6.3f s, %6.1f MB; query %8.2f us, 1/%-6.0f of a scan; %8.2f candidates", text, building,
           (double)fp_lsh_bytes(tables) / 1e6, asking * 1e6, scanning / asking, (double)work.candidates / QUERIES);
    design.level[0] = (fp_block_level){form.parts, 1};
    if (form.agree == 1 && fp_index_plan_make(FP_PLAN_BLOCKS, &design, (double)sketches->count, &plan, error) == FP_OK)
        printf(", %.2f entries (planned %.2f, and those of the one that is near)", (double)work.entries / QUERIES,
               plan.candidates);
    printf("\n");
    fp_arena_free(arena);
    fp_arena_free(scratch);
    return 0;
}

/* ---- Slots: queries are stored signatures with about an eighth of their slots changed ---- */

enum { SLOTS = 64, SLOT_BYTES = SLOTS * 4 };

static double scan_slots(const fp_instance *instance, const fp_sketches *sketches, fp_arena *arena) {
    double *out = fp_arena_raw(arena, sketches->count, sizeof *out), start = fp_seconds();
    if (!out) exit(1);
    for (size_t i = 0; i < SCANS; i++)
        instance->algorithm->distances(instance, fp_sketches_at(sketches, i), sketches, 0, sketches->count, out);
    return (fp_seconds() - start) / SCANS;
}

static int bench_slots(const char *text, const fp_instance *instance, const fp_sketches *sketches, double scanning,
                       fp_error *error) {
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_lsh_spec spec;
    fp_lsh_form form;
    const fp_lsh *tables;
    double start = fp_seconds();
    if (fp_lsh_parse(text, arena, &spec, error) != FP_OK ||
        fp_lsh_settle(&spec, &instance->layout, &form, error) != FP_OK ||
        fp_lsh_build(&form, instance, sketches, NULL, arena, &tables, error) != FP_OK)
        return 1;
    double building = fp_seconds() - start;
    fp_lsh_work work = {0};
    size_t found = 0;
    start = fp_seconds();
    for (size_t i = 0; i < QUERIES; i++) {
        uint64_t query[SLOT_BYTES / 8];
        size_t document = fp_mix(i, 4) % sketches->count, count;
        const uint32_t *candidate;
        memcpy(query, fp_sketches_at(sketches, document).data, sizeof query);
        for (size_t k = 0; k < SLOTS / 8; k++) ((uint32_t *)(void *)query)[fp_mix(i, k + 5) % SLOTS] ^= 1;
        fp_arena_reset(scratch);
        fp_sketch sketch = {query, SLOT_BYTES};
        if (fp_lsh_candidates(tables, sketch, scratch, &candidate, &count, &work, error) != FP_OK) return 1;
        found += verify(instance, sketches, sketch, candidate, count, SLOTS / 8) > 0;
    }
    double asking = (fp_seconds() - start) / QUERIES;
    printf("%-28s build %6.3f s, %6.1f MB; query %8.2f us, 1/%-6.0f of a scan; %8.2f candidates, %.1f%% found\n", text,
           building, (double)fp_lsh_bytes(tables) / 1e6, asking * 1e6, scanning / asking,
           (double)work.candidates / QUERIES, 100.0 * (double)found / QUERIES);
    fp_arena_free(arena);
    fp_arena_free(scratch);
    return 0;
}

static int all_slots(size_t count, fp_arena *arena, fp_error *error) {
    static const char *const indexes[] = {"banding:bands=16,rows=4", "banding:bands=32,rows=2", "banding",
                                          "pigeonhole:blocks=9"};
    fp_arm *arm;
    uint64_t *word = fp_arena_raw(arena, count, SLOT_BYTES);
    if (!word || fp_arm_parse("minhash", arena, &arm, error) != FP_OK) return 1;
    for (size_t i = 0; i < count * SLOT_BYTES / 8; i++) word[i] = fp_mix(i, 2);
    fp_sketches sketches = {.count = count, .stride = SLOT_BYTES, .data = (const unsigned char *)word};
    double scanning = scan_slots(&arm->instance, &sketches, arena);
    printf("full scan of slots   %.1f us a query of %zu signatures\n", scanning * 1e6, count);
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++)
        if (bench_slots(indexes[i], &arm->instance, &sketches, scanning, error)) return 1;
    return 0;
}

int main(int argc, char **argv) {
    size_t count = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 1000000, near = 0;
    fp_arena *arena = fp_arena_new();
    fp_error error = {0};
    fp_arm *arm;
    uint64_t *word = fp_arena_raw(arena, count, sizeof *word);
    if (!word || fp_arm_parse("simhash", arena, &arm, &error) != FP_OK) return 1;
    for (size_t i = 0; i < count; i++) word[i] = fp_mix(i, 1);
    fp_sketches sketches = {.count = count, .stride = 8, .data = (const unsigned char *)word};
    double start = fp_seconds();
    for (size_t i = 0; i < SCANS; i++) near += scan(query_at(word, count, i), word, count);
    double scanning = (fp_seconds() - start) / SCANS;
    printf("full scan (%s)   %.1f us a query of %zu fingerprints, %zu found by %d\n", fp_hamming_chosen()->name,
           scanning * 1e6, count, near, SCANS);
    static const char *const indexes[] = {"pigeonhole:blocks=4", "pigeonhole:blocks=5,agree=2",
                                          "pigeonhole:blocks=6,agree=3", "pigeonhole:blocks=5", "pigeonhole:blocks=8"};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++)
        if (bench(indexes[i], &arm->instance, &sketches, scanning, &error))
            return fprintf(stderr, "%s\n", error.message), 1;
    if (all_slots(count / 5 + 1, arena, &error)) return fprintf(stderr, "%s\n", error.message), 1;
    fp_arena_free(arena);
    return 0;
}
