#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# query --containment: against all pairs of texts, by sets of features in Python: no answer below the share, every number in the answer, and the recall that is
# promised; texts of very different sizes; what was added, deleted, merged; arms of few bits, with two sides, with learned weights; what is refused.
. tests/support.sh
cd "$work" || exit 1
arm=minhash:slots=256,features=chars:5

# ---- Excerpts of a shipped corpus; features as `fplab features` tells them ----
cat >excerpts.py <<'PYTHON'
import json, random, sys
draw, texts = random.Random(1), [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
with open('excerpts.jsonl', 'w', encoding='utf-8') as out:
    for n, text in enumerate(draw.sample([t for t in texts if len(t['text']) > 150], 150)):
        length = draw.choice([40, 100, 100, 140])
        at = draw.randrange(len(text['text']) - length)
        out.write(json.dumps({'id': 'excerpt-%d' % n, 'text': text['text'][at:at + length]}) + '\n')
PYTHON
cat >pairs.py <<'PYTHON'
# pairs.py SHARE LEAST_RECALL ANSWERS QUERIES TEXTS [GONE]: sets of features by id, as tables id, hash.
import csv, sys
csv.field_size_limit(1 << 24)
share, least = float(sys.argv[1]), float(sys.argv[2])
def sets(name):
    made = {}
    for row in csv.DictReader(open(name, encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE): made.setdefault(row['id'], set()).add(row['hash'])
    return made
queries, texts = sets(sys.argv[4]), sets(sys.argv[5])
for gone in sys.argv[6:]: del texts[gone]
truth = {(q, x): (len(Q & X), len(Q), len(X)) for q, Q in queries.items() for x, X in texts.items() if len(Q & X) >= share * len(Q)}
rows = list(csv.DictReader(open(sys.argv[3], encoding='utf-8'), delimiter='\t', quoting=csv.QUOTE_NONE))
answers = {(r['text'], r['found']): tuple(int(r[c]) for c in ('shared', 'asked', 'features')) for r in rows}
assert len(answers) == len(rows)
for pair, numbers in answers.items(): assert truth.get(pair) == numbers, (pair, numbers, truth.get(pair))
assert all(abs(float(r['containment']) - int(r['shared']) / int(r['asked'])) < 1e-6 for r in rows)
assert all(float(a['containment']) >= float(b['containment']) for a, b in zip(rows, rows[1:]) if a['text'] == b['text']), 'order'
assert len(truth) > 100 and len(answers) >= least * len(truth), '%d of %d were found' % (len(answers), len(truth))
PYTHON
check() { /usr/bin/python3 pairs.py "$@" 2>err || complain "$*: $(tail -n 1 err)"; }
"$fplab" index build news.fp -a $arm -d 64 --keep-texts "$corpora/newswire-zh" 2>err || complain "build: $(cat err)"
/usr/bin/python3 excerpts.py "$corpora/newswire-zh/docs.jsonl" || complain "excerpts"
features() { "$fplab" features --spec features=chars:5 --format tsv --corpus "$1" 2>err || complain "features: $(cat err)"; }
mkdir excerpts && cp excerpts.jsonl excerpts/docs.jsonl
features excerpts >asked.tsv
features "$corpora/newswire-zh" >texts.tsv
for share in 0.5 0.8 1; do
    "$fplab" query news.fp --containment $share excerpts.jsonl >found 2>said || complain "query: $(cat said)"
    check $share 0.95 found asked.tsv texts.tsv
done
grep -q 'The features of 1157 texts were counted first' said || complain "no note that features are counted: $(cat said)"
grep -qE 'LSH Ensemble, 16 partitions by size: at that share a text is found with probability 0\.9[5-9][0-9] or more\. On average [0-9.]+% of 1157 texts' said || complain "what is promised: $(cat said)"
"$fplab" query news.fp --containment 0.8:recall=0.5,partitions=2 excerpts.jsonl >found 2>said || complain "query: $(cat said)"
check 0.8 0.5 found asked.tsv texts.tsv
grep -q ', 2 partitions' said || complain "partitions: $(cat said)"

# ---- The same after a merge, which stores the sizes; with what is added and deleted then ----
"$fplab" query news.fp --containment 0.8 excerpts.jsonl >before 2>/dev/null
"$fplab" index merge news.fp 2>err || complain "merge: $(cat err)"
"$fplab" query news.fp --containment 0.8 excerpts.jsonl 2>err | cmp -s - before || complain "after a merge others are found"
grep -q 'counted first' err && complain "features are counted although they are stored"
gone=$(sed -n 2p before | cut -f2)
"$fplab" index delete news.fp "$gone" 2>err && "$fplab" index add news.fp excerpts.jsonl 2>>err || complain "delete and add: $(cat err)"
"$fplab" query news.fp --containment 0.8 excerpts.jsonl >found 2>said || complain "query: $(cat said)"
grep -q 'The features of 150 texts were counted first' said || complain "not those that came since: $(cat said)"
cat texts.tsv <(sed 1d asked.tsv) >all.tsv
check 0.8 0.95 found asked.tsv all.tsv "$gone"
"$fplab" index check news.fp 2>err || complain "check: $(cat err)"
[ "$("$fplab" query news.fp --containment 0.8 --top 1 excerpts.jsonl 2>/dev/null | sed 1d | cut -f1 | sort | uniq -d | wc -l)" = 0 ] || complain "--top 1 tells several"

# ---- Sizes from 20 to 8,000 words; pairs of neighbours in Python, from the words alone ----
cat >made.py <<'PYTHON'
import json, math, random
draw, words = random.Random(3), [a + b + c for a in ('ka', 'to', 'mi', 're', 'su', 'no', 'la', 'pe') for b in ('do', 'vi', 'ra', 'ne', 'bo', 'ti') for c in
                                 ('gu', 'fa', 'zo', 'le', 'ky', 'hu', 'ja', 'wi', 'xe')]
def some(n): return [draw.choice(words) for _ in range(n)]
texts, queries = [some(int(math.exp(draw.uniform(math.log(20), math.log(8000))))) for _ in range(200)], []
for n in range(60):
    asked = some(int(math.exp(draw.uniform(math.log(40), math.log(400)))))
    queries.append(asked)
    for _ in range(6):
        copy, changed = list(asked), draw.choice([0, 0.04, 0.08, 0.15])
        for i in range(len(copy)):
            if draw.random() < changed: copy[i] = draw.choice(words)
        into = draw.randrange(len(texts))
        at = draw.randrange(len(texts[into]) + 1)
        texts[into][at:at] = copy
for name, rows in ('made', texts), ('asked', queries):
    with open(name + '.jsonl', 'w') as out, open(name + '-pairs.tsv', 'w') as table:
        table.write('id\thash\n')
        for n, row in enumerate(rows):
            out.write(json.dumps({'id': '%s-%d' % (name, n), 'text': ' '.join(row)}) + '\n')
            for pair in set(zip(row, row[1:])): table.write('%s-%d\t%s %s\n' % (name, n, *pair))
PYTHON
/usr/bin/python3 made.py || complain "made"
for more in slots=256 slots=128,b=8 slots=256,query=real; do
    rm -f made.fp*
    "$fplab" index build made.fp -a minhash:features=words:2,segmenter=icu,$more -d 20 --keep-texts made.jsonl 2>err || complain "build: $(cat err)"
    "$fplab" query made.fp --containment 0.8 asked.jsonl >found 2>said || complain "query: $(cat said)"
    check 0.8 0.95 found asked-pairs.tsv made-pairs.tsv
    grep -qE '[0-9.]+% of the texts are so much longer' said || complain "$more: no note of what is scanned: $(cat said)"
done

# ---- Features that depend on what was learned ----
head -n 60 "$corpora/newswire-zh/docs.jsonl" >sixty.jsonl
"$fplab" index build top.fp -a minhash:slots=128,features=words,weight=tfidf,top=30 -d 20 --keep-texts sixty.jsonl 2>err || complain "build: $(cat err)"
"$fplab" query top.fp --containment 1 sixty.jsonl >found 2>said || complain "query: $(cat said)"
[ "$(awk -F'\t' '$1 == $2 && $3 == 1 && $6 <= 30' found | wc -l)" = 60 ] || complain "top=30: $(cat found said)"

# ---- Nothing to ask about ----
"$fplab" query news.fp --containment 0.8 --text '' >none 2>err || complain "an empty text: $(cat err)"
[ "$(wc -l <none)" = 1 ] && grep -q '1 text has no features for the arm' err || complain "an empty text: $(cat none err)"

# ---- Refused ----
for share in 0 -1 1.5 x '' nan; do refused 2 '--containment: expected a share above 0 and up to 1' "$fplab" query news.fp --containment "$share" excerpts.jsonl; done
refused 2 '--containment: the ensemble has no parameter parts' "$fplab" query news.fp --containment 0.8:parts=3 excerpts.jsonl
refused 2 'recall=1 is out of bounds' "$fplab" query news.fp --containment 0.8:recall=1 excerpts.jsonl
refused 2 'partitions=0 is out of bounds' "$fplab" query news.fp --containment 0.8:partitions=0 excerpts.jsonl
for other in --real --sources --fingerprints '-d 3' '--window 7d' '--verify alignment' '--audit 3 --audit-sheet s.tsv'; do
    refused 2 'do not go with it' "$fplab" query news.fp --containment 0.8 $other excerpts.jsonl
done
for other in simhash minhash:b=1 oneperm:slots=64 jaccard; do
    rm -f other.fp*
    "$fplab" index build other.fp -a "$other" -d 3 --keep-texts sixty.jsonl 2>/dev/null
    refused 1 "$other makes none: index build with -a minhash:slots=256,features=chars:5 --keep-texts" "$fplab" query other.fp --containment 0.8 excerpts.jsonl
    "$fplab" index merge other.fp 2>err || complain "merge of $other: $(cat err)"
done
"$fplab" index build bare.fp -a $arm -d 64 sixty.jsonl 2>/dev/null
refused 1 'bare.fp keeps no texts to compare exactly (build it with --keep-texts)' "$fplab" query bare.fp --containment 0.8 excerpts.jsonl
exit "$bad"
