#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The two copies of one web article: a page with its menus, advertisements and comments, and its text with a few words changed. An arm and a
# threshold chosen by `tune` on another corpus find them for each other, and nothing else.
. tests/support.sh
page=$(realpath tests/data/web/quay.html) copy=$(realpath tests/data/web/quay.txt)
cd "$work" || exit 1
"$fplab" tune --corpus "$newswire" --replicates 200 --save choice.json >/dev/null 2>err || complain "tune: $(cat err)"
build() { "$fplab" index build "$1" --choice choice.json --keep-texts "$newswire" "$copy" 2>err || complain "build: $(cat err)"; }

# found COLLECTION LEAST MOST: the page is a duplicate of the copy alone, with that share of its characters in common.
found() {
    awk -F'\t' -v least="$2" -v most="$3" 'NR == 2 { good = $1 == "quay.html" && $2 == "duplicate" && $3 == "quay.txt:1" && $6 >= least && $6 <= most && $7 == 1 }
        END { exit !(good && NR == 2) }' tracked || complain "$1: $(cat tracked)"
}
build news.fp
"$fplab" track news.fp "$page" >tracked 2>err || complain "track: $(cat err)"
found "the article" 0.85 1
build whole.fp
"$fplab" track whole.fp --keep-boilerplate "$page" >tracked 2>err || complain "track --keep-boilerplate: $(cat err)"
found "the whole page" 0.5 0.8

# A page goes in as a text does: packed, from standard input, in a shard, and is found by the text.
gzip -c "$page" >quay.html.gz
"$fplab" index build pages.fp --choice choice.json --keep-texts quay.html.gz "$newswire" 2>err || complain "build of a page: $(cat err)"
"$fplab" query pages.fp "$copy" 2>err | tail -n +2 | cut -f1,2 >hits
[ "$(cat hits)" = $'quay.txt:1\tquay.html' ] || complain "the text does not find the page: $(cat hits err)"
"$fplab" query pages.fp --from html - <"$page" 2>err | tail -n +2 | cut -f2,3 >hits
[ "$(cat hits)" = $'quay.html\t0' ] || complain "a page from standard input is not the packed one: $(cat hits err)"
"$fplab" cluster --choice choice.json -f tsv --members "$page" "$copy" "$newswire" 2>err | grep -c '^quay' | grep -qx 2 || complain "cluster: $(cat err)"

# dedup writes a page as a JSON object, which is read as the page was.
"$fplab" dedup --choice choice.json "$page" "$copy" >kept.jsonl 2>err || complain "dedup: $(cat err)"
python3 - <<'PY' || complain "kept: $(cat kept.jsonl)"
import json, sys
rows = [json.loads(line) for line in open('kept.jsonl', encoding='utf-8')]
text = rows[0]['text']
sys.exit(not (len(rows) == 1 and rows[0]['id'] == 'quay.html' and rows[0]['title'].endswith('江岸日报') and '防滑石板，一条一千二百米长的步道顺着江堤' in text
              and not any(word in text for word in ['新房', '热门', '版权', '梅雨', 'track', '请打开', '首付', '天气', '登录'])))
PY
"$fplab" query pages.fp kept.jsonl 2>/dev/null | tail -n +2 | cut -f2,3 | grep -qx $'quay.html\t0' || complain "what dedup wrote is another text"

# What is wrong.
refused 1 'no.html' "$fplab" dedup --choice choice.json no.html
refused 2 'jsonl, lines, csv, tsv, text, html, markdown or warc' "$fplab" dedup --choice choice.json --from pdf "$page"
mkdir dir.html
refused 1 'dir.html' "$fplab" dedup --choice choice.json --from html dir.html/x
python3 -c "print('<div>' * 100001)" >deep.html
refused 1 'deep.html: the page nests elements more than 100000 deep' "$fplab" dedup --choice choice.json deep.html
"$fplab" dedup --choice choice.json --skip-bad deep.html "$page" 2>err >kept || complain "--skip-bad: $(cat err)"
grep -q 'left out: deep.html: the page nests' err && [ "$(wc -l <kept)" = 1 ] || complain "--skip-bad: $(cat err)"
exit $bad
