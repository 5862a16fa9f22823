#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts corrupted by the lab as WebAssembly, under node: to the byte what the program's own build makes of them, by every kind that a page has.
. tests/support.sh
for need in node clang-14 wasm-ld-14 llvm-ar-14; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
build=${BUILD:-build}
make --no-print-directory -j"$(nproc)" "$build/pages/lab.wasm.gz" "$build/tests/deep/pages/lab_answers" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
# Those that need other texts, or OpenCC's dictionaries, which stay out of the page.
kinds=$(tr '\n' ' ' <corpora/corruption/corruptions.def | grep -oE 'CORRUPTION\( *[a-z_]+,' | tr -d ' ,' | cut -d '(' -f 2 | grep -vxE 'sentence_insert|splice|traditional|taiwan|hongkong|simplified')
[ "$(wc -w <<<"$kinds")" -ge 15 ] || complain "only these kinds:" $kinds
# shellcheck disable=SC2086
node tests/deep/pages/lab_corruption.js "$build/pages/lab.wasm" "$build/tests/deep/pages/lab_answers" "$newswire/docs.jsonl" $kinds || complain "the module differs from the program"
exit $bad
