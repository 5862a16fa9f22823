/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/version.h - versions of the library and of its interface.
 */
#ifndef FPLAB_VERSION_H
#define FPLAB_VERSION_H 1

/* FP_BEGIN and FP_END enclose the declarations of these headers: C linkage, exported symbols. All other symbols are
 * hidden. */
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

/* Version of the interface between the library and its plug-ins, stored in fp_algorithm.abi. Plug-ins of another
 * version are refused: recompile them. */
#define FP_ABI_VERSION 8u

#include <stdint.h>

FP_BEGIN

/* FP_VERSION and FP_ABI_VERSION that the library was built with; they may differ from those of the program. */
const char *fp_version(void);
uint32_t fp_abi_version(void);

FP_END

#endif
