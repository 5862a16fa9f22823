#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names from outside (corpora, arms, strata) stand in pictures as they are, every SVG is XML, every run.json UTF-8.
. tests/support.sh
corpus=$newswire
cd "$work" || exit 1

cat >make.py <<'P'
import json, os, shutil, sys
names = ["\\101", "\\", "\"", "]]>", "{a}^b_c@d", "%d%s", "<script>&amp;", "'`$HOME`'", "a\nb", "\u202eright", "\u200f", "\x1b[31m", "\\n", "\uffff"]
os.mkdir("set")
rows = [json.loads(line) for line in open(sys.argv[1] + "/docs.jsonl", encoding="utf-8")]
with open("set/docs.jsonl", "w", encoding="utf-8") as out:
    for i, row in enumerate(rows):
        row["part"] = names[i % len(names)]
        out.write(json.dumps(row) + "\n")
shutil.copy(sys.argv[1] + "/pairs.tsv", "set")
json.dump(names, open("names.json", "w"))
P
/usr/bin/python3 make.py "$corpus" || exit 1
odd=$'t \\101 ]]> "q" {x}^_@ %s <b>&'
mv set "$odd"
"$fplab" eval -c "$odd" -a 'simhash:name=\101 ]]> {}^_@ <i>"' -a 'pinyin:name=%d\' --by part --lost --prevalence 0.01 --theory --gain --costs --calibrate --replicates 200 --out run --plot-format svg,pdf >/dev/null 2>err || complain "eval: $(cat err)"
cat >check.py <<'P'
import glob, json, os, sys, xml.dom.minidom as dom
bad = []
joiner = "\u2060"
texts = {}
for path in glob.glob(sys.argv[1] + "/plots/*.svg"):
    try:
        tree = dom.parse(path)
    except Exception as error:
        bad.append("%s: %s" % (path, error))
        continue
    texts[os.path.basename(path).rsplit("-", 1)[1]] = [
        "".join(child.data for child in node.childNodes if child.nodeType == 3).replace(joiner, "")
        for node in tree.getElementsByTagName("text")]
for figure, found in texts.items():
    whole = "\n".join(found)
    for name in ['\\101 ]]> {}^_@ <i>"', "%d\\"]:
        if name not in whole and not (figure.startswith(("theory", "index")) and name == "%d\\"):
            bad.append("%s: the arm %s is not there" % (figure, name))
    if 't \\101 ]]> "q" {x}^_@ %s <b>&' not in whole:
        bad.append("%s: the corpus is not there" % figure)
strata = texts["strata.svg"]
for name in ["\\101", "\\", '"', "]]>", "%d%s", "\\n", "a b"]:
    if name not in strata:
        bad.append("the stratum %r is not there: %s" % (name, sorted(set(strata))))
if any(ord(sign) in range(0x202a, 0x202f) or ord(sign) < 32 for text in strata for sign in text):
    bad.append("a sign that turns or ends the text is there")
print("\n".join(bad))
sys.exit(bool(bad))
P
/usr/bin/python3 check.py run || complain "pictures"
for picture in run/plots/*.pdf; do tail -c 8 "$picture" | grep -q '%%EOF' || complain "$picture"; done
# The scripts that were written draw the same.
for script in run/plots/*-strata.gp run/plots/*-thresholds.gp; do
    cp "${script%.gp}.svg" before.svg
    gnuplot -e "format = 'svg'" "$script" 2>err && cmp before.svg "${script%.gp}.svg" || complain "$script: $(cat err)"
done

# Names that are no UTF-8: run.json is, and the run can be repeated.
raw=$(printf 'b\377\376%%d')
mv "$odd" "$raw"
mkdir "$(printf 'here\200')" && cd "$(printf 'here\200')" || exit 1
"$fplab" eval -c "../$raw" -a simhash --out "$(printf '../out\300')" --plot-format svg >/dev/null 2>../err || complain "raw names: $(cat ../err)"
cd ..
/usr/bin/python3 -c '
import json, sys, urllib.parse
run = json.loads(open(sys.argv[1] + b"/run.json".decode(), encoding="utf-8").read())
plain = lambda value: urllib.parse.unquote_to_bytes(value["percent"]) if isinstance(value, dict) else value.encode()
assert plain(run["command"][2]) == b"../b\xff\xfe%d", run["command"]
assert plain(run["directory"]).endswith(b"/here\x80"), run["directory"]
assert plain(run["corpora"][0]["name"]) == b"b\xff\xfe%d", run["corpora"][0]
' "$(printf 'out\300')" || complain "run.json of raw names"
"$fplab" rerun "$(printf 'out\300')" >out 2>err || complain "rerun of raw names: $(cat out err)"
exit $bad
