/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * poison.h - memory that nobody may touch, where the address sanitizer is built in: arenas poison what is free in their
 * blocks, and a gap between two pieces, so that the sanitizer sees an overrun from one piece into the next. Elsewhere
 * nothing of it is left.
 */
#ifndef FP_POISON_H
#define FP_POISON_H

#if defined(__SANITIZE_ADDRESS__)
#define FP_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FP_POISONS 1
#endif
#endif

#ifdef FP_POISONS
#include <sanitizer/asan_interface.h>
enum { FP_POISON_GAP = 16 }; /* bytes behind a piece */
#define FP_POISON(place, size) ASAN_POISON_MEMORY_REGION(place, size)
#define FP_UNPOISON(place, size) ASAN_UNPOISON_MEMORY_REGION(place, size)
#else
enum { FP_POISON_GAP = 0 };
#define FP_POISON(place, size) ((void)(place), (void)(size))
#define FP_UNPOISON(place, size) ((void)(place), (void)(size))
#endif

#endif
