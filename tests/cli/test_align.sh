#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab align: shares, places and marks of a small example worked out by hand; places that cut the same text out of the files; formats and
# colours; mistakes.
. tests/support.sh
cd "$work" || exit 1

a=早报讯：临江大桥今天下午恢复通车，市民可以步行通过。
b=臨江大橋今天下午已恢復通車，市民可以步行通過！
"$fplab" align --text "$a" "$b" >out || complain "it failed"
# 26 and 23 characters; 21 in common behind 早报讯： and before the mark, with 已 between the eighth and the ninth.
grep -qx 'A has 26 characters, B 23; in 1 common passage 21 are the same: 80.8% of A, 91.3% of B' out || complain "other sums: $(head -1 out)"
grep -q '临江大桥今天下午恢复通车，市民可以步行通过$' out || complain "not what stands in A"
grep -q '臨江大橋今天下午{+已+}恢復通車，市民可以步行通過$' out || complain "not what stands in B"

# A file with another end of lines, and in another encoding, is the same text.
printf '%s' "$a" | sed 's/，/，\r\n/' >a.txt
printf '%s\n' "$b" | iconv -t big5 >b.txt
"$fplab" align --encoding big5 --text "$a" "$b" --format tsv >literal.tsv
iconv -f big5 b.txt >b8.txt
"$fplab" align a.txt b8.txt --format tsv >files.tsv
cut -f1-6 literal.tsv | head -2 >expected
cut -f1-6 files.tsv | head -2 | cmp -s expected - || complain "line ends change the sums"

# Bytes and characters tell the same stretch of each file.
python3 - a.txt b8.txt files.tsv <<'PYTHON' || complain "places do not cut out what is shown"
import csv, re, sys
raw = [open(name, 'rb').read() for name in sys.argv[1:3]]
rows = list(csv.DictReader(open(sys.argv[3], encoding='utf-8'), delimiter='\t'))
assert [row['passage'] for row in rows] == ['all', '1']
for letter, data in zip('AB', raw):
    row = rows[1]
    of = lambda name: int(row[f'{letter}_{name}'.replace(' ', '_')])
    cut = data[of('first byte'):of('end byte')].decode()
    assert cut == data.decode()[of('from'):of('to')], cut
    shown = re.sub(r'\[-|-\]|\{\+|\+\}', '', row[f'{letter}_text'])
    assert shown.split() == cut.split(), (shown, cut)
PYTHON

# JSON is one array, and without anything in common the row of sums is all there is.
"$fplab" align --text 春眠不觉晓 处处闻啼鸟 --format json >none.json || complain "nothing in common failed"
python3 -c 'import json; rows = json.load(open("none.json")); assert len(rows) == 1 and rows[0]["same"] == 0 and rows[0]["A_characters"] == 5' || complain "other JSON"
"$fplab" align --text 春眠不觉晓 处处闻啼鸟 | grep -qx 'A has 5 characters, B 5; in 0 common passages 0 are the same: 0.0% of A, 0.0% of B' || complain "other words"

# The shortest passage: 20 wide letters and a comma, which counts half, weigh 20 and a half.
"$fplab" align --least 20 --text "$a" "$b" | grep -q 'in 1 common passage 21' || complain "20 is too many"
"$fplab" align --least 21 --text "$a" "$b" | grep -q 'in 0 common passages 0' || complain "21 is not too many"

# On a terminal: as in a file, whatever its width (a pager is for what is wider), in colours where it has them and NO_COLOR is not set, and nothing
# commands it.
cat >shown.py <<'PYTHON'
import re, sys
sys.path.insert(0, sys.argv[4])
import terminal
def run(environment, *command):
    return terminal.run(command, 60, environment={'NO_COLOR': '', **environment})[0].decode()
program, a, b = sys.argv[1:4]
plain = run({'TERM': 'xterm', 'NO_COLOR': '1'}, program, 'align', '--text', a, b)
coloured = run({'TERM': 'xterm'}, program, 'align', '--text', a, b)
assert '\x1b' not in plain and '{+已+}' in plain, plain
assert '\x1b[32m{+已+}\x1b[0m' in coloured, coloured
assert re.sub('\x1b\\[[0-9]*m', '', coloured) == plain
assert plain == open('out', encoding='utf-8').read(), plain
assert '\x1b[2J' not in run({'TERM': 'xterm'}, program, 'align', '--text', a + '\x1b[2J', a + '\x1b[2J')
PYTHON
python3 shown.py "$fplab" "$a" "$b" "$tests"
case $? in 0) ;; 77) echo "there are no pseudo-terminals: not looked at there" ;; *) complain "on a terminal" ;; esac

refused 2 "align takes two texts" "$fplab" align --text "$a"
refused 2 "--least takes 2 to 1000000, not 1" "$fplab" align --least 1 --text "$a" "$b"
refused 2 "--format takes" "$fplab" align --format yaml --text "$a" "$b"
refused 1 "nowhere.txt" "$fplab" align a.txt nowhere.txt
printf 'a\377b' >broken
refused 1 "broken" "$fplab" align broken a.txt
exit $bad
