#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Connected documents: in newswire duplicates connect what groups do, so that its intervals are the same without groups; a sentence says
# what the units are, of pairs, of documents and in tuning.
. tests/support.sh
cd "$work" || exit 1
mkdir plain
python3 - "$newswire" <<'PYTHON' || complain "newswire without groups"
import json, sys
with open('plain/docs.jsonl', 'w', encoding='utf-8') as out:
    for line in open(sys.argv[1] + '/docs.jsonl', encoding='utf-8'):
        document = json.loads(line)
        document.pop('group', None)
        out.write(json.dumps(document, ensure_ascii=False) + '\n')
PYTHON
cp "$newswire/pairs.tsv" plain
for level in pair document; do
    "$fplab" eval -c "$newswire" -a simhash -a minhash --level $level --by length --threshold 10..20 --no-plots --out with >with.txt 2>err || complain "eval --level $level: $(cat err)"
    "$fplab" eval -c plain -a simhash -a minhash --level $level --by length --threshold 10..20 --no-plots --out without >without.txt 2>err || complain "eval without groups --level $level: $(cat err)"
    for table in intervals differences strata strata-thresholds; do
        [ "$(cut -f 2- with/$table.tsv)" = "$(cut -f 2- without/$table.tsv)" ] || complain "$level: $table.tsv differs without groups"
    done
done
[ "$(cut -f 2- with/edits.tsv 2>/dev/null)" = "$(cut -f 2- without/edits.tsv 2>/dev/null)" ] || complain "edits.tsv differs without groups"
told() { grep -qF "$2" "$1" || complain "not in $1: $2: $(grep -i 'connect' "$1")"; }
"$fplab" eval -c "$newswire" -a simhash >pairs.txt && told pairs.txt 'Groups connect 144 of the 168 documents, into 36 units; every other document is a unit of its own, 60 in all.'
"$fplab" eval -c plain -a simhash >plain.txt && told plain.txt 'Duplicates connect 144 of the 168 documents, into 36 units; every other document is a unit of its own, 60 in all.'
"$fplab" eval -c plain -a simhash --level document >documents.txt && told documents.txt 'Groups or duplicates connect 144 of the 168 documents, into 36 units'
"$fplab" tune -c plain -g simhash >tuned.txt 2>/dev/null && told tuned.txt 'Duplicates connect 144 of the 168 documents, into 36 units'
# One duplicate more joins two groups; a chain through all of them leaves no spread to see.
mkdir joined chained
cp "$newswire/docs.jsonl" joined && cp "$newswire/docs.jsonl" chained
{ cat "$newswire/pairs.tsv"; printf 'transport-01-original\ttransport-02-reprint\t1\n'; } >joined/pairs.tsv
python3 - "$newswire" <<'PYTHON' || complain "a chain"
import sys
rows = [line.rstrip('\n').split('\t') for line in open(sys.argv[1] + '/pairs.tsv', encoding='utf-8')]
first, last = [], {}
for a, b, label, *rest in rows:
    name = a.rsplit('-', 1)[0]
    if label == '1' and name not in last: first.append(a)
    if label == '1': last[name] = b
links = {frozenset((last[x.rsplit('-', 1)[0]], y)) for x, y in zip(first, first[1:])}
with open('chained/pairs.tsv', 'w', encoding='utf-8') as out:
    for row in rows:
        if frozenset(row[:2]) not in links: out.write('\t'.join(row) + '\n')
    for link in sorted(sorted(link) for link in links): out.write('\t'.join([*link, '1']) + '\n')
PYTHON
"$fplab" eval -c joined -a simhash >joined.txt 2>err || complain "joined: $(cat err)"
told joined.txt 'Groups and duplicates connect 144 of the 168 documents, into 35 units'
"$fplab" eval -c chained -a simhash >chained.txt 2>err || complain "chained: $(cat err)"
told chained.txt 'Groups connect 144 of the 168 documents, into 36 units'
told chained.txt 'But groups or duplicates connect 144 of the 168 documents into one unit, so that their spread is unknown: it is taken apart, and the intervals may be too narrow.'
exit $bad
