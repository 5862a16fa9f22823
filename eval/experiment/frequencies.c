/* SPDX-License-Identifier: GPL-3.0-or-later
 * Document frequencies with the terms spelled out. */
#include "eval/experiment/frequencies.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

typedef struct tally {
    fp_map seen;
    size_t room; /* keys that the map was opened for */
    fp_term_frequency *terms;
    size_t count;
    fp_arena *arena;
} tally;

/* Makes the map and the list twice as large. */
static fp_status grow(tally *to, fp_error *error) {
    size_t room = to->room ? to->room * 2 : 1 << 14;
    fp_term_frequency *larger = FP_NEED(fp_arena_raw(to->arena, room, sizeof *larger), error);
    if (to->count) memcpy(larger, to->terms, to->count * sizeof *larger);
    to->terms = larger;
    to->room = room;
    FP_TRY(fp_map_open(&to->seen, room, to->arena, error));
    for (size_t i = 0; i < to->count; i++)
        fp_map_put(&to->seen, fp_xxh3(larger[i].term.data, larger[i].term.length, 0), (uint32_t)i);
    return FP_OK;
}

static fp_status add_term(tally *to, fp_string term, fp_error *error) {
    uint64_t key = fp_xxh3(term.data, term.length, 0);
    if (to->count == to->room) FP_TRY(grow(to, error));
    uint32_t at = fp_map_get(&to->seen, key);
    if (at == FP_MAP_NONE) {
        const char *copy = FP_NEED(fp_string_copy(to->arena, term), error);
        at = (uint32_t)to->count++;
        to->terms[at] = (fp_term_frequency){{copy, term.length}, 0};
        fp_map_put(&to->seen, key, at);
    }
    to->terms[at].documents++;
    return FP_OK;
}

static fp_status add_document(tally *to, const fp_arm *arm, fp_string raw, fp_arena *scratch, fp_error *error) {
    fp_text text;
    fp_counted counted;
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), scratch, &text, error));
    FP_TRY(fp_arm_count(arm, &text, scratch, &counted, error));
    for (size_t i = 0; i < counted.counts.count; i++)
        FP_TRY(add_term(to, fp_units_term(&counted.units, counted.counts.first[i]), error));
    return FP_OK;
}

static int most_frequent_first(const void *left, const void *right) {
    const fp_term_frequency *a = left, *b = right;
    if (a->documents != b->documents) return a->documents < b->documents ? 1 : -1;
    return fp_string_compare(a->term, b->term);
}

fp_status fp_corpus_frequencies(const fp_corpus *corpus, const fp_arm *arm, fp_arena *arena, fp_term_frequency **terms,
                                size_t *count, fp_error *error) {
    tally found = {.arena = arena};
    fp_text_source source;
    fp_status status = FP_OK;
    FP_SCRATCH(scratch, arena, error);
    FP_TRY(fp_corpus_source(corpus, arena, &source, error));
    fp_text_batch batch = {.count = 1};
    while (batch.count && status == FP_OK) {
        status = source.next(source.context, &batch, error);
        for (size_t i = 0; i < batch.count && status == FP_OK; i++) {
            fp_arena_reset(scratch);
            status = add_document(&found, arm, batch.text[i], scratch, error);
        }
    }
    fp_text_source_close(&source);
    if (found.count) qsort(found.terms, found.count, sizeof *found.terms, most_frequent_first);
    *terms = found.terms;
    *count = found.count;
    return status;
}
