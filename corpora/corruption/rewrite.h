/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.h - a text on its way through one kind of corruption: chance, what has been written, what was changed.
 * Changes go from left to right; what lies between them is copied.
 */
#ifndef FP_REWRITE_H
#define FP_REWRITE_H

#include "corpora/corruption/corruption.h"
#include "text/unicode/alike.h"

typedef struct fp_rewrite {
    const fp_corruption_means *means;
    const fp_corruption_text *of;
    double rate;
    fp_string text; /* before */
    fp_script script;
    fp_arena *arena;
    size_t sites, changes;
    /* Its own. */
    uint64_t key, drawn;
    size_t at; /* so many bytes of the text have been passed on */
    char *made;
    size_t length, room;
    fp_corruption_edit *edits;
    size_t edit_count, edit_room;
    bool no_memory;
} fp_rewrite;

/* 64 random bits. */
uint64_t fp_rewrite_draw(fp_rewrite *work);
/* A number below `count`, which is not 0. */
size_t fp_rewrite_below(fp_rewrite *work, size_t count);
/* A site: whether it is to be changed. */
bool fp_rewrite_chosen(fp_rewrite *work);
/* The rate's share of `amount`, rounded, which is counted as so many sites and changes. */
size_t fp_rewrite_share(fp_rewrite *work, size_t amount);

/* Puts `to` in the place of the bytes from `begin` to `end`. */
void fp_rewrite_put(fp_rewrite *work, size_t begin, size_t end, fp_string to);
/* The same for one that was chosen: it counts. */
void fp_rewrite_change(fp_rewrite *work, size_t begin, size_t end, fp_string to);
/* The same for one character. */
void fp_rewrite_change_code(fp_rewrite *work, size_t begin, size_t end, uint32_t to);
/* Exchanges two stretches, the first before the second; what lies between them stays. It counts as one change. */
void fp_rewrite_swap(fp_rewrite *work, fp_string first, fp_string second);

/* Where a part of the text lies in it. */
static inline size_t fp_rewrite_place(const fp_rewrite *work, fp_string part) {
    return (size_t)(part.data - work->text.data);
}

/* Words of the text by the segmenter of the means, which must be there. */
fp_status fp_rewrite_cut(fp_rewrite *work, fp_tokens *words, fp_error *error);

/* Declares the apply functions of corruptions.def. */
#define CORRUPTION(name, ...) fp_status fp_corrupt_##name(fp_rewrite *work, fp_error *error);
#include "corpora/corruption/corruptions.def"
#undef CORRUPTION

#endif
