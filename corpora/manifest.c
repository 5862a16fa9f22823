/* SPDX-License-Identifier: GPL-3.0-or-later
 * MANIFEST.json against the files beside it. */
#include <string.h>
#include <unistd.h>

#include "corpora/corpus.h"
#include "corpora/json.h"

enum { MOST_PROBLEMS = sizeof((fp_manifest_check *)0)->problems / sizeof(char *) };

static void add_problem(fp_manifest_check *check, const char *problem) {
    if (problem && check->problem_count < MOST_PROBLEMS) check->problems[check->problem_count++] = problem;
}

static void compare_count(const json_object *counts, const char *name, size_t actual, fp_arena *arena,
                          fp_manifest_check *check) {
    json_object *stated;
    if (!json_object_object_get_ex(counts, name, &stated)) return;
    int64_t number = json_object_get_int64(stated);
    if (number < 0 || (size_t)number != actual)
        add_problem(check, fp_format(arena, "the manifest states %lld %s, the corpus has %zu", (long long)number, name,
                                     actual));
}

static void compare_sha256(const json_object *sums, const char *file, const char *actual, fp_arena *arena,
                           fp_manifest_check *check) {
    json_object *stated;
    if (!json_object_object_get_ex(sums, file, &stated)) return;
    const char *text = json_object_get_string(stated);
    if (!text || strcmp(text, actual) != 0)
        add_problem(check, fp_format(arena, "the sha256 of %s is not the manifest's", file));
}

static size_t positives(const fp_corpus *corpus) {
    size_t count = 0;
    for (size_t i = 0; i < corpus->pair_count; i++) count += corpus->pairs[i].label;
    return count;
}

static fp_status compare(const fp_corpus *corpus, const json_object *manifest, fp_arena *arena,
                         fp_manifest_check *check, fp_error *error) {
    json_object *counts, *sums;
    FP_TRY(fp_json_string(manifest, "name", arena, &check->name, error));
    FP_TRY(fp_json_string(manifest, "language", arena, &check->language, error));
    FP_TRY(fp_json_string(manifest, "licence", arena, &check->licence, error));
    FP_TRY(fp_json_string(manifest, "source", arena, &check->source, error));
    if (json_object_object_get_ex(manifest, "counts", &counts)) {
        compare_count(counts, "documents", corpus->document_count, arena, check);
        compare_count(counts, "groups", corpus->group_count, arena, check);
        compare_count(counts, "pairs", corpus->pair_count, arena, check);
        compare_count(counts, "positives", positives(corpus), arena, check);
    }
    if (json_object_object_get_ex(manifest, "sha256", &sums)) {
        compare_sha256(sums, "docs.jsonl", corpus->documents_sha256, arena, check);
        compare_sha256(sums, "pairs.tsv", corpus->pairs_sha256, arena, check);
    }
    return FP_OK;
}

fp_status fp_manifest_compare(const fp_corpus *corpus, fp_arena *arena, fp_manifest_check *check, fp_error *error) {
    *check = (fp_manifest_check){0};
    const char *path = fp_format(arena, "%s/MANIFEST.json", corpus->path);
    if (!path) return fp_no_memory(error);
    if (access(path, F_OK) != 0) return FP_OK;
    fp_string content;
    json_object *manifest;
    FP_TRY(fp_read_file(path, arena, &content, error));
    fp_status status = fp_json_parse(content, &manifest, error);
    if (status != FP_OK) return fp_at(error, path, SIZE_MAX, SIZE_MAX);
    check->present = true;
    status = compare(corpus, manifest, arena, check, error);
    json_object_put(manifest);
    return status == FP_OK ? FP_OK : fp_at(error, path, SIZE_MAX, SIZE_MAX);
}
