#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of a run in a browser: at every threshold from 0 to 64 the slider shows the counts of results.tsv; each count opens the pairs of its cell; no
# request, nothing on the console, contrast, widths, roles (axe-core, fetched by npm); by the keyboard, in both languages. The same with hostile names and
# texts, and with two corpora. 100,000 pairs under five arms are a page under 10 MB.
. tests/support.sh
for need in chromium; do command -v $need >/dev/null || { echo "there is no $need"; exit 77; }; done
/usr/bin/python3 -c 'import websocket' 2>/dev/null || { echo "there is no python3-websocket"; exit 77; }
browse=$(realpath tests/deep/pages/page_browser.py)
program=$(realpath "$fplab")
cd "$work" || exit 1
if command -v npm >/dev/null && npm pack --silent axe-core@4 >/dev/null 2>err && tar xzf axe-core-*.tgz; then
    export AXE=$work/package/axe.min.js
else
    echo "skipped: roles: axe-core cannot be fetched ($(tail -n 1 err 2>/dev/null))"
fi
look() { timeout 400 /usr/bin/python3 "$browse" "$program" "$1/index.html" "$1" >said 2>&1 || complain "$1: $(cat said)"; cat said; }

"$fplab" eval -c "$newswire" --threshold 0..64 --replicates 200 --report --out all >/dev/null 2>err || complain "eval: $(cat err)"
look all
"$fplab" eval -c "$newswire" -a simhash -a jaccard --hash-seeds 1 --costs --replicates 200 --report --out one >/dev/null 2>err || complain "one seed: $(cat err)"
look one

# What a page must not obey or be torn by: elements, quotes, turned directions, controls, very long words, another script.
cp -r "$newswire" 'x">&<script>alert(1)' && chmod -R u+w 'x">&<script>alert(1)'
/usr/bin/python3 - 'x">&<script>alert(1)' <<'P'
import json, sys
path = sys.argv[1] + "/docs.jsonl"
documents = [json.loads(line) for line in open(path, encoding="utf-8")]
ends = ["</script><script>alert(1)</script><img src=q onerror=alert(2)>", "\"'&amp;&#39;<!--", "w" * 3000, "\u202eabc\u2066d\u2069", "\u0001\u007f\u2028\u2029", "שלום עולם 123", "𠮷野家 🀄"]
for document, end in zip(documents, ends * 20):
    document["text"] += end
open(path, "w", encoding="utf-8").write("".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents))
P
"$fplab" eval -c "$newswire" -c 'x">&<script>alert(1)' -a "simhash:name=</script><script>alert(2)</script>" -a "jaccard:name=$(printf 'w%.0s' $(seq 3000))" --threshold 0..64 --replicates 200 --by kind --report --out hostile >/dev/null 2>err || complain "hostile: $(cat err)"
look hostile

# 100,000 pairs of 2,000 documents: a sample of them is listed, and the page says so.
/usr/bin/python3 - <<'P'
import json, os, random
draw = random.Random(7)
os.mkdir("many")
words = [chr(0x4e00 + draw.randrange(20000)) + chr(0x4e00 + draw.randrange(20000)) for _ in range(5000)]
texts = []
for i in range(2000):
    if i % 2: texts.append("".join(w if draw.random() > 0.02 else draw.choice("甲乙丙丁") for w in texts[-1]))
    else: texts.append("".join(draw.choice(words) for _ in range(200)))
open("many/docs.jsonl", "w").write("".join(json.dumps({"id": str(i), "text": t}, ensure_ascii=False) + "\n" for i, t in enumerate(texts)))
pairs = {(i, i + 1) for i in range(0, 2000, 2)}
while len(pairs) < 100000:
    a, b = sorted(draw.sample(range(2000), 2))
    pairs.add((a, b))
open("many/pairs.tsv", "w").write("".join("%d\t%d\t%d\tkind%d\n" % (a, b, a % 2 == 0 and b == a + 1, a % 3) for a, b in sorted(pairs)))
P
"$fplab" eval -c many --replicates 200 --report --out large >/dev/null 2>err || complain "large: $(cat err)"
size=$(wc -c <large/index.html)
echo "100,000 pairs: $size bytes"
[ "$size" -lt 10000000 ] || complain "100,000 pairs give $size bytes"
look large
exit $bad
