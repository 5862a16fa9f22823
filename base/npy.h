/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * npy.h - matrices of float32 in NumPy's file format, versions 1.0 to 3.0 (NumPy Enhancement Proposal 1 and its
 * successors; numpy.lib.format).
 */
#ifndef FP_NPY_H
#define FP_NPY_H

#include "base/base.h"

typedef struct fp_npy {
    size_t rows, columns;
    float *values; /* [rows · columns], row after row; finite */
} fp_npy;

/* Reads the matrix into `arena`; gzip and Zstandard are unpacked. Peak memory is the matrix, or up to twice as much for
 * a packed file. Errors name the file: FP_ERROR_IO, FP_ERROR_SYNTAX (not a .npy file, an invalid header, a number type
 * other than '<f4', Fortran order, other than two dimensions, missing or extra bytes), FP_ERROR_EMPTY (no row or no
 * column), FP_ERROR_RANGE (larger than FP_MOST_BYTES; a NaN or infinite value, with row and column, counted from 1). */
fp_status fp_npy_read(const char *path, fp_arena *arena, fp_npy *matrix, fp_error *error);

#endif
