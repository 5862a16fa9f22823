#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --audit M of dedup, cluster, query and track: a sheet with min(M, those found) pairs of each distance, each of them one that the command
# found, with both texts as they stand in the corpus; and `fplab judge estimate` makes of a filled sheet what the labels say.
. tests/support.sh
cd "$work" || exit 1
head -n 60 "$newswire/docs.jsonl" >first.jsonl; tail -n +61 "$newswire/docs.jsonl" >second.jsonl
"$fplab" index build all.fp -a simhash -d 10 --keep-texts "$newswire/docs.jsonl" 2>err || complain "$(cat err)"
"$fplab" index build first.fp -a simhash -d 10 --keep-texts first.jsonl 2>err || complain "$(cat err)"
"$fplab" index build bare.fp -a simhash -d 10 first.jsonl 2>err || complain "$(cat err)"

draw() { # NAME COMMAND…
    local name=$1; shift
    "$fplab" "$@" --audit 2 --audit-sheet "$name.sheet" >"$name.rows" 2>err || complain "$name: $(cat err)"
    grep -q "of the pairs are in $name.sheet" err || complain "$name says nothing: $(cat err)"
}
draw dedup dedup -a simhash -d 10 "$newswire"
draw cluster cluster -a simhash -d 10 "$newswire"
draw pairs cluster -a simhash -d 10 --pairs "$newswire"
draw query query all.fp "$newswire"
draw track track first.fp --duplicates second.jsonl

"$fplab" fingerprint --corpus "$newswire" -a simhash >prints
cat >look.py <<'PYTHON'
import collections, csv, json, os, sys
corpus = {}
for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8'):
    entry = json.loads(line); corpus[entry['id']] = entry
prints = dict(line.rstrip('\n').split('\t')[:2] for line in list(open('prints'))[1:])
far = lambda a, b: bin(int(prints[a], 16) ^ int(prints[b], 16)).count('1')
ids = list(prints)
near = collections.Counter(far(a, b) for i, b in enumerate(ids) for a in ids[:i] if far(a, b) <= 10)
both = collections.Counter(far(a, b) for b in ids for a in ids if far(a, b) <= 10)  # a query finds itself, and each pair twice
listed = {'pairs': near, 'cluster': near, 'query': both}
fold = lambda text: ' '.join(text.split())  # a sheet holds a text in one line
def fail(*words): print(*words); sys.exit(1)
for name in ('dedup', 'cluster', 'pairs', 'query', 'track'):
    lines = open(name + '.sheet', encoding='utf-8', newline='').read().split('\n')
    head = [line for line in lines if line.startswith('#')]
    rows = list(csv.DictReader((line for line in lines if line and not line.startswith('#')), delimiter='\t'))
    if len(rows) < 10: fail(name, 'has', len(rows), 'rows')
    drawn = collections.Counter()
    for row in rows:
        a, b = row['id_a'], row['id_b']
        distance = far(a, b)
        if int(float(row['distance'])) != distance: fail(name, row, distance)
        drawn[distance] += 1
        for side, key in ((a, 'text_a'), (b, 'text_b')):
            if fold(corpus[side]['text']) != fold(row[key]): fail(name, 'another text', side)
    if name in listed and drawn != {d: min(2, n) for d, n in listed[name].items()}: fail(name, drawn, listed[name])
    if len({(row['id_a'], row['id_b']) for row in rows}) != len(rows): fail(name, 'a pair twice')
PYTHON
python3 look.py "$newswire" >why 2>&1 || complain "$(tail -n 2 why)"

# The sample is the same on any number of threads, which find pairs in any order.
for threads in 1 2 5; do
    OMP_NUM_THREADS=$threads "$fplab" cluster -a simhash -d 20 --pairs "$newswire" --audit 3 --audit-sheet "threads$threads.sheet" >rows 2>err || complain "$(cat err)"
    cmp -s threads1.sheet "threads$threads.sheet" || complain "$threads threads sample other pairs"
done

# All pairs sampled, judged by the groups: the estimate is the share itself, and the report says of which pairs it is. Over dropped texts it
# is another share than over all pairs within the threshold.
cat >judge.py <<'PYTHON'
import json, sys
group = {}
for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8'):
    entry = json.loads(line); group[entry['id']] = entry['group']
out, names, right, all_ = [], None, 0, 0
for line in open(sys.argv[2], encoding='utf-8', newline='').read().split('\n'):
    cells = line.split('\t')
    if line and not line.startswith('#'):
        if names is None: names = cells
        else:
            same = group[cells[names.index('id_a')]] == group[cells[names.index('id_b')]]
            right += same; all_ += 1
            cells[names.index('judgement')] = 'duplicate' if same else 'not'
    out.append('\t'.join(cells))
open('judged.sheet', 'w', encoding='utf-8', newline='').write('\n'.join(out))
print('%.4f' % (right / all_), all_)
PYTHON
estimated() { # SHEET PAIRS WHAT
    read -r share count <<<"$(python3 judge.py "$newswire" "$1")"
    [ "$count" = "$2" ] || complain "$1 has $count pairs, not $2"
    "$fplab" judge estimate judged.sheet -f tsv 2>err | awk -F'\t' -v p="$share" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["threshold"] == 20 { seen = 1; d = $at["precision"] - p; if (d > 0.0001 || d < -0.0001) exit 1 }
        END { if (!seen) exit 1 }' || complain "$1: precision is not $share: $("$fplab" judge estimate judged.sheet -f tsv | tail -n 1)"
    "$fplab" judge estimate judged.sheet >estimate 2>err
    grep -q "^Sampled were $3\\. " estimate || complain "$1: another population: $(grep Sampled estimate)"
}
pairs=$("$fplab" cluster -a simhash -d 20 --pairs "$newswire" 2>err | tail -n +2 | grep -c .)
dropped=$("$fplab" dedup -a simhash -d 20 --dropped "$newswire" 2>err | tail -n +2 | grep -c .)
"$fplab" cluster -a simhash -d 20 --pairs "$newswire" --audit 100000 --audit-sheet whole.sheet >rows 2>err || complain "$(cat err)"
"$fplab" dedup -a simhash -d 20 "$newswire" --audit 100000 --audit-of pairs --audit-sheet near.sheet >rows 2>err || complain "$(cat err)"
"$fplab" dedup -a simhash -d 20 "$newswire" --audit 100000 --audit-of dropped --audit-sheet dropped.sheet >rows 2>err || complain "$(cat err)"
estimated dropped.sheet "$dropped" "dropped texts, each with the kept text nearest to it"
of_dropped=$share
estimated whole.sheet "$pairs" "all pairs of texts within the threshold"
estimated near.sheet "$pairs" "all pairs of texts within the threshold"
[ "$of_dropped" != "$share" ] || complain "both shares are $share: this corpus cannot tell them apart"
grep -v '^# sampled' judged.sheet >older.sheet
"$fplab" judge estimate older.sheet 2>err | grep -q "^Sampled were all pairs of the corpus\\. " || complain "a sheet of an earlier version: $(cat err)"

# What cannot be: a line each.
refused 2 "keep" "$fplab" query bare.fp --audit 2 --audit-sheet x.sheet second.jsonl
refused 2 "keep" "$fplab" track bare.fp --audit 2 --audit-sheet x.sheet second.jsonl
[ -e x.sheet ] && complain "a refused command wrote a sheet"
exit $bad
