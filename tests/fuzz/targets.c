/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of all targets. */
#include "tests/fuzz/fuzz.h"

const fuzz_target fuzz_targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "tests/fuzz/targets.def"
#undef TARGET
#define FORM(name) {"reader_" #name, fuzz_reader_##name},
#include "corpora/readers/forms.def"
#undef FORM
    {NULL, NULL}};
