#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab page playground: one file with the module as it is; every text of it in both languages, and none that is not there. A browser looks at
# it in tests/deep. The module is a stand-in: `make pages` builds the real one.
. tests/support.sh
cp -r reports/playground "$work/sources"
program=$fplab build=${BUILD:-build}
make --no-print-directory BUILD="$build" "$build"/reports/playground/playground.{css,js} >"$work/log" 2>&1 || complain "make: $(cat "$work/log")"
sed -n 's/^#define FP_BUILD_LAB "\(.*\)"/\1/p' "$build/facts.h" >"$work/digest"
seq 100000 | gzip -n >"$work/module"
reports/web/make_page.sh 'Text fingerprints: a playground' "$build"/reports/playground/playground.{css,js} "$work/module" "$work/digest" >"$work/built.html"
cd "$work" || exit 1
mkdir -p bin share/fplab && cp "$program" bin/fplab && fplab=$work/bin/fplab
refused 1 '`make pages`' "$fplab" page playground --out page.html
[ -e page.html ] && complain "a page without the lab"
mv built.html share/fplab/playground.html
"$fplab" page playground --lang zh --out page.html >said 2>err || complain "page: $(cat err)"
[ "$(cat said)" = page.html ] || complain "says $(cat said)"
"$fplab" page playground --lang zh >again.html && cmp page.html again.html || complain "another page"
python3 - page.html module sources <<'P' || bad=1
import base64, glob, re, sys
bad = 0
def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)
page = open(sys.argv[1], encoding="utf-8").read()
data = dict(re.findall(r'<script type="application/octet-stream" id="([a-z]+)">([^<]*)</script>', page))
if sorted(data) != ["lab"] or base64.b64decode(data["lab"]) != open(sys.argv[2], "rb").read():
    complain("the page does not carry the module as it is")
if '<html lang="zh-CN" data-opens="zh">' not in page:
    complain("the page does not open in Chinese")
if re.search(r"innerHTML|insertAdjacent|document\.write|eval\(|\.style\b|setAttribute\(.style", page):
    complain("the page makes elements of text")
words = open(sys.argv[3] + "/words.js", encoding="utf-8").read()
rows = dict((name, (en, zh)) for name, en, zh in re.findall(r'^  "([a-z0-9.]+)": \["((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\],$', words, re.M))
if len(rows) != len(re.findall(r'^  "[a-z0-9.]+":', words, re.M)) or len(rows) < 100:
    complain("a text is not in two languages:", len(rows))
values = lambda text: sorted(set(re.findall(r"\{\d\}", text)))
for name, (en, zh) in rows.items():
    if values(en) != values(zh) and not (name.startswith(("error.", "caution.")) and set(values(zh)) < set(values(en))): # help, in English alone
        complain(name, "has other values in Chinese")
    if zh.isascii() and re.search("[a-z]", zh) and name != "f1":
        complain("no Chinese in", name)
source = "".join(open(path, encoding="utf-8").read() for path in glob.glob(sys.argv[3] + "/*.js") if not path.endswith("words.js"))
asked = set(re.findall(r'\bsay\("([a-z0-9.]+)"[,)]', source))
if asked - set(rows):
    complain("texts that are not there:", asked - set(rows))
unused = [name for name in rows if name not in source and not any(name.startswith(part) and '"' + part + '"' in source for part in ("text.", "scale.", "measure.", "example.", "corpus.", "error.", "caution.", "kind.", "stage."))]
if unused:
    complain("texts that nobody asks for:", unused)
sys.exit(bad)
P
exit $bad
