#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fplab eval --hash-seeds: arms that leave their seed open are measured under several; the sources of chance; what is refused.
. tests/support.sh
here=$PWD
cd "$work" || exit 1
arms=(-a simhash -a minhash -a pinyin)

# ---- Against runs of one seed each ----

"$fplab" eval -c "$newswire" "${arms[@]}" --hash-seeds 1..4 --no-plots -o run >out || complain "--hash-seeds 1..4"
for seed in 1 2 3 4; do
    "$fplab" eval -c "$newswire" -a simhash:seed=$seed,name=simhash -a minhash:seed=$seed,name=minhash -a pinyin --no-plots -o seed$seed >/dev/null || complain "seed $seed"
    [ -e seed$seed/sources.tsv ] && complain "arms that write their seed have sources"
    for arm in simhash minhash; do "$fplab" distances -c "$newswire" -a $arm:seed=$seed --format tsv >distances-$arm-$seed; done
done
"$fplab" eval -c "$newswire" "${arms[@]}" --hash-seeds 1..4 --compare recall@10 --no-plots -o at10 >/dev/null || complain "--compare recall@10"
python3 "$here/tests/cli/commands/seeds_check.py" >checked 2>&1 || complain "$(cat checked)"
grep -q 'are means over 4 hash seeds' out && grep -q 'sources of uncertainty' out || complain "the seeds are not told: $(cat out)"
"$fplab" rerun run >out || complain "rerun: $(cat out)"

# ---- One seed ----

# An arm's own seed is what it writes: 0. Nothing else is in the figures then.
"$fplab" eval -c "$newswire" "${arms[@]}" -N 1 --no-plots -o one >out || complain "-N 1"
"$fplab" eval -c "$newswire" -a simhash:seed=0,name=simhash -a minhash:seed=0,name=minhash -a pinyin --no-plots -o own >/dev/null || complain "own seeds"
for table in results intervals differences curves histograms; do cmp one/$table.tsv own/$table.tsv || complain "-N 1 is not the seed of the arm: $table.tsv"; done
[ -e one/sources.tsv ] && complain "one seed has sources"
grep -q 'measured with one seed' out || complain "nothing says that no interval covers another seed"
# Two seeds, of which the first is the arm's own.
"$fplab" eval -c "$newswire" "${arms[@]}" -N 2 --no-plots -o two >/dev/null && python3 -c '
import json; assert [arm.get("seeds") for arm in json.load(open("two/run.json"))["arms"]] == [[0, 1], [0, 1], None]' || complain "two seeds"

# Every seed has the same default, of commands too.
for command in eval tune robustness judge 'corpus corrupt' 'corpus sample' 'corpus split' 'corpus giveaways'; do
    # shellcheck disable=SC2086
    "$fplab" $command --help-all | tr -s ' \n' ' ' | grep -qE -- '--seed[^(]*\(default: 0\)' || complain "$command: the default of --seed: $("$fplab" $command --help-all | grep -A 2 -e --seed)"
done
for seed in '' '--seed 0' '--seed 1'; do
    # shellcheck disable=SC2086
    "$fplab" corpus sample "$newswire" --groups 9 $seed --out "sample$seed" >/dev/null 2>&1 && "$fplab" corpus corrupt -c "sample$seed" -k substitute -r 0.2 $seed --out "corrupt$seed" >/dev/null 2>&1 || complain "sample $seed"
    "$fplab" eval -c "corrupt$seed" -a exact -a minhash --interval bca --replicates 200 $seed --format json >"eval$seed" 2>/dev/null || complain "eval $seed"
done
for made in sample corrupt; do
    cmp -s "$made/docs.jsonl" "$made--seed 0/docs.jsonl" || complain "$made: --seed 0 is not the default"
    cmp -s "$made/docs.jsonl" "$made--seed 1/docs.jsonl" && complain "$made: --seed does nothing"
done
grep -o '"average_precision[a-z_]*":[^,]*' eval >one.txt; grep -o '"average_precision[a-z_]*":[^,]*' 'eval--seed 0' | cmp -s - one.txt && [ -s one.txt ] || complain "eval: --seed 0 is not the default"

# ---- Arms that have no draw, or write it ----

# A table of codes, and a function that other programs know, are as they stand.
printf '今天\t0101\n天气\t1010\n' >terms.tsv
"$fplab" eval -c "$newswire" -a simhash:hash=md5,name=md5 -a simhash:terms=terms.tsv,bits=4,name=codes -a simhash:seed=7,name=seven -a jaccard -a pinyin -N 3 --no-plots -o fixed >out || complain "arms without a draw"
[ -e fixed/sources.tsv ] && complain "arms without a draw have sources: $(cut -f 2 fixed/sources.tsv | sort | uniq -c)"
grep -qE 'means over|measured with one' out && complain "arms without a draw are told to have one"
# Every seed is another draw, of both words of 128 bits.
for bits in 64 128; do
    for seed in 0 1 9; do "$fplab" distances -c "$newswire" -a simhash:bits=$bits,seed=$seed --format tsv | cut -f 5 >$bits.$seed; done
    for pair in '0 1' '0 9' '1 9'; do cmp -s $bits.${pair% *} $bits.${pair#* } && complain "seeds $pair of $bits bits give the same distances"; done
done

# The same bytes for any number of threads.
OMP_NUM_THREADS=1 "$fplab" eval -c "$newswire" "${arms[@]}" -N 3 --no-plots -o single >/dev/null && OMP_NUM_THREADS=4 "$fplab" eval -c "$newswire" "${arms[@]}" -N 3 --no-plots -o four >/dev/null
for table in results intervals differences sources; do cmp single/$table.tsv four/$table.tsv || complain "threads change $table.tsv"; done

# Documents are read under every seed; so are queries.
"$fplab" eval -c "$newswire" -a simhash -N 3 --level document --no-plots -o documents >/dev/null && [ "$(cut -f 4 documents/sources.tsv | sort | xargs)" = 'average_precision best_f1 figure roc_area' ] || complain "--level document"
"$fplab" eval -c "$newswire" -a simhash -N 0..2 --retrieval --no-plots -o retrieval >/dev/null || complain "--retrieval"
for seed in 0 1 2; do "$fplab" eval -c "$newswire" -a simhash:seed=$seed --retrieval --no-plots -o query$seed >/dev/null; done
python3 - <<'PYTHON' || complain "retrieval is no mean over seeds"
import csv
def value(place): return float(next(csv.DictReader(open(place + '/retrieval.tsv'), delimiter='\t'))['average_precision'])
assert abs(value('retrieval') - sum(value(f'query{k}') for k in range(3)) / 3) < 1e-9
PYTHON

# ---- Where all pairs of groups are counted ----

mkdir groups
for i in $(seq 1 720); do printf '{"id":"d%d","text":"第%d号新闻 今天 天气 %d","group":"%d"}\n' $i $((i / 2)) $i $((i / 2)); done >groups/docs.jsonl
"$fplab" eval -c groups -a simhash >out || complain "large groups"
grep -q 'measured with one seed' out || complain "large groups do not say that they have one seed"
"$fplab" eval -c groups -a simhash --hash-seeds 1 >/dev/null || complain "large groups, one seed"
refused 1 'groups has groups, of too many documents to list all pairs: they are measured under one hash seed' "$fplab" eval -c groups -a simhash --hash-seeds 2

# ---- Bad input ----

for bad_seeds in 0 -1 x 1.5 '' 1001 99999999999999999999 4..3 -1..3 0..1000 .. 1.. ..2 1..x; do
    refused 2 "--hash-seeds takes 1 to 1000, or A..B with 0 ≤ A ≤ B, not $bad_seeds" "$fplab" eval -c "$newswire" -a simhash "--hash-seeds=$bad_seeds"
done
refused 1 'seed takes 0 to 9e+15' "$fplab" eval -c "$newswire" -a simhash --hash-seeds 8999999999999999..9000000000000002
exit $bad
