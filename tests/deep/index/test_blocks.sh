#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Block tables against a loop over all fingerprints, for every distance from 0 to 16 and several designs: nothing is missed and nothing else is found, over a
# million random fingerprints, a million of texts, and codes of other widths, which crowd in some groups.
set -eu
fplab=${FPLAB:-build/bin/fplab}
exact=$(realpath "${BUILD:-build}/tests/deep/index/blocks_exact")
work=$(mktemp -d "${TMPDIR:-/tmp}/fplab-blocks-XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0
# compare BITS COUNT [FILE [LEVELS]]
compare() {
    "$exact" "$@" > "$work/out" || bad=1
    sed -E 's/.* ([0-9]+) found, ([0-9]+) missed, ([0-9]+) extra$/\1 \2 \3/' "$work/out" | awk -v what="$*" '
        { found += $1; missed += $2; extra += $3 }
        END { printf "%s: %d runs, %d found, %d missed, %d extra\n", what, NR, found, missed, extra; exit NR < 10 || found < 3000 }' || bad=1
    grep -v ' 0 missed, 0 extra$' "$work/out" || :
}
# fingerprints CORPUS ARM FILE
fingerprints() { "$fplab" fingerprint --corpus "$work/$1" --arm "$2" > "$work/$3"; }
bench/made_corpus.py 1000000 "$work/large" --length 120
mkdir "$work/small"
head -n 100000 "$work/large/docs.jsonl" > "$work/small/docs.jsonl"
fingerprints large simhash simhash
rm -r "$work/large"
fingerprints small simhash:bits=128 wide
fingerprints small pinyin:levels=4 quartal
fingerprints small pinyin:levels=8 pinyin
cd "$work" # so that what is told names no place
compare 64 1000000
compare 64 1000000 simhash
compare 128 100000 wide
compare 60 30000 quartal 4
compare 140 100000 pinyin 8
exit $bad
