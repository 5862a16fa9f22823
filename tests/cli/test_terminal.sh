#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program on a terminal: at 40, 80 and 200 columns nothing of a table is lost, columns line up, nothing that comes from a corpus, a sheet
# or the command line commands the terminal, and the locale's encoding changes nothing.
. tests/support.sh
cd "$work" || exit 1
# Without the spaces that its path may hold, since commands below are cut at theirs.
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh

# terminal COLUMNS COMMAND…: both streams on a pseudo-terminal of that width, as it would show them.
terminal() { local columns=$1; shift; python3 "$tests/terminal.py" "$columns" 24 60 '' "$@"; }
terminal 80 "$fplab" --version >out
[ $? = 77 ] && { echo "there are no pseudo-terminals"; exit 77; }

# Every column of every table, read from top to bottom without spaces, stands in the folded tables too: columns are what stands between gaps
# of two cells of the terminal that are empty on every line of a paragraph.
cat >columns.py <<'PYTHON'
import re, sys, unicodedata
def cells(line):
    out = []
    for c in line:
        if unicodedata.combining(c): out[-1] += c
        else: out += [c] + ([''] if unicodedata.east_asian_width(c) in 'WF' else [])
    return out
def columns(path, most):
    found = []
    for paragraph in open(path, encoding='utf-8').read().split('\n\n'):
        lines = [line for line in paragraph.rstrip('\n').split('\n') if not line.endswith((' intervals', ' uncertainty'))]
        if re.match(r'\d+ places? differ', lines[0]): # texts, and no table
            assert max(sum(len(c) > 0 for c in cells(re.sub('\033\\[[0-9;]*m', '', line))) for line in lines) <= most, paragraph
            continue
        if len(lines) < 2 or not any('  ' in line.strip() for line in lines) or any(line.startswith('source:') for line in lines): continue
        lines = [cells(line) for line in lines]
        width = max(map(len, lines))
        assert width <= most, (width, paragraph)
        used = [any(c < len(line) and line[c] != ' ' for line in lines) for c in range(width)] + [False, False]
        begin = None
        for c in range(len(used)):
            if begin is None and used[c]: begin = c
            if begin is not None and not used[c] and not used[min(c + 1, len(used) - 1)]:
                found.append(''.join(''.join(line[begin:c]) for line in lines).replace(' ', ''))
                begin = None
    return found
whole, timed = columns('whole', 10**6), ('sketchs', 'distances')
for width in sys.argv[1:]:
    folded = columns('folded.' + width, int(width))
    missing = [c for c in whole if c not in folded and not c.startswith(timed)]
    assert len(whole) > 1 and not missing, (width, missing, folded)
PYTHON
for run in 'algorithms simhash' 'algorithms' "eval --corpus $newswire --arm simhash:name=指纹 --arm pinyin --replicates 200" "corpus check $newswire" \
    'compare --text 我是中国人 我们是中国人' 'features --text 美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人'; do
    # shellcheck disable=SC2086
    "$fplab" $run --format table >whole 2>err || complain "$run: $(cat err)"
    for width in 40 80 200; do
        # shellcheck disable=SC2086
        terminal $width "$fplab" $run --format table >folded.$width || complain "$run, $width columns: status $?"
    done
    python3 columns.py 40 80 200 2>err || complain "$run: $(tail -n 1 err | cut -c 1-600)"
done
terminal 80 "$fplab" algorithms simhash >folded
"$fplab" algorithms simhash --format json >json
python3 - <<'PYTHON' || complain "algorithms simhash at 80 columns lacks words"
import json, re
shown = open('folded', encoding='utf-8').read()
for row in json.load(open('json', encoding='utf-8')):
    for word in re.findall(r'[A-Za-z0-9]+', ' '.join(map(str, row.values()))):
        assert len(word) > 16 or word in shown, word
PYTHON

# Terminal escapes, from everywhere.
escape=$'\033[31m' turn=$'\342\200\256' c1=$'\302\233'
evil="evil${escape}${turn}${c1}name"
mkdir "$evil"
printf '{"id":"a","text":"今天天气很好","group":"1"}\n{"id":"b%s","text":"今天天气真好","group":"1"}\n{"id":"c","text":"x","group":"2"}\n' '\u001b[2J\u202e' >"$evil/docs.jsonl"
# quiet WHAT: no control character but line ends, and what was there is visible.
quiet() {
    python3 - <<'PYTHON' || complain "$1: $(cat -v shown)"
import unicodedata
text = open('shown', encoding='utf-8').read().replace('\r', '').replace('\n', '')
strange = [c for c in text if unicodedata.category(c) == 'Cc' or unicodedata.bidirectional(c) in ('LRE', 'RLE', 'LRO', 'RLO', 'PDF', 'LRI', 'RLI', 'FSI', 'PDI')]
assert not strange, strange
assert '\\x1b' in text
PYTHON
}
"$fplab" eval --corpus "$evil" --arm simhash --replicates 200 >shown 2>&1 || complain "an evil name: $(cat -v shown)"
quiet "a corpus's name"
"$fplab" corpus check "$evil" >shown 2>&1
quiet "corpus check"
"$fplab" features --corpus "$evil" --format table >shown 2>&1
quiet "ids in tables"
for run in "$evil" "eval --$evil" "eval --corpus $evil/missing" "eval --corpus $newswire --arm $evil" "judge $evil/missing" "features $evil/missing" \
    "fingerprint --format $evil" "eval --corpus $newswire --arm simhash:bits=$escape"; do
    # shellcheck disable=SC2086
    "$fplab" $run >shown 2>&1 && complain "status 0: $run"
    quiet "$(cat -v <<<"$run")"
done
printf 'a\tb\t1\n' >"$evil/pairs.tsv"
printf 'a\t%sz\t1\n' "$escape" >>"$evil/pairs.tsv"
"$fplab" eval --corpus "$evil" >shown 2>&1
quiet "an id in an error"
rm "$evil/pairs.tsv"
"$fplab" judge sample --corpus "$newswire" --arm simhash --distances 0..24 --per-distance 2 --out sheet.tsv >out 2>&1 || complain "judge sample: $(cat out)"
sed "s/newswire-zh/news${escape}${turn}/" sheet.tsv >evil.tsv
grep -qF "$escape" evil.tsv || complain "the sheet names no corpus"
"$fplab" judge estimate evil.tsv >shown 2>&1
quiet "a sheet's header"

# Tabs and line ends in a cell break no row.
mkdir tabs
printf '{"id":"a","text":"x","group":"1","note":"one\\ttwo\\nthree\\rfour"}\n{"id":"b","text":"y","group":"1"}\n' >tabs/docs.jsonl
printf 'a\tb\t1\n' >tabs/pairs.tsv
"$fplab" eval --corpus tabs --arm simhash --by note --replicates 200 --no-plots --out tabs/out >out 2>&1
awk -F'\t' 'NR == 1 { fields = NF } NF != fields { exit 1 }' tabs/out/strata.tsv || complain "a row of strata.tsv is broken"

# Another locale: the same bytes, laid out as the same cells; a terminal is told.
localedef -i zh_CN -f GBK "$work/zh_CN.GBK" 2>/dev/null # warns of the charset, with status 1
if [ "$(LOCPATH=$work LC_ALL=zh_CN.GBK locale charmap 2>/dev/null)" = GBK ]; then
    "$fplab" eval --corpus "$newswire" --arm simhash:name=指纹 --replicates 200 2>&1 | grep -v '  8.0  ' >wanted
    LOCPATH=$work LC_ALL=zh_CN.GBK "$fplab" eval --corpus "$newswire" --arm simhash:name=指纹 --replicates 200 2>&1 | grep -v '  8.0  ' >out
    cmp -s wanted out || complain "another locale, another output: $(diff wanted out | head -n 5)"
    LOCPATH=$work LC_ALL=zh_CN.GBK terminal 80 "$fplab" algorithms >out
    head -n 1 out | grep -q "the locale's characters are GBK; what follows is UTF-8" || complain "the terminal is not told: $(head -n 1 out)"
else
    echo "skipped: no GBK locale: localedef has no sources to make one of"
fi
exit $bad
