#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# dedup and cluster: what is kept and what is dropped is all there was, line by line; both say why; every input has its form; and what is
# wrong is told. The sets are compared with those that Python makes of the distances of all pairs (`fplab distances`).
. tests/support.sh
cd "$work" || exit 1
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh
docs=$newswire/docs.jsonl

# ---- Exactness, on the whole corpus ----
"$fplab" dedup -a simhash -d 10 --out run "$newswire" 2>err || complain "dedup: $(cat err)"
grep -q '^Of 168 texts' err || complain "no summary: $(cat err)"
sort run/kept.jsonl run/dropped.jsonl | cmp -s - <(sort "$docs") || complain "kept and dropped lines are not the lines of the corpus"
"$fplab" dedup -a simhash -d 10 "$newswire" 2>/dev/null | cmp -s - run/kept.jsonl || complain "standard output is not kept.jsonl"
"$fplab" fingerprint --corpus "$newswire" -a simhash >prints
python3 - <<'PYTHON' || complain "kept, dropped, or clusters are not those of all pairs"
import json
rows = [line.rstrip('\n').split('\t') for line in open('prints')][1:]
ids = [r[0] for r in rows]; prints = [int(r[1], 16) for r in rows]
n = len(ids); near = lambda a, b: bin(prints[a] ^ prints[b]).count('1') <= 10
kept = []
for i in range(n):
    if not any(near(i, k) for k in kept): kept.append(i)
assert [json.loads(l)['id'] for l in open('run/kept.jsonl')] == [ids[k] for k in kept]
place = {name: i for i, name in enumerate(ids)}
table = [line.rstrip('\n').split('\t') for line in open('run/dropped.tsv')]
assert table[0][:3] == ['dropped', 'kept', 'distance'] and len(table) == 1 + n - len(kept)
for dropped, because, distance in (r[:3] for r in table[1:]):
    a, b = place[dropped], place[because]
    assert b in kept and bin(prints[a] ^ prints[b]).count('1') == int(distance) <= 10
    assert all(bin(prints[a] ^ prints[k]).count('1') >= int(distance) for k in kept if k < a)
PYTHON
"$fplab" cluster -a simhash -d 10 --members -f tsv "$newswire" >members 2>err || complain "cluster: $(cat err)"
python3 - <<'PYTHON' || complain "clusters are not the components of all pairs"
rows = [line.rstrip('\n').split('\t') for line in open('prints')][1:]
ids = [r[0] for r in rows]; prints = [int(r[1], 16) for r in rows]; n = len(ids)
root = list(range(n))
def find(i):
    while root[i] != i: i = root[i]
    return i
for a in range(n):
    for b in range(a + 1, n):
        if bin(prints[a] ^ prints[b]).count('1') <= 10:
            x, y = find(a), find(b); root[max(x, y)] = min(x, y)
want = {ids[i]: ids[find(i)] for i in range(n)}
sizes = {}
for v in want.values(): sizes[v] = sizes.get(v, 0) + 1
got = {r[0]: (r[1], int(r[2])) for r in (line.rstrip('\n').split('\t') for line in list(open('members'))[1:])}
assert got == {k: (v, sizes[v]) for k, v in want.items() if sizes[v] > 1}
PYTHON
"$fplab" cluster -a simhash -d 10 --out clusters "$newswire" >/dev/null 2>&1 || complain "cluster --out"
cmp -s clusters/members.tsv members || complain "members.tsv is not what --members prints"
grep -q '"run_manifest\|"files"' clusters/run.json || complain "run.json names no files"

# ---- Which one is kept ----
cat >posts.jsonl <<'POSTS'
{"id":"a","text":"临江大桥今天下午恢复通车，市民可以步行通过。","published":"2024-05-01","likes":3}
{"id":"b","text":"临江大桥今天下午恢复通车，市民可以步行通过。（本报记者）","published":"2024-05-03T10:00:00+08:00","likes":9}
{"id":"c","text":"临江大桥今天下午恢复通车，市民可以步行通过","published":1714600000,"likes":5}
{"id":"d","text":"休渔期满首日，海屿市两百多艘渔船出港。","published":"2024-06-01"}
POSTS
kept() { "$fplab" dedup -a jaccard:features=chars:2 -d 32 --time published "$@" posts.jsonl 2>err | sed 's/.*"id":"\(.\)".*/\1/' | tr -d '\n'; }
[ "$(kept)" = ad ] || complain "first: $(kept)"
[ "$(kept --keep longest)" = bd ] || complain "longest: $(kept --keep longest)"
[ "$(kept --keep newest)" = bd ] || complain "newest: $(kept --keep newest)"
[ "$(kept --keep best:likes)" = bd ] || complain "best: $(kept --keep best:likes)"
grep -q '1 text lacks what --keep best:likes asks for: it comes last' err || complain "best: nothing says that a text has no likes: $(cat err)"
[ "$(kept --window 1d)" = abd ] || complain "window: $(kept --window 1d)"
"$fplab" dedup -a jaccard:features=chars:2 -d 32 --time published --window 1d posts.jsonl --dropped 2>/dev/null | cut -f1,2 | tail -n +2 | grep -qx "c	a" || complain "window: not c because of a"

# ---- Every input has its form ----
sed 's/.*"text":"\([^"]*\)".*/\1/' posts.jsonl >posts.txt
gzip -k posts.jsonl && zstd -q posts.txt
one=$("$fplab" dedup -a jaccard:features=chars:2 -d 32 posts.jsonl.gz 2>/dev/null)
[ "$one" = "$("$fplab" dedup -a jaccard:features=chars:2 -d 32 posts.jsonl 2>/dev/null)" ] || complain "gzip gives others"
"$fplab" dedup -a jaccard:features=chars:2 -d 32 posts.txt.zst --dropped 2>/dev/null | cut -f1,2 | tail -n +2 | sort | tr '\n' ' ' | grep -q "posts.txt:2	posts.txt:1 posts.txt:3	posts.txt:1" || complain "ids of lines"
"$fplab" dedup -a jaccard:features=chars:2 -d 32 <posts.txt 2>/dev/null | cmp -s - <(sed -n '1p;4p' posts.txt) || complain "standard input"
cat posts.jsonl | "$fplab" dedup -a jaccard:features=chars:2 -d 32 --from jsonl - 2>/dev/null | cmp -s - <(sed -n '1p;4p' posts.jsonl) || complain "a pipe of JSON"
"$fplab" dedup -a simhash:weight=tfidf -d 3 "$newswire" 2>err | cmp -s - <("$fplab" dedup -a simhash:weight=tfidf -d 3 "$docs" 2>/dev/null) || complain "an arm that learns: $(cat err)"
"$fplab" tune --corpus "$newswire" --grid simhash --replicates 200 --save choice.json >/dev/null 2>&1
"$fplab" dedup --choice choice.json "$newswire" 2>err >/dev/null || complain "--choice: $(cat err)"
grep -q 'on held-out groups' err || complain "the choice's promise is not told: $(cat err)"

# ---- What is wrong ----
refused 1 'no.such.jsonl' "$fplab" dedup -a simhash -d 3 no.such.jsonl
refused 1 'is not a number' "$fplab" dedup -a simhash -d 3 --keep best:published posts.jsonl
refused 1 'is not a time' "$fplab" dedup -a simhash -d 3 --time text posts.jsonl
refused 1 'duplicate id' "$fplab" dedup -a simhash -d 3 posts.jsonl posts.jsonl.gz
refused 1 'reads its texts twice' "$fplab" dedup -a simhash:weight=tfidf -d 3
# A file as standard input is no pipe: it is read twice, and nothing of it is kept.
"$fplab" dedup -a simhash:weight=tfidf -d 3 posts.jsonl >named 2>err || complain "posts.jsonl: $(cat err)"
"$fplab" dedup -a simhash:weight=tfidf -d 3 <posts.jsonl 2>err | cmp -s - named || complain "< posts.jsonl: $(cat err)"
printf '{"id":"x","text":"甲"}\nnot json\n{"id":"y","text":"乙"}\n' >broken.jsonl
refused 1 'broken.jsonl:2' "$fplab" dedup -a simhash -d 3 broken.jsonl
"$fplab" dedup -a simhash -d 3 --skip-bad broken.jsonl 2>err | cmp -s - <(sed -n '1p;3p' broken.jsonl) || complain "--skip-bad: $(cat err)"
[ "$(grep -c 'left out' err)" = 2 ] || complain "--skip-bad: a bad line is told once, and counted once: $(cat err)"
printf '好\xff\n' | "$fplab" dedup -a simhash -d 3 2>err && complain "invalid UTF-8 was taken"
grep -q 'invalid UTF-8 (byte 3)' err || complain "invalid UTF-8: $(cat err)"
[ -c /dev/full ] && { "$fplab" dedup -a simhash -d 3 "$newswire" >/dev/full 2>/dev/null && complain "a full device was not noticed"; }
exit $bad
