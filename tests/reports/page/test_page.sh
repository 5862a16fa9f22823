#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A run as one page: whole HTML that asks for nothing, with the figures of the tables; hostile names; runs that are not whole.
. tests/support.sh
check=$(realpath tests/reports/page/page_check.py)
cd "$work" || exit 1
sound() { /usr/bin/python3 "$check" "$1" "$2" || complain "$1"; }

# Of an evaluation: the page that eval writes is the one that report writes, twice the same, and a file of the run.
"$fplab" eval -c "$newswire" --threshold 0..64 --replicates 200 --by kind --lost --theory --costs --calibrate --prevalence 0.001 --plot-format svg --report --out run >/dev/null 2>err || complain "eval --report: $(cat err)"
sound run/index.html run
[ "$(wc -c <run/index.html)" -lt 3000000 ] || complain "a page of $(wc -c <run/index.html) bytes"
# So is that of the demo, on the corpus that ships.
"$fplab" eval -c "$corpora/newswire-zh" --plot-format svg --report --out demo >/dev/null 2>err || complain "the demo: $(cat err)"
[ "$(wc -c <demo/index.html)" -lt 3000000 ] || complain "the demo's page has $(wc -c <demo/index.html) bytes"
cp run/index.html first.html
[ "$("$fplab" report run --out again.html 2>err)" = again.html ] && [ ! -s err ] && cmp again.html first.html || complain "another page than that of eval: $(cat err)"
[ "$("$fplab" report run)" = run/index.html ] && cmp run/index.html first.html || complain "into the run"
"$fplab" report run >/dev/null && cmp run/index.html first.html && ! ls run | grep -q edited || complain "into the run, twice: $(ls run)"
grep -q '"index.html"' run/run.json || complain "run.json does not list the page"
# What the answer says stands in the tables: the arm with the largest average precision, with its interval.
/usr/bin/python3 - <<'P' || complain "the answer"
import csv, html, re
best = max(csv.DictReader(open("run/summary.tsv"), delimiter="\t"), key=lambda r: float(r["average_precision"]))
text = html.unescape(re.sub("<[^>]*>", "", open("run/index.html").read().split('id="live"')[0]))
figures = "%.3f (%.3f to %.3f)" % tuple(float(best["average_precision" + end]) for end in ("", "_low", "_high"))
assert best["arm"] + " ranks best of 5 arms by average precision: " + figures in text, figures
differ = [r for r in csv.DictReader(open("run/differences.tsv"), delimiter="\t") if best["arm"] in (r["arm_a"], r["arm_b"])]
better = [r["arm_b" if r["arm_a"] == best["arm"] else "arm_a"] for r in differ if r["verdict"].startswith("AB"[r["arm_b"] == best["arm"]] + " is better")]
assert len(better) > 1 and "significantly better than " + ", ".join(better[:-1]) + " and " + better[-1] + " (Holm" in text, better
P
for part in answer live summary thresholds figures differences strata prevalence theory lost costs calibration definitions repeat; do
    grep -q "<section id=\"$part\"" first.html || complain "no part $part"
done
[ "$(grep -c '<tr class="usual"' first.html)" -ge 40 ] || complain "1 to 10 are not marked"
[ "$(grep -c '<svg' first.html)" -ge 10 ] || complain "few figures: $(grep -c '<svg' first.html)"

# Languages, formats.
"$fplab" eval -c "$newswire" -a simhash -a pinyin --replicates 200 --no-plots --out small >/dev/null 2>err || complain "a small run: $(cat err)"
"$fplab" report small --lang en --out en.html >/dev/null 2>err && sound en.html small && ! sed '/<script/,$d' en.html | grep -qP '\p{Han}' || complain "--lang en: $(cat err)"
"$fplab" report small --lang zh --out zh.html >/dev/null && sound zh.html small && grep -q 'html lang="zh-CN"' zh.html && ! grep -q 'class="en"' zh.html || complain "--lang zh"
"$fplab" report small --format markdown --lang en --out run.md >/dev/null && grep -q '^## The answer' run.md && grep -q '](<plots/newswire-zh-thresholds.svg>)' run.md || complain "markdown"
awk -F'|' '/^\| ---/ {n = NF} /^$/ {n = 0} /^\|/ && n && NF != n {exit 1}' run.md || complain "rows of other lengths in Markdown"
"$fplab" report small --format latex --lang en --out run.tex >/dev/null && grep -q toprule run.tex && tail -n 1 run.tex | grep -q 'end{document}' || complain "latex"

# Names of every kind: arms, the corpus, ids, what --by divides by.
name=$'x"><script>alert(1)<\\script><img src=q onerror=a()>\'&amp; \u202etxt $(id) {0} | `a` \\input{x} =1+1'
cp -r "$newswire" "$name" 2>/dev/null || { name='x"><script>&'; cp -r "$newswire" "$name"; }
chmod -R u+w "$name"
sed -i 's/"light_reprint"/"<\/script><b onclick=x>"/; s/\blight_reprint\b/<\/script><b onclick=x>/' "$name"/*.tsv "$name"/*.jsonl 2>/dev/null
long=$(printf 'w%.0s' $(seq 500))
"$fplab" eval -c "$name" -a "simhash:name=</script><script>alert(2)</script>" -a "cosine:name=]]><!--<b>'\"{1}$(printf '\342\200\256')abc" -a "pinyin:name=$long" --by kind --replicates 200 --plot-format svg --report --out hostile >/dev/null 2>err || complain "hostile names: $(cat err)"
sound hostile/index.html hostile
grep -q '<script>alert\|<img\|<b>\|onclick=x>[^&]*<' hostile/index.html && complain "an element came of data"
"$fplab" report hostile --format markdown --out hostile.md >/dev/null && ! grep -v '^    ' hostile.md | grep -q '<script\|<img\|<b' || complain "an element in Markdown"

# Runs that are not whole: a line each, and what there is.
# Of fewer arms, with a picture: each of them is written again and again.
"$fplab" eval -c "$newswire" -a simhash -a pinyin --by kind --replicates 200 --plot-format svg --figure thresholds --report --out partial >/dev/null 2>err || complain "a run with a picture: $(cat err)"
grep -q '"index.html"' partial/run.json && "$fplab" rerun partial >out 2>&1 || complain "a run with a page is not repeated: $(cat out)"
broken() { rm -rf broken; cp -r partial broken; }
left() { # left WORDS WHAT
    rm -f part.html
    "$fplab" report broken --out part.html >out 2>err
    [ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$1" err || complain "$2: status $?, $(cat err)"
    grep -q 'id="notes"' part.html && grep -q 'id="answer"\|id="thresholds"' part.html || complain "$2: no page of the rest"
}
broken; rm broken/strata.tsv; left "strata.tsv is left out: it is missing" "a table that is missing"
broken; printf 'x' >>broken/differences.tsv; left "differences.tsv is left out: it is not the file that run.json names" "a table that was changed"
broken; rm broken/summary.tsv; left "summary.tsv is left out" "no summary"
cp broken/run.json kept.json; "$fplab" report broken >out 2>err; cmp broken/run.json kept.json && [ -s broken/index.html ] || complain "into a run that is not whole"
broken; rm broken/summary.tsv broken/results.tsv
"$fplab" report broken --out none.html >out 2>err; [ $? = 1 ] && grep -q 'nothing to report' err && [ ! -e none.html ] || complain "no table: $(cat err)"
# Of an earlier version: run.json names no files. All of it is told, and the doubt.
broken; /usr/bin/python3 -c "
import json; run = json.load(open('broken/run.json')); del run['files']; json.dump(run, open('broken/run.json', 'w'))"
"$fplab" report broken --out old.html >out 2>err; [ $? = 0 ] && grep -q 'does not list its files' err && sound old.html broken || complain "an earlier version: $(cat err)"
printf 'corpus\tarm\nx\n' >broken/strata.tsv; left_of=$("$fplab" report broken --out old.html 2>&1 >/dev/null); grep -q 'strata.tsv is left out: line 2: ' <<<"$left_of" || complain "a damaged table: $left_of"
# The pairs of the run come from its corpus: where it has gone or changed, all else is written.
"$fplab" eval -c "$newswire" -a simhash -a jaccard --replicates 200 --plot-format svg --figure precision-recall --out here >/dev/null 2>err || complain "a run: $(cat err)"
cp -r "$newswire" moved && chmod -R u+w moved
sed -i "s|\"path\": *\"[^\"]*newswire-zh\"|\"path\": \"$work/elsewhere\"|" here/run.json
without() { # WORDS WHAT OPTION…: one line more, no pairs, and the rest
    local words=$1 what=$2; shift 2
    rm -f part.html
    "$fplab" report here --out part.html "$@" >out 2>err
    [ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$words" err || complain "$what: $(cat err)"
    sound part.html here && grep -q 'id="notes"' part.html && ! grep -q '"documents":' part.html && grep -q '"lack":' part.html || complain "$what: no page of the rest"
}
without "its corpus is no longer at $work/elsewhere; give its directory with --corpus newswire-zh=DIR" "a corpus that has gone"
"$fplab" report here --out part.html --corpus newswire-zh=moved >out 2>err && [ ! -s err ] && grep -q '"documents":' part.html && sound part.html here || complain "--corpus: $(cat err)"
cp part.html whole.html
"$fplab" report here --out part.html --corpus newswire-zh=moved --no-texts >out 2>err && [ ! -s err ] && [ "$(wc -c <part.html)" -lt "$(($(wc -c <whole.html) - 200000))" ] && ! grep -q '澜州轮渡北门线恢复夜航' part.html && grep -q '"documents":' part.html || complain "--no-texts: $(cat err)"
grep -q '澜州轮渡北门线恢复夜航' whole.html || complain "no texts"
sed -i '1s/恢复/恢複/' moved/docs.jsonl
without "moved has changed since the run" "a corpus that has changed" --corpus newswire-zh=moved
rm moved/docs.jsonl
without "it cannot be measured again (" "a corpus without documents" --corpus newswire-zh=moved
refused 2 '--corpus takes NAME=DIR' "$fplab" report here --corpus other=moved
rm -rf moved; cp -r "$newswire" moved
# Counts of another program: the run says no checksums, and its arm is another.
/usr/bin/python3 - <<'P'
import json
run = json.load(open("here/run.json"))
run["arms"][0]["spec"] = run["arms"][0]["spec"].replace("features=words", "features=chars:2")
json.dump(run, open("here/run.json", "w"))
P
without "measured again, simhash gives other counts than results.tsv" "other counts" --corpus newswire-zh=moved
sed -i 's/simhash:bits/nosuch:bits/' here/run.json
without "it cannot be measured again (" "an arm that is not known" --corpus newswire-zh=moved

# No gnuplot: the page without figures.
broken; rm -r broken/plots
mkdir bare && for tool in env; do ln -s "$(command -v $tool)" bare/; done
PATH=$work/bare "$fplab" report broken --out bare.html >out 2>err; [ $? = 1 ] && grep -q 'no figures: .*gnuplot' err && sound bare.html broken && grep -q 'The figures are missing' bare.html || complain "no gnuplot: $(cat err)"
# No font; and no such font makes no other page.
FPLAB_FONT='No Such Font' "$fplab" report broken --out font.html >out 2>err; [ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'no figures: no font called No Such Font' err && cmp font.html bare.html || complain "no font: $(cat err)"
# Documents are counted, or all pairs of groups: no pairs to be opened, and nothing is wrong.
"$fplab" eval -c "$newswire" -a simhash --level document --replicates 200 --no-plots --report --out documents >/dev/null 2>err && sound documents/index.html documents || complain "documents: $(cat err)"
/usr/bin/python3 - <<'P'
import json, os
os.mkdir("grouped")
open("grouped/docs.jsonl", "w").write("".join(json.dumps({"id": str(i), "group": str(i // 2), "text": "临江大桥恢复通车" + chr(0x4e00 + i // 2) * 9 + chr(0x5e00 + i)}, ensure_ascii=False) + "\n" for i in range(720)))
P
"$fplab" eval -c grouped -a simhash --no-plots --report --out groups >/dev/null 2>err && sound groups/index.html groups && grep -q 'all pairs of its documents are counted, and none is listed' groups/index.html && [ ! -s err ] || complain "groups: $(cat err)"

# Names of arms that are words of the tables stay as they are.
"$fplab" eval -c "$newswire" -a simhash:name=equal -a minhash:name=NA --replicates 200 --no-plots --out words >/dev/null && "$fplab" report words --lang zh --out words.html >/dev/null && grep -q '<th scope="row">equal<' words.html && grep -q '<th scope="row">NA<' words.html && ! grep -q '<th scope="row">\(相等\|–\)<' words.html || complain "arms named equal and NA"

# No run.
mkdir nothing
refused 1 'run.json: cannot open' "$fplab" report nothing
refused 1 'run.json: cannot open' "$fplab" report nowhere
echo '{"program":"other"}' >nothing/run.json; refused 1 'not a run of fplab' "$fplab" report nothing
echo '{' >nothing/run.json; refused 1 'nothing/run.json' "$fplab" report nothing
exit $bad
