/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/version.h - which library this is.
 */
#ifndef FPLAB_VERSION_H
#define FPLAB_VERSION_H 1

/* Around every declaration of these headers: C names, which the library exports; all else in it is hidden. */
#ifdef __cplusplus
#define FP_BEGIN_C extern "C" {
#define FP_END_C }
#else
#define FP_BEGIN_C
#define FP_END_C
#endif
#if defined(__GNUC__)
#define FP_BEGIN FP_BEGIN_C _Pragma("GCC visibility push(default)")
#define FP_END _Pragma("GCC visibility pop") FP_END_C
#define FP_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define FP_BEGIN FP_BEGIN_C
#define FP_END FP_END_C
#define FP_PRINTF(text, first)
#endif

#define FP_VERSION "0.3.0"

/* The interface between the lab and its plug-ins; fp_algorithm.abi holds it. Plug-ins of another version are refused:
 * compile them anew. */
#define FP_ABI_VERSION 8u

#include <stdint.h>

FP_BEGIN

/* FP_VERSION and FP_ABI_VERSION as the library was built with them, which may be another one than the program was. */
const char *fp_version(void);
uint32_t fp_abi_version(void);

FP_END

#endif
