/* SPDX-License-Identifier: GPL-3.0-or-later
 * A custom segmenter, for texts that are already segmented, with a space between words. An arm selects it by name, like
 * jieba.
 *
 *     cc segmenter.c $(pkg-config --cflags --libs fplab) -o segmenter
 *     ./segmenter '美国 51区 雇员 称' */
#include <stdio.h>
#include <string.h>

#include <fplab.h>

/* Runs of spaces and runs of other bytes: tokens cover the text, and none cuts a character, because a space is one byte
 * that is not part of any other character. Tokens without a letter or a digit become no features. */
static fp_status cut(const void *state, fp_string text, fp_arena *scratch, fp_tokens *tokens, fp_error *error) {
    (void)state;
    if (text.length > UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text over 4 GiB");
    fp_token *token = fp_arena_raw(scratch, text.length, sizeof *token);
    if (!token) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    size_t count = 0;
    for (size_t at = 0; at < text.length; at++) {
        if (at == 0 || (text.data[at] == ' ') != (text.data[at - 1] == ' ')) token[count++].begin = (uint32_t)at;
        token[count - 1].end = (uint32_t)at + 1;
    }
    *tokens = (fp_tokens){token, count};
    return FP_OK;
}

static const fp_segmenter SPACES = {"spaces", "words with a space between them", NULL, cut};
static const fp_segmenter *const SEGMENTERS[] = {&SPACES, NULL};

static fp_status show(const char *words, fp_arena *arena, fp_error *error) {
    const fp_extensions extensions = {.size = sizeof extensions, .segmenters = SEGMENTERS};
    const fp_string text = {words, strlen(words)};
    fp_arm *arm;
    fp_features features;
    fp_status status =
        fp_arm_parse("cosine:features=words,segmenter=spaces,weight=tf", &extensions, arena, &arm, error);
    if (status == FP_OK) status = fp_arm_features(arm, text, arena, &features, error);
    if (status != FP_OK) return status;
    for (size_t i = 0; i < features.count; i++) {
        fp_string term = fp_features_term(&features, i);
        printf("%.*s\t%g\n", (int)term.length, term.data, features.weight[i]);
    }
    return FP_OK;
}

int main(int argc, char **argv) {
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_status status = arena ? show(argc > 1 ? argv[1] : "美国 51区 雇员 称 内部 有 9架 飞碟 飞碟", arena, &error)
                             : fp_fail(&error, FP_ERROR_MEMORY, "out of memory");
    if (status != FP_OK) fprintf(stderr, "segmenter: %s\n", error.message);
    fp_arena_free(arena);
    return status != FP_OK;
}
