/* SPDX-License-Identifier: GPL-3.0-or-later
 * Marks of bits and of slots. */
#include "eval/experiment/drawing/neighbour_marks.h"

#include <gsl/gsl_randist.h>
#include <string.h>

#include "eval/units/generator.h"
#include "index/bands/slot_values.h"

/* What a mark of bits or of slots should tell apart: slots of fewer bits are taken together. */
enum { MARK_BITS = 32, SLOT_BITS = 16 };

bool fp_neighbour_marks_can(const fp_measurement *measurement) {
    const fp_layout *layout = &measurement->arm->instance.layout;
    return layout->bits || layout->slots;
}

static size_t parts_of(const fp_layout *layout) { return layout->bits ? layout->bits : layout->slots; }

static size_t wanted_of(const fp_layout *layout) {
    size_t parts = parts_of(layout), wanted = MARK_BITS;
    if (!layout->bits && parts) wanted = layout->slot_bits < SLOT_BITS ? SLOT_BITS / layout->slot_bits : 1;
    return wanted < parts ? wanted : parts;
}

fp_status fp_neighbour_marker_make(const fp_measurement *measurement, uint64_t seed, fp_arena *arena,
                                   fp_neighbour_marker *marker, fp_error *error) {
    const fp_layout *layout = &measurement->arm->instance.layout;
    size_t parts = parts_of(layout), take = wanted_of(layout);
    gsl_rng generator;
    uint32_t *part = fp_arena_raw(arena, take * FP_NEIGHBOUR_MARKS, sizeof *part),
             *all = fp_arena_raw(arena, parts, sizeof *all);
    if (!part || !all) return fp_no_memory(error);
    *marker = (fp_neighbour_marker){measurement, seed, take, part};
    FP_TRY(fp_generator_open(seed, parts, arena, &generator, error));
    for (size_t i = 0; i < parts; i++) all[i] = (uint32_t)i;
    for (size_t m = 0; m < FP_NEIGHBOUR_MARKS; m++) {
        gsl_ran_shuffle(&generator, all, parts, sizeof *all);
        memcpy(part + m * take, all, take * sizeof *all);
    }
    return FP_OK;
}

static void mark_bits(const fp_neighbour_marker *marker, const uint64_t *words, uint32_t *mark) {
    for (size_t m = 0; m < FP_NEIGHBOUR_MARKS; m++) {
        const uint32_t *part = marker->part + m * marker->take;
        mark[m] = 0;
        for (size_t i = 0; i < marker->take; i++) mark[m] = mark[m] << 1 | (words[part[i] / 64] >> part[i] % 64 & 1);
    }
}

static void mark_slots(const fp_neighbour_marker *marker, const void *sketch, uint32_t *mark) {
    const fp_layout *layout = &marker->measurement->arm->instance.layout;
    for (size_t m = 0; m < FP_NEIGHBOUR_MARKS; m++) {
        uint64_t sum = m, value;
        for (size_t i = 0; i < marker->take; i++) {
            fp_slot_values(layout, sketch, marker->part[m * marker->take + i], 1, &value);
            sum = fp_mix(value, sum);
        }
        mark[m] = (uint32_t)(sum >> 32);
    }
}

void fp_neighbour_marks(const fp_neighbour_marker *marker, size_t document, uint32_t *mark) {
    fp_sketch sketch = fp_sketches_at(&marker->measurement->sketches, document);
    if (marker->measurement->arm->instance.layout.bits) mark_bits(marker, sketch.data, mark);
    else mark_slots(marker, sketch.data, mark);
}
