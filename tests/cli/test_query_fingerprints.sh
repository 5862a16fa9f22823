#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab query --fingerprints: what is found for a fingerprint is what is found for its text, and, for fingerprints that no text has, what a
# plain loop finds; with tables, without, with deleted ones and new ones.
. tests/support.sh
cd "$work" || exit 1
ln -s "$newswire" newswire-zh && newswire=$work/newswire-zh

# ---- As the texts ----
for arm in simhash:10 simhash:bits=128:12 simhash:bits=20:1; do
    spec=${arm%:*}
    "$fplab" index build "texts.fp" -a "$spec" -d "${arm##*:}" "$newswire" 2>err || complain "$spec: $(cat err)"
    "$fplab" fingerprint -a "$spec" --corpus "$newswire" >prints.tsv
    tail -n +2 prints.tsv >bare.tsv; cut -f2 bare.tsv >alone.txt; gzip -k alone.txt
    "$fplab" query texts.fp "$newswire" 2>/dev/null >wanted
    for form in prints.tsv bare.tsv; do
        "$fplab" query texts.fp --fingerprints $form 2>err | cmp -s - wanted || complain "$spec: $form: others are found: $(cat err)"
        grep -q 'Of 168 fingerprints 168 have' err || complain "$spec: $form: $(cat err)"
    done
    "$fplab" query texts.fp --fingerprints - <prints.tsv 2>/dev/null | cmp -s - wanted || complain "$spec: standard input: others are found"
    for form in alone.txt alone.txt.gz; do
        "$fplab" query texts.fp --fingerprints $form 2>/dev/null | cut -f2- | cmp -s - <(cut -f2- wanted) || complain "$spec: $form: others are found"
    done
    "$fplab" query texts.fp --fingerprints alone.txt 2>/dev/null | sed -n 2p | cut -f1 | grep -qx 'alone.txt:1' || complain "$spec: a line without an id"
    "$fplab" query texts.fp --fingerprints --id-prefix n alone.txt 2>/dev/null | sed -n 2p | cut -f1 | grep -qx 'n1' || complain "$spec: --id-prefix"
    rm -f texts.fp* alone.txt.gz
done

# ---- As a plain loop ----
"$fplab" index build some.fp -a simhash -d 6 "$newswire" 2>err || complain "build: $(cat err)"
"$fplab" index delete some.fp transport-01-original transport-01-reprint 2>err || complain "delete: $(cat err)"
printf '%s\n' 临江大桥今天下午恢复通车 临江大桥今天下午恢复了通车 >late.txt
"$fplab" index add some.fp --id-prefix late < <(cat late.txt) 2>err || complain "add: $(cat err)"
"$fplab" index stats some.fp -f tsv | grep -qP '^recent\t2\t' || complain "stats: $("$fplab" index stats some.fp -f tsv)"
"$fplab" fingerprint -a simhash --corpus "$newswire" | tail -n +4 >held; "$fplab" fingerprint -a simhash late.txt | tail -n +2 | sed 's/^/late/' >>held
cat >loop.py <<'PYTHON'
import random, sys
# Queries around what is held, more than are asked at once, and what each must find: within 6, within 20, and the three nearest.
held = [line.rstrip('\n').split('\t') for line in open('held')]
prints = [int(row[1], 16) for row in held]
draw = random.Random(4)
with open('queries', 'w') as queries, open('within6', 'w') as near, open('within20', 'w') as far, open('top3', 'w') as top:
    for n in range(1500):
        value = prints[draw.randrange(len(prints))]
        for bit in draw.sample(range(64), draw.randrange(12)): value ^= 1 << bit
        print(f'q{n}\t{value:016X}', file=queries)
        apart = sorted((bin(value ^ other).count('1'), i) for i, other in enumerate(prints))
        for distance, i in apart:
            if distance <= 6: print(f'q{n}', held[i][0], distance, sep='\t', file=near)
            if distance <= 20: print(f'q{n}', held[i][0], distance, sep='\t', file=far)
        for distance, i in apart[:3]: print(f'q{n}', held[i][0], distance, sep='\t', file=top)
PYTHON
python3 loop.py
ask() { "$fplab" query some.fp --fingerprints "$@" queries 2>err | cut -f1-3 | tail -n +2; }
for round in recent merged; do
    ask | cmp -s - within6 || complain "$round: others are found within the threshold: $(cat err)"
    OMP_NUM_THREADS=1 ask | cmp -s - within6 || complain "$round: one thread finds others"
    OMP_NUM_THREADS=3 ask | cmp -s - within6 || complain "$round: three threads find others"
    ask --within 20 | cmp -s - within20 || complain "$round: others are found beyond the threshold"
    ask --top 3 | cmp -s - top3 || complain "$round: others are the nearest"
    "$fplab" index merge some.fp 2>err || complain "merge: $(cat err)"
done
[ "$(wc -l <within6)" -gt 1000 ] || complain "too little is near for a test: $(wc -l <within6)"

# An answer comes before the next question.
mkfifo ask.pipe
"$fplab" query some.fp --fingerprints <ask.pipe >answers 2>err & asked=$!
exec 3>ask.pipe
head -n 1 held >&3
for _ in $(seq 200); do [ -s answers ] && [ "$(wc -l <answers)" -ge 2 ] && break; sleep 0.05; done
[ "$(wc -l <answers)" -ge 2 ] || complain "a pipe gets no answer before its end"
exec 3>&-
wait $asked || complain "a pipe: $(cat err)"

# ---- What is wrong ----
printf 'id\tfingerprint\na\t0123456789abcdef\nb\t0123456789abcde\n' >narrow.tsv
refused 1 'narrow.tsv:3: a fingerprint of 15 hexadecimal digits; 64 bits have 16' "$fplab" query some.fp --fingerprints narrow.tsv
printf '0123456789abcdef01234567\n' >wide.txt
refused 1 'wide.txt:1: a fingerprint of 24 hexadecimal digits; 64 bits have 16' "$fplab" query some.fp --fingerprints wide.txt
printf '0123456789abcdeg\n' >other.txt
refused 1 'other.txt:1: a fingerprint in hexadecimal was expected' "$fplab" query some.fp --fingerprints other.txt
refused 1 'no.such' "$fplab" query some.fp --fingerprints no.such
"$fplab" query some.fp --fingerprints --skip-bad narrow.tsv other.txt >out 2>err || complain "--skip-bad: $(cat err)"
[ "$(grep -c 'left out: ' err)" = 2 ] && grep -q '^2 bad lines were left out' err && grep -q 'Of 1 fingerprint ' err || complain "--skip-bad: $(cat err)"
: >empty; "$fplab" query some.fp --fingerprints empty >out 2>err || complain "no fingerprints: $(cat err)"
for arm in minhash pinyin; do
    "$fplab" index build other.fp -a $arm -d 0 "$newswire" 2>err || complain "$arm: $(cat err)"
    refused 2 "$arm has other ones" "$fplab" query other.fp --fingerprints narrow.tsv
    rm -f other.fp*
done
exit $bad
