/* SPDX-License-Identifier: GPL-3.0-or-later
 * How far apart are two texts?
 *
 *     cc hello.c $(pkg-config --cflags --libs fplab) -o hello
 *     ./hello 今天下午，临江大桥恢复通车。 临江大桥今天下午恢复通车。 */
#include <stdio.h>
#include <string.h>

#include <fplab.h>

static fp_status compare(const char *const words[2], fp_arena *arena, fp_error *error) {
    fp_arm *arm;
    fp_sketch sketch[2];
    fp_status status = fp_arm_parse("simhash:features=chars:2", NULL, arena, &arm, error);
    for (int i = 0; i < 2 && status == FP_OK; i++) {
        fp_string text = {words[i], strlen(words[i])};
        status = fp_arm_sketch(arm, text, arena, &sketch[i], error);
    }
    if (status != FP_OK) return status;
    double distance = fp_arm_distance(arm, sketch[0], sketch[1]);
    printf("%g %s: %s %.3f\n", distance, fp_arm_layout(arm)->scale, fp_arm_measure(arm),
           fp_arm_similarity(arm, distance));
    return FP_OK;
}

int main(int argc, char **argv) {
    const char *texts[2] = {"今天下午，临江大桥恢复通车。", "临江大桥今天下午恢复通车。"};
    if (argc == 3) texts[0] = argv[1], texts[1] = argv[2];
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_status status = arena ? compare(texts, arena, &error) : fp_fail(&error, FP_ERROR_MEMORY, "out of memory");
    if (status != FP_OK) fprintf(stderr, "hello: %s\n", error.message);
    fp_arena_free(arena);
    return status != FP_OK;
}
