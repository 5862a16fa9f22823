/* SPDX-License-Identifier: GPL-3.0-or-later
 * stages: answers whoever measures (bench/run.py), a line for each line that it reads.
 *   - list: all stages, each as NAME, UNIT, 1 or 0 (whether a limit is known), what the limit does, by tabs; then an
 *     empty line
 *   - lab NAME: seconds of the processor for one unit of the stage's work
 *   - limit NAME: the same of its bare loop
 * Work is repeated until it has taken a while. */
#include "bench/stages/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "corpora/corpus.h"

static const double LEAST_SECONDS = 0.03;
static const fp_bench_stage *const ALL[] = {fp_bench_text, fp_bench_sketches, fp_bench_pairs, fp_bench_index};
enum { LISTS = sizeof ALL / sizeof *ALL, MOST_STAGES = 64 };

volatile uint64_t fp_bench_kept;

void fp_bench_must(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "stages: %s\n", error->message);
    exit(1);
}

void *fp_bench_room(fp_arena *arena, size_t count, size_t size) {
    void *room = fp_arena_alloc(arena, count, size);
    if (room) return room;
    fputs("stages: out of memory\n", stderr);
    exit(1);
}

fp_arm *fp_bench_arm(const char *spec, fp_arena *arena) {
    fp_arm *arm = NULL;
    fp_error error = {0};
    fp_bench_must(fp_arm_parse(spec, arena, &arm, &error), &error);
    return arm;
}

const fp_string *fp_bench_texts(fp_arena *arena, size_t *count, double *bytes) {
    fp_corpus corpus;
    fp_error error = {0};
    fp_bench_must(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &error), &error);
    fp_string *texts = fp_bench_room(arena, corpus.document_count, sizeof *texts);
    fp_bench_must(fp_corpus_fetch(&corpus, NULL, corpus.document_count, arena, texts, &error), &error);
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

static double measure(fp_bench_work *work, void *state) {
    double units = 0, start = seconds_of_processor(), took = 0;
    while (took < LEAST_SECONDS) {
        units += work(state);
        took = seconds_of_processor() - start;
    }
    return took / units;
}

static void list(void) {
    for (size_t l = 0; l < LISTS; l++)
        for (const fp_bench_stage *stage = ALL[l]; stage->name; stage++)
            printf("%s\t%s\t%d\t%s\n", stage->name, stage->unit, stage->limit != NULL,
                   stage->limit ? stage->limit_does : "");
    putchar('\n');
}

/* The stage of that name; *place is its number. */
static const fp_bench_stage *find(const char *name, size_t *place) {
    *place = 0;
    for (size_t l = 0; l < LISTS; l++)
        for (const fp_bench_stage *stage = ALL[l]; stage->name; stage++, ++*place)
            if (strcmp(stage->name, name) == 0) return stage;
    return NULL;
}

int main(void) {
    char line[256];
    void *state[MOST_STAGES] = {0};
    bool opened[MOST_STAGES] = {0};
    fp_arena *arena = fp_arena_new();
    while (arena && fgets(line, sizeof line, stdin)) {
        size_t place;
        line[strcspn(line, "\n")] = '\0';
        bool of_lab = strncmp(line, "lab ", 4) == 0, of_limit = strncmp(line, "limit ", 6) == 0;
        const fp_bench_stage *stage = of_lab || of_limit ? find(strchr(line, ' ') + 1, &place) : NULL;
        if (strcmp(line, "list") == 0) {
            list();
        } else if (!stage || place >= MOST_STAGES || (of_limit && !stage->limit)) {
            puts("unknown");
        } else {
            if (!opened[place]) state[place] = stage->open(arena), opened[place] = true;
            printf("%.9g\n", measure(of_lab ? stage->lab : stage->limit, state[place]));
        }
        fflush(stdout);
    }
    fp_arena_free(arena);
    return 0;
}
