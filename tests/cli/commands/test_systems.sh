#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Worked figures of five articles on text fingerprints, out of the lab's own commands. The sections are those of the collection they were gathered in: 1 traditional hash, 2 cosine,
# 3 projection, 4 SimHash, 5 pigeonhole index, 6 shingles, 7 MinHash, 8 pinyin, 9 sentences, 10 the tracking system.
. tests/support.sh
terms=$(realpath tests/data)
cd "$work" || exit 1
# shows WHAT PATTERN COMMAND…: the output holds a line that matches.
shows() {
    local what=$1 pattern=$2; shift 2
    "$@" >out 2>err || { echo "FAIL: $what: $(cat err)"; bad=1; return; }
    grep -qE -- "$pattern" out || { echo "FAIL: $what: no line $pattern in:"; cat out; bad=1; }
}
distance() { "$fplab" compare --arm "$1" --text "$2" "$3" --format tsv | awk -F'\t' 'NR == 2 { print $2 }'; }

# 1: MD5 and SHA-1 of the two share nothing; the exact hash says the maximum, and 0 for equal normalised texts.
[ "$(distance exact 我是中国人 我是中国人啊)" = 64 ] || { echo "FAIL: section 1: one more character"; bad=1; }
[ "$(distance exact Ａｂｃ１ abc1)" = 0 ] || { echo "FAIL: section 1: equal normalised texts"; bad=1; }

# 2
A=我喜欢看电视，不喜欢看电影。 B=我不喜欢看电视，也不喜欢看电影。
shows "section 2: cosine" '^cosine .* 0\.938 ' "$fplab" compare --arm cosine --text $A $B
shows "section 2: norms" '^ *13 .*√12 .*√16 .*0\.938' "$fplab" explain cosine --pair --text $A $B
shows "section 2: vocabulary" '^也 +0 +1 +0$' "$fplab" explain cosine --pair --text $A $B

# 4, and the hyperplanes of 3
sentence='美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人'
simhash=("$fplab" explain simhash --text "$sentence" --bits 6 --terms "$terms/terms_six_bits.tsv")
shows "section 4: hash of 美国" '^美国 +4 +100101$' "${simhash[@]}"
shows "section 4: hash of 51区" '^51区 +5 +101011$' "${simhash[@]}"
shows "section 4: signed weights of 美国" '^美国 +4 +4 -4 -4 4 -4 4$' "${simhash[@]}"
shows "section 4: signed weights of 51区" '^51区 +5 +5 -5 5 -5 5 5$' "${simhash[@]}"
shows "section 4: sums" '^9 -9 1 -1 1 9$' "${simhash[@]}"
shows "section 4: fingerprint" '^101011$' "${simhash[@]}"
i=0
for plane in '(1,1)' '(-1,-1)' '(-1,1)' '(1,-1)' '(-1,1)' '(1,1)'; do
    i=$((i + 1))
    "${simhash[@]}" | grep -qE "^r$i +\\${plane%)}\\)\$" || { echo "FAIL: section 3: hyperplane r$i is not $plane"; bad=1; }
done
shows "section 4: the same as JSON" '"sums": ?"9 -9 1 -1 1 9"' "${simhash[@]}" --format json
head -4 "$terms/terms_eight_bits.tsv" >two.tsv
shows "section 4: eight bits" '^1 -1 -1 9 1 9 -9 -1$' "$fplab" explain simhash --bits 8 --terms two.tsv --text '12306服务器故障'
words=$("$fplab" features --text "$sentence" --format tsv | awk -F'\t' 'NR > 1 { printf "%s%s", sep, $1; sep = " " }')
[ "$words" = "美国 51区 雇员 称 内部 有 9架 飞碟 曾 看见 灰色 外星人" ] || { echo "FAIL: section 4: segments: $words"; bad=1; }
near=$(distance simhash 直击儿科急诊现状忙碌不止\ 儿科接诊进行时 儿科急诊现状直击不停忙碌\ 儿科接诊进行时)
far=$(distance simhash 直击儿科急诊现状忙碌不止\ 儿科接诊进行时 临江大桥今天下午恢复通车)
[ "$near" -lt "$far" ] || { echo "FAIL: section 4: the pair of headlines is at $near, another at $far"; bad=1; }

# 5
shows "section 5: brute force" '^brute_force +1073741824 ' "$fplab" plan --bits 64 --blocks 4 --distance 3 --docs 2^30
shows "section 5: four blocks of 16" '^block_bits +16 ' "$fplab" plan --blocks 4
shows "section 5: candidates" '^candidates +65536 ' "$fplab" plan --blocks 4
shows "section 5: one key space" '^candidates_shared +262144 ' "$fplab" plan --blocks 4
shows "section 5: storage" '^storage +4 ' "$fplab" plan --blocks 4
shows "section 5: variants" '^variants +43744 ' "$fplab" plan --blocks 4
shows "section 5: all side by side, a scan" '^scan .* 1073741824 +1073741824 ' "$fplab" plan --docs 2^30 --bits 64 --distance 3
shows "section 5: all side by side, variants" '^variants +1 +64 +43744 ' "$fplab" plan --docs 2^30
shows "section 5: all side by side, one key space" '^blocks=4,shared +1 +16 +4 +262144 +262144 ' "$fplab" plan --docs 2^30
shows "section 5: all side by side, blocks" '^blocks=4 +4 +16 +4 +65536 +65536 ' "$fplab" plan --docs 2^30
shows "section 5: why 3" '^Why 3: among 8 billion web pages' "$fplab" plan --distance 3
shows "section 5: 32 bits, four blocks of 8" '^block_bits +8 ' "$fplab" plan --blocks 4 --bits 32
"$fplab" plan --blocks 3 >out 2>err
[ $? = 2 ] && grep -q 'more than 3 blocks' err || { echo "FAIL: section 5: k needs more than k blocks"; bad=1; }

# 6: three words in a row.
shows "section 6: shingles" '^喜欢 看 电视 ' "$fplab" explain jaccard --features words:3 --text $A
# 7: the share of equal places estimates the Jaccard coefficient; checked by its law elsewhere. Here: the matrix is shown.
shows "section 7: signature matrix" '^喜欢 ' "$fplab" explain minhash --slots 4 --features words --text $A

# 8: homophones and the script change nothing; the ranges and their sizes: 20 digits, 9, 8, 5 and 3 bytes.
[ "$(distance pinyin 银行发展 银杭发盏)" = 0 ] || { echo "FAIL: section 8: homophones"; bad=1; }
[ "$(distance pinyin 乌龟与发展 烏龜與發展)" = 0 ] || { echo "FAIL: section 8: the script"; bad=1; }
for pair in 10:9:20 8:8:20 4:5:20 2:3:20; do
    IFS=: read -r levels bytes digits <<<"$pair"
    printed=$(echo 银行在重庆 | "$fplab" fingerprint --arm pinyin:levels=$levels | awk -F'\t' 'NR == 2 { print $2 }')
    [ ${#printed} = "$digits" ] || { echo "FAIL: section 8: $levels levels print $printed"; bad=1; }
    mkdir -p corpus && printf '{"id":"a","text":"甲","group":"g"}\n{"id":"b","text":"乙","group":"g"}\n' >corpus/docs.jsonl
    got=$("$fplab" eval --corpus corpus --arm pinyin:levels=$levels --no-plots --out s >/dev/null && awk -F'\t' 'NR == 2 { print $16 }' s/summary.tsv)
    [ "$got" = "$bytes" ] || { echo "FAIL: section 8: $levels levels take $got bytes, not $bytes"; bad=1; }
done
shows "section 8: granules [1,n], [n/2,3n/2]" 'initials 3 to 6: ' "$fplab" explain pinyin --granule 4 --text 银行在重庆发展很快

# 9: the k longest sentences.
[ "$(distance sentences 一二三四五六七。八九。 八九十。一二三四五六七。)" != 64 ] || { echo "FAIL: section 9: a common sentence is not seen"; bad=1; }

# 10: an inverted index: 1→[a,b,c,d], 2→[b,e,f], 3→[a,c,g] becomes a→[1,3], b→[1,2], c→[1,3], d→[1], e→[2], f→[2], g→[3].
mkdir inverted
printf '{"id":"1","text":"a b c d"}\n{"id":"2","text":"b e f"}\n{"id":"3","text":"a c g"}\n' >inverted/docs.jsonl
printf 'feature\tdocuments\na\t1,3\nb\t1,2\nc\t1,3\nd\t1\ne\t2\nf\t2\ng\t3\n' >expected
"$fplab" features --corpus inverted --inverted --format tsv | cmp - expected || { echo "FAIL: section 10"; bad=1; }
exit $bad
