#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A run as LaTeX: the letters of the arms compared are the verdicts of differences.tsv, the figures that it names are there, nothing of the data commands TeX, and the same run gives the
# same bytes. tests/deep/pages/test_latex.sh has TeX read it.
. tests/support.sh
cd "$work" || exit 1
"$fplab" eval -c "$newswire" --replicates 200 --no-plots --out run >/dev/null 2>err || complain "eval: $(cat err)"
"$fplab" eval -c "$newswire" --compare recall@10 --threshold 0..20 --replicates 200 --no-plots --out at10 >/dev/null 2>err || complain "eval at 10: $(cat err)"
"$fplab" report at10 --format latex-table --size page --lang en >/dev/null || complain "latex-table at 10"
[ "$("$fplab" report run --format latex-table --size page --lang en)" = run/table.tex ] || complain "latex-table"
"$fplab" report run --format latex-table --size page --lang en --out again.tex >/dev/null && cmp again.tex run/table.tex || complain "other bytes"
grep -q '"table.tex"' run/run.json && "$fplab" rerun run >out 2>&1 || complain "run.json: $(cat out)"
cat >letters.py <<'P'
import csv, os, re, sys
os.chdir(sys.argv[1])
rows = list(csv.DictReader(open("summary.tsv"), delimiter="\t"))
at10 = {r["arm"]: r for r in csv.DictReader(open("results.tsv"), delimiter="\t") if r["threshold"] == "10"}
differences = list(csv.DictReader(open("differences.tsv"), delimiter="\t"))
arms = [r["arm"] for r in rows]
letter = {arm: "abcdefgh"[i] for i, arm in enumerate(arms)}
def beaten(arm, figure, threshold):
    out = []
    for d in differences:
        if (d["figure"], d["threshold"]) != (figure, threshold): continue
        if d["arm_a"] == arm and d["verdict"].startswith("A is better"): out.append(letter[d["arm_b"]])
        if d["arm_b"] == arm and d["verdict"].startswith("B is better"): out.append(letter[d["arm_a"]])
    return "".join(sorted(out))
body = open("table.tex", encoding="utf-8").read().split("\\midrule\n")[1].split("\\bottomrule")[0].strip().split("\n")
assert len(body) == len(arms) == 5
some, best = 0, max(rows, key=lambda r: float(r["average_precision"]))["arm"]
for line, row in zip(body, rows):
    cells = line.removesuffix(" \\\\").split(" & ")
    assert cells[0] == letter[row["arm"]] and cells[1] == row["arm"], cells
    for cell, figure, threshold in zip(cells[2:], ("average_precision", "roc_area", "best_f1", "recall"), ("NA", "NA", "NA", "10")):
        source = row if threshold == "NA" else at10[row["arm"]]
        value, letters = re.match(r"(?:\\textbf\{)?([\d.]+)\}?(?:\\textsuperscript\{([a-z]+)\})? \(", cell).groups()
        assert value == "%.3f" % float(source[figure]), (cell, figure)
        assert (letters or "") == beaten(row["arm"], figure, threshold), (cell, figure, beaten(row["arm"], figure, threshold))
        some += len(letters or "")
    assert cells[2].startswith("\\textbf{") == (row["arm"] == best)
assert some >= 3 and len(cells) == 5 + (sys.argv[1] == "at10")
P
for run in run at10; do /usr/bin/python3 letters.py $run || complain "letters: $(cat $run/table.tex)"; done
# In a column the same cells, the interval under its figure, and a corpus over its arms.
"$fplab" report run --format latex-table --lang en --out column.tex >/dev/null || complain "a column"
"$fplab" report run at10 --format latex-table --lang en --out two.tex >/dev/null || complain "a column of two"
cat >column.py <<'P'
import re
def rows(path):
    body = open(path, encoding="utf-8").read().split("\\midrule\n")[1].split("\\bottomrule")[0]
    return [line.split(" & ") for line in re.sub(r" \\\\(\[2pt\])?$", "", body.strip(), flags=re.M).split("\n")]
page, column = rows("again.tex"), rows("column.tex")
assert len(column) == 2 * len(page) == 10
for cells, figures, under in zip(page, column[::2], column[1::2]):
    assert figures[:2] == cells[:2], figures
    assert [f"{a} {b.removeprefix(chr(92) + 'scriptsize ')}" for a, b in zip(figures[2:], under[2:])] == cells[2:], (figures, under, cells)
two = open("two.tex", encoding="utf-8").read()
assert two.count(r"\multicolumn{6}{@{}l@{}}{\itshape newswire-zh") == 2 and "table*" not in two, two
P
/usr/bin/python3 column.py || complain "a column: $(cat column.tex two.tex)"
"$fplab" report run --size page >out 2>err && complain "--size without latex-table"
grep -q -- '--size goes with --format latex-table' err || complain "--size: $(cat err)"

# The figures that the document names.
"$fplab" report run --format latex --lang zh --out paper.tex >/dev/null 2>err || complain "latex: $(cat err)"
grep -o 'includegraphics\[[^]]*\]{[^}]*}' paper.tex | sed 's/.*{//; s/}//' >named
[ "$(wc -l <named)" -ge 3 ] || complain "few figures: $(cat named)"
while read -r figure; do [ -s "$figure" ] && head -c 5 "$figure" | grep -q %PDF- || complain "no figure $figure"; done <named
[ "$(ls paper-figures | wc -l)" = "$(sort -u named | wc -l)" ] || complain "figures that nothing names: $(ls paper-figures)"
"$fplab" report run --format latex --figures tikz --lang en --out drawn.tex >/dev/null 2>err || complain "tikz: $(cat err)"
grep -q 'usepackage{gnuplot-lua-tikz}' drawn.tex && [ "$(ls drawn-figures/*.tikz | wc -l)" -ge 3 ] || complain "tikz: $(ls drawn-figures)"
grep -hq '{\$[0-9]*\$};' drawn-figures/*.tikz || complain "numbers of axes are not TeX's"
"$fplab" report run --format latex >/dev/null 2>err || complain "into the run: $(cat err)"
[ -s run/report.tex ] && ls run/plots/*.pdf >/dev/null && grep -q 'plots/.*\.pdf' run/run.json || complain "into the run: no figures"
mkdir first && cp run/report.tex run/plots/*.pdf first
"$fplab" report run --format latex >/dev/null 2>err && [ ! -s err ] || complain "into the run, twice: $(cat err)"
for file in first/*; do cmp "$file" "$(ls run/"${file#first/}" run/plots/"${file#first/}" 2>/dev/null)" || complain "other bytes the second time: $file"; done

# Signs that TeX obeys stand nowhere as they are.
name='a#1$x%y&z~q_w^e\r{t}u<v>"`'
"$fplab" eval -c "$newswire" -a "simhash:name=$name" -a pinyin --replicates 200 --no-plots --out hostile >/dev/null 2>err || complain "hostile: $(cat err)"
"$fplab" report hostile --format latex-table --lang en --out hostile.tex >/dev/null || complain "hostile table"
sed -i 's/\\allowbreak{}//g' hostile.tex # where long words may break
grep -qF 'a\#1\$x\%y\&z\textasciitilde{}q\_w\textasciicircum{}e\textbackslash{}r\{t\}u\textless{}v\textgreater{}\textquotedbl{}\textasciigrave{}' hostile.tex || complain "signs: $(grep ^a hostile.tex)"
exit $bad
