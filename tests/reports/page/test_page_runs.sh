#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Several runs as one page, compared; the tables of a page as CSV and JSON.
. tests/support.sh
check=$(realpath tests/reports/page/page_check.py)
cd "$work" || exit 1
cp -r "$newswire" copy; chmod -R u+w copy; sed -i '$d' copy/pairs.tsv
run() { "$fplab" eval --replicates 200 --plot-format svg --figure precision-recall --threshold 0..20 "$@" >/dev/null 2>err || complain "eval $*: $(cat err)"; }
run -c "$newswire" -a simhash -a jaccard --by kind --out first
run -c copy -a simhash -a pinyin --out second
run -c "$newswire" -a simhash:features=chars:3,name=simhash -a jaccard --out third
run -c "$newswire" -a simhash --measure matthews_correlation --out wider

# Corpora side by side: each cell is that of the run's own summary.
"$fplab" report first second --out both.html >/dev/null 2>err && [ ! -s err ] || complain "two runs: $(cat err)"
"$fplab" report first second --format json --out both.json >/dev/null && "$fplab" report first --format json --out one.json >/dev/null && "$fplab" report first second --format csv --out both.csv >/dev/null || complain "json, csv"
/usr/bin/python3 - <<'P' || complain "the comparison"
import csv, html.parser, json, re
class Tables(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(); self.rows, self.cell, self.hidden = [], None, 0
    def handle_starttag(self, tag, attributes):
        if tag == "tr": self.rows.append([])
        if tag in ("td", "th"): self.cell = ""
        if tag == "span": self.hidden = dict(attributes).get("class") == "zh"
    def handle_endtag(self, tag):
        if tag in ("td", "th"): self.rows[-1].append(self.cell); self.cell = None
        if tag == "span": self.hidden = 0
    def handle_data(self, data):
        if self.cell is not None and not self.hidden: self.cell += data
text = open("both.html").read()
part = re.search('<section id="comparison".*?</section>', text, re.S).group(0)
tables = Tables(); tables.feed(part)
read = lambda run: {(r["corpus"], r["arm"]): r for r in csv.DictReader(open(run + "/summary.tsv"), delimiter="\t")}
both = {**read("first"), **read("second")}
three = lambda r, name: "%.3f (%.3f–%.3f)" % tuple(float(r[name + end]) for end in ("", "_low", "_high"))
assert tables.rows[0] == ["arm", "newswire-zh", "copy"], tables.rows[0]
for row in tables.rows[1:4]:
    for corpus, cell in zip(("newswire-zh", "copy"), row[1:]):
        wanted = three(both[corpus, row[0]], "average_precision") if (corpus, row[0]) in both else "–"
        assert cell == wanted, (row, wanted)
assert [row[0] for row in tables.rows[1:4]] == ["simhash", "jaccard", "pinyin"]
# JSON and CSV hold the cells of the files.
data = json.load(open("both.json"))
own = [row for run in ("first", "second") for row in csv.DictReader(open(run + "/results.tsv"), delimiter="\t")]
assert len(own) == len(data["tables"]["results"])
for row, cells in zip(own, data["tables"]["results"]):
    assert list(row) == list(cells)
    for name, cell in row.items():
        assert cells[name] == (cell if name in ("corpus", "arm", "scale") else None if cell == "NA" else float(cell)), (name, cell, cells[name])
lines = list(csv.reader(open("both.csv", newline="", encoding="utf-8")))
assert lines[0] == ["table", "row", "column", "value"] and open("both.csv", "rb").read().count(b"\r\n") == len(lines)
got = {}
for table, row, column, value in lines[1:]:
    got.setdefault((table, int(row)), {})[column] = value
assert [got["results", i + 1] for i in range(len(own))] == own
assert set(json.load(open("one.json"))["tables"]) <= set(data["tables"])
P
"$fplab" report first second --out again.html >/dev/null && cmp both.html again.html || complain "other bytes"

# One corpus and one name in two runs, which are not the same: each gets that of its run.
"$fplab" report first third --format markdown --lang en --out third.md >/dev/null 2>err || complain "one corpus twice: $(cat err)"
grep -q '^| arm | newswire-zh (first) | newswire-zh (third) |' third.md && grep -q '^| simhash (third) |' third.md && grep -q '^| jaccard | [0-9.]* ([^|]*) | [0-9.]*' third.md || complain "names: $(grep -m 5 '^| ' third.md)"
grep -c '^    fplab eval' third.md | grep -qx 2 || complain "both commands"
# A run of robustness adds its table; names stay, and there is nothing to compare.
"$fplab" robustness -c "$newswire" -a simhash -a jaccard --kind delete --quick --no-plots --out robust >/dev/null 2>err || complain "robustness: $(cat err)"
"$fplab" report first robust --format markdown --lang en --out robust.md >/dev/null 2>err && grep -q '^## Robustness against corruption' robust.md && ! grep -q '^## Comparison' robust.md && [ "$(grep -c '^| jaccard | delete | 0' robust.md)" = 2 ] && grep -q '^On newswire-zh (918 pairs' robust.md || complain "with robustness: $(cat err)"
# What a formula would be is none in CSV.
run -c "$newswire" -a "simhash:name==1+1" --out formula; "$fplab" report formula --format csv --out f.csv >/dev/null; grep -q '^summary,1,arm," =1+1"' f.csv || complain "a formula: $(grep -m1 ,arm, f.csv)"

# Refused, in one line.
refused 1 "wider/results.tsv: its columns are not those of first/results.tsv" "$fplab" report first wider --out none.html
run -c "$newswire" -a simhash -a jaccard --level document --out level
refused 1 "level: the run counts documents with 95% intervals, that of first pairs with 95%" "$fplab" report first level --out none.html
refused 2 "first is named twice" "$fplab" report first first --out none.html
refused 1 "nowhere/run.json: cannot open" "$fplab" report first nowhere --out none.html
[ ! -e none.html ] || complain "a page of runs that do not go together"
# A damaged table of one run: that of the other stands.
printf x >>second/results.tsv
"$fplab" report first second --out part.html >out 2>err; [ $? = 1 ] && grep -qF 'second/results.tsv is left out' err && grep -q 'id="comparison"' part.html || complain "a damaged table: $(cat err)"
exit $bad
