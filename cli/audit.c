/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sample of found pairs: each distance has its own, of known size, so that `fplab judge estimate` weighs them. */
#include "cli/audit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "eval/judging/judging.h"

typedef struct auditing {
    const fp_cli_audit *of;
    fp_judged_sample sample;
    fp_corpus corpus;
    fp_arena *arena;
    fp_string *texts; /* [texts->count] of those that are drawn */
    bool *wanted;     /* [texts->count] */
} auditing;

static size_t stratum_of(const fp_neighbours *pair) { return (size_t)ceil(pair->distance); }

static int by_stratum(const void *left, const void *right) {
    const fp_neighbours *a = left, *b = right;
    int order = FP_ORDER(stratum_of(a), stratum_of(b));
    if (order == 0) order = FP_ORDER(a->a, b->a);
    return order ? order : FP_ORDER(a->b, b->b);
}

/* The generator lives in the arena, so that GSL asks for no memory. */
static fp_status open_generator(auditing *in, gsl_rng *generator, fp_error *error) {
    *generator = (gsl_rng){gsl_rng_mt19937, fp_arena_raw(in->arena, gsl_rng_mt19937->size, 1)};
    if (!generator->state) return fp_no_memory(error);
    gsl_rng_set(generator, (uint32_t)fp_mix(in->of->seed, 0));
    return FP_OK;
}

/* pairs[first … first + count) are one stratum; in an order of chance its first ones are drawn. */
static void draw_stratum(auditing *in, fp_neighbours *pairs, size_t count, const gsl_rng *generator) {
    fp_judged_sample *sample = &in->sample;
    size_t drawn = count < in->of->per_distance ? count : in->of->per_distance;
    gsl_ran_shuffle(generator, pairs, count, sizeof *pairs);
    for (size_t i = 0; i < drawn; i++) {
        sample->pairs[sample->pair_count++] =
            (fp_judged_drawn){pairs[i].a, pairs[i].b, pairs[i].distance, sample->stratum_count};
        in->wanted[pairs[i].a] = in->wanted[pairs[i].b] = true;
    }
    sample->strata[sample->stratum_count].population = count;
    sample->strata[sample->stratum_count].drawn = drawn;
}

static fp_status draw(auditing *in, fp_error *error) {
    const fp_cli_audit *of = in->of;
    gsl_rng generator;
    fp_neighbours *pairs = fp_arena_raw(in->arena, of->count, sizeof *pairs);
    in->sample.pairs = fp_arena_raw(in->arena, of->count, sizeof *in->sample.pairs);
    in->wanted = fp_arena_alloc(in->arena, of->texts->count, sizeof *in->wanted);
    if (!pairs || !in->sample.pairs || !in->wanted) return fp_no_memory(error);
    FP_TRY(open_generator(in, &generator, error));
    memcpy(pairs, of->pairs, of->count * sizeof *pairs);
    qsort(pairs, of->count, sizeof *pairs, by_stratum);
    size_t nearest = stratum_of(pairs), strata = stratum_of(pairs + of->count - 1) - nearest + 1;
    in->sample.strata = fp_arena_alloc(in->arena, strata, sizeof *in->sample.strata);
    if (!in->sample.strata) return fp_no_memory(error);
    for (size_t first = 0, end; in->sample.stratum_count < strata; in->sample.stratum_count++, first = end) {
        size_t distance = nearest + in->sample.stratum_count;
        for (end = first; end < of->count && stratum_of(pairs + end) == distance;) end++;
        in->sample.strata[in->sample.stratum_count].distance = distance;
        if (end > first) draw_stratum(in, pairs + first, end - first, &generator);
    }
    gsl_ran_shuffle(&generator, in->sample.pairs, in->sample.pair_count, sizeof *in->sample.pairs);
    return FP_OK;
}

/* ---- Texts ---- */

static fp_status keep_text(auditing *in, size_t position, fp_string text, fp_error *error) {
    in->texts[position].length = text.length;
    in->texts[position].data = fp_string_copy(in->arena, text);
    return in->texts[position].data ? FP_OK : fp_no_memory(error);
}

static fp_status fetch(auditing *in, fp_error *error) {
    const fp_cli_audit *of = in->of;
    fp_text_source source = fp_entries_source(of->entries);
    fp_text_batch batch = {.count = 1};
    in->texts = fp_arena_alloc(in->arena, of->texts->count, sizeof *in->texts);
    if (!in->texts) return fp_no_memory(error);
    if (!source.rewind)
        return fp_fail(error, FP_ERROR_IO, "an audit reads its texts again, which cannot be done with a pipe");
    FP_TRY(source.rewind(source.context, error));
    while (batch.count) {
        FP_TRY(source.next(source.context, &batch, error));
        for (size_t i = 0; i < batch.count && batch.first + i < of->texts->count; i++)
            if (in->wanted[batch.first + i]) FP_TRY(keep_text(in, batch.first + i, batch.text[i], error));
    }
    return FP_OK;
}

/* The texts as a corpus in memory, of which a sheet takes ids and texts. It is known by its ids. */
static fp_status make_corpus(auditing *in, fp_error *error) {
    const fp_gathered *texts = in->of->texts;
    fp_corpus_document *documents = fp_arena_raw(in->arena, texts->count, sizeof *documents);
    fp_sha256 *sum = fp_sha256_begin(in->arena);
    if (!documents || !sum) return fp_no_memory(error);
    for (size_t i = 0; i < texts->count; i++) {
        documents[i] = (fp_corpus_document){texts->texts[i].id, texts->texts[i].characters};
        fp_sha256_add(sum, texts->texts[i].id);
        fp_sha256_add(sum, fp_string_of("\n"));
    }
    in->corpus = (fp_corpus){.path = in->of->name,
                             .name = in->of->name,
                             .document_count = texts->count,
                             .documents = documents,
                             .texts = in->texts,
                             .memory = in->arena};
    fp_sha256_end(sum, in->corpus.documents_sha256);
    return FP_OK;
}

fp_status fp_cli_audit_write(const fp_cli_audit *audit, const char *path, fp_arena *arena, size_t *drawn,
                             fp_error *error) {
    auditing in = {.of = audit, .arena = arena};
    if (audit->count == 0) return fp_fail(error, FP_ERROR_EMPTY, "nothing was found that could be judged");
    in.sample.options = (fp_judged_options){.per_stratum = audit->per_distance, .seed = audit->seed};
    FP_TRY(draw(&in, error));
    FP_TRY(fetch(&in, error));
    FP_TRY(make_corpus(&in, error));
    *drawn = in.sample.pair_count;
    return fp_judged_write(&in.sample, &in.corpus, audit->arm, 0, path, error);
}
