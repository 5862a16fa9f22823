#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# corpus merge and corpus convert: parts joined are the whole; what clashes is told; and other programs read what is written.
. tests/support.sh
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
cd "$work" || exit 1
cp -r "$newswire" whole
"$fplab" corpus split whole --out parts --quiet >/dev/null || complain "split"
"$fplab" corpus merge parts/train parts/dev parts/test whole --out joined -f tsv >told || complain "merge: $(cat told)"
for file in docs.jsonl pairs.tsv; do cmp -s <(sort whole/$file) <(sort joined/$file) || complain "the parts and the whole are not the whole: $file"; done
grep -qx "left out: the same document was there	$(wc -l <whole/docs.jsonl)" told || complain "the same: $(cat told)"
"$fplab" corpus check joined >/dev/null 2>&1 || complain "what was merged is no corpus"

mkdir x y
printf '{"id":"a","text":"一","group":"g","n":[1,{"k":null}],"lang":"zh"}\n{"id":"b","text":"二"}\n{"id":"c","text":"三"}\n' >x/docs.jsonl
printf 'a\tb\t1\na\tc\t0\n' >x/pairs.tsv
printf '{"id":"a","text":"又","group":"g","n":[1,{"k":null}],"s":"\\u00e9"}\n{"id":"b","text":"二"}\n{"id":"c","text":"三"}\n' >y/docs.jsonl
printf 'a\tb\t1\tk\nc\tb\t0\n' >y/pairs.tsv
refused 1 'the id a means one thing in x and another in y' "$fplab" corpus merge x y --out no
[ -e no ] && complain "something was written"
"$fplab" corpus merge x y --prefix --out both -f tsv >told || complain "--prefix: $(cat told)"
python3 - <<'PYTHON' || bad=1
import json, sys
rows = [json.loads(line) for line in open('both/docs.jsonl', encoding='utf-8')]
want = [json.loads(line) for line in open('x/docs.jsonl', encoding='utf-8')] + [{'id': 'y:a', 'text': '又', 'group': 'y:g', 'n': [1, {'k': None}], 's': 'é'}]
pairs = open('both/pairs.tsv').read()
sys.exit(0 if rows == want and pairs == 'a\tb\t1\na\tc\t0\ny:a\tb\t1\tk\nc\tb\t0\n' else 'FAIL: %s %s' % (rows, pairs))
PYTHON
# A group of one name and no document in common is another group.
printf '{"id":"d","text":"四","group":"g"}\n' >y/docs.jsonl && rm y/pairs.tsv
refused 1 'the group g means one thing in x and another in y' "$fplab" corpus merge x y --out no
"$fplab" corpus merge x y --prefix --out both --quiet >/dev/null 2>told && grep -q '"group":"y:g"' both/docs.jsonl || complain "groups: $(cat both/docs.jsonl)"
grep -q 'y has groups and no pairs' told || complain "the truths: $(cat told)"
# The other label: told, and the first stays.
cp x/docs.jsonl y/ && printf 'b\ta\t0\na\tc\t0\n' >y/pairs.tsv
"$fplab" corpus merge x y --out both -f tsv >counts 2>told || complain "conflicts: $(cat told)"
grep -q 'y: b and a are labelled 0 here and 1 before; 1 stays' told && grep -q 'with the other label	1$' counts && cmp -s both/pairs.tsv x/pairs.tsv || complain "conflicts: $(cat told counts)"
refused 1 'absent/docs.jsonl' "$fplab" corpus merge x absent --out no

mkdir rough
printf '%s\n' '{"id":"p","text":"a \"quoted\", line\none\ttab","lang":"en","group":"甲"}' '{"id":"q","text":" 空白 "}' '{"id":"r","text":"=1+1\r\nx"}' >rough/docs.jsonl
printf 'p\tq\t1\tkind, one\nq\tr\t0\n' >rough/pairs.tsv
for format in tsv csv jsonl; do
    "$fplab" corpus convert rough --ids --format $format --out pairs.$format --quiet || complain "pairs in $format"
    "$fplab" corpus convert rough --to documents --format $format --quiet >documents.$format || complain "documents in $format"
done
python3 - <<'PYTHON' || bad=1
import csv, json, sys
documents = [json.loads(line) for line in open('rough/docs.jsonl', encoding='utf-8')]
text = {d['id']: d['text'] for d in documents}
pairs = [dict(id_a=a, id_b=b, text_a=text[a], text_b=text[b], label=label, kind=kind) for a, b, label, kind in (('p', 'q', '1', 'kind, one'), ('q', 'r', '0', ''))]
documents = [dict(id=d['id'], text=d['text'], lang=d.get('lang', ''), group=d.get('group', '')) for d in documents]
flat = lambda rows: [{k: v.translate({9: ' ', 10: ' ', 13: ' '}) for k, v in row.items()} for row in rows]
for name, want in ('pairs', pairs), ('documents', documents):
    with open(name + '.csv', encoding='utf-8', newline='') as file:
        if list(csv.DictReader(file, strict=True)) != want: sys.exit('FAIL: csv of ' + name)
    rows = [line.split('\t') for line in open(name + '.tsv', encoding='utf-8', newline='').read().split('\n')[:-1]]
    if [dict(zip(rows[0], row)) for row in rows[1:]] != flat(want): sys.exit('FAIL: tsv of ' + name)
    objects = [json.loads(line) for line in open(name + '.jsonl', encoding='utf-8')]
    if [{k: str(v) for k, v in o.items()} for o in objects] != want: sys.exit('FAIL: jsonl of ' + name)
    if name == 'pairs' and [o['label'] for o in objects] != [1, 0]: sys.exit('FAIL: labels')
PYTHON
# And back: the same texts and labels.
"$fplab" corpus convert whole --ids --format csv --out whole.csv && "$fplab" import whole.csv --pair text_a,text_b --pair-ids id_a,id_b --kind kind --out again --quiet >/dev/null || complain "again"
cmp -s <(sort whole/pairs.tsv) <(sort again/pairs.tsv) || complain "pairs that went out and came back are others"
rm rough/pairs.tsv
echo old >kept.tsv
refused 1 'there is no pairs.tsv' "$fplab" corpus convert rough --out kept.tsv
[ "$(cat kept.tsv)" = old ] || complain "a failure changed the file"
exit $bad
