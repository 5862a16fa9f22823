/* SPDX-License-Identifier: GPL-3.0-or-later
 * Counts of lengths and labels. */
#include "eval/inspection/inspection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Groups of so many documents or more are one class of group sizes. */
enum { GROUP_SIZES = 20 };
/* All documents; languages; kinds, with their documents, positives and negatives; groups; group sizes. */
enum { MOST_STATS = 1 + FP_STATS_CLASSES + 3 * FP_STATS_CLASSES + FP_STATS_GROUPS + GROUP_SIZES };

typedef struct counting {
    const fp_corpus *corpus;
    size_t shortest, longest;
    size_t *lengths; /* [document_count] of the current class */
    fp_stat *stats;  /* [MOST_STATS] */
    size_t count;
    fp_arena *arena;
} counting;

static const fp_string NONE = {"", 0};

/* ---- One class ---- */

static size_t bin_of(const counting *in, size_t length) {
    double low = log((double)in->shortest + 1), high = log((double)in->longest + 1);
    if (high <= low) return 0;
    double place = (log((double)length + 1) - low) / (high - low) * FP_STATS_BINS;
    return place >= FP_STATS_BINS ? FP_STATS_BINS - 1 : (size_t)place;
}

static fp_stat *add(counting *in, const char *of, fp_string value, size_t count, size_t all) {
    fp_stat *to = &in->stats[in->count++];
    *to = (fp_stat){.of = of, .value = value, .count = count, .share = (double)count / (double)all};
    return to;
}

/* The first `count` of in->lengths. */
static void add_lengths(counting *in, const char *of, fp_string value, size_t count) {
    if (!count) return;
    fp_stat *to = add(in, of, value, count, in->corpus->document_count);
    to->lengths = true;
    qsort(in->lengths, count, sizeof *in->lengths, fp_ascending_size);
    for (size_t q = 0; q < FP_STATS_QUANTILES; q++) {
        size_t place = q * count / (FP_STATS_QUANTILES - 1);
        to->characters[q] = in->lengths[place < count ? place : count - 1];
    }
    for (size_t i = 0; i < count; i++) to->bins[bin_of(in, in->lengths[i])]++;
}

/* ---- Documents ---- */

static void of_all(counting *in) {
    size_t count = in->corpus->document_count;
    for (size_t i = 0; i < count; i++) in->lengths[i] = in->corpus->documents[i].characters;
    in->shortest = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (in->lengths[i] < in->shortest) in->shortest = in->lengths[i];
        if (in->lengths[i] > in->longest) in->longest = in->lengths[i];
    }
    add_lengths(in, "documents", NONE, count);
}

static void of_value(counting *in, const fp_corpus_field *field, const char *of, uint32_t value) {
    size_t count = 0;
    for (size_t i = 0; i < in->corpus->document_count; i++)
        if (field->of[i] == value) in->lengths[count++] = in->corpus->documents[i].characters;
    add_lengths(in, of, field->values[value], count);
}

static void of_languages(counting *in) {
    const fp_corpus_field *field = fp_corpus_field_find(in->corpus, "lang");
    for (size_t v = 0; field && field->any && v < field->value_count && v < FP_STATS_CLASSES; v++)
        of_value(in, field, "lang", (uint32_t)v);
}

/* ---- Pairs ---- */

typedef struct kind {
    fp_string name;
    size_t pairs[2];
} kind;

static size_t list_kinds(const fp_corpus *corpus, kind *kinds) {
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) {
        size_t k = 0;
        while (k < count && !fp_string_equal(kinds[k].name, corpus->kinds[i])) k++;
        if (k == FP_STATS_CLASSES) continue;
        if (k == count) kinds[count++] = (kind){.name = corpus->kinds[i]};
        kinds[k].pairs[corpus->pairs[i].label]++;
    }
    return count;
}

static fp_status of_kinds(counting *in, fp_error *error) {
    const fp_corpus *corpus = in->corpus;
    kind kinds[FP_STATS_CLASSES];
    size_t count = list_kinds(corpus, kinds);
    bool *seen = FP_NEED(fp_arena_raw(in->arena, corpus->document_count, sizeof *seen), error);
    for (size_t k = 0; k < count; k++) {
        size_t documents = 0;
        memset(seen, 0, corpus->document_count * sizeof *seen);
        for (size_t i = 0; i < corpus->pair_count; i++)
            if (fp_string_equal(corpus->kinds[i], kinds[k].name))
                seen[corpus->pairs[i].a] = seen[corpus->pairs[i].b] = true;
        for (size_t i = 0; i < corpus->document_count; i++)
            if (seen[i]) in->lengths[documents++] = corpus->documents[i].characters;
        add_lengths(in, "kind", kinds[k].name, documents);
    }
    for (int label = 1; label >= 0; label--)
        for (size_t k = 0; k < count; k++)
            if (kinds[k].pairs[label])
                add(in, label ? "positive" : "negative", kinds[k].name, kinds[k].pairs[label], corpus->pair_count);
    return FP_OK;
}

/* ---- Groups ---- */

typedef struct group {
    uint32_t value;
    size_t documents;
} group;

FP_COMPARES(largest_first, group, FP_ORDER(b->documents, a->documents) ?: FP_ORDER(a->value, b->value));

/* How many groups have one, two, three, … documents; the last class counts all larger groups. */
static fp_status of_sizes(counting *in, const group *groups, size_t count, fp_error *error) {
    size_t sizes[GROUP_SIZES + 1] = {0};
    for (size_t g = 0; g < count; g++) sizes[groups[g].documents < GROUP_SIZES ? groups[g].documents : GROUP_SIZES]++;
    for (size_t s = 1; s <= GROUP_SIZES; s++) {
        if (!sizes[s]) continue;
        const char *name = FP_NEED(fp_format(in->arena, s < GROUP_SIZES ? "%zu" : "%zu or more", s), error);
        add(in, "group size", fp_string_of(name), sizes[s], count);
    }
    return FP_OK;
}

static fp_status of_groups(counting *in, fp_stats *made, fp_error *error) {
    const fp_corpus_field *field = fp_corpus_field_find(in->corpus, "group");
    if (!field || !field->any) return FP_OK;
    group *groups = FP_NEED(fp_arena_alloc(in->arena, field->value_count, sizeof *groups), error);
    size_t count = 0;
    for (size_t v = 0; v < field->value_count; v++) groups[v].value = (uint32_t)v;
    for (size_t i = 0; i < in->corpus->document_count; i++)
        if (field->values[field->of[i]].length) groups[field->of[i]].documents++;
    qsort(groups, field->value_count, sizeof *groups, largest_first);
    while (count < field->value_count && groups[count].documents) count++;
    for (size_t g = 0; g < count && g < FP_STATS_GROUPS; g++) of_value(in, field, "group", groups[g].value);
    if (count > FP_STATS_GROUPS) made->more_groups = count - FP_STATS_GROUPS;
    return of_sizes(in, groups, count, error);
}

fp_status fp_stats_make(const fp_corpus *corpus, fp_arena *arena, fp_stats *made, fp_error *error) {
    counting in = {.corpus = corpus,
                   .lengths = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *in.lengths), error),
                   .stats = FP_NEED(fp_arena_alloc(arena, MOST_STATS, sizeof *in.stats), error),
                   .arena = arena};
    *made = (fp_stats){0};
    of_all(&in);
    of_languages(&in);
    FP_TRY(of_kinds(&in, error));
    FP_TRY(of_groups(&in, made, error));
    made->stats = in.stats;
    made->count = in.count;
    return FP_OK;
}
