/* SPDX-License-Identifier: GPL-3.0-or-later
 * XXH3, which is a header: as functions, in the portable form, which gives the bytes of every other. */
#define XXH_IMPLEMENTATION
#define XXH_STATIC_LINKING_ONLY
#define XXH_VECTOR 0 /* XXH_SCALAR */
#include <xxhash.h>
