/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counterparts of arms. */
#include "eval/experiment/counterpart.h"

#include <string.h>

enum { NONE = -1 };

/* Where the counterpart of an arm stands: among the arms, or among the further ones; both NONE when there is none. */
typedef struct place {
    long arm, further;
} place;

static long find(const char *spec, const fp_measurement *measurements, fp_arm *const *further, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(fp_arm_spec(measurements ? measurements[i].arm : further[i]), spec) == 0) return (long)i;
    return NONE;
}

static fp_status place_all(const fp_measurement *measurements, size_t count, fp_arena *arena, place *places,
                           fp_arm **further, size_t *made, fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        fp_arm *exact;
        FP_TRY(fp_arm_counterpart(measurements[i].arm, arena, &exact, error));
        places[i] = (place){NONE, NONE};
        if (!exact) continue;
        places[i].arm = find(fp_arm_spec(exact), measurements, NULL, count);
        if (places[i].arm != NONE) continue;
        places[i].further = find(fp_arm_spec(exact), NULL, further, *made);
        if (places[i].further != NONE) continue;
        places[i].further = (long)*made;
        further[(*made)++] = exact;
    }
    return FP_OK;
}

fp_status fp_counterparts_measure(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                                  const fp_progress *progress, fp_arena *arena, fp_counterparts *counterparts,
                                  fp_error *error) {
    *counterparts = (fp_counterparts){.arm_count = arm_count};
    place *places = fp_arena_alloc(arena, arm_count, sizeof *places);
    fp_arm **further = fp_arena_alloc(arena, arm_count, sizeof *further);
    const fp_measurement **of_arm = fp_arena_alloc(arena, arm_count, sizeof *of_arm);
    fp_measurement *made = fp_arena_alloc(arena, arm_count, sizeof *made);
    size_t count = 0;
    if (!places || !further || !of_arm || !made) return fp_no_memory(error);
    FP_TRY(place_all(measurements, arm_count, arena, places, further, &count, error));
    if (count) FP_TRY(fp_experiment(corpus, further, count, progress, arena, made, error));
    for (size_t i = 0; i < arm_count; i++) {
        if (places[i].arm != NONE) of_arm[i] = measurements + places[i].arm;
        else if (places[i].further != NONE) of_arm[i] = made + places[i].further;
    }
    *counterparts = (fp_counterparts){arm_count, of_arm, count, made};
    return FP_OK;
}

void fp_counterparts_free(fp_counterparts *counterparts) {
    for (size_t i = 0; i < counterparts->measured; i++) fp_measurement_free(counterparts->measurements + i);
    *counterparts = (fp_counterparts){0};
}
