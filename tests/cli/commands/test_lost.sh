#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab eval --lost: the classes against an independent computation, what the terminal shows, mistakes in the command line, choices.
set -u
fplab=${FPLAB:-build/bin/fplab}
corpus=tests/data/newswire-zh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }

/usr/bin/python3 tests/cli/commands/lost_check.py "$fplab" "$corpus" "$work" || complain "the classes differ from an independent computation"

# Each arm has one row; those that cannot have an index say so, and the others have one that loses nothing within their threshold:
# k + 1 blocks, since k places touch k blocks at most (Manku, Jain, Das Sarma 2007).
shown=$("$fplab" eval -c "$corpus" --lost --replicates 200 2>/dev/null | sed -n '/where recall is lost, of 144 positive pairs/,$p')
[ "$(grep -cE '^((simhash|minhash|pinyin) +pigeonhole:blocks=[0-9]+ +[0-9]+|jaccard +– +–|cosine +– +–) ' <<<"$shown")" = 5 ] || complain "the table of five arms: $shown"
"$fplab" eval -c "$corpus" --lost --replicates 200 --no-plots --out "$work/default" >/dev/null
awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["index"] != "NA" { arms++; split($column["index"], of, "="); h = $column["threshold"]
                               if (of[2] != h + 1 || $column["index_reach"] != h || $column["lost_index"] != 0) bad = 1 }
    END { exit bad || arms != 3 }' "$work/default/lost-best.tsv" || complain "the index loses what is within the threshold: $shown"
# Blocks of three bits bring nearly everything, which is said; an index for another distance says for which.
grep -qE '^simhash: a look-up returns (8|9)[0-9]% of all documents, which saves little over a full scan\.$' <<<"$shown" || complain "an index that brings most documents: $shown"
grep -q '^minhash: ' <<<"$shown" && complain "minhash's index is no full scan: $shown"
"$fplab" eval -c "$corpus" -a simhash --lost --index pigeonhole --replicates 200 | grep -qx 'simhash: the index finds every pair within 3, and was not made for h = 18.' ||
    complain "an index that was made for 3 and is used at 18"
# At a threshold of all places no block is left to agree in: a full scan, from which nothing is lost.
cat > "$work/wide.json" <<JSON
{"arm": "simhash", "name": "wide", "scale": "bits of 64", "objective": "F1", "threshold": 64, "corpus": {"name": "x", "sha256": {"documents": "0"}}}
JSON
"$fplab" eval -c "$corpus" --choice "$work/wide.json" --lost --replicates 200 >"$work/shown" || complain "a choice of 64"
grep -qE '^wide +full scan +– +64 +144 \(100\.0%\)' "$work/shown" && grep -qx 'wide: no index finds every pair within 64; a full scan is meant.' "$work/shown" ||
    complain "a full scan: $(grep '^wide' "$work/shown")"

# Two corpora, one of them of groups; a choice at its own threshold, which here is not that of the largest F1.
mkdir -p "$work/groups" "$work/out"
printf '%s\n' '{"id": "a", "text": "今天下午，临江大桥恢复通车。", "group": "bridge"}' '{"id": "b", "text": "临江大桥今天下午恢复通车。", "group": "bridge"}' \
    '{"id": "c", "text": "市图书馆本周六延长开放时间。"}' > "$work/groups/docs.jsonl"
"$fplab" eval -c "$corpus" -c "$work/groups" -a simhash -a jaccard --lost --replicates 200 --out "$work/out" --no-plots >"$work/shown" 2>&1 || complain "two corpora"
grep -q '^groups: where recall is lost, of 1 positive pairs' "$work/shown" || complain "groups are not shown"
[ "$(cut -f1,2,6 "$work/out/lost-best.tsv" | tail -n +2 | tr '\t\n' ' ;')" = "newswire-zh simhash 144;newswire-zh jaccard 144;groups simhash 1;groups jaccard 1;" ] ||
    complain "lost-best.tsv: $(cut -f1,2,6 "$work/out/lost-best.tsv")"
# What the index brings: every labelled pair of the one, the three pairs of the other's documents, which are listed; none of the exact arm.
[ "$(tail -n +2 "$work/out/index.tsv" | awk -F'\t' '{ pairs[$1 " " $2] += $6 } END { for (arm in pairs) print arm, pairs[arm] }' | sort | tr '\n' ';')" = \
    "groups simhash 3;newswire-zh simhash $(wc -l < "$corpus/pairs.tsv");" ] || complain "index.tsv: $(cut -f1,2,6 "$work/out/index.tsv")"
"$fplab" tune -c "$corpus" --grid simhash --save "$work/choice.json" --replicates 200 >/dev/null 2>&1 &&
    "$fplab" eval -c "$corpus" -a minhash --choice "$work/choice.json" --lost --replicates 200 --out "$work/out" --no-plots >/dev/null 2>&1 || complain "a choice"
threshold=$(sed -n 's/.*"threshold": *\([0-9.]*\).*/\1/p' "$work/choice.json" | head -1)
[ "$(tail -1 "$work/out/lost-best.tsv" | cut -f2,5)" = "simhash	$threshold" ] || complain "the choice's threshold is $threshold: $(cut -f2,5 "$work/out/lost-best.tsv")"

# refuse STATUS TEXT ARGUMENT…
refuse() {
    local status=$1 text=$2 said
    shift 2
    said=$("$fplab" eval -c "$corpus" "$@" 2>&1 >/dev/null)
    [ $? = "$status" ] || complain "$*: the status is not $status"
    case $said in *"$text"*) ;; *) complain "$*: $said" ;; esac
}
[ "$(head -1 "$work/out/lost.tsv" | awk -F'\t' '{ print $NF }')" = index_reach ] || complain "lost.tsv has no index_reach"
refuse 2 "add --lost" --index pigeonhole
refuse 2 "did you mean pigeonhole" --lost --index pigeonhol
refuse 2 "did you mean blocks" --lost --index pigeonhole:block=4
refuse 2 "blocks takes 1 to" --lost --index pigeonhole:blocks=0
refuse 2 "does not fit simhash: blocks=65: a sketch of 64 places is cut into 1 to 64 blocks" --lost --index pigeonhole:blocks=65 -a cosine -a simhash
refuse 2 "it does not go with --level document" --lost --level document
exit $bad
