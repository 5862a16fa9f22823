/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sets: units and distances, which are computed once and kept in files. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eval/experiment/experiment.h"
#include "tests/deep/intervals/worlds/population.h"

void stop(const fp_error *error) {
    fprintf(stderr, "%s%s%s\n", error->file, *error->file ? ": " : "", error->message);
    exit(1);
}

void check(fp_status status, const fp_error *error) {
    if (status != FP_OK) stop(error);
}

/* A set while it is opened. */
typedef struct opening {
    fp_corpus corpus;
    const uint32_t *document; /* [document_count] place in the corpus of each of the set's documents */
    set *to;
    const fp_measurement *measurement;
    uint16_t *distance; /* of one arm: those inside units, then those across */
} opening;

static void *room(fp_arena *arena, size_t count, size_t size) {
    void *made = fp_arena_alloc(arena, count, size);
    if (!made) stop(&(fp_error){.message = "out of memory"});
    return made;
}

/* ---- Units ---- */

static void make_group_units(opening *it, fp_arena *arena) {
    const fp_corpus *corpus = &it->corpus;
    size_t count = corpus->document_count, groups = corpus->group_count, units = 0, filled = 0;
    set_unit *made = room(arena, count, sizeof *made);
    uint32_t *document = room(arena, count, sizeof *document), *next = room(arena, count, sizeof *next),
             *first = room(arena, groups, sizeof *first);
    memset(first, 0xff, groups * sizeof *first);
    for (size_t i = count; i-- > 0;) {
        uint32_t group = corpus->group[i];
        next[i] = group == UINT32_MAX ? UINT32_MAX : first[group];
        if (group != UINT32_MAX) first[group] = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++) {
        if (corpus->group[i] != UINT32_MAX && first[corpus->group[i]] != i) continue;
        made[units].start = (uint32_t)filled;
        for (uint32_t at = (uint32_t)i; at != UINT32_MAX; at = next[at]) document[filled++] = at;
        made[units++].end = (uint32_t)filled;
    }
    *it->to = (set){.unit_count = units, .document_count = count, .units = made};
    for (size_t u = 0; u < units; u++) {
        size_t size = made[u].end - made[u].start;
        it->to->pair_count += size * (size - 1) / 2;
    }
    fp_pair *pairs = room(arena, it->to->pair_count + 1, sizeof *pairs);
    uint32_t listed = 0;
    for (size_t u = 0; u < units; u++) {
        made[u].pair_start = listed;
        for (uint32_t a = made[u].start; a < made[u].end; a++)
            for (uint32_t b = a + 1; b < made[u].end; b++) pairs[listed++] = (fp_pair){a, b, 1};
        made[u].pair_end = listed;
    }
    it->to->pairs = pairs;
    it->document = document;
}

static void make_pair_units(opening *it, fp_arena *arena) {
    const fp_corpus *corpus = &it->corpus;
    size_t count = corpus->pair_count;
    set_unit *made = room(arena, count, sizeof *made);
    uint32_t *document = room(arena, 2 * count, sizeof *document);
    fp_pair *pairs = room(arena, count, sizeof *pairs);
    for (uint32_t u = 0; u < count; u++) {
        made[u] = (set_unit){2 * u, 2 * u + 2, u, u + 1};
        document[2 * u] = corpus->pairs[u].a;
        document[2 * u + 1] = corpus->pairs[u].b;
        pairs[u] = (fp_pair){2 * u, 2 * u + 1, corpus->pairs[u].label};
    }
    *it->to =
        (set){.unit_count = count, .document_count = 2 * count, .pair_count = count, .units = made, .pairs = pairs};
    it->document = document;
}

/* ---- Distances ---- */

static uint16_t between(const opening *it, size_t a, size_t b) {
    double distance = fp_measurement_distance(it->measurement, it->document[a], it->document[b]);
    return (uint16_t)fmin(BINS - 1, ceil(distance * STEPS));
}

static fp_status measure_row(void *context, size_t row, fp_arena *scratch, fp_error *error) {
    opening *it = context;
    uint16_t *to = it->distance + it->to->pair_count + row * (row - 1) / 2;
    (void)scratch;
    (void)error;
    for (size_t b = 0; b < row; b++) to[b] = between(it, row, b);
    return FP_OK;
}

static void measure(opening *it, const char *spec, bool across, const char *path, size_t count, fp_arena *arena) {
    fp_error error = {0};
    fp_arm *arm;
    fp_measurement measurement;
    fp_arenas arenas;
    check(fp_arm_parse(spec, NULL, arena, &arm, &error), &error);
    check(fp_experiment_sketches(&it->corpus, &arm, 1, NULL, arena, &measurement, &error), &error);
    it->measurement = &measurement;
    it->distance = room(arena, count, sizeof *it->distance);
    for (size_t i = 0; i < it->to->pair_count; i++)
        it->distance[i] = between(it, it->to->pairs[i].a, it->to->pairs[i].b);
    check(fp_arenas_open(&arenas, NULL, arena, &error), &error);
    size_t rows = across ? it->to->document_count : 0;
    check(fp_parallel(rows, &arenas, true, measure_row, it, "", NULL, &error), &error);
    fp_arenas_free(&arenas);
    fp_measurement_free(&measurement);
    fp_output output;
    check(fp_output_open(&output, path, &error), &error);
    fwrite(it->distance, sizeof *it->distance, count, output.stream);
    check(fp_output_close(&output, &error), &error);
}

/* The distances of one arm, from their file. */
static const uint16_t *map_distances(opening *it, const char *name, const char *spec, bool across, const char *cache) {
    fp_arena *arena = fp_arena_new();
    size_t documents = it->to->document_count,
           count = it->to->pair_count + (across ? documents * (documents - 1) / 2 : 0);
    uint64_t key = fp_mix(it->corpus.file.hash, STEPS);
    for (const char *at = spec; *at; at++) key = fp_mix(key, (unsigned char)*at);
    const char *path = fp_format(arena, "%s/%s-%016llx", cache, name, (unsigned long long)fp_mix(key, across));
    struct stat seen;
    if (stat(path, &seen) != 0 || (size_t)seen.st_size != count * sizeof(uint16_t))
        measure(it, spec, across, path, count, arena);
    int file = open(path, O_RDONLY);
    void *mapped = mmap(NULL, count * sizeof(uint16_t), PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (file < 0 || mapped == MAP_FAILED) stop(&(fp_error){.message = "cannot read the distances that were kept"});
    close(file);
    fp_arena_free(arena);
    return mapped;
}

/* ---- All ---- */

static const char *find_corpus(const char *name, const char *shared, const char *cache, fp_arena *arena) {
    const char *shipped = fp_format(arena, "corpora/data/%s", name), *made = fp_format(arena, "%s/%s", cache, name);
    if (access(shipped, R_OK) == 0) return shipped;
    if (access(fp_format(arena, "%s/docs.jsonl", made), R_OK) == 0 || make_corpus(name, made)) return made;
    const char *given = shared ? fp_format(arena, "%s/%s", shared, name) : NULL;
    return given && access(given, R_OK) == 0 ? given : NULL;
}

bool set_open(const char *name, const char *const *arms, sampling design, const char *shared, const char *cache,
              fp_arena *arena, set *to) {
    fp_error error = {0};
    opening it = {.to = to};
    const char *path = find_corpus(name, shared, cache, arena);
    if (!path) return false;
    check(fp_corpus_read(path, &(fp_corpus_opening){0}, arena, &it.corpus, &error), &error);
    bool across = design != SINGLE_PAIRS;
    if (across) make_group_units(&it, arena);
    else make_pair_units(&it, arena);
    to->arms = arms;
    for (; arms[to->arm_count]; to->arm_count++) {
        const uint16_t *mapped = map_distances(&it, name, arms[to->arm_count], across, cache);
        to->inside[to->arm_count] = mapped;
        to->across[to->arm_count] = across ? mapped + to->pair_count : NULL;
    }
    return true;
}
