#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Explanations: lines are 80 cells wide where their words allow it, nothing of the data is lost, and characters stand above their initials. A
# terminal shows the same as a file.
. tests/support.sh
cd "$work" || exit 1
A='美国51区雇员看见灰色外星人和一个叫Supercalifragilisticexpialidocious的人' B=美国51区雇员看见绿色外星人
for arm in exact simhash simhash:bits=128 hyperplane bitsample projection minhash oneperm cminhash superminhash weightedminhash fracminhash winnowing jaccard cosine pinyin sentences; do
    "$fplab" explain "$arm" --pair --text $A $B >"$arm.txt" || complain "explain $arm"
done
python3 - <<'PYTHON' || complain "an explanation does not fit"
import glob, unicodedata
cells = lambda line: sum(1 + (unicodedata.east_asian_width(c) in 'WF') for c in line)
for arm in glob.glob('*.txt'):
    lines = open(arm, encoding='utf-8').read().split('\n')
    assert len(lines) > 3, arm
    if arm in ('pinyin.txt', 'exact.txt'): assert max(map(cells, lines)) <= 80, (arm, max(lines, key=cells))
PYTHON
if command -v script >/dev/null; then
    TERM=xterm NO_COLOR=1 script -qec "COLUMNS=40 '$fplab' explain simhash --no-pager --pair --text $A $B" /dev/null </dev/null | tr -d '\r' | cmp - simhash.txt || complain "a terminal shows something else"
fi

# Every bit and every number of the data, in order.
"$fplab" explain simhash --text $A --format json >data.json
"$fplab" explain simhash --text $A >out
python3 - <<'PYTHON' || complain "simhash: other data"
import json, re
steps = {s['title'][:2]: s for s in json.load(open('data.json', encoding='utf-8'))}
shown, title = {}, None
for line in open('out', encoding='utf-8').read().split('\n'):
    if re.match(r'\d[.-]', line): title = line[:2]; shown[title] = []
    elif title and line: shown[title].append(line)
    elif not line: title = None
body = lambda title, head: [re.sub(r'^\S* *\S* *\d+–\d+ +|^\d+–\d+ +', '', l) for l in shown[title] if not l.split()[-1].startswith(head)]
assert ' '.join(body('4.', 'sums')).split() == steps['4.']['rows'][0]['sums'].split(), shown['4.']
print_ = steps['5.']['rows'][0]['fingerprint']
assert ''.join(re.findall('[01]{8}', ' '.join(shown['5.']))) == print_, shown['5.']
hashes = re.findall(r'[01]{8}', ' '.join(shown['1-']))
assert ''.join(hashes) == ''.join(r['hash'] for r in steps['1-']['rows'])
PYTHON

# Characters above their initials: each in the column of its own, as the data say; what gives none has a hyphen.
sentence='银行的行长说：“重庆在中国西南，a 51区”'
"$fplab" explain pinyin --text "$sentence" --format json >data.json
"$fplab" explain pinyin --text "$sentence$sentence$sentence" >out
python3 - <<'PYTHON' || complain "pinyin: $(sed -n 2,12p out)"
import json, unicodedata
rows = json.load(open('data.json', encoding='utf-8'))[0]['rows']
def cells(line):
    out = []
    for c in line: out += [c] + ([''] if unicodedata.east_asian_width(c) in 'WF' else [])
    return out
lines = open('out', encoding='utf-8').read().split('\n\n2-4')[0].split('\n')
first = next(i for i, l in enumerate(lines) if l.startswith('  银'))
lines = [l for l in lines[first:] if l]
pairs = []
for above, below in zip(lines[::2], lines[1::2]):
    above, below = cells(above), cells(below)
    pairs += [(c, below[i]) for i, c in enumerate(above) if c.strip()]
    assert sum(c != ' ' for c in below) == sum(bool(c.strip()) for c in above), (above, below)
assert pairs == [(r['character'], r['initial']) for r in rows] * 3, pairs
PYTHON
read -r characters initials < <(python3 -c "
import json
rows = json.load(open('data.json', encoding='utf-8'))[0]['rows']
print(''.join(r['character'] for r in rows), ''.join(r['initial'] for r in rows))")
# 行 is h in 银行 and 行长, 长 z in 行长, 重 c in 重庆 (the dictionaries' readings).
[ "$initials" = 'yhdhzs--cqzzgxn----q-' ] || complain "initials: $characters $initials"
exit $bad
