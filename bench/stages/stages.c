/* SPDX-License-Identifier: GPL-3.0-or-later
 * stages: answers bench/bench.py, one line for each line that it reads.
 *   - list: all stages, each as NAME, UNIT, what the limit does, PEER, separated by tabs; then an empty line
 *   - lab NAME: seconds of the processor for one unit of the stage's work
 *   - limit NAME: the same for its limit
 * Work is repeated for at least LEAST_SECONDS. */
#include "bench/stages/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "corpora/corpus.h"

typedef struct stage {
    const char *name, *unit;
    bench_open *open;
    bench_work *lab, *limit;
    const char *limit_does, *peer;
} stage;

#define STAGE(...) {__VA_ARGS__},
static const stage STAGES[] = {
#include "bench/stages/stages.def"
};
enum { STAGE_COUNT = sizeof STAGES / sizeof *STAGES };

static const double LEAST_SECONDS = 0.03;

volatile uint64_t bench_found;

void bench_must(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "stages: %s\n", error->message);
    exit(1);
}

void *bench_room(fp_arena *arena, size_t count, size_t size) {
    void *room = fp_arena_alloc(arena, count, size);
    if (room) return room;
    fputs("stages: out of memory\n", stderr);
    exit(1);
}

fp_arm *bench_arm(const char *spec, fp_arena *arena) {
    fp_arm *arm = NULL;
    fp_error error = {0};
    bench_must(fp_arm_parse(spec, NULL, arena, &arm, &error), &error);
    return arm;
}

const fp_string *bench_texts(fp_arena *arena, size_t *count, double *bytes) {
    fp_corpus corpus;
    fp_error error = {0};
    bench_must(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &error), &error);
    fp_string *texts = bench_room(arena, corpus.document_count, sizeof *texts);
    bench_must(fp_corpus_fetch(&corpus, NULL, corpus.document_count, arena, texts, &error), &error);
    *count = corpus.document_count;
    *bytes = 0;
    for (size_t i = 0; i < *count; i++) *bytes += (double)texts[i].length;
    return texts;
}

static double seconds_of_processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double measure(bench_work *work, void *state) {
    double units = 0, start = seconds_of_processor(), took = 0;
    while (took < LEAST_SECONDS) {
        units += work(state);
        took = seconds_of_processor() - start;
    }
    return took / units;
}

int main(void) {
    char line[256];
    void *state[STAGE_COUNT] = {0};
    fp_arena *arena = fp_arena_new();
    while (arena && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        const char *space = strchr(line, ' '), *name = space ? space + 1 : "";
        size_t at = 0;
        while (at < STAGE_COUNT && strcmp(STAGES[at].name, name) != 0) at++;
        bool of_lab = strncmp(line, "lab ", 4) == 0, of_limit = strncmp(line, "limit ", 6) == 0;
        if (strcmp(line, "list") == 0) {
            for (const stage *one = STAGES; one < STAGES + STAGE_COUNT; one++)
                printf("%s\t%s\t%s\t%s\n", one->name, one->unit, one->limit_does, one->peer);
            putchar('\n');
        } else if (at == STAGE_COUNT || (!of_lab && !of_limit)) {
            puts("unknown");
        } else {
            if (!state[at]) state[at] = STAGES[at].open(arena);
            if (state[at]) printf("%.9g\n", measure(of_lab ? STAGES[at].lab : STAGES[at].limit, state[at]));
            else puts("unknown");
        }
        fflush(stdout);
    }
    fp_arena_free(arena);
    return 0;
}
