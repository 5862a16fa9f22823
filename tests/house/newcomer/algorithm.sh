# SPDX-License-Identifier: GPL-3.0-or-later
# An algorithm as docs/commands.md says: one .c, one line in algorithms.def, one vector file. What may be NULL is.
asked+=(algorithms/test_vectors algorithms/arms/test_conformance)

add_algorithm() {
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
    *out = (fp_sketch){.data = length, .size = sizeof *length};
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
echo 'ALGORITHM(length, "counts")' >>algorithms/algorithms.def
printf '# By hand: three bytes a Han character.\ndistance\tlength\t甲\t甲乙丙\t6\t0\n' >tests/vectors/length.tsv
}

ask_algorithm() {
    "$build/bin/fplab" algorithms | grep -q '^length '
    "$build/bin/fplab" compare --arm length --text 甲 甲乙丙 --format tsv | grep -q '^length	6	bytes of 64'
    "$build/bin/fplab" eval --corpus tests/data/newswire-zh --arm length --no-plots --out "$work/out" >/dev/null
    FPLAB=$build/bin/fplab BUILD=$build tests/run "$build/tests/algorithms/test_vectors" "$build/tests/algorithms/arms/test_conformance" tests/cli/commands/test_explain.sh tests/house/test_house.sh >out || { cat out; exit 1; }
    # The code that the note tells is the one that holds.
    sed -n 's/^note: \(code	length	[0-9a-f]*\)$/\1/p' out >row
    [ "$(wc -l <row)" = 1 ] || { echo "no row to paste:"; cat out; exit 1; }
    cat row >>tests/vectors/length.tsv
    "$build/tests/algorithms/test_vectors" >out 2>&1 || { cat out; exit 1; }
    ! grep '^note: ' out
    # A wrong vector must fail, and a wrong code.
    for wrong in 'distance\tlength\t甲\t甲乙丙\t7\t0\n' 'code\tlength\t0\n'; do
        cp tests/vectors/length.tsv kept
        printf "$wrong" >>tests/vectors/length.tsv
        if "$build/tests/algorithms/test_vectors" >/dev/null 2>&1; then echo "a wrong vector passed"; exit 1; fi
        mv kept tests/vectors/length.tsv
    done
}
