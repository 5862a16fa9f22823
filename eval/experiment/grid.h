/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * grid.h - many arms from one line: "simhash|minhash:features=words|chars:3,weight=tf|tfidf" is the product of all
 * alternatives, in the order in which they are written, the last varying fastest.
 */
#ifndef FP_GRID_H
#define FP_GRID_H

#include "algorithms/arms/arm.h"

typedef struct fp_grid {
    size_t count;
    fp_arm **arms; /* [count], labelled by what varies: the algorithm, and the keys that have alternatives */
    const char *const *written; /* [count] all that was written for the arm: a specification that makes it again */
} fp_grid;

enum { FP_GRID_MOST = 20000 }; /* arms, at some 30 KB each before anything is measured */

/* How many arms the NULL-terminated list of specifications stands for, without making them. FP_ERROR_SYNTAX for an
 * alternative that is empty, a key without "=" or one that stands twice; FP_ERROR_RANGE beyond FP_GRID_MOST. Errors
 * quote the specification. */
fp_status fp_grid_count(const char *const *specs, size_t *count, fp_error *error);

/* Makes the arms, in `arena`; `plugins` are the algorithms of fp_extensions. Also fails when an arm does (a key that
 * its algorithm does not have, a value out of bounds), and with FP_ERROR_DUPLICATE when two arms are the same under
 * other names. Where the labels of two specifications would be equal, both arms are called by all that was written.
 * name=… is for a specification of one arm. */
fp_status fp_grid_expand(const char *const *specs, const fp_algorithm *const *plugins, fp_arena *arena, fp_grid *grid,
                         fp_error *error);

#endif
