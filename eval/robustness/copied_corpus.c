/* SPDX-License-Identifier: GPL-3.0-or-later
 * A corpus of documents and copies, made in memory. */
#include "eval/robustness/copied_corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "text/unicode/utf8.h"

/* ---- Draws by id ---- */

/* Something with a random key: what has the smallest keys is drawn. */
typedef struct ticket {
    uint64_t key;
    uint32_t number;
} ticket;

static int by_key(const void *left, const void *right) {
    const ticket *one = left, *other = right;
    int order = FP_ORDER(one->key, other->key);
    return order ? order : FP_ORDER(one->number, other->number);
}

static uint64_t id_hash(const fp_copies *copies, size_t document, uint64_t stream) {
    fp_string id = copies->corpus->documents[document].id;
    return fp_xxh3(id.data, id.length, fp_mix(copies->means.seed, stream));
}

enum { STREAM_OF_DOCUMENTS = 1, STREAM_OF_FOLDS = 2, STREAM_OF_NEGATIVES = 3 };

static fp_status take_documents(const fp_copies *copies, size_t most, fp_arena *arena, fp_copied_corpus *to,
                                fp_error *error) {
    size_t all = copies->corpus->document_count, count = most && most < all ? most : all;
    ticket *tickets = fp_arena_raw(arena, all, sizeof *tickets);
    uint32_t *taken = fp_arena_raw(arena, count, sizeof *taken);
    if (!tickets || !taken) return fp_no_memory(error);
    for (size_t i = 0; i < all; i++) tickets[i] = (ticket){id_hash(copies, i, STREAM_OF_DOCUMENTS), (uint32_t)i};
    qsort(tickets, all, sizeof *tickets, by_key);
    for (size_t i = 0; i < count; i++) taken[i] = tickets[i].number;
    qsort(taken, count, sizeof *taken, fp_ascending_u32);
    to->taken = taken;
    to->count = count;
    return FP_OK;
}

/* ---- Units and folds ---- */

/* A unit is known by the smallest hash of its documents' ids, whatever the order of the corpus. */
static fp_status deal_units(const fp_copies *copies, fp_arena *arena, fp_copied_corpus *to, fp_error *error) {
    uint32_t *number = fp_arena_raw(arena, copies->units.count, sizeof *number),
             *unit = fp_arena_raw(arena, to->count, sizeof *unit);
    ticket *tickets = fp_arena_raw(arena, to->count, sizeof *tickets);
    uint8_t *fold = fp_arena_raw(arena, to->count, sizeof *fold);
    if (!number || !unit || !tickets || !fold) return fp_no_memory(error);
    memset(number, 0xff, copies->units.count * sizeof *number);
    for (size_t i = 0; i < to->count; i++) {
        uint32_t whole = copies->units.of[to->taken[i]];
        uint64_t key = id_hash(copies, to->taken[i], STREAM_OF_FOLDS);
        if (number[whole] == UINT32_MAX) {
            number[whole] = (uint32_t)to->unit_count;
            tickets[to->unit_count] = (ticket){key, (uint32_t)to->unit_count};
            to->unit_count++;
        }
        unit[i] = number[whole];
        if (key < tickets[unit[i]].key) tickets[unit[i]].key = key;
    }
    qsort(tickets, to->unit_count, sizeof *tickets, by_key);
    for (size_t u = 0; u < to->unit_count; u++) fold[tickets[u].number] = u % 2;
    to->unit = unit;
    to->fold = fold;
    if (to->unit_count >= 4) return FP_OK;
    return fp_at(error,
                 fp_fail(error, FP_ERROR_EMPTY, "%zu groups of documents; two folds want four or more", to->unit_count),
                 copies->corpus->path, SIZE_MAX, SIZE_MAX);
}

/* ---- Pairs ---- */

/* Distances from 0 on rise as their bits do. */
static uint64_t key_of_distance(double distance) {
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return bits;
}

/* The tickets of the documents that may stand beside the copies of document i; their number. */
static size_t candidates_of(const fp_copies *copies, const fp_copied_corpus *of, const fp_measurement *near, size_t i,
                            ticket *tickets) {
    size_t count = 0;
    uint64_t own = id_hash(copies, of->taken[i], STREAM_OF_NEGATIVES);
    for (size_t k = 0; k < of->count; k++) {
        if (of->unit[k] == of->unit[i] || of->fold[of->unit[k]] != of->fold[of->unit[i]]) continue;
        uint64_t key = near ? key_of_distance(fp_measurement_distance(near, of->taken[i], of->taken[k]))
                            : fp_mix(own, id_hash(copies, of->taken[k], STREAM_OF_NEGATIVES));
        tickets[count++] = (ticket){key, (uint32_t)k};
    }
    return count;
}

static fp_status make_pairs(const fp_copies *copies, size_t most, const fp_measurement *near, fp_arena *arena,
                            fp_copied_corpus *to, fp_error *error) {
    size_t cells = copies->cell_count, room = to->count * cells * (1 + most), used = 0;
    ticket *tickets = fp_arena_raw(arena, to->count, sizeof *tickets);
    fp_pair *pairs = fp_arena_raw(arena, room, sizeof *pairs);
    size_t *first = fp_arena_raw(arena, to->count, sizeof *first),
           *negatives = fp_arena_raw(arena, to->count, sizeof *negatives);
    if (!tickets || !pairs || !first || !negatives) return fp_no_memory(error);
    for (size_t i = 0; i < to->count; i++) {
        size_t there = candidates_of(copies, to, near, i, tickets), count = there < most ? there : most;
        if (there) qsort(tickets, there, sizeof *tickets, by_key);
        first[i] = used;
        negatives[i] = count;
        for (size_t c = 0; c < cells; c++) {
            uint32_t copy = (uint32_t)(to->count + i * cells + c);
            pairs[used++] = (fp_pair){.a = (uint32_t)i, .b = copy, .label = 1};
            for (size_t n = 0; n < count; n++) pairs[used++] = (fp_pair){.a = tickets[n].number, .b = copy};
        }
    }
    to->corpus.pairs = pairs;
    to->corpus.pair_count = used;
    to->first = first;
    to->negatives = negatives;
    return FP_OK;
}

/* ---- Copies ---- */

typedef struct making {
    const fp_copies *copies;
    const fp_copied_corpus *of;
    const fp_string *all; /* texts of the corpus, in memory */
    fp_string *texts;
    fp_corpus_document *documents;
    size_t *sites, *changes; /* a row of cells for each document */
} making;

static fp_status copy_document(void *context, size_t i, fp_arena *arena, fp_error *error) {
    const making *with = context;
    size_t cells = with->copies->cell_count, document = with->of->taken[i];
    fp_string id = with->copies->corpus->documents[document].id;
    fp_string donors[FP_COPY_DONORS];
    for (size_t k = 0; with->copies->takes && k < FP_COPY_DONORS; k++)
        donors[k] = with->all[fp_copies_donor(with->copies, document, 0, k)];
    const fp_copied_text copied = {.document = document, .text = with->all[document], .donors = donors};
    with->texts[i] = with->all[document];
    with->documents[i] = with->copies->corpus->documents[document];
    for (size_t c = 0; c < cells; c++) {
        size_t at = with->of->count + i * cells + c;
        fp_corrupted made;
        const char *name = fp_format(arena, "%.*s~%s", (int)id.length, id.data, with->copies->cells[c].name);
        if (!name) return fp_no_memory(error);
        FP_TRY(fp_copies_make(with->copies, &copied, c, arena, &made, error));
        with->texts[at] = made.text;
        with->documents[at] = (fp_corpus_document){fp_string_of(name), fp_utf8_count(made.text)};
        for (size_t s = 0; s < made.step_count; s++) {
            with->sites[i * cells + c] += made.steps[s].sites;
            with->changes[i * cells + c] += made.steps[s].changes;
        }
    }
    return FP_OK;
}

static fp_status make_texts(const fp_copies *copies, const fp_progress *progress, fp_arena *arena, fp_copied_corpus *to,
                            fp_error *error) {
    size_t cells = copies->cell_count, all = to->count * (1 + cells);
    fp_string *texts = fp_arena_raw(arena, copies->corpus->document_count, sizeof *texts);
    if (!texts) return fp_no_memory(error);
    FP_TRY(fp_corpus_fetch(copies->corpus, NULL, copies->corpus->document_count, arena, texts, error));
    making with = {copies,
                   to,
                   texts,
                   fp_arena_raw(arena, all, sizeof *with.texts),
                   fp_arena_raw(arena, all, sizeof *with.documents),
                   fp_arena_alloc(arena, to->count * cells, sizeof *with.sites),
                   fp_arena_alloc(arena, to->count * cells, sizeof *with.changes)};
    to->sites = fp_arena_alloc(arena, cells, sizeof *to->sites);
    to->changes = fp_arena_alloc(arena, cells, sizeof *to->changes);
    if (!with.texts || !with.documents || !with.sites || !with.changes || !to->sites || !to->changes)
        return fp_no_memory(error);
    FP_TRY(fp_arenas_open(&to->texts, progress, arena, error));
    fp_status status = fp_parallel(to->count, &to->texts, false, copy_document, &with, "copies", progress, error);
    if (status != FP_OK) {
        fp_arenas_free(&to->texts);
        return status;
    }
    for (size_t i = 0; i < to->count * cells; i++) {
        to->sites[i % cells] += with.sites[i];
        to->changes[i % cells] += with.changes[i];
    }
    to->corpus.document_count = all;
    to->corpus.documents = with.documents;
    to->corpus.texts = with.texts;
    return FP_OK;
}

static fp_status make_rest(fp_copied_corpus *to, fp_arena *arena, fp_error *error) {
    uint32_t *group = fp_arena_raw(arena, to->corpus.document_count, sizeof *group);
    fp_string *kinds = fp_arena_alloc(arena, to->corpus.pair_count, sizeof *kinds);
    if (!group || !kinds) return fp_no_memory(error);
    size_t cells = to->corpus.document_count / to->count - 1;
    for (size_t i = 0; i < to->count; i++) {
        group[i] = to->unit[i];
        for (size_t c = 0; c < cells; c++) group[to->count + i * cells + c] = to->unit[i];
    }
    to->corpus.group = group;
    to->corpus.group_count = to->unit_count;
    to->corpus.kinds = kinds;
    return FP_OK;
}

fp_status fp_copied_corpus_make(const fp_copies *copies, size_t most, size_t negatives, const fp_measurement *near,
                                const fp_progress *progress, fp_arena *arena, fp_copied_corpus *made, fp_error *error) {
    const fp_corpus *from = copies->corpus;
    *made = (fp_copied_corpus){
        .corpus = {.path = from->path, .name = from->name, .truth = FP_TRUTH_PAIRS, .memory = arena}};
    FP_TRY(take_documents(copies, most, arena, made, error));
    FP_TRY(deal_units(copies, arena, made, error));
    FP_TRY(make_pairs(copies, negatives, near, arena, made, error));
    FP_TRY(make_texts(copies, progress, arena, made, error));
    fp_status status = make_rest(made, arena, error);
    if (status != FP_OK) fp_copied_corpus_close(made);
    return status;
}

void fp_copied_corpus_close(fp_copied_corpus *of) { fp_arenas_free(&of->texts); }
