/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compares MANIFEST.json with the files of the corpus. */
#include <math.h>
#include <unistd.h>

#include "corpora/corpus.h"
#include "corpora/json.h"

enum { MOST_PROBLEMS = sizeof((fp_manifest_check *)0)->problems / sizeof(char *) };

static fp_status add_problem(fp_manifest_check *check, const char *problem, fp_error *error) {
    if (!problem) return fp_no_memory(error);
    if (check->problem_count < MOST_PROBLEMS) check->problems[check->problem_count++] = problem;
    return FP_OK;
}

/* Finds a member that must be an object if it exists. */
static fp_status find_object(const fp_json *manifest, const char *name, const fp_json **object, fp_error *error) {
    *object = fp_json_member(manifest, name);
    if (!*object || (*object)->type == FP_JSON_OBJECT) return FP_OK;
    return fp_at_byte(error, fp_fail(error, FP_ERROR_SYNTAX, "\"%s\" is not an object", name), (*object)->byte);
}

static fp_status compare_count(const fp_json *counts, const char *name, size_t actual, fp_arena *arena,
                               fp_manifest_check *check, fp_error *error) {
    const fp_json *stated = fp_json_member(counts, name);
    double number;
    if (!stated) return FP_OK;
    FP_TRY(fp_json_real(stated, name, &number, error));
    if (number < 0 || number != floor(number))
        return fp_at_byte(error, fp_fail(error, FP_ERROR_RANGE, "\"%s\" is not a count", name), stated->byte);
    if (number == (double)actual) return FP_OK;
    return add_problem(check, fp_format(arena, "the manifest states %.0f %s, the corpus has %zu", number, name, actual),
                       error);
}

static fp_status compare_sha256(const fp_json *sums, const char *file, const char *actual, fp_arena *arena,
                                fp_manifest_check *check, fp_error *error) {
    fp_string stated;
    if (!fp_json_member(sums, file)) return FP_OK;
    FP_TRY(fp_json_string(sums, file, arena, &stated, error));
    if (fp_string_equal(stated, fp_string_of(actual))) return FP_OK;
    return add_problem(check, fp_format(arena, "the sha256 of %s is not the manifest's", file), error);
}

static size_t positives(const fp_corpus *corpus) {
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) count += corpus->pairs[i].label;
    return count;
}

static fp_status compare(const fp_corpus *corpus, const fp_json *manifest, fp_arena *arena, fp_manifest_check *check,
                         fp_error *error) {
    const struct {
        const char *name;
        size_t actual;
    } counted[] = {{"documents", corpus->document_count},
                   {"groups", corpus->group_count},
                   {"pairs", corpus->pair_count},
                   {"positives", positives(corpus)}};
    const struct {
        const char *name, **to;
    } texts[] = {{"name", &check->name},
                 {"language", &check->language},
                 {"licence", &check->licence},
                 {"source", &check->source}};
    const fp_json *counts, *sums;
    if (manifest->type != FP_JSON_OBJECT)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_SYNTAX, "a manifest is a JSON object"), manifest->byte);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fp_string value;
        FP_TRY(fp_json_string(manifest, texts[i].name, arena, &value, error));
        if (value.length) *texts[i].to = value.data;
    }
    FP_TRY(find_object(manifest, "counts", &counts, error));
    FP_TRY(find_object(manifest, "sha256", &sums, error));
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        FP_TRY(compare_count(counts, counted[i].name, counted[i].actual, arena, check, error));
    FP_TRY(compare_sha256(sums, "docs.jsonl", corpus->documents_sha256, arena, check, error));
    return compare_sha256(sums, "pairs.tsv", corpus->pairs_sha256, arena, check, error);
}

fp_status fp_manifest_compare(const fp_corpus *corpus, fp_arena *arena, fp_manifest_check *check, fp_error *error) {
    *check = (fp_manifest_check){0};
    const char *path = FP_NEED(fp_format(arena, "%s/MANIFEST.json", corpus->path), error);
    if (access(path, F_OK) != 0) return FP_OK;
    fp_string content;
    const fp_json *manifest;
    FP_TRY(fp_json_read(path, arena, &content, &manifest, error));
    check->present = true;
    fp_status status = compare(corpus, manifest, arena, check, error);
    if (status != FP_OK && status != FP_ERROR_MEMORY) fp_json_at(error, status, path, content);
    return status;
}
