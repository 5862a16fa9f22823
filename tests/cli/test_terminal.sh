#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program on a terminal: a table is what it is in a file, however wide, nothing that comes from a corpus, a sheet
# or the command line commands the terminal, and the locale's encoding changes nothing.
. tests/support.sh
cd "$work" || exit 1
# Without the spaces that its path may hold, since commands below are cut at theirs.
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh

# terminal COLUMNS COMMAND…: both streams on a pseudo-terminal of that width, as it would show them.
terminal() { local columns=$1; shift; python3 "$tests/terminal.py" "$columns" 24 60 '' "$@"; }
terminal 80 "$fplab" --version >out
[ $? = 77 ] && { echo "there are no pseudo-terminals"; exit 77; }

# terminal.py shows what a terminal of that width would: a long line goes on in the next row, here without an end of line.
for run in 'algorithms simhash' 'algorithms' 'plan --slots 64 --similarity 0.8' "corpus check $newswire" \
    'features --text 美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人'; do
    # shellcheck disable=SC2086
    "$fplab" $run --format table --quiet >whole
    for width in 40 200; do
        # shellcheck disable=SC2086
        terminal $width "$fplab" $run --format table --quiet --no-pager >shown || complain "$run, $width columns: status $?"
        cmp -s whole shown || complain "$run, $width columns: $(diff whole shown | head -n 5)"
    done
done

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

timeless() { grep -v '  8\.0  ' | sed '/^  cost /s/; .*//'; }
# Another locale: the same bytes, laid out as the same cells; a terminal is told.
localedef -i zh_CN -f GBK "$work/zh_CN.GBK" 2>/dev/null # warns of the charset, with status 1
if [ "$(LOCPATH=$work LC_ALL=zh_CN.GBK locale charmap 2>/dev/null)" = GBK ]; then
    "$fplab" eval --corpus "$newswire" --arm simhash:name=指纹 --replicates 200 2>&1 | timeless >wanted
    LOCPATH=$work LC_ALL=zh_CN.GBK "$fplab" eval --corpus "$newswire" --arm simhash:name=指纹 --replicates 200 2>&1 | timeless >out
    cmp -s wanted out || complain "another locale, another output: $(diff wanted out | head -n 5)"
    LOCPATH=$work LC_ALL=zh_CN.GBK terminal 80 "$fplab" algorithms >out
    head -n 1 out | grep -q "the locale's characters are GBK; what follows is UTF-8" || complain "the terminal is not told: $(head -n 1 out)"
else
    echo "skipped: no GBK locale: localedef has no sources to make one of"
fi
exit $bad
