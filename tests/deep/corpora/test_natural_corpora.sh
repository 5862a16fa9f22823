#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# `make corpora` with the packages of this Debian: five sets that are whole and of the size that docs/natural-corpora.md tells, and the same bytes when
# they are built again.
. tests/support.sh
command -v apt-get >/dev/null || { echo "no apt-get"; exit 77; }
apt-get --print-uris -qq download installation-guide-amd64 2>/dev/null | grep -q . || { echo "packages are out of reach"; exit 77; }
for name in first second; do
    make corpora BUILD="${BUILD:-build}" CORPORA="$work/$name" >"$work/told" 2>&1 || { complain "$(tail -n 3 "$work/told")"; exit 1; }
done
for set in installation-guide-zh libreoffice-help-zh licences-en manual-pages-zh; do
    "$fplab" corpus check "$work/first/$set" -f tsv >"$work/check" 2>&1 || complain "$set: $(cat "$work/check")"
    for file in docs.jsonl pairs.tsv MANIFEST.json; do cmp "$work/first/$set/$file" "$work/second/$set/$file" || complain "$set: other bytes"; done
    grep -E '^(near-empty|texts that stand|pairs of the same|negative pairs|pairs with|languages that)' "$work/check" | grep -vP '\t0$' && complain "$set: doubtful"
done

# The crawl: groups are the truth, at most one pair in a thousand is a duplicate, and most exact copies are found at distance 0.
for file in docs.jsonl MANIFEST.json; do cmp "$work/first/newswire-crawl/$file" "$work/second/newswire-crawl/$file" || complain "newswire-crawl: other bytes"; done
"$fplab" eval --corpus "$work/first/newswire-crawl" --arm exact --arm simhash --no-plots --out "$work/crawl" >/dev/null 2>&1 || complain "newswire-crawl is not evaluated"
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 { share = $c["positives"] / $c["pairs"]; if (share > 0.001 || share < 0.0005) exit 1 }' "$work/crawl/summary.tsv" ||
    complain "newswire-crawl: another share of duplicates"

# Releases change the texts, not what the sets are made of.
counted() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["counts"][sys.argv[2]])' "$work/first/$1/MANIFEST.json" "$2"; }
at_least() { [ "$(counted "$1" "$2")" -ge "$3" ] || complain "$1: $(counted "$1" "$2") $2, not $3"; }
at_least installation-guide-zh documents 100; at_least installation-guide-zh positives 200
at_least libreoffice-help-zh documents 800; at_least libreoffice-help-zh positives 400
at_least licences-en documents 250; at_least licences-en positives 900
at_least manual-pages-zh documents 300; at_least manual-pages-zh positives 200
exit $bad
