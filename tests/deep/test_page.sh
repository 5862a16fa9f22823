#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a run in a browser: at every threshold from 0 to 64 the slider shows the counts of results.tsv; no request, nothing on
# the console, contrast, widths; by the keyboard, in both languages. The same with hostile names, and with two corpora.
. tests/support.sh
for need in chromium; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
/usr/bin/python3 -c 'import websocket' 2>/dev/null || { echo "there is no python3-websocket"; exit 77; }
browse=$(realpath tests/deep/page_browser.py)
cd "$work" || exit 1
look() { timeout 300 /usr/bin/python3 "$browse" "$1/index.html" "$1" >said 2>&1 || complain "$1: $(cat said)"; cat said; }

"$fplab" eval -c "$newswire" --thresholds 0..64 --replicates 200 --report --out all >/dev/null 2>err || complain "eval: $(cat err)"
look all
cp -r "$newswire" 'x">&<script>alert(1)'
"$fplab" eval -c "$newswire" -c 'x">&<script>alert(1)' -a "simhash:name=</script><script>alert(2)</script>" -a "jaccard:name=$(printf 'w%.0s' $(seq 3000))" --thresholds 0..64 --replicates 200 --by kind --report --out hostile >/dev/null 2>err || complain "hostile: $(cat err)"
look hostile
exit $bad
