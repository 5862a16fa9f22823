/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of 20,000 sketches on one thread: what the lab does with them, beside the same loop in one run that makes
 * the distances and nothing else (the limit), and Faiss (bench/faiss_pairs.py). Time is that of the processor: medians
 * of rounds, and of the ratios within a round. Sketches are drawn at random; of four in a group two share many slots.
 */
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "algorithms/kernels/pairs/angles.h"
#include "eval/experiment/experiment.h"
#include "eval/experiment/tally/slot_numbers.h"
#include "index/blocks/block_tables.h"

enum { DOCUMENTS = 20000, ROUNDS = 15, SLOTS = 64, WITHIN = 10, NEAR = 10000 };

static const double PAIRS = (double)DOCUMENTS * (DOCUMENTS - 1) / 2;
static const fp_progress ONE_THREAD = {.threads = 1};

static void stop(const fp_error *error) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* Of the processor: what else runs changes it little. */
static double seconds_of_processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double median(double *values, size_t count) {
    gsl_sort(values, 1, count);
    return gsl_stats_median_from_sorted_data(values, 1, count);
}

/* ---- Limits: distances in registers, their least kept, and nothing else ---- */

static volatile uint64_t kept;

#if defined(__x86_64__)
#include <immintrin.h>

#define FOR_AVX512 __attribute__((target("avx512f,avx512bw,avx512vpopcntdq,popcnt")))
static bool has_limits(void) { return fp_cpu_best() >= FP_CPU_AVX512 && __builtin_cpu_supports("avx512vpopcntdq"); }

/* Eight rows at a time against all that comes after the first of them, word by word: word w of fingerprint i is at
 * [w · DOCUMENTS + i]. */
FOR_AVX512 FP_BODY void all_distances(const uint64_t *turned, size_t words) {
    enum { ROWS = 8 };
    __m512i least[ROWS];
    for (size_t r = 0; r < ROWS; r++) least[r] = _mm512_set1_epi64(UINT32_MAX);
    for (size_t q = 0; q < DOCUMENTS; q += ROWS) {
        __m512i row[ROWS][2];
        for (size_t r = 0; r < ROWS; r++)
            for (size_t w = 0; w < words; w++) row[r][w] = _mm512_set1_epi64((long long)turned[w * DOCUMENTS + q + r]);
        for (size_t i = q; i < DOCUMENTS; i += 8) {
            __m512i first = _mm512_loadu_si512(turned + i), second = first;
            if (words > 1) second = _mm512_loadu_si512(turned + DOCUMENTS + i);
            for (size_t r = 0; r < ROWS; r++) {
                __m512i bits = _mm512_popcnt_epi64(_mm512_xor_si512(row[r][0], first));
                if (words > 1) bits = _mm512_add_epi64(bits, _mm512_popcnt_epi64(_mm512_xor_si512(row[r][1], second)));
                least[r] = _mm512_min_epu32(least[r], bits);
            }
        }
    }
    for (size_t r = 0; r < ROWS; r++) kept = (uint64_t)_mm512_reduce_min_epu64(least[r]);
}
FOR_AVX512 static void all_distances_1(const void *turned) { all_distances(turned, 1); }
FOR_AVX512 static void all_distances_2(const void *turned) { all_distances(turned, 2); }

/* Four rows at a time against 128 signatures side by side: a comparison and a sum a slot for every 32. */
FOR_AVX512 static void all_slots(const void *tiles) {
    enum { ROWS = 4, VECTORS = 4, COLUMNS = 32 * VECTORS };
    const fp_slot_tiles *of = tiles;
    const uint16_t *number = of->at;
    __m512i most = _mm512_setzero_si512(), ones = _mm512_set1_epi16(-1);
    for (size_t tile = 0; tile < DOCUMENTS; tile += COLUMNS) {
        for (size_t q = 0; q < tile + COLUMNS && q < DOCUMENTS; q += ROWS) {
            const uint16_t *row = number + q / COLUMNS * COLUMNS * SLOTS + q % COLUMNS, *many = number + tile * SLOTS;
            __m512i count[ROWS][VECTORS] = {0};
            for (size_t s = 0; s < SLOTS; s++) {
                for (size_t r = 0; r < ROWS; r++) {
                    __m512i one = _mm512_set1_epi16((short)row[s * COLUMNS + r]);
                    for (size_t v = 0; v < VECTORS; v++) {
                        __m512i other = _mm512_loadu_si512(many + s * COLUMNS + v * 32);
                        count[r][v] =
                            _mm512_mask_sub_epi16(count[r][v], _mm512_cmpeq_epi16_mask(one, other), count[r][v], ones);
                    }
                }
            }
            for (size_t r = 0; r < ROWS; r++)
                for (size_t v = 0; v < VECTORS; v++) most = _mm512_max_epu16(most, count[r][v]);
        }
    }
    kept = (uint64_t)_mm512_reduce_max_epu64(most);
}
#else
static bool has_limits(void) { return false; }
static void all_distances_1(const void *turned) { (void)turned; }
static void all_distances_2(const void *turned) { (void)turned; }
static void all_slots(const void *tiles) { (void)tiles; }
#endif

/* ---- What the lab does ---- */

typedef struct row {
    const char *name, *arm;
    void (*limit)(const void *data);
    const void *limit_data;
    fp_sketches sketches;
    unsigned bits; /* > 0: pairs within a distance are listed, and by Faiss, too */
} row;

typedef double clock_of(void);

static double seconds_of_stage(const row *of, fp_arm *arm, const fp_corpus *corpus, size_t near, int threads,
                               clock_of *now) {
    fp_arena *arena = fp_arena_new();
    fp_error error;
    fp_progress over = {.threads = threads};
    fp_measurement measurement = {.arm = arm, .sketches = of->sketches};
    fp_stage stage = {.corpus = corpus, .progress = &over, .near_most = near};
    double start = now();
    if (!arena || fp_stage_distances(&stage, &measurement, arena, &error) != FP_OK) stop(&error);
    double seconds = now() - start;
    fp_measurement_free(&measurement);
    fp_arena_free(arena);
    return seconds;
}

static fp_status count_pairs(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    (void)pairs, (void)error;
    *(uint64_t *)context += count;
    return FP_OK;
}

static double seconds_of_list(const row *of, uint64_t *pairs) {
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    fp_block_design design;
    fp_error error;
    fp_block_source source = {(const uint64_t *)(const void *)of->sketches.data, NULL, DOCUMENTS};
    if (!arena || fp_arenas_open(&arenas, &ONE_THREAD, arena, &error) != FP_OK) stop(&error);
    double start = seconds_of_processor();
    *pairs = 0;
    if (fp_block_design_parse("scan", of->bits, WITHIN, &design, &error) != FP_OK ||
        fp_block_pairs(&design, &source, count_pairs, pairs, &arenas, &ONE_THREAD, &error) != FP_OK)
        stop(&error);
    double seconds = seconds_of_processor() - start;
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return seconds;
}

/* ---- Faiss ---- */

/* Nanoseconds a pair that it looks at: every query at every fingerprint. 0: it cannot be run. */
static double ask_faiss(unsigned bits) {
    char command[80];
    double nanoseconds = 0;
    snprintf(command, sizeof command, "bench/faiss_pairs.py %d %u %d", DOCUMENTS, bits, WITHIN);
    FILE *from = popen(command, "r");
    if (!from || fscanf(from, "%lf", &nanoseconds) != 1) nanoseconds = 0;
    if (!from || pclose(from) != 0) nanoseconds = 0;
    return nanoseconds;
}

/* ---- A row ---- */

enum { LIMIT, COUNTED, NEAREST, LISTED, WORKS };

static void print(const row *of, const char *what, double *seconds, double *limit) {
    double share[ROUNDS];
    for (size_t r = 0; r < ROUNDS; r++) share[r] = limit[r] / seconds[r];
    double found = median(seconds, ROUNDS);
    printf("%-9s %-28s %7.4f ns a pair, %7.3f G pairs/s", of->name, what, found * 1e9 / PAIRS, PAIRS / found * 1e-9);
    if (limit == seconds || !has_limits()) printf("\n");
    else printf(", of limit %.2f (wanted: 0.7)\n", median(share, ROUNDS));
}

static void measure_row(const row *of, const fp_corpus *corpus, fp_arena *arena) {
    double seconds[WORKS][ROUNDS];
    uint64_t pairs = 0;
    fp_arm *arm;
    fp_error error;
    if (fp_arm_parse(of->arm, arena, &arm, &error) != FP_OK) stop(&error);
    for (size_t r = 0; r < ROUNDS; r++) {
        double start = seconds_of_processor();
        if (has_limits()) of->limit(of->limit_data);
        seconds[LIMIT][r] = seconds_of_processor() - start;
        seconds[COUNTED][r] = seconds_of_stage(of, arm, corpus, 0, 1, seconds_of_processor);
        seconds[NEAREST][r] = seconds_of_stage(of, arm, corpus, NEAR, 1, seconds_of_processor);
        seconds[LISTED][r] = of->bits ? seconds_of_list(of, &pairs) : 0;
    }
    double limit[ROUNDS], twice[ROUNDS];
    for (size_t r = 0; r < ROUNDS; r++)
        twice[r] =
            seconds_of_stage(of, arm, corpus, 0, 1, fp_seconds) / seconds_of_stage(of, arm, corpus, 0, 2, fp_seconds);
    memcpy(limit, seconds[LIMIT], sizeof limit); /* in the order of the rounds */
    print(of, "counted", seconds[COUNTED], limit);
    print(of, "counted, 10,000 nearest kept", seconds[NEAREST], limit);
    printf("%-9s %-28s %.2f times as fast by the clock (wanted: 1.9, where nothing else runs)\n", of->name,
           "counted by two threads", median(twice, ROUNDS));
    if (of->bits) print(of, "within 10 listed", seconds[LISTED], limit);
    if (has_limits()) print(of, "the limit", limit, limit);
    double faiss = of->bits ? ask_faiss(of->bits) : 0;
    if (faiss > 0)
        printf("%-9s %-28s %7.4f ns a pair that it compares, %.1f times what listing takes here\n", of->name, "Faiss",
               faiss, faiss / (seconds[LISTED][ROUNDS / 2] * 1e9 / PAIRS));
    else if (of->bits) printf("skipped: Faiss: it cannot be run (python3-faiss)\n");
}

/* ---- Angles ---- */

/* One thread: angles of cosines from 0 to 0.8, by the kernel and by the mathematical library. */
static void compare_angles(void) {
    static double cosine[DOCUMENTS], angle[DOCUMENTS];
    double ratio[ROUNDS];
    for (size_t i = 0; i < DOCUMENTS; i++) cosine[i] = (double)(fp_mix(i, 2) >> 11) * 0x1p-53 * 0.8;
    for (int round = 0; round < ROUNDS; round++) {
        double start = fp_seconds();
        for (size_t i = 0; i < DOCUMENTS; i++) angle[i] = 2 * atan2(sqrt(2 - 2 * cosine[i]), sqrt(2 + 2 * cosine[i]));
        double library = fp_seconds() - start;
        start = fp_seconds();
        fp_angles_kernels[fp_cpu_chosen()](cosine, DOCUMENTS, angle);
        ratio[round] = library / (fp_seconds() - start);
    }
    printf("angle of a cosine: the kernel (%s) is %.1f times as fast as the library\n", fp_cpu_name(fp_cpu_chosen()),
           median(ratio, ROUNDS));
}

/* ---- All ---- */

static const fp_slot_tiles *number_slots(const fp_sketches *sketches, fp_arena *arena) {
    fp_slot_tiles *tiles = fp_arena_alloc(arena, 1, sizeof *tiles);
    uint32_t *which = fp_arena_raw(arena, DOCUMENTS, sizeof *which);
    fp_layout layout = {.slots = SLOTS, .slot_bits = 32};
    fp_signatures signatures = {&layout, sketches, which, DOCUMENTS};
    fp_arenas arenas;
    fp_error error;
    for (uint32_t i = 0; i < DOCUMENTS; i++) which[i] = i;
    if (fp_arenas_open(&arenas, &ONE_THREAD, arena, &error) != FP_OK ||
        fp_slot_numbers(&signatures, &arenas, &ONE_THREAD, arena, tiles, &error) != FP_OK)
        stop(&error);
    fp_arenas_free(&arenas);
    return tiles;
}

static fp_sketches sketches_of(const void *data, size_t stride) {
    return (fp_sketches){.count = DOCUMENTS, .stride = stride, .data = data};
}

int main(void) {
    fp_arena *arena = fp_arena_new();
    uint32_t *group = fp_arena_alloc(arena, DOCUMENTS, sizeof *group),
             *slot = fp_arena_alloc(arena, DOCUMENTS, SLOTS * sizeof *slot);
    uint64_t *one = fp_arena_alloc(arena, DOCUMENTS + 8, 8), *two = fp_arena_alloc(arena, DOCUMENTS + 8, 16),
             *turned = fp_arena_alloc(arena, DOCUMENTS + 8, 16);
    if (!group || !slot || !one || !two || !turned) return 1;
    for (uint32_t i = 0; i < DOCUMENTS; i++) {
        group[i] = i / 4;
        one[i] = fp_mix(i, 1);
        for (size_t w = 0; w < 2; w++) two[2 * i + w] = turned[w * DOCUMENTS + i] = fp_mix(2 * i + w, 1);
        for (uint32_t s = 0; s < SLOTS; s++) /* in one slot of ten a value of few, otherwise its own or its group's */
            slot[i * SLOTS + s] = (uint32_t)(fp_mix(i, s) % 10 == 0 ? fp_mix(i, s) % 97 : fp_mix(i / (1 + s % 4), s));
    }
    fp_corpus corpus = {.name = "made",
                        .truth = FP_TRUTH_GROUPS,
                        .document_count = DOCUMENTS,
                        .group_count = DOCUMENTS / 4,
                        .group = group};
    fp_sketches signatures = sketches_of(slot, SLOTS * sizeof *slot);
    const row rows[] = {
        {"64 bits", "simhash", all_distances_1, one, sketches_of(one, 8), 64},
        {"128 bits", "simhash:bits=128", all_distances_2, turned, sketches_of(two, 16), 128},
        {"64 slots", "minhash", all_slots, number_slots(&signatures, arena), signatures, 0},
    };
    printf("%.0f pairs, one thread, level %s\n", PAIRS, fp_cpu_name(fp_cpu_chosen()));
    if (!has_limits()) printf("skipped: limits: they need AVX-512 with VPOPCNTDQ\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) measure_row(rows + i, &corpus, arena);
    compare_angles();
    fp_arena_free(arena);
    return 0;
}
