/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bands over 200,000 signatures of 128 slots, in families of 25 of whose members the m-th keeps a slot of the elder
 * with probability 1 − m/25: time to build, to open, of a query against a full scan, and of all pairs.
 * `bench_bands [SIGNATURES]`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/arms/arm.h"
#include "index/bands/band_tables.h"

enum { SLOTS = 128, BYTES = SLOTS * 4, FAMILY = 25, QUERIES = 2000, SCANS = 100 };

typedef struct bench {
    fp_arm *arm;
    fp_sketches sketches;
    double scanning; /* seconds a query */
    fp_error error;
} bench;

static void must(const bench *it, fp_status status) {
    if (status == FP_OK) return;
    fprintf(stderr, "%s\n", it->error.message);
    exit(1);
}

static void make(bench *it, size_t count, fp_arena *arena) {
    uint32_t *slot = fp_arena_raw(arena, count, BYTES);
    must(it, fp_arm_parse("minhash:slots=128", arena, &it->arm, &it->error));
    if (!slot) exit(1);
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < SLOTS; s++) {
            bool keeps = fp_mix(i * SLOTS + s, 2) % FAMILY >= i % FAMILY;
            slot[i * SLOTS + s] = (uint32_t)fp_mix((keeps ? i - i % FAMILY : i) * SLOTS + s, keeps ? 1 : 3);
        }
    it->sketches = (fp_sketches){.count = count, .stride = BYTES, .data = (const unsigned char *)slot};
}

/* Elders, whose families are known. */
static fp_sketch query_at(const bench *it, size_t q) {
    return fp_sketches_at(&it->sketches, q * 37 * FAMILY % (it->sketches.count - it->sketches.count % FAMILY));
}

static void scan(bench *it, fp_arena *arena) {
    double *distance = fp_arena_raw(arena, it->sketches.count, sizeof *distance);
    if (!distance) exit(1);
    for (size_t q = 0; q < SCANS; q++) {
        double start = fp_seconds();
        it->arm->instance.algorithm->distances(&it->arm->instance, query_at(it, q), &it->sketches, 0,
                                               it->sketches.count, distance);
        it->scanning += (fp_seconds() - start) / SCANS;
    }
    printf("full scan            %8.1f us a query of %zu signatures of %d slots\n", it->scanning * 1e6,
           it->sketches.count, SLOTS);
}

/* ---- Bands ---- */

static fp_status forget(void *context, const fp_band_pair *pairs, size_t count, fp_error *error) {
    (void)context, (void)pairs, (void)count, (void)error;
    return FP_OK;
}

static void bench_bands(bench *it, double similarity, double recall, fp_arena *arena) {
    const fp_layout *layout = fp_arm_layout(it->arm);
    const char *path = "bench_bands.tables";
    fp_arena *scratch = fp_arena_new();
    fp_arenas arenas = {0};
    fp_band_tables *made, *opened;
    fp_banding banding;
    fp_band_work work = {0};
    uint64_t pairs;
    must(it, fp_band_choose(layout, similarity, recall, &banding, &it->error));
    double start = fp_seconds();
    must(it, fp_band_tables_build(layout, banding, &it->sketches, NULL, NULL, NULL, &made, &it->error));
    double building = fp_seconds() - start;
    must(it, fp_band_tables_write(made, path, NULL, &it->error));
    start = fp_seconds();
    must(it, fp_band_tables_open(path, NULL, &opened, &it->error));
    double opening = fp_seconds() - start;
    start = fp_seconds();
    for (size_t q = 0; q < QUERIES; q++) {
        const uint32_t *documents;
        size_t count;
        fp_arena_reset(scratch);
        must(it, fp_band_candidates(opened, layout, query_at(it, q), scratch, &documents, &count, &work, &it->error));
    }
    double asking = (fp_seconds() - start) / QUERIES;
    must(it, fp_arenas_open(&arenas, NULL, arena, &it->error));
    start = fp_seconds();
    must(it, fp_band_pairs(layout, banding, &it->sketches, forget, NULL, &arenas, NULL, &pairs, &it->error));
    double joining = fp_seconds() - start;
    printf("%3u bands of %2u (%.1f) build %6.3f s, %6.1f MB, open %5.0f us; query %7.2f us, 1/%-5.0f of a scan; %6.2f "
           "candidates; recall at %.1f: %.3f; %llu pairs in %.3f s\n",
           banding.bands, banding.rows, similarity, building, (double)fp_band_tables_bytes(made) / 1e6, opening * 1e6,
           asking * 1e6, it->scanning / asking, (double)work.candidates / QUERIES, similarity,
           fp_band_tables_recall(made, similarity), (unsigned long long)pairs, joining);
    fp_band_tables_close(made);
    fp_band_tables_close(opened);
    fp_arenas_free(&arenas);
    fp_arena_free(scratch);
    unlink(path);
}

int main(int argc, char **argv) {
    bench it = {0};
    fp_arena *arena = fp_arena_new();
    make(&it, argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 200000, arena);
    scan(&it, arena);
    bench_bands(&it, 0.8, 0.95, arena);
    bench_bands(&it, 0.5, 0.95, arena);
    fp_arena_free(arena);
    return 0;
}
