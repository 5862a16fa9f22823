#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Simplified text that OpenCC puts into traditional characters, as written in general, in Taiwan and in Hong Kong, folds
# to what the original folds to: in at least as many sentences of newswire-zh as OpenCC itself brings back.
set -u
fplab=${FPLAB:-build/bin/fplab}
command -v opencc >/dev/null || { echo "skipped: opencc is missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
sed -n 's/.*"text": "\(\([^"\\]\|\\.\)*\)".*/\1/p' tests/data/newswire-zh/docs.jsonl | sed 's/\\n/\n/g; s/\\"/"/g; s/[。！？]/&\n/g' |
    grep -v '^ *$' | sort -u >"$work/original"
lines=$(wc -l <"$work/original")
[ "$lines" -gt 2000 ] || { echo "FAIL: only $lines sentences"; exit 1; }

hashes() { "$fplab" fingerprint --arm "exact:$1" "$2" | cut -f2; }
differing() { paste "$1" "$2" | awk -F'\t' '$1 != $2' | wc -l; }

sed 's/「/“/g; s/」/”/g; s/『/‘/g; s/』/’/g' "$work/original" >"$work/marked" # quotation marks fold, too
hashes han=keep "$work/marked" >"$work/kept"
hashes han=simplified "$work/original" >"$work/folded"
changed=$(differing "$work/kept" "$work/folded")
[ "$changed" = 0 ] || { echo "FAIL: folding changes $changed of $lines simplified sentences"; bad=1; }
for way in s2t:t2s s2tw:tw2s s2hk:hk2s; do
    opencc -c "${way%:*}" -i "$work/original" -o "$work/traditional"
    opencc -c "${way#*:}" -i "$work/traditional" -o "$work/back"
    hashes han=simplified "$work/traditional" >"$work/ours"
    ours=$(differing "$work/folded" "$work/ours") theirs=$(differing "$work/original" "$work/back")
    echo "note: ${way%:*}: of $lines sentences $ours fold to something else; OpenCC's ${way#*:} leaves $theirs"
    [ "$ours" -le "$theirs" ] || { echo "FAIL: more than OpenCC leaves"; bad=1; }
done
exit $bad
