#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab compare --places: a mark for each bit or slot that differs, as many as the distance says, and where the fingerprints of `fplab fingerprint` differ, bit by bit; on one
# screen of 80 by 24. The same numbers in the other formats.
. tests/support.sh
cd "$work" || exit 1
A=我喜欢看电视，不喜欢看电影。 B=我不喜欢看电视，也不喜欢看电影。
"$fplab" compare --places --text $A $B >shown || complain "compare --places: status $?"
"$fplab" compare --text $A $B --format json >data.json || complain "compare as JSON"
for arm in simhash hyperplane bitsample simhash:bits=128 simhash:bits=20; do
    for text in $A $B; do "$fplab" fingerprint --arm $arm - <<<"$text" | awk -F'\t' -v arm=$arm 'NR == 2 { print arm "\t" $2 }'; done
done >codes
"$fplab" compare --places -a simhash:bits=128 -a simhash:bits=20 -a pinyin -a exact --text $A $B >other || complain "other widths"
python3 - <<'PYTHON' || complain "places: $(cat shown other)"
import json
rows = {r['arm']: r for r in json.load(open('data.json', encoding='utf-8'))}
lines = open('shown', encoding='utf-8').read().split('\n')
assert len(lines) <= 24 and max(map(len, lines)) <= 80, lines
assert all(lines[0][15 + n] == str(n % 10) for n in (1, 10, 20, 30, 40, 50, 60)), lines[0]
marks = {line[:16].strip(): line[16:] for line in lines[1:] if line[16:] and set(line[16:]) <= set('x.')}
assert len(marks) >= 8, marks
for arm, places in marks.items():
    found = [i + 1 for i, mark in enumerate(places) if mark == 'x']
    assert found == [int(n) for n in rows[arm]['differing places'].split()], arm
    if rows[arm]['distance'] == int(rows[arm]['distance']):
        assert len(found) == rows[arm]['distance'], (arm, found)
silent = next(line for line in lines if line.startswith('no places: '))[11:].split(', ')
assert set(marks) | set(silent) == set(rows) and all(rows[arm]['differing places'] is None for arm in silent), (marks, silent)
# Bit by bit, from the fingerprints as they are written, the highest first.
codes = {}
for line in open('codes'):
    arm, code = line.split()
    codes.setdefault(arm, []).append(code)
other = open('other', encoding='utf-8').read().split('\n')
marks['simhash:bits=128'] = other[2][16:] + other[3][16:]
marks['simhash:bits=20'] = other[4][16:]
assert other[1] == 'simhash:bits=128' and other[4].startswith('simhash:bits=20 '), other
for arm, (a, b) in codes.items():
    bits = int(arm.partition('=')[2] or 64)
    wanted = ''.join('.x'[x != y] for x, y in zip(*(bin(int(code, 16))[2:].zfill(bits)[-bits:] for code in (a, b))))
    assert marks[arm] == wanted, (arm, marks[arm], wanted)
PYTHON
exit $bad
