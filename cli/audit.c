/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sample of found pairs, stratified by distance. The sizes of the strata are known, so `fplab judge estimate` can
 * weight them. */
#include "cli/audit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval/judging/judging.h"

enum { SEED = 1 };

/* Pairs at a distance in (k − 1, k]. */
typedef struct stratum {
    uint64_t population;
    size_t count, last;    /* sampled; index of the one with the largest hash */
    fp_cli_audited *drawn; /* [per_distance] once there is a pair */
} stratum;

struct fp_cli_audit {
    const fp_cli_audit_options *options;
    fp_arena *arena;
    size_t per_distance;
    gsl_rng generator;
    stratum strata[FP_JUDGED_STRATA];
};

int fp_cli_audit_open(const fp_command *command, const fp_cli_audit_options *options, const char *out, fp_arena *arena,
                      fp_cli_audit **audit) {
    *audit = NULL;
    if (options->pairs < 0) return fp_cli_usage(command, "--audit takes a number of pairs, not %d", options->pairs);
    if (!options->pairs && options->sheet) return fp_cli_usage(command, "--audit-sheet goes with --audit M");
    if (!options->pairs) return FP_EXIT_SUCCESS;
    if (!options->sheet && !out)
        return fp_cli_usage(command, "no sheet given; name one with --audit-sheet SHEET.tsv%s",
                            strcmp(command->name, "query") == 0 ? "" : ", or a directory with --out");
    fp_cli_audit *made = fp_arena_alloc(arena, 1, sizeof *made);
    void *state = fp_arena_raw(arena, gsl_rng_mt19937->size, 1); /* GSL would allocate its own memory */
    made->options = options;
    made->arena = arena;
    made->per_distance = (size_t)options->pairs;
    made->generator = (gsl_rng){gsl_rng_mt19937, state};
    gsl_rng_set(&made->generator, SEED);
    *audit = made;
    return FP_EXIT_SUCCESS;
}

/* ---- Sampling ---- */

static size_t stratum_of(double distance) {
    return distance < FP_JUDGED_STRATA - 1 ? (size_t)ceil(distance) : FP_JUDGED_STRATA - 1;
}

static void copy(fp_arena *arena, const fp_cli_audited *from, fp_cli_audited *to) {
    *to = *from;
    for (int side = 0; side < 2; side++) {
        to->id[side].data = fp_string_copy(arena, from->id[side]);
        if (from->text[side].length) to->text[side].data = fp_string_copy(arena, from->text[side]);
    }
}

fp_status fp_cli_audit_offer(fp_cli_audit *audit, const fp_cli_audited *offered, fp_error *error) {
    (void)error;
    if (!audit) return FP_OK;
    fp_cli_audited pair = *offered;
    stratum *of = audit->strata + stratum_of(pair.distance);
    if (!of->drawn) of->drawn = fp_arena_alloc(audit->arena, audit->per_distance, sizeof *of->drawn);
    of->population++;
    pair.hash = fp_xxh3(pair.id[1].data, pair.id[1].length, fp_xxh3(pair.id[0].data, pair.id[0].length, SEED));
    if (of->count == audit->per_distance && pair.hash >= of->drawn[of->last].hash) return FP_OK;
    size_t place = of->count < audit->per_distance ? of->count++ : of->last;
    copy(audit->arena, &pair, of->drawn + place);
    of->last = 0;
    for (size_t i = 1; i < of->count; i++)
        if (of->drawn[i].hash > of->drawn[of->last].hash) of->last = i;
    return FP_OK;
}

fp_status fp_cli_audit_offer_near(fp_cli_audit *audit, const fp_gathered_text *texts, const fp_neighbours *pairs,
                                  size_t count, fp_error *error) {
    for (size_t i = 0; audit && i < count; i++) {
        const fp_cli_audited pair = {.id = {texts[pairs[i].a].id, texts[pairs[i].b].id},
                                     .position = {pairs[i].a, pairs[i].b},
                                     .distance = pairs[i].distance};
        FP_TRY(fp_cli_audit_offer(audit, &pair, error));
    }
    return FP_OK;
}

FP_COMPARES(by_hash, fp_cli_audited, FP_ORDER(a->hash, b->hash));

/* ---- Texts not in memory ---- */

fp_status fp_cli_audit_check(const fp_cli_audit *audit, fp_entries *entries, fp_error *error) {
    return !audit || fp_entries_source(entries).rewind
               ? FP_OK
               : fp_fail(error, FP_ERROR_IO, "an audit reads its texts again, which a pipe does not allow");
}

typedef struct sheet {
    fp_cli_audit *audit;
    fp_judged_sample sample;
    fp_cli_audited *pairs; /* [sample.pair_count] */
    fp_corpus corpus;      /* documents 2i and 2i + 1 are those of pair i */
    fp_corpus_document *documents;
    fp_string *texts;
} sheet;

/* Marks the wanted positions among `count`. */
static void mark_wanted(const sheet *made, size_t count, bool **wanted) {
    *wanted = fp_arena_alloc(made->audit->arena, count, sizeof **wanted);
    for (size_t i = 0; i < 2 * made->sample.pair_count; i++) (*wanted)[made->pairs[i / 2].position[i % 2]] = true;
}

static void take_text(const sheet *made, size_t position, fp_string text) {
    const char *kept = fp_string_copy(made->audit->arena, text);
    for (size_t i = 0; i < 2 * made->sample.pair_count; i++)
        if (made->pairs[i / 2].position[i % 2] == position)
            made->pairs[i / 2].text[i % 2] = (fp_string){kept, text.length};
}

static fp_status fetch_texts(const sheet *made, const fp_cli_audit_of *of, fp_error *error) {
    fp_text_source source = fp_entries_source(of->entries);
    fp_text_batch batch = {.count = 1};
    bool *wanted;
    mark_wanted(made, of->documents, &wanted);
    FP_TRY(source.rewind(source.context, error));
    while (batch.count) {
        FP_TRY(source.next(source.context, &batch, error));
        for (size_t i = 0; i < batch.count && batch.first + i < of->documents; i++)
            if (wanted[batch.first + i]) take_text(made, batch.first + i, batch.text[i]);
    }
    return FP_OK;
}

/* ---- The sheet ---- */

static void add_stratum(sheet *made, size_t distance, size_t pair_count) {
    stratum *of = made->audit->strata + distance;
    fp_judged_sample *sample = &made->sample;
    if (pair_count) qsort(of->drawn, pair_count, sizeof *of->drawn, by_hash);
    sample->strata[sample->stratum_count] = (fp_judged_stratum){distance, of->population, pair_count};
    for (size_t i = 0; i < pair_count; i++) {
        uint32_t first = (uint32_t)(2 * sample->pair_count);
        made->pairs[sample->pair_count] = of->drawn[i];
        sample->pairs[sample->pair_count++] =
            (fp_judged_drawn){first, first + 1, of->drawn[i].distance, sample->stratum_count};
    }
    sample->stratum_count++;
}

/* The strata from the nearest pair to the farthest, including empty ones between. */
static void gather(sheet *made, const fp_cli_audit_of *of) {
    fp_cli_audit *audit = made->audit;
    size_t first = FP_JUDGED_STRATA, last = 0, room = 0;
    for (size_t k = 0; k < FP_JUDGED_STRATA; k++) {
        uint64_t population = audit->strata[k].population;
        if (!population) continue;
        if (first == FP_JUDGED_STRATA) first = k;
        last = k;
        room += population < audit->per_distance ? (size_t)population : audit->per_distance;
    }
    made->sample.options = (fp_judged_options){.per_stratum = audit->per_distance, .seed = SEED};
    made->sample.of = of->pairs;
    made->sample.strata = fp_arena_alloc(audit->arena, FP_JUDGED_STRATA, sizeof *made->sample.strata);
    made->sample.pairs = fp_arena_raw(audit->arena, room, sizeof *made->sample.pairs);
    made->pairs = fp_arena_raw(audit->arena, room, sizeof *made->pairs);
    for (size_t k = first; k <= last && first < FP_JUDGED_STRATA; k++) {
        uint64_t population = audit->strata[k].population;
        add_stratum(made, k, population < audit->per_distance ? (size_t)population : audit->per_distance);
    }
}

/* A corpus in memory with the ids and texts for a sheet, identified by the sampled ids. */
static void make_corpus(sheet *made, const fp_cli_audit_of *of) {
    fp_arena *arena = made->audit->arena;
    size_t count = 2 * made->sample.pair_count;
    fp_sha256 *sum = fp_sha256_begin(arena);
    made->documents = fp_arena_raw(arena, count, sizeof *made->documents);
    made->texts = fp_arena_raw(arena, count, sizeof *made->texts);
    for (size_t i = 0; i < count; i++) {
        const fp_cli_audited *pair = made->pairs + i / 2;
        made->documents[i] = (fp_corpus_document){.id = pair->id[i % 2]};
        made->texts[i] = pair->text[i % 2];
        fp_sha256_add(sum, pair->id[i % 2]);
        fp_sha256_add(sum, fp_string_of("\n"));
    }
    made->corpus = (fp_corpus){.path = of->name,
                               .name = of->name,
                               .document_count = of->documents,
                               .documents = made->documents,
                               .texts = made->texts,
                               .memory = arena};
    fp_sha256_end(sum, made->corpus.documents_sha256);
}

fp_status fp_cli_audit_write(fp_cli_audit *audit, const fp_cli_audit_of *of, fp_error *error) {
    sheet made = {.audit = audit};
    if (!audit) return FP_OK;
    gather(&made, of);
    if (made.sample.pair_count == 0) {
        fp_cli_note("No pairs to judge were found; no sheet was written.\n");
        return FP_OK;
    }
    const char *named = audit->options->sheet;
    const char *path = named ? named : fp_format(audit->arena, "%s/audit.tsv", of->place);
    if (of->entries) FP_TRY(fetch_texts(&made, of, error));
    make_corpus(&made, of);
    gsl_ran_shuffle(&audit->generator, made.sample.pairs, made.sample.pair_count, sizeof *made.sample.pairs);
    FP_TRY(fp_judged_write(&made.sample, &made.corpus, of->arm, 0, path, error));
    fp_cli_note("%zu of the pairs %s in %s, to be judged: `fplab judge`.\n", made.sample.pair_count,
                fp_cli_word(made.sample.pair_count, "is", "are"), named ? named : "audit.tsv");
    return FP_OK;
}
