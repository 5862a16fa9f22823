#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Examples for a class: hashes against md5sum and sha1sum, weights without bits, directions given by hand, and term hashes
# against values of other programs.
. tests/support.sh
weights=$(realpath tests/data/terms_weights.tsv)
cd "$work" || exit 1
shows() { # what, pattern, command…
    local what=$1 pattern=$2; shift 2
    "$@" >out 2>err || { complain "$what: $(cat err)"; return; }
    grep -qE -- "$pattern" out || { complain "$what: no line $pattern in:"; cat out; }
}
fails() { # what, pattern of the message, command…
    local what=$1 pattern=$2; shift 2
    "$@" >out 2>err && complain "$what is accepted"
    grep -qE -- "$pattern" err || complain "$what: no $pattern in: $(cat err)"
}

# Granules: of six initials one, or one that begins with every second initial.
shows "one granule" '^ *6 initials, one granule$' "$fplab" explain pinyin --text 我们今天散步
shows "granules" '^ *6 initials, 2 granules of 4, a new one every 2$' "$fplab" explain pinyin:granule=4 --text 我们今天散步

# The avalanche. 64 and 72 bits: counted on the digests of md5sum and sha1sum.
A=我是中国人 B=我是中国人啊
for text in $A $B; do
    shows "MD5 of $text" "^MD5 +$(printf %s $text | md5sum | cut -d' ' -f1)\$" "$fplab" explain exact --text $text
    shows "SHA-1 of $text" "^SHA-1 +$(printf %s $text | sha1sum | cut -d' ' -f1)\$" "$fplab" explain exact --text $text
done
bits() { # the bits in which two hexadecimal numbers differ
    local i differing=0 nibble
    for ((i = 0; i < ${#1}; i++)); do
        nibble=$((0x${1:i:1} ^ 0x${2:i:1}))
        differing=$((differing + (nibble & 1) + (nibble >> 1 & 1) + (nibble >> 2 & 1) + (nibble >> 3)))
    done
    echo $differing
}
for hash in md5:MD5:128 sha1:SHA-1:160; do
    IFS=: read -r tool name of <<<"$hash"
    differing=$(bits "$(printf %s $A | ${tool}sum | cut -d' ' -f1)" "$(printf %s $B | ${tool}sum | cut -d' ' -f1)")
    shows "avalanche of $name" "^$name +$differing +$of " "$fplab" explain exact --pair --text $A $B
done

# Weights 4 5 3 1 2 1 3 5 1 3 4 5 of an article; the bits are those of the term hash.
simhash=("$fplab" explain simhash --bits 8 --terms "$weights" --text '美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人')
[ "$("${simhash[@]}" | awk '/^[0-9][-0-9]*\. / { here = /^3/ } here && $2 ~ /^[0-9]+$/ { printf "%s%s", gap, $2; gap = " " }')" = \
    "4 5 3 1 2 1 3 5 1 3 4 5" ] ||
    complain "the weights of the table: $("${simhash[@]}")"
hash=$("$fplab" features --text 美国 --format tsv | awk -F'\t' 'NR == 2 { print toupper(substr($3, 15, 2)) }')
shows "bits of the term hash" "^美国 +4 +$(printf %08d "$(echo "obase=2; ibase=16; $hash" | bc 2>/dev/null || python3 -c "print(bin(int('$hash', 16))[2:])")")\$" "${simhash[@]}"
"${simhash[@]}" --format json | grep -q '"weight": *5\b' || complain "weights in JSON"
printf '甲\t2\n乙\t3\t1\n' >three.tsv
fails "a table of two and three columns" 'three\.tsv:2: three fields' "$fplab" explain simhash --terms three.tsv --text 甲乙
printf '甲\t0110\n乙\t3\n' >mixed.tsv
fails "a weight among bits" 'mixed\.tsv:2: the bits "3"' "$fplab" explain simhash --bits 4 --terms mixed.tsv --text 甲乙
printf '甲\tzwei\n' >words.tsv
fails "a weight in words" 'words\.tsv:1: ' "$fplab" explain simhash --terms words.tsv --text 甲乙

# (7, 3) onto (1, -1) is 4.
vector='x x x x x x x y y y'
project=("$fplab" explain projection --features words)
shows "(7,3) onto (1,-1)" '^ *1 +7·1 \+ 3·\(-1\) +4$' "${project[@]}" --coordinates 1 --directions 'x:1;y:-1' --text "$vector"
shows "another direction" '^ *2 +7·0\.5 \+ 3·2 ' "${project[@]}" --coordinates 2 --directions 'x:1 0.5;y:-1 2' --text "$vector"
fails "too few numbers" 'x has 1 numbers, but coordinates=2' "${project[@]}" --coordinates 2 --directions 'x:1;y:-1' --text "$vector"
fails "a term twice" 'x is named twice' "${project[@]}" --coordinates 1 --directions 'x:1;x:-1' --text "$vector"
fails "no number" 'is not a number' "${project[@]}" --coordinates 1 --directions 'x:one' --text "$vector"
fails "no term" 'expected term:number' "${project[@]}" --coordinates 1 --directions 'x' --text "$vector"

# 1e0ng/simhash, tests/test_simhash.py: features aaa and bbb, weight 1, the low 64 bits of MD5: 57087923692560392.
[ "$(echo 'aaa bbb' | "$fplab" fingerprint --arm simhash:weight=binary,hash=md5 | awk -F'\t' 'NR == 2 { print $2 }')" = \
    "$(printf %016x 57087923692560392)" ] || complain "MD5 as term hash"
# FNV-1a of the UTF-16 unit U+4E2D by hand, (14695981039346656037 xor 0x4e2d) · 1099511628211 mod 2^64; of ASCII the same
# as of bytes, whose value for "a" is in the authors' test vectors; U+1F600 is the units D83D DE00.
term_hash() { "$fplab" features --text "$1" --spec features=chars:1,hash="$2" --format tsv | awk -F'\t' 'NR == 2 { print $3 }'; }
unit() { printf %016x $((($1 ^ $2) * 1099511628211)); }
offset=0xcbf29ce484222325
[ "$(term_hash 中 fnv1a-utf16)" = "$(unit $offset 0x4e2d)" ] || complain "FNV-1a of UTF-16: $(term_hash 中 fnv1a-utf16)"
[ "$(term_hash 😀 fnv1a-utf16)" = "$(unit 0x$(unit $offset 0xd83d) 0xde00)" ] || complain "FNV-1a of a surrogate pair"
[ "$(term_hash a fnv1a-utf16)" = af63dc4c8601ec8c ] || complain "FNV-1a of a as UTF-16"
[ "$(term_hash a fnv1a)" = af63dc4c8601ec8c ] || complain "FNV-1a of a"
low() { md5sum | cut -c17-32; }
[ "$(term_hash 中 md5)" = "$(printf 中 | low)" ] || complain "MD5 of UTF-8"
[ "$(term_hash 😀 md5-utf16)" = "$(printf 😀 | iconv -f utf-8 -t utf-16le | low)" ] || complain "MD5 of UTF-16"
fails "MD5 with a seed" 'MD5 takes no seed' "$fplab" features --text 中 --spec hash=md5,hashseed=1
exit $bad
