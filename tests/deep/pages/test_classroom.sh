#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The classroom in a browser, in both languages: the worked figures of the articles on every step, what is pressed and dragged, the counts of
# `fplab eval` at every threshold, widths, contrast and roles (axe-core, fetched by npm), keys, no request, nothing on the console.
. tests/support.sh
for need in chromium clang-14 wasm-ld-14 llvm-ar-14; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
/usr/bin/python3 -c 'import websocket' 2>/dev/null || { echo "there is no python3-websocket"; exit 77; }
make --no-print-directory -j"$(nproc)" "${BUILD:-build}/pages/SHA256SUMS" >"$work/log" 2>&1 || { tail -30 "$work/log"; exit 1; }
browse=$(realpath tests/deep/pages/classroom_browser.py)
cd "$work" || exit 1
if command -v npm >/dev/null && npm pack --silent axe-core@4 >/dev/null 2>err && tar xzf axe-core-*.tgz; then
    export AXE=$work/package/axe.min.js
else
    echo "skipped: contrast and roles: axe-core cannot be fetched ($(tail -n 1 err 2>/dev/null))"
fi
for language in en zh; do
    "$fplab" eval -c "$corpora/newswire-$language" -a simhash --threshold 0..30 --replicates 200 --no-plots --out $language >/dev/null 2>err || complain "eval: $(cat err)"
    "$fplab" page classroom --lang $language --out $language.html >/dev/null 2>err || complain "page: $(cat err)"
    [ "$(wc -c <$language.html)" -lt 7000000 ] || complain "$language.html has $(wc -c <$language.html) bytes"
    timeout 400 /usr/bin/python3 "$browse" "$language.html" $language $language/results.tsv ${PICTURES:+"$PICTURES"} >said 2>&1 || complain "$(cat said)"
    cat said
done
exit $bad
