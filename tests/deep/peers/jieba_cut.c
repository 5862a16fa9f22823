/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jieba_cut HMM SEARCH USERDICT: the jieba segmenter as a filter, for comparisons with other programs. HMM and SEARCH
 * are 0 or 1; USERDICT is none, shipped or a file. Numbers are not joined.
 *
 * In: documents, each "LENGTH\n" and that many bytes. Out: a line for each, its tokens as "begin:end" in bytes,
 * separated by spaces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/segmentation/segment.h"

static int complain(const fp_error *error) {
    fprintf(stderr, "jieba_cut: %s: line %zu: %s\n", error->file, error->line, error->message);
    return 1;
}

/* Reads the next document into the arena; false at the end of the input. */
static bool read_document(fp_arena *arena, fp_string *text) {
    size_t length;
    if (scanf("%zu", &length) != 1 || getchar() != '\n') return false;
    char *data = fp_arena_raw(arena, length + 1, 1);
    *text = (fp_string){data, length};
    return data && fread(data, 1, length, stdin) == length;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fputs("usage: jieba_cut HMM SEARCH USERDICT < documents > tokens\n", stderr);
        return 2;
    }
    fp_segment_options options = {
        .hmm = strcmp(arguments[1], "1") == 0, .search = strcmp(arguments[2], "1") == 0, .userdict = arguments[3]};
    fp_error error = {.line = SIZE_MAX, .byte = SIZE_MAX};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    const fp_segmenter *jieba = fp_segmenter_at(0);
    const void *state;
    if (jieba->open(&options, arena, &state, &error) != FP_OK) return complain(&error);
    for (fp_string text; read_document(scratch, &text); fp_arena_reset(scratch)) {
        fp_tokens tokens;
        if (jieba->cut(state, text, scratch, &tokens, &error) != FP_OK) return complain(&error);
        for (size_t i = 0; i < tokens.count; i++)
            printf("%s%u:%u", i ? " " : "", tokens.token[i].begin, tokens.token[i].end);
        putchar('\n');
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return ferror(stdout) ? 1 : 0;
}
