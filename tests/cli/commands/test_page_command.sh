#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab page: one file under a policy that names its style and script, the same bytes each time, the module and the texts as they are; what is
# missing or mistaken is one line. The module is a stand-in, which no browser is asked to run: `make pages` builds the real one.
. tests/support.sh
program=$fplab build=${BUILD:-build}
make --no-print-directory BUILD="$build" "$build"/reports/classroom/classroom.{css,js,corpus} >"$work/log" 2>&1 || complain "make: $(cat "$work/log")"
sed -n 's/^#define FP_BUILD_LAB "\(.*\)"/\1/p' "$build/facts.h" >"$work/digest"
seq 200000 | gzip -n >"$work/module"
# The page of that digest.
make_page() { reports/web/make_page.sh 'Text fingerprints: a lesson' "$build"/reports/classroom/classroom.{css,js} "$work/module" "$1" "$build/reports/classroom/classroom.corpus"; }
make_page "$work/digest" >"$work/kept"
tr 0-9 1-90 <"$work/digest" >"$work/other"
make_page "$work/other" >"$work/others"
cd "$work" || exit 1
mkdir bin share share/fplab && cp "$program" bin/fplab && fplab=$work/bin/fplab

refused 1 '`make pages`' "$fplab" page classroom --out page.html
# One of other sources, of none that it tells, or cut off is no page of this program.
head -c 10000 kept >cut
seq 10 >none
for page in others none cut; do
    cp $page share/fplab/classroom.html
    refused 1 'run `make pages`' "$fplab" page classroom --out page.html
done
[ -e page.html ] && complain "a page that is not one of this program"
mv kept share/fplab/classroom.html
for language in en zh; do
    "$fplab" page classroom --lang $language >$language.html 2>err || complain "$language: $(cat err)"
    [ -s err ] && complain "$language says $(cat err)"
    "$fplab" page classroom --lang $language --out again.html >said || complain "--out"
    [ "$(cat said)" = again.html ] && cmp -s again.html $language.html || complain "--out $language: another page"
done
"$fplab" page classroom >open.html || complain "without a language"
cmp -s en.html zh.html && complain "English and Chinese open alike"
cmp open.html share/fplab/classroom.html || complain "another page than the built one"
python3 - en.html zh.html open.html "$corpora" module <<'P' || bad=1
import base64, gzip, hashlib, re, sys
bad = 0
def complain(*words):
    global bad
    bad = 1
    print("FAIL:", *words)
texts = "\n\n".join(open(f"{sys.argv[4]}/newswire-{lang}/{name}", encoding="utf-8").read().strip() for lang in ("zh", "en") for name in ("docs.jsonl", "pairs.tsv"))
for path, opens, lang in zip(sys.argv[1:4], ("en", "zh", ""), ("en", "zh-CN", "en")):
    page = open(path, encoding="utf-8").read()
    if f'<html lang="{lang}" data-opens="{opens}">' not in page:
        complain(path, "opens in another language")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)
    for element in ("style", "script"):
        parts = re.findall(rf"<{element}>(.*?)</{element}>", page, re.S)
        hash = base64.b64encode(hashlib.sha256("".join(parts).encode()).digest()).decode()
        if len(parts) != 1 or f"{element}-src 'sha256-{hash}'" not in policy:
            complain(path, element, "is not the one that the policy names")
    if "default-src 'none'" not in policy or "unsafe-inline" in policy or "http:" in policy or "https:" in policy:
        complain(path, "has the policy", policy)
    if re.search(r'(?:src|href)="(?!data:)', page) or re.search(r" on[a-z]+=\"| style=\"", page.split("<script>")[0]):
        complain(path, "names another file, or has script or style in an attribute")
    data = dict(re.findall(r'<script type="application/octet-stream" id="([a-z]+)">([^<]*)</script>', page))
    if sorted(data) != ["corpus", "lab"] or base64.b64decode(data["lab"]) != open(sys.argv[5], "rb").read():
        complain(path, "does not carry the module as it is")
    if gzip.decompress(base64.b64decode(data["corpus"])).decode().strip() != texts:
        complain(path, "does not carry the texts of newswire-zh and newswire-en")
sys.exit(bad)
P

refused 1 'nowhere/page.html' "$fplab" page classroom --out nowhere/page.html
if command -v script >/dev/null; then
    script -qec "'$fplab' page classroom" /dev/null >typescript 2>&1 </dev/null
    grep -q 'cannot be printed on a terminal' typescript && [ "$(wc -c <typescript)" -lt 1000 ] || complain "a terminal gets $(head -c 300 typescript)"
else
    echo "note: there is no script(1): a terminal was not asked"
fi

# Every text of the lesson stands in both languages, with the same values; every name that the script asks for is there.
cd "$OLDPWD" || exit 1
python3 - <<'P' || bad=1
import glob, json, re, sys
bad, table, source = 0, {}, ""
for path in sorted(glob.glob("reports/classroom/*.js")):
    text = open(path, encoding="utf-8").read()
    if "/words_" not in path:
        source += text
        continue
    body = re.sub(r"^\s*//.*$", "", text, flags=re.M)
    rows = json.loads(re.sub(r",(\s*\})", r"\1", re.sub(r",\s*\]", "]", body[body.index("{"):body.rindex("}") + 1])))
    if set(rows) & set(table):
        bad = print("FAIL: words that are given twice:", set(rows) & set(table)) or 1
    table.update(rows)
values = lambda text: sorted(re.findall(r"\{\d\}", text))
for name, texts in table.items():
    if len(texts) != 2 or not all(text.strip() for text in texts) or set(values(texts[0])) != set(values(texts[1])):
        bad = print("FAIL: words:", name, texts) or 1
    if texts[1].isascii() and any(c.isalpha() for c in texts[1]) and name != "language":
        bad = print("FAIL: no Chinese in", name) or 1
    if any("**" in text and text.count("**") % 2 or text.count("`") % 2 for text in texts):
        bad = print("FAIL: marks without an end in", name) or 1
asked = set(re.findall(r'(?:say|paragraphs)\("([a-z0-9.]+)"[,)]', source))
if asked - set(table):
    bad = print("FAIL: words that are not there:", asked - set(table)) or 1
if len(table) < 250:
    bad = print("FAIL: only", len(table), "words were found") or 1
sys.exit(bad)
P
exit $bad
