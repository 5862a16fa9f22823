/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions of the header XXH3, in its portable form, which gives the same bytes as all others. */
#define XXH_IMPLEMENTATION
#define XXH_STATIC_LINKING_ONLY
#define XXH_VECTOR 0 /* XXH_SCALAR */
#include <xxhash.h>
