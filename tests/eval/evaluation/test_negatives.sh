#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# eval --negatives: what is refused, what is said, totals that are exact, the same bytes for any number of threads, kernels and again by rerun; and all
# pairs where there are no more.
made=$(realpath bench/made_corpus.py)
listed=$(realpath corpora/data/newswire-zh)
. tests/support.sh
cd "$work" || exit 1
"$made" 900 c >/dev/null || complain "no corpus"
arms='--arm simhash --arm jaccard --arm pinyin'

# run NAME OPTIONS…
run() {
    local name=$1; shift
    # shellcheck disable=SC2086
    "$fplab" eval --corpus c $arms --no-plots --out "$name" "$@" >"$name.txt" 2>"$name.err" || complain "$name: $(cat "$name.err")"
}

# refused STATUS PATTERN OPTIONS…: one line that says why.
refused() {
    local status=$1 pattern=$2; shift 2
    "$fplab" eval --arm simhash "$@" >out 2>err
    [ $? = "$status" ] || complain "$*: another status than $status"
    [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$pattern" err || complain "$*: $(cat out err)"
}

for wrong in 0 -1 many 1.5 1e6 '' 99999999999999999999; do refused 2 'takes a whole number from 1 on' --corpus c --negatives "$wrong"; done
for other in '--level document' '--level cluster' '--by length' --theory --retrieval --calibrate; do
    # shellcheck disable=SC2086
    refused 2 "does not go with ${other%% *}" --corpus c --negatives 100 $other
done
refused 2 'one hash seed, not 3' --corpus c --negatives 100 --hash-seeds 3
refused 1 'a list of labelled pairs' --corpus "$listed" --negatives 100

# Positives and totals are those of all pairs at every threshold, and every row says the weight.
run whole --threshold 0..20
run drawn --threshold 0..20 --negatives 5000
join -t'|' <(cut -f 1-8 whole/results.tsv | tr '\t' ' ' | awk '{ print $1 "," $2 "," $(NF-4) "|" $(NF-3) "|" $(NF-1) "|" $(NF-2) + $NF }' | sort) \
    <(cut -f 1-8 drawn/results.tsv | tr '\t' ' ' | awk '{ print $1 "," $2 "," $(NF-4) "|" $(NF-3) "|" $(NF-1) "|" $(NF-2) + $NF }' | sort) |
    awk -F'|' '$2 != $5 || $3 != $6 || $4 != $7 { exit 1 } END { exit NR != 64 }' || complain "duplicates or totals differ from those of all pairs"
awk -F'\t' 'NR == 1 { exit $NF != "negative_weight" }' drawn/results.tsv || complain "no weight in results.tsv"
awk -F'\t' 'NR > 1 && ($2 == "jaccard" ? !($NF > 1) : $NF != 1) { exit 1 }' drawn/results.tsv || complain "a weight that is none, or of pairs that are counted"
grep -q negative_weight whole/results.tsv && complain "a weight without a draw"

# Bits and slots are counted: every figure is that of all pairs, with its interval.
rows() { grep -P "^c\t(simhash|pinyin)\t" "$1/$2.tsv" | cut -f "$3"; }
for table in results:1-15 intervals:1-8 histograms:1- curves:1-; do
    name=${table%:*} columns=${table#*:}
    [ "$(rows drawn "$name" "$columns" | wc -l)" -gt 5 ] && cmp -s <(rows drawn "$name" "$columns") <(rows whole "$name" "$columns") ||
        complain "$name.tsv of counted arms: not that of all pairs"
done
tr '\n' ' ' <drawn.txt | grep -q 'All pairs of simhash, pinyin are counted' || complain "that pairs are counted is not said"
grep -q '"counted":\["simhash","pinyin"\]' <(tr -d ' \n' <drawn/run.json) || complain "nor in run.json"
"$fplab" eval --corpus c --arm simhash --arm minhash --no-plots --out counted --negatives 5000 >/dev/null 2>counted.err || complain "$(cat counted.err)"
"$fplab" eval --corpus c --arm simhash --arm minhash --no-plots --out asked >/dev/null 2>&1 || complain "no run without"
for table in results intervals differences curves histograms; do cmp -s counted/$table.tsv asked/$table.tsv || complain "$table.tsv: counted arms alone are not as without a draw"; done
grep -q 'nothing was sampled: all pairs of these arms are counted' counted.err || complain "that nothing was drawn is not said: $(cat counted.err)"

# Of sets what is unseen is bounded by the chance with which bands find it: limits of a precision are a little wider than those of all pairs.
paste <(grep -P '^c\tjaccard\tprecision\t' whole/intervals.tsv) <(grep -P '^c\tjaccard\tprecision\t' drawn/intervals.tsv) |
    awk -F'\t' -v half="$(($(head -1 whole/intervals.tsv | tr '\t' '\n' | wc -l)))" '$5 == 1 && $4 > 0 {
        low = $(half + 6); seen++
        if (low > $6 + 1e-9 || low < $6 - 0.01 || $(half + 5) != 1) exit 1 } END { exit !(seen > 10) }' ||
    complain "limits of a precision of 1: too narrow, or much too wide"

# It is said everywhere.
tr '\n' ' ' <drawn.txt | grep -q 'Of the [0-9]* non-duplicate pairs of 900 documents, [0-9]* near ones and a sample of 5000 others (seed 0) are measured' ||
    complain "not said under the tables"
grep -q '"drawn":5000' <(tr -d ' \n' <drawn/run.json) || complain "not in run.json"
for format in markdown latex latex-table; do
    "$fplab" report drawn --format $format --lang en --out page.$format >/dev/null 2>err || complain "$format: $(cat err)"
    grep -q '5000 of the others are sampled (seed 0)' page.$format || complain "$format does not say it"
    grep -q 'All pairs of simhash, pinyin are counted' page.$format || complain "$format does not say of which arms all pairs are counted"
done
"$fplab" report drawn --lang zh --out page.html >/dev/null 2>err || complain "page: $(cat err)"
grep -q '其余抽样 5000 对' page.html && grep -q 'simhash, pinyin 计入了全部文本对' page.html || complain "the page does not say it in Chinese"

# The same bytes for any number of threads, and again; other pairs under another seed.
for threads in 1 3; do OMP_NUM_THREADS=$threads run threads$threads --negatives 5000 --threshold 4..8; done
for table in results intervals differences curves histograms; do
    cmp -s threads1/$table.tsv threads3/$table.tsv || complain "$table.tsv: the number of threads matters"
done
FPLAB_CPU=portable run portable --negatives 5000 --threshold 4..8
cmp -s threads1/intervals.tsv portable/intervals.tsv || complain "the kernel matters"
"$fplab" rerun threads3 >again 2>err && grep -q 'The figures are the same' again || complain "rerun: $(cat again err)"
run seed2 --negatives 5000 --threshold 4..8 --seed 2
cmp -s seed2/results.tsv threads1/results.tsv && complain "the seed does not matter"

# No more negatives than are asked for: all are counted, as without the option, and that is said.
run all --threshold 0..20 --negatives 404550
cmp -s all/intervals.tsv whole/intervals.tsv || complain "all pairs are counted in another way"
grep -q 'only 404550 non-duplicate pairs' all.err || complain "that all are counted is not said: $(cat all.err)"
exit $bad
