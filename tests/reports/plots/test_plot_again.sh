#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab plot draws a run again from its tables alone: the same pictures, others where asked, and a clear line where it cannot.
. tests/support.sh
# Temporary files of its own: others run beside it.
export TMPDIR=$work/temporary; mkdir "$TMPDIR"
cd "$work" || exit 1
pictures() { (cd "$1" && sha256sum plots/*.svg plots/*.png 2>/dev/null); }

"$fplab" eval -c "$newswire" -a simhash -a minhash --by kind --lost --replicates 200 --plot-format svg --out run >/dev/null 2>err || complain "eval: $(cat err)"
cp -r run kept
pictures run >before
cp run/run.json before.json

# The same bytes, in a run that stands elsewhere now; the tables are untouched, and the run can still be repeated.
mkdir far && mv run "far/a run" && cd far || exit 1
find "a run/plots" -name '*.svg' -delete
"$fplab" plot "a run" --format svg >../drawn 2>../err || complain "plot: $(cat ../err)"
[ -s ../err ] && complain "plot said $(cat ../err)"
pictures "a run" | cmp - ../before || complain "other pictures than eval drew"
[ "$(wc -l <../drawn)" = "$(wc -l <../before)" ] && xargs -d '\n' ls <../drawn >/dev/null || complain "not the names of the pictures: $(cat ../drawn)"
cmp "a run/run.json" ../before.json || complain "run.json is another"
"$fplab" plot "a run/run.json" --figure histograms --format svg >../out 2>&1 && [ "$(cat ../out)" = "a run/plots/newswire-zh-histograms.svg" ] || complain "run.json as the run: $(cat ../out)"
(cd "a run" && "$fplab" plot . --figure lost-thresholds --format svg >/dev/null) || complain "from within"
"$fplab" rerun "a run" >../out 2>&1 && [ -z "$(grep 'changed since' ../out)" ] || complain "rerun: $(cat ../out)"
mv "a run" .. && cd .. || exit 1

# A changed script is named, and written over with --force alone; files of the user and pictures of other formats stay, and run.json lists
# what fplab wrote.
echo '# mine' >>"a run/plots/newswire-zh-arms.gp"
echo mine >"a run/plots/note"
refused 1 'a run: has files that a run did not write, or that were changed since: plots/newswire-zh-arms.gp; name another place with --out, or add --force to write over them' "$fplab" plot "a run" --figure precision_recall --format pdf
grep -q mine "a run/plots/newswire-zh-arms.gp" && [ ! -e "a run/plots/newswire-zh-precision_recall.pdf" ] || complain "refused, and written over"
"$fplab" plot "a run" --figure precision_recall --format pdf --force >out 2>err && [ ! -s err ] || complain "--force: $(cat err)"
grep -q mine "a run/plots/newswire-zh-arms.gp" && complain "--force wrote nothing"
[ -e "a run/plots/note" ] || complain "the user's file"
pictures "a run" | cmp - before || complain "other pictures went"
/usr/bin/python3 - <<'P' || complain "run.json"
import hashlib, json, os
text = open("a run/run.json").read()
files = {f["name"]: f["sha256"] for f in json.loads(text)["files"]}
assert text.count('"files"') == 1
assert "plots/newswire-zh-precision_recall.pdf" in files and "plots/note" not in files
for name, sum in files.items():
    assert hashlib.sha256(open("a run/" + name, "rb").read()).hexdigest() == sum, name
P
# The scripts that are there draw on, whichever figure was drawn last.
gnuplot -e "format = 'svg'" "a run/plots/newswire-zh-strata.gp" 2>err && pictures "a run" | cmp - before || complain "strata.gp: $(cat err)"

# Elsewhere: the run is left alone.
cp -r kept alone
"$fplab" plot alone --out there --format svg >out && (cd there && sha256sum *.svg) | sed 's|  |  plots/|' | cmp - <(grep svg before) || complain "--out DIR"
"$fplab" plot alone --figure thresholds --out one.svg >out && cmp one.svg kept/plots/newswire-zh-thresholds.svg && [ "$(cat out)" = one.svg ] || complain "--out FILE"
diff -r kept alone >/dev/null || complain "--out changed the run"

# Every option.
draw() { rm -f one.*; "$fplab" plot alone --figure thresholds --out "$@" >/dev/null 2>err || complain "$*: $(cat err)"; }
draw one.svg --size 900×600 && grep -q 'width="900" height="600"' one.svg || complain "--size"
draw one.svg --lang zh && grep -q 精确率 one.svg && ! grep -q precision one.svg || complain "--lang zh"
draw one.svg --lang en && ! grep -qP '\p{Han}' one.svg || complain "--lang en"
draw one.svg --title "It's {50%} \`x\`" && grep -q "<text>It's {50%} \`x\`</text>" one.svg && ! grep -q '<text>newswire-zh: ' one.svg || complain "--title"
draw one.svg --title '' && ! grep -q '<text>newswire-zh: ' one.svg || complain "an empty title"
draw one.png && cp one.png again.png && draw one.png && cmp one.png again.png || complain "another PNG the second time"
draw one.svg --grey
# Grey is red = green = blue: every colour that is named in the picture.
grep -oE 'rgb\( *[0-9]+, *[0-9]+, *[0-9]+\)' one.svg | tr -d 'rgb() ' | awk -F, '$1 != $2 || $2 != $3 {exit 1}' || complain "--grey has colours"
[ "$(grep -oE "stroke-dasharray='[^']*'" one.svg | sort -u | wc -l)" -ge 1 ] || complain "--grey: no kinds of lines"
draw one.tikz --title 'A_1 {50%} \x $ & # ~^'
head -n 1 one.tikz | grep -qF '\begin{tikzpicture}' && grep -qF '\end{tikzpicture}' one.tikz || complain "--format tikz"
grep -qF '{A\_1 \{50\%\} \textbackslash{}x \$ \& \# \textasciitilde{}\textasciicircum{}};' one.tikz || complain "TeX would obey: $(grep A.*50 one.tikz)"
cp one.tikz again.tikz && sleep 1 && draw one.tikz --title 'A_1 {50%} \x $ & # ~^' && cmp one.tikz again.tikz || complain "tikz has a date"
"$fplab" eval -c "$newswire" -a simhash --replicates 200 --out few --figure histograms --plot-title T --grey --plot-format svg,tikz >/dev/null 2>err || complain "eval --figure: $(cat err)"
[ "$(ls few/plots/*.svg few/plots/*.tikz | wc -l)" = 2 ] && grep -q '<text>T</text>' few/plots/*.svg || complain "eval --figure: $(ls few/plots)"
"$fplab" plot --figure list >out && [ "$(wc -l <out)" -gt 12 ] && grep -q '^precision-recall ' out || complain "--figure list: $(cat out)"

# A run that was made without pictures gets them.
"$fplab" eval -c "$newswire" -a simhash --replicates 200 --out bare --no-plots >/dev/null && "$fplab" plot bare --format svg >out && [ "$(wc -l <out)" = 6 ] && ls bare/plots/*.svg >/dev/null || complain "a run without pictures"

# Runs of tune and plan.
"$fplab" tune -c "$newswire" -g 'simhash|minhash' --folds 3 --replicates 200 --out tuned --plot-format svg >/dev/null || complain tune
"$fplab" plan --slots 64 --similarity 0.7 --out planned --plot-format svg >/dev/null || complain plan
for it in tuned planned; do
    pictures $it >was
    "$fplab" plot $it --format svg >/dev/null 2>err && pictures $it | cmp - was || complain "plot $it: $(cat err)"
done

# What cannot be drawn.
refused 2 'there is no figure thresholdz; did you mean thresholds?' "$fplab" plot alone --figure thresholdz
refused 1 'alone/ranks.tsv: missing' "$fplab" plot alone --figure ranks
mkdir empty
refused 1 'empty/run.json: cannot open' "$fplab" plot empty
refused 1 'nowhere/run.json: cannot open' "$fplab" plot nowhere
refused 1 'gnuplot is not installed' env PATH=/nonexistent "$fplab" plot alone
diff -r kept alone >/dev/null || complain "a run that was not drawn is not as it was"
echo >>alone/curves.tsv
refused 1 'curves.tsv is not the one that run.json names' "$fplab" plot alone
rm alone/curves.tsv
refused 1 'curves.tsv is missing, which run.json names' "$fplab" plot alone
# Of another version: a column has another name; the sums fit.
cp -r kept other
/usr/bin/python3 - <<'P'
import hashlib, json
run = json.load(open("other/run.json"))
table = open("other/index.tsv", "rb").read().replace(b"brought_low", b"was", 1)
open("other/index.tsv", "wb").write(table)
for file in run["files"]:
    if file["name"] == "index.tsv":
        file["size"], file["sha256"] = len(table), hashlib.sha256(table).hexdigest()
run["version"] = "0.0.1"
json.dump(run, open("other/run.json", "w"))
del run["files"]
json.dump(run, open("old.json", "w"))
P
refused 1 'other/index.tsv:1: the header lacks brought_low (the run is of fplab 0.0.1, this is ' "$fplab" plot other
cp old.json other/run.json
refused 1 'the run is of an earlier version' "$fplab" plot other
[ -z "$(find . "${TMPDIR:-/tmp}" -maxdepth 1 -newer before \( -name '.*fplab-*' -o -name 'fplab-pictures-*' \) 2>/dev/null)" ] || complain "left behind: $(ls -a . )"
exit $bad
