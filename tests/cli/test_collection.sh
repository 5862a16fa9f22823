#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A collection at work, as its commands show it: index, query, track, cluster, in a file and in Redis. What is found is compared with the
# distances of all pairs; what was acknowledged is there; what is wrong is told in a line.
. tests/support.sh
cd "$work" || exit 1
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh
docs=$newswire/docs.jsonl
head -n 60 "$docs" >first.jsonl; tail -n +61 "$docs" >second.jsonl
server=
trap '[ -n "$server" ] && kill "$server"; rm -rf "$work"' EXIT

# Pairs of two texts within 10 bits, "later<TAB>earlier<TAB>distance", by Python from the fingerprints.
"$fplab" fingerprint --corpus "$newswire" -a simhash >prints
python3 - <<'PYTHON'
rows = [line.rstrip('\n').split('\t') for line in open('prints')][1:]
ids = [r[0] for r in rows]; prints = [int(r[1], 16) for r in rows]
far = lambda a, b: bin(prints[a] ^ prints[b]).count('1')
with open('all', 'w') as all_, open('nearest', 'w') as nearest:
    for b in range(len(ids)):
        for a in sorted(range(len(ids)), key=lambda a: (far(a, b), a)):
            if far(a, b) <= 10: print(ids[b], ids[a], far(a, b), sep='\t', file=all_)
        older = sorted((far(a, b), a) for a in range(b) if far(a, b) <= 10)
        if older and b >= 60: print(ids[b], ids[older[0][1]], older[0][0], sep='\t', file=nearest)
PYTHON

# ---- One collection after the other: a file, and Redis where there is one ----
walk() { # ADDRESS
    local store=$1 at=${1%%:*}
    "$fplab" index build "$store" -a simhash -d 10 --keep-texts first.jsonl 2>err || complain "$at: build: $(cat err)"
    "$fplab" index stats "$store" -f tsv >stats 2>err || complain "$at: stats: $(cat err)"
    grep -qP '^records\t60\t' stats || complain "$at: stats: $(cat stats)"
    "$fplab" track "$store" --duplicates second.jsonl >tracked 2>err || complain "$at: track: $(cat err)"
    cut -f1,3,4 tracked | tail -n +2 | cmp -s - nearest || complain "$at: track: $(cut -f1,3,4 tracked | tail -n +2 | diff - nearest | head -n 3)"
    awk -F'\t' 'NR > 1 && !($6 > 0.2 && $6 <= 1) { exit 1 }' tracked || complain "$at: track: no share of common passages"
    "$fplab" query "$store" "$newswire" >found 2>err || complain "$at: query: $(cat err)"
    cut -f1-3 found | tail -n +2 | cmp -s - all || complain "$at: query: $(cut -f1-3 found | tail -n +2 | diff - all | head -n 3)"
    grep -q 'Of 168 texts 168' err || complain "$at: query: $(cat err)"
    "$fplab" query "$store" --top 1 second.jsonl 2>err | tail -n +2 | awk -F'\t' '$1 != $2 && $3 > 0 { exit 1 }' || complain "$at: --top 1"
    "$fplab" index check "$store" >problems 2>err || complain "$at: check: $(cat problems err)"
    # The same texts once more are skipped, and refused where that is asked for.
    "$fplab" track "$store" second.jsonl >again 2>err || complain "$at: twice: $(cat err)"
    grep -q '^108 texts were in .* already\.$' err && [ "$(wc -l <again)" -le 1 ] || complain "$at: twice: $(cat again err)"
    "$fplab" track "$store" --on-existing fail second.jsonl >again 2>err && complain "$at: --on-existing fail: the same texts twice were taken"
    grep -q 'already exists' err || complain "$at: --on-existing fail: $(cat err)"
    "$fplab" track "$store" --on-existing fail --skip-bad second.jsonl >again 2>err || complain "$at: --skip-bad: $(cat err)"
    [ "$(grep -c 'left out' err)" = 109 ] || complain "$at: --skip-bad: $(tail -n 2 err)"
    "$fplab" cluster -c "$store" -f tsv >clusters 2>err || complain "$at: cluster: $(cat err)"
    "$fplab" cluster -a simhash -d 10 -f tsv "$newswire" 2>/dev/null | cut -f1,2 | tail -n +2 | sort >components
    awk -F'\t' -v OFS='\t' 'NR > 1 { print $3, $2 }' clusters | sort | cmp -s - components || complain "$at: cluster: $(head -n 3 clusters)"
    "$fplab" cluster -c "$store" -f tsv 2>err | cmp -s - clusters || complain "$at: clusters changed"
    grep -q '; 0 joins are new' err || complain "$at: joins again: $(cat err)"
    # Delete, and add anew under the same id.
    "$fplab" index delete "$store" transport-01-original 2>err || complain "$at: delete: $(cat err)"
    "$fplab" query "$store" first.jsonl 2>/dev/null | cut -f2 | grep -qx transport-01-original && complain "$at: what was deleted is found"
    head -n 1 "$docs" | "$fplab" index add "$store" --from jsonl --acknowledge >told 2>err || complain "$at: add: $(cat err)"
    [ "$(cat told)" = transport-01-original ] || complain "$at: --acknowledge: $(cat told)"
    "$fplab" index merge "$store" 2>err || complain "$at: merge: $(cat err)"
    "$fplab" query "$store" "$newswire" 2>/dev/null | cut -f1-3 | tail -n +2 | sort | cmp -s - <(sort all) || complain "$at: after delete, add and merge others are found"
    "$fplab" index check "$store" >problems 2>err || complain "$at: check in the end: $(cat problems err)"
}
walk news.fp
if command -v redis-server >/dev/null; then
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    mkdir redis
    redis-server --port "$port" --bind 127.0.0.1 --dir "$work/redis" --save '' >redis/log 2>&1 & server=$!
    for _ in $(seq 100); do redis-cli -p "$port" ping >/dev/null 2>&1 && break; sleep 0.05; done
    walk "redis://127.0.0.1:$port/0?name=news"
    kill "$server"; wait "$server" 2>/dev/null; server=
    "$fplab" query "redis://127.0.0.1:$port/0?name=news" first.jsonl >out 2>err && complain "a Redis that is gone was read"
    [ "$(wc -l <err)" = 1 ] || complain "a Redis that is gone: $(cat err)"
else
    echo "skipped: Redis, since there is no redis-server"
fi

# ---- A model, a choice, shards ----
"$fplab" index build tfidf.fp -a simhash:weight=tfidf -d 10 "$newswire" 2>err || complain "an arm that learns: $(cat err)"
"$fplab" query tfidf.fp "$newswire" 2>/dev/null | awk -F'\t' '$1 == $2 && $3 == 0' | wc -l | grep -qx 168 || complain "an arm that learns finds not its own texts"
"$fplab" tune --corpus "$newswire" --grid simhash --replicates 200 --save choice.json >/dev/null 2>&1
"$fplab" index build chosen.fp --choice choice.json "$newswire" 2>err || complain "--choice: $(cat err)"
"$fplab" query chosen.fp --text 临江大桥今天下午恢复通车 >/dev/null 2>err || complain "query of a choice: $(cat err)"
grep -q '^Of 1 text' err || complain "query --text: $(cat err)"
for i in 1 2 3; do "$fplab" index build "part$i.fp" -a simhash -d 10 --shard $i/3 "$newswire" 2>err || complain "shard $i: $(cat err)"; done
"$fplab" index merge part1.fp part2.fp part3.fp 2>err || complain "merge of shards: $(cat err)"
grep -q 'were taken from other collections' err || complain "merge of shards: $(cat err)"
"$fplab" query part1.fp "$newswire" 2>/dev/null | cut -f1-3 | tail -n +2 | sort | cmp -s - <(sort all) || complain "shards: others are found"
"$fplab" index check part1.fp >/dev/null 2>&1 || complain "shards: check"

# ---- A cluster whose name is a deleted text moves whole ----
printf '{"id":"%s","text":"临江大桥今天下午恢复通车"}\n' r a b >equal.jsonl
"$fplab" index build named.fp -a simhash -d 3 equal.jsonl 2>/dev/null
"$fplab" cluster --collection named.fp >/dev/null 2>&1
"$fplab" index delete named.fp --ids <(echo r) 2>err || complain "delete of a name: $(cat err)"
echo '{"id":"other","text":"昨夜全城停电两小时"}' >other.jsonl
"$fplab" index build into.fp -a simhash -d 3 other.jsonl 2>/dev/null
"$fplab" index merge into.fp named.fp 2>err || complain "merge of clusters: $(cat err)"
names=$("$fplab" query into.fp --text 临江大桥今天下午恢复通车 --format tsv 2>/dev/null | cut -f2,5 | tail -n +2 | tr '\t\n' '= ')
[ "$names" = 'a=2 b=2 ' ] || complain "a merged cluster: $names"

# ---- Old ones go ----
printf '{"id":"%s","text":"第%s条新闻：临江大桥恢复通车","time":"2024-0%s-01"}\n' a 一 1 b 二 2 c 三 3 >timed.jsonl
echo '{"id":"d","text":"没有时间的新闻"}' >>timed.jsonl
"$fplab" index build timed.fp -a jaccard:features=chars:2 -d 0 timed.jsonl 2>/dev/null
"$fplab" index delete timed.fp --before 2024-02-01T00:00:01Z 2>err || complain "delete --before: $(cat err)"
[ "$("$fplab" query timed.fp timed.jsonl 2>/dev/null | cut -f2 | tail -n +2 | tr '\n' ' ')" = 'c d ' ] || complain "delete --before leaves others: $("$fplab" query timed.fp timed.jsonl 2>&1)"
"$fplab" dedup -a jaccard:features=chars:2 -d 30 --window 40d timed.jsonl --dropped 2>/dev/null | cut -f1,2 | tail -n +2 | tr '\t\n' '  ' | grep -qx 'b a ' || complain "dedup --window: $("$fplab" dedup -a jaccard:features=chars:2 -d 30 --window 40d timed.jsonl --dropped 2>&1)"

# ---- Other fingerprints: sets, signatures, term vectors, levels ----
for arm in minhash jaccard cosine winnowing sentences pinyin simhash:bits=128; do
    "$fplab" index build other.fp -a $arm -d 0 "$newswire" 2>err || complain "$arm: $(cat err)"
    "$fplab" query other.fp "$newswire" 2>/dev/null | awk -F'\t' '$1 == $2 && $3 == 0' | wc -l | grep -qx 168 || complain "$arm finds not its own texts"
    "$fplab" index check other.fp >/dev/null 2>&1 || complain "$arm: check"
    rm -f other.fp
done

# ---- The second round, and parts of texts ----
# Three stretches of three texts, the middle one the longest: each source is found, with its share and its places, whatever the granules.
python3 - <<'PYTHON'
import json
rows = [json.loads(line) for line in open('newswire-zh/docs.jsonl')]
parts = [(rows[40], 100, 220), (rows[3], 0, 300), (rows[160], 20, 120)]
clean = lambda text: text.replace('\n', '')
open('glued.jsonl', 'w').write(json.dumps({'id': 'glued', 'text': ''.join(clean(r['text'])[a:b] for r, a, b in parts)}) + '\n')
open('originals', 'w').write(''.join(r['id'] + '\n' for r, _, _ in (parts[1], parts[0], parts[2])))
PYTHON
for arm in winnowing jaccard:features=chars:5 pinyin:granule=16; do
    rm -f granules.fp*
    "$fplab" index build granules.fp -a $arm -d 3 --keep-texts first.jsonl 2>err || complain "$arm: $(cat err)"
    "$fplab" index add granules.fp second.jsonl 2>err || complain "$arm: add: $(cat err)" # those are not in the file of granules
    "$fplab" query granules.fp --sources --top 20 glued.jsonl >sources 2>err || complain "$arm: --sources: $(cat err)"
    grep -Fxf originals <(cut -f2 sources) | cmp -s - originals || complain "$arm: --sources: $(cut -f2,3 sources | tr '\n' ' ')"
    awk -F'\t' 'NR == 2 { exit !($3 > 0.55 && $3 < 0.62 && $4 > 280 && $5 > 0 && $8 ~ /^[0-9]+-[0-9]+=0-/) }' sources || complain "$arm: shares or places: $(sed -n 2p sources)"
    "$fplab" index merge granules.fp 2>err || complain "$arm: merge: $(cat err)"
    "$fplab" query granules.fp --sources --top 20 glued.jsonl 2>/dev/null | cut -f1-4 | cmp -s - <(cut -f1-4 sources) || complain "$arm: after a merge others are found"
    "$fplab" index delete granules.fp "$(sed -n 1p originals)" 2>err
    "$fplab" query granules.fp --sources --top 20 glued.jsonl 2>/dev/null | cut -f2 | grep -qxF "$(sed -n 1p originals)" && complain "$arm: a deleted source is told"
done
"$fplab" query news.fp "$newswire" --verify alignment:0.9 2>/dev/null | cut -f1,2 | tail -n +2 >verified
"$fplab" query news.fp "$newswire" 2>/dev/null | cut -f1,2 | tail -n +2 >unverified
[ -z "$(grep -vxFf unverified verified)" ] && [ "$(wc -l <verified)" -lt "$(wc -l <unverified)" ] || complain "--verify drops none, or adds some"
python3 - "$fplab" <<'PYTHON' || complain "--verify: what is left, or dropped, is not what align says"
import json, subprocess, sys
texts = {row['id']: row['text'] for row in map(json.loads, open('newswire-zh/docs.jsonl'))}
kept = {tuple(line.rstrip('\n').split('\t')) for line in open('verified')}
pairs = [tuple(line.rstrip('\n').split('\t')) for line in open('unverified')]
for a, b in [p for p in pairs if p[0] != p[1]][:25]:
    out = subprocess.run([sys.argv[1], 'align', '--text', texts[a], texts[b], '--format', 'json'], capture_output=True, check=True).stdout
    share = json.loads(out)
    share = share[0]['A_share']
    assert (share >= 0.9) == ((a, b) in kept), (a, b, share)
PYTHON
refused 2 'needs the texts' "$fplab" query part1.fp --verify alignment "$newswire"
refused 1 'has no granules' "$fplab" query news.fp --sources "$newswire"

# ---- What is wrong ----
[ -e x.fp ] && complain "a build that was refused left a file"
refused 1 'no.such' "$fplab" query no.such "$newswire"
refused 1 'news.fp' "$fplab" index build news.fp -a simhash -d 3 "$newswire"
refused 1 'there is no nobody' "$fplab" index delete news.fp nobody
refused 1 'choice.json' "$fplab" query choice.json "$newswire"
"$fplab" index merge tfidf.fp news.fp 2>err && complain "a collection of another arm was taken"
grep -q 'differ in their arm' err || complain "merge of another arm: $(cat err)"

# Rows of the tables that are damaged, gone, cut, or under another key: no look-up gives another answer in silence, check tells, and
# merge makes them again from the records.
before=$("$fplab" query news.fp "$newswire" 2>/dev/null | sort | md5sum)
cp news.fp kept
for damage in "UPDATE tables SET entries = x'00' || substr(entries, 2)" 'UPDATE tables SET entries = substr(entries, 13)' 'UPDATE tables SET checksum = 0' \
    'DELETE FROM tables WHERE key = (SELECT max(key) FROM tables)' 'UPDATE tables SET key = key + 1'; do
    cp kept news.fp
    python3 -c 'import sqlite3, sys; db = sqlite3.connect("news.fp"); db.execute(sys.argv[1]); db.commit()' "$damage"
    "$fplab" index check news.fp >problems 2>&1 && complain "$damage: passes the check"
    grep -q 'index merge' problems || complain "$damage: check names no next step: $(cat problems)"
    found=$("$fplab" query news.fp "$newswire" 2>err | sort | md5sum)
    [ "$found" = "$before" ] || grep -q 'index merge' err || complain "$damage: others are found, and nothing is said: $(cat err)"
    "$fplab" index merge news.fp 2>err && "$fplab" index check news.fp >/dev/null 2>&1 || complain "$damage: merge does not mend it: $(cat err)"
    [ "$("$fplab" query news.fp "$newswire" 2>/dev/null | sort | md5sum)" = "$before" ] || complain "$damage: after mending others are found"
done
# A damaged store is told by its pages, and no command ends in it.
for place in 4200 9000 20000 40000 60000 90000; do
    cp kept damaged.fp
    python3 - $place <<'PYTHON'
import sys
data = bytearray(open('damaged.fp', 'rb').read()); at = int(sys.argv[1]); data[at:at + 64] = bytes(x ^ 0x5a for x in data[at:at + 64])
open('damaged.fp', 'wb').write(data)
PYTHON
    "$fplab" index check damaged.fp >problems 2>err; status=$?
    [ $status = 1 ] || [ $status = 0 ] || complain "check of a store damaged at $place: status $status"
    if [ $status = 0 ]; then # a page that nothing uses
        [ "$("$fplab" query damaged.fp "$newswire" 2>/dev/null | sort | md5sum)" = "$before" ] || complain "a store damaged at $place passes the check, and gives others"
    else
        told=$((${told:-0} + 1))
    fi
done
[ "${told:-0}" -ge 2 ] || complain "of six damaged stores ${told:-0} are told"
exit $bad
