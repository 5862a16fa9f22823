#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The pictures that `track` and `cluster` draw: told in the run, drawn again from its tables alone, and where gnuplot is not there the tables are.
. tests/support.sh
cd "$work" || exit 1
python3 - "$newswire/docs.jsonl" <<'PY'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
with open('texts.jsonl', 'w', encoding='utf-8') as out:
    for i, row in enumerate(rows):
        print(json.dumps({'id': row['id'], 'text': row['text'], 'source': ['新华网', '', 'site.example'][i % 3], 'time': '2024-%02d-11' % (i % 12 + 1)}, ensure_ascii=False), file=out)
PY
head -n 1 texts.jsonl >first.jsonl; tail -n +2 texts.jsonl >rest.jsonl
"$fplab" index build one.fp -a simhash -d 10 first.jsonl 2>err || complain "build: $(cat err)"
cp -r one.fp two.fp
"$fplab" track one.fp rest.jsonl --out run --lang en --plot-format png,svg >/dev/null 2>err || complain "track: $(cat err)"
for picture in by_day by_source; do
    [ -s "run/plots/tracking-$picture.png" ] || complain "no picture $picture: $(ls run/plots)"
    python3 - "run/run.json" "plots/tracking-$picture.svg" <<'PY' || complain "run.json does not name $picture"
import json, sys
sys.exit(sys.argv[2] not in json.dumps(json.load(open(sys.argv[1]))))
PY
done
duplicates=$(awk -F'\t' 'NR > 1 { sum += $3 } END { print sum }' run/by-day.tsv)
grep -q "167 texts, $duplicates duplicates" run/plots/tracking-by_day.svg || complain "the counts are not those of the table"
grep -q 新华网 run/plots/tracking-by_source.svg || complain "a source is not named"
"$fplab" plot run --figure by-source --grey --lang zh >out 2>err || complain "plot: $(cat err)"
grep -q 无来源 run/plots/tracking-by_source.svg || complain "plot drew nothing new"
"$fplab" cluster -a simhash -d 10 texts.jsonl --out clusters >/dev/null 2>err || complain "cluster: $(cat err)"
[ -s clusters/plots/cluster-sizes.png ] || complain "no picture of clusters"
[ "$(awk -F'\t' 'NR > 1 { sum += $1 * $2 } END { print sum }' clusters/cluster-sizes.tsv)" = "$(($(wc -l <clusters/members.tsv) - 1))" ] || complain "the sizes do not add up to the members"
# Without gnuplot; texts with neither time nor source; nothing connected.
mkdir bin
PATH=$work/bin "$fplab" track two.fp rest.jsonl --out bare >/dev/null 2>err && complain "no gnuplot, and no word"
grep -q 'the tables are written to bare; the plots are missing' err || complain "no gnuplot: $(cat err)"
cmp -s run/by-day.tsv bare/by-day.tsv && cmp -s run/by-source.tsv bare/by-source.tsv || complain "without gnuplot the tables are others"
echo 甲乙丙丁戊己庚辛 >line.txt
"$fplab" track one.fp line.txt --out plain >/dev/null 2>err || complain "no time and no source: $(cat err)"
[ -s plain/by-day.tsv ] && [ ! -e plain/plots ] || complain "no time and no source: $(ls plain)"
"$fplab" cluster -a simhash -d 3 line.txt --out alone >/dev/null 2>err || complain "no cluster: $(cat err)"
exit $bad
