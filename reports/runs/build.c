/* SPDX-License-Identifier: GPL-3.0-or-later
 * Facts about the build, found by reports/runs/build_facts.sh. */
#include "reports/runs/build.h"

#include "facts.h"

const char fp_build_commit[] = FP_BUILD_COMMIT;
const fp_build_fact fp_build_packages[] = {FP_BUILD_PACKAGES};
const fp_build_fact fp_build_tables[] = {FP_BUILD_TABLES};
const char fp_build_lab[] = FP_BUILD_LAB;
