#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The playground in a browser: what it shows is what the program prints, while one types, by the keyboard, in both languages.
. tests/support.sh
for need in chromium clang-14 wasm-ld-14 llvm-ar-14; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
/usr/bin/python3 -c 'import websocket' 2>/dev/null || { echo "there is no python3-websocket"; exit 77; }
make --no-print-directory -j"$(nproc)" "${BUILD:-build}/pages/SHA256SUMS" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
"$fplab" page playground --out "$work/playground.html" >/dev/null 2>"$work/err" || complain "page: $(cat "$work/err")"
timeout 400 /usr/bin/python3 tests/deep/pages/playground_browser.py "$work/playground.html" "$fplab" "$newswire" ${PICTURES:+"$PICTURES"} >"$work/said" 2>&1 || complain "the browser: $(cat "$work/said")"
cat "$work/said"
exit $bad
