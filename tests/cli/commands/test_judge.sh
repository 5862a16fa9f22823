#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab judge: newswire-zh as if nobody had labelled it. The draw against every distance, the estimates against sums made elsewhere and against the groups,
# the walk through a pipe, two judges, bad input.
. tests/support.sh
cd "$work" || exit 1
arm=simhash:features=chars:3,weight=tf

judgements() { awk -F'\t' '/^#/ || $1 == "pair" { next } { print $6 }' "$1" | tr '\n' ' '; }

# Without labels, and with the groups as the truth of all pairs.
mkdir bare grouped
cp "$newswire/docs.jsonl" grouped
python3 - <<'PYTHON'
import json
with open('bare/docs.jsonl', 'w', encoding='utf-8') as bare:
    for line in open('grouped/docs.jsonl', encoding='utf-8'):
        document = json.loads(line)
        bare.write(json.dumps({'id': document['id'], 'text': document['text']}, ensure_ascii=False) + '\n')
PYTHON
"$fplab" distances --corpus grouped --arm $arm >all.tsv || complain "distances"

# ---- The draw ----

for threads in 1 7; do
    OMP_NUM_THREADS=$threads "$fplab" judge sample -c bare -a $arm -d 0..24 -m 20 -o "sheet$threads.tsv" >strata 2>err || complain "sample: $(cat err)"
done
cmp sheet1.tsv sheet7.tsv || complain "one thread and seven give other sheets"
OMP_NUM_THREADS=7 "$fplab" judge sample -c bare -a jaccard -d 8..60 -m 3 2>err >real7.tsv
OMP_NUM_THREADS=1 "$fplab" judge sample -c bare -a jaccard -d 8..60 -m 3 2>err >real1.tsv
cmp real1.tsv real7.tsv || complain "one thread and seven give other sheets on a real scale"
grep -q '^fplab: there are no pairs at distance 1[0-9]' err || complain "empty strata are not told: $(cat err)"
grep -q '^fplab: fewer pairs than requested, and all of them sampled, at distance ' err || complain "small strata are not told: $(cat err)"
"$fplab" judge sample -c bare -a $arm -d 0..24 -m 20 --seed 2 2>/dev/null | cmp -s - sheet1.tsv && complain "the seed does nothing"
grep -q "^# version	$("$fplab" --version | cut -d' ' -f2)\$" sheet1.tsv || complain "no version in the sheet"
grep -q '^# arm	simhash:bits=64,' sheet1.tsv || complain "no arm in full in the sheet"
grep -q "^# sha256	$(sha256sum <bare/docs.jsonl | cut -c1-64)\$" sheet1.tsv || complain "no checksum in the sheet"
python3 - <<'PYTHON' || complain "the draw is not what counting says"
import collections, csv, math
distance = {}
for row in csv.DictReader(open('all.tsv', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE):
    distance[row['id_a'], row['id_b']] = float(row['distance'])
for name, first, last, most in (('sheet1.tsv', 0, 24, 20),):
    lines = open(name, encoding='utf-8').read().splitlines()
    strata = {int(l.split('\t')[1]): (int(l.split('\t')[3]), int(l.split('\t')[5])) for l in lines if l.startswith('# stratum')}
    population = collections.Counter(math.ceil(d) for d in distance.values())
    assert strata == {k: (population[k], min(most, population[k])) for k in range(first, last + 1)}, strata
    rows = list(csv.DictReader([l for l in lines if not l.startswith('#')], delimiter='\t'))
    assert [int(r['pair']) for r in rows] == list(range(1, len(rows) + 1))
    assert len({(r['id_a'], r['id_b']) for r in rows}) == len(rows)
    assert all(distance[r['id_a'], r['id_b']] == float(r['distance']) and math.ceil(float(r['distance'])) == int(r['stratum']) for r in rows)
    assert collections.Counter(int(r['stratum']) for r in rows) == {k: m for k, (n, m) in strata.items() if m}
    assert [r['stratum'] for r in rows] != sorted((r['stratum'] for r in rows), key=int)
PYTHON

# ---- Estimates ----

# A judge who knows the groups; of every `unsure`-th pair, in order of the sheet, he is not sure.
cat >fill.py <<'PYTHON'
import csv, json, sys
group = {d['id']: d['group'] for d in map(json.loads, open('grouped/docs.jsonl', encoding='utf-8'))}
unsure = int(sys.argv[1])
for source, target in zip(sys.argv[2::2], sys.argv[3::2]):
    with open(target, 'w', encoding='utf-8') as out:
        for line in open(source, encoding='utf-8'):
            cells = line.split('\t')
            if cells[0].isdigit():
                cells[5] = 'unsure' if unsure and int(cells[0]) % unsure == 0 else 'duplicate' if group[cells[1]] == group[cells[2]] else 'not'
            out.write('\t'.join(cells))
PYTHON
python3 fill.py 0 sheet1.tsv judged.tsv
python3 fill.py 7 sheet1.tsv doubtful.tsv
for policy in leave-out negative positive; do
    "$fplab" judge estimate doubtful.tsv --unsure $policy --corpus bare --format tsv >"$policy.tsv" 2>err || complain "estimate: $(cat err)"
done
python3 - <<'PYTHON' || complain "the estimates are not those of the formula"
import collections, csv
lines = open('doubtful.tsv', encoding='utf-8').read().splitlines()
N = {int(l.split('\t')[1]): int(l.split('\t')[3]) for l in lines if l.startswith('# stratum')}
counts = collections.Counter((int(l.split('\t')[4]), l.split('\t')[5]) for l in lines if l[0].isdigit())
for policy in ('leave-out', 'negative', 'positive'):
    duplicates = decided = 0
    found = []
    for k in N:
        yes, no, unsure = (counts[k, word] for word in ('duplicate', 'not', 'unsure'))
        if policy == 'positive': yes += unsure
        if policy == 'negative': no += unsure
        judged = sum(counts[k, word] for word in ('duplicate', 'not', 'unsure'))
        if judged: duplicates, decided = duplicates + N[k] * yes / judged, decided + N[k] * (yes + no) / judged
        found.append((duplicates, decided))
    for row, (yes, both) in zip(csv.DictReader(open(policy + '.tsv'), delimiter='\t'), found):
        assert row['unsure_as'] == policy
        number = lambda name: None if row[name] == 'NA' else float(row[name])
        near = lambda a, b: (a is None) == (b is None) and (a is None or abs(a - b) < 1e-9)
        assert near(number('precision'), yes / both if both else None), row
        assert near(number('relative_recall_ratio'), yes / duplicates), row
        if both: assert number('precision_low') <= number('precision') <= number('precision_high')
        assert number('relative_recall_low') <= number('relative_recall') <= number('relative_recall_high')
PYTHON

# Over 40 draws the intervals hold the truth by groups in 95 of 100 cases; far fewer, or all to the last, would not be 95% intervals. Draws of 25 strata are
# independent, their thresholds are not: the bounds are wide.
for seed in $(seq 40); do "$fplab" judge sample -c bare -a $arm -d 0..24 -m 12 --seed "$seed" -o "draw$seed.tsv" >/dev/null 2>&1; done
python3 fill.py 0 $(for seed in $(seq 40); do echo "draw$seed.tsv filled$seed.tsv"; done)
for seed in $(seq 40); do "$fplab" judge estimate "filled$seed.tsv" --format tsv >"figures$seed.tsv" || complain "estimate of draw $seed"; done
python3 - <<'PYTHON' || complain "the intervals miss the truth too often, or never"
import csv
pairs = [(float(r['distance']), int(r['label'])) for r in csv.DictReader(open('all.tsv', encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE)]
within = {h: [label for d, label in pairs if d <= h] for h in range(25)}
all_duplicates = sum(within[24])
held = {'precision': 0, 'relative_recall': 0}
cases = dict(held)
for seed in range(1, 41):
    for row in csv.DictReader(open(f'figures{seed}.tsv'), delimiter='\t'):
        h = int(row['threshold'])
        if not within[h]: continue
        truth = {'precision': sum(within[h]) / len(within[h]), 'relative_recall': sum(within[h]) / all_duplicates}
        for name, value in truth.items():
            low, high = float(row[name + '_low']), float(row[name + '_high'])
            inside = low - 1e-9 <= value <= high + 1e-9
            if high - low < 1e-9:
                assert inside, (seed, h, name, low, value)  # known to the last pair
            else:
                cases[name] += 1
                held[name] += inside
for name in held:
    assert cases[name] > 200 and 0.90 < held[name] / cases[name] < 1, (name, held, cases)
PYTHON

# ---- The walk ----

cp sheet1.tsv walk.tsv
printf 'd\nnot\nb\nU\nq\n' | "$fplab" judge walk.tsv --corpus bare >out 2>err || complain "walk: $(cat err)"
[ "$(judgements walk.tsv | cut -d' ' -f1-3)" = "duplicate unsure " ] || complain "back: $(judgements walk.tsv | cut -c1-60)"
[ "$(tail -1 out)" = "2 of $(grep -c '^[0-9]' walk.tsv) pairs are judged, and saved in walk.tsv." ] || complain "quit: $(tail -1 out)"
grep -q 'Judged before: not' out || complain "back does not tell the judgement"
grep -qF '[-' out && grep -qF '{+' out || complain "differences are not marked"
grep -q $'\033' out && complain "escape sequences without a terminal"
grep -qi 'distance\|original\|reprint' out && complain "the walk tells distances or ids"
printf '?\ns\nn' | "$fplab" judge walk.tsv --corpus bare >out 2>err || complain "resume: $(cat err)"
[ "$(judgements walk.tsv | cut -d' ' -f1-4)" = "duplicate unsure  not" ] || complain "resume and skip: $(judgements walk.tsv | cut -c1-60)"
grep -q '^Pair 3 of .*, 2 judged$' out || complain "resume begins elsewhere: $(grep '^Pair' out)"
grep -q 'd  duplicate' out || complain "no help in the walk"
diff <(cut -f1-5,7- sheet1.tsv) <(cut -f1-5,7- walk.tsv) >/dev/null || complain "the walk changes more than judgements"
printf 'b\nn\n' | "$fplab" judge walk.tsv --from 1 >out || complain "--from"
grep -q 'This is the first pair' out && [ "$(judgements walk.tsv | cut -d' ' -f1)" = not ] || complain "the first pair has one before it"
printf 'n\nperhaps\nd\n' | "$fplab" judge walk.tsv >out 2>err && complain "an answer that is none is taken"
grep -q 'standard input:2: "perhaps" is not an answer; pair 5' err || complain "an answer that is none: $(cat err)"
[ "$(judgements walk.tsv | cut -d' ' -f1-5)" = "not unsure not not " ] || complain "answers after a bad one: $(judgements walk.tsv | cut -c1-60)"
yes n | head -1000 | "$fplab" judge walk.tsv >out || complain "to the end"
tail -1 out | grep -q '^All .* pairs are judged' || complain "the end is not told: $(tail -1 out)"
judgements walk.tsv | grep -q '  ' && complain "pairs are left open at the end"
[ -z "$(find . -name '*.part*')" ] || complain "a half-written file is left"

# Texts as they are, or with what would command the terminal made harmless.
mkdir evil
printf '%s\n' '{"id":"a","text":"red \u001b[31malert\u0007 \u202eand so on"}' '{"id":"b","text":"red \u001b[32malert\u0007 \u202eand so on"}' >evil/docs.jsonl
"$fplab" judge sample -c evil -a $arm -d 0..64 -o evil.tsv >/dev/null 2>&1
echo q | "$fplab" judge evil.tsv -c evil >out
LC_ALL=C grep -q $'[\033\007]\|\342\200\256' out && complain "a text commands the terminal"

# ---- Two judges ----

python3 fill.py 5 sheet1.tsv second.tsv
"$fplab" judge agreement judged.tsv second.tsv --format json >agreement.json || complain "agreement"
"$fplab" judge estimate judged.tsv second.tsv --format tsv >both.tsv 2>err || complain "two sheets: $(cat err)"
"$fplab" judge estimate second.tsv --format tsv >alone.tsv
cmp -s both.tsv alone.tsv || complain "where one judge is unsure, both are not"
"$fplab" judge estimate judged.tsv second.tsv >out || complain "two sheets as a table"
grep -q '^kappa = ' out && grep -q 'unsure where they do not' out && grep -q 'Unsure pairs are left out' out || complain "definitions are missing"
python3 - <<'PYTHON' || complain "agreement is not what counting says"
import json
cells = [[l.split('\t')[5] for l in open(name, encoding='utf-8') if l[0].isdigit()] for name in ('judged.tsv', 'second.tsv')]
[row] = json.load(open('agreement.json'))
names = ('duplicate', 'not', 'unsure')
assert row['pairs'] == len(cells[0])
for a in names:
    for b in names: assert row[f'{a}_{b}'] == sum(x == a and y == b for x, y in zip(*cells)), (a, b)
observed = sum(x == y for x, y in zip(*cells)) / len(cells[0])
expected = sum(cells[0].count(n) * cells[1].count(n) for n in names) / len(cells[0]) ** 2
assert abs(row['kappa'] - (observed - expected) / (1 - expected)) < 1e-9
PYTHON

# ---- Bad input ----

sample() { "$fplab" judge sample -c bare -a $arm "$@"; }
refused 1 'judged.tsv already exists' sample -o judged.tsv
refused 1 'nowhere/sheet.tsv' sample -o nowhere/sheet.tsv
refused 2 '--distances takes A..B' sample -d 10..3
refused 2 '--per-distance takes 1 to' sample -m 0
refused 2 '--seed' sample --seed -4
refused 2 'no corpus given' "$fplab" judge sample -a $arm
refused 2 '--from takes' "$fplab" judge judged.tsv --from 100000
mkdir far && printf '%s\n' '{"id":"a","text":"今天天气很好"}' '{"id":"b","text":"股市大跌人心不稳"}' >far/docs.jsonl
refused 1 'no two of the 2 documents are at a distance of 0 to 2 (bits of 64)' "$fplab" judge sample -c far -a $arm -d 0..2
refused 1 'missing.tsv' "$fplab" judge estimate missing.tsv
refused 1 "whose documents have the sha256 $(sha256sum <bare/docs.jsonl | cut -c1-64); those of far have $(sha256sum <far/docs.jsonl | cut -c1-64)" \
    "$fplab" judge estimate judged.tsv --corpus far
refused 1 'whose documents have the sha256' "$fplab" judge judged.tsv --corpus far
sed 's/^\(7\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t\)[a-z]*/\1maybe/' judged.tsv >maybe.tsv
refused 1 "maybe.tsv:$(grep -n '^7	' judged.tsv | cut -d: -f1): the judgement \"maybe\" is none of duplicate, not, unsure, or empty" "$fplab" judge estimate maybe.tsv
grep -v '^7	' judged.tsv >short.tsv
refused 1 'pair 7 is missing' "$fplab" judge estimate short.tsv
grep -v '^# arm' judged.tsv >headless.tsv
refused 1 'the header line "# arm" is missing' "$fplab" judge estimate headless.tsv
"$fplab" judge sample -c bare -a $arm -d 0..24 -m 20 --seed 3 >third.tsv 2>/dev/null
refused 1 'not the same sample as judged.tsv: the seed is 3, not 0' "$fplab" judge agreement judged.tsv third.tsv
"$fplab" judge estimate sheet1.tsv >out 2>err || complain "a sheet without judgements: $(cat err)"
grep -q '^fplab: figures that need distances without a judged pair are NA: ' err && grep -q 'NA' out || complain "nothing judged: $(cat err)"

"$fplab" judge --help >out 2>err && grep -q 'Examples:' out && [ ! -s err ] || complain "--help"
exit $bad
