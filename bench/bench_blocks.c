/* SPDX-License-Identifier: GPL-3.0-or-later
 * Block tables over random fingerprints of 64 bits, on one thread, beside Faiss in the same run
 * (bench/faiss_blocks.py): the kernel of what is near, queries of several designs, a scan, all pairs, bytes, a file.
 * `bench_blocks [FINGERPRINTS…]`, by default 1,000,000 and 10,000,000. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "algorithms/kernels/near.h"
#include "index/blocks/block_tables.h"

enum { QUERIES = 20000, SCANS = 400, DISTANCE = 3, ROUNDS = 9, MOST_FAISS = 8, PLANTED = 1000 };

static const fp_progress ONE_THREAD = {.threads = 1};

static double least(double a, double b) { return a < b ? a : b; }

static void stop(const fp_error *error) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* ---- The kernel, in the nearest cache ---- */

static void bench_kernels(void) {
    enum { WORDS = 2048, CALLS = 4000 };
    static uint64_t many[WORDS];
    static uint32_t out[WORDS];
    for (size_t i = 0; i < WORDS; i++) many[i] = fp_mix(i, 1);
    for (const fp_near_variant *variant = fp_near_variants; variant->name; variant++) {
        printf("%-17s", variant->name);
        for (size_t words = 1; words <= 4 && variant->supported(); words++) {
            double best = 1e9;
            for (int round = 0; round < ROUNDS; round++) {
                double start = fp_seconds();
                for (size_t call = 0; call < CALLS; call++) {
                    uint64_t query[4] = {fp_mix(call, 2), call, call, call};
                    variant->kernel(query, many, words, WORDS / words, DISTANCE, out);
                }
                best = least(best, fp_seconds() - start);
            }
            printf(" %6.2f", (double)CALLS * (double)(WORDS / words) / best * 1e-9);
        }
        printf(" G pairs/s of 1, 2, 3, 4 words%s\n", variant->level == FP_CPU_AVX512 ? " (wanted of one: 10)" : "");
    }
}

/* ---- Faiss ---- */

typedef struct faiss_line {
    char name[64];
    double nanoseconds;
    unsigned long long found;
} faiss_line;

static size_t run_faiss(size_t count, faiss_line *lines) {
    char command[160], line[160];
    size_t got = 0;
    snprintf(command, sizeof command, "bench/faiss_blocks.py %zu %d %d", count, QUERIES, SCANS / 4);
    FILE *from = popen(command, "r");
    while (from && got < MOST_FAISS && fgets(line, sizeof line, from))
        got += sscanf(line, "%63[^\t]\t%lf\t%llu", lines[got].name, &lines[got].nanoseconds, &lines[got].found) == 3;
    if (!from || pclose(from) != 0) printf("skipped: Faiss: it cannot be run (python3-faiss)\n");
    for (size_t i = 0; i < got; i++)
        printf("%-46s %10.1f ns a query, %llu found\n", lines[i].name, lines[i].nanoseconds, lines[i].found);
    return got;
}

/* The best of those whose name begins so, 0 where there is none. */
static double best_of(const faiss_line *lines, size_t count, const char *prefix) {
    double best = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(lines[i].name, prefix, strlen(prefix)) == 0 && (best == 0 || lines[i].nanoseconds < best))
            best = lines[i].nanoseconds;
    return best;
}

/* ---- Queries ---- */

static fp_status count_found(void *context, size_t query, const fp_found *found, size_t count, fp_arena *arena,
                             fp_error *error) {
    (void)query, (void)found, (void)arena, (void)error;
    *(uint64_t *)context += count;
    return FP_OK;
}

static double ask(const fp_block_tables *tables, const uint64_t *queries, size_t count, const fp_arenas *arenas,
                  fp_block_work *work) {
    double best = 1e9;
    fp_error error;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t found = 0;
        *work = (fp_block_work){0};
        double start = fp_seconds();
        if (fp_block_tables_near_each(tables, queries, count, DISTANCE, count_found, &found, arenas, &ONE_THREAD, work,
                                      &error) != FP_OK)
            stop(&error);
        best = least(best, fp_seconds() - start);
    }
    return best * 1e9 / (double)count;
}

/* Returns nanoseconds a query. */
static double bench_design(const char *text, const fp_block_source *source, const uint64_t *queries, size_t query_count,
                           const fp_arenas *arenas) {
    fp_block_design design;
    fp_block_tables *tables;
    fp_error error;
    fp_block_work work;
    double start = fp_seconds();
    if (fp_block_design_parse(text, 64, DISTANCE, &design, &error) != FP_OK ||
        fp_block_tables_build(&design, source, &ONE_THREAD, NULL, &tables, &error) != FP_OK)
        stop(&error);
    double building = fp_seconds() - start, nanoseconds = ask(tables, queries, query_count, arenas, &work);
    fp_block_cost cost = fp_block_design_cost(&design, (double)source->count);
    double copies = cost.tables > 0 ? cost.tables : 1, count = (double)query_count;
    printf("%-16s build %6.2f s; %5.2f bytes each; %10.1f ns a query (expected %10.1f), %10.2f compared, %.2f found\n",
           text, building, (double)fp_block_tables_bytes(tables) / (double)source->count / copies, nanoseconds,
           cost.nanoseconds, (double)work.compared / count, (double)work.found / count);
    fp_block_tables_close(tables);
    return nanoseconds;
}

static void print_ratio(const char *what, double faiss, double ours, double wanted) {
    if (faiss > 0) printf("%s: %.1f times as many queries a second (wanted: %.0f)\n", what, faiss / ours, wanted);
}

/* ---- All pairs, and a file ---- */

static fp_status count_pairs(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    (void)pairs, (void)error;
    *(uint64_t *)context += count;
    return FP_OK;
}

static void bench_pairs(const char *text, const fp_block_source *source, const fp_arenas *arenas) {
    fp_block_design design;
    fp_error error;
    uint64_t pairs = 0;
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = fp_seconds();
        pairs = 0;
        if (fp_block_design_parse(text, 64, DISTANCE, &design, &error) != FP_OK ||
            fp_block_pairs(&design, source, count_pairs, &pairs, arenas, &ONE_THREAD, &error) != FP_OK)
            stop(&error);
        best = least(best, fp_seconds() - start);
    }
    printf("all pairs within %d of %zu, %s: %.3f s, %llu pairs, %d planted%s\n", DISTANCE, source->count, text, best,
           (unsigned long long)pairs, PLANTED, source->count == 1000000 ? " (wanted: less than 0.3 s)" : "");
}

static void bench_file(const char *text, const fp_block_source *source, const uint64_t *queries,
                       const fp_arenas *arenas) {
    char path[] = "/tmp/fplab-bench-blocks-XXXXXX";
    fp_block_design design;
    fp_block_tables *tables;
    fp_block_work work;
    fp_error error;
    int file = mkstemp(path);
    if (file < 0) exit(1);
    close(file);
    double start = fp_seconds();
    if (fp_block_design_parse(text, 64, DISTANCE, &design, &error) != FP_OK ||
        fp_block_tables_write(&design, source, path, &ONE_THREAD, NULL, &error) != FP_OK)
        stop(&error);
    double writing = fp_seconds() - start;
    start = fp_seconds();
    if (fp_block_tables_open(path, NULL, &tables, &error) != FP_OK) stop(&error);
    double opening = fp_seconds() - start, asking = ask(tables, queries, QUERIES, arenas, &work);
    start = fp_seconds();
    if (fp_block_tables_verify(tables, NULL, NULL, NULL, &ONE_THREAD, &error) != FP_OK) stop(&error);
    printf("%s in a file: written in %.2f s, opened in %.2f ms, %.1f ns a query, verified in %.2f s\n", text, writing,
           opening * 1e3, asking, fp_seconds() - start);
    fp_block_tables_close(tables);
    unlink(path);
}

/* A stored fingerprint with 0 to 3 bits changed. */
static uint64_t query_at(const uint64_t *all, size_t count, size_t i) {
    uint64_t query = all[fp_mix(i, 4) % count];
    for (size_t k = 0; k < i % 4; k++) query ^= UINT64_C(1) << fp_mix(i, k + 5) % 64;
    return query;
}

static void bench_all(size_t count) {
    static const char *const designs[] = {"blocks=4",         "blocks=5",   "blocks=8",
                                          "blocks=5,agree=2", "blocks=4+4", "blocks=6,agree=3"};
    fp_arena *arena = fp_arena_new();
    uint64_t *fingerprints = fp_arena_raw(arena, count, sizeof *fingerprints), queries[QUERIES];
    fp_arenas arenas;
    faiss_line faiss[MOST_FAISS];
    double best = 1e9;
    if (!fingerprints || fp_arenas_open(&arenas, &ONE_THREAD, arena, NULL) != FP_OK) exit(1);
    for (size_t i = 0; i < count; i++) fingerprints[i] = fp_mix(i, 1);
    for (size_t i = 0; i < QUERIES; i++) queries[i] = query_at(fingerprints, count, i);
    fp_block_source source = {fingerprints, NULL, count};
    printf("%zu fingerprints\n", count);
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++)
        best = least(best, bench_design(designs[i], &source, queries, QUERIES, &arenas));
    double scan = bench_design("scan", &source, queries, SCANS, &arenas);
    printf("scan: %.2f G pairs/s\n", (double)count / scan);
    size_t lines = run_faiss(count, faiss);
    print_ratio("tables against IndexBinaryMultiHash", best_of(faiss, lines, "IndexBinaryMultiHash"), best, 5);
    print_ratio("scan against IndexBinaryFlat", best_of(faiss, lines, "IndexBinaryFlat"), scan, 20);
    bench_file("blocks=4", &source, queries, &arenas);
    for (size_t i = 0; i < PLANTED; i++) fingerprints[count - 1 - i] = query_at(fingerprints, count - PLANTED, i);
    bench_pairs("blocks=4", &source, &arenas);
    bench_pairs("blocks=5", &source, &arenas);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

int main(int argc, char **argv) {
    bench_kernels();
    for (int i = 1; i < argc; i++) bench_all((size_t)strtoull(argv[i], NULL, 10));
    if (argc == 1) bench_all(1000000), bench_all(10000000);
    return 0;
}
