#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of differing places that fplab compare gives as JSON: as many as the distance says, and where the fingerprints of
# `fplab fingerprint` differ, bit by bit.
. tests/support.sh
cd "$work" || exit 1
A=我喜欢看电视，不喜欢看电影。 B=我不喜欢看电视，也不喜欢看电影。
arms='simhash hyperplane bitsample simhash:bits=128 simhash:bits=20'
for arm in $arms; do
    for text in $A $B; do "$fplab" fingerprint --arm $arm - <<<"$text" | awk -F'\t' -v arm=$arm 'NR == 2 { print arm "\t" $2 }'; done
done >codes
"$fplab" compare --text $A $B --format json >data.json || complain "compare as JSON"
# shellcheck disable=SC2086
"$fplab" compare $(printf -- '-a %s ' $arms) --text $A $B --format json >bits.json || complain "other widths"
python3 - <<'PYTHON' || complain "places: $(cat data.json bits.json)"
import json
counted = 0
for row in json.load(open('data.json', encoding='utf-8')):
    if row['differing_places'] is not None and row['distance'] == int(row['distance']):
        assert len(row['differing_places'].split()) == row['distance'], row
        counted += 1
assert counted >= 8, counted
codes = {}
for line in open('codes'):
    arm, code = line.split()
    codes.setdefault(arm, []).append(code)
rows = {row['arm']: row for row in json.load(open('bits.json', encoding='utf-8'))}
assert len(codes) == len(rows) == 5
for arm, (a, b) in codes.items(): # as they are written, the highest first
    bits = int(arm.partition('=')[2] or 64)
    a, b = (bin(int(code, 16))[2:].zfill(bits)[-bits:] for code in (a, b))
    assert [int(n) for n in rows[arm]['differing_places'].split()] == [i + 1 for i in range(bits) if a[i] != b[i]], arm
PYTHON
exit $bad
