#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the commands say of sketches of nothing and of arms that learned from too few documents; what an arm may not hold.
set -u
fplab=$(realpath "${FPLAB:-build/bin/fplab}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
bad=0
complain() { echo "FAIL: $*"; cat said; bad=1; }
# name, wanted status, wanted words on standard error (none: nothing may be said), command
says() {
    name=$1 status=$2 words=$3; shift 3
    "$@" >out 2>said
    got=$?
    [ $got = "$status" ] || complain "$name: status $got, not $status"
    if [ -n "$words" ]; then grep -qF -- "$words" said || complain "$name: no \"$words\""
    else [ ! -s said ] || complain "$name: something is said"; fi
}

mkdir english
i=0
while [ $i -lt 15 ]; do
    echo "{\"id\": \"e$i\", \"text\": \"This is text number $i, and it says $i$i.\"}"
    i=$((i + 1))
done >english/docs.jsonl
# Five threes: the first and the last of each are no duplicates, so that every fold has both kinds.
for i in 0 3 6 9 12; do
    printf 'e%d\te%d\t%d\n' $i $((i + 1)) 1 $((i + 1)) $((i + 2)) 1 $i $((i + 2)) 0
done >english/pairs.tsv
nothing='15 of 15 texts have no Han character'
says "eval" 0 "english: arm pinyin: $nothing" "$fplab" eval -c english -a pinyin --no-plots --out run
[ "$(grep -c 'no Han' said)" = 1 ] || complain "said more than once"
grep -A1 documents_without_evidence run/run.json | grep -qE '"pinyin": *15$' || complain "run.json does not count them"
says "distances" 0 "$nothing" "$fplab" distances -c english -a pinyin
[ "$(awk -F'\t' 'NR > 1 && $5 != 60' out | wc -l)" = 0 ] || complain "English texts are not farthest from one another"
says "fingerprint of a corpus" 0 "$nothing" "$fplab" fingerprint -c english -a pinyin
printf 'hello\n\n你好\n' >lines
says "fingerprint of lines" 0 "2 of 3 texts have no Han character" "$fplab" fingerprint -a pinyin lines
says "fingerprint of lines, simhash" 0 "1 of 3 texts has no feature: its sketch is empty, and counts" "$fplab" fingerprint -a simhash lines
says "judge" 1 "$nothing" "$fplab" judge sample -c english -a pinyin
says "tune" 0 "$nothing" "$fplab" tune -c english --grid 'pinyin|simhash' --folds 3
says "tune, one arm that reads nothing" 0 "$nothing" "$fplab" tune -c english --grid pinyin --folds 3
grep -qx "  use          pinyin" out && grep -qx "  duplicate    h ≤ 60 of 60 levels (pinyin agreement ≥ 0.25), which is every pair" out || complain "tune: it calls every pair, and does not say so"
says "tune, no arm" 1 "$nothing" "$fplab" tune -c english --grid pinyin --folds 3 --min-precision 0.5
grep -q "took this arm" out && complain "tune: folds agree with an arm that there is not"
says "compare" 0 "2 of 2 texts have no Han character" "$fplab" compare --text -a pinyin "one text" "another one"
grep -q '^pinyin .* 60 .* NA ' out || complain "compare: not the largest distance, or a similarity"
says "compare, empty" 0 "1 of 2 texts is empty" "$fplab" compare --text "" "one text"
says "compare, many arms" 0 "fplab: arms simhash, hyperplane, " "$fplab" compare --text "" "one text"
[ "$(grep -c 'as farthest from all others' said)" = 4 ] || complain "compare does not say once what is the same for many arms"
says "explain" 0 "2 of 2 texts have no Han character" "$fplab" explain pinyin --text --pair "one text" "another one"
grep -q '60 levels of 60, the largest' out || complain "explain: not the largest distance"
says "explain, nothing kept" 0 "2 of 2 texts have no feature, or none that was kept" "$fplab" explain fracminhash:scaled=1000000,empty=none --text --pair 我喜欢看电视 我喜欢看电影
says "texts that say something" 0 '' "$fplab" compare --text -a pinyin -a simhash 你好 您好

# Scripts whose words only a dictionary finds: counted once, however many times the texts are read.
printf 'สวัสดีชาวโลก\nhello world\nภาษาไทย\n今天下午通车了，の\n' >thai
for arm in simhash simhash:weight=tfidf; do
    says "fingerprint of Thai, $arm" 0 "fplab: 2 of 4 texts are in a script whose words segmenter=jieba does not find" "$fplab" fingerprint -a $arm thai
    [ "$(grep -c segmenter=icu said)" = 1 ] || complain "fingerprint of Thai, $arm: not once"
done
says "fingerprint of Thai, segmenter=icu" 0 '' "$fplab" fingerprint -a simhash:segmenter=icu thai
says "fingerprint of Thai, characters" 0 '' "$fplab" fingerprint -a simhash:features=chars:3 thai
says "features of Khmer" 0 '1 of 1 text is in a script' "$fplab" features --text ភាសាខ្មែរ
says "features of Lao" 0 '1 of 1 text is in a script' "$fplab" features --text ພາສາລາວ
says "features of Myanmar" 0 '1 of 1 text is in a script' "$fplab" features --text မြန်မာဘာသာ
says "compare Japanese" 0 '2 of 2 texts are in a script' "$fplab" compare --text -a simhash -a minhash ありがとう さようなら
[ "$(grep -c segmenter=icu said)" = 1 ] || complain "compare Japanese: not once"
says "dedup of Thai" 0 '2 of 4 texts are in a script' "$fplab" dedup -a simhash -d 3 thai
says "index add of Thai" 0 '2 of 4 texts are in a script' "$fplab" index build thai.fp -a simhash -d 3 thai
says "query of Thai" 0 '2 of 4 texts are in a script' "$fplab" query thai.fp thai
says "track of Thai" 0 '2 of 4 texts are in a script' "$fplab" track thai.fp --id-prefix again: thai
says "Greek, Cyrillic, Arabic, Hangul" 0 '' "$fplab" compare --text -a simhash 'Καλημέρα κόσμε Привет мир' 'مرحبا بالعالم 한국어 텍스트'

# Learned from two documents, from fifteen, and in tune from the folds that are left.
says "compare, a centre" 1 "has 2" "$fplab" compare --text -a simhash:center=median 我们在城里看见一只鸟 我们在城里看见两只鸟
says "compare, IDF" 0 "come from 2 documents" "$fplab" compare --text -a cosine:weight=tfidf 我们看见一只鸟 我们看见两只鸟
says "explain" 0 "fitted to 2 documents" "$fplab" explain simhash:center=mean --text --pair 我们看见一只鸟 我们看见两只鸟
says "features" 0 "come from 1 document;" "$fplab" features --text --spec weight=idf 我们看见一只鸟
says "eval" 0 "arm simhash:center=mean: it is fitted to 15 documents" "$fplab" eval -c english -a simhash:center=mean --no-plots --out run
says "eval, levels" 0 "come from 15 documents" "$fplab" eval -c english -a simhash:weight=levels --no-plots --out run
says "corpus idf" 0 "english: document frequencies of 15 documents; with fewer than 20" "$fplab" corpus idf english --out small.idf
for command in fingerprint features; do
    option=-a arm=simhash:weight=tfidf,idf=small.idf
    [ $command = features ] && option=-s arm=weight=tfidf,idf=small.idf
    says "$command, idf=FILE of few" 0 "come from 15 documents" "$fplab" $command $option $arm lines
done
says "tune, idf=FILE of few" 0 "come from 15 documents" "$fplab" tune -c english --grid simhash:weight=tfidf,idf=small.idf --folds 3
says "idf=FILE that no weight uses" 0 '' "$fplab" features -s weight=tf,idf=small.idf lines
says "fingerprint" 0 "come from 3 documents" "$fplab" fingerprint -a simhash:weight=tfidf lines
says "tune" 0 "it is fitted to" "$fplab" tune -c english --grid simhash:center=mean --folds 3
grep -qE 'fitted to [1-9] documents' said || complain "tune: not the documents of the folds"
says "learns nothing" 0 '' "$fplab" eval -c english -a simhash:weight=tfidf,idf=builtin --no-plots --out run

# What an arm may not hold.
says "a key twice" 2 "bits is set twice" "$fplab" fingerprint -a simhash:bits=64,bits=32 lines
says "a name twice" 2 "name is set twice" "$fplab" fingerprint -a simhash:name=a,name=b lines
says "IDF that is not used" 1 "/nowhere: cannot open" "$fplab" fingerprint -a simhash:idf=/nowhere lines
for value in nan inf -inf 1e999; do
    says "overlap=$value" 2 "not a number" "$fplab" fingerprint -a pinyin:overlap=$value lines
done

# The defaults that are listed are the algorithm's own.
"$fplab" algorithms simhash --format tsv | grep -q "^features	weight	logtf	" || complain "simhash lists another weight"
"$fplab" algorithms jaccard --format tsv | grep -q "^features	features	chars:3	" || complain "jaccard lists other features"
"$fplab" algorithms simhash | grep -q "64 documents or more" || complain "the least is not stated"
exit $bad
