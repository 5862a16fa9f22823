#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab plan over fingerprints, from the outside: the designs of the web crawl (Manku, Jain, Das Sarma, WWW 2007, section 3.1.2), what memory
# and a sample change, files and picture, and what is refused. The worked figures of four blocks are in test_systems.sh.
. tests/support.sh
cd "$work" || exit 1
# field FILE DESIGN COLUMN: of a table of designs.
field() { awk -F'\t' -v design="$2" -v column="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == design { print $at[column] }' "$1"; }
is() { [ "$2" = "$3" ] || complain "$1: $2, not $3"; }
chosen() { awk -F'\t' '$16 == 1 { print $1 }' "$1"; }

# ---- 2^34 fingerprints, K = 3: tables, key widths p, and at most 2^(34 - p) fingerprints a probe ----
"$fplab" plan --docs 2^34 --bits 64 --distance 3 --format tsv >crawl.tsv || complain "plan --docs"
while read -r design tables narrow wide probe; do
    is "$design: tables" "$(field crawl.tsv "$design" tables)" "$tables"
    is "$design: key" "$(field crawl.tsv "$design" key_bits)-$(field crawl.tsv "$design" key_bits_most)" "$narrow-$wide"
    is "$design: a probe" "$(field crawl.tsv "$design" lookup_most)" "$probe"
done <<'ROWS'
blocks=6,agree=3 20 31 33 8
blocks=4+4 16 28 28 64
blocks=5,agree=2 10 25 26 512
blocks=4 4 16 16 262144
ROWS
"$fplab" plan -n 17179869184 --format tsv | cmp -s - crawl.tsv || complain "-n is not --docs"
"$fplab" plan --docs 2^34 --format json | python3 -c 'import json, sys; rows = json.load(sys.stdin); assert sum(row["recommended"] for row in rows) == 1 and rows[0]["skew"] is None' || complain json

# ---- One design ----
"$fplab" plan --blocks 6,agree=3 --docs 2^34 >out && grep -q '^block_bits *31 ' out && grep -q '^lookups *20 ' out && ! grep -q shared out || complain "--blocks 6,agree=3: $(cat out)"
"$fplab" plan --blocks 4+4 --docs 2^34 >out && grep -q '^lookups *16 ' out && grep -q '^candidates *1024 ' out || complain "--blocks 4+4: $(cat out)"
"$fplab" plan --blocks 8 --distance 7 --similarity 0.95 | grep -q 'some key equal; and within distance 7' || complain "--similarity"
"$fplab" plan --blocks 4+4 --similarity 0.95 --format tsv | awk -F'\t' 'NR > 1 && $3 != "NA" { exit 1 }' || complain "two levels have no law here"

# ---- Memory: 48 GiB are the four tables of 2^30 fingerprints ----
for pair in 6G:scan 16G:scan 64G:blocks=4 128G:blocks=5,agree=2; do
    "$fplab" plan --docs 2^30 --memory "${pair%%:*}" --format tsv >out
    is "--memory ${pair%%:*}" "$(chosen out)" "${pair#*:}"
    "$fplab" plan --docs 2^30 --memory "${pair%%:*}" | grep -q "^Recommended: ${pair#*:}: " || complain "--memory ${pair%%:*}: no sentence"
done
"$fplab" plan --docs 2^30 --memory 16G | grep -q 'no design with tables fits into 16.0 GiB, the smallest takes 48.0 GiB; .* ms a query (one table' || complain "too little memory is not told"

# ---- A sample: of two equal halves of all fingerprints the lowest block has one value, so that Σ p² is a half and 1/2^16 of it more ----
awk 'BEGIN { srand(5); for (i = 0; i < 4000; i++) { high = ""; for (k = 0; k < 12; k++) high = high sprintf("%x", int(rand() * 16));
    low = ""; for (k = 0; k < 4; k++) low = low sprintf("%x", int(rand() * 16)); print high (i % 2 ? "abcd" : low) } }' >half.txt
"$fplab" plan --docs 1e6 --sample half.txt --format tsv >out || complain "--sample"
awk -F'\t' '$1 == "blocks=4" { seen++; if ($8 < 0.24e6 || $8 > 0.26e6 || $10 < 0.24e6 / 61.04 || $10 > 0.26e6 / 61.03) bad = 1 } END { exit bad || seen != 1 }' out || complain "the skew of half of all: $(grep '^blocks=4	' out)"
awk 'BEGIN { print "id\tfingerprint" } { print NR "\t" $0 }' half.txt >half.tsv
gzip -k half.tsv && zstd -q half.tsv 2>/dev/null
for file in half.tsv half.tsv.gz half.tsv.zst -; do
    "$fplab" plan --docs 1e6 --sample $file --format tsv <half.txt 2>err | cmp -s - out || complain "the sample $file says something else: $(cat err)"
done
"$fplab" plan --docs 1e6 --sample half.txt >out && grep -q '^Skew: candidates of fingerprints like those of the sample (4000)' out && grep -q ' skew ' out || complain "the skew is not told"
"$fplab" plan --docs 1e6 --blocks 4 --sample half.txt | grep -qE '^skew +40[0-9]{2}\.' || complain "--blocks --sample"
# What the program itself prints of texts, and no even spread.
"$fplab" fingerprint --corpus "$newswire" >texts.tsv && "$fplab" plan --docs 1e9 --sample texts.tsv --format tsv >out || complain "a sample of texts"
awk -F'\t' 'NR > 4 && $10 < 1 { bad = 1 } $1 == "blocks=4" && $10 > 2 { seen++ } END { exit bad || seen != 1 }' out || complain "texts are spread evenly"

# ---- Files and picture ----
"$fplab" plan --docs 2^34 --memory 2T --out run --plot-format png,svg >/dev/null || complain "--out"
cut -f 1-13,15 run/designs.tsv >a; cut -f 1-13,15 crawl.tsv | cmp -s - a || complain "designs.tsv is not what is printed"
python3 - <<'PY' || complain "run.json"
import json
run = json.load(open("run/run.json"))["definitions"]
assert run["choice"] == "blocks=5,agree=2" and run["fingerprints"] == 2 ** 34 and run["most_bytes"] == 2 ** 41 and run["reason"].startswith("blocks=5,agree=2: ")
PY
for text in '5 blocks=4<' '8 blocks=5,agree=2<' '3<\|>3<' 'memory 内存 2 TiB' 'not in the picture'; do
    grep -q "$text" run/plots/plan-designs.svg || complain "the picture lacks $text"
done
[ "$(head -c 4 run/plots/plan-designs.png | tail -c 3)" = PNG ] || complain "no PNG"
for lang in en zh; do "$fplab" plot run --lang $lang --figure designs >/dev/null 2>err || complain "plot --lang $lang: $(cat err)"; done
grep -q 查询代价与内存 run/plots/plan-designs.svg && ! grep -q 'cost of a query' run/plots/plan-designs.svg || complain "--lang zh"
"$fplab" plan --docs 1e6 --blocks 4 --out one --no-such 2>/dev/null && complain "--no-such"
"$fplab" plan --docs 1e6 --blocks 4 --out one --plot-format svg | grep -q '^lookups *4 ' && [ -s one/designs.tsv ] || complain "--blocks --out"
"$fplab" rerun run --out again >/dev/null 2>err && cmp -s run/designs.tsv again/designs.tsv || complain "rerun: $(cat err)"

# ---- Mistakes ----
printf '0123456789abcdef\n0123456789abcdeg\n' >bad.txt
refused 1 'bad.txt:2: a fingerprint in hexadecimal was expected, not "0123456789abcdeg"' "$fplab" plan --sample bad.txt
refused 1 'half.txt:1: a fingerprint of 16 hexadecimal digits; 128 bits have 32' "$fplab" plan --bits 128 --sample half.txt
refused 1 'none.txt: cannot open' "$fplab" plan --sample none.txt
: >empty.txt
refused 1 'empty.txt: 0 fingerprints: a sample needs at least two' "$fplab" plan --sample empty.txt
exit $bad
