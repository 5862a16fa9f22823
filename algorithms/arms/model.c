/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an arm has learned, as a file. Numbers are eight bytes, the lowest first; a text is its length and its bytes:
 *
 *     mark        "fplab-model\r\n\x1a\n\0": bytes that a transfer as text would change
 *     number      version of this form: 2. Raised as well where what was learned would mean something else: where
 *                 features, tables or segmenters change
 *     number      length of the file
 *     text        version of the library that wrote it
 *     text        canonical spec of the arm
 *     2 numbers   documents that the frequencies and the model were learned from (2^64 − 1: not)
 *     number      1: document frequencies follow as a text (fp_idf_write); 0: there are none
 *     number      1: the algorithm's model follows as a text (fp_learning.write_model); 0: there is none
 *     number      XXH3-64 of all before */
#include <string.h>

#include "algorithms/arms/arm.h"

static const char MARK[16] = "fplab-model\r\n\x1a\n";
enum { FORM = 2, NUMBER = 8, HEAD = sizeof MARK + 2 * NUMBER };

typedef struct model {
    fp_string version, spec;
    fp_learned learned;
    bool has_idf, has_model;
    fp_string idf, model;
} model;

/* ---- Writing ---- */

typedef struct writer {
    unsigned char *at;
} writer;

static void put_number(writer *to, uint64_t number) {
    fp_bytes_put(number, to->at);
    to->at += NUMBER;
}

static void put_text(writer *to, fp_string text) {
    put_number(to, text.length);
    if (text.length) memcpy(to->at, text.data, text.length);
    to->at += text.length;
}

static size_t text_size(fp_string text) { return NUMBER + text.length; }

static size_t size_of(const model *from) {
    return HEAD + text_size(from->version) + text_size(from->spec) + 4 * NUMBER +
           (from->has_idf ? text_size(from->idf) : 0) + (from->has_model ? text_size(from->model) : 0) + NUMBER;
}

static fp_status write_bytes(const model *from, fp_arena *arena, fp_string *bytes, fp_error *error) {
    size_t size = size_of(from);
    unsigned char *made = fp_arena_raw(arena, size, 1);
    if (!made) return fp_no_memory(error);
    writer to = {made + sizeof MARK};
    memcpy(made, MARK, sizeof MARK);
    put_number(&to, FORM);
    put_number(&to, size);
    put_text(&to, from->version);
    put_text(&to, from->spec);
    put_number(&to, from->learned.frequencies);
    put_number(&to, from->learned.fit);
    put_number(&to, from->has_idf);
    if (from->has_idf) put_text(&to, from->idf);
    put_number(&to, from->has_model);
    if (from->has_model) put_text(&to, from->model);
    put_number(&to, fp_xxh3(made, size - NUMBER, 0));
    *bytes = (fp_string){(const char *)made, size};
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
    return write_bytes(&made, arena, bytes, error);
}

static fp_status save(const fp_arm *arm, const char *path, fp_arena *arena, fp_error *error) {
    fp_string bytes = {"", 0};
    fp_output output;
    FP_TRY(fp_arm_model_bytes(arm, arena, &bytes, error));
    FP_TRY(fp_output_open(&output, path, error));
    fwrite(bytes.data, 1, bytes.length, output.stream);
    return fp_output_close(&output, error);
}

fp_status fp_arm_save(const fp_arm *arm, const char *path, fp_error *error) {
    fp_arena *arena = fp_arena_new_like(arm->arena);
    fp_status status = arena ? save(arm, path, arena, error) : fp_no_memory(error);
    fp_arena_free(arena);
    return status;
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

/* A part that may be there. */
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

/* Whole, and as it was written: the mark, the form, the length and the checksum. */
static fp_status check_bytes(fp_string file, fp_error *error) {
    if (file.length < sizeof MARK || memcmp(file.data, MARK, sizeof MARK) != 0)
        return fp_fail(error, FP_ERROR_SYNTAX, "not a model that fplab has saved");
    if (file.length < HEAD + NUMBER) return fp_fail(error, FP_ERROR_SYNTAX, "the model is cut off");
    uint64_t form = fp_bytes_get(file.data + sizeof MARK), length = fp_bytes_get(file.data + sizeof MARK + NUMBER);
    if (form != FORM)
        return fp_fail(error, FP_ERROR_ABI,
                       "the model is of form %llu, and this program reads form %d: fit the arm anew",
                       (unsigned long long)form, FORM);
    if (length > file.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "the model is cut off: %zu bytes of %llu", file.length,
                       (unsigned long long)length);
    if (length < file.length)
        return fp_fail(error, FP_ERROR_SYNTAX, "the model is followed by %llu other bytes",
                       (unsigned long long)(file.length - length));
    size_t end = file.length - NUMBER;
    if (fp_bytes_get(file.data + end) != fp_xxh3(file.data, end, 0))
        return fp_fail(error, FP_ERROR_SYNTAX, "the model is damaged: its checksum is not that of its bytes");
    return FP_OK;
}

static fp_status parse(fp_string file, model *read, fp_error *error) {
    FP_TRY(check_bytes(file, error));
    fp_string rest = {file.data + HEAD, file.length - HEAD - NUMBER};
    if (!take_text(&rest, &read->version)) return fp_fail(error, FP_ERROR_SYNTAX, "the model has no version");
    if (take_text(&rest, &read->spec) && take_learned(&rest, &read->learned) &&
        take_part(&rest, &read->has_idf, &read->idf) && take_part(&rest, &read->has_model, &read->model) &&
        rest.length == 0)
        return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the parts of the model do not fill it");
}

/* What the arm must have learned is there, and nothing else. */
static fp_status check_parts(const fp_arm *arm, const model *read, fp_error *error) {
    bool counts = arm->extractor && fp_extractor_learns(arm->extractor);
    if (read->has_idf == counts && read->has_model == fp_arm_fits(arm)) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "the model has not the parts that the arm %s learns", arm->name);
}

static fp_status take(fp_arm *arm, const model *read, fp_error *error) {
    const fp_instance *instance = &arm->instance;
    const fp_idf *idf = NULL;
    const void *learned = NULL;
    if (!fp_string_equal(read->spec, fp_string_of(arm->spec)))
        return fp_fail(error, FP_ERROR_UNKNOWN, "the model of another arm: %.*s, not %.180s",
                       (int)(read->spec.length < 180 ? read->spec.length : 180), read->spec.data, arm->spec);
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
    FP_TRY(parse(bytes, &read, error));
    return take(arm, &read, error);
}

/* Reads the file and does the one or the other with it. */
static fp_status load(const char *path, fp_arm *arm, fp_arena *arena, const char **spec, fp_error *error) {
    fp_arena *scratch = fp_arena_new_like(arm ? arm->arena : arena);
    fp_string file;
    model read;
    if (!scratch) return fp_no_memory(error);
    fp_status status = fp_read_file(path, scratch, &file, error);
    bool there = status == FP_OK;
    if (there) status = parse(file, &read, error);
    if (status == FP_OK && arm) status = take(arm, &read, error);
    else if (status == FP_OK && !(*spec = fp_string_copy(arena, read.spec))) status = fp_no_memory(error);
    fp_arena_free(scratch);
    return !there || status == FP_OK || status == FP_ERROR_MEMORY ? status
                                                                  : fp_at(error, status, path, SIZE_MAX, SIZE_MAX);
}

fp_status fp_arm_load(fp_arm *arm, const char *path, fp_error *error) { return load(path, arm, NULL, NULL, error); }

fp_status fp_model_spec(const char *path, fp_arena *arena, const char **spec, fp_error *error) {
    return load(path, NULL, arena, spec, error);
}
