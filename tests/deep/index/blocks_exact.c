/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * blocks_exact BITS COUNT [FILE [LEVELS]]: whether block tables find all pairs within a distance, and nothing else, for
 * every distance from 0 to 16 and several designs, over COUNT random fingerprints or those of FILE (hexadecimal,
 * the second field of each line but the first; with LEVELS twenty digits, each a thermometer of LEVELS − 1 bits). To
 * them are added, for each distance from 0 to 17, some that are so far from one of them, with the differing bits spread
 * evenly over the blocks. The truth is a loop over all fingerprints, for each of those and for others drawn at random.
 * Exit status 1 when anything was missed, or anything else was found. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pairs/block_pairs.h"

enum {
    MOST_DISTANCE = 16,
    PLANTED = 20, /* of each distance */
    DRAWN = 150,
    FRESH = 50,
    STORED = (MOST_DISTANCE + 2) * PLANTED + DRAWN, /* queries that are stored come first */
    QUERIES = STORED + FRESH
};
static const double MOST_BYTES = 1.5e9, MOST_COMPARED = 4e10;

typedef struct near {
    uint32_t number, distance;
} near;

/* What is within MOST_DISTANCE of a query, by distance, then number. */
typedef struct truth {
    near *found;
    _Atomic bool *seen; /* of pairs */
    size_t count, room;
} truth;

typedef struct data {
    unsigned bits;
    size_t words, count;
    uint64_t *fingerprints, *queries;
    uint32_t *query_of; /* of a stored fingerprint: its query + 1, or 0 */
    truth truths[QUERIES];
} data;

/* ---- Fingerprints ---- */

static void read_hexadecimal(const char *text, size_t words, uint64_t *to) {
    size_t digits = strlen(text);
    for (size_t i = 0; i < digits && i < words * 16; i++) {
        char digit = text[digits - 1 - i];
        to[i / 16] |= (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10) << i % 16 * 4;
    }
}

static void read_thermometer(const char *text, unsigned levels, uint64_t *to) {
    for (size_t letter = 0; text[letter]; letter++)
        for (size_t k = 0; k < (size_t)(text[letter] - '0'); k++) {
            size_t bit = letter * (levels - 1) + k;
            to[bit / 64] |= UINT64_C(1) << bit % 64;
        }
}

static size_t read_file(const char *path, unsigned levels, size_t most, size_t words, uint64_t *to) {
    char line[4096], text[4096];
    FILE *file = fopen(path, "r");
    size_t count = 0;
    if (!file || !fgets(line, sizeof line, file)) exit(2);
    while (count < most && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%*s %4095s", text) != 1) exit(2);
        if (levels) read_thermometer(text, levels, to + count++ * words);
        else read_hexadecimal(text, words, to + count++ * words);
    }
    fclose(file);
    return count;
}

static void draw(const data *of, uint64_t seed, uint64_t *to) {
    for (size_t w = 0; w < of->words; w++) to[w] = fp_mix(seed, w + 1);
    if (of->bits % 64) to[of->words - 1] &= (UINT64_C(1) << of->bits % 64) - 1;
}

static void ask(data *of, size_t query, size_t stored) {
    memcpy(of->queries + query * of->words, of->fingerprints + stored * of->words, of->words * 8);
    of->query_of[stored] = (uint32_t)query + 1;
}

/* The base of each that is planted becomes a query. */
static void plant(data *of) {
    size_t base = of->count, query = 0;
    for (unsigned distance = 0; distance <= MOST_DISTANCE + 1; distance++)
        for (size_t i = 0; i < PLANTED; i++, query++) {
            size_t from = base / STORED * query + i; /* each another */
            uint64_t *to = of->fingerprints + of->count++ * of->words;
            memcpy(to, of->fingerprints + from * of->words, of->words * 8);
            for (unsigned k = 0; k < distance; k++) {
                size_t bit = (fp_mix(query, 5) + (size_t)k * of->bits / distance) % of->bits;
                to[bit / 64] ^= UINT64_C(1) << bit % 64;
            }
            ask(of, query, from);
        }
    for (; query < STORED; query++) ask(of, query, base / STORED * query);
    for (; query < QUERIES; query++) draw(of, fp_mix(query, 99), of->queries + query * of->words);
}

/* ---- The loop ---- */

static int compare_found(const void *left, const void *right) {
    const near *a = left, *b = right;
    return a->distance != b->distance ? FP_ORDER(a->distance, b->distance) : FP_ORDER(a->number, b->number);
}

static fp_status find_truth(void *context, size_t query, fp_arena *arena, fp_error *error) {
    data *of = context;
    truth *to = of->truths + query;
    const uint64_t *wanted = of->queries + query * of->words;
    (void)arena;
    for (size_t i = 0; i < of->count; i++) {
        uint32_t distance = 0;
        for (size_t w = 0; w < of->words; w++)
            for (uint64_t bits = wanted[w] ^ of->fingerprints[i * of->words + w]; bits && distance <= MOST_DISTANCE;
                 bits &= bits - 1)
                distance++;
        if (distance > MOST_DISTANCE) continue;
        if (to->count == to->room) to->found = realloc(to->found, (to->room += to->room + 64) * sizeof *to->found);
        if (!to->found) return fp_no_memory(error);
        to->found[to->count++] = (near){(uint32_t)i, distance};
    }
    if (to->count) qsort(to->found, to->count, sizeof *to->found, compare_found);
    to->seen = calloc(to->count + 1, sizeof *to->seen);
    return to->seen ? FP_OK : fp_no_memory(error);
}

static size_t within(const truth *of, unsigned distance) {
    size_t count = 0;
    while (count < of->count && of->found[count].distance <= distance) count++;
    return count;
}

typedef struct score {
    data *of;
    unsigned distance;
    _Atomic uint64_t found, missed, extra;
} score;

static void check(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "%s\n", error->message);
    exit(2);
}

static bool report(const char *what, const data *of, const score *in) {
    printf("%u bits, %zu fingerprints, within %2u, %-28s %9" PRIu64 " found, %" PRIu64 " missed, %" PRIu64 " extra\n",
           of->bits, of->count, in->distance, what, in->found, in->missed, in->extra);
    return in->missed || in->extra;
}

/* ---- Pairs ---- */

/* Of those with a query: the other one is in its list, and is seen for the first time. */
static void see(score *in, uint32_t stored, uint32_t other, uint32_t distance) {
    uint32_t query = in->of->query_of[stored];
    if (!query) return;
    truth *of = in->of->truths + query - 1;
    near wanted = {other, distance};
    const near *at = of->count ? bsearch(&wanted, of->found, of->count, sizeof wanted, compare_found) : NULL;
    if (!at || distance > in->distance || of->seen[at - of->found]) in->extra++;
    else of->seen[at - of->found] = true;
}

static fp_status see_pairs(void *context, const fp_found_pair *pairs, size_t count, fp_error *error) {
    (void)error;
    for (size_t i = 0; i < count; i++) {
        see(context, pairs[i].a, pairs[i].b, pairs[i].distance);
        see(context, pairs[i].b, pairs[i].a, pairs[i].distance);
    }
    return FP_OK;
}

static bool try_pairs(data *of, const fp_block_design *design, const fp_arenas *arenas) {
    fp_error error;
    char what[64];
    fp_arena *arena = fp_arena_new();
    score in = {.of = of, .distance = design->distance};
    fp_block_source source = {of->fingerprints, NULL, of->count};
    for (size_t q = 0; q < STORED; q++)
        for (size_t i = 0; i < of->truths[q].count; i++) of->truths[q].seen[i] = false;
    check(fp_block_pairs(design, &source, see_pairs, &in, arenas, NULL, &error), &error);
    for (size_t i = 0; i < of->count; i++) {
        if (!of->query_of[i]) continue;
        const truth *wanted = of->truths + of->query_of[i] - 1;
        for (size_t k = 0; k < within(wanted, design->distance); k++) {
            if (wanted->found[k].number == i) continue; /* itself */
            if (wanted->seen[k]) in.found++;
            else in.missed++;
        }
    }
    snprintf(what, sizeof what, "all pairs, %s", fp_block_design_text(design, arena));
    fp_arena_free(arena);
    return report(what, of, &in);
}

/* ---- Designs ---- */

static bool try_design(data *of, const fp_block_design *design, const fp_arenas *arenas) {
    double count = (double)of->count;
    fp_block_cost cost = fp_block_design_cost(design, count);
    bool tried = design->level_count && cost.compared * count / 2 <= MOST_COMPARED && cost.tables <= 40;
    return tried && try_pairs(of, design, arenas);
}

static bool try_distance(data *of, unsigned distance, const fp_arenas *arenas) {
    static const fp_block_level more[][2] = {{{1, 1}, {0, 0}}, {{2, 2}, {0, 0}}, {{3, 3}, {0, 0}},
                                             {{4, 1}, {0, 0}}, {{1, 1}, {1, 1}}, {{2, 2}, {2, 1}}};
    fp_block_design design = {.bits = of->bits, .distance = distance};
    fp_error error;
    bool bad = false;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        design.level_count = more[i][1].blocks ? 2 : 1;
        for (unsigned l = 0; l < design.level_count; l++)
            design.level[l] = (fp_block_level){distance + more[i][l].blocks, more[i][l].agree};
        if (fp_block_design_check(&design, &error) == FP_OK) bad = try_design(of, &design, arenas) || bad;
    }
    check(fp_block_design_choose(of->bits, distance, (double)of->count, MOST_BYTES, &design, &error), &error);
    return try_design(of, &design, arenas) || bad;
}

int main(int argc, char **argv) {
    static data of;
    if (argc < 3) return 2;
    of.bits = (unsigned)atoi(argv[1]);
    of.words = fp_block_words(of.bits);
    of.count = (size_t)strtoull(argv[2], NULL, 10);
    size_t room = of.count + STORED;
    of.fingerprints = calloc(room * of.words, sizeof *of.fingerprints);
    of.queries = calloc(QUERIES * of.words, sizeof *of.queries);
    of.query_of = calloc(room, sizeof *of.query_of);
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    fp_error error;
    if (!of.fingerprints || !of.queries || !of.query_of || !arena) return 2;
    check(fp_arenas_open(&arenas, NULL, arena, &error), &error);
    if (argc > 3)
        of.count = read_file(argv[3], argc > 4 ? (unsigned)atoi(argv[4]) : 0, of.count, of.words, of.fingerprints);
    else
        for (size_t i = 0; i < of.count; i++) draw(&of, i, of.fingerprints + i * of.words);
    if (of.count < 2 * STORED) return 2;
    plant(&of);
    check(fp_parallel(QUERIES, &arenas, false, find_truth, &of, "", NULL, &error), &error);
    bool bad = false;
    for (unsigned distance = 0; distance <= MOST_DISTANCE; distance++)
        bad = try_distance(&of, distance, &arenas) || bad;
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
    return bad;
}
