#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The report, the playground and the classroom in Firefox: the program's figures, no word on the console, no request.
. tests/support.sh
for need in firefox-esr clang-14 wasm-ld-14 llvm-ar-14; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
/usr/bin/python3 -c 'import websocket' 2>/dev/null || { echo "there is no python3-websocket"; exit 77; }
make --no-print-directory -j"$(nproc)" "${BUILD:-build}/pages/SHA256SUMS" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
for page in playground classroom; do "$fplab" page $page --lang en --out "$work/$page.html" >/dev/null 2>"$work/err" || complain "$page: $(cat "$work/err")"; done
"$fplab" eval -c "$newswire" -a simhash -a pinyin --threshold 0..64 --hash-seeds 1 --replicates 200 --no-plots --report --out "$work/run" >/dev/null 2>"$work/err" || complain "eval: $(cat "$work/err")"
timeout 500 /usr/bin/python3 tests/deep/pages/firefox_pages.py "$work/run/index.html" "$work/run" "$work/playground.html" "$work/classroom.html" "$fplab" >"$work/said" 2>&1 || complain "Firefox: $(cat "$work/said")"
cat "$work/said"
exit $bad
