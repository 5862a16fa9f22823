/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * segment_support.h - what the tests of segmenters share: a text cut and its tokens with | between them.
 */
#ifndef FP_TEST_SEGMENT_SUPPORT_H
#define FP_TEST_SEGMENT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "text/segmentation/segment.h"

typedef struct fixture {
    fp_arena *arena;
    fp_error error;
} fixture;

static inline int set_up(void **state) {
    fixture *made = calloc(1, sizeof *made);
    made->arena = fp_arena_new();
    *state = made;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *made = *state;
    fp_arena_free(made->arena);
    free(made);
    return 0;
}

static inline const fp_segmenter *segmenter(const char *name) {
    const fp_segmenter *found;
    for (size_t i = 0; (found = fp_segmenter_at(i)); i++)
        if (strcmp(found->name, name) == 0) return found;
    fail_msg("no segmenter %s", name);
    return NULL;
}

static inline fp_tokens cut(fixture *it, const char *name, fp_segment_options options, fp_string text) {
    const fp_segmenter *with = segmenter(name);
    const void *state = NULL;
    fp_tokens tokens = {NULL, 0};
    if (with->open && with->open(&options, it->arena, &state, &it->error) != FP_OK)
        fail_msg("open: %s", it->error.message);
    if (with->cut(state, text, it->arena, &tokens, &it->error) != FP_OK) fail_msg("cut: %s", it->error.message);
    return tokens;
}

/* The tokens with | between them. */
static inline const char *joined(fixture *it, fp_string text, fp_tokens tokens) {
    size_t used = 0, size = 1;
    for (size_t i = 0; i < tokens.count; i++) size += tokens.token[i].end - tokens.token[i].begin + 1;
    char *line = fp_arena_alloc(it->arena, size, 1);
    for (size_t i = 0; i < tokens.count; i++) {
        fp_token token = tokens.token[i];
        if (i) line[used++] = '|';
        memcpy(line + used, text.data + token.begin, token.end - token.begin);
        used += token.end - token.begin;
    }
    return line;
}

static inline void expect(fixture *it, const char *name, fp_segment_options options, const char *text,
                          const char *wanted) {
    fp_string string = fp_string_of(text);
    assert_string_equal(joined(it, string, cut(it, name, options, string)), wanted);
}

#endif
