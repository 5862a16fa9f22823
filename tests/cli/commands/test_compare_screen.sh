#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a person sees of compare: one screen of 80 by 24 for ordinary texts, the figures of the other formats, the usual thresholds, both texts with what differs marked, in colours on
# a terminal; of long texts what differs, and how much is left out.
. tests/support.sh
cd "$work" || exit 1
A=我喜欢看电视，不喜欢看电影。 B=我不喜欢看电视，也不喜欢看电影。

# Usual thresholds: equality by definition; 3 of 64 bits and the same angle at other lengths (Manku, Jain, Das Sarma 2007); Jaccard 0.8 (SlimPajama 2023): 0.2 · 64 = 12.8, of whole slots 12.
usual() {
    "$fplab" compare --arm "$1" --text $A $B --format tsv 2>/dev/null |
        awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "usual_threshold") at = i } NR == 2 { print $at }'
}
is() { [ "$(usual "$1")" = "$2" ] || complain "the usual threshold of $1 is $(usual "$1"), not $2"; }
is exact 0; is simhash 3; is simhash:bits=128 6; is simhash:bits=16 0; is hyperplane 3; is bitsample 3; is projection 3; is cosine 3
is minhash 12; is minhash:slots=100 20; is oneperm 12; is cminhash 12; is superminhash 12; is weightedminhash 12; is jaccard 12.8; is jaccard:measure=weighted 12.8
is jaccard:measure=containment NA; is jaccard:measure=probability NA; is pinyin NA; is sentences NA; is winnowing NA; is random NA

# The same figures for a person, and verdicts that follow from them.
"$fplab" compare --text $A $B >shown || complain "compare: status $?"
"$fplab" compare --text $A $B --format json >data.json || complain "compare as JSON"
python3 - <<'PYTHON' || complain "not the figures of JSON: $(cat shown)"
import json
rows = {r['arm']: r for r in json.load(open('data.json', encoding='utf-8'))}
lines = [l.split() for l in open('shown', encoding='utf-8').read().split('\n\n')[0].split('\n')]
assert len(lines) == 1 + len(rows) and len(rows) >= 16
for arm, distance, what, of, places, similarity, features, usual, called in lines[1:]:
    r = rows[arm]
    assert abs(float(distance) - r['distance']) < 0.006 and ' '.join((what, of, places)) == r['scale'], r
    assert similarity == ('NA' if r['similarity'] is None else '%.3f' % r['similarity']), r
    assert features == ('NA' if r['A_features'] is None else '%d/%d' % (r['A_features'], r['B_features'])), r
    verdict = 'NA' if r['usual_threshold'] is None else 'duplicate' if r['distance'] <= r['usual_threshold'] else 'not'
    assert called == verdict == (r['usually_called'] or 'NA'), r
    assert (r['usual_threshold'] is None) == (r['source_of_the_usual_threshold'] == ''), r
# 6 and 7 words: the worked example's vocabularies; 12 and 14 characters are Han.
assert (rows['cosine']['A_features'], rows['cosine']['B_features']) == (6, 7) and (rows['pinyin']['A_features'], rows['pinyin']['B_features']) == (12, 14)
PYTHON

# What is marked is what differs: without it both are what they share, without the marks both are as they were.
python3 - $A $B <<'PYTHON' || complain "marks: $(tail -n 3 shown)"
import re, sys
a, b = [l[3:] for l in open('shown', encoding='utf-8').read().split('\n')[-3:-1]]
assert re.sub(r'\[-|-\]', '', a) == sys.argv[1] and re.sub(r'\{\+|\+\}', '', b) == sys.argv[2]
assert re.sub(r'\[-.*?-\]', '', a) == re.sub(r'\{\+.*?\+\}', '', b) == '我喜欢看电视，不喜欢看电影。'
PYTHON
grep -qx '2 places differ' shown && grep -qx 'characters: 0 in A alone, 2 in B alone, 14 in both' shown || complain "places: $(tail -n 4 shown)"
"$fplab" compare --text $A $A | tail -n 1 | grep -qx 'The texts are the same to the last character.' || complain "equal texts"
"$fplab" compare --text $A $B --format tsv | grep -q '{+' && complain "TSV has texts"

# Long ones.
for i in $(seq 200); do printf '第%s句话说的是同一件事情。' "$i"; done >one.txt
sed 's/第3句话/第三句话/; s/第190句话说/第190句话讲/' one.txt >two.txt
"$fplab" compare -a simhash one.txt two.txt >shown
grep -q '\[-3-\]' shown && grep -q '{+三+}' shown && grep -q '\[-说-\]' shown && grep -q '{+讲+}' shown && grep -q '\[\.\.\. [0-9]* the same \.\.\.\]' shown || complain "long texts: $(tail -n 3 shown)"
[ "$(wc -m <shown)" -lt 800 ] || complain "long texts are shown whole"
"$fplab" compare -a simhash --whole one.txt two.txt | grep -q '第100句话说的是同一件事情' || complain "--whole leaves something out"

# A screen.
command -v script >/dev/null || { echo "note: no program script: what a terminal sees was not tried"; exit $bad; }
ln -s "$fplab" fplab
screen() { TERM=xterm script -qec "stty rows 24 cols 80; $*" /dev/null </dev/null | tr -d '\r'; }
plain() { sed "s/$(printf '\033')\[[0-9;]*m//g"; }
for pair in "--text $A $B" "--text 美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人 美国51区一名雇员说：内部有9架飞碟，还曾看见外星人" "--text $A $A" "one.txt two.txt"; do
    screen "./fplab compare $pair" >shown
    plain <shown >text
    [ "$(wc -l <text)" -le 23 ] || [ "$pair" = "one.txt two.txt" ] || complain "compare $pair: $(wc -l <text) lines"
    python3 - <<'PYTHON' || complain "compare $pair is wider than 80 columns"
import unicodedata
assert max(sum(1 + (unicodedata.east_asian_width(c) in 'WF') for c in line) for line in open('text', encoding='utf-8').read().split('\n')) <= 80
PYTHON
done
screen "./fplab compare --text $A $B" >shown
escape=$(printf '\033')
grep -q "$escape\[4;32m不$escape\[0m" shown || complain "no green for what B has alone"
grep -q '{+' shown && complain "marks beside colours"
screen "NO_COLOR=1 ./fplab compare --text $A $B" >shown
grep -q "$escape\[" shown && complain "colours with NO_COLOR"
grep -q '{+不+}' shown || complain "no marks with NO_COLOR"
exit $bad
