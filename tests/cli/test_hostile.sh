#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What SECURITY.md promises of files that somebody made in order to do harm: limits, paths, terminals, spreadsheets, pages.
. tests/support.sh
cd "$work" || exit 1

# ---- Limits ----

# 100 MB of one letter in 100 kB, as one line: no more is held than was allowed, and each command says so. (A sanitizer maps terabytes of its own.)
head -c 100000000 /dev/zero | tr '\0' a | gzip -1 >bomb.gz
for command in "fingerprint bomb.gz" "compare bomb.gz bomb.gz" "cluster -a exact -d 0 bomb.gz" "import bomb.gz --out made" "align bomb.gz bomb.gz"; do
    # shellcheck disable=SC2086
    ([ -n "${SANITIZE:-}" ] || ulimit -v 2000000; "$fplab" ${command%% *} --max-size 10M ${command#* }) >out 2>err
    [ $? = 1 ] && grep -q -- '--max-size' err && [ "$(wc -l <err)" = 1 ] || complain "$command: $(cat err)"
done
[ ! -e made ] || complain "a corpus was made of nothing"
# The record of a web archive, unpacked.
python3 - <<'PYTHON' || complain "no archive"
import gzip
def archive(name, answer):
    with open(name, 'wb') as file:
        file.write(b'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http\r\n'
                   b'Content-Length: %d\r\n\r\n%s\r\n\r\n' % (len(answer), answer))
page = b'<p>one</p>\n<div ' + b' '.join(b'a%x=1' % i for i in range(160000)) + b'>two</div>'
archive('attributes.warc', b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n' + page)
open('attributes.html', 'wb').write(page)
body = gzip.compress(b'<p>' + b'a' * 20000000, mtime=0)
answer = b'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n' + body
archive('bomb.warc', answer)
PYTHON
refused 1 'unpacks to more than 1048576 bytes' "$fplab" cluster -a exact -d 0 --max-size 1M bomb.warc
# Attributes: the parser's time is quadratic in those of one element. 160,000 took 29 s of processor time.
mkdir attributes && mv attributes.html attributes
for from in attributes attributes.warc; do
    (ulimit -t 10; refused 1 'an element in line 2 of the page has more than 10000 attributes; leave the page out, or add --skip-bad' \
        "$fplab" cluster -a exact -d 0 $from; exit $bad) || bad=1
done
grep -q '^fplab: attributes.warc:1: ' err || complain "attributes in an archive: $(cat err)"
echo "<p>three</p>" >attributes/other.html
"$fplab" cluster -a exact -d 0 --skip-bad attributes >out 2>err || complain "attributes are not left out: $(cat err)"
# Nesting.
printf '{"id":"a","text":"x","m":%s%s}\n' "$(printf '[%.0s' {1..101})" "$(printf ']%.0s' {1..101})" >deep.jsonl
refused 1 'more than 100 levels deep' "$fplab" cluster -a exact -d 0 deep.jsonl

# ---- Paths ----

mkdir -p small outside
printf '{"id":"a","text":"今天下午通车","group":"1"}\n{"id":"b","text":"今天通车","group":"1"}\n{"id":"c","text":"几点开门"}\n' >small/docs.jsonl
eval_small() { "$fplab" eval -c small -a simhash --no-plots --replicates 200 --out "$1" >/dev/null 2>err; }
eval_small run || complain "eval: $(cat err)"
# A run.json that names files outside of its directory: another run in its place leaves them as they are.
echo mine >outside/mine.tsv
sum=$(sha256sum <outside/mine.tsv | cut -d ' ' -f 1)
python3 - "$sum" "$work" <<'PYTHON' || complain "run.json was not changed"
import json, sys
run = json.load(open('run/run.json', encoding='utf-8'))
for name in '../outside/mine.tsv', sys.argv[2] + '/outside/mine.tsv', 'plots/../../outside/mine.tsv':
    run['files'].append({'name': name, 'size': 5, 'sha256': sys.argv[1]})
json.dump(run, open('run/run.json', 'w', encoding='utf-8'), ensure_ascii=False, indent=2)
PYTHON
grep -q 'outside/mine' run/run.json || complain "run.json was not changed: $(tail -c 300 run/run.json)"
eval_small run || complain "eval over such a run: $(cat err)"
[ "$(cat outside/mine.tsv)" = mine ] || complain "a file outside of the run is gone"
# Nor does a symbolic link lead out of it.
ln -s ../outside run/plots
refused 1 'is a symbolic link, and fplab does not write through links' "$fplab" eval -c small -a simhash --replicates 200 --out run
[ "$(ls outside)" = mine.tsv ] || complain "written outside of the run: $(ls outside)"
rm run/plots
# A name in a corpus is no path.
mkdir named && cp small/docs.jsonl named
printf '{"name":"../../outside/x","counts":{"documents":3},"sha256":{"../../outside/mine.tsv":"0"}}\n' >named/MANIFEST.json
"$fplab" eval -c named -a simhash --replicates 200 --figure f1 --plot-format svg --out pictures >/dev/null 2>err
[ "$(ls outside)" = mine.tsv ] || complain "the name of a corpus became a path: $(ls outside)"

# ---- Terminals ----

printf '{"id":"\\u001b]0;x\\u0007","text":"a\\u202eb \\u001b[31m"}\n{"id":"b","text":"c"}\n' >signs.jsonl
{ "$fplab" cluster -a exact -d 0 signs.jsonl; "$fplab" explain simhash --text $'a\u202eb \e[31m\u009b'; "$fplab" compare --text $'\e]0;x\a' $'\u2066b'; } >out 2>err
LC_ALL=C.UTF-8 grep -qP '[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]' out err && complain "something commands the terminal: $(cat -v out err)"

# ---- Spreadsheets ----

mkdir formulas
printf '{"id":"=1+1","text":"=cmd|x"}\n{"id":"\uff1d2","text":"\uff20b c"}\n{"id":"-3","text":"d"}\n' >formulas/docs.jsonl
"$fplab" features -c formulas -f csv >out 2>err
grep -qE '^"?(=|＝|@|＠|\+|＋|－|-[^0-9.])' out && complain "a formula in CSV: $(cat out)"
grep -q '^ ＝2,' out && grep -q '^ =1+1,' out && grep -q '^-3,' out || complain "ids in CSV: $(cat out)"
"$fplab" judge sample -c formulas -a simhash -d 0..64 --out sheet.tsv >/dev/null 2>err || complain "sample: $(cat err)"
cut -f 7,8 sheet.tsv | grep -qP '(^|\t)(=|＝|@|＠)' && complain "a formula in a sheet: $(cat sheet.tsv)"

# ---- Pages: pictures that gnuplot did not make ----

eval_drawn() { "$fplab" eval -c small -a simhash -a jaccard --figure f1 --plot-format svg --replicates 200 --out drawn >/dev/null 2>err; }
if command -v gnuplot >/dev/null && eval_drawn; then
    picture=$(ls drawn/plots/small-*f1.svg | head -n 1)
    cp "$picture" good.svg
    "$fplab" report drawn --out page.html >/dev/null 2>err && grep -q '<figure' page.html || complain "a page with its picture: $(cat err)"
    number=0
    while read -r bad_part; do
        number=$((number + 1))
        python3 -c 'import sys; sys.stdout.write(sys.stdin.read().replace("<g ", sys.argv[1] + "<g ", 1))' "$bad_part" <good.svg >"$picture"
        python3 - drawn "$picture" <<'PYTHON'
import hashlib, json, os, sys
path = os.path.join(sys.argv[1], 'run.json')
run = json.load(open(path, encoding='utf-8'))
content = open(sys.argv[2], 'rb').read()
for file in run['files']:
    if file['name'] == 'plots/' + os.path.basename(sys.argv[2]):
        file.update(size=len(content), sha256=hashlib.sha256(content).hexdigest())
json.dump(run, open(path, 'w', encoding='utf-8'), ensure_ascii=False, indent=2)
PYTHON
        "$fplab" report drawn --out page.html >/dev/null 2>err
        [ $? = 1 ] && grep -q 'left out: gnuplot did not make it' err || complain "picture $number was taken ($bad_part): $(cat err)"
        grep -q 'alert(' page.html && complain "picture $number is in the page"
    done <<'PARTS'
<script>alert(1)</script>
<SCRIPT>alert(1)</SCRIPT>
<g onload="alert(1)"></g>
<g OnLoad='alert(1)'></g>
<use href="javascript:alert(1)"/>
<use xlink:href="https://example.org/x#alert(1)"/>
<title><img src="x" onerror="alert(1)"/></title>
<!--<g>alert(1)</g>-->
<style>@import "alert(1)";</style>
<rect fill="url(https://example.org/alert(1))"/>
<g a=alert(1)></g>
<foreignObject>alert(1)</foreignObject>
PARTS
    [ "$number" = 12 ] || complain "only $number pictures were tried"
else
    echo "skipped: pictures in a page: gnuplot is not installed, or draws nothing here"
fi
exit $bad
