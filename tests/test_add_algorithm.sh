#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A newcomer adds an algorithm: one .c, one line in algorithms.def, one vector file, and touches nothing else.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar -c --exclude=./.git --exclude=./demo --exclude=./build . | tar -x -C "$work/tree"
# What is built already need not be built again; the build directory itself stays as it is.
cp -a "${BUILD:-build}" "$work/tree/build"
cd "$work/tree"
rm -rf build/sanitize
find build -name '*.d' -exec sed -i "s|^${BUILD:-build}/|build/|" {} +
build=build

cat >algorithms/length.c <<'C'
/* SPDX-License-Identifier: GPL-3.0-or-later
 * The length of a text in bytes, as a fingerprint. */
#include <math.h>

#include "fplab.h"

static fp_status layout(const void *parameters, fp_layout *out, fp_error *error) {
    (void)parameters;
    (void)error;
    *out = (fp_layout){.bytes = 8, .maximum = 64, .integral = true, .scale = "bytes of 64"};
    return FP_OK;
}

static fp_status sketch(const fp_instance *self, const fp_document *document, fp_arena *scratch, fp_sketch *out, fp_error *error) {
    (void)self;
    uint64_t *length = fp_arena_alloc(scratch, 1, sizeof *length);
    if (!length) return fp_fail(error, FP_ERROR_MEMORY, "out of memory");
    *length = document->text.length;
    *out = (fp_sketch){length, sizeof *length};
    return FP_OK;
}

static double distance(const fp_instance *self, fp_sketch a, fp_sketch b) {
    (void)self;
    return fmin(64, fabs((double)*(const uint64_t *)a.data - (double)*(const uint64_t *)b.data));
}

const fp_algorithm fp_algorithm_length = {
    .abi = FP_ABI_VERSION, .needs = FP_NEEDS_TEXT, .name = "length", .summary = "the length of the text in bytes",
    .citation = "an example that the tests build", .features = "", .layout = layout, .sketch = sketch, .distance = distance,
};
C
echo 'ALGORITHM(length)' >>algorithms/algorithms.def
printf '# By hand: three bytes a Han character.\ndistance\tlength\t甲\t甲乙丙\t6\t0\ncode\tlength\t0\n' >tests/vectors/length.tsv

make --no-print-directory BUILD="$build" all >/dev/null
"$build/bin/fplab" algorithms | grep -q '^length '
"$build/bin/fplab" compare --arm length --text 甲 甲乙丙 --format tsv | grep -q '^length	6	bytes of 64'
"$build/bin/fplab" eval --corpus corpora/data/newswire-zh --arm length --no-plots --out "$work/out" >/dev/null
make --no-print-directory BUILD="$build" "$build/tests/test_vectors" "$build/tests/test_conformance" >/dev/null
code=$("$build/tests/test_vectors" 2>&1 | sed -n 's/.*verification code \([0-9a-f]*\), not 0.*/\1/p')
sed -i "s/^code	length	0\$/code	length	$code/" tests/vectors/length.tsv
"$build/tests/test_vectors"
"$build/tests/test_conformance"
# A wrong vector must fail.
printf 'distance\tlength\t甲\t甲乙丙\t7\t0\n' >>tests/vectors/length.tsv
if "$build/tests/test_vectors" >/dev/null 2>&1; then echo "a wrong vector passed"; exit 1; fi
