#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab tune as a user meets it: what it writes, that it can be repeated, and that bad input gives one clear line and nothing half-written.
. tests/support.sh
cd "$work" || exit 1

# ---- What it writes ----

grid='simhash|minhash:features=words|chars:2,weight=binary|idf'
"$fplab" tune --corpus "$newswire" --grid "$grid" --out tuned --save choice.json >out 2>err || complain "tune: $(cat err)"
[ -s err ] && complain "tune says on standard error: $(cat err)"
# card LINE PATTERN WHAT: a line of the answer card in `out`.
card() { grep -qE "^  $1 +$2\$" out || complain "$3: $(head -12 out)"; }
[ "$(head -1 out)" = 'newswire-zh, the answer, with 95% intervals' ] || complain "the first line: $(head -1 out)"
share='[01]\.[0-9]{2} \([01]\.[0-9]{2}–[01]\.[0-9]{2}\)'
card use '(simhash|minhash):[^ ]+' "the advice"
card duplicate 'h ≤ [0-9]+ of 64 (bits|slots) \((cosine|Jaccard) ≥ 0\.[0-9]+\)' "the advice"
card precision "$share" "the advice"
card recall "$share" "the advice"
card measured 'on held-out groups \(nested cross-validation, 5 folds\); in-sample, as fplab eval does, the best choice shows F1 [01]\.[0-9]{3}, [01]\.[0-9]{3} more' "the advice"
card duplicates '15\.7% of the pairs; where they are rarer, precision is lower' "the advice"
card cost '(8|256) bytes a text; [0-9,]+ texts a second' "the advice"
card runner-up '(simhash|minhash):[^ ]+, h ≤ [0-9]+ of 64 (bits|slots) \((cosine|Jaccard) ≥ 0\.[0-9]+\): .+' "the advice"
grep -q 'F1 on held-out groups is' out && grep -q 'have no significant difference from it' out || complain "the remarks: $(cat out)"
cp out first
for file in leaderboard.tsv pareto.tsv folds.tsv run.json plots/newswire-zh-pareto.png plots/newswire-zh-pareto.svg plots/newswire-zh-front.gp; do
    [ -s tuned/$file ] || complain "no $file"
done
[ -z "$(find . -name '*.part*')" ] || complain "a half-written file is left"
head -1 tuned/leaderboard.tsv | grep -qx "corpus	arm	spec	rank	scale	threshold	objective	chosen_score	held_out	held_out_low	held_out_high	precision	precision_low	precision_high	recall	recall_low	recall_high	difference	difference_low	difference_high	p	p_holm	told_apart	bytes_per_document	narrow_low	narrow_high	margin	within_margin	units	low_monte_carlo	high_monte_carlo	p_monte_carlo	calling_units	failing_units	effective_units" ||
    complain "leaderboard.tsv header"
head -1 tuned/pareto.tsv | grep -qx "corpus	arm	spec	objective	held_out	held_out_low	held_out_high	bytes_per_document	microseconds_per_document	microseconds_most	front	recommended" || complain "pareto.tsv header"
head -1 tuned/folds.tsv | grep -qx "corpus	fold	other_fold	units	documents	positives	negatives	arm	threshold	chosen_score	tp	fp	fn	precision	recall" || complain "folds.tsv header"
[ "$(wc -l <tuned/leaderboard.tsv)" = 9 ] && [ "$(wc -l <tuned/pareto.tsv)" = 9 ] && [ "$(wc -l <tuned/folds.tsv)" = 16 ] || complain "rows: $(wc -l tuned/*.tsv)"

# The files say the same as one another, recomputed here.
python3 - "$newswire" <<'PYTHON' || complain "the files contradict one another"
import csv, json, sys
read = lambda name: list(csv.DictReader(open('tuned/' + name, encoding='utf-8'), delimiter='\t'))
board, pareto, folds = read('leaderboard.tsv'), read('pareto.tsv'), read('folds.tsv')
run, choice = json.load(open('tuned/run.json')), json.load(open('choice.json'))
facts = run['definitions']
assert facts['positives'] == 144 and facts['negatives'] == 774 and facts['folds'] == 5
assert facts['pairs'] == 918 and facts['negative_weight'] == 1
inside = [f for f in folds if f['fold'] == f['other_fold']]
assert len(inside) == 5 and sum(int(f['positives']) for f in inside) == 144 and sum(int(f['documents']) for f in inside) == 168
assert sum(int(f['negatives']) for f in folds) == 774 and sum(int(f['positives']) for f in folds) == 144
tp, fn = sum(int(f['tp']) for f in folds), sum(int(f['fn']) for f in folds)
assert tp + fn == 144 and abs(choice['held_out']['recall']['value'] - tp / 144) < 1e-9
best = board[0]
# The card says what the files say.
card = {line[2:15].strip(): line[15:].rstrip() for line in open('first', encoding='utf-8').read().split('\n\n')[0].split('\n')[1:]}
assert card['use'] == best['spec'] and card['duplicate'].startswith('h ≤ %s of 64 ' % best['threshold']), (card, best)
assert card['runner-up'].startswith('%s, h ≤ %s of 64 ' % (board[1]['spec'], board[1]['threshold'])), (card, board[1])
for figure in 'precision', 'recall':
    held = choice['held_out'][figure]
    assert card[figure] == '%.2f (%.2f–%.2f)' % (held['value'], held['low'], held['high']), (card, held)
in_sample, more = (float(x) for x in (card['measured'].split('F1 ')[1].split(',')[0], card['measured'].split(', ')[-1].split(' ')[0]))
assert abs(in_sample - float(best['chosen_score'])) < 0.00051, (card, best)
assert choice['name'] == best['arm'] and choice['threshold'] == float(best['threshold']) and choice['objective'] == 'F1'
assert choice['corpus']['sha256'] == run['corpora'][0]['sha256'] and choice['corpus']['name'] == 'newswire-zh'
assert choice['arm'] in [a['spec'] for a in run['arms']] and len(run['arms']) == 8
scores = [float(b['chosen_score']) for b in board]
assert scores == sorted(scores, reverse=True)
assert best['p'] == 'NA' and all(b['told_apart'] in ('yes', 'no') for b in board[1:])
for b in board[1:]:
    low, high = float(b['narrow_low']), float(b['narrow_high'])
    assert float(b['difference_low']) <= low <= high <= float(b['difference_high']) and float(b['margin']) == 0.02
    assert (b['within_margin'] == 'yes') == (max(-low, high) < 0.02), b
    errors = [float(b[k]) for k in ('low_monte_carlo', 'high_monte_carlo', 'p_monte_carlo')]
    assert all(0 <= e < 0.05 for e in errors) and (errors[0] > 0) == (float(b['difference']) != 0), b
assert facts['replicates'] in (1000, 2000, 4000, 8000, 16000)
# Holm's correction by hand.
p = sorted((float(b['p']), float(b['p_holm'])) for b in board[1:])
largest = 0
for k, (raw, adjusted) in enumerate(p):
    largest = max(largest, min(1, raw * (len(p) - k)))
    assert abs(largest - adjusted) < 1e-9, (p, k)
for one in pareto:
    value = lambda r: (-float(r['held_out']), float(r['bytes_per_document']), float(r['microseconds_per_document']))
    beaten = any(all(a <= b for a, b in zip(value(r), value(one))) and value(r) != value(one) for r in pareto)
    assert (one['front'] == '1') == (not beaten), one
assert [r['arm'] for r in pareto if r['recommended'] == '1'] == [best['arm']]
PYTHON

# The same bytes again.
"$fplab" tune -c "$newswire" -g "$grid" -o again --no-plots >/dev/null || complain "second run"
cmp tuned/leaderboard.tsv again/leaderboard.tsv && cmp tuned/folds.tsv again/folds.tsv || complain "two runs differ"
[ -e again/plots ] && complain "--no-plots draws"
"$fplab" tune -c "$newswire" -g "$grid" -o other --no-plots --seed 2 >/dev/null && cmp -s tuned/folds.tsv other/folds.tsv && complain "the seed changes nothing"
"$fplab" tune -c "$newswire" -g "$grid" --format tsv >out && cmp -s out tuned/leaderboard.tsv || complain "--format tsv"

# ---- The choice is accepted ----

"$fplab" eval --corpus "$newswire" --choice choice.json --out evaluated --no-plots >out 2>err || complain "eval --choice: $(cat err)"
grep -q 'not held out' err || complain "eval --choice on the same texts does not say so"
grep -q '^Choices, each at its own threshold' out || complain "eval --choice prints no choice"
"$fplab" distances -c "$newswire" -a "$(python3 -c 'import json; print(json.load(open("choice.json"))["arm"])')" >distances.tsv || complain "distances of the choice"
python3 - <<'PYTHON' || complain "choices.tsv is not what the distances say"
import csv, json
choice = json.load(open('choice.json'))
row, = csv.DictReader(open('evaluated/choices.tsv', encoding='utf-8'), delimiter='\t')
pairs = list(csv.DictReader(open('distances.tsv', encoding='utf-8'), delimiter='\t'))
near = [int(p['label']) for p in pairs if float(p['distance']) <= choice['threshold']]
assert row['arm'] == choice['name'] and float(row['threshold']) == choice['threshold']
assert int(row['tp']) == sum(near) and int(row['fp']) == len(near) - sum(near)
assert abs(float(row['held_out_precision']) - choice['held_out']['precision']['value']) < 1e-9
PYTHON
"$fplab" eval -c "$newswire" --choice choice.json --format tsv 2>/dev/null | cmp -s - evaluated/choices.tsv || complain "eval --choice --format tsv is not choices.tsv"
"$fplab" eval -c "$newswire" --choice choice.json --format json 2>/dev/null >choices.out
python3 -c 'import json; row, = json.load(open("choices.out"))["choices"]; assert row["threshold"] == json.load(open("choice.json"))["threshold"]' || complain "eval --choice --format json"
"$fplab" eval -c "$newswire" -a minhash --choice choice.json --format tsv 2>/dev/null | cut -f2 | sort -u | wc -l | grep -qx 3 || complain "eval --choice beside --arm"
refused 1 'missing.json' "$fplab" eval -c "$newswire" --choice missing.json
echo '{"arm": "simhash"}' >broken.json
refused 1 'broken.json: "name" is missing' "$fplab" eval -c "$newswire" --choice broken.json
sed 's/"arm":"[a-z]*:/"arm":"nonsense:/' choice.json >foreign.json
refused 1 'foreign.json' "$fplab" eval -c "$newswire" --choice foreign.json

# ---- A precision ----

"$fplab" tune -c "$newswire" -g 'cosine|minhash:features=words' --min-precision 0.75 --out promised --no-plots >out 2>err || complain "--min-precision: $(cat err)"
card promised 'precision at least 0\.75 with 95% confidence over 2 arms \([01]\.[0-9]{3} measured; [0-9]+ units call a pair, and [0-9]+ of them fails?(, worth [0-9.]+ independent ones)?\)' "--min-precision 0.75"
card recall "$share" "--min-precision 0.75"
card measured 'on all pairs, each by a model that has not seen its texts' "--min-precision 0.75"
awk -F'\t' 'NR == 2 { exit !($13 == 0.75 && $14 == 1 && $12 >= 0.75 && $33 > $34 && $35 > 0) }' promised/leaderboard.tsv || complain "the promise in leaderboard.tsv: $(sed -n 2p promised/leaderboard.tsv)"
# One arm of the set that ships keeps to 0.9.
"$fplab" tune -c "$corpora/newswire-zh" -g "simhash:bits=128,features=words,weight=tf|tfidf" --min-precision 0.9 --save kept.json >out 2>err || complain "newswire-zh, --min-precision 0.9: $(head -1 out) $(cat err)"
card promised 'precision at least 0\.9 with 95% confidence over 2 arms \((1\.000|0\.9[0-9]*) measured; .*\)' "newswire-zh, --min-precision 0.9"
grep -q '"min_precision_reached":true' kept.json || complain "the choice does not say that it keeps to the precision: $(cat kept.json)"
"$fplab" tune -c "$newswire" -g 'random:seed=1|2' --min-precision 0.9 --save none.json >out 2>err
[ $? = 1 ] && [ ! -e none.json ] && grep -q '^No arm and threshold show a precision of 0.9\. P = 0.9 over 2 arms needs 36 units that call a pair with none failing (54 with one failing); ' out && grep -q 'nothing is written' err || complain "a precision that nobody reaches: $(cat out err)"

# Twenty groups of six texts with the same words: the 300 positives are found without a mistake, and say no more than 20 independent ones, which show 0.86: 0.86^20 = 0.049.
mkdir large
python3 - <<'PYTHON'
import itertools, json, random
random.seed(1)
names = [[f'g{g}m{m}' for m in range(6)] for g in range(20)]
with open('large/docs.jsonl', 'w') as docs, open('large/pairs.tsv', 'w') as pairs:
    for g, group in enumerate(names):
        for name in group:
            words = [f'w{g}x{i}' for i in range(12)]
            random.shuffle(words)
            print(json.dumps({'id': name, 'text': ' '.join(words), 'group': f'g{g}'}), file=docs)
        for a, b in itertools.combinations(group, 2):
            print(a, b, 1, sep='\t', file=pairs)
        for other in names[:g]:
            for a, b in zip(group, other):
                print(a, b, 0, sep='\t', file=pairs)
PYTHON
# kept P STATUS WORDS: the verdict on standard output and in the status.
kept() {
    rm -f kept.json
    "$fplab" tune -c large -g 'jaccard:features=words' --min-precision "$1" --save kept.json >out 2>err
    local got=$?
    [ "$got" = "$2" ] || complain "--min-precision $1: status $got, not $2"
    sed -n '1p;/^  promised /p' out | grep -qF -- "$3" || complain "--min-precision $1: $(head -7 out)"
}
kept 0.86 0 'precision at least 0.86 with 95% confidence over 1 arm (1.000 measured; 20 units call a pair, and 0 of them fail)'
[ -s err ] && complain "a precision that is reached: $(cat err)"
"$fplab" eval -c large --choice kept.json --format tsv 2>&1 >/dev/null | grep -q 'not reached' && complain "eval says that a precision was not reached that was"
# A file of an earlier version may hold a choice that is below what was asked for.
sed 's/"min_precision":[0-9.]*/"min_precision":0.9/' kept.json >below.json
"$fplab" eval -c large --choice below.json --format tsv 2>&1 >/dev/null | grep -qF 'below.json: tuning did not reach the requested precision of 0.9' || complain "eval --choice does not say that the precision was not reached"
kept 0.87 1 'No arm and threshold show a precision of 0.87. P = 0.87 over 1 arm needs 22 units that call a pair with none failing (35 with one failing); this corpus has 20, of which 0 fail, with jaccard:features=words at distance ≤ 0, which shows 0.86.'
[ ! -e kept.json ] || complain "a choice is written that no arm keeps to"
grep -qx 'fplab: no arm is recommended; nothing is written to kept.json' err || complain "a precision that is not reached: $(cat err)"
grep -q 'recommended\|For each of these arms' out && complain "recommends what does not reach the precision, or explains a front without arms"
"$fplab" tune -c large -g 'jaccard:features=words' -g random --min-precision 0.85 --out unreached >out 2>err
[ $? = 1 ] && [ ! -s err ] && [ ! -e unreached/plots ] || complain "a run without a front: $(cat err)"
head -1 out | grep -q 'chosen before you look: one arm needs 19 (30)\.$' || complain "does not suggest fewer arms: $(head -1 out)"
awk -F'\t' 'NR > 1 && $NF != 0 { exit 1 }' unreached/pareto.tsv && grep -q '"min_precision_reached":"no"' unreached/run.json || complain "pareto.tsv recommends, or run.json does not say no"
"$fplab" tune -c large -g 'jaccard:features=words' --min-precision 0.87 --format tsv >out 2>err
[ $? = 1 ] && grep -qx 'fplab: no arm is recommended' err || complain "--format tsv does not say it: $(cat err)"
# A sample of the negatives of all pairs of groups stands for all of them, and shows less.
mkdir all && cp large/docs.jsonl all
for few in 100000:0 200:1; do
    "$fplab" tune -c all -g 'jaccard:features=words' --min-precision 0.8 --negatives "${few%:*}" >out 2>err
    [ $? = "${few#*:}" ] || complain "--negatives ${few%:*}: $(head -1 out)"
done
grep -q '^Of 6840 negative pairs a random sample of 1[0-9]* is measured (--negatives); each weighs 3[4-9]' out && head -1 out | grep -q 'this corpus has 20, of which 0 fail, worth [678]\.' || complain "a sample: $(cat out)"

"$fplab" tune -c "$newswire" -g 'cosine:features=words' --beta 2 >out || complain "--beta"
grep -q '^F2 on held-out groups' out || complain "--beta 2: $(cat out)"

# ---- Bad input ----

refused 2 'minhash has no parameter bits' "$fplab" tune -c "$newswire" -g 'simhash|minhash:bits=64'
refused 2 'bits has an empty alternative at byte 17' "$fplab" tune -c "$newswire" -g 'simhash:bits=64|'
refused 2 'are the same arm' "$fplab" tune -c "$newswire" -g simhash -g 'simhash:bits=64|128'
for p in 0 1 -0.5 1.5 nan; do refused 2 '--min-precision' "$fplab" tune -c "$newswire" -g simhash --min-precision=$p; done
refused 1 'missing/docs.jsonl' "$fplab" tune -c missing -g simhash
: >file
refused 1 'file' "$fplab" tune -c "$newswire" -g simhash --out file/out
refused 1 'missing-terms' "$fplab" tune -c "$newswire" -g 'simhash:terms=missing-terms,bits=8'

corpus() { mkdir -p "$1"; for i in 1 2 3 4 5 6 7 8; do echo "{\"id\":\"d$i\",\"text\":\"text number $i\"$2}"; done >"$1/docs.jsonl"; }
pairs() { local to=$1; shift; for pair in "$@"; do tr , '\t' <<<"$pair"; done >"$to/pairs.tsv"; }
corpus unlabelled ''
refused 2 'unlabelled has no labels, neither pairs.tsv nor groups: label a sample with `fplab judge sample' "$fplab" tune -c unlabelled -g simhash
corpus nopositives ''; pairs nopositives d1,d2,0 d3,d4,0
refused 1 'nopositives: there are no positives' "$fplab" tune -c nopositives -g simhash
corpus nonegatives ''; pairs nonegatives d1,d2,1 d3,d4,1
refused 1 'nonegatives: there are no negatives' "$fplab" tune -c nonegatives -g simhash
corpus onegroup ',"group":"g"'; pairs onegroup d1,d2,1 d3,d4,0
refused 1 'onegroup: all pairs lie in one unit' "$fplab" tune -c onegroup -g simhash
rm onegroup/pairs.tsv
refused 1 'onegroup: there are no negatives: all documents are in one group' "$fplab" tune -c onegroup -g simhash
corpus fewunits ''; pairs fewunits d1,d2,1 d3,d4,1 d5,d6,1 d1,d3,0 d3,d5,0
refused 1 'fewunits: 3 units' "$fplab" tune -c fewunits -g simhash
"$fplab" tune -c fewunits -g simhash --folds 3 >out 2>err || complain "negatives that all lie across folds: $(cat err)"
corpus onepositive ''; pairs onepositive d1,d2,1 d3,d4,0 d5,d6,0 d7,d8,0
refused 1 'onepositive: all positive pairs lie in one unit' "$fplab" tune -c onepositive -g simhash

# ---- A large grid is asked for ----

many=$(seq -s'|' 1 10000)
pairs fewunits d1,d2,1 d2,d3,1 d4,d5,1 d5,d6,1 d7,d8,1 d1,d3,0 d4,d6,0 d1,d4,0 d3,d7,0 d6,d8,0
refused 2 '10000 arms in 3 folds will take about' "$fplab" tune -c fewunits -g "random:seed=$many" --folds 3
python3 - "$fplab" "$many" <<'PYTHON' || complain "a terminal is not asked"
# In a terminal: the estimate, a question, and "n" ends it.
import os, pty, sys
try:
    child, terminal = pty.fork()
except OSError as reason:
    print('skipped: there are no pseudo-terminals here, so the question is not tested:', reason)
    sys.exit(0)
if child == 0:
    os.execv(sys.argv[1], [sys.argv[1], 'tune', '-c', 'fewunits', '-g', 'random:seed=' + sys.argv[2], '--folds', '3'])
seen = b''
while b'[y/N]' not in seen:
    seen += os.read(terminal, 4096)
os.write(terminal, b'n\n')
while True:
    try:
        more = os.read(terminal, 4096)
    except OSError:
        break
    if not more:
        break
    seen += more
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert status == 2 and b'10000 arms in 3 folds will take about' in seen and b'the answer' not in seen, (status, seen)
PYTHON

# gnuplot absent: the tables are there, the status says that the plot is not.
mkdir bin && PATH=$work/bin "$fplab" tune -c "$newswire" -g minhash -o noplots >out 2>err
[ $? = 1 ] && grep -q gnuplot err && [ -s noplots/leaderboard.tsv ] && [ ! -e noplots/plots ] || complain "gnuplot absent: $(cat err)"

"$fplab" tune --help >out 2>err || complain "--help: status"
grep -q 'Examples:' out && grep -q 'Usage:' out && [ ! -s err ] || complain "--help"
exit $bad
