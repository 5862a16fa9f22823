#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab eval --gain, --costs, --calibrate: the tables against exact fractions, what the terminal shows, mistakes in the command
# line, sets that cannot tell.
set -u
fplab=${FPLAB:-build/bin/fplab}
corpus=tests/data/newswire-zh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "FAIL: $*"; bad=1; }

/usr/bin/python3 tests/cli/commands/decision_check.py "$fplab" "$corpus" "$work/exact" || complain "the tables differ from exact fractions"

# The terminal: thresholds of every ratio, once each and in order, with the share that they are for; probabilities at the thresholds.
"$fplab" eval -c "$corpus" -a simhash -a minhash --costs --ratio 1/3 --ratio 3 --ratio 5 --calibrate --threshold 12..14 --replicates 200 >"$work/shown" 2>"$work/err" || complain "eval: $(cat "$work/err")"
grep -qx 'newswire-zh: the best threshold for each cost of a missed duplicate, in false positives, when 0.157 of the pairs are duplicates, as in the set (first hash seed)' "$work/shown" || complain "the heading of costs"
[ "$(grep '^call at h ≤' "$work/shown" | tr -s ' ')" = "call at h ≤ 1/20 1/10 1/5 1/3 1/2 1 2 3 5 10 20" ] || complain "the ratios: $(grep '^call at' "$work/shown")"
# Of 144 duplicates and 774 others, calling nothing costs what the ratio times 144 is of that and 774.
grep -qE '^cost of calling nothing +0\.00922 .* 0\.157 +0\.271 ' "$work/shown" || complain "calling nothing: $(grep '^cost of' "$work/shown")"
grep -qE '^probability at distance +scale +12 +13 +14$' "$work/shown" || complain "the thresholds of probabilities"
grep -qE '^newswire-zh +simhash +0\.1569 ' "$work/shown" || complain "scores"
grep -q ', as in the set' <("$fplab" eval -c "$corpus" -a simhash --costs --calibrate --prevalence 0.02 --replicates 200) && complain "a stated share is not the set's own"

# The curve's area comes along, once, asked for or not.
for more in "" "--measure precision_recall_gain_area"; do
    "$fplab" eval -c "$corpus" -a simhash --gain $more --replicates 200 --no-plots --out "$work/gain" >/dev/null 2>&1
    [ "$(head -1 "$work/gain/summary.tsv" | tr '\t' '\n' | grep -cx precision_recall_gain_area)" = 1 ] || complain "the area with --gain $more"
done

# Pictures, in both languages.
for lang in en zh; do
    "$fplab" eval -c "$corpus" -a simhash -a jaccard --gain --costs --calibrate --replicates 200 --plot-format svg --figure gain --figure cost --figure calibration --figure reliability --lang $lang --out "$work/$lang" >/dev/null 2>"$work/err" || complain "pictures: $(cat "$work/err")"
    for figure in gain cost calibration reliability; do [ -s "$work/$lang/plots/newswire-zh-$figure.svg" ] || complain "no picture $figure in $lang"; done
done
grep -q '概率\|增益\|代价' "$work"/en/plots/*.svg && complain "Chinese in English pictures"
grep -q '精确率–召回率增益曲线' "$work/zh/plots/newswire-zh-gain.svg" && grep -q '最佳阈值的期望代价' "$work/zh/plots/newswire-zh-cost.svg" &&
    grep -q '各距离上的重复概率' "$work/zh/plots/newswire-zh-calibration.svg" && grep -q '留出文本对上的概率' "$work/zh/plots/newswire-zh-reliability.svg" || complain "Chinese titles"

# Mistakes.
refused() { # MESSAGE ARGUMENT…
    local message=$1
    shift
    "$fplab" eval -c "$corpus" -a simhash "$@" >/dev/null 2>"$work/err"
    local status=$?
    [ $status = 2 ] && grep -qF -- "$message" "$work/err" || complain "$*: status $status, $(cat "$work/err")"
}
refused "--ratio sets the costs of --costs; add --costs" --ratio 5
for ratio in 0 -1 x 1/0 1/ /3 nan inf 1e10 1/3/4 ""; do refused "--ratio takes what a missed duplicate costs, such as 30 or 1/3, not $ratio" --costs --ratio "$ratio"; done
refused "--ratio: no more than 32 ratios" --costs $(seq -f '--ratio %g' 33)

# One class alone, two units, groups.
mkdir -p "$work/one" "$work/few" "$work/groups"
head -40 "$corpus/docs.jsonl" >"$work/one/docs.jsonl"
ids=($(sed -n 's/.*"id": *"\([^"]*\)".*/\1/p' "$work/one/docs.jsonl"))
printf '%s\t%s\t0\n' "${ids[0]}" "${ids[1]}" "${ids[2]}" "${ids[3]}" >"$work/one/pairs.tsv"
"$fplab" eval -c "$work/one" -a simhash --gain --costs --calibrate --replicates 200 --no-plots --out "$work/out" >"$work/shown" 2>"$work/err" || complain "one class: $(cat "$work/err")"
[ "$(wc -l <"$work/out/gain.tsv")$(wc -l <"$work/out/cost-curve.tsv")$(wc -l <"$work/out/calibration.tsv")$(wc -l <"$work/out/reliability.tsv")" = 1111 ] || complain "one class has curves"
[ "$(tail -n +2 "$work/out/costs.tsv" | cut -f7 | sort -u)" = NA ] || complain "one class has thresholds"
cp "$work/one/docs.jsonl" "$work/few"
printf '%s\t%s\t%s\n' "${ids[0]}" "${ids[1]}" 1 "${ids[2]}" "${ids[3]}" 1 "${ids[0]}" "${ids[2]}" 0 >"$work/few/pairs.tsv"
"$fplab" eval -c "$work/few" -a simhash --costs --calibrate --replicates 200 >"$work/shown" 2>"$work/err" || complain "two units: $(cat "$work/err")"
grep -q '^Nothing can be held out: ' "$work/shown" || complain "two units are held out: $(tail -5 "$work/shown")"
for i in $(seq 800); do echo "{\"id\": \"d$i\", \"text\": \"第 $i 篇，$((i / 2)) 号，$((i * 7919 % 997))。\", \"group\": \"g$((i / 2))\"}"; done >"$work/groups/docs.jsonl"
"$fplab" eval -c "$work/groups" -a simhash --gain --costs --no-plots --out "$work/out" >/dev/null 2>"$work/err" || complain "groups: $(cat "$work/err")"
[ "$(tail -n +2 "$work/out/costs.tsv" | cut -f8,9,13,14 | sort -u | tr '\t' ' ')" = "NA NA NA NA" ] || complain "counted pairs have limits"
"$fplab" eval -c "$work/groups" -a simhash --calibrate >/dev/null 2>"$work/err" && complain "probabilities of counted pairs"
grep -q -- '--calibrate needs labelled pairs' "$work/err" || complain "groups: $(cat "$work/err")"
"$fplab" eval -c "$corpus" -a simhash --level document --gain --costs --calibrate --replicates 200 >"$work/shown" 2>"$work/err" || complain "documents: $(cat "$work/err")"
grep -q 'of the documents are duplicates' "$work/shown" || complain "documents are called pairs"

# The same for any number of threads.
for threads in 1 3; do
    OMP_NUM_THREADS=$threads "$fplab" eval -c "$corpus" -a cosine --costs --calibrate --replicates 200 --no-plots --out "$work/$threads" >/dev/null 2>&1
done
for table in costs calibration reliability calibration-scores; do cmp -s "$work/1/$table.tsv" "$work/3/$table.tsv" || complain "$table differs by threads"; done
exit $bad
