/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build.h - what this program was built from.
 */
#ifndef FP_BUILD_H
#define FP_BUILD_H

typedef struct fp_build_fact {
    const char *name, *value;
} fp_build_fact;

/* The commit as `git describe --always --dirty` names it; "unknown" for sources that are in no repository. */
extern const char fp_build_commit[];

/* Each ends with a NULL name. The Debian packages, with their versions, that were installed when the tables were
 * compiled; and the tables with their SHA-256. */
extern const fp_build_fact fp_build_packages[];
extern const fp_build_fact fp_build_tables[];

/* The SHA-256, in hexadecimal digits, of the sources and tables that the lab is made of where pages run it as
 * WebAssembly. */
extern const char fp_build_lab[];

#endif
