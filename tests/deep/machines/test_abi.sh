#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What may change behind a program's back, by abidiff (abigail-tools) on two builds of the library: a private struct that changes is no change
# of the interface; a public one that changes is, or this test could not fail.
set -u
command -v abidiff >/dev/null || { echo "abidiff (abigail-tools) is missing"; exit 77; }
house=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }

# A copy of the tree, where the tables that take long are those of this build.
mkdir "$work/tree"
(git ls-files 2>/dev/null | grep . || find . -type f ! -path './.git/*' ! -path './build/*') | tar -cf - -T - | tar -xf - -C "$work/tree"
cd "$work/tree" || exit 1
build() { make --no-print-directory -j"${JOBS:-2}" BUILD="$work/build" CC="${CC:-gcc}" OPT="-O0 -g" HARDEN= SANITIZE= "$work/build/lib/libfplab.so" >"$work/log" 2>&1 || { complain "$1: $(tail -3 "$work/log")"; exit 1; }; cp -L "$work/build/lib/libfplab.so" "$work/$1.so"; }
# abidiff knows public headers by their file names, and some rooms have files of the same name: what the headers leave opaque is told.
for type in $(sed -n 's/^typedef struct \(fp_[a-z_]*\) \1;.*/\1/p' include/fplab/*.h); do
    grep -qE "^(typedef )?struct $type \{" include/fplab/*.h || printf '[suppress_type]\n  name = %s\n' "$type" "struct $type"
done >"$work/opaque"
grep -q 'name = fp_arm$' "$work/opaque" || complain "fp_arm is not opaque"
# compare NAME WANTED: abidiff's status, 0 for the same interface, 4 and more for another.
compare() {
    abidiff --suppressions "$work/opaque" --headers-dir1 "$house/include" --headers-dir2 "$work/tree/include" "$work/before.so" "$work/$1.so" >"$work/out" 2>&1
    local status=$?
    if [ "$2" = same ]; then [ $status = 0 ] || complain "$1: $(head -20 "$work/out")"
    else [ $((status & 4)) = 4 ] || complain "$1: abidiff sees no change (status $status)"; fi
}
build before
sed -i 's/^struct fp_arm {/struct fp_arm {\n    double first_of_all[3];/' algorithms/arms/arm.h
sed -i 's/^struct fp_explanation {/struct fp_explanation {\n    long first_of_all;/' base/explanation.h
cmp -s algorithms/arms/arm.h "$house/algorithms/arms/arm.h" && complain "fp_arm did not change"
build private
compare private same
sed -i 's/^    size_t stride; /    size_t another;\n    size_t stride; /' include/fplab/sketch.h
cmp -s include/fplab/sketch.h "$house/include/fplab/sketch.h" && complain "fp_sketches did not change"
build public
compare public other
grep -q fp_sketches "$work/out" || complain "the change is not that of fp_sketches: $(head -20 "$work/out")"
exit $bad
