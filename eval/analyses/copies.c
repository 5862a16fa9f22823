/* SPDX-License-Identifier: GPL-3.0-or-later
 * Corrupted copies of documents. */
#include "eval/analyses/copies.h"

#include <stdlib.h>
#include <string.h>

#include "eval/units/shape.h"
#include "text/unicode/utf8.h"

/* ---- Cells ---- */

static fp_status parse_rates(fp_string text, size_t most, double rates[FP_COPY_RATES], size_t *count, fp_error *error) {
    char number[32];
    *count = 0;
    for (fp_string rest = text, field; fp_next_field(&rest, ',', &field); ++*count) {
        if (*count == most) return fp_fail(error, FP_ERROR_RANGE, "--rate takes at most %zu rates", most);
        snprintf(number, sizeof number, "%.*s", (int)(field.length < 31 ? field.length : 31), field.data);
        if (!fp_parse_real(number, &rates[*count]) || !(rates[*count] >= 0) || rates[*count] > 1)
            return fp_fail(error, FP_ERROR_SYNTAX, "--rate takes shares from 0 to 1, separated by commas, not \"%s\"",
                           number);
    }
    for (size_t i = 0; i < *count; i++)
        for (size_t k = 0; k < i; k++)
            if (rates[k] == rates[i])
                return fp_fail(error, FP_ERROR_DUPLICATE, "the rate %.12g is there twice", rates[i]);
    return FP_OK;
}

typedef struct cell_list {
    fp_copy_cell *cells;
    size_t count, room;
} cell_list;

static fp_status add_kind(fp_string name, const double *rates, size_t rate_count, cell_list *to, fp_arena *arena,
                          fp_error *error) {
    fp_corruption corruption;
    FP_TRY(fp_corruption_parse(name, &corruption, error));
    const char *kind = FP_NEED(fp_string_copy(arena, name), error);
    for (size_t i = 0; i < to->count; i++)
        if (strcmp(to->cells[i].kind, kind) == 0)
            return fp_fail(error, FP_ERROR_DUPLICATE, "the kind %s is there twice", kind);
    FP_TRY(FP_ROOM(arena, to->cells, to->count + rate_count, to->room, error));
    for (size_t r = 0; r < rate_count; r++) {
        const char *cell = FP_NEED(fp_format(arena, "%s@%.12g", kind, rates[r]), error);
        to->cells[to->count++] = (fp_copy_cell){corruption, kind, rates[r], cell};
    }
    return FP_OK;
}

fp_status fp_copy_cells_make(fp_string kinds, fp_string rates_text, size_t most, fp_arena *arena,
                             const fp_copy_cell **made, size_t *count, fp_error *error) {
    cell_list list = {0};
    double rates[FP_COPY_RATES];
    size_t rate_count;
    FP_TRY(parse_rates(rates_text, most, rates, &rate_count, error));
    for (fp_string rest = kinds, name; fp_next_field(&rest, ',', &name);) {
        if (!fp_string_equal(name, fp_string_of("all"))) {
            FP_TRY(add_kind(name, rates, rate_count, &list, arena, error));
            continue;
        }
        for (size_t k = 0; fp_corruption_at(k); k++)
            FP_TRY(add_kind(fp_string_of(fp_corruption_at(k)->name), rates, rate_count, &list, arena, error));
    }
    *made = list.cells;
    *count = list.count;
    return FP_OK;
}

/* ---- Sources of the copies ---- */

static int by_id(const void *left, const void *right, void *documents) {
    const fp_corpus_document *of = documents;
    return fp_string_compare(of[*(const uint32_t *)left].id, of[*(const uint32_t *)right].id);
}

static fp_status rank_ids(fp_copies *copies, fp_arena *arena, fp_error *error) {
    size_t count = copies->corpus->document_count;
    uint32_t *order = FP_NEED(fp_arena_raw(arena, count, sizeof *order), error);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t)i;
    qsort_r(order, count, sizeof *order, by_id, (void *)(uintptr_t)copies->corpus->documents);
    copies->by_id = order;
    return FP_OK;
}

static fp_status tally(void *times, size_t document, fp_string text, fp_error *error) {
    (void)document, (void)error;
    fp_character_tally(text, times);
    return FP_OK;
}

static fp_status count_characters(fp_copies *copies, fp_arena *arena, fp_error *error) {
    enum { CODES = 0x110000 };
    FP_SCRATCH(scratch, arena, error);
    uint32_t *times = FP_NEED(fp_arena_alloc(scratch, CODES, sizeof *times), error);
    fp_character_counts *counts = FP_NEED(fp_arena_alloc(arena, 1, sizeof *counts), error);
    FP_TRY(fp_corpus_read_texts(copies->corpus, tally, times, error));
    FP_TRY(fp_character_counts_make(times, arena, counts, error));
    copies->means.counts = counts;
    return FP_OK;
}

static fp_status open_means(fp_copies *copies, const fp_synonyms *synonyms, fp_arena *arena, fp_error *error) {
    static const fp_segment_options USUAL = {.hmm = true, .userdict = "none"};
    const fp_segmenter *jieba = fp_segmenter_at(0);
    copies->means.segmenter = jieba;
    FP_TRY(jieba->open(&USUAL, arena, &copies->means.segmenter_state, error));
    copies->means.synonyms = synonyms;
    if (synonyms) return FP_OK;
    return fp_synonyms_read(fp_synonyms_shipped(), arena, &copies->means.synonyms, error);
}

static bool has_han(const fp_character_counts *counts) {
    for (size_t i = 0; i < counts->count; i++)
        if (fp_letter_class_of(counts->code[i]) == FP_LETTER_HAN) return true;
    return false;
}

unsigned fp_copies_lack(const fp_copies *copies) {
    unsigned han = has_han(copies->means.counts) ? 0 : FP_NEEDS_HAN,
             donors = copies->units.count < 2 ? FP_NEEDS_DONORS : 0;
    return han | donors;
}

fp_status fp_copies_open(const fp_corpus *corpus, const fp_copy_cell *cells, size_t cell_count, uint64_t seed,
                         const fp_synonyms *synonyms, fp_arena *arena, fp_copies *copies, fp_error *error) {
    *copies = (fp_copies){.corpus = corpus, .cells = cells, .cell_count = cell_count, .means.seed = seed};
    fp_labelled_documents labelled = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    FP_SCRATCH(scratch, arena, error);
    FP_TRY(fp_components_make(&labelled, arena, scratch, &copies->units, error));
    FP_TRY(rank_ids(copies, arena, error));
    for (size_t i = 0; i < cell_count; i++) copies->takes |= (cells[i].corruption.needs & FP_NEEDS_DONORS) != 0;
    FP_TRY(count_characters(copies, arena, error));
    FP_TRY(open_means(copies, synonyms, arena, error));
    unsigned lack = fp_copies_lack(copies);
    for (size_t i = 0; i < copies->cell_count; i++) {
        unsigned missing = copies->cells[i].corruption.needs & lack;
        fp_status status = FP_OK;
        if (missing & FP_NEEDS_HAN)
            status = fp_fail(error, FP_ERROR_EMPTY, "%s changes Han characters, and the corpus has none",
                             copies->cells[i].kind);
        else if (missing & FP_NEEDS_DONORS)
            status =
                fp_fail(error, FP_ERROR_EMPTY, "%s takes from documents of another group, and the corpus has no other",
                        copies->cells[i].kind);
        if (status != FP_OK) return fp_at(error, status, copies->corpus->path, SIZE_MAX, SIZE_MAX);
    }
    return FP_OK;
}

/* ---- Copies ---- */

uint32_t fp_copies_other(const fp_copies *copies, size_t document, uint64_t draw) {
    size_t count = copies->corpus->document_count;
    fp_string id = copies->corpus->documents[document].id;
    uint64_t key = fp_mix(fp_xxh3(id.data, id.length, copies->means.seed), draw);
    enum { DRAWS = 64 };
    size_t at = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        at = (size_t)(fp_mix(key, i) % count);
        if (copies->units.of[copies->by_id[at]] != copies->units.of[document]) return copies->by_id[at];
    }
    /* A unit that holds nearly all documents: take the next document in the order of ids. */
    for (size_t i = 0; i < count; i++, at = at + 1 < count ? at + 1 : 0)
        if (copies->units.of[copies->by_id[at]] != copies->units.of[document]) return copies->by_id[at];
    return UINT32_MAX;
}

uint32_t fp_copies_donor(const fp_copies *copies, size_t document, uint64_t copy, size_t place) {
    return fp_copies_other(copies, document, copy * FP_COPY_DONORS + place);
}

fp_status fp_copies_make(const fp_copies *copies, const fp_copied_text *of, size_t cell, fp_arena *arena,
                         fp_corrupted *made, fp_error *error) {
    const fp_copy_cell *in = &copies->cells[cell];
    const bool takes = in->corruption.needs & FP_NEEDS_DONORS;
    const fp_corruption_text text = {.id = copies->corpus->documents[of->document].id,
                                     .copy = of->copy,
                                     .text = of->text,
                                     .donors = takes ? of->donors : NULL,
                                     .donor_count = takes ? FP_COPY_DONORS : 0};
    return fp_corrupt(&in->corruption, in->rate, &copies->means, &text, arena, made, error);
}

/* ---- Sampling by id ---- */

static uint64_t id_hash(const fp_copies *copies, size_t document, uint64_t stream) {
    fp_string id = copies->corpus->documents[document].id;
    return fp_xxh3(id.data, id.length, fp_mix(copies->means.seed, stream));
}

enum { STREAM_OF_DOCUMENTS = 1, STREAM_OF_FOLDS = 2, STREAM_OF_NEGATIVES = 3 };

static fp_status take_documents(const fp_copies *copies, size_t most, fp_arena *arena, fp_copied_corpus *to,
                                fp_error *error) {
    size_t all = copies->corpus->document_count, count = most && most < all ? most : all;
    fp_placed_key *tickets = FP_NEED(fp_arena_raw(arena, all, sizeof *tickets), error);
    uint32_t *taken = FP_NEED(fp_arena_raw(arena, count, sizeof *taken), error);
    for (size_t i = 0; i < all; i++) tickets[i] = (fp_placed_key){id_hash(copies, i, STREAM_OF_DOCUMENTS), (uint32_t)i};
    qsort(tickets, all, sizeof *tickets, fp_by_placed_key);
    for (size_t i = 0; i < count; i++) taken[i] = tickets[i].place;
    qsort(taken, count, sizeof *taken, fp_ascending_u32);
    to->taken = taken;
    to->count = count;
    return FP_OK;
}

/* ---- Units and folds ---- */

/* The key of a unit is the smallest hash of its documents' ids; the order of the corpus has no effect. */
static fp_status deal_units(const fp_copies *copies, fp_arena *arena, fp_copied_corpus *to, fp_error *error) {
    uint32_t *number = FP_NEED(fp_arena_raw(arena, copies->units.count, sizeof *number), error),
             *unit = FP_NEED(fp_arena_raw(arena, to->count, sizeof *unit), error);
    fp_placed_key *tickets = FP_NEED(fp_arena_raw(arena, to->count, sizeof *tickets), error);
    uint8_t *fold = FP_NEED(fp_arena_raw(arena, to->count, sizeof *fold), error);
    memset(number, 0xff, copies->units.count * sizeof *number);
    for (size_t i = 0; i < to->count; i++) {
        uint32_t of = copies->units.of[to->taken[i]];
        uint64_t key = id_hash(copies, to->taken[i], STREAM_OF_FOLDS);
        if (number[of] == UINT32_MAX) {
            number[of] = (uint32_t)to->unit_count;
            tickets[to->unit_count] = (fp_placed_key){key, (uint32_t)to->unit_count};
            to->unit_count++;
        }
        unit[i] = number[of];
        if (key < tickets[unit[i]].key) tickets[unit[i]].key = key;
    }
    qsort(tickets, to->unit_count, sizeof *tickets, fp_by_placed_key);
    for (size_t u = 0; u < to->unit_count; u++) fold[tickets[u].place] = u % 2;
    to->unit = unit;
    to->fold = fold;
    if (to->unit_count >= 4) return FP_OK;
    return fp_at(
        error, fp_fail(error, FP_ERROR_EMPTY, "%zu groups of documents; two folds need at least four", to->unit_count),
        copies->corpus->path, SIZE_MAX, SIZE_MAX);
}

/* ---- Pairs ---- */

/* For distances of 0 or more, the order of the bits is the order of the values. */
static uint64_t key_of_distance(double distance) {
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return bits;
}

/* Fills the tickets of the documents that can be negatives for the copies of document i; returns their number. */
static size_t candidates_of(const fp_copies *copies, const fp_copied_corpus *of, const fp_measurement *near, size_t i,
                            fp_placed_key *tickets) {
    size_t count = 0;
    uint64_t own = id_hash(copies, of->taken[i], STREAM_OF_NEGATIVES);
    for (size_t k = 0; k < of->count; k++) {
        if (of->unit[k] == of->unit[i] || of->fold[of->unit[k]] != of->fold[of->unit[i]]) continue;
        uint64_t key = near ? key_of_distance(fp_measurement_distance(near, of->taken[i], of->taken[k]))
                            : fp_mix(own, id_hash(copies, of->taken[k], STREAM_OF_NEGATIVES));
        tickets[count++] = (fp_placed_key){key, (uint32_t)k};
    }
    return count;
}

static fp_status make_pairs(const fp_copies *copies, size_t most, const fp_measurement *near, fp_arena *arena,
                            fp_copied_corpus *to, fp_error *error) {
    size_t cells = copies->cell_count, room = to->count * cells * (1 + most), used = 0;
    fp_placed_key *tickets = FP_NEED(fp_arena_raw(arena, to->count, sizeof *tickets), error);
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, room, sizeof *pairs), error);
    size_t *first = FP_NEED(fp_arena_raw(arena, to->count, sizeof *first), error),
           *negatives = FP_NEED(fp_arena_raw(arena, to->count, sizeof *negatives), error);
    for (size_t i = 0; i < to->count; i++) {
        size_t there = candidates_of(copies, to, near, i, tickets), count = there < most ? there : most;
        if (there) qsort(tickets, there, sizeof *tickets, fp_by_placed_key);
        first[i] = used;
        negatives[i] = count;
        for (size_t c = 0; c < cells; c++) {
            uint32_t copy = (uint32_t)(to->count + i * cells + c);
            pairs[used++] = (fp_pair){.a = (uint32_t)i, .b = copy, .label = 1};
            for (size_t n = 0; n < count; n++) pairs[used++] = (fp_pair){.a = tickets[n].place, .b = copy};
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
    size_t *sites, *changes; /* one row of cells per document */
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
        const char *name =
            FP_NEED(fp_format(arena, "%.*s~%s", (int)id.length, id.data, with->copies->cells[c].name), error);
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
    fp_string *texts = FP_NEED(fp_arena_raw(arena, copies->corpus->document_count, sizeof *texts), error);
    FP_TRY(fp_corpus_fetch(copies->corpus, NULL, copies->corpus->document_count, arena, texts, error));
    making with = {copies,
                   to,
                   texts,
                   FP_NEED(fp_arena_raw(arena, all, sizeof *with.texts), error),
                   FP_NEED(fp_arena_raw(arena, all, sizeof *with.documents), error),
                   FP_NEED(fp_arena_alloc(arena, to->count * cells, sizeof *with.sites), error),
                   FP_NEED(fp_arena_alloc(arena, to->count * cells, sizeof *with.changes), error)};
    to->sites = FP_NEED(fp_arena_alloc(arena, cells, sizeof *to->sites), error);
    to->changes = FP_NEED(fp_arena_alloc(arena, cells, sizeof *to->changes), error);
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
    uint32_t *group = FP_NEED(fp_arena_raw(arena, to->corpus.document_count, sizeof *group), error);
    fp_string *kinds = FP_NEED(fp_arena_alloc(arena, to->corpus.pair_count, sizeof *kinds), error);
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
