#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Distances made elsewhere as an arm: those of simhash, written down and read again, give the figures of simhash; bad files are refused
# in a line; pairs without a distance are counted and named, pairs without a label told of.
. tests/support.sh
cd "$work" || exit 1
"$fplab" distances -c "$newswire" -a simhash | awk -F'\t' -v OFS='\t' 'NR > 1 { print (NR % 2 ? $1 OFS $2 : $2 OFS $1), $5 }' | sort -r >all.tsv
"$fplab" eval -N 1 -c "$newswire" -a simhash:name=x -o own --format tsv | cut -f 4- >own.tsv
"$fplab" eval -c "$newswire" -a scores:file=all.tsv,name=x -o read --format tsv | cut -f 4- >read.tsv
[ "$(wc -l <own.tsv)" -gt 5 ] && cmp -s own.tsv read.tsv || complain "simhash's own distances give other figures"
for table in curves intervals thresholds; do
    [ ! -f own/$table.tsv ] || cmp -s <(cut -f 4- own/$table.tsv) <(cut -f 4- read/$table.tsv) || complain "$table.tsv differs"
done
python3 - <<'P' || complain "run.json does not know the file"
import hashlib, json
run = json.load(open("read/run.json", encoding="utf-8"))
assert run["inputs"] == [{"path": "all.tsv", "sha256": hashlib.sha256(open("all.tsv", "rb").read()).hexdigest()}], run["inputs"]
P
"$fplab" rerun read >out 2>err || complain "rerun: $(cat err)"
echo >>all.tsv; echo 'a	b	3' >>all.tsv
"$fplab" rerun read >out 2>err && complain "rerun with another file"
grep -q all.tsv out err || complain "rerun does not name the file: $(cat out err)"
"$fplab" eval -c "$newswire" -a scores:file=all.tsv,name=x >out 2>err || complain "a pair without a label: $(cat err)"
[ "$(cat err)" = 'fplab: newswire-zh: arm x: 1 of its 919 pairs is without a label here, and left out' ] || complain "told: $(cat err)"

# All pairs of groups.
mkdir groups
for i in 1 2 3 4; do echo "{\"id\": \"d$i\", \"text\": \"t$i\", \"group\": \"g$(((i + 1) / 2))\"}"; done >groups/docs.jsonl
printf 'd1\td2\t1\nd1\td3\t9\nd4\td1\t9\nd3\td2\t9\nd2\td4\t9\nd3\td4\t2\n' >six.tsv
"$fplab" eval -c groups -a scores:file=six.tsv --format tsv >out 2>err || complain "groups: $(cat err)"
awk -F'\t' 'NR > 1 && $4 == 2 && $5 == 2 && $6 == 0 && $7 == 0 && $8 == 4 { found = 1 } END { exit !found }' out || complain "groups: $(cat out)"
head -5 six.tsv >five.tsv
refused 1 'scores:file=five.tsv: 1 of 6 pairs have no distance; the first is d3 d4' "$fplab" eval -c groups -a scores:file=five.tsv
gzip -k six.tsv
"$fplab" distances -c groups -a scores:file=six.tsv.gz >out 2>err || complain "gzip: $(cat err)"

head -100 all.tsv >some.tsv
for command in 'eval -a' 'distances -a'; do
    refused 1 'scores:file=some.tsv: 818 of 918 pairs have no distance; the first is' "$fplab" ${command% *} -c "$newswire" ${command#* } scores:file=some.tsv
done
refused 1 '818 of 918 pairs have no distance' "$fplab" tune -c "$newswire" -g scores:file=some.tsv # all labelled ones
"$fplab" tune -c "$newswire" -g scores:file=all.tsv --replicates 200 >out 2>err || complain "tune with all distances: $(cat err)"
refused 1 '13928 of 14028 pairs have no distance' "$fplab" judge sample -c "$newswire" -a scores:file=some.tsv # it draws from all pairs

# bad_row ROW WORDS [PARAMETERS]: refused with those words, and file and line
bad_row() {
    printf "d1\td2\t0\n$1\n" >bad.tsv
    refused 1 "bad.tsv:2: " "$fplab" eval -c groups -a "scores:file=bad.tsv${3:-}"
    grep -qF -- "$2" err || complain "no word of \"$2\": $(cat err)"
}
bad_row 'd1\td3' 'expected id_a, id_b and distance'
bad_row 'd1\td3\t' 'the distance "" is not a finite number'
bad_row 'd1\td3\tnan' 'not a finite number'
bad_row 'd1\td3\tinf' 'not a finite number'
bad_row 'd1\td3\t1e999' 'not a finite number'
bad_row 'd1\td3\t-1' 'the distance -1 is not from 0 to 64'
bad_row 'd1\td3\t64.5' 'the distance 64.5 is not from 0 to 64'
bad_row 'd1\td3\t10.5' 'the distance 10.5 is not from 0 to 10' ,maximum=10
bad_row 'd1\td3\t1.5' 'the similarity 1.5 is not from 0 to 1' ,kind=similarity
bad_row 'd1\td3\t-1.5' 'the cosine -1.5 is not from -1 to 1' ,kind=cosine
bad_row 'd1\td1\t1' 'a document is paired with itself'
bad_row 'd2\td1\t1' 'the pair has a distance in line 1'
bad_row 'd1\td\xff\t1' 'invalid UTF-8'
: >empty.tsv
refused 1 'empty.tsv: the file has no distances' "$fplab" eval -c groups -a scores:file=empty.tsv
refused 1 'none.tsv: cannot open' "$fplab" eval -c groups -a scores:file=none.tsv
exit $bad
