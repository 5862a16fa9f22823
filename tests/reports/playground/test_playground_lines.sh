#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the lab says of a mistake is in the playground's table of words, in its own words, so that the page can say it in Chinese: the lines are the program's,
# which are the lab's in the page as well. A line that was worded anew fails here.
. tests/support.sh
words=$PWD/reports/playground/words.js
a=临江大桥恢复通车 b=大桥今天恢复通车
# line SPEC: what the program says of an arm.
line() { "$fplab" compare --arm "$1" --text $a $b 2>&1 >/dev/null | sed 's/^fplab: //; s/^arm "[^"]*": //'; }
for spec in simhsh nothing 'simhash:bitz=64' 'simhash:quux=1' 'random:features=words' 'simhash:bits=100000' 'simhash:weight=tfidv' 'simhash:weight=q' 'simhash:bits=many' \
    'pinyin:overlap=x' 'simhash:bits' 'simhash:bits=64,bits=64' $'simhash:name=a\tb' vectors 'simhash:features=words:x' 'simhash:features=sentences:3' \
    'simhash:features=chars:0' 'simhash:hash=md5,hashseed=7' 'simhash:idf=builtin,features=chars:2,weight=idf' 'simhash:weight=table' \
    'cminhash:slots=4096,universe=4' 'bitsample:bits=256,of=64'; do
    line "$spec"
done >"$work/lines"
"$fplab" compare --arm simhash:weight=tfidf --text $a $b 2>&1 >/dev/null | sed 's/.*: //' >>"$work/lines"
python3 - "$words" "$work/lines" <<'P' || bad=1
import glob, re, sys
bad = 0
def complain(*said):
    global bad
    bad = 1
    print("FAIL:", *said)
# As reports/playground/saying.js matches them.
rows = re.findall(r'^  "((?:error|caution)\.[a-z0-9.]+)": \["((?:[^"\\]|\\.)*)"', open(sys.argv[1], encoding="utf-8").read(), re.M)
table = [(name, re.split(r"\{\d\}", en.replace('\\"', '"'))) for name, en in rows]
patterns = [(name, re.compile("(.*?)".join(map(re.escape, pieces)), re.S)) for name, pieces in table]
met = []
for line in open(sys.argv[2], encoding="utf-8"):
    found = next((name for name, pattern in patterns if pattern.fullmatch(line.rstrip("\n"))), None)
    if not found:
        complain("not in the table:", line)
    elif found in met:
        complain(found, "takes a line of another:", line)
    met.append(found)
if len(met) != 23:
    complain(len(met), "lines")
# The others are the page's alone, or come of more than seconds: their words stand in the sources, with what printf puts in between.
sources = "".join(re.sub(r'"\s*\n\s*"', "", open(path, encoding="utf-8").read()) for folder in ("base", "text", "algorithms", "reports/lab")
                  for ending in ("c", "js") for path in glob.glob(folder + "/**/*." + ending, recursive=True))
for name, pieces in table:
    longest = max(pieces, key=len).removeprefix(": ").replace('"', '\\"') # a file stands before it
    if name not in met and longest not in sources:
        complain(name, "has words that nobody says:", longest)
sys.exit(bad)
P
exit $bad
