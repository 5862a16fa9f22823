/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counterparts of arms. */
#include "eval/experiment/counterpart.h"

#include <string.h>

enum { NONE = -1 };

/* Where the counterpart of an arm stands: among the arms, or among the further ones; both NONE when there is none. */
typedef struct fp_counterpart_place {
    long arm, further;
} place;

static long find(const char *spec, fp_arm *const *arms, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(fp_arm_spec(arms[i]), spec) == 0) return (long)i;
    return NONE;
}

fp_status fp_counterparts_plan(fp_arm *const *arms, size_t arm_count, fp_arena *arena, fp_counterpart_plan *plan,
                               fp_error *error) {
    place *places = fp_arena_alloc(arena, arm_count, sizeof *places);
    *plan = (fp_counterpart_plan){arm_count, places, 0, fp_arena_alloc(arena, arm_count, sizeof *plan->further)};
    if (!places || !plan->further) return fp_no_memory(error);
    for (size_t i = 0; i < arm_count; i++) {
        fp_arm *exact;
        FP_TRY(fp_arm_counterpart(arms[i], arena, &exact, error));
        places[i] = (place){NONE, NONE};
        if (!exact) continue;
        places[i].arm = find(fp_arm_spec(exact), arms, arm_count);
        if (places[i].arm != NONE) continue;
        places[i].further = find(fp_arm_spec(exact), plan->further, plan->further_count);
        if (places[i].further != NONE) continue;
        places[i].further = (long)plan->further_count;
        plan->further[plan->further_count++] = exact;
    }
    return FP_OK;
}

fp_status fp_counterparts_join(const fp_counterpart_plan *plan, const fp_measurement *measurements,
                               fp_measurement *further, fp_arena *arena, fp_counterparts *counterparts,
                               fp_error *error) {
    const fp_measurement **of_arm = fp_arena_alloc(arena, plan->arm_count, sizeof *of_arm);
    if (!of_arm) return fp_no_memory(error);
    for (size_t i = 0; i < plan->arm_count; i++) {
        place at = plan->places[i];
        if (at.arm != NONE) of_arm[i] = measurements + at.arm;
        else if (at.further != NONE) of_arm[i] = further + at.further;
    }
    *counterparts = (fp_counterparts){plan->arm_count, of_arm, plan->further_count, further};
    return FP_OK;
}

fp_status fp_counterparts_measure(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                                  const fp_progress *progress, fp_arena *arena, fp_counterparts *counterparts,
                                  fp_error *error) {
    *counterparts = (fp_counterparts){.arm_count = arm_count};
    fp_arm **arms = fp_arena_alloc(arena, arm_count, sizeof *arms);
    fp_measurement *made = fp_arena_alloc(arena, arm_count, sizeof *made);
    fp_counterpart_plan plan;
    if (!arms || !made) return fp_no_memory(error);
    for (size_t i = 0; i < arm_count; i++) arms[i] = measurements[i].arm;
    FP_TRY(fp_counterparts_plan(arms, arm_count, arena, &plan, error));
    if (plan.further_count)
        FP_TRY(fp_experiment(corpus, plan.further, plan.further_count, progress, arena, made, error));
    fp_status status = fp_counterparts_join(&plan, measurements, made, arena, counterparts, error);
    for (size_t i = 0; i < plan.further_count && status != FP_OK; i++) fp_measurement_free(made + i);
    return status;
}

void fp_counterparts_free(fp_counterparts *counterparts) {
    for (size_t i = 0; i < counterparts->measured; i++) fp_measurement_free(counterparts->measurements + i);
    *counterparts = (fp_counterparts){0};
}
