#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program as a user meets it: each kind of bad input gives one clear line on standard error, exit status 1 or 2, and nothing half-written.
. tests/support.sh
cd "$work" || exit 1

corpus() { mkdir -p "$1"; cat >"$1/docs.jsonl"; }
good='{"id":"a","text":"今天天气很好"}
{"id":"b","text":"今天天气真好"}'

refused 1 'missing/docs.jsonl' "$fplab" eval --corpus missing
refused 1 'missing.txt' "$fplab" compare missing.txt missing.txt
mkdir empty && : >empty/docs.jsonl
refused 1 'no documents' "$fplab" eval --corpus empty

printf '%s\n' "$good" | corpus utf8
printf '{"id":"c","text":"abc\xff"}\n' >>utf8/docs.jsonl
refused 1 'utf8/docs.jsonl:3: invalid UTF-8 (byte 99)' "$fplab" corpus check utf8
printf 'good line\nab\xe4\xbd\n' >lines
refused 1 'lines:2: invalid UTF-8 (byte 12)' bash -c "\"$fplab\" fingerprint lines | grep -v -e id -e ^1"
refused 1 'lines:2: invalid UTF-8 (byte 12)' "$fplab" compare lines lines

printf '%s\n{"id":"a","text":"again"}\n' "$good" | corpus twice
refused 1 'twice/docs.jsonl:3: duplicate id a' "$fplab" eval --corpus twice
printf '%s\n' "$good" | corpus unknown
printf 'a\tz\t1\n' >unknown/pairs.tsv
refused 1 'unknown/pairs.tsv:1: a pair names the unknown id z' "$fplab" eval --corpus unknown
printf '%s\n' "$good" | corpus label
printf 'a\tb\t2\n' >label/pairs.tsv
refused 1 'label/pairs.tsv:1: the label "2" is neither 0 nor 1' "$fplab" eval --corpus label
printf '%s\n' "$good" | corpus columns
printf 'a b 1\n' >columns/pairs.tsv
refused 1 'columns/pairs.tsv:1: expected id_a' "$fplab" eval --corpus columns
printf '{"id":"a","text":"x"\n' | corpus json
refused 1 'json/docs.jsonl:1: not JSON' "$fplab" eval --corpus json
printf '{"id":"a"}\n' | corpus textless
refused 1 'textless/docs.jsonl:1: the document has no "text"' "$fplab" eval --corpus textless
printf '%s\n' "$good" | corpus unlabelled
refused 2 'unlabelled has no labels, neither pairs.tsv nor groups: label a sample with `fplab judge sample --corpus unlabelled' "$fplab" eval --corpus unlabelled


: >file
refused 1 'file' "$fplab" eval --corpus "$newswire" --out file/out
if [ -e /proc/version ]; then refused 1 cannot "$fplab" eval --corpus "$newswire" --out /proc/fplab; else echo "skipped: a place that cannot be made: there is no /proc"; fi

# An empty document is legal.
printf '%s\n{"id":"c","text":""}\n' "$good" | corpus nothing
printf 'a\tb\t1\na\tc\t0\nb\tc\t0\n' >nothing/pairs.tsv
"$fplab" eval --corpus nothing >out 2>err || complain "an empty document: $(cat err)"

# --skip-bad counts what it leaves out.
"$fplab" corpus check --skip-bad twice >out 2>err
[ $? = 1 ] && grep -q 'skipped twice/docs.jsonl:3' err && grep -q 'skipped 1 bad row' err || complain "--skip-bad: $(cat err)"

# gnuplot absent: the tables are there, the status says that the plots are not.
mkdir bin && PATH=$work/bin "$fplab" eval --corpus "$newswire" --out noplots >out 2>err
status=$?
[ $status = 1 ] || complain "gnuplot absent: status $status"
grep -q gnuplot err || complain "gnuplot absent: $(cat err)"
for file in results.tsv summary.tsv curves.tsv histograms.tsv run.json; do [ -s noplots/$file ] || complain "gnuplot absent: no $file"; done
ls noplots/plots/*.png >/dev/null 2>&1 && complain "gnuplot absent, and yet a picture"
[ -z "$(find noplots -name '*.part*')" ] || complain "a half-written file is left"

# The headers that other programs rely on.
head -1 noplots/results.tsv | grep -qx "corpus	arm	scale	threshold	tp	fp	fn	tn	precision	precision_low	precision_high	recall	recall_low	recall_high	f1	precision_band_low	precision_band_high	recall_band_low	recall_band_high" || complain "results.tsv header"
head -1 noplots/summary.tsv | grep -qx "corpus	arm	scale	pairs	positives	average_precision	average_precision_low	average_precision_high	roc_area	roc_area_low	roc_area_high	best_f1	best_f1_low	best_f1_high	best_threshold	bytes_per_document	sketch_seconds	sketch_seconds_low	sketch_seconds_high	distance_seconds	average_precision_bound	best_f1_bound" || complain "summary.tsv header"
[ "$(wc -l <noplots/results.tsv)" = 321 ] || complain "results.tsv has $(wc -l <noplots/results.tsv) lines, not 321"
"$fplab" distances --corpus "$newswire" --arm jaccard >out 2>err || complain "distances: $(cat err)"
head -1 out | grep -qx "id_a	id_b	label	kind	distance" || complain "distances header"
[ "$(wc -l <out)" = 919 ] || complain "distances: $(wc -l <out) lines"
python3 -c 'import json,sys; json.load(open("noplots/run.json"))' || complain "run.json is not JSON"

python3 - <<'PYTHON' || complain "intervals.tsv contradicts summary.tsv and results.tsv"
import csv
read = lambda name: list(csv.DictReader(open('noplots/' + name, encoding='utf-8'), delimiter='\t'))
rows = {(r['arm'], r['figure'], r['threshold']): r for r in read('intervals.tsv')}
for r in read('summary.tsv'):
    for figure in ('average_precision', 'roc_area', 'best_f1'):
        row = rows[r['arm'], figure, 'NA']
        assert abs(float(row['value']) - float(r[figure])) < 1e-9 and float(row['low']) <= float(row['value']) <= float(row['high']), row
for r in read('results.tsv'):
    row = rows[r['arm'], 'specificity', r['threshold']]
    assert abs(float(row['value']) - float(r['tn']) / (float(r['tn']) + float(r['fp']))) < 1e-9 and float(row['low']) <= float(row['value']), row
PYTHON

# Differences are of the figure that was asked for, and every two arms are named.
"$fplab" eval --corpus "$newswire" -a simhash -a jaccard -a pinyin --compare recall@10 --hash-seeds 1 --no-plots --out compared >out || complain "--compare"
python3 - <<'PYTHON' || complain "differences.tsv contradicts results.tsv"
import csv
read = lambda name: list(csv.DictReader(open('compared/' + name, encoding='utf-8'), delimiter='\t'))
recall = {r['arm']: float(r['recall']) for r in read('results.tsv') if r['threshold'] == '10'}
rows = read('differences.tsv')
assert len(rows) == 3
for r in rows:
    assert (r['figure'], r['threshold']) == ('recall', '10')
    assert abs(float(r['difference']) - (recall[r['arm_a']] - recall[r['arm_b']])) < 1e-9, r
    assert float(r['low']) <= float(r['difference']) <= float(r['high']) and float(r['p']) <= float(r['p_holm']), r
PYTHON
grep -q 'differences of recall at 10' out || complain "--compare is not told"
"$fplab" eval --corpus "$newswire" -a jaccard -a cosine --compare precision@1 | grep -q 'not defined: jaccard – cosine' || complain "undefined difference"

# What cannot be measured is told.
printf '%s\n{"id":"c","text":"别的"}\n' "$good" | corpus negatives
printf 'a\tb\t0\na\tc\t0\n' >negatives/pairs.tsv
"$fplab" eval --corpus negatives --arm simhash --format tsv >out 2>err || complain "no positives: $(cat err)"
awk -F'\t' 'NR > 1 && ($12 != "NA" || $15 != ($5 + $6 ? 0 : "NA")) { exit 1 } END { exit NR != 65 }' out || complain "no positives: recall is not NA, or F1 not 0 where a pair is called and NA elsewhere"
for share in 0 1 -1 x nan; do
    refused 2 "above 0 and below 1, not $share" "$fplab" eval --corpus "$newswire" --prevalence $share
    refused 2 "above 0 and below 1, not $share" "$fplab" eval --corpus "$newswire" --prevalence=$share
done

# one_sided CORPUS WORDS: tables with NA, never nan, and pictures; one line on standard error that says why.
one_sided() {
    "$fplab" eval --corpus $1 --arm simhash --arm jaccard --plot-format svg --out sided/$1 >out 2>err || complain "$1: status $?"
    [ "$(wc -l <err)" = 1 ] && grep -qF -- "$2" err || complain "$1: $(cat err)"
    grep -qiw -e nan -e inf out sided/$1/*.tsv && complain "$1: nan"
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "roc_area") column = i } NR > 1 && $column != "NA" { exit 1 }' sided/$1/summary.tsv ||
        complain "$1: ROC area is not NA"
    [ -s sided/$1/plots/$1-thresholds.svg ] && [ -s sided/$1/plots/$1-precision_recall.svg ] || complain "$1: no pictures"
}
printf '%s\n{"id":"c","text":"别的"}\n' "$good" | corpus positives
printf 'a\tb\t1\na\tc\t1\n' >positives/pairs.tsv
printf '{"id":"a","text":"今天天气很好","group":"g"}\n{"id":"b","text":"今天天气真好","group":"g"}\n' | corpus onegroup
one_sided negatives 'negatives: there are no positives: recall, best F1, average precision and ROC area are NA'
one_sided positives 'positives: there are no negatives: precision is 1 wherever it is defined; specificity and ROC area are NA'
one_sided onegroup 'onegroup: there are no negatives'
awk -F'\t' 'NR > 1 && $3 == "specificity" && $5 != "NA" { exit 1 }' sided/positives/intervals.tsv || complain "no negatives: specificity is not NA"
for level in document cluster; do
    "$fplab" eval --corpus onegroup --level $level --no-plots --out level-$level >out 2>err
    status=$?
    [ $status = 0 ] || { [ $status = 1 ] && [ -z "$(find level-$level -type f)" ] && [ ! -s out ]; } || complain "onegroup --level $level: status $status, half-written"
    grep -qiw -e nan -e inf out && complain "onegroup --level $level: nan"
done

# A directory that is used again: tables that this run does not write go.
"$fplab" eval --corpus "$newswire" --arm simhash --level cluster --by kind --no-plots --out used >/dev/null || complain "--out"
"$fplab" eval --corpus "$newswire" --arm simhash --no-plots --out used >/dev/null 2>err && [ ! -s err ] || complain "--out again: $(cat err)"
[ ! -e used/clusters.tsv ] && [ ! -e used/strata.tsv ] && [ -s used/results.tsv ] || complain "tables of an earlier run: $(ls used)"
refused 1 'no document of newswire-zh has a field "colour"' bash -c "\"$fplab\" eval --corpus \"$newswire\" --by colour --format tsv >/dev/null"
"$fplab" eval --corpus "$newswire" --arm simhash --by length --buckets 250,2000 --no-plots --out strata >out || complain "--by length"
grep -q 'too small' strata/strata.tsv || complain "a small stratum is not marked"
awk -F'\t' 'NR > 1 { pairs += $6 } END { exit pairs != 918 }' strata/strata.tsv || complain "strata do not add up to the pairs"
for i in 1 2 3 4 5 6 7 8; do echo "{\"id\":\"d$i\",\"text\":\"今天第$i次开会\"}"; done | corpus five
for i in 2 3 4 5 6; do printf 'd1\td%s\t%s\tfew\n' $i $((i % 2)); done >five/pairs.tsv
for i in 3 4 5 6 7 8; do for j in 1 2 3 4 5 6 7 8; do [ $j -gt $i ] && printf 'd%s\td%s\t%s\tmany\n' $i $j $((j % 2)); done; done >>five/pairs.tsv
"$fplab" eval --corpus five --arm simhash --by kind --no-plots --out five-strata >/dev/null || complain "a stratum of five pairs"
awk -F'\t' '$4 == "few" { found = $6 == 5 && /too small/ } END { exit !found }' five-strata/strata.tsv || complain "a stratum of five pairs: $(cat five-strata/strata.tsv)"
"$fplab" eval --corpus "$newswire" --arm oracle --level cluster --no-plots --out clusters >/dev/null || complain "--level cluster"
awk -F'\t' 'NR > 1 && $4 < 64 && ($5 != 1 || $8 != 1 || $11 != 1) { exit 1 } END { exit NR != 65 || $5 != 0 || $11 != 1 }' clusters/clusters.tsv || complain "the oracle's clusters are not perfect"
"$fplab" eval --corpus "$newswire" --arm oracle --level document --format tsv >out || complain "--level document"
awk -F'\t' 'NR > 1 && ($9 != ($4 < 64 ? 1 : "0.857142857143") || $12 != 1) { exit 1 } END { exit NR != 65 }' out || complain "the oracle's documents are not perfect"

# A file that an arm names may be a pipe, which is read once.
printf '的\n在\n是\n' >stop.txt
for options in '' '--lost'; do
    "$fplab" eval --corpus "$newswire" --arm simhash:stop=stop.txt,name=stop $options --format tsv >file.tsv || complain "stop=FILE"
    "$fplab" eval --corpus "$newswire" --arm simhash:stop=<(cat stop.txt),name=stop $options --format tsv >pipe.tsv || complain "stop=PIPE"
    cmp file.tsv pipe.tsv || complain "a list of stop words from a pipe $options"
done
"$fplab" eval --corpus "$newswire" --arm simhash:name=stop --format tsv 2>/dev/null | cmp -s - file.tsv && complain "stop words change nothing"

# The run can be repeated from run.json: the same bytes.
"$fplab" eval --corpus "$newswire" --out again --no-plots >/dev/null || complain "second run"
cmp -s noplots/results.tsv again/results.tsv || complain "two runs differ"

# The parameters in run.json, one by one, make the same arms again.
arms=$(python3 - <<'PYTHON'
import json
for arm in json.load(open('noplots/run.json'))['arms']:
    values = {**arm['parameters'], **arm.get('text', {}), **arm.get('features', {})}
    print(arm['algorithm'] + ':' + ','.join(f'{k}={v}' for k, v in values.items()) + ',name=' + arm['name'])
PYTHON
)
options=(); while read -r arm; do options+=(--arm "$arm"); done <<<"$arms"
"$fplab" eval --corpus "$newswire" "${options[@]}" --out third --no-plots >/dev/null || complain "arms from run.json"
cmp -s noplots/results.tsv third/results.tsv || complain "arms from run.json give other figures"

# Every command helps, with examples.
for command in $("$fplab" --help | awk '/^  [a-z]/ { print $1 }'); do
    "$fplab" $command --help >out 2>err || complain "$command --help: status"
    grep -q 'Examples:' out && grep -q 'Usage:' out && [ ! -s err ] || complain "$command --help"
done

# Labels with quotation marks come back from TSV and JSON as they were, and are drawn.
"$fplab" eval --corpus "$newswire" --arm 'simhash:name="one' --arm 'simhash:bits=32,name="two"' --arm 'minhash:name=th"ree' --plot-format svg --figure thresholds --out marks >/dev/null 2>err ||
    complain "labels with quotation marks: $(cat err)"
"$fplab" eval --corpus "$newswire" --arm 'simhash:name="one' --arm 'simhash:bits=32,name="two"' --arm 'minhash:name=th"ree' --format json >out
python3 - <<'PYTHON' || complain "labels with quotation marks"
import csv, json
labels = ['"one', '"two"', 'th"ree']
assert [row['arm'] for row in csv.DictReader(open('marks/summary.tsv', encoding='utf-8'), delimiter='\t')] == labels
assert all(sorted({row['arm'] for row in json.load(open('out'))[table]}) == sorted(labels) for table in ('answer', 'results', 'summary'))
PYTHON
[ -s marks/plots/newswire-zh-thresholds.svg ] || complain "labels with quotation marks are not drawn"

# Chinese columns line up.
"$fplab" eval --corpus "$newswire" --arm simhash:name=汉字指纹 --arm simhash:bits=32,name=thirtytwo >out || complain "labels"
python3 - <<'PYTHON' || complain "CJK columns do not line up"
import unicodedata
width = lambda s: sum(2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in s)
lines = open('out', encoding='utf-8').read().splitlines()
rows = [l for l in lines if l.startswith(('汉字指纹 ', 'thirtytwo ')) and 'bits of' in l]
starts = [width(l[:l.index('bits of')]) for l in rows]
assert len(rows) == 4 and starts[0] == starts[1] and starts[2] == starts[3], (rows, starts)
PYTHON
exit $bad
