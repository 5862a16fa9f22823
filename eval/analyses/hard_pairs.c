/* SPDX-License-Identifier: GPL-3.0-or-later
 * Hard negatives: pairs that share facts, and nearest neighbours. */
#include "eval/analyses/hard_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "text/unicode/utf8.h"

/* ---- Pairs without repetition ---- */

FP_COMPARES(by_place, fp_hard_pair, FP_ORDER(a->a, b->a) ?: FP_ORDER(a->b, b->b));

/* partner[document_count], UINT32_MAX for none. */
static fp_status collect(const uint32_t *partner, size_t document_count, fp_arena *arena, fp_hard_pair **pairs,
                         size_t *count, fp_error *error) {
    fp_hard_pair *made = FP_NEED(fp_arena_raw(arena, document_count, sizeof *made), error);
    size_t used = 0, kept = 0;
    for (uint32_t i = 0; i < document_count; i++) {
        uint32_t other = partner[i];
        if (other != UINT32_MAX) made[used++] = other < i ? (fp_hard_pair){other, i} : (fp_hard_pair){i, other};
    }
    qsort(made, used, sizeof *made, by_place);
    for (size_t i = 0; i < used; i++)
        if (!kept || by_place(&made[kept - 1], &made[i]) != 0) made[kept++] = made[i];
    *pairs = made;
    *count = kept;
    return FP_OK;
}

/* ---- Facts ---- */

typedef struct fact {
    uint64_t hash;
    uint32_t document;
} fact;

typedef struct fact_list {
    fact *facts;
    size_t count, room;
    fp_arena *arena;
} fact_list;

static bool is_digit(uint32_t code) { return code - '0' < 10 || code - 0xff10 < 10; }
static bool is_latin(uint32_t code) { return (code | 0x20) - 'a' < 26; }

/* Full-width digits count as ASCII digits; numbers are compared as strings. */
static fp_status add_facts(void *context, size_t document, fp_string text, fp_error *error) {
    fact_list *to = context;
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        size_t size = fp_utf8_decode(text.data + at, &code), length = 0;
        bool digits = is_digit(code), capital = code - 'A' < 26;
        uint64_t hash = digits;
        if (!digits && !is_latin(code)) {
            at += size;
            continue;
        }
        while (at < text.length && (digits ? is_digit(code) : is_latin(code))) {
            hash = fp_mix(hash, code >= 0xff10 ? code - 0xff10 + '0' : code);
            length++;
            at += size;
            if (at < text.length) size = fp_utf8_decode(text.data + at, &code);
        }
        if (digits ? length < 2 : !capital || length < 3) continue;
        FP_TRY(FP_ROOM(to->arena, to->facts, to->count, to->room, error));
        to->facts[to->count++] = (fact){hash, (uint32_t)document};
    }
    return FP_OK;
}

FP_COMPARES(by_fact, fact, FP_ORDER(a->hash, b->hash) ?: FP_ORDER(a->document, b->document));

/* Sorts by hash and drops the facts that a document repeats. */
static void sort_facts(fact_list *list) {
    size_t kept = 0;
    if (list->count) qsort(list->facts, list->count, sizeof *list->facts, by_fact);
    for (size_t i = 0; i < list->count; i++)
        if (!kept || by_fact(&list->facts[kept - 1], &list->facts[i]) != 0) list->facts[kept++] = list->facts[i];
    list->count = kept;
}

/* Both directions of every two documents of different units, as often as they share a fact. */
static fp_status list_shared(const fp_copies *copies, const fact_list *facts, fp_hard_pair **made, size_t *count,
                             fp_error *error) {
    size_t room = 0;
    *made = NULL;
    *count = 0;
    for (size_t first = 0, end; first < facts->count; first = end) {
        for (end = first; end < facts->count && facts->facts[end].hash == facts->facts[first].hash;) end++;
        for (size_t i = first; i < end && end - first <= FP_COMMON_FACT; i++)
            for (size_t k = first; k < end; k++) {
                uint32_t a = facts->facts[i].document, b = facts->facts[k].document;
                if (copies->units.of[a] == copies->units.of[b]) continue;
                FP_TRY(FP_ROOM(facts->arena, *made, *count, room, error));
                (*made)[(*count)++] = (fp_hard_pair){a, b};
            }
    }
    return FP_OK;
}

/* Of equal partners, takes the earlier document. */
static void choose_partners(fp_hard_pair *of, size_t count, uint32_t *partner) {
    if (count) qsort(of, count, sizeof *of, by_place);
    size_t best = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && by_place(&of[first], &of[end]) == 0;) end++;
        if (!first || of[first - 1].a != of[first].a) best = 0;
        if (end - first < FP_LEAST_FACTS || end - first <= best) continue;
        best = end - first;
        partner[of[first].a] = of[first].b;
    }
}

fp_status fp_pairs_of_facts(const fp_copies *copies, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                            fp_error *error) {
    size_t documents = copies->corpus->document_count, shared_count = 0;
    fact_list facts = {.arena = arena};
    fp_hard_pair *list;
    uint32_t *partner = FP_NEED(fp_arena_raw(arena, documents, sizeof *partner), error);
    memset(partner, 0xff, documents * sizeof *partner);
    FP_TRY(fp_corpus_read_texts(copies->corpus, add_facts, &facts, error));
    sort_facts(&facts);
    FP_TRY(list_shared(copies, &facts, &list, &shared_count, error));
    choose_partners(list, shared_count, partner);
    return collect(partner, documents, arena, pairs, count, error);
}

/* ---- Neighbours ---- */

typedef struct search {
    const fp_copies *copies;
    const fp_measurement *measurement;
    uint32_t *partner;
} search;

static fp_status find_nearest(void *context, size_t document, fp_arena *arena, fp_error *error) {
    const search *in = context;
    (void)arena;
    (void)error;
    double nearest = in->measurement->arm->instance.layout.maximum;
    in->partner[document] = UINT32_MAX;
    for (size_t i = 0; i < in->copies->corpus->document_count; i++) {
        if (in->copies->units.of[i] == in->copies->units.of[document]) continue;
        double distance = fp_measurement_distance(in->measurement, document, i);
        if (!(distance < nearest)) continue;
        nearest = distance;
        in->partner[document] = (uint32_t)i;
    }
    return FP_OK;
}

fp_status fp_pairs_of_neighbours(const fp_copies *copies, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_arena *arena, fp_hard_pair **pairs, size_t *count,
                                 fp_error *error) {
    size_t documents = copies->corpus->document_count;
    if (documents > FP_NEIGHBOURS_MOST)
        return fp_fail(error, FP_ERROR_RANGE, "nearest neighbours of %zu documents: at most %d", documents,
                       FP_NEIGHBOURS_MOST);
    search in = {copies, measurement, FP_NEED(fp_arena_raw(arena, documents, sizeof *in.partner), error)};
    FP_TRY(fp_parallel_in(arena, documents, find_nearest, &in, "neighbours", progress, error));
    return collect(in.partner, documents, arena, pairs, count, error);
}
