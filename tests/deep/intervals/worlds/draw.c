/* SPDX-License-Identifier: GPL-3.0-or-later
 * Samples of a population. */
#include <math.h>
#include <string.h>

#include "tests/deep/intervals/worlds/population.h"

typedef struct drawing {
    const cell *of;
    gsl_rng *random;
    uint32_t *units;            /* [draws] */
    uint32_t *start;            /* [draws + 1] documents of the sample */
    uint32_t *draw;             /* [document_count] the draw that a document is of */
    uint8_t (*turn)[MOST_ARMS]; /* contest EQUAL: what each arm is called in a draw */
    uint8_t lane[MOST_LANES];   /* the arm of the set that a lane holds */
    fp_arena *arena;
    sample *out;
} drawing;

static uint32_t draw_unit(const cell *of, gsl_rng *random) {
    if (of->of->design != SINGLE_PAIRS) return (uint32_t)gsl_rng_uniform_int(random, of->set->unit_count);
    bool positive = gsl_rng_uniform(random) < of->positive;
    size_t first = positive ? 0 : of->positive_count,
           count = positive ? of->positive_count : of->set->unit_count - of->positive_count;
    return of->order[first + gsl_rng_uniform_int(random, count)];
}

static void shuffle(uint8_t turn[MOST_ARMS], size_t count, gsl_rng *random) {
    for (uint8_t i = 0; i < count; i++) {
        size_t j = gsl_rng_uniform_int(random, i + 1u);
        turn[i] = turn[j];
        turn[j] = i;
    }
}

static void make_room(drawing *with) {
    sample *out = with->out;
    if (out->count < out->room) return;
    out->room = out->room ? 2 * out->room : 4096;
    out->pairs = fp_arena_grow(with->arena, out->pairs, out->room * sizeof *out->pairs);
    for (size_t lane = 0; lane < with->of->lane_count; lane++)
        out->distance[lane] = fp_arena_grow(with->arena, out->distance[lane], out->room * sizeof(double));
}

static void add(drawing *with, fp_pair pair, size_t owner, const uint16_t *const *from, size_t at) {
    make_room(with);
    sample *out = with->out;
    out->pairs[out->count] = pair;
    for (size_t lane = 0; lane < with->of->lane_count; lane++)
        out->distance[lane][out->count] =
            from[with->turn ? with->turn[owner][lane] : with->lane[lane]][at] / (double)STEPS;
    out->count++;
}

static void add_inside(drawing *with) {
    const set *from = with->of->set;
    for (size_t i = 0; i < with->of->draws; i++) {
        const set_unit *at = from->units + with->units[i];
        for (uint32_t k = at->pair_start; k < at->pair_end; k++) {
            fp_pair pair = from->pairs[k];
            add(with, (fp_pair){pair.a - at->start + with->start[i], pair.b - at->start + with->start[i], pair.label},
                i, from->inside, k);
        }
    }
}

/* Where the distance of two documents of the set is. */
static size_t place_of(size_t a, size_t b) { return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a; }

static void add_all_across(drawing *with) {
    const set *from = with->of->set;
    for (size_t i = 0; i < with->of->draws; i++) {
        const set_unit *u = from->units + with->units[i];
        for (size_t j = i + 1; j < with->of->draws; j++) {
            const set_unit *v = from->units + with->units[j];
            if (u == v) continue;
            for (uint32_t a = u->start; a < u->end; a++) {
                for (uint32_t b = v->start; b < v->end; b++)
                    add(with, (fp_pair){a - u->start + with->start[i], b - v->start + with->start[j], 0}, i,
                        from->across, place_of(a, b));
            }
        }
    }
}

/* Each pair across is listed with the same probability: steps between those that are have the geometric law. */
static void add_listed_across(drawing *with) {
    const set *from = with->of->set;
    double step = log1p(-fmin(with->of->listed, 1 - 1e-12));
    uint32_t a = 1, count = with->start[with->of->draws];
    for (uint64_t b = 0;;) {
        b += (uint64_t)fmin(1e15, log(gsl_rng_uniform_pos(with->random)) / step);
        while (a < count && b >= a) b -= a++;
        if (a >= count) return;
        uint32_t i = with->draw[a], j = with->draw[b];
        if (with->units[i] != with->units[j])
            add(with, (fp_pair){a, (uint32_t)b, 0}, j, from->across,
                place_of(from->units[with->units[i]].start + a - with->start[i],
                         from->units[with->units[j]].start + (uint32_t)b - with->start[j]));
        b++;
    }
}

static void number_documents(drawing *with) {
    const cell *of = with->of;
    for (size_t i = 0; i < of->draws; i++) {
        const set_unit *at = of->set->units + with->units[i];
        with->start[i + 1] = with->start[i] + at->end - at->start;
    }
    size_t count = with->out->document_count = with->start[of->draws];
    with->draw = fp_arena_raw(with->arena, count, sizeof *with->draw);
    for (uint32_t i = 0; i < of->draws; i++)
        for (uint32_t k = with->start[i]; k < with->start[i + 1]; k++) with->draw[k] = i;
    with->out->group = of->of->grouped ? with->draw : NULL;
}

void draw_sample(const cell *of, gsl_rng *random, fp_arena *arena, sample *to) {
    *to = (sample){0};
    drawing with = {.of = of,
                    .random = random,
                    .units = fp_arena_raw(arena, of->draws, sizeof *with.units),
                    .start = fp_arena_alloc(arena, of->draws + 1, sizeof *with.start),
                    .arena = arena,
                    .out = to};
    for (size_t i = 0; i < of->draws; i++) with.units[i] = draw_unit(of, random);
    if (of->of->contest == EQUAL) {
        with.turn = fp_arena_raw(arena, of->draws, sizeof *with.turn);
        for (size_t i = 0; i < of->draws; i++) shuffle(with.turn[i], of->set->arm_count, random);
    }
    bool seeds = of->of->contest == SEEDS || of->of->contest == SEEDS_EQUAL;
    for (size_t lane = 0; lane < of->lane_count; lane++)
        with.lane[lane] = (uint8_t)(seeds ? gsl_rng_uniform_int(random, of->set->arm_count) : lane);
    to->own = seeds ? with.lane[0] : 0;
    number_documents(&with);
    make_room(&with);
    add_inside(&with);
    if (of->of->design == LISTED) add_listed_across(&with);
    else if (of->of->design != SINGLE_PAIRS) add_all_across(&with);
}
