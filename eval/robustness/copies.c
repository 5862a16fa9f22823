/* SPDX-License-Identifier: GPL-3.0-or-later
 * Copies of documents, with what they are made of. */
#include "eval/robustness/copies.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cells ---- */

fp_status fp_copy_rates_parse(fp_string text, double *rates, size_t most, size_t *count, fp_error *error) {
    char number[32];
    *count = 0;
    for (fp_string rest = text, field; fp_next_field(&rest, ',', &field); ++*count) {
        if (*count == most) return fp_fail(error, FP_ERROR_RANGE, "at most %zu rates", most);
        snprintf(number, sizeof number, "%.*s", (int)(field.length < 31 ? field.length : 31), field.data);
        if (!fp_parse_real(number, &rates[*count]) || !(rates[*count] >= 0) || rates[*count] > 1)
            return fp_fail(error, FP_ERROR_SYNTAX, "shares from 0 to 1, separated by commas, not \"%s\"", number);
    }
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
    const char *kind = fp_string_copy(arena, name);
    if (!kind) return fp_no_memory(error);
    for (size_t i = 0; i < to->count; i++)
        if (strcmp(to->cells[i].kind, kind) == 0)
            return fp_fail(error, FP_ERROR_DUPLICATE, "the kind %s is there twice", kind);
    if (to->room < to->count + rate_count) {
        size_t room = 2 * to->room + 8 * rate_count;
        fp_copy_cell *larger = fp_arena_grow(arena, to->cells, room * sizeof *larger);
        if (!larger) return fp_no_memory(error);
        to->cells = larger;
        to->room = room;
    }
    for (size_t r = 0; r < rate_count; r++) {
        const char *cell = fp_format(arena, "%s@%.12g", kind, rates[r]);
        if (!cell) return fp_no_memory(error);
        to->cells[to->count++] = (fp_copy_cell){corruption, kind, rates[r], cell};
    }
    return FP_OK;
}

static fp_status check_rates(const double *rates, size_t count, fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!(rates[i] >= 0 && rates[i] <= 1))
            return fp_fail(error, FP_ERROR_RANGE, "a rate is a share from 0 to 1, not %.12g", rates[i]);
        for (size_t k = 0; k < i; k++)
            if (rates[k] == rates[i])
                return fp_fail(error, FP_ERROR_DUPLICATE, "the rate %.12g is there twice", rates[i]);
    }
    return FP_OK;
}

fp_status fp_copy_cells_make(fp_string kinds, const double *rates, size_t rate_count, fp_arena *arena,
                             const fp_copy_cell **made, size_t *count, fp_error *error) {
    cell_list list = {0};
    FP_TRY(check_rates(rates, rate_count, error));
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

/* ---- What copies are made of ---- */

typedef struct ranked_id {
    fp_string id;
    uint32_t document;
} ranked_id;

static int by_id(const void *a, const void *b) {
    return fp_string_compare(((const ranked_id *)a)->id, ((const ranked_id *)b)->id);
}

static fp_status rank_ids(fp_copies *copies, fp_arena *arena, fp_error *error) {
    size_t count = copies->corpus->document_count;
    ranked_id *ids = fp_arena_raw(arena, count, sizeof *ids);
    uint32_t *order = fp_arena_raw(arena, count, sizeof *order);
    if (!ids || !order) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) ids[i] = (ranked_id){copies->corpus->documents[i].id, (uint32_t)i};
    qsort(ids, count, sizeof *ids, by_id);
    for (size_t i = 0; i < count; i++) order[i] = ids[i].document;
    copies->by_id = order;
    return FP_OK;
}

/* Adds the characters of all texts, a batch after the other. */
static fp_status tally(const fp_corpus *corpus, fp_arena *scratch, uint32_t *times, fp_error *error) {
    fp_text_source source;
    fp_text_batch batch = {.count = 1};
    fp_status status = fp_corpus_source(corpus, scratch, &source, error);
    while (status == FP_OK && batch.count) {
        status = source.next(source.context, &batch, error);
        for (size_t i = 0; status == FP_OK && i < batch.count; i++) fp_character_tally(batch.text[i], times);
    }
    fp_text_source_close(&source);
    return status;
}

static fp_status count_characters(fp_copies *copies, fp_arena *arena, fp_error *error) {
    enum { CODES = 0x110000 };
    fp_arena *scratch = fp_arena_new_like(arena);
    uint32_t *times = scratch ? fp_arena_alloc(scratch, CODES, sizeof *times) : NULL;
    fp_character_counts *counts = fp_arena_alloc(arena, 1, sizeof *counts);
    fp_status status = times && counts ? tally(copies->corpus, scratch, times, error) : fp_no_memory(error);
    if (status == FP_OK) status = fp_character_counts_make(times, arena, counts, error);
    copies->means.counts = counts;
    fp_arena_free(scratch);
    return status;
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

static fp_status check_needs(const fp_copies *copies, fp_error *error) {
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

fp_status fp_copies_open(const fp_corpus *corpus, const fp_copy_cell *cells, size_t cell_count, uint64_t seed,
                         const fp_synonyms *synonyms, fp_arena *arena, fp_copies *copies, fp_error *error) {
    *copies = (fp_copies){.corpus = corpus, .cells = cells, .cell_count = cell_count, .means.seed = seed};
    fp_labelled_documents labelled = {corpus->document_count, corpus->group, corpus->pair_count, corpus->pairs};
    fp_arena *scratch = fp_arena_new_like(arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_components_make(&labelled, arena, scratch, &copies->units, error);
    fp_arena_free(scratch);
    FP_TRY(status);
    FP_TRY(rank_ids(copies, arena, error));
    for (size_t i = 0; i < cell_count; i++) copies->takes |= (cells[i].corruption.needs & FP_NEEDS_DONORS) != 0;
    FP_TRY(count_characters(copies, arena, error));
    FP_TRY(open_means(copies, synonyms, arena, error));
    return check_needs(copies, error);
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
    /* A unit that holds nearly all: the next in the order of ids. */
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
