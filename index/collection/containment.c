/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts that contain most of a text: LSH Ensemble over the signatures of a collection, and the exact share. */
#include "index/collection/containment.h"

#include <math.h>
#include <stdlib.h>

#include "algorithms/families/sets.h"
#include "index/collection/collection_inside.h"
#include "pairs/band_keys.h"

#define FACT_SIZES "sizes"

fp_status fp_containment_parse(const char *text, fp_arena *arena, fp_containment_spec *spec, fp_error *error) {
    static const fp_parameter PARAMETERS[] = {{"partitions", FP_INTEGER, "", "by size, of equal numbers of texts", "16",
                                               1, 1024, NULL, offsetof(fp_containment_spec, partitions)},
                                              {"recall", FP_REAL, "", "P[a text that has that share is found]", "0.95",
                                               0.001, 0.999999, NULL, offsetof(fp_containment_spec, recall)},
                                              {0}};
    fp_string rest = fp_string_of(text), head;
    fp_next_field(&rest, ':', &head);
    const char *share = FP_NEED(fp_string_copy(arena, head), error);
    if (!fp_parse_real(share, &spec->least) || !(spec->least > 0) || spec->least > 1)
        return fp_fail(error, FP_ERROR_RANGE, "expected a share above 0 and up to 1, as in 0.8, not \"%s\"", share);
    return fp_parameters_parse(PARAMETERS, "the ensemble", rest, spec, arena, error);
}

/* ---- Sizes ---- */

static fp_status take_size(void *context, const fp_record *record, fp_error *error) {
    fp_containment_search *in = context;
    fp_document document;
    if (record->number >= in->size_count) return FP_OK; /* another process has added it since */
    fp_arena_reset(in->scratch);
    FP_TRY(fp_arm_read(in->exact, record->text, in->scratch, &document, error));
    in->sizes[record->number] = document.features.count;
    in->sized++;
    return FP_OK;
}

/* Stored sizes stay valid: the text of a record number never changes. */
static fp_status measure_sizes(fp_containment_search *in, fp_error *error) {
    fp_string stored;
    uint64_t *known = NULL;
    size_t through = 0;
    fp_records_count counted;
    FP_TRY(fp_records_counted(in->of->records, &counted, error));
    FP_TRY(fp_records_fact(in->of->records, FACT_SIZES, in->arena, &stored, error));
    if (stored.data) FP_TRY(fp_integers_of_bytes(stored, in->arena, &known, &through, error));
    if (through > counted.next)
        return fp_fail(error, FP_ERROR_SYNTAX, "damaged: sizes of %zu records, of %llu", through,
                       (unsigned long long)counted.next);
    in->size_count = counted.next;
    in->sizes = FP_NEED(fp_arena_alloc(in->arena, in->size_count, sizeof *in->sizes), error);
    if (through) memcpy(in->sizes, known, through * sizeof *known);
    return fp_records_each(in->of->records, through, true, take_size, in, error);
}

/* ---- Opening ---- */

/* Makes the exact counterpart of the collection's arm, with the weights that the arm has learned. */
static fp_status begin(fp_collection *of, fp_containment_search *in, fp_error *error) {
    const fp_arm *arm = of->arm;
    *in = (fp_containment_search){.of = of, .recall = 1};
    FP_TRY(fp_sketch_list_open(&in->all, fp_arm_layout(arm), of->arena, error));
    if (strcmp(arm->instance.algorithm->name, "minhash") != 0 || !fp_layout_takes_bands(fp_arm_layout(arm)))
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "containment is looked up in signatures of minhash with more than one bit a slot, and %.150s "
                       "makes none: index build with -a minhash:slots=256,features=chars:5 --keep-texts",
                       fp_arm_name(arm));
    if (!of->keeps_texts)
        return fp_fail(error, FP_ERROR_EMPTY, "%s keeps no texts to compare exactly (build it with --keep-texts)",
                       of->address);
    in->arena = FP_NEED(fp_arena_new_like(of->arena), error);
    in->scratch = FP_NEED(fp_arena_new_like(of->arena), error);
    in->read = FP_NEED(fp_arena_new_like(of->arena), error);
    FP_TRY(fp_arm_counterpart(arm, in->arena, &in->exact, error));
    if (fp_arm_learns(in->exact)) FP_TRY(fp_arm_take_learned(in->exact, arm->idf, NULL, arm->learned, error));
    return FP_OK;
}

static fp_status take_signature(void *context, const fp_record *record, fp_error *error) {
    fp_containment_search *in = context;
    if (record->empty || record->number >= in->size_count) return FP_OK;
    return fp_sketch_list_add(&in->all, (uint32_t)record->number, record->fingerprint, error);
}

fp_status fp_containment_open(fp_collection *collection, const fp_containment_spec *spec, fp_containment_search *in,
                              fp_error *error) {
    FP_TRY(begin(collection, in, error));
    in->spec = *spec;
    FP_TRY(measure_sizes(in, error));
    FP_TRY(fp_records_each(collection->records, 0, false, take_signature, in, error));
    in->sketches = fp_sketch_list_view(&in->all);
    size_t count = in->sketches.count;
    uint32_t *sizes = FP_NEED(fp_arena_raw(in->arena, count, sizeof *sizes), error);
    in->sets = FP_NEED(fp_arena_alloc(in->arena, count, sizeof *in->sets), error);
    for (size_t i = 0; i < count; i++) sizes[i] = (uint32_t)in->sizes[in->all.number[i]];
    return fp_ensemble_open(collection->arm, &in->sketches, sizes, (size_t)spec->partitions, in->arena, &in->ensemble,
                            error);
}

void fp_containment_close(fp_containment_search *in) {
    fp_sketch_list_free(&in->all);
    fp_arena_free(in->scratch);
    fp_arena_free(in->read);
    fp_arena_free(in->arena);
}

static fp_status store_sizes(fp_containment_search *in, fp_error *error) {
    fp_string bytes;
    FP_TRY(measure_sizes(in, error));
    FP_TRY(fp_bytes_of(in->sizes, in->size_count, in->arena, &bytes, error));
    FP_TRY(fp_records_begin(in->of->records, error));
    return fp_records_end(in->of->records, fp_records_set_fact(in->of->records, FACT_SIZES, bytes, error), error);
}

fp_status fp_containment_keep_sizes(fp_collection *collection, fp_error *error) {
    fp_containment_search in;
    fp_status status = begin(collection, &in, error);
    bool refused = status == FP_ERROR_UNKNOWN || status == FP_ERROR_EMPTY;
    if (status == FP_OK) status = store_sizes(&in, error);
    fp_containment_close(&in);
    return refused ? FP_OK : status;
}

/* ---- Looking up ---- */

FP_COMPARES(by_shared, fp_container, FP_ORDER(b->shared, a->shared) ?: FP_ORDER(a->number, b->number));

/* The features of a text. They stay in memory for later queries, up to 1 GiB. */
static fp_status set_of(fp_containment_search *in, size_t i, fp_sketch *set, fp_error *error) {
    static const size_t MOST = (size_t)1 << 30;
    fp_record record;
    in->compared++;
    *set = in->sets[i];
    if (set->data) return FP_OK;
    if (fp_arena_used(in->read) > MOST) {
        memset(in->sets, 0, in->sketches.count * sizeof *in->sets);
        fp_arena_reset(in->read);
    }
    fp_arena_reset(in->scratch);
    FP_TRY(fp_records_get(in->of->records, in->all.number[i], true, in->scratch, &record, error));
    FP_TRY(fp_arm_sketch(in->exact, record.text, in->scratch, set, error));
    void *kept = FP_NEED(fp_arena_raw(in->read, set->size, 1), error);
    set->data = memcpy(kept, set->data, set->size);
    in->sets[i] = *set;
    return FP_OK;
}

fp_status fp_containers_of(fp_containment_search *in, fp_string text, fp_arena *arena, const fp_container **containers,
                           size_t *count, size_t *size, fp_error *error) {
    fp_ensemble_question question = {.containment = in->spec.least, .recall = in->spec.recall};
    fp_ensemble_answer answer;
    fp_sketch asked, set;
    *count = 0;
    FP_TRY(fp_arm_sketch(in->exact, text, arena, &asked, error));
    question.size = *size = asked.size / sizeof(uint64_t);
    in->asked++;
    in->empty += *size == 0;
    if (*size == 0) return FP_OK;
    FP_TRY(fp_arm_sketch(in->of->arm, text, arena, &question.sketch, error));
    FP_TRY(fp_ensemble_find(in->ensemble, &question, &answer, error));
    in->scanned += answer.scanned;
    in->candidates += answer.candidates;
    in->recall = fmin(in->recall, answer.recall);
    fp_container *found = FP_NEED(fp_arena_raw(arena, answer.count, sizeof *found), error);
    for (size_t i = 0; i < answer.count; i++) {
        FP_TRY(set_of(in, answer.found[i], &set, error));
        size_t has = set.size / sizeof(uint64_t), shared = fp_set_shared(asked.data, *size, set.data, has);
        if ((double)shared / (double)*size >= in->spec.least)
            found[(*count)++] = (fp_container){in->all.number[answer.found[i]], shared, has};
    }
    if (*count) qsort(found, *count, sizeof *found, by_shared);
    *containers = found;
    return FP_OK;
}
