/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sched.h - the part that base/parallel.c uses: the page gives the module one thread.
 */
#ifndef FP_LAB_SCHED_H
#define FP_LAB_SCHED_H

#include <stddef.h>

typedef int cpu_set_t;
#define CPU_COUNT(set) (*(set))

static inline int sched_getaffinity(int process, size_t size, cpu_set_t *set) {
    return (void)process, (void)size, *set = 1, 0;
}

#endif
