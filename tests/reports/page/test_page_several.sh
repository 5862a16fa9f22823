#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A page of several runs: arms of one name in quotation marks that are not the same, a corpus that one of the runs moved from, one that has gone, and pictures of each.
. tests/support.sh
cd "$work" || exit 1
mkdir c1 c2
printf '{"id":"a","group":"1","text":"今天下午通车"}\n{"id":"b","group":"1","text":"今天通车"}\n{"id":"c","group":"2","text":"一只狐狸"}\n{"id":"d","group":"2","text":"一只小狐狸"}\n{"id":"e","group":"3","text":"股市大跌"}\n{"id":"f","group":"3","text":"股市今日大跌"}\n' >c1/docs.jsonl
sed 's/狐狸/小猫/' c1/docs.jsonl >c2/docs.jsonl
run() { "$fplab" eval --replicates 200 --plot-format svg --figure precision-recall "$@" >/dev/null 2>err || complain "eval $*: $(cat err)"; }
run -c c1 -a 'simhash:name="x"' --out one
run -c c2 -a 'simhash:name="x",features=chars:2' --out two
# page STATUS WORDS OPTION…: of both; the page appears either way.
page() {
    local status=$1 words=$2; shift 2
    rm -f page.*
    "$fplab" report one two "$@" >out 2>err </dev/null
    local got=$?
    [ "$got" = "$status" ] && [ "$(head -c 80 out)" = "$(ls page.html page.tex page.json page.md 2>/dev/null)" ] || complain "report one two $*: status $got, $(cat out err)"
    grep -qF -- "$words" err || [ -z "$words" ] || complain "report one two $*: no word of \"$words\": $(cat err)"
}
page 0 '' --format json --out page.json
python3 - <<'PYTHON' || complain "the names"
import json
page = json.load(open('page.json', encoding='utf-8'))
assert [arm['arm'] for arm in page['arms']] == ['"x" (one)', '"x" (two)'], page['arms']
assert [run['corpora'] for run in page['runs']] == [['c1'], ['c2']]
# The figures of each are those of its own run.
for number, name in enumerate(('one', 'two')):
    rows = [line.rstrip('\n').split('\t') for line in open(name + '/summary.tsv', encoding='utf-8')]
    own = dict(zip(rows[0], rows[1]))
    shown = [row for row in page['tables']['summary'] if row['arm'] == '"x" (%s)' % name]
    assert len(shown) == 1 and abs(float(shown[0]['average_precision']) - float(own['average_precision'])) < 1e-12, shown
PYTHON
page 0 '' --out page.html
cp page.html whole.html
# Where a corpus is now is told by its name, and is for the run that has it.
refused 2 '--corpus takes NAME=DIR, with the name of a corpus of the run, not c9=c2' "$fplab" report one two -c c9=c2 --out page.html
refused 2 '--corpus takes NAME=DIR, with the name of a corpus of the run, not c9=c2' "$fplab" report one -c c9=c2 --out page.html
refused 1 'nowhere: No such file or directory' "$fplab" report one two -c c1=nowhere --out none.html
mv c1 elsewhere
page 0 '' -c c1=elsewhere --out page.html
cmp -s page.html whole.html || complain "a page of a corpus that moved"
page 1 'its corpus is no longer at c1; give its directory with --corpus c1=DIR' --out page.html
page 1 'the corpus at' -c c1=c2 --out page.html
mv elsewhere c1
# Pictures of each run in a folder of its own.
page 0 '' --format latex --out page.tex
[ "$(ls page-figures/*)" = "$(printf 'page-figures/1:\nc1-precision_recall.pdf\n\npage-figures/2:\nc2-precision_recall.pdf')" ] || complain "pictures: $(ls page-figures/*)"
# Where nothing can be drawn or written beside, that is the one line.
for command in 'report one --out x.html' 'plot one --out x' 'rerun one'; do
    # shellcheck disable=SC2086
    TMPDIR=/nowhere refused 1 'cannot make a directory in /nowhere: No such file or directory' "$fplab" $command
done
exit $bad
