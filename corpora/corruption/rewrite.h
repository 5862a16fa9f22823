/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.h - the state of one kind of corruption on one text: random numbers, output and edits. Changes go from left
 * to right; the text between them is copied.
 */
#ifndef FP_REWRITE_H
#define FP_REWRITE_H

#include "corpora/corruption/corruption.h"
#include "text/unicode/alike.h"

typedef struct fp_rewrite {
    const fp_corruption_means *means;
    const fp_corruption_text *of;
    double rate;
    fp_string text; /* input */
    fp_script script;
    fp_arena *arena;
    size_t sites, changes;
    /* Internal. */
    uint64_t key, drawn;
    size_t at; /* bytes of the text that are already copied */
    char *made;
    size_t length, room;
    fp_corruption_edit *edits;
    size_t edit_count, edit_room;
    bool no_memory;
} fp_rewrite;

/* 64 random bits. */
uint64_t fp_rewrite_draw(fp_rewrite *work);
/* A random number below `count`, which is not 0. */
size_t fp_rewrite_below(fp_rewrite *work, size_t count);
/* Counts a site, and decides whether to change it. */
bool fp_rewrite_chosen(fp_rewrite *work);
/* The rate's share of `amount`, rounded; counts `amount` sites and the share as changes. */
size_t fp_rewrite_share(fp_rewrite *work, size_t amount);

/* Replaces the bytes from `begin` to `end` with `to`. */
void fp_rewrite_put(fp_rewrite *work, size_t begin, size_t end, fp_string to);
/* The same for a chosen site: counts a change. */
void fp_rewrite_change(fp_rewrite *work, size_t begin, size_t end, fp_string to);
/* The same for one character. */
void fp_rewrite_change_code(fp_rewrite *work, size_t begin, size_t end, uint32_t to);
/* Exchanges two stretches, the first before the second; the text between them stays. Counts one change. */
void fp_rewrite_swap(fp_rewrite *work, fp_string first, fp_string second);

/* The offset of a part of the text. */
static inline size_t fp_rewrite_place(const fp_rewrite *work, fp_string part) {
    return (size_t)(part.data - work->text.data);
}

/* Cuts the text into words with the segmenter of the means, which must exist. */
fp_status fp_rewrite_cut(fp_rewrite *work, fp_tokens *words, fp_error *error);

/* Declares the apply functions of corruptions.def. */
#define CORRUPTION(name, ...) fp_status fp_corrupt_##name(fp_rewrite *work, fp_error *error);
#include "corpora/corruption/corruptions.def"
#undef CORRUPTION

#endif
