/* SPDX-License-Identifier: GPL-3.0-or-later
 * The file format of a fitted arm. Numbers are eight bytes, little-endian; a text is its length and its bytes:
 *
 *     mark        "fplab-model\r\n\x1a\n\0": bytes that a transfer as text would change
 *     number      version of this form: 2. Raised also when saved models change their meaning: when
 *                 features, tables or segmenters change
 *     number      length of the file
 *     text        version of the library that wrote it
 *     text        canonical spec of the arm
 *     2 numbers   documents that the frequencies and the model were learned from (2^64 − 1: not learned)
 *     number      1: document frequencies follow as a text (fp_idf_write); 0: none
 *     number      1: the algorithm's model follows as a text (fp_learning.write_model); 0: none
 *     number      XXH3-64 of all bytes before
 *
 * A tally (fp_column_tally) has the same form under the mark "fplab-tally\r\n\x1a\n\0". It has only one of the two
 * texts: document frequencies that were counted (fp_tally_write), or the algorithm's state (fp_learning.write_state).
 * Of its two numbers, the first is the low half of XXH3-64 of the frequencies behind the weights (fp_idf_write), 0 if
 * there are none; the second is the number of non-empty documents of the state. */
#include <string.h>

#include "algorithms/arms/arm.h"
#include "algorithms/arms/pipeline.h"

enum { FORM = 2, NUMBER = 8, MARK = 16, HEAD = MARK + 2 * NUMBER };
typedef struct kind {
    const char mark[MARK], *name;
} kind;
static const kind MODEL = {"fplab-model\r\n\x1a\n", "model"}, TALLY = {"fplab-tally\r\n\x1a\n", "tally"};

typedef struct model {
    fp_string version, spec;
    fp_learned learned;
    bool has_idf, has_model;
    fp_string idf, model;
} model;

/* ---- Writing ---- */

typedef struct writer {
    unsigned char *bytes; /* NULL: only the size is wanted */
    size_t size;          /* so far */
} writer;

static void put_number(writer *to, uint64_t number) {
    if (to->bytes) fp_bytes_put(number, to->bytes + to->size);
    to->size += NUMBER;
}

static void put_text(writer *to, fp_string text) {
    put_number(to, text.length);
    if (to->bytes && text.length) memcpy(to->bytes + to->size, text.data, text.length);
    to->size += text.length;
}

static void put_part(writer *to, bool has, fp_string text) {
    put_number(to, has);
    if (has) put_text(to, text);
}

/* All but the mark and the checksum. */
static void put_model(writer *to, const model *from, size_t size) {
    put_number(to, FORM);
    put_number(to, size);
    put_text(to, from->version);
    put_text(to, from->spec);
    put_number(to, from->learned.frequencies);
    put_number(to, from->learned.fit);
    put_part(to, from->has_idf, from->idf);
    put_part(to, from->has_model, from->model);
}

static fp_status write_bytes(const model *from, const kind *of, fp_arena *arena, fp_string *bytes, fp_error *error) {
    writer measured = {NULL, MARK}, to = {NULL, MARK};
    put_model(&measured, from, 0);
    size_t size = measured.size + NUMBER;
    to.bytes = FP_NEED(fp_arena_raw(arena, size, 1), error);
    memcpy(to.bytes, of->mark, MARK);
    put_model(&to, from, size);
    put_number(&to, fp_xxh3(to.bytes, to.size, 0));
    *bytes = (fp_string){(const char *)to.bytes, size};
    return FP_OK;
}

static fp_status describe(const fp_arm *arm, fp_arena *arena, model *made, fp_error *error) {
    const fp_instance *instance = &arm->instance;
    *made = (model){.version = fp_string_of(FP_VERSION),
                    .spec = fp_string_of(arm->spec),
                    .learned = arm->learned,
                    .has_idf = arm->idf != NULL,
                    .has_model = instance->model != NULL};
    if (made->has_idf) FP_TRY(fp_idf_write(arm->idf, arena, &made->idf, error));
    return made->has_model ? fp_learning_of(instance->algorithm)->write_model(instance, arena, &made->model, error)
                           : FP_OK;
}

static fp_status check_saved(const fp_arm *arm, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (!fp_arm_learns(arm))
        return fp_fail(error, FP_ERROR_EMPTY, "the arm %s learns nothing: there is no model to save", arm->name);
    FP_TRY(fp_arm_ready(arm, error));
    if (arm->instance.model && !fp_learning_of(algorithm)->write_model)
        return fp_fail(error, FP_ERROR_UNKNOWN, "what %s learns cannot be saved: it has no model_write",
                       algorithm->name);
    return FP_OK;
}

fp_status fp_arm_model_bytes(const fp_arm *arm, fp_arena *arena, fp_string *bytes, fp_error *error) {
    model made;
    FP_TRY(check_saved(arm, error));
    FP_TRY(describe(arm, arena, &made, error));
    return write_bytes(&made, &MODEL, arena, bytes, error);
}

fp_status fp_arm_save(const fp_arm *arm, const char *path, fp_error *error) {
    fp_string bytes = {"", 0};
    fp_output output;
    FP_SCRATCH(arena, arm->arena, error);
    FP_TRY(fp_arm_model_bytes(arm, arena, &bytes, error));
    FP_TRY(fp_output_open(&output, path, error));
    fwrite(bytes.data, 1, bytes.length, output.stream);
    return fp_output_close(&output, error);
}

/* ---- Reading ---- */

static bool take_number(fp_string *from, uint64_t *number) {
    if (from->length < NUMBER) return false;
    *number = fp_bytes_get(from->data);
    from->data += NUMBER;
    from->length -= NUMBER;
    return true;
}

static bool take_text(fp_string *from, fp_string *text) {
    uint64_t length;
    if (!take_number(from, &length) || length > from->length) return false;
    *text = (fp_string){from->data, (size_t)length};
    from->data += length;
    from->length -= (size_t)length;
    return true;
}

/* Reads an optional part. */
static bool take_part(fp_string *from, bool *has, fp_string *text) {
    uint64_t number;
    *text = (fp_string){"", 0};
    if (!take_number(from, &number) || number > 1) return false;
    *has = number == 1;
    return !*has || take_text(from, text);
}

static bool take_learned(fp_string *from, fp_learned *learned) {
    uint64_t frequencies, fit;
    if (!take_number(from, &frequencies) || !take_number(from, &fit)) return false;
    *learned = (fp_learned){(size_t)frequencies, (size_t)fit};
    return true;
}

/* Checks that the file is complete and unchanged: mark, form, length and checksum. */
static fp_status check_bytes(fp_string file, const kind *of, fp_error *error) {
    if (file.length < MARK || memcmp(file.data, of->mark, MARK) != 0)
        return fp_fail(error, FP_ERROR_SYNTAX, "not a %s that fplab has saved", of->name);
    if (file.length < HEAD + NUMBER) return fp_fail(error, FP_ERROR_SYNTAX, "the %s is cut off", of->name);
    uint64_t form = fp_bytes_get(file.data + MARK), length = fp_bytes_get(file.data + MARK + NUMBER);
    if (form != FORM)
        return fp_fail(error, FP_ERROR_ABI, "the %s is of form %llu, and this program reads form %d: fit the arm again",
                       of->name, (unsigned long long)form, FORM);
    if (length > file.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "the %s is cut off: %zu bytes of %llu", of->name, file.length,
                       (unsigned long long)length);
    if (length < file.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "the %s is followed by %llu other bytes", of->name,
                       (unsigned long long)(file.length - length));
    size_t end = file.length - NUMBER;
    if (fp_bytes_get(file.data + end) != fp_xxh3(file.data, end, 0))
        return fp_fail(error, FP_ERROR_SYNTAX, "the %s is damaged: its checksum is not that of its bytes", of->name);
    return FP_OK;
}

static fp_status parse(fp_string file, const kind *of, model *read, fp_error *error) {
    FP_TRY(check_bytes(file, of, error));
    fp_string rest = {file.data + HEAD, file.length - HEAD - NUMBER};
    if (!take_text(&rest, &read->version)) return fp_fail(error, FP_ERROR_SYNTAX, "the %s has no version", of->name);
    if (take_text(&rest, &read->spec) && take_learned(&rest, &read->learned) &&
        take_part(&rest, &read->has_idf, &read->idf) && take_part(&rest, &read->has_model, &read->model) &&
        rest.length == 0)
        return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the parts of the %s do not fill it", of->name);
}

/* Checks that the model has exactly the parts that the arm learns. */
static fp_status check_parts(const fp_arm *arm, const model *read, fp_error *error) {
    bool counts = arm->extractor && fp_extractor_learns(arm->extractor);
    if (read->has_idf == counts && read->has_model == fp_arm_fits(arm)) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the model lacks the parts that the arm %s learns", arm->name);
}

static fp_status check_arm(const fp_arm *arm, const model *read, const kind *of, fp_error *error) {
    if (fp_string_equal(read->spec, fp_string_of(arm->spec))) return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "the %s of another arm: %.*s, not %.180s", of->name,
                   (int)(read->spec.length < 180 ? read->spec.length : 180), read->spec.data, arm->spec);
}

static fp_status take(fp_arm *arm, const model *read, fp_error *error) {
    const fp_instance *instance = &arm->instance;
    const fp_idf *idf = NULL;
    const void *learned = NULL;
    FP_TRY(check_arm(arm, read, &MODEL, error));
    FP_TRY(check_parts(arm, read, error));
    if (read->has_model && !fp_learning_of(instance->algorithm)->read_model)
        return fp_fail(error, FP_ERROR_UNKNOWN, "models of %s cannot be read: it has no model_read",
                       instance->algorithm->name);
    if (read->has_idf) FP_TRY(fp_idf_of_bytes(read->idf, arm->arena, &idf, error));
    if (read->has_model)
        FP_TRY(fp_learning_of(instance->algorithm)->read_model(instance, read->model, arm->arena, &learned, error));
    return fp_arm_take_learned(arm, idf, learned, read->learned, error);
}

fp_status fp_arm_take_model_bytes(fp_arm *arm, fp_string bytes, fp_error *error) {
    model read;
    FP_TRY(parse(bytes, &MODEL, &read, error));
    return take(arm, &read, error);
}

/* Reads the file; then fits the arm or, if `arm` is NULL, copies the spec. */
static fp_status load(const char *path, fp_arm *arm, fp_arena *arena, const char **spec, fp_error *error) {
    FP_SCRATCH(scratch, arm ? arm->arena : arena, error);
    fp_string file;
    model read;
    fp_status status = fp_read_file(path, scratch, &file, error);
    bool there = status == FP_OK;
    if (there) status = parse(file, &MODEL, &read, error);
    if (status == FP_OK && arm) status = take(arm, &read, error);
    else if (status == FP_OK && !(*spec = fp_string_copy(arena, read.spec))) status = fp_no_memory(error);
    return !there || status == FP_OK || status == FP_ERROR_MEMORY ? status
                                                                  : fp_at(error, status, path, SIZE_MAX, SIZE_MAX);
}

fp_status fp_arm_load(fp_arm *arm, const char *path, fp_error *error) { return load(path, arm, NULL, NULL, error); }

fp_status fp_model_spec(const char *path, fp_arena *arena, const char **spec, fp_error *error) {
    return load(path, NULL, arena, spec, error);
}

/* ---- Tallies ---- */

/* A copy of the arm before its next round; if the arm has learned everything, before the first round. */
static fp_arm next_round(const fp_arm *arm) {
    fp_arm copy = *arm;
    if (fp_arm_fits(arm) ? arm->instance.model != NULL : arm->idf != NULL)
        copy.idf = NULL, copy.instance.model = arm->opened;
    return copy;
}

static fp_status check_divided(const fp_arm *arm, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (!fp_arm_learns(arm)) return fp_fail(error, FP_ERROR_UNKNOWN, "the arm %s learns nothing", arm->name);
    if (!fp_arm_fits(arm) || (fp_learning_of(algorithm)->write_state && !(algorithm->needs & FP_NEEDS_PAIRS)))
        return FP_OK;
    return fp_fail(error, FP_ERROR_UNKNOWN, "what %s learns cannot be merged from parts; fit the arm to all texts",
                   algorithm->name);
}

/* A hash of the document frequencies that the arm weighs with; 0 if none. */
static fp_status weights_of(const fp_arm *arm, fp_arena *arena, size_t *hash, fp_error *error) {
    fp_string bytes = {"", 0};
    *hash = 0;
    if (!arm->idf) return FP_OK;
    FP_TRY(fp_idf_write(arm->idf, arena, &bytes, error));
    *hash = (uint32_t)fp_xxh3(bytes.data, bytes.length, 0);
    return FP_OK;
}

/* The arm of a round, and the destination of its counts. */
typedef struct round_of {
    const fp_arm *arm;
    fp_arena *out;
    fp_string *tally;
} round_of;

static fp_status write_tally(void *context, const fp_tally *frequencies, void *state, size_t documents,
                             fp_error *error) {
    const round_of *to = context;
    const fp_instance *instance = &to->arm->instance;
    model made = {.version = fp_string_of(FP_VERSION),
                  .spec = fp_string_of(to->arm->spec),
                  .learned.fit = documents,
                  .has_idf = frequencies != NULL,
                  .has_model = frequencies == NULL};
    if (frequencies) FP_TRY(fp_tally_write(frequencies, to->out, &made.idf, error));
    else {
        FP_TRY(weights_of(to->arm, to->out, &made.learned.frequencies, error));
        FP_TRY(fp_learning_of(instance->algorithm)->write_state(instance, state, to->out, &made.model, error));
    }
    return write_bytes(&made, &TALLY, to->out, to->tally, error);
}

fp_status fp_column_tally(const fp_arm *arm, const fp_text_column *texts, fp_arena *out, fp_string *tally, size_t *bad,
                          const fp_progress *progress, fp_error *error) {
    fp_arm copy = next_round(arm);
    round_of to = {&copy, out, tally};
    const fp_tallying tallying = {write_tally, &to};
    if (bad) *bad = SIZE_MAX;
    FP_TRY(check_divided(arm, error));
    copy.arena = out;
    return fp_learn_column(&copy, texts, NULL, NULL, 0, &tallying, bad, progress, error);
}

/* The sum of the tallies of one round. */
typedef struct sums {
    fp_tally *frequencies; /* of the first round, if the arm weighs by them */
    void *state;           /* of the other round */
    size_t documents;
} sums;

static fp_status add_tally(const fp_arm *arm, fp_string bytes, size_t weights, sums *to, fp_arena *arena,
                           fp_error *error) {
    model read;
    FP_TRY(parse(bytes, &TALLY, &read, error));
    FP_TRY(check_arm(arm, &read, &TALLY, error));
    if (read.has_idf == read.has_model) return fp_fail(error, FP_ERROR_SYNTAX, "the tally must have exactly one part");
    if (read.has_idf != (to->frequencies != NULL))
        return fp_fail(error, FP_ERROR_RANGE, "the tally is of round %d, and the arm %s is in round %d",
                       read.has_idf ? 1 : 2, arm->name, read.has_idf ? 2 : 1);
    if (read.has_model && read.learned.frequencies != weights)
        return fp_fail(error, FP_ERROR_RANGE, "the tally was weighed with other document frequencies than those of %s",
                       arm->name);
    to->documents += read.learned.fit;
    return read.has_idf ? fp_tally_add_bytes(to->frequencies, read.idf, error)
                        : fp_learning_of(arm->instance.algorithm)
                              ->add_state(&arm->instance, to->state, read.model, arena, error);
}

/* Adds up the tallies and passes the sum to `sum`. */
static fp_status add_tallies(const fp_arm *arm, const fp_string *tallies, size_t count, fp_arena *arena,
                             fp_tallying sum, fp_error *error) {
    sums to = {0};
    const fp_training none = {0};
    size_t weights = 0;
    FP_TRY(check_divided(arm, error));
    if (count == 0) return fp_fail(error, FP_ERROR_EMPTY, "there is no tally to take");
    fp_status status = arm->extractor && fp_extractor_learns(arm->extractor) && !arm->idf
                           ? fp_tally_open(arena, &to.frequencies, error)
                           : weights_of(arm, arena, &weights, error);
    if (status == FP_OK && !to.frequencies)
        status = fp_learning_of(arm->instance.algorithm)->begin(&arm->instance, &none, arena, &to.state, error);
    for (size_t i = 0; i < count && status == FP_OK; i++)
        status = add_tally(arm, tallies[i], weights, &to, arena, error);
    if (status == FP_OK) status = sum.take(sum.context, to.frequencies, to.state, to.documents, error);
    fp_tally_close(to.frequencies);
    return status;
}

fp_status fp_arm_merge_tallies(const fp_arm *arm, const fp_string *tallies, size_t count, fp_arena *out,
                               fp_string *merged, fp_error *error) {
    fp_arm copy = next_round(arm);
    round_of to = {&copy, out, merged};
    return add_tallies(&copy, tallies, count, out, (fp_tallying){write_tally, &to}, error);
}

static fp_status take_sums(void *context, const fp_tally *frequencies, void *state, size_t documents, fp_error *error) {
    fp_arm *arm = context;
    const fp_idf *idf;
    if (!frequencies) return fp_arm_take_model(arm, state, documents, arm->arena, error);
    FP_TRY(fp_tally_idf(frequencies, arm->arena, &idf, error));
    return fp_arm_take_frequencies(arm, idf, error);
}

fp_status fp_arm_take_tallies(fp_arm *arm, const fp_string *tallies, size_t count, bool *again, fp_error *error) {
    fp_arm copy = next_round(arm);
    FP_SCRATCH(scratch, arm->arena, error);
    if (!copy.idf) FP_TRY(fp_arm_forget(&copy, error));
    FP_TRY(add_tallies(&copy, tallies, count, scratch, (fp_tallying){take_sums, &copy}, error));
    *arm = copy;
    *again = fp_arm_fits(arm) && !arm->instance.model;
    return FP_OK;
}
