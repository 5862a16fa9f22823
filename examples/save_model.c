/* SPDX-License-Identifier: GPL-3.0-or-later
 * Saves what an arm learns from one set of texts for use with others: learns document frequencies from the lines of a
 * file, saves them, and loads them into another arm.
 *
 *     cc save_model.c $(pkg-config --cflags --libs fplab) -o save_model
 *     ./save_model lines.txt model 临江大桥今天下午恢复通车。 */
#include <stdio.h>
#include <string.h>

#include <fplab.h>

enum { MOST = 10000, LONGEST = 4096 };

static const char SPEC[] = "simhash:features=words,weight=tfidf";

static fp_status read_lines(const char *path, fp_arena *arena, fp_string *lines, size_t *count, fp_error *error) {
    static char line[LONGEST];
    FILE *file = fopen(path, "r");
    if (!file) return fp_at(error, fp_fail(error, FP_ERROR_IO, "cannot be read"), path, SIZE_MAX, SIZE_MAX);
    bool memory = true;
    for (*count = 0; memory && *count < MOST && fgets(line, sizeof line, file); ++*count) {
        size_t length = strcspn(line, "\n");
        char *copy = fp_arena_raw(arena, length, 1);
        memory = copy != NULL;
        if (memory) memcpy(copy, line, length);
        lines[*count] = (fp_string){copy, length};
    }
    fclose(file);
    return memory ? FP_OK : fp_fail(error, FP_ERROR_MEMORY, "out of memory");
}

static fp_status learn(const char *texts, const char *model, fp_arena *arena, fp_error *error) {
    fp_string *lines = fp_arena_alloc(arena, MOST, sizeof *lines);
    size_t count;
    fp_arm *arm;
    if (!lines) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    fp_status status = read_lines(texts, arena, lines, &count, error);
    if (status == FP_OK) status = fp_arm_parse(SPEC, NULL, arena, &arm, error);
    if (status == FP_OK) status = fp_arm_fit(arm, lines, NULL, count, NULL, 0, error);
    return status == FP_OK ? fp_arm_save(arm, model, error) : status;
}

static fp_status use(const char *model, const char *words, fp_arena *arena, fp_error *error) {
    fp_arm *arm;
    fp_sketch sketch;
    fp_status status = fp_arm_parse(SPEC, NULL, arena, &arm, error);
    if (status == FP_OK) status = fp_arm_load(arm, model, error);
    if (status == FP_OK) status = fp_arm_sketch(arm, (fp_string){words, strlen(words)}, arena, &sketch, error);
    if (status != FP_OK) return status;
    const char *text = fp_arm_text(arm, sketch, arena);
    if (!text) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    printf("%s\n", text);
    return FP_OK;
}

int main(int argc, char **argv) {
    fp_error error = {0};
    if (argc != 4) return fprintf(stderr, "save_model TEXTS MODEL TEXT\n"), 2;
    fp_arena *arena = fp_arena_new();
    fp_status status = arena ? learn(argv[1], argv[2], arena, &error) : fp_fail(&error, FP_ERROR_MEMORY, "no memory");
    if (status == FP_OK) status = use(argv[2], argv[3], arena, &error);
    if (status != FP_OK) fprintf(stderr, "save_model: %s%s%s\n", error.file, *error.file ? ": " : "", error.message);
    fp_arena_free(arena);
    return status != FP_OK;
}
