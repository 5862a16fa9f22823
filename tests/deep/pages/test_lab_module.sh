#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lab as WebAssembly under node: the same fingerprints as the program's, to the byte, the same steps, the same results.
. tests/support.sh
for need in node clang-14 wasm-ld-14 llvm-ar-14; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
module=${BUILD:-build}/pages/lab.wasm
make --no-print-directory -j"$(nproc)" "$module.gz" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
grep -i warning "$work/log" && complain "the module compiles with warnings"
ls -l "$module" "$module.gz"
node tests/deep/pages/lab_module.js "$module" "$fplab" "$newswire/docs.jsonl" || complain "the module differs from the program"
exit $bad
