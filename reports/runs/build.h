/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * build.h - the sources and packages of this build.
 */
#ifndef FP_BUILD_H
#define FP_BUILD_H

typedef struct fp_build_fact {
    const char *name, *value;
} fp_build_fact;

/* The commit, as printed by `git describe --always --dirty`; "unknown" outside a repository. */
extern const char fp_build_commit[];

/* Each ends with a NULL name. The Debian packages, with versions, installed when the tables were compiled; and the
 * tables with their SHA-256. */
extern const fp_build_fact fp_build_packages[];
extern const fp_build_fact fp_build_tables[];

/* SHA-256, in hexadecimal, of the sources and tables of the lab that pages run as WebAssembly. */
extern const char fp_build_lab[];

#endif
